"""Atoms with dipoles against the reference go into files and come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.side_by_side import same_through_files
from tests.refusals import refused
from tests.scripts import crystal
from tests.tables import rows

BASE = crystal("0 3 0 3 0 3", "fcc 0.7", types=2, first="atom_style hybrid sphere dipole") + """
set group all type/fraction 2 0.4 991
mass * 1.0
set group all density 1.3
set type 1 charge 0.7
set type 2 charge -1.1
set type 1 dipole/random 4711 0.8
set type 2 dipole 0.3 -0.2 0.5
set type 2 omega 0.3 -0.2 1.5
"""


def test_data_files_go_both_ways(tmp_path: Path) -> None:
    same_through_files(tmp_path, BASE, "units lj\natom_style hybrid sphere dipole\n",
                       "id type mux muy muz mu q mass omegax x y z")


@pytest.mark.parametrize("lines, cause", rows("""
fix 1 all nve/sphere update omega -> can update
set atom 2 dipole/random 99 -1 -> length -1
set atom 2 dipole 1 2 v_none -> none
"""))
def test_refused(lines: str, cause: str) -> None:
    refused(BASE, lines, cause)
