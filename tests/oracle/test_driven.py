"""Torques, springs and momenta of chunks, driven flows, forces that are kept, against the reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.side_by_side import both_tables, same_tables
from tests.refusals import refused
from tests.tables import rows

BASE = """
units {units}
atom_modify sort 0 0
lattice {lattice}
region box block 0 3 0 3 0 4
create_box 2 box
create_atoms 1 box
set atom 1*40 type 2
mass 1 {mass}
mass 2 {heavy}
velocity all create {temperature} 87287 loop geom
velocity all set 0.3 0.1 -0.2 sum yes
pair_style lj/cut {cutoff}
pair_coeff * * {epsilon} {sigma}
group some id 2:60
variable t equal 0.3+0.02*step
compute slabs all chunk/atom bin/1d z lower 0.25 units reduced
compute mine all chunk/atom bin/1d x lower 0.5 units reduced ids once
compute centres some com/chunk mine
"""
LJ = dict(units="lj", lattice="fcc 0.8442", mass=1.0, heavy=2.5, temperature=1.44, cutoff=2.5, epsilon=1.0, sigma=1.0)
METAL = dict(units="metal", lattice="fcc 5.26", mass=39.95, heavy=131.0, temperature=80.0, cutoff=8.5, epsilon=0.0104,
             sigma=3.4)
SYSTEMS = {"lj": LJ, "metal": METAL}
LINES = {
    "torque": ("fix 1 all nve\nfix 2 some addtorque v_t -0.5 1.0\nfix_modify 2 energy yes", "f_2 f_2[1] f_2[2] f_2[3]"),
    "springs": ("fix 1 all nve\nfix 2 some spring/chunk 1e-12 mine centres\nvariable e equal 1e12*f_2", "v_e"),
    "momenta": ("fix 1 all nve\nfix 2 some momentum/chunk 3 slabs linear 1 0 1 angular rescale\n"
                "fix 3 all momentum/chunk 5 slabs linear 0 1 1\nfix 4 all momentum/chunk 7 mine angular", ""),
    "waves": ("fix 1 all nvt temp {temperature} {temperature} 0.5\nfix 2 some accelerate/cos 0.2\ncompute v all viscosity/cos\n"
              "fix_modify 1 temp v", "c_v c_v[1] c_v[5] c_v[7] f_1"),
    "flow": ("fix 1 all nve\nfix 2 some flow/gauss 1 0 1 energy yes\nfix 3 all flow/gauss 0 1 0\nfix_modify 2 energy yes",
             "f_2 f_2[1] f_2[2] f_2[3] f_3[2]"),
    "nvk": ("fix 1 all nvk", ""),
    "kept": ("fix 1 all nve\nfix 2 some store/force\nfix 3 all addforce 0.1 0 0\nfix 4 all store/force\n"
             "compute s all reduce sum f_2[1] f_2[3] f_4[1]", "c_s[1] c_s[2] c_s[3]"),
}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("name", LINES)
def test_same_numbers(name: str, system: str, tmp_path: Path) -> None:
    lines, words = LINES[name]
    numbers = SYSTEMS[system]
    script = f"{BASE}{lines}\n".format(**numbers)
    script += (f"thermo_style custom step temp pe ke etotal press pxx pxz econserve {words}\nthermo_modify norm no "
               "format float %.17g\nthermo 5\nrun 20\nrun 10\n")
    found, expected = both_tables(tmp_path, script)
    assert len(found) == len(expected) == 2
    same_tables(found, expected, 1e-10)


def test_springs_of_chunks_pull_as_their_energy_falls() -> None:
    """The reference's force is not the slope of its energy."""
    script = f"{BASE}fix 1 all nve\nfix 2 some spring/chunk 3.0 mine centres\npair_style zero 1.0\npair_coeff * *\nrun 7\n"
    with Simulation(screen="none", device="serial") as sim:
        sim.commands(script.format(**LJ))
        f, m = sim.gather("f"), np.where(np.asarray(sim.gather("type")) == 2, 2.5, 1.0)
        assert (f[60:] == 0.0).all()
        centres = np.array(sim.engine.system.computes["centres"].array())
        away = centres - sim.engine.system.fixes["2"].start
        np.testing.assert_allclose(f.sum(axis=0), -3.0 * away.sum(axis=0), rtol=1e-10, atol=1e-12)
        shares = f / m[:, None]
        assert len(np.unique(np.round(shares[1:60], 9), axis=0)) == 2


@pytest.mark.parametrize("lines, cause", rows(r"""
fix 2 some spring/chunk 1 mine mine -> not of style com/chunk
fix 2 some spring/chunk 1 slabs centres -> not of the chunks
fix 2 some momentum/chunk 1 mine -> nothing to do
fix 2 some flow/gauss 0 0 0 -> one of them 1
velocity all set 0 0 0\nfix 2 all nvk\nrun 0 -> do not move
"""))
def test_refused(lines: str, cause: str) -> None:
    refused(BASE.format(**LJ), lines, cause)
