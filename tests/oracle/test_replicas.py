"""Several replicas beside the reference: rows of neb and temper of one script through both codes."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from everlet.cli import main
from tests.oracle.harness import parse_log
from tests.unit.test_temper import LIQUID

BAND = """
    units lj
    atom_modify map array
    region b block 0 20 0 20 0 20
    create_box 1 b
    create_atoms 1 single 10 10 10
    create_atoms 1 single 11.1 10 10
    create_atoms 1 single 10.5 11.0 10
    create_atoms 1 single 10.5 10.4 10.9
    mass 1 1.0
    pair_style lj/cut 5.0
    pair_coeff 1 1 1.0 1.0
    group act id 2 3 4
    variable s world 11 22 33 44
    variable d world 0.0 0.1 0.25 0.4
    displace_atoms act move 0.0 $d -$d
    displace_atoms act random 0.04 0.04 0.04 $s
    timestep 0.02
    thermo 10
    fix n act neb 10.0 {springs}
    min_style {style}
    neb 0.0 0.0 20 10 5 none verbosity verbose
"""


def both(folder: Path, script: str, worlds: int) -> tuple[str, str]:
    """The universe's logs of the reference and of Everlet, with those of partitions beside them."""
    (folder / "in.x").write_text(script)
    lmp = Path(shutil.which("lmp") or "lmp")
    beside = lmp.with_name("mpiexec")  # the one that came with it: another library of MPI cannot start it
    start = [str(beside) if beside.exists() else "mpiexec", "-n", str(worlds), str(lmp)]
    done = subprocess.run([*start, "-partition", f"{worlds}x1", "-in", "in.x", "-log", "theirs", "-screen", "none"], cwd=folder,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    words = ["run", str(folder / "in.x"), "-p", f"{worlds}x1", "--log", str(folder / "ours"), "--screen", "none"]
    assert main([*words, "--device", "cpu"]) == 0
    return (folder / "theirs").read_text(), (folder / "ours").read_text()


def numbers(log: str) -> list[list[float]]:
    return [[float(word) for word in line.split()] for line in log.splitlines() if re.match(r" *[0-9]+ +[-0-9n]", line)]


@pytest.mark.parametrize("style, springs", [
    ("quickmin", ""), ("quickmin", "parallel ideal"), ("quickmin", "perp 7.0"), ("fire", "end first 3.0 end last 2.0"),
    ("fire", "end last/efirst/middle 3.0")])
def test_bands(tmp_path: Path, style: str, springs: str) -> None:
    theirs, ours = both(tmp_path, BAND.format(style=style, springs=springs), 4)
    found, wanted = numbers(ours), numbers(theirs)
    assert len(found) == len(wanted) == 5 + 3
    assert re.findall("Climbing.*", ours) == re.findall("Climbing.*", theirs)
    if "perp" in springs:  # which the reference gives to the climbing replica too, against its manual
        found, wanted = found[:5], wanted[:5]
    for mine, other in zip(found, wanted, strict=True):
        assert mine[0] == other[0] and mine[2] ** 2 == pytest.approx(other[2], rel=1e-6)  # the reference prints the square
        assert mine[:2] + mine[3:17] == pytest.approx(other[:2] + other[3:17], rel=1e-6, abs=1e-8)
        for place in range(17, len(mine), 6):
            angles = [other[place], other[place + 1], 180.0 - other[place + 2]]
            assert mine[place : place + 3] == pytest.approx(angles, rel=1e-3, nan_ok=True)
            assert mine[place + 3 : place + 5] == pytest.approx(other[place + 3 : place + 5], rel=1e-4)


@pytest.mark.parametrize("fixes", ["fix f all nvt temp $t $t 0.5", "fix n all nve\nfix f all langevin $t $t 0.2 $s",
                                   "fix n all nve\nfix f all temp/csvr $t $t 0.2 $s"], ids=["nvt", "langevin", "csvr"])
def test_swaps(tmp_path: Path, fixes: str) -> None:
    theirs, ours = both(tmp_path, LIQUID.format(fixes=fixes, seed=99), 4)
    assert ours.split("Step T0")[1].split() == theirs.split("Step T0")[1].split()
    for world in range(4):
        tables = [parse_log((tmp_path / f"{name}.{world}").read_text())[0] for name in ("ours", "theirs")]
        for name in ("Temp", "E_pair"):
            assert tables[0][name] == pytest.approx(tables[1][name], rel=1e-6)
