"""Boxes, lattices, regions, groups and created atoms: same script here and in the reference, compared bit by bit.

Compilers for other machines than x86-64 join a product and a sum into one operation with one rounding, so the reference
itself differs there in the last bit wherever products are not exact. Cases of that kind (ROUNDED) are compared bit by
bit on x86-64 and to a few units in the last place elsewhere.
"""

from __future__ import annotations

import platform
import shutil
from types import SimpleNamespace

import numpy as np
import pytest

from everlet.portable.spaces import Serial
from everlet.script.registry import command
from everlet.state.system import System
from tests.oracle.reference import launch

LMP = shutil.which("lmp")
EXACT = platform.machine() in ("x86_64", "AMD64")
ROUNDED = {"custom", "custom-lj", "orient", "orient-111", "random triclinic"}
pytestmark = pytest.mark.skipif(LMP is None, reason="the lmp command is not installed")


class Lines:
    """A log that keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, text: str) -> None:
        self.lines += text.split("\n")

    def warning(self, text: str) -> None:
        self.lines.append(f"WARNING: {text}")


def ours(script: str) -> SimpleNamespace:
    """Run set-up commands."""
    sim = SimpleNamespace(system=System(Serial()), log=Lines(), neighbor=SimpleNamespace(skin=0.3))
    for line in script.strip().splitlines():
        words = line.split()
        command[words[0]](sim, words[1:])
    return sim


def reference(script: str, folder, columns: str = "id type x y z") -> tuple[np.ndarray, list[str], str]:
    """The same in the reference: atoms sorted by id, box lines of the dump, and what was printed."""
    dump = folder / "atoms.dump"
    text = f"{script}\nwrite_dump all custom {dump.name} {columns} modify format float %.17g sort id\n"
    (folder / "in.create").write_text(text)
    done = launch(folder, ["-log", "none", "-in", "in.create"])
    assert done.returncode == 0, done.stdout
    lines = dump.read_text().splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("ITEM: ATOMS"))
    rows = [line.split() for line in lines[start + 1 :]]
    return np.array(rows, np.float64).reshape(-1, len(columns.split())), lines[4 : start], done.stdout


CUBE = "region b block 0 3 0 3 0 3\ncreate_box 2 b\n"
FLAT = "region b block 0 4 0 3 -0.5 0.5\ncreate_box 2 b\n"
CASES = {
    "fcc": f"lattice fcc 0.8442\n{CUBE}create_atoms 1 box",
    "bcc": f"units metal\nlattice bcc 3.1652\n{CUBE}create_atoms 1 box basis 2 2",
    "sc": f"lattice sc 1.1 origin 0.3 0.2 0.1\n{CUBE}create_atoms 2 box",
    "diamond": f"units metal\nlattice diamond 5.431\n{CUBE}create_atoms 1 box basis 5 2 basis 6 2 basis 7 2 basis 8 2",
    "hcp": f"units real\nlattice hcp 2.9 origin 0.1 0.1 0.1\n{CUBE}create_atoms 1 box",
    "hcp-lj": f"lattice hcp 0.9\n{CUBE}create_atoms 1 box",
    "sq": f"dimension 2\nlattice sq 0.7\n{FLAT}create_atoms 1 box",
    "sq2": f"dimension 2\nlattice sq2 0.8442\n{FLAT}create_atoms 1 box",
    "hex": f"dimension 2\nlattice hex 0.93\n{FLAT}create_atoms 1 box basis 2 2",
    "thick 2-d": "dimension 2\nlattice sq 1.0\nregion b block 0 3 0 3 -3 3\ncreate_box 1 b\ncreate_atoms 1 box",
    "custom": f"units metal\nlattice custom 3.3 a1 1 0 0 a2 0.5 0.9 0 a3 0 0.1 1.2 basis 0 0 0 basis 0.31 0.47 0.6\n"
              f"{CUBE}create_atoms 1 box basis 2 2",
    "custom-lj": f"lattice custom 0.71 a1 0 1.1 0 a2 1 0 0 a3 0 0 1.7 basis 0 0 0 basis 0.5 0.25 0.3 "
                 f"spacing 1.5 1.2 1.3 origin 0.2 0.9 0\n{CUBE}create_atoms 1 box",
    "orient": f"units metal\nlattice fcc 3.615 orient x 1 1 0 orient y -1 1 0 orient z 0 0 1\n{CUBE}create_atoms 1 box",
    "orient-111": f"units metal\nlattice bcc 2.87 orient x 1 -1 0 orient y 1 1 -2 orient z 1 1 1 origin 0.1 0.05 0\n"
                  f"{CUBE}create_atoms 1 box",
    "fixed": f"boundary f s ms\nlattice fcc 0.8442\n{CUBE}create_atoms 1 box",
    "offset": "units metal\nlattice fcc 3.615\nregion b block -1.7 2.3 -2 1 0.6 3.6\ncreate_box 1 b\n"
              "create_atoms 1 box",
    "prism": "units metal\nlattice fcc 3.52\nregion b prism 0 4 0 4 0 4 1.0 -0.5 0.5\ncreate_box 1 b\n"
             "create_atoms 1 box",
    "prism without tilt": "lattice fcc 0.8\nregion b prism 0 2 0 2 0 2 0 0 0\ncreate_box 1 b\ncreate_atoms 1 box",
    "prism 2-d": "dimension 2\nlattice hex 0.9\nregion b prism 0 4 0 4 -0.5 0.5 1 0 0\ncreate_box 1 b\n"
                 "create_atoms 1 box",
    "prism fixed": "boundary p f s\nlattice bcc 1.1\nregion b prism 0 4 0 4 0 4 3 0 1\ncreate_box 1 b\n"
                   "create_atoms 1 box",
    "region": f"lattice fcc 0.8442\n{CUBE}region s sphere 1.5 1.5 1.5 1\nregion t block 0 1 INF INF EDGE 1.5\n"
              "create_atoms 1 region s\ncreate_atoms 2 region t",
    "single": f"lattice fcc 0.8442\n{CUBE}create_atoms 1 single 0.3 0.4 0.5\ncreate_atoms 2 single 1 2 3 units box\n"
              "create_atoms 2 single -0.1 6.3 13.7 remap yes\ncreate_atoms 1 single 3 0 0",
    "single triclinic": "region b prism 0 2 0 2 0 2 0.5 0.2 0.1\ncreate_box 1 b\ncreate_atoms 1 single 0.1 1 1\n"
                        "create_atoms 1 single -1.3 2.4 5.1 remap yes",
    "random": f"lattice fcc 0.8442\n{CUBE}create_atoms 1 random 50 12345 NULL",
    "random in region": f"lattice fcc 0.8442\n{CUBE}region s sphere 1 1 1 1.5\nregion o sphere 1 1 1 1.5 side out\n"
                        "create_atoms 1 random 40 777 s\ncreate_atoms 2 random 40 5 o",
    "random with failures": f"{CUBE}region s sphere 1 1 1 1\nregion o sphere 1 1 1 0.99 side out\n"
                            "region i intersect 2 s o\ncreate_atoms 1 random 40 777 i maxtry 10",
    "random 2-d": f"dimension 2\nlattice sq2 0.84\n{FLAT}create_atoms 1 random 20 4321 b",
    "random triclinic": "region b prism 0 2 0 2 0 2 0.5 -0.2 0.7\ncreate_box 1 b\ncreate_atoms 1 random 40 99 NULL",
}


def same(a: np.ndarray, b: np.ndarray, rounded: bool) -> bool:
    """Equal bits, or, where the reference rounds in its own way, equal but for the last bits of the largest value."""
    if EXACT or not rounded:
        return np.array_equal(a, b)
    return a.shape == b.shape and bool((np.abs(a - b) <= 4 * np.spacing(np.abs(b).max())).all())


def check_atoms(sim: SimpleNamespace, rows: np.ndarray, rounded: bool) -> None:
    atoms = sim.system.atoms
    assert np.array_equal(atoms.read("id"), rows[:, 0])
    assert np.array_equal(atoms.read("type"), rows[:, 1])
    assert same(atoms.read("x"), rows[:, 2:5], rounded)


def check_messages(sim: SimpleNamespace, printed: str) -> None:
    """Our lines, less times and warnings, are the reference's, in order."""
    said = [line for line in sim.log.lines if "CPU" not in line and "WARNING" not in line]
    theirs = [line for line in printed.splitlines() if line.startswith(("Lattice", "Created", "  using lattice",
                                                                        "  using box", "  1 by 1"))
              or " atoms in group " in line]
    assert said == theirs


