"""What fixes have in common that are told a force or a field: three numbers or variables, for a group or a region of it."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError, arguments, unknown
from everlet.fixes.base import ForceFix
from everlet.fixes.given_force import GivenForce
from everlet.portable import Kernel, Portable, View
from everlet.portable.sums import ADD_UP
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System


class Told(ForceFix):
    """Base; `null`: a component may be NULL and stays as it is. It acts in setup as at every step."""

    steady = minimizes = True
    name = usage = ""
    most: int | None = None  # words
    null = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, self.most, self.usage)
        self.given = GivenForce(system, args[:3], f"fix {id}", null=self.null)

    def needs(self, step: int) -> tuple[str, ...]:
        return self.given.needs(step)

    def init(self) -> None:
        self.given.init()


class Setting(Told):
    """One that sets forces, with the words FX FY FZ [region ID]. f_ID[1-3]: the sum before."""

    gives = Gives(vector=EXTENSIVE, length=3)
    reads, writes = ("f", "mask"), ("f",)
    most, null = 5, True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if args[3:]:
            if args[3] != "region":
                raise unknown(f"keyword of fix {self.name}", args[3], ("region",), f"usage: {self.usage}")
            arguments(args[4:], 1, 1, self.usage)
            self.given.in_region(args[4])


class Pushing(Told):
    """One that adds forces; `body` does it for one atom. sums: of this rank, energy, three components of the force, virial xx
    yy zz xy xz yz. weight: the atom-style variable that says the energy in place of -F x, or nothing."""

    gives = Gives(scalar=EXTENSIVE, vector=EXTENSIVE, length=3)
    has_energy = has_virial = True
    body: ClassVar[Portable]
    weight = ""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.sums = View(10, np.float64, system.space)

    def init(self) -> None:
        super().init()
        if self.weight and self.system.variables.style(self.weight) not in ("atom", "atomfile"):
            raise InputError(f"fix {self.id}: variable '{self.weight}' is not of style atom", "use an atom-style variable")

    def kernel(self) -> Kernel:
        return Kernel(self.body, sums=10, statics=(("HOST", int(self.given.on_host)),))

    def kernels(self) -> list[Kernel]:
        return [self.kernel(), ADD_UP]

    def weights(self) -> tuple[np.ndarray, Any]:
        """Rows of the atoms that are meant, and the values of the variable."""
        atoms = self.system.atoms
        rows = (atoms.read("mask") & self.bit) != 0
        if self.given.region:
            rows &= self.system.regions[self.given.region].inside(atoms.read("x"))
        return rows, self.given.of_atoms(self.weight)[rows]

    def put_energy(self, energy: float) -> None:
        values = self.sums.get()
        values[0] = energy
        self.sums.put(values)

    def all_sums(self) -> np.ndarray:
        return self.over_ranks(self.sums.get())

    def scalar(self) -> float:
        return float(self.all_sums()[0])

    def vector(self) -> np.ndarray:
        return self.all_sums()[1:4]
