"""The text after a run: loop time, performance, where the time went, and neighbour statistics.

Existing log readers know this layout, so it is kept to the letter. All numbers come in one `RunSummary`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from everlet.state.units import Units

DAY = 86400.0
SECTIONS = ("Pair", "Neigh", "Comm", "Output", "Modify")  # always shown; others only if they took time
ORDER = ("Pair", "Bond", "Kspace", "Neigh", "Comm", "Output", "Modify")


@dataclass
class RankSummary:
    """What one rank of a run has and measured."""

    atoms: int
    ghosts: int
    neighbors: int
    cpu_seconds: float
    sections: dict[str, float]
    section_cpu: dict[str, float]


@dataclass
class RunSummary:
    """What a run measured. Times are wall-clock seconds, `sections` by name as in ORDER."""

    seconds: float
    steps: int
    atoms: int
    dt: float
    sections: dict[str, float] = field(default_factory=dict)
    section_cpu: dict[str, float] = field(default_factory=dict)  # CPU seconds, with timer full
    cpu_seconds: float = 0.0
    ranks: int = 1
    threads: int = 1
    ghosts: int = 0
    neighbors: int = 0
    builds: int = 0
    dangerous: int = 0
    check: bool = True  # the rebuild test was on, so that dangerous builds can be told
    report: str = ""  # of a minimisation
    timer: str = "normal"  # off: nothing is said about time; loop: no table; full: the table shows CPU use

    by_rank: list[RankSummary] = field(default_factory=list)  # of several ranks; sections above are their means

    @classmethod
    def of(cls, ranks: list[RankSummary], **rest: Any) -> RunSummary:
        """The whole of a run from what its ranks have."""
        if len(ranks) == 1:
            one = ranks[0]
            return cls(atoms=one.atoms, ghosts=one.ghosts, neighbors=one.neighbors, cpu_seconds=one.cpu_seconds,
                       sections=dict(sorted(one.sections.items())), section_cpu=dict(sorted(one.section_cpu.items())), **rest)
        names = {name for rank in ranks for name in rank.sections}
        cpu = {name for rank in ranks for name in rank.section_cpu}
        return cls(
            atoms=sum(rank.atoms for rank in ranks), ghosts=sum(rank.ghosts for rank in ranks),
            neighbors=sum(rank.neighbors for rank in ranks), cpu_seconds=sum(rank.cpu_seconds for rank in ranks),
            sections={name: _mean([rank.sections.get(name, 0.0) for rank in ranks]) for name in sorted(names)},
            section_cpu={name: _mean([rank.section_cpu.get(name, 0.0) for rank in ranks]) for name in sorted(cpu)},
            ranks=len(ranks), by_rank=ranks if len(ranks) > 1 else [], **rest)

    def per_rank(self, name: str) -> list[float]:
        """Seconds of a section on each rank."""
        return [rank.sections.get(name, 0.0) for rank in self.by_rank] or [self.sections.get(name, 0.0)]

    def fields(self) -> dict[str, Any]:
        """For the JSON-lines log."""
        return {**vars(self), "by_rank": [vars(rank) for rank in self.by_rank]}


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def loop_time(run: RunSummary) -> str:
    """The line that ends every thermo table, also when the rest is left out (`run ... post no`)."""
    procs = run.ranks * run.threads
    return f"Loop time of {run.seconds:g} on {procs} procs for {run.steps} steps with {run.atoms} atoms\n"


def text(run: RunSummary, units: Units) -> str:
    """The whole block that follows the last thermo row."""
    counts = [*histograms(run), "", *neighbor_lines(run)]
    if run.timer == "off":
        return "\n".join(["", *([run.report] if run.report else []), *counts]) + "\n"
    lines = [loop_time(run)]
    if run.steps > 0 and run.seconds > 0 and not run.report:
        lines.append(performance(run, units))
    share = 100.0 * run.cpu_seconds / run.seconds / run.ranks if run.seconds > 0 else 0.0
    lines.append(f"{share:.1f}% CPU use with {run.ranks} MPI tasks x {run.threads} OpenMP threads")
    table = [] if run.timer == "loop" else [*breakdown(run), ""]
    return "\n".join([*lines, "", *([run.report] if run.report else []), *table, *counts]) + "\n"


def performance(run: RunSummary, units: Units) -> str:
    """Simulated time per day in the words of the unit system, steps and atom-steps per second."""
    rate = run.steps / run.seconds
    parts = []
    if units.name == "lj":
        parts = [f"{DAY * rate * run.dt:.3f} tau/day"]
    elif units.name == "electron":
        parts = _per_day(rate * run.dt / units.femtosecond, "fs")
    elif units.name not in ("si", "cgs"):  # there, times are of any size and nanoseconds say nothing
        parts = _per_day(rate * run.dt / units.femtosecond * 1e-6, "ns")
    atoms, prefix = rate * run.atoms, ""
    for prefix in ("", "k", "M", "G", "T"):
        if atoms < 1000.0 or prefix == "T":
            break
        atoms /= 1000.0
    return "Performance: " + ", ".join([*parts, f"{rate:.3f} timesteps/s", f"{atoms:.3f} {prefix}atom-step/s"])


def _per_day(per_second: float, unit: str) -> list[str]:
    return [f"{DAY * per_second:.3f} {unit}/day", f"{1.0 / (3600.0 * per_second):.3f} hours/{unit}"]


def breakdown(run: RunSummary) -> list[str]:
    """The table of sections; what no section claims is Other."""
    full = run.timer == "full"
    lines = ["MPI task timing breakdown:",
             f"Section |  min time  |  avg time  |  max time  |%varavg|{'  %CPU |' if full else ''} %total",
             "-" * (71 if full else 63)]
    whole = run.seconds or 1.0
    names = [name for name in ORDER if name in SECTIONS or run.sections.get(name, 0.0) > 0]
    for name in [*names, *(name for name in run.sections if name not in ORDER)]:
        spent = run.sections.get(name, 0.0)
        use = f"{100.0 * run.section_cpu.get(name, 0.0) / spent if spent else 0.0:6.1f} |" if full else ""
        ranks = run.per_rank(name)
        lines.append(f"{name:<7} | {min(ranks):<10.5g} | {spent:<10.5g} | {max(ranks):<10.5g} |"
                     f"{_spread(ranks, whole):6.1f} |{use}{100.0 * spent / whole:6.2f}")
    other = run.seconds - sum(run.sections.values())
    lines.append(f"Other   |            | {other:<10.4g} |            |       |{'       |' if full else ''}"
                 f"{100.0 * other / whole:6.2f}")
    return lines


def _spread(seconds: list[float], whole: float) -> float:
    """How uneven a section is over the ranks, in percent; 0 if it takes next to no time."""
    mean = _mean(seconds)
    if mean / whole <= 0.001:
        return 0.0
    return 100.0 * max(_mean([value * value for value in seconds]) / mean - mean, 0.0) ** 0.5


def histograms(run: RunSummary) -> list[str]:
    """Owned atoms, ghosts and neighbours per rank, in ten bins from the least to the most; with one, all in the first."""
    lines = []
    ranks = run.by_rank or [RankSummary(run.atoms, run.ghosts, run.neighbors, 0.0, {}, {})]
    for name in ("atoms", "ghosts", "neighbors"):
        counts = [float(getattr(rank, name)) for rank in ranks]
        low, high = min(counts), max(counts)
        bins = [0] * 10
        for count in counts:
            bins[min(int(10 * (count - low) / (high - low)), 9) if high > low else 0] += 1
        title = {"atoms": "Nlocal:", "ghosts": "Nghost:", "neighbors": "Neighs:"}[name]
        lines += [f"{title}    {_mean(counts):11g} ave {high:11g} max {low:11g} min", f"Histogram: {' '.join(map(str, bins))}"]
    return lines


def neighbor_lines(run: RunSummary) -> list[str]:
    lines = [f"Total # of neighbors = {run.neighbors}"]
    if run.atoms:
        lines.append(f"Ave neighs/atom = {run.neighbors / run.atoms:.8g}")
    lines.append(f"Neighbor list builds = {run.builds}")
    lines.append(f"Dangerous builds = {run.dangerous}" if run.check else "Dangerous builds not checked")
    return lines
