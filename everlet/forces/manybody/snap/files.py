"""Files of SNAP potentials: FILE.snapcoeff (elements and coefficients) and FILE.snapparam (keywords and values)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from everlet.errors import InputError, unknown
from everlet.forces.manybody.components.files import column, head
from everlet.forces.manybody.snap.index import labels
from everlet.forces.potential_file import PotentialFile

FLAGS = {"switchflag": 1, "bzeroflag": 1, "quadraticflag": 0, "chemflag": 0, "bnormflag": 0, "wselfallflag": 0,
         "switchinnerflag": 0}
NUMBERS = {"rcutfac": 0.0, "rfac0": 0.99363, "rmin0": 0.0}
WHOLE = {"twojmax": 0, "chunksize": 32768, "parallelthresh": 8192}
LISTS = ("sinner", "dinner")
TWOJMAX = 14


@dataclass
class Coefficients:
    """What a coefficient file says of its elements: radius, weight and numbers of each."""

    path: str
    elements: list[str]
    radius: dict[str, float]
    weight: dict[str, float]
    values: dict[str, np.ndarray]


@dataclass
class Settings:
    """The keywords of a parameter file. `inner` and `width` (sinner, dinner) have one value for each element."""

    path: str
    numbers: dict[str, float] = field(default_factory=lambda: dict(NUMBERS))
    whole: dict[str, int] = field(default_factory=lambda: dict(WHOLE))
    flags: dict[str, int] = field(default_factory=lambda: dict(FLAGS))
    lists: dict[str, list[float]] = field(default_factory=dict)

    def flag(self, name: str) -> bool:
        return bool(self.flags[name])


def read_coefficients(name: str, units: str) -> Coefficients:
    file = PotentialFile(name)
    factor = file.energy_factor(units)
    count, size = head(file)
    found = Coefficients(str(file.path), [], {}, {}, {})
    for k in range(count):
        words = file.words(f"element {k + 1} of {count} (name, radius, weight)")
        if len(words) != 3:
            raise file.fail(f"expected element, radius and weight, found {' '.join(words)}",
                            f"is the number of coefficients of the element before, {size}, right?")
        element = words[0]
        if element in found.elements:
            raise file.fail(f"element {element} comes twice", "each may come once")
        found.elements.append(element)
        found.radius[element] = file.number(words[1], f"the radius of {element}")
        found.weight[element] = file.number(words[2], f"the weight of {element}")
        if found.radius[element] <= 0.0:
            raise file.fail(f"the radius of {element} is {words[1]}, and must be more than 0")
        found.values[element] = factor * column(file, size, element)
    file.end(f"the last of {count} elements with {size} coefficients")
    return found


def read_settings(name: str) -> Settings:
    return settings_of(PotentialFile(name))[0]


def settings_of(file: PotentialFile, more: Collection[str] = ()) -> tuple[Settings, dict[str, list[str]]]:
    """The keywords of a file, and the words behind `more` of them, which its kind has besides."""
    found, seen, others = Settings(str(file.path)), set[str](), dict[str, list[str]]()
    while True:
        try:
            key, *values = file.words("a keyword")
        except InputError:
            break
        if key in seen:
            raise file.fail(f"{key} is set twice", "leave one of them out")
        seen.add(key)
        if key in more:
            others[key] = values
            continue
        if key in LISTS:
            found.lists[key] = [file.number(word, key) for word in values]
            continue
        if key not in (*FLAGS, *NUMBERS, *WHOLE):
            raise file.fail(unknown("keyword of SNAP", key, (*FLAGS, *NUMBERS, *WHOLE, *LISTS, *more)).cause,
                            f"known: {', '.join((*NUMBERS, *WHOLE, *FLAGS, *LISTS, *more))}")
        if len(values) != 1:
            raise file.fail(f"expected one value of {key}, found {len(values)}")
        if key in NUMBERS:
            found.numbers[key] = file.number(values[0], key)
        elif key in WHOLE:
            found.whole[key] = file.integer(values[0], key)
        else:
            found.flags[key] = file.integer(values[0], key)
            if found.flags[key] not in (0, 1):
                raise file.fail(f"{key} is {values[0]}, and must be 0 or 1")
        wrong = limits(found, key)
        if wrong:
            raise file.fail(wrong)
    for key in ("rcutfac", "twojmax"):
        if key not in seen:
            raise InputError(f"{file.path} has no {key}", "rcutfac and twojmax must be given")
    return found, others


def limits(found: Settings, key: str) -> str:
    """What is wrong with the value just read; empty if nothing is."""
    if key == "rcutfac" and found.numbers[key] <= 0.0:
        return f"rcutfac is {found.numbers[key]:g}, and must be more than 0"
    if key == "rfac0" and not 0.0 < found.numbers[key] <= 1.0:
        return f"rfac0 is {found.numbers[key]:g}, and must be more than 0 and at most 1"
    if key == "rmin0" and found.numbers[key] < 0.0:
        return f"rmin0 is {found.numbers[key]:g}, and must be 0 or more"
    if key == "twojmax" and not 0 <= found.whole[key] <= TWOJMAX:
        return f"twojmax is {found.whole[key]}; 0 to {TWOJMAX} can be done"
    if key in ("chunksize", "parallelthresh") and found.whole[key] < 1:
        return f"{key} is {found.whole[key]}, and must be 1 or more"
    return ""


def size_of(settings: Settings, elements: int) -> int:
    """Components of an atom."""
    return len(labels(settings.whole["twojmax"])) * (elements**3 if settings.flag("chemflag") else 1)


def check(coefficients: Coefficients, settings: Settings) -> None:
    """Refuse two files that do not belong together."""
    size = size_of(settings, len(coefficients.elements))
    wanted = (size + 1) * (size + 2) // 2 if settings.flag("quadraticflag") else size + 1
    found = len(next(iter(coefficients.values.values())))
    if found != wanted:
        raise InputError(f"{coefficients.path} has {found} coefficients of each element, and {settings.path} asks for {wanted} "
                         f"(twojmax {settings.whole['twojmax']}, quadraticflag {settings.flags['quadraticflag']}, "
                         f"chemflag {settings.flags['chemflag']})", "do the two files belong together?")
    check_inner(settings)


def check_inner(settings: Settings) -> None:
    """The inner switch has all of its numbers, or none."""
    inner = settings.flag("switchinnerflag")
    for key in LISTS:
        if inner and key not in settings.lists:
            raise InputError(f"{settings.path} has switchinnerflag 1 and no {key}", "give one value for each element")
        if not inner and key in settings.lists:
            raise InputError(f"{settings.path} has {key} and switchinnerflag 0", "set switchinnerflag 1, or leave it out")
        if inner and key == "dinner" and min(settings.lists[key], default=1.0) <= 0.0:
            raise InputError(f"{settings.path} has a dinner of 0 or less", "it is half the width of a step: more than 0")
