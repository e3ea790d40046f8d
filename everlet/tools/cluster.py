"""everlet cluster SCRIPT --nodes N [options]: a job script for Slurm, as text.

    --gpus-per-node G    one rank per GPU; without it ranks run on the cores of the nodes
    --ranks-per-node R   instead of one per GPU or one per core (a multiple of the GPUs)
    --threads T          cores of a rank (GPUs: 4, cores: 1, or all cores divided among R ranks)
    --time HH:MM:SS      wall time (01:00:00); also D-HH:MM:SS and minutes
    --account A --partition P --name J      as Slurm has them; the name is that of the script
    --output FILE        write the job script to a file instead of standard output

Two minutes before the time is over Slurm sends SIGUSR1 to the ranks; they finish their step and write J.restart.
"""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass

from everlet.errors import InputError, integer
from everlet.flags import Flags
from everlet.io.files import whole_file

NOTICE = 120  # seconds before the end at which ranks are told; Slurm may be a minute early
LEAST = 300  # a job must be longer than the notice by far
GPU_THREADS = 4
CORES = "cores=$(lscpu -p=CORE,SOCKET | grep -v '^#' | sort -u | wc -l)  # Slurm counts hardware threads\n"
USAGE = ("everlet cluster SCRIPT --nodes N [--gpus-per-node G] [--ranks-per-node R] [--threads T] [--time HH:MM:SS] "
         "[--account A] [--partition P] [--name J] [--output FILE]")
COUNTS = {"nodes": "nodes", "gpus-per-node": "gpus", "ranks-per-node": "ranks", "threads": "threads"}
NAMES = ("time", "account", "partition", "name", "output")


@dataclass
class Job:
    """What the command line asks for; 0 and "" are defaults."""

    script: str = ""
    nodes: int = 0
    gpus: int = 0
    ranks: int = 0
    threads: int = 0
    time: str = "01:00:00"
    account: str = ""
    partition: str = ""
    name: str = ""
    output: str = ""

    def check(self) -> None:
        """Refuse what Slurm would refuse later, or what makes no sense."""
        if not self.script:
            raise InputError("no script is given", f"usage: {USAGE}")
        if not os.path.isfile(self.script):
            raise InputError(f"there is no script '{self.script}'", "check the path")
        if not self.nodes:
            raise InputError("the number of nodes is missing", "for example: --nodes 2")
        if self.gpus and self.ranks % self.gpus:
            raise InputError(f"{self.ranks} ranks cannot share {self.gpus} GPUs evenly",
                             "give a multiple of --gpus-per-node, or leave out --ranks-per-node")
        if slurm_seconds(self.time) < LEAST:
            raise InputError(f"--time {self.time} is too short: ranks are told to stop {NOTICE} seconds before its end",
                             "give at least 00:05:00")
        base = os.path.basename(self.script)
        self.name = self.name or re.sub(r"[^\w.-]", "_", base.removeprefix("in.") or base)
        for option, text in (("--account", self.account), ("--partition", self.partition), ("--name", self.name)):
            if not re.fullmatch(r"[\w.,-]*", text) or text.startswith("-"):
                raise InputError(f"{option} '{text}' has characters that a job script cannot have there",
                                 "use letters, digits, _ . -")


def slurm_seconds(text: str) -> int:
    """A time as Slurm writes it: minutes, MM:SS, HH:MM:SS, D-HH, D-HH:MM or D-HH:MM:SS.

    >>> slurm_seconds("90"), slurm_seconds("01:30:00"), slurm_seconds("1-12:00")
    (5400, 5400, 129600)
    """
    match = re.fullmatch(r"(?:(\d+)-)?(\d+)(?::(\d\d))?(?::(\d\d))?", text)
    if not match:
        raise InputError(f"--time '{text}' is no time", "write HH:MM:SS, D-HH:MM:SS or minutes")
    days, *rest = match.groups()
    places = [int(part) for part in rest if part is not None]
    if any(part > 59 for part in places[1:]):
        raise InputError(f"--time '{text}' is no time", "minutes and seconds go up to 59")
    if days is not None:
        hours, minutes, seconds = (*places, 0, 0)[:3]
    elif len(places) == 3:
        hours, minutes, seconds = places
    else:
        hours, minutes, seconds = 0, places[0], places[1] if len(places) == 2 else 0
    return ((int(days or 0) * 24 + hours) * 60 + minutes) * 60 + seconds


