"""Motion without inertia of spheres, whose dipoles turn."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.integrators.brownian import TURNING, Brownian, creep, noise_of
from everlet.portable import Kernel, f64, i32, i64, parallel_for, portable, put_row, sqrt
from everlet.state.atom_styles import need_field
from everlet.state.system import System


@portable
def creep_and_turn(i, x: f64[:, 4], v: f64[:, 3], f: f64[:, 3], mask: i32[:], bit: i32, id: i64[:], seed: i64, stream: i64,
                   listed: f64[:, 6], control: i64[:], factors: f64[:], dt: f64, torque: f64[:, 3], mu: f64[:, 3]):
    """As `creep`, and mu += dt w x mu with the length that it had, w = torque / gamma_r + noise."""
    creep(i, x, v, f, mask, bit, id, seed, stream, listed, control, factors, dt)
    if mask[i] & bit:
        a, b, c = noise_of(i, 3, id, seed, stream + TURNING, listed, control)
        wx = factors[5] * (factors[3] * torque[i, 0] + factors[6] * factors[4] * a)
        wy = factors[5] * (factors[3] * torque[i, 1] + factors[6] * factors[4] * b)
        wz = factors[3] * torque[i, 2] + factors[4] * c
        px = mu[i, 0]
        py = mu[i, 1]
        pz = mu[i, 2]
        size = px * px + py * py + pz * pz
        if size > 0.0:
            qx = px + dt * (wy * pz - wz * py)
            qy = py + dt * (wz * px - wx * pz)
            qz = pz + dt * (wx * py - wy * px)
            k = sqrt(size / (qx * qx + qy * qy + qz * qz))
            put_row(mu, i, k * qx, k * qy, k * qz)


@fix_style("brownian/sphere")
class BrownianSphere(Brownian):
    """fix ID group brownian/sphere T SEED gamma_t G gamma_r H [rng uniform|gaussian|none] [rotation_temp TR] [planar_rotation]
    [rotation_style projection]

    As fix brownian, and dipoles turn with w = torque / H + sqrt(2 k_B TR / (H dt)) xi: mu += dt w x mu, with the length that it
    had (Ilie et al., J. Chem. Phys. 142, 114103 (2015)). planar_rotation: about z alone, as in two dimensions.
    """

    name, turns = "brownian/sphere", True
    reads, writes = ("x", "v", "f", "mask", "id", "torque", "mu"), ("x", "v", "mu")
    words = ("gamma_t", "gamma_r", "rng", "rotation_temp", "planar_rotation", "rotation_style")
    usage = "fix ID group brownian/sphere T SEED gamma_t G gamma_r H [rng …] [rotation_temp T] [planar_rotation]"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        for field in ("torque", "mu"):
            need_field(system.atoms, field, f"fix {id} brownian/sphere")

    def _kernel(self) -> Kernel:
        made = self._made(creep_and_turn)
        return Kernel(made.body, statics=(*made.statics, ("TURNING", TURNING)))

    def _move(self) -> None:
        atoms = self.system.atoms
        parallel_for(self.system.space, atoms.n, self._kernel(), *self._arguments(), atoms.view("torque"),
                     atoms.view("mu", modify=True))
