"""A shock wave that passes over the system, as a box that is squeezed along one axis."""

from __future__ import annotations

import math

import numpy as np

from everlet.errors import InputError, RunError, arguments, number, one_of
from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nose_hoover.motion import DRIFT
from everlet.fixes.integrators.nve import set_velocity
from everlet.fixes.own_computes import OwnComputes
from everlet.portable import Kernel, View, exp, f64, i32, i64, parallel_for, parallel_reduce, portable
from everlet.portable.sums import ADD_UP
from everlet.state.broken import UNSTABLE
from everlet.state.operation import EXTENSIVE, INTENSIVE, TALLY, Gives
from everlet.state.system import System

USAGE = "fix ID all msst x|y|z SPEED [q Q] [mu MU] [p0 P0] [v0 V0] [e0 E0] [tscale FRACTION]"
GIVEN = ("p0", "v0", "e0")
SMALL = 1e-6  # rates times half a step below it: by a series


@portable
def rate_for(velocity: f64, push: f64, rate: f64, time: f64):
    """v after some time of v' = push + rate v."""
    turn = rate * time
    found = velocity + (push + rate * velocity) * time * (1.0 + 0.5 * turn)
    if abs(turn) > SMALL:
        grown = exp(turn)
        found = velocity * grown + push * (grown - 1.0) / rate
    return found


@portable
def push_and_heat(i, v: f64[:, 3], f: f64[:, 3], kind: i32[:], mass: f64[:], unit: f64, axis: i64, squeeze: f64, heat: f64,
                  time: f64):
    """v' = F/m + heat/m v, along the axis less squeeze v; the square of what comes of it, and if WRITES the velocity."""
    m = mass[kind[i]]
    warm = heat / m
    vx = rate_for(v[i, 0], unit * f[i, 0] / m, warm - (squeeze if axis == 0 else 0.0), time)
    vy = rate_for(v[i, 1], unit * f[i, 1] / m, warm - (squeeze if axis == 1 else 0.0), time)
    vz = rate_for(v[i, 2], unit * f[i, 2] / m, warm - (squeeze if axis == 2 else 0.0), time)
    if WRITES:  # noqa: F821
        set_velocity(i, v, vx, vy, vz)
    return vx * vx + vy * vy + vz * vz


@portable
def times(i, v: f64[:, 3], factor: f64):
    v[i, 0] *= factor
    v[i, 1] *= factor
    v[i, 2] *= factor


TRY, PUSH = (Kernel(push_and_heat, sums=1, statics=(("WRITES", writes), ("SMALL", SMALL))) for writes in (False, True))
TIMES = Kernel(times)


