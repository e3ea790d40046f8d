"""Run a script through the reference in a folder, and read per-atom tables back at full precision."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np


def lmp(folder: Path, script: str, name: str = "in.reference", limit: float = 120.0) -> str:
    """Run `script`, for so many seconds at most, and give its log."""
    (folder / name).write_text(script)
    command = ["lmp", "-nocite", "-log", f"{name}.log", "-screen", "none", "-in", name]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=limit)
    log = (folder / f"{name}.log").read_text()
    assert done.returncode == 0, log[-2000:] + done.stderr
    return log


def table(path: Path) -> dict[str, np.ndarray]:
    """The only frame of a dump file, as columns."""
    lines = path.read_text().splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("ITEM: ATOMS"))
    values = np.array([line.split() for line in lines[start + 1 :]], float)
    return dict(zip(lines[start].split()[2:], values.T, strict=True))
