"""Study divergence: how many candidates of each kind pass in a reactive force field; products of charges in one pass or two."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet import settings
from everlet.fixes.charges.equilibrated import Equilibrated
from everlet.fixes.charges.solver import multiply
from everlet.fixes.charges.solver_loops import CURVATURE, SIGMA
from everlet.forces.manybody.reaxff.scheme import ReaxScheme
from everlet.forces.pair.driver import PairTerm
from everlet.lab.results import Outcome, clock_of, plot, study
from everlet.lab.studies.product_loops import product
from everlet.perf import bench, options, record
from everlet.perf.molecules import FOLDER, MOLECULES
from everlet.portable import Space, parallel_reduce
from everlet.session import Session

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "atoms": (options.positive, 2432), "device": bench.KNOWN["device"], "repeat": (options.positive, 9),
    "inputs": (options.word, ""),
    "out": (options.word, "study"),
}
USAGE = "everlet study divergence [--atoms 2432] [--inputs FOLDER] [--device cpu] [--repeat 9] [--out FOLDER]"
SOURCE = 0.05  # of the quads of HNS pass, or fewer


@study("divergence")
def divergence(words: list[str]) -> Outcome:
    """everlet study divergence [--atoms 2432] [--inputs FOLDER] [--device cpu] [--repeat 9] [--out FOLDER]
    Of a crystal of HNS (`everlet bench reaxff`, whose files are in FOLDER): the share of candidates for pairs, bonds, angles,
    torsions and hydrogen bonds that pass: threads would wait for the others if those that pass were not packed first. And
    microseconds of the products of the charge matrix with two vectors, in one pass over the matrix and in two."""
    given = options.parse(words, KNOWN, USAGE)
    if given["inputs"]:
        settings.put(FOLDER, given["inputs"])
    sim = Session(device=given["device"], threads=1 if given["device"] == "cpu" else 0, screen="none")
    sim.commands(MOLECULES["reaxff"].script(given["atoms"]) + "run 0\n")
    rows = [{"what": what, "candidates": many, "passing": some} for what, (many, some) in candidates(sim).items()]
    one, two = products(sim, given["repeat"])
    solves = {"one pass us": 1e6 * one, "two passes us": 1e6 * two, "iterations": int(_charges(sim).solver.iterations().max())}
    said = conclusion(rows, solves)
    content = {**record.stamp(sim.space), "atoms": sim.system.natoms, "rows": rows, "solves": solves, "conclusion": said}
    return given["out"], "divergence", content, f"{_text(rows)}\n{said}"


def _charges(sim: Session) -> Equilibrated:
    return next(fix for fix in sim.system.fixes.values() if isinstance(fix, Equilibrated))


def candidates(sim: Session) -> dict[str, tuple[int, int]]:
    """Of each kind: how many plain loops would visit, and how many are computed."""
    system = sim.system
    assert system.evaluator is not None
    scheme = next(term.scheme for term in system.evaluator.terms
                  if isinstance(term, PairTerm) and isinstance(term.scheme, ReaxScheme))
    n, near, matrix = system.atoms.n, system.evaluator.neighbor, _charges(sim).matrix
    listed, length = near.count.get()[:n].astype(np.int64), matrix.length.get()[:n].astype(np.int64)
    start = scheme.bonds.start.get()[: n + 1]
    bound = np.diff(start).astype(np.int64)
    one, other = (scheme.bonds[name].get()[: start[n]] for name in ("bi", "bj"))
    ends = bound[scheme.home.get()[other]] if system.ranks.size == 1 else bound[one]
    hydrogen = scheme.parameters.hydrogens and _hydrogens(system, scheme)
    found = {"pairs": (int(listed.sum()), int(length.sum())), "bonds": (scheme.near.total, scheme.bonds.total),
             "angles": (int((bound * (bound - 1)).sum()) // 2, scheme.angles.total),
             "torsions": (int((bound[one] * ends).sum()) // 2, scheme.torsions.total)}
    if hydrogen is not False:
        found["hydrogen bonds"] = int((bound * listed)[hydrogen].sum()), scheme.hbonds.total
    return found


def _hydrogens(system: Any, scheme: ReaxScheme) -> np.ndarray:
    """Atoms that can be in the middle of a hydrogen bond."""
    style = system.pair
    return np.asarray(style.field.elements["hbond"])[style.rows[system.atoms.read("type")]] == 1.0


def products(sim: Session, repeat: int) -> tuple[float, float]:
    """Seconds of the products with two vectors, in one pass over the matrix and in two."""
    fix, space, n = _charges(sim), sim.space, sim.system.atoms.n
    solver, matrix, kind = fix.solver, fix.matrix, sim.system.atoms.view("type")
    row = (matrix.depth, matrix.length, matrix.column, matrix.value)
    single = product(space)

    def together() -> None:
        parallel_reduce(space, n, multiply(space), kind, solver.eta.view, *row, 1, SIGMA, 0.0, solver.numbers, solver.r.data,
                        solver.d.data, solver.product.data, into=solver.numbers, at=CURVATURE)

    def apart() -> None:
        for k in range(2):
            parallel_reduce(space, n, single, kind, solver.eta.view, *row, k, solver.d.data, solver.product.data,
                            into=solver.numbers, at=CURVATURE)

    times = [[_seconds(space, work) for work in (together, apart)] for _ in range(repeat)]
    one, two = (statistics.median(column) for column in zip(*times, strict=True))
    return one, two


def _seconds(space: Space, work: Callable[[], None], often: int = 5) -> float:
    """CPU time of one thread, else by the wall clock."""
    clock = clock_of(space)
    work()
    space.synchronize()
    begin = clock()
    for _ in range(often):
        work()
    space.synchronize()
    return (clock() - begin) / often


def _text(rows: list[dict[str, Any]]) -> str:
    return record.table(["what", "candidates", "passing", "share"], [
        [row["what"], str(row["candidates"]), str(row["passing"]), f"{100 * row['passing'] / max(row['candidates'], 1):.2f} %"]
        for row in rows])


def conclusion(rows: list[dict[str, Any]], solves: dict[str, Any]) -> str:
    """Whether few of the quads pass, and what one pass over the matrix saves."""
    quads = next(row for row in rows if row["what"] == "torsions")
    share = quads["passing"] / max(quads["candidates"], 1)
    verdict = "holds here" if share < SOURCE else "does not hold here"
    return (f"Of the quads {100 * share:.2f} % pass; that it is less than {100 * SOURCE:.0f} % {verdict}. A product "
            f"with two vectors takes {solves['one pass us']:.0f} us in one pass over the matrix, "
            f"{solves['two passes us']:.0f} us in two, and there are {solves['iterations']} of them from a cold start.")


@plot("divergence")
def _plot(figure: Any, rows: list[dict[str, Any]]) -> None:
    panel = figure.subplots()
    panel.bar([row["what"] for row in rows], [100.0 * row["passing"] / max(row["candidates"], 1) for row in rows])
    panel.set(ylabel="candidates that pass, %", yscale="log")
    panel.grid(alpha=0.3, axis="y")
