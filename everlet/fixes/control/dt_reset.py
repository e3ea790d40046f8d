"""A timestep that follows the fastest atom."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, integer, number, unknown
from everlet.fixes.base import Fix, fix_style
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group dt/reset N TMIN|NULL TMAX|NULL XMAX [emax E] [units lattice|box]"


@fix_style("dt/reset")
class DtReset(Fix):
    """fix ID group dt/reset N TMIN|NULL TMAX|NULL XMAX [emax E] [units lattice|box]: every N steps the timestep becomes
    the longest one in which no atom moves farther than XMAX or gains more energy than E, between TMIN and TMAX.

    f_ID: the step of the last change
    """

    gives = Gives(scalar=INTENSIVE)
    reads = ("v", "f", "mask", "type")
    keeps = ("last",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, USAGE)
        self.every = integer(args[0], "a number of steps")
        low, high = (None if word == "NULL" else number(word, "a time") for word in args[1:3])
        if self.every < 1 or low is not None and low < 0 or high is not None and high <= 0 or (low or 0) >= (high or np.inf):
            raise InputError(f"fix dt/reset {' '.join(args[:3])}", "give steps of 1 or more and times 0 <= TMIN < TMAX")
        self.low, self.high = low or 0.0, np.inf if high is None else high
        self.emax, units = np.inf, "lattice"
        for word, value in zip(args[4::2], [*args[5::2], ""], strict=False):
            if word == "emax":
                self.emax = number(value, "an energy")
            elif word == "units" and value in ("lattice", "box"):
                units = value
            else:
                raise unknown("keyword of fix dt/reset", f"{word} {value}", ("emax", "units lattice", "units box"))
        scale = system.lattice.spacing[0] if units == "lattice" and system.lattice is not None else 1.0
        self.xmax = scale * number(args[3], "a length")
        if self.xmax <= 0.0 or self.emax <= 0.0:
            raise InputError("fix dt/reset: XMAX and E must be above zero", f"usage: {USAGE}")
        self.last = system.step

    def setup(self) -> None:
        self.end_of_step()

    def resume(self) -> None:
        """The timestep is that of the file."""

    def longest(self) -> float:
        """The longest timestep that all atoms of the group allow."""
        system, atoms = self.system, self.system.atoms
        rows = np.flatnonzero(atoms.read("mask") & self.bit)
        v, f = atoms.read("v")[rows], atoms.read("f")[rows]
        a = f * (system.units.ftm2v / system.masses_of()[rows])[:, None]
        speed, pull, force = (np.sqrt((some**2).sum(axis=1)) for some in (v, a, f))
        with np.errstate(divide="ignore", invalid="ignore"):
            dt = np.minimum(self.xmax / speed, np.sqrt(2.0 * self.xmax / pull))
            dt = np.minimum(dt, self.emax / (force * speed)) if np.isfinite(self.emax) else dt
            way = np.sqrt(((dt[:, None] * v + 0.5 * dt[:, None] ** 2 * a) ** 2).sum(axis=1))
            dt = np.where(way > self.xmax, dt * self.xmax / way, dt)
        mine = -float(np.nanmin(dt, initial=np.inf))
        return -float(system.ranks.max(np.array([mine]))[0])

    def end_of_step(self) -> None:
        system = self.system
        dt = min(max(self.longest(), self.low), self.high)
        if not np.isfinite(dt) or dt == system.dt:
            return
        self.last, system.time_base, system.dt = system.step, (system.step, system.time), dt
        for fix in system.fixes.values():
            fix.new_timestep()

    def scalar(self) -> float:
        return float(self.last)
