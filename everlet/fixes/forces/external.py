"""Forces from a program that drives this one: a Python function, or an array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, unknown
from everlet.fixes.base import ForceFix, fix_style
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group external pf/callback NCALL NAPPLY | pf/array NAPPLY"
Callback = Callable[[Any, int, int, np.ndarray, np.ndarray, np.ndarray], Any]  # caller, step, atoms here, ids, x, f


@fix_style("external")
class External(ForceFix):
    """fix ID group external pf/callback NCALL NAPPLY: every NCALL steps a Python function is asked for forces, which are
    added to those of the group every NAPPLY steps. pf/array NAPPLY: the program writes them into an array.

        sim.set_fix_external_callback("ID", function, caller)      function(caller, step, n, ids, x, f) fills f, (n, 3)
        sim.fix_external_get_force("ID")                           the array of pf/array, (n, 3), rows in the order of storage
        sim.fix_external_set_energy_global("ID", e)                f_ID, and part of pe unless fix_modify ID energy no
        sim.fix_external_set_virial_global("ID", [xx, yy, zz, xy, xz, yz])     part of the pressure unless virial no

    f_ID[1-3] of each atom: the force that is added.
    """

    gives = Gives(scalar=EXTENSIVE, columns=3)
    has_energy = has_virial = minimizes = energy_on = virial_on = True
    reads, writes = ("x", "f", "mask", "id"), ("f",)
    forgets = "what the program that gives forces remembers"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        counts = {"pf/callback": 3, "pf/array": 2}
        if not args or args[0] not in counts:
            raise unknown("mode of fix external", args[0] if args else "", counts, f"usage: {USAGE}")
        arguments(args, counts[args[0]], counts[args[0]], USAGE)
        self.called = args[0] == "pf/callback"
        steps = [integer(word, "a number of steps") for word in args[1:]]
        if min(steps) < 1:
            raise InputError(f"fix external every {min(steps)} steps", "give 1 or more")
        self.ask, self.interval = steps[0], steps[-1]
        self.function: Callback | None = None
        self.caller: Any = None
        self.energy, self.virial = 0.0, np.zeros(6)
        self.add_field("force", width=3)

    # ---- what the program says
    def set_callback(self, function: Callback, caller: Any = None) -> None:
        if not self.called:
            raise InputError(f"fix {self.id} takes forces from an array", "use fix_external_get_force, or pf/callback")
        self.function, self.caller = function, caller

    def array_of_forces(self) -> np.ndarray:
        return self.system.atoms.edit(self.field("force"))

    def set_virial(self, virial: Any) -> None:
        found = np.asarray(virial, float)
        if found.shape != (6,):
            raise InputError(f"the virial of fix {self.id} has shape {found.shape}", "give xx yy zz xy xz yz")
        self.virial = found

    # ---- the step
    def init(self) -> None:
        if self.called and self.function is None:
            raise InputError(f"fix {self.id} external has no function",
                             f'in Python: sim.set_fix_external_callback("{self.id}", function)')

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        forces = atoms.edit(self.field("force"))
        if self.function is not None and system.step % self.ask == 0:
            self.function(self.caller, system.step, atoms.n, atoms.read("id"), atoms.read("x"), forces)
        if system.step % self.interval == 0:
            inside = (atoms.read("mask") & self.bit) != 0
            atoms.edit("f")[:] += np.where(inside[:, None], forces, 0.0)

    # ---- what others ask
    def scalar(self) -> float:
        return self.energy

    def virial_now(self) -> np.ndarray:
        """At steps at which forces are added."""
        return self.virial if self.system.step % self.interval == 0 else np.zeros(6)

    def peratom(self) -> np.ndarray:
        return self.system.atoms.read(self.field("force"))
