"""dump ID GROUP xtc N FILE: positions in the compressed format of GROMACS, in whole parts of a picometre.

Positions in nm are multiplied by the precision (1000) and rounded; what is near to the atom before takes fewer bits
(dumps/xtc_loops.py). Up to nine atoms are written as they are. Own options of dump_modify: precision N (10, 100 ... 1000000),
sfactor F, tfactor F (dumps/gromacs.py), unwrap yes|no.
"""

from __future__ import annotations

import struct
from typing import IO

import numpy as np

from everlet.dumps import xtc_loops
from everlet.dumps.base import dump_style
from everlet.dumps.gromacs import Gromacs, padded
from everlet.errors import InputError, integer
from everlet.portable import parallel_for
from everlet.portable.spaces import Serial
from everlet.state.system import System

MAGIC, FEW = 1995, 9  # so few atoms are not compressed
MOST_ATOMS = 298_261_617  # of this magic number: beyond them lengths do not fit
FARTHEST = 2**31 - 3  # whole numbers of places
WIDE = 2**24  # edges of all places beyond which each coordinate has bits of its own
MOST_BYTES = 13  # of an atom: three numbers of 32 bits, a change of sizes
FIRST = 9  # size of near atoms that is tried first
SIZES = np.array([0] * FIRST + [  # cube roots of powers of two, as the format has them
    8, 10, 12, 16, 20, 25, 32, 40, 50, 64, 80, 101, 128, 161, 203, 256, 322, 406, 512, 645, 812, 1024, 1290, 1625, 2048, 2580,
    3250, 4096, 5060, 6501, 8192, 10321, 13003, 16384, 20642, 26007, 32768, 41285, 52015, 65536, 82570, 104031, 131072, 165140,
    208063, 262144, 330280, 416127, 524287, 660561, 832255, 1048576, 1321122, 1664510, 2097152, 2642245, 3329021, 4194304,
    5284491, 6658042, 8388607, 10568983, 13316085, 16777216])


@dump_style("xtc")
class Xtc(Gromacs):
    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        super().__init__(system, id, group, every, path, args)
        self.no_words(args)
        self.precision = 1000
        self.options["precision"] = self._precision

    def _precision(self, words: list[str]) -> None:
        value = integer(self.take(words, "precision"), "a power of ten for dump_modify precision")
        if value not in [10**power for power in range(1, 7)]:
            raise InputError(f"dump_modify precision {value} is no power of ten from 10 to 1000000", "for example 1000")
        self.precision = value

    def record(self, rows: np.ndarray) -> bytes:
        count = len(rows)
        if count > MOST_ATOMS:
            raise InputError(f"dump {self.id}: {count} atoms are too many for xtc", "use dump netcdf or h5md")
        head = struct.pack(">3if", MAGIC, count, self.system.step, self.time) + self.edges().astype(">f4").tobytes()
        x = (self.positions(rows) * self.sfactor).astype(np.float32)
        if count <= FEW:
            return head + struct.pack(">i", count) + x.astype(">f4").tobytes()
        scaled = x * np.float32(self.precision)
        if not (np.abs(scaled) < FARTHEST).all():
            raise InputError(f"dump {self.id}: positions are too large for a precision of {self.precision}",
                             "use a smaller one (dump_modify precision), or a smaller sfactor")
        whole = (scaled + np.copysign(np.float32(0.5), scaled)).astype(np.int64)
        return head + struct.pack(">if", count, self.precision) + compressed(whole)

    def length(self, file: IO[bytes]) -> tuple[int, int]:
        magic, count = struct.unpack(">2i", file.read(8))
        if magic != MAGIC or count < 0:
            return 0, 0
        if count <= FEW:
            return count, 52 + 4 + 12 * count
        file.seek(80, 1)
        return count, 92 + padded(struct.unpack(">i", file.read(4))[0])


def compressed(whole: np.ndarray) -> bytes:
    """Limits, the first size of near atoms, the number of bytes that follow and these, for places as whole numbers (n, 3)."""
    low, high = whole.min(axis=0), whole.max(axis=0)
    edges = [int(value) for value in high - low + 1]
    nearest = int(np.abs(np.diff(whole, axis=0)).sum(axis=1).min())
    first = FIRST
    while first < len(SIZES) - 1 and SIZES[first] < nearest:
        first += 1
    if max(edges) >= WIDE:  # a number for each coordinate, or one for all three
        widths = [edge.bit_length() for edge in edges]
    else:
        widths = [(edges[0] * edges[1] * edges[2]).bit_length(), 0, 0]
    room = np.zeros(len(whole) * MOST_BYTES + 16, np.uint8)
    used = np.zeros(1, np.int64)
    parallel_for(Serial(), 1, xtc_loops.PACK, len(whole), (whole - low).ravel(), np.array(edges), np.array(widths), SIZES,
                 first, room, used)
    size = int(used[0])
    return (struct.pack(">3i", *low) + struct.pack(">3i", *high) + struct.pack(">2i", first, size) +
            room[:padded(size)].tobytes())
