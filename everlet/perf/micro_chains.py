"""Throughput and latency of arithmetic: chains of one operation in registers (micro_loops.py)."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from everlet.perf import micro_loops as loops
from everlet.perf.clock import Clock
from everlet.perf.kernels import multiply_adds
from everlet.portable import Kernel, Portable, View, parallel_for
from everlet.portable.kernels import lane_width, register_lanes
from everlet.portable.language.dtypes import dtype

TABLE = 1024  # entries of the table for lookup: in the first cache
# each operation: its formula, if it has one, the constant c, and whether an addition is part of it
OPERATIONS: dict[str, tuple[str, float, bool]] = {
    "add": ("x + c", 1e-3, False), "mul": ("x * c", 0.999999, False), "fma": ("", -1e-6, False),
    "div": ("c / x + c", 0.7, True), "sqrt": ("sqrt(x) + c", 0.7, True), "rsqrt": ("rsqrt(x) + c", 0.7, True),
    "exp": ("exp(-x) + c", 0.7, True), "log": ("log(x) + c", 2.7, True), "sin": ("sin(x) + c", 0.7, True),
    "cos": ("cos(x) + c", 0.7, True), "erfc": ("erfc(x) + c", 0.7, True), "floor": ("floor(x) + c", 0.7, True),
    "lookup": ("", 0.0, False), "lane_sum": ("", 0.1, False),
}
LONG = ("exp", "log", "sin", "cos", "erfc")  # many instructions: a few chains of many lanes keep a core busy
SHARED = 32  # threads of a GPU that share a lane_sum


def cycles(clock: Clock, name: str, precision: str) -> dict[str, float]:
    """Cycles of one unit for one number, by throughput and by latency."""
    return {"throughput": per_number(clock, name, precision, chained=False),
            "latency": per_number(clock, name, precision, chained=True)}


def per_number(clock: Clock, name: str, precision: str, chained: bool) -> float:
    """Cycles for a number, or of a step of a chain."""
    formula, constant, added = OPERATIONS[name]
    space, real = clock.space, dtype("real", precision)
    on_gpu = space.many_threads
    long = name in LONG and not chained
    width = 1 if space.target != "cpu" else lane_width("cpu", precision) if long else register_lanes(real)
    count = 1 if chained else 2 if long else 8
    items = clock.units * 2048 if on_gpu and not chained else 1
    team = SHARED if on_gpu and name == "lane_sum" else 1
    usual: Portable = loops.chains
    body = {"fma": multiply_adds, "lookup": loops.lookup_chains, "lane_sum": loops.sum_chains}.get(name, usual)
    own = {"fma": (("CHAINED", 1),)}.get(name, (("OPERATION", loops.operation(formula)),) if formula else ())
    statics = (("CHAINS", count), *own)
    kernel = Kernel(body, precision=precision, statics=statics, width=width if space.target == "cpu" else 0, team=team)
    given: Any = constant
    if name == "lookup":
        given = View(TABLE, real, space)
        given.put((np.arange(TABLE) * 5 + 77) % TABLE)
    out = View(items, np.float64, space)
    spent = clock.cycles(lambda rounds: parallel_for(space, items, kernel, rounds, given, out))
    if chained:
        found = spent / clock.units
    elif name == "lane_sum":  # one sum of all lanes
        found = spent / (count * items)
    else:
        found = spent / (count * items * width)
    return max(found - _addition(clock, precision, chained), 0.0) if added else found


def _addition(clock: Clock, precision: str, chained: bool) -> float:
    """Cycles of the addition that is part of a chain."""
    key = (precision, chained)
    kept: dict[tuple[str, bool], float] = clock.__dict__.setdefault("additions", {})
    if key not in kept:
        kept[key] = partial(per_number, clock, "add")(precision, chained)
    return kept[key]
