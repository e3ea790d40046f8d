"""Force-field files of ReaxFF: what is read, mixed and refused."""

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.forces.manybody.reaxff.ffield import read_ffield

GENERAL = [1.0] * 39
GENERAL[11:13] = 0.0, 10.0
HEAD = ["a comment", " 39 ! general numbers", *(f"{value} !number" for value in GENERAL), " 2 ! elements", "a", "b", "c"]
C = ["C 1.4 4.0 12.0 2.0 0.16 0.9 1.2 4.0", "9.0 2.0 4.0 30.0 0.0 5.0 6.0 0.0", "1.1 0.0 0.0 3.0 4.0 5.0 0.0 0.0",
     "-2.0 3.0 0.0 5.0 2.0 0.0 0.0 0.0"]
H = ["H 0.6 1.0 1.0 1.0 0.04 0.4 -0.1 1.0", "4.0 8.0 1.0 0.0 0.0 3.0 9.0 1.0", "-0.1 0.0 0.0 12.0 1.0 5.0 0.0 0.0",
     "-15.0 2.0 0.0 1.0 2.0 0.0 0.0 0.0"]
REST = [" 1 ! bonds", "more", "1 2 100 1 2 3 4 1 6 0.5", "7 8 9 0 -0.1 6.0 1 0", "1 ! unlike", "1 2 0.1 1.4 -1 1.1 -1 -1",
        "2 ! angles", "1 1 2 70 1 2 3 4 5 6", "3 1 1 70 1 2 3 4 5 6",
        "2 ! torsions", "1 1 1 2 1 2 3 4 5 0 0", "0 1 1 0 9 9 9 9 9 0 0"]


def written(folder, lines):
    path = folder / "ffield"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_numbers_are_read_and_mixed(tmp_path):
    field = read_ffield(written(tmp_path, [*HEAD, *C, *H, *REST]))
    assert field.names == ["C", "H"] and field.elements["eta"].tolist() == [12.0, 18.0]
    assert field.elements["valence_boc"].tolist() == [4.0, 1.0]  # light elements have one
    assert field.pairs["D"][0, 1] == 0.1 and field.pairs["r_vdw"][1, 0] == 2.8 and field.pairs["alpha"][0, 1] == 6.0
    assert field.pairs["r_s"][0, 1] == 1.1 and field.pairs["has_p"].tolist() == [[1, 0], [0, 0]]
    assert np.isclose(field.pairs["gamma3"][0, 1], 0.36**-1.5) and field.pairs["ovc"][1, 0] == 1.0
    assert set(field.angles) == {(0, 0, 1), (1, 0, 0)}  # one names an element that is not there
    assert field.torsions[1, 0, 0, 0] == (1, 2, 3, 4, 5) and field.torsions[1, 0, 0, 1] == (9,) * 5
    assert field.hbonds == {}
    charges = field.charge_numbers(field.rows({1: "h", 2: "NULL", 3: "C"}, "it"))
    assert charges.chi.tolist() == [0, 3, 0, 5] and charges.high == 10.0
    assert charges.soft == field.general["soft"] and charges.reach.shape == (4,)


@pytest.mark.parametrize(("edit", "found"), [
    (lambda lines: lines[:30], "the file ends where general number 29 should come"),
    (lambda lines: [*lines[:5], "x", *lines[6:]], "line 6: 'x' is not a number (general number 4)"),
    (lambda lines: [*lines[:45], C[0][:20], *lines[46:]], "line 46: the first line of an element needs 9"),
    (lambda lines: [*lines[:53], "-1 ! bonds", *lines[54:]], "line 54: the number of bonds is -1"),
    (lambda lines: [line.replace("1 1 2 70", "0 1 2 70") for line in lines], "names element 0"),
    (lambda lines: [line.replace("9.0 2.0 4.0", "9.0 0.0 4.0") for line in lines], "element C has neither"),
])
def test_what_is_wrong_is_named(tmp_path, edit, found):
    with pytest.raises(InputError, match="ffield, line") as error:
        read_ffield(written(tmp_path, edit([*HEAD, *C, *H, *REST])))
    assert found in str(error.value)


def test_unknown_elements_are_named(tmp_path):
    field = read_ffield(written(tmp_path, [*HEAD, *C, *H, *REST]))
    with pytest.raises(InputError, match="no element 'Xe'"):
        field.rows({1: "Xe"}, "the file")
