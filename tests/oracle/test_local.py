"""dump local against the reference, letter by letter, on one rank and on two."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.mpi.ranks import run_scripts
from tests.oracle.harness import load_case
from tests.oracle.reference import lmp

CASE = load_case(Path(__file__).parents[1] / "cases" / "local.yaml")
DUMPS = """
dump 1 all local 20 out.bonds index c_b[1] c_b[2] c_lb[*]
dump_modify 1 sort 5 format float %.7g
dump 2 all local 10 out.angles c_a[1] c_la2[2]
dump_modify 2 sort 2 colname 1 theta label ANGLES
"""


def text() -> str:
    return CASE.script + "compute la2 all property/local aatom1 aatom2\n" + DUMPS + "run 20\n"


def test_dump_local(tmp_path: Path) -> None:
    for name in ("theirs", "ours"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "molecules.data").write_text(CASE.files["molecules.data"])
    script = text().replace("index c_b[1]", "c_b[1]").replace("sort 5", "sort 4")  # the index is the place before sorting
    lmp(tmp_path / "theirs", script)
    sim = Simulation(device="cpu", threads=1, screen="none", log="none", tune=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path / "ours")
        sim.commands(script)
        sim.close()
    for name in ("out.bonds", "out.angles"):
        assert (tmp_path / "ours" / name).read_text() == (tmp_path / "theirs" / name).read_text(), name


def test_dump_local_on_two_ranks(tmp_path: Path) -> None:
    found = {n: run_scripts(n, {"local": (text().replace("index ", "").replace("sort 5", "sort 4"), CASE.files)}, tmp_path)
             for n in (1, 2)}
    for name in ("out.bonds", "out.angles"):
        assert (found[1]["local"] / name).read_text() == (found[2]["local"] / name).read_text(), name


@pytest.mark.parametrize("line, message", [
    ("compute z all bond/local dist v_x", "no variable to depend on"),
    ("compute z all bond/local length", "unknown value of compute bond/local"),
    ("compute z all property/local batom1 aatom1", "several kinds"), ("compute z all property/local natom1", "not available"),
    ("compute z all reduce sum c_b[1] vx", "some inputs are local"), ("compute z all reduce sum c_b", "local values in a row"),
    ("compute z all reduce max c_b[1] c_b[2] replace 1 2", "not available for local values"),
    ("dump z all local 10 out c_la2", "no local value"), ("dump z all local 10 out index", "no local values")])
def test_refusals(line: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "molecules.data").write_text(CASE.files["molecules.data"])
    sim = Simulation(device="serial", screen="none", log="none")
    sim.commands(CASE.script)
    with pytest.raises(InputError, match=message):
        sim.commands(line)
