"""Recorded derivatives: against finite differences, for every word; text that is short; errors that help."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.formulas import differentiated, with_data
from everlet.portable import (
    both,
    cos,
    either,
    erfc,
    exp,
    floor,
    least,
    log,
    lookup,
    magnitude,
    most,
    negate,
    portable,
    rsqrt,
    sin,
    sqrt,
    where,
)
from everlet.portable.language.autodiff import differentiate
from everlet.portable.language.words import VOCABULARY
from everlet.portable.spaces import Serial
from everlet.state.system import System
from everlet.tools.check import check_plugin
from everlet.tools.check_formulas import slope

P = SimpleNamespace(a=1.3, b=0.7)


@portable
def helper(x, p):
    return x * x + p.b


FORMULAS = {
    "arithmetic": lambda r2, p: (p.a * r2 - 2.0 / r2 + 3) / (r2 + p.b) - r2 * r2 / p.a,
    "signs": lambda r2, p: -(0.0 - r2) + +r2 * -1.0 - (0.0 - r2) * 1.0,
    "powers": lambda r2, p: r2**1 + p.a / r2**6 - (1.0 / r2) ** 3,
    "sqrt": lambda r2, p: p.a * sqrt(r2) + rsqrt(r2 + p.b),
    "exp": lambda r2, p: exp(-p.a * r2) * log(r2 + 1.0),
    "erfc": lambda r2, p: erfc(p.b * sqrt(r2)) / sqrt(r2),
    "trigonometry": lambda r2, p: sin(r2) * cos(p.a * r2),
    "least": lambda r2, p: least(r2 * r2, 3.0) + most(p.a, r2) + least(5.5, r2),
    "magnitude": lambda r2, p: magnitude(r2 - 2.05) * r2,
    "floor": lambda r2, p: floor(r2 * 0.05) + floor(r2 * 0.01) * r2 + r2,
    "helper": lambda r2, p: helper(sqrt(r2), p) * 2.0,
    "numpy number": lambda r2, p: np.float64(2.0) * r2 * r2,
}


def run(text: str, r2: float):
    scope = dict(VOCABULARY)
    exec(text, scope)
    return scope["pair"](r2, P)


@pytest.mark.parametrize("name", FORMULAS)
def test_slope(name):
    formula = FORMULAS[name]
    text = differentiate(formula, ["a", "b"])
    for r2 in (0.93, 1.57, 2.71, 4.04):
        force, energy = run(text, r2)
        assert energy == pytest.approx(formula(r2, P), rel=1e-15)
        assert force == pytest.approx(-2 * slope(lambda s: formula(s, P), r2)[0], rel=1e-9, abs=1e-11)


def test_where_takes_the_slope_of_its_branch():
    text = differentiate(lambda r2, p: where(r2 < 2.0, r2**2, 4.0 * r2 - 4.0), [])
    assert run(text, 1.5) == (-6.0, 2.25) and run(text, 3.0) == (-8.0, 8.0)
    text = differentiate(lambda r2, p: where(both(r2 > 1.0, negate(r2 >= 3.0)), r2, r2**2), [])
    assert run(text, 2.0) == (-2.0, 2.0) and run(text, 3.5) == (-14.0, 12.25)
    text = differentiate(lambda r2, p: where(either(r2 < 1.0, p.a == 1.3), r2, 0.0), ["a"])
    assert run(text, 2.0) == (-2.0, 2.0)


def test_values_are_recorded_once():
    text = differentiate(lambda r2, p: exp(-r2) * p.a + exp(-r2) * p.b, ["a", "b"])
    assert text.count("exp") == 1


def test_dead_and_constant_values_vanish():
    def energy(r2, p):
        unused = exp(p.a)  # noqa: F841
        return r2 * (2.0 * 3.0) + 0.0 * r2 + 1.0 * p.a

    text = differentiate(energy, ["a"])
    assert "exp" not in text and "6.0" in text and text.count("=") == 2
    assert run(text, 2.0) == (-12.0, 13.3)


def test_results_have_the_shape_of_r2():
    assert differentiate(lambda r2, p: p.a, ["a"]).endswith("return 0.0 + 0.0 * r2, p.a + 0.0 * r2\n")
    assert differentiate(lambda r2, p: 2.0 * r2, []).endswith("return -4.0 + 0.0 * r2, v0\n")


@pytest.mark.parametrize("formula, cause", [
    (lambda r2, p: 1.0 if r2 < 2.0 else r2, "cannot decide"),
    (lambda r2, p: r2 if r2 < 2.0 and r2 > 1.0 else 2.0 * r2, "cannot decide"),
    (lambda r2, p: min(r2, 2.0), "cannot decide"),
    (lambda r2, p: r2**0.5, "positive integer up to 64, found 0.5"),
    (lambda r2, p: r2**-2, "positive integer"),
    (lambda r2, p: r2**p.a, "positive integer"),
    (lambda r2, p: 2.0**r2, "cannot be an exponent"),
    (lambda r2, p: math.exp(r2), "not a portable word"),
    (lambda r2, p: np.exp(r2), "does not support ufuncs"),
    (lambda r2, p: abs(r2), "magnitude|abs"),
    (lambda r2, p: p.c * r2, "no parameter 'c'"),
    (lambda r2, p: lookup([1.0], r2), "cannot be differentiated"),
    (lambda r2, p: r2 * math.inf, "a number in the energy is inf"),
    (lambda r2, p: r2 + 1.0 / 0.0, "division by zero"),
    (lambda r2, p: None, "neither a number"),
])
def test_errors_say_where_and_why(formula, cause):
    with pytest.raises(InputError, match=cause) as caught:
        differentiate(formula, ["a", "b"])
    if "neither" not in cause:
        assert f"test_autodiff.py:{formula.__code__.co_firstlineno}:" in caught.value.cause


class EnergyOnly(PairStyle):
    """lj/cut without its force."""

    coeffs = pair_style["lj/cut"].coeffs

    @portable
    def energy(r2, p):
        s6 = (p.sigma * p.sigma / r2) ** 3
        return 4.0 * p.epsilon * (s6 * s6 - s6)


def build(kind):
    system = System(Serial())
    system.masses = np.ones(2)
    style = kind(system, ["2.5"])
    style.coeff("1 1 1.2 0.9".split())
    style.init()
    return style


def test_energy_only_style_equals_the_hand_written_one():
    auto, hand = build(EnergyOnly), build(pair_style["lj/cut"])
    for r in (0.9, 1.1, 2.0, 2.4):
        assert auto.single(r * r, 1, 1) == pytest.approx(hand.single(r * r, 1, 1), rel=1e-13)
    assert auto.pair_function() is auto.pair_function()
    assert auto.pair_function() is with_data(differentiated(EnergyOnly.energy, ("epsilon", "sigma")))


def test_energy_only_style_compiles():
    from everlet.forces.pair.driver import evaluate

    auto = build(EnergyOnly)
    r2 = np.linspace(0.9, 6.0, 7)
    force, energy = evaluate(auto, r2, Serial())
    np.testing.assert_allclose(np.stack([force, energy], 1), [auto.single(s, 1, 1) for s in r2.tolist()], rtol=1e-12)


PLUGIN = """
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.quantities import energy
from everlet.portable import exp, portable, sqrt

@pair_style("{name}")
class Mine(PairStyle):
    coeffs = {{"a": energy}}
    example = {{"a": 2.0}}

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        return p.a * exp(-r) * {factor} / r, p.a * exp(-r)
"""


def test_check_finds_a_wrong_force(tmp_path):
    said: list[str] = []
    for name, factor in (("test/right", 1.0), ("test/wrong", 1.00001)):
        (tmp_path / "mine.py").write_text(PLUGIN.format(name=name, factor=factor))
        assert check_plugin(str(tmp_path / "mine.py"), said.append) is (factor == 1.0)
    assert any("FAILED" in line for line in said) and any(line == "  serial: ok" for line in said)


def test_check_refuses_what_is_no_plugin(tmp_path):
    (tmp_path / "empty.py").write_text("x = 1\n")
    (tmp_path / "broken.py").write_text("x = (\n")
    for name, cause in (("empty.py", "no new style"), ("broken.py", "SyntaxError"), ("none.py", "no plugin file")):
        with pytest.raises(InputError, match=cause):
            check_plugin(str(tmp_path / name))
