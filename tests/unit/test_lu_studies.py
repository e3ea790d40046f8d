"""Studies of LU, what it is made of for models, and its operations."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from everlet import cli
from everlet.lab.studies import fission, kblocking, stairs
from everlet.lu.counts import flops, launches, work
from everlet.lu.describe import described, measured_rates
from everlet.lu.problem import CLASSES
from everlet.lu.solver import Choice, settled
from everlet.portable import Serial
from everlet.portable.programs import register_lanes
from everlet.state.ranks import SingleRank


def test_description_of_sizes_and_messages() -> None:
    one = described(Choice(CLASSES["C"], "blocked", kblock=8), 16)
    assert one.array == (4, 4, 1) and one.local == (40, 40, 160) and one.blocks == 20 and one.planes == 40 + 40 + 8 - 2
    assert one.points == 40 * 40 * 8 and one.messages == (40 * 40 * 8, 40 * 40 * 8, 0) and one.halo[0] == 5 * 8 * 2 * 40 * 160
    new = described(Choice(CLASSES["C"], "blocked", "new", 8), 16)
    assert new.planes == 40 + 40 + 160 - 2
    assert described(Choice(CLASSES["S"], "pipeline"), 1).messages == (0, 0, 0)


def test_rates_are_those_of_a_run() -> None:
    rates = measured_rates(Serial(), "pipeline", classes="S", iterations=3)
    assert rates.plane == 0 and rates.point > 0 and rates.other > 0
    assert rates.point == pytest.approx((rates.sections["lower"] + rates.sections["upper"]) / 2)


def test_operations_are_counted_from_the_text() -> None:
    choice = settled(Choice(CLASSES["A"]), Serial(), SingleRank())
    found = work(choice, Serial())
    assert set(found) == {"rearrange", "lower", "upper", "update", "residual"}
    assert flops(found["lower"]) == flops(found["upper"]) and 250 < flops(found["lower"]) < 330
    lanes = register_lanes(np.float64)
    filled = -(-10 // lanes) * lanes / 10  # rows of 10 points, and lanes that have none
    assert 350 < flops(found["residual"]) / filled < 550 and flops(found["rearrange"]) == 0
    assert launches(choice) == 1 and launches(settled(Choice(CLASSES["A"], "hyperplane"), Serial(), SingleRank())) == 3 * 62 - 2


def test_stairs(tmp_path: Path) -> None:
    rows = stairs.measure(Serial(), 8, 1)
    assert [row["points"] for row in rows] == [64 * k for k in range(1, 9)] and rows[0]["microseconds"] > 0
    steps = [{"points": 64 * k, "microseconds": 10.0 * (1 + k // 10)} for k in range(1, 60)]
    assert stairs.jumps(steps) == [640, 1280, 1920, 2560, 3200]
    line = [{"points": 64 * k, "microseconds": 5.0 + k} for k in range(1, 60)]
    assert stairs.jumps(line) == [] and np.allclose(stairs.fitted(line), (5.0, 1 / 64, 0.0), atol=1e-9)


@pytest.mark.parametrize("words", [
    ["kblocking", "--class", "S", "--ranks", "1", "--kblock", "2,10", "--steps", "2", "--repeat", "1"],
    ["lu", "--class", "S", "--layout", "skewed", "--precision", "double", "--steps", "2", "--repeat", "1"],
    pytest.param(["fission", "--class", "S", "--steps", "2", "--repeat", "1"], marks=pytest.mark.all)])
def test_studies_leave_a_table_and_a_verdict(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["study", *words, "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "Source:" in printed and "ource: C" in printed or words[0] == "fission"
    assert "onclusion" in printed
    content = json.loads((tmp_path / f"{words[0]}.json").read_text())
    assert content["rows"] and content["source"] and (tmp_path / f"{words[0]}.txt").exists()


@pytest.mark.parametrize("old, new, verdict", [
    ((9.0, 1.0), (1.1, 1.0), "usable holds"), ((9.0, 1.0), (8.0, 1.0), "slow with both"),
    ((1.1, 1.0), (1.1, 1.0), "a launch is cheap")])
def test_new_blocking_must_be_quick_itself(old: tuple, new: tuple, verdict: str) -> None:
    rows = [{"ranks_in_all": 1, "blocking": policy, "kblock": kblock, "seconds_of_iteration": seconds}
            for policy, times in (("old", old), ("new", new)) for kblock, seconds in zip((1, 31), times, strict=True)]
    assert verdict in kblocking._text(rows, "W")[1]


@pytest.mark.parametrize("large, verdict", [(0.9, "conclusion holds."), (1.04, "holds for small blocks only")])
def test_parts_must_cost_something_with_large_blocks(large: float, verdict: str) -> None:
    rows = [{"class": "W", "kblock": kblock, "parts": parts, "threads": 1, "seconds": 1.0, "iterations": 1, "gain": gain}
            for kblock, gains in ((1, (1.0, 1.3)), (31, (1.0, large))) for parts, gain in zip((1, 2), gains, strict=True)]
    assert verdict in fission._text(rows, 31)[1]
