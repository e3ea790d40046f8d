"""Heat that flows into a group of atoms, or out of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.words.peratom import owned
from everlet.computes.words.references import needs, variables
from everlet.errors import InputError, RunError, arguments, number, one_of, unknown
from everlet.fixes.base import Fix, every_steps, fix_style
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System


class Moving:
    """Atoms of a group, and of a region if there is one: rows of this rank, masses, velocities; sums over all ranks. wrapped:
    those count whose image in the box is in the region (others: where they are, which is outside of the box between builds
    of lists). instead: rows, and places that count for these atoms in place of their own."""

    def __init__(self, system: System, bit: Any, region: str, wrapped: bool = False,
                 instead: tuple[np.ndarray, np.ndarray] | None = None):
        atoms = system.atoms
        inside = (atoms.read("mask") & bit) != 0
        if region:
            x = atoms.read("x")
            if wrapped:
                x = x.copy()
                if instead is not None:
                    x[instead[0], :3] = instead[1]
                system.need_box().wrap(x, np.zeros((len(x), 3), np.int32))
            inside &= system.regions[region].inside(x)
        self.system, self.rows = system, np.flatnonzero(inside)
        self.m, self.v = system.masses_of()[self.rows], atoms.read("v")[self.rows]
        sums = self.sum([self.m.sum(), *(self.m @ self.v), float(self.m @ (self.v**2).sum(axis=1)), len(self.rows)])
        self.mass, self.count = float(sums[0]), float(sums[5])
        self.velocity: np.ndarray = sums[1:4] / (self.mass or 1.0)
        self.energy = 0.5 * float(sums[4]) - 0.5 * self.mass * float(self.velocity @ self.velocity)  # about the centre

    def sum(self, values: Any) -> np.ndarray:
        return self.system.ranks.sum(np.array(values, float))


@fix_style("heat")
class Heat(Fix):
    """fix ID group heat N EFLUX [region ID]: every N steps v = s v - (s-1) v_c, s^2 = 1 + EFLUX N dt / K, K the kinetic energy
    about the centre of mass, v_c its velocity. EFLUX: a number, v_NAME of equal style, or of atom style: one s for each atom,
    and the momentum that all have gained is taken off.

    f_ID: s, or the mean of those of the atoms.
    """

    gives = Gives(scalar=INTENSIVE)
    reads: tuple[str, ...] = ("v", "x", "mask", "type")
    writes: tuple[str, ...] = ("v",)
    usage = "fix ID group heat N EFLUX [region ID]"
    keeps = ("scale",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, self.usage)
        self.every, self.variable, self.region, self.scale = every_steps(args[0], f"fix {id}:"), "", "", 1.0
        self.flux = 0.0
        if args[1].startswith("v_"):
            self.variable = args[1][2:]
        else:
            self.flux = number(args[1], "a rate of heating")
        self.keywords(list(args[2:]))

    def keywords(self, words: list[str]) -> None:
        while words:
            word = words.pop(0)
            if word != "region":
                raise unknown(f"keyword of fix {self.id}", word, ("region",), f"usage: {self.usage}")
            arguments(words[:1], 1, 1, self.usage)
            self.region = words.pop(0)
            one_of("region", self.region, self.system.regions)

    def init(self) -> None:
        super().init()
        style = variables(self.system, self.variable).style(self.variable) if self.variable else "equal"
        if style not in ("equal", "internal", "atom"):
            raise InputError(f"fix {self.id}: variable '{self.variable}' is of style {style}",
                             "use an equal- or atom-style variable")
        if self.region and self.region not in self.system.regions:
            raise InputError(f"region {self.region} was removed while fix {self.id} uses it", "define it again")

    def needs(self, step: int) -> tuple[str, ...]:
        return needs(self.system, f"v_{self.variable}", step) if self.variable and step % self.every == 0 else ()

    def given(self) -> Any:
        """EFLUX now: one number, or one for each atom of this rank."""
        if not self.variable:
            return self.flux
        known = variables(self.system, self.variable)
        if known.style(self.variable) == "atom":
            return owned(self.system, np.asarray(known.peratom(self.variable)))
        return known.evaluate(self.variable)

    def end_of_step(self) -> None:
        atoms = Moving(self.system, self.bit, self.region)
        flux = self.given()
        self.heat(atoms, flux[atoms.rows] if isinstance(flux, np.ndarray) else flux)

    def heat(self, atoms: Moving, flux: Any) -> None:
        """Give them the heat of `every` steps."""
        system = self.system
        added = flux * self.every * system.dt * system.units.ftm2v
        square = 1.0 + np.asarray(added) / (atoms.energy or 1.0)
        if not atoms.energy > 0.0 or system.ranks.any(bool((square < 0.0).any())):
            raise RunError(f"fix {self.id}: the kinetic energy would be negative at step {system.step}", "take less heat away")
        factor = np.sqrt(square)
        self.scale = float(atoms.sum([factor.sum()])[0] / atoms.count) if factor.ndim else float(factor)
        factor = np.broadcast_to(factor, len(atoms.rows))[:, None]
        gained = atoms.sum(atoms.m @ ((factor - 1.0) * atoms.v)) / atoms.mass
        system.atoms.edit("v")[atoms.rows] = factor * atoms.v - gained

    def scalar(self) -> float:
        return self.scale
