"""dump ID GROUP extxyz N FILE: xyz with box, velocities and forces, readable by OVITO and ASE.

The second line of a frame holds Timestep, Time, pbc, Lattice (edge vectors), Origin (if the box does not begin at 0),
Potential_energy (also as `energy`, the word ASE knows), Temperature, units, and Properties, which names the columns.
Names of atoms are type labels or the names of dump_modify element.

Own options of dump_modify: vel yes|no, forces yes|no, mass yes|no (defaults yes, yes, no).
"""

from __future__ import annotations

import numpy as np

from everlet.dumps.base import dump_style
from everlet.dumps.xyz import XYZ
from everlet.errors import InputError
from everlet.io.formats import lines
from everlet.state.system import System
from everlet.state.text import shortest


@dump_style("extxyz")
class ExtXYZ(XYZ):
    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        super().__init__(system, id, group, every, path, args)
        self.labels = True
        self.vel, self.forces, self.mass = True, True, False
        for name in ("time", "types"):  # the time is always there, and type numbers are no species
            del self.options[name]
        self.options |= {"vel": self._flag("vel"), "forces": self._flag("forces"), "mass": self._flag("mass")}

    def uses(self) -> set[str]:
        return {"thermo_pe", "thermo_temp"} & set(self.system.computes)

    def name(self, kind: int) -> str:
        if not self.system.type_labels:
            raise InputError(
                f"dump {self.id}: extxyz needs names for the atom types",
                f"use dump_modify {self.id} element NAME ... or the labelmap command",
            )
        return super().name(kind)

    def _parts(self) -> list[tuple[str, np.ndarray]]:
        """Property name and values of each part of a line after the species."""
        atoms, parts = self.system.atoms, [("pos", self.system.atoms.read("x"))]
        if self.vel:
            parts.append(("vel", atoms.read("v")))
        if self.forces:
            parts.append(("forces", atoms.read("f")))
        if self.mass:
            parts.append(("mass", self.system.masses[atoms.read("type")][:, None]))
        return parts

    def kinds(self) -> list[str]:
        return ["text"] + ["float"] * sum(values.shape[1] for _, values in self._parts())

    def head(self, count: int) -> str:
        system, box = self.system, self.system.need_box()
        lx, ly, lz = box.lengths
        edges = " ".join(f"{value:g}" for value in (lx, 0, 0, box.xy, ly, 0, box.xz, box.yz, lz))
        words = [
            f"Timestep={system.step}",
            f"Time={system.time:f}",
            f'pbc="{" ".join("T" if periodic else "F" for periodic in box.periodic)}"',
            f'Lattice="{edges}"',
        ]
        if box.lo.any():
            words.append('Origin="' + " ".join(f"{value:g}" for value in box.lo) + '"')
        if "thermo_pe" in system.computes:
            energy = shortest(system.computes["thermo_pe"].scalar())
            words += [f"Potential_energy={energy}", f"energy={energy}"]
        if "thermo_temp" in system.computes:
            words.append(f"Temperature={shortest(system.computes['thermo_temp'].scalar())}")
        properties = "".join(f":{name}:R:{values.shape[1]}" for name, values in self._parts())
        return f"{count}\n{' '.join([*words, f'units={system.units.name}', f'Properties=species:S:1{properties}'])}\n"

    def snapshot(self) -> str:
        rows = self.rows()
        names = self.names(self.name)[self.system.atoms.read("type")[rows]]
        values = [column for _, part in self._parts() for column in part[rows].T]
        return self.head(len(rows)) + lines(self.line_formats(), [names, *values])
