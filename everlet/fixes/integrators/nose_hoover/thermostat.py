"""What fix nvt, npt and nph have in common: a temperature and its compute, and words of fix_modify."""

from __future__ import annotations

from typing import Any

from everlet.fixes.integrators.nose_hoover.words import Words, parse
from everlet.fixes.integrators.nve import Kicks
from everlet.fixes.own_computes import OwnComputes
from everlet.state.system import System

UNCHANGED = 1e-12  # relative: velocities whose energy has changed less are those that the last step left


class NoseHoover(OwnComputes):
    """Base of the three. `heat` is the temperature that counts: ID_temp, or that of fix_modify temp."""

    integrates = couples = True
    reads: tuple[str, ...] = ("x", "v", "f", "type", "mask")
    writes: tuple[str, ...] = ("x", "v")
    name, heat_style = "", "temp"
    must_match = ()  # chains and barostats go on, as in LAMMPS, also towards other temperatures and pressures
    turns = False  # atoms turn, too, and what they turn with is scaled as velocities are (turning.py)
    chain: Any  # a Chain, or None where no temperature is asked for
    of_all = False  # its temperature is that of all atoms, not of the group

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.words: Words = parse(system, self.name, args)
        self.kicks = Kicks(system)
        self.heat_id = self.make_compute("temp", self.heat_style, "all" if self.of_all else group, [])

    def ramped(self, first: float, last: float) -> float:
        """A value between its first, when the run starts, and its last, at its end."""
        system = self.system
        part = float(system.step - system.run_start)
        if part and system.run_stop != system.run_start:
            part /= system.run_stop - system.run_start
        return first + part * (last - first)

    def target_now(self) -> float:
        return self.ramped(*self.words.ramp[:2]) if self.words.temp else super().target_now()

    def measured(self, kept: float) -> float:
        """Twice the kinetic energy. If the velocities are those that the last step left, the value that this step left:
        then a run that goes on from a restart file has the same bits as one that was never interrupted."""
        sums = self.heat.sums()
        found = self.system.units.mvv2e * float(sums[0] + sums[1] + sums[2])
        return kept if abs(found - kept) <= UNCHANGED * kept else found

    def _scale(self, half: int) -> None:
        """Velocities are scaled as this half of the chain says."""
        raise NotImplementedError

    def new_timestep(self) -> None:
        """Half steps of the chains that were made ahead are made again."""
        self.begin()

    def atoms_views(self, *names: str) -> list[Any]:
        """Fields for kernels; kind: that of `System.mass_kind`."""
        system = self.system
        return [system.mass_kind() if name == "kind" else system.atoms.view(name, modify=name in self.writes) for name in names]
