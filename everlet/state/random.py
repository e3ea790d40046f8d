"""Random streams with the digits of the reference.

Park-Miller minimal standard:  s <- 16807 s mod (2^31 - 1),  uniform = s / (2^31 - 1) in (0, 1).
Gaussian by the polar method:  draw v1, v2 in (-1, 1) until 0 < r2 = v1^2 + v2^2 < 1,  f = sqrt(-2 ln r2 / r2);
v2 f is returned and v1 f is kept for the next call.

    ParkMiller(seed)                one stream
    PositionStreams(seed, x)        one stream per atom, seeded by the bits of the atom's position; drawn all at once
    Marsaglia(seed)                 lagged Fibonacci (RANMAR), for fix langevin and random subsets
    Ranmar(space, stream.mark())    the same in the memory of a space (ranmar.py)

A stream seeded by a position does not depend on how atoms are stored or spread over ranks, but the seed is a hash of
the coordinate bits: positions that differ in the last bit give unrelated numbers.
"""

from __future__ import annotations

import math
import platform
import sys
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.portable import Serial, parallel_team
from everlet.settings import given
from everlet.state.ranmar import DRAW

MULTIPLIER = 16807
MODULUS = 2**31 - 1
INVERSE = 1.0 / MODULUS  # the reference multiplies by the inverse, which is not the same in the last bit
WARMUP = 5  # draws thrown away after seeding from a position
BLOCK = 1 << 16  # draws made at once
FEW = 1000  # draws for which a kernel is not worth while
HERE = Serial()  # where kernels of this file run, whatever runs and waits elsewhere

# The hash of a position adds bytes as C's `char`, which has a sign on x86, on Windows and on macOS, and has none on
# other Linux machines (ARM, POWER, RISC-V). The reference follows the machine, and so do we: same machine, same digits. With
# EVERLET_STREAMS=x86-64 they are those of x86-64 everywhere, of which published logs are.
SIGNED_BYTES = platform.machine().lower() in ("x86_64", "amd64", "i686", "i386") or sys.platform in ("darwin", "win32")


X86 = "x86-64"
FEW_ROWS = 16  # are hashed one after the other
WORD = 0xFFFFFFFF


def _check_seed(seed: int, largest: int) -> int:
    if not 1 <= seed <= largest:
        raise InputError(f"random seed {seed} is out of range", f"use a whole number from 1 to {largest}")
    return seed


def _signed() -> bool:
    """Do bytes of positions have a sign?"""
    asked = given("EVERLET_STREAMS")
    if asked not in ("", X86):
        raise InputError(f"EVERLET_STREAMS is '{asked}'", f"set it to {X86}, or not at all: then streams follow this machine")
    return SIGNED_BYTES or asked == X86


def _hash_of(data: list[int]) -> int:
    """The same for one row."""
    h = 0
    for byte in data:
        h = h + byte & WORD
        h = h + (h << 10) & WORD
        h ^= h >> 6
    h = h + (h << 3) & WORD
    h ^= h >> 11
    h = h + (h << 15) & WORD
    return max(h & 0x7FFFFFF, 1)


def position_hash(seed: int, positions: np.ndarray, signed: bool | None = None) -> np.ndarray:
    """Stream states, one for each row of `positions` (n, 3): a one-at-a-time hash over the bytes of seed, x, y, z.

    The low byte of each number comes first; the last 27 bits of the hash are kept, and 0 becomes 1.
    """
    rows = np.ascontiguousarray(positions, "<f8").reshape(-1, 3)
    kind = np.int8 if (_signed() if signed is None else signed) else np.uint8
    if len(rows) <= FEW_ROWS:
        head = np.array([seed], "<i4").tobytes()
        return np.array([_hash_of(np.frombuffer(head + row.tobytes(), kind).tolist()) for row in rows], np.int64)
    data = np.empty((28, len(rows)), kind)
    data[:4] = np.array([seed], "<i4").view(data.dtype)[:, None]
    data[4:] = rows.view(data.dtype).T
    h = np.zeros(len(rows), np.uint32)
    for byte in data:
        h += byte.astype(np.int32).view(np.uint32)
        h += h << np.uint32(10)
        h ^= h >> np.uint32(6)
    h += h << np.uint32(3)
    h ^= h >> np.uint32(11)
    h += h << np.uint32(15)
    return np.maximum(h & np.uint32(0x7FFFFFF), 1).astype(np.int64)


