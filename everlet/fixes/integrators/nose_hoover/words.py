"""The keywords of fix nvt, nvt/sllod, npt and nph."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from everlet.errors import InputError, integer, number, one_of, unknown, yes_no
from everlet.state.system import System

AXES = ("x", "y", "z", "yz", "xz", "xy")  # the order of Box.h
ALL = ("iso", "aniso", "tri")
PAIRS = {"none": (), "xyz": (0, 1, 2), "xy": (0, 1), "yz": (1, 2), "xz": (0, 2)}
SCALES = {"scaleyz": 3, "scalexz": 4, "scalexy": 5}
COUNTS = {"tchain": 1, "pchain": 0, "tloop": 1, "ploop": 1, "nreset": 0}  # and the least
ELSEWHERE = {"update": "there are no dipoles and no bodies to rotate", "ext": "it is no keyword of this fix style",
             "disc": "there are no bodies to rotate"}
SLLOD = "nvt/sllod"
WORDS = ("temp", *ALL, *AXES, "couple", *COUNTS, "mtk", "drag", "ptemp", "dilate", *SCALES, "flip", "fixedpoint")


@dataclass
class Words:
    """What was asked for. Pressures are by component: x y z yz xz xy."""

    temp: tuple[float, float, float] | None = None  # start, stop, damping time
    start: np.ndarray = field(default_factory=lambda: np.zeros(6))
    stop: np.ndarray = field(default_factory=lambda: np.zeros(6))
    damp: np.ndarray = field(default_factory=lambda: np.zeros(6))
    driven: np.ndarray = field(default_factory=lambda: np.zeros(6, bool))
    couple: str = "none"
    deviatoric: bool = False  # components have targets of their own
    tchain: int = 3
    pchain: int = 3
    tloop: int = 1
    ploop: int = 1
    nreset: int = 0
    mtk: bool = True
    drag: float = 0.0
    ptemp: float | None = None
    dilate: str = "all"
    scaled: dict[int, bool] = field(default_factory=dict)  # tilts that grow with the edge they slant along
    flip: bool = True
    psllod: bool = False  # of nvt/sllod: the flow acts on whole velocities
    fixedpoint: np.ndarray | None = None

    @property
    def ramp(self) -> tuple[float, float, float]:
        """`temp`, for those that have one."""
        assert self.temp is not None
        return self.temp

    @property
    def style(self) -> str:
        """Which equations: iso, aniso or tri; empty without a barostat."""
        if not self.driven.any():
            return ""
        return "tri" if self.driven[3:].any() else "iso" if self.couple == "xyz" else "aniso"

    @property
    def coupled(self) -> tuple[int, ...]:
        return PAIRS[self.couple]


def parse(system: System, name: str, args: list[str]) -> Words:
    """Read the arguments of fix `name`, with errors that say what is wrong."""
    words, rest = Words(tchain=1 if name == SLLOD else 3), list(args)
    known = (*WORDS, "psllod") if name == SLLOD else WORDS
    while rest:
        word = rest.pop(0)
        if word in ELSEWHERE:
            raise InputError(f"fix {name}: the keyword '{word}' is not available: {ELSEWHERE[word]}", "leave it out")
        if word not in known:
            raise _bare(name, word, words) or unknown(f"keyword of fix {name}", word, known)
        given = 3 if word in ("temp", "fixedpoint", *ALL, *AXES) else 1
        if len(rest) < given:
            raise InputError(f"fix {name}: '{word}' needs {given} value{'s' if given > 1 else ''}",
                             USAGE.get(word, f"usage: {word} VALUE"))
        _take(words, name, word, [rest.pop(0) for _ in range(given)], system)
    if words.temp is not None:
        start, stop, damp = words.temp
        if min(start, stop) <= 0:
            raise InputError(f"fix {name}: target temperatures must be above 0, found {min(start, stop):g}",
                             USAGE["temp"])
        _positive(name, "temperature", damp)
    _check_both(name, words)
    _settle(system, name, words)
    return words


def _check_both(name: str, words: Words) -> None:
    """What the style controls is given, and nothing else."""
    for what, given in (("temperature", words.temp is not None), ("pressure", words.driven.any())):
        controlled = CONTROLS[name]
        if what in controlled and not given:
            raise InputError(f"fix {name} needs a {what}", f"usage: fix ID group {name} {MAIN[what]}")
        if what not in controlled and given:
            raise InputError(f"fix {name} does not control the {what}", f"use fix npt, or leave out the {what}")


def _bare(name: str, word: str, words: Words) -> InputError | None:
    """The error for a number where a keyword belongs: targets that are given without saying of what."""
    try:
        float(word)
    except ValueError:
        return None
    given = {"temperature": words.temp is not None, "pressure": bool(words.driven.any())}
    missing = [MAIN[what] for what in CONTROLS[name] if not given[what]]
    if not missing:
        return InputError(f"fix {name}: the number {word} stands where a keyword is expected", "give a keyword before it")
    return InputError(f"fix {name}: the keyword '{missing[0].split()[0]}' is missing before {word}",
                      f"usage: fix ID group {name} {' '.join(MAIN[what] for what in CONTROLS[name])}")


MAIN = {"temperature": "temp TSTART TSTOP TDAMP", "pressure": "iso PSTART PSTOP PDAMP"}
CONTROLS = {"nvt": ("temperature",), SLLOD: ("temperature",), "npt": ("temperature", "pressure"), "nph": ("pressure",),
            "nphug": ("temperature", "pressure")}
USAGE = {"temp": "usage: temp TSTART TSTOP TDAMP", "fixedpoint": "usage: fixedpoint X Y Z",
         **{word: f"usage: {word} PSTART PSTOP PDAMP" for word in (*ALL, *AXES)}}


def _positive(name: str, what: str, damp: float) -> None:
    if damp <= 0:
        raise InputError(f"fix {name}: the damping time of the {what} must be above 0, found {damp:g}",
                         "100 timesteps is usual for temperature, 1000 for pressure")


def _take(words: Words, name: str, word: str, values: list[str], system: System) -> None:
    """One keyword and its values."""
    if word == "temp":
        words.temp = (number(values[0]), number(values[1]), number(values[2]))
    elif word in ALL or word in AXES:
        _pressure(words, word, [number(value) for value in values], system)
    elif word == "couple":
        words.couple = one_of("choice of couple", values[0], PAIRS)
    elif word in COUNTS:
        count, least = integer(values[0], "a number"), COUNTS[word]
        if count < least:
            raise InputError(f"fix {name}: {word} {count} is too few", f"use {least} or more")
        setattr(words, word, count)
    elif word in ("mtk", "flip", "psllod"):
        setattr(words, word, yes_no(values[0], word))
    elif word == "drag":
        words.drag = number(values[0])
        if words.drag < 0:
            raise InputError(f"fix {name}: drag {words.drag:g} would push", "use 0 or more")
    elif word == "ptemp":
        words.ptemp = number(values[0])
        if words.ptemp <= 0:
            raise InputError(f"fix {name}: ptemp must be above 0, found {words.ptemp:g}", "give a temperature")
    elif word == "dilate":
        system.groups.bit(values[0])
        words.dilate = values[0]
    elif word in SCALES:
        words.scaled[SCALES[word]] = yes_no(values[0], word)
    else:
        words.fixedpoint = np.array([number(value) for value in values])


def _pressure(words: Words, word: str, values: list[float], system: System) -> None:
    flat = system.dimension == 2
    if word in ALL:
        places = [0, 1] if flat else [0, 1, 2]
        words.couple = "xyz" if word == "iso" else "none"
        if word == "tri":
            places += [5] if flat else [3, 4, 5]
            words.scaled |= {3: False, 4: False, 5: False}
    else:
        place = AXES.index(word)
        if flat and place in (2, 3, 4):
            raise InputError(f"there is no pressure along {word} in 2-d", "leave it out")
        places, words.deviatoric = [place], True
        if place > 2:
            words.scaled[place] = False
    for place in places:
        shear = word == "tri" and place > 2
        words.start[place], words.stop[place] = (0.0, 0.0) if shear else values[:2]
        words.damp[place], words.driven[place] = values[2], True


def _settle(system: System, name: str, words: Words) -> None:
    """What only shows when all words are known."""
    box, driven = system.box, words.driven
    if not driven.any():
        return
    box = system.need_box()
    for place in np.flatnonzero(driven).tolist():
        _positive(name, "pressure", words.damp[place])
        edge = {0: 0, 1: 1, 2: 2, 3: 2, 4: 2, 5: 1}[place]
        if not box.periodic[edge]:
            raise InputError(f"fix {name}: pressure along {AXES[place]}, but the boundary in {'xyz'[edge]} is not periodic",
                             f"use boundary p there, or leave out {AXES[place]}")
    if driven[3:].any() and not box.triclinic:
        raise InputError(f"fix {name}: the box is orthogonal and cannot be sheared", "use a prism region, or aniso")
    flat = system.dimension == 2
    if flat and words.couple in ("yz", "xz"):
        raise InputError(f"fix {name}: couple {words.couple} in 2-d", "use couple xy")
    together = [axis for axis in words.coupled if not (flat and axis == 2)]
    if together:
        same = {(words.start[a], words.stop[a], words.damp[a]) for a in together}
        if not driven[together].all() or len(same) > 1:
            raise InputError(f"fix {name}: coupled components need the same pressures and damping times",
                             f"give the same three numbers for {' and '.join(AXES[a] for a in together)}")
        if flat:
            words.couple = "xyz"  # both axes there are
    usual = {5: box.periodic[1] and box.xy != 0.0, 4: box.periodic[2] and not flat and box.xz != 0.0,
             3: box.periodic[2] and not flat and box.yz != 0.0}
    words.scaled = {place: words.scaled.get(place, on) for place, on in usual.items()}
    for place, on in words.scaled.items():
        if on and not box.periodic[1 if place == 5 else 2]:
            raise InputError(f"fix {name}: scale{AXES[place]} yes, but {AXES[place][1]} is not periodic", "use no")
        if on and driven[place]:
            raise InputError(f"fix {name}: the tilt {AXES[place]} can follow its pressure or its edge, not both",
                             f"use scale{AXES[place]} no")
