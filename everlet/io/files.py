"""Files that are whole or not there: written under another name in the same folder, then renamed."""

from __future__ import annotations

import contextlib
import gzip
import os
from collections.abc import Iterator
from typing import IO, Any, cast

from everlet.errors import InputError
from everlet.world import writes

UNSUPPORTED = (".zst", ".bz2", ".xz", ".lz4", ".lzma")


def open_output(path: str, append: bool = False, binary: bool = False, name: str = "") -> IO[Any]:
    """Open a file for writing, compressed if its name ends in .gz; `name` is what decides and is reported.

    Of several ranks one writes; what the others write goes nowhere.
    """
    name = name or path
    mode = ("a" if append else "w") + ("b" if binary else "t")
    encoding = None if binary else "utf-8"
    if not writes():
        return open(os.devnull, mode, encoding=encoding)
    try:
        if name.endswith(".gz"):
            return cast(IO[Any], gzip.open(path, mode, encoding=encoding))
        return open(path, mode, encoding=encoding)
    except OSError as error:
        raise InputError(f"cannot write '{name}': {error.strerror}", "choose a writable place for it") from None


@contextlib.contextmanager
def whole_file(path: str, binary: bool = False) -> Iterator[IO[Any]]:
    """A file that appears under its name only when all of it is on disk.

    An error inside the block leaves an earlier file of that name as it was and removes the unfinished one.
    """
    folder, name = os.path.split(path)
    unfinished = os.path.join(folder, f".{name}.{os.getpid()}.part")
    stream = open_output(unfinished, binary=binary, name=path)
    try:
        with stream:
            yield stream
            stream.flush()
        if not writes():
            return
        with open(unfinished, "rb") as done:  # after closing, so that a compressed file is complete
            os.fsync(done.fileno())
        os.replace(unfinished, path)
    except OSError as error:
        raise InputError(f"cannot write '{path}': {error.strerror}", "is the disk full?") from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(unfinished)


def numbered(path: str, step: int, pad: int = 0) -> str:
    """`path` with its * replaced by the step, padded with zeros to `pad` digits.

    >>> numbered("dump.*.gz", 50, 6)
    'dump.000050.gz'
    """
    if path.endswith(UNSUPPORTED):
        raise InputError(f"cannot compress '{path}'", "the only compression available is .gz")
    if path.count("*") > 1:
        raise InputError(f"file name '{path}' has more than one *", "leave one *, which stands for the step")
    if "%" in path:
        raise InputError(f"file name '{path}' has a %: one file per process is not available", "remove the %")
    return path.replace("*", f"{step:0{pad}d}")
