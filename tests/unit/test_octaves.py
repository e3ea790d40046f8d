"""Coulomb forces by look-up in parts of octaves: lanes, scalars and plain Python against erfc, from far to very near."""

# ruff: noqa: F821

import numpy as np

from everlet.forces.pair.splitting import by_octaves, exact_pair, octave_tables
from everlet.portable import Kernel, Serial, View, f64, i64, parallel_for, portable

G, CUT = 0.27, 10.0


@portable
def in_lanes(i, n: i64, r2: f64[:], data: f64[:], force: f64[:], energy: f64[:]):
    p = record(data, 0)
    for q in lane_range(n):
        f, e = by_octaves(load(r2, q), p, data)
        store(force, q, f)
        store(energy, q, e)


@portable
def one_by_one(i, n: i64, r2: f64[:], data: f64[:], force: f64[:], energy: f64[:]):
    p = record(data, 0)
    force[i], energy[i] = by_octaves(r2[i], p, data)


def test_forces_and_energies_by_octaves():
    tables, rng, n = octave_tables(G, CUT), np.random.default_rng(5), 640
    data = np.concatenate([[0.0, 0.0, G, 6.0, 6.0 + len(tables[0]), 0.0], *tables])
    r2 = np.concatenate([rng.uniform(0.3, CUT**2, n - 44), CUT**2 * 2.0 ** rng.uniform(-26.0, 0.0, 40), [64.0, 1.0, CUT**2],
                         [CUT**2 * 2.0**-29]])
    expected = exact_pair(r2, G)
    bare = r2**-1.5, r2**-0.5
    space, found = Serial(), []
    for body, items in ((in_lanes, 1), (one_by_one, n)):
        given, table, force, energy = (View(size, np.float64, space) for size in (n, len(data), n, n))
        given.put(r2)
        table.put(data)
        parallel_for(space, items, Kernel(body, fields=("a",)), n, given, table, force, energy)
        found.append((force.get(), energy.get()))
    found.append(tuple(np.array([by_octaves(float(value), None, data) for value in r2]).T))
    for force, energy in found:
        assert np.isnan(force[-1]) and np.isnan(energy[-1])  # nearer than any table: an error that runs notice
        for got, wanted, size in zip((force, energy), expected, bare, strict=True):
            assert np.abs((got - wanted) / size)[:-1].max() < 1e-13
