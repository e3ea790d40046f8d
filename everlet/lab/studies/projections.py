"""Studies machines, project and power: what equations say about named machines, from what was measured on one GPU."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from everlet.lab import md, wavefront
from everlet.lab.machine import Machine, devices, load, thesis
from everlet.lab.model import powers
from everlet.lab.rates import rate_of
from everlet.lab.results import OUT, Outcome, Row, bars, outcome, plot, study
from everlet.lab.wavefront import CLASSES, Grind, Sweeps
from everlet.perf import options

# atoms, density, reach
SYSTEMS = {"lj/cut": (16_384_000, 0.8442, 2.8), "reaxff": (465_000, 0.1, 11.0), "snap": (64_000, 0.0622, 5.7)}
GPUS = ("v100", "a100", "h100", "gh200", "h200", "mi250x", "mi300a", "pvc")
CORES = 36  # of the processor that the source divides by; rates of one core are those of lmp with AVX-512
CORE = {"lj/cut": 2.32e6, "reaxff": 7.3e3, "snap": 4.6e3}
LARGE = ("frontier", "aurora", "el-capitan", "alps", "eos")
LATENCIES = (1e-6, 5e-6)  # seconds: what networks of large machines have, roughly
ONLY_OUT = OUT
PROJECT: dict[str, tuple[options.Reader, Any]] = {
    "machines": (options.many(options.word), list(LARGE)),
    "potentials": (options.many(options.one_of(*SYSTEMS)), list(SYSTEMS)), "most": (options.positive, 8192), **OUT}

plot("machines")(bars("device", {f"{potential} by cpu": potential for potential in SYSTEMS}, "times 36 cores", log=True))
plot("power")(bars("machine", {"MJ tdp": "by TDP", "MJ": "measured"}, "MJ of class E"))


@study("machines")
def machines(words: list[str]) -> Outcome:
    """everlet study machines [--out FOLDER]

    Atom-steps per second of three potentials on one GPU of each kind, by the rate of an H200 and the ratio of bandwidths (of
    arithmetic for snap and reaxff), and times 36 cores of a CPU with AVX-512. Published: the same potentials and sizes,
    by 36 cores of a Skylake."""
    given = options.parse(words, ONLY_OUT, "everlet study machines [--out FOLDER]")
    known, rows = devices(), []
    for name in GPUS:
        row: Row = {"device": name}
        for potential, (atoms, _, _) in SYSTEMS.items():
            rate = rate_of(Machine(name=name, device=known[name]), potential)
            speed = atoms / rate.time(atoms)
            row |= {potential: speed / 1e6, f"{potential} by cpu": speed / CORE[potential] / CORES}
        rows.append(row)
    best = {potential: max(rows, key=lambda row: row[potential])["device"] for potential in SYSTEMS}
    slow, fast = rows[0], next(row for row in rows if row["device"] == "h100")
    gains = ", ".join(f"{potential} {fast[potential] / slow[potential]:.1f}" for potential in SYSTEMS)
    said = (f"from V100 to H100 rates grow by {gains} times; best: {', '.join(f'{one} {name}' for one, name in best.items())}. "
            "Published: lj gains as bandwidth does, snap and reaxff as arithmetic does: here it is assumed, since rates were "
            "measured on an H200 alone (± 35 %)")
    columns = {"device": "device", **{key: title for potential in SYSTEMS for key, title in (
        (potential, f"{potential} M/s"), (f"{potential} by cpu", "x 36 cores"))}}
    return outcome(given, "machines", rows, columns, said)


@study("project")
def project(words: list[str]) -> Outcome:
    """everlet study project [--machines frontier,alps,…] [--potentials lj/cut,reaxff,snap] [--most 8192] [--out FOLDER]

    Steps per second against nodes of large machines, for systems of fixed size (strong scaling), with error bars: ± by rates of
    GPUs, and with latencies of 1 and 5 us, since little is published about networks. Published: about 1000 steps per second
    for lj and snap at any size, given nodes; fewer than 100 for reaxff."""
    given = options.parse(words, PROJECT, "everlet study project [options]; see everlet study project --help")
    rows: list[Row] = []
    for name in given["machines"]:
        machine = load(name)
        for potential in given["potentials"]:
            atoms, density, reach = SYSTEMS[potential]
            edge = (atoms / density) ** (1.0 / 3.0)
            rate = rate_of(machine, potential)
            matter = md.Matter(atoms, (edge,) * 3, reach, sums=1, iterations=10 if potential == "reaxff" else 0)
            for nodes in powers(min(machine.nodes, given["most"])):
                ranks = nodes * machine.devices
                if atoms / ranks < 50:
                    break
                step = md.step(matter, rate, machine, nodes)
                quick, slow = (1.0 / md.step(matter, rate, waiting(machine, latency), nodes).total for latency in LATENCIES)
                rows.append({"machine": name, "potential": potential, "nodes": nodes, "atoms_per_rank": step.atoms,
                             "steps_per_second": 1.0 / step.total, "error": rate.error, "quick": quick, "slow": slow,
                             **{part: 1e6 * value for part, value in step.parts.items()}})
    best = {potential: max((row for row in rows if row["potential"] == potential), key=lambda row: row["steps_per_second"])
            for potential in given["potentials"]}
    shown = [row for row in rows if row["nodes"] in (1, 16, 256) or row is _best(rows, row)]
    verdicts = [f"{potential} at most {row['steps_per_second']:.0f} steps/s ({_verdict(potential, row['steps_per_second'])}; "
                f"{row['quick']:.0f} and {row['slow']:.0f} with latencies of 1 and 5 us)" for potential, row in best.items()]
    said = "; ".join(verdicts) + (". Published: about 1000 for lj and snap, fewer than 100 for reaxff. What starts a step "
                                  "takes 18 us for lj and 0.8 ms for reaxff here, replayed as a graph, and 61 us and 5.5 ms "
                                  "in the published program")
    columns = {"machine": "machine", "potential": "potential", "nodes": "nodes", "atoms_per_rank": "atoms/rank",
               "local": "local us", "halo": "halo us", "global": "global us", "steps_per_second": "steps/s", "error": "±",
               "quick": "at 1 us", "slow": "at 5 us"}
    found = outcome(given, "project", shown, columns, said)
    found[2]["rows"] = rows
    return found


def waiting(machine: Machine, latency: float) -> Machine:
    """The same machine with another latency of messages."""
    return replace(machine, network=replace(machine.network, latency=latency))


def _best(rows: list[Row], row: Row) -> Row:
    mine = [one for one in rows if (one["machine"], one["potential"]) == (row["machine"], row["potential"])]
    return max(mine, key=lambda one: one["steps_per_second"])


def _verdict(potential: str, rate: float) -> str:
    if potential == "reaxff":
        return "holds" if rate < 150 else "does not hold"
    return "holds" if 500 < rate < 2500 else "more" if rate >= 2500 else "less"


@plot("project")
def draw(figure: Any, rows: list[Row]) -> None:
    """Steps per second over nodes, a panel for each potential."""
    potentials = list(dict.fromkeys(row["potential"] for row in rows))
    panels = figure.subplots(1, len(potentials), sharey=True, squeeze=False)[0]
    for panel, potential in zip(panels, potentials, strict=True):
        for name in dict.fromkeys(row["machine"] for row in rows):
            mine = [row for row in rows if (row["machine"], row["potential"]) == (name, potential)]
            if mine:
                nodes, rates = [row["nodes"] for row in mine], [row["steps_per_second"] for row in mine]
                (line,) = panel.plot(nodes, rates, marker=".", label=name)
                panel.fill_between(nodes, [rate * (1 - row["error"]) for rate, row in zip(rates, mine, strict=True)],
                                   [rate * (1 + row["error"]) for rate, row in zip(rates, mine, strict=True)], alpha=0.12,
                                   color=line.get_color(), linewidth=0)
        panel.set(xscale="log", yscale="log", xlabel="nodes", title=f"{potential}, {SYSTEMS[potential][0]:,} atoms")
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("steps per second")
    panels[-1].legend(fontsize="small")


@study("power")
def power(words: list[str]) -> Outcome:
    """everlet study power [--out FOLDER]

    Energy of NPB LU, class E, on four published machines in like time, by data sheets (TDP) and as measured; beside it what
    the equations say about the time of the first of them."""
    given = options.parse(words, ONLY_OUT, "everlet study power [--out FOLDER]")
    rows: list[Row] = []
    for name, (nodes, seconds, tdp, watts, peak) in thesis()["power"].items():
        rows.append({"machine": name, "class": "E", "nodes": nodes, "seconds": seconds, "model": None, "tdp": tdp / 1e3,
                     "measured": watts / 1e3, "MJ tdp": tdp * seconds / 1e6, "MJ": watts * seconds / 1e6,
                     "peak": 100.0 * wavefront.operations(*CLASSES["E"]) / seconds / peak})
    rows[0]["model"] = modelled(load("c1060"), "E", rows[0]["nodes"])
    least, most = min(row["MJ"] for row in rows), max(row["MJ"] for row in rows)
    off = 100.0 * (rows[0]["model"] / rows[0]["seconds"] - 1.0)
    said = (f"machines that take like times need {least:.1f} to {most:.1f} MJ, {most / least:.1f} times apart, and by data "
            f"sheets {min(row['MJ tdp'] for row in rows):.1f} to {max(row['MJ tdp'] for row in rows):.1f}: that many slow "
            f"cores can need less energy than few GPUs holds for these. Equations put the first at {rows[0]['model']:.0f} s, "
            f"{off:+.0f} % off what was published")
    columns = {"machine": "machine", "class": "class", "nodes": "nodes", "seconds": "s", "model": "model s", "tdp": "kW TDP",
               "measured": "kW measured", "MJ tdp": "MJ TDP", "MJ": "MJ measured", "peak": "% of peak"}
    return outcome(given, "power", rows, columns, said)


def modelled(machine: Machine, name: str, nodes: int) -> float:
    """Seconds of LU by the equations, with the best of some blocks."""
    edge, iterations = CLASSES[name]
    usual, often = CLASSES["C"]
    each, array = Grind(machine.lu["plane"], machine.lu["point"]), wavefront.squarish(nodes)
    other = machine.lu["other"] * (edge / usual) ** 3 * iterations / often / nodes
    times = []
    for kblock in (8, 16, 32, 64, 128):
        sweeps = Sweeps((edge,) * 3, array, kblock)
        times.append(wavefront.old(sweeps, each.block(sweeps), wavefront.exchange(sweeps, machine)).total)
    return 2 * iterations * min(times) + other
