"""Many small systems in one engine: their atoms one after the other, a box for each (state/members.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.run.engine import Engine
from everlet.state.box import Box
from everlet.state.members import Hull, Members
from everlet.state.topology import KINDS, set_links

REFUSED = {  # what there is in place of some commands
    "kspace_style": "long-range solvers have a mesh for one box: use coul/cut, coul/dsf or coul/wolf",
    "fix": "use runs.fix", "compute": "use properties of the batch", "dump": "write runs[k] yourself, or to_ase()",
    "run": "use runs.run", "minimize": "use runs.minimize", "velocity": "use runs.velocities"}
PAIRS = {"reaxff": "its charges and bonds are of one box", "tip4p": "it looks for atoms in one box",
         "ase": "calculators have one cell", "metatomic": "models of metatomic are given one cell",
         "coul/long": "it needs a long-range solver", "coul/msm": "it needs a long-range solver"}


def fill(engine: Engine, boxes: Sequence[Box], types: Sequence[np.ndarray], columns: dict[str, Sequence[np.ndarray]],
         links: dict[str, list[np.ndarray]], numbers: Sequence[int], masses: np.ndarray) -> Members:
    """Give an engine that has no atoms those of many systems. columns: fields of atoms besides types, of each system; links: by
    kind, rows of a type and atoms counted from 1 in each system."""
    system = engine.system
    sizes = [len(one) for one in types]
    system.box = Hull(boxes)
    system.masses = masses
    keeps = bool(engine.options.get("deterministic"))
    first = np.cumsum([0, *sizes])
    system.atoms.add_field("member", np.int32, ghost="borders")
    system.atoms.add_field("kept", np.float64, 4, shown=3)
    system.atoms.append(type=np.concatenate(types), id=np.arange(1, first[-1] + 1),
                        member=np.repeat(np.arange(len(sizes)), sizes),
                        **{name: np.concatenate(values) for name, values in columns.items()})
    for kind, tables in links.items():
        rows = [table + np.array([0, *[begin] * (table.shape[1] - 1)])
                for begin, table in zip(first.tolist(), tables, strict=False)]
        table = np.concatenate(rows)
        system.topology.types[kind] = int(table[:, 0].max())
        set_links(system.atoms, KINDS[kind], table)
    system.sort_every, system.sort_given = 0, True
    system.members = Members(engine.space, boxes, sizes, numbers, keeps)
    engine.changed()
    return system.members


def refuse(engine: Engine) -> None:
    """What cannot run for many systems at once, said before it does."""
    system = engine.system
    if system.pair is not None:
        for _, piece in system.pair.pieces():
            for word, why in PAIRS.items():
                if word in piece.name:
                    raise InputError(f"pair style {piece.name} cannot run in a batch: {why}", "run each system in a Simulation")
            if not getattr(getattr(piece, "model", None), "edges", True):
                raise InputError(f"the model of pair style {piece.name} cannot run in a batch: it finds neighbours by itself, "
                                 "in one box", "let it use edges, or run each system in a Simulation")
            if piece.with_tail:  # its sums are made of all atoms, and of one volume
                raise InputError(f"tail corrections of pair style {piece.name} cannot be made in a batch",
                                 "leave out pair_modify tail yes")
    for bonded in system.bonded.values():
        for style, _ in bonded.members() if bonded is not None else ():
            if style.breaks:
                raise InputError(f"{style.kind.name} style {style.name} cannot run in a batch: it looks for bonds that break "
                                 "in one box", "run each system in a Simulation")
    if system.kspace is not None:
        raise InputError(f"kspace_style cannot be used in a batch: {REFUSED['kspace_style']}", "or run each system alone")


def scheme_for(engine: Engine) -> Any:
    """Lists of rows: other ways to visit pairs look at one box."""
    pair = engine.system.pair
    given = engine.options.get("scheme")
    known = [name for name in pair.schemes if name in ("full", "half")] if pair is not None else []
    if given and given not in known:
        raise InputError(f"scheme {given} cannot run in a batch", f"use {' or '.join(known)}, or leave it out")
    return given
