"""What `min_style` and `min_modify` say."""

from __future__ import annotations

from dataclasses import dataclass

from everlet.errors import InputError, integer, number, one_of, unknown, yes_no

LINES, NORMS = ("backtrack", "quadratic", "forcezero"), ("two", "max", "inf")
INTEGRATORS = ("eulerimplicit", "verlet", "leapfrog", "eulerexplicit")
SPINS = ("alpha_damp", "discrete_factor")


@dataclass
class Settings:
    """min_style STYLE; min_modify WORD VALUE …, which the next min_style forgets."""

    style: str = "cg"
    dmax: float = 0.1  # most that an atom moves in one iteration
    line: str = "quadratic"
    norm: str = "two"
    tmax: float = 10.0  # fire: largest and least time step, in time steps of a run
    tmin: float = 0.02
    delaystep: int = 20
    dtgrow: float = 1.1
    dtshrink: float = 0.5
    alpha0: float = 0.25
    alphashrink: float = 0.99
    vdfmax: int = 2000
    halfstepback: bool = True
    initialdelay: bool = True
    integrator: str = "eulerimplicit"
    abcfire: bool = False

    def modify(self, args: list[str]) -> None:
        """min_modify WORD VALUE …"""
        words = list(args)
        while words:
            word = words.pop(0)
            if word in SPINS:
                raise InputError(f"min_modify {word} is for spins, which are not available", "remove it")
            if word == "style" or word not in self.__dataclass_fields__:
                raise unknown("option of min_modify", word, [name for name in self.__dataclass_fields__ if name != "style"])
            if not words:
                raise InputError(f"min_modify {word} needs a value", "usage: min_modify WORD VALUE ...")
            self._set(word, words.pop(0))

    def _set(self, word: str, given: str) -> None:
        choices = {"line": LINES, "norm": NORMS, "integrator": INTEGRATORS}.get(word)
        before = getattr(self, word)
        if choices:
            if given == "spin_none" or given.startswith("spin_"):
                raise InputError(f"min_modify line {given} is for spins, which are not available", f"use {', '.join(LINES)}")
            one_of(f"min_modify {word}", given, choices)
            setattr(self, word, given)
        elif isinstance(before, bool):
            setattr(self, word, yes_no(given, f"min_modify {word}"))
        elif isinstance(before, int):
            setattr(self, word, integer(given, f"a number of steps for min_modify {word}"))
        else:
            value = number(given, f"a number for min_modify {word}")
            if value < 0.0 and word == "tmin" or value <= 0.0 and word in ("dmax", "tmax", "dtgrow", "dtshrink"):
                raise InputError(f"min_modify {word} must be above 0, found {given}", "give a positive number")
            setattr(self, word, value)
