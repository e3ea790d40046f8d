"""Ensembles by their distributions: kinetic energies, equipartition, volumes.

Runs are short by default and ten times as long with `-m slow`. By default a kinetic energy is known to some 0.5 %, its variance
to 10 %, the strength with which volumes are distributed to 20 %: a factor of two is seen anywhere. temp/berendsen and
press/berendsen, whose fluctuations are known to be too small, must be found out. False alarms: ensembles.FALSE_ALARMS for each
of some 60 checks, so on one new machine in 1500.

Damping times are such that what the methods themselves lack does not count: noise of fix langevin is uniform, which makes
variances too small by 0.6 dt/DAMP of themselves, and fix temp/csld scales what it draws (up to dt/DAMP).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.unit.ensembles import LIMIT, Ensemble, T, distance, equipartition, kinetic, sampled, strength_distance

LOW, HIGH = 1.7, 2.3  # pressures
NVE = "fix 1 all nve\n"
NPT = "fix 1 all npt temp 1.4 1.4 0.1 iso {p} {p} 0.3"
NPH = "fix 1 all nph iso {p} {p} 0.3\nfix 2 all langevin 1.4 1.4 0.25 12345"
CANONICAL = {
    "nvt": Ensemble("fix 1 all nvt temp 1.4 1.4 0.1", keeps_momentum=True),
    "langevin": Ensemble(NVE + "fix 2 all langevin 1.4 1.4 0.25 4711"),
    "gjf": Ensemble("fix 1 all gjf 1.4 1.4 0.1 99"),
    "csvr": Ensemble(NVE + "fix 2 all temp/csvr 1.4 1.4 0.05 11", keeps_momentum=True),
    "csld": Ensemble(NVE + "fix 2 all temp/csld 1.4 1.4 0.2 47", scaled=True, cost=2.5),
    "sllod": Ensemble("fix 2 all deform 1 x erate 0.0 remap v\nfix 1 all nvt/sllod temp 1.4 1.4 0.1", keeps_momentum=True,
                      cost=2.5),
    "npt": Ensemble(NPT.format(p=LOW), keeps_momentum=True, cost=1.3),
    "nph and langevin": Ensemble(NPH.format(p=LOW), cost=1.3),
}
# velocities at the end of a step have an error of order dt^2 there
VFULL = Ensemble("timestep 0.003\nfix 1 all gjf 1.4 1.4 0.1 2301 vel vfull method 3")
BERENDSEN = Ensemble(NVE + "fix 2 all temp/berendsen 1.4 1.4 0.1", keeps_momentum=True)
SQUEEZED = Ensemble(NVE + f"fix 2 all temp/csvr 1.4 1.4 0.05 11\nfix 3 all press/berendsen iso {LOW} {LOW} 0.3 modulus 20",
                    keeps_momentum=True)
LENGTHS = [4000, pytest.param(50_000, marks=pytest.mark.slow)]


@pytest.mark.parametrize("steps", LENGTHS)
@pytest.mark.parametrize("name", [*CANONICAL, pytest.param("gjf vfull", marks=pytest.mark.slow)])
def test_kinetic_energies_are_canonical(name: str, steps: int) -> None:
    ensemble = CANONICAL.get(name, VFULL)
    found = sampled(ensemble, steps)
    scores = kinetic(ensemble, found) | equipartition(ensemble, found)
    if "np" in name:
        scores["pressure"] = distance(found["press"], LOW)
    assert all(abs(score) < LIMIT for score in scores.values()), scores


@pytest.mark.parametrize("steps", LENGTHS)
def test_nve_stays_on_its_shell(steps: int) -> None:
    """The sum of energies does not follow kinetic energy, which moves; energy is equally shared. Forces end at 2.5, where
    they are small: at 1.6 the energy would walk away."""
    ensemble = Ensemble("pair_coeff * * 1.0 1.0 2.5\n" + NVE, keeps_momentum=True)
    found = sampled(ensemble, steps)
    assert found["etotal"].std() < 0.05 * found["ke"].std()
    scores = equipartition(ensemble, found)
    assert all(abs(score) < LIMIT for score in scores.values()), scores


@pytest.mark.parametrize("steps", LENGTHS)
def test_berendsen_is_found_out(steps: int) -> None:
    """Its mean is right, its fluctuations are too small."""
    scores = kinetic(BERENDSEN, sampled(BERENDSEN, steps))
    assert scores["variance"] < -LIMIT


@pytest.mark.parametrize("steps", LENGTHS)
@pytest.mark.parametrize("name", ["npt", pytest.param("nph and langevin", marks=pytest.mark.slow)])
def test_volumes_are_those_of_constant_pressure(name: str, steps: int) -> None:
    score = strength_distance(*at_two_pressures(CANONICAL[name], steps), (HIGH - LOW) / T)
    assert abs(score) < LIMIT, score


@pytest.mark.slow
def test_scaled_volumes_are_found_out() -> None:
    """press/berendsen: volumes are less spread than their mean changes with pressure, var V = - T d<V>/dp."""
    low, high = at_two_pressures(SQUEEZED, 10_000)
    wanted = T * (low.mean() - high.mean()) / (HIGH - LOW)
    assert distance((low - low.mean()) ** 2, wanted) < -LIMIT


def at_two_pressures(ensemble: Ensemble, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Volumes."""
    higher = replace(ensemble, fixes=ensemble.fixes.replace(f"iso {LOW} {LOW}", f"iso {HIGH} {HIGH}"))
    return sampled(ensemble, steps)["vol"], sampled(higher, steps)["vol"]
