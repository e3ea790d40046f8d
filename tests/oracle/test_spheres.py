"""Atoms with a size, a mass of their own and an angular velocity, against the reference."""

from __future__ import annotations

from pathlib import Path

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
