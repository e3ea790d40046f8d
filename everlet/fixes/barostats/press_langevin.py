"""Langevin's barostat: edges of the box are pistons with drag and noise."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError, integer, number
from everlet.fixes.barostats.press_berendsen import COUPLES, ScaledEdges
from everlet.fixes.base import fix_style
from everlet.fixes.ramp import Ramp
from everlet.state.random import Marsaglia
from everlet.state.system import System

USAGE = ("fix ID group press/langevin iso|aniso|x|y|z P_START P_STOP P_DAMP … temp T_START T_STOP SEED [friction ALPHA] "
         "[couple none|xyz|xy|yz|xz] [dilate all|partial]")


@fix_style("press/langevin")
class PressLangevin(ScaledEdges):
    """fix ID group press/langevin iso|aniso|x|y|z P_START P_STOP P_DAMP … temp T_START T_STOP SEED [friction ALPHA]
    [couple none|xyz|xy|yz|xz] [dilate all|partial]

    Grønbech-Jensen and Farago, J. Chem. Phys. 141, 194108 (2014). A length L of the box is the place of a piston of mass
    Q = (N + 1) k T P_DAMP^2, on which F = P - P_target acts, P = virial + N k T / V with the target T, in units of pressure:

        a = (1 - h)/(1 + h)      b = 1/(1 + h)      h = ALPHA dt / 2Q      B normal, of variance 2 ALPHA k T dt
        L += b dt u + b dt/2Q (dt F + B)      (positions are scaled with it; forces; F')
        u  = a u + dt/2Q (a F + F') + b/Q B

    A piston is at rest when a run begins, T in Q is that of then, and F is 0 up to the first forces of the first run, as in the
    reference. With iso and couple one piston moves several edges by the same length. A thermostat and a
    fix that moves atoms go beside it. ID_press, a compute pressure NULL virial, comes with it. Random numbers are those of
    the reference.
    """

    must_match = ()
    name, usage = "press/langevin", USAGE
    others: ClassVar[dict[str, int]] = {"temp": 3, "friction": 1}
    keeps = ("speed", "force", "noise", "mass")
    friction = 1e-4
    target: Ramp | None = None

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if self.target is None:
            raise InputError("fix press/langevin has no temperature of its noise", f"usage: {USAGE}")
        self.speed, self.force, self.noise, self.mass = (np.zeros(3) for _ in range(4))
        self.press_id = self.make_compute("press", "pressure", "all", ["NULL", "virial"])

    def take(self, word: str, values: list[str]) -> None:
        if word == "temp":
            self.target, self.seed = Ramp(self.system, values[0], values[1], "a temperature"), integer(values[2], "a seed")
            self.ranmar = Marsaglia(self.seed)
            return
        self.friction = number(values[0], "a friction")
        if self.friction <= 0.0:
            raise InputError(f"fix press/langevin: friction {values[0]}", "give a number above zero")

    def set_target(self, temperature: float) -> None:
        assert self.target is not None
        self.target.set(temperature)

    def init(self) -> None:
        super().init()
        assert self.target is not None
        self.target.init()

    def needs(self, step: int) -> tuple[str, ...]:
        assert self.target is not None
        return (*super().needs(step), *self.target.needs(step))

    def _heat(self) -> float:
        """k T of this step."""
        assert self.target is not None
        heat = self.system.units.boltz * self.target.now()
        if heat <= 0.0:
            raise InputError(f"fix {self.id}: the temperature of its noise is {heat:g}", "give one above zero")
        return heat

    def setup(self) -> None:
        self.mass, self.speed = (self.system.natoms + 1) * self._heat() * self.damp**2, np.zeros(3)

    def resume(self) -> None:
        """Masses are those of the file."""

    def _draw(self, size: float) -> np.ndarray:
        """One number for each piston; the reference draws three for tilts too, which there are none of here."""
        found, together = np.zeros(3), COUPLES[self.couple]
        for axis in (*together, *(axis for axis in range(3) if axis not in together)):
            found[axis] = found[together[0]] if axis in together[1:] else size * self.ranmar.gaussian()
        self.ranmar.gaussians(3)
        return found

    def post_integrate(self) -> None:
        dt, box = self.system.dt, self.system.need_box()
        heat, mass = self._heat(), self.mass
        self.noise = self._draw(math.sqrt(2.0 * self.friction * heat * dt))
        b = 1.0 / (1.0 + 0.5 * self.friction * dt / mass)
        longer = np.where(self.driven, b * dt * (self.speed + 0.5 / mass * (dt * self.force + self.noise)), 0.0)
        self.scale(1.0 + longer / box.lengths)

    def end_of_step(self) -> None:
        system, dt = self.system, self.system.dt
        heat, mass = self._heat(), self.mass
        rest = system.natoms * heat / system.need_box().volume * system.units.nktv2p
        force = self.pressures() + rest - self.wanted()
        h = 0.5 * self.friction * dt / mass
        a, b = (1.0 - h) / (1.0 + h), 1.0 / (1.0 + h)
        self.speed = a * self.speed + 0.5 * dt / mass * (a * self.force + force) + b / mass * self.noise
        self.force = force

    def state(self) -> dict[str, Any]:
        return super().state() | {"stream": self.ranmar.mark(), "kept": self.ranmar.kept}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self.ranmar.kept = state["kept"]
        self.ranmar.back(state["stream"], 0)
