"""Places of atoms as xtc files have them: whole numbers, packed (io/xtc_loops.py).

    lowest and highest (3 numbers each), the first size of near atoms, bytes that follow, the bytes
"""

from __future__ import annotations

import struct

import numpy as np

from everlet.io import xtc_loops
from everlet.portable import parallel_for
from everlet.portable.spaces import Serial

MAGIC, FEW = 1995, 9  # so few atoms are not packed
HEAD = 32  # bytes before those that are packed
WIDE = 2**24  # edges of all places beyond which each coordinate has bits of its own
MOST_BYTES = 13  # of an atom: three numbers of 32 bits, a change of sizes
FIRST = 9  # the smallest size of near atoms
SIZES = np.array([0] * FIRST + [  # cube roots of powers of two, as the format has them
    8, 10, 12, 16, 20, 25, 32, 40, 50, 64, 80, 101, 128, 161, 203, 256, 322, 406, 512, 645, 812, 1024, 1290, 1625, 2048, 2580,
    3250, 4096, 5060, 6501, 8192, 10321, 13003, 16384, 20642, 26007, 32768, 41285, 52015, 65536, 82570, 104031, 131072, 165140,
    208063, 262144, 330280, 416127, 524287, 660561, 832255, 1048576, 1321122, 1664510, 2097152, 2642245, 3329021, 4194304,
    5284491, 6658042, 8388607, 10568983, 13316085, 16777216])


def packed(whole: np.ndarray) -> bytes:
    """Of places as whole numbers (n, 3)."""
    low, high = whole.min(axis=0), whole.max(axis=0)
    edges = high - low + 1
    nearest = int(np.abs(np.diff(whole, axis=0)).sum(axis=1).min())
    first = FIRST
    while first < len(SIZES) - 1 and SIZES[first] < nearest:
        first += 1
    x, room, used = (whole - low).ravel(), np.zeros(len(whole) * MOST_BYTES + 16, np.uint8), np.zeros(1, np.int64)
    parallel_for(Serial(), 1, xtc_loops.PACK, len(whole), x, edges, _widths(edges), SIZES, first, room, used)
    size = int(used[0])
    return struct.pack(">8i", *low, *high, first, size) + room[:padded(size)].tobytes()


def unpacked(text: bytes, count: int) -> np.ndarray:
    """The whole numbers (count, 3) again."""
    *limits, first, size = struct.unpack(">8i", text[:HEAD])
    low, high = np.array(limits[:3]), np.array(limits[3:])
    if not count <= 8 * size <= 8 * (len(text) - HEAD):
        raise ValueError("packed places end too early")
    room = np.zeros(count * MOST_BYTES + size + 16, np.uint8)
    room[:size] = np.frombuffer(text[HEAD:HEAD + size], np.uint8)
    edges, x = high - low + 1, np.zeros(3 * count, np.int64)
    if not (FIRST <= first < len(SIZES) and (edges > 0).all()):
        raise ValueError("these are no packed places")
    parallel_for(Serial(), 1, xtc_loops.UNPACK, count, x, edges, _widths(edges), SIZES, first, room)
    return x.reshape(count, 3) + low


def _widths(edges: np.ndarray) -> np.ndarray:
    """Bits of a number for each coordinate, or of one for all three and 0."""
    if edges.max() >= WIDE:
        return np.array([int(edge).bit_length() for edge in edges])
    a, b, c = map(int, edges)
    return np.array([(a * b * c).bit_length(), 0, 0])


def padded(count: int) -> int:
    """So many bytes, in whole words."""
    return -(-count // 4) * 4
