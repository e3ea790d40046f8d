"""Formulas: precedence, functions, errors, values per atom."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.io.thermo import Thermo
from everlet.portable.spaces import Serial
from everlet.script.closures import value
from everlet.script.expression import parse
from everlet.script.functions import NEVER, SCHEDULES
from everlet.script.variables import Variables
from everlet.state.box import Box
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System


@pytest.fixture
def variables() -> Variables:
    """Three atoms of two types, one of them in the next periodic image."""
    system = System(Serial())
    system.box = Box([0, 0, 0], [10, 10, 10])
    system.masses = np.array([0.0, 2.0, 3.0])
    system.atoms.append(x=[[1, 2, 3], [4, 5, 6], [7, 8, 9]], v=[[1, 0, 0], [0, 2, 0], [0, 0, 3]], type=[1, 2, 1],
                        id=[3, 1, 2], image=[[0, 0, 0], [1, 0, 0], [0, 0, 0]])
    system.groups.assign("some", system.atoms.edit("mask"), np.array([True, True, False]))
    return Variables(SimpleNamespace(system=system, thermo=Thermo(system)))


@pytest.mark.parametrize("text, expected", [
    ("1+2*3-4/2", 5), ("2^3^2", 64), ("-2^2", 4), ("2^-1", 0.5), ("7%4*2", 6), ("-7%4", -3), ("5.5%2", 1.5), ("--3", 3),
    ("!!5", 1), ("!0+1", 2), ("1<2==1", 1), ("3>2>1", 0), ("1||0&&0", 1), ("1|^1", 0), ("1e3+.5+2.", 1002.5),
    ("0^0", 1),
    ("2-3-4", -5), ("16/4/2", 2), (" ( 1 + 2 ) * 3 ", 9), ("sqrt(4)", 2), ("ln(exp(2))", 2), ("log(1000)", 3),
    ("round(2.5)", 3), ("round(-2.5)", -2), ("ceil(1.2)+floor(-1.2)", 0), ("sign(0)", 1), ("sign(-3)", -1),
    ("ternary(1<2,10,20)", 10), ("abs(-2)", 2), ("1e300*1e300", math.inf), ("exp(1000)", math.inf),
    ("yes+on+true+no", 3),
    ("PI", math.pi), ("atan2(1,2)", math.atan2(1, 2)), ("asin(1)", math.pi / 2), ("version>20200000", 1),
])
def test_values(variables: Variables, text: str, expected: float) -> None:
    assert variables.formula(text) == expected


@pytest.mark.parametrize("text, message", [
    ("1/0", "division by zero"), ("5%0", "division by zero"), ("0^-1", "negative power"), ("sqrt(-1)", "square root"),
    ("ln(0)", "logarithm"), ("asin(2)", "asin"), ("sqrt(1,2)", "takes 1 argument"), ("(1+2", "expected ')'"),
    ("1+2)", "unexpected ')'"), ("1 2", "unexpected '2'"), ("3x", "unexpected 'x'"), ("+3", "instead of '+'"),
    ("", "unexpected end"), ("1.5.2", "unexpected '.2'"), ("1;2", "character ';'"),
    ("foo(1)", "unknown function 'foo'"),
    ("bar", "unknown word 'bar'"), ("v_none", "unknown variable 'none'"), ("c_none", "unknown compute"),
    ("f_none", "unknown fix"), ("count(nobody)", "unknown group"), ("count(all,nowhere)", "unknown region"),
    ("xcm(all,w)", "argument of xcm()"), ("mass()", "wrong number"), ("x", "one value per atom"),
    ("x[9]", "no atom with ID 9"),
    ("x[0]", "whole number"), ("gmask(all)", "one value per atom"),
    ("sum(3)", "must name a vector"), ("stagger(2,5)", "x > y > 0"),
    ("count(all", "missing ')'"),
])
def test_errors_quote_the_formula(variables: Variables, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        variables.formula(text)
    assert message in str(caught.value) and f"in formula '{text}'" in str(caught.value)


def test_groups(variables: Variables) -> None:
    formula = variables.formula
    assert formula("count(all)") == 3 and formula("count(some)") == 2 and formula("mass(some)") == 5
    assert formula("xcm(some,x)") == (1 * 2 + 14 * 3) / 5
    assert formula("bound(some,xmax)") == 4 and formula("bound(all,zmin)") == 3
    assert formula("vcm(all,y)") == 2 * 3 / 7
    assert formula("ke(all)") == 0.5 * (2 * 1 + 3 * 4 + 2 * 9)
    assert formula("fcm(all,x)") == 0 and formula("inertia(some,xy)") == pytest.approx(-2 * 3 / 5 * 13 * 3)


def test_words_of_atoms(variables: Variables) -> None:
    assert variables.formula("x[1]+y[2]+vz[2]+type[3]+mass[1]") == 4 + 8 + 3 + 1 + 3
    variables.define(["twice", "atom", "x*2 + (type == 2)"])
    assert variables.peratom("twice").tolist() == [2, 9, 14]
    assert variables.formula("v_twice[2]") == 14
    variables.define(["again", "atom", "ternary(v_twice > 5, sqrt(v_twice), 0)"])
    assert variables.peratom("again").tolist() == [0, 3, math.sqrt(14)]
    with pytest.raises(InputError, match="one value per atom"):
        variables.formula("v_twice")


def test_computes(variables: Variables) -> None:
    computes = variables.sim.system.computes

    class Values:
        gives = Gives(scalar=INTENSIVE, vector=INTENSIVE)

        def up_to_date(self) -> None:
            """It always is."""

        def scalar(self) -> float:
            return 3.0

        def vector(self) -> np.ndarray:
            return np.array([5.0, 6.0])

    class Columns:
        gives = Gives(columns=2)

        def up_to_date(self) -> None:
            """It always is."""

        def peratom(self) -> np.ndarray:
            return np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])

    computes["a"], computes["b"] = Values(), Columns()
    assert variables.formula("c_a + c_a[2]*2") == 15
    assert variables.formula("c_b[1][2]") == 4  # atom 1 is in the second row
    variables.define(["column", "atom", "c_b[1] + c_a"])
    assert variables.peratom("column").tolist() == [4, 6, 8]
    with pytest.raises(InputError, match="out of range"):
        variables.formula("c_a[3]")
    with pytest.raises(InputError, match="one value per atom"):
        variables.formula("c_b[1]")


def test_keywords_and_time(variables: Variables) -> None:
    system = variables.sim.system
    system.step, system.run_start, system.run_stop = 15, 10, 20
    assert variables.formula("step*lx") == 150
    assert variables.formula("ramp(1,3)") == 2
    assert variables.formula("vdisplace(1,2)") == 1 + 2 * 5 * system.dt
    assert variables.formula("swiggle(1,2,3)") == pytest.approx(1 + 2 * math.sin(2 * math.pi / 3 * 5 * system.dt))
    assert variables.formula("cwiggle(1,2,3)") == pytest.approx(3 - 2 * math.cos(2 * math.pi / 3 * 5 * system.dt))


def test_random_streams_are_shared(variables: Variables) -> None:
    """Digits of the reference: the first seed counts, later ones continue the stream."""
    got = [variables.formula(text) for text in ["random(0,1,12345)"] * 2 + ["normal(0,1,999)"] * 2]
    assert [f"{number:.15g}" for number in got] == [
        "0.869953095912933", "0.0104259252548218", "-0.220607254486375", "-0.473224025462307"]


SCHEDULE_TABLE = """
    stagger(100,5)               0:5 3:5 9:100 99:100 100:105 104:105 105:200 455:500
    logfreq(1,3,10)              0:1 3:10 10:20 29:30 30:100 105:200 200:300 455:1000
    logfreq2(10,3,10)            0:10 10:40 45:70 90:100 100:400 455:700
    logfreq2(1,9,10)             1:2 9:10 15:20 401:500 999:1000 1000:2000
    logfreq3(1,20,100)           1:2 2:3 9:10 15:19 99:100
    stride(10,100,7)             0:10 10:17 90:94 99:never 201:never
    stride2(10,200,20,100,150,7) 0:10 10:30 90:100 100:107 146:149 149:170 151:170 170:190 199:210 200:never
"""


@pytest.mark.parametrize("line", SCHEDULE_TABLE.strip().splitlines(), ids=lambda line: line.split()[0])
def test_schedules(line: str) -> None:
    """The next step after a given one, as the reference gave it."""
    call, *pairs = line.split()
    name, numbers = call[:-1].split("(")
    for pair in pairs:
        step, due = pair.split(":")
        expected = NEVER if due == "never" else int(due)
        assert SCHEDULES[name](int(step), *map(int, numbers.split(","))) == expected, pair


def test_trees_are_kept() -> None:
    assert parse("1+1") is parse("1+1") and value(parse("1+1"), None) == 2
