"""Noise of dissipative particles: its distribution, the same on every device, and no momentum from it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import RunError
from tests.refusals import refused
from tests.scripts import SHOCKED
from tests.tables import rows

SCRIPT = """
units lj
lattice fcc 3.0
region box block 0 {n} 0 3 0 3
create_box 1 box
create_atoms 1 box
mass 1 2.0
velocity all create 1.3 87287
pair_style {style}
neighbor 0.3 bin
fix 1 all nve
timestep 0.01
"""
STYLES = {
    "dpd": "dpd 1.3 1.0 4321\npair_coeff 1 1 25 4.5",
    "dpd/ext": "dpd/ext 1.3 1.0 4321\npair_coeff 1 1 25 4.5 3.0 0.5 1.0",
    "dpd/tstat": "dpd/tstat 1.0 1.6 1.0 4321\npair_coeff 1 1 4.5",
}


def started(style: str, device: str, n: int = 3) -> Simulation:
    sim = Simulation(*("cpu", 2) if device == "threads" else (device, 0))
    sim.commands(SCRIPT.format(style=STYLES[style], n=n))
    return sim


@pytest.mark.parametrize("style", ["dpd", "dpd/ext"])
def test_every_device_has_the_same_noise(style: str, device: str) -> None:
    found = []
    for one in ("serial", device):
        with started(style, one) as sim:
            sim.commands("run 3")
            found.append((sim.gather("x"), sim.gather("f")))
            assert np.abs(sim.gather("v").sum(axis=0)).max() < 1e-11
            assert np.abs(sim.gather("f").sum(axis=0)).max() < 1e-10
    assert found[0][0] == pytest.approx(found[1][0], abs=1e-11) and found[0][1] == pytest.approx(found[1][1], abs=1e-8)


@pytest.mark.parametrize("style", STYLES)
def test_temperature(style: str) -> None:
    """Atoms have the temperature of the noise (dpd/tstat: in the middle of its ramp). Means of so many steps scatter by 1.5 %,
    as those of the reference do."""
    with started(style, "serial", 12) as sim:
        sim.commands("run 100\ncompute t all temp\nfix t all ave/time 10 100 1100 c_t\nrun 1000")
        assert sim["f_t"] == pytest.approx(1.3, rel=0.06)


def test_noise_is_new_at_each_step() -> None:
    """Forces on atoms at rest are noise alone, which has mean 0 and no memory: also at the set-up and the first step."""
    with started("dpd/tstat", "serial") as sim:
        sim.commands("velocity all set 0 0 0\nunfix 1\nvelocity all set 0 0 0")
        found = []
        sim.commands("run 0")
        found.append(sim.gather("f"))
        for _ in range(3):
            sim.commands("run 1 pre no")
            found.append(sim.gather("f"))
        table = np.corrcoef(np.array(found).reshape(4, -1))
        assert np.abs(table - np.eye(4)).max() < 0.25, table


def test_inner_energies_take_what_motion_loses() -> None:
    """Hot motion and cold particles: the sum of all energies stays, and so does momentum."""
    with Simulation(device="serial") as sim:
        sim.commands(SHOCKED.format(box="0 3 0 3 0 3", warm=300) + """
            timestep 0.001
            fix 1 all dpd/energy
            fix 2 all nve
            fix 3 all eos/cv 0.00517041
            compute u all dpd
            thermo_style custom step etotal ke c_u[1] c_u[2] c_u[4]
            thermo 50
            run 300""")
        found = {word: sim.thermo[word] for word in ("etotal", "ke", "c_u[1]", "c_u[2]", "c_u[4]")}
        whole = found["etotal"] + found["c_u[1]"] + found["c_u[2]"]
        lost = found["ke"][0] - found["ke"][-1]
        assert lost > 1.0 and np.abs(whole - whole[0]).max() < 0.02 * lost and np.abs(found["c_u[1]"]).max() < 1e-12
        assert found["c_u[4]"][-1] > found["c_u[4]"][0] and np.abs(sim.gather("v").sum(axis=0)).max() < 1e-9


SPLIT = """
units lj
atom_style dpd
comm_modify vel yes
boundary p p p
region box block 0 {n} 0 {n} 0 {n} units box
create_box 1 box
lattice custom $(2/27) a1 3 0 0 a2 0 3 0 a3 0 0 3 basis 0.2 0.2 0.2 basis 0.34 0.2 0.2
create_atoms 1 box
mass 1 2.0
set group all dpd/theta 1.0
variable odd atom id%2
variable warm atom 1.5-0.5*v_odd
set group all dpd/theta v_warm
variable vx atom 0.8*v_odd-0.3
velocity all set v_vx 0.1 -0.2
{pair}
neighbor 0.2 bin
fix 1 all shardlow
fix 2 all nve
fix 3 all eos/cv 100
timestep 0.05
"""
WARM_PAIRS = "pair_style dpd/fdt/energy 1.0 4711\npair_coeff 1 1 0 2.0 0.7"


def test_split_pairs(device: str) -> None:
    """Pairs alone, 0.42 apart: where motion and energies go on average, and how far they scatter; sums of each pair stay."""
    with Simulation(*("cpu", 2) if device == "threads" else (device, 0)) as sim:
        sim.commands(SPLIT.format(n=12 if device == "reference" else 36, pair=WARM_PAIRS))
        before = sim.gather("v")
        sim.commands("run 1")
        v, theta = sim.gather("v"), sim.gather("theta")
    lost = np.array([((one.reshape(-1, 2, 3)) ** 2).sum(axis=(1, 2)) for one in (before, v)])  # m/2 is 1
    assert v.reshape(-1, 2, 3).sum(axis=1) == pytest.approx(before.reshape(-1, 2, 3).sum(axis=1), abs=1e-14)
    assert 100.0 * theta.reshape(-1, 2).sum(axis=1) + lost[1] - lost[0] == pytest.approx(250.0, abs=1e-10)
    many, w, start = len(v) / 2, 1.0 - 0.42, 0.8
    g = 2.0**2 * w**2 * 0.05 / 4.0 * 0.5 * (1.0 + 1.0 / 1.5)
    u = v[0::2, 0] - v[1::2, 0]
    spread = 2.0 * w * np.sqrt(0.05) / (1.0 + g)
    assert abs(u.mean() - start * (1.0 - g) / (1.0 + g)) < 4.0 * spread / np.sqrt(many)
    assert u.std() == pytest.approx(spread, rel=4.0 / np.sqrt(2.0 * many))
    flow, spread = 50.0 * (theta[0::2] - theta[1::2] + 0.5), np.sqrt(2.0 * 0.7 * 0.05) * w
    assert abs(flow.mean() - 0.7 * w**2 * (1.0 - 1.0 / 1.5) * 0.05) < 4.0 * spread / np.sqrt(many)
    assert flow.std() == pytest.approx(spread, rel=4.0 / np.sqrt(2.0 * many))


FLUID = """
lattice fcc 3.0
region box block 0 6 0 5 0 5
create_box 1 box
create_atoms 1 box
mass 1 2.0
velocity all create 0.5 87287
pair_style dpd/fdt 1.3 1.0 4321
pair_coeff 1 1 25 3.0
neighbor 0.3 bin
fix 1 all shardlow
fix 2 all nve
timestep 0.03
"""


def test_a_split_fluid_takes_its_temperature(compiled: str) -> None:
    with Simulation(*("cpu", 2) if compiled == "threads" else (compiled, 0)) as sim:
        sim.commands(FLUID + "run 100\ncompute t all temp\nfix t all ave/time 10 30 400 c_t\nrun 300")
        assert sim["f_t"] == pytest.approx(1.3, rel=0.06)
        assert np.abs(sim.gather("v").sum(axis=0)).max() < 1e-10


LOOSE = """
atom_style dpd
region box block 0 5 0 5 0 5
create_box 1 box
create_atoms 1 random 375 11 box
mass 1 1.0
comm_modify vel yes
set group all dpd/theta 1.0
"""


@pytest.mark.parametrize("lines, cause", rows(r"""
pair_style lj/cut 1\npair_coeff * * 1 1\nfix 1 all shardlow\nrun 0 -> 0 pair styles
fix 1 all nve\nfix 2 all shardlow\nrun 0 -> define fix 2 before fix 1
group one id 1\nfix 1 one shardlow -> group all
fix 1 all shardlow 3 -> shardlow
pair_style dpd/fdt/energy 1 4711\npair_coeff * * 1 1 1\nfix 1 all shardlow\nrun 0 -> eos/cv
pair_style dpd/fdt/energy 1 4711\npair_coeff * * 1 1 1\nfix 1 all shardlow\nfix 2 all dpd/energy\nrun 0 -> leave
"""))
def test_splitting_is_refused(lines: str, cause: str) -> None:
    refused(LOOSE + "pair_style dpd/fdt 1 1 4711\npair_coeff * * 1 1\n", lines, cause)


HOT = LOOSE + """
set group all dpd/theta 0.01
pair_style dpd/fdt/energy 1.0 4711
pair_coeff 1 1 25.0 3.0 1.0
velocity all create 3.0 11
fix 1 all nve
fix 2 all dpd/energy
fix 3 all eos/cv 0.05
compute u all dpd
thermo_style custom step c_u[2]
timestep 0.02
run 0
"""


def test_inner_energies_are_not_divided_by_the_number_of_atoms() -> None:
    """As in the reference, whatever thermo_modify norm says: in units lj it is on."""
    with Simulation(device="serial") as sim:
        sim.commands(HOT)
        assert sim.thermo.value("c_u[2]") == pytest.approx(375 * 0.05 * 0.01, rel=1e-12)


def test_an_atom_without_energy_ends_the_run() -> None:
    with Simulation(device="serial") as sim, pytest.raises(RunError, match=r"atom \d+ has no inner energy left"):
        sim.commands(HOT + "run 300")


@pytest.mark.parametrize("text, line, cause", rows(r"""
A\nN 2\n1 1 1\n2 2 2\n -> linear eos.table 9 B -> no section 'B'
A\nN 2\n1 1 1\n2 2 1\n -> linear eos.table 9 A -> does not rise
A\nN 3\n1 1 1\n2 2 2\n -> linear eos.table 9 A -> the file ends
A\nN 2 R 1 2\n1 1 1\n2 2 2\n -> linear eos.table 9 A -> N and the number of rows
A\nN 2\n1 1 1\n2 2 2\n -> cubic eos.table 9 A -> cubic
A\nN 2\n1 1 1\n2 2 2\n -> linear eos.table 1 A -> 2 or more
A\nN 2\n1 1 1\n2 2 2\n -> linear missing.table 9 A -> cannot read table file
A\nN 2\n1 2 1\n2 3 2\n -> linear eos.table 9 A\nrun 0 -> outside of the table
"""))
def test_tables_are_refused(text: str, line: str, cause: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("eos.table").write_text(text)
    refused(HOT.split("pair_style", maxsplit=1)[0].replace("0.01", "1.0"), f"fix 3 all eos/table {line}", cause)
