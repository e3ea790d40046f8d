"""Replica exchange: who may swap temperatures with whom, and whether they do.

Systems with energies E_i at temperatures T_i swap these with the probability min(1, exp(Δ)),

    Δ = (E_i - E_j) (1/kT_i - 1/kT_j),

which leaves each temperature its canonical distribution; velocities are scaled by sqrt(T_new / T_old). Pure functions, for
worlds of scripts and for batches alike.

R. H. Swendsen and J. S. Wang, Phys. Rev. Lett. 57, 2607 (1986); Y. Sugita and Y. Okamoto, Chem. Phys. Lett. 314, 141 (1999).
"""

from __future__ import annotations

import math
from collections.abc import Callable


def partner(place: int, places: int, odd: bool) -> int:
    """The neighbour on the ladder of temperatures that `place` (0 to places - 1) is paired with, or -1: the pairs are 0-1, 2-3,
    …, or 1-2, 3-4, … if `odd`."""
    other = place + 1 if (place % 2 == 1) == odd else place - 1
    return other if 0 <= other < places else -1


def exponent(energies: tuple[float, float], temperatures: tuple[float, float], boltzmann: float) -> float:
    """Δ of two systems: the swap is certain if it is not negative."""
    return (energies[0] - energies[1]) * (1.0 / (boltzmann * temperatures[0]) - 1.0 / (boltzmann * temperatures[1]))


def accepted(delta: float, draw: Callable[[], float]) -> bool:
    """The criterion of Metropolis; a random number in (0, 1) is drawn only if it is needed."""
    return delta >= 0.0 or draw() < math.exp(delta)


def rescaling(old: float, new: float) -> float:
    """What velocities are multiplied by when the temperature of a system becomes another."""
    return math.sqrt(new / old)
