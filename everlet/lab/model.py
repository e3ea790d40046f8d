"""everlet model: what equations say about a program on a machine, before anything runs.

    everlet model wavefront [--class C | --size 162x162x162] [--nodes 1,4,8,16 | --array 2x2x1] [--kblock 1] [--policy old|new]
                            [--machine c1060] [--plane S --point S] [--exchange S] [--iterations N] [--other S] [--json FILE]
    everlet model md        [--atoms N] [--potential lj/cut] [--density 0.8442] [--reach 2.8] [--nodes 1,2,4,…] [--weak yes|no]
                            [--machine h200] [--json FILE]
    everlet model ewald     [--atoms N] [--processor volta] [--units U --gigahertz F] [--volume V] [--waves K] [--json FILE]
    everlet model validation     published times of NPB LU beside published predictions, and energies
    everlet model machines       machines that have a name

wavefront  sweeps of NPB LU by the equations of wavefront.py, a rank for each device of a node; --machine gives the network
           and, if it has them, the times of a hyperplane and of a grid point in seconds (`everlet measure lu`); --exchange
           instead of the network's time of two messages
md         steps of molecular dynamics by those of md.py; --weak yes keeps the atoms of each device instead of all atoms;
           ± is what is not known about the machine, 95 % of cases
ewald      pairs and waves of an Ewald sum by counted operations and published cycles of one (`everlet micro` measures yours);
           V: the part of the box within a cutoff, K: the number of waves
--machine  a name, a file, or here: this one, as `everlet measure` found it
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from everlet.errors import InputError, integer, number, unknown
from everlet.lab import md, wavefront
from everlet.lab.machine import HERE, Machine, devices, load, names, shipped, thesis
from everlet.lab.rates import rate_of, source
from everlet.lab.wavefront import CLASSES, Grind
from everlet.perf import options, record

Known = dict[str, tuple[options.Reader, Any]]


def sizes(text: str, flag: str) -> tuple[int, ...]:
    """Three whole numbers, 8x8x1.

    >>> sizes("8x8x1", "--array")
    (8, 8, 1)
    """
    found = tuple(integer(part, f"a whole number for {flag}") for part in text.split("x"))
    if len(found) != 3 or min(found) < 1:
        raise InputError(f"{flag} needs three positive numbers, found {text}", f"for example: {flag} 8x8x1")
    return found


def seconds(text: str, flag: str) -> float:
    if (found := number(text, f"a number for {flag}")) < 0:
        raise InputError(f"{flag} must not be negative, found {text}", f"for example: {flag} 5e-5")
    return found


WAVEFRONT: Known = {
    "class": (options.one_of(*CLASSES), ""), "size": (sizes, ()), "nodes": (options.many(options.positive), []),
    "array": (sizes, ()), "kblock": (options.positive, 1), "policy": (options.one_of("old", "new"), "old"),
    "machine": (options.word, "c1060"), "plane": (seconds, None), "point": (seconds, None), "exchange": (seconds, None),
    "iterations": (options.positive, 0), "other": (seconds, None), "json": (options.word, ""),
}
MD: Known = {
    "atoms": (options.positive, 1_000_000), "potential": (options.word, "lj/cut"), "density": (options.length, 0.8442),
    "reach": (options.length, 2.8), "nodes": (options.many(options.positive), []), "weak": (options.one_of("yes", "no"), "no"),
    "machine": (options.word, "h200"), "json": (options.word, ""),
}
EWALD: Known = {
    "atoms": (options.positive, 128**3), "processor": (options.word, "volta"), "units": (options.positive, 0),
    "gigahertz": (options.length, 0.0), "volume": (seconds, 0.0), "waves": (seconds, 0.0), "json": (options.word, ""),
}


def main(words: list[str]) -> int:
    """The command `everlet model`."""
    if options.helped(words, __doc__):
        return 0 if words else 1
    if words[0] not in MODELS:
        raise unknown("model", words[0], MODELS)
    rows, table = MODELS[words[0]](words[1:])
    print(table)
    if rows and (path := _json(words)):
        record.write(path, {"command": ["model", *words], "rows": rows})
    return 0


def _json(words: list[str]) -> str:
    flags = [k for k, word in enumerate(words) if word.partition("=")[0] == "--json"]
    return (words[flags[-1]].partition("=")[2] or words[flags[-1] + 1]) if flags else ""


def shape(given: dict[str, Any]) -> tuple[tuple[int, int, int], int]:
    """Points and iterations that options ask for."""
    if given["class"] and given["size"]:
        raise InputError("both --class and --size are given", "leave one of them out")
    edge, iterations = CLASSES[given["class"] or "C"]
    return given["size"] or (edge, edge, edge), given["iterations"] or iterations


def arrays(given: dict[str, Any], usual: list[int], machine: Machine) -> list[tuple[int, int, int]]:
    """Arrays of ranks that options ask for; a node has a rank for each of its devices."""
    if given["array"] and given["nodes"]:
        raise InputError("both --array and --nodes are given", "leave one of them out")
    many = [nodes * machine.devices for nodes in given["nodes"] or usual]
    return [given["array"]] if given["array"] else [wavefront.squarish(ranks) for ranks in many]


def grind(given: dict[str, Any], machine: Machine) -> Grind:
    """Times of a plane and a point, from options or from the machine."""
    plane, point = given["plane"], given["point"]
    if plane is None and point is None:
        if not {"plane", "point"} & set(machine.lu):
            measure = "everlet measure lu finds it; or " if machine.name == HERE else ""
            raise InputError(f"it is not known what LU takes on {machine.name}", f"{measure}give --point S, the seconds of a "
                             "grid point in a sweep (and --plane S, of a hyperplane)")
        return Grind(machine.lu.get("plane", 0.0), machine.lu.get("point", 0.0))
    return Grind(plane or 0.0, point or 0.0)


def other_seconds(given: dict[str, Any], machine: Machine, size: tuple[int, int, int], iterations: int) -> float:
    """Of all that is not in sweeps, on one node; the machine's is for class C."""
    if given["other"] is not None:
        return float(given["other"])
    edge, usual = CLASSES["C"]
    return machine.lu.get("other", 0.0) * math.prod(size) / edge**3 * iterations / usual


