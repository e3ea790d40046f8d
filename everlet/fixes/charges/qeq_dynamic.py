"""Charge equilibration of point charges, by the names of fixes that let charges move to where their energy is least."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, number, one_of
from everlet.fixes.base import fix_style
from everlet.fixes.charges.qeq_point import QeqPoint
from everlet.state.system import System

NET = 1e-6  # rounding of a sum of charges


class Damped(QeqPoint):
    """The charges of fix qeq/point, by its solver; numbers of the motion of charges are read and change nothing."""

    name = ""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        usage = f"fix ID group {self.name} EVERY CUTOFF TOLERANCE MAXITER FILE [qdamp N] [qstep N] [warn yes|no]"
        arguments(args, 5, None, usage)
        kept, words = list(args[:5]), list(args[5:])
        while words:
            word = one_of(f"keyword of fix {self.name}", words.pop(0), ("qdamp", "qstep", "warn"), f"usage: {usage}")
            arguments(words, 1, None, usage)
            value = words.pop(0)
            if word == "warn":
                kept += [word, value]
            elif number(value, f"a value of {word}") <= 0.0:
                raise InputError(f"fix {self.name}: {word} {value}", "give a number above zero")
        super().__init__(system, id, group, kept)
        self.notes.append(f"fix {id} {self.name} finds the charges of its minimum as fix qeq/point does: "
                          "qdamp and qstep change nothing")

    def init(self) -> None:
        """Their motion keeps the sum of charges, the solver makes it zero."""
        super().init()
        atoms = self.system.atoms
        mine = float(atoms.read("q")[(atoms.read("mask") & self.bit) != 0].sum())
        net = float(self.system.ranks.sum(np.array([mine]))[0])
        if abs(net) > NET:
            raise InputError(f"fix {self.id}: its atoms have a net charge of {net:g}, which {self.name} would keep",
                             "set their charges to a sum of 0, or use qeq/point, which makes it 0")


@fix_style("qeq/dynamic")
class QeqDynamic(Damped):
    """fix ID group qeq/dynamic EVERY CUTOFF TOLERANCE MAXITER FILE [qdamp N] [qstep N] [warn yes|no]."""

    name = "qeq/dynamic"


@fix_style("qeq/fire")
class QeqFire(Damped):
    """fix ID group qeq/fire EVERY CUTOFF TOLERANCE MAXITER FILE [qdamp N] [qstep N] [warn yes|no]."""

    name = "qeq/fire"
