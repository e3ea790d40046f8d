"""Voronoi cells in two dimensions: faces above and below, edges, and atoms that sit on faces of the box."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.side_by_side import both_tables, same_tables

SCRIPT = """
dimension 2
boundary {boundary}
lattice hex 1.0 origin {origin} 0.0
region box block 0 4 0 4 -0.7 0.7
region atoms block 0 4 0 4 0.0 0.0
create_box 1 box
create_atoms 1 region atoms
mass 1 1.0
displace_atoms all random {moved} {moved} 0 4711 units box
pair_style lj/cut 2.5
pair_coeff 1 1 0.0 1.0
comm_modify cutoff 12
group some id 1:20
compute v some voronoi/atom neighbors yes edge_histo 7 edge_threshold 0.01 face_threshold 0.02 surface some
compute a all reduce sum c_v[1] c_v[2] c_v[3]
compute q all reduce sumsq c_v[1] c_v[2] c_v[3]
compute l all reduce sum c_v[1] c_v[2] c_v[3] inputs local
compute m all reduce max c_v[1] c_v[2] c_v[3] inputs local
thermo_style custom c_a[*] c_q[*] c_l[*] c_m[*] c_v[3] c_v[4] c_v[5] c_v[6] c_v[7] c_v[8]
thermo_modify format float %.12g
run 0
"""
CASES = {
    "periodic": ("p p p", "0.5 0.5", "0.1"),
    "walls": ("f p p", "0.25 0.25", "0.1"),
    "lattice": ("f f p", "0.25 0.25", "0.0"),
    "atoms on faces": ("f f p", "0.0 0.0", "0.0"),
}


@pytest.mark.parametrize("name", CASES)
def test_as_the_reference(name: str, tmp_path: Path) -> None:
    boundary, origin, moved = CASES[name]
    found, expected = both_tables(tmp_path, SCRIPT.format(boundary=boundary, origin=origin, moved=moved))
    same_tables(found, expected, 1e-7 if name == "atoms on faces" else 1e-9)
