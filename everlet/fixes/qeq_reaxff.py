"""Charge equilibration of pair_style reaxff."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, integer, number, unknown
from everlet.fixes.base import fix_style
from everlet.fixes.charges.equilibrated import Equilibrated
from everlet.fixes.charges.fitted import FittedSolver
from everlet.fixes.charges.guess_loops import HELD
from everlet.fixes.charges.iterations import Iterations
from everlet.fixes.charges.parameters import numbers_of_pair, read_parameters
from everlet.fixes.efield import Efield
from everlet.state.system import System


@fix_style("qeq/reaxff", "qeq/reax")
class QeqReaxff(Equilibrated):
    """fix ID group qeq/reaxff EVERY INNER OUTER TOLERANCE reaxff|FILE [maxiter N] [nowarn] [guess cubic|fitted]: the coupling
    of qeq/shielded with a taper from INNER to OUTER. Parameters are those of pair_style reaxff, or of a file with lines
    `type chi eta gamma`. Guesses are cubic and quadratic functions of time, or fitted (charges/guess_loops.py)."""

    name = "qeq/reaxff"
    whole_mean = from_charges = False
    guesses: tuple[str, ...] = ("cubic", "fitted")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        self.fitted = bool(self.guesses) and "fitted" in args[5:]
        super().__init__(system, id, group, args)
        name, usage = self.name, f"fix ID group {self.name} EVERY INNER OUTER TOLERANCE reaxff|FILE [maxiter N] [nowarn]"
        usage += f" [guess {'|'.join(self.guesses)}]" if self.guesses else ""
        arguments(args, 5, None, usage)
        most, words = 200, list(args[5:])
        while words:
            word = words.pop(0)
            if word == "maxiter" and words:
                most = integer(words.pop(0), "a number of iterations")
            elif word == "nowarn":
                self.warns = False
            elif word == "guess" and self.guesses and words:
                if words[0] not in self.guesses:
                    raise unknown(f"guess of fix {name}", words[0], self.guesses, f"usage: {usage}")
                words.pop(0)
            elif word == "dual" and len(self.histories) == 2:
                raise InputError(f"fix {name} has no keyword dual: both systems are always solved together", "leave it out")
            else:
                known = ("maxiter", "nowarn", *(("guess",) if self.guesses else ()))
                raise unknown(f"keyword of fix {name}", word, known, f"usage: {usage}")
        low, high = number(args[1], "a radius"), number(args[2], "a radius")
        self.prepare(integer(args[0], "a number of steps"), low, high, number(args[3], "a tolerance"), most)
        if low > 0.01:
            self.notes.append(f"WARNING: fix {id}: the taper begins at {low:g}, most force fields mean 0")
        elif high < 5.0:
            self.notes.append(f"WARNING: fix {id}: the taper ends at {high:g}, which is short")
        self.file = "" if args[4] == "reaxff" else args[4]
        self._given = self.read(self.file) if self.file else None

    @property
    def histories(self) -> dict[str, int]:
        return {"s": HELD, "t": HELD} if self.fitted else super().histories

    def make_solver(self, tolerance: float, most: int) -> Iterations:
        return FittedSolver(self.system, self.matrix, tolerance, most) if self.fitted else super().make_solver(tolerance, most)

    def read(self, path: str) -> np.ndarray:
        """Parameters of a file."""
        return read_parameters(path, self.system.ntypes, 3, self.name)[0]

    def init(self) -> None:
        super().init()
        self.solver.field = self._field()

    def _field(self) -> tuple[int, float, float, float]:
        """A constant electric field, which polarises atoms: group and strength."""
        found = [fix for fix in self.system.fixes.values() if isinstance(fix, Efield)]
        if not found:
            return 0, 0.0, 0.0, 0.0
        given = found[0].given
        if len(found) > 1 or any(given.names) or given.region:
            raise InputError(f"fix {self.id} {self.name} knows of one fix efield with a constant field and no region",
                             "give numbers for one field")
        if any(e != 0.0 and periodic for e, periodic in zip(given.constant, self.system.need_box().periodic, strict=True)):
            raise InputError(f"fix {self.id} {self.name}: an electric field along a periodic axis has no potential",
                             "use a boundary that is not periodic there")
        ex, ey, ez = map(float, given.constant)
        return int(found[0].bit), ex, ey, ez

    def parameters(self) -> np.ndarray:
        if self._given is not None:
            return self._given
        return numbers_of_pair(self.system, f"fix {self.id} {self.name}", self.bit)
