"""Spins of atoms: directions s of length 1 that feel fields -dE/ds / hbar, which fix nve/spin turns them by.

Forces and fields are slopes of the energies. Forces act where fix nve/spin moves the lattice.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError, arguments, yes_no
from everlet.forces.pair import spin_loops
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.quantities import Quantity, energy, length
from everlet.forces.pair.quantities import number as plain
from everlet.forces.pair.schemes.own import OwnStyle, torque_of
from everlet.portable import Portable
from everlet.state.atom_styles import need_field
from everlet.state.atoms import Atoms


class Spins(OwnStyle):
    """`word`: what pair_coeff names the style again by; all have parameters of the same names, a to d."""

    loop = spin_loops.spin_loop
    mixable = False
    word: ClassVar[str]
    interaction: ClassVar[Portable]

    def coeff(self, args: list[str]) -> None:
        usage = f"pair_coeff I J {self.word} r_c {' '.join(self.coeffs)}"
        arguments(args, 4 + len(self.coeffs), None, usage)
        if args[2] != self.word:
            raise InputError(f"pair_coeff … {args[2]}: pair style {self.name} has '{self.word}' there", f"usage: {usage}")
        super().coeff([*args[:2], *args[4 : 4 + len(self.coeffs)], args[3]])
        if args[4 + len(self.coeffs) :]:
            raise InputError(f"pair_coeff … {args[4 + len(self.coeffs)]}: an unknown word", f"usage: {usage}")

    def init(self) -> None:
        need_field(self.system.atoms, "spin", f"pair style {self.name}")
        super().init()

    def statics(self) -> dict[str, Any]:
        return {"INTERACTION": self.interaction}

    def extra(self, atoms: Atoms) -> tuple[Any, ...]:
        return atoms.view("spin"), torque_of(atoms, "fm"), float(self.lattice_moves()), self.rate

    @property
    def rate(self) -> float:
        """1 / hbar."""
        return 2.0 * math.pi / self.system.units.hplanck

    def lattice_moves(self) -> bool:
        return not any(getattr(fix, "lattice", "") == "frozen" for fix in self.system.fixes.values())


@pair_style("spin/exchange")
class Exchange(Spins):
    """E = -J(r) (s_i.s_j - o), J = 4 a x (1 - b x) exp(-x), x = (r/d)^2.

    pair_style spin/exchange r_c
    pair_coeff I J exchange r_c a b d [offset yes|no]       a: energy, b: number, d: length; yes: o is 1 of all pairs, no: 0
    """

    word = "exchange"
    interaction = spin_loops.exchange
    whole_offset = False  # what the last line that says so says
    coeffs = {"a": energy, "b": plain, "d": length}

    def coeff(self, args: list[str]) -> None:
        rest = args[7:]
        if rest[:1] == ["offset"]:
            arguments(rest, 2, 2, "offset yes|no")
            self.whole_offset = yes_no(rest[1], "offset")
        super().coeff(args[:7] if rest[:1] == ["offset"] else args)

    def init(self) -> None:
        for values in self.explicit.values():
            values["offset"] = float(self.whole_offset)
        super().init()

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self.whole_offset = any(values.get("offset") for values in self.explicit.values())

    def table(self, a: float, b: float, d: float, offset: float = 0.0) -> dict[str, float]:
        if d <= 0.0:
            raise InputError(f"pair style spin/exchange: a length {d:g}", "give a number above zero")
        return {"a": a, "b": b, "c": 1.0 / (d * d), "d": offset}

    def parameters(self, values: dict[str, float]) -> dict[str, float]:
        return self.table(values["a"], values["b"], values["d"], values.get("offset", 0.0))


@pair_style("spin/dmi")
class DMI(Spins):
    """E = (e x D).(s_j x s_i), e: direction from i to j. As in the reference (x, y, z) is divided by the square of its length;
    forces are slopes of the energy, which those of the reference are not.

    pair_style spin/dmi r_c
    pair_coeff I J dmi r_c D x y z                          D: energy
    """

    word = "dmi"
    interaction = spin_loops.dmi
    coeffs = {"strength": energy, "x": Quantity("number"), "y": Quantity("number"), "z": Quantity("number")}

    def table(self, strength: float, x: float, y: float, z: float) -> dict[str, float]:
        size = float(np.dot([x, y, z], [x, y, z]))
        if size == 0.0:
            raise InputError(f"pair style {self.name}: x y z have no direction", "give three numbers that are not all zero")
        return {"a": strength * x / size, "b": strength * y / size, "c": strength * z / size, "d": 0.0}


@pair_style("spin/magelec")
class MagneticElectric(DMI):
    """E = -(E x e).(s_i x s_j), e: direction from i to j, E: an electric field times a charge and the coupling, along
    (x, y, z), which is divided by the square of its length as in the reference: spin/dmi with D = -E.

    pair_style spin/magelec r_c
    pair_coeff I J magelec r_c E x y z                      E: energy
    """

    word = "magelec"

    def table(self, strength: float, x: float, y: float, z: float) -> dict[str, float]:
        return super().table(-strength, x, y, z)
