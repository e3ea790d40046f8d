"""What checks of fixes and computes have in common: a small liquid on every backend, lines of a report, differences."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from everlet.computes.words.columns import unwrapped
from everlet.errors import EverletError
from everlet.portable.spaces import Space, Threads
from everlet.session import Session
from everlet.state.operation import Gives, Operation
from everlet.tools.check_formulas import spaces

One = TypeVar("One", bound=Operation)
TOLERANCE = 1e-10  # of numbers after some steps, in units of the largest of their kind, or of 1
FORMS = ("scalar", "vector", "array", "peratom", "local")
LIQUID = """
    units lj
    lattice fcc 0.8442
    region box block 0 4 0 4 0 4
    create_box 2 box
    create_atoms 1 box
    set group all type/fraction 2 0.4 4711
    mass 1 1.0
    mass 2 2.0
    displace_atoms all random 0.1 0.1 0.1 9876
    velocity all create 2.0 4928459
"""
FORCES = """
    pair_style lj/cut 2.5
    pair_coeff * * 1.0 1.0
    timestep 0.002
    thermo 1000
"""


def liquid(space: Space | None = None, before_forces: str = "") -> Session:
    """256 atoms of two types; without a space on one CPU core."""
    sim = Session(*device_of(space), tune=False)
    sim.commands(LIQUID + before_forces + FORCES)
    return sim


def device_of(space: Space | None) -> tuple[str, int]:
    """Device and threads of a Session on this space; none: one CPU core."""
    if space is None:
        return "serial", 0
    if space.interpreted:
        return "reference:bounds", 0
    if space.target == "cpu":
        return "cpu", space.threads
    return space.name.replace("(", ":").rstrip(")"), 0


def others() -> list[Space]:
    """Compiled backends that are compared with one CPU core; two threads are enough to see a race."""
    return [Threads(2) if isinstance(space, Threads) else space for space in spaces()
            if not space.interpreted and space.name != "serial"]


class Report:
    """Lines of checks of one class: `ok`, or what is wrong, what to do about it and where."""

    def __init__(self, kind: type, out: Callable[[str], None]):
        self.kind, self.out, self.good = kind, out, True
        codes = [value.__code__ for value in vars(kind).values() if inspect.isfunction(value)]
        self.file = codes[0].co_filename if codes else ""  # not by the module's name, which another file may have too

    def ok(self, what: str, note: str = "ok") -> None:
        self.out(f"  {what}: {note}")

    def wrong(self, what: str, cause: str, remedy: str = "", line: int = 0) -> None:
        self.good = False
        place = f" ({Path(self.file).name}:{line})" if line and self.file else ""
        self.out(f"  {what}: FAILED: {cause}{' -> ' + remedy if remedy else ''}{place}")

    def judge(self, what: str, cause: str, remedy: str, name: str | None = None, note: str = "ok") -> None:
        """It is wrong if there is a cause; `name`: the line of this method is named."""
        if cause:
            self.wrong(what, cause, remedy, 0 if name is None else self.line(name))
        else:
            self.ok(what, note)

    def line(self, name: str) -> int:
        """Where a method of the class begins, or, without a name or where it has none, the class itself."""
        method = vars(self.kind).get(name)
        if inspect.isfunction(method):
            return method.__code__.co_firstlineno
        text = Path(self.file).read_text().splitlines() if self.file else []
        begins = tuple(f"class {self.kind.__name__}{sign}" for sign in "(:")
        return next((k for k, line in enumerate(text, 1) if line.startswith(begins)), 0)

    def attempt(self, what: str, check: Callable[[], None]) -> bool:
        """Make a check; what the user's text raises is a line like any other. False: it came to no end."""
        try:
            check()
            return True
        except EverletError as error:
            self.wrong(what, error.cause, error.remedy, self._raised(error))
        except Exception as error:  # a bug of the user's own
            self.wrong(what, f"{type(error).__name__}: {error}", "", self._raised(error))
        return False

    def all_numbers(self, found: Mapping[str, np.ndarray]) -> bool:
        """Values that are no numbers end the check: they differ from everything, and nothing more is learned."""
        bad = [name for name, value in found.items() if not np.isfinite(value).all()]
        if bad:
            self.wrong("values", f"{', '.join(bad)}: not a number, or infinite", "look for divisions by zero, and roots and "
                       "logarithms of negative numbers", self.line(bad[0]))
        return not bad

    def _raised(self, error: BaseException | None) -> int:
        """The line of the user's file, of this error or of the one that it came from."""
        while error is not None:
            lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == self.file]
            if lines:
                return lines[-1] or 0
            error = error.__cause__
        return 0


# ---- numbers
def by_id(sim: Session, rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows)[np.argsort(sim.system.atoms.read("id"))]


def values(sim: Session, operation: Operation) -> dict[str, np.ndarray]:
    """All that an operation gives now; rows of atoms in the order of ids, local rows in the order of their numbers."""
    found = {}
    for form in declared(operation.gives):
        value = np.asarray(operation.now(form), float)
        if form == "peratom":
            value = by_id(sim, value)
        elif form == "local" and value.ndim == 2:
            value = value[np.lexsort(value.T[::-1])]
        found[form] = value.copy()
    return found