def model_wavefront(words: list[str]) -> tuple[list[dict[str, Any]], str]:
    given = options.parse(words, WAVEFRONT, "everlet model wavefront [--class C] [--nodes 4,8] …; see everlet model --help")
    machine = load(given["machine"])
    size, iterations = shape(given)
    each, other = grind(given, machine), other_seconds(given, machine, size, iterations)
    rows: list[dict[str, Any]] = []
    for array in arrays(given, [1, 4, 8, 16], machine):
        sweeps = wavefront.fitted(size, array, given["kblock"])
        exchange = wavefront.exchange(sweeps, machine) if given["exchange"] is None else given["exchange"]
        if given["policy"] == "new":
            times = wavefront.new(sweeps, each.plane + each.point * sweeps.points / sweeps.planes, exchange)
        else:
            times = wavefront.old(sweeps, each.block(sweeps), exchange)
        ranks = math.prod(array)
        rows.append({"nodes": math.ceil(ranks / machine.devices), "ranks": ranks, "array": "x".join(map(str, array)),
                     "kblock": sweeps.kblock, "steps": sweeps.steps, "planes": sweeps.planes,
                     "compute": 2 * iterations * times.compute, "messages": 2 * iterations * times.messages,
                     "other": other / ranks, "total": 2 * iterations * times.total + other / ranks})
    text = [[str(row["nodes"]), row["array"], str(row["kblock"]), str(row["steps"]), str(row["planes"]),
             *(f"{row[key]:.2f}" for key in ("compute", "messages", "other", "total")),
             f"{100 * rows[0]['total'] * rows[0]['ranks'] / row['total'] / row['ranks']:.0f} %"] for row in rows]
    head = ["nodes", "ranks", "kB", "S", "H", "compute s", "messages s", "other s", "total s", "efficiency"]
    said = f"{'x'.join(map(str, size))} points, {iterations} iterations, {given['policy']} blocking, {machine.name}"
    return rows, f"{said}\n{record.table(head, text)}"


def powers(most: int) -> list[int]:
    """1, 2, 4, … up to the most.

    >>> powers(10)
    [1, 2, 4, 8, 10]
    """
    found = [2**k for k in range(most.bit_length()) if 2**k <= most]
    return found if found[-1] == most else [*found, most]


