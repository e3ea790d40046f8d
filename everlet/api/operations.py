"""Fixes and computes as Python objects: sim.fix.nvt(…), sim.compute.rdf(…).

    nvt = sim.fix.nvt(temp=(300.0, 600.0), damp=0.1)      # fix nvt_1 all nvt temp 300 600 0.1
    drag = sim.fix.viscous(0.5, group="mobile")           # words of the line first, then keywords
    nvt.scalar, nvt.modify(energy=True), nvt.remove()
    rdf = sim.compute.rdf(100); rdf.array

Names have _ where scripts have /. Arguments without a name are words of the line, in their order; those with a name become
`name value …` behind them. The fixes of everyday use, which are written out below, have arguments of their own.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.api.record import quoted
from everlet.api.styles import python_name, words
from everlet.computes.base import compute_style
from everlet.errors import InputError, one_of, unknown
from everlet.fixes.base import fix_style
from everlet.registry import Registry
from everlet.session import Session
from everlet.state.operation import Operation

Ends = float | tuple[float, float]  # a value, or the first and the last of a ramp over each run


def _values(form: str, what: str) -> Any:
    """An attribute of a handle that is an array."""
    def get(self: Handle) -> np.ndarray:
        return np.array(self._value(form))
    return property(get, doc=what)


class Handle:
    """A fix or compute of a simulation, by its id."""

    def __init__(self, session: Callable[[], Session], what: str, id: str):
        self._session, self._what, self.id = session, what, id

    @property
    def operation(self) -> Operation:
        """What is below: for developers."""
        system = self._session().system
        known = system.fixes if self._what == "fix" else system.computes
        if self.id not in known:
            raise InputError(f"{self._what} '{self.id}' was removed", "define it again")
        found: Operation = known[self.id]
        return found

    def _value(self, form: str) -> Any:
        return self._session().value_of(self.operation, form)

    @property
    def scalar(self) -> float:
        """Its number, now."""
        return float(self._value("scalar"))

    vector: np.ndarray = _values("vector", "Its vector, now.")
    array: np.ndarray = _values("array", "Its table, now.")
    peratom: np.ndarray = _values("peratom", "Its values of atoms, now, in the order of ids.")
    local: np.ndarray = _values("local", "The rows of its local values, now.")

    def modify(self, **options: Any) -> None:
        """Words of fix_modify or compute_modify: modify(energy=True)."""
        self._session().commands(" ".join(map(quoted, [f"{self._what}_modify", self.id, *words(options)])))

    def remove(self) -> None:
        """unfix, uncompute."""
        self._session().commands(f"un{self._what} {self.id}")

    def __repr__(self) -> str:
        known = self._session().system
        found = (known.fixes if self._what == "fix" else known.computes).get(self.id)
        return f"<{self._what} {self.id} (removed)>" if found is None else \
            f"<{' '.join([self._what, self.id, found.group, found.style, *found.args])}>"


class Adder:
    """Adds operations of one style. Its help is that of the style."""

    def __init__(self, room: Room, name: str, style: type[Operation]):
        self._room, self._name = room, name
        self.__name__, self.__doc__ = python_name(name), inspect.getdoc(style)

    def __call__(self, *arguments: Any, id: str = "", group: str = "all", **keywords: Any) -> Handle:
        return self._room.add(self._name, [*words(list(arguments)), *words(keywords)], id, group)

    def __repr__(self) -> str:
        return f"<sim.{self._room.what}.{self.__name__}>"


class Room:
    """All styles of fixes or computes as attributes, and those that a simulation has by their ids: sim.fix["1"]."""

    what = ""
    registry: Registry[Any]

    def __init__(self, session: Callable[[], Session]):
        self._session = session

    def _known(self) -> dict[str, Any]:
        system = self._session().system
        return system.fixes if self.what == "fix" else system.computes

    def add(self, style: str, arguments: list[str], id: str = "", group: str = "all") -> Handle:
        """A new one; without an id it is called after its style."""
        stem, number = python_name(style), 1
        while not id:
            id = "" if f"{stem}_{number}" in self._known() else f"{stem}_{number}"
            number += 1
        self._session().commands(" ".join(map(quoted, [self.what, id, group, style, *arguments])))
        return Handle(self._session, self.what, id)

    def __getattr__(self, name: str) -> Adder:
        if name.startswith("_"):
            raise AttributeError(name)
        found = {python_name(style): style for style in self.registry}
        if name not in found:
            near = unknown(f"{self.what} style", name, found)
            raise AttributeError(f"{near.cause}: {near.remedy}")
        return Adder(self, found[name], self.registry[found[name]])

    def __getitem__(self, id: str) -> Handle:
        """One that is there, by its id."""
        one_of(self.what, id, self._known())
        return Handle(self._session, self.what, id)

    def __iter__(self) -> Any:
        return iter(list(self._known()))

    def __len__(self) -> int:
        return len(self._known())

    def __dir__(self) -> list[str]:
        return sorted({*map(python_name, self.registry), *(name for name in vars(type(self)) if not name.startswith("_"))})

    def __repr__(self) -> str:
        return f"<sim.{self.what}: {', '.join(self._known()) or 'none'}>"


def _ends(value: Ends) -> list[Any]:
    return list(value) if isinstance(value, (tuple, list)) else [value, value]


class Computes(Room):
    """All styles of computes: sim.compute.rdf(100), sim.compute.pe_atom(id="pa")."""

    what, registry = "compute", compute_style


class Fixes(Room):
    """All styles of fixes; those of everyday use, below, have arguments of their own. Ends is a value, or the first and the
    last of a ramp over each run."""

    what, registry = "fix", fix_style

    def nve(self, *, group: str = "all", id: str = "") -> Handle:
        """Constant energy: atoms move by their forces."""
        return self.add("nve", [], id, group)

    def nvt(self, temp: Ends, damp: float, *, group: str = "all", id: str = "", **more: Any) -> Handle:
        """Constant temperature by Nose-Hoover chains; temp: a value, or the first and last of each run; damp: a time."""
        return self.add("nvt", words(["temp", *_ends(temp), damp, more]), id, group)

    def npt(self, temp: Ends, damp: float, press: Ends = 0.0, pdamp: float = 0.0, *, couple: str = "iso", group: str = "all",
            id: str = "", **more: Any) -> Handle:
        """Constant temperature and pressure; couple: iso, aniso or tri; pdamp: a time, 10 * damp if it is not given."""
        return self.add("npt", words(["temp", *_ends(temp), damp, couple, *_ends(press), pdamp or 10 * damp, more]), id, group)

    def nph(self, press: Ends, pdamp: float, *, couple: str = "iso", group: str = "all", id: str = "", **more: Any) -> Handle:
        """Constant pressure and enthalpy."""
        return self.add("nph", words([couple, *_ends(press), pdamp, more]), id, group)

    def langevin(self, temp: Ends, damp: float, seed: int, *, group: str = "all", id: str = "", **more: Any) -> Handle:
        """Friction and noise; moves no atoms by itself: use it with nve."""
        return self.add("langevin", words([*_ends(temp), damp, seed, more]), id, group)


for _name, _method in vars(Fixes).items():  # let Python name them as users call them when arguments are wrong
    if inspect.isfunction(_method):
        _method.__qualname__ = f"sim.fix.{_name}"
