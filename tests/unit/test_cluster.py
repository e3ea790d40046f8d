"""Job scripts for Slurm: bash understands them, srun gets what was asked for, nonsense is refused."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from everlet import Simulation
from everlet.cli import main
from everlet.cli.request import run_request
from everlet.tools.cluster import read, text

SRUN = """#!/bin/bash
printf '%s\\n' "$@" > words
exit 138
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.my melt").write_text("units lj\n")


def made(words: str) -> str:
    return text(read(["in.my melt", *words.split()]))


def started(script: str, cores: int) -> list[str]:
    """What srun is started with, by a shell that runs the job script."""
    Path("job.sh").write_text(script)
    Path("srun").write_text(SRUN)
    Path("lscpu").write_text("#!/bin/bash\necho '# CORE,SOCKET'\n" +
                             "".join(f"echo {core},{core // 8}\n" for core in range(cores)) * 2)  # two threads of each core
    for name in ("srun", "lscpu"):
        os.chmod(name, 0o755)
    environment = os.environ | {"PATH": f"{Path.cwd()}:{os.environ['PATH']}", "SLURM_JOB_ID": "7"}
    done = subprocess.run(["bash", "-u", "job.sh"], env=environment, capture_output=True, text=True)
    assert done.returncode == 138 and "out of time: my_melt.restart" in done.stdout and not done.stderr
    return Path("words").read_text().splitlines()


def settings(script: str) -> dict[str, str]:
    return dict(re.findall(r"^#SBATCH --([\w-]+)=?(.*)$", script, re.MULTILINE))


@pytest.mark.parametrize("words, ranks, threads, device", [
    ("--nodes 2", 16, 1, "cpu"), ("--nodes 2 --threads 4", 4, 4, "cpu"), ("--nodes 2 --ranks-per-node 2", 2, 8, "cpu"),
    ("--nodes 2 --ranks-per-node 3 --threads 5", 3, 5, "cpu"), ("--nodes 2 --gpus-per-node 4", 4, 4, "cuda"),
    ("--nodes 2 --gpus-per-node 2 --ranks-per-node 4 --threads 2", 4, 2, "cuda"),
])
def test_what_srun_is_asked_for(words: str, ranks: int, threads: int, device: str) -> None:
    script = made(words)
    given = started(script, 16)
    assert given[:4] == ["--nodes=2", f"--ntasks-per-node={ranks}", f"--cpus-per-task={threads}", "everlet"]
    request = run_request(given[5:])
    assert given[4] == "run" and (request.script, request.device, request.threads) == ("in.my melt", device, threads)
    assert request.on_signal == "restart=my_melt.restart" and request.log == "my_melt.7.0.log"
    found = settings(script)
    assert found["nodes"] == "2" and found["signal"] == "USR1@120"  # without B: to the ranks, not to the shell
    assert ("gpus-per-node" in found) == (device == "cuda") and ("exclusive" in found) == ("ntasks-per-node" not in found)
    for name, value in (("ntasks-per-node", ranks), ("cpus-per-task", threads)):
        assert found.get(name, str(value)) == str(value)


def test_names_and_files(capsys: pytest.CaptureFixture[str]) -> None:
    options = "--nodes 1 --time 1-02:00:00 --account=me --partition long,short --name j.1 --output job.sh"
    assert main(["cluster", "in.my melt", *options.split()]) == 0
    found = settings(Path("job.sh").read_text())
    assert (found["job-name"], found["account"], found["partition"], found["time"]) == ("j.1", "me", "long,short", "1-02:00:00")
    assert "sbatch job.sh" in capsys.readouterr().out
    assert main(["cluster", "in.my melt", "--nodes", "1"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("#!/bin/bash\n#SBATCH --job-name=my_melt\n") and "--account" not in shown
    assert subprocess.run(["bash", "-n"], input=shown, text=True).returncode == 0


def test_the_beginning_that_the_comments_advise() -> None:
    """The lines in the job script do what they say: begin anew, or go on."""
    [advice] = re.findall(r'^# +(if ".*)$', made("--nodes 1"), re.MULTILINE)
    Path("in.begin").write_text("units lj\nregion b block 0 4 0 4 0 4\ncreate_box 1 b\ncreate_atoms 1 single 1 1 1\nmass 1 1\n")
    first = Simulation(device="serial").commands(f"{advice}\nrun 7 upto\nwrite_restart my_melt.restart")
    assert first.engine.system.step == 7
    again = Simulation(device="serial").commands(advice)
    assert again.engine.system.step == 7 and again.commands("run 9 upto").engine.system.step == 9


@pytest.mark.parametrize("words, cause", [
    ("", "no script"), ("in.none --nodes 1", "no script 'in.none'"), ("X", "number of nodes is missing"),
    ("X --nodes 0", "positive number"), ("X --nodes two", "'two'"), ("X --nodes", "needs a value"),
    ("X --nodes 1 --gpus-per-node 4 --ranks-per-node 2", "cannot share 4 GPUs"), ("X --nodes 1 --threads -1", "positive"),
    ("X --nodes 1 --time 00:01:00", "too short"), ("X --nodes 1 --time 1:90:00", "no time"),
    ("X --nodes 1 --time soon", "no time"),
    ("X --nodes 1 --account a;b", "characters"), ("X --nodes 1 --name $(x)", "characters"), ("X --nodes 1 --gpus 2", "--gpus"),
    ("X X --nodes 1", "two scripts"), ("X --nodes 1 --account --name x", "--account needs a value"),
])
def test_nonsense_is_refused(words: str, cause: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cluster", *(("in.my melt" if word == "X" else word) for word in words.split())]) == 1
    shown = capsys.readouterr()
    assert cause in shown.err and "->" in shown.err and shown.out == ""