def model_md(words: list[str]) -> tuple[list[dict[str, Any]], str]:
    given = options.parse(words, MD, "everlet model md [--atoms N] [--machine frontier] …; see everlet model --help")
    machine = load(given["machine"])
    rate, weak = rate_of(machine, given["potential"]), given["weak"] == "yes"
    rows: list[dict[str, Any]] = []
    for nodes in given["nodes"] or powers(machine.nodes):
        if nodes > machine.nodes:
            raise InputError(f"{machine.name} has {machine.nodes} nodes, not {nodes}", "ask for fewer")
        if nodes * machine.devices > given["atoms"] and not weak:
            if not given["nodes"] and rows:
                break
            raise InputError(f"{nodes} nodes have {nodes * machine.devices} devices, more than there are atoms",
                             "ask for more --atoms or fewer --nodes")
        atoms = given["atoms"] * nodes * machine.devices if weak else given["atoms"]
        edge = (atoms / given["density"]) ** (1.0 / 3.0)
        matter = md.Matter(atoms, (edge, edge, edge), given["reach"], sums=1)
        step = md.step(matter, rate, machine, nodes)
        row = {"nodes": nodes, "ranks": step.ranks, "atoms": atoms, "atoms_per_rank": step.atoms, "ghosts": step.ghosts,
               **{f"{name}_us": 1e6 * value for name, value in step.parts.items()}, "step_us": 1e6 * step.total,
               "steps_per_second": 1.0 / step.total, "error": rate.error}
        for kind in ("tdp", "measured"):
            watts = machine.power(kind)
            row[f"kilowatt_{kind}"] = watts * nodes / 1e3 if watts else None
        rows.append(row)
    return rows, _md_text(rows, machine, given, md.half_point(matter, rate, machine, rows[-1]["nodes"]))


def _md_text(rows: list[dict[str, Any]], machine: Machine, given: dict[str, Any], half: float) -> str:
    weak, lines = given["weak"] == "yes", []
    for row in rows:
        ideal = 1 if weak else row["ranks"] / rows[0]["ranks"]
        lines.append([str(row["nodes"]), str(row["ranks"]), f"{row['atoms_per_rank']:.0f}", f"{row['ghosts']:.0f}",
                      *(f"{row.get(f'{name}_us', 0.0):.1f}" for name in ("local", "halo", "global")), f"{row['step_us']:.1f}",
                      f"{row['steps_per_second']:.0f} ± {row['steps_per_second'] * row['error']:.0f}",
                      f"{100 * row['steps_per_second'] / rows[0]['steps_per_second'] / ideal:.0f} %",
                      *(f"{row[f'kilowatt_{kind}']:.1f}" if row[f"kilowatt_{kind}"] else "" for kind in ("tdp", "measured"))])
    head = ["nodes", "ranks", "atoms/rank", "ghosts", "local us", "halo us", "global us", "step us", "steps/s", "efficiency",
            "kW TDP", "kW measured"]
    said = (f"{given['potential']}, {given['atoms']} atoms{' on each device' if weak else ''}, {machine.about or machine.name}")
    return (f"{said}\n{record.table(head, lines)}\nhalf of a step is work on atoms from about {half:.2g} atoms per device on\n"
            f"the rate of a device is {source(machine, given['potential'])}")


def model_ewald(words: list[str]) -> tuple[list[dict[str, Any]], str]:
    """N² (distance + V_f inside) pairs and N N_k V_f' waves, in cycles of one unit."""
    given = options.parse(words, EWALD, "everlet model ewald [--atoms N] [--processor volta] …; see everlet model --help")
    known = thesis()
    if given["processor"] not in known["cycles"]:
        raise unknown("processor", given["processor"], known["cycles"])
    cycle, usual = known["cycles"][given["processor"]], known["ewald"].get(given["processor"], {})
    units, clock = given["units"] or usual.get("units", 0), given["gigahertz"] or usual.get("gigahertz", 0.0)
    if not units or not clock:
        raise InputError(f"the number of cores or multiprocessors of {given['processor']} is not known, or its clock",
                         "give --units and --gigahertz")
    if given["volume"] > 1.0:
        raise InputError(f"--volume {given['volume']:g}: a cutoff cannot hold more than the box", "give a part, 0 to 1")
    terms = ewald_cycles(cycle)
    n, speed = given["atoms"], units * clock * 1e9
    rows = [{"part": "distances of all pairs", "cycles": terms["distance"], "seconds": n * n * terms["distance"] / speed},
            {"part": "pairs within the cutoff", "cycles": terms["inside"],
             "seconds": n * n * given["volume"] * terms["inside"] / speed},
            {"part": "waves", "cycles": terms["wave"], "seconds": n * given["waves"] * terms["wave"] / speed}]
    lines = [[row["part"], f"{row['cycles']:.4g}", f"{row['seconds']:.4g}"] for row in rows]
    lines.append(["all", "", f"{sum(row['seconds'] for row in rows):.4g}"])
    said = [f"{n} charges, {given['processor']}, {units} units at {clock:g} GHz",
            record.table(["part", "cycles", "seconds"], lines)]
    if usual and n == 128**3:
        said.append(f"published: model {usual['model']} s, measured {usual['measured']} s, "
                    f"γ {usual['model'] / usual['measured']:.2f}")
    return rows, "\n".join(said)


