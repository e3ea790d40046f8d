"""Uneven parts of the box, with real ranks: the same answer as on one rank, even loads, and no atom lost."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.mpi.ranks import run_scripts
from tests.oracle.harness import parse_log

HALF = """
units lj
{before}
lattice fcc 0.8442
region box {box}
create_box 1 box
region left block 0 {fill} INF INF INF INF
create_atoms 1 region left
mass 1 1.0
velocity all create {temperature} 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0
comm_modify vel yes
neigh_modify every 5 delay 0 check no
fix 1 all nve
plugin load watch.py
fix w all watch
thermo_modify format float %.17g
thermo 25
thermo_style custom step atoms temp pe press pxx pxy
"""
WATCH = """
import numpy as np
from everlet.fixes.base import Fix, fix_style

@fix_style("watch")
class Watch(Fix):
    "Ghosts have the velocities of their atoms, no two ranks have the same atom, and each is in its part."

    def post_force(self):
        system = self.system
        atoms, n = system.atoms, system.atoms.n
        ids, v = (atoms.fields[name].view.read()[: atoms.total] for name in ("id", "v"))
        if system.step % 20 == 0:
            owned = system.ranks.all_of((ids[:n].copy(), v[:n].copy()))
            known = {i: row for many, rows in owned for i, row in zip(many.tolist(), rows)}
            assert len(known) == sum(len(many) for many, _ in owned) == system.natoms
            assert all((known[i] == row).all() for i, row in zip(ids[n:].tolist(), v[n:]))
            s = system.box.to_fraction(atoms.read("x"))
            if n:  # lists have just been rebuilt
                assert (s >= system.subdomain[0] - 1e-9).all() and (s <= system.subdomain[1] + 1e-9).all()
"""
ORTHO, TILTED = "block 0 8 0 4 0 4", "prism 0 8 0 4 0 4 2 1 -1"
COLD, HOT = 1.44, 40.0


def half(box: str = ORTHO, fill: str = "3.9", temperature: float = COLD, before: str = "comm_style tiled") -> str:
    return HALF.format(box=box, fill=fill, temperature=temperature, before=before)


SCRIPTS = {
    "rcb": half() + "balance 1.05 rcb out parts.txt\nrun 100\n",
    "shift": half(before="") + "balance 1.05 shift xyz 10 1.0\nrun 100\n",
    "later": half() + "run 40\nbalance 1.05 rcb\nrun 20 pre no\nrun 40\n",
    "tilted": half(TILTED) + "balance 1.0 rcb weight group 1 all 3.0\nrun 100\n",
    "slab": half(before="boundary p s m\ncomm_style tiled\nprocessors * * * map xyz") + "balance 1.0 rcb\nrun 100\n",
    "fix": half(temperature=HOT) + "timestep 0.001\nfix b all balance 10 1.0 rcb weight neigh 0.5 weight time 0.2\n"
           "run 50\nthermo_style custom step atoms temp pe press pxx f_b f_b[1] f_b[2] f_b[3]\nunfix b\n"
           "fix b all balance 20 1.0 rcb out fix.txt\nrun 100\n",
    "moving": half(before="", temperature=HOT) + "timestep 0.001\nfix b all balance 10 1.05 shift xyz 10 1.02\nrun 150\n",
    "few": half(fill="0.4") + "group most id > 3\ndelete_atoms group most\nfix b all balance 10 1.0 rcb\nrun 100\n",
}
BALANCE = re.compile(r"initial/final imbalance factor  = (\S+) (\S+)")


def tables(place: Path) -> list[dict[str, np.ndarray]]:
    return parse_log((place / "run.log").read_text())


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    scripts = {name: (text, {"watch.py": WATCH}) for name, text in SCRIPTS.items()}
    return run_scripts(1, scripts, tmp_path_factory.mktemp("alone"))


@pytest.mark.parametrize("ranks", [2, *(pytest.param(ranks, marks=pytest.mark.all) for ranks in (4, 7))])
def test_uneven_parts_agree_with_one_rank(ranks: int, alone: dict[str, Path], tmp_path: Path) -> None:
    chosen = SCRIPTS if ranks < 7 else {name: SCRIPTS[name] for name in ("rcb", "shift", "few", "fix")}
    found = run_scripts(ranks, {name: (text, {"watch.py": WATCH}) for name, text in chosen.items()}, tmp_path)
    compare(found, alone, ranks)
    logs = {name: (place / "run.log").read_text() for name, place in found.items()}
    if ranks < 7:  # the grid has a face in the middle of the long edge
        for name in ("rcb", "shift"):
            before, after = map(float, BALANCE.search(logs[name]).groups())  # type: ignore[union-attr]
            assert before == 2.0 and after < 1.1, f"{name} on {ranks}"
    assert "Atoms are divided by recursive bisection" in logs["rcb"] and "bricks with shifted faces" in logs["shift"]
    last = tables(found["fix"])[-1]
    assert (last["f_b"] < 1.1).all() and (last["f_b[1]"] < 1.1 * 256 / ranks).all() and (last["f_b[3]"] >= 1.0).all()
    text = (found["rcb"] / "parts.txt").read_text()
    assert f"ITEM: NUMBER OF CUBES\n{ranks}\n" in text and text.count("ITEM: TIMESTEP") == 2
    assert (found["fix"] / "fix.txt").read_text().count("CUBES\n") > 2


def test_three_ranks_agree_with_one(alone: dict[str, Path], tmp_path: Path) -> None:
    chosen = {name: (SCRIPTS[name], {"watch.py": WATCH}) for name in ("rcb", "tilted", "moving", "slab", "few")}
    compare(run_scripts(3, chosen, tmp_path), alone, 3)


def compare(found: dict[str, Path], alone: dict[str, Path], ranks: int) -> None:
    for name, place in found.items():
        for number, (mine, theirs) in enumerate(zip(tables(place), tables(alone[name]), strict=True)):
            assert np.array_equal(mine["Step"], theirs["Step"])
            for column in [word for word in theirs if not word.startswith(("Step", "f_"))]:
                scale = np.abs(theirs["Press" if column.startswith("P") and column != "PotEng" else column])
                error = np.abs(mine[column] - theirs[column]) / np.where(scale > 0, scale, 1.0)
                good = error[0] < (1e-12 if number == 0 else 1e-9) and error.max() < 1e-9
                assert good, f"{name} on {ranks}: {column} {error}"


def test_cuts_stay_until_the_box_or_the_style_changes(tmp_path: Path) -> None:
    script = half() + """
balance 1.0 rcb
run 0
comm_style tiled
run 0
comm_style brick
run 0
balance 1.0 x 0.25
run 0
replicate 1 2 1
run 0
"""
    place = run_scripts(2, {"stay": (script, {"watch.py": WATCH})}, tmp_path)["stay"]
    log = (place / "run.log").read_text()
    said = re.findall(r"Atoms are divided by .*|comm_style brick: .*|The box has changed", log)
    assert said == ["Atoms are divided by recursive bisection"] * 2 + [
        "comm_style brick: bricks of equal size again", "Atoms are divided by bricks with given faces", "The box has changed"]
    most = [float(word) for word in re.findall(r"Nlocal: +\S+ ave +(\S+) max", log)]
    assert most == [128, 128, 256, 128, 256]
