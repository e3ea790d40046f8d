"""A small liquid under any fixes, sampled as it runs, and how its samples compare with what an ensemble says of them.

Samples follow each other and are correlated. So they are cut into BLOCKS pieces, each many correlation times long; means of
pieces are independent and nearly normal, and the distance of their mean from the expected one, in standard errors, is
Student's t with BLOCKS - 1 degrees of freedom. `LIMIT` is passed by chance once in 1e5 checks of a right ensemble.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import optimize, stats

from everlet import Simulation
from tests.scripts import crystal

ATOMS, HALF, MASSES = 108, 54, (1.0, 4.0)
T = 1.4
EVERY, BLOCKS = 10, 30
FALSE_ALARMS = 1e-5  # of one check, on a machine whose last digits are new
LIMIT = float(stats.t.ppf(1.0 - FALSE_ALARMS / 2, BLOCKS - 1))  # 5.3
LIQUID = crystal("0 3 0 3 0 3", "fcc 0.75", types=2) + """
set group all type/subset 2 54 4711
mass 1 1.0
mass 2 4.0
group light type 1
group heavy type 2
velocity all create 2.3 87287 loop all
pair_style lj/cut 1.6
pair_modify shift yes
pair_coeff * * 1.0 1.0
neighbor 0.9 bin
compute light light ke
compute heavy heavy ke
thermo_style custom step ke c_thermo_temp[1] c_thermo_temp[2] c_thermo_temp[3] c_light c_heavy etotal vol press
thermo_modify norm no
thermo 10
"""


@dataclass(frozen=True)
class Ensemble:
    """Fixes, and what they take away: the sum of momenta (zero from the start), so that each atom lacks a part of its three
    degrees of freedom that goes with its mass, or kinetic energy (`scaled`: the thermostat scales what it draws to the target
    with three degrees of freedom less than there are), so that all lack the same."""

    fixes: str
    keeps_momentum: bool = False
    scaled: bool = False
    cost: float = 1.0  # time of a step relative to that of fix nvt: dear ones make fewer

    def share(self, mass: float) -> float:
        """Degrees of freedom of the atoms of this mass."""
        return 3.0 * HALF * (1.0 - self.keeps_momentum * mass / (HALF * sum(MASSES)) - self.scaled / ATOMS)

    @property
    def freedom(self) -> float:
        return sum(self.share(mass) for mass in MASSES)


@cache
def sampled(ensemble: Ensemble, steps: int) -> dict[str, np.ndarray]:
    """Columns of the thermo output every EVERY steps, after 1000 steps to forget the start."""
    sim = Simulation(device="serial", tune=False)
    sim.commands(LIQUID + ensemble.fixes + "\nrun 1000\n")
    count = int(steps / ensemble.cost) // EVERY // BLOCKS * BLOCKS
    sim.run(count * EVERY)
    return {name: np.asarray(values, float)[-count:] for name, values in sim.thermo.table().items()}


def pieces(values: np.ndarray) -> np.ndarray:
    """Means of the blocks."""
    return np.asarray(values.reshape(BLOCKS, -1).mean(1))


def distance(values: np.ndarray, expected: float) -> float:
    """Distance of the mean from what is expected, in standard errors of the mean."""
    means = pieces(values)
    return float((means.mean() - expected) / (means.std(ddof=1) / np.sqrt(BLOCKS)))


def kinetic(ensemble: Ensemble, found: dict[str, np.ndarray]) -> dict[str, float]:
    """Mean and variance of the kinetic energy K = sum m v^2 / 2: f T/2 and f T^2/2 of f degrees of freedom."""
    mean = 0.5 * ensemble.freedom * T
    return {"mean": distance(found["ke"], mean), "variance": distance((found["ke"] - mean) ** 2, mean * T)}


def equipartition(ensemble: Ensemble, found: dict[str, np.ndarray]) -> dict[str, float]:
    """Directions have the same energy, and light and heavy atoms the same temperature."""
    x, y, z = (found[f"c_thermo_temp[{k}]"] for k in (1, 2, 3))
    light, heavy = (found[name] / ensemble.share(mass) for name, mass in zip(("c_light", "c_heavy"), MASSES, strict=True))
    return {"x and y": distance(x - y, 0.0), "y and z": distance(y - z, 0.0), "masses": distance(light - heavy, 0.0)}


def strength(low: np.ndarray, high: np.ndarray) -> float:
    """The b for which volumes at two pressures are distributed as  P(V | high) / P(V | low) = exp(a - b V),  by largest
    likelihood. The ensemble says  b = (p_high - p_low) / T,  whatever the equation of state is: Shirts, J. Chem. Theory
    Comput. 9, 909 (2013)."""
    middle = 0.5 * (low.mean() + high.mean())
    width = low.std()

    def against(ab: np.ndarray) -> float:
        a, b = ab
        return float(np.logaddexp(0.0, a - b * (low - middle) / width).mean()
                     + np.logaddexp(0.0, -a + b * (high - middle) / width).mean())

    return float(optimize.minimize(against, np.zeros(2)).x[1] / width)


def strength_distance(low: np.ndarray, high: np.ndarray, expected: float) -> float:
    """Distance of `strength` from what is expected, in standard errors of a jackknife over blocks."""
    whole = strength(low, high)
    low, high = low.reshape(BLOCKS, -1), high.reshape(BLOCKS, -1)
    without = [strength(np.delete(low, k, 0).ravel(), np.delete(high, k, 0).ravel()) for k in range(BLOCKS)]
    error = np.sqrt((BLOCKS - 1.0) * np.var(without))
    return float((whole - expected) / error)
