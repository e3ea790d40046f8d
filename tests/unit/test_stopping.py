"""Runs that end early, on one rank: signals, second signals, time limits. Each process is started once and watched."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.run.graphs import Replay
from everlet.run.repeats import Repeats
from everlet.run.stopping import HEARD, Interrupted, Signals, Stopping
from everlet.state.ranks import SingleRank
from tests.oracle.harness import parse_log
from tests.scripts import melt

MELT = melt("0 4 0 4 0 4", "1.44 87287")
REST = """
fix 1 all nve
thermo_modify format float %.17g
thermo 10
"""
SLEEP = """
import time
from everlet.fixes.base import Fix, fix_style

@fix_style("sleep")
class Sleep(Fix):
    def end_of_step(self):
        time.sleep(float(self.args[0]))
"""


def start(folder: Path, script: str, *words: str) -> subprocess.Popen[str]:
    """Start a script and wait until its first row of output is there."""
    (folder / "in.x").write_text(script)
    command = [sys.executable, "-u", "-m", "everlet", "run", "in.x", "--device", "serial", "--log", "log", *words]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    while "Step" not in (line := process.stdout.readline()):
        assert line, process.communicate()[1]
    process.stdout.readline()
    return process


def end(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Output and errors, without the progress of a compiler."""
    out, err = process.communicate(timeout=60)
    return out, "".join(line for line in err.splitlines(True) if not line.startswith("compiling "))


def frames(path: Path) -> list[int]:
    """The steps of the frames of a dump; every frame must be whole."""
    found = path.read_text().split("ITEM: TIMESTEP\n")[1:]
    assert all(len(frame.splitlines()) == 8 + int(frame.splitlines()[2]) for frame in found) and path.read_text().endswith("\n")
    return [int(frame.split()[0]) for frame in found]


@pytest.mark.parametrize("number", HEARD)
def test_a_signal_leaves_a_restart_file_that_continues_exactly(tmp_path: Path, number: signal.Signals) -> None:
    text = MELT + REST + "dump d all atom 50 d.txt\nrun 10000000\n"
    process = start(tmp_path, text, "--on-signal", "restart=here.*")
    time.sleep(0.3)
    process.send_signal(number)
    out, err = end(process)
    assert process.returncode == 128 + number
    [file] = tmp_path.glob("here.*")
    step = int(file.suffix[1:])
    assert err == f"{number.name}: stopped at step {step}, restart file {file.name}\n"
    assert err.strip() in (tmp_path / "log").read_text()
    assert f"for {step} steps with 256 atoms" in out
    assert frames(tmp_path / "d.txt") == list(range(0, step + 1, 50))
    assert parse_log((tmp_path / "log").read_text())[-1]["Step"][-1] == step
    assert not list(tmp_path.glob(".*part"))
    # a run that writes a restart file at that step, and goes on; lists are rebuilt for each such file
    other = f"restart {step} {tmp_path}/other.*\n"
    whole = Simulation(device="serial").commands(MELT + REST + other + f"run {step + 40}")
    again = Simulation(device="serial").commands(f"read_restart {file}\n{REST}{other}run 40")
    rows = [row for row in whole.thermo.history if row["step"] >= step and row["step"] % 10 == 0]
    assert rows == [row for row in again.thermo.history if row["step"] % 10 == 0] and len(rows) >= 4
    assert np.array_equal(whole.gather("x"), again.gather("x")) and np.array_equal(whole.gather("v"), again.gather("v"))


def test_stop_finishes_the_step_and_leaves_the_script(tmp_path: Path) -> None:
    process = start(tmp_path, MELT + REST + "run 10000000\nprint never\n", "--on-signal", "stop")
    process.send_signal(signal.SIGTERM)
    out, err = end(process)
    assert process.returncode == 143 and err.startswith("SIGTERM: stopped at step ") and "restart" not in err
    assert "Loop time of" in out and "never" not in out


def test_without_the_option_a_signal_ends_at_once(tmp_path: Path) -> None:
    process = start(tmp_path, MELT + REST + "dump d all atom 5 d.txt\nrun 10000000\n")
    time.sleep(0.2)
    process.send_signal(signal.SIGTERM)
    out, err = end(process)
    assert process.returncode == 143 and err.startswith("SIGTERM: interrupted at step ") and "Traceback" not in err
    assert "Loop time of" not in out and len(frames(tmp_path / "d.txt")) > 1


def test_a_second_signal_does_not_wait(tmp_path: Path) -> None:
    """Not even for a step that never ends."""
    (tmp_path / "sleep.py").write_text(SLEEP)
    process = start(tmp_path, "plugin load sleep.py\n" + MELT + REST + "fix s all sleep 100\nrun 10\n", "--on-signal", "stop",
                    "--allow-python")
    time.sleep(0.2)
    process.send_signal(signal.SIGTERM)
    time.sleep(0.1)
    process.send_signal(signal.SIGTERM)  # the same one again, by another way
    time.sleep(0.4)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10) == 130
    process.communicate()


def test_signals_between_runs(tmp_path: Path) -> None:
    """A signal that comes after the last step is obeyed before the next line."""
    signals = Signals()
    sim = Simulation(device="serial")
    sim.engine.stopping.signals = signals
    sim.engine.stopping.on_signal(f"restart={tmp_path}/r")
    sim.commands(MELT + REST)
    signals.number = signal.SIGUSR1
    with pytest.raises(Interrupted, match="SIGUSR1: stopped at step 0$"):  # nothing has been run: nothing to keep
        sim.commands("run 5")
    signals.number = 0
    sim.commands("run 5")
    signals.number = signal.SIGUSR1
    with pytest.raises(Interrupted, match="stopped at step 5, restart file"):
        sim.commands("print x")
    assert Simulation(device="serial").commands(f"read_restart {tmp_path}/r").engine.system.step == 5


