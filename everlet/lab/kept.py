"""Files that a script writes and reads again, while it is read without running: restart files have what was set up."""

from __future__ import annotations

from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from everlet.errors import EverletError
from everlet.io.files import numbered
from everlet.io.restart import write_restart

MOST = 1_000_000  # atoms: restart files of more are not kept


class Kept:
    """`restarts`: copies by name, the latest last; `dumps`: names of files that runs would write."""

    def __init__(self) -> None:
        self.folder = TemporaryDirectory(prefix="everlet-")
        self.restarts: dict[str, str] = {}
        self.dumps: set[str] = set()

    def close(self) -> None:
        self.folder.cleanup()

    def write(self, system: Any, args: list[str]) -> None:
        """write_restart, into a folder that is removed. What cannot be written is missed when it is read."""
        if not args or system.box is None or system.natoms > MOST:
            return
        copy = str(Path(self.folder.name) / str(len(self.restarts)))
        with suppress(EverletError):
            name = numbered(args[0], system.step)
            write_restart(system, copy)
            self.restarts.pop(name, None)
            self.restarts[name] = copy

    def found(self, args: list[str]) -> list[str]:
        """Arguments of read_restart, with the copy if there is one."""
        names = [name for name in self.restarts if args and fnmatch(name, args[0])]
        return [self.restarts[names[-1]], *args[1:]] if names else args
