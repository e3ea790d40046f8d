"""Starting programs on several ranks."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

from tests.oracle.harness import DUMP, Tolerances, compare, parse_dump, parse_log, read_result

ROOT = Path(__file__).parents[2]
DRIVER = Path(__file__).with_name("driver.py")


def mpiexec(ranks: int, words: list[str], cwd: Path, timeout: float = 3600) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments on so many ranks."""
    program = shutil.which("mpiexec")
    assert program, "mpiexec is missing: pip install 'everlet[test]'"
    modules = os.pathsep.join([str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]).rstrip(os.pathsep)
    environment = os.environ | {"PYTHONPATH": modules, "OMP_NUM_THREADS": "1"}
    start = [program, "-n", str(ranks)] if ranks > 1 else []
    return subprocess.run([*start, sys.executable, *words], cwd=cwd, env=environment, capture_output=True, text=True,
                          timeout=timeout)


@functools.cache
def open_mpi() -> bool:
    """Ranks are started by the mpiexec of Open MPI."""
    said = subprocess.run([shutil.which("mpiexec") or "mpiexec", "--version"], capture_output=True, text=True).stdout
    return "open-mpi" in said or "OpenRTE" in said


def run_scripts(ranks: int, scripts: dict[str, tuple[str, dict[str, str | bytes]]], folder: Path) -> dict[str, Path]:
    """Run scripts (text, files by name) in folders of their own; returns these folders."""
    places = {name: folder / f"{name}-{ranks}" for name in scripts}
    for name, (text, files) in scripts.items():
        places[name].mkdir(parents=True)
        for file, content in (files | {"in.script": text}).items():
            (places[name] / file).write_bytes(content.encode() if isinstance(content, str) else content)
    done = mpiexec(ranks, [str(DRIVER), *(str(place) for place in places.values())], folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return places


def on_one_and_two(script: str, folder: Path) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The first table of thermo output of a script, on one rank and on two along x."""
    one, two = (read_result(run_scripts(ranks, {"script": (before + script, {})}, folder)["script"]).thermo[0]
                for ranks, before in ((1, ""), (2, "processors 2 1 1\n")))
    return one, two


def columns_agree_with_one(scripts: dict[str, tuple[str, dict[str, str | bytes]]], ranks: int, folder: Path,
                           columns: tuple[str, ...], most: float) -> None:
    """Scripts have on so many ranks the thermo values that they have on one, and the same of atoms: these columns of the dump,
    which differ by a part of the largest at most."""
    alone = run_scripts(1, scripts, folder)
    for name, place in run_scripts(ranks, scripts, folder).items():
        mine, other = (parse_log((where / "run.log").read_text())[0] for where in (place, alone[name]))
        for word, values in other.items():
            scale = np.abs(other["Press"]) if word.startswith("P") and word != "PotEng" else np.maximum(np.abs(values), 1e-3)
            assert (np.abs(mine[word] - values) <= 1e-8 * scale).all(), word
        frames, expected = (parse_dump((where / DUMP).read_text()) for where in (place, alone[name]))
        for step, frame in expected.items():
            for word in columns:
                np.testing.assert_allclose(frames[step][word], frame[word], rtol=0, atol=most * abs(frame[word]).max())


def agree_with_one(scripts: dict[str, tuple[str, dict[str, str | bytes]]], counts: tuple[int, ...], folder: Path,
                   limits: Tolerances) -> None:
    """Scripts do on so many ranks what they do on one."""
    alone = run_scripts(1, scripts, folder)
    for ranks in counts:
        for name, place in run_scripts(ranks, scripts, folder).items():
            found = read_result(place)
            assert f"on {ranks} procs" in found.log
            compare(found, read_result(alone[name]), limits)
