"""Ellipsoids against the reference: data files; torques are slopes of energies where the reference's are not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.side_by_side import differences, through_files
from tests.refusals import refused
from tests.scripts import crystal
from tests.tables import rows

BASE = crystal("0 2 0 2 0 2", "sc 0.06", types=2, first="atom_style ellipsoid") + """
set group all type/fraction 2 0.5 991
set type 1 shape 1 1.2 2.5
set type 1 quat/random 18238
set type 1 density 1.3
set type 1 angmom 0.1 -0.2 0.3
"""
WORDS = "id type mass angmomx angmomy angmomz x y z"
SHAPES = "compute s all property/atom shapex shapey shapez quatw quati quatj quatk\n"


def test_data_files_go_both_ways(tmp_path: Path) -> None:
    words = f"{WORDS} c_s[1] c_s[2] c_s[3] c_s[4] c_s[5] c_s[6] c_s[7]"
    wanted, found = through_files(tmp_path, BASE + "set type 2 mass 0.7\n", "units lj\natom_style ellipsoid\n", words, SHAPES,
                                  "comm_modify cutoff 1.0\nrun 0\n")
    points = wanted[:, 1] == 2
    assert 0 < points.sum() < len(wanted)
    for name, values in found.items():
        values[points, 9:] = wanted[points, 9:]  # words of ellipsoids mean nothing there
        np.testing.assert_allclose(values, wanted, rtol=1e-14, err_msg=name)


def rotated(quat: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """After a rotation about the vector `angle`."""
    half = 0.5 * np.linalg.norm(angle)
    w, (x, y, z) = np.cos(half), np.sin(half) * angle / np.linalg.norm(angle)
    a, b, c, d = quat
    return np.array([w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c, w * c + y * a + z * b - x * d,
                     w * d + z * a + x * c - y * b])


@pytest.mark.parametrize("lines", [
    "set type 2 shape 1 1 1\npair_style gayberne 0.9 1.5 2.0 4.0\n"
    "pair_coeff 1 1 1 1 1 0.7 0.2 0 0 0\npair_coeff 2 2 1 1 1 1 1 1 1 1",
    "pair_style resquared 4.0\npair_coeff * * 1 1 1 0.7 0.2 0 0 0\npair_coeff 2 2 1 1 1 1 1 1 1 1",
], ids=["gayberne", "resquared"])
def test_torques_are_slopes(lines: str) -> None:
    """Also of an ellipsoid beside spheres: of gayberne with mu 2, of resquared points."""
    with Simulation(screen="none", device="serial") as sim:
        sim.commands(BASE + lines + "\ncompute t all property/atom tqx tqy tqz")
        atoms = sim.engine.system.atoms
        row = int(np.flatnonzero(sim.gather("type") == 1)[0])

        def energy(quat: np.ndarray) -> float:
            atoms.edit("quat")[row] = quat
            sim.engine.changed()
            sim.commands("run 0")
            return float(sim["pe"]) * len(sim.gather("type"))

        start = sim.gather("quat")[row].copy()
        energy(start)
        torque, step = sim.gather("torque")[row].copy(), 1e-4
        for axis in np.eye(3):
            slope = (energy(rotated(start, step * axis)) - energy(rotated(start, -step * axis))) / (2.0 * step)
            assert slope == pytest.approx(-float(torque @ axis), rel=1e-6, abs=1e-9)


def test_turning_about_own_axes(tmp_path: Path) -> None:
    script = BASE.replace("type/fraction 2 0.5 991", "mass 1").replace("sc 0.06", "sc 0.2")
    assert not differences(script + """
set group all density 1.3
velocity all create 1.0 87287 loop geom
group some id 1:5
group rest subtract all some
pair_style gayberne 1.0 3.0 1.0 4.0
pair_coeff * * 1.0 1.0 1.0 0.5 0.2 1.0 0.5 0.2
fix 1 some nve/dot
fix 2 rest nve/asphere
compute s all property/atom quatw quati quatj quatk angmomx angmomy angmomz
compute q all reduce sumsq c_s[*]
compute w all reduce sum c_s[*]
thermo_style custom step temp pe press c_q[*] c_w[*]
thermo_modify format float %.17g
thermo 10
timestep 0.002
run 60
run 20
""", tmp_path)


@pytest.mark.parametrize("lines, cause", rows(r"""
fix 1 all nve/dot\nrun 0 -> is a point
fix 1 all nve/asphere\nrun 0 -> is a point
set type 2 quat 0 0 1 30 -> is a point
set type 2 shape 1 0 1 -> three diameters
pair_style gayberne 1 1 1 3\npair_coeff * * 1 1 0 0 0 0 0 0\nrun 0 -> no well depths
pair_style resquared 3\npair_coeff * * 1 1 0 0 0 0 0 0\nrun 0 -> no well depths
pair_style resquared 3\npair_coeff * * 1 1 1 1 -1 1 1 1 -> below zero
pair_style resquared 3\npair_coeff 1 1 1 1 1 1 1 0 0 0\npair_coeff 2 2 1 1 1 1 1 0 0 0\nrun 0 -> 1 2
set atom 1 shape 1 2 3\nset atom * type 2\npair_style gayberne 1 1 1 3\npair_coeff * * 1 1 1 1 1 1 1 1\nrun 0 -> different
"""))
def test_refused(lines: str, cause: str) -> None:
    refused(BASE, lines, cause)
