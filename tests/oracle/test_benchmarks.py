"""The systems of `everlet bench`: both programs run the same thing, from energies and forces of the first step on."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet.perf.systems import SAMPLES
from tests.oracle.harness import COLUMNS, Case, Tolerances, compare, run_everlet, run_lmp
from tests.oracle.test_cases import cache  # noqa: F401  (a fixture)

FORCE = 1.0  # forces of the lattice cancel; these are not smaller than after a few steps


@pytest.mark.parametrize("name", SAMPLES)
def test_scripts_agree_with_the_reference(name: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    sample = SAMPLES[name]
    one = Case(name, sample.script(27 * sample.per_cell), "run 10", 5, [], columns=COLUMNS)
    expected = run_lmp(one.full_script(), {}, cache)
    assert expected.thermo[0]["Atoms"][0] == 27 * sample.per_cell
    found = run_everlet(one.full_script(), {}, tmp_path / "run", device="serial")
    compare(found, expected, Tolerances(1e-11, 1e-9, first_pressure=1e-9, force_scale=FORCE))
