"""The Python API: what comes in is checked, what comes out is of now, and docs/api.md says what is true."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import everlet
from everlet import EverletError, InputError, Simulation
from everlet.tools.api_page import page
from tests.scripts import melt

MELT = melt("0 3 0 3 0 3", types=2) + """
fix 1 all nve
"""


def melt(more: str = "run 0") -> Simulation:
    return Simulation(device="serial").commands(MELT + more)


@pytest.mark.parametrize("name, change, cause", [
    ("type", lambda t: np.full_like(t, 7), "is no type: there are 1 to 2"), ("type", lambda t: t - 1, "is no type"),
    ("type", lambda t: t + 0.5, "is not a whole number"), ("type", lambda t: t * 1e30, "does not fit"),
    ("id", lambda i: np.ones_like(i), "two atoms have the id 1"), ("id", lambda i: i - 1, "below 1"),
    ("x", lambda x: np.where(x > 2.0, np.nan, x), "is not a finite number"), ("x", lambda x: x[:-1], "shape (108, 3)"),
    ("x", lambda x: x * 1e200, "larger than"), ("v", lambda v: v + np.inf, "is not a finite number"),
    ("v", lambda v: v.T, "shape (108, 3)"), ("v", lambda v: v.astype(str), "needs numbers"),
    ("v", lambda v: v + 1j, "needs numbers"), ("x", lambda x: [[0.0, 1.0, 2.0], [0.0]], "different lengths"),
    ("image", lambda i: i + 99999999999.0, "does not fit"), ("mask", lambda m: m, "use the group command"),
    ("q", lambda f: f, "atoms have no field 'q'"), ("v", lambda v: None, "needs numbers"),
])
def test_wrong_values_are_refused_and_change_nothing(name: str, change: Any, cause: str) -> None:
    sim = melt()
    before = sim.gather(name) if name != "q" else np.zeros(1)
    with pytest.raises(InputError) as caught:
        sim.set_array(name, change(before))
    assert cause in f"{caught.value.cause} {caught.value.remedy}" and caught.value.remedy
    if name != "q":
        np.testing.assert_array_equal(sim.gather(name), before)


def test_arrays_go_in_as_they_come_out() -> None:
    """Atoms are sorted in memory now and then; what gather gives is what set_array takes."""
    sim = melt("run 20")
    sim.engine.planner.forget()
    sim.set_array("x", sim.gather("x")[::-1].copy()[::-1])
    rows = np.arange(1, 109)[::-1].copy()
    sim.set_array("id", rows, order="storage")
    for name in ("x", "v", "type", "image", "id"):
        before = sim.array(name).copy()
        sim.set_array(name, sim.gather(name))
        np.testing.assert_array_equal(sim.array(name), before)
        sim.set_array(name, sim.gather(name, order="storage"), order="storage")
        np.testing.assert_array_equal(sim.array(name), before)
    np.testing.assert_array_equal(sim.gather("x"), sim.array("x")[::-1])
    with pytest.raises(InputError, match="order of atoms"):
        sim.gather("x", order="rank")


def test_energies_and_forces_follow_positions() -> None:
    sim = melt()
    x, energy, forces = sim.gather("x"), sim.thermo.value("pe"), sim.gather("f")
    moved = x.copy()
    moved[4] += (0.2, 0.1, 0.0)
    other = melt("run 0")
    other.set_array("x", moved)
    other.run(0)
    sim.set_array("x", moved)
    assert sim.thermo.value("pe") == pytest.approx(other.thermo.value("pe"), rel=1e-12) != energy
    assert sim.thermo.value("press") == pytest.approx(other.thermo.value("press"), rel=1e-10)
    np.testing.assert_allclose(sim.gather("f"), other.gather("f"), atol=1e-10)
    sim.set_array("x", x)
    np.testing.assert_allclose(sim.gather("f"), forces, atol=1e-10)  # forces alone, without asking for energies
    sim.set_array("x", moved)
    np.testing.assert_allclose(sim.array("f")[np.argsort(sim.array("id"))], other.gather("f"), atol=1e-10)
    assert len(sim.thermo.history) == 1 and sim.engine.system.step == 0  # no run was made for it


def test_energies_follow_types_and_runs_without_a_set_up_follow_positions() -> None:
    sim = melt("pair_coeff 2 2 2.0 1.0\nrun 0")
    energy = sim.thermo.value("pe")
    sim.set_array("type", np.full(108, 2))
    assert sim.thermo.value("pe") == pytest.approx(2.0 * energy, rel=1e-12)
    sim.set_array("type", np.ones(108))
    with pytest.raises(InputError, match="have changed since the last run"):
        sim.run(1, pre=False)
    sim.run(0)
    sim.set_array("x", sim.gather("x") + 0.3)  # all alike: the energy stays
    sim.run(1, pre=False)
    assert [row["epair"] for row in sim.thermo.history[-2:]] == pytest.approx([energy, energy], rel=1e-3)


def test_attributes_that_do_not_exist_are_refused() -> None:
    sim = melt()
    with pytest.raises(InputError, match="attribute") as caught:
        sim.neighbor = 0.3  # type: ignore[attr-defined]
    assert "sim.commands('neighbor ...')" in caught.value.remedy
    with pytest.raises(InputError) as caught:
        sim.thremo = 1  # type: ignore[attr-defined]
    assert "thermo" in caught.value.remedy


@pytest.mark.parametrize("steps", [10.5, "10", None, True, -1, 10**20, float("nan"), float("inf"), 1 + 0j])
def test_numbers_of_steps(steps: Any) -> None:
    sim = melt()
    with pytest.raises(InputError) as caught:
        sim.run(steps)
    assert caught.value.remedy and sim.engine.system.step == 0
    sim.run(np.int64(2))
    sim.run(1.0)  # type: ignore[arg-type]
    assert sim.engine.system.step == 3


WRONG: list[Any] = [None, b"a", 1.5, -1, True, [], {}, np.zeros(3), np.array("x"), object(), 1j]


def test_arguments_of_other_types() -> None:
    sim = melt()
    names = ("commands", "file", "load_plugin", "array", "gather", "thermo.value")
    calls = [sim.commands, sim.file, sim.load_plugin, sim.array, sim.gather, sim.thermo.value]
    for name, call in zip(names, calls, strict=True):
        for value in WRONG:
            with pytest.raises(EverletError) as caught:
                call(value)
            assert caught.value.remedy, (name, value)
    for key in ("device", "threads", "precision", "log", "screen", "tune"):
        for value in (None, b"a", 1.5, [], {}, object()):
            with pytest.raises(EverletError) as caught:
                Simulation(**{"device": "serial", key: value})  # type: ignore[arg-type]
            assert caught.value.remedy, (key, value)
    for given in ({"start": 5}, {"start": "a"}, {"start": 1.5}, {"stop": 0}, {"stop": []}, {"pre": "no"}, {"post": 1}):
        with pytest.raises(EverletError) as caught:
            sim.run(1, **given)  # type: ignore[arg-type]
        assert caught.value.remedy, given
    assert sim.engine.system.step == 0


def test_a_failure_leaves_no_numbers_behind() -> None:
    """Atoms on top of each other have no energy; when they are put back the energy is right again."""
    sim = melt()
    x, energy, forces = sim.gather("x"), sim.thermo.value("pe"), sim.gather("f")
    wrong = x.copy()
    wrong[1] = wrong[0]
    for ask in (lambda: sim.thermo.value("pe"), lambda: sim.gather("f"), lambda: sim.run(1)):
        sim.set_array("x", wrong)
        with pytest.raises(EverletError):
            ask()
        with pytest.raises(EverletError):
            sim.thermo.value("pe")
        sim.set_array("x", x)
        assert sim.thermo.value("pe") == pytest.approx(energy, rel=1e-12)
        np.testing.assert_allclose(sim.gather("f"), forces, atol=1e-10)


def test_the_page_is_true() -> None:
    """The blocks of docs/api.md run one after the other, and it names all that is public, but for what docs/plugins.md has."""
    docs = Path(__file__).parents[2] / "docs"
    text, styles = (docs / "api.md").read_text(), (docs / "plugins.md").read_text()
    scope: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    for block in blocks:
        exec(compile(block, "docs/api.md", "exec"), scope)
    assert len(blocks) >= 4
    for name in everlet.__all__:
        assert name in text or name in styles, name
    for name in [*dir(Simulation(device="serial")), "thermo.value", "thermo.table"]:
        assert f"sim.{name}" in text, name


def test_the_reference_is_what_docstrings_say() -> None:
    text = (Path(__file__).parents[2] / "docs" / "reference.md").read_text()
    assert text == page(), "make it anew: python -m everlet.tools.api_page docs/reference.md"


def test_arguments_of_styles_are_words_or_numbers() -> None:
    box = "region r block 0 4 0 4 0 4\ncreate_box 1 r\ncreate_atoms 1 single 1 1 1\nmass 1 1"
    sim = Simulation(device="serial").commands(box)
    assert sim.engine.add_fix("1", "all", "langevin", [1.0, 2, "0.5", 4711]).args == ("1.0", "2", "0.5", "4711")
    for wrong in ("1 1 1 4711", None, [None], [["1"]], 3):
        with pytest.raises(InputError, match="list of texts and numbers"):
            sim.engine.add_fix("2", "all", "langevin", wrong)
        with pytest.raises(InputError, match="list of texts and numbers"):
            sim.engine.add_compute("2", "all", "rdf", wrong)
        with pytest.raises(InputError, match="list of texts and numbers"):
            sim.engine.set_pair("lj/cut", wrong)


def test_a_new_style_has_no_coefficients_of_the_old_one() -> None:
    with Simulation(units="lj", device="serial").create([[1, 1, 1], [2.2, 1, 1]], types=[1, 2], cell=[9, 9, 9]) as sim:
        sim.pair = everlet.pair.lj_cut(2.5, epsilon=1.0, sigma=1.0)
        assert sim.energy < 0.0
        sim.pair = everlet.pair.lj_cut(2.5).coeff(1, 1, epsilon=1.0, sigma=1.0)
        with pytest.raises(InputError, match="2 2"):
            _ = sim.energy
        sim.pair = everlet.pair.lj_cut(2.5, epsilon=2.0, sigma=1.0)
        with Simulation(device="serial").commands(sim.script()) as again:
            assert again.energy == sim.energy < 0.0
