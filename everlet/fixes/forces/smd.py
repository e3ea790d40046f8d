"""A spring whose end moves, or a constant force, pulls the centre of mass of a group: steered molecular dynamics."""

from __future__ import annotations

import numpy as np

from everlet.computes.motion.com import MOMENTS, mass_and_centre
from everlet.errors import InputError, arguments, number, one_of
from everlet.fixes.base import ForceFix, fix_style
from everlet.fixes.forces.spring import PULL, SMALL, pull_group
from everlet.portable import Kernel
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group smd cvel K VEL|cfor F tether X Y Z R0|couple GROUP2 X Y Z R0"


@fix_style("smd")
class SMD(ForceFix):
    """fix ID group smd cvel K VEL | cfor F, then tether X Y Z R0 | couple GROUP2 X Y Z R0: pulls the centre of mass c.

    tether: d = c - (X Y Z), without axes that are NULL; n its direction when the run begins (z if d is 0).
      cvel: force -K (|d| - R0 - rho) d/|d|, rho is |d| when the run begins and grows by VEL dt in each step
      cfor: force F d/|d| towards (X Y Z), R0 is not used
    couple: d = centre of GROUP2 - c; n is along (X Y Z), NULL is 0; `auto`: that of d now, beside
      the others of rho n of the step before.
      cvel: force K (|q| - R0) q/|q| with q = d - rho n, rho is first |(X Y Z)| and grows by VEL dt
      cfor: force F n; GROUP2 gets the opposite force
    Centres are unwrapped, atoms share forces by mass. f_ID[1-3]: force on the group; [4]: its size along the pull (cfor: F);
    f_ID[5]: rho; f_ID[6]: distance of the points, where NULL counts as 0; f_ID[7]: work of cvel, summed up over runs.
    As in the reference, each run begins a pull anew, and neither the energy nor the virial has it.
    """

    gives = Gives(vector=EXTENSIVE, length=7)
    keeps = put_back = ("work", "rho", "along", "shown")
    reads, writes = ("f", "x", "image", "mask", "type"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 7, 9, USAGE)
        words = list(args)
        self.steered = one_of("way to pull of fix smd", words.pop(0), ("cvel", "cfor")) == "cvel"
        self.strength = number(words.pop(0), "a spring constant" if self.steered else "a force")
        self.speed = number(words.pop(0), "a velocity") if self.steered else 0.0
        if self.strength <= 0.0 and self.steered:
            raise InputError(f"fix {id} smd: a spring constant of {self.strength:g}", "K is above 0")
        self.other = ""
        if one_of("keyword of fix smd", words.pop(0), ("tether", "couple"), f"usage: {USAGE}") == "couple":
            self.other = words.pop(0)
            self.other_bit = system.groups.bit(self.other)
            if self.other == group:
                raise InputError(f"fix {id} smd: group {group} is to be pulled to itself", "name two groups")
        arguments(words, 4, 4, USAGE)
        self.free = np.array([word == "NULL" for word in words[:3]])
        self.auto = np.array([word == "auto" for word in words[:3]])
        if not self.other and self.auto.any():
            raise InputError(f"fix {id} smd: a point that is auto", "auto is for couple; give coordinates, or NULL")
        self.point = np.array([0.0 if word in ("NULL", "auto") else number(word, "a coordinate") for word in words[:3]])
        self.r0 = number(words[3], "a length")
        if self.r0 < 0:
            raise InputError(f"fix {id} smd: a spring of length {words[3]}", "R0 is 0 or more")
        if self.other and not (self.auto.any() or self.point.any()):
            raise InputError(f"fix {id} smd: a pull along no direction", "give one, or auto")
        self.work, self.rho, self.along = 0.0, 0.0, np.zeros(3)
        self.shown = np.zeros(7)

    def kernels(self) -> list[Kernel]:
        return [PULL, MOMENTS]

    def init(self) -> None:
        for group, bit in ((self.group, self.bit), *([(self.other, self.other_bit)] if self.other else [])):
            if not mass_and_centre(self.system, bit)[0]:
                raise InputError(f"fix {self.id} smd: group {group} has no atoms", "it has no centre to pull at")

    def resume(self) -> None: ...

    def setup(self) -> None:
        whole = self._whole()
        way = np.where(self.free, 0.0, np.where(self.auto, whole, self.point) if self.other else whole)
        self.rho = float(np.linalg.norm(way))
        self.along = way / self.rho if self.rho > SMALL else np.array([0.0, 0.0, 1.0])
        self.post_force()

    def _whole(self) -> np.ndarray:
        """From the group to the other one, or from the point to the group."""
        self.mass, centre = mass_and_centre(self.system, self.bit)
        if not self.other:
            return centre - self.point
        self.other_mass, end = mass_and_centre(self.system, self.other_bit)
        return end - centre

    def post_force(self) -> None:
        whole = self._whole()
        way = np.where(self.free, 0.0, whole)
        if self.other:
            meant = np.where(self.free, 0.0, np.where(self.auto, whole, self.rho * self.along))
            length = float(np.linalg.norm(meant))
            self.along = along = meant / length if length > SMALL else np.zeros(3)
            stretched, rest = way - self.rho * along, self.r0
        else:
            length, along = float(np.linalg.norm(way)), -self.along
            stretched, rest = -way, self.r0 + self.rho
        if self.steered:
            size = float(np.linalg.norm(stretched))
            force = self.strength * (size - rest) * stretched / size if size > SMALL else np.zeros(3)
            pull = float(force @ along)
            self.work += (pull if self.other else -pull) * self.speed * self.system.dt
            self.rho += self.speed * self.system.dt
        else:
            self.rho, pull = length, self.strength
            force = self.strength * (along if self.other else -way / length if length > SMALL else np.zeros(3))
        self.shown = np.array([*force, pull, self.rho, np.linalg.norm(whole), self.work])
        pull_group(self.system, self.bit, self.mass, force)
        if self.other:
            pull_group(self.system, self.other_bit, self.other_mass, -force)

    def vector(self) -> np.ndarray:
        return self.shown
