"""Charge equilibration of pair_style reaxff."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, integer, number, unknown
from everlet.fixes.base import fix_style
from everlet.fixes.charges.equilibrated import Equilibrated
from everlet.fixes.charges.parameters import numbers_of_pair, read_parameters
from everlet.state.system import System

USAGE = "fix ID group qeq/reaxff EVERY INNER OUTER TOLERANCE reaxff|FILE [maxiter N] [nowarn]"


@fix_style("qeq/reaxff", "qeq/reax")
class QeqReaxff(Equilibrated):
    """fix ID group qeq/reaxff EVERY INNER OUTER TOLERANCE reaxff|FILE [maxiter N] [nowarn]: the coupling of qeq/shielded with
    a taper from INNER to OUTER. Parameters are those of pair_style reaxff, or of a file with lines `type chi eta gamma`."""

    whole_mean = from_charges = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 5, None, USAGE)
        most, words = 200, list(args[5:])
        while words:
            word = words.pop(0)
            if word == "maxiter" and words:
                most = integer(words.pop(0), "a number of iterations")
            elif word == "nowarn":
                self.warns = False
            elif word == "dual":
                raise InputError("fix qeq/reaxff has no keyword dual: both systems are always solved together", "leave it out")
            else:
                raise unknown("keyword of fix qeq/reaxff", word, ("maxiter", "nowarn"), f"usage: {USAGE}")
        low, high = number(args[1], "a radius"), number(args[2], "a radius")
        self.prepare(integer(args[0], "a number of steps"), low, high, number(args[3], "a tolerance"), most)
        if low > 0.01:
            self.notes.append(f"WARNING: fix {id}: the taper begins at {low:g}, most force fields mean 0")
        elif high < 5.0:
            self.notes.append(f"WARNING: fix {id}: the taper ends at {high:g}, which is short")
        self.file = "" if args[4] == "reaxff" else args[4]
        self._given = read_parameters(args[4], system.ntypes, 3, "qeq/reaxff") if self.file else None

    def parameters(self) -> np.ndarray:
        if self._given is not None:
            return self._given
        return numbers_of_pair(self.system, f"fix {self.id} qeq/reaxff", self.bit)
