"""Forces that are added, with their energy and virial."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.words.columns import unwrapped
from everlet.errors import InputError, integer, one_of
from everlet.fixes.base import fix_style
from everlet.fixes.forces.given import Pushing
from everlet.fixes.given_force import told, virials
from everlet.portable import f64, i32, parallel_reduce, portable, put_row
from everlet.state.images import unwrap
from everlet.state.system import System


@portable
def add_force(i, f: f64[:, 3], x: f64[:, 4], image: i32[:, 3], mask: i32[:], bit: i32, fx: f64, fy: f64, fz: f64,
              each: f64[:, 4], box: f64[:]):
    """Energy -F x with x unwrapped, force before, virial xx yy zz xy xz yz of one atom."""
    a = 0.0
    b = 0.0
    c = 0.0
    px = 0.0
    py = 0.0
    pz = 0.0
    meant, fx, fy, fz = told(i, mask, bit, each, fx, fy, fz)
    if meant:
        px, py, pz = unwrap(i, x, image, box)
        a = f[i, 0]
        b = f[i, 1]
        c = f[i, 2]
        put_row(f, i, a + fx, b + fy, c + fz)
    return -(fx * px + fy * py + fz * pz), a, b, c, fx * px, fy * py, fz * pz, fx * py, fx * pz, fy * pz


@fix_style("addforce")
class AddForce(Pushing):
    """fix ID group addforce FX FY FZ [every N] [region ID] [energy v_NAME]: numbers or v_NAME.

    f_ID: energy -sum F x (x unwrapped), or the sum of the atom-style variable of `energy`; f_ID[1-3]: the force before.
    """

    usage = "fix ID group addforce FX FY FZ [every N] [region ID] [energy v_NAME]"
    body = add_force
    reads, writes = ("f", "x", "image", "mask"), ("f",)
    KEYWORDS = ("every", "region", "energy")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.interval = 1
        for word, value in zip(args[3::2], [*args[4::2], ""], strict=False):
            one_of("keyword of fix addforce", word, self.KEYWORDS)
            if word == "every":
                self.interval = integer(value, "a number of steps")
            elif word == "region":
                self.given.in_region(value)
            else:
                self.weight = value[2:]
                if not value.startswith("v_"):
                    raise InputError(f"fix addforce energy takes the name of a variable, found '{value}'", "use v_NAME")
        if self.interval < 1:
            raise InputError(f"fix addforce every {self.interval}", "give a number of steps of 1 or more")
        if self.weight and not any(self.given.names):
            raise InputError("fix addforce energy is for forces that are variables", "leave it out: it is -F x")
        self.last = np.zeros(6)

    def needs(self, step: int) -> tuple[str, ...]:
        return super().needs(step) if step % self.interval == 0 else ()

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        if self.interval > 1 and system.step % self.interval:
            return
        parallel_reduce(system.space, atoms.n, self.kernel(), atoms.view("f", modify=True), atoms.view("x"),
                        atoms.view("image"), atoms.view("mask"), self.bit, *self.given.constant, self.given.now(),
                        system.box_view(), into=self.sums)
        if self.interval > 1 and system.tallied == system.step:
            self.last = self.sums.get()[4:]
        if self.weight:
            self.put_energy(self.weights()[1].sum())

    def atom_virials(self) -> Any:
        if self.interval > 1:
            return super().atom_virials()
        return virials(self.given.on_atoms(self.bit), unwrapped(self.system))

    def virial_now(self) -> Any:
        """Of the last step at which it acted and energies were computed, as in the reference."""
        return self.all_sums()[4:] if self.interval == 1 else self.over_ranks(self.last)
