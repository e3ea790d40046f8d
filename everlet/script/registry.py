"""The commands of the script language, one function each, with what others must know of it where it is defined:

    @command("mass", stored=True, in_batch=True)
    def mass(sim, args): ...
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from everlet.registry import Registry
from everlet.run.installed import brings
from everlet.state.system import System

Act = Callable[[Any, list[str]], None]
NOTHING: tuple[str, ...] = ()


@dataclass(frozen=True)
class Says:
    """Of one command. One that says nothing may change anything, and looks at atoms."""

    changes: tuple[str, ...] | None = None  # fields of atoms, "box", "words" (state/freshness.py); None: it may be anything
    light: bool = False  # it looks at no atoms: after a run these may stay divided among ranks
    idle: bool = False  # given the same words as before, it leaves everything as it was
    steers: bool = False  # it says which lines are next: these are recorded, it is not
    runs: bool = False  # it makes steps, or whatever takes their place
    stored: bool = False  # it defines nothing: what it did is in the arrays of a state, or in files
    makes_box: bool = False
    in_batch: bool = False  # a setting of forces or lists, which many systems in one engine can share
    shows: bool = False  # it says what runs write or show
    seed: tuple[int, str, int] = (0, "", 0)  # random numbers: a place, the word there that asks for some, the seed's place
    unplanned: bool = False  # it writes something, or says nothing about a run: a plan is made without it


class Commands(Registry[Act]):
    def __init__(self) -> None:
        super().__init__("command", "everlet.script.commands")
        self._says: dict[Act, Says] = {}

    def __call__(self, *names: str, changes: tuple[str, ...] | None = None, light: bool = False, idle: bool = False,
                 steers: bool = False, runs: bool = False, stored: bool = False, makes_box: bool = False,
                 in_batch: bool = False, shows: bool = False, seed: tuple[int, str, int] = (0, "", 0),
                 unplanned: bool = False) -> Callable[[Act], Act]:
        says = Says(changes, light, idle, steers, runs, stored, makes_box, in_batch, shows, seed, unplanned)

        def register(act: Act) -> Act:
            self._says[act] = says
            return super(Commands, self).__call__(*names)(act)

        return register

    def says(self, name: str) -> Says:
        """What the command of this name says of itself; of one that is not known, nothing."""
        act = self.get(name)
        return self._says.get(act, Says()) if act is not None else Says()


command = Commands()
brings("command", command)


def boxed(sim: Any) -> System:
    """The system of a command that needs a box."""
    system: System = sim.system
    system.need_box()
    return system
