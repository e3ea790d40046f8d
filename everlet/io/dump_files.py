"""Frames of dump files, one after the other: `dump atom` and `dump custom` (native), and xyz; compressed ones too.

    for frame in frames(["melt.dump"], "native"):
        frame.step, frame.names, frame.column("x")

A frame of xyz has no box, no step and no ids: frames and atoms are counted, frames from 0 and atoms from 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import IO

import numpy as np

from everlet.errors import InputError
from everlet.io.compressed import BROKEN, open_compressed
from everlet.io.sections import numeric
from everlet.io.tables import MANY, number_table

MOST = 10**15  # steps, atoms
REMEDY = "give a file of dump atom or dump custom, or use format xyz"


@dataclass
class Frame:
    """One frame; `bounds` (3, 2) and `tilts` are those of the box itself (None: there is no box in the file)."""

    path: str
    step: int
    names: list[str]
    lines: list[str]  # of atoms
    bounds: np.ndarray | None = None
    tilts: tuple[float, float, float] | None = None  # None: it has no tilt
    periodic: tuple[bool, bool, bool] = (True, True, True)
    about: str = ""  # the second line of xyz

    @cached_property
    def rows(self) -> list[list[str]]:
        """Words of each atom."""
        return [line.split() for line in self.lines]

    @cached_property
    def _table(self) -> np.ndarray | None:
        """All numbers of a large frame at once."""
        if len(self.lines) < MANY:
            return None
        first = self.lines[0].split()
        wanted = [place for place, word in enumerate(first[: len(self.names)]) if numeric(word)]
        return number_table(self.lines, len(self.names), wanted, more=True)

    def column(self, name: str) -> np.ndarray:
        """Numbers of a column."""
        place = self.names.index(name)
        if self._table is not None and not np.isnan(self._table[0, place]):
            return self._table[:, place]
        try:
            return np.array([row[place] for row in self.rows], float)
        except ValueError:
            raise InputError(f"'{self.path}', step {self.step}: column {name} has words that are not numbers",
                             "choose another column") from None


def frames(paths: list[str], form: str = "native") -> Iterator[Frame]:
    """All frames of the files, in their order."""
    for path in paths:
        try:
            with open_compressed(path, "rt") as file:
                yield from (_native if form == "native" else _xyz)(path, file)
        except UnicodeDecodeError:
            raise InputError(f"'{path}' is not a text file", REMEDY) from None
        except BROKEN as error:
            raise InputError(f"cannot read '{path}': {getattr(error, 'strerror', None) or error}", "check the path") from None


def _next(file: IO[str], path: str, what: str) -> str:
    line = file.readline()
    if not line:
        raise InputError(f"'{path}' ends where {what} should be", REMEDY)
    return line


def _count(line: str, path: str, what: str) -> int:
    try:
        count = int(line.split(maxsplit=1)[0])
        if not 0 <= count < MOST:
            raise ValueError
        return count
    except (ValueError, IndexError):
        raise InputError(f"'{path}': expected {what}, found '{line.strip()[:60]}'", REMEDY) from None


def _whole(frame: Frame, count: int) -> Frame:
    """The frame, if it has so many atoms with a word in each column."""
    if len(frame.lines) < count:
        raise InputError(f"'{frame.path}' ends where an atom should be", REMEDY)
    if frame._table is None and any(len(row) < len(frame.names) for row in frame.rows):
        raise InputError(f"'{frame.path}' has a line of an atom with fewer than {len(frame.names)} words", REMEDY)
    return frame


def _native(path: str, file: IO[str]) -> Iterator[Frame]:
    step, count, bounds, tilts, periodic = -1, 0, None, None, (True, True, True)
    while line := file.readline():
        words = line.split()
        if words[:1] != ["ITEM:"] or len(words) < 2:
            raise InputError(f"'{path}': expected ITEM:, found '{line.strip()[:60]}'", REMEDY)
        if words[1] == "TIMESTEP":
            step = _count(_next(file, path, "a step"), path, "a step")
        elif words[1] == "NUMBER":
            count = _count(_next(file, path, "a number of atoms"), path, "a number of atoms")
        elif words[1] == "BOX":
            bounds, tilts = _box(file, path, words)
            periodic = _periodic(words[-3:])
        elif words[1] == "ATOMS":
            yield _whole(Frame(path, step, words[2:], list(islice(file, count)), bounds, tilts, periodic), count)
        elif words[1] in ("UNITS", "TIME"):
            file.readline()
        else:
            raise InputError(f"'{path}': unknown section '{line.strip()[:60]}'", REMEDY)


def _box(file: IO[str], path: str, words: list[str]) -> tuple[np.ndarray, tuple[float, float, float] | None]:
    """Bounds of the box itself: the file has those of the orthogonal box around a tilted one."""
    tilted = words[3:6] == ["xy", "xz", "yz"]
    if "abc" in words:
        raise InputError(f"'{path}' has general triclinic boxes, which are not available", "write it without triclinic/general")
    try:
        lines = [[float(word) for word in _next(file, path, "the box").split()] for _ in range(3)]
        bounds = np.array([line[:2] for line in lines]).reshape(3, 2)
        xy, xz, yz = (line[2] for line in lines) if tilted else (0.0, 0.0, 0.0)
    except (ValueError, IndexError):
        raise InputError(f"'{path}': the lines of a box are not numbers", REMEDY) from None
    bounds[0] -= min(0.0, xy, xz, xy + xz), max(0.0, xy, xz, xy + xz)
    bounds[1] -= min(0.0, yz), max(0.0, yz)
    return bounds, (xy, xz, yz) if tilted else None


def _periodic(words: list[str]) -> tuple[bool, bool, bool]:
    """Of the letters behind BOX BOUNDS; where there are none all faces are."""
    x, y, z = (word == "pp" or len(word) != 2 or word in ("xy", "xz", "yz") for word in words)
    return x, y, z


def _xyz(path: str, file: IO[str]) -> Iterator[Frame]:
    step = 0
    while line := file.readline():
        if not line.strip():
            continue
        count = _count(line, path, "a number of atoms")
        about = _next(file, path, "a comment")
        lines = [f"{k} {line}" for k, line in enumerate(islice(file, count), 1)]
        yield _whole(Frame(path, step, ["id", "type", "x", "y", "z"], lines, about=about), count)
        step += 1
