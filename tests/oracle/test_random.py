"""Random scripts, here and in the reference: the same thermo rows, atoms and files, and the same refusals.

`pytest -m all tests/oracle/test_random.py` runs hundreds of them, with all pair styles.
"""

from __future__ import annotations

import re

import pytest

from tests.oracle.random_compare import Found, compare_script
from tests.oracle.random_edits import FUSED
from tests.oracle.random_scripts import Script, Sizes, write_script

FEW = ("lj/cut", "soft")  # few kernels to compile; soft is for atoms that may sit on each other
SIZES = Sizes(10.0, 1e-6, 1e-6, 1.0)

# Errors of the reference in scripts that this engine takes (docs/scripts.md, "What LAMMPS refuses and Everlet takes").
TAKEN = (
    "Cannot reset timestep with active dump",
    "before simulation box is defined",  # thermo_style, fix
    "Cannot use neighbor bins - box size << cutoff",
    "Atom count is inconsistent, cannot write data file",
)
# Ours, where the reference goes on: rows of its lists are shorter or longer, as pairs are shared in another way.
LIMITS = ("neighbours at step",)
# Scripts whose last bits decide: streams are seeded by positions that commands have moved.
KEPT = {
    "rotated twelve boxes away": """units lj
dimension 2
lattice sq 0.75
region b block 0 4 88 93 -0.5 0.5
create_box 2 b
create_atoms 1 box
mass * 1
displace_atoms all rotate 1 1 0 0 0 1 27.22387682 units box
velocity all create 0.16 812038 dist gaussian rot yes loop geom
pair_style soft 1.15
pair_coeff * * 9.9
""",
    "tilted and replicated": """units lj
lattice bcc 0.8894706657
region b prism -0.5 4.5 0 2 0 5 0.9376651397 -1.539069466 1
create_box 2 b
create_atoms 1 box
mass * 1
replicate 1 1 1
displace_atoms all random 0.05 0.05 0.05 85514 units box
velocity all create 1.7 904039 loop geom
pair_style soft 1.5
pair_coeff * * 9.9
""",
    "lost at step 0": """units lj
boundary p f p
lattice fcc 0.9633838811
region b block 0 3 0 3 0 3
create_box 1 b
create_atoms 1 box
mass * 1
region r cylinder z 1.5 1.5 1.0 INF INF side out
group g region r
displace_atoms g rotate 1 1 0 0 0 1 62.07222456 units box
velocity all create 0.24 232321 loop geom
pair_style soft 1.5
pair_coeff * * 9.9
compute t g temp
thermo_style custom step atoms temp pe press c_t
thermo_modify lost warn
""",
    "tilted, rotated twice, replicated": """units lj
lattice bcc 0.9
region b prism 100 103 0 2 0 3 0.9376651397 -0.539069466 0.3
create_box 2 b
create_atoms 1 box
mass * 1
displace_atoms all rotate 1 0.6 0 0 0 1 40.72589951 units box
displace_atoms all rotate 1 1 0 1 0 1 -65.44233418 units box
set group all image 3 -2 1
replicate 2 2 2
reset_atoms id
velocity all create 1.7 904039 loop geom
pair_style soft 1.5
pair_coeff * * 9.9
""",
    "tilted and shrunk": """units lj
boundary p s m
lattice sc 0.8
region b prism 0 4 0 4 0 4 0 0 0
create_box 1 b
create_atoms 1 box
mass * 1
displace_atoms all random 0.1 0.1 0.1 77
displace_atoms all random 0.1 0.1 0.1 78
velocity all create 1.7 904039 loop geom
pair_style soft 1.5
pair_coeff * * 9.9
""",
}
END = """fix 1 all nve
timestep 0.001
thermo_modify format float %.15g
run 0
write_dump all custom final.dump id type x y z xu yu zu ix iy iz vx vy vz fx fy fz modify sort id format float %.15g
write_data final.data
"""


BY_POSITION = re.compile(r"type/fraction|displace_atoms \S+ random")  # streams seeded by the bits of positions


def check(found: Found, case: Script) -> None:
    if found.kind == "differ" and FUSED and BY_POSITION.search(case.text):
        pytest.skip("the reference rounds positions otherwise on this kind of CPU, and they seed streams")
    if found.kind == "only the reference refuses" and any(text in found.lines[1] for text in TAKEN):
        return
    if found.kind == "only ours refuses" and any(text in found.lines[0] for text in LIMITS):
        return
    if found.kind not in ("agree", "both refuse"):
        lines = "\n  ".join(found.lines[:10])
        spoilt = f", spoilt ({case.spoilt})" if case.spoilt else ""
        pytest.fail(f"seed {case.seed}{spoilt}: {found.kind}\n  {lines}\n\n{case.text}")


@pytest.mark.skipif(FUSED, reason="the reference rounds otherwise on this kind of CPU")
@pytest.mark.parametrize("name", KEPT)
def test_bits_of_positions(name, tmp_path):
    case = Script(0, KEPT[name] + END, SIZES)
    found = compare_script(case, tmp_path)
    assert found.kind == "agree", found.lines


@pytest.mark.parametrize("seed", range(40))
def test_script(seed, tmp_path):
    case = write_script(seed, FEW)
    check(compare_script(case, tmp_path), case)


@pytest.mark.all
@pytest.mark.parametrize("seed", range(1000, 1400))
def test_script_of_any_style(seed, tmp_path):
    case = write_script(seed)
    check(compare_script(case, tmp_path), case)


def test_same_seed_same_script():
    assert write_script(7).text == write_script(7).text != write_script(8).text