def ewald_cycles(cycle: dict[str, float]) -> dict[str, float]:
    """Cycles of a distance (3 sub, 2 fma, mul, sqrt), of a pair inside (2 mul, div, erfc), of a wave (3 fma, sin, cos)."""
    return {"distance": 6 * cycle["add"] + cycle["sqrt"], "inside": 2 * cycle["add"] + cycle["div"] + cycle["erfc"],
            "wave": 3 * cycle["add"] + cycle["sin"] + cycle["cos"]}


def model_validation(words: list[str]) -> tuple[list[dict[str, Any]], str]:
    options.parse(words, {"json": (options.word, "")}, "everlet model validation [--json FILE]")
    known, rows, lines = thesis(), [], []
    for name, table in known["validation"].items():
        for nodes, *times in table:
            rows.append({"system": name, "nodes": int(nodes), **dict(zip(KINDS, times, strict=True))})
            lines.append([name, f"{nodes:g}", *(f"{time:g}" for time in times),
                          *(f"{100 * (time / times[0] - 1):+.1f} %" for time in times[1:])])
    table = record.table(["system", "nodes", *KINDS, *(f"{kind} off" for kind in KINDS[1:])], lines)
    mean = [sum(abs(row[kind] / row["measured"] - 1) for row in rows) / len(rows) for kind in KINDS[1:]]
    said = ", ".join(f"{kind} {100 * value:.1f} %" for kind, value in zip(KINDS[1:], mean, strict=True))
    power = [[name, f"{nodes}", f"{time:.1f}", f"{tdp / 1e3:.1f}", f"{watts / 1e3:.1f}", f"{watts * time / 1e6:.1f}",
              f"{100 * wavefront.operations(*CLASSES['E']) / time / peak:.1f} %"]
             for name, (nodes, time, tdp, watts, peak) in known["power"].items()]
    head = ["class E", "nodes", "seconds", "kW TDP", "kW measured", "MJ", "of peak"]
    return rows, f"{table}\nmean error: {said}\n\n{record.table(head, power)}"


KINDS = ("measured", "analytic", "simulated", "with noise")


def model_machines(words: list[str]) -> tuple[list[dict[str, Any]], str]:
    options.parse(words, {"json": (options.word, "")}, "everlet model machines [--json FILE]")
    machines = [load(name) for name in names()]
    lines = [[one.name, str(one.nodes), f"{one.devices} {one.device.name}", one.about] for one in machines]
    shown = [[name, one.kind, _tera(one.bandwidth), _tera(one.measured.get("bandwidth", 0.0)), f"{one.memory / 1e9:g}",
              _tera(one.f64), _tera(one.f32), f"{one.watts:g}"] for name, one in devices().items()]
    first = record.table(["machine", "nodes", "devices", "about"], [[*row[:3], ""] for row in lines])
    about = [line if k == 0 else f"{line}  {lines[k - 1][3]}" for k, line in enumerate(first.splitlines())]
    second = record.table(["device", "kind", "TB/s", "measured", "GB", "Tflop/s", "fp32", "W"], shown)
    text = "\n".join([*about, "", second, "", f"{HERE}: this machine, as everlet measure found it"])
    return [shipped(name) for name in names()], text


def _tera(value: float) -> str:
    return f"{value / 1e12:.3g}" if value else ""


MODELS: dict[str, Callable[[list[str]], tuple[list[dict[str, Any]], str]]] = {
    "wavefront": model_wavefront, "md": model_md, "ewald": model_ewald, "validation": model_validation,
    "machines": model_machines,
}
