"""Words of fix rigid and its relatives: which atoms are bodies, and what holds them back."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from everlet.computes.words.peratom import reference
from everlet.errors import InputError, arguments, integer, number, one_of, unknown, yes_no
from everlet.fixes.rigid.infile import Given, read
from everlet.state.groups import Bit
from everlet.state.molecule import Template, known_template
from everlet.state.system import System

REFUSED = {"gravity": "use fix addforce"}
KEYWORDS = {"force": 4, "torque": 4, "reinit": 1, "infile": 1, "mol": 1, "langevin": 4, "temp": 3, "iso": 3, "aniso": 3, "x": 3,
            "y": 3, "z": 3, "couple": 1, "tparam": 3, "pchain": 1, "dilate": 1}  # and how many values they have
USAGE = {"force": "force BODIES on|off on|off on|off", "torque": "torque BODIES on|off on|off on|off",
         "reinit": "reinit yes|no", "infile": "infile FILE", "mol": "mol TEMPLATE",
         "langevin": "langevin TSTART TSTOP TDAMP SEED", "temp": "temp TSTART TSTOP TDAMP",
         "couple": "couple none|xyz|xy|yz|xz",
         "tparam": "tparam LINKS LOOPS 3|5", "pchain": "pchain LINKS", "dilate": "dilate GROUP"}
PRESSURES = ("iso", "aniso", "x", "y", "z")
COUPLED = {"none": (), "xyz": (0, 1, 2), "xy": (0, 1), "yz": (1, 2), "xz": (0, 2)}


@dataclass
class Words:
    """bodies: number of the body of each atom, counted from 1 in the order of molecules or groups; 0: none."""

    way: str  # molecule, custom, single, group
    numbers: np.ndarray
    names: list[str]
    ids: list[int]  # what files call the bodies
    forces: np.ndarray = field(default_factory=lambda: np.ones((0, 3)))
    torques: np.ndarray = field(default_factory=lambda: np.ones((0, 3)))
    langevin: tuple[str, str, float, int] | None = None  # first and last temperature, damping time, seed
    temp: tuple[float, float, float] | None = None  # first and last temperature, damping time
    start: np.ndarray = field(default_factory=lambda: np.zeros(3))  # pressures
    stop: np.ndarray = field(default_factory=lambda: np.zeros(3))
    damp: np.ndarray = field(default_factory=lambda: np.zeros(3))
    driven: np.ndarray = field(default_factory=lambda: np.zeros(3, bool))
    couple: str = "none"
    links: int = 10
    loops: int = 1
    order: int = 3
    pchain: int = 10
    dilate: str = "all"
    given: Given | None = None  # bodies of a file
    mol: Template | None = None  # bodies may come that are copies of it
    reinit: bool = True  # every run makes bodies of where atoms are

    @property
    def ramp(self) -> tuple[float, float, float]:
        """`temp`, for those that have one."""
        assert self.temp is not None
        return self.temp


def parse(system: System, style: str, small: bool, bit: Bit, args: list[str]) -> Words:
    """molecule | custom i_NAME|v_NAME | single | group N ID …, then keywords."""
    usage = f"fix ID group {style} molecule|custom i_NAME|v_NAME" + ("" if small else "|single|group N ID …") + " [keywords]"
    arguments(args, 1, None, usage)
    atoms, way, rest = system.atoms, args[0], list(args[1:])
    inside = (atoms.read("mask") & bit) != 0
    ids: list[int] = []
    if way == "molecule":
        if "molecule" not in atoms.fields:
            raise InputError(f"fix {style} molecule: atom style {system.atom_style.name} has no molecules", "use atom_style "
                             "bond, molecular or full")
        found, numbers = np.unique(atoms.read("molecule")[inside], return_inverse=True)
        names, ids = [f"molecule {name}" for name in found], found.tolist()
    elif way == "single" and not small:
        numbers, names = np.zeros(int(inside.sum()), int), [f"group of fix {style}"]
    elif way == "group" and not small:
        count = integer(rest.pop(0), "a number of groups") if rest else 0
        names, rest = [f"group {name}" for name in rest[:count]], rest[count:]
        if count < 1 or len(names) < count:
            raise InputError(f"fix {style} group needs a number of groups and their ids", f"usage: {usage}")
        member = np.array([(atoms.read("mask")[inside] & system.groups.bit(name[6:])) != 0 for name in names])
        if (member.sum(axis=0) > 1).any():
            several = atoms.read("id")[inside][member.sum(axis=0).argmax()]
            raise InputError(f"fix {style}: atom {several} belongs to several bodies", "use groups without atoms in common")
        kept = member.any(axis=0)
        inside[inside] = kept
        numbers = member.argmax(axis=0)[kept]
    elif way == "custom":
        found, numbers = np.unique(_custom(system, style, rest.pop(0) if rest else "")[inside], return_inverse=True)
        names, ids = [f"value {name:g}" for name in found], found.astype(int).tolist()
    else:
        if way in ("single", "group"):
            raise InputError(f"fix {style} {way} is not available: it is for fix rigid", f"usage: {usage}")
        ways = ("molecule", "custom") if small else ("molecule", "single", "group", "custom")
        raise unknown(f"kind of bodies of fix {style}", way, ways)
    counts = np.bincount(numbers, minlength=len(names))
    if len(counts) and counts.min() < 2:
        raise InputError(f"fix {style}: the body of {names[counts.argmin()]} has {counts.min()} atoms", "a body needs two or "
                         "more: give a group that has no others")
    words = Words(way, np.zeros(atoms.n, np.int32), names, ids or [*range(1, len(names) + 1)])
    words.forces, words.torques = np.ones((len(names), 3)), np.ones((len(names), 3))
    words.numbers[inside] = numbers + 1
    if system.dimension == 2:
        words.forces[:, 2], words.torques[:, :2] = 0.0, 0.0
    _keywords(system, words, style, small, rest)
    return words


def _custom(system: System, style: str, word: str) -> np.ndarray:
    """Values of all atoms, each different one is a body: of fix property/atom, or of an atom-style variable."""
    if word.startswith("i_"):
        if word not in system.atoms.fields:
            raise InputError(f"fix {style} custom: atoms have no property '{word}'", "define it with fix property/atom")
        return system.atoms.read(word)
    found = reference(system, word, f"fix {style}") if word.startswith("v_") else None
    if found is None:
        raise InputError(f"fix {style} custom: '{word}' is not known", "usage: custom i_NAME, or custom v_NAME")
    return np.floor(found.all_columns(system))


def _keywords(system: System, words: Words, style: str, small: bool, rest: list[str]) -> None:
    while rest:
        word = rest.pop(0)
        if word in REFUSED or small and word in ("force", "torque"):
            raise InputError(f"fix {style}: keyword {word} is not available",
                             f"leave it out: {REFUSED.get(word, 'it is for fix rigid')}")
        one_of(f"keyword of fix {style}", word, KEYWORDS)
        if word not in _allowed(style):
            raise InputError(f"fix {style} does not take keyword {word}", HINTS.get(word, "use rigid/npt or rigid/nph"))
        count = KEYWORDS[word]
        if len(rest) < count:
            raise InputError(f"fix {style}: {word} needs {count} value{'s' if count > 1 else ''}",
                             f"usage: {USAGE.get(word, f'{word} PSTART PSTOP PDAMP')}")
        _take(system, words, style, word, rest[:count])
        rest = rest[count:]
    _check(system, words, style)


HINTS = {"mol": "use rigid/small or rigid/nve/small: bodies that come in a run are known to these",
         "temp": "use rigid/nvt or rigid/npt", "tparam": "use rigid/nvt or rigid/npt",
         "langevin": "use rigid, rigid/nve or rigid/small; rigid/nvt has a thermostat of its own"}


def _allowed(style: str) -> set[str]:
    kind = style.split("/")[1] if "/" in style else ""
    allowed = {"force", "torque", "reinit", "infile"}
    allowed |= {"mol"} if style in ("rigid/small", "rigid/nve/small") else set()
    allowed |= {"langevin"} if style in ("rigid", "rigid/nve", "rigid/small") else set()
    allowed |= {"temp", "tparam"} if kind in ("nvt", "npt") else set()
    return allowed | ({*PRESSURES, "couple", "pchain", "dilate"} if kind in ("npt", "nph") else set())


def _take(system: System, words: Words, style: str, word: str, values: list[str]) -> None:
    """One keyword and its values."""
    if word == "reinit":
        words.reinit = yes_no(values[0], f"fix {style} reinit")
    elif word == "infile":
        words.given, words.reinit = read(values[0], words.ids), False
    elif word == "mol":
        words.mol = known_template(system, values[0])
        if words.way != "molecule":
            raise InputError(f"fix {style} {words.way}: bodies that come are molecules", f"use fix ID group {style} molecule")
        if words.mol.molecules > 1:
            raise InputError(f"fix {style}: template {values[0]} has several molecules", "a body is one: use a file of one")
    elif word in ("force", "torque"):
        flags = words.forces if word == "force" else words.torques
        flags[_range(values[0], len(words.names), style)] *= [yes_no(value, f"fix {style} {word}") for value in values[1:4]]
    elif word == "langevin":
        words.langevin = (values[0], values[1], number(values[2], "a time"), integer(values[3], "a seed"))
        _positive(style, word, words.langevin[2])
    elif word == "temp":
        words.temp = (number(values[0]), number(values[1]), number(values[2]))
        _positive(style, "temp", words.temp[2])
        if min(words.temp[:2]) <= 0.0:
            raise InputError(f"fix {style}: target temperatures must be above 0, found {min(words.temp[:2]):g}", USAGE["temp"])
    elif word in PRESSURES:
        axes = ["xyz".index(word)] if word in "xyz" else [0, 1, 2][: system.dimension]
        if system.dimension == 2 and word == "z":
            raise InputError(f"fix {style}: there is no pressure along z in 2-d", "leave it out")
        words.couple = {"iso": "xyz", "aniso": "none"}.get(word, words.couple)
        for axis in axes:
            words.start[axis], words.stop[axis], words.damp[axis] = (number(value) for value in values)
            words.driven[axis] = True
    elif word == "couple":
        words.couple = one_of(f"coupling of fix {style}", values[0], COUPLED)
    elif word == "dilate":
        system.groups.bit(values[0])
        words.dilate = values[0]
    else:
        names = ("links", "loops", "order") if word == "tparam" else ("pchain",)
        for name, value in zip(names, values, strict=True):
            setattr(words, name, integer(value, f"a number of {name}"))
            if getattr(words, name) < 1:
                raise InputError(f"fix {style}: {word} {' '.join(values)}", "give numbers of 1 or more")
        if words.order not in (3, 5):
            raise InputError(f"fix {style}: the order of tparam is 3 or 5, found {words.order}", USAGE["tparam"])


def _positive(style: str, word: str, time: float) -> None:
    if time <= 0.0:
        raise InputError(f"fix {style}: the damping time of {word} must be above 0, found {time:g}", "100 timesteps is usual "
                         "for temperatures, 1000 for pressures")


def _check(system: System, words: Words, style: str) -> None:
    """What only shows when all words are known."""
    allowed = _allowed(style)
    if "temp" in allowed and words.temp is None:
        raise InputError(f"fix {style} needs a temperature", f"usage: fix ID group {style} molecule temp TSTART TSTOP TDAMP")
    if "iso" not in allowed:
        return
    if not words.driven.any():
        raise InputError(f"fix {style} needs a pressure", f"usage: fix ID group {style} molecule … iso PSTART PSTOP PDAMP")
    box = system.need_box()
    if box.triclinic:
        raise InputError(f"fix {style}: the box is tilted", "use an orthogonal box, or rigid/nvt")
    for axis in np.flatnonzero(words.driven):
        _positive(style, "the pressure", words.damp[axis])
        if not box.periodic[axis]:
            raise InputError(f"fix {style}: pressure along {'xyz'[axis]}, but the boundary there is not periodic",
                             f"use boundary p there, or leave out {'xyz'[axis]}")
    flat = system.dimension == 2
    if flat and words.couple in ("yz", "xz"):
        raise InputError(f"fix {style}: couple {words.couple} in 2-d", "use couple xy")
    together = [axis for axis in COUPLED[words.couple] if not (flat and axis == 2)]
    if together and (not words.driven[together].all() or len({(words.start[a], words.stop[a], words.damp[a])
                                                              for a in together}) > 1):
        raise InputError(f"fix {style}: coupled axes need the same pressures and damping times",
                         f"give the same three numbers for {' and '.join('xyz'[a] for a in together)}")


def _range(word: str, count: int, style: str) -> slice:
    """Bodies by a number or a range: 2, *, 2*, 1*3."""
    low, star, high = word.partition("*")
    first = integer(low, "a body") if low else 1
    last = (integer(high, "a body") if high else count) if star else first
    if not 1 <= first <= last <= count:
        raise InputError(f"fix {style}: bodies {word} are out of range 1 to {count}", "bodies are counted from 1")
    return slice(first - 1, last)
