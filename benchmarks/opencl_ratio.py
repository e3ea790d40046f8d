"""The same GPU by two of its drivers: steps per second by OpenCL beside those by CUDA.

    python benchmarks/opencl_ratio.py [--seconds 100] [--first cuda] [--other opencl:N] [--atoms 32000]

One process for each device, one after the other: half of the seconds for the first, what is left for the other, whose driver
compiles kernels one by one. What they have measured by then counts. --other is the first device of OpenCL whose platform is
NVIDIA's, unless it is given; --atoms makes all systems of that size, for a trial. Rows below the rates are microseconds:
of a launch that does nothing, alone and in a graph of many, and of kernels during 20 steps, launched one by one.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from functools import partial

from everlet.errors import EverletError
from everlet.lab.studies import profile
from everlet.perf import record, roofline
from everlet.perf.micro_loops import nothing
from everlet.perf.runs import WARM, Case, prepared, repeated
from everlet.portable import Kernel, Space, View, choose, parallel_for
from everlet.portable.backends.opencl import found
from everlet.portable.graphs import Graph

CASES = (("lj", 32_000), ("lj", 256_000), ("eam", 32_000), ("snap", 2_000))
PROFILED = (("lj", 256_000), ("eam", 32_000), ("snap", 2_000))
LAUNCHES, SHOWN = 1000, 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=100.0)
    parser.add_argument("--first", default="cuda")
    parser.add_argument("--other", default="")
    parser.add_argument("--atoms", type=int, default=0)
    parser.add_argument("--measure", default="", help=argparse.SUPPRESS)  # what the processes do
    given = parser.parse_args()
    if given.measure:
        return measure(given.measure, given.atoms)
    names = [given.first, given.other or nvidia()]
    end = time.perf_counter() + given.seconds
    columns = [asked(name, (end - time.perf_counter()) / share, given.atoms) for name, share in zip(names, (2, 1), strict=True)]
    rows = []
    for what in dict.fromkeys([*columns[0], *columns[1]]):
        one, other = (column.get(what, 0.0) for column in columns)
        rows.append([what, *(f"{value:.5g}" if value else "-" for value in (one, other)),
                     f"{other / one:.2f}" if one and other else "-"])
    print(record.table(["steps/s, us", *names, "ratio"], rows))


def nvidia() -> str:
    """The word for the first device of NVIDIA's OpenCL."""
    numbers = [k for k, device in enumerate(found.devices()) if "NVIDIA" in device.platform.name]
    if not numbers:
        sys.exit("no platform of OpenCL is NVIDIA's; everlet info lists the others, which --other takes")
    return f"opencl:{numbers[0]}"


def asked(device: str, seconds: float, atoms: int) -> dict[str, float]:
    """What a process for one device measures in so many seconds."""
    words = [sys.executable, __file__, "--measure", device, "--atoms", str(atoms)]
    begin = time.perf_counter()
    try:
        said = subprocess.run(words, stdout=subprocess.PIPE, timeout=seconds, check=False).stdout
    except subprocess.TimeoutExpired as late:
        said = late.stdout or b""
    print(f"{device}: {time.perf_counter() - begin:.0f} s", flush=True)
    return {row[0]: row[1] for row in map(json.loads, said.decode().splitlines())}


def measure(device: str, atoms: int) -> None:
    """A line of JSON for each case, as soon as it is known."""
    space = choose(device)
    print(device, space.facts(), file=sys.stderr)
    for system, size in CASES:
        try:
            case, runs = repeated(Case(atoms or size, steps=0, system=system, device=device), 2, count=False)
            rate = case.steps / min(run.seconds for run in runs)
            print(json.dumps([f"{system} {runs[0].atoms}", rate]), flush=True)
        except EverletError as error:
            print(f"{device}, {system}: {error}", file=sys.stderr)
    tell(launches(space))
    if space.replays:
        for system, size in PROFILED:
            tell(profiled(Case(atoms or size, system=system, device=device)))


def tell(seconds: dict[str, float]) -> None:
    for what, spent in seconds.items():
        print(json.dumps([what, 1e6 * spent]), flush=True)


def profiled(case: Case) -> dict[str, float]:
    """Seconds of the kernels of 20 steps, those that take most."""
    sim, found = prepared(case), Counter[str]()
    sim.run(3 * WARM, post=False)
    cycles, _, _ = profile.on_device(sim, 2, profile.STEADY if case.sample.checked else profile.REBUILT)
    for kernel, _, _, seconds in cycles[-1]:
        found[f"{case.system} {case.atoms}: {kernel.name[:40]}"] += seconds
    return dict(found.most_common(SHOWN))


def launches(space: Space) -> dict[str, float]:
    """Seconds of a launch, by many of them."""
    kernel, out = Kernel(nothing), View(1, "f8", space)
    graph = Graph(space, [(kernel, 1, (out,), space.limit)] * LAUNCHES)
    one = partial(parallel_for, space, 1, kernel, out)
    alone = roofline.least_of(space, lambda: [one() for _ in range(LAUNCHES)])
    together = roofline.least_of(space, graph.replay)
    return {"us/launch": alone / LAUNCHES, "us/launch in a graph": together / LAUNCHES}


if __name__ == "__main__":
    main()
