"""Pairs that special_bonds and neigh_modify exclude name: forces of charges, and what computes over neighbours count."""

from pathlib import Path

import pytest

from tests.oracle.molecules import mixed
from tests.oracle.side_by_side import differences

# style of charges: what follows it; whether there is a solver
STYLES = {
    "cut": "lj/cut/coul/cut 4.0",
    "long": "lj/cut/coul/long 4.0\npair_modify table 0\nkspace_style ewald 1e-4",
    "overlay": "hybrid/overlay lj/cut 4.0 coul/dsf 0.3 4.0\npair_coeff * * coul/dsf",
}
SCRIPT = """
units lj
atom_style full
read_data {data}
pair_style {style}
pair_coeff * * {sub} 0.1 0.7
bond_style harmonic
bond_coeff * 50 1
angle_style zero
angle_coeff *
dihedral_style zero
dihedral_coeff *
improper_style zero
improper_coeff *
group some id 1:30
group second type 2
compute local all pair/local dist eng
compute sums all reduce sum c_local[1] c_local[2] inputs local
compute count all coord/atom cutoff 1.6
compute counts all reduce sum c_count
compute rdf all rdf 5 * * 1 2 cutoff 2.0
compute adf all adf 4 1 2 2 0 1.5 0 1.5
compute cluster all cluster/atom 1.1
compute clusters all reduce sum c_cluster
compute near all centro/atom 4
compute shape all reduce sum c_near
compute between some group/group second
thermo_style custom step pe evdwl ecoul press c_sums[*] c_counts c_rdf[3][2] c_rdf[4][5] c_adf[2][2] &
 c_adf[3][3] c_clusters c_shape c_between
thermo_modify format float %.15g
special_bonds lj/coul 0 0 0
run 0
special_bonds lj/coul 0.1 0.2 1.0
run 0
neigh_modify exclude molecule/intra some
run 0
neigh_modify exclude none exclude type 1 2
run 0
neigh_modify exclude none exclude group some second
run 0
"""


@pytest.mark.parametrize("name", STYLES)
def test_computes_see_the_pairs_that_the_reference_lists(name: str, tmp_path: Path) -> None:
    mixed(tmp_path / "data.mixed")
    script = SCRIPT.format(data=tmp_path / "data.mixed", style=STYLES[name], sub="lj/cut" if name == "overlay" else "")
    found = differences(script, tmp_path / "runs")
    assert not found, "\n".join(found)


def test_heat_goes_to_atoms_where_they_came_in(tmp_path: Path) -> None:
    """fix ehex looks at atoms behind a periodic face where they have come into the box."""
    found = differences("""
units lj
lattice sc 0.85
region box block 0 5 0 5 0 8
create_box 1 box
create_atoms 1 box
mass 1 1
pair_style lj/cut 2.5
pair_coeff 1 1 1 1
velocity all create 1.5 12345 loop all
region cold block INF INF INF INF INF 1.9
compute cold all temp/region cold
fix 1 all nve
fix 2 all ehex 1 -0.15 region cold
neigh_modify delay 10 every 10 check no
thermo_style custom step temp etotal c_cold
thermo_modify format float %.15g
thermo 5
run 20
""", tmp_path / "runs")
    assert not found, "\n".join(found)


def test_vectors_along_axes_go_farther(tmp_path: Path) -> None:
    """Ewald: along each axis as many vectors as along the one that has most, if they are short enough."""
    found = differences("""
units metal
atom_style charge
lattice custom 5.6 a1 1 0 0 a2 0 1.3 0 a3 0 0 0.7 basis 0.02 0 0.03 basis 0.5 0.53 0.5
region b block 0 2 0 2 0 3
create_box 2 b
create_atoms 1 box basis 2 2
set type 1 charge 1
set type 2 charge -1
mass * 20
pair_style coul/long 6.0
pair_coeff * *
pair_modify table 0
kspace_style ewald 1e-4
thermo_style custom step pe ecoul elong press pxx pyy pzz pxy
thermo_modify format float %.15g
run 0
kspace_modify kmax/ewald 4 9 2
run 0
""", tmp_path / "runs")
    assert not found, "\n".join(found)
