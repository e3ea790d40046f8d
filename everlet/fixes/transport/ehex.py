"""Heat exchange that conserves energy better: Wirnsberger, Frenkel, Dellago, J. Chem. Phys. 143, 124104 (2015)."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, unknown
from everlet.fixes.base import fix_style
from everlet.fixes.constraints.base import Constraints
from everlet.fixes.constraints.observed import centres
from everlet.fixes.transport.heat import Heat, Moving
from everlet.state.system import System

WORDS = ("region", "hex", "constrain", "com")


@fix_style("ehex")
class EHEX(Heat):
    """fix ID group ehex N EFLUX [region ID] [hex] [constrain [com]]: as fix heat, and before it positions are corrected (not
    with hex):

    x -= dt^3 [F/(2 K^2) (v - v_c) (F/48 + sum f (v - v_c)/6) - F/(12 K) (f/m - sum f / sum m)],  F = EFLUX N. f_ID: s

    constrain: forces of fix rattle or shake follow what has changed. com: of molecules that it holds all atoms count, or none,
    by where the centre of mass is.
    """

    moves_last = True
    usage = "fix ID group ehex N EFLUX [region ID] [hex] [constrain [com]]"
    reads, writes = ("v", "x", "f", "mask", "type"), ("v", "x", "f")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        self.hex = self.constrains = self.com = False
        super().__init__(system, id, group, args)
        if self.variable:
            raise InputError(f"fix {id}: ehex with a variable is not available", "give a number")

    def keywords(self, words: list[str]) -> None:
        left = [word for word in words if word not in ("hex", "constrain", "com")]
        self.hex, self.constrains, self.com = "hex" in words, "constrain" in words, "com" in words
        for word in left[::2]:
            if word != "region":
                raise unknown("keyword of fix ehex", word, WORDS, f"usage: {self.usage}")
        arguments(left, 0, 2, self.usage)
        if self.com and not self.constrains:
            raise InputError("fix ehex com: it is for molecules that fix rattle holds", "use constrain com, or leave it out")
        super().keywords(left)

    def init(self) -> None:
        super().init()
        self.held: Constraints | None = None
        if self.constrains:
            self.held = next((fix for fix in self.system.fixes.values() if isinstance(fix, Constraints)), None)
            if self.held is None:
                raise InputError(f"fix {self.id} ehex constrain: there is no fix rattle or shake",
                                 "define one, or leave it out")

    def end_of_step(self) -> None:
        system, instead = self.system, centres(self.held) if self.held is not None and self.com else None
        atoms = Moving(system, self.bit, self.region, True, instead)
        if not self.hex and atoms.energy > 0.0:
            flux, k = self.flux * self.every * system.units.ftm2v, atoms.energy
            f = system.atoms.read("f")[atoms.rows] * system.units.ftm2v
            u = atoms.v - atoms.velocity
            sums = atoms.sum([float((f * u).sum()), *f.sum(axis=0)])
            shift = flux / (2.0 * k * k) * u * (flux / 48.0 + sums[0] / 6.0)
            shift -= flux / (12.0 * k) * (f / atoms.m[:, None] - sums[1:] / atoms.mass)
            system.atoms.edit("x")[atoms.rows] -= system.dt**3 * shift
        self.heat(atoms, np.float64(self.flux))
        if self.held is not None:
            self.held.constrain_again()
