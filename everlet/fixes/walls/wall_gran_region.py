"""Walls that grains touch, of the shape of a region."""
# ruff: noqa: F821

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, one_of
from everlet.fixes.base import fix_style
from everlet.fixes.walls.region_contacts import contacts, radii, styles_of
from everlet.fixes.walls.wall_gran import FAR, WallGran, contact, reach_of
from everlet.portable import Kernel, View, f64, i32, i64, parallel_for, portable, real
from everlet.state.regions import Region
from everlet.state.system import SETTING_UP, STEPPING

USAGE = "fix ID group wall/gran/region hooke|hooke/history|hertz/history … | granular …, region REGION"


@portable
def lean_on(i, slot: i64, gaps: f64[:, 7], v: f64[:, 3], omega: f64[:, 3], radius: f64[:], mass: f64[:], mask: i32[:], bit: i32,
            time: f64, keep: i64, table: real[:], shear: f64[:], f: f64[:, 3], torque: f64[:, 3]):
    """The force of one surface on one grain. gaps: the way from the surface (3), its velocity (3), its radius."""
    if mask[i] & bit:
        contact(i, (i * SLOTS + slot) * HISTORY, reach_of(radius[i], table), gaps[i, 0], gaps[i, 1], gaps[i, 2], gaps[i, 3],
                gaps[i, 4], gaps[i, 5], gaps[i, 6], v, omega, radius, mass, time, keep, table, shear, f, torque)


@fix_style("wall/gran/region")
class WallGranRegion(WallGran):
    """fix ID group wall/gran/region STYLE …, region REGION: the forces of fix wall/gran at each surface of a region that grains
    touch (fixes/walls/region_contacts.py), from inside, with side out from outside, with open faces from both sides.

    A region that moves or turns takes grains along: its speed is what it has moved in the last step. Where forces depend on
    the radius of the wall it is that of a sphere and twice that of a cylinder, as in the reference, negative from inside; cones
    and ellipsoids have forces of style hooke and hooke/history. Contacts are found on the host.
    """

    steady = False
    keeps = ("last", "origin")

    def _place(self, rest: list[str]) -> None:
        arguments(rest, 2, None, USAGE)
        one_of("wall of fix wall/gran/region", rest[0], ("region",), f"usage: {USAGE}")
        if rest[2:]:
            raise InputError(f"fix {self.id}: '{rest[2]}' is not available in fix wall/gran/region", "leave it out")
        self.name = one_of("region", rest[1], self.system.regions)
        self.last: list[float] = []  # step, shift and angle of the region when it acted last
        self.gaps = View((1, 7), np.float64, self.system.space)
        self._check_shapes(self._region())
        self.slots = max(len(contacts(self._region(), np.zeros((0, 3)), 1.0)), 1)

    def _check(self) -> None:
        """Walls may be anywhere."""

    def _region(self) -> Region:
        if self.name not in self.system.regions:
            raise InputError(f"region {self.name} was removed while fix {self.id} uses it", "define it again")
        return self.system.regions[self.name]

    def _check_shapes(self, region: Region) -> None:
        if any(word.startswith("v_") for word in region.shape):
            raise InputError(f"fix {self.id}: the shape of region {region.name} follows variables",
                             "let it move or rotate, or use fix wall/region")
        if self.law not in ("hooke", "hooke/history") and "ellipsoid" in styles_of(region):
            raise InputError(f"fix {self.id}: {self.law} at a region of style ellipsoid", "use hooke or hooke/history")

    def init(self) -> None:
        self._check_shapes(self._region())

    def _width(self) -> int:
        return self.slots * super()._width()

    def _kernel(self) -> Kernel:
        known = ("touch", self.touch), ("WHOLE", self.whole), ("HISTORY", 8 if self.whole else 3), ("SLOTS", self.slots)
        return Kernel(lean_on, fields=self.fields_of_law, statics=known)

    def _speeds(self, region: Region, points: np.ndarray) -> np.ndarray | float:
        """Velocities of the region at these points."""
        if not region.moves:
            return 0.0
        shift = [0.0 if word == "NULL" else region.variable(word) for word in region.move]
        now = [float(self.system.step), *shift, region.variable(region.turn) if region.turn else 0.0]
        if self.last and self.last[0] < now[0]:
            self.rates = (np.array(now[1:]) - np.array(self.last[1:])) / ((now[0] - self.last[0]) * self.system.dt)
        elif not self.last:
            self.rates = np.zeros(4)
        self.last = now
        found = np.broadcast_to(self.rates[:3], points.shape)
        if region.turn:
            found = found + self.rates[3] * np.cross(region.axis_of_turn, points - region.pivot - np.array(shift))
        return found

    def post_force(self) -> None:
        system, atoms, region = self.system, self.system.atoms, self._region()
        x, radius = atoms.read("x")[:, :3], atoms.read("radius")
        largest = float(radius.max(initial=0.0))
        grip = float(self.values.get("grip", 0.0))
        cutoff = largest + 2.0 * grip * largest ** (1.0 / 3.0) if self.whole else largest
        if self.gaps.shape[0] < atoms.n:
            self.gaps = View((atoms.capacity, 7), np.float64, system.space)
        for slot, (rows, _, vectors) in enumerate(contacts(region, x, cutoff)):
            gaps = np.zeros((self.gaps.shape[0], 7))
            gaps[:, 0] = FAR
            gaps[rows, :3] = vectors
            gaps[rows, 3:6] = self._speeds(region, x[rows] - vectors)
            gaps[rows, 6] = radii(region, x[rows], vectors, slot)
            self.gaps.put(gaps)
            parallel_for(system.space, atoms.n, self._kernel(), slot, self.gaps, atoms.view("v"), atoms.view("omega"),
                         atoms.view("radius"), atoms.view("rmass"), atoms.view("mask"), self.bit,
                         system.dt if system.passing == STEPPING else 0.0,
                         int(system.passing >= SETTING_UP and self.law != "hooke"), self.table,
                         atoms.view(self.field("shear"), modify=True).flat(), atoms.view("f", modify=True),
                         atoms.view("torque", modify=True))
