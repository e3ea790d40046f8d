"""everlet bench nacl: energy and time of one evaluation of the forces in a crystal of rock salt.

    everlet bench nacl [--edge N,…] [--solver ewald,pppm] [--accuracy 1e-4] [--cutoff R,…] [--ratio X]
                       [--device cpu] [--threads 1] [--repeat 3] [--json FILE]

    --edge 16          ions along an edge, even, 4 to 128: N = edge^3, charges 1 and -1 at distance 1, units lj
    --solver ewald     ewald, pppm or both
    --accuracy 1e-4    of kspace_style: error of forces, relative to that of two ions at distance 1
    --cutoff           r_c; default: for ewald by the model below, for pppm 3.54 (10 Angstrom in rock salt)
    --ratio            the model's only constant, c_k / c_p below; default: 0.12 on a CPU, 0.08 on a GPU
    --device cpu       cpu, cuda, serial, reference
    --threads 1        CPU threads
    --repeat 3         evaluations, with energies and virial; times are those of the fastest
    --json FILE        all figures, with the machine and the commit

Columns: the Madelung constant -2E/N and its relative error; milliseconds for the neighbour list, pairs, Fourier space, and the
whole with ghosts, without the list; nanoseconds per pair within r_c (each counted once) and per ion and vector of the half
space; their ratio as it was here. CPU time on one CPU thread, else wall clock. With several edges the last line has the
exponent of the time.

The model. The sum over pairs takes c_p N P, P = (2 pi/3) r_c^3; that in Fourier space c_k N K, with K = (2 pi/3) n^3 vectors,
n along an axis. The accuracy asks for g = s/r_c and n = s' g L / pi, where s and s' are nearly constant and L^3 = N: so
K ~ N / r_c^3, the sum of both is least at r_c ~ N^(1/6), and there it is ~ N^(3/2). The list of neighbours, which is ~ N^(3/2)
as well, may take half of the memory: a line below the table says so where that keeps r_c smaller.
"""

from __future__ import annotations

import gc
import itertools
import math
import os
from typing import Any

from everlet.errors import InputError
from everlet.forces.kspace.base import initial_g
from everlet.forces.kspace.ewald import Ewald, axis_vectors
from everlet.io.stages import shown, stage
from everlet.perf import about, options, record
from everlet.portable import Space, choose, devices
from everlet.run.timers import Timers
from everlet.session import Session

USAGE = "everlet bench nacl [--edge N,…] [--solver ewald,pppm] [--accuracy A] ...; see everlet bench nacl --help"
MADELUNG = 1.7475645946
SCRIPT = """
units lj
atom_style charge
lattice custom 1.0 basis 0 0 0 basis 0 .5 .5 basis .5 0 .5 basis .5 .5 0 &
                   basis .5 .5 .5 basis .5 0 0 basis 0 .5 0 basis 0 0 .5
region box block 0 {cells} 0 {cells} 0 {cells}
create_box 2 box
create_atoms 1 box basis 5 2 basis 6 2 basis 7 2 basis 8 2
mass * 1
set type 1 charge 1
set type 2 charge -1
pair_style coul/long {cutoff!r}
pair_coeff * *
pair_modify table 0
kspace_style {solver} {accuracy!r}
neighbor 0.0 bin
neigh_modify one {most} page {page}
"""
SMALLEST, LARGEST = 4, 128
MESH_CUTOFF = math.sqrt(12.5)
# c_k / c_p. CPU: a core of a Neoverse N1, 2.7 and 23 ns. GPU: an H200, where a vector takes 0.0019 ns and a pair about 0.024:
# twice the time of two visits in a Lennard-Jones melt, an estimate
CPU_RATIO, RATIOS = 0.12, {"cuda": 0.08}
KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "edge": (options.many(options.positive), [16]), "solver": (options.many(options.one_of("ewald", "pppm")), ["ewald"]),
    "accuracy": (options.length, 1e-4), "cutoff": (options.many(options.length), []), "ratio": (options.length, 0.0),
    "device": (options.one_of(*devices.names()), "cpu"), "threads": (options.positive, 1),
    "repeat": (options.positive, 3), "json": (options.word, ""),
}
HEAD = ["solver", "edge", "ions", "r_c", "g", "vectors", "-2E/N", "error", "Neigh", "Pair", "Kspace", "all", "ns/pair",
        "ns/vector", "ratio"]
Row = dict[str, Any]


class Finished(Timers):
    """Timers that wait for the space at the end of every phase: a GPU works on when the host has gone."""

    def __init__(self, space: Space):
        super().__init__("full", finish=space.synchronize)
        self.space = space

    @property
    def spent(self) -> dict[str, float]:
        return self.cpu if not self.space.many_threads and self.space.threads == 1 else self.seconds


def main(words: list[str]) -> int:
    """The command `everlet bench nacl`."""
    if words and options.helped(words, __doc__):
        return 0
    given = options.parse(words, KNOWN, USAGE)
    for edge in given["edge"]:
        if edge % 2 or not SMALLEST <= edge <= LARGEST:
            raise InputError(f"--edge {edge}: a crystal has an even number of ions on an edge, {SMALLEST} to {LARGEST}",
                             "for example: --edge 16,32,64")
    if given["device"] != "cpu" and given["threads"] > 1:
        raise InputError(f"--threads has no meaning for --device {given['device']}", "use --device cpu")
    space = choose(given["device"], given["threads"])
    ratio = given["ratio"] or RATIOS.get(space.target, CPU_RATIO)
    stamp, rows = record.stamp(space), []
    with shown("bench nacl"):
        for solver, edge in itertools.product(given["solver"], given["edge"]):
            best = best_cutoff(edge, given["accuracy"], ratio) if solver == "ewald" else MESH_CUTOFF
            bound = longest_cutoff(edge, space)
            for cutoff in given["cutoff"] or [best if best < bound else best_cutoff(edge, given["accuracy"], ratio, bound)]:
                rows.append({**measure(solver, edge, cutoff, given), "model_cutoff": best,
                             "bounded": best > bound and not given["cutoff"]})
    print(text(rows))
    if given["json"]:
        record.write(given["json"], {**stamp, "command": ["bench", "nacl", *words], "ratio": ratio, "rows": rows})
    return 0