@fix_style("msst")
class MSST(OwnComputes):
    """fix ID all msst x|y|z SPEED [q Q] [mu MU] [p0 P0] [v0 V0] [e0 E0] [tscale FRACTION]

    Multi-scale shock technique (Reed, Fried, Joannopoulos, Phys. Rev. Lett. 90, 235503 (2003)): moves atoms, and the volume V
    by W = dV/dt, M the mass of all atoms,

        Q/M dW/dt = P - P0 - M SPEED^2 (1 - V/V0)/V0 - MU W/V,    dv/dt = F/m + D v - W/V v_axis,

    D = MU W^2 / (m V sum v^2) gives atoms what the viscosity takes from the volume. tscale: this part of the kinetic energy
    becomes motion of the volume at the first step, before which P0, V0, E0 are taken unless they are given.

    f_ID     energy of the volume: with it etotal is conserved
    f_ID[k]  distance from the Hugoniot (temperature), from the Rayleigh line (pressure), speed of the material and its place
             behind the shock
    """

    integrates = changes_box = needs_tally = has_energy = True
    reads, writes = ("x", "v", "f", "type", "mask"), ("x", "v")
    gives = Gives(scalar=EXTENSIVE, vector=INTENSIVE, length=4)
    keeps = ("omega", "place", "p0", "v0", "e0", "begun")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, USAGE)
        if group != "all":
            raise InputError(f"fix {id} msst of group {group}", "use group all")
        self.axis = "xyz".index(one_of("direction of fix msst", args[0], tuple("xyz")))
        self.speed = number(args[1], "the speed of the shock")
        self.numbers = {"q": 10.0, "mu": 0.0, "tscale": 0.01, **dict.fromkeys(GIVEN, math.nan)}
        self._words(args[2:])
        self._check()
        self.p0, self.v0, self.e0 = (self.numbers[name] for name in GIVEN)
        self.omega, self.place, self.begun = 0.0, 0.0, 0  # dV/dt; where the material is; whether the first step was
        self.mass = 0.0
        self.heat_id = self.make_compute("MSST_temp", "temp", "all", [])
        self.press_id = self.make_compute("MSST_press", "pressure", "all", [self.heat_id])
        self.cells, self.sum = View(45, np.float64, system.space), View(1, np.float64, system.space)

    def _words(self, given: list[str]) -> None:
        words = list(given)
        while words:
            word = words.pop(0)
            if word in ("dftb", "beta"):
                raise InputError(f"fix msst: '{word}' is not available", "leave it out: it belongs to DFTB+")
            one_of("keyword of fix msst", word, self.numbers, f"usage: {USAGE}")
            arguments(words[:1], 1, 1, USAGE)
            self.numbers[word] = number(words.pop(0), word)

    def _check(self) -> None:
        box, numbers = self.system.need_box(), self.numbers
        for name, value, good in (("SPEED", self.speed, self.speed > 0.0), ("q", numbers["q"], numbers["q"] > 0.0),
                                  ("mu", numbers["mu"], numbers["mu"] >= 0.0),
                                  ("tscale", numbers["tscale"], 0.0 <= numbers["tscale"] <= 1.0)):
            if not good:
                raise InputError(f"fix msst: {name} is {value:g}", "SPEED and q are above zero, mu is not below it, tscale is "
                                 "between 0 and 1")
        if box.triclinic or not all(box.periodic) or self.system.dimension != 3:
            raise InputError("fix msst needs an orthogonal box of three dimensions, periodic along all axes",
                             "use boundary p p p and a block")

    def kernels(self) -> list[Kernel]:
        return [TRY, PUSH, TIMES, DRIFT, ADD_UP]

    def needs(self, step: int) -> tuple[str, ...]:
        return TALLY

    def init(self) -> None:
        for fix in self.system.fixes.values():
            if fix is not self and fix.changes_box:
                raise InputError(f"fix {self.id} and fix {fix.id} both change the box", "let one of them do it")

    # ---- of now
    def _pressure(self) -> float:
        """Along the axis, with the velocities of now and the last forces."""
        sums, heat = self.heat.sums(), self.heat
        heat.note("scalar", heat.from_sums(sums))
        heat.note("vector", self.system.units.mvv2e * sums[:6])
        return float(self.press.pressures()[1][self.axis])

    def _energy(self) -> float:
        system = self.system
        sums = self.heat.sums()
        potential = float(sum(system.energies.values()))
        potential += sum(fix.scalar() for fix in system.fixes.values() if fix.energy_on and fix is not self)
        return potential + 0.5 * system.units.mvv2e * float(sums[:3].sum())

    def setup(self) -> None:
        system, units = self.system, self.system.units
        self.mass = float(system.ranks.sum(float(system.masses_of().sum())))
        if self.begun:
            return
        found = self._pressure(), system.need_box().volume, self._energy()
        for name, value in zip(GIVEN, found, strict=True):
            if math.isnan(getattr(self, name)):
                setattr(self, name, value)
        self.begun, part = 1, self.numbers["tscale"]
        moving = part * 0.5 * units.mvv2e * float(self.heat.sums()[:3].sum())
        self.omega = -math.sqrt(2.0 * moving * self.mass / (self.numbers["q"] * units.mvv2e))
        parallel_for(system.space, system.atoms.n, TIMES, system.atoms.view("v", modify=True), math.sqrt(1.0 - part))
        self.notes.append(f"fix {self.id} msst: p0 {self.p0:g}, v0 {self.v0:g}, e0 {self.e0:g}, strain rate "
                          f"{self.omega / found[1]:g}")

    # ---- the step
    def _push_volume(self) -> None:
        """Half a step of dV/dt under the pressure and the viscosity."""
        system, q = self.system, self.numbers["q"]
        units, volume, half = system.units, system.need_box().volume, 0.5 * system.dt
        pressure = (self._pressure() - self.p0) / (units.nktv2p * units.mvv2e)
        push = self.mass / q * (pressure - self.mass * self.speed**2 * (1.0 - volume / self.v0) / self.v0)
        drag = self.mass * self.numbers["mu"] / (q * volume)
        if drag * half > SMALL:
            self.omega = (self.omega + push * (math.exp(drag * half) - 1.0) / drag) * math.exp(-drag * half)
        else:
            self.omega += (push - drag * self.omega) * half * (1.0 - 0.5 * drag * half)
        if not math.isfinite(self.omega):
            raise RunError(f"the pressure is not a finite number at step {system.step}", UNSTABLE)

    def _push_atoms(self, first: bool) -> None:
        """Half a step of velocities. The sum in D is that of velocities in the middle of the step, from both sides: backwards
        in time the step is the same."""
        squares = self._squares(TRY, 0.0, 0.0)
        if first:
            squares = self._squares(TRY, squares, 0.5 * self.system.dt)
        self._squares(PUSH, squares, 0.5 * self.system.dt)

    def _squares(self, kernel: Kernel, before: float, time: float) -> float:
        """The sum of v^2 after some time, with D made from the one before."""
        system, atoms, volume = self.system, self.system.atoms, self.system.need_box().volume
        heat = self.numbers["mu"] * self.omega**2 / (before * volume) if before else 0.0
        parallel_reduce(system.space, atoms.n, kernel, atoms.view("v", modify=kernel is PUSH), atoms.view("f"),
                        system.mass_kind(), system.masses_view(), system.units.ftm2v, self.axis, self.omega / volume, heat,
                        time, into=self.sum)
        return float(system.ranks.sum(float(self.sum.get()[0])))

    def initial_integrate(self) -> None:
        self._push_volume()
        self._push_atoms(True)
        system, atoms, box, axis = self.system, self.system.atoms, self.system.need_box(), self.axis
        cells = [box.params()[:15]]
        for _ in range(2):
            factor = 1.0 + 0.5 * system.dt * self.omega / box.volume
            middle, half = 0.5 * (box.lo[axis] + box.hi[axis]), 0.5 * (box.hi[axis] - box.lo[axis]) * factor
            box.lo[axis], box.hi[axis] = middle - half, middle + half
            cells.append(box.params()[:15])
        self.cells.put(np.concatenate(cells))
        parallel_for(system.space, atoms.n, DRIFT, atoms.view("x", modify=True), atoms.view("v"), atoms.view("mask"), self.bit,
                     self.bit, system.dt, self.cells)
        system.put_box()

    def final_integrate(self) -> None:
        self._push_atoms(False)
        self._push_volume()
        self.place -= self.speed * self.system.need_box().volume / self.v0 * self.system.dt

    # ---- what others ask
    def scalar(self) -> float:
        if not self.begun:
            return 0.0
        units, volume = self.system.units, self.system.need_box().volume
        strain = 1.0 - volume / self.v0
        moving = 0.5 * self.numbers["q"] * self.omega**2 / self.mass - 0.5 * self.mass * self.speed**2 * strain**2
        return units.mvv2e * moving - self.p0 * (self.v0 - volume) / units.nktv2p

    def vector(self) -> np.ndarray:
        if not self.begun:
            return np.zeros(4)
        units, volume, heat = self.system.units, self.system.need_box().volume, self.heat
        pressure, strain = self._pressure(), 1.0 - volume / self.v0
        work = 0.5 * (pressure + self.p0) * (self.v0 - volume) / units.nktv2p
        line = units.mvv2e * units.nktv2p * self.mass * self.speed**2 * strain / self.v0
        return np.array([(work + self.e0 - self._energy()) / (heat.dof * units.boltz), pressure - self.p0 - line,
                         self.speed * strain, self.place])
