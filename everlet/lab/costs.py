"""Seconds of a step of a job (reading.py) on a machine, by part, with an error."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from everlet.errors import InputError
from everlet.lab import md, memory
from everlet.lab.calibrate import ROW, cpu_name, entries_of, gpu_name
from everlet.lab.machine import HERE, Machine, between
from everlet.lab.rates import facts, rate_of
from everlet.lab.reading import Job

KNOWN, LIKE, GUESS = 0.15, 0.3, 0.6  # relative errors: measured styles, styles like a measured one, any other
FIX, FAR = 2e-8, 3.0  # seconds of an atom for a fix that was not measured; a pair style may cost so many times lj/cut
THREADS = 0.93  # what each doubling of threads keeps, where it was not measured how busy cores slow each other down
OUTPUT = 4.0  # a row of thermo output costs as much as so many times its share of a pair loop, at the least one
FRAME = 1.2e-6  # seconds of an atom in a frame of a dump


@dataclass
class Estimate:
    """Seconds of a step by part, how far they may be off, and why."""

    parts: dict[str, float] = field(default_factory=dict)
    error: float = KNOWN
    notes: list[str] = field(default_factory=list)
    bytes: dict[str, float] = field(default_factory=dict)
    ranks: int = 1
    threads: int = 1

    @property
    def total(self) -> float:
        return sum(self.parts.values())


def on_core(job: Job, machine: Machine, ranks: int = 1, threads: int = 1, divided: bool = True) -> Estimate:
    """On so many ranks, each with so many threads. `divided`: with what dividing a box costs, where it was measured."""
    known = machine.md
    if "step" not in known or "pair" not in known.get("lj/cut", {}):
        raise InputError(f"nothing is known about steps on a core of {machine.name}",
                         "everlet measure md measures this machine in a minute" if machine.name == HERE else
                         "run there: everlet measure all --json FILE, then --machine FILE here")
    step, found = known["step"], Estimate(ranks=ranks, threads=threads)
    n, name = job.atoms / ranks, cpu_name(job)
    style = known.get(name) or known.get(job.pair)
    if not job.pair:
        found.error = GUESS
        found.notes.append("no pair style is set: there are no forces between atoms in these times")
    if style is None or "pair" not in style:
        like = next((one for one in known if "pair" in known[one] and one.split("/")[0] == job.pair.split("/")[0]), "")
        style = dict(known[like or "lj/cut"])
        if job.pair:
            found.error = LIKE if like else GUESS
            found.notes.append(f"pair style {job.pair} was not measured: it is taken for {like or 'lj/cut, twice as costly'}")
        if not like:
            style["pair"] *= 2.0
    entries = entries_of(job)
    around = outer(job, ranks)
    speed = threads / machine.slower("md", ranks * threads)
    if threads > 1 and "md" not in machine.crowd:
        speed *= THREADS ** math.log2(threads)
    parts = {"start": step.get("start", 0.0), "Pair": 0.0}
    if job.pair:
        parts["Pair"] = n * (step.get("atom", 0.0) + style["pair"] * entries)
    every = job.rebuild * (style.get("rebuild", 1.0) if job.checked else 1.0)
    parts["Neigh"] = n * (step.get("built", 0.0) + style["build"] * entries) / max(every, 1.0) if job.pair else 0.0
    parts["Comm"] = around * step.get("ghost", 0.0)
    parts["Modify"] = n * sum(known.get(f"fix {fix}", {}).get("atom", FIX) for fix in job.fixes)
    if job.links:
        parts["Bond"] = sum(known.get(kind, {}).get("link", 1e-7) * count for kind, count in job.links.items()) / ranks
    if job.points:
        mesh = known.get("mesh", {"atom": 3e-7, "point": 8e-9})
        parts["Kspace"] = n * mesh["atom"] + job.points * math.log2(job.points) * mesh["point"] / ranks
    elif job.kspace:
        found.error = max(found.error, GUESS)
        found.notes.append(f"kspace_style {job.kspace} is not in the time")
    for part in parts:
        if part != "start":
            parts[part] /= speed
    if job.thermo:
        parts["Output"] = (parts["Pair"] / OUTPUT + parts["start"]) / job.thermo
    for _, interval in job.dumps:
        parts["Output"] = parts.get("Output", 0.0) + job.atoms * FRAME / max(interval, 1)
    if ranks > 1:
        parts["messages"] = messages(job, machine, ranks, around)
        if divided:
            parts["division"] = division(job, machine, ranks, around, max(every, 1.0))
        known_network = bool(machine.network.points) or math.isfinite(machine.network.bandwidth)
        found.error += 0.03 if known_network else 0.1
        if not known_network:
            found.notes.append("messages between ranks are not in the times: everlet measure network measures them")
    unknown = [fix for fix in job.fixes if f"fix {fix}" not in known]
    if unknown and n * FIX * len(unknown) > 0.1 * sum(parts.values()):
        found.error = max(found.error, LIKE)
    extra = {job.pair: style.get("extra", 0.0)}
    found.parts, found.bytes = parts, memory.bytes_of(job, ranks, threads=threads, extra=extra)
    if "pair style" in found.bytes:
        found.bytes["pair style"] += style.get("fixed", 0.0) + style.get("rows", 0.0) * memory.rows_of(job, ranks)
    return found


def outer(job: Job, ranks: int) -> float:
    """Ghosts of a rank."""
    return memory.ghosts(job, ranks, job.full or bool(job.links) and ranks > 1)


def division(job: Job, machine: Machine, ranks: int, around: float, every: float) -> float:
    """What ranks do beyond one core's work and messages (together.py), by lines between the numbers of ranks measured."""
    known = sorted((math.log2(float(count)), values) for count, values in machine.division.items())
    found = {key: between([(x, values.get(key, 0.0)) for x, values in known], min(math.log2(ranks), known[-1][0]))
             for key in known[0][1]} if known else {}
    turn = found.get("step", 0.0) + found.get("ghost", 0.0) * around
    return exchanges(job) * turn + (found.get("rebuild", 0.0) + found.get("new ghost", 0.0) * around) / every


