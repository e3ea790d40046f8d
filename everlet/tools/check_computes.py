"""Checks of a user's compute: one value for one state of the atoms, wherever it is made and in whatever order they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.portable import Reference, Space
from everlet.session import Session
from everlet.state.operation import EXTENSIVE, Gives
from everlet.tools.check_system import Report, check_gone, check_outputs, difference, everywhere, liquid, present, values

ID = "checked"
SCALING = 1e-9  # sums of twice as many numbers


def check_compute(name: str, out: Callable[[str], None] = print) -> bool:
    """Check one registered compute with the words of its `example`."""
    kind = compute_style[name]
    report = Report(kind, out)
    out(f"compute {name} {kind.example}".rstrip())
    first: list[tuple[Session, Compute]] = []  # indices are checked there: if it fails, nothing compiled is run
    if not report.attempt("set up", lambda: first.append(_made(name, Reference(bounds=True)))):
        out(f"    its arguments here are '{kind.example}': the class attribute example gives others")
        return False
    report.attempt("outputs", lambda: check_outputs(report, *first[0]))
    plain: dict[str, np.ndarray] = {}
    if not report.good or not report.attempt("on reference", lambda: plain.update(values(*first[0]))):
        return False
    if (made := everywhere(report, plain, lambda space: _made(name, space), values, "",
                           "let each item of a kernel write to its own row, and sum with parallel_reduce")) is None:
        return False
    sim, compute, wanted = made
    checks: dict[str, Callable[[], None]] = {
        "order of atoms": lambda: _order(report, name, wanted),
        "copies": lambda: _copies(report, name, compute, wanted),
        "writes": lambda: _writes(report, sim, compute),
        "uncompute": lambda: _uncompute(report, name),
    }
    for what, check in checks.items():
        report.attempt(what, check)
    return report.good


def _made(name: str, space: Space | None = None, before_forces: str = "") -> tuple[Session, Compute]:
    sim = liquid(space, before_forces)
    return sim, _add(sim, name)


def _add(sim: Session, name: str) -> Compute:
    """The compute in a liquid whose forces, energy and virial are known."""
    compute = sim.add_compute(ID, "all", name, compute_style[name].example.split())
    sim.run(0)
    return compute


def _order(report: Report, name: str, wanted: dict[str, np.ndarray]) -> None:
    sim = liquid()
    sim.system.atoms.select(np.random.default_rng(4711).permutation(sim.system.atoms.n))
    cause = difference(wanted, values(sim, _add(sim, name)))
    report.judge("order of atoms", cause and f"if the same atoms are stored in another order, {cause}",
                 'do not depend on rows: who an atom is says atoms.read("id"), peratom() has a value for each row')


def _copies(report: Report, name: str, compute: Compute, wanted: dict[str, np.ndarray]) -> None:
    """Of two copies of the system side by side extensive numbers are twice as large, others as large as before."""
    if not compute.copies_scale:
        report.ok("copies", "not looked at: the class says copies_scale = False")
        return
    gives = compute.gives
    expected = {form: _factors(gives, form, value) * value for form, value in wanted.items() if form != "local"}
    if "peratom" in expected:
        expected["peratom"] = np.concatenate([wanted["peratom"]] * 2)  # ids of the copy come after those of the first
    cause = difference(expected, values(*_made(name, None, "replicate 2 1 1\n")), SCALING)
    report.judge("copies", cause and f"of two copies of the system {cause}", "declare what grows with the system EXTENSIVE and "
                 "what does not INTENSIVE; say copies_scale = False if this does not hold for your quantity", "",
                 "extensive values double, others stay: ok")


def _factors(gives: Gives, form: str, value: np.ndarray) -> np.ndarray | float:
    if form == "vector":
        return np.array([2.0 if gives.kind_of(k + 1) == EXTENSIVE else 1.0 for k in range(len(value))])
    return 2.0 if getattr(gives, form, "") == EXTENSIVE else 1.0


def _writes(report: Report, sim: Session, compute: Compute) -> None:
    atoms = sim.system.atoms
    before = {name: atoms.read(name).copy() for name in atoms.fields if name not in compute.fields}
    values(sim, compute)
    changed = [name for name, old in before.items() if not np.array_equal(atoms.read(name), old, equal_nan=True)]
    if changed:
        report.wrong("writes", f"it changes {', '.join(changed)} of the atoms", "work on a copy, or in a field of its own "
                     "(self.add_field)", report.line(""))
    else:
        report.ok("writes", "nothing of others: ok")


def _uncompute(report: Report, name: str) -> None:
    sim = liquid()
    before = present(sim)
    _add(sim, name)
    sim.remove_compute(ID)
    check_gone(report, sim, before, "uncompute")
