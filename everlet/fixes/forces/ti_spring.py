"""Free energies of solids: forces that change into those of springs, and back."""

from __future__ import annotations

import numpy as np

from everlet.computes.words.columns import unwrapped
from everlet.errors import InputError, arguments, integer, number, unknown
from everlet.fixes.base import ForceFix, fix_style
from everlet.portable import Kernel, View, f64, i32, parallel_reduce, portable
from everlet.portable.sums import ADD_UP
from everlet.state.continuing import GROUP
from everlet.state.images import way_from
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group ti/spring K T_SWITCH T_EQUIL [function 1|2]"


@portable
def blend(i, f: f64[:, 3], x: f64[:, 4], image: i32[:, 3], origin: f64[:, 3], mask: i32[:], bit: i32, k: f64, share: f64,
          box: f64[:]):
    """F = (1 - share) F - share K d of one atom, d since it was defined; K/2 d^2."""
    dx, dy, dz = way_from(i, x, image, origin, box)
    e = 0.0
    if mask[i] & bit:
        f[i, 0] = (1.0 - share) * f[i, 0] - share * k * dx
        f[i, 1] = (1.0 - share) * f[i, 1] - share * k * dy
        f[i, 2] = (1.0 - share) * f[i, 2] - share * k * dz
        e = 0.5 * k * (dx * dx + dy * dy + dz * dz)
    return e


BLEND = Kernel(blend, sums=1)


@fix_style("ti/spring")
class TiSpring(ForceFix):
    """fix ID group ti/spring K T_SWITCH T_EQUIL [function 1|2]: F = (1 - l) F - l K d, d the way of an atom (unwrapped) since
    the definition. l is 0 for T_EQUIL steps, goes to 1 in T_SWITCH steps, stays for T_EQUIL, and goes back in T_SWITCH;
    function 1: l = t, 2: t^5 (70 t^4 - 315 t^3 + 540 t^2 - 420 t + 126), t from 0 to 1.

    f_ID: sum K/2 d^2 from the first switch on; f_ID[1]: l; f_ID[2]: its slope along steps.
    """

    gives = Gives(scalar=EXTENSIVE, vector=EXTENSIVE, length=2)
    must_match = (GROUP,)
    has_energy = follows_steps = True
    reads, writes = ("f", "x", "image", "mask"), ("f",)
    keeps = ("first", "share", "slope")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, 5, USAGE)
        self.k, self.switch, self.rests = number(args[0], "a spring constant"), *(integer(word) for word in args[1:3])
        if self.k <= 0.0 or self.switch <= 0 or self.rests < 0:
            raise InputError(f"fix ti/spring {' '.join(args[:3])}", "K and T_SWITCH are above zero, T_EQUIL is 0 or more")
        if args[3:] and (args[3] != "function" or args[4:] not in (["1"], ["2"])):
            raise unknown("keyword of fix ti/spring", " ".join(args[3:]), ("function 1", "function 2"), f"usage: {USAGE}")
        self.smooth = args[3:] == ["function", "2"]
        self.first, self.share, self.slope = system.step, 0.0, 0.0
        if not self.add_field("origin", width=3):
            system.atoms.edit(self.field("origin"))[:] = unwrapped(system)
        self.sums = View(1, np.float64, system.space)

    def new_atoms(self, rows: np.ndarray) -> None:
        self.system.atoms.edit(self.field("origin"))[rows] = unwrapped(self.system)[rows]

    def kernels(self) -> list[Kernel]:
        return [BLEND, ADD_UP]

    def _shape(self, t: float) -> tuple[float, float]:
        if not self.smooth:
            return t, 1.0 / self.switch
        return (t**5 * (126.0 + t * (-420.0 + t * (540.0 + t * (-315.0 + t * 70.0)))),
                630.0 * (t * (1.0 - t)) ** 4 / self.switch)

    def initial_integrate(self) -> None:
        """The share of the springs at the step that begins."""
        there = self.system.step - self.first - self.rests
        back = there - self.switch - self.rests
        if 0 <= there <= self.switch:
            self.share, self.slope = self._shape(there / self.switch)
        elif 0 <= back <= self.switch:
            share, slope = self._shape(1.0 - back / self.switch)
            self.share, self.slope = share, -slope

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        if system.step - self.first < self.rests:
            return
        parallel_reduce(system.space, atoms.n, BLEND, atoms.view("f", modify=True), atoms.view("x"), atoms.view("image"),
                        atoms.view(self.field("origin")), atoms.view("mask"), self.bit, self.k, self.share, system.box_view(),
                        into=self.sums)

    def scalar(self) -> float:
        return float(self.over_ranks(self.sums.get())[0])

    def vector(self) -> np.ndarray:
        return np.array([self.share, self.slope])
