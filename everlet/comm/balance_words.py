"""What `balance` and `fix balance` are asked for, and the weights of atoms.

    x|y|z uniform|FRACTION ...     faces of bricks along that axis, at these fractions (not in fix balance)
    shift DIMS N STOP              move the faces of bricks along the axes named by DIMS, in turn, in at most N rounds each,
                                   until the imbalance is at most STOP
    rcb                            recursive bisection; needs comm_style tiled

    weight group N ID W ...        atoms of a group count W times; several weights multiply
    weight var NAME                atoms count as often as an atom-style variable says
    weight store NAME              weights are put into d_NAME of fix property/atom
    weight neigh|time F            atoms count as the neighbours or the seconds per atom of their rank in the last run;
                                   F stretches (above 1) or shrinks (below 1) the differences
    out FILE                       write the parts, as cubes or squares of nodes
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from everlet.comm.world import writes
from everlet.errors import InputError, integer, number, one_of, unknown
from everlet.portable.code_places import check_output
from everlet.state.system import System

AXES = "xyz"
MEASURED = ("neigh", "time")


@dataclass
class BalanceRequest:
    """A way to divide the box."""

    thresh: float = 1.0
    style: str = ""
    faces: dict[int, np.ndarray | None] = field(default_factory=dict)  # style xyz; None: uniform
    dims: list[int] = field(default_factory=list)  # style shift
    rounds: int = 0
    stop: float = 1.0
    groups: list[tuple[str, float]] = field(default_factory=list)
    measured: list[tuple[str, float]] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)  # atom-style, weights of atoms
    store: str = ""  # the field that weights are put into
    out: str = ""

    @classmethod
    def parse(cls, system: System, words: list[str], command: str) -> BalanceRequest:
        """Read all that follows the threshold; `command` is named in errors."""
        wish, rest = cls(), list(words)
        while rest and rest[0] in AXES and len(rest[0]) == 1:
            wish._faces(system, rest, command)
        if not wish.style:
            wish._style(rest, command)
        elif rest and rest[0] in ("shift", "rcb"):
            raise InputError(f"{command} takes either x, y, z or {rest[0]}", "choose one of them")
        if wish.style == "rcb" and system.comm_style != "tiled":
            raise InputError(f"{command} rcb needs comm_style tiled", "use: comm_style tiled before it, or shift")
        while rest:
            wish._option(system, rest, command)
        return wish

    def _faces(self, system: System, rest: list[str], command: str) -> None:
        axis = AXES.index(rest.pop(0))
        if command != "balance":
            raise InputError(f"{command} cannot set {AXES[axis]}", "use shift or rcb, or the command balance")
        if axis in self.faces:
            raise InputError(f"balance {AXES[axis]} is given twice", "give each axis once")
        if system.dimension == 2 and axis == 2:
            raise InputError("balance z has no meaning in 2-d", "leave it out")
        self.style = "xyz"
        if rest[:1] == ["uniform"]:
            rest.pop(0)
            self.faces[axis] = None
            return
        inner: list[float] = []
        while rest and rest[0][:1] in "0123456789.+-":
            inner.append(number(rest.pop(0), "a fraction"))
        if not inner:
            raise InputError(f"balance {AXES[axis]} needs fractions of the box, or uniform",
                             f"for example: balance 1.1 {AXES[axis]} 0.4")
        faces = np.array([0.0, *inner, 1.0])
        if (np.diff(faces) <= 0).any():
            raise InputError(f"the fractions of balance {AXES[axis]} must grow between 0 and 1", "sort them")
        self.faces[axis] = faces

    def _style(self, rest: list[str], command: str) -> None:
        known = ("shift", "rcb") if command != "balance" else ("x", "y", "z", "shift", "rcb")
        word = rest.pop(0) if rest else ""
        self.style = one_of(f"style of {command}", word, known)
        if word == "rcb":
            return
        if len(rest) < 3:
            raise InputError(f"{command} shift needs three values", "use: shift xyz 10 1.05")
        dims = rest.pop(0)
        if not dims or any(letter not in AXES for letter in dims) or len(set(dims)) < len(dims):
            raise InputError(f"{command} shift takes letters of x, y and z once each, found '{dims}'",
                             "for example: shift xy 10 1.05")
        self.dims = [AXES.index(letter) for letter in dims]
        self.rounds, self.stop = integer(rest.pop(0), "a number of rounds"), number(rest.pop(0), "an imbalance")
        if self.rounds < 1:
            raise InputError(f"{command} shift needs at least one round, found {self.rounds}", "for example: shift xyz 10 1.05")
        if self.stop < 1.0:
            raise InputError(f"{command} shift cannot reach an imbalance of {self.stop:g}", "1 is perfect: give 1 or more")

    def _option(self, system: System, rest: list[str], command: str) -> None:
        word = rest.pop(0)
        if word not in ("weight", "out"):
            refused = {"old": "rcb old", "sort": "sort", "report": "report"}
            if word in refused:
                raise InputError(f"{command} {refused[word]} is not available in Everlet", "leave it out")
            raise unknown(f"option of {command}", word, ("weight", "out"))
        if not rest:
            raise InputError(f"{command} {word} needs a value", "see docs/scripts.md")
        if word == "out":
            self.out = rest.pop(0)
            return
        kind = rest.pop(0)
        if kind == "group":
            self._groups(system, rest, command)
        elif kind in MEASURED:
            factor = number(rest.pop(0) if rest else "", "a factor")
            if factor <= 0:
                raise InputError(f"{command} weight {kind} needs a factor above 0, found {factor:g}", "for example 1.0")
            self.measured.append((kind, factor))
        elif kind == "var":
            self.variables.append((rest.pop(0) if rest else "").removeprefix("v_"))
            if system.variables is None or system.variables.style(self.variables[-1]) not in ("atom", "atomfile"):
                raise InputError(f"{command} weight var {self.variables[-1]}: it is not of style atom", "use one that is")
        elif kind == "store":
            self.store = f"d_{rest.pop(0) if rest else ''}"
            if self.store not in system.atoms.fields:
                raise InputError(f"{command} weight store: there is no '{self.store}'",
                                 f"define it with: fix ID all property/atom {self.store}")
        else:
            raise unknown(f"weight of {command}", kind, ("group", "var", "store", *MEASURED))

    def _groups(self, system: System, rest: list[str], command: str) -> None:
        count = integer(rest.pop(0) if rest else "", "a number of groups")
        if count < 1 or len(rest) < 2 * count:
            raise InputError(f"{command} weight group needs a number and so many pairs of a group and a weight",
                             "for example: weight group 1 solvent 2.0")
        for _ in range(count):
            name, weight = rest.pop(0), number(rest.pop(0), "a weight")
            system.groups.bit(name)
            if weight <= 0:
                raise InputError(f"{command} weight group {name} needs a weight above 0, found {weight:g}", "for example 2.0")
            self.groups.append((name, weight))

    def weights(self, system: System, owner: np.ndarray, measured: dict[str, np.ndarray]) -> np.ndarray:
        """The weight of each atom here. `owner`: the rank it is on; `measured`: per rank, what one atom of it costs."""
        found, mask = np.ones(system.atoms.n), system.atoms.read("mask") if self.groups else np.zeros(0, int)
        for name, weight in self.groups:
            found[(mask & system.groups.bit(name)) != 0] *= weight
        for name in self.variables:
            found *= _of_atoms(system, name)
        for kind, factor in self.measured:
            cost = measured.get(kind)
            if cost is not None and (cost > 0).any():
                least = cost[cost > 0].min()
                scale = np.where(cost > 0, 1.0 + factor * (cost / least - 1.0), 1.0)
                found *= scale[owner]
        if self.store in system.atoms.fields:
            system.atoms.edit(self.store)[:] = found
        return found

    def said(self) -> list[str]:
        """The weights, for the log."""
        lines = ["  group weights: " + " ".join(f"{name}={weight:g}" for name, weight in self.groups)] if self.groups else []
        lines += [f"  weight variable: {name}" for name in self.variables]
        names = {"neigh": "neighbor", "time": "time"}
        return lines + [f"  {names[kind]} weight factor: {factor:g}" for kind, factor in self.measured]


def _of_atoms(system: System, name: str) -> np.ndarray:
    """An atom-style variable of the atoms here."""
    values, counts = np.asarray(system.variables.peratom(name)), system.ranks.all_of(system.atoms.n)
    begin = sum(counts[: system.ranks.rank])
    mine = values[begin : begin + system.atoms.n]
    if (mine <= 0.0).any():
        raise InputError(f"balance weight var {name}: a weight is not above 0", "correct the formula")
    return mine


def drawing(system: System, corners: np.ndarray) -> str:
    """Parts as cubes, or squares in 2-d, between numbered nodes: what `out` writes, for viewers that know this form."""
    box, flat = system.need_box(), system.dimension == 2
    around = [(0, 0), (1, 0), (1, 1), (0, 1)]
    places = [(a, b, c) for c in ((0,) if flat else (0, 1)) for a, b in around]
    head = f"ITEM: TIMESTEP\n{system.step}\n"
    lines = [f"{head}ITEM: NUMBER OF NODES\n{len(places) * len(corners)}\nITEM: BOX BOUNDS"]
    lines += [f"{low:g} {high:g}" for low, high in zip(box.lo, box.hi, strict=True)]
    lines.append("ITEM: NODES")
    for rank, part in enumerate(corners):
        nodes = box.from_fraction(np.array([[part[side][k] for k, side in enumerate(place)] for place in places]))
        if flat:
            nodes[:, 2] = 0.0
        for k, node in enumerate(nodes):
            lines.append(f"{len(places) * rank + k + 1} {rank + 1} " + " ".join(f"{value:g}" for value in node))
    word = "SQUARES" if flat else "CUBES"
    lines.append(f"{head}ITEM: NUMBER OF {word}\n{len(corners)}\nITEM: {word}")
    for rank in range(len(corners)):
        lines.append(f"{rank + 1} {rank + 1} " + " ".join(str(len(places) * rank + k + 1) for k in range(len(places))))
    return "\n".join(lines) + "\n"


def draw(system: System, corners: np.ndarray, path: str, append: bool = False) -> None:
    """Write the parts to a file."""
    if writes():
        try:
            check_output(path)
            with open(path, "a" if append else "w", encoding="utf-8") as stream:
                stream.write(drawing(system, corners))
        except OSError as error:
            raise InputError(f"cannot write '{path}': {error.strerror}", "choose a writable place for it") from None
