"""The harness itself: reads what was written, sees a wrong digit, refuses a script the reference complains about."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest

from tests.oracle.harness import Case, Result, compare, load_case, parse_log, run_lmp

FOLDER = Path(__file__).parents[1] / "cases"


@pytest.fixture(scope="module")
def melt() -> Case:
    return load_case(FOLDER / "melt-500.yaml")


@pytest.fixture(scope="module")
def reference(melt: Case, tmp_path_factory: pytest.TempPathFactory) -> Result:
    return run_lmp(melt.full_script(), melt.files, tmp_path_factory.mktemp("reference"))


def test_reads_tables_and_frames(reference: Result) -> None:
    assert [table["Step"].tolist() for table in reference.thermo] == [[0, 50, 100]]
    assert reference.thermo[0]["Temp"][0] == pytest.approx(1.44, rel=1e-14)
    assert list(reference.frames) == [0, 50, 100]
    assert reference.frames[0]["id"].tolist() == list(range(1, 501))


def test_agrees_with_itself_and_with_newton_off(melt: Case, reference: Result, tmp_path: Path) -> None:
    compare(reference, reference)
    compare(run_lmp(melt.full_script("newton off"), melt.files, tmp_path), reference)


WRONG = ["thermo", "later thermo", "force", "position", "type", "missing frame", "not a number"]


@pytest.mark.parametrize("where", WRONG)
def test_sees_a_wrong_digit(reference: Result, where: str) -> None:
    other = copy.deepcopy(reference)
    if where == "thermo":
        other.thermo[0]["PotEng"][0] *= 1 + 1e-11
    elif where == "later thermo":
        other.thermo[0]["Temp"][2] *= 1 + 1e-8
    elif where == "force":
        other.frames[50]["fy"][17] += 1e-6
    elif where == "position":
        other.frames[0]["xu"][3] += 1e-10
    elif where == "type":
        other.frames[0]["type"][3] = 2
    elif where == "missing frame":
        del other.frames[50]
    else:
        other.frames[50]["fz"][0] = np.nan
    with pytest.raises(AssertionError, match="differs from the reference"):
        compare(other, reference)


def test_refuses_a_script_with_a_warning(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="refuses"):
        run_lmp("units lj\nthermo_modify norm no\nthermo_style one\n", {}, tmp_path)


def test_log_with_text_between_the_rows() -> None:
    text = "Step Temp\n 0 1.5\nWARNING: something\n 10 1.25\nLoop time of 1 on 1 procs for 10 steps with 4 atoms\n"
    (table,) = parse_log(text)
    assert table["Step"].tolist() == [0, 10] and table["Temp"].tolist() == [1.5, 1.25]
