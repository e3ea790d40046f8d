"""Graphs of steps are kept from run to run, and made anew when anything that they have in them has changed."""

from __future__ import annotations

import numpy as np
import pytest

from everlet import Simulation
from everlet.portable.backends.opencl import found
from everlet.portable.graphs import Graph
from tests.devices import GPUS, ON_CORES
from tests.scripts import crystal, melt

DEVICES = [*([] if found.why_not() or not ON_CORES else ["opencl"]), *[one for one in GPUS if one.values[0] not in ON_CORES]]
START = melt("0 4 0 4 0 4", "1.44 87287 loop geom", types=2) + """
set group all type/fraction 2 0.3 5311
neighbor 0.3 bin
neigh_modify delay 0 every {every} check {check}
package everlet tune off
variable push equal 0.3
thermo 10
fix 1 all nve
fix 2 all addforce 0.3 0.0 0.1
"""
CHARGED = crystal("0 6 0 6 0 6", "sc 3.2", units="real", types=2, first="atom_style charge") + """
set group all type/fraction 2 0.5 997
variable q atom 0.5*(type==1)-0.5*(type==2)
set group all charge v_q
mass * 30.0
displace_atoms all random 0.1 0.1 0.1 2377
velocity all create 300.0 87287 loop geom
pair_style lj/cut/coul/long 5.0 6.0
pair_coeff * * 0.1 2.6
kspace_style {solver} 1e-4
kspace_modify gewald 0.35 {more}
package everlet tune off
thermo 10
timestep 0.5
fix 1 all nve
"""
BETWEEN = ["", "timestep 0.002", "change_box all x scale 1.05 remap", "mass 2 1.5", "pair_coeff 2 2 0.7 0.9",
           "fix 2 all addforce 0.0 0.3 0.0", "velocity all scale 0.7", "displace_atoms all move 0.1 0.2 0.3", "unfix 2",
           "fix 2 all langevin 1.0 2.0 0.5 4711", "", "run 7 start 0 stop 1000", "neighbor 0.5 bin", "set atom 1*40 type 2",
           "delete_atoms group some", "reset_timestep 500",
           "region low block INF 2 INF INF INF INF\nfix 4 all setforce NULL NULL 0.0 region low",
           "fix 5 all addforce v_push 0.0 0.1", "variable push equal -0.4", "unfix 5", "unfix 4\nunfix 1\nfix 1 all nve"]


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many graphs were made."""
    count, usual = [0], Graph.__init__

    def counted(graph: Graph, *given: object) -> None:
        count[0] += 1
        usual(graph, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Graph, "__init__", counted)
    return count


def rows(device: str, script: str, between: list[str]) -> np.ndarray:
    """Thermo output of runs with something between them."""
    sim = Simulation(device=device)
    sim.commands(script)
    for act in between:
        sim.commands(act)
        sim.run(30)
    return np.array([list(row.values()) for row in sim.thermo.history])


def same(device: str, script: str, between: list[str]) -> None:
    one, other = rows("serial", script, between), rows(device, script, between)
    np.testing.assert_allclose(other, one, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("every", "check"), [(1, "yes"), (10, "no")])
def test_whatever_changes_between_runs_is_seen(device: str, every: int, check: str, made: list[int]) -> None:
    same(device, START.format(every=every, check=check) + "group some id 5:9\n", BETWEEN)
    assert made[0] > len(BETWEEN)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("solver", "more"), [("pppm", "mesh 12 12 12"), ("ewald", "kmax/ewald 4 4 4")])
def test_solvers_follow_what_changes_between_runs(device: str, solver: str, more: str, made: list[int]) -> None:
    same(device, CHARGED.format(solver=solver, more=more), [
        "", "change_box all x scale 1.02 remap", "set atom 3 charge 0.4\nset atom 5 charge -0.4", "kspace_modify gewald 0.3",
        "pair_coeff 2 2 0.2 2.4", "kspace_modify compute no", "displace_atoms all move 0.1 0.2 0.3"])
    assert made[0]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("fix", ["nve", "nvt temp 1.4 1.4 0.5"])
def test_runs_that_differ_in_nothing_share_graphs(device: str, fix: str, made: list[int]) -> None:
    sim = Simulation(device=device)
    sim.commands(START.format(every=10, check="no") + f"unfix 1\nfix 1 all {fix}\n")
    counts = []
    for _ in range(4):
        sim.run(30)
        counts.append(made[0])
    assert counts[0] > 0 and counts[1] == counts[2] == counts[3]


CHUTE = """
units lj
atom_style sphere
boundary p p fs
newton off
comm_modify vel yes
lattice sc 1.0
region box block 0 5 0 5 -0.5 12
create_box 2 box
region low block INF INF INF INF INF 1.5
region rest block INF INF INF INF 1.5 6.5
create_atoms 2 region low
create_atoms 1 region rest
set group all diameter 1.0
set group all density 1.9
displace_atoms all random 0.003 0.003 0.003 4711
pair_style gran/hooke/history 2000.0 NULL 50.0 NULL 0.5 0
pair_coeff * *
neighbor 0.1 bin
neigh_modify every 1 delay 0
timestep 0.001
group bottom type 2
group active subtract all bottom
velocity active create 0.2 4711 loop geom
neigh_modify exclude group bottom bottom
fix 1 all gravity 1.0 chute 26.0
fix 2 bottom freeze
fix 3 active nve/sphere
thermo_style custom step ke pe press zhi vol
thermo 50
"""


@pytest.mark.parametrize("device", DEVICES)
def test_boxes_that_shrink_around_atoms(device: str, made: list[int]) -> None:
    """The host makes them fit when it makes lists; steps between are replayed."""
    same(device, CHUTE, ["run 200"] * 3)
    assert made[0]
