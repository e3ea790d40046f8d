"""Berendsen's barostat: the box is scaled towards a pressure."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from everlet.errors import InputError, arguments, number, one_of
from everlet.fixes.base import fix_style
from everlet.fixes.own_computes import OwnComputes
from everlet.portable import Kernel, f64, i32, local, parallel_for, portable
from everlet.state.operation import VIRIAL
from everlet.state.system import System

USAGE = ("fix ID group press/berendsen iso|aniso|x|y|z P_START P_STOP P_DAMP … [couple none|xyz|xy|yz|xz] "
         "[dilate all|partial] [modulus B]")
COUPLES = {"none": (), "xyz": (0, 1, 2), "xy": (0, 1), "yz": (1, 2), "xz": (0, 2)}
MODULUS = 10.0


@local
@portable
def dilate(i, x: f64[:, 4], mask: i32[:], bit: i32, cx: f64, cy: f64, cz: f64, sx: f64, sy: f64, sz: f64):
    """x = c + s (x - c)."""
    if mask[i] & bit:
        x[i, 0] = cx + sx * (x[i, 0] - cx)
        x[i, 1] = cy + sy * (x[i, 1] - cy)
        x[i, 2] = cz + sz * (x[i, 2] - cz)


DILATE = Kernel(dilate)


class ScaledEdges(OwnComputes):
    """Base of fixes that scale edges of boxes, and positions with them: which edges, towards which pressures."""

    changes_box = True
    reads, writes = ("x", "mask"), ("x",)
    name = usage = ""
    others: ClassVar[dict[str, int]] = {}  # keywords of its own, and how many words follow

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, self.usage)
        self.start, self.stop, self.damp, self.driven = np.zeros(3), np.zeros(3), np.ones(3), np.zeros(3, bool)
        self.couple, self.every_atom = "none", True
        self._keywords(list(args))
        self._check()

    def _keywords(self, words: list[str]) -> None:
        axes = [0, 1] if self.system.dimension == 2 else [0, 1, 2]
        named = {"iso": axes, "aniso": axes, "x": [0], "y": [1], "z": [2]}
        counts = dict.fromkeys(named, 3) | {"couple": 1, "dilate": 1} | self.others
        while words:
            word, values = words[0], words[1:]
            one_of(f"keyword of fix {self.name}", word, counts, f"usage: {self.usage}")
            arguments(values[: counts[word]], counts[word], counts[word], self.usage)
            if word in named:
                for axis in named[word]:
                    self.start[axis], self.stop[axis], self.damp[axis] = (number(value) for value in values[:3])
                    self.driven[axis] = True
                self.couple = "xyz" if word == "iso" else self.couple
            elif word == "couple":
                self.couple = one_of("choice of couple", values[0], COUPLES)
            elif word == "dilate":
                one_of("choice of dilate", values[0], ("all", "partial"))
                self.every_atom = values[0] == "all"
            else:
                self.take(word, values[: counts[word]])
            words = values[counts[word]:]

    def take(self, word: str, values: list[str]) -> None:
        """A keyword of its own."""
        raise NotImplementedError

    def _check(self) -> None:
        box, flat, name = self.system.need_box(), self.system.dimension == 2, f"fix {self.name}"
        if box.triclinic:
            raise InputError(f"{name} in a tilted box", "use fix npt or nph with drag")
        if not self.driven.any():
            raise InputError(f"{name} controls no pressure", f"usage: {self.usage}")
        if (self.damp[self.driven] <= 0.0).any():
            raise InputError(f"{name}: times must be above zero", "1000 timesteps is usual")
        for axis in np.flatnonzero(self.driven).tolist():
            if not box.periodic[axis] or flat and axis == 2:
                raise InputError(f"{name} along {'xyz'[axis]}, where the box is not periodic or flat", "leave this axis out")
        together = [axis for axis in COUPLES[self.couple] if not (flat and axis == 2)]
        same = {(self.start[a], self.stop[a], self.damp[a], bool(self.driven[a])) for a in together}
        if len(same) > 1 or together and not self.driven[together].all():
            raise InputError(f"{name}: coupled axes need the same pressures and times", f"usage: {self.usage}")

    def kernels(self) -> list[Kernel]:
        return [DILATE]

    def needs(self, step: int) -> tuple[str, ...]:
        return (VIRIAL,)

    def init(self) -> None:
        others = [fix.id for fix in self.system.fixes.values() if fix is not self and fix.changes_box]
        if others:
            raise InputError(f"fix {self.id} and fix {others[0]} both change the box", "let one of them do it")

    def pressures(self) -> np.ndarray:
        """Of each axis; coupled ones have the mean."""
        press = self.press
        if press.kinetic:
            self.heat.now("scalar" if self.couple == "xyz" else "vector")
        if self.couple == "xyz":
            return np.full(3, press.now("scalar"))
        now, together = press.now("vector")[:3].copy(), list(COUPLES[self.couple])
        if together:
            now[together] = now[together].mean()
        return now

    def wanted(self) -> np.ndarray:
        """Pressures of this step."""
        system = self.system
        part = float(system.step - system.run_start)
        part /= system.run_stop - system.run_start if part else 1.0
        return self.start + part * (self.stop - self.start)

    def scale(self, factor: np.ndarray) -> None:
        """Edges, and positions, about the centre of the box."""
        system, box, atoms = self.system, self.system.need_box(), self.system.atoms
        centre = 0.5 * (box.lo + box.hi)
        bit = system.groups.bit("all") if self.every_atom else self.bit
        parallel_for(system.space, atoms.n, DILATE, atoms.view("x", modify=True), atoms.view("mask"), bit, *centre.tolist(),
                     *factor.tolist())
        box.lo[:], box.hi[:] = centre + factor * (box.lo - centre), centre + factor * (box.hi - centre)
        system.put_box()


@fix_style("press/berendsen")
class PressBerendsen(ScaledEdges):
    """fix ID group press/berendsen iso|aniso|x|y|z P_START P_STOP P_DAMP … [couple none|xyz|xy|yz|xz] [dilate all|partial]
    [modulus B]: at the end of a step edges, and positions of atoms, are scaled about the centre of the box by
    (1 - dt/P_DAMP (P_target - P)/B)^(1/3). Computes ID_temp and ID_press of all atoms come with it."""

    moves_last = True
    name, usage = "press/berendsen", USAGE
    others: ClassVar[dict[str, int]] = {"modulus": 1}
    modulus = MODULUS

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if self.modulus <= 0.0:
            raise InputError(f"fix press/berendsen: the modulus must be above zero, found {self.modulus:g}", "for example 10")
        self.heat_id = self.make_compute("temp", "temp", "all", [])
        self.press_id = self.make_compute("press", "pressure", "all", [self.heat_id])

    def take(self, word: str, values: list[str]) -> None:
        self.modulus = number(values[0], "a modulus")

    def end_of_step(self) -> None:
        square = 1.0 - self.system.dt / self.damp * (self.wanted() - self.pressures()) / self.modulus
        self.scale(np.where(self.driven, np.cbrt(square), 1.0))
