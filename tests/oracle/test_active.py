"""fix brownian, brownian/sphere and propel/self against the reference, and what they are for: diffusion."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.oracle.side_by_side import differences
from tests.tables import rows

START = """
units lj
dimension {flat}
atom_style hybrid sphere dipole
atom_modify map yes sort 0 0
{box}
create_box 1 box
create_atoms 1 box
set group all diameter 1.0
set group all density 1.0
set group all {dipole}
velocity all create 1.0 87287 loop geom
pair_style lj/cut/dipole/cut 2.5
pair_coeff * * 1.0 1.0
comm_modify vel yes
timestep 0.0005
group some id 1:40
"""
DEEP = START.format(flat=3, box="lattice fcc 0.7\nregion box block 0 3 0 3 0 3", dipole="dipole/random 4711 1.3")
FLAT = START.format(flat=2, box="lattice sq 0.7\nregion box block 0 7 0 7 -0.5 0.5", dipole="dipole 1.2 0.3 0")
END = """
compute m all property/atom mux muy muz vx vy vz
compute a all stress/atom NULL fix
compute s all reduce sumsq c_m[*] c_a[*]
compute d all msd
thermo_style custom step temp pe press pxx pxy c_s[*] c_d[4]
thermo_modify format float %.17g
thermo 10
run 20
run 10
"""
MOVES = {
    "uniform": (DEEP, "fix 1 all brownian 1.2 12345 gamma_t 2.0"),
    "gaussian": (DEEP, "fix 1 some brownian 1.2 12345 rng gaussian gamma_t 2.0"),
    "none": (DEEP, "fix 1 all brownian/sphere 1.2 12345 gamma_t 2.0 gamma_r 3.0 rng none rotation_style projection"),
    "spheres": (DEEP, "fix 1 some brownian/sphere 1.2 12345 gamma_t 2.0 gamma_r 3.0 rng gaussian rotation_temp 0.3"),
    "planar": (DEEP, "fix 1 all brownian/sphere 1.2 12345 gamma_t 2.0 gamma_r 3.0 planar_rotation"),
    "flat": (FLAT, "fix 1 all brownian/sphere 1.2 12345 gamma_t 2.0 gamma_r 3.0"),
    "dipoles": (DEEP, "fix 1 all brownian/sphere 1.2 12345 gamma_t 2 gamma_r 3\nfix 2 some propel/self dipole 5.0"),
    "velocities": (DEEP, "fix 1 all nve/sphere update dipole\nfix 2 some propel/self velocity 5.0\nfix_modify 2 virial yes"),
    "flat dipoles": (FLAT, "fix 1 all brownian/sphere 1 7 gamma_t 2 gamma_r 3\nfix 2 all propel/self dipole 5.0\n"
                           "fix_modify 2 virial no"),
}


@pytest.mark.parametrize("name", MOVES)
def test_moves(name: str, tmp_path: Path) -> None:
    start, fixes = MOVES[name]
    fixes = fixes.replace("rotation_style projection", "")  # a word of later versions
    end = END.replace("NULL fix", "NULL pair") if name == "velocities" else END
    assert not differences(f"{start}{fixes}{end}", tmp_path)


def test_ellipsoids(tmp_path: Path) -> None:
    script = DEEP.replace("sphere dipole", "ellipsoid dipole").replace("all diameter 1.0", "all shape 1 1 1.4")
    script = script.replace("set group all density 1.0", "set group all quat/random 99\nset group all density 1.0")
    script = script.replace("lj/cut/dipole/cut 2.5", "gayberne 1 1 1 2.5").replace("* * 1.0 1.0", "* * 1 1 1 1 1.4 1 1 1.4 2.5")
    end = END.replace("mux muy muz", "quati quatj quatk")
    assert not differences(f"{script}fix 1 all nve/asphere\nfix 2 some propel/self quat 5.0 qvector 1 2 -0.5\n{end}", tmp_path)


@pytest.mark.parametrize("device", ["serial", "cpu"])
def test_diffusion(device: str) -> None:
    """6 D t with D = kT / gamma, by numbers of seed, id and step; dipoles forget at the rate 2 kT / gamma_r."""
    with Simulation(device=device, log="none", screen="none") as sim:
        sim.commands(DEEP.replace("sort 0 0", "").replace("0 3 0 3 0 3", "0 9 0 9 0 9").replace(
            "pair_style lj/cut/dipole/cut 2.5\npair_coeff * * 1.0 1.0", "pair_style zero 1.0\npair_coeff * *"))
        sim.commands("timestep 0.002\nfix 1 all brownian/sphere 1.2 12345 gamma_t 2.0 gamma_r 3.0 rng gaussian\n"
                     "compute d all msd\nrun 0")
        before = sim.gather("mu").copy()
        sim.commands("thermo_style custom step c_d[4]\nrun 400")
        assert sim.thermo.table()["c_d[4]"][-1] == pytest.approx(6.0 * 0.6 * 0.8, rel=0.06)
        kept = (before * sim.gather("mu")).sum(axis=1).mean() / 1.3**2
        assert kept == pytest.approx(np.exp(-2.0 * 0.4 * 0.8), rel=0.08)


def test_goes_on_from_a_file(tmp_path: Path) -> None:
    fixes = "fix 1 all brownian/sphere 1.2 12345 gamma_t 2.0 gamma_r 3.0\nfix 2 some propel/self dipole 5.0\n"
    found, rest = [], DEEP[DEEP.index("pair_style") : DEEP.index("group some")]
    for script in (f"{DEEP}{fixes}restart 10 {tmp_path}/r.*\nrun 20\n",
                   f"atom_modify map yes sort 0 0\nread_restart {tmp_path}/r.10\n{rest}{fixes}"
                   f"restart 10 {tmp_path}/q.*\nrun 10\n"):
        with Simulation(device="serial", log="none", screen="none", tune=False) as sim:
            sim.commands(script)
            found.append((sim.gather("x").copy(), sim.gather("mu").copy()))
    assert all(np.array_equal(*pair) for pair in zip(*found, strict=True))


@pytest.mark.parametrize("text, message", rows(r"""
fix 1 all brownian 1 1 -> expected
fix 1 all brownian 1 1 rng uniform -> gamma_t is missing
fix 1 all brownian 1 0 gamma_t 1 -> seed
fix 1 all brownian -1 1 gamma_t 1 -> temperature
fix 1 all brownian 1 1 gamma_t 1 gamma_r 1 -> unknown keyword
fix 1 all brownian/sphere 1 1 gamma_t 1 -> gamma_r is missing
fix 1 all brownian/sphere 1 1 gamma_t 1 gamma_r 1 rotation_style geometric -> rotation_style
fix 1 all propel/self quat 1 -> ellipsoid
fix 1 all propel/self dipoles 1 -> direction of fix propel/self
fix 1 all propel/self dipole 1 qvector 1 0 0 -> is not known
"""))
def test_refused(text: str, message: str) -> None:
    with Simulation(device="serial", log="none", screen="none") as sim, pytest.raises(InputError, match=re.escape(message)):
        sim.commands(DEEP + text)
