"""Molecules that commands have changed, in a run, between runs and on several ranks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mpi.ranks import run_scripts
from tests.oracle.harness import Tolerances, compare, read_result
from tests.oracle.molecules import mixed
from tests.oracle.test_molecules import MIXED

EDITS = """replicate 2 2 1
group g id 3 9 16 30
delete_atoms group g bond yes
special_bonds lj/coul 0 0.2 0.3
fix 1 all nve
velocity all create 1 4711 loop geom
comm_modify cutoff 5
thermo 10
run 20
create_bonds single/bond 1 20 21
create_bonds many all all 2 0 1.2
delete_bonds g bond 1 any remove special
dump 1 all custom 10 forces.dump id type xu yu zu fx fy fz
dump_modify 1 format float %.15g sort id
run 20
"""


@pytest.mark.parametrize("ranks", [2, pytest.param(3, marks=pytest.mark.all)])
def test_ranks_agree(ranks: int, tmp_path: Path) -> None:
    mixed(tmp_path / "mixed.data")
    scripts = {"edits": (MIXED + EDITS, {"mixed.data": (tmp_path / "mixed.data").read_text()})}
    alone, several = (run_scripts(count, scripts, tmp_path) for count in (1, ranks))
    compare(read_result(several["edits"]), read_result(alone["edits"]), Tolerances(1e-11, 1e-8))
