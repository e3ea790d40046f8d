"""One system of a batch: what the batch has of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from everlet.errors import InputError

if TYPE_CHECKING:
    from everlet.api.batch import Batch

FS_PER_PS = 1000.0


def _part(name: str, settable: bool = False) -> Any:
    """An attribute of a member that is its part of an array of the batch."""
    def get(self: Member) -> np.ndarray:
        return getattr(self._batch, name)[self.number]

    def put(self: Member, values: ArrayLike) -> None:
        self._batch._put_one(self.number, name, values)

    return property(get, put if settable else None)


class Member:
    """System `number` of a batch, as it is now."""

    def __init__(self, batch: Batch, number: int):
        self._batch, self.number = batch, number

    @property
    def n(self) -> int:
        return self._batch.n[self.number]

    positions: np.ndarray = _part("positions", settable=True)
    velocities: np.ndarray = _part("velocities", settable=True)
    forces: np.ndarray = _part("forces")

    @property
    def cell(self) -> np.ndarray:
        return self._batch.cells[self.number]

    @property
    def energy(self) -> float:
        return float(self._batch.energies[self.number])

    @property
    def temperature(self) -> float:
        return float(self._batch.temperature[self.number])

    @property
    def stress(self) -> np.ndarray:
        """(3, 3), of forces alone; tension is positive."""
        return np.asarray(self._batch.stress[self.number])

    def to_ase(self) -> Any:
        return to_ase(self._batch, self.number)

    def __repr__(self) -> str:
        return f"<system {self.number} of {self._batch!r}>"


def to_ase(batch: Batch, k: int) -> Any:
    """Atoms of system k: those that were given, with what has changed."""
    if batch.engine.system.units.name != "metal":
        raise InputError(f"units {batch.engine.system.units.name} are not those of ASE", "use units metal")
    if not batch.species:
        raise InputError("atoms of types have no chemical symbols", "give species")
    from ase import Atoms, units
    from ase.calculators.singlepoint import SinglePointCalculator

    given = batch.described[k].made_of
    atoms = given.copy() if given is not None else Atoms(batch.described[k].kinds)
    cell = batch.cells_given[k]
    atoms.set_cell(batch.cells[k])
    atoms.set_pbc(cell.periodic)
    atoms.set_positions(batch.positions[k])
    atoms.set_masses(batch.masses[k])
    atoms.set_velocities(batch.velocities[k] / (FS_PER_PS * units.fs))
    stress = batch.stress[k] / batch.engine.system.units.nktv2p
    atoms.calc = SinglePointCalculator(atoms, energy=float(batch.energies[k]), forces=batch.forces[k],
                                       stress=stress[[0, 1, 2, 1, 0, 0], [0, 1, 2, 2, 2, 1]])
    return atoms
