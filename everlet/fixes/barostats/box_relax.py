"""A box that relaxes in minimisations, towards a pressure or a stress."""

from __future__ import annotations

import numpy as np

from everlet.computes.energies.pressure import Pressure
from everlet.errors import InputError, RunError, integer, number, one_of, yes_no
from everlet.fixes.base import Fix, fix_style
from everlet.state.box import Box
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

AXES = ("x", "y", "z", "yz", "xz", "xy")  # the order of Box.h
COUPLES = {"none": (), "xyz": (0, 1, 2), "xy": (0, 1), "yz": (1, 2), "xz": (0, 2)}
SCALES = {"scaleyz": 3, "scalexz": 4, "scalexy": 5}
ALL = ("iso", "aniso", "tri")
WORDS = (*ALL, *AXES, "couple", "dilate", "vmax", "nreset", *SCALES, "fixedpoint")
FROM_VECTOR = (0, 1, 2, 5, 4, 3)  # xx yy zz yz xz xy among xx yy zz xy xz yz
NEAR = 1e-6  # relative: targets that differ by less are the same
OTHER = {3: 1, 4: 0, 5: 0}  # the edge that a tilt is measured in


@fix_style("box/relax")
class BoxRelax(Fix):
    """fix ID group box/relax iso|aniso|tri P, or x|y|z|xy|xz|yz P …: minimisations change the box towards these pressures.

    With edges L = s L0 and tilts t = t0 + e L0 the energy of a minimisation has P V0 (s_x s_y s_z - 1) more, and where targets
    differ by axis the work of what is left of them, tr(S h h^T)/2 with S = V0 h0^-1 P_dev h0^-T. f_ID: that energy.
    Words: couple none|xyz|xy|yz|xz, dilate all|partial (of the group), vmax F (relative change of an iteration, 1e-4), nreset N
    (iterations between new references L0), scalexy|scalexz|scaleyz yes|no, fixedpoint X Y Z.
    """

    gives = Gives(scalar=EXTENSIVE)
    minimizes = relaxes_box = changes_box = True
    example = "iso 0.0"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        box = system.need_box()
        self.target, self.driven = np.zeros(6), np.zeros(6, bool)
        self.couple, self.vmax, self.nreset, self.carried = "none", 1e-4, 0, system.groups.bit("all")
        self.fixed = 0.5 * (box.lo + box.hi)
        self.style_of = "aniso"
        self.scaled = {place: box.triclinic and float(box.h[place]) != 0.0 for place in (3, 4, 5)}
        self._parse(list(args))
        self._check(box)
        self.pressure = f"{id}_press"
        system.computes[self.pressure] = Pressure(system, self.pressure, "all", ["NULL", "virial"])
        self.made = [self.pressure]

    # ---- words
    def _parse(self, words: list[str]) -> None:
        if not words:
            raise InputError("fix box/relax needs a pressure", "for example: fix 1 all box/relax iso 0.0")
        while words:
            word = words.pop(0)
            one_of("keyword of fix box/relax", word, WORDS)
            count = 3 if word == "fixedpoint" else 1
            if len(words) < count:
                raise InputError(f"fix box/relax: '{word}' needs {count} value{'s' if count > 1 else ''}",
                                 f"usage: {word} {'X Y Z' if count > 1 else 'VALUE'}")
            self._take(word, [words.pop(0) for _ in range(count)])

    def _take(self, word: str, given: list[str]) -> None:
        flat = self.system.dimension == 2
        if word in ALL:
            places = [0, 1] if flat else [0, 1, 2]
            self.couple = "xyz" if word == "iso" else "none"
            self.style_of = word
            if word == "tri":
                self._tilts()
                self.driven[[5] if flat else [3, 4, 5]] = True
            self.target[places], self.driven[places] = number(given[0], "a pressure"), True
        elif word in AXES:
            place = AXES.index(word)
            if flat and place in (2, 3, 4):
                raise InputError(f"fix box/relax {word} in 2-d", "leave it out")
            self.target[place], self.driven[place] = number(given[0], "a pressure"), True
            if place > 2:
                self.style_of = "tri"
                self._tilts()
        elif word == "couple":
            self.couple = one_of("choice of couple", given[0], COUPLES)
        elif word == "dilate":
            one_of("choice of dilate", given[0], ("all", "partial"))
            self.carried = self.bit if given[0] == "partial" else self.system.groups.bit("all")
        elif word == "vmax":
            self.vmax = number(given[0], "a relative change")
            if self.vmax <= 0.0:
                raise InputError(f"fix box/relax: vmax must be above 0, found {given[0]}", "1e-4 is usual")
        elif word == "nreset":
            self.nreset = integer(given[0], "a number of iterations")
            if self.nreset < 0:
                raise InputError(f"fix box/relax: nreset {given[0]} is negative", "use 0 for never")
        elif word in SCALES:
            self.scaled[SCALES[word]] = yes_no(given[0], word)
        else:
            self.fixed = np.array([number(text, "a coordinate") for text in given])

    def _tilts(self) -> None:
        self.scaled = dict.fromkeys(self.scaled, False)

    def _check(self, box: Box) -> None:
        flat = box.dimension == 2
        for place in np.flatnonzero(self.driven).tolist():
            edge = {0: 0, 1: 1, 2: 2, 3: 2, 4: 2, 5: 1}[place]
            if not box.periodic[edge]:
                raise InputError(f"fix box/relax: {AXES[place]}, but the boundary in {'xyz'[edge]} is not periodic",
                                 f"use boundary p there, or leave out {AXES[place]}")
        if self.driven[3:].any() and not box.triclinic:
            raise InputError("fix box/relax: the box is orthogonal and cannot be sheared", "use a prism region, or aniso")
        together = [axis for axis in COUPLES[self.couple] if not (flat and axis == 2)]
        if together and (not self.driven[together].all() or len(set(self.target[together].tolist())) > 1):
            raise InputError("fix box/relax: coupled components need the same pressures",
                             f"give the same number for {' and '.join(AXES[axis] for axis in together)}")
        if not self.driven.any():
            raise InputError("fix box/relax needs a pressure", "for example: fix 1 all box/relax iso 0.0")
        for place, on in self.scaled.items():
            if on and self.driven[place]:
                raise InputError(f"fix box/relax: the tilt {AXES[place]} can follow its pressure or its edge, not both",
                                 f"use scale{AXES[place]} no")
        normal = self.driven[:3]
        self.hydrostatic = float(self.target[:3][normal].mean()) if normal.any() else 0.0
        apart = np.abs(self.target[:3] - self.hydrostatic) > NEAR * abs(self.hydrostatic)
        sheared = np.abs(self.target[3:]) > NEAR * abs(self.hydrostatic)
        self.deviatoric = bool((apart & normal).any() or (sheared & self.driven[3:]).any())
        self.iso = self.style_of == "iso" and self.couple == "xyz"

    def option(self, word: str, rest: list[str]) -> list[str]:
        if word != "press" or not rest:
            return super().option(word, rest)
        name = rest.pop(0)
        if not isinstance(self.system.computes.get(name), Pressure):
            raise InputError(f"fix_modify {self.id} press {name}: there is no such compute pressure", "define it first")
        self.pressure = name
        return rest

    def remove(self) -> None:
        for name in self.made:
            self.system.computes.pop(name, None)
        super().remove()

    def init(self) -> None:
        """A minimisation or a run begins: the box is its own reference."""
        if self.pressure not in self.system.computes:
            raise InputError(f"fix {self.id}: compute {self.pressure} was removed", "define it again, or use fix_modify press")
        if sum(fix.relaxes_box for fix in self.system.fixes.values()) > 1:
            raise InputError("several fixes box/relax", "give all pressures to one of them")
        self.h0 = self.system.need_box().h  # what edges are moved by stays; the rest of the reference may be renewed
        self._refer()

    def _refer(self) -> None:
        box, system = self.system.need_box(), self.system
        self.edges0, self.volume0 = box.h[:3], box.volume
        h, inverse = _matrix(self.h0), _matrix(box.h_inverse)
        off = self.target.copy()
        off[:3] -= self.hydrostatic
        off[~self.driven] = 0.0
        off[1] -= off[3] * inverse[1, 2] * h[1, 1]  # in a tilted box targets of shear need these, for the system to have them
        off[5] -= off[4] * inverse[1, 2] * h[1, 1]
        off[0] -= (off[5] * inverse[0, 1] + off[4] * inverse[0, 2]) * h[0, 0]
        self.sigma = self.volume0 / system.units.nktv2p * (inverse @ _symmetric(off) @ inverse.T)

    # ---- what a minimisation asks
    def energy_and_force(self) -> tuple[float, np.ndarray]:
        """What the box adds to the energy, and the forces on the changes of its edges and tilts."""
        system, box, d = self.system, self.system.need_box(), self.system.dimension
        unit = 1.0 / system.units.nktv2p
        compute = system.computes[self.pressure]
        if self.iso:
            s = float(box.lengths[0] / self.edges0[0])
            energy = unit * self.hydrostatic * (s**d - 1.0) * self.volume0
            force = unit * (compute.scalar() - self.hydrostatic) * d * s ** (d - 1) * self.volume0
            return energy, np.array([force])
        now = self._coupled(compute.vector()[list(FROM_VECTOR)])
        scale = np.where(self.driven[:3], box.lengths / self.edges0, 1.0)
        energy = unit * self.hydrostatic * (scale.prod() - 1.0) * self.volume0
        force = np.zeros(6 if self.style_of == "tri" else 3)
        for k in range(3):
            if self.driven[k]:
                force[k] = unit * (now[k] - self.hydrostatic) * (scale.prod() / scale[k]) * self.volume0
        if self.style_of == "tri":
            edges = scale * self.edges0 if d == 3 else np.array([*(scale * self.edges0)[:2], 1.0])
            faces = {3: edges[0] * edges[1], 4: edges[0] * edges[1], 5: edges[0] * edges[2]}
            for k, face in faces.items():
                if self.driven[k]:
                    force[k] = unit * now[k] * face * self.edges0[OTHER[k]]
        if self.deviatoric:
            h = _matrix(box.h)
            pull = h @ self.sigma
            energy += 0.5 * float(np.trace(self.sigma @ h @ h.T))
            work = np.array([pull[0, 0], pull[1, 1], pull[2, 2], pull[1, 2], pull[0, 2], pull[0, 1]])
            lengths = self.edges0[[0, 1, 2, 1, 0, 0]]
            force -= np.where(self.driven, work * lengths, 0.0)[: len(force)]
        return energy, force

    def _coupled(self, pressures: np.ndarray) -> np.ndarray:
        axes = [axis for axis in COUPLES[self.couple] if not (self.system.dimension == 2 and axis == 2)]
        if axes:
            pressures = pressures.copy()
            pressures[axes] = pressures[axes].mean()
        return pressures

    def keep_start(self) -> None:
        box = self.system.need_box()
        self.start = box.lo.copy(), box.hi.copy(), (box.xy, box.xz, box.yz)

    def longest(self, way: np.ndarray) -> float:
        """The largest alpha."""
        size = np.abs(way[0] if self.iso else np.where(self.driven[: len(way)], way, 0.0)).max()
        return self.vmax / float(size) if size else np.inf

    def reshape(self, alpha: float, way: np.ndarray) -> None:
        """Give the box the shape of start + alpha way."""
        box = self.system.need_box()
        lo, hi, (xy, xz, yz) = self.start
        lengths = hi - lo
        box.lo, box.hi, (box.xy, box.xz, box.yz) = lo.copy(), hi.copy(), (xy, xz, yz)
        if alpha == 0.0:
            return
        for k in range(3):
            if self.driven[k]:
                strain = alpha * float(way[0] if self.iso else way[k]) * self.h0[k] / lengths[k]
                box.lo[k] += (lo[k] - self.fixed[k]) * strain
                box.hi[k] += (hi[k] - self.fixed[k]) * strain
                if box.lo[k] >= box.hi[k]:
                    raise RunError(f"fix {self.id} box/relax: the box has no length left in {AXES[k]}", "use a smaller vmax")
        edges = box.hi - box.lo
        for place, name, edge in ((3, "yz", 2), (4, "xz", 2), (5, "xy", 1)):
            if self.scaled[place] and box.triclinic:
                setattr(box, name, float(edges[edge]) * self.h0[place] / self.h0[edge])
            if self.style_of == "tri" and self.driven[place]:
                setattr(box, name, getattr(box, name) + alpha * float(way[place]) * self.edges0[OTHER[place]])

    def new_reference(self) -> bool:
        """Take the present box as the reference, if it is time to."""
        if not (self.nreset and self.deviatoric) or (self.system.step - self.system.run_start) % self.nreset:
            return False
        self._refer()
        return True

    def scalar(self) -> float:
        if not self.system.step:
            return 0.0
        return self.energy_and_force()[0]


def _matrix(h: np.ndarray) -> np.ndarray:
    xx, yy, zz, yz, xz, xy = h
    return np.array([[xx, xy, xz], [0.0, yy, yz], [0.0, 0.0, zz]])


def _symmetric(v: np.ndarray) -> np.ndarray:
    xx, yy, zz, yz, xz, xy = v
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