def work(edge: int, cutoff: float, accuracy: float, ratio: float) -> float:
    """What the model says the Ewald sum takes, in units of c_p."""
    n = edge**3
    g = initial_g(accuracy, n, n, cutoff, n)
    along = axis_vectors(accuracy, edge, g, n, n)
    return n * 2.0 * math.pi / 3.0 * (cutoff**3 + ratio * along**3)


def longest_cutoff(edge: int, space: Space) -> float:
    """For which the list fills half of the memory: 4 bytes for each pair, twice on a GPU."""
    if space.many_threads:
        room = about.device(space)["memory_gb"] * 1e9 / 2.0
    else:
        room = float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return math.cbrt(room / 2.0 / (4.0 * edge**3 * 2.0 * math.pi / 3.0))


def best_cutoff(edge: int, accuracy: float, ratio: float, bound: float = math.inf) -> float:
    """The cutoff with the least work; between two shells of ions, whose squared distances are whole numbers."""
    shells = range(3, int(max(4, min(edge * edge / 4, bound * bound - 0.5))))  # up to half the edge
    return min((math.sqrt(shell + 0.5) for shell in shells), key=lambda cutoff: work(edge, cutoff, accuracy, ratio))


def measure(solver: str, edge: int, cutoff: float, given: Row) -> Row:
    """Evaluate forces, energies and virial several times."""
    gc.collect()  # the arrays of the simulation before
    stage(f"{solver}, {edge}^3 ions, r_c {cutoff:g}")
    sim = Session(device=given["device"], threads=given["threads"], tune=False)
    most = 2000 + round(5.0 * cutoff**3)  # neighbours of an ion that are no mistake: there are 4.2 r_c^3
    sim.commands(SCRIPT.format(cells=edge // 2, cutoff=cutoff, solver=solver, accuracy=given["accuracy"], most=most,
                               page=10 * most))
    sim.run(0, post=False)
    assert sim.loop is not None and sim.system.kspace is not None
    evaluator, style = sim.loop.evaluator, sim.system.kspace
    evaluator.timers = timers = Finished(sim.space)
    found = []
    for _ in range(given["repeat"]):
        timers.clear()
        with timers("Neigh"):
            evaluator.rebuild()
        with timers("all"):
            evaluator.compute(True)
        energies, n = sim.system.energies, sim.system.natoms
        found.append({**timers.spent, "madelung": -2.0 * (energies["coul"] + energies["long"]) / n})
    best: Row = min(found, key=lambda one: one["all"])
    pairs = n * 2.0 * math.pi / 3.0 * cutoff**3
    row: Row = {"solver": solver, "edge": edge, "ions": n, "cutoff": cutoff, "g": style.g, "accuracy": given["accuracy"],
                "estimated": style.estimated, "scheme": sim.system.scheme, "device": given["device"],
                "threads": given["threads"], "madelung": best["madelung"], "exact": MADELUNG,
                "error": abs(best["madelung"] / MADELUNG - 1.0), "megabytes": sim.bytes() / 1024**2,
                "seconds": {name: best[name] for name in ("Neigh", "Pair", "Kspace", "all")}, "runs": found,
                "ns_per_pair": 1e9 * best["Pair"] / pairs}
    if isinstance(style, Ewald):
        row["vectors"] = int(style.inside().sum())
        row["ns_per_vector"] = 1e9 * best["Kspace"] / n / row["vectors"]
        row["ratio"] = row["ns_per_vector"] / row["ns_per_pair"]
    else:
        row["mesh"] = list(style.mesh)
    return row


def exponent(first: Row, last: Row) -> float:
    """Of the number of ions that the time grows with."""
    return math.log(last["seconds"]["all"] / first["seconds"]["all"]) / math.log(last["ions"] / first["ions"])


def text(rows: list[Row]) -> str:
    """The table for people, and exponents."""
    lines = []
    for row in rows:
        times = [f"{1e3 * row['seconds'][name]:.4g}" for name in ("Neigh", "Pair", "Kspace", "all")]
        vectors = str(row["vectors"]) if "vectors" in row else "x".join(map(str, row["mesh"]))
        costs = [f"{row[name]:.3g}" if name in row else "" for name in ("ns_per_pair", "ns_per_vector", "ratio")]
        lines.append([row["solver"], str(row["edge"]), str(row["ions"]), f"{row['cutoff']:.3f}", f"{row['g']:.4f}", vectors,
                      f"{row['madelung']:.10f}", f"{row['error']:.1e}", *times, *costs])
    found = [record.table(HEAD, lines), f"Madelung constant {MADELUNG}; times in ms"]
    found += [f"edge {row['edge']}: r_c would be {row['model_cutoff']:.3f} by the model, but its list does not fit into memory"
              for row in rows if row["bounded"]]
    for solver in dict.fromkeys(row["solver"] for row in rows):
        mine = sorted((row for row in rows if row["solver"] == solver), key=lambda row: row["ions"])
        if mine[0]["ions"] < mine[-1]["ions"]:
            found.append(f"{solver}: time ~ N^{exponent(mine[0], mine[-1]):.2f}")
    return "\n".join(found)
