"""change_box: another size, shape or boundary of the box.

    change_box GROUP parameter ... [units lattice|box]

    x|y|z final LO HI | delta DLO DHI | scale FACTOR     faces along one axis; scale: about the middle
    x|y|z volume                                         after one of these: this axis takes the change back, so that the volume
                                                         stays what it was (two of them share it)
    xy|xz|yz final TILT | delta DTILT
    boundary X Y Z                                       p f s m as in the boundary command
    ortho | triclinic                                    the box has no tilt, or may have one
    set                                                  remember this box for remap; otherwise it is the first one, or
                                                         that of the last remap
    remap                                                atoms of the group move with the box, from the one remembered

Lengths are in lattice spacings by default. Parameters act one after the other; atoms are wrapped into the box at the end, and
those outside faces that are not periodic are lost. Of ortho and triclinic alone atoms hear nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, number, one_of, unknown
from everlet.script.registry import command
from everlet.script.values import spacing
from everlet.state.box import Box, parse_boundary
from everlet.state.system import System

USAGE = ("change_box GROUP x|y|z|xy|xz|yz final|delta|scale|volume ... | boundary X Y Z | ortho | triclinic | set | remap ... "
         "[units lattice|box]")
AXES = ("x", "y", "z")
TILTS = {"xy": 0, "xz": 0, "yz": 1}  # and the axis whose spacing measures them
WORDS = {"final": 2, "delta": 2, "scale": 1}


@dataclass
class Change:
    """A box in the making. `kept` is the one that remap starts from."""

    sim: Any
    group: str
    box: Box
    kept: Box

    def shape(self, lo: np.ndarray, hi: np.ndarray, tilts: dict[str, float] | None = None, boundary: str = "",
              triclinic: bool | None = None) -> None:
        """The next box."""
        old, tilts = self.box, tilts or {}
        xy, xz, yz = (tilts.get(name, getattr(old, name)) for name in TILTS)
        self.box = Box(lo, hi, xy, xz, yz, boundary or " ".join(old.boundary), old.dimension,
                       old.triclinic if triclinic is None else triclinic)
        self.box.expand()
        self.sim.log.write(f"  {self.box}")


@command("change_box", changes=("x", "image", "box"), stored=True)
def change_box(sim: Any, args: list[str]) -> None:
    arguments(args, 2, None, USAGE)
    system: System = sim.system
    old = system.need_box()
    words, per = list(args[1:]), spacing(system, "lattice")
    if words[-2:-1] == ["units"]:
        per = spacing(system, words[-1])
        words = words[:-2]
    system.groups.index(args[0])
    sim.log.write("Changing box ...")
    shape_only = set(words) <= {"ortho", "triclinic"}
    steps = plan(words, per)  # all words are read before anything changes
    change = Change(sim, args[0], old, old)
    atoms = system.atoms
    before = atoms.read("x").copy()
    try:
        for step in steps:
            step(change)
    except InputError:
        atoms.edit("x")[:] = before
        raise
    system.box, system.boundary = change.box, " ".join(change.box.boundary)
    if shape_only:  # atoms stay as they are, to the last bit
        return
    x, image = atoms.edit("x"), atoms.edit("image")
    if warning := change.box.clear_images(image):
        sim.log.warning(warning)
    change.box.settle(x, image)
    drop_outside(sim, change.box)


Step = Callable[[Change], None]


def plan(words: list[str], per: tuple[float, float, float]) -> list[Step]:
    """What to do, in order."""
    steps: list[Step] = []
    while words:
        word = words.pop(0)
        if word in AXES:
            steps.append(along(AXES.index(word), words, per))
        elif word in TILTS:
            steps.append(tilt(word, words, per[TILTS[word]]))
        elif word == "boundary":
            arguments(words[:3], 3, 3, "change_box GROUP boundary X Y Z")
            codes = " ".join(parse_boundary(" ".join(words[:3])))
            steps.append(lambda c, codes=codes: boundary(c, codes))  # type: ignore[misc]
            words = words[3:]
        elif word in SIMPLE:
            steps.append(SIMPLE[word])
        elif word == "units":
            raise InputError("change_box units must be the last keyword", "put it at the end: units box")
        else:
            raise unknown("change_box parameter", word, (*AXES, *TILTS, "boundary", *SIMPLE, "units"))
    return steps


def along(axis: int, words: list[str], per: tuple[float, float, float]) -> Step:
    """Other faces along an axis; axes named by `volume` behind it take the change of the volume back."""
    how = words.pop(0) if words else ""
    if how == "volume":
        raise InputError(f"change_box {AXES[axis]} volume must follow a change of another axis",
                         "for example: x scale 1.1 y volume")
    if how not in WORDS:
        raise unknown(f"change of change_box {AXES[axis]}", how, (*WORDS, "volume"))
    values = [words.pop(0) for _ in range(min(WORDS[how], len(words)))]
    arguments(values, WORDS[how], WORDS[how], f"change_box GROUP {AXES[axis]} {how} with {WORDS[how]} value(s)")
    numbers = [number(value, "a length" if how != "scale" else "a factor") for value in values]
    others: list[int] = []
    while len(others) < 2 and words[:1] and words[0] in AXES and words[1:2] == ["volume"]:
        others.append(AXES.index(words[0]))
        del words[:2]
    if axis in others or len(set(others)) < len(others):
        raise InputError("change_box volume is for the other axes", "for example: x scale 1.1 y volume z volume")

    def step(c: Change) -> None:
        lo, hi = c.box.lo.copy(), c.box.hi.copy()
        volume = c.box.volume
        if how == "final":
            lo[axis], hi[axis] = per[axis] * numbers[0], per[axis] * numbers[1]
        elif how == "delta":
            lo[axis] += per[axis] * numbers[0]
            hi[axis] += per[axis] * numbers[1]
        else:
            stretch(lo, hi, axis, numbers[0])
        if others:
            new = float(np.prod((hi - lo)[: c.box.dimension]))
            factor = volume / new
            for other in others:
                stretch(lo, hi, other, np.sqrt(factor) if len(others) == 2 else factor)
        c.shape(lo, hi)

    return step


def stretch(lo: np.ndarray, hi: np.ndarray, axis: int, factor: float) -> None:
    """Faces move away from the middle."""
    middle = 0.5 * (lo[axis] + hi[axis])
    lo[axis], hi[axis] = middle + factor * (lo[axis] - middle), middle + factor * (hi[axis] - middle)


def tilt(name: str, words: list[str], per: float) -> Step:
    how = words.pop(0) if words else ""
    one_of(f"change of change_box {name}", how, ("final", "delta"))
    arguments(words[:1], 1, 1, f"change_box GROUP {name} {how} TILT")
    value = per * number(words.pop(0), "a tilt")

    def step(c: Change) -> None:
        if not c.box.triclinic:
            raise InputError(f"change_box {name}: the box has no tilt", "put triclinic before it")
        new = value + (getattr(c.box, name) if how == "delta" else 0.0)
        periodic = c.box.periodic[1 if name == "xy" else 2]
        if new and not periodic:
            raise InputError(f"change_box {name}: the box is not periodic along {name[1]}", "make it periodic first")
        c.shape(c.box.lo, c.box.hi, {name: new})
        if c.box.skew():
            c.sim.log.warning(f"the tilt {c.box.skew()} is more than half the box edge: the run will be slow")

    return step


def boundary(c: Change, codes: str) -> None:
    if c.box.dimension == 2 and codes.split()[2] != "pp":
        raise InputError("a 2-d simulation must be periodic in z", "use p as the third letter")
    made = codes.split()
    for name, axis in (("xy", 1), ("xz", 2), ("yz", 2)):
        if getattr(c.box, name) and made[axis] != "pp":
            raise InputError(f"change_box boundary: a box with tilt {name} must be periodic along {name[1]}",
                             f"first: {name} final 0")
    c.shape(c.box.lo, c.box.hi, boundary=codes)


def ortho(c: Change) -> None:
    if c.box.xy or c.box.xz or c.box.yz:
        raise InputError("change_box ortho: the box is tilted", "first: xy final 0 xz final 0 yz final 0")
    c.shape(c.box.lo, c.box.hi, triclinic=False)


def triclinic(c: Change) -> None:
    c.shape(c.box.lo, c.box.hi, triclinic=True)


def remember(c: Change) -> None:
    c.kept = c.box


def remap(c: Change) -> None:
    """x = h_new h_old^-1 (x - lo_old) + lo_new, for atoms of the group; the next remap starts from here."""
    atoms = c.sim.system.atoms
    rows = c.sim.system.groups.member(c.group, atoms.read("mask"))
    x = atoms.edit("x")
    x[rows] = c.box.from_fraction(c.kept.to_fraction(x[rows]))
    c.kept = c.box


SIMPLE: dict[str, Step] = {"ortho": ortho, "triclinic": triclinic, "set": remember, "remap": remap}


def drop_outside(sim: Any, box: Box) -> None:
    """Atoms that are outside faces that are not periodic are gone, with a warning."""
    atoms = sim.system.atoms
    x = atoms.read("x")
    place, lo, hi = (box.to_fraction(x), np.zeros(3), np.ones(3)) if box.triclinic else (x, box.lo, box.hi)
    outside = (((place < lo) | (place >= hi)) & ~np.asarray(box.periodic)).any(axis=1)
    if outside.any():
        before = atoms.n
        atoms.select(np.flatnonzero(~outside))
        sim.system.topology.stale = True
        sim.log.warning(f"lost atoms via change_box: {before} before, {atoms.n} now")
