"""A frame of atoms as arrays, from a program, a Simulation, a dump file or ASE."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from everlet.api.simulation import Simulation
from everlet.computes.energies.pe import PE
from everlet.computes.energies.pressure import Pressure
from everlet.errors import InputError
from everlet.io.dump_files import frames
from everlet.io.read_dump import Reading
from everlet.portable import Space
from everlet.session import Session
from everlet.state.cells import Cell, edges_of, tensor, voigt
from everlet.state.system import System


class Configuration:
    """Atoms of one frame, and what is to be learned of them.

    positions   (N, 3)
    types       (N,): numbers of types from 1, or names of elements
    cell        (3, 3), edges in rows, turned in any way, zeros for none; (3,): lengths of a box; None: atoms in empty space
    periodic    True or False, for all edges or for each
    energy      of all atoms
    forces      (N, 3)
    virial      (6,): sums of r F in units of energy, xx yy zz yz xz xy (pressure without motion = virial / volume)
    """

    def __init__(self, positions: ArrayLike, types: ArrayLike, cell: ArrayLike | None = None,
                 periodic: bool | Sequence[bool] = True, energy: float | None = None, forces: ArrayLike | None = None,
                 virial: ArrayLike | None = None, origin: Sequence[float] = (0.0, 0.0, 0.0)):
        self.positions, self.types = _array(positions, "positions", (-1, 3)), np.asarray(types)
        n = len(self.positions)
        if self.types.shape != (n,) or self.types.dtype.kind not in "iuU":
            raise InputError(f"types of a configuration are {self.types.dtype} of shape {self.types.shape}",
                             f"give {n} numbers from 1 on, or names of elements")
        self.shape = Cell.of(cell, periodic if cell is not None else False)
        self.cell, self.periodic = self.shape.given if cell is not None else None, self.shape.periodic
        self.origin = np.asarray(origin, float)
        self.energy = None if energy is None else float(energy)
        self.forces = None if forces is None else _array(forces, "forces", (n, 3))
        self.virial = None if virial is None else _array(virial, "virial", (6,))

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def volume(self) -> float:
        return self.shape.volume or float("inf")

    @classmethod
    def of(cls, source: Simulation | Session | Configuration) -> Configuration:
        """The present atoms of a Simulation in the order of their ids; with a pair style also what it gives, without forces of
        fixes: friction, noise, walls, constraints."""
        if isinstance(source, Configuration):
            return source
        if not isinstance(source, (Simulation, Session)):
            raise InputError(f"a frame of atoms is a Simulation or a Configuration, found {type(source).__name__}",
                             "give Configuration(positions, types, cell)")
        engine = source.engine if isinstance(source, Simulation) else source
        system = engine.system
        box = system.need_box()
        if system.dimension != 3:
            raise InputError("descriptors are for three dimensions", "use dimension 3")
        found = cls(engine.gather("x"), engine.gather("type"), edges_of(box), box.periodic, origin=box.lo.tolist())
        if system.pair is not None:
            with _without_fixes(system):
                found.energy, found.forces = PE(system, "fit", "all", []).scalar(), engine.gather("f")
                pressure = Pressure(system, "fit", "all", ["NULL", "virial"]).vector()
                found.virial = voigt(tensor(pressure)) * box.volume / system.units.nktv2p
        return found

    @classmethod
    def from_ase(cls, atoms: Any) -> Configuration:
        """Atoms of ASE, with what their calculator has already computed."""
        found = cls(atoms.positions, np.array(atoms.get_chemical_symbols()), atoms.cell[:], atoms.pbc.tolist())
        known = getattr(atoms.calc, "results", {})
        if "energy" in known:
            found.energy = float(known["energy"])
        if "forces" in known:
            found.forces = _array(known["forces"], "forces", (len(found), 3))
        if "stress" in known and found.shape.volume:
            found.virial = -_array(known["stress"], "stress", (6,)) * found.volume
        return found

    # ---- for descriptors
    def numbers(self, elements: Sequence[str], of_type: Sequence[str]) -> np.ndarray:
        """For each atom the number, from 1, of its element; `of_type` are elements of types 1, 2, …"""
        if self.types.dtype.kind == "U":
            names = self.types
        else:
            if len(self.types) and not 1 <= int(self.types.min()) <= int(self.types.max()) <= len(of_type):
                raise InputError(f"types of atoms go from {self.types.min()} to {self.types.max()}, and there are elements for "
                                 f"{len(of_type)}: {' '.join(of_type)}", "name one for each type: elements=[…]")
            names = np.array(of_type)[self.types - 1]
        places = {name: k + 1 for k, name in enumerate(elements)}
        for name in np.unique(names):
            if name not in places:
                raise InputError(f"there are no descriptors for element {name}", f"known: {' '.join(elements)}")
        return np.array([places[name] for name in names], np.int32)

    def laid_out(self, space: Space) -> tuple[System, np.ndarray, np.ndarray]:
        """A system with the box, positions in it, and how they were turned: position = origin + turned @ turn."""
        x = self.shape.into_box(self.positions - self.origin)
        system = System(space)
        system.box = self.shape.box(x, boundary=self.shape.boundary().replace("s", "f"))
        return system, x, self.shape.turn.T


@contextmanager
def _without_fixes(system: System) -> Iterator[None]:
    """Inside, forces are those of the potential alone."""
    kept, acting = system.fixes, [id for id, fix in system.fixes.items() if fix.acts]
    if not acting:
        yield
        return
    if system.fresh.inside:
        raise InputError(f"a configuration in the middle of a run: forces are also those of fix {', '.join(acting)}",
                         "take it after the run: sim.run(STEPS) in a loop")
    system.fresh.changed("words")  # nothing but what fixes do
    system.fixes = {id: fix for id, fix in kept.items() if id not in acting}
    try:
        yield
    finally:
        system.fixes = kept
        system.fresh.changed("words")


def configurations(sim: Simulation, *files: str) -> Iterator[Configuration]:
    """The frames of dump files, one after the other: positions and box into the Simulation, what it then is out of it.

    Atoms belong together by their ids, as in the commands read_dump and rerun."""
    reading = Reading.parse(["x", "y", "z", "box", "yes"], "configurations")
    for frame in frames(list(files), "native"):
        engine = sim.engine
        engine.division.gather()
        reading.apply(engine.system, frame)
        engine.changed()
        yield Configuration.of(sim)


def _array(given: Any, what: str, shape: tuple[int, ...]) -> np.ndarray:
    values = np.asarray(given, float)
    if values.ndim != len(shape) or any(want not in (-1, have) for want, have in zip(shape, values.shape, strict=True)):
        raise InputError(f"{what} of a configuration have the shape {values.shape}",
                         f"give numbers of shape {tuple('N' if want == -1 else want for want in shape)}".replace("'", ""))
    if not np.isfinite(values).all():
        raise InputError(f"{what} of a configuration are not all finite numbers", "look for NaN and infinite ones")
    return values
