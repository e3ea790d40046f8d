"""Programs that are started on several ranks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from everlet import settings
from everlet.errors import InputError
from everlet.io.stages import stage


def launcher() -> str | None:
    """Where mpiexec is: that of this Python first."""
    return shutil.which("mpiexec", path=os.pathsep.join([str(Path(sys.executable).parent), settings.given("PATH")]))


def started(ranks: int, *words: str, environment: dict[str, str] | None = None) -> str:
    """What a Python program on several ranks prints."""
    mpiexec = launcher()
    if mpiexec is None:
        raise InputError("there is no mpiexec", "pip install 'everlet[mpi]', or load the module of your MPI library")
    stage(f"{ranks} ranks")
    done = subprocess.run([mpiexec, "-n", str(ranks), *settings.PYTHON, *words], capture_output=True, text=True,
                          env=settings.environment(OMP_NUM_THREADS="1", **(environment or {})))
    if done.returncode:
        raise InputError(f"mpiexec -n {ranks} failed: {(done.stderr or done.stdout).strip()[-300:]}",
                         "try it by hand; mpi4py and mpiexec must belong to one MPI library")
    return done.stdout
