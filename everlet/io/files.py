"""Files that are never half written.

`whole_file`: written under another name in the same folder, then renamed. `Pieces`: a file that grows by whole pieces.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from typing import IO, Any

from everlet.comm.world import writes
from everlet.errors import EverletError, InputError
from everlet.io import gzipped
from everlet.io.compressed import GZIP, ending, member, open_compressed
from everlet.portable.code_places import check_output
from everlet.state.ranks import SingleRank
from everlet.unfinished import sweep_once, unfinished

WAITING = 1 << 16  # bytes of whole pieces that may wait to be written


def open_output(path: str, binary: bool = False, name: str = "", all_ranks: bool = False) -> IO[Any]:
    """Open a file for writing, compressed as its name says (compressed.py); `name` is what decides and is reported.

    Of several ranks one writes; what the others write goes nowhere. all_ranks: each has a file of its own.
    """
    name = name or path
    mode = "wb" if binary else "wt"
    encoding = None if binary else "utf-8"
    if not (all_ranks or writes()):
        return open(os.devnull, mode, encoding=encoding)
    try:
        check_output(name)
        return open_compressed(path, mode, name)
    except OSError as error:
        raise cannot_write(name, error) from None


REMEDIES = {
    errno.ENOSPC: "free some space, or write to another disk",
    errno.EDQUOT: "the quota is used up: remove files, or write to another place",
    errno.EFBIG: "files must not grow so large here: see ulimit -f, or write one file per frame",
    errno.ENOENT: "the folder is not there: make it, or choose another place",
    errno.ENOTDIR: "choose a path in which folders are folders",
    errno.EISDIR: "it is a folder: choose another name",
    errno.EACCES: "permission is missing: choose a writable place for it",
    errno.EPERM: "permission is missing: choose a writable place for it",
    errno.EROFS: "nothing can be written there: choose a writable place for it",
}


def cannot_write(name: str, error: OSError, who: str = "") -> InputError:
    """The error for a file that could not be written: which, why, and what to do."""
    remedy = REMEDIES.get(error.errno or 0, "is the disk full or gone? choose another place for it")
    return InputError(f"{who}cannot write '{name}': {error.strerror or error}", remedy)


@contextlib.contextmanager
def agreed(world: SingleRank) -> Iterator[None]:
    """Files written inside the block: if a rank fails, mostly the first, all ranks raise its error and end together."""
    failed = None
    try:
        yield
    except EverletError as error:
        failed = error
    found = world.all_of(failed) if world.size > 1 else [failed]
    failed = failed or next((error for error in found if error is not None), None)
    if failed is not None:
        raise failed


def _in_place(path: str) -> bool:
    """A device, a pipe or the like, also one that is a plain file now, as /dev/stdout may be."""
    return os.path.exists(path) and (not os.path.isfile(path) or os.path.abspath(path).startswith("/dev/"))


@contextlib.contextmanager
def whole_file(path: str, binary: bool = False, all_ranks: bool = False) -> Iterator[IO[Any]]:
    """A file that appears under its name only when all of it is on disk. all_ranks: each has one, not only the first.

    An error inside the block leaves an earlier file of that name as it was and removes the unfinished one. Of a link, the file
    that it names is written. What is no plain file (a pipe, /dev/stdout) is written to directly: it must not be replaced.
    """
    here = all_ranks or writes()
    if here and _in_place(path):
        try:
            with open_output(path, binary, all_ranks=all_ranks) as stream:
                yield stream
        except OSError as error:
            raise cannot_write(path, error) from None
        return
    last = os.path.realpath(path)
    first = unfinished(last) if here else path
    stream = open_output(first, binary, path, all_ranks)
    try:
        with stream:
            yield stream
            stream.flush()
        if not here:
            return
        with open(first, "rb") as done:  # after closing, so that a compressed file is complete
            os.fsync(done.fileno())
        os.replace(first, last)
    except OSError as error:
        raise cannot_write(path, error) from None
    finally:
        if here:
            with contextlib.suppress(FileNotFoundError):
                os.remove(first)


class Pieces:
    """A file that grows by whole pieces: lines of a log, frames of a dump.

    A piece that cannot be written whole is cut off again, and the error goes on. Where that is not possible (pipes,
    /dev/stdout) the file is as the system leaves it. A name that ends in .gz gets one compressed stream, which is whole
    after every piece (gzipped.py), or through a pipe one for each piece; one in .bz2, .xz or .zst gets one for each piece.
    """

    def __init__(self, path: str, append: bool = False, all_ranks: bool = False):
        self.path = path
        self._waiting: list[str] = []
        self._bytes = 0
        here, end = all_ranks or writes(), ending(path)
        check_output(path)
        self._packed, self._member = end == GZIP, member(path) if end else None
        self._stream = gzipped.resume(path) if here and self._packed and append else gzipped.new()
        mode = "r+b" if self._stream.place else "ab" if append and not self._packed else "wb"
        self._file = open(path if here else os.devnull, mode, buffering=0)
        if here:
            sweep_once(os.path.dirname(path))

    def add(self, text: str, now: bool = True) -> None:
        """Put a piece at the end; unless `now`, it may wait until there is more to write."""
        self._waiting.append(text)
        self._bytes += len(text)
        if now or self._bytes > WAITING:
            self.flush()

    def flush(self) -> None:
        """Hand everything to the operating system."""
        waiting, self._waiting, self._bytes = self._waiting, [], 0
        if len(waiting) > 1 and self._member is None and self._file.seekable():
            # all of them at once; if that fails, one by one up to the last that fits
            with contextlib.suppress(OSError):
                self._write("".join(waiting).encode())
                return
        for piece in map(str.encode, waiting):
            if not (self._packed and self._file.seekable()):
                self._write(self._member(piece) if self._member is not None else piece)
            else:
                stream, body = self._stream.after(piece)
                self._write(body + stream.end(), self._stream.place, self._stream.end())
                self._stream = stream

    def _write(self, piece: bytes, place: int = -1, before: bytes = b"") -> None:
        """Write at the end, or at a place where until now there was `before`."""
        if self._file.seekable():
            place = self._file.seek(place) if place >= 0 else self._file.seek(0, os.SEEK_END)
        try:
            self._out(piece)
        except BaseException:
            if place >= 0:
                with contextlib.suppress(OSError):
                    self._file.seek(place)
                    self._out(before)
                    self._file.truncate(place + len(before))
            raise

    def _out(self, piece: bytes) -> None:
        rest = memoryview(piece)
        while rest:
            rest = rest[self._file.write(rest) or 0 :]

    def close(self) -> None:
        try:
            self.flush()
        finally:
            self._file.close()


def numbered(path: str, step: int, pad: int = 0, rank: int | None = None) -> str:
    """`path` with its * replaced by the step, padded with zeros to `pad` digits, and a % by the rank if there is one.

    >>> numbered("dump.*.gz", 50, 6), numbered("dump.%.*", 50, rank=3)
    ('dump.000050.gz', 'dump.3.50')
    """
    if ending(path):
        member(path)  # refused if there is no library for it
    if path.count("*") > 1:
        raise InputError(f"file name '{path}' has more than one *", "leave one *, which stands for the step")
    if path.count("%") > (rank is not None):
        raise InputError(f"file name '{path}' has a % too many: one file per rank is written by dumps only, with one %",
                         "remove the %")
    path = path.replace("%", str(rank))
    return path.replace("*", f"{step:0{pad}d}")
