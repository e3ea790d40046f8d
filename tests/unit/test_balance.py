"""balance, fix balance, comm_style and comm_modify on one rank: what they say, what they refuse, and as lmp has it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from tests.oracle.harness import run_everlet, run_lmp
from tests.scripts import crystal
from tests.tables import rows

BOX = crystal("0 4 0 4 0 4", types=2) + """
mass * 1.0
group odd id 1:256:2
set group odd type 2
velocity all create 1.44 87287
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
neigh_modify every 5 delay 0 check no
fix 1 all nve
thermo 10
"""


@pytest.mark.parametrize(("line", "cause"), rows("""
balance 1.1 -> 2 or more
balance 1.1 foo -> 'foo'
balance one shift x 1 1 -> 'one'
balance 1.1 rcb -> needs comm_style tiled
balance 1.1 shift xx 5 1.0 -> once each
balance 1.1 shift xyw 5 1.0 -> once each
balance 1.1 shift x 0 1.0 -> at least one round
balance 1.1 shift x 5 0.5 -> imbalance of 0.5
balance 1.1 shift x 5 -> three values
balance 1.1 x uniform shift x 5 1.0 -> either
balance 1.1 x uniform x uniform -> twice
balance 1.1 x 0.5 0.4 -> must grow
balance 1.1 x 1.5 -> must grow
balance 1.1 x -> needs fractions
balance 1.1 shift x 5 1.0 weight var v -> weight var
balance 1.1 shift x 5 1.0 weight store s -> no 'd_s'
balance 1.1 shift x 5 1.0 weight mass 1 -> 'mass'
balance 1.1 shift x 5 1.0 weight group 2 odd 1.0 -> so many pairs
balance 1.1 shift x 5 1.0 weight group 1 odd -1 -> above 0
balance 1.1 shift x 5 1.0 weight group 1 none 1 -> 'none'
balance 1.1 shift x 5 1.0 weight time 0 -> above 0
balance 1.1 shift x 5 1.0 weight -> needs a value
balance 1.1 shift x 5 1.0 sort -> sort
balance 1.1 shift x 5 1.0 out -> needs a value
balance 1.1 shift x 5 1.0 utput f -> 'utput'
balance 1.1 shift x 5 1.0 out nowhere/f -> cannot write
fix b all balance 10 1.1 x uniform -> cannot set x
fix b all balance -1 1.1 shift x 5 1.0 -> 0 or more steps
fix b all balance 10 1.1 rcb -> needs comm_style tiled
fix b all balance 10 1.1 -> 3 or more
comm_style bricks -> 'bricks'
comm_modify mode odd -> 'odd'
comm_modify cutoff/multi 1 3.0 -> cutoff/multi
comm_modify mode single reduce/multi -> reduce/multi
comm_modify group odd -> group odd
comm_modify vel maybe -> 'maybe'
comm_modify cutoff -1 -> negative
comm_modify cutoff -> 2 or more
comm_modify speed yes -> 'speed'
"""))
def test_refusals(line: str, cause: str) -> None:
    with pytest.raises(InputError, match=cause):
        Simulation(device="serial", screen="none").commands(BOX + line)


def test_two_dimensions_have_no_z() -> None:
    flat = "dimension 2\nlattice sq 1.0\nregion b block 0 4 0 4 -0.5 0.5\ncreate_box 1 b\nbalance 1.1 z uniform"
    with pytest.raises(InputError, match="no meaning in 2-d"):
        Simulation(device="serial", screen="none").commands(flat)


def test_one_rank_reports_and_goes_on(tmp_path: Path) -> None:
    """Cuts or not, the run is the same; atoms that had left the box are wrapped as they would be at the run's start."""
    texts = {"plain": "", "balanced": f"comm_style tiled\ndisplace_atoms all move 9 0 0\nbalance 1.1 shift xyz 10 1.05\n"
             f"balance 0.9 rcb weight group 2 all 2.0 odd 1.5 weight neigh 0.5 out {tmp_path}/parts\n"
             "displace_atoms all move -9 0 0\ncomm_modify vel yes\n"}
    ends = {}
    for name, text in texts.items():
        sim = Simulation(device="serial", screen="none", log=str(tmp_path / name)).commands(BOX + text + "run 20")
        ends[name] = sim.gather("x")
        sim.close()
    assert np.abs(ends["plain"] - ends["balanced"]).max() < 1e-9
    said = (tmp_path / "balanced").read_text()
    assert "imbalance factor 1 is not above 1.1: nothing to do" in said
    assert "group weights: all=2 odd=1.5\n  neighbor weight factor: 0.5\n" in said
    assert "initial/final maximal load/proc = 640 640\n  initial/final imbalance factor  = 1 1\n" in said
    assert (tmp_path / "parts").read_text().endswith("ITEM: NUMBER OF CUBES\n1\nITEM: CUBES\n1 1 1 2 3 4 5 6 7 8\n")


def test_one_rank_as_lmp(tmp_path: Path) -> None:
    """The values of fix balance before it has ever moved a cut, and the drawing of the parts."""
    script = BOX + ("comm_style tiled\nbalance 0.9 rcb out parts.txt\nfix b all balance 10 1.1 rcb weight group 1 odd 3.0\n"
                    "thermo_style custom step f_b f_b[1] f_b[2] f_b[3]\nrun 20\n")
    theirs = run_lmp(script, {}, tmp_path / "cache")
    ours = run_everlet(script, {}, tmp_path / "ours")
    for name, column in theirs.thermo[-1].items():
        assert np.array_equal(ours.thermo[-1][name], column), name
    found = next((tmp_path / "cache").glob("*/parts.txt"))
    assert (tmp_path / "ours" / "parts.txt").read_text() == found.read_text()


@pytest.mark.parametrize("before", ["newton off", "package everlet neigh full"])
def test_ghosts_within_the_cutoff_are_as_many_as_in_lmp(before: str, tmp_path: Path) -> None:
    """Where all ghosts are made; with half lists and newton on only one of two opposite images is."""
    for line in ("comm_modify cutoff 4.0 vel yes", "comm_modify cutoff 0.0", "comm_modify cutoff 6.5"):
        script = BOX + line + "\nrun 0\n"
        counts = []
        for log in (run_lmp(before.replace("package everlet neigh full", "") + script, {}, tmp_path / "cache").log,
                    run_everlet(before + script, {}, tmp_path / line.split()[2]).log):
            counts.append(re.findall(r"Nghost: +(\d+) ave", log))
        assert counts[0] == counts[1] and counts[0]


def test_a_short_ghost_cutoff_is_raised_and_said(tmp_path: Path) -> None:
    sim = Simulation(device="serial", screen="none", log=str(tmp_path / "log")).commands(BOX + "comm_modify cutoff 1.0\nrun 0")
    sim.close()
    assert "comm_modify cutoff is raised to 2.8" in (tmp_path / "log").read_text()


def test_ghosts_have_velocities_on_request() -> None:
    for line, same in (("comm_modify vel yes", True), ("comm_modify vel yes vel no", False)):
        sim = Simulation(device="serial", screen="none").commands(BOX + line + "\nrun 0")
        atoms = sim.engine.system.atoms
        v, ids = (atoms.fields[name].view.read()[: atoms.total] for name in ("v", "id"))
        assert atoms.nghost > 0
        rows = np.argsort(ids[: atoms.n])[ids[atoms.n :] - 1]
        assert np.array_equal(v[atoms.n :], v[rows]) == same
