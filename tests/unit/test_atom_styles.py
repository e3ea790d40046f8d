"""Atom styles: fields and columns by declaration, in every place that names them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from everlet.state.atom_styles import atom_style
from tests.scripts import charges

SALT = charges(4, "1 1 1 1", "2 3 3 3", "2 3 1 3")


def made(script: str = "") -> Simulation:
    return Simulation(device="serial").commands(SALT + script)


def test_every_style_has_dtypes_for_its_columns():
    for name in atom_style:
        style = atom_style[name]
        assert None not in style.dtypes() and {"id", "type", "x", "y", "z"} <= set(style.columns)


def test_set_and_formulas_know_charges():
    sim = made("variable a atom -0.1*id*(type==2)\nset type 2 charge v_a\nvariable s equal charge(all)\nvariable w equal q[3]\n"
               "variable d atom 2*q")
    assert np.allclose(sim.gather("q"), [0.8, -0.2, -0.3])
    assert float(sim.engine.variables.evaluate("s")) == pytest.approx(0.3)
    assert float(sim.engine.variables.evaluate("w")) == pytest.approx(-0.3)
    assert np.allclose(sim.engine.variables.peratom("d"), [1.6, -0.4, -0.6])


def test_created_atoms_have_no_charge_and_copies_keep_it():
    sim = made("replicate 2 1 1")
    assert np.allclose(np.sort(sim.gather("q")), [0, 0, 0, 0, 0.8, 0.8])
    assert made("delete_atoms group all").engine.system.atoms.fields["q"].ghost == "borders"


def test_data_files_come_back(tmp_path: Path):
    path = tmp_path / "salt.data"
    first = made(f"set atom 3 charge -0.123456789012345\nwrite_data {path}")
    text = path.read_text()
    assert "Atoms # charge\n\n1 1 0.8 1.0 1.0 1.0 0 0 0\n" in text
    second = Simulation(device="serial").commands(f"units real\natom_style charge\nread_data {path}")
    for name in ("q", "x", "type"):
        assert np.array_equal(first.gather(name), second.gather(name))
    with pytest.raises(EverletError, match="style 'charge', and the script has atom_style atomic"):
        Simulation(device="serial").commands(f"units real\nread_data {path}")
    path.write_text(text.replace("Atoms # charge", "Atoms"))
    with pytest.raises(EverletError, match="expected id type x y z, perhaps"):
        Simulation(device="serial").commands(f"units real\nread_data {path}")
    path.write_text(text.replace("1 1 0.8 1.0", "1 1 nan 1.0"))
    with pytest.raises(EverletError, match="all others finite"):
        Simulation(device="serial").commands(f"units real\natom_style charge\nread_data {path}")


def test_type_labels_stand_in_their_column(tmp_path: Path):
    path = tmp_path / "salt.data"
    made(f"labelmap atom 1 Na 2 Cl\nwrite_data {path}")
    path.write_text(path.read_text().replace("2 2 0.0 3.0", "2 Cl 0.0 3.0"))
    sim = Simulation(device="serial").commands(f"units real\natom_style charge\nread_data {path}")
    assert sim.gather("type").tolist() == [1, 2, 2]


def test_restart_files_name_the_style(tmp_path: Path):
    made(f"set type 2 charge -0.4\nwrite_restart {tmp_path / 'r'}")
    sim = Simulation(device="serial").commands(f"read_restart {tmp_path / 'r'}\nset atom 1 charge 0.7")
    assert sim.engine.system.atom_style.name == "charge"
    assert np.allclose(sim.gather("q"), [0.7, -0.4, -0.4])


def test_dumps_have_charges(tmp_path: Path):
    made(f"write_dump all custom {tmp_path / 'd'} id q modify sort id")
    rows = (tmp_path / "d").read_text().splitlines()[-3:]
    assert [row.split() for row in rows] == [["1", "0.8"], ["2", "0"], ["3", "0"]]


@pytest.mark.parametrize("line", ["set type 1 charge 1.0", "variable t equal charge(all)\nprint ${t}",
                                  "variable t equal q[1]\nprint ${t}", "dump d all custom 1 none.dump id q"])
def test_atoms_without_charges_are_named(line: str):
    with pytest.raises(EverletError, match="needs atoms with charges") as caught:
        Simulation(device="serial").commands(SALT.replace("atom_style charge", "").replace("set type 1 charge 0.8", "") + line)
    assert "use atom_style charge" in str(caught.value)


def test_charges_are_finite():
    with pytest.raises(EverletError, match="finite|number"):
        made("set type 1 charge nan")
