"""Groups whose members change while a run goes on (the command group ID dynamic)."""

from __future__ import annotations

import numpy as np

from everlet.computes.words.peratom import owned
from everlet.computes.words.references import needs
from everlet.errors import InputError, arguments, integer, one_of, unknown
from everlet.fixes.base import Fix
from everlet.state.system import System

USAGE = "group ID dynamic PARENT [region R] [var V] [every N]"


class DynamicGroup(Fix):
    """Every N steps, when forces are known and before other fixes use them, the group becomes those atoms of its parent that
    are in the region and for which the atom-style variable is not 0. It stands before all other fixes under the id GROUP_ID.
    """

    reads, writes = ("x", "mask"), ("mask",)

    def __init__(self, system: System, group: str, args: list[str]):
        arguments(args, 1, None, USAGE)
        super().__init__(system, f"GROUP_{group}", group, args)
        self.style = "GROUP"
        self.parent, self.interval, self.region, self.variable = system.groups.bit(args[0]), 1, "", ""
        if args[0] == group or group == "all":
            raise InputError(f"group {group} cannot be a dynamic part of {args[0]}", f"usage: {USAGE}")
        if args[0] in system.groups.dynamic:
            raise InputError(f"group {args[0]} is dynamic and cannot be the parent of another one", "use a static group")
        if len(args) % 2 == 0:
            raise InputError(f"group dynamic keyword '{args[-1]}' has no value", f"usage: {USAGE}")
        for word, value in zip(args[1::2], args[2::2], strict=True):
            if word == "region":
                self.region = one_of("region", value, system.regions)
            elif word == "var":
                self.variable = value
                if system.variables is None or system.variables.style(value) not in ("atom", "atomfile"):
                    raise InputError(f"group dynamic var {value}: the variable is not of style atom", "use one that is")
            elif word == "every":
                self.interval = integer(value, "a number of steps")
                if self.interval < 1:
                    raise InputError(f"group dynamic every {value}", "give 1 or more")
            elif word == "property":
                raise InputError("group dynamic property is not available: there are no custom properties", "use var")
            else:
                raise unknown("group dynamic keyword", word, ("region", "var", "every"), f"usage: {USAGE}")

    def needs(self, step: int) -> tuple[str, ...]:
        return needs(self.system, f"v_{self.variable}", step) if self.variable and step % self.interval == 0 else ()

    def init(self) -> None:
        if self.region and self.region not in self.system.regions:
            raise InputError(f"region {self.region} of dynamic group {self.group} is gone", f"first: group {self.group} static")

    def setup(self) -> None:
        self.choose()

    def post_force(self) -> None:
        if self.system.step % self.interval == 0:
            self.choose()

    def choose(self) -> None:
        """Give the group its present members."""
        system, atoms = self.system, self.system.atoms
        member = (atoms.read("mask") & self.parent) != 0
        if self.variable:
            member = member & (owned(system, np.asarray(system.variables.peratom(self.variable))) != 0.0)
        if self.region:
            member = member & system.regions[self.region].inside(atoms.read("x"))
        mask = atoms.edit("mask")
        mask[:] = np.where(member, mask | self.bit, mask & ~self.bit)
