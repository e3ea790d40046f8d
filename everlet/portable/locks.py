"""One process at a time: a lock that vanishes with the process that holds it, also if that is killed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # not a Unix system: work may be done twice, which does no harm
    fcntl = None  # type: ignore[assignment]


@contextmanager
def locked(path: Path, wait: bool = True) -> Iterator[bool]:
    """Hold the lock with the name of this file; whether it is held, which without `wait` may not be so.

    The file is removed in the end. On a file system without locks it counts as held.
    """
    handle = _open(path, wait)
    if handle is None:
        yield False
        return
    try:
        yield True
    finally:
        if handle >= 0:
            path.unlink(missing_ok=True)
            os.close(handle)


def _open(path: Path, wait: bool) -> int | None:
    """A locked file; -1 where there are no locks, None if another holds it."""
    if fcntl is None:
        return -1
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return -1
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            os.close(handle)
            return None
        except OSError:
            os.close(handle)
            return -1
        try:
            if os.stat(path).st_ino == os.fstat(handle).st_ino:
                return handle
        except FileNotFoundError:
            pass
        os.close(handle)  # whoever held it has removed it meanwhile: take the new one
