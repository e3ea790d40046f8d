"""Systems of a batch as they are given: ASE's Atoms, dictionaries or objects; checked, turned into boxes, and plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from everlet.api.create import link_table
from everlet.errors import InputError
from everlet.state.cells import Cell
from everlet.state.topology import KINDS

LINKS = {kind.plural: kind for kind in KINDS.values()}
NAMES = ("positions", "species", "types", "cell", "pbc", "masses", "velocities", "charges", *LINKS,
         *(f"{kind.name}_types" for kind in LINKS.values()))


@dataclass
class Described:
    """One system, in axes of its own: (n, 3) positions; `kinds` names of species, or numbers of types. Picklable.

    links   by kind: rows of a type and ids of atoms, which are counted from 1
    made_of the ASE Atoms it was given as, for `to_ase`
    """

    positions: np.ndarray
    kinds: list[str] | np.ndarray
    cell: np.ndarray | None
    pbc: Any
    masses: np.ndarray | None = None
    velocities: np.ndarray | None = None
    charges: np.ndarray | None = None
    links: dict[str, np.ndarray] = field(default_factory=dict)
    made_of: Any = None

    @property
    def n(self) -> int:
        return len(self.positions)

    def plain(self) -> Described:
        """Without objects of other libraries."""
        return replace(self, made_of=None)

    def box_cell(self) -> Cell:
        return Cell.of(self.cell, self.pbc)


def described(given: Any, number: int) -> Described:
    """The system number `number` of a batch."""
    if hasattr(given, "get_positions") and hasattr(given, "get_chemical_symbols"):
        return _from_ase(given)
    if isinstance(given, Described):
        return given
    values: Mapping[str, Any] = given if isinstance(given, Mapping) else {
        name: getattr(given, name) for name in NAMES if getattr(given, name, None) is not None}
    for name in values:
        if name not in NAMES:
            raise InputError(f"system {number} has '{name}', which is not known", f"use {', '.join(NAMES)}")
    if "species" in values and "types" in values:
        raise InputError(f"system {number} has both species and types", "give one of them")
    if "positions" not in values or ("species" not in values and "types" not in values):
        raise InputError(f"system {number} needs positions, and species or types",
                         "a batch is a list of ASE Atoms, or of dictionaries with them")
    x = _array(values["positions"], "positions", number, None)
    if x.ndim != 2 or x.shape[1] != 3 or not len(x):
        raise InputError(f"positions of system {number} have the shape {x.shape}", "give (n, 3) numbers of one atom or more")
    kinds: Any = values.get("types")
    if kinds is None:
        word = values["species"]
        kinds = [word] * len(x) if isinstance(word, str) else [str(one) for one in word]
    else:
        kinds = np.broadcast_to(np.asarray(kinds), len(x)).copy() if np.ndim(kinds) == 0 else np.asarray(kinds)
        if kinds.dtype.kind not in "iu" or (kinds < 1).any():
            raise InputError(f"types of system {number} must be whole numbers from 1 on", "or give species, by name")
    if len(kinds) != len(x):
        raise InputError(f"system {number} has {len(x)} positions and {len(kinds)} species or types", "give one for each atom")
    made = Described(x, kinds, values.get("cell"), values.get("pbc", values.get("cell") is not None))
    for name, shape in (("masses", (len(x),)), ("velocities", (len(x), 3)), ("charges", (len(x),))):
        if values.get(name) is not None:
            given = np.full(shape, values[name]) if name == "masses" and np.ndim(values[name]) == 0 else values[name]
            setattr(made, name, _array(given, name, number, shape))
    for name, kind in LINKS.items():
        if values.get(name) is not None and len(values[name]):
            made.links[kind.name] = link_table(kind, values[name], values.get(f"{kind.name}_types", 1), len(x))
    return made


def _array(values: Any, name: str, number: int, shape: tuple[int, ...] | None) -> np.ndarray:
    try:
        found = np.array(values, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} of system {number} are no numbers", "give an array") from None
    if not np.isfinite(found).all() or (shape is not None and found.shape != shape):
        raise InputError(f"{name} of system {number} have the shape {found.shape}, or are not finite",
                         f"give finite numbers of shape {shape or '(n, 3)'}")
    return found


def _from_ase(atoms: Any) -> Described:
    """ASE's velocities are in its own units of time, which only units metal can be made from."""
    made = Described(atoms.get_positions(), atoms.get_chemical_symbols(), np.array(atoms.cell), np.array(atoms.pbc),
                     made_of=atoms)
    made.masses = np.array(atoms.get_masses(), float)
    if atoms.has("momenta"):
        from ase import units

        made.velocities = np.array(atoms.get_velocities()) * (1000.0 * units.fs)
    if atoms.has("initial_charges"):
        made.charges = np.array(atoms.get_initial_charges(), float)
    return made


def kinds_of(systems: Sequence[Described]) -> tuple[list[str], list[np.ndarray]]:
    """Names of types (empty if they are numbers) and the types of the atoms of each system."""
    named = [isinstance(one.kinds, list) for one in systems]
    if any(named) and not all(named):
        raise InputError("some systems have species and others types", "give the same of all of them")
    if not all(named):
        return [], [np.asarray(one.kinds, np.int32) for one in systems]
    names = list(dict.fromkeys(kind for one in systems for kind in one.kinds))
    place = {name: k + 1 for k, name in enumerate(names)}
    return names, [np.array([place[kind] for kind in one.kinds], np.int32) for one in systems]


def masses_of(systems: Sequence[Described], types: Sequence[np.ndarray], names: Sequence[str], known: Mapping[int, float],
              ntypes: int) -> np.ndarray:
    """By type, entry 0 unused; 0 where none is known. `known` are those of types that no system says one of."""
    found = np.array([known.get(kind, 0.0) for kind in range(ntypes + 1)])
    seen = np.zeros(ntypes + 1, bool)
    for number, (one, kinds) in enumerate(zip(systems, types, strict=True)):
        if one.masses is None:
            continue
        for kind in np.unique(kinds):
            values = np.unique(one.masses[kinds == kind])
            if len(values) > 1 or (seen[kind] and found[kind] != values[0]):
                label = names[kind - 1] if names else f"type {kind}"
                raise InputError(f"atoms of {label} have several masses, found in system {number}",
                                 "give them species of their own, such as names with a number, and types in pair_coeff")
            found[kind], seen[kind] = values[0], True
    return found