def test_listening_ends(tmp_path: Path) -> None:
    before, signals = [signal.getsignal(number) for number in HEARD], Signals()
    with pytest.raises(Interrupted, match="SIGUSR1: interrupted"), signals.listening(gently=False):
        os.kill(os.getpid(), signal.SIGUSR1)
        time.sleep(5)
    with signals.listening(gently=False), signals.only_noted():
        os.kill(os.getpid(), signal.SIGUSR1)
        time.sleep(0.1)
        assert signals.number == signal.SIGUSR1
    assert [signal.getsignal(number) for number in HEARD] == before and not signals.on


def test_ways_to_stop(tmp_path: Path) -> None:
    stopping = Stopping(SingleRank())
    for text in ("", "now", "stop=x"):
        with pytest.raises(InputError, match="unknown way to stop"):
            stopping.on_signal(text)
    with pytest.raises(InputError, match="cannot be written to"):
        stopping.on_signal(f"restart={tmp_path}/none/r")
    stopping.on_signal("restart")
    assert stopping.file == "stopped.restart"


def test_replayed_steps_stop_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two graphs there is a look; the last step is an ordinary one, with output."""
    monkeypatch.setattr(Replay, "why_not", staticmethod(lambda loop: ""))
    sim, signals = Simulation(device="serial"), Signals()
    sim.engine.stopping.signals, signals.on = signals, True
    sim.engine.stopping.on_signal("stop")
    sim.commands(MELT + REST + "thermo 0\npackage everlet scheme full tune off\n")
    advance, calls = Replay.graph, []

    def graph(self: Replay, plan: str):
        calls.append(plan)
        signals.number = signal.SIGTERM if len(calls) >= 5 else 0
        return advance(self, plan)

    monkeypatch.setattr(Replay, "graph", graph)
    with pytest.raises(Interrupted):
        sim.run(100000)
    assert len(calls) in (5, 6) and 5 <= sim.engine.system.step < 400  # a step that waits for new lists is finished first
    assert sim.thermo.history[-1]["step"] == sim.engine.system.step


# ---- the time limit

def limited(text: str) -> Simulation:
    return Simulation(device="serial").commands(MELT + REST + text)


def test_a_time_limit_ends_runs_at_multiples(tmp_path: Path) -> None:
    log = tmp_path / "log"
    sim = Simulation(device="serial", log=str(log)).commands(MELT + REST + "run 3\nthermo_style custom step temp timeremain\n")
    sim.commands("timer timeout 0:00:01 every 7\nrun 10000000")
    done = sim.engine.system.step
    assert done > 7 and (done - 3) % 7 == 0
    sim.commands("run 50\nrun 30 every 10 'print inside'\nvariable over equal is_timeout()\nprint 'over $(v_over)'")
    assert sim.engine.system.step == done
    sim.commands("timer timeout off\nrun 5\nprint 'over $(is_timeout())'\n")
    assert sim.engine.system.step == done + 5
    sim.close()
    text = log.read_text()
    assert "New timer settings: style=normal  mode=nosync  timeout=00:00:01" in text and "  Walltime left : 0:00:0" in text
    assert text.count("WARNING: Wall time limit reached") == 1 and text.count("WARNING: run skipped: the time limit") == 2
    assert "\ninside" not in text and "\nover 1\n" in text and "\nover 0\n" in text
    table = parse_log(text)[1]
    assert table["Step"][-1] == done and f"for {done - 3} steps with 256 atoms" in text
    assert 0.5 < table["TimeoutLeft"][0] <= 1.0 and table["TimeoutLeft"][-1] < 0.0


@pytest.mark.parametrize("replayed", [False, True])
def test_repeated_steps_end_at_multiples_too(monkeypatch: pytest.MonkeyPatch, replayed: bool) -> None:
    """A look that finds the time over, in the middle of steps that go without the host, shortens those that follow."""
    looks: list[int] = []

    def late(self: Stopping, step: int) -> bool:
        looks.append(step)
        return step >= 40

    if replayed:
        monkeypatch.setattr(Replay, "why_not", staticmethod(lambda loop: ""))
    monkeypatch.setattr(Stopping, "_look", late)
    monkeypatch.setattr(Repeats, "_due", lambda self, steps, due=Repeats._due: setattr(self, "most", 5) or due(self, steps))
    sim = Simulation(device="serial").commands(MELT + REST + "thermo 0\npackage everlet scheme full tune off\n")
    sim.engine.stopping.set_limit(1000.0)
    sim.engine.stopping.every = 17
    sim.run(1000)
    first = next(step for step in looks if step >= 40)
    assert sim.engine.system.step == -(-(first + 1) // 17) * 17 and len(looks) < 40 + 17, looks


def test_a_limit_of_nothing_skips_all_runs() -> None:
    assert limited("timer timeout 0\nrun 20").engine.system.step == 0
    assert limited("timer timeout 100 full\ntimer loop\nrun 20").engine.system.step == 20
    sim = limited("timer timeout 1:00 sync every 3\n")
    engine = sim.engine
    assert (engine.sync, engine.timer, engine.stopping.limit, engine.stopping.every) == (True, "normal", 60.0, 3)
    sim.commands("clear")
    assert sim.engine.stopping.remaining() == 0.0 and not sim.engine.stopping.over()


@pytest.mark.parametrize("words", ["timeout", "timeout 1:2:3:4", "timeout -5", "timeout 1e3", "timeout :5", "every",
                                   "every 0", "every x", "fast"])
def test_wrong_timers(words: str) -> None:
    with pytest.raises(InputError):
        Simulation(device="serial").commands(f"timer {words}")
