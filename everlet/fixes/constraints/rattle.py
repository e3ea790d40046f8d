"""Constant lengths of bonds and angles, and velocities that keep them."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.constraints.base import Constraints


@fix_style("rattle")
class Rattle(Constraints):
    """fix ID group rattle TOLERANCE ITERATIONS N [b TYPE …] [a TYPE …] [t TYPE …] [m MASS …]

    As fix shake, and velocities have no parts along the bonds: they are projected before the second half of a step, and
    forces of constraints for the next step are added after it. Define it after the fix that moves atoms.
    """

    name = "rattle"

    def init(self) -> None:
        super().init()
        names = list(self.system.fixes)
        late = [fix.id for fix in self.system.fixes.values() if fix.integrates and names.index(fix.id) > names.index(self.id)]
        if late:
            self.notes.append(f"WARNING: fix {self.id} rattle should come after fix {', '.join(late)}, which moves atoms: "
                              "velocities will have parts along the bonds")

    def clean_velocities(self) -> None:
        self.project(0.0)

    def post_force(self) -> None:
        self.project(0.5 * self.system.dt * self.system.units.ftm2v)

    def final_integrate(self) -> None:
        self.constrain(0.5 * self.square)
