"""Atoms with a size, a mass of their own and an angular velocity, against the reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from tests.oracle.side_by_side import both_tables, same_tables, same_through_files
from tests.refusals import refused
from tests.scripts import crystal
from tests.tables import rows

BASE = crystal("0 4 0 4 0 4", types=2, first="atom_style {style}\natom_modify sort 0 0") + """
set atom 1*99 type 2
variable d atom 0.5+0.01*(id%30)
set group all diameter v_d
set type 1 density 2.5
set type 2 density 4.0
set type 2 omega 0.1 -0.2 0.3
velocity all create 1.44 87287 loop all
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
group some id 2:60
group others subtract all some
compute t all temp/sphere
"""
MOVERS = {
    "nvt and langevin": """
fix 1 some nvt temp 1.0 2.0 0.5
fix 2 others nve/sphere
fix 3 others langevin 1.0 2.0 0.7 4711 scale 2 1.5 tally yes
""",
    "gjf and move": """
fix 1 some gjf 1.0 2.0 0.7 4711
fix 2 others move linear 0.1 NULL 0.2
fix 3 all temp/csld 1.0 2.0 0.5 54324
""",
    "nvt/sphere": """
fix 1 some nvt/sphere temp 1.0 2.0 0.5
fix 2 others nve/sphere
""",
    "npt": """
fix 1 all npt temp 1.0 2.0 0.5 iso 1.0 2.0 3.0
""",
}


@pytest.mark.parametrize("fixes", MOVERS)
def test_masses_of_atoms_move_them(tmp_path: Path, fixes: str) -> None:
    script = BASE.format(style="sphere") + MOVERS[fixes]
    script += "thermo_style custom step temp pe ke press c_t ecouple\nthermo_modify format float %.17g\nthermo 10\nrun 20\n"
    found, expected = both_tables(tmp_path, script)
    same_tables(found, expected, 1e-9)


def test_data_files_go_both_ways(tmp_path: Path) -> None:
    script = BASE.format(style="hybrid charge sphere") + "set atom 3 diameter 0\nset atom 3 mass 0.7\nset atom 9 charge 0.5\n"
    same_through_files(tmp_path, script, "units lj\natom_style hybrid charge sphere\n",
                       "id type diameter mass omegax omegay omegaz x y z vx vy vz q")


@pytest.mark.parametrize("lines, cause", rows(r"""
set atom 3 diameter 0\nfix 1 all nve/sphere\nrun 0 -> atom 3 is a point
fix 1 all nve/sphere disc -> two dimensions
mass 1 2.0 -> masses of their own
set atom 2 mass 0 -> set mass 0
set atom 2 diameter -1 -> diameter -1
compute 1 all temp/sphere dof some -> dof of compute temp/sphere
"""))
def test_refused(lines: str, cause: str) -> None:
    refused(BASE.format(style="sphere"), lines, cause)


def test_points_have_no_size() -> None:
    sim = Simulation(screen="none", device="serial")
    sim.commands("units lj\nregion b block 0 4 0 4 0 4\ncreate_box 1 b\nmass 1 1\n")
    with pytest.raises(InputError, match="radii.*|atom_style"):
        sim.commands("fix 1 all nve/sphere")


@pytest.mark.parametrize("lines, words", [
    ("fix 2 some spring/rg 5.0 1.0", "temp pe press"),
    ("compute a all ave/sphere/atom\ncompute b all reduce sum c_a[1] c_a[2]", "c_b[1] c_b[2]"),
])
def test_masses_of_atoms_count(tmp_path: Path, lines: str, words: str) -> None:
    """Not those of their types, which have none."""
    script = BASE.format(style="sphere") + f"fix 1 all nve/sphere\n{lines}\nthermo_style custom step {words}\n"
    found, expected = both_tables(tmp_path, script + "thermo_modify format float %.17g\nthermo 5\nrun 10\n")
    same_tables(found, expected, 1e-9)


@pytest.mark.parametrize("fix", ["electron/stopping/fit 0.01 0.3 0.2 0.02 0.4 0.1", "electron/stopping 0.01 powers minneigh 0",
                                 "atom/swap 2 9 4711 0.5 types 1 2"])
def test_masses_of_atoms_are_those_of_types(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fix: str) -> None:
    """The same run with masses of atoms and of types."""
    monkeypatch.chdir(tmp_path)
    Path("powers").write_text("0.0 0.1 0.2\n50.0 5.0 7.0\n")
    found = []
    for style, masses in (("sphere", "set group all mass 2.0"), ("atomic", "mass * 2.0")):
        sim = Simulation(screen="none", device="serial", tune=False)
        sim.commands(crystal("0 3 0 3 0 3", types=2, first=f"atom_style {style}") + f"{masses}\nset atom 1*40 type 2\n"
                     "velocity all create 1.44 87287 loop all\npair_style lj/cut 2.5\npair_coeff * * 1.0 1.0\n"
                     f"pair_coeff 2 2 0.8 0.9\nfix 1 all nve\nfix 2 all {fix}\nrun 10")
        found.append(sim.gather("v"))
        sim.close()
    np.testing.assert_allclose(found[0], found[1], rtol=1e-11, atol=1e-11)
