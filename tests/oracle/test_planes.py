"""Pressures in bins and through planes, against the reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.side_by_side import differences
from tests.refusals import refused

SCRIPT = """
units {units}
boundary {boundary}
lattice fcc {lattice}
region box block 0 3 0 4 0 3
region some block 0 3 0 4 0.1 2.9
create_box 2 box
create_atoms 1 {where}
mass 1 1.5
mass 2 2.5
set group all type/fraction 2 0.4 991
displace_atoms all random 0.02 0.02 0.02 4711
velocity all create {t} 12345 loop geom
pair_style lj/cut {cutoff}
pair_coeff * * {coeffs}
group one id 1:60
compute a {group} stress/mop y {place} total conf kin
compute b {group} stress/mop/profile {profile} kin conf total
compute c all stress/cartesian x {width} NULL 0
compute d all stress/cartesian y {width} z 2 pair
compute e all stress/cartesian z {width} y 2 ke
fix 1 all nve
timestep {dt}
thermo 1
thermo_style custom step pe c_a[*]
thermo_modify format float %.15g
"""
COLUMNS = {"b": "c_b[*]", "c": "c_c[*]", "d": "c_d[1] c_d[2] c_d[7] c_d[8] c_d[9]", "e": "c_e[*]"}
AVERAGES = [f'fix {one} all ave/time 1 1 1 {words} mode vector file {one}.txt format " %.15g"\n'
            for one, words in COLUMNS.items()]
CASES = {
    "lj": dict(units="lj", boundary="p p p", lattice=0.8442, where="box", t=1.3, cutoff=2.0, coeffs="1 1", group="all",
               place=2.3, profile="x 1.23 0.05", width=0.7, dt=0.004),
    "metal": dict(units="metal", boundary="p p p", lattice=4.05, where="box", t=300, cutoff=5.0, coeffs="0.1 2.3", group="one",
                  place="center", profile="x lower 0.05", width=2.3, dt=0.004),
    "real, a slab": dict(units="real", boundary="p p f", lattice=4.05, where="region some", t=300, cutoff=5.0, coeffs="0.1 2.3",
                         group="all", place="upper", profile="z upper 0.3", width=2.3, dt=3),
}


@pytest.mark.parametrize("name", CASES)
def test_same_numbers(name: str, tmp_path: Path) -> None:
    """In bins pressures of the reference are in units of lj whatever the units are, and `pair` has no densities."""
    averages = "".join(AVERAGES if name == "lj" else AVERAGES[:1])
    assert not differences(SCRIPT.format(**CASES[name]) + averages + "run 3\n", tmp_path)


def test_bins_add_up_to_the_pressure() -> None:
    with Simulation(device="serial", screen="none", log="none") as sim:
        sim.commands(SCRIPT.format(**CASES["metal"]).replace("c_a[*]", "pxx pyy pzz") + "run 2")
        rows = sim.engine.system.computes["c"].array()
        wanted = [sim.thermo[word][-1] for word in ("pxx", "pyy", "pzz")]
    np.testing.assert_allclose((rows[:, 2:5] + rows[:, 5:8]).mean(axis=0), wanted, rtol=1e-10)


def test_groups(tmp_path: Path) -> None:
    """Pairs of bins are those of a group for both; densities of the reference are those of all atoms."""
    script = SCRIPT.format(**CASES["lj"]) + "compute f one stress/cartesian x 0.7 NULL 0\n"
    script += 'fix f all ave/time 1 1 1 c_f[1] c_f[6] c_f[7] c_f[8] mode vector file f.txt format " %.15g"\n'
    assert not differences(script + "run 3\n", tmp_path)


@pytest.mark.parametrize("words, message", [
    ("stress/mop w 1 conf", "direction"), ("stress/mop x 99 conf", "outside"), ("stress/mop x 1", "usage"),
    ("stress/mop x 1 bond", "not available"), ("stress/mop/profile x 1 0 conf", "too small"),
    ("stress/cartesian x 0 NULL 0", "widths"), ("stress/cartesian x 1 x 1", "twice"),
    ("stress/cartesian NULL 0 x 1", "direction"), ("stress/cartesian x 1 NULL 0 virial", "unknown part")])
def test_refusals(words: str, message: str) -> None:
    refused(SCRIPT.format(**CASES["lj"]), f"compute 1 all {words}", message)
