"""What fix deform is told: how each edge and each tilt of the box moves."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of, unknown, yes_no
from everlet.fixes.given_number import GivenNumber
from everlet.fixes.walls.faces import spacing
from everlet.state.system import System

USAGE = ("fix ID group deform N x|y|z final LO HI | delta DLO DHI | scale S | vel V | erate R | trate R | volume | "
         "wiggle A PERIOD | variable v_D v_R … xy|xz|yz final T | delta D | vel V | erate R | trate R | wiggle A PERIOD | "
         "variable v_D v_R … [remap x|v|none] [flip yes|no] [units lattice|box]")
PARTS = ("x", "y", "z", "yz", "xz", "xy")  # the order of Box.h
ACROSS = {3: 2, 4: 2, 5: 1}  # the edge across which a tilt shears
ALONG = {3: 1, 4: 0, 5: 0}  # the edge along which it slants
EDGES = {"final": 2, "delta": 2, "scale": 1, "vel": 1, "erate": 1, "trate": 1, "volume": 0, "wiggle": 2, "variable": 2}
TILTS = {"final": 1, "delta": 1, "vel": 1, "erate": 1, "trate": 1, "wiggle": 2, "variable": 2}
LENGTHS = {"final": 2, "delta": 2, "vel": 1, "wiggle": 1}  # numbers that are lengths come first
LATER = ("trate", "wiggle", "variable")  # rates are not constant: they are known from the first change on


@dataclass
class Move:
    """One edge, or one tilt: what it is at time t since the beginning, which is this part of the run."""

    style: str
    numbers: list[float]
    given: list[GivenNumber] = field(default_factory=list)  # of variables: how much it has changed, and how fast it does

    def edge(self, lo: float, hi: float, t: float, part: float) -> tuple[float, float]:
        """Where the two faces belong."""
        style, numbers = self.style, self.numbers
        if style == "final":
            return lo + part * (numbers[0] - lo), hi + part * (numbers[1] - hi)
        if style == "delta":
            return lo + part * numbers[0], hi + part * numbers[1]
        middle, edge = 0.5 * (lo + hi), hi - lo
        if style == "scale":
            edge *= 1.0 + part * (numbers[0] - 1.0)
        elif style == "erate":
            edge += t * numbers[0] * edge
        else:
            edge = self._later(edge, t)
        return middle - 0.5 * edge, middle + 0.5 * edge

    def tilt(self, start: float, across: float, t: float, part: float) -> float:
        style = self.style
        if style == "final":
            return start + part * (self.numbers[0] - start)
        if style == "delta":
            return start + part * self.numbers[0]
        if style == "erate":
            return start + t * self.numbers[0] * across
        return self._later(start, t)

    def _later(self, start: float, t: float) -> float:
        style = self.style
        if style == "vel":
            return start + t * self.numbers[0]
        if style == "trate":
            return start * math.exp(self.numbers[0] * t)
        if style == "variable":
            return start + self.given[0].now()
        amplitude, period = self.numbers
        return start + amplitude * math.sin(2.0 * math.pi * t / period)

    def rate(self, now: float, t: float) -> float:
        """How fast it changes, where that is not constant; now: its value before the change."""
        if self.style == "trate":
            return self.numbers[0] * now
        if self.style == "variable":
            return self.given[1].now()
        amplitude, period = self.numbers
        return 2.0 * math.pi / period * amplitude * math.cos(2.0 * math.pi * t / period)


class DeformWords:
    """moves: by place in Box.h; remap: x, v or none; flip: boxes that are tilted too far are flipped."""

    def __init__(self, system: System, id: str, args: list[str]):
        arguments(args, 2, None, USAGE)
        self.system, self.user, self.every = system, f"fix {id}", integer(args[0], "a number of steps")
        if self.every < 1:
            raise InputError(f"fix deform: N must be 1 or more, found {args[0]}", f"usage: {USAGE}")
        self.remap, self.flip, words = "x", True, list(args[1:])
        units: list[str] = []
        self.moves: dict[int, Move] = {}
        options = {"remap": ("x", "v", "none"), "units": ("lattice", "box"), "flip": ("yes", "no", "on", "off")}
        while words:
            word = words.pop(0)
            arguments(words, 1, None, USAGE)
            if word in PARTS:
                self._part(PARTS.index(word), words)
                continue
            if word not in options:
                raise unknown("keyword of fix deform", word, (*PARTS, *options), f"usage: {USAGE}")
            value = words.pop(0)
            one_of(f"{word} of fix deform", value, options[word])
            if word == "units":
                units = ["units", value]
            elif word == "flip":
                self.flip = yes_no(value, "flip")
            else:
                self.remap = value
        self._check(spacing(system, units, self.user))

    @property
    def follow(self) -> list[int]:
        """Edges that keep the volume."""
        return [place for place, move in self.moves.items() if move.style == "volume"]

    def _part(self, place: int, words: list[str]) -> None:
        style, known = words.pop(0), EDGES if place < 3 else TILTS
        one_of("style of fix deform", style, known, f"usage: {USAGE}")
        arguments(words, known[style], None, USAGE)
        given = [words.pop(0) for _ in range(known[style])]
        if style != "variable":
            self.moves[place] = Move(style, [number(value) for value in given])
            return
        for word in given:
            if not word.startswith("v_"):
                raise InputError(f"fix deform: {PARTS[place]} variable needs two variables, found '{word}'", f"usage: {USAGE}")
        self.moves[place] = Move(style, [], [GivenNumber(self.system, word, "a number", self.user) for word in given])

    def _check(self, scales: np.ndarray) -> None:
        system, box = self.system, self.system.need_box()
        if not self.moves or len(self.follow) == len([place for place in self.moves if place < 3]) > 0:
            raise InputError("fix deform changes no edge by itself", f"usage: {USAGE}")
        for place, move in self.moves.items():
            name, style, numbers = PARTS[place], move.style, move.numbers
            if place > 2 and not box.triclinic:
                raise InputError(f"fix deform {name}: the box is orthogonal", "use a prism region, or change_box all triclinic")
            if system.dimension == 2 and place in (2, 3, 4):
                raise InputError(f"fix deform along {name} in 2d", "use x, y and xy")
            axis = ACROSS.get(place, place)
            if not box.periodic[axis] and any(code in "sm" for code in box.boundary[axis]):
                raise InputError(f"fix deform along {name}, where faces follow atoms", "use boundary p or f")
            if style == "wiggle" and numbers[1] <= 0.0 or style == "scale" and numbers[0] <= 0.0:
                raise InputError(f"fix deform {style}: {numbers[-1]:g} must be above zero", f"usage: {USAGE}")
            if style == "trate" and place > 2 and box.h[place] == 0.0:
                raise InputError(f"fix deform {name} trate: a tilt of 0 cannot grow by a factor", "use erate or vel")
            count = min(LENGTHS.get(style, 0), len(numbers))
            move.numbers = [*(float(scales[ALONG.get(place, place)]) * value for value in numbers[:count]), *numbers[count:]]

    def start_rates(self, start: np.ndarray, lo: np.ndarray, hi: np.ndarray, span: float) -> tuple[np.ndarray, np.ndarray]:
        """Constant rates of the shape and of the low corner, from the shape at the beginning; others are not known yet."""
        rates, low = np.zeros(6), np.zeros(3)
        for place, move in self.moves.items():
            if move.style in (*LATER, "volume") or not span:
                continue
            if place < 3:
                ends = move.edge(lo[place], hi[place], span, 1.0)
                low[place] = (ends[0] - lo[place]) / span
                rates[place] = (ends[1] - hi[place]) / span - low[place]
            else:
                across = hi[ACROSS[place]] - lo[ACROSS[place]]
                rates[place] = (move.tilt(start[place], across, span, 1.0) - start[place]) / span
        return rates, low
