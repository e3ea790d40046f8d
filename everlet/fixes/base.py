"""Fixes: operations that take part in the timestep. One style per file, registered with `@fix_style("name")`.

A fix overrides the hooks it needs; only those are called:

    pre_exchange()        at every rebuild of the lists, before atoms go to other ranks; not while a GPU replays steps
    setup()               before the first step of a run, forces are known
    initial_integrate()   first half of the step: moves atoms
    post_force()          after forces, before the second half
    final_integrate()     second half of the step
    end_of_step()         after the step is complete
"""

from __future__ import annotations

from everlet.portable import Kernel
from everlet.registry import Registry
from everlet.state.system import System

HOOKS = ("pre_exchange", "setup", "initial_integrate", "post_force", "final_integrate", "end_of_step")
fix_style: Registry[type[Fix]] = Registry("fix style", "everlet.fixes")


class Fix:
    """Base of all fixes. `bit` selects the atoms of the fix's group.

    steady   the hooks of a step only launch kernels, with the same arguments at every step, and read nothing on the
             host: their loops may be fused with others, and on a GPU replayed without asking Python again.
    """

    steady: bool = False
    rebuild_every = 0  # steps at whose multiples the lists are rebuilt; 0: it asks for none

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        self.system, self.id, self.group = system, id, group
        self.bit = system.groups.bit(group)

    def kernels(self) -> list[Kernel]:
        """Kernels this fix will launch, for compiling ahead."""
        return []

    def overrides(self, hook: str) -> bool:
        return getattr(type(self), hook) is not getattr(Fix, hook)

    def pre_exchange(self) -> None: ...

    def setup(self) -> None: ...

    def initial_integrate(self) -> None: ...

    def post_force(self) -> None: ...

    def final_integrate(self) -> None: ...

    def end_of_step(self) -> None: ...
