"""Fixes of one file each that no other test has: thermo tables of both programs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.harness import parse_log, working_in
from tests.oracle.reference import lmp
from tests.oracle.side_by_side import differences, same_tables
from tests.refusals import refused
from tests.tables import rows

BOX = """units lj
atom_modify map array
lattice fcc 0.8
region box {box}
create_box 2 box
create_atoms 1 box
set group all type/fraction 2 0.3 77
mass 1 1.0
mass 2 2.5
displace_atoms all random 0.05 0.05 0.05 55
velocity all create 1.2 4928459 loop all
pair_style lj/cut 1.6
pair_coeff * * 1.0 1.0
pair_modify shift yes
group some id 1:60
group few id 1:4
group none empty
timestep 0.002
"""
BLOCK, PRISM = "block 0 3 0 3 0 3", "prism 0 3 0 3 0 3 1 0.5 -0.7"
END = """thermo_style custom step temp pe press {words}
thermo_modify norm {norm} format float %.17g
thermo 5
run 10
"""
PINNED = """fix 1 all npt temp 1.2 1.2 0.1 iso 1.0 1.0 0.5
fix 2 some rhok 3 1 2 0.7 5.0
fix_modify 2 energy yes
fix 3 few ave/time 1 3 5 f_2 f_2[3]
"""
NUMDIFF = """fix 1 all nve
fix 5 few numdiff 5 1e-3
fix 6 none store/force
compute n all reduce sumsq f_5[1] f_5[2] f_5[3] f_6[1]
"""


@pytest.mark.parametrize("norm", ["yes", "no"])
def test_rhok_where_the_box_changes(norm: str, tmp_path: Path) -> None:
    words = "f_2 f_2[1] f_2[2] f_2[3] f_3[1] f_3[2]"
    assert not differences(BOX.format(box=BLOCK) + PINNED + END.format(words=words, norm=norm), tmp_path)


@pytest.mark.parametrize("box", [BLOCK, PRISM])
def test_numdiff(box: str, tmp_path: Path) -> None:
    """Differences of energies have some ten digits."""
    words = "c_n[1] c_n[2] c_n[3] c_n[4]"
    assert not differences(BOX.format(box=box) + NUMDIFF + END.format(words=words, norm="no"), tmp_path, 1e-7, 1e-7)


def test_numdiff_gives_the_forces() -> None:
    with Simulation(device="serial", screen="none") as sim:
        sim.commands(BOX.format(box=PRISM) + NUMDIFF.replace("1e-3", "1e-4") + "run 3\nrun 2")
        rows = np.argsort(sim.ids)[:4]
        np.testing.assert_allclose(np.asarray(sim["f_5"])[:4], sim.forces[rows], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("norm", ["yes", "no"])
@pytest.mark.parametrize("words", ["cvel 20.0 0.5 tether 6 7 8 0.4", "cvel 20.0 -0.5 tether NULL 7 NULL 0.0",
                                   "cfor 5.0 tether 6 NULL 7 1.0", "cvel 30.0 0.5 couple rest 1 2 3 0.5",
                                   "cvel 20.0 0.5 couple rest 0.3 auto NULL 0.5", "cfor 5.0 couple rest auto 1 NULL 0.5"])
def test_smd(words: str, norm: str, tmp_path: Path) -> None:
    """The second run begins a new pull, whose work is added to that of the first."""
    script = BOX.format(box=BLOCK) + f"group rest subtract all few\nfix 1 all nve\nfix 2 few smd {words}\n" + END
    asked = "f_2[1] f_2[2] f_2[3] f_2[4] f_2[5] f_2[6] f_2[7]"
    assert not differences(script.format(words=asked, norm=norm) + "run 10\n", tmp_path)


def test_smd_goes_on_and_is_asked(tmp_path: Path) -> None:
    """From a restart in the middle of a run the pull goes on; a question between runs is no step of it."""
    start = BOX.format(box=BLOCK) + "fix 1 all nve\nfix 2 few smd cvel 20.0 0.5 tether 6 7 8 0.4\n"
    with Simulation(device="serial", screen="none") as sim:
        sim.commands(start + f"restart 7 {tmp_path}/half.*\nrun 12")
        once = np.array([sim.thermo.value(f"f_2[{k}]") for k in range(1, 8)])
        sim.positions = sim.positions + 0.001
        assert sim.energy and sim.thermo.value("f_2[7]") == once[6]
    with Simulation(device="serial", screen="none") as sim:
        sim.commands(f"read_restart {tmp_path}/half.7\n" + start[start.index("pair_style"):].replace("group", "#")
                     + "run 12 upto")
        np.testing.assert_array_equal([sim.thermo.value(f"f_2[{k}]") for k in range(1, 8)], once)


TURNING = """units lj
atom_style ellipsoid
lattice fcc 0.8
region box block 0 3 0 3 0 3
create_box 1 box
create_atoms 1 box
set group all shape 1.0 1.5 2.0
set group all quat/random 123
set group all mass 1.3
set group all angmom 0.5 0.3 -0.4
velocity all create 1.2 4928459 loop all
pair_style zero 2.5
pair_coeff * *
timestep 0.01
group some id 1:50
compute q all property/atom quatw quati quatj quatk angmomx
dump 1 all custom 10 q.dump id x y z c_q[*]
dump_modify 1 format float %.15g sort id
"""


def test_turning_without_forces(tmp_path: Path) -> None:
    assert not differences(TURNING + "fix 1 some nve/asphere/noforce\nrun 30\n", tmp_path)


FORESEEN = """comm_modify vel yes
pair_style dpd 0.0 1.8 34387
pair_coeff * * 25.0 4.5
fix 1 some mvv/dpd {part}
fix 2 all viscous 0.7
"""


@pytest.mark.parametrize("part", ["", "0.65", "0.2"])
def test_foreseen_velocities(part: str, tmp_path: Path) -> None:
    """The reference wants an atom style of its own for it."""
    script = BOX.format(box=BLOCK).replace("pair_modify shift yes\n", "") + FORESEEN.format(part=part)
    script += END.format(words="vol", norm="no")
    theirs = parse_log(lmp(tmp_path, script.replace("units lj\n", "units lj\natom_style mdpd\n")))
    with working_in(tmp_path), Simulation(device="serial", log="log.ours", screen="none") as sim:
        sim.commands(script)
    same_tables(parse_log((tmp_path / "log.ours").read_text()), theirs)


GRAINS = """units lj
atom_style sphere
atom_modify map array
lattice fcc 0.8
region box block 0 3 0 3 0 3
create_box 2 box
create_atoms 1 box
set group all type/fraction 2 0.3 77
set group all diameter 1.4
set group all density 0.9
displace_atoms all random 0.05 0.05 0.05 55
set group all omega 0.3 -0.2 0.4
velocity all create 1.2 4928459 loop all
group still id 1:9
velocity still set 0 0 0
pair_style gran/hooke 20 NULL 5 NULL 0.5 1
pair_coeff * *
comm_modify vel yes
timestep 0.002
fix 1 all nve/sphere
fix d all damping/cundall 0.3 0.2 scale 2 0.5
dump 1 all custom 10 q.dump id vx fx fy fz omegax tqx tqy tqz
dump_modify 1 format float %.15g sort id
"""


def test_damping_by_forces(tmp_path: Path) -> None:
    assert not differences(GRAINS + "run 20\n", tmp_path)


@pytest.mark.parametrize(("line", "cause"), rows(r"""
fix 2 all damping/cundall 0.1 0.1 -> atoms with
fix 2 all nve/asphere/noforce -> atoms with
fix 2 all nve/asphere/noforce 1 -> takes no arguments
fix 2 all mvv/dpd 1.5 -> give a number of 0 to 1
fix 2 all mvv/dpd 0.5 1 -> expected 0 to 1
fix 2 all smd cvel 1 1 tether 1 1 auto 0 -> a point that is auto
fix 2 all smd cvel 1 1 couple all 1 1 1 0 -> pulled to itself
fix 2 all smd cvel 1 1 couple few 0 0 NULL 0 -> along no direction
fix 1 all nve\nfix 2 all smd cvel 1 1 couple none 1 1 1 0\nrun 0 -> group none has no atoms
fix 2 all smd cvel 0 1 tether 1 1 1 0 -> a spring constant of 0
fix 2 all smd cvle 1 1 tether 1 1 1 0 -> cvel
fix 2 all smd cfor 1 tether 1 1 1 -> expected 7 to 9 arguments
fix 2 all rhok 0 0 0 1 1 -> wave vector of zero
change_box all triclinic\nfix 2 all rhok 1 0 0 1 1 -> waves that are not periodic
fix 1 all nve\nfix 2 none rhok 1 0 0 1 1\nrun 0 -> has no atoms
fix 2 all numdiff 1 -1 -> distance -1
"""))
def test_refused(line: str, cause: str) -> None:
    refused(BOX.format(box=BLOCK), line, cause)
