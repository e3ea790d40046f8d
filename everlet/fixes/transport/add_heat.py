"""Heat that flows into grains from elsewhere."""
# ruff: noqa: F821

from __future__ import annotations

import numpy as np

from everlet.computes.words.peratom import owned
from everlet.computes.words.references import needs, variables
from everlet.errors import InputError, arguments, number, one_of, unknown, yes_no
from everlet.fixes.base import Fix, fix_style
from everlet.portable import Kernel, View, f64, i32, local, parallel_for, portable
from everlet.state.atom_styles import need_field
from everlet.state.system import System

USAGE = "fix ID group add/heat constant H | linear T K | quartic T K [overwrite yes|no]"
POWERS = {"constant": 0, "linear": 1, "quartic": 4}


@local
@portable
def heat_up(i, heat: f64[:], temperature: f64[:], mask: i32[:], bit: i32, value: f64, each: f64[:], k: f64, keep: f64):
    """h = keep h + H, or K (T^p - T_i^p)."""
    if mask[i] & bit:
        given = value
        if EACH:
            given = each[i]
        if POWER == 1:
            given = k * (given - temperature[i])
        if POWER == 4:
            given = k * (given**4 - temperature[i]**4)
        heat[i] = keep * heat[i] + given


@fix_style("add/heat")
class AddHeat(Fix):
    """fix ID group add/heat constant H | linear T K | quartic T K [overwrite yes|no]: the heat that flows into each atom in a
    time grows by H, K (T - T_i) or K (T^4 - T_i^4), or is that with overwrite. H and T: numbers, or v_NAME of equal or
    atom style.

    Temperatures and flows are those of fix property/atom temperature heatflow; fix heat/flow makes the ones of the others.
    """

    steady = True
    reads, writes = ("temperature", "heatflow", "mask"), ("heatflow",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, USAGE)
        for name in ("temperature", "heatflow"):
            need_field(system.atoms, name, "fix add/heat")
        self.power = POWERS[one_of("kind of fix add/heat", args[0], POWERS, f"usage: {USAGE}")]
        count = 3 if self.power else 2
        arguments(args[:count], count, count, USAGE)
        self.variable = args[1][2:] if args[1].startswith("v_") else ""
        self.value = 0.0 if self.variable else number(args[1], "a flow of heat or a temperature")
        self.k, self.keep = number(args[2], "a factor") if self.power else 0.0, 1.0
        words = list(args[count:])
        if words and words[0] != "overwrite":
            raise unknown("keyword of fix add/heat", words[0], ("overwrite",), f"usage: {USAGE}")
        if words:
            arguments(words, 2, 2, USAGE)
            self.keep = 0.0 if yes_no(words[1], "fix add/heat overwrite") else 1.0
        self.each = View(1, np.float64, system.space)

    @property
    def of_each(self) -> bool:
        return bool(self.variable) and variables(self.system, self.variable).style(self.variable) == "atom"

    def kernels(self) -> list[Kernel]:
        return [Kernel(heat_up, statics=(("POWER", self.power), ("EACH", int(self.of_each))))]

    def needs(self, step: int) -> tuple[str, ...]:
        return needs(self.system, f"v_{self.variable}", step) if self.variable else ()

    def init(self) -> None:
        style = variables(self.system, self.variable).style(self.variable) if self.variable else "equal"
        if style not in ("equal", "internal", "atom"):
            raise InputError(f"fix {self.id}: variable '{self.variable}' is of style {style}",
                             "use an equal- or atom-style variable")

    def post_force(self) -> None:
        system, atoms, value = self.system, self.system.atoms, self.value
        if self.of_each:
            if self.each.shape[0] < atoms.n:
                self.each = View(atoms.capacity, np.float64, system.space)
            values = owned(system, np.asarray(variables(system, self.variable).peratom(self.variable)))
            self.each.put(np.concatenate([values, np.zeros(self.each.shape[0] - atoms.n)]))
        elif self.variable:
            value = float(variables(system, self.variable).evaluate(self.variable))
        parallel_for(system.space, atoms.n, self.kernels()[0], atoms.view("heatflow", modify=True), atoms.view("temperature"),
                     atoms.view("mask"), self.bit, value, self.each, self.k, self.keep)
