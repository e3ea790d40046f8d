"""Perturbed states: what compute fep and its kin say, and numbers that fix adapt/fep moves, in both programs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.oracle.side_by_side import differences
from tests.refusals import refused
from tests.tables import rows

BOX = """units real
atom_style charge
lattice sc 3.0
region box {box}
create_box 2 box
create_atoms 1 box
set group all type/fraction 2 0.5 997
set type 1 charge 0.3
set type 2 charge -0.3
mass * 30.0
displace_atoms all random 0.1 0.1 0.1 2377
velocity all create 300.0 87287
timestep 0.5
fix move all nve
variable d equal 0.05
variable q equal 0.01
variable path equal 0.4+0.01*step
variable charge equal 0.3+0.001*step
"""
BLOCK, PRISM = "block 0 4 0 4 0 4", "prism 0 4 0 4 0 4 1 0.5 -0.7"
TAIL = """pair_style lj/cut/soft 2 0.5 5.0
pair_coeff * * 0.1 2.6 0.7
pair_coeff 1 2 0.12 2.6 0.4 5.5
pair_modify tail yes
fix adapt all adapt/fep 3 pair lj/cut/soft lambda 1 2 v_path scale yes reset yes
compute a all fep 3000 pair lj/cut/soft lambda 1 2 v_d tail yes volume yes
"""
MESH = """pair_style hybrid/overlay lj/cut/soft 2 0.5 5.0 coul/long 6.0
pair_coeff * * coul/long
pair_coeff * * lj/cut/soft 0.1 2.6 0.7
kspace_style ewald 1e-6
fix adapt all adapt/fep 2 atom charge 1 v_charge
compute a all fep 3000 atom charge 1 v_q
"""
FIXED = MESH.replace("fix adapt", "kspace_modify gewald 0.5 kmax/ewald 8 7 7\n# ")
OUTPUT = """thermo_style custom step temp pe press c_a[1] c_a[2] c_a[3]
thermo_modify norm yes format float %.17g
thermo 1
run {steps}
"""
ONE = BOX.format(box=BLOCK) + TAIL


@pytest.mark.parametrize("solver, words", [("ewald", "adapt 2 kspace v_part scale yes"), ("pppm", "adapt 1 kspace v_part"),
                                           ("msm", "adapt 3 kspace v_part"), ("pppm", "adapt/fep 2 kspace v_part reset yes")])
def test_far_parts_of_charges(solver: str, words: str, tmp_path: Path) -> None:
    """In a second run, without the fix, they are whole again."""
    near, modify = ("coul/msm", "pressure/scalar no") if solver == "msm" else ("coul/long", "gewald 0.5")
    script = BOX.format(box=BLOCK).replace("charge -0.3", f"charge {-0.3 * 27 / 37}")  # neutral in all
    script += f"""pair_style {near} 6.0
