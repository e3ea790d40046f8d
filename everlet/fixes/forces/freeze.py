"""Atoms that forces do not move."""

from __future__ import annotations

from everlet.errors import arguments
from everlet.fixes.base import fix_style
from everlet.fixes.forces.setforce import SetForce
from everlet.state.system import System


@fix_style("freeze")
class Freeze(SetForce):
    """fix ID group freeze: F = 0. f_ID[1-3]: the sum of the forces before."""

    minimizes = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        arguments(args, 0, 0, "fix ID group freeze")
        super().__init__(system, id, group, ["0", "0", "0"])
