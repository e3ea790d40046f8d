"""everlet micro: cycles of single operations on this machine, from kernels of the portable layer.

    everlet micro [--device cpu] [--precision double,single] [--only add,exp,…] [--again yes|no] [--json FILE]

    --device cpu       cpu is one core; cuda is one multiprocessor while all of them work
    --precision        double, single
    --only             some of: add mul fma div sqrt rsqrt exp log sin cos erfc floor lookup lane_sum
                       load gather store (each from caches and from memory), atomic, launch
    --again no         yes: measure also what is remembered from an earlier time
    --json FILE        all figures, with the machine and the commit

Throughput: cycles of a core for one number when many chains x = f(x) + c run side by side; the addition is subtracted.
Latency: cycles from an argument to its result, in one chain of one register. Loads and stores are per number; gather reads a
number and the index that says where it is. A core's cycles are counted by a chain of integer additions, which take one cycle
each; a GPU has counters of cycles and of time. Figures are remembered; `everlet bench` predicts times with them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from everlet.errors import unknown
from everlet.io import remembered
from everlet.io.stages import shown, stage
from everlet.perf import micro_arrays, micro_chains, options, record
from everlet.perf.clock import Clock
from everlet.portable import Serial, Space, choose, devices

USAGE = "everlet micro [--device cpu|cuda] [--precision double,single] [--only add,exp,…] [--again yes|no] [--json FILE]"
PRECISIONS = ("double", "single")
Figures = dict[str, float]  # by kind: throughput, latency, or a place in memory
MEASURED: dict[str, Callable[[Clock, str, str], Figures]] = {
    **dict.fromkeys(micro_chains.OPERATIONS, micro_chains.cycles), **dict.fromkeys(micro_arrays.ACCESSES, micro_arrays.cycles),
    "atomic": micro_arrays.atomic, "launch": micro_arrays.launch,
}
KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "device": (options.one_of(*devices.names()), "cpu"),
    "precision": (options.many(options.one_of(*PRECISIONS)), list(PRECISIONS)),
    "only": (options.many(options.one_of(*MEASURED)), []), "again": (options.one_of("yes", "no"), "no"),
    "json": (options.word, ""),
}
HEAD = ["operation", "precision", "what", "cycles", "ns"]


def main(words: list[str]) -> int:
    """The command `everlet micro`."""
    if words and options.helped(words, __doc__):
        return 0
    given = options.parse(words, KNOWN, USAGE)
    space = one_unit(choose(given["device"], 1))
    stamp, rows = record.stamp(space), []
    wanted = [(name, precision) for name in given["only"] or MEASURED
              for precision in (given["precision"][:1] if name in ("atomic", "launch") else given["precision"])]
    with shown("micro"):
        for name, precision in wanted:
            for what, (spent, gigahertz) in figures(space, name, precision, given["again"] == "yes").items():
                rows.append({"operation": name, "precision": precision, "what": what, "cycles": spent,
                             "nanoseconds": spent / gigahertz})
    print(text(rows, space))
    if given["json"]:
        record.write(given["json"], {**stamp, "command": ["micro", *words], "rows": rows})
    return 0


def one_unit(space: Space) -> Space:
    """A CPU is measured by one core."""
    return space if space.many_threads or space.target == "plain" else Serial()


def figures(space: Space, name: str, precision: str, again: bool = False) -> dict[str, tuple[float, float]]:
    """Cycles and gigahertz of an operation by kind; measured once for each machine and remembered."""
    if name not in MEASURED:
        raise unknown("operation", name, MEASURED)
    key = f"{space.machine()} | {space.target} | {name} {precision}"
    kept = remembered.get("micro", key)
    if again or not kept:
        stage(f"cycles of {name}, {precision}")
        clock = Clock.of(space)
        kept = {what: [cycles, clock.gigahertz] for what, cycles in MEASURED[name](clock, name, precision).items()}
        remembered.put("micro", key, kept)
    return {what: (float(cycles), float(gigahertz)) for what, (cycles, gigahertz) in kept.items()}


def text(rows: list[dict[str, Any]], space: Space) -> str:
    """The table for people."""
    unit = "multiprocessor" if space.many_threads else "core"
    lines = [[row["operation"], row["precision"], row["what"], f"{row['cycles']:.4g}", f"{row['nanoseconds']:.4g}"]
             for row in rows]
    return f"{space.machine()}: cycles of one {unit}\n" + record.table(HEAD, lines)
