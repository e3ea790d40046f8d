"""Minimisers that let the atoms run and hold them when they go uphill: quickmin and fire.

fire: E. Bitzek et al., Phys. Rev. Lett. 97, 170201 (2006); J. Guénolé et al., Comput. Mater. Sci. 175, 109584 (2020);
abc: S. Echeverri Restrepo and P. Andric, Comput. Mater. Sci. 218, 111978 (2023). v·F > 0 is downhill.
"""

from __future__ import annotations

import math

from everlet.portable import Kernel, parallel_for
from everlet.run.minimisers import loops
from everlet.run.minimisers.base import Minimiser, min_style
from everlet.run.minimisers.landscape import FORCE, VELOCITY
from everlet.run.minimisers.settings import Settings

PATIENCE = 5  # quickmin: iterations downhill until the energy may stop it
NO_FORCE = 1e-20  # F²
LEAST = 1e-10  # alpha of abcfire


class Damped(Minimiser):
    """Velocities begin at 0; `held` is the last iteration that went uphill. The reference limits no evaluations."""

    @staticmethod
    def kernels() -> list[Kernel]:
        return [loops.POWERS, loops.LARGEST, loops.GO_BACK, loops.PUSH, loops.GLIDE]

    def prepare(self) -> None:
        system = self.system
        self.dt, self.held, self.first = system.dt, system.step, system.step
        self._zero()

    def _zero(self, dt: float = 0.0) -> None:
        """x -= dt v; v = 0."""
        land = self.land
        parallel_for(self.system.space, self.system.atoms.n, loops.GO_BACK, land.view("x", True), land.view("v", True), dt)

    def _push(self, keep: float, dt: float) -> None:
        """v = keep v + dt F/m."""
        land, system = self.land, self.system
        parallel_for(system.space, system.atoms.n, loops.PUSH, land.view("v", True), land.view("f"), system.mass_kind(),
                     system.masses_view(), keep, dt * system.units.ftm2v)

    def _glide(self, first: float, keep: float, mix: float, dt: float, last: float, most: float = math.inf) -> None:
        land, system = self.land, self.system
        unit = system.units.ftm2v
        parallel_for(system.space, system.atoms.n, loops.GLIDE, land.view("x", True), land.view("v", True), land.view("f"),
                     system.mass_kind(), system.masses_view(), first * unit, keep, mix, most, dt, last * unit)

    def _clipped(self, fastest: float) -> float:
        """The time step, such that no atom goes farther than dmax."""
        return self.settings.dmax / fastest if self.dt * fastest > self.settings.dmax else self.dt

    def _tests(self, patience: int) -> str:
        late = self.limits.energy > 0.0 and self.system.step - self.held > patience
        if late and self.land.agreed(bool(self.level())):
            return "energy"
        weak = self.limits.force > 0.0 and self.land.agreed(bool(self.weak(self.land.force_norm(self.settings.norm))))
        return "force" if weak else ""


@min_style("quickmin")
class Quickmin(Damped):
    """v = F (v·F)/F² downhill, 0 uphill; x += dt v; v += dt F/m."""

    def step(self) -> str:
        land, dt = self.land, self.dt
        along, _, square = land.powers()
        scale = 0.0
        if along < 0.0:
            self.held = self.system.step
        elif square > 0.0:
            scale = along / square
        dt = self._clipped(abs(scale) * land.fastest(FORCE))
        self._glide(0.0, 0.0, scale, dt, dt)
        self.previous, self.energy = self.energy, land.energy()
        return self._tests(PATIENCE)


@min_style("fire")
class Fire(Damped):
    """v = (1 - alpha) v + alpha |v| F/|F| downhill, with a time step that grows; uphill half a step back, v = 0, dt shrinks."""

    @staticmethod
    def heading(given: Settings) -> list[str]:
        words = ("dmax", "delaystep", "dtgrow", "dtshrink", "alpha0", "alphashrink", "tmax", "tmin", "integrator",
                 "halfstepback", "abcfire")
        values = (f"{given.dmax:g}", given.delaystep, f"{given.dtgrow:g}", f"{given.dtshrink:g}", f"{given.alpha0:g}",
                  f"{given.alphashrink:g}", f"{given.tmax:g}", f"{given.tmin:g}", given.integrator,
                  *("yes" if flag else "no" for flag in (given.halfstepback, given.abcfire)))
        wide = (5, 9, 6, 8, 6, 11, 4, 4, 14, 12, 11)
        return ["  Parameters for fire:", *("    " + " ".join(f"{item:^{width}}" for item, width in zip(row, wide, strict=True))
                                            for row in (words, values))]

    def begin(self) -> None:
        given = self.settings
        self.mixing, self.uphill = given.alpha0, 0
        self.longest, self.shortest = given.tmax * self.dt, given.tmin * self.dt
        if given.integrator == "leapfrog":
            self.land.energy()
            self._push(0.0, -0.5 * self.dt)

    def step(self) -> str:
        land, given, system = self.land, self.settings, self.system
        along, speed, square = land.powers()
        keep, mix = 1.0, 0.0
        if along > 0.0:
            keep, mix = self._downhill(speed, square)
            fastest = 0.0 if given.abcfire else land.fastest(VELOCITY)
        else:
            if self._uphill():
                return "uphill"
            fastest = self._start()
        dt = self._clipped(fastest)
        most = given.dmax / dt if given.abcfire else math.inf
        if given.integrator == "eulerexplicit":
            self._glide(0.0, keep, mix, dt, dt, most)
        else:
            self._glide(0.5 * dt if given.integrator == "verlet" else dt, keep, mix, dt, 0.0, most)
        self.previous, self.energy = self.energy, land.energy()
        if given.integrator == "verlet":
            self._push(1.0, 0.5 * dt)
        system.dt = self.dt
        return self._tests(given.delaystep)

    def _downhill(self, speed: float, square: float) -> tuple[float, float]:
        """How much of v is kept, and how much of F is added; the time step grows after a while."""
        given = self.settings
        self.uphill = 0
        steps = self.system.step - self.held
        if given.abcfire:
            self.mixing = max(self.mixing, LEAST)
        whole = 1.0 - (1.0 - self.mixing) ** steps if given.abcfire else 1.0
        keep = (1.0 - self.mixing) / whole
        mix = self.mixing * math.sqrt(speed / square) / whole if square > NO_FORCE else 0.0
        if steps > given.delaystep:
            self.dt = min(self.dt * given.dtgrow, self.longest)
            self.mixing *= given.alphashrink
        return keep, mix

    def _uphill(self) -> bool:
        """Go back and hold; true if that has happened too often."""
        given, step = self.settings, self.system.step
        self.held = step
        if not (given.initialdelay and step - self.first < given.delaystep):
            self.mixing = given.alpha0
            if self.dt * given.dtshrink >= self.shortest:
                self.dt *= given.dtshrink
        self.uphill += 1
        if 0 < given.vdfmax < self.uphill:
            return True
        self._zero(0.5 * self.dt if given.halfstepback else 0.0)
        return False

    def _start(self) -> float:
        """The speed that atoms get from rest in one step: forces are those of the present place."""
        if self.settings.abcfire:
            return 0.0
        self.land.energy()
        self._push(0.0, self.dt)
        fastest = self.land.fastest(VELOCITY)
        self._zero()
        return fastest
