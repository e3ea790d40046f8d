"""Files that are read: ordinary ones and pipes. A device that never ends, a line without an end and a compressed file that
unpacks to a multiple of what data does are refused, by the OSError that readers report, before they fill the memory."""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

SCRIPT = 1 << 26  # bytes of a script, or of another file that people write
LINE = 1 << 26  # bytes without an end of line: then it is no text
RATIO = 200  # by which texts of numbers are never compressed
FREE = 1 << 28  # bytes for which that does not matter
CHUNK = 1 << 18
READ: list[set[str]] = []  # whoever notes which files are read


@contextmanager
def noted() -> Iterator[set[str]]:
    """Paths of the files that are opened inside."""
    found: set[str] = set()
    READ.append(found)
    try:
        yield found
    finally:
        READ.remove(found)


def check(path: str | os.PathLike[str]) -> None:
    """Refuse devices, but for terminals and the one that is empty."""
    mode = os.stat(path).st_mode
    if stat.S_ISBLK(mode) or stat.S_ISCHR(mode) and not (_terminal(path) or os.path.samefile(path, os.devnull)):
        raise OSError(errno.EINVAL, "it is a device, not a file", os.fspath(path))


def _terminal(path: str | os.PathLike[str]) -> bool:
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
    try:
        return os.isatty(handle)
    finally:
        os.close(handle)


class Bounded(io.RawIOBase):
    """The bytes of a file, as long as they can be those of a text. `packed`: bytes of the file if it is compressed, else 0."""

    def __init__(self, file: Any, most: int = 0, packed: int = 0):
        self.file, self.most, self.packed = file, most, packed
        self.total = self.since = 0  # bytes so far, and since the last end of line

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self.file.readinto(buffer)
        last = bytes(buffer[:count]).rfind(b"\n")
        self.total, self.since = self.total + count, count - 1 - last if last >= 0 else self.since + count
        if self.since > LINE:
            raise OSError(errno.EFBIG, f"it has a line of more than {LINE >> 20} MiB and can be no text")
        if self.most and self.total > self.most:
            raise OSError(errno.EFBIG, f"it has more than {self.most >> 20} MiB")
        if self.packed and self.total > max(FREE, RATIO * self.packed):
            raise OSError(errno.EFBIG, f"it unpacks to more than {RATIO} times its size, as no file of numbers does")
        return int(count)

    def close(self) -> None:
        self.file.close()
        super().close()


def open_bytes(path: str | os.PathLike[str], most: int = 0, opener: Callable[..., Any] = open) -> IO[bytes]:
    """As open(path, "rb"); `opener` opens a compressed one, `most` are the bytes that it may have."""
    check(path)
    for found in READ:
        found.add(os.path.abspath(path))
    packed = 0 if opener is open else max(os.path.getsize(path), 1)
    return io.BufferedReader(Bounded(opener(path, "rb"), most, packed), CHUNK)


def open_text(path: str | os.PathLike[str], most: int = 0, errors: str = "strict",
              opener: Callable[..., Any] = open) -> IO[str]:
    """The same for text in UTF-8."""
    return io.TextIOWrapper(open_bytes(path, most, opener), encoding="utf-8", errors=errors)
