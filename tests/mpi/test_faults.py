"""Faults and signals on several ranks: all ranks end, soon, with a status that tells, and no file is half written."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.mpi.ranks import ROOT, mpiexec, open_mpi, run_scripts
from tests.mpi.test_jobs import MELT
from tests.oracle.harness import parse_log

HANGS = 60.0  # seconds: what takes longer will never end
REST = "\n".join(line for line in MELT.splitlines() if line.startswith(("neigh", "fix", "thermo"))) + "\n"
TELL = """
import os
from everlet.comm.world import join
open(f"pid.{join().rank}.new", "w").write(str(os.getpid()))
os.rename(f"pid.{join().rank}.new", f"pid.{join().rank}")
"""


def gone(pid: int) -> bool:
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


def within(seconds: float, happens: Callable[[], bool]) -> bool:
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        if happens():
            return True
        time.sleep(0.02)
    return False


class Job:
    """A script on two ranks, up to its first row of output."""

    def __init__(self, folder: Path, script: str, *words: str):
        self.folder = folder
        (folder / "tell.py").write_text(TELL)
        (folder / "in.x").write_text(script)
        everlet = [sys.executable, "-u", "-m", "everlet", "run", "in.x", "--plugin", "tell.py", "--device", "serial"]
        everlet += words
        self.process = subprocess.Popen([shutil.which("mpiexec") or "mpiexec", "-n", "2", *everlet], cwd=folder, text=True,
                                        env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        assert self.process.stdout is not None
        while "Step" not in (line := self.process.stdout.readline()):
            assert line, self.process.communicate()[1]
        self.pids = [int((folder / f"pid.{rank}").read_text()) for rank in (0, 1)]

    def send(self, number: signal.Signals, to: str) -> tuple[signal.Signals, int]:
        """Send a signal to mpiexec or to 'rank N'; the signal that ranks get, and the status in the end."""
        os.kill(self.process.pid if to == "mpiexec" else self.pids[int(to[-1])], number)
        if to == "mpiexec" and open_mpi():  # ends the job in its own way
            return signal.SIGTERM, 1
        return number, 128 + number

    def end(self) -> tuple[int, str, str]:
        """Status, output and errors; nothing may be left over."""
        out, err = self.process.communicate(timeout=HANGS)
        assert within(HANGS, lambda: all(map(gone, self.pids))), "ranks are still there"
        assert "Traceback" not in err and not list(self.folder.glob(".*part"))
        return self.process.returncode, out, err


def continues(folder: Path, file: Path, step: int, tmp_path: Path) -> None:
    """A run continued from the file repeats one that wrote a restart file at that step and went on, to the last bit. Both may
    write more such files, for which lists are rebuilt."""
    runs = {"whole": (f"{MELT}restart {step} r.*\nrun {step + 50}\nwrite_data end.data\n", {}),
            "again": (f"read_restart {file}\n{REST}restart {step} r.*\nrun 50\nwrite_data end.data\n", {})}
    places = run_scripts(2, runs, tmp_path)
    assert (places["whole"] / "end.data").read_bytes() == (places["again"] / "end.data").read_bytes()


@pytest.mark.parametrize("number, to", [
    (signal.SIGUSR1, "rank 0"), (signal.SIGTERM, "rank 1"), (signal.SIGUSR1, "mpiexec"),
    pytest.param(signal.SIGINT, "mpiexec", marks=pytest.mark.all)])
def test_all_ranks_stop_at_one_step(tmp_path: Path, number: signal.Signals, to: str) -> None:
    """A signal to all of them or to one; the file continues exactly."""
    if open_mpi() and to == "mpiexec" and number == signal.SIGUSR1:
        pytest.skip("the mpiexec of Open MPI passes SIGUSR1 on in some versions only: docs/scaling.md")
    job = Job(tmp_path, MELT + "dump d all atom 20 d.txt\nrun 10000000\n", "--on-signal", "restart")
    time.sleep(0.3)
    got, wanted = job.send(number, to)
    status, out, err = job.end()
    [line] = [line for line in err.splitlines() if "stopped at step" in line]
    step = int(line.split("stopped at step ")[1].split(",")[0])
    assert status == wanted and line == f"{got.name}: stopped at step {step}, restart file stopped.restart"
    assert out.count(f"for {step} steps with 256 atoms") == 1 and "Abort" not in err
    assert (tmp_path / "d.txt").read_text().count("TIMESTEP") == step // 20 + 1
    continues(tmp_path, tmp_path / "stopped.restart", step, tmp_path)


@pytest.mark.parametrize("to", ["mpiexec", "rank 1"])
def test_without_the_option_all_ranks_end(tmp_path: Path, to: str) -> None:
    job = Job(tmp_path, MELT + "restart 50 r.*\nrun 10000000\n")
    assert within(HANGS, (tmp_path / "r.100").exists)
    _, wanted = job.send(signal.SIGTERM, to)
    status, _, err = job.end()
    assert status == wanted and err.count("SIGTERM: interrupted at step ") == 1
    if to == "mpiexec":
        continues(tmp_path, tmp_path / "r.50", 50, tmp_path)


@pytest.mark.parametrize("rank", [pytest.param(0, marks=pytest.mark.all), 1])
def test_a_killed_rank_takes_the_others_with_it(tmp_path: Path, rank: int) -> None:
    job = Job(tmp_path, MELT + "restart 50 r.* \nrun 10000000\n")
    assert within(HANGS, (tmp_path / "r.100").exists)
    os.kill(job.pids[rank], signal.SIGKILL)
    out, err = job.process.communicate(timeout=HANGS)
    assert job.process.returncode != 0
    assert within(HANGS, lambda: all(map(gone, job.pids)))
    newest = max(tmp_path.glob("r.*"), key=lambda path: int(path.suffix[1:]))
    step = int(newest.suffix[1:])
    done = run_scripts(2, {"on": (f"read_restart {newest}\n{REST}run 10\n", {})}, tmp_path)["on"]
    assert parse_log((done / "run.log").read_text())[-1]["Step"][-1] == step + 10


@pytest.mark.parametrize("line, whole", [
    ("dump d all atom 10 out", True), pytest.param("dump d all atom 10 out.*", False, marks=pytest.mark.all),
    ("restart 10 out.*", False),
    ("run 5\nwrite_data out.data\nrun 5", False)])
def test_a_full_disk_ends_all_ranks(tmp_path: Path, line: str, whole: bool) -> None:
    """One message, with file, cause and remedy; no part of a frame or of a file is left."""
    size = 20000 if whole else 4096
    (tmp_path / "small.py").write_text("import resource, sys\nsys.dont_write_bytecode = True  # it would be cut off\n"
                                       f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))\n")
    (tmp_path / "in.x").write_text(f"{MELT}thermo 0\nrun 0\nplugin load small.py\n{line}\nrun 100\n")
    words = ["-m", "everlet", "run", "in.x", "--device", "serial", "--log", "none", "--allow-python"]
    done = mpiexec(2, words, tmp_path, 2 * HANGS)
    assert done.returncode == 1
    assert done.stderr.count("cannot write 'out") == 1 and "File too large" in done.stderr and "-> " in done.stderr
    assert "Abort" not in done.stderr and "Traceback" not in done.stderr
    left = sorted(path for path in tmp_path.iterdir() if path.suffix not in (".x", ".py") and path.name != "__pycache__")
    assert [path.name for path in left] == (["out"] if whole else [])
    if whole:
        frames = left[0].read_text().split("ITEM: TIMESTEP\n")[1:]
        assert len(frames) == 2 and all(len(frame.splitlines()) == 8 + 256 for frame in frames)


def test_the_time_limit_of_several_ranks(tmp_path: Path) -> None:
    script = MELT + "timer timeout 1 every 7 sync\nrun 10000000\nrun 5\ntimer timeout off\nrun 10\n"
    place = run_scripts(2, {"x": (script, {})}, tmp_path)["x"]
    log = (place / "run.log").read_text()
    tables = parse_log(log)
    step = int(tables[0]["Step"][-1])
    assert step > 0 and step % 7 == 0 and tables[1]["Step"][-1] == step + 10 and len(tables) == 2
    assert log.count("Wall time limit reached") == log.count("run skipped") == 1
    assert "\nSync    |" in log


def test_dumps_of_all_ranks(tmp_path: Path) -> None:
    """A file per rank: together the same atoms as in the file of one rank; an error of a rank that is not the first is
    raised by all."""
    script = MELT + """
    dump a all custom 20 a.%.txt id x vx
    dump b all custom 20 b.txt id x vx
    dump c all custom 20 c.%.*.gz id
    dump e all custom 20 e.%.gz id x vx
    run 40
    write_dump all custom w.%.txt id x vx
    write_dump all custom w.txt id x vx
    undump a
    undump b
    undump c
    shell mkdir d.1
    dump d all custom 1 d.% id
    run 5
    """
    (tmp_path / "in.x").write_text(script)
    done = mpiexec(2, ["-m", "everlet", "run", "in.x", "--device", "serial", "--log", "none"], tmp_path, 120)
    assert done.returncode == 1 and done.stderr.count("dump d: cannot write 'd.1': Is a directory") == 1
    assert "Abort" not in done.stderr

    def frames(name: str) -> list[list[str]]:
        return [frame.splitlines()[8:] for frame in (tmp_path / name).read_text().split("ITEM: TIMESTEP\n")[1:]]

    for name, count in (("a", 3), ("w", 1)):
        parts, whole = [frames(f"{name}.{rank}.txt") for rank in (0, 1)], frames("b.txt" if name == "a" else "w.txt")
        assert len(parts[0]) == len(parts[1]) == len(whole) == count
        for first, second, both in zip(*parts, whole, strict=True):
            assert min(len(first), len(second)) > 50 and sorted(first + second) == sorted(both) and len(both) == 256
    assert sorted(path.name for path in tmp_path.glob("c.*")) == sorted(f"c.{r}.{s}.gz" for r in (0, 1) for s in (0, 20, 40))
    for rank in (0, 1):
        assert gzip.open(tmp_path / f"e.{rank}.gz", "rt").read() == (tmp_path / f"a.{rank}.txt").read_text()
