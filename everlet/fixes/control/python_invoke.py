"""Python functions of a script that take part in the timestep."""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError, arguments, one_of
from everlet.fixes.base import ForceFix, every_steps, fix_style
from everlet.state.operation import TALLY
from everlet.state.system import System
from everlet.usercode import blaming

USAGE = "fix ID group python/invoke N end_of_step|post_force FUNCTION"


@fix_style("python/invoke")
class PythonInvoke(ForceFix):
    """fix ID group python/invoke N end_of_step|post_force FUNCTION: every N steps FUNCTION(sim), or after forces are there
    FUNCTION(sim, tally), a function of the python command. sim is the Simulation: sim.array("x"),
    sim.set_array("f", …, "storage"), sim.thermo.value("temp"). One rank only."""

    levels = ""
    reads = writes = ("x", "v", "f")
    forgets = "what its Python function remembers"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, 3, USAGE)
        self.interval = every_steps(args[0], "fix python/invoke")
        one_of("place in the timestep", args[1], ("end_of_step", "post_force"), f"usage: {USAGE}")
        self.at_end, self.name = args[1] == "end_of_step", args[2]
        if system.world.size > 1:
            raise InputError("fix python/invoke on several ranks: a function would see a part of the atoms", "use one rank")
        self._function()

    def _function(self) -> Any:
        known = self.system.variables.module.__dict__ if self.system.variables is not None else {}
        if not callable(known.get(self.name)):
            raise InputError(f"there is no Python function '{self.name}'", "define it with the python command")
        return known[self.name]

    def needs(self, step: int) -> tuple[str, ...]:
        return TALLY if step % self.interval == 0 else ()

    def _call(self, *more: bool) -> None:
        if self.system.step % self.interval:
            return
        with blaming(f"the Python function '{self.name}'"):
            self._function()(self.system.variables.sim.face, *more)

    def resume(self) -> None:
        """The function was called at this step."""

    def post_force(self) -> None:
        if not self.at_end:
            self._call(self.system.tallied == self.system.step)

    def end_of_step(self) -> None:
        if self.at_end:
            self._call()
