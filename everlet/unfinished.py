"""Files under way: written under a name of their own beside the one they will have, and renamed when they are whole.

The name says which process writes it, and where that number means a process. What a dead one has left is removed when another
next begins a file in the folder; of a process elsewhere, of which nothing can be known, after a day without a change.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import os
import platform
import re
import time
from pathlib import Path

PATTERN = re.compile(r"\..*\.([0-9a-f]{8})-(\d+)-\d+\.part")
OLD = 86400.0  # seconds
_numbers = itertools.count()
_swept: set[str] = set()  # folders that this process has looked at


@functools.cache
def _here() -> str:
    """Where numbers of processes mean the same: this machine since its start, and in this container."""
    known = [platform.node()]
    with contextlib.suppress(OSError):
        known.append(Path("/proc/sys/kernel/random/boot_id").read_text())
    with contextlib.suppress(OSError):
        known.append(os.readlink("/proc/self/ns/pid"))
    return hashlib.sha256(" ".join(known).encode()).hexdigest()[:8]


def unfinished(path: str | os.PathLike[str]) -> str:
    """The name under which this process writes a file first."""
    folder, name = os.path.split(path)
    sweep_once(folder)
    short = name[:150]  # names may not be longer than 255 bytes
    return os.path.join(folder, f".{short}.{_here()}-{os.getpid()}-{next(_numbers)}.part")


def sweep_once(folder: str) -> None:
    """Sweep a folder unless this process has done so before."""
    if os.path.abspath(folder) not in _swept:
        _swept.add(os.path.abspath(folder))
        sweep(folder or ".")


def sweep(folder: str | os.PathLike[str]) -> None:
    """Remove what dead processes have left in a folder."""
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        for entry in found:
            match = PATTERN.fullmatch(entry.name)
            if match and _dead(entry, match.group(1), int(match.group(2))):
                with contextlib.suppress(OSError):
                    os.remove(entry.path)


def _dead(entry: os.DirEntry[str], place: str, process: int) -> bool:
    if place != _here() or os.name != "posix":
        with contextlib.suppress(OSError):
            return time.time() - entry.stat(follow_symlinks=False).st_mtime > OLD
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        pass  # it is there, and another user's, or it is no number of a process
    return False
