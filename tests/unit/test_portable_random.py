"""Random numbers of kernels: published answers, the same whole numbers on every space, and their statistics."""
# mypy: ignore-errors

from __future__ import annotations

import math

import numpy as np
import pytest

from everlet.portable import Kernel, Serial, View, f64, i32, i64, parallel_for, portable
from everlet.portable.random import normals, philox, random4, uniforms
from tests.unit.spaces import every_made

pytestmark = pytest.mark.filterwarnings("ignore:overflow")  # of products in plain Python: whole numbers wrap
# counter, key, answer: the known-answer tests that the authors of Philox publish
ANSWERS = [
    ([0, 0, 0, 0], [0, 0], [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    ([2**32 - 1] * 4, [2**32 - 1] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
    ([0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], [0xA4093822, 0x299F31D0],
     [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1]),
]


@portable
def scramble(i, given: i64[:, 6], out: i64[:, 4]):
    a, b, c, d = philox(given[i, 0], given[i, 1], given[i, 2], given[i, 3], given[i, 4], given[i, 5])
    out[i, 0], out[i, 1], out[i, 2], out[i, 3] = a, b, c, d


@portable
def words(i, seed: i64, step: i64, id: i32[:], out: i64[:, 4]):
    out[i, 0], out[i, 1], out[i, 2], out[i, 3] = random4(seed, id[i], step, 2)


@portable
def flat(i, seed: i64, step: i64, id: i32[:], out: f64[:, 4]):
    out[i, 0], out[i, 1], out[i, 2], out[i, 3] = uniforms(seed, id[i], step, 2)


@portable
def bell(i, seed: i64, step: i64, id: i32[:], out: f64[:, 4]):
    out[i, 0], out[i, 1], out[i, 2], out[i, 3] = normals(seed, id[i], step, 2)


KERNELS = [Kernel(body) for body in (scramble, words, flat, bell)]  # test_ptx.py compiles them for a GPU


def drawn(space, body, ids, seed=12345, step=7, dtype=np.float64):
    id, out = View(len(ids), np.int32, space), View((len(ids), 4), dtype, space)
    id.put(ids)
    parallel_for(space, len(ids), body, seed, step, id, out)
    return out.get()


@every_made
def test_published_answers(make):
    space = make()
    given, out = View((3, 6), np.int64, space), View((3, 4), np.int64, space)
    given.put([counter + key for counter, key, _ in ANSWERS])
    parallel_for(space, 3, scramble, given, out)
    assert out.get().tolist() == [answer for *_, answer in ANSWERS]
    assert [list(philox(*counter, *key)) for counter, key, _ in ANSWERS] == out.get().tolist()  # plain Python, too


@every_made
def test_every_space_draws_the_same(make):
    space, ids, step = make(), np.array([1, 2, 5, 2**31 - 1, -3]), 2**40 + 3
    found = drawn(space, words, ids, 900000000, step, np.int64)
    assert found.tolist() == [list(random4(900000000, int(one), step, 2)) for one in ids]
    assert len(set(found.reshape(-1))) == 20
    assert np.array_equal(drawn(space, flat, ids, 900000000, step), (found + 0.5) / 2**32)
    expected = [normals(900000000, int(one), step, 2) for one in ids]
    assert drawn(space, bell, ids, 900000000, step) == pytest.approx(np.array(expected), rel=1e-13)


def test_any_argument_makes_other_numbers():
    base = (77, 5, 11, 0)
    seen = {random4(*base)}
    for k in range(4):
        for change in (1, 2**31, *((2**32, 2**62) if k in (1, 2) else ())):
            seen.add(random4(*(value + change * (j == k) for j, value in enumerate(base))))
    assert len(seen) == 13


def test_statistics():
    ids = np.arange(50000)
    u, g = drawn(Serial(), flat, ids), drawn(Serial(), bell, ids)
    n = u.size
    assert 0.0 < u.min() < 1e-4 and 1.0 - 1e-4 < u.max() < 1.0
    assert abs(u.mean() - 0.5) < 4 / math.sqrt(12 * n) and abs(u.var() - 1 / 12) < 4 / math.sqrt(180 * n)
    assert abs(g.mean()) < 4 / math.sqrt(n) and abs(g.var() - 1.0) < 4 * math.sqrt(2 / n)
    assert abs((g**4).mean() - 3.0) < 4 * math.sqrt(96 / n)
    for sample in (u - 0.5, g):
        assert abs(np.corrcoef(sample.T) - np.eye(4)).max() < 4 / math.sqrt(len(ids))  # the four of an item
        assert abs(np.corrcoef(sample[1:, 0], sample[:-1, 0])[0, 1]) < 4 / math.sqrt(len(ids))  # neighbours
    later = drawn(Serial(), bell, ids, step=8)
    assert abs(np.corrcoef(g.reshape(-1), later.reshape(-1))[0, 1]) < 4 / math.sqrt(n)
