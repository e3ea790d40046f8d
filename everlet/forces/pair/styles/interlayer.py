"""Layers of graphene whose normals are along z: rho^2 = x^2 + y^2. Energies of files are in meV.

    pair_style STYLE r_c                          r_c: length
    pair_coeff I J FILE El1 El2 …                 elements of all types, NULL where there is none
"""

from __future__ import annotations

from typing import ClassVar

from everlet.errors import InputError, arguments
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.between import BetweenStyle
from everlet.forces.pair.formulas import Values
from everlet.forces.potential_file import PotentialFile
from everlet.portable import exp, portable, sqrt


class Interlayer(BetweenStyle):
    """`words` are the numbers of a line of the file, behind two elements; the last one scales those that are `energies`."""

    mixable = False
    words: ClassVar[tuple[str, ...]]
    energies: ClassVar[tuple[str, ...]]

    def coeff(self, args: list[str]) -> None:
        n = self.system.ntypes
        arguments(args, 3 + n, 3 + n, "pair_coeff I J FILE " + " ".join(f"El{k + 1}" for k in range(n)))
        lines = self._lines(args[2])
        for i, j in self.type_pairs(args[0], args[1]):
            pair = args[2 + i], args[2 + j]
            if "NULL" in pair:
                continue
            if pair not in lines:
                raise InputError(f"{args[2]} has no line for {pair[0]} {pair[1]}", "add it, or use NULL")
            self.explicit[i, j] = lines[pair] | {"cut": self.setting["cut"]}

    def _lines(self, name: str) -> dict[tuple[str, str], Values]:
        file, found = PotentialFile(name), dict[tuple[str, str], Values]()
        factor = 1e-3 * file.energy_factor(self.system.units.name)
        for number, text in enumerate(file.lines, 1):
            file.line = number
            words = text.split("#", 1)[0].split()
            if not words:
                continue
            if len(words) != 2 + len(self.words):
                raise file.fail(f"{len(words)} words, and {2 + len(self.words)} are needed")
            values = {key: file.number(word, key) for key, word in zip(self.words, words[2:], strict=True)}
            scale = factor * values.pop("scale")
            found[words[0], words[1]] = values | {key: scale * values[key] for key in self.energies}
        return found

    def parameters(self, values: Values) -> Values:
        """With a level that makes the energy of the attraction 0 at the cutoff."""
        own = {key: value for key, value in values.items() if key != "cut"}
        return own | {"level": values["a"] * (values["z0"] / values["cut"]) ** 6}

    def data_coeffs(self, unlike: bool = False) -> list[str]:
        return []


@pair_style("kolmogorov/crespi/z")
class KolmogorovCrespi(Interlayer):
    """V = exp(-lambda (r - z0)) [C + 2 f(rho)] - A (z0/r)^6 + A (z0/r_c)^6 for r < r_c,

    f = exp(-u) (C0 + C2 u + C4 u^2), u = (rho/delta)^2
    """

    words = ("z0", "c0", "c2", "c4", "c", "delta", "decay", "a", "scale")
    energies = ("c0", "c2", "c4", "c", "a")

    @portable
    def law(dx, dy, dz, r2, p, a_i, a_j):
        r = sqrt(r2)
        ir2 = 1.0 / r2
        inverse = 1.0 / (p.delta * p.delta)
        u = (dx * dx + dy * dy) * inverse
        gauss = exp(-u)
        rows = (p.c4 * u + p.c2) * u + p.c0
        away = exp(-p.decay * (r - p.z0))
        near = away * (p.c + 2.0 * gauss * rows)
        x2 = p.z0 * p.z0 * ir2
        far = p.a * x2 * x2 * x2
        pull = p.decay * near / r - 6.0 * far * ir2
        side = -4.0 * inverse * away * gauss * (2.0 * p.c4 * u + p.c2 - rows)
        return (pull + side) * dx, (pull + side) * dy, pull * dz, near - far + p.level


@pair_style("lebedeva/z")
class Lebedeva(Interlayer):
    """V = B exp(-alpha (r - z0)) + C (1 + D1 rho^2 + D2 rho^4) exp(-lambda1 rho^2) exp(-lambda2 (z^2 - z0^2))

    - A (z0/r)^6 + A (z0/r_c)^6 for r < r_c
    """

    words = ("a", "b", "c", "z0", "alpha", "d1", "d2", "l1", "l2", "scale")
    energies = ("a", "b", "c")

    @portable
    def law(dx, dy, dz, r2, p, a_i, a_j):
        r = sqrt(r2)
        ir2 = 1.0 / r2
        rho2 = dx * dx + dy * dy
        away = p.b * exp(-p.alpha * (r - p.z0))
        rows = 1.0 + (p.d1 + p.d2 * rho2) * rho2
        gauss = p.c * exp(-p.l1 * rho2 - p.l2 * (dz * dz - p.z0 * p.z0))
        x2 = p.z0 * p.z0 * ir2
        far = p.a * x2 * x2 * x2
        pull = p.alpha * away / r - 6.0 * far * ir2
        side = 2.0 * gauss * (p.l1 * rows - p.d1 - 2.0 * p.d2 * rho2)
        up = 2.0 * gauss * p.l2 * rows
        return (pull + side) * dx, (pull + side) * dy, (pull + up) * dz, away + rows * gauss - far + p.level
