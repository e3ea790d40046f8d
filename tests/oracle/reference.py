"""Run a script through the reference in a folder, and read per-atom tables back at full precision."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import numpy as np

from everlet.perf.lammps import program


def launch(folder: Path, words: list[str], limit: float = 120.0) -> subprocess.CompletedProcess[str]:
    """Run the reference with these arguments in a folder, on one thread, for so many seconds at most."""
    found, needs = program()
    if not found:
        raise RuntimeError("the reference program lmp is missing: pip install 'everlet[test]'")
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
