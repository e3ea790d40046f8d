"""Pure functions of replica exchange and elastic bands."""

from __future__ import annotations

import math

import numpy as np
import pytest

from everlet.run.replicas.exchange import accepted, exponent, partner, rescaling
from everlet.run.replicas.neb_forces import Springs, band_forces


def test_partners_are_pairs_of_neighbours() -> None:
    assert [partner(k, 5, odd=False) for k in range(5)] == [1, 0, 3, 2, -1]
    assert [partner(k, 5, odd=True) for k in range(5)] == [-1, 2, 1, 4, 3]


def test_swaps_obey_detailed_balance() -> None:
    energies, temperatures = (-3.0, -2.2), (0.8, 1.1)
    there, back = exponent(energies, temperatures, 1.0), exponent(energies[::-1], temperatures, 1.0)
    assert there == -back
    weight = [math.exp(-e / t) for e, t in zip(energies, temperatures, strict=True)]
    swapped = [math.exp(-e / t) for e, t in zip(energies[::-1], temperatures, strict=True)]
    assert math.exp(there) == pytest.approx(math.prod(swapped) / math.prod(weight))
    assert accepted(0.0, lambda: pytest.fail("no number is needed"))
    assert accepted(-1.0, lambda: 0.36) and not accepted(-1.0, lambda: 0.37)
    assert rescaling(2.0, 8.0) == 2.0


def test_swaps_leave_canonical_distributions() -> None:
    """60 springs: energies of each temperature are Gamma(30) kT. Drawn anew, then swapped: they must stay so."""
    draw, temperatures = np.random.default_rng(11), np.array([1.0, 1.15, 1.3, 1.5])
    found, swaps = [], 0
    for turn in range(20_000):
        energies = draw.gamma(30.0, temperatures)
        for low in range(turn % 2, 3, 2):
            pair = (float(energies[low]), float(energies[low + 1]))
            if accepted(exponent(pair, (float(temperatures[low]), float(temperatures[low + 1])), 1.0), draw.random):
                energies[[low, low + 1]] = energies[[low + 1, low]]
                swaps += 1
        found.append(energies / temperatures)
    assert 0.3 < swaps / 30_000 < 0.7
    scaled = np.array(found)
    assert np.all(abs(scaled.mean(axis=0) - 30.0) < 5.0 * np.sqrt(30.0 / 20_000))
    assert np.all(abs(scaled.var(axis=0) / 30.0 - 1.0) < 5.0 * np.sqrt(2.2 / 20_000))


def test_bands_are_those_of_ase() -> None:
    """Improved tangents, springs between neighbours, and the climbing image."""
    ase = pytest.importorskip("ase")
    from ase.calculators.singlepoint import SinglePointCalculator
    from ase.mep import NEB

    draw = np.random.default_rng(5)
    energies = [0.0, 0.4, 1.1, 0.9, 0.2, 0.3]
    x = draw.normal(size=(6, 4, 3)) + np.arange(6)[:, None, None]
    f = draw.normal(size=x.shape)
    images = []
    for place, force, energy in zip(x, f, energies, strict=True):
        image = ase.Atoms("H4", positions=place)
        image.calc = SinglePointCalculator(image, energy=energy, forces=force)
        images.append(image)
    for climb in (False, True):
        theirs = NEB(images, k=0.7, climb=climb, method="improvedtangent", allow_shared_calculator=True).get_forces()
        ours, band = band_forces(Springs(0.7), energies, np.diff(x, axis=0), f, climber=2 if climb else None)
        assert np.allclose(np.concatenate(ours[1:-1]), theirs, atol=1e-12)
        assert np.array_equal(ours[0], f[0]) and np.array_equal(ours[-1], f[-1]) and band.highest() == 2


def test_perpendicular_springs_and_ideal_places() -> None:
    """A straight path with equal pieces has no springs; a kink is pulled across the tangent alone."""
    straight = np.array([[[1.0, 0, 0]], [[1.0, 0, 0]], [[1.0, 0, 0]]])
    force, energies = np.zeros((4, 1, 3)), [0.0, 1.0, 2.0, 1.5]
    for springs in (Springs(3.0, "ideal", 5.0), Springs(3.0, "neigh", 5.0), Springs(3.0, "equal")):
        assert np.allclose(band_forces(springs, energies, straight, force)[0], 0.0)
    turned = np.array([[[1.0, 0, 0]], [[0, 1.0, 0]], [[0, 1.0, 0]]])
    made = band_forces(Springs(0.0, perpendicular=5.0), energies, turned, force)[0]
    assert np.allclose(made[1], [[-5.0, 0.0, 0.0]])  # the tangent is y: uphill
    apart = band_forces(Springs(3.0, "ideal"), energies, 1.0 * straight * np.array([2.0, 1.0, 1.0])[:, None, None], force)[0]
    assert np.allclose(apart[1], [[-3.0 * (2.0 - 4.0 / 3.0) / (2.0 * 4.0 / 3.0), 0.0, 0.0]])
