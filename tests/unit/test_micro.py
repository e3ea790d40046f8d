"""everlet micro, operations counted from texts, and γ: nothing here depends on how fast the machine is."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from everlet.cli import main
from everlet.perf import clock, gamma, micro, micro_arrays
from everlet.perf.operations import counted
from everlet.perf.runs import Case
from everlet.portable import Kernel, Reference, Serial, View, exp, f64, i64, portable, where


@pytest.fixture(autouse=True)
def forgetful(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("everlet.io.remembered._path", lambda topic: tmp_path / f"{topic}.json")
    monkeypatch.setattr(clock, "FEW", 0.0)
    monkeypatch.setattr(micro_arrays, "LAUNCHES", 2)


def test_all_operations_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
                                     ) -> None:
    """In plain Python: every name gives figures, which are remembered."""
    assert main(["micro", "--device", "reference", "--json", f"{tmp_path}/m.json"]) == 0
    rows = json.loads((tmp_path / "m.json").read_text())["rows"]
    assert {row["operation"] for row in rows} == set(micro.MEASURED) and {"double", "single"} == {r["precision"] for r in rows}
    assert all(row["cycles"] >= 0 and row["nanoseconds"] >= 0 for row in rows)
    assert "cycles of one core" in capsys.readouterr().out
    monkeypatch.setattr(micro, "MEASURED", dict.fromkeys(micro.MEASURED))
    assert main(["micro", "--device", "reference"]) == 0, "nothing is measured again"


def test_chains_of_machine_code() -> None:
    """A chain takes longer than its share of many side by side, and a number of a full register is a part of it."""
    monkey = clock.Clock(Serial())
    assert 0.1 < monkey.gigahertz < 20
    found = micro.MEASURED["mul"](monkey, "mul", "double")
    assert set(found) == {"throughput", "latency"} and min(found.values()) > 0


@pytest.mark.parametrize("words, message", [
    ("micro --only tan", "unknown value of --only"), ("micro --precision half", "unknown value of --precision"),
    ("micro 5", "unexpected word"), ("micro --again maybe", "unknown value of --again")])
def test_refusals(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 1
    assert message in capsys.readouterr().err


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["micro", "--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"--{name}" in shown for name in micro.KNOWN) and all(name in shown for name in micro.MEASURED)


@portable
def axpy(i, a: f64, x: f64[:], y: f64[:]):
    y[i] += a * x[i] + 1.0


@portable
def kernel_of_pairs(r2, a):
    return where(r2 < a, exp(-r2) / r2 - 1.0, 0.0)


@portable
def summed(i, n: i64, a: f64, x: f64[:], y: f64[:]):
    s = lanes(0.0)  # noqa: F821
    for q in lane_range(n):  # noqa: F821
        s += kernel_of_pairs(load(x, q), a)  # noqa: F821
    y[i] = f64(lane_sum(s))  # noqa: F821


def test_operations_are_those_of_the_text() -> None:
    """A loop without lanes: as if each number were a register; one with lanes: full steps of them."""
    x, y = (View(64, np.float64, Reference()) for _ in range(2))
    x.put(np.ones(64))
    found = counted(Reference(), Kernel(axpy), 64, (2.0, x, y), 8, 2)
    assert found == {("element", "double"): 256, ("fma", "double"): 128, ("add", "double"): 128, ("put", "double"): 128}
    assert (y.get() == 0).all(), "copies are used"
    found = counted(Reference(), Kernel(summed), 2, (37, 2.0, x, y), 8, 2)
    per_number = {"load": 1, "compare": 1, "exp": 1, "div": 1, "where": 1, "add": 2}
    expected: dict[tuple[str, str], float] = {(name, "double"): 2 * 40 * n for name, n in per_number.items()}
    assert found == expected | {("lane_sum", "double"): 2, ("put", "double"): 4}


def test_prediction(monkeypatch: pytest.MonkeyPatch) -> None:
    """γ is the sum of operations times cycles over the time, with the limiter that is largest; the melt has 8 pairs or so
    for each operation of its distance."""
    monkeypatch.setattr(gamma, "FEWEST", 30)
    monkeypatch.setattr(micro, "figures", lambda unit, name, precision: {
        "throughput": (2.0, 4.0), "first cache": (0.001, 4.0), "alone": (1.0, 4.0)})
    case = Case(500, device="serial", scheme="full")
    found = gamma.gamma(case, 1000, {"Pair": 0.5}, 1.0)
    counts = found["operations_per_atom"]["Pair"]
    numbers = sum(n for name, n in counts.items() if name.split()[0] in gamma.ARITHMETIC and "whole" not in name)
    assert found["gamma_limit"] == "arithmetic" and np.isclose(found["gamma"], numbers * 1000 * 2.0 / 4e9 / 0.5, rtol=1e-3)
    assert 1.0 < counts["gather3 double"] / counts["div double"] < 1.3, "all entries of the list are read"
    assert gamma.gamma(Case(500, device="serial", scheme="cells"), 1000, {"Pair": 0.5}, 1.0)["gamma_of"] == "Pair"
