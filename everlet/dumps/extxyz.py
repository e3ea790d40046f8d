"""dump ID GROUP extxyz N FILE: xyz with box, velocities and forces, readable by OVITO and ASE.

The second line of a frame holds Timestep, Time, pbc, Lattice (edge vectors), Origin (if the box does not begin at 0),
Potential_energy (also as `energy`, the word ASE knows), Temperature, units, and Properties, which names the columns.
Names of atoms are type labels or the names of dump_modify element.

Own options of dump_modify: vel yes|no, forces yes|no, mass yes|no (defaults yes, yes, no), dialect lammps|ovito|ase.

    dialect   velocities   masses
    lammps    vel          mass     the default: what LAMMPS writes
    ovito     velo         mass     the word OVITO knows
    ase       momenta      masses   what ASE knows, in its units: eV and Angstrom, momenta in sqrt(eV u). Line 2 has stress too
                                    (nine numbers, eV/Angstrom^3, ASE's sign, without the part of moving atoms); mass is yes.
                                    From units metal and real; line 2 then says units=metal, and Time is in ps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everlet.dumps.base import dump_style
from everlet.dumps.xyz import XYZ
from everlet.errors import InputError, unknown
from everlet.io.formats import lines
from everlet.state.system import System
from everlet.state.text import shortest
from everlet.state.units import Units


@dataclass(frozen=True)
class Dialect:
    """What a reader calls things, and factors to its units."""

    velocity: str = "vel"
    mass: str = "mass"
    energy: float = 1.0
    momentum: float = 0.0  # of mass times velocity; 0: velocities are written
    time: float = 1.0
    units: str = ""  # not those of the script


def dialect(name: str, units: Units) -> Dialect:
    if name == "lammps":
        return Dialect()
    if name == "ovito":
        return Dialect("velo")
    if name != "ase":
        raise unknown("dialect", name, ("lammps", "ovito", "ase"))
    if units.name not in ("metal", "real"):
        raise InputError(f"dump_modify dialect ase is for units metal and real: what is an eV in units {units.name}?",
                         "use dialect lammps or ovito")
    # qe2f: one eV/Angstrom in units of force
    return Dialect("momenta", "masses", 1.0 / units.qe2f, (units.mvv2e / units.qe2f) ** 0.5, 1e-3 / units.femtosecond, "metal")


@dump_style("extxyz")
class ExtXYZ(XYZ):
    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        super().__init__(system, id, group, every, path, args)
        self.labels = True
        self.vel, self.forces, self.mass = True, True, False
        for name in ("time", "types"):  # the time is always there, and type numbers are no species
            del self.options[name]
        self.options |= {name: self._flag(name) for name in ("vel", "forces", "mass")} | {"dialect": self._dialect}
        self.dialect = Dialect()

    def words(self) -> list[str]:
        return ["c_thermo_pe", "c_thermo_temp"]

    def _dialect(self, words: list[str]) -> None:
        self.dialect = dialect(self.take(words, "dialect"), self.system.units)
        self.mass = bool(self.dialect.momentum)  # ASE divides by masses, and would take those of the elements

    def name(self, kind: int) -> str:
        if not self.system.type_labels:
            raise InputError(
                f"dump {self.id}: extxyz needs names for the atom types",
                f"use dump_modify {self.id} element NAME ... or the labelmap command",
            )
        return super().name(kind)

    def _parts(self) -> list[tuple[str, np.ndarray]]:
        """Property name and values of each part of a line after the species."""
        atoms, parts, words = self.system.atoms, [("pos", self.system.atoms.read("x"))], self.dialect
        masses = self.system.masses_of()[:, None]
        if self.vel:
            parts.append((words.velocity, atoms.read("v") * (masses * words.momentum if words.momentum else 1.0)))
        if self.forces:
            self.system.fresh.need()
            parts.append(("forces", atoms.read("f") * words.energy))
        if self.mass:
            parts.append((words.mass, masses))
        return parts

    def kinds(self) -> list[str]:
        return ["text"] + ["float"] * sum(values.shape[1] for _, values in self._parts())

    def head(self, count: int) -> str:
        system, box = self.system, self.system.need_box()
        lx, ly, lz = box.lengths
        digits = "g" if self.dialect == Dialect() else ".15g"
        edges = " ".join(f"{value:{digits}}" for value in (lx, 0, 0, box.xy, ly, 0, box.xz, box.yz, lz))
        words = [
            f"Timestep={system.step}",
            f"Time={system.time * self.dialect.time:f}",
            f'pbc="{" ".join("T" if periodic else "F" for periodic in box.periodic)}"',
            f'Lattice="{edges}"',
        ]
        if box.lo.any():
            words.append('Origin="' + " ".join(f"{value:{digits}}" for value in box.lo) + '"')
        if "thermo_pe" in system.computes:
            energy = shortest(system.computes["thermo_pe"].scalar() * self.dialect.energy)
            words += [f"Potential_energy={energy}", f"energy={energy}"]
            if self.dialect.momentum:
                words.append(f'stress="{" ".join(map(shortest, self._stress()))}"')
        if "thermo_temp" in system.computes:
            words.append(f"Temperature={shortest(system.computes['thermo_temp'].scalar())}")
        units = self.dialect.units or system.units.name
        properties = "".join(f":{name}:R:{values.shape[1]}" for name, values in self._parts())
        return f"{count}\n{' '.join([*words, f'units={units}', f'Properties=species:S:1{properties}'])}\n"

    def _stress(self) -> list[float]:
        """Slopes of the energy with the strain of the box, by volume: nine numbers."""
        system = self.system
        out = system.virial / system.need_box().volume
        out[:3] += system.pressure_tail() / system.units.nktv2p
        xx, yy, zz, xy, xz, yz = (-self.dialect.energy * float(value) for value in out)
        return [xx, xy, xz, xy, yy, yz, xz, yz, zz]

    def snapshot(self) -> str:
        rows = self.rows()
        names = self.names(self.name)[self.system.atoms.read("type")[rows]]
        values = [column for _, part in self._parts() for column in part[rows].T]
        return self.head(len(rows)) + lines(self.line_formats(), [names, *values])