pair_coeff * *
pair_modify table 0
kspace_style {solver} 1e-5
kspace_modify {modify}
variable part equal 0.3+0.01*step
fix adapt all {words}
thermo_style custom step temp ecoul elong pe press pxx pxy
thermo_modify format float %.17g
thermo 1
run 6
unfix adapt
run 2
"""
    found = differences(script, tmp_path / "run", *((1e-8, 1e-6) if solver == "msm" else ()))
    assert not found, "\n".join(found[:8])


@pytest.mark.parametrize("box", [BLOCK, PRISM])
def test_coefficients_with_their_tail(box: str, tmp_path: Path) -> None:
    assert not differences(BOX.format(box=box) + TAIL + OUTPUT.format(steps=8) + OUTPUT.format(steps=3), tmp_path)


def test_charges_of_a_long_range_solver(tmp_path: Path) -> None:
    """The reference has erfc from a polynomial or a table: six digits."""
    assert not differences(BOX.format(box=BLOCK) + MESH + OUTPUT.format(steps=5), tmp_path, 3e-6, 3e-6)


def test_charges_of_a_solver_are_those_of_a_state_that_is_there() -> None:
    with Simulation(device="serial", screen="none") as sim:
        sim.commands(BOX.format(box=BLOCK) + FIXED + OUTPUT.format(steps=0))
        cost, before = sim["c_a[1]"], 64 * sim["pe"]
        sim.commands("variable more atom q+v_q*(type==1)\nset group all charge v_more\nrun 0")
        assert 64 * sim["pe"] - before == pytest.approx(cost, rel=1e-8)


def test_values_are_those_of_steps_of_a_run() -> None:
    with Simulation(device="serial", screen="none") as sim:
        sim.commands(BOX.format(box=BLOCK) + TAIL + OUTPUT.format(steps=1))
        assert sim["c_a[3]"] == 1728.0
        sim.commands("set type 1 charge 0.1")
        with pytest.raises(InputError, match="known at steps of a run alone"):
            sim["c_a[1]"]


SHAPES = """pair_style hybrid/overlay lj/cut 5.0 coul/cut 6.0
pair_coeff * * coul/cut
pair_coeff * * lj/cut 0.1 2.6
pair_coeff 1 2 lj/cut 0.12 2.4
pair_modify tail yes
compute a all fep/ta 3000 xy 1.01
compute b all fep/ta 3000 yz 0.99 tail yes
compute c all fep/ta 3000 xz 1.002 tail no
compute t all ti lj/cut * v_path v_d tail * v_path v_charge coul/cut * v_d v_path
compute u all ti lj/cut 1 v_path v_d coul/cut 2 v_charge v_q
thermo_style custom step temp pe press c_a[1] c_a[2] c_a[3] c_b[1] c_b[2] c_b[3] c_c[1] c_t c_u
thermo_modify norm yes format float %.17g
thermo 1
run 4
"""


@pytest.mark.parametrize("box", [BLOCK, PRISM])
def test_shapes_of_the_box_and_couplings(box: str, tmp_path: Path) -> None:
    assert not differences(BOX.format(box=box) + SHAPES, tmp_path)


@pytest.mark.parametrize(("line", "cause"), rows(r"""
compute b all fep/ta 300 zz 1.1 -> plane of compute fep/ta
compute b all fep/ta 300 xy -1.1 -> factor -1.1
compute b all ti lj/cut/soft * v_q v_d tail -> four for each part
compute b all ti lj/cut * v_q v_d -> there is no pair style lj/cut
compute b all ti kspace * v_q v_d -> there is no long-range solver
compute b all ti tail 1 v_q v_d -> the tail correction of types 1
compute b all fep 300 atom diameter 1 v_q -> atom diameter is not available
compute b all fep 300 kspace v_q -> attribute of compute fep
compute b all fep 300 tail yes -> changes nothing
compute b all fep 0 atom charge 1 v_q -> temperature 0
fix b all adapt/fep 2 atom charge 1 v_q scale yes\nrun 0 -> for coefficients of pairs alone
fix b all adapt 2 kspace v_q -> no long-range solver
fix b all adapt 2 kspace q -> v_NAME
fix b all adapt/fep 2 bond harmonic k 1 v_q -> attribute of fix adapt/fep
"""))
def test_refused(line: str, cause: str) -> None:
    refused(BOX.format(box=BLOCK) + TAIL, line, cause)


def test_states_that_are_far_away(tmp_path: Path) -> None:
    """exp(-dU / kT) is more than a number can be, in both programs."""
    text = ONE.replace("fep 3000", "fep 0.001") + OUTPUT.format(steps=0)
    with Simulation(device="serial", screen="none") as sim:
        sim.commands(text)
        change, weight = (sim.thermo.value(f"c_a[{k}]") for k in (1, 2))
    assert weight == (np.inf if change < 0.0 else 0.0)
    with Simulation(device="serial", screen="none") as sim:
        sim.commands(text.replace("variable d equal 0.05", "variable d equal -0.3"))
        other, weight = (sim.thermo.value(f"c_a[{k}]") for k in (1, 2))
    assert change * other < 0.0 and weight == (np.inf if other < 0.0 else 0.0)
