"""A torque on a group, which turns as a rigid body would."""

from __future__ import annotations

import numpy as np

from everlet.computes.motion.rotation import Body
from everlet.errors import arguments
from everlet.fixes.base import ForceFix, fix_style
from everlet.fixes.given_number import GivenNumber
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System


@fix_style("addtorque")
class AddTorque(ForceFix):
    """fix ID group addtorque TX TY TZ: numbers or v_NAME. F = m (alpha x d + omega x (omega x d)), d from the centre of mass,
    omega and alpha of a rigid body with these atoms, their angular momentum and this torque.

    f_ID: -sum F x (x in the box); f_ID[1-3]: the torque about the centre before. It works on the host.
    """

    gives = Gives(scalar=EXTENSIVE, vector=EXTENSIVE, length=3)
    has_energy = minimizes = True
    reads, writes = ("f", "x", "v", "image", "mask", "type"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, 3, "fix ID group addtorque TX TY TZ")
        self.torque = [GivenNumber(system, word, "a torque", f"fix {id}") for word in args]
        self.sums = np.zeros(4)

    def init(self) -> None:
        for one in self.torque:
            one.init()

    def needs(self, step: int) -> tuple[str, ...]:
        return tuple(need for one in self.torque for need in one.needs(step))

    def post_force(self) -> None:
        body, mvv2e = Body(self.system, self.bit), self.system.units.mvv2e
        atoms = self.system.atoms
        f, d, m = atoms.edit("f"), body.x - body.centre, body.m[:, None]
        omega = body.angular_velocity()
        inner = (m * (d @ omega)[:, None] * np.cross(d, omega)).sum(axis=0)
        alpha = body.turned_by(np.array([one.now() for one in self.torque]) - mvv2e * self.system.ranks.sum(inner))
        force = m * (np.cross(alpha, d) + mvv2e * np.cross(omega, np.cross(omega, d)))
        energy = -(force * atoms.read("x")[body.rows, :3]).sum()
        self.sums = np.array([energy, *np.cross(d, f[body.rows]).sum(axis=0)])
        f[body.rows] += force

    def scalar(self) -> float:
        return float(self.over_ranks(self.sums)[0])

    def vector(self) -> np.ndarray:
        return self.over_ranks(self.sums)[1:]
