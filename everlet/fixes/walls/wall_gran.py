"""Walls that grains touch: flat ones and a cylinder, with friction that remembers."""
# ruff: noqa: F821

from __future__ import annotations

import math

import numpy as np

from everlet.errors import InputError, arguments, number, one_of
from everlet.fixes.base import ForceFix, fix_style
from everlet.forces.granular import models, physics, whole, words
from everlet.forces.granular.hooke import coefficients
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.tally import no_force
from everlet.portable import Kernel, View, add_row, exp, f64, i32, i64, log, parallel_for, portable, real, sqrt
from everlet.state.atom_styles import need_field
from everlet.state.system import SETTING_UP, STEPPING, System

LAWS = {"hooke": physics.hooke_wall, "hooke/history": physics.hooke_history_wall, "hertz/history": physics.hertz_history_wall,
        "granular": models.granular_wall}
WALLS = {"xplane": 0, "yplane": 1, "zplane": 2, "zcylinder": 3}
FAR = 1e20
USAGE = ("fix ID group wall/gran hooke|hooke/history|hertz/history KN KT GN GT MU DAMPFLAG [limit_damping] | "
         "granular NORMAL … tangential MODEL …, xplane|yplane|zplane LO HI | zcylinder RADIUS [wiggle x|y|z A PERIOD] "
         "[shear x|y|z V]")


@portable
def contact(i, old: i64, reach: f64, dx: f64, dy: f64, dz: f64, ux: f64, uy: f64, uz: f64, round_wall: f64, v: f64[:, 3],
            omega: f64[:, 3], radius: f64[:], mass: f64[:], time: f64, keep: i64, table: real[:], shear: f64[:], f: f64[:, 3],
            torque: f64[:, 3]):
    """The force of a wall on one grain, d away from it, if it is within reach; u: the wall's velocity, round_wall: its radius,
    0: flat. What contacts remember is in `shear` from `old` on."""
    p = record(table, 0)
    r = radius[i]
    r2 = dx * dx + dy * dy + dz * dz
    hx, hy, hz = no_force(0.0)
    kx, ky, kz = no_force(0.0)
    turn = 0.0
    size = 0.0
    if r2 < reach * reach:
        if WHOLE:
            gx, gy, gz, tx, ty, tz, hx, hy, hz, kx, ky, kz, turn, size = touch(
                dx, dy, dz, r2, v[i, 0] - ux, v[i, 1] - uy, v[i, 2] - uz, r * omega[i, 0], r * omega[i, 1],
                r * omega[i, 2], r, round_wall, mass[i], shear[old], shear[old + 1], shear[old + 2], time, p, omega[i, 0],
                omega[i, 1], omega[i, 2], shear[old + 3], shear[old + 4], shear[old + 5], shear[old + 6], shear[old + 7])
        if not WHOLE:
            gx, gy, gz, tx, ty, tz, hx, hy, hz = touch(
                dx, dy, dz, r2, v[i, 0] - ux, v[i, 1] - uy, v[i, 2] - uz, r * omega[i, 0], r * omega[i, 1],
                r * omega[i, 2], r, round_wall, mass[i], shear[old], shear[old + 1], shear[old + 2], time, p)
        add_row(f, i, gx, gy, gz)
        add_row(torque, i, tx, ty, tz)
    if keep:
        shear[old] = hx
        shear[old + 1] = hy
        shear[old + 2] = hz
        if WHOLE:
            shear[old + 3] = kx
            shear[old + 4] = ky
            shear[old + 5] = kz
            shear[old + 6] = turn
            shear[old + 7] = size


@portable
def reach_of(r: f64, table: real[:]):
    """How far a grain feels a wall: its radius, and with what sticks more."""
    p = record(table, 0)
    reach = r
    if WHOLE:
        reach += 2.0 * p.grip * exp(log(r) / 3.0)
    return reach


