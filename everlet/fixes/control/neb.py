"""What a nudged elastic band is made of: atoms and springs. The command neb makes the band (run/replicas/band.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from everlet.errors import InputError, arguments, number, one_of, unknown
from everlet.fixes.base import Fix, fix_style
from everlet.state.system import System

USAGE = "fix ID group neb K [parallel neigh|ideal|equal] [perp K2] [end first|last|last/efirst|last/efirst/middle K3]"
PARALLEL = ("neigh", "ideal", "equal")
ENDS = ("first", "last", "last/efirst", "last/efirst/middle")


@fix_style("neb")
class Neb(Fix):
    """fix ID group neb K [parallel neigh|ideal|equal] [perp K2] [end first|last|last/efirst|last/efirst/middle K3]

    In minimisations of the command neb atoms of the group feel the springs of the band instead of forces along it.
    parallel   springs between neighbours (force/distance), or towards places equally far apart; equal: apart in energy on each
               side of the replica that climbs (force)
    perp       springs across the path, where it is bent (force/distance)
    end        hold an end at its energy, or the last one at that of the first (1/distance); middle: others below it do not sink
    """

    minimizes = True
    reads, writes = ("x", "f", "mask", "id"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, USAGE)
        self.springs: dict[str, Any] = {"spring": self._above_zero(args[0], "K")}
        self.nudge: Callable[[], None] | None = None  # what the command neb does to forces
        words = list(args[1:])
        while words:
            word = words.pop(0)
            count = {"parallel": 1, "perp": 1, "end": 2}.get(word)
            if count is None:
                raise unknown("keyword of fix neb", word, ("parallel", "perp", "end"))
            arguments(words[:count], count, count, USAGE)
            given, words = words[:count], words[count:]
            if word == "perp":
                self.springs["perpendicular"] = number(given[0], "a spring constant")
            elif word == "parallel":
                one_of("way of fix neb parallel", given[0], PARALLEL)
                self.springs["parallel"] = given[0]
            else:
                self._end(*given)

    def _above_zero(self, word: str, what: str) -> float:
        value = number(word, what)
        if value <= 0.0:
            raise InputError(f"fix neb: {what} must be above zero, found {word}", f"usage: {USAGE}")
        return value

    def _end(self, which: str, spring: str) -> None:
        one_of("end of fix neb", which, ENDS)
        self.springs["first" if which == "first" else "last"] = self._above_zero(spring, "K3")
        if which.startswith("last/"):
            self.springs["follow"] = True
        if which.endswith("middle"):
            self.springs["middle"] = True

    def min_post_force(self) -> None:
        if self.nudge is None:
            raise InputError(f"fix {self.id} (neb) acts in the command neb, not in minimize", "use neb, or unfix it before")
        self.nudge()

    def min_setup(self) -> None:
        self.min_post_force()
