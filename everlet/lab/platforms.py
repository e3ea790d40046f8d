"""Rates of Everlet and of others by hardware and system, from result files or measured here: what study portability compares.

A platform is hardware and a way to it: "NVIDIA H200 by CUDA", "x86_64 cascadelake, 2 cores by PoCL". Other programs are known
by hardware alone, and Everlet by one way is one of the others for each other way: the best is that of all that is known.

A system is "lj 32000", or "lj 32000, mixed": who is content with mixed precision may take double, too, so there the faster of
both counts, of everybody. Such a system is compared where another program has a rate in mixed precision.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from everlet.errors import EverletError, InputError
from everlet.perf.bench import PEER
from everlet.perf.known import sample
from everlet.perf.runs import Case, Run, everlet
from everlet.portable import HOST, Space, choose
from everlet.portable.devices import usual
from everlet.portable.spaces import cores

Cells = dict[tuple[str, str], dict[str, float]]  # (hardware, system) -> who -> rate
Row = dict[str, Any]
OURS = "everlet by "  # a way
WAYS = {"cpu": "Numba", "serial": "Numba", "cuda": "CUDA", "opencl": "OpenCL", "hip": "HIP"}
ON_CORES = "Numba"
MIXED = ", mixed"
POCL, ON_CPU = "Portable Computing Language", 2  # the name of a platform of OpenCL; the bit of CPUs in types of its devices
NEEDED = {"who", "atoms", "rate", "precision", "device"}  # of a row that can be compared


def on_cores(machine: str, threads: int) -> str:
    """Cores of a machine as hardware: one core is the same in any machine that has more of them.

    >>> on_cores("aarch64 neoverse-n1, 2 cores", 1), on_cores("aarch64 neoverse-n1, 2 cores", 2)
    ('aarch64 neoverse-n1, one core', 'aarch64 neoverse-n1, 2 cores')
    """
    name = machine.rsplit(", ", 1)[0] if machine.endswith("cores") else machine
    return f"{name}, one core" if threads == 1 else f"{name}, {threads} cores"


def enter(cells: Cells, machine: str, row: Row) -> None:
    """A row of a result file of a machine; the best of several counts. A rate of 0: what is not supported."""
    way = row.get("by") or WAYS.get(usual(row["device"]).partition(":")[0])
    if not way or row["precision"] not in ("double", "mixed") or row.get("cutoff") not in (None, 2.5):
        return
    alone = way == ON_CORES and row.get("threads", 1) == 1
    hardware = row.get("hardware") or (on_cores(machine, row.get("threads", 1)) if way == ON_CORES else machine)
    system = f"{row.get('system', 'lj')} {row['atoms']}" + (MIXED if row["precision"] == "mixed" else "")
    note(cells, hardware, system, OURS + way if row["who"] == "everlet" else PEER,
         row["rate_cpu" if alone and "rate_cpu" in row else "rate"])


def note(cells: Cells, hardware: str, system: str, who: str, rate: float) -> None:
    """One rate, if it is the best so far."""
    cell = cells.setdefault((hardware, system), {})
    cell[who] = max(cell.get(who, 0.0), rate)


def completed(cells: Cells, others: Iterable[Row]) -> list[str]:
    """Add rates of other programs that ship, and say which cannot be compared; then systems in mixed precision."""
    known = {hardware for hardware, _ in cells}
    missing: dict[str, dict[str, None]] = {}
    for row in others:
        if row["platform"] in known:
            system = f"{row['system']} {row['atoms']}" + (MIXED if row.get("precision") == "mixed" else "")
            note(cells, row["platform"], system, row["who"], row["rate"])
        else:
            missing.setdefault(row["platform"], {})[row["who"]] = None
    for hardware, system in [key for key in cells if key[1].endswith(MIXED)]:
        if all(who.startswith(OURS) for who in cells[hardware, system]):
            del cells[hardware, system]
            continue
        for who, rate in cells.get((hardware, system.removesuffix(MIXED)), {}).items():
            note(cells, hardware, system, who, rate)
    return [f"not compared, since there is no rate of Everlet: {', '.join(who)} on {hardware}"
            for hardware, who in missing.items()]


def efficiencies(cells: Cells) -> list[Row]:
    """Rows of what can be compared: Everlet by one way beside the best of all others, itself by other ways among them. The
    ratio is that to the best other program, if one is known."""
    rows = []
    for (hardware, system), rates in sorted(cells.items()):
        for mine, rate in rates.items():
            others = {who: other for who, other in rates.items() if who != mine and other > 0.0}
            if not mine.startswith(OURS) or not others and rate > 0.0:
                continue
            programs = {who: other for who, other in others.items() if not who.startswith(OURS)}
            peer = max(programs or others, key=lambda who: others[who], default="")
            best = max(others.values(), default=0.0)
            rows.append({"platform": f"{hardware} by {mine.removeprefix(OURS)}", "system": system, "rate": rate, "peer": peer,
                         "peer_rate": others.get(peer, 0.0), "ratio": rate / others[peer] if peer else 0.0,
                         "efficiency": min(1.0, rate / best) if best else 0.0})
    return sorted(rows, key=lambda row: (row["platform"], row["system"]))


def measured(devices: list[str], system: str, atoms: int, steps: int, repeat: int, clock: str = "wall") -> list[Row]:
    """Rates here, of each device with all it has, in turns: by the quickest round, since what else goes on only slows, of the
    wall clock or of CPU time of all threads. What a device refuses has a rate of 0."""
    spaces = {device: choose(device) for device in devices}
    places = {device: place(space) for device, space in spaces.items()}
    cards = [device for device, space in spaces.items() if places[device]["hardware"] == space.machine() and space.many_threads]
    if clock == "cpu" and cards:
        raise InputError(f"--clock cpu: {', '.join(cards)} does not work in CPU time", "leave it out, or that device")
    runs: dict[str, list[Run]] = {device: [] for device in devices}
    refused: dict[str, str] = {}
    for _ in range(repeat):
        for device in [one for one in devices if one not in refused]:
            threads = 0 if spaces[device].many_threads else spaces[device].threads
            case = Case(atoms, sample(system).cutoff, steps, device=device, threads=threads, system=system)
            try:
                runs[device].append(everlet(case))
            except EverletError as error:
                refused[device] = error.cause.splitlines()[0]
    size = next((many[0].atoms for many in runs.values() if many), atoms)
    rows = []
    for device in devices:
        times = {"seconds": [run.seconds for run in runs[device]], "cpu_seconds": [run.cpu for run in runs[device]]}
        spent = [] if device in refused else times["cpu_seconds" if clock == "cpu" else "seconds"]
        row = {"who": "everlet", "system": system, "atoms": size, "precision": "double", "device": device, **places[device],
               "rate": size * steps / min(spent) if spent else 0.0, "clock": clock, "steps": steps, **times}
        rows.append(row | ({"why": refused[device]} if device in refused else {}))
    return rows


def place(space: Space) -> dict[str, Any]:
    """The hardware behind a space, and the way to it. Drivers of OpenCL may stand for the cores of this machine."""
    found = getattr(getattr(space, "gpu", None), "device", None)
    if space.target == "opencl" and found is not None:
        card = not found.type & ON_CPU
        return {"hardware": space.machine() if card else on_cores(HOST.machine(), cores()),
                "by": "PoCL" if found.platform.name.strip() == POCL else WAYS["opencl"]}
    if space.many_threads:
        return {"hardware": space.machine(), "by": WAYS[space.target]}
    return {"hardware": on_cores(HOST.machine(), space.threads), "by": ON_CORES}
