"""What eim, extep, meam/spline, meam/sw/spline and polymorphic refuse, and which elements types are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from everlet.forces.potential_file import find
from tests.slopes import check_slopes

BOX = """
units metal
region box block 0 30 0 30 0 30
create_box {types} box
mass * 28.0
create_atoms 1 single 10 10 10
create_atoms {types} single 11.7 10 10
create_atoms 1 single 10.2 11.6 10
pair_style {style}
pair_coeff * * {coeff}
run 0
"""


def energy(style: str, coeff: str, types: int = 2) -> float:
    sim = Simulation(device="reference", log="none", screen="none")
    sim.commands(BOX.format(style=style, coeff=coeff, types=types))
    found = sim.engine.system.energies["vdwl"]
    sim.close()
    return found


@pytest.mark.parametrize("style, coeff, message", [
    ("eim", "Na Cl ffield.eim Na", "no potential file 'Cl'"),
    ("eim", "Na ffield.eim Na Cl", "'Cl' is not among"),
    ("eim", "Na Xx ffield.eim Na Xx", "no element 'Xx'"),
    ("eim", "Na Cl none.eim Na Cl", "no potential file"),
    ("eim 3", "Na Cl ffield.eim Na Cl", "pair_style eim"),
    ("extep", "BN.extep B C", "no entry for"),
    ("extep", "SiC.tersoff Si C", "has not F of C C|has not F"),
    ("meam/spline", "TiO.meam.spline Ti Xx", "no element 'Xx'"),
    ("meam/spline", "Si_1.meam.spline Si Ti", "for one element"),
    ("meam/spline", "Si.tersoff Si Si", "points|number|words"),
    ("meam/sw/spline", "TiO.meam.spline Ti O", "is for one"),
    ("polymorphic", "GaN_sw.poly Ga Xx", "no element 'Xx'"),
])
def test_refused(style: str, coeff: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        energy(style, coeff)


@pytest.mark.parametrize("old, new, message", [
    ("element:", "elemant:", "begins no entry"), ("6.0490e+00  6.0490e+00", "6.0490e+00", "words of 16"),
    ("global:", "element:", "words of 8|no global"), ("7.5536e+00", "3.5017e+00", "beta")])
def test_files_of_eim(old: str, new: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "my.eim").write_text(find("ffield.eim").read_text().replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        energy("eim", f"Li Na {tmp_path / 'my.eim'} Li Na")


@pytest.mark.parametrize("old, new, message", [
    ("  B   N     3    4    0.0000", "  B   N     3    5    0.0000", "from 0 to 4"),
    ("  B   N     3    4    0.0000    0.0000    0.0000    0.0000\n", "", "has not F of B N"),
    ("N   B   B   3  1.0     0.0   306.586555205  10.      -0.7218  0.6576543657  0.0027024851  2.69335",
     "N   B   B   3  1.0     0.0   306.586555205  10.      -0.7218  0.6576543657  0.0027024851  2.7", "lambda2 of")])
def test_files_of_extep(old: str, new: str, message: str, tmp_path: Path) -> None:
    text = find("BN.extep").read_text()
    assert old in text
    (tmp_path / "my.extep").write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        energy("extep", f"{tmp_path / 'my.extep'} B N")


def test_uneven_points_of_splines(tmp_path: Path) -> None:
    text = find("Si_1.meam.spline").read_text().replace("1.833333333333333300e+00", "1.85", 1)
    (tmp_path / "my.spline").write_text(text)
    with pytest.raises(InputError, match="not equally spaced"):
        energy("meam/spline", f"{tmp_path / 'my.spline'} Si", 1)


def test_elements_of_types() -> None:
    """Whatever the order of a file: the same atoms have the same energy."""
    for style, coeff in (("meam/spline", "TiO.meam.spline"), ("polymorphic", "GaN_tersoff.poly"), ("extep", "BN.extep")):
        a, b = {"TiO": "Ti O", "GaN": "Ga N", "BN.": "B N"}[coeff[:3]].split()
        sim = {}
        for names in (f"{a} {b}", f"{b} {a}"):
            sim[names] = energy(style, f"{coeff} {names}")
        assert abs(sim[f"{a} {b}"] - sim[f"{b} {a}"]) > 1e-3
        three = energy(style, f"{coeff} {a} {b} {a}", 3)
        np.testing.assert_allclose(three, energy(style, f"{coeff} {a} {a}"), rtol=1e-12)


def test_hybrid_styles_with_schemes_of_a_file() -> None:
    """With eta 1 polymorphic has the schemes of embedded atoms, which it learns with its file."""
    sums = [energy("lj/cut 5.0", "0.1 2.0", 1), energy("polymorphic", "CuTa_eam.poly Cu Ta")]
    both = energy("hybrid/overlay lj/cut 5.0 polymorphic", "lj/cut 0.1 2.0\npair_coeff * * polymorphic CuTa_eam.poly Cu Ta")
    np.testing.assert_allclose(both, sum(sums), rtol=1e-12)


@pytest.mark.parametrize("style, coeff, edge", [
    ("eim", "Na Cl ffield.eim Na Cl", 3.6), ("extep", "BN.extep B N", 2.4), ("meam/spline", "TiO.meam.spline Ti O", 3.2),
    ("meam/sw/spline", "Ti.meam.sw.spline Ti Ti", 3.2), ("polymorphic", "GaN_tersoff.poly Ga N", 2.8)])
def test_forces_are_slopes(style: str, coeff: str, edge: float) -> None:
    sim = Simulation(device="serial", log="none", screen="none")
    sim.commands(f"units metal\nlattice bcc {edge}\nregion box block 0 3 0 2 0 2\ncreate_box 2 box\ncreate_atoms 1 box\n"
                 "mass * 9\nset group all type/fraction 2 0.5 7\ndisplace_atoms all random 0.15 0.15 0.15 3\n"
                 f"pair_style {style}\npair_coeff * * {coeff}\nthermo_style custom step pe\nrun 0\n")
    check_slopes(sim, ((3, 0), (11, 1), (17, 2)), 1e-6 * np.abs(sim.array("f")).max())
    sim.close()
