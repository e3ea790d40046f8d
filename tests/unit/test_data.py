"""Data files: reading, errors that name the line, writing and reading back."""

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.io.data import read_data, write_data
from everlet.portable.spaces import Serial
from everlet.script.commands import files
from everlet.state.system import System
from tests.unit.small import simulation, small

TEXT = """a title

3 atoms
2 atom types

0 10 xlo xhi
0 10 ylo yhi
0 10 zlo zhi

Masses  # of all

1 1.5
2 2

Atoms # atomic

7 1 1 2 3
8 2 -0.5 5 5   # left of the box
3 1 9.5 25 5

Velocities

3 0.1 0.2 0.3
8 1 2 3
7 -1 -2 -3
"""


@pytest.fixture
def load(tmp_path):
    def go(text=TEXT, boundary="p p p", **options):
        path = tmp_path / "in.data"
        path.write_text(text)
        system = System(Serial())
        system.boundary = boundary
        return system, read_data(system, str(path), **options)

    return go


def test_read(load):
    system, report = load()
    atoms = system.atoms
    assert list(atoms.read("id")) == [7, 8, 3] and list(atoms.read("type")) == [1, 2, 1]
    assert atoms.read("x").tolist() == [[1, 2, 3], [9.5, 5, 5], [9.5, 5, 5]]
    assert atoms.read("image").tolist() == [[0, 0, 0], [-1, 0, 0], [0, 2, 0]]
    assert atoms.read("v").tolist() == [[-1, -2, -3], [1, 2, 3], [0.1, 0.2, 0.3]]
    assert system.masses.tolist() == [0, 1.5, 2]
    assert (report.atoms, report.velocities) == (3, 3)


def test_options(load):
    system, _ = load(extra_types=2, group="mine")
    assert system.ntypes == 4 and system.groups.count("mine", system.atoms.read("mask")) == 3


def test_images_labels_tilt(load):
    text = (
        TEXT.replace("7 1 1 2 3", "7 A 1 2 3 1 0 -1")
        .replace("5 5   # left", "5 5 0 0 0 #")
        .replace("25 5\n", "25 5 0 0 0\n")
    )
    text = text.replace("zlo zhi\n", "zlo zhi\n1 0 -2 xy xz yz\n\nAtom Type Labels\n\n1 A\n2 B\n").replace(
        "\n1 1.5", "\nA 1.5"
    )
    system, _ = load(text)
    assert system.type_labels == {"A": 1, "B": 2} and system.box.triclinic and system.masses[1] == 1.5
    assert system.atoms.read("image")[0].tolist() == [1, 0, -1] and list(system.atoms.read("type")) == [1, 2, 1]


@pytest.mark.parametrize(
    "change, message",
    [
        (("8 1 2 3\n", ""), "line 24: section Velocities ends after 2 of 3 lines"),
        (("7 -1 -2 -3\n", "7 -1 -2 -3\n\nVelocites\n"), "line 27: section Velocities has more than the 3 lines"),
        (("Atoms # atomic", "Atoms # full"), "line 15: the atoms are of style 'full'"),
        (("7 1 1 2 3", "7 1 1 2"), "line 17: expected id type x y z, perhaps with ix iy iz; found 4"),
        (("3 1 9.5 25 5", "3 1 9.5 25"), "line 19: expected 5 words"),
        (("8 2 -0.5", "8 2 nought"), "line 18: expected a number, found 'nought'"),
        (("8 2 -0.5", "8 2 nan"), "line 18: id, type and image flags"),
        (("8 2 -0.5", "8 3 -0.5"), "line 18: atom types are 1 to 2"),
        (("8 2 -0.5", "0 2 -0.5"), "line 18: an atom id must be positive"),
        (("8 2 -0.5", "7 2 -0.5"), "line 18: atom id 7 is there twice"),
        (("8 1 2 3", "9 1 2 3"), "line 24: there is no atom with id 9"),
        (("8 1 2 3", "3 1 2 3"), "section Velocities has none, or no number, for atom 8"),
        (("2 2\n", "2 -2\n"), "line 13: expected a type and a positive mass"),
        (("2 2\n", "3 2\n"), "line 13: '3' is not an atom type"),
        (("3 atoms", "3 atmos"), "line 3: cannot understand '3 atmos'"),
        (("2 atom types", "2 atom types\n2 angles"), "line 5: the header names 2 angles, and there is no section"),
        (("2 atom types", ""), "no 'atom types' line"),
        (("0 10 xlo xhi", "0 -1 xlo xhi"), "box edges must have lo < hi"),
        (("Velocities", "Bonds"), "line 21: atom style atomic has no bonds"),
        (("Velocities", "Masses"), "line 21: section Masses appears twice"),
        ((TEXT[TEXT.index("Atoms #") :], ""), "says 3 atoms, and there is no section Atoms"),
        (("Velocities\n", "Pair Coeffs\n"), "line 21: section Pair Coeffs needs a pair style"),
    ],
)
def test_errors_name_the_line(load, change, message):
    assert change[0] in TEXT
    with pytest.raises(InputError) as error:
        load(TEXT.replace(*change))
    assert message in str(error.value) and "in.data" in str(error.value)


