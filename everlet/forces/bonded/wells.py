"""Sums of Boltzmann factors, whose logarithm is an energy: wells of Gaussian shape (bonds and angles `gaussian`), chains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from everlet.errors import InputError, arguments, integer, number
from everlet.forces.bonded.series import Series
from everlet.portable import exp, log, most


def log_sum(exponents: Sequence[Any]) -> Any:
    """ln of the sum of exp(exponent), whatever their size."""
    top = exponents[0]
    for one in exponents[1:]:
        top = most(top, one)
    total = exp(exponents[0] - top)
    for one in exponents[1:]:
        total = total + exp(one - top)
    return top + log(total)


def wells(at: Any, p: Any) -> Any:
    """E = -k T ln sum over i of A_i / (w_i sqrt(pi / 2)) exp[-2 (x - x_i)^2 / w_i^2]."""
    count = (len(vars(p)) - 1) // 3
    return -p.kt * log_sum([getattr(p, f"l{m}") - getattr(p, f"b{m}") * (at - getattr(p, f"x{m}")) ** 2
                            for m in range(1, count + 1)])


class Wells(Series):
    """{kind}_coeff TYPE T n A1 w1 x1 ... An wn xn. Goes before the base class of a kind; `unit`: of x, in formulas."""

    unit = 1.0
    example = {"temperature": 300.0, "a1": 0.7, "w1": 0.3, "x1": 1.2, "a2": 0.4, "w2": 0.5, "x2": 1.5}

    def read(self, words: list[str]) -> dict[str, float]:
        name, usage = f"{self.kind.name} style {self.name}", f"{self.kind.name}_coeff TYPE T n A1 w1 x1 ... An wn xn"
        arguments(words, 5, None, usage)
        count = integer(words[1], "n")
        if count < 1 or len(words) != 3 * count + 2:
            raise InputError(f"{name}: n is {count}, and {len(words) - 2} numbers follow", f"three for each: {usage}")
        found = {"temperature": number(words[0], "T")}
        for k, word in enumerate(words[2:]):
            found[f"{'awx'[k % 3]}{k // 3 + 1}"] = number(word, "AWx"[k % 3])
        if min(value for key, value in found.items() if key[0] in "taw") <= 0.0:
            raise InputError(f"{name}: T, every A and every w must be above 0", "correct them")
        return found

    def words(self, values: dict[str, float]) -> list[float]:
        first, *rest = values.values()
        return [first, len(rest) // 3, *rest]

    def parameters(self, values: dict[str, float]) -> dict[str, float]:
        found = {"kt": self.system.units.boltz * values["temperature"]}
        for m in range(1, len(values) // 3 + 1):
            a, w, x = (values[f"{letter}{m}"] for letter in "awx")
            found |= {f"l{m}": math.log(a / (w * math.sqrt(0.5 * math.pi))), f"b{m}": 2.0 / w**2, f"x{m}": x * self.unit}
        return found
