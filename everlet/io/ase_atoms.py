"""Atoms of ASE as arrays in our units, and back.

ASE measures in eV, Å, u and e; its unit of time follows from these. `InASE` says what our units are in ASE's. Lengths of the
arrays here are in our units, directions are those of the program: state/cells.py turns them into a box.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.state.units import Units
from everlet.usercode import missing

SCALE = ("energy", "length", "mass")


def library(name: str = "ase", what: str = "what works with ASE") -> Any:
    """ASE, or an error that says how to install it."""
    import importlib

    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise missing(what, error) from None


@dataclass(frozen=True)
class InASE:
    """Our units in those of ASE: a number of ours times this one is ASE's."""

    length: float
    mass: float
    energy: float
    time: float
    charge: float = 1.0

    @property
    def velocity(self) -> float:
        return self.length / self.time

    @property
    def force(self) -> float:
        return self.energy / self.length

    @property
    def stress(self) -> float:
        """Of an energy per volume."""
        return self.energy / self.length**3

    @staticmethod
    def of(name: str, scale: dict[str, float] | None = None) -> InASE:
        """`scale` says what energy, length and mass of units lj are in eV, Å and u."""
        u = library("ase.units")
        if name == "lj":
            if scale is None or sorted(scale) != sorted(SCALE) or not all(value > 0.0 for value in scale.values()):
                raise InputError("units lj have no size: ASE works in eV, Å and u", "use units metal or real, or say what the "
                                 "units are: scale=dict(energy=0.0104, length=3.4, mass=39.95)")
            energy, length, mass = (float(scale[word]) for word in SCALE)
            return InASE(length, mass, energy, length * (mass / energy) ** 0.5)
        if scale is not None:
            raise InputError(f"units {name} have a size of their own: scale is for units lj", "leave it out")
        electron = Units.named(name).qelectron
        second, joule, kilogram = u.second, u.J, u.kg
        known = {
            "metal": InASE(1.0, 1.0, 1.0, 1000.0 * u.fs), "real": InASE(1.0, 1.0, u.kcal / u.mol, u.fs),
            "electron": InASE(u.Bohr, 1.0, u.Hartree, u.fs),
            "si": InASE(u.m, kilogram, joule, second, 1.0 / electron),
            "cgs": InASE(1e-2 * u.m, 1e-3 * kilogram, 1e-7 * joule, second, 1.0 / electron),
            "micro": InASE(1e-6 * u.m, 1e-15 * kilogram, 1e-15 * joule, 1e-6 * second, 1.0 / electron),
            "nano": InASE(1e-9 * u.m, 1e-21 * kilogram, 1e-21 * joule, 1e-9 * second),
        }
        return known[name]


@dataclass
class Taken:
    """What atoms of ASE are made of, in our units.

    charges, velocities, tags are None where they have none; `fixed` are the numbers (from 0) of atoms that FixAtoms holds.
    """

    positions: np.ndarray
    species: list[str]
    cell: np.ndarray
    pbc: np.ndarray
    masses: np.ndarray
    charges: np.ndarray | None = None
    velocities: np.ndarray | None = None
    tags: np.ndarray | None = None
    fixed: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    info: dict[str, Any] = field(default_factory=dict)


def from_ase(atoms: Any, units: InASE) -> Taken:
    """All that a simulation can take of atoms; constraints other than FixAtoms are refused."""
    fixed = [np.zeros(0, np.int64)]
    for constraint in atoms.constraints:
        if not isinstance(constraint, library("ase.constraints").FixAtoms):
            raise InputError(f"the constraint {type(constraint).__name__} of ASE has no counterpart here",
                             "remove it (atoms.set_constraint()), or use ASE's dynamics with everlet.ase.Everlet")
        fixed.append(np.asarray(constraint.get_indices(), np.int64))
    held = np.unique(np.concatenate(fixed))
    velocities = atoms.get_velocities() / units.velocity if atoms.has("momenta") else None
    if velocities is not None:
        velocities[held] = 0.0
    return Taken(atoms.get_positions() / units.length, list(atoms.get_chemical_symbols()), atoms.cell[:] / units.length,
                 np.array(atoms.pbc), atoms.get_masses() / units.mass,
                 atoms.get_initial_charges() / units.charge if atoms.has("initial_charges") else None, velocities,
                 atoms.get_tags() if atoms.has("tags") else None, held, dict(atoms.info))


def to_ase(taken: Taken, units: InASE, results: dict[str, Any] | None = None) -> Any:
    """Atoms of ASE. `results` (energy, forces, stress …, in ASE's units) are what its calculator then knows."""
    ase = library()
    atoms = ase.Atoms(taken.species, taken.positions * units.length, cell=taken.cell * units.length, pbc=taken.pbc,
                      masses=taken.masses * units.mass, info=dict(taken.info))
    if taken.charges is not None:
        atoms.set_initial_charges(taken.charges * units.charge)
    if taken.tags is not None:
        atoms.set_tags(taken.tags)
    if taken.velocities is not None:
        atoms.set_velocities(taken.velocities * units.velocity)
    if len(taken.fixed):
        atoms.set_constraint(library("ase.constraints").FixAtoms(indices=taken.fixed))
    if results:
        atoms.calc = library("ase.calculators.singlepoint").SinglePointCalculator(atoms, **results)
    return atoms