def _powers(count: int) -> np.ndarray:
    """MULTIPLIER^1 ... MULTIPLIER^count mod MODULUS: the next `count` states of a stream in state 1."""
    powers = np.empty(count, np.int64)
    powers[:1] = MULTIPLIER
    done = 1
    while done < count:  # what is known, moved on by as many steps: the length doubles
        more = min(done, count - done)
        powers[done : done + more] = powers[:more] * powers[done - 1] % MODULUS
        done += more
    return powers


class Gaussians:
    """Gaussian numbers of a stream of uniform ones."""

    kept: float | None = None  # second value of the last pair

    def uniforms(self, count: int) -> np.ndarray:
        raise NotImplementedError

    def mark(self) -> Any:
        """Where the stream is."""
        raise NotImplementedError

    def back(self, mark: Any, draws: int) -> None:
        """Go to where the stream was so many draws after a mark."""
        raise NotImplementedError

    def gaussian(self) -> float:
        return float(self.gaussians(1)[0])

    def gaussians(self, count: int) -> np.ndarray:
        """The next `count` Gaussian draws, the same as that many calls of gaussian()."""
        parts: list[np.ndarray] = []
        have = 0
        if self.kept is not None and count > 0:
            parts, have, self.kept = [np.array([self.kept])], 1, None
        while have < count:
            wanted = (count - have + 1) // 2
            mark, pairs = self.mark(), min(wanted + wanted // 3 + 4, BLOCK)  # 1 - pi/4 of the pairs are rejected
            v = 2.0 * self.uniforms(2 * pairs).reshape(pairs, 2) - 1.0
            r2 = v[:, 0] * v[:, 0] + v[:, 1] * v[:, 1]
            good = np.flatnonzero((r2 < 1.0) & (r2 > 0.0))[:wanted]
            if len(good) == wanted:  # go back to just after the last pair that is used
                self.back(mark, 2 * (int(good[-1]) + 1))
            f = np.sqrt(-2.0 * np.log(r2[good]) / r2[good])
            parts.append((v[good, ::-1] * f[:, None]).reshape(-1))
            have += 2 * len(good)
        values = np.concatenate(parts) if parts else np.empty(0)
        if have > count:
            self.kept = float(values[count])
        return values[:count]


class ParkMiller(Gaussians):
    """One Park-Miller stream.

    >>> stream = ParkMiller(12345)
    >>> round(stream.uniform(), 9)
    0.096616529
    """

    def __init__(self, seed: int):
        self.state = _check_seed(seed, MODULUS - 1)

    def reset(self, seed: int, position: np.ndarray | None = None) -> None:
        """Start again from `seed`, or from `seed` and the bits of a position (x, y, z)."""
        self.state, self.kept = _check_seed(seed, MODULUS - 1), None
        if position is not None:
            self.state = int(position_hash(seed, np.asarray(position))[0])
            self.skip(WARMUP)

    def skip(self, count: int) -> None:
        """Throw away `count` uniform draws."""
        self.state = self.state * pow(MULTIPLIER, count, MODULUS) % MODULUS

    def uniform(self) -> float:
        self.state = self.state * MULTIPLIER % MODULUS
        return INVERSE * self.state

    def uniforms(self, count: int) -> np.ndarray:
        """The next `count` uniform draws."""
        if count == 0:
            return np.empty(0)
        states = _powers(count) * self.state % MODULUS
        self.state = int(states[-1])
        return INVERSE * states

    def mark(self) -> Any:
        return self.state

    def back(self, mark: Any, draws: int) -> None:
        self.state = mark
        self.skip(draws)


class PositionStreams:
    """One Park-Miller stream per atom, seeded by `seed` and the atom's position (n, 3); every call draws for all.

    The same digits as `ParkMiller.reset(seed, position)` atom by atom.
    """

    def __init__(self, seed: int, positions: np.ndarray):
        self.state = position_hash(_check_seed(seed, MODULUS - 1), positions)
        self.state = self.state * pow(MULTIPLIER, WARMUP, MODULUS) % MODULUS
        self.kept: np.ndarray | None = None

    def uniform(self) -> np.ndarray:
        self.state = self.state * MULTIPLIER % MODULUS
        return INVERSE * self.state

    def gaussian(self) -> np.ndarray:
        if self.kept is not None:
            values, self.kept = self.kept, None
            return values
        n = len(self.state)
        first, second, r2 = np.empty(n), np.empty(n), np.empty(n)
        todo = np.arange(n)
        while len(todo):  # only streams whose last pair was rejected draw again
            a = self.state[todo] * MULTIPLIER % MODULUS
            b = a * MULTIPLIER % MODULUS
            self.state[todo] = b
            v1, v2 = 2.0 * (INVERSE * a) - 1.0, 2.0 * (INVERSE * b) - 1.0
            first[todo], second[todo] = v1, v2
            r2[todo] = v1 * v1 + v2 * v2
            todo = todo[(r2[todo] >= 1.0) | (r2[todo] == 0.0)]
        f = np.sqrt(-2.0 * np.log(r2) / r2)
        self.kept = first * f
        return second * f


LEAST_CHANCE = 0.01  # of a draw in Marsaglia.subset


class Marsaglia(Gaussians):
    """Marsaglia and Zaman's lagged-Fibonacci generator RANMAR: lags 97 and 33, minus an arithmetic sequence.

    Uniform numbers in [0, 1) with 24 random bits, period about 2^144, seeds 1 to 900000000.
    """

    LARGEST_SEED = 900_000_000

    def __init__(self, seed: int):
        _check_seed(seed, self.LARGEST_SEED)
        ij, kl = divmod(seed - 1, 30082)
        i, j = ij // 177 % 177 + 2, ij % 177 + 2
        k, l = kl // 169 % 178 + 1, kl % 169  # noqa: E741  (names of the published algorithm)
        self.table = []
        for _ in range(97):
            bits = 0
            for _ in range(24):
                m = i * j % 179 * k % 179
                i, j, k = j, k, m
                l = (53 * l + 1) % 169  # noqa: E741
                bits = 2 * bits + (l * m % 64 >= 32)
            self.table.append(bits / 2**24)
        self.c, self.cd, self.cm = 362436 / 2**24, 7654321 / 2**24, 16777213 / 2**24
        self.i97, self.j97 = 96, 32
        self.uniform()  # the reference throws the first number away

    def uniform(self) -> float:
        value = self.table[self.i97] - self.table[self.j97]
        if value < 0.0:
            value += 1.0
        self.table[self.i97] = value
        self.i97, self.j97 = (self.i97 - 1) % 97, (self.j97 - 1) % 97
        self.c -= self.cd
        if self.c < 0.0:
            self.c += self.cm
        value -= self.c
        return value + 1.0 if value < 0.0 else value

    def uniforms(self, count: int) -> np.ndarray:
        """The next `count` uniform draws; many are drawn by a compiled kernel."""
        if count < FEW:
            return np.array([self.uniform() for _ in range(count)])
        state, out = np.array(self.mark()), np.empty(count)
        parallel_team(HERE, 1, DRAW, count, state, out)
        self.back(state, 0)
        return out

    def mark(self) -> Any:
        """The state as whole numbers: the last 97, the oldest first, and c."""
        return [int(x * 2**24) for x in [*self.table[self.i97 :: -1], *self.table[: self.i97 : -1], self.c]]

    def back(self, mark: Any, draws: int) -> None:
        *table, self.c = [int(x) / 2**24 for x in mark]
        self.table, self.i97, self.j97 = table[::-1], 96, 32
        self.uniforms(draws)

    def gaussian(self) -> float:
        if self.kept is not None:
            value, self.kept = self.kept, None
            return value
        while True:
            v1, v2 = 2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0
            r2 = v1 * v1 + v2 * v2
            if 0.0 < r2 < 1.0:
                break
        f = math.sqrt(-2.0 * math.log(r2) / r2)
        self.kept = v1 * f
        return v2 * f

    def subset(self, target: int, count: int) -> np.ndarray:
        """Mark exactly `target` of `count` items: a bool array (count,).

        All items are drawn for with the chance that should give the number; then, until the number is right, those of them that
        are still unmarked (too few), or that were marked just now (too many), are drawn for again.
        """
        mark, parts, marked = np.zeros(count, bool), (np.arange(count), np.arange(0)), 0
        while marked != target:
            drawn = parts[int(marked > target)]
            chance = max(abs(target - marked) / len(drawn), LEAST_CHANCE)
            flipped = drawn[self.uniforms(len(drawn)) < chance]
            marked += len(flipped) if marked < target else -len(flipped)
            mark[flipped] = ~mark[flipped]
            parts = drawn[~mark[drawn]], drawn[mark[drawn]]
        return mark
