"""Random streams: known digits, many at once = one by one, statistics."""

import math

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.portable import Reference, Serial, View
from everlet.settings import STARTED
from everlet.state import random
from everlet.state.random import MODULUS, Marsaglia, ParkMiller, PositionStreams, position_hash
from everlet.state.ranmar import Ranmar
from tests.unit.spaces import ON_GPUS


def plain_hash(seed: int, position: np.ndarray, signed: bool) -> int:
    """The position hash, byte by byte with Python's integers."""
    h = 0
    for byte in np.array([seed], np.int32).tobytes() + np.array(position, np.float64).tobytes():
        h = (h + (byte - 256 if signed and byte > 127 else byte)) % 2**32
        h = (h + (h << 10)) % 2**32
        h ^= h >> 6
    h = (h + (h << 3)) % 2**32
    h ^= h >> 11
    h = (h + (h << 15)) % 2**32
    return (h & 0x7FFFFFF) or 1


def test_known_state_after_ten_thousand_draws():
    """Park and Miller's own check of an implementation: seed 1 gives 1043618065 after 10000 draws."""
    stream = ParkMiller(1)
    stream.uniforms(10000)
    assert stream.state == 1043618065


def test_blocks_and_single_draws_agree():
    one, many = ParkMiller(4711), ParkMiller(4711)
    assert many.uniforms(1000).tolist() == [one.uniform() for _ in range(1000)]
    for count in (1, 2, 5, 0, 4, 333):
        assert many.gaussians(count).tolist() == [one.gaussian() for _ in range(count)]
        assert (many.state, many.kept) == (one.state, one.kept)


def test_gaussian_is_the_polar_method():
    stream, plain = ParkMiller(99), ParkMiller(99)
    while True:
        v1, v2 = 2.0 * plain.uniform() - 1.0, 2.0 * plain.uniform() - 1.0
        r2 = v1 * v1 + v2 * v2
        if 0.0 < r2 < 1.0:
            break
    f = math.sqrt(-2.0 * math.log(r2) / r2)
    assert [stream.gaussian(), stream.gaussian()] == pytest.approx([v2 * f, v1 * f], rel=1e-15)


def test_position_streams():
    x = np.random.default_rng(1).uniform(-20.0, 20.0, (200, 3))
    x[0] = 0.0
    for signed in (True, False):
        assert position_hash(87287, x, signed).tolist() == [plain_hash(87287, row, signed) for row in x]
    uniform, gaussian, one = PositionStreams(87287, x), PositionStreams(87287, x), ParkMiller(1)
    first = np.stack([uniform.uniform() for _ in range(3)], axis=1)
    second = np.stack([gaussian.gaussian() for _ in range(3)], axis=1)
    for i, row in enumerate(x):
        one.reset(87287, row)
        assert first[i].tolist() == [one.uniform() for _ in range(3)]
        one.reset(87287, row)
        assert second[i].tolist() == [one.gaussian() for _ in range(3)]


def test_streams_of_positions_as_on_x86(monkeypatch):
    x = np.random.default_rng(2).uniform(-20.0, 20.0, (40, 3))
    wanted = {signed: position_hash(5, x, signed).tolist() for signed in (True, False)}
    for machine in (True, False):
        monkeypatch.setattr(random, "SIGNED_BYTES", machine)
        for asked in ("", "x86-64"):
            monkeypatch.setitem(STARTED, "EVERLET_STREAMS", asked)
            for rows in (x, x[:3]):
                assert position_hash(5, rows).tolist() == wanted[machine or asked == "x86-64"][: len(rows)]
    monkeypatch.setitem(STARTED, "EVERLET_STREAMS", "sparc")
    with pytest.raises(InputError, match="EVERLET_STREAMS is 'sparc'"):
        position_hash(5, x)


def test_numbers_of_many_atoms():
    x = np.random.default_rng(1).uniform(0.0, 60.0, (256_000, 3))
    streams = PositionStreams(87287, x)
    values = np.stack([streams.gaussian() for _ in range(3)])
    every = ParkMiller(87287).gaussians(3 * len(x))
    for sample in (values, every):
        assert abs(sample.mean()) < 0.005 and abs(sample.std() - 1.0) < 0.005


def test_marsaglia():
    """RANMAR's published check: seeds ij = 1802, kl = 9373, then numbers 20001 to 20006 times 2^24."""
    stream = Marsaglia(1802 * 30082 + 9373 + 1)
    for _ in range(19999):  # one draw was made at the start
        stream.uniform()
    digits = [int(stream.uniform() * 2**24) for _ in range(6)]
    assert digits == [6533892, 14220222, 7275067, 6172232, 8354498, 10633180]
    sample = np.array([stream.gaussian() for _ in range(20000)])
    assert abs(sample.mean()) < 0.03 and abs(sample.std() - 1.0) < 0.03


@pytest.mark.parametrize("make", [Reference, Serial, *ON_GPUS])
def test_marsaglia_in_a_space(make):
    space = make()
    one, stream = Marsaglia(4711), Marsaglia(4711)
    many, out = Ranmar(space, stream.mark()), View(300, np.float64, space)
    for count in (1, 32, 0, 33, 97, 300):
        many.fill(count, out)
        assert out.get()[:count].tolist() == [one.uniform() for _ in range(count)]
    assert many.state.get().tolist() == one.mark()


def test_marsaglia_many_at_once():
    one, many = Marsaglia(900_000_000), Marsaglia(900_000_000)
    for count in (3, 0, 5000, 1000, 7, 12345):
        assert many.uniforms(count).tolist() == [one.uniform() for _ in range(count)]
    for count in (1, 2, 0, 5, 2000, 33):
        assert many.gaussians(count) == pytest.approx(np.array([one.gaussian() for _ in range(count)]), rel=1e-13)
        assert many.mark() == one.mark() and (many.kept is None) == (one.kept is None)


def test_subset_has_the_exact_size_and_no_preference():
    stream = Marsaglia(12345)
    counts = np.zeros(10)
    for _ in range(2000):
        mark = stream.subset(3, 10)
        assert mark.sum() == 3
        counts += mark
    assert abs(counts - 600).max() < 5 * math.sqrt(2000 * 0.3 * 0.7)
    assert stream.subset(0, 4).sum() == 0 and stream.subset(4, 4).sum() == 4


@pytest.mark.parametrize("seed", [0, -5, MODULUS])
def test_bad_seeds_are_refused(seed):
    for make in (ParkMiller, Marsaglia, lambda s: PositionStreams(s, np.zeros((1, 3)))):
        with pytest.raises(InputError, match="seed"):
            make(seed)
