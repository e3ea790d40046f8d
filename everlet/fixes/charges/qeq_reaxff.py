"""Charge equilibration of pair_style reaxff."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of, unknown
from everlet.fixes.base import fix_style
from everlet.fixes.charges.equilibrated import Equilibrated
from everlet.fixes.charges.fitted import FittedSolver
from everlet.fixes.charges.guess_loops import HELD
from everlet.fixes.charges.iterations import Iterations
from everlet.fixes.charges.parameters import numbers_of_pair, read_parameters
from everlet.fixes.forces.efield import Efield
from everlet.portable import View
from everlet.state.system import System


@fix_style("qeq/reaxff", "qeq/reax")
class QeqReaxff(Equilibrated):
    """fix ID group qeq/reaxff EVERY INNER OUTER TOLERANCE reaxff|FILE [maxiter N] [nowarn] [guess cubic|fitted]: the coupling
    of qeq/shielded with a taper from INNER to OUTER. Parameters are those of pair_style reaxff, or of a file with lines
    `type chi eta gamma`. Guesses are cubic and quadratic functions of time, or fitted (charges/guess_loops.py)."""

    name = "qeq/reaxff"
    whole_mean = from_charges = False
    _varies: Efield | None = None
    _by_potential = False
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
                one_of(f"guess of fix {name}", words[0], self.guesses, f"usage: {usage}")
                words.pop(0)
            elif word == "dual" and len(self.histories) == 2:
                raise InputError(f"fix {name} has no keyword dual: both systems are always solved together", "leave it out")
            else:
                known = ("maxiter", "nowarn", *(("guess",) if self.guesses else ()))
                if word in known:
                    raise InputError(f"fix {name}: nothing follows the keyword {word}", f"usage: {usage}")
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
        self.solver.field, self.solver.volts, self._varies = (0, 0.0, 0.0, 0.0), None, None
        found = [fix for fix in self.system.fixes.values() if isinstance(fix, Efield)]
        if len(found) > 1:
            raise InputError(f"fix {self.id} {self.name} knows of one fix efield, and there are {len(found)}",
                             "add up the fields to one")
        if found:
            self._take(found[0])

    def _take(self, efield: Efield) -> None:
        """A field polarises atoms: E x is added to what draws charge to them, of a field that is an atom-style variable minus
        the potential that comes with it."""
        given, box = efield.given, self.system.need_box()
        given.init()
        styles = [self.system.variables.style(name) if name else "" for name in given.names]
        if "atom" in styles and not efield.volts:
            raise InputError(f"fix {self.id} {self.name}: fix {efield.id} efield is an atom-style variable without a potential",
                             "give fix efield … potential v_NAME")
        acts = (style or e != 0.0 for style, e in zip(styles, given.constant, strict=True))
        if "atom" not in styles and any(one and periodic for one, periodic in zip(acts, box.periodic, strict=True)):
            raise InputError(f"fix {self.id} {self.name}: an electric field along a periodic axis has no potential",
                             "use a boundary that is not periodic there")
        self._by_potential = "atom" in styles
        if given.on_host:
            self._varies, self.steady = efield, False
            self.solver.field = 1, 1.0, 0.0, 0.0
        else:
            ex, ey, ez = map(float, given.constant)
            self.solver.field = int(efield.bit), ex, ey, ez

    def pre_force(self) -> None:
        if self._varies is not None:
            self._look(self._varies)
        super().pre_force()

    def _look(self, efield: Efield) -> None:
        """Numbers of the present step, where a field is a variable or acts in a region."""
        atoms, volts, given = self.system.atoms, self.solver.volts, efield.given
        if volts is None or volts.shape[0] < atoms.n:
            volts = self.solver.volts = View((atoms.capacity, 4), np.float64, self.system.space)
        rows = np.zeros(volts.shape)
        if self._by_potential:
            meant = ((atoms.read("mask") & efield.bit) != 0) & (given.now().get()[: atoms.n, 3] != 0.0)
            rows[: atoms.n, 0] = np.where(meant, -given.of_atoms(efield.volts), 0.0)
        else:
            rows[: atoms.n, 0] = (given.on_atoms(efield.bit) * atoms.read("x")[:, :3]).sum(axis=1)
        volts.put(rows)

    def parameters(self) -> np.ndarray:
        if self._given is not None:
            return self._given
        return numbers_of_pair(self.system, f"fix {self.id} {self.name}", self.bit)
