"""What minimisers have in common: when they stop, and what the user may set.

    energy tolerance   |E - E'| < etol (|E| + |E'| + 1e-8) / 2
    force tolerance    |F| < ftol, with the norm that min_modify norm says
"""

from __future__ import annotations

from dataclasses import dataclass

from everlet.portable import Kernel
from everlet.registry import Registry
from everlet.run.minimisers.landscape import Landscape
from everlet.run.minimisers.settings import Settings

TINY = 1e-8  # energy
REASONS = {
    "iterations": "max iterations", "evaluations": "max force evaluations", "energy": "energy tolerance",
    "force": "force tolerance", "downhill": "search direction is not downhill", "zero alpha": "linesearch alpha is zero",
    "zero force": "forces are zero", "flat": "quadratic factors are zero", "time": "walltime limit reached",
    "uphill": "max iterations with v.f negative",
}


@dataclass(frozen=True)
class Limits:
    """minimize ETOL FTOL MAXITER MAXEVAL."""

    energy: float
    force: float
    iterations: int
    evaluations: int


class Minimiser:
    """One way downhill. `step` is one iteration: it gives why it is the last one (a key of REASONS), or nothing.

    energy, previous   of this iteration and of the one before
    alpha              how far the last line search went
    """

    dt = 0.0  # its time step, if it has one of its own
    fields: tuple[str, ...] = ()  # vectors that it needs
    relaxes = False  # a box may change with the atoms

    def __init__(self, land: Landscape, settings: Settings, limits: Limits):
        self.land, self.settings, self.limits, self.system = land, settings, limits, land.system
        self.energy = self.previous = self.alpha = 0.0
        self.iterations = 0

    @staticmethod
    def kernels() -> list[Kernel]:
        return []

    @staticmethod
    def heading(given: Settings) -> list[str]:
        """Lines of the set-up."""
        return []

    def prepare(self) -> None:
        """Before the first output."""

    def begin(self) -> None:
        """Before the first iteration; forces are there."""

    def step(self) -> str:
        raise NotImplementedError

    def late(self) -> str:
        return "evaluations" if self.land.evaluations >= self.limits.evaluations else ""

    def level(self) -> str:
        """The energy has changed too little to go on."""
        mean = 0.5 * (abs(self.energy) + abs(self.previous) + TINY)
        return "energy" if abs(self.energy - self.previous) < self.limits.energy * mean else ""

    def weak(self, norm: float) -> str:
        return "force" if norm < self.limits.force else ""


min_style: Registry[type[Minimiser]] = Registry("minimiser", "everlet.run.minimisers")
