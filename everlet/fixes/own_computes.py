"""Computes that come with a fix and go with it: ID_temp, ID_press, and what fix_modify puts in their place."""

from __future__ import annotations

from everlet.computes.base import compute_style
from everlet.computes.energies.pressure import Pressure
from everlet.computes.temperatures.base import Temperature, temperature
from everlet.errors import InputError
from everlet.fixes.base import Fix
from everlet.state.system import System


class OwnComputes(Fix):
    """heat_id, press_id: what counts now; press_id is empty if the fix has no pressure."""

    heat_id = press_id = ""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.made: list[str] = []

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
        if word == "temp" and self.heat_id:
            if not rest:
                raise InputError("fix_modify temp needs the id of a temperature compute", "usage: fix_modify ID temp COMPUTE")
            temperature(self.system, rest[0], f"fix_modify {self.id} temp")
            self.heat_id = self.replaced(self.heat_id, rest[0])
            if self.press_id:
                self.press.temperature = self.heat_id
            return rest[1:]
        if word != "press" or not self.press_id:
            return super().option(word, rest)
        found = self.system.computes.get(rest[0]) if rest else None
        if not isinstance(found, Pressure):
            raise InputError(f"fix_modify {self.id} press: '{' '.join(rest[:1])}' is not a pressure compute",
                             "define it with compute ID all pressure TEMP-ID")
        self.press_id = self.replaced(self.press_id, rest[0])
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

    @property
    def press(self) -> Pressure:
        if self.press_id not in self.system.computes:
            raise InputError(f"fix {self.id}: there is no compute '{self.press_id}'", "define it, or use fix_modify press")
        return self.system.computes[self.press_id]
