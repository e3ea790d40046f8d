"""Dumps whose frames are bytes at the end of a file, maybe with a head that counts them: the base of dcd, netcdf, xtc and trr.

The head is written anew after each frame, so that a reader always finds as many frames as there are. A frame that does not
fit is cut off again; one that an earlier run could not finish is overwritten by the next (dump_modify append yes).
"""

from __future__ import annotations

import contextlib
import os
from typing import IO

import numpy as np

from everlet.dumps.one_file import OneFile
from everlet.state.system import System


class Binary(OneFile):
    """A style gives `frame(rows)`, `resume(file)` and maybe `head()`."""

    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        super().__init__(system, id, group, every, path, args)
        self._end = 0  # of the last frame
        self.frames = 0

    def head(self) -> bytes:
        """The beginning of the file, for `frames` frames of `count` atoms."""
        return b""

    def frame(self, rows: np.ndarray) -> bytes:
        raise NotImplementedError

    def resume(self, file: IO[bytes]) -> int:
        """Find `frames` and `count` of a file that is gone on with; gives the place where the last whole frame ends."""
        raise NotImplementedError

    def begin(self, path: str, count: int, append: bool) -> None:
        if append and os.path.exists(path) and os.path.getsize(path):
            with open(path, "rb") as file:
                self._end = self.resume(file)
            self.file = open(path, "r+b", buffering=0)
            return
        self.frames = 0
        self.file = open(path, "wb", buffering=0)
        self._end = self._write(self.head())

    def add(self, rows: np.ndarray) -> None:
        assert self.file is not None
        frame, before = self.frame(rows), self.frames
        self.file.seek(self._end)
        try:
            self._write(frame)
            self.frames += 1
            self.file.seek(0)
            self._write(self.head())
        except OSError:
            self.frames = before
            with contextlib.suppress(OSError):
                self.file.truncate(self._end)
            raise
        self._end += len(frame)

    def _write(self, text: bytes) -> int:
        assert self.file is not None
        rest = memoryview(text)
        while rest:
            rest = rest[self.file.write(rest) or 0 :]
        return len(text)

