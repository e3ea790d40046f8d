"""Order around atoms against the reference: common neighbours, composition, Voronoi cells; and counts of types and bonds."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle.bonded_system import lines, molecules
from tests.oracle.side_by_side import both_tables, same_tables

START = """
units lj
boundary {boundary}
atom_modify map yes sort 0 0
lattice {lattice}
region box {region}
create_box {types} box
region inner block 0.2 2.8 0.2 2.8 {height}
create_atoms 1 region {where}
mass * 1.0
displace_atoms all random 0.1 0.1 {shift} 4711
velocity all create 2.0 4928 loop geom
velocity all set NULL NULL {vz}
pair_style lj/cut 2.0
pair_coeff * * 1.0 1.0
group some id 1:20
fix 1 all nve
"""
SOLID = dict(boundary="p p p", lattice="fcc 0.84", region="block 0 3 0 3 0 3", types=1, where="box", shift=0.1,
             height="INF INF", vz="NULL")
BOXES = {
    "solid": SOLID, "open": SOLID | dict(boundary="f p f", where="inner", height="0.2 2.8"),
    "tilted": SOLID | dict(region="prism 0 3 0 3 0 3 0.7 -0.3 0.4"), "tiny": SOLID | dict(region="block 0 1 0 2 0 1"),
    "flat": SOLID | dict(boundary="p p p\ndimension 2", lattice="hex 0.8", region="block 0 5 0 3 -0.3 0.3", shift=0.0, vz=0.0),
}
CELLS = """
comm_modify cutoff 6
compute v all voronoi/atom neighbors yes face_threshold 0.2
compute w some voronoi/atom only_group surface some
compute h all voronoi/atom edge_histo 6 edge_threshold 0.1
compute u all voronoi/atom surface some
compute r all reduce sum c_v[1] c_v[2] c_w[1] c_w[2] c_w[3] c_u[3]
compute q all reduce sumsq c_v[1] c_v[2] c_w[1] c_w[2] c_w[3] c_u[3]
compute l all reduce sum c_v[1] c_v[2] c_v[3] inputs local
"""
WORDS = " ".join([f"c_{name}[{k}]" for name in "rq" for k in range(1, 7)] + [f"c_h[{k}]" for k in range(3, 8)] +
                 [f"c_l[{k}]" for k in (1, 2, 3)])


def both(folder: Path, text: str, words: str, run: str = "run 10") -> None:
    script = f"{text}\nthermo_style custom step {words}\nthermo_modify format float %.17g norm no\nthermo 10\n{run}\n"
    found, expected = both_tables(folder, script)
    assert len(found) == len(expected) > 0
    same_tables(found, expected, 1e-9)


@pytest.mark.parametrize("box", BOXES)
def test_cells(box: str, tmp_path: Path) -> None:
    words = WORDS if box != "flat" else "c_r[1] c_r[2] c_q[1] c_q[2] c_u[3]".replace("c_u[3]", "c_r[3]")
    both(tmp_path, START.format(**BOXES[box]) + CELLS, words)


def test_crystal_and_occupation(tmp_path: Path) -> None:
    """Cells of a perfect lattice, whose corners belong to many cells; atoms that have left theirs."""
    text = START.format(**SOLID | dict(types=2)).replace("displace_atoms all random 0.1 0.1 0.1 4711", "") + """
compute v all voronoi/atom edge_histo 6
compute o all voronoi/atom occupation
compute r all reduce sum c_v[1] c_v[2]
"""
    both(tmp_path, text, "c_r[1] c_r[2] c_v[3] c_v[4] c_v[5]", "run 0")
    moved = text + "thermo_style custom step\nrun 0\ndisplace_atoms some move 0.9 0.3 0 units box\n" \
        "compute s all reduce sum c_o[1] c_o[2]\ncompute t all reduce sumsq c_o[1] c_o[2]"
    (tmp_path / "moved").mkdir()
    both(tmp_path / "moved", moved.replace("thermo_style custom step\n", "compute z all reduce sum c_o[1]\n"
                                           "thermo_style custom step c_z\n"), "c_s[1] c_s[2] c_t[1] c_t[2]", "run 0")


def test_neighbours(tmp_path: Path) -> None:
    """cnp/atom of one type, where the reference does not warn. Its composition/atom is right for types above 1, when it is
    first asked."""
    text = START.format(**BOXES["tilted"]) + "compute c some cnp/atom 1.4\ncompute s all reduce sum c_c\n"
    text += "compute m all reduce max c_c"
    both(tmp_path, text, "c_s c_m")
    (tmp_path / "types").mkdir()
    text = START.format(**BOXES["tilted"] | dict(types=2)) + """set type 1 type/fraction 2 0.4 1234
compute c some composition/atom cutoff 1.7
compute d all composition/atom
compute s all reduce sum c_c[1] c_c[3] c_d[1] c_d[3]
compute t all reduce sumsq c_c[1] c_c[3] c_d[1] c_d[3]"""
    both(tmp_path / "types", text, " ".join(f"c_{name}[{k}]" for name in "st" for k in range(1, 5)), "run 0")


def test_counts(tmp_path: Path) -> None:
    molecules(tmp_path / "mol.data")
    text = "units real\natom_style molecular\nread_data mol.data\npair_style zero 6.0\npair_coeff * *\ngroup some id 3:20\n"
    text += "".join(lines(kind, "harmonic") for kind in ("bond", "angle", "dihedral", "improper"))
    words = []
    for kind in ("atom", "bond", "angle", "dihedral", "improper"):
        for group in ("all", "some"):
            text += f"compute {kind}{group} {group} count/type {kind}\n"
            words += [f"c_{kind}{group}[{k}]" for k in (1, 2, 3)[: 2 if kind == "atom" else 3]]
    text += "delete_bonds all bond 2\n"
    both(tmp_path, text, " ".join([*words, "c_bondall"]), "run 0")


@pytest.mark.parametrize("words, message", [
    ("voronoi/atom radius v_r", "radii are not available"), ("voronoi/atom occupation only_group", "no other keywords"),
    ("composition/atom 2.0", "unknown keyword"), ("count/type bond", "no bonds"), ("nbond/atom", "no bonds"),
    ("gyration/shape c", "no compute gyration"), ("msd/nongauss average yes", "average")])
def test_refusals(words: str, message: str) -> None:
    sim = Simulation(device="reference", screen="none", log="none")
    with pytest.raises(EverletError, match=message):
        sim.commands(START.format(**SOLID) + f"compute 1 all {words}")
