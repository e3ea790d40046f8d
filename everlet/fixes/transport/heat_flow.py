"""Temperatures of grains, from the heat that flows into them."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, number, one_of
from everlet.fixes.base import Fix, fix_style
from everlet.portable import Kernel, f64, i32, local, parallel_for, portable
from everlet.portable.views import Constants
from everlet.state.atom_styles import need_field
from everlet.state.masses import ByMass
from everlet.state.system import System

USAGE = "fix ID group heat/flow constant C | type C1 C2 …"


@local
@portable
def warm_up(i, temperature: f64[:], heat: f64[:], group: i32[:], kind: i32[:], mask: i32[:], bit: i32, step: f64[:], c: f64[:]):
    """T += dt h / (m c); step: dt / m of groups of atoms of one mass."""
    if mask[i] & bit:
        temperature[i] += step[group[i]] * heat[i] / c[kind[i]]


@local
@portable
def forget(i, heat: f64[:]):
    heat[i] = 0.0


WARM_UP, FORGET = Kernel(warm_up), Kernel(forget)


@fix_style("heat/flow")
class HeatFlow(Fix):
    """fix ID group heat/flow constant C | type C1 C2 …: T += dt h / (m C) at the end of a step, C the heat capacity of a mass,
    h the heat that flows into an atom in a time. h of all atoms is 0 before forces; fix add/heat adds to it.

    Temperatures and flows are those of fix property/atom temperature heatflow.
    """

    steady = True
    reads, writes = ("temperature", "heatflow", "type", "mask"), ("temperature", "heatflow")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, USAGE)
        for name in ("temperature", "heatflow"):
            need_field(system.atoms, name, "fix heat/flow")
        one_of("kind of fix heat/flow", args[0], ("constant", "type"), f"usage: {USAGE}")
        count = 1 if args[0] == "constant" else system.ntypes
        arguments(args[1:], count, count, f"{USAGE}, a number for each type")
        values = [number(word, "a heat capacity") for word in args[1:]]
        if min(values) <= 0.0:
            raise InputError(f"fix heat/flow: a heat capacity of {min(values):g}", "give numbers above zero")
        self.capacity = Constants(system.ntypes + 1, system.space)
        self.capacity.set(np.array([1.0, *np.broadcast_to(values, system.ntypes)]))
        self.by_mass = ByMass(system, -1.0)

    def kernels(self) -> list[Kernel]:
        return [WARM_UP, FORGET]

    def pre_force(self) -> None:
        atoms = self.system.atoms
        parallel_for(self.system.space, atoms.n, FORGET, atoms.view("heatflow", modify=True))

    def final_integrate(self) -> None:
        system, atoms = self.system, self.system.atoms
        parallel_for(system.space, atoms.n, WARM_UP, atoms.view("temperature", modify=True), atoms.view("heatflow"),
                     system.mass_kind(), atoms.view("type"), atoms.view("mask"), self.bit, self.by_mass.view(system.dt),
                     self.capacity.view)
