"""Computes of a page that no other test has: thermo tables and dumps of both programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet import Simulation
from everlet.computes.energies.hma import HMA as Hma
from tests.oracle.side_by_side import differences
from tests.oracle.test_small_fixes import BLOCK, BOX, END, PRISM
from tests.refusals import refused
from tests.tables import rows

DUMP = "dump 1 all custom 5 values.dump id {}\ndump_modify 1 sort id format float %.15g\n"
CHARGES = """units real
atom_style full
atom_modify map array sort 0 0
region box {box}
create_box 2 box bond/types 1 extra/bond/per/atom 2 extra/special/per/atom 4
create_atoms 1 random 15 123 box overlap 2.0
create_atoms 2 random 15 124 box overlap 2.0
mass * 10
set type 1 charge 0.7
set type 2 charge -0.6
group a type 1
group few id 3:20
bond_style zero
bond_coeff 1
create_bonds single/bond 1 1 2
create_bonds single/bond 1 2 3
special_bonds lj 1 1 1 coul 0 0.5 1
pair_style lj/cut/coul/cut 5.0 5.0
pair_coeff * * 0.01 1.0
comm_modify cutoff 20
fix 1 all nve
"""


@pytest.mark.parametrize("box", ["block 0 12 0 12 0 12", "prism 0 12 0 12 0 12 3 1 -2"])
def test_field_by_wolf(box: str, tmp_path: Path) -> None:
    lines = """compute w all efield/wolf/atom 0.2
compute x few efield/wolf/atom 0.3 cutoff 4.0
compute y all efield/wolf/atom 0.2 group a
dielectric 2.0
""" + DUMP.format("c_w[*] c_x[*] c_y[*]")
    assert not differences(CHARGES.format(box=box) + lines + "run 5\n", tmp_path)


@pytest.mark.parametrize("box", [BLOCK, PRISM])
def test_shapes_of_chunks(box: str, tmp_path: Path) -> None:
    lines = """fix 1 all nve
compute k all chunk/atom bin/1d z lower 0.4 units reduced
compute g some gyration/chunk k tensor
compute s all gyration/shape/chunk g
"""
    words = " ".join(f"c_s[{i}][{j}]" for i in (1, 2) for j in range(1, 7))
    assert not differences(BOX.format(box=box) + lines + END.format(words=words, norm="no"), tmp_path)


HMA = """pair_style {pair} 2.5
pair_coeff * * 1.0 1.0
pair_modify shift no
fix n all {fix}
compute h all hma n cv p 3.0 u
compute a all hma n p 3.0 anharmonic cv
displace_atoms some random 0.02 0.02 0.02 551
thermo_style custom step temp pe c_h[1] c_h[2] c_h[3] c_a[1] c_a[2]
thermo_modify norm yes format float %.17g
thermo 1
run 2
thermo_modify norm no format float %.17g
displace_atoms some move 0.02 0.01 0.02
run 2
"""


@pytest.mark.parametrize("box", [BLOCK, PRISM])
def test_mapped_averages(box: str, tmp_path: Path) -> None:
    script = BOX.format(box=box) + HMA.format(pair="lj/smooth/linear", fix="nvt temp 1.2 1.2 0.1")
    assert not differences(script, tmp_path)


def test_mapped_averages_have_second_derivatives() -> None:
    """Of pair styles that have none in the reference, which leaves them out: D H D from differences of forces along D."""
    with Simulation(device="serial", screen="none") as sim:
        sim.commands(BOX.format(box=BLOCK) + HMA.format(pair="lj/cut", fix="temp/berendsen 1.2 1.2 1").partition("thermo_s")[0]
                     + "fix 1 all nve\nrun 0")
        compute = sim.engine.system.computes["h"]
        assert isinstance(compute, Hma)
        x, sites = sim.positions, compute.system.atoms.read(compute.field("site")).copy()
        found, ways = compute._curved(), x - sites
        slopes = []
        for step in (1e-5, -1e-5):
            sim.positions = x + step * ways
            slopes.append((sim.forces * ways).sum())
        assert found == pytest.approx((slopes[1] - slopes[0]) / 2e-5, rel=1e-6)


@pytest.mark.parametrize(("line", "cause"), rows(r"""
compute h all hma n -> expected
compute h all hma n q -> unknown keyword of compute hma
compute h few hma n u -> for group all
compute h all hma n p -> expected 1 arguments
compute h all hma n u\nthermo_style custom step c_h[1]\nrun 0 -> there is no fix 'n'
compute h all hma 1 u\nthermo_style custom step c_h[1]\nrun 0 -> holds no temperature
compute w all efield/wolf/atom 0 -> damping parameter of 0
compute w all efield/wolf/atom 0.1 cutof 3 -> unknown keyword of compute efield/wolf/atom
compute w all efield/wolf/atom 0.1 group b -> 'b'
compute w all efield/wolf/atom -> expected
compute g all gyration/shape/chunk none -> no compute gyration/chunk with tensor
compute g all dpd/atom -> atoms with inner energies
"""))
def test_refused(line: str, cause: str) -> None:
    refused(CHARGES.format(box="block 0 12 0 12 0 12"), line, cause)