def test_atoms_outside_a_fixed_box(load):
    with pytest.raises(InputError, match="line 18: atom 8 is outside the box in x"):
        load(boundary="f p p")


def test_unreadable(load, tmp_path):
    with pytest.raises(InputError, match="No such file"):
        read_data(System(Serial()), str(tmp_path / "none"))
    with pytest.raises(InputError, match="is empty"):
        load("")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="is not a text file"):
        read_data(System(Serial()), str(tmp_path / "binary"))


@pytest.mark.parametrize("tilt", [(0.0, 0.0, 0.0), (0.5, -0.25, 1.0)])
def test_write_and_read_back(tmp_path, tilt):
    one = small("metal", tilt=tilt)
    one.atoms.edit("x")[0] = [0.1 + 0.2, 1 / 3, 2.0]
    one.box.wrap(one.atoms.edit("x"), one.atoms.edit("image"))
    one.type_labels = {"A": 1, "B": 2}
    path = str(tmp_path / "out.data")
    assert write_data(one, path) == []
    two = System(Serial())
    report = read_data(two, path)
    assert report.warnings == [f"{path} was written in metal units, and the script uses lj"]
    for name in ("id", "type", "v", "image"):
        assert np.array_equal(one.atoms.read(name), two.atoms.read(name))
    if any(tilt):
        assert np.allclose(one.atoms.read("x"), two.atoms.read("x"), rtol=0, atol=1e-14)
    else:
        assert np.array_equal(one.atoms.read("x"), two.atoms.read("x"))
    assert np.array_equal(one.box.params(), two.box.params()) and two.type_labels == one.type_labels
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.data"]


def test_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "out.data"
    path.write_text("old")
    system = small()
    system.type_labels = None  # makes the writer fail on the way
    system.masses = None
    with pytest.raises(TypeError):
        write_data(system, str(path))
    assert path.read_text() == "old" and len(list(tmp_path.iterdir())) == 1


def test_commands(tmp_path):
    sim = simulation(small())
    sim.system.step = 12
    files.write_data(sim, [str(tmp_path / "a.*.data"), "nofix", "nocoeff"])
    again = simulation(System(Serial()))
    files.read_data(again, [str(tmp_path / "a.12.data"), "extra/atom/types", "1", "nocoeff"])
    assert again.system.natoms == 4 and again.system.ntypes == 3
    assert "Reading data file ..." in again.log.lines
    for args, message in (
        (["f", "add", "append"], "there is nothing to add to"),
        (["f", "shift", "1"], "'shift' lacks its value"),
        (["f", "shift", "1", "2", "3"], "with: add append"),
        (["f", "fix", "1", "a", "b"], "unknown fix '1'"),
        (["f", "extra/atom/types"], "lacks its value"),
        (["f", "grup", "x"], "did you mean group"),
    ):
        with pytest.raises(InputError) as error:
            files.read_data(simulation(System(Serial())), args)
        assert message in str(error.value)
    for args, message in (
        (["f", "pair", "kk"], "takes ii or ij"),
        (["f", "types", "words"], "takes numeric or labels"),
        (["f", "x"], "unknown"),
    ):
        with pytest.raises(InputError) as error:
            files.write_data(sim, args)
        assert message in str(error.value)
    with pytest.raises(InputError, match="a box exists already"):
        files.read_data(again, [str(tmp_path / "a.12.data")])
