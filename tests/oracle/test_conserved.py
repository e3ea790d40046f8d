"""Conserved quantities of thermostats and barostats (thermo word econserve) move no more than those of the reference.

The same start gives the same motion for some hundred steps: there both have the same values. Later motions differ, and so
do drifts of single runs: means over seeds are compared, in standard errors of both.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.oracle.harness import run_everlet, run_lmp
from tests.scripts import crystal

LIQUID = crystal("0 3 0 3 0 3", "fcc 0.8", first="atom_modify sort 0 0") + """
mass 1 1.0
velocity all create 2.6 {seed} loop all
pair_style lj/cut 2.5
pair_modify shift yes
pair_coeff 1 1 1.0 1.0
{fixes}
thermo_style custom step temp ecouple econserve
thermo_modify format float %.17g
thermo 20
run {steps}
"""
FIXES = {
    "nvt": "fix 1 all nvt temp 1.4 1.4 0.5",
    "npt": "fix 1 all npt temp 1.4 1.4 0.5 iso 2.0 2.0 2.0",
    "npt aniso": "fix 1 all npt temp 1.4 1.4 0.5 aniso 2.0 2.0 2.0",
    "langevin": "fix 1 all nve\nfix 2 all langevin 1.4 1.4 0.5 4711 tally yes",
    "csvr": "fix 1 all nve\nfix 2 all temp/csvr 1.4 1.4 0.5 4711",
}
SEEDS = (87287, 1234, 999, 5, 31)
FALSE_ALARMS = 1e-4  # of a comparison of drifts


def conserved(name: str, seed: int, steps: int, folder: Path, cache: Path) -> tuple[np.ndarray, np.ndarray]:
    """Energies per atom that should stay what they are: ours, and the reference's."""
    script = LIQUID.format(seed=seed, fixes=FIXES[name], steps=steps)
    runs = run_everlet(script, {}, folder, device="serial"), run_lmp(script, {}, cache)
    ours, theirs = (run.thermo[0] for run in runs)
    assert np.abs(theirs["Ecouple"]).max() > 0.1  # the fix has done something
    return ours["Econserve"], theirs["Econserve"]


def drift(energy: np.ndarray) -> float:
    """How far the line through the samples goes up."""
    return float(np.polyfit(np.linspace(0.0, 1.0, len(energy)), energy, 1)[0])


@pytest.mark.parametrize("name", FIXES)
def test_drifts_of_the_same_motion_are_the_same(name: str, tmp_path: Path) -> None:
    ours, theirs = conserved(name, SEEDS[0], 400, tmp_path / "ours", tmp_path)
    assert np.abs(ours - theirs).max() < 1e-8 * np.abs(theirs).max()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nvt", "npt aniso", "langevin", "csvr"])  # npt iso: econserve itself drifts, see scripts.md
def test_drifts_of_long_runs_are_alike(name: str, tmp_path: Path) -> None:
    runs = [conserved(name, seed, 10_000, tmp_path / str(seed), tmp_path) for seed in SEEDS]
    ours, theirs = (np.array([drift(run[k]) for run in runs]) for k in (0, 1))
    error = np.sqrt((ours.var(ddof=1) + theirs.var(ddof=1)) / len(SEEDS))
    limit = stats.t.ppf(1.0 - FALSE_ALARMS, 2 * len(SEEDS) - 2)
    assert abs(ours.mean()) < abs(theirs.mean()) + limit * error
    width, wanted = (np.mean([np.std(np.diff(run[k])) for run in runs]) for k in (0, 1))  # noise from sample to sample
    assert width < 1.05 * wanted
