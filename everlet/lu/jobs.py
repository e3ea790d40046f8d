"""LU in processes of its own: on several ranks, started by mpiexec."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from everlet import settings
from everlet.comm.world import SIZES
from everlet.errors import InputError, RunError
from everlet.io.stages import stage


def row_of(ranks: int, words: list[str]) -> dict[str, Any]:
    """The JSON row of `everlet lu` with these options on so many ranks."""
    program = shutil.which("mpiexec", path=os.pathsep.join([str(Path(sys.executable).parent), settings.given("PATH")]))
    if ranks > 1 and program is None:
        raise InputError("several ranks need mpiexec, which was not found", "pip install 'everlet[mpi]', or leave --ranks out")
    stage(f"LU on {ranks} ranks")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "row.json")
        start = [str(program), "-n", str(ranks)] if ranks > 1 else []
        command = [*start, *settings.PYTHON, "-m", "everlet", "lu", *words, "--json", str(path)]
        environment = {name: value for name, value in settings.environment().items() if name not in SIZES}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        if done.returncode or not path.exists():
            said = (done.stderr or done.stdout).strip()[-400:]
            raise RunError(f"everlet lu {' '.join(words)} failed on {ranks} ranks: {said}", "try it by hand")
        return json.loads(path.read_text())["rows"][0]
