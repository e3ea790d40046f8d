"""dump ID GROUP trr N FILE [position] [velocity] [force]: the format of GROMACS for whole frames, in single precision.

Without words all three are written. Lengths are in nm, times in ps, velocities in nm/ps and forces in kJ/mol/nm
(dumps/gromacs.py; in units lj all are as they are).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import IO

import numpy as np

from everlet.dumps.base import dump_style
from everlet.dumps.gromacs import KJ_PER_MOLE, Gromacs
from everlet.errors import InputError, one_of
from everlet.state.system import System

MAGIC, VERSION = 1993, b"GMX_trn_file"
WORDS = ("position", "velocity", "force")
HEAD = ">iii12s13i"  # of a frame, before time and lambda: sizes of its parts, atoms, step
BOX, PLACES, COUNT = 2, 7, 10  # which of the 13 numbers: bytes of the box, of positions, velocities and forces; atoms


@dump_style("trr")
class Trr(Gromacs):
    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        super().__init__(system, id, group, every, path, args)
        for word in args:
            one_of("word of dump trr", word, WORDS)
        if len(set(args)) < len(args):
            raise InputError(f"dump {id}: a word is given twice: {' '.join(args)}", "leave one of them out")
        self.parts = args or list(WORDS)

    def record(self, rows: np.ndarray) -> bytes:
        atoms, nm, ps = self.system.atoms, self.sfactor, self.tfactor
        values: dict[str, Callable[[], np.ndarray]] = {
            "position": lambda: self.positions(rows) * nm, "velocity": lambda: atoms.read("v")[rows] * (nm / ps),
            "force": lambda: atoms.read("f")[rows] * (KJ_PER_MOLE[self.system.units.name] / nm)}
        texts = [values[word]().astype(">f4").tobytes() if word in self.parts else b"" for word in WORDS]
        sizes = [0, 0, 36, 0, 0, 0, 0, *map(len, texts), len(rows), self.system.step, 0]
        head = struct.pack(HEAD, MAGIC, len(VERSION) + 1, len(VERSION), VERSION, *sizes) + struct.pack(">2f", self.time, 0.0)
        return head + self.edges().astype(">f4").tobytes() + b"".join(texts)

    def length(self, file: IO[bytes]) -> tuple[int, int]:
        head = file.read(struct.calcsize(HEAD))
        magic, _, _, version, *sizes = struct.unpack(HEAD, head)
        if magic != MAGIC or version != VERSION:
            return 0, 0
        width = sizes[BOX] // 9 or max(sizes[PLACES:COUNT]) // (3 * max(sizes[COUNT], 1))  # bytes of a number
        return sizes[COUNT], len(head) + 2 * width + sum(sizes[:COUNT])
