"""An electric field that acts on charges, with its energy and virial."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.words.columns import unwrapped
from everlet.errors import InputError, one_of
from everlet.fixes.base import fix_style
from everlet.fixes.forces.given import Pushing
from everlet.fixes.given_force import told, virials
from everlet.portable import add_row, f64, i32, parallel_reduce, portable
from everlet.state.atom_styles import need_field
from everlet.state.images import unwrap
from everlet.state.system import System

USAGE = "fix ID group efield EX EY EZ [region ID] [energy v_NAME | potential v_NAME]"


@portable
def push_charge(i, f: f64[:, 3], x: f64[:, 4], image: i32[:, 3], q: f64[:], mask: i32[:], bit: i32, scale: f64, ex: f64,
                ey: f64, ez: f64, each: f64[:, 4], box: f64[:]):
    """F = q E of one atom: energy -F x with x unwrapped, F, virial xx yy zz xy xz yz."""
    meant, ex, ey, ez = told(i, mask, bit, each, ex, ey, ez)
    charge = 0.0
    if meant:
        charge = scale * q[i]
    fx = charge * ex
    fy = charge * ey
    fz = charge * ez
    add_row(f, i, fx, fy, fz)
    px, py, pz = unwrap(i, x, image, box)
    return -(fx * px + fy * py + fz * pz), fx, fy, fz, fx * px, fy * py, fz * pz, fx * py, fx * pz, fy * pz


@fix_style("efield")
class Efield(Pushing):
    """fix ID group efield EX EY EZ [region ID] [energy v_NAME | potential v_NAME]: F = q E; numbers or v_NAME.

    f_ID: energy -sum q E x (x unwrapped) of a constant field; of a variable one the sum of the atom-style variable `energy`,
    or of q times that of `potential`, else 0. f_ID[1-3]: the force that is added. A variable field has no virial, as in the
    reference.
    """

    usage = USAGE
    body = push_charge
    reads, writes = ("f", "x", "image", "mask", "q"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        need_field(system.atoms, "q", f"fix {id} (efield)")
        self.volts = ""  # the variable, if it is a potential
        for word, value in zip(args[3::2], [*args[4::2], ""], strict=False):
            one_of("keyword of fix efield", word, ("region", "energy", "potential"), f"usage: {USAGE}")
            if word == "region":
                self.given.in_region(value)
                continue
            if not value.startswith("v_"):
                raise InputError(f"fix efield {word} takes the name of a variable, found '{value}'", "use v_NAME")
            if self.weight and bool(self.volts) != (word == "potential"):
                raise InputError("fix efield has both energy and potential", "leave one of them out")
            self.weight = value[2:]
            self.volts = self.weight if word == "potential" else ""
        if self.weight and not any(self.given.names):
            raise InputError("fix efield: energy and potential are for fields that are variables", "leave it out: it is -q E x")

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        parallel_reduce(system.space, atoms.n, self.kernel(), atoms.view("f", modify=True), atoms.view("x"),
                        atoms.view("image"), atoms.view("q"), atoms.view("mask"), self.bit, system.units.qe2f,
                        *self.given.constant, self.given.now(), system.box_view(), into=self.sums)
        if any(self.given.names):
            self.put_energy(self._variable_energy() if self.weight else 0.0)

    def _variable_energy(self) -> float:
        """Of this rank's atoms."""
        rows, values = self.weights()
        return self.system.units.qe2f * (self.system.atoms.read("q")[rows] * values).sum() if self.volts else values.sum()

    def atom_virials(self) -> Any:
        if any(self.given.names):
            return np.zeros((self.system.atoms.n, 6))
        forces = self.system.units.qe2f * self.system.atoms.read("q")[:, None] * self.given.on_atoms(self.bit)
        return virials(forces, unwrapped(self.system))

    def virial_now(self) -> Any:
        return np.zeros(6) if any(self.given.names) else self.all_sums()[4:]