@pytest.mark.parametrize("name", CASES)
def test_create(name, tmp_path):
    sim = ours(CASES[name])
    rows, box_lines, printed = reference(CASES[name], tmp_path)
    check_atoms(sim, rows, name in ROUNDED)
    check_messages(sim, printed)
    box = sim.system.box
    low, high = box.bounds()
    theirs = np.array([line.split() for line in box_lines[1:]], float)
    assert same(theirs[:, :2], np.stack([low, high], axis=1), name in ROUNDED)
    assert box_lines[0].split()[-3:] == list(box.boundary)
    if box.triclinic:
        assert np.array_equal(theirs[:, 2], [box.xy, box.xz, box.yz])


PRIMITIVE = "a1 0.0 0.5 0.5 a2 0.5 0.0 0.5 a3 0.5 0.5 0.0 basis 0 0 0 basis 0.3 0.1 0.2"
GENERAL = {
    "fcc": f"lattice custom 0.9 {PRIMITIVE} triclinic/general\ncreate_box 1 NULL 0 3 0 2 0 3\ncreate_atoms 1 box",
    "away": f"units metal\nlattice custom 3.6 {PRIMITIVE} triclinic/general\ncreate_box 2 NULL -1 2 0.5 3.5 -2 1\n"
            "create_atoms 1 box basis 2 2",
    "2-d": "dimension 2\nlattice custom 0.9 a1 0.5 0.5 0 a2 -0.6 0.5 0 basis 0 0 0 basis 0.5 0.4 0 triclinic/general\n"
           "create_box 1 NULL 0 4 -1 4 -0.5 0.5\ncreate_atoms 1 box",
}