@portable
def lean(i, x: f64[:, 4], v: f64[:, 3], omega: f64[:, 3], radius: f64[:], mass: f64[:], mask: i32[:], bit: i32, axis: i64,
         lo: f64, hi: f64, along: i64, speed: f64, time: f64, keep: i64, table: real[:], shear: f64[:], f: f64[:, 3],
         torque: f64[:, 3]):
    """The force of the nearer wall on one grain. axis 3: a cylinder about z of the radius lo; along: the way of the speed."""
    if mask[i] & bit:
        reach = reach_of(radius[i], table)
        dx = 0.0
        dy = 0.0
        dz = 0.0
        ux = speed if along == 0 else 0.0
        uy = speed if along == 1 else 0.0
        uz = speed if along == 2 else 0.0
        round_wall = 0.0
        if axis < 3:
            low = x[i, axis] - lo
            high = hi - x[i, axis]
            d = low if low < high else -high
            dx = d if axis == 0 else 0.0
            dy = d if axis == 1 else 0.0
            dz = d if axis == 2 else 0.0
        else:
            across = sqrt(x[i, 0] * x[i, 0] + x[i, 1] * x[i, 1])
            gap = lo - across
            dx = FAR
            if gap < reach and across > 0.0:
                dx = -gap / across * x[i, 0]
                dy = -gap / across * x[i, 1]
                round_wall = -2.0 * lo if across < lo else 2.0 * lo
                if along < 2:
                    ux = speed * x[i, 1] / across
                    uy = -speed * x[i, 0] / across
        contact(i, i * HISTORY, reach, dx, dy, dz, ux, uy, uz, round_wall, v, omega, radius, mass, time, keep, table, shear,
                f, torque)


