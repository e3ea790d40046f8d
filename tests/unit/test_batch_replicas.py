"""On top of batches: replica exchange, elastic bands, workers."""

from __future__ import annotations

from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

from everlet import Batch
from everlet.errors import InputError
from everlet.run.graphs import Replay
from tests.unit.test_batch import COPPER, LJ, MELTS, batch

SPRINGS = "pair_style zero 1.0\npair_coeff * *\nbond_style harmonic\nbond_coeff 1 1.0 0.0\ntimestep 0.05\nneighbor 9.0 bin\n"
PAIRS = 10


def springs(seed: int) -> dict[str, Any]:
    """Pairs of atoms that are held together by springs of length 0: E = r^2, of which canonical energies are known."""
    rng, first = np.random.default_rng(seed), 2 * np.arange(PAIRS)
    return {"positions": 10.0 + rng.normal(size=(2 * PAIRS, 3)), "types": 1 * np.ones(2 * PAIRS, int), "cell": [50.0] * 3,
            "masses": np.ones(2 * PAIRS), "bonds": np.stack([first, first + 1], 1)}


def test_exchange_samples_canonical_distributions() -> None:
    """Energies at each temperature have the gamma distribution of 3 PAIRS / 2: the mean within 4 errors of block averages, and
    thinned samples by the test of Kolmogorov and Smirnov. Systems wander over the ladder."""
    stats = pytest.importorskip("scipy.stats")
    ladder = [1.0, 1.3, 1.7, 2.2]
    runs = Batch([springs(k) for k in range(4)], units="lj", commands=SPRINGS, device="cpu", threads=1, seed=3)
    runs.fix.nve()
    runs.fix.langevin(temp=ladder, damp=0.7)
    runs.set_temperature(ladder)
    swapping = runs.exchange(every=20)
    runs.run(16000, every=20)
    table, history = runs.thermo, np.array(swapping.history)
    energy = table["pe"].reshape(-1, 4)
    before = history[:, 1:][:-1]  # places on the ladder from one exchange to the next
    energy = energy[1 : 1 + len(before)]
    at = np.empty_like(energy)
    np.put_along_axis(at, before, energy, axis=1)
    at = at[20:]
    for k, temp in enumerate(ladder):
        blocks = np.array([part.mean() for part in np.array_split(at[:, k], 26)])
        error = blocks.std(ddof=1) / np.sqrt(len(blocks))
        assert abs(at[:, k].mean() - 1.5 * PAIRS * temp) < 4.0 * error, temp
        assert error < 0.05 * 1.5 * PAIRS * temp
        assert stats.kstest(at[::8, k], stats.gamma(1.5 * PAIRS, scale=temp).cdf).pvalue > 1e-3, temp
    assert (swapping.ratios > 0.1).all() and (swapping.ratios < 0.95).all()
    assert all(len(set(history[:, 1 + k])) == 4 for k in range(4))
    assert sorted(swapping.temperatures) == ladder


def test_exchange_needs_a_thermostat() -> None:
    with pytest.raises(InputError, match="thermostat"):
        batch(MELTS).exchange(every=10)


def test_bands_find_the_saddle_that_ase_finds() -> None:
    """A vacancy of copper changes places with a neighbour."""
    build, mep = pytest.importorskip("ase.build"), pytest.importorskip("ase.mep")
    optimize = pytest.importorskip("ase.optimize")
    from everlet.ase import Everlet

    crystal = build.bulk("Cu", a=3.615, cubic=True) * (2, 2, 2)
    near = int(crystal.get_distances(0, range(1, len(crystal)), mic=True).argmin()) + 1
    ends = [crystal.copy(), crystal.copy()]
    ends[1].positions[near] = crystal.positions[0]
    for one in ends:
        del one[0]
    relaxed = Batch(ends, commands=COPPER, device="cpu", threads=1)
    relaxed.minimize(ftol=1e-3)
    for one, x in zip(ends, relaxed.positions, strict=True):
        one.positions[:] = x
    images = [ends[0].copy() for _ in range(4)] + [ends[1]]
    band = mep.NEB(images, k=0.1, climb=True, method="improvedtangent")
    band.interpolate(mic=True)
    runs = Batch(images, commands=COPPER, device="cpu", threads=1)
    energies = runs.neb(spring=0.1, climb=True, fmax=0.01)
    for image in images:
        image.calc = Everlet(commands=COPPER, device="cpu", threads=1)
    optimize.FIRE(band, logfile=None).run(fmax=0.01, steps=200)
    theirs = np.array([image.get_potential_energy() for image in images])
    barrier = energies.max() - energies[0]
    assert barrier == pytest.approx(theirs.max() - theirs[0], abs=1e-4) and barrier > 0.5
    assert energies[0] == pytest.approx(energies[-1], abs=1e-6)


def test_images_must_be_of_the_same_atoms() -> None:
    with pytest.raises(InputError, match="images of a band"):
        batch(MELTS, deterministic=False).neb()


def made(executor: Executor | None) -> Batch:
    runs = Batch(MELTS, units="lj", commands=LJ, device="cpu", threads=1, deterministic=True, executor=executor, chunk=2)
    runs.fix.nvt(temp=[1.0, 1.5, 2.0], damp=0.3)
    runs.run(20, every=10)
    runs.run(10, every=10)
    return runs


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_workers_give_the_same_bits(kind: str) -> None:
    """Chunks of two systems, wherever they run; thermostats go on from one run to the next."""
    here = made(None)
    pool = ThreadPoolExecutor(2) if kind == "threads" else ProcessPoolExecutor(2, mp_context=get_context("spawn"))
    with pool as executor:
        there = made(executor)
        assert there.step == 30
        for a, b in zip(here.velocities, there.velocities, strict=True):
            assert np.array_equal(a, b)
        for name, column in here.thermo.items():
            assert np.array_equal(column, there.thermo[name]), name
        assert np.array_equal(here.minimize(ftol=1e-2), there.minimize(ftol=1e-2))
        np.testing.assert_allclose(here.energies, there.energies, rtol=1e-13)


@pytest.mark.parametrize("deterministic", [False, True])
def test_replayed_steps_are_ordinary_steps(monkeypatch: pytest.MonkeyPatch, deterministic: bool) -> None:
    """Steps of a batch are launches alone, which a GPU replays as graphs; here they are loops of a CPU."""
    found = []
    for replayed in (False, True):
        monkeypatch.setattr(Replay, "why_not", staticmethod(lambda loop, yes=replayed: "" if yes else "not asked for"))
        runs = Batch(MELTS, units="lj", commands=LJ + "package everlet scheme full\n", device="serial",
                     deterministic=deterministic)
        runs.fix.nvt(temp=[1.0, 2.0, 3.0], damp=0.3)
        runs.fix.langevin(temp=1.0, damp=2.0)
        runs.run(90, every=30)
        assert (runs.engine.loop is not None and runs.engine.loop.replay is not None) == replayed
        assert runs.engine.lists is not None and runs.engine.lists.decision.builds > 2
        found.append(runs)
    for a, b in zip(found[0].velocities, found[1].velocities, strict=True):
        assert np.array_equal(a, b)
    assert all(np.array_equal(column, found[1].thermo[name]) for name, column in found[0].thermo.items())