@pytest.mark.parametrize("name", GENERAL)
def test_box_along_lattice_vectors(name, tmp_path):
    """The reference turns positions, we turn the vectors: all agree but for last digits."""
    sim = ours(GENERAL[name])
    rows, box_lines, printed = reference(GENERAL[name], tmp_path)
    atoms, box = sim.system.atoms, sim.system.box
    assert np.array_equal(np.stack([atoms.read("id"), atoms.read("type")], axis=1), rows[:, :2])
    np.testing.assert_allclose(atoms.read("x"), rows[:, 2:5], rtol=0, atol=1e-13)
    theirs = np.array([line.split() for line in box_lines[1:]], float)
    np.testing.assert_allclose(theirs, np.stack([*box.bounds(), (box.xy, box.xz, box.yz)], axis=1), rtol=0, atol=1e-13)
    check_messages(sim, printed)


REGIONS = {
    "block": "block 0.5 1.5 EDGE 2 1 INF",
    "block out": "block 0.5 1.5 0 2 1 2 side out",
    "block box": "block 0.5 3.5 0 2 1 2.5 units box",
    "sphere": "sphere 1 1.5 1 1",
    "sphere out": "sphere 1 1.5 1 1.2 side out units box",
    "cylinder x": "cylinder x 1 1.5 1 0.5 2",
    "cylinder y": "cylinder y 1 1.5 1 EDGE 2",
    "cylinder z": "cylinder z 1 1.5 1 0.5 INF side out",
    "cone x": "cone x 1 1.5 0.2 1.1 0.5 2",
    "cone z": "cone z 1 1.5 1.2 0 0 2.5 units box",
    "plane": "plane 1 1 1 1 2 -0.5",
    "plane out": "plane 1 1 1 1 2 -0.5 side out units box",
    "prism": "prism 0 2 0 2 0 2 0.7 -0.3 0.4",
    "prism edge": "prism EDGE 2 0 EDGE 0 2 0.7 -0.3 0.4 side out",
    "union": "union 2 one two",
    "intersect": "intersect 2 one two side out",
}


