"""Newton's way downhill without second derivatives: conjugate gradients inside of a region that is trusted."""

from __future__ import annotations

import math

from everlet.portable import Kernel
from everlet.run.minimisers import loops
from everlet.run.minimisers.base import Minimiser, min_style
from everlet.run.minimisers.landscape import BEFORE, FORCE, KEPT, LEAP, REST, START, WAY

NEAR = 1e-6  # parts of the reach of lists by which atoms are moved for a second derivative
INNER = 200  # directions of one leap at most
ROUGH = 0.5  # part of the force that may be left after the first leaps; less and less is
BAD, GOOD = 0.25, 0.75  # of the change of energy that was foreseen: less is trusted, more
TAKEN = 1e-4  # a leap that wins less of it is not taken
SHORT = 1e-12  # parts of dmax: no shorter leap is tried
ROUND = 1e-12  # relative changes of energies that rounding makes


@min_style("hftn")
class HessianFree(Minimiser):
    """Truncated Newton without a Hessian (Nocedal and Wright, Numerical Optimization, section 7.1).

    Each leap z goes to the lowest point of m(z) = -F.z + z.H.z/2 that conjugate gradients find, H d = (F(x) - F(x + h d))/h,
    until little of the force is left, a direction curves down, or an atom goes farther than is trusted, dmax at most. It is
    taken if the energy falls as foreseen, otherwise less is trusted.
    """

    fields = (WAY, BEFORE, START, KEPT, LEAP, REST)

    @staticmethod
    def kernels() -> list[Kernel]:
        return [loops.PRODUCTS, loops.LARGEST, loops.KEEP_START, loops.GO_ALONG, loops.TURN, loops.BLEND]

    def begin(self) -> None:
        self.trusted = self.settings.dmax
        self.first = self.size = self.land.force_norm("two")

    def step(self) -> str:
        land = self.land
        self.previous = self.energy
        if self.size == 0.0:
            return "zero force"
        land.turn(0.0)  # the first direction is the force, which is kept
        land.keep_start()
        while True:
            foreseen, length = self.leap()
            if self.late():
                self.energy = land.go(0.0)
                return "evaluations"
            land.blend(WAY, LEAP, 1.0, LEAP, 0.0)
            energy = land.go(1.0)
            size = land.force_norm("two")
            won = (energy - self.energy) / foreseen if foreseen else 0.0
            level = abs(energy - self.energy) <= ROUND * abs(self.energy) and size < self.size
            if won > GOOD and length > 0.9 * self.trusted:
                self.trusted = min(2.0 * self.trusted, self.settings.dmax)
            elif won < BAD and not level:
                self.trusted = BAD * length
            if level or (won > TAKEN and energy < self.energy):
                break
            land.go(0.0)
            if self.trusted < SHORT * self.settings.dmax:
                return "zero alpha"
            land.turn(0.0)
        self.energy, self.size = energy, size
        return self.late() or self.level() or self.weak(land.force_norm(self.settings.norm))

    def leap(self) -> tuple[float, float]:
        """Make z: the change of energy that is foreseen, and how far it moves an atom along an axis."""
        land, trusted = self.land, self.trusted
        land.blend(LEAP, BEFORE, 0.0, BEFORE, 0.0)
        land.blend(REST, BEFORE, -1.0, BEFORE, 0.0)
        enough = min(ROUGH, math.sqrt(self.size / self.first)) * self.size
        square, length = self.size**2, 0.0
        near = NEAR * (land.loop.neighbor.ghost_cutoff or self.settings.dmax)
        for _ in range(min(INNER, 3 * self.system.natoms)):
            far = land.largest(WAY)[0]
            h = near / far
            land.go(h)
            before, after = land.products(WAY, BEFORE, FORCE)
            curved = (before - after) / h
            alpha = square / curved if curved > 0.0 else trusted / far
            land.blend(LEAP, LEAP, 1.0, WAY, alpha)
            land.blend(FORCE, BEFORE, 1.0, FORCE, -1.0)  # h H d
            land.blend(REST, REST, 1.0, FORCE, alpha / h)
            length = land.largest(LEAP)[0]
            last, square = square, land.products(REST, REST, REST)[0]
            if curved <= 0.0 or length >= trusted or math.sqrt(square) <= enough or self.late():
                break
            land.blend(WAY, REST, -1.0, WAY, square / last)
        share = min(1.0, trusted / length) if length else 0.0
        if share < 1.0:
            land.blend(LEAP, LEAP, share, LEAP, 0.0)
        slope, rest = land.products(LEAP, BEFORE, REST)  # with a part of z: H z is that of the whole
        return (0.5 * share * (rest + slope) - slope) * land.per, length * share
