"""Dumps whose frames are bytes at the end of one file, with a head that counts them: the base of dcd and netcdf.

The head is written anew after each frame, so that a reader always finds as many frames as there are.
"""

from __future__ import annotations

import os
from typing import IO

import numpy as np

from everlet.computes.columns import unwrapped
from everlet.dumps.base import Dump
from everlet.errors import InputError
from everlet.io.compressed import ending
from everlet.io.files import cannot_write
from everlet.portable.code_places import check_output
from everlet.state.system import System


class Binary(Dump):
    """A style gives `head(count, frames)` and `frame(rows)`, and may read the head of a file that it appends to."""

    sorted_by_default = True

    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        super().__init__(system, id, group, every, path, args)
        if self.alone or self.parted or ending(path):
            raise InputError(f"dump {id}: this style has one file for all frames, not '{path}'",
                             "leave out *, % and the ending that compresses")
        self.unwrap = False
        for name in ("pad", "maxfiles", "nfile", "fileper", "format", "time", "units"):
            del self.options[name]
        self.options["unwrap"] = self._flag("unwrap")
        self._file: IO[bytes] | None = None
        self.frames = self.count = 0

    def head(self) -> bytes:
        """The beginning of the file, for `frames` frames of `count` atoms."""
        raise NotImplementedError

    def frame(self, rows: np.ndarray) -> bytes:
        raise NotImplementedError

    def resume(self, head: bytes) -> tuple[int, int]:
        """Frames and atoms of a file that is gone on with."""
        raise InputError(f"dump {self.id}: this style cannot append", "leave out append yes")

    def check_sort(self, column: int) -> None:
        raise InputError(f"dump {self.id}: this style sorts by id", "leave out sort")

    def positions(self, rows: np.ndarray) -> np.ndarray:
        system = self.system
        return (unwrapped(system) if self.unwrap else system.atoms.read("x"))[rows]

    def put(self, path: str) -> None:
        rows = self.rows()
        if self.sort != "id":
            raise InputError(f"dump {self.id}: this style needs its atoms in the order of ids", "leave out dump_modify sort")
        try:
            if self._file is None:
                self._open(path, len(rows))
            if len(rows) != self.count:
                raise InputError(f"dump {self.id}: {len(rows)} atoms at step {self.system.step}, {self.count} before",
                                 "all frames of this style have the same atoms: use another one, or a group that stays")
            assert self._file is not None
            self._file.seek(0, os.SEEK_END)
            self._file.write(self.frame(rows))
            self.frames += 1
            self._file.seek(0)
            self._file.write(self.head())
            if self.flush:
                self._file.flush()
        except OSError as error:
            raise cannot_write(path, error, f"dump {self.id}: ") from None

    def _open(self, path: str, count: int) -> None:
        self.count = count
        check_output(path)
        if self.append and os.path.exists(path):
            self._file = open(path, "r+b")
            self.frames, self.count = self.resume(self._file.read(4096))
            return
        self._file = open(path, "w+b")
        self._file.write(self.head())

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()
