"""everlet measure: what this machine can do, as a machine file for everlet model, simulate and plan.

    everlet measure network [--ranks 2] [--json FILE]         messages between ranks: 8 bytes to 4 MiB, all pairs at once
    everlet measure pcie    [--device cuda] [--json FILE]     copies from the host to the GPU and back
    everlet measure memory  [--threads 1,2,…] [--json FILE]   bandwidth of copies by threads, peaks of arithmetic
    everlet measure md      [--only lj,eam,…] [--device cpu] [--json FILE]    what parts of a step take, on one core or the GPU
    everlet measure lu      [--device cpu] [--json FILE]      what hyperplanes and points of NPB LU take, on one core or the GPU
    everlet measure cores   [--threads 1,2,…] [--json FILE]   how much slower a core is when others work, too: MD and LU
    everlet measure ranks   [--ranks 2,…] [--json FILE]       what dividing a box among ranks costs (md, network, cores first)
    everlet measure all     [--json FILE]                     all of this that is possible here

Results are kept as the machine `here` (everlet plan SCRIPT, everlet model md --machine here). --json writes it to a file,
with all that is known by then, for other places: --machine FILE.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from everlet.errors import InputError, unknown
from everlet.io import remembered
from everlet.io.stages import shown, stage
from everlet.lab.machine import HERE, here, load, measured
from everlet.lab.starting import launcher, started
from everlet.lab.together import KEYS, PROGRAMS, crowd, division
from everlet.perf import options, record, roofline
from everlet.portable import HOST, choose
from everlet.portable.backends.cuda import found as gpu
from everlet.portable.spaces import cores
from everlet.state.room import memory as host_memory

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "ranks": (options.many(options.positive), [2]), "threads": (options.many(options.positive), []), "json": (options.word, ""),
    "device": (options.one_of("cpu", "cuda"), ""), "only": (options.many(options.word), []),
}
TAKES = {"network": ("ranks",), "pcie": ("device",), "memory": ("threads",), "md": ("only", "device"), "lu": ("device",),
         "cores": ("threads",), "ranks": ("ranks",), "all": ("ranks", "device")}
COPIES = [8 * 4**k for k in range(13)]  # bytes, up to 128 MiB


def main(words: list[str]) -> int:
    """The command `everlet measure`."""
    if options.helped(words, __doc__):
        return 0 if words else 1
    if words[0] not in TAKES:
        raise unknown("measurement", words[0], TAKES)
    known = {name: KNOWN[name] for name in (*TAKES[words[0]], "json")}
    given = {name: default for name, (_, default) in KNOWN.items()}
    given |= options.parse(words[1:], known, f"everlet measure {words[0]} [options]; see everlet measure --help")
    with shown("measure"):
        for name in ([words[0]] if words[0] != "all" else _possible()):
            stage(name)
            print(MEASURES[name](given))
    if given["json"]:
        content = here(given["device"] == "cuda" or words[0] == "pcie" and bool(measured().get("gpu")))
        record.write(given["json"], {**content, "name": Path(given["json"]).stem})
        print(f"written: {given['json']}")
    return 0


def _possible() -> list[str]:
    ranks = ["network"] if launcher() else []
    divided = ["cores", "ranks"] if ranks and cores() > 1 else []
    return ["memory", *ranks, *(["pcie"] if not gpu.why_not() else []), "md", "lu", *divided]


def keep(**parts: Any) -> None:
    """Add to what is known of this machine; a part that is a dict is merged with the one before."""
    known = measured()
    for name, value in parts.items():
        known[name] = {**known[name], **value} if isinstance(value, dict) and isinstance(known.get(name), dict) else value
    remembered.put("machine", HOST.machine(), known)


def network(given: dict[str, Any]) -> str:
    many = max(given["ranks"])
    if many < 2:
        raise InputError("messages need two ranks at least", "for example: --ranks 2")
    found = json.loads(started(many, "-m", "everlet.lab.pingpong").strip().splitlines()[-1])
    points = [tuple(one) for one in found["points"]]
    keep(network={"points": points, "noise": found["noise"], "overhead": found["overhead"]})
    lines = [[_size(size), f"{1e6 * seconds:.2f}", f"{size / seconds / 1e9:.3f}", f"{1e6 * noise:.2f}"]
             for (size, seconds), (_, noise) in zip(points, found["noise"], strict=True)]
    return (f"messages, {found['ranks']} ranks at once\n{record.table(['bytes', 'us', 'GB/s', 'noise us'], lines)}\n"
            f"overhead {1e6 * found['overhead']:.2f} us, a sum over all ranks {1e6 * found['allreduce']:.2f} us")


def _size(count: float) -> str:
    """Bytes with a unit.

    >>> _size(8), _size(8192), _size(4 << 20)
    ('8', '8 k', '4 M')
    """
    for unit, factor in (("M", 1 << 20), ("k", 1 << 10)):
        if count >= factor:
            return f"{count / factor:g} {unit}"
    return f"{count:g}"


def pcie(given: dict[str, Any]) -> str:
    reason = gpu.why_not()
    if reason:
        raise InputError(f"there is no GPU to copy to: {reason}", "everlet info says more")
    cupy = choose("cuda").gpu.cupy
    points, lines = [], []
    for size in COPIES:
        memory = cupy.cuda.alloc_pinned_memory(size)
        near = np.frombuffer(memory, np.uint8, size)
        there = cupy.zeros(size, np.uint8)
        ways = [_least(partial(_to, cupy, there, near)), _least(partial(there.get, out=near))]
        points.append((size, statistics.fmean(ways)))
        lines.append([_size(size), *(f"{1e6 * one:.1f}" for one in ways), *(f"{size / one / 1e9:.2f}" for one in ways)])
    keep(link={"points": points})
    return "copies\n" + record.table(["bytes", "to us", "back us", "to GB/s", "back GB/s"], lines)


def _to(cupy: Any, there: Any, near: np.ndarray) -> None:
    there.set(near)
    cupy.cuda.Device().synchronize()


def _least(action: Callable[[], Any], repeats: int = 20) -> float:
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        action()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def _counts(wanted: list[int]) -> list[int]:
    """Numbers of cores: those wanted, or powers of two and all."""
    for threads in wanted:
        if threads > cores():
            raise InputError(f"--threads {threads}, but there are {cores()} cores", "ask for fewer")
    return wanted or [n for n in dict.fromkeys((1, 2, 4, 8, 16, 32, 64, cores())) if n <= cores()]


def memory(given: dict[str, Any]) -> str:
    lines, best = [], 0.0
    for threads in _counts(given["threads"]):
        space = choose("cpu", threads) if threads > 1 else choose("serial")
        rate = roofline.bandwidth(space)
        best = max(best, rate)
        lines.append([str(threads), f"{rate / 1e9:.1f}"])
    peaks = roofline.peaks(choose("serial"))
    keep(device={"name": HOST.machine(), "kind": "cpu", "bandwidth": best, "memory": host_memory(), "units": cores(),
                 "f64": peaks.double * cores(), "f32": peaks.single * cores()}, devices=1)
    return (f"copies from memory to memory\n{record.table(['threads', 'GB/s'], lines)}\n"
            f"one core: {peaks.double / 1e9:.1f} Gflop/s in double, {peaks.single / 1e9:.1f} in single precision")


def _md(given: dict[str, Any]) -> str:
    from everlet.lab import calibrate

    if given["device"] != "cuda":
        rows, table = calibrate.measure(given["only"], "cpu")
        keep(**rows)
        return table
    tables = []
    for name in given["only"] or calibrate.GPU_SIZES:  # each is kept when it is known, beside what was measured before
        rows, table = calibrate.measure([name], "cuda")
        rows["gpu"]["md"] = {**measured().get("gpu", {}).get("md", {}), **rows["gpu"]["md"]}
        keep(**rows)
        tables.append(table)
        print(table, flush=True)
    return f"{len(tables)} kinds of systems measured"


def _lu(given: dict[str, Any]) -> str:
    from everlet.lab import grind

    if given["device"] == "cuda":
        found, said = grind.on_gpu()
        keep(gpu={"lu": found})
    else:
        found, said = grind.on_core()
        keep(lu=found)
    return said


def _cores(given: dict[str, Any]) -> str:
    many = sorted({1, *_counts(given["threads"])})
    found = crowd(many)
    keep(crowd=found)
    lines = [[str(count), *(f"{dict(found[program])[count]:.3f}" for program in PROGRAMS)] for count in many]
    return "how much longer a step takes when so many cores are busy\n" + record.table(["cores", *PROGRAMS], lines)


def _ranks(given: dict[str, Any]) -> str:
    lines, known = [], measured().get("division", {})
    for ranks in given["ranks"]:
        if ranks < 2:
            raise InputError("a box is divided among two ranks at least", "for example: --ranks 2")
        found, runs = division(load(HERE), ranks)
        known[str(ranks)] = found
        lines += [[str(ranks), str(atoms), str(every), f"{1e3 * taken:.3f}", f"{1e3 * model:.3f}",
                   *(f"{1e6 * found[key]:.3f}" for key in KEYS)] for atoms, every, taken, model in runs]
    keep(division=known)
    head = ["ranks", "atoms", "rebuilt every", "ms taken", "ms by one core's model", *(f"us: {key}" for key in KEYS)]
    return "a melt on ranks\n" + record.table(head, lines)


MEASURES: dict[str, Callable[[dict[str, Any]], str]] = {
    "network": network, "pcie": pcie, "memory": memory, "md": _md, "lu": _lu, "cores": _cores, "ranks": _ranks}