@fix_style("wall/gran")
class WallGran(ForceFix):
    """fix ID group wall/gran STYLE KN KT GN GT MU DAMPFLAG [limit_damping] WALL [wiggle AXIS A PERIOD] [shear AXIS V]

    STYLE hooke, hooke/history or hertz/history: forces as of the pair styles of these names (forces/granular/physics.py), with
    m the mass of the grain and R its radius; or granular NORMAL … tangential MODEL …, as pair_coeff of pair style granular has
    them (forces/granular/models.py). WALL: xplane|yplane|zplane LO HI (NULL: none), of which the nearer one acts, or
    zcylinder RADIUS, about the z axis. wiggle: walls are at + A (1 - cos wt), w = 2 pi / PERIOD, t since the definition; shear:
    they move along themselves, those of a cylinder around it unless along z. Walls count to no energy and no pressure.

    By jkr grains stick to a wall until they are pulled off; in the reference to a cylinder only until their overlap ends.
    The reference (up to its update 4) has the stiffness KT of history walls times sqrt(overlap R), which is meant for Hertz,
    and adds up the speed of a cylinder that turns over grains.
    """

    steady = True
    keeps: tuple[str, ...] = ("origin",)
    reads, writes = ("x", "v", "omega", "radius", "rmass", "mask", "f", "torque"), ("f", "torque")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, USAGE)
        need_field(system.atoms, "radius", f"fix {id} wall/gran")
        self.law = one_of("style of fix wall/gran", args[0], LAWS, f"usage: {USAGE}")
        values, rest = self._numbers(args[1:])
        self.fields_of_law = tuple(values)
        self.values = values
        self.table = View(len(values), np.float64, system.space)
        self.table.put(list(values.values()))
        self.way, self.amplitude, self.period, self.speed = 0, 0.0, 0.0, 0.0
        self._place(rest)
        self._check()
        self.origin = system.step
        self.add_field("shear", width=self._width())

    def _width(self) -> int:
        """How many numbers a grain remembers."""
        return 8 if self.whole else 3

    def _place(self, rest: list[str]) -> None:
        """Where walls are and how they move."""
        arguments(rest, 2, None, USAGE)
        self.axis = WALLS[one_of("wall of fix wall/gran", rest[0], WALLS, f"usage: {USAGE}")]
        if self.axis == 3:
            self.lo, self.hi, rest = number(rest[1], "a radius"), FAR, rest[2:]
            if self.lo <= 0.0:
                raise InputError(f"fix {self.id}: a cylinder of radius {rest[1]}", "give a radius above zero")
        else:
            arguments(rest, 3, None, USAGE)
            self.lo, self.hi = (way * FAR if word == "NULL" else number(word, "a place") for way, word in
                                ((-1.0, rest[1]), (1.0, rest[2])))
            rest = rest[3:]
        self._moving(rest)

    def _numbers(self, args: list[str]) -> tuple[Values, list[str]]:
        """Those of the law, and the words behind them."""
        self.whole, self.touch = False, LAWS[self.law]
        if self.law == "granular":
            values, rest = words.read(args)
            self.whole = words.whole(values)
            self.touch = whole.granular_wall if self.whole else self.touch
            return words.numbers(values, self.whole), rest
        count = 7 if args[6:7] == ["limit_damping"] else 6
        pressure = self.system.units.nktv2p if self.law.startswith("hertz") else 1.0
        return coefficients(f"fix wall/gran {self.law}", args[:count], pressure), args[count:]

    def _moving(self, given: list[str]) -> None:
        if not given:
            return
        word = one_of("keyword of fix wall/gran", given[0], ("wiggle", "shear"), f"usage: {USAGE}")
        arguments(given[1:], 3 if word == "wiggle" else 2, 3 if word == "wiggle" else 2, USAGE)
        self.way = "xyz".index(one_of("axis", given[1], tuple("xyz")))
        if word == "shear":
            self.speed = number(given[2], "a velocity")
            if self.way == self.axis:
                raise InputError(f"fix {self.id}: a wall cannot be sheared across itself", "name another axis")
            return
        self.amplitude, self.period = number(given[2], "an amplitude"), number(given[3], "a period")
        if self.period <= 0.0:
            raise InputError(f"fix {self.id}: a period of {given[3]}", "give a time above zero")
        if self.axis == 3 and self.way != 2:
            raise InputError(f"fix {self.id}: a cylinder can wiggle along z only", "use wiggle z")

    def _check(self) -> None:
        periodic = self.system.need_box().periodic
        for axis in (0, 1) if self.axis == 3 else (self.axis,):
            if periodic[axis]:
                raise InputError(f"fix {self.id}: the box is periodic along {'xyz'[axis]}, across a wall",
                                 "use boundary f or s")

    def kernels(self) -> list[Kernel]:
        return [self._kernel()]

    def _kernel(self) -> Kernel:
        known = ("touch", self.touch), ("WHOLE", self.whole), ("HISTORY", 8 if self.whole else 3)
        return Kernel(lean, fields=self.fields_of_law, statics=known)

    def _motion(self) -> tuple[float, float]:
        """How far walls have moved across, and their speed."""
        if not self.amplitude:
            return 0.0, self.speed
        w = 2.0 * math.pi / self.period
        angle = w * (self.system.step - self.origin) * self.system.dt
        across = self.amplitude * (1.0 - math.cos(angle)) if self.way == self.axis else 0.0
        return across, self.amplitude * w * math.sin(angle)

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        shift, speed = self._motion()
        parallel_for(system.space, atoms.n, self._kernel(), atoms.view("x"), atoms.view("v"), atoms.view("omega"),
                     atoms.view("radius"), atoms.view("rmass"), atoms.view("mask"), self.bit, self.axis, self.lo + shift,
                     self.hi + shift, self.way, speed, system.dt if system.passing == STEPPING else 0.0,
                     int(system.passing >= SETTING_UP and self.law != "hooke"), self.table,
                     atoms.view(self.field("shear"), modify=True).flat(), atoms.view("f", modify=True),
                     atoms.view("torque", modify=True))
