"""dump ID GROUP dcd N FILE: positions in the binary format of CHARMM, NAMD and VMD, in single precision, in the order of ids.

Each frame has the lengths of the edges of the box and the cosines of the angles between them. Own option of dump_modify: unwrap
yes|no (positions with their box crossings).
"""

from __future__ import annotations

import struct
import time
from typing import IO

import numpy as np

from everlet.dumps.base import dump_style
from everlet.dumps.binary import Binary
from everlet.state.system import System

TITLE = 80  # characters of a line of the head
CHARMM = 24  # the version whose format this is


@dump_style("dcd")
class Dcd(Binary):
    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        super().__init__(system, id, group, every, path, args)
        self.no_words(args)
        del self.options["element"]
        self.began = self.system.step
        self.made = time.strftime("REMARKS Created %d %B,%Y at %H:%M")

    def head(self) -> bytes:
        system = self.system
        if not self.frames:
            self.began = system.step
        numbers = struct.pack("<4s4i5if10i", b"CORD", self.frames, self.began, self.timing.every or 1, system.step, *[0] * 5,
                              system.dt, 1, *[0] * 8, CHARMM)
        titles = struct.pack("<i", 2) + b"Written by LAMMPS".ljust(TITLE, b"\0") + self.made.encode().ljust(TITLE, b" ")
        return _record(numbers) + _record(titles) + _record(struct.pack("<i", self.count))

    def resume(self, file: IO[bytes]) -> int:
        place = 3 * 8 + 84 + 4 + 2 * TITLE + 4
        head = file.read(place)
        if head[4:8] != b"CORD" or len(head) < place:
            raise self.cannot_append("is no dcd file of this kind")
        self.frames, self.began = struct.unpack("<2i", head[8:16])
        self.count = struct.unpack("<i", head[place - 8 : place - 4])[0]
        return place + self.frames * (8 + 48 + 3 * (8 + 4 * self.count))

    def frame(self, rows: np.ndarray) -> bytes:
        box = self.system.need_box()
        lx, ly, lz = box.lengths.tolist()
        b, c = (box.xy**2 + ly**2) ** 0.5, (box.xz**2 + box.yz**2 + lz**2) ** 0.5
        cosines = (box.xy * box.xz + ly * box.yz) / (b * c), box.xz / c, box.xy / b
        cell = struct.pack("<6d", lx, cosines[2], b, cosines[1], cosines[0], c)
        columns = self.positions(rows).T.astype("<f4")
        return _record(cell) + b"".join(_record(np.ascontiguousarray(column).tobytes()) for column in columns)


def _record(text: bytes) -> bytes:
    """As Fortran writes it, with its length before and behind."""
    size = struct.pack("<i", len(text))
    return size + text + size