def motion(sim: Session, operation: Operation) -> dict[str, np.ndarray]:
    """Where atoms are and go, what the operation keeps of each of them, and what it gives."""
    atoms = sim.system.atoms
    names = {name: by_id(sim, atoms.read(name)).copy() for name in ("v", "f", *operation.fields)}
    return {"x": by_id(sim, unwrapped(sim.system)), **names, **values(sim, operation)}


def difference(one: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray], tolerance: float = TOLERANCE) -> str:
    """The first quantity that differs, in words; empty if none does."""
    for name, first in one.items():
        second = other[name]
        if first.shape != second.shape:
            return f"{name} has the shape {second.shape} instead of {first.shape}"
        scale = max(float(np.abs(first).max(initial=0.0)), 1.0)  # below that it may be a sum that cancels
        apart = float(np.abs(first - second).max(initial=0.0)) / scale
        if not apart <= tolerance:  # also if it is not a number
            return f"{name} differs by {apart:.1e} of its size"
    return ""


# ---- what is declared
def declared(gives: Gives) -> list[str]:
    has = (gives.scalar, gives.vector, gives.array, gives.columns is not None, gives.local is not None)
    return [form for form, there in zip(FORMS, has, strict=True) if there]


def check_outputs(report: Report, sim: Session, operation: Operation) -> None:
    """What `gives` declares is there, in this shape; what is there is declared."""
    gives, n, bad = operation.gives, sim.system.atoms.n, False
    for form in FORMS:
        written = getattr(type(operation), form) is not getattr(Operation, form)
        if form in declared(gives) and not written:
            report.wrong("outputs", f"gives declares {form}, but there is no method {form}()", "write it", report.line(""))
            bad = True
        elif written and form not in declared(gives):
            report.wrong("outputs", f"there is a method {form}(), but gives does not declare it",
                         f"gives = Gives({'columns=0' if form == 'peratom' else form + '=…'})", report.line(form))
            bad = True
        elif written:
            shape = np.shape(operation.now(form))
            cause = _shape(form, gives, n, shape)
            if cause:
                report.wrong("outputs", f"{form}() has the shape {shape}, {cause}", "correct it, or gives", report.line(form))
                bad = True
    if not bad:
        report.ok("outputs", f"{', '.join(declared(gives)) or 'none are declared, none are there'}: ok")


def _shape(form: str, gives: Gives, n: int, shape: tuple[int, ...]) -> str:
    columns = gives.columns or 0
    wanted: dict[str, Any] = {"scalar": (), "peratom": (n, columns) if columns else (n,)}
    if form in wanted:
        return "" if shape == wanted[form] else f"not {wanted[form]}"
    if form == "vector" and (len(shape) != 1 or gives.length and shape != (gives.length,)):
        return f"not ({gives.length or 'any length'},)"
    if form == "array" and len(shape) != 2:
        return "not rows and columns"
    if form == "local" and (len(shape) != 2 or shape[1] != gives.local) and not (gives.local in (0, 1) and len(shape) == 1):
        return f"not rows of {gives.local}"
    return ""


def check_gone(report: Report, sim: Session, before: set[str], command: str) -> None:
    """Nothing is left of an operation that was removed."""
    left = present(sim) - before
    if left:
        report.wrong(command, f"{', '.join(sorted(left))} stays",
                     "make fields with self.add_field, and remove in remove() what else it has made", report.line("__init__"))
    else:
        report.ok(f"{command} leaves nothing")


def present(sim: Session) -> set[str]:
    system = sim.system
    return {*(f"field {name}" for name in system.atoms.fields), *(f"compute {id}" for id in system.computes),
            *(f"fix {id}" for id in system.fixes)}


def everywhere(report: Report, plain: dict[str, np.ndarray], make: Callable[[Space | None], tuple[Session, One]],
               numbers: Callable[[Session, One], dict[str, np.ndarray]], when: str, remedy: str,
               ) -> tuple[Session, One, dict[str, np.ndarray]] | None:
    """What is made on one CPU core and its numbers, with which those of plain Python and of the other backends are compared;
    None if there are none. when: words before a difference."""
    if not report.all_numbers(plain):
        return None
    made: list[tuple[Session, One]] = []
    wanted: dict[str, np.ndarray] = {}
    if not report.attempt("on serial", lambda: made.append(make(None))) or not report.attempt(
            "values", lambda: wanted.update(numbers(*made[0]))):
        return None

    def same(space: str, found: dict[str, np.ndarray]) -> None:
        cause = difference(wanted, found)
        report.judge(f"on {space}", cause and f"{when}{cause}, compared with one CPU core", remedy)

    same("reference", plain)
    for space in others():
        report.attempt(f"on {space.name}", lambda space=space: same(space.name, numbers(*make(space))))  # type: ignore[misc]
    return *made[0], wanted