def exchanges(job: Job) -> int:
    """How often ghosts get values and send some home in a step: eam has densities, too."""
    return 2 if job.pair.startswith("eam") else 1


def messages(job: Job, machine: Machine, ranks: int, around: float) -> float:
    """Ghosts, sums over ranks and transposes of a step."""
    network = machine.network
    sizes = 24.0 * around * (2 if job.newton else 1)
    total = exchanges(job) * md.halo(network, sizes, stages=False) + md.allreduce(network, ranks)
    total += 2.0 * ranks * network.overhead / max(job.rebuild, 1.0)
    if job.points:
        total += 8 * md.transpose(network, ranks, job.points)
    return total


def on_gpu(job: Job, machine: Machine, devices: int = 1, precision: str = "double") -> Estimate:
    """On so many GPUs, a rank each."""
    found, name = Estimate(ranks=devices), gpu_name(job)
    names = [f"{name} {precision}" if precision != "double" else name, name, job.pair, "lj/cut"]
    rate, key = None, ""
    for key in names:
        try:
            rate = rate_of(machine, key)
            break
        except InputError:
            continue
    if rate is None:
        raise InputError(f"nothing is known about steps on {machine.name}", "measure there: everlet measure md --device cuda")
    found.error = max(rate.error, KNOWN)
    known = facts(machine, key)
    usual = known.get("entries", 75.0 if key.startswith("lj/cut") else 0.0)
    scale = max(0.2, 2.0 * job.listed / usual) if usual and job.listed and "snap" not in key else 1.0
    if key != names[0] and key != name:
        found.error = max(found.error, GUESS if key == "lj/cut" and job.pair != "lj/cut" else LIKE)
        found.notes.append(f"{name} was not measured on GPUs: it is taken for {key}")
    elif key != names[0]:
        found.notes.append(f"{name} in {precision} precision was not measured on GPUs: times are those of double")
    if not job.pair:
        found.error = GUESS
        found.notes.append("no pair style is set: the rate is that of lj/cut")
    n = job.atoms / devices
    found.parts = {"start": rate.start, "atoms": n * scale / rate.rate, "ghosts": rate.surface * n ** (2.0 / 3.0)}
    if rate.points:
        whole = rate.time(n)
        begin = min(rate.start, whole)
        found.parts = {"start": begin, "atoms": (whole - begin) * scale}
    row = facts(machine, ROW)
    often = 1.0 / job.thermo if job.thermo else 0.0
    usual = known.get("thermo", 0)  # there are rows in the runs that were measured
    more = max(0.0, often - (1.0 / usual if usual else 0.0))
    found.parts["Output"] = more * (row.get("start", 0.0) + n * row.get("atom", 0.0))
    if devices > 1:
        matter = md.Matter(job.atoms, job.edges, job.reach, sums=1, mesh=job.points, every=max(job.rebuild, 1.0))
        nodes = math.ceil(devices / machine.devices)
        step = md.step(matter, rate, machine, nodes)
        found.parts |= {"messages": step.parts.get("halo", 0.0) + step.parts.get("global", 0.0)}
        found.error = max(found.error, machine.rough)
    extra = {job.pair: known.get("extra", 0.0)}
    found.bytes = memory.bytes_of(job, devices, gpu=True, extra=extra)
    beyond = known.get("beyond", [])
    if beyond:
        found.bytes["pair style"] = found.bytes.get("pair style", 0.0) + between([(x, y) for x, y in beyond], n)
    return found


