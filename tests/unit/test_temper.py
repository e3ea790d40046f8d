"""Replica exchange of partitions: swaps of the reference, the same in threads, canonical averages, errors."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from everlet.cli import main
from tests.oracle.harness import parse_log
from tests.scripts import crystal

LIQUID = """
    units lj
    atom_modify sort 0 0
    lattice fcc 0.8442
    region b block 0 2 0 2 0 2
    create_box 1 b
    create_atoms 1 box
    mass 1 1.0
    pair_style lj/cut 1.6
    pair_coeff 1 1 1 1
    variable t world 0.7 0.8 0.9 1.0
    variable s world 11 22 33 44
    velocity all create $t $s
    thermo 20
    thermo_modify norm no
    timestep 0.004
    {fixes}
    temper 200 20 $t f {seed} 58728
"""
# which temperature each replica has after 20, 40 … 200 steps: what `mpiexec -n 4 lmp -partition 4x1` prints
SWAPS = {
    ("fix f all nvt temp $t $t 0.5", 0):
        "0123 0213 1302 1302 0213 0123 1023 1023 0132 0132",
    ("fix n all nve\nfix f all langevin $t $t 0.2 $s", 777):
        "0123 0132 1032 0132 0231 1320 1320 0231 0231 1320",
    ("fix n all nve\nfix f all temp/berendsen $t $t 0.2", 5):
        "0123 0213 0123 0123 0213 1302 0213 0213 1302 1302",
}


def run(path: Path, script: str, *words: str) -> int:
    (path / "in.x").write_text(script)
    return main(["run", str(path / "in.x"), "--device", "cpu", "--log", str(path / "log"), "--screen", "none", *words])


def rows(path: Path) -> list[list[int]]:
    """Step and temperatures, as the universe's log has them."""
    table = (path / "log").read_text().split("Step T0")[1].splitlines()[1:]
    return [[int(word) for word in line.split()] for line in table]


@pytest.mark.parametrize("fixes, seed", SWAPS, ids=["nvt", "langevin", "berendsen"])
def test_swaps_are_those_of_the_reference(tmp_path: Path, fixes: str, seed: int) -> None:
    assert run(tmp_path, LIQUID.format(fixes=fixes, seed=seed), "-p", "4x1") == 0
    found = rows(tmp_path)
    assert [row[0] for row in found] == list(range(0, 201, 20)) and found[0][1:] == [0, 1, 2, 3]
    assert " ".join("".join(map(str, row[1:])) for row in found[1:]) == SWAPS[fixes, seed]


def test_canonical_averages(tmp_path: Path) -> None:
    """Tethered atoms: energies of 60 springs at each temperature are 60/2 kT on average, with a deviation of sqrt(60/2) kT."""
    script = crystal("0 5 0 2 0 2", "sc 0.1") + """
        mass 1 1.0
        variable t world 1.0 1.2
        variable s world 101 202
        velocity all create $t $s
        fix n all nve
        fix k all spring/self 20.0
        fix_modify k energy yes
        fix f all langevin $t $t 0.3 $s
        timestep 0.05
        thermo 20
        thermo_style custom step pe
        thermo_modify norm no
        temper 6000 20 $t f 0 4711
    """
    assert run(tmp_path, script, "-p", "2x1") == 0
    swaps = np.array(rows(tmp_path))
    energies = np.array([parse_log((tmp_path / f"log.{k}").read_text())[0]["PotEng"] for k in range(2)])
    held = swaps[:-1, 1:]  # temperatures during the steps before each row
    moved = (swaps[1:, 1:] != swaps[:-1, 1:]).any(axis=1).mean()
    assert 0.05 < moved < 0.5  # every second turn has no pair
    for place, temperature in enumerate((1.0, 1.2)):
        found = np.array([energies[held[k].tolist().index(place), k + 1] for k in range(len(held))])[20:]
        scaled = found / temperature
        blocks = scaled.reshape(20, -1).mean(axis=1)
        assert abs(blocks.mean() - 30.0) < 5.0 * blocks.std(ddof=1) / np.sqrt(20), (place, blocks.mean())
        assert 0.6 < scaled.var() / 30.0 < 1.6
    assert all(len(set(swaps[:, 1 + k])) == 2 for k in range(2)), "every replica has had every temperature"


@pytest.mark.parametrize("line, words, message", [
    ("temper 100 10 1.0 f 0 3", "", "temper works on several replicas, but there is one partition.*--partition 4x1"),
    ("temper 100 30 $t f 0 3", "2x1", "a whole number of swaps.*multiple"),
    ("temper 100 10 $t g 0 3", "2x1", "there is no fix 'g'"),
    ("temper 100 10 $t n 0 3", "2x1", r"fix n \(nve\) has no temperature that could be set"),
    ("temper 100 10 $t v 0 3", "2x1", "a temperature follows the variable 'h'"),
    ("temper 100 10 0.0 f 0 3", "2x1", "above zero"),
    ("temper 100 10 $t f 0 3 1", "2x1", "temperatures number 1 1.*another index"),
    ("temper 100 10 $t f 0 3 $(part+1)", "2x1", "temperatures number 1 2"),
    ("temper $(100*(1+part)) 10 $t f 0 3", "2x1", "partitions . and . differ in steps: .00 and .00"),
    ("partition yes 1 temper 100 10 $t f 0 3", "2x1", "waits for all others in temper, but partition 1 has come to the end"),
    ("variable t world 1 2 3", "2x1", "variable t world has 3 values for 2 partitions"),
])
def test_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, words: str, message: str) -> None:
    values = "variable t world 1.0 2.0" if words and "variable" not in line else "variable h equal 1.0"
    script = f"""
        units lj
        region b block 0 9 0 9 0 9
        create_box 1 b
        create_atoms 1 single 1 1 1
        mass 1 1.0
        {values}
        variable h equal 1.0
        fix n all nve
        fix f all langevin 1.0 1.0 1.0 7
        fix v all langevin v_h 1.0 1.0 7
        {line}
    """
    assert run(tmp_path, script, *(["-p", words] if words else [])) == 1
    assert re.search(message, capsys.readouterr().err.replace("\n", " ")), message
