"""Elastic bands of partitions: barriers, files with positions, output, errors."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from everlet.cli import main
from tests.tables import rows

# Two atoms between which a third one, tied to a line by walls of others, goes over a hill: a saddle that is known by symmetry.
HOP = """
    units lj
    boundary f f f
    region b block -6 6 -6 6 -6 6
    create_box 1 b
    create_atoms 1 single -1.0 0.0 0.0
    create_atoms 1 single 0.0 1.05 0.0
    create_atoms 1 single 0.0 -1.05 0.0
    create_atoms 1 single 0.0 0.0 1.05
    mass 1 1.0
    pair_style lj/cut 4.0
    pair_coeff 1 1 1.0 1.0
    group move id 1
    group others id 2 3 4
    fix hold others setforce 0 0 0
    min_style cg
    minimize 0.0 1e-10 1000 1000
    thermo_modify norm no
    timestep 0.03
    fix band move neb 5.0 {springs}
    min_style {style}
    {neb}
    print "= $(pe:%.12f) $(x[1]:%.9f)"
"""
END = "1\n1 1.0 0.0 -0.3  # where it goes\n"


def run(path: Path, script: str, *words: str) -> int:
    (path / "in.x").write_text(script)
    return main(["run", str(path / "in.x"), "--device", "cpu", "--log", str(path / "log"), "--screen", "none", *words])


def ends(path: Path, count: int) -> np.ndarray:
    """Energy and place of each replica at the end."""
    logs = [(path / f"log.{k}").read_text() for k in range(count)]
    return np.array([[float(word) for word in re.findall(r"^= (\S+) (\S+)$", log, re.MULTILINE)[0]] for log in logs])


def energy(x: float, z: float) -> float:
    """Of the hopping atom and the others."""
    others = np.array([[0.0, 1.05, 0.0], [0.0, -1.05, 0.0], [0.0, 0.0, 1.05]])
    pairs = np.concatenate([np.linalg.norm(others - [x, 0.0, z], axis=1), [2.1, 1.05 * 2**0.5, 1.05 * 2**0.5]])
    return float((4.0 * (pairs**-12 - pairs**-6)).sum())


def saddle() -> float:
    """The lowest energy of the plane x = 0 below the two others."""
    return min(energy(0.0, z) for z in np.linspace(-1.5, 0.2, 170_001))


@pytest.mark.parametrize("style, springs", [("quickmin", ""), ("fire", "parallel ideal"), ("fire", "perp 1.0")])
def test_the_climbing_replica_finds_the_saddle(tmp_path: Path, style: str, springs: str) -> None:
    (tmp_path / "end").write_text(END)
    script = HOP.format(style=style, springs=springs, neb=f"neb 0.0 1e-5 1000 1000 100 final {tmp_path}/end")
    assert run(tmp_path, script, "-p", "3x1") == 0
    found = ends(tmp_path, 3)
    assert found[1, 0] == pytest.approx(saddle(), abs=1e-9) and abs(found[1, 1]) < 1e-4
    assert found[0, 0] == pytest.approx(found[2, 0], abs=1e-9) and found[0, 1] == pytest.approx(-found[2, 1], abs=1e-5)
    assert np.all(np.diff(found[:, 1]) > 0.0)
    text = (tmp_path / "log").read_text()
    assert "Climbing replica = 2" in text
    words = text.splitlines()[-1].split()
    assert float(words[6]) == pytest.approx(found[1, 0] - found[0, 0], rel=1e-6)  # EBF
    assert float(words[1]) < 1e-5
    rows = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert np.allclose([row for row in rows if row["event"] == "neb"][-1]["energies"], found[:, 0], atol=1e-8)


def test_ways_to_begin_are_the_same(tmp_path: Path) -> None:
    """A file of the end, files of each, or nothing; `verbosity` changes columns alone."""
    (tmp_path / "end").write_text(END)
    tables = []
    assert run(tmp_path, HOP.format(style="quickmin", springs="", neb="run 0"), "-p", "3x1") == 0
    start = re.search(r"^= \S+ (\S+)$", (tmp_path / "log.0").read_text(), re.MULTILINE)
    assert start
    dump = tmp_path / "place"
    final = f"neb 0.0 0.0 20 20 10 final {tmp_path}/end"
    writes = f"{final}\nwrite_dump all custom {dump}.$(part) id x y z modify format float %.17g"
    for neb in (writes, f"{final} verbosity verbose", f"{final} verbosity terse"):
        assert run(tmp_path, HOP.format(style="quickmin", springs="", neb=neb), "-p", "3x1") == 0
        rows = [line.split() for line in (tmp_path / "log").read_text().splitlines() if re.match(" +[0-9]", line)]
        tables.append([row[:9] for row in rows])
    assert tables[0] == tables[1] == tables[2] and len(tables[0]) == 6
    for k in (1, 2):
        rows = (tmp_path / f"place.{k}").read_text().split("id x y z\n")[1].splitlines()
        (tmp_path / f"each.{k}").write_text("\n# all of them\n" + str(len(rows)) + "\n" + "\n".join(rows) + "\n")
    after = [ends(tmp_path, 3)]
    each = f"neb 0.0 0.0 0 0 1 each {tmp_path}/each.$(part)"
    for neb in (each, f"{each}\nneb 0 0 0 0 1 none"):
        assert run(tmp_path, HOP.format(style="quickmin", springs="", neb=neb), "-p", "3x1") == 0
        after.append(ends(tmp_path, 3))
    assert np.allclose(after[0][1:], after[1][1:], atol=1e-9) and np.array_equal(after[1], after[2])


@pytest.mark.parametrize("neb, words, message", [
    ("neb 0 0 10 10 1 none", "", "neb works on several replicas"),
    *rows(r"""
neb 0 0 10 10 3 none -> 2x1 -> multiples of NEVERY
neb -1 0 10 10 1 none -> 2x1 -> cannot be negative
neb 0 0 10 10 1 some -> 2x1 -> file-style of neb
neb 0 0 10 10 1 final -> 2x1 -> needs a file
neb 0 0 10 10 1 final nosuch -> 2x1 -> cannot read 'nosuch'
neb 0 0 10 10 1 none loud -> 2x1 -> unknown keyword of neb 'loud'
min_style cg\nneb 0 0 10 10 1 none -> 2x1 -> min_style cg searches along lines.*quickmin or fire
unfix band\nneb 0 0 10 10 1 none -> 2x1 -> needs one fix neb, found 0
minimize 0 0 10 10 -> 2x1 -> acts in the command neb, not in minimize
partition yes 2 delete_atoms group move\nneb 0 0 10 10 1 none -> 2x1 -> differ in their atoms
fix c move neb -1.0 -> 2x1 -> K must be above zero
fix c move neb 1.0 parallel near -> 2x1 -> way of fix neb parallel
fix c move neb 1.0 end middle 1.0 -> 2x1 -> unknown end of fix neb
fix c move neb 1 side 2 -> 2x1 -> keyword of fix neb
""")])
def test_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str], neb: str, words: str, message: str) -> None:
    script = HOP.format(style="quickmin", springs="", neb=neb)
    assert run(tmp_path, script, *(["-p", words] if words else [])) == 1
    assert re.search(message, capsys.readouterr().err.replace("\n", " ")), message
