"""The table of a profile: a row for each kernel, with what limits it by its figures."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import Any

from everlet.perf import record, roofline
from everlet.perf.traffic import Counts, moved, operations
from everlet.portable import Kernel
from everlet.portable.backends.cuda.gpu import LOCAL, REGISTERS
from everlet.session import Session

HEAD = ["kernel", "launches", "us/launch", "us/cycle", "share", "GB/s", "Gflop/s", "of peak", "limited by"]
HIGH = 0.6  # of a peak: what reaches so much is limited by it
SHORT = 3.0  # times the time between two events with nothing in between: shorter kernels are mostly their start

Timed = tuple[Kernel, Any, tuple[Any, ...], float]  # kernel, items, arguments, seconds
Cycle = list[Timed]


def figures(found: list[Cycle], counts: Counts, peaks: roofline.Peaks, precision: str, empty: float, sim: Session,
            stages: Mapping[str, str]) -> list[dict[str, Any]]:
    """A row for each kernel, the one that takes longest first; with its stage, where the method has names for them."""
    rows = []
    for name in dict.fromkeys(one[0].name for cycle in found for one in cycle):
        mine = [one for one in found[-1] if one[0].name == name]
        if not mine:
            continue  # a list that did not fit was built twice in an earlier cycle
        seconds = statistics.median(sum(one[3] for one in cycle if one[0].name == name) for cycle in found)
        size = sum(moved(*one[:3], counts) for one in mine)
        work = sum(operations(one[0], counts) for one in mine)
        memory, arithmetic = size / seconds / peaks.copy, work / seconds / peaks.of(precision)
        row: dict[str, Any] = {"kernel": name, "precision": precision, "launches": len(mine),
                               "microseconds": 1e6 * seconds, "bytes": size, "operations": work, "of_bandwidth": memory,
                               "of_arithmetic": arithmetic, **_registers(mine[0][0], sim)}
        gathered = (16 if counts.fixed else 32) * counts.entries * len(mine) / seconds
        row |= {"stage": stages.get(name, "")} if stages else {}
        rows.append({**row, "limit": limit(row, seconds / len(mine), empty, gathered)})
    rows.sort(key=lambda row: -row["microseconds"])
    return rows


def _registers(kernel: Kernel, sim: Session) -> dict[str, int]:
    """Registers of a thread on a GPU, and bytes of those that did not fit."""
    if sim.space.target != "cuda":  # OpenCL does not tell
        return {}
    gpu = sim.space.gpu
    function = gpu.kernel(kernel.program("cuda").load(), kernel.carveout, kernel.registers)
    return {"registers": gpu.attribute(function, REGISTERS), "spilled_bytes": gpu.attribute(function, LOCAL)}


def limit(row: dict[str, Any], seconds: float, empty: float, gathered: float) -> str:
    """What limits a kernel, concluded from its figures: no counters of the processor are read."""
    if seconds < SHORT * empty:
        return "its start: too little work"
    if row["of_bandwidth"] > 1.05:
        return "caches, which hold its arrays"
    if max(row["of_bandwidth"], row["of_arithmetic"]) >= HIGH:
        return "memory bandwidth" if row["of_bandwidth"] >= row["of_arithmetic"] else "arithmetic"
    if "neighbor_loop" in row["kernel"] and row["bytes"]:
        return f"neither peak: gathers of positions, {gathered / 1e9:.0f} GB/s from caches"
    if "build_list" in row["kernel"]:
        return "neither peak: candidates beyond the list radius"
    return "neither peak: latency or index arithmetic" if row["bytes"] else "unknown: no model"


def text(rows: list[dict[str, Any]], cycle: dict[str, Any]) -> str:
    """The table for people, and below it what the stages of the method take."""
    total, lines = sum(row["microseconds"] for row in rows), []
    for row in rows:
        seconds, best = row["microseconds"] * 1e-6, max(row["of_bandwidth"], row["of_arithmetic"])
        lines.append([row["kernel"], *([row["stage"]] if "stage" in row else []), str(row["launches"]),
                      f"{row['microseconds'] / row['launches']:.1f}",
                      f"{row['microseconds']:.1f}", f"{100 * row['microseconds'] / total:.1f} %",
                      f"{row['bytes'] / seconds / 1e9:.1f}" if row["bytes"] else "",
                      f"{row['operations'] / seconds / 1e9:.1f}" if row["operations"] else "",
                      f"{100 * best:.0f} %" if best else "", row["limit"]])
    entries = cycle["entries"] / max(cycle["atoms"], 1)
    head = (f"{cycle['system']}: {cycle['atoms']} atoms, {cycle['ghosts']} ghosts, {entries:.1f} list entries per atom, "
            f"{cycle['scheme']} {cycle['precision']}: {cycle['steps']} steps take {cycle['graph_microseconds']:.0f} us, "
            f"their kernels {cycle['microseconds']:.0f} us")
    if cycle["empty_microseconds"]:
        head += f"; {cycle['empty_microseconds']:.1f} us between two events with nothing in between"
    columns = [HEAD[0], "stage", *HEAD[1:]] if "stage" in rows[0] else HEAD
    return "\n".join([head, record.table(columns, lines), *by_stage(rows, total)])


def by_stage(rows: list[dict[str, Any]], total: float) -> list[str]:
    """A line with the time of every stage, none if kernels have no stages."""
    sums: dict[str, float] = {}
    for row in rows:
        name = row.get("stage", "") or "other"
        sums[name] = sums.get(name, 0.0) + row["microseconds"]
    if set(sums) == {"other"}:
        return []
    return ["us/cycle: " + ", ".join(f"{name} {spent:.1f} ({100 * spent / total:.1f} %)" for name, spent in sums.items())]
