"""What fix nvt, npt and nph have in common: a temperature and its compute, and words of fix_modify."""

from __future__ import annotations

from typing import Any

from everlet.computes.base import compute_style
from everlet.computes.temperature import Temperature, temperature
from everlet.errors import InputError
from everlet.fixes.base import Fix
from everlet.fixes.nose_hoover.words import Words, parse
from everlet.fixes.nve import Kicks
from everlet.state.system import System

UNCHANGED = 1e-12  # relative: velocities whose energy has changed less are those that the last step left


class NoseHoover(Fix):
    """Base of the three. `heat` is the temperature that counts: ID_temp, or that of fix_modify temp."""

    integrates = couples = True
    reads, writes = ("x", "v", "f", "type", "mask"), ("x", "v")
    name = ""
    of_all = False  # its temperature is that of all atoms, not of the group

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.words: Words = parse(system, self.name, args)
        self.kicks = Kicks(system)
        self.made: list[str] = []  # computes that came with it and go with it
        self.heat_id = self.make_compute("temp", "temp", "all" if self.of_all else group, [])

    def make_compute(self, ending: str, style: str, group: str, args: list[str]) -> str:
        name = f"{self.id}_{ending}"
        if name in self.system.computes:
            raise InputError(f"fix {self.id} needs a compute '{name}' of its own, and there is one already",
                             "choose another id for one of them")
        self.system.computes[name] = compute_style[style](self.system, name, group, args)
        self.made.append(name)
        return name

    def remove(self) -> None:
        for name in self.made:
            self.system.computes.pop(name, None)
        self.made = []
        super().remove()

    def option(self, word: str, rest: list[str]) -> list[str]:
        if word != "temp":
            return super().option(word, rest)
        if not rest:
            raise InputError("fix_modify temp needs the id of a temperature compute", "usage: fix_modify ID temp COMPUTE")
        temperature(self.system, rest[0], f"fix_modify {self.id} temp")
        self.heat_id = self.replaced(self.heat_id, rest[0])
        return rest[1:]

    def replaced(self, before: str, now: str) -> str:
        """Another compute takes the place of one, which goes if it came with the fix."""
        if before in self.made and before != now:
            self.made.remove(before)
            self.system.computes.pop(before, None)
        return now

    @property
    def heat(self) -> Temperature:
        return temperature(self.system, self.heat_id, f"fix {self.id}")

    def ramped(self, first: float, last: float) -> float:
        """A value between its first, when the run starts, and its last, at its end."""
        system = self.system
        part = float(system.step - system.run_start)
        if part and system.run_stop != system.run_start:
            part /= system.run_stop - system.run_start
        return first + part * (last - first)

    def measured(self, kept: float) -> float:
        """Twice the kinetic energy. If the velocities are those that the last step left, the value that this step left:
        then a run that goes on from a restart file has the same bits as one that was never interrupted."""
        sums = self.heat.sums()
        found = self.system.units.mvv2e * float(sums[0] + sums[1] + sums[2])
        return kept if abs(found - kept) <= UNCHANGED * kept else found

    def new_timestep(self) -> None:
        """Half steps of the chains that were made ahead are made again."""
        self.begin()

    def atoms_views(self, *names: str) -> list[Any]:
        atoms = self.system.atoms
        return [atoms.view(name, modify=name in self.writes) for name in names]