def read(words: list[str]) -> Job:
    """The arguments of `everlet cluster`."""
    job, flags = Job(), Flags(USAGE)
    for name in (*COUNTS, *NAMES):
        flags.add(name)
    given, others = flags.read(words)
    if len(others) > 1:
        raise InputError(f"two scripts are given: '{others[0]}' and '{others[1]}'", "make one job for each")
    job.script = "".join(others)
    for name, flag, (value,) in given:
        if not value:
            raise InputError(f"{flag} needs a value", f"usage: {USAGE}")
        if name in COUNTS:
            count = integer(value, f"a number for {flag}")
            if count < 1:
                raise InputError(f"{flag} needs a positive number, found {count}", f"for example: {flag} 2")
            setattr(job, COUNTS[name], count)
        else:
            setattr(job, name, value)
    job.check()
    return job


def text(job: Job) -> str:
    """The job script."""
    settings = {"job-name": job.name, "account": job.account, "partition": job.partition, "nodes": job.nodes,
                "time": job.time, "output": f"{job.name}.%j.out", "open-mode": "append", "signal": f"USR1@{NOTICE}"}
    count = ""
    if job.gpus:
        ranks, threads = str(job.ranks or job.gpus), str(job.threads or GPU_THREADS)
        settings |= {"gpus-per-node": job.gpus, "ntasks-per-node": ranks, "cpus-per-task": threads}
        device = "cuda"
    elif job.ranks and job.threads:
        ranks, threads, device = str(job.ranks), str(job.threads), "cpu"
        settings |= {"ntasks-per-node": ranks, "cpus-per-task": threads, "hint": "nomultithread"}
    else:  # whole nodes: how many cores they have is known when the job runs
        settings |= {"exclusive": "", "hint": "nomultithread"}
        ranks = str(job.ranks) if job.ranks else f"$((cores / {job.threads or 1}))"
        threads = str(job.threads or 1) if not job.ranks else f"$((cores / {job.ranks}))"
        count, device = CORES, "cpu"
    lines = [f"#SBATCH --{name}" + (f"={value}" if value else "") for name, value in settings.items()
             if value or name == "exclusive"]
    script, file = shlex.quote(job.script), f"{job.name}.restart"
    return f"""#!/bin/bash
{chr(10).join(lines)}

# Slurm sends SIGUSR1 to all ranks (not to this shell) {NOTICE} seconds before the time is over. They finish their step,
# write {file} and end with status 138. A script that can be started again and again begins like this:
#     if "$(is_file({file}))" then "read_restart {file}" else "include in.begin"
# and then, after fixes and output, has: run N upto

# module load ...      whatever makes `everlet` and the MPI library of its mpi4py available
{count}ranks={ranks}
threads={threads}
log="{job.name}.$SLURM_JOB_ID.${{SLURM_RESTART_COUNT:-0}}.log"

# if all ranks say that they are alone: srun --mpi=list shows what srun can speak (pmix, pmi2, ...); add --mpi=...
srun --nodes={job.nodes} --ntasks-per-node="$ranks" --cpus-per-task="$threads" \\
    everlet run {script} --device {device} --threads "$threads" --log "$log" --on-signal restart={file}
status=$?

if [ "$status" -eq 138 ]; then
    echo "out of time: {file} holds the last step"
    # a script that begins as above goes on by itself in a new slot:
    # scontrol requeue "$SLURM_JOB_ID"
fi
exit "$status"
"""


def main(words: list[str]) -> int:
    if words[:1] in (["-h"], ["--help"]):
        print((__doc__ or "").strip())
        return 0
    job = read(words)
    if not job.output:
        print(text(job), end="")
        return 0
    with whole_file(job.output) as stream:
        stream.write(text(job))
    print(f"written: {job.output}; start it with: sbatch {shlex.quote(job.output)}")
    return 0
