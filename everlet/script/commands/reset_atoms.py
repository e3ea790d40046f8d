"""reset_atoms: ids, molecules and image flags anew.

    reset_atoms id [sort yes|no]                ids 1 to N in storage order, in links too; sort yes: by places in space
    reset_atoms mol GROUP [compress yes|no] [offset N] [single yes|no]
                                                molecules: fragments that bonds hold together, counted from 1 in the order of
                                                their smallest ids (compress no: these are the numbers) plus N; atoms without
                                                bonds get 0, with single yes each a number. Without offset: the largest of
                                                the atoms that are not in the group
    reset_atoms image GROUP                     image flags of each fragment, less their average, rounded down

reset_ids and reset_atom_ids are old names of `reset_atoms id`, reset_mol_ids of `reset_atoms mol`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, one_of, unknown, yes_no
from everlet.script.registry import command
from everlet.state.atom_styles import need_field
from everlet.state.fragments import fragments
from everlet.state.system import System
from everlet.state.topology import BOND, relabel

PER_BIN = 10  # atoms that a bin of `sort yes` has about


@command("reset_atoms", stored=True)
def reset_atoms(sim: Any, args: list[str]) -> None:
    arguments(args, 1, None, "reset_atoms id|mol|image ...")
    sim.system.need_box()
    ways = {"id": _ids, "mol": _molecules, "image": _images}
    one_of("reset_atoms style", args[0], ways)
    ways[args[0]](sim, args[1:])


@command("reset_ids", "reset_atom_ids", stored=True)
def reset_ids(sim: Any, args: list[str]) -> None:
    reset_atoms(sim, ["id", *args])


@command("reset_mol_ids", stored=True)
def reset_mol_ids(sim: Any, args: list[str]) -> None:
    reset_atoms(sim, ["mol", *args])


def _ids(sim: Any, words: list[str]) -> None:
    """Atoms are wrapped and the box is fitted, as for a run: the reference does so, and bits of positions seed streams."""
    system: System = sim.system
    box, atoms = system.need_box(), system.atoms
    if words:
        if words[0] != "sort":
            raise unknown("reset_atoms keyword", words[0], ("sort",))
        arguments(words, 2, 2, "reset_atoms id [sort yes|no]")
    sort = bool(words) and yes_no(words[1], "reset_atoms keyword 'sort'")
    sim.log.write("Resetting atom IDs ...")
    ids = np.arange(1, atoms.n + 1)
    if sort:
        ids[_by_place(atoms.read("x")[:, :3], system.dimension)] = np.arange(1, atoms.n + 1)
    relabel(atoms, ids)
    box.wrap(atoms.edit("x"), atoms.edit("image"))
    if box.shrink(atoms.read("x")) and box.triclinic:
        box.wrap(atoms.edit("x"), atoms.edit("image"))
    system.topology.stale = True


def _by_place(x: np.ndarray, dimension: int) -> np.ndarray:
    """Rows in the order of bins of about ten atoms, those along x first; within a bin by x, y and z."""
    if not len(x):
        return np.zeros(0, np.int64)
    low = x.min(axis=0)
    edges = x.max(axis=0) - low
    width = float(np.prod(edges[:dimension]) / (len(x) // PER_BIN + 1)) ** (1.0 / dimension)
    counts = (edges / width if width > 0.0 else np.zeros(3)).astype(np.int64) + 1
    counts[dimension:] = 1
    bins = np.minimum(((x - low) * (counts / np.where(edges > 0.0, edges, 1.0))).astype(np.int64), counts - 1)
    return np.lexsort((x[:, 2], x[:, 1], x[:, 0], bins[:, 0], bins[:, 1], bins[:, 2]))


def _molecules(sim: Any, words: list[str]) -> None:
    usage = "reset_atoms mol GROUP [compress yes|no] [offset N] [single yes|no]"
    arguments(words, 1, None, usage)
    system: System = sim.system
    atoms = system.atoms
    need_field(atoms, BOND.atoms, "reset_atoms mol")
    name, options = words[0], {"compress": True, "single": False}
    chosen, molecules = system.groups.member(name, atoms.read("mask")), atoms.read("molecule")
    offset = 0 if name == "all" else int(molecules[~chosen].max(initial=0))
    arguments(words[1:], 2 * (len(words) // 2), None, usage)
    for key, word in zip(words[1::2], words[2::2], strict=True):
        if key == "offset":
            offset = integer(word, "a number of molecules")
            if offset < 0:
                raise InputError(f"reset_atoms mol offset {word} is negative", "give 0 or more")
        elif key in options:
            options[key] = yes_no(word, f"reset_atoms keyword '{key}'")
        else:
            raise unknown("reset_atoms keyword", key, (*options, "offset"))
    sim.log.write("Resetting molecule IDs ...")
    found = fragments(atoms, chosen)
    if options["single"]:
        found = np.where((found == 0) & chosen, atoms.read("id"), found)
    smallest = np.array(sorted(set(found[found > 0].tolist())), np.int64)
    if options["compress"]:
        found = np.where(found > 0, np.searchsorted(smallest, found) + 1 + offset, 0)
        sim.log.write(f"  number of new molecule IDs = {len(smallest)}")
    atoms.edit("molecule")[chosen] = found[chosen]


def _images(sim: Any, words: list[str]) -> None:
    arguments(words, 1, 1, "reset_atoms image GROUP")
    system: System = sim.system
    atoms = system.atoms
    need_field(atoms, BOND.atoms, "reset_atoms image")
    chosen = system.groups.member(words[0], atoms.read("mask"))
    sim.log.write("Resetting image flags ...")
    found = fragments(atoms, chosen)
    found = np.where(found > 0, found, atoms.read("id"))  # atoms without bonds are fragments of their own
    order = np.argsort(found, kind="stable")
    starts = np.flatnonzero(np.diff(found[order], prepend=-1))
    image = atoms.edit("image")
    sums = np.add.reduceat(image[order].astype(np.int64), starts, axis=0) if len(order) else np.zeros((0, 3), np.int64)
    sizes = np.diff([*starts, len(order)])
    shift = np.empty(image.shape, np.int64)
    shift[order] = np.repeat(sums // sizes[:, None], sizes, axis=0)
    image[chosen] -= shift[chosen].astype(image.dtype)
