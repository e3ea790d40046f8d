"""everlet lu: LU of the NAS parallel benchmarks, verified by its own norms.

    everlet lu [--class S] [--algorithm hyperplane|pipeline|blocked] [--blocking old|new] [--kblock N]
               [--layout row|column|skewed|diagonal] [--precision double|single] [--device cpu] [--threads N] [--ranks 2x2x1]
               [--steps N] [--repeat R] [--width W] [--json FILE]
    mpiexec -n 4 everlet lu --class A

    --class         S, W, A, B, C: 12, 33, 64, 102, 162 points along an edge
    --algorithm     how points wait for those behind them in a sweep:
                    hyperplane  points of one i + j + k together, one launch each (usual on GPUs)
                    blocked     the same in blocks of --kblock planes k, after each of which ranks send messages
                    pipeline    threads own strips of j and wait for each other plane by plane (usual on CPUs)
    --blocking old  blocked: each block begins anew; new: planes i + j + k go on over the borders of blocks
    --kblock        planes k between messages; default: all on one rank and on GPUs, else 8
    --layout        where values are: row, the five of a point side by side; column, one array for each; skewed, as column,
                    but sweeps use copies in which points of one i + j lie side by side, so that lanes can sweep them;
                    diagonal, all arrays are like these copies, and nothing is rearranged
    --threads       CPU threads of each rank; default: the cores that it has
    --ranks XxYxZ   how ranks divide the cube; default: two dimensions, as square as can be
    --steps         iterations; default: those of the class, whose norms are known. Others are not verified
    --repeat 1      runs, of which the quickest is shown
    --width         SIMD lanes; default: one register

Printed are Mop/s, by the operations that the benchmark counts, and the time of each section of an iteration (the largest
of all ranks; CPU time if one thread works alone). The exit status is 1 if a class does not verify; single precision is not
expected to.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from everlet.comm.world import join
from everlet.errors import InputError
from everlet.io.stages import stage
from everlet.lu.fields import LAYOUTS
from everlet.lu.problem import CLASSES, TOLERANCE
from everlet.lu.schedule import ALGORITHMS, POLICIES
from everlet.lu.solver import Choice, Outcome, Solver
from everlet.perf import options, record
from everlet.portable import Space, choose
from everlet.portable.devices import names, of_rank
from everlet.state.ranks import SingleRank

USAGE = "everlet lu [--class S] [--algorithm hyperplane|pipeline|blocked] [--device cpu] ...; see everlet lu --help"


def shape(text: str, flag: str) -> tuple[int, int, int]:
    """2x2 or 2x2x1."""
    parts = text.lower().split("x")
    if not 1 <= len(parts) <= 3 or not all(part.isdecimal() and int(part) for part in parts):
        raise InputError(f"{flag} {text} is no array of ranks", f"for example: {flag} 2x2x1")
    x, y, z = ([int(part) for part in parts] + [1, 1])[:3]
    return x, y, z


KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "class": (options.one_of(*CLASSES), "S"), "algorithm": (options.one_of(*ALGORITHMS), ""),
    "blocking": (options.one_of(*POLICIES), "old"), "kblock": (options.positive, 0),
    "layout": (options.one_of(*LAYOUTS), "skewed"), "precision": (options.one_of("double", "single"), "double"),
    "device": (options.one_of(*names()), "cpu"), "threads": (options.positive, 0), "ranks": (shape, None),
    "steps": (options.positive, 0), "repeat": (options.positive, 1), "width": (options.positive, 0), "json": (options.word, ""),
}


def main(words: list[str]) -> int:
    """The command `everlet lu`."""
    world = join()
    if words and words[0] in ("-h", "--help", "help"):
        if world.first:
            print(str(__doc__).strip())
        return 0
    given = options.parse(words, KNOWN, USAGE)
    space = space_of(given["device"], given["threads"], world)
    record.measurable(space)
    outcome, row = measured(chosen(given), space, given["steps"], given["repeat"], world)
    if world.first:
        print(text(row))
        if given["json"]:
            record.write(given["json"], {**record.stamp(space), "command": ["lu", *words], "rows": [row]})
    return 0 if outcome.verified or row["verified"] is None else 1


def chosen(given: dict[str, Any]) -> Choice:
    """The choice that options make."""
    if given["width"] not in (0, 1, 2, 4, 8, 16):
        raise InputError(f"--width {given['width']}", "use 1, 2, 4, 8 or 16 lanes")
    return Choice(CLASSES[given["class"]], given["algorithm"], given["blocking"], given["kblock"], given["layout"],
                  given["precision"], given["ranks"], given["width"])


def space_of(device: str, threads: int, world: SingleRank) -> Space:
    """Ranks of one machine share its cores, and take its devices in turns."""
    if device != "cpu" and threads:
        raise InputError(f"--threads has no meaning for --device {device}", "use --device cpu")
    if world.size == 1:
        return choose(device, threads)
    return choose(of_rank(device, world.node_rank), threads or world.threads())


def measured(choice: Choice, space: Space, iterations: int = 0, repeat: int = 1, world: SingleRank | None = None
             ) -> tuple[Outcome, dict[str, Any]]:
    """The quickest of some runs, and its numbers for a JSON file."""
    stage(f"LU, class {choice.problem.name}")
    solver = Solver(choice, space, world)
    outcomes = [solver.run(iterations) for _ in range(repeat)]
    best = min(outcomes, key=lambda one: one.seconds)
    ranks = solver.world.size
    solver.close()
    points = (best.choice.problem.n - 2) ** 3
    expected = best.iterations == best.choice.problem.iterations and best.choice.precision == "double"
    row = {"class": best.choice.problem.name, "points": points, "iterations": best.iterations,
           **{name: value for name, value in asdict(replace(best.choice)).items() if name != "problem"},
           "target": space.target, "threads": space.threads, "ranks_in_all": ranks, "seconds": best.seconds,
           "cpu_seconds": best.cpu, "mops": best.mops,
           "sections": best.sections, "all_seconds": [one.seconds for one in outcomes],
           "nanoseconds_per_point": 1e9 * best.seconds / best.iterations / points,
           "verified": best.verified if expected else None, "deviation": best.deviation if expected else None,
           "norms": asdict(best.norms), "bytes_of_rank": best.bytes}
    return best, row


def text(row: dict[str, Any]) -> str:
    """What the command prints."""
    n = CLASSES[row["class"]].n
    blocks = f", {row['blocking']} blocks of {row['kblock']} planes" if row["algorithm"] == "blocked" else ""
    ranks = f"{row['ranks_in_all']} ranks ({'x'.join(map(str, row['ranks']))}), " if row["ranks_in_all"] > 1 else ""
    where = "GPU" if row["target"] == "cuda" else f"{row['threads']} thread{'s' if row['threads'] > 1 else ''}"
    head = (f"LU class {row['class']}: {n}^3 points, {row['iterations']} iterations; {row['algorithm']}{blocks}, layout "
            f"{row['layout']}, {row['precision']}; {ranks}{where}")
    each = row["iterations"] * row["points"]
    in_all = sum(row["sections"].values())
    lines = [[name, f"{seconds:.4f}", f"{100 * seconds / in_all:.1f}", f"{1e9 * seconds / each:.2f}"]
             for name, seconds in row["sections"].items() if seconds]
    lines.append(["whole", f"{row['seconds']:.4f}", "", f"{row['nanoseconds_per_point']:.2f}"])
    table = record.table(["section", "seconds", "%", "ns per point"], lines)
    alone = row["ranks_in_all"] == row["threads"] == 1 and row["target"] != "cuda" and row["cpu_seconds"]
    cpu = f"; by CPU time, as the sections are: {row['mops'] * row['seconds'] / row['cpu_seconds']:.1f}" if alone else ""
    return "\n".join([head, table, f"Mop/s: {row['mops']:.1f}{cpu}", verdict(row)])


def verdict(row: dict[str, Any]) -> str:
    if row["verified"] is None:
        why = f"norms are known for {CLASSES[row['class']].iterations} iterations"
        why = "single precision" if row["precision"] == "single" else why
        return f"not verified: {why}"
    found = f"largest deviation of the norms {row['deviation']:.1e}, {TOLERANCE:.0e} allowed"
    return f"verified: {found}" if row["verified"] else f"NOT VERIFIED: {found}"
