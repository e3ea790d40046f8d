"""Random molecules and ions, here and in the reference: the same energies, pressures and atoms, or the same refusals.

`pytest -m all tests/oracle/test_random_molecules.py` runs hundreds of them, with all styles of links and charges.
"""

from __future__ import annotations

import pytest

from tests.oracle.random_compare import compare_script
from tests.oracle.random_molecules import write_molecules
from tests.oracle.random_scripts import Script


def check(case: Script, tmp_path) -> None:
    found = compare_script(case, tmp_path, later=1e-7)
    if found.kind not in ("agree", "both refuse"):
        lines = "\n  ".join(found.lines[:10])
        pytest.fail(f"seed {case.seed}: {found.kind}\n  {lines}\n\n{case.text}")


@pytest.mark.parametrize("seed", range(8))
def test_water_and_trees(seed, tmp_path):
    check(write_molecules(seed, simple=True), tmp_path)


@pytest.mark.all
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_any_styles(seed, tmp_path):
    check(write_molecules(seed), tmp_path)


def test_same_seed_same_script():
    assert write_molecules(7).files == write_molecules(7).files != write_molecules(8).files