@pytest.mark.parametrize("tilt", ["", "0.6 0.3 -0.4"])
@pytest.mark.parametrize("name", REGIONS)
def test_region(name, tilt, tmp_path):
    """Atoms at random places, on a lattice with three different spacings, chosen by a region."""
    shape = f"prism 0 3 0 3 0 3 {tilt}" if tilt else "block 0 3 0 3 0 3"
    script = f"""lattice custom 1.0 a1 1 0 0 a2 0 1.2 0 a3 0 0 0.9 basis 0 0 0 basis 0.5 0.5 0.5
region b {shape}
create_box 2 b
create_atoms 1 box
create_atoms 2 random 300 98765 NULL
region one block 0 1 0 1 0 3
region two sphere 1 1 1 0.8 side out
region r {REGIONS[name]}
group chosen region r"""
    sim = ours(script)
    rows, _, printed = reference(f"{script}\nset group chosen type 1\ngroup rest subtract all chosen\n"
                                 "set group rest type 2", tmp_path)
    theirs = rows[:, 1] == 1
    assert 0 < theirs.sum() < len(theirs)
    assert np.array_equal(sim.system.groups.member("chosen", sim.system.atoms.read("mask")), theirs)
    assert f"{theirs.sum()} atoms in group chosen" in sim.log.lines
    assert f"{theirs.sum()} atoms in group chosen" in printed


def test_groups(tmp_path):
    script = f"""lattice fcc 0.8442
{CUBE}create_atoms 1 box basis 3 2
labelmap atom 1 A 2 B
group a type 2
group b id 3:40:3 50 61:62
group c id <> 20 30
group d id >= 90
group e id != 5
group f type < 2
group g type B
group h subtract all a b
group i union a b c
group j intersect a b
group j id 1
group k empty
group b clear
group b id == 7
group c delete
group c id <= 3
group a subtract a b
group l id 9:2
group d subtract a d"""
    sim = ours(script)
    _, _, printed = reference(script, tmp_path)
    check_messages(sim, printed)
    assert sim.system.groups.names() == ["all", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]


@pytest.mark.parametrize("boundary", ["p s m", "ms fs p", "s sm sf"])
def test_wrap_and_shrink(boundary, tmp_path):
    """Positions, image flags and faces after moving all atoms."""
    script = f"boundary {boundary}\n{CUBE}create_atoms 1 random 60 34567 NULL"
    move = np.array([0.1, 0.2, -0.3])
    sim = ours(script)
    box, x, image = sim.system.box, sim.system.atoms.edit("x"), sim.system.atoms.edit("image")
    start = x.copy()
    x += move
    box.wrap(x, image)
    box.shrink(x)
    rows, box_lines, _ = reference(f"{script}\ndisplace_atoms all move 0.1 0.2 -0.3", tmp_path, "id x y z ix iy iz")
    assert same(rows[:, 1:4], x, True) and np.array_equal(rows[:, 4:], image)
    faces = np.array([line.split() for line in box_lines[1:]], float)
    assert same(faces, np.stack([box.lo, box.hi], axis=1), True)
    assert np.allclose(x + image * box.lengths * np.array(box.periodic), start + move, rtol=0, atol=1e-14)


def test_wrap_triclinic(tmp_path):
    """The reference wraps tilted boxes in fractions at a run's start: same flags, positions to round-off."""
    script = "region b prism 0 2 0 2 0 2 0.5 -0.2 0.7\ncreate_box 1 b\ncreate_atoms 1 random 40 99 NULL"
    run = ("displace_atoms all move 0.6 -0.7 0.8\nmass 1 1.0\npair_style zero 0.5\npair_coeff * *\n"
           "comm_modify cutoff 0.6\nrun 0")
    sim = ours(script)
    x, image = sim.system.atoms.edit("x"), sim.system.atoms.edit("image")
    x += np.array([0.6, -0.7, 0.8])
    sim.system.box.wrap(x, image)
    rows, _, _ = reference(f"{script}\n{run}", tmp_path, "id x y z ix iy iz")
    assert np.array_equal(rows[:, 4:], image)
    assert np.allclose(rows[:, 1:4], x, rtol=0, atol=1e-14)
