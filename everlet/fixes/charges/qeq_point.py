"""Charge equilibration of point charges."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, number, unknown, yes_no
from everlet.fixes.base import fix_style
from everlet.fixes.charges import matrix_loops
from everlet.fixes.charges.equilibrated import Equilibrated
from everlet.fixes.charges.parameters import numbers_of_pair, read_parameters
from everlet.state.system import System

OF_PAIR = ("reaxff", "reax/c")  # in place of a file


@fix_style("qeq/point")
class QeqPoint(Equilibrated):
    """fix ID group qeq/point EVERY CUTOFF TOLERANCE MAXITER FILE [warn yes|no]: H_ij = 1/r.

    FILE has lines `type chi eta gamma zeta qcore`.
    """

    coupling: Any = staticmethod(matrix_loops.point_charges)
    shielded = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        usage = "fix ID group qeq/point|qeq/shielded EVERY CUTOFF TOLERANCE MAXITER FILE [warn yes|no]"
        arguments(args, 5, None, usage)
        for word, value in zip(args[5::2], [*args[6::2], ""], strict=False):
            if word != "warn":
                raise unknown("keyword of fix qeq", word, ("warn",), f"usage: {usage}")
            self.warns = yes_no(value, "warn")
        self.prepare(integer(args[0], "a number of steps"), 0.0, number(args[1], "a cutoff"), number(args[2], "a tolerance"),
                     integer(args[3], "a number of iterations"))
        self._given: np.ndarray | None = None
        if args[4] not in OF_PAIR:
            self._given, _ = read_parameters(args[4], system.ntypes, 5, "qeq")
        elif not self.shielded:
            raise InputError("fix qeq/point takes its parameters from a file", "name one, or use fix qeq/reaxff")

    def parameters(self) -> np.ndarray:
        return self._given if self._given is not None else numbers_of_pair(self.system, f"fix {self.id}", self.bit)
