"""dump ID GROUP xtc N FILE: positions in the compressed format of GROMACS, in whole parts of a picometre.

Positions in nm are multiplied by the precision (1000) and rounded; what is near to the atom before takes fewer bits
(io/xtc.py). Up to nine atoms are written as they are. Own options of dump_modify: precision N (10, 100 ... 1000000),
sfactor F, tfactor F (dumps/gromacs.py), unwrap yes|no.
"""

from __future__ import annotations

import struct
from typing import IO

import numpy as np

from everlet.dumps.base import dump_style
from everlet.dumps.gromacs import Gromacs
from everlet.errors import InputError, integer
from everlet.io.xtc import FEW, MAGIC, packed, padded
from everlet.state.system import System

MOST_ATOMS = 298_261_617  # of this magic number: beyond them lengths do not fit
FARTHEST = 2**31 - 3  # whole numbers of places


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
        if not (np.abs(scaled) < FARTHEST).all() or np.ptp(scaled, axis=0).max() >= FARTHEST:
            raise InputError(f"dump {self.id}: positions are too large for a precision of {self.precision}",
                             "use a smaller one (dump_modify precision), or a smaller sfactor")
        whole = (scaled + np.copysign(np.float32(0.5), scaled)).astype(np.int64)
        return head + struct.pack(">if", count, self.precision) + packed(whole)

    def length(self, file: IO[bytes]) -> tuple[int, int]:
        magic, count = struct.unpack(">2i", file.read(8))
        if magic != MAGIC or count < 0:
            return 0, 0
        if count <= FEW:
            return count, 52 + 4 + 12 * count
        file.seek(80, 1)
        return count, 92 + padded(struct.unpack(">i", file.read(4))[0])
