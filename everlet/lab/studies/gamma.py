"""Study gamma: operations of every kernel of a step, counted from its text, and γ of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from everlet import settings
from everlet.lab.results import OUT, Outcome, Row, outcome, plot, study
from everlet.lab.studies.profile import STEADY, on_host
from everlet.lu.command import measured
from everlet.lu.counts import accesses, flops, gammas
from everlet.lu.problem import CLASSES
from everlet.lu.solver import Choice
from everlet.perf import nacl, options
from everlet.perf.gamma import Phase, lanes_of, predicted
from everlet.perf.known import SYSTEMS
from everlet.perf.molecules import FOLDER
from everlet.perf.operations import counted
from everlet.perf.runs import WARM, Case, prepared
from everlet.portable import Kernel, Serial
from everlet.session import Session

NAMES = (*SYSTEMS, "nacl", "lu")
KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "systems": (options.many(options.one_of(*NAMES)), ["lj", "eam", "sw", "snap", "nacl", "lu"]),
    "atoms": (options.positive, 0), "cycles": (options.positive, 3), "inputs": (options.word, ""), **OUT}
PUBLISHED = {"nacl": 0.27}  # 128³ ions, whole solver: 0.27 on 48 cores of a Skylake, 0.26 on a V100
LEAST = 0.003  # of a step: kernels below that are left out
EDGE, CUTOFF = 12, 3.5355


@study("gamma")
def gamma(words: list[str]) -> Outcome:
    """everlet study gamma [--systems lj,eam,sw,snap,nacl,lu] [--atoms N] [--cycles 3] [--inputs FOLDER] [--out FOLDER]

    Of every kernel of a step on one core: operations and accesses of an atom, counted from its text while it works on the
    real arrays; what they should take by the cycles of `everlet micro`; what they take; γ, the ratio of both, and what
    limits it. Systems are those of `everlet bench`, also molecules; nacl is an Ewald sum, lu the sections of NPB LU."""
    given = options.parse(words, KNOWN, "everlet study gamma [options]; see everlet study gamma --help")
    if given["inputs"]:
        settings.put(FOLDER, given["inputs"])
    rows: list[Row] = []
    for system in given["systems"]:
        rows += of_lu() if system == "lu" else of_steps(system, given)
    columns = {"name": "kernel", "flops": "flop/atom", "accesses": "moved/atom", "nanoseconds": "ns/atom", "share": "%",
               "gamma": "γ", "limit": "limit"}
    return outcome(given, "gamma", rows, columns, conclusion(rows), Serial())


def of_steps(system: str, given: dict[str, Any]) -> list[Row]:
    """Kernels of a step without a rebuild."""
    if system == "nacl":
        sim = Session(device="serial", tune=False, screen="none")
        sim.commands(nacl.SCRIPT.format(cells=EDGE // 2, cutoff=CUTOFF, solver="ewald", accuracy=1e-4, most=2000, page=20000)
                     + "fix 1 all nve\ntimestep 1e-9\n")
        sim.run(0, post=False)
    else:
        known = SYSTEMS[system]
        sim = prepared(Case(given["atoms"] or known.atoms, device="serial", system=system))
        sim.run(WARM, post=False)
    found, whole, _ = on_host(sim, given["cycles"], STEADY)
    seconds: dict[str, float] = {}
    for cycle in found:
        for kernel, _, _, taken in cycle:
            seconds[kernel.body.__name__] = seconds.get(kernel.body.__name__, 0.0) + taken / len(found) / WARM
    work = counts(sim)
    atoms, rows = sim.system.natoms, []
    for name, spent in sorted(seconds.items(), key=lambda one: -one[1]):
        if name in work and spent > LEAST * whole / WARM:
            rows.append(_row(system, name, work[name], spent, whole / WARM, atoms))
    phase = Phase()
    for one in work.values():
        phase.add(one.counts, 1)
    phase.launches = sum(one.launches for one in work.values())
    return [*rows, _row(system, "whole step", phase, whole / WARM, whole / WARM, atoms)]


def _row(system: str, name: str, phase: Phase, spent: float, whole: float, atoms: int) -> Row:
    said, limit = predicted({name: phase}, (name,), Serial(), atoms)
    return {"name": f"{system}: {name}", "system": system, "kernel": name, "flops": flops(phase), "accesses": accesses(phase),
            "nanoseconds": 1e9 * spent / atoms, "share": 100.0 * spent / whole, "predicted": 1e9 * said / atoms,
            "gamma": said / spent, "limit": limit, "launches": phase.launches,
            "operations": {f"{what} {kind}": round(number, 3) for (what, kind), number in sorted(phase.counts.items())}}


def counts(sim: Session) -> dict[str, Phase]:
    """Operations of every kernel of one step, for each atom."""
    assert sim.loop is not None and sim.lists is not None
    work: dict[str, Phase] = {}

    def watch(kernel: Kernel, items: Any, args: tuple[Any, ...], launch: Callable[[], None]) -> None:
        phase = work.setdefault(kernel.body.__name__, Phase())
        if int(items) > 0:
            width, alone = lanes_of(kernel, sim.space)
            phase.add(counted(sim.space, kernel, int(items), args, width, alone, grouped=True), sim.system.natoms)
        phase.launches += 1
        launch()

    before, sim.lists.settings.once = sim.lists.settings.once, True
    sim.space.watch = watch
    try:
        sim.loop.step()
    finally:
        sim.space.watch, sim.lists.settings.once = None, before
    return work


def of_lu() -> list[Row]:
    """Sections of LU, class W."""
    choice, space = Choice(CLASSES["W"]), Serial()
    found, row = measured(choice, space, 20)
    rows = gammas(choice, space, {name: taken / found.iterations for name, taken in found.sections.items()})
    whole = sum(one["seconds"] for one in rows)
    return [{"name": f"lu: {one['section']}", "system": "lu", "kernel": one["section"], "flops": one["flops"],
             "accesses": one["accesses"], "nanoseconds": 1e9 * one["seconds"] / row["points"],
             "predicted": 1e9 * one["predicted"] / row["points"],
             "share": 100.0 * one["seconds"] / whole, "gamma": one["gamma"], "limit": one["limit"],
             "launches": one["launches"], "operations": one["operations"]} for one in rows]


def conclusion(rows: list[Row]) -> str:
    """γ of whole steps, beside the published one."""
    whole = [row for row in rows if row["kernel"] == "whole step"]
    said = ", ".join(f"{row['system']} {row['gamma']:.2f}" for row in whole)
    text = f"γ of whole steps: {said}" if said else "no whole steps"
    for row in whole:
        if row["system"] in PUBLISHED:
            text += (f". Published for a crystal of salt: {PUBLISHED[row['system']]:g}: "
                     + ("the model says more about this code than about that one, whose loads and index work it left out"
                        if row["gamma"] > 1.3 * PUBLISHED[row["system"]] else "alike here"))
    return text


@plot("gamma")
def draw(figure: Any, rows: list[Row]) -> None:
    """γ over the share of a step, a colour for each system."""
    panel = figure.subplots()
    shown = [row for row in rows if row["share"] >= 2.0]
    systems = list(dict.fromkeys(row["system"] for row in shown))
    places = range(len(shown))
    panel.barh(list(places), [row["gamma"] for row in shown], color=[f"C{systems.index(row['system'])}" for row in shown])
    panel.set_yticks(list(places), labels=[f"{row['name']} ({row['share']:.0f} %)" for row in shown], fontsize="small")
    panel.invert_yaxis()
    panel.axvline(1.0, color="grey", linewidth=0.8)
    panel.set(xlabel="γ: time by counted operations over measured time; in brackets the share of a step")
    panel.grid(alpha=0.3, axis="x")
