"""Words of fix rigid and its relatives: which atoms are bodies, and what holds them back."""
# mypy: ignore-errors

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from everlet.errors import InputError, arguments, integer, unknown, yes_no

REFUSED = {"infile": "moments come from atoms", "mol": "no bodies are added in a run", "temp": "use rigid/nve",
           "iso": "use rigid/nve", "aniso": "use rigid/nve", "x": "use rigid/nve", "y": "use rigid/nve", "z": "use rigid/nve",
           "couple": "use rigid/nve", "tparam": "use rigid/nve", "pchain": "use rigid/nve", "dilate": "use rigid/nve",
           "gravity": "use fix addforce", "langevin": "use fix langevin for the atoms of bodies"}
KEYWORDS = ("force", "torque", "reinit")


@dataclass
class Words:
    """bodies: number of the body of each atom, counted from 1 in the order of molecules or groups; 0: none."""

    numbers: np.ndarray
    names: list[str]
    forces: np.ndarray = field(default_factory=lambda: np.ones((0, 3)))
    torques: np.ndarray = field(default_factory=lambda: np.ones((0, 3)))


def parse(system, style, small, bit, args) -> Words:
    """molecule | single | group N ID …, then [force BODIES X Y Z] [torque BODIES X Y Z] [reinit yes]."""
    usage = f"fix ID group {style} molecule" + ("" if small else "|single|group N ID …") + " [keywords]"
    arguments(args, 1, None, usage)
    atoms, way, rest = system.atoms, args[0], list(args[1:])
    inside = (atoms.read("mask") & bit) != 0
    if way == "molecule":
        if "molecule" not in atoms.fields:
            raise InputError(f"fix {style} molecule: atom style {system.atom_style.name} has no molecules", "use atom_style "
                             "bond, molecular or full")
        found, numbers = np.unique(atoms.read("molecule")[inside], return_inverse=True)
        names = [f"molecule {name}" for name in found]
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
    else:
        what = "needs atom properties" if way == "custom" else "is for fix rigid"
        if way in ("custom", "single", "group"):
            raise InputError(f"fix {style} {way} is not available: it {what}", f"usage: {usage}")
        raise unknown(f"kind of bodies of fix {style}", way, ("molecule",) if small else ("molecule", "single", "group"))
    counts = np.bincount(numbers, minlength=len(names))
    if len(counts) and counts.min() < 2:
        raise InputError(f"fix {style}: the body of {names[counts.argmin()]} has {counts.min()} atoms", "a body needs two or "
                         "more: give a group that has no others")
    words = Words(np.zeros(atoms.n, np.int32), names, np.ones((len(names), 3)), np.ones((len(names), 3)))
    words.numbers[inside] = numbers + 1
    if system.dimension == 2:
        words.forces[:, 2], words.torques[:, :2] = 0.0, 0.0
    _keywords(words, style, small, rest)
    return words


def _keywords(words, style, small, rest):
    while rest:
        word = rest.pop(0)
        if word in REFUSED or small and word in ("force", "torque"):
            raise InputError(f"fix {style}: keyword {word} is not available",
                             f"leave it out: {REFUSED.get(word, 'it is for fix rigid')}")
        if word not in KEYWORDS:
            raise unknown(f"keyword of fix {style}", word, KEYWORDS)
        count = 1 if word == "reinit" else 4
        arguments(rest[:count], count, count, "reinit yes" if word == "reinit" else f"{word} BODIES on|off on|off on|off")
        if word == "reinit":
            if not yes_no(rest[0], f"fix {style} reinit"):
                raise InputError(f"fix {style}: reinit no is not available", "leave it out: every run makes bodies anew")
        else:
            flags = words.forces if word == "force" else words.torques
            flags[_range(rest[0], len(words.names), style)] *= [yes_no(value, f"fix {style} {word}") for value in rest[1:4]]
        rest = rest[count:]


def _range(word, count, style):
    """Bodies by a number or a range: 2, *, 2*, 1*3."""
    low, star, high = word.partition("*")
    first = integer(low, "a body") if low else 1
    last = (integer(high, "a body") if high else count) if star else first
    if not 1 <= first <= last <= count:
        raise InputError(f"fix {style}: bodies {word} are out of range 1 to {count}", "bodies are counted from 1")
    return slice(first - 1, last)
