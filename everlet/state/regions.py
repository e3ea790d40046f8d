"""Regions: named parts of space, used to make boxes and atoms and to choose atoms.

    region ID STYLE args [side in|out] [units lattice|box] [move X Y Z] [rotate V Px Py Pz Rx Ry Rz] [open FACE]

    block      xlo xhi ylo yhi zlo zhi                     faces may be INF (no limit) or EDGE (the box face)
    prism      xlo xhi ylo yhi zlo zhi xy xz yz            a block with tilt; INF and EDGE as for block
    sphere     x y z radius
    cylinder   x|y|z c1 c2 radius lo hi                    c1 c2: the other two coordinates of the axis; lo hi as block
    cone       x|y|z c1 c2 radius_lo radius_hi lo hi
    ellipsoid  x y z a b c                                 half axes along x, y, z
    plane      px py pz nx ny nz                           the side that the normal points to
    union      N ID1 ... IDN                               in any of them
    intersect  N ID1 ... IDN                               in all of them

Numbers are in lattice spacings by default (x values in x spacings, and so on; radii in x spacings, or in y spacings
for an axis along x), or in length units with `units box`. Surfaces belong to the inside; `side out` takes the rest.
Each number may be a variable v_NAME of style equal: it has the value of the moment at which somebody looks.
move: equal-style variables v_NAME or NULL, how far the region is from its place now, in length units always. rotate: v_NAME,
the angle in radians about the axis R through the point P. open: a face that fix wall/region passes over; as in the reference,
such a region has all atoms.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of, unknown
from everlet.registry import Registry

if TYPE_CHECKING:
    from everlet.state.system import System

INFINITE = 1e20  # what INF means
AXES = "xyz"
OPTIONS = {"side": 1, "units": 1, "move": 3, "rotate": 7, "open": 1}  # and how many words follow


class Region:
    """Base of all region styles.

    interior    true for side in
    extent      (lo, hi), float64[3] each: a bounding box; None if there is none (side out, plane)
    args        the words of the command after ID and style
    """

    style = ""
    usage = ""
    words = 0  # how many words describe the shape
    faces_most = 1  # surfaces that can be open

    def __init__(self, system: System, name: str, args: list[str]):
        self.system, self.name, self.args = system, name, list(args)
        count = self.shape_words(args)
        usage = f"region ID {self.style} {self.usage} [side in|out] [units lattice|box] [move X Y Z] [rotate V P R] [open N]"
        arguments(args, count, None, usage)
        self.interior = True
        self.scale = np.ones(3) if system.lattice is None else system.lattice.spacing.copy()
        self.shape = args[:count]
        self.move = ["NULL"] * 3  # variables
        self.turn: str = ""  # the variable of an angle about `axis_of_turn` through `pivot`
        self.open: set[int] = set()  # faces, from 1
        self._options(args[count:])
        self.extent: tuple[np.ndarray, np.ndarray] | None = None
        self.setup(system, self.shape)
        if not self.interior or self.moves:
            self.extent = None

    @property
    def moves(self) -> bool:
        return bool(self.turn) or self.move != ["NULL"] * 3

    def shape_words(self, args: list[str]) -> int:
        """How many of `args` describe the shape; the rest are options."""
        return self.words

    def setup(self, system: System, words: list[str]) -> None:
        """Read the shape and set `extent`."""
        raise NotImplementedError

    def within(self, x: np.ndarray) -> np.ndarray:
        """True for positions (n, 3) in the shape, whatever its side."""
        raise NotImplementedError

    def inside(self, x: np.ndarray) -> np.ndarray:
        """True for positions (n, 3) in the region."""
        if self.open:
            return np.ones(len(x), bool)
        self.follow()
        return self.within(self.brought_back(x) if self.moves else x) == self.interior

    def follow(self) -> None:
        """Take the shape that variables give now."""
        if any(word.startswith("v_") for word in self.shape):
            self.setup(self.system, self.shape)

    def variable(self, word: str) -> float:
        """The value of an equal-style variable v_NAME now."""
        if self.system.variables is None or word[2:] not in self.system.variables:
            raise InputError(f"region {self.name}: there is no variable '{word[2:]}'", "define it with the variable command")
        return float(self.system.variables.evaluate(word[2:]))

    def brought_back(self, x: np.ndarray) -> np.ndarray:
        """Where positions (n, 3) would be if the region had not moved."""
        shift = [0.0 if word == "NULL" else self.variable(word) for word in self.move]
        x = x - np.array(shift)
        return self.pivot + self.turned(x - self.pivot, -1.0) if self.turn else x

    def turned(self, d: np.ndarray, way: float = 1.0) -> np.ndarray:
        """Vectors (n, 3) turned as the region is now, or back (way -1)."""
        angle = way * self.variable(self.turn)
        along = (d @ self.axis_of_turn)[:, None] * self.axis_of_turn
        across = d - along
        return np.asarray(along + across * math.cos(angle) + np.cross(self.axis_of_turn, across) * math.sin(angle))

    def _options(self, words: list[str]) -> None:
        chosen: dict[str, list[str]] = {}
        while words:
            word = words[0]
            one_of("region option", word, OPTIONS)
            values, words = words[1 : 1 + OPTIONS[word]], words[1 + OPTIONS[word] :]
            usage = "side in|out, units lattice|box, move v_X|NULL v_Y|NULL v_Z|NULL, rotate v_T Px Py Pz Rx Ry Rz, open FACE"
            arguments(values, OPTIONS[word], OPTIONS[word], usage)
            if word == "open":
                face = integer(values[0], "the number of a face")
                if not 1 <= face <= self.faces_most:
                    raise InputError(f"region {self.style} has no face {face}", f"faces are 1 to {self.faces_most}")
                self.open.add(face)
            chosen[word] = values
        for word, choices in (("side", ("in", "out")), ("units", ("lattice", "box"))):
            if word in chosen and chosen[word][0] not in choices:
                raise unknown(f"region {word}", chosen[word][0], choices)
        self.interior = chosen.get("side") != ["out"]
        if chosen.get("units") == ["box"]:
            self.scale = np.ones(3)
        self.move = chosen.get("move", self.move)
        for word in (*self.move, *chosen.get("rotate", [])[:1]):
            if word != "NULL" and not word.startswith("v_"):
                raise InputError(f"region move and rotate take variables, found '{word}'", "use v_NAME of style equal")
        if "rotate" in chosen:
            self._turning(chosen["rotate"])

    def _turning(self, words: list[str]) -> None:
        """A rotation: its angle, the point and the axis."""
        self.turn = words[0]
        self.pivot = np.array([float(self.scale[k]) * number(words[1 + k], "a coordinate") for k in range(3)])
        axis = np.array([number(word, "a component of an axis") for word in words[4:7]])
        if not axis.any():
            raise InputError("region rotate: the axis has zero length", "for example, about z: 0 0 1")
        if self.system.dimension == 2 and axis[:2].any():
            raise InputError("in two dimensions a region can only turn about z", "use the axis 0 0 1")
        self.axis_of_turn = axis / np.sqrt(axis @ axis)

    def length(self, word: str, k: int) -> float:
        """A number, or what a variable is now, times the lattice spacing along dimension k."""
        if word.startswith("v_"):
            return float(self.scale[k]) * self.variable(word)
        return float(self.scale[k]) * number(word, f"a number for region {self.style}")

    def radius(self, word: str, k: int) -> float:
        value = self.length(word, k)
        if value < 0.0:
            raise InputError(f"region {self.style}: radius {word} is negative", "give 0 or more")
        return value

    def faces(self, system: System, low: str, high: str, k: int, slanted: bool = False) -> tuple[float, float]:
        """Low and high face along dimension k, where words may be INF or EDGE.

        The EDGE of a tilted box is that of its orthogonal bounding box, or, for a slanted region, of the box itself.
        Only slanted regions need some thickness.
        """
        values = []
        for word, infinite, side in ((low, -INFINITE, 0), (high, INFINITE, 1)):
            if word in ("INF", "EDGE") and system.box is None:
                raise InputError(f"region {self.style} uses {word}, but there is no box yet",
                                 "give numbers, or define the region after create_box or read_data")
            if word == "INF":
                values.append(infinite)
            elif word == "EDGE" and system.box is not None:
                corners = (system.box.lo, system.box.hi) if slanted else system.box.bounds()
                values.append(float(corners[side][k]))
            else:
                values.append(self.length(word, k))
        if values[0] > values[1] or (slanted and values[0] == values[1]):
            raise InputError(f"region {self.style}: {AXES[k]} faces must have low < high, found {low} {high}",
                             "exchange the two numbers")
        return values[0], values[1]


region_style: Registry[type[Region]] = Registry("region style")


def make_region(system: System, name: str, style: str, args: list[str]) -> Region:
    """The region of `region NAME STYLE args`."""
    return region_style[style](system, name, args)


@region_style("block")
class Block(Region):
    style, usage, words, faces_most = "block", "xlo xhi ylo yhi zlo zhi", 6, 6

    def setup(self, system: System, words: list[str]) -> None:
        pairs = [self.faces(system, words[2 * k], words[2 * k + 1], k) for k in range(3)]
        self.lo, self.hi = (np.array(side) for side in zip(*pairs, strict=True))
        self.extent = self.lo, self.hi

    def within(self, x: np.ndarray) -> np.ndarray:
        return np.all((x >= self.lo) & (x <= self.hi), axis=1)


@region_style("prism")
class Prism(Region):
    """Origin corner `lo`, edges (lx, 0, 0), (xy, ly, 0), (xz, yz, lz); inside if all edge fractions are in [0, 1]."""

    style, usage, words, faces_most = "prism", "xlo xhi ylo yhi zlo zhi xy xz yz", 9, 6

    def setup(self, system: System, words: list[str]) -> None:
        pairs = [self.faces(system, words[2 * k], words[2 * k + 1], k, slanted=True) for k in range(3)]
        self.lo, self.hi = (np.array(side) for side in zip(*pairs, strict=True))
        self.xy, self.xz = self.length(words[6], 0), self.length(words[7], 0)
        self.yz = self.length(words[8], 1)
        endless = [pair == (-INFINITE, INFINITE) for pair in pairs]
        for name, tilt, axes in (("xy", self.xy, (0, 1)), ("xz", self.xz, (0, 2)), ("yz", self.yz, (1, 2))):
            if tilt != 0.0 and any(endless[k] for k in axes):
                raise InputError(f"region prism: tilt {name} is impossible along a dimension without faces",
                                 "give numbers instead of INF")
        x = (0.0, self.xy, self.xz, self.xy + self.xz)
        y = (0.0, self.yz)
        self.extent = (np.array([self.lo[0] + min(x), self.lo[1] + min(y), self.lo[2]]),
                       np.array([self.hi[0] + max(x), self.hi[1] + max(y), self.hi[2]]))

    def within(self, x: np.ndarray) -> np.ndarray:
        d = x - self.lo
        lx, ly, lz = self.hi - self.lo
        a = (1.0 / lx * d[:, 0] - self.xy / (lx * ly) * d[:, 1]
             + (self.xy * self.yz - ly * self.xz) / (lx * ly * lz) * d[:, 2])
        b = 1.0 / ly * d[:, 1] - self.yz / (ly * lz) * d[:, 2]
        c = 1.0 / lz * d[:, 2]
        return (a >= 0.0) & (a <= 1.0) & (b >= 0.0) & (b <= 1.0) & (c >= 0.0) & (c <= 1.0)


@region_style("sphere")
class Sphere(Region):
    style, usage, words = "sphere", "x y z radius", 4

    def setup(self, system: System, words: list[str]) -> None:
        self.center = np.array([self.length(words[k], k) for k in range(3)])
        self.r = self.radius(words[3], 0)
        self.extent = self.center - self.r, self.center + self.r

    def within(self, x: np.ndarray) -> np.ndarray:
        d = x - self.center
        return np.sqrt(d[:, 0] * d[:, 0] + d[:, 1] * d[:, 1] + d[:, 2] * d[:, 2]) <= self.r


@region_style("ellipsoid")
class Ellipsoid(Region):
    """(dx/a)^2 + (dy/b)^2 + (dz/c)^2 <= 1, without divisions."""

    style, usage, words = "ellipsoid", "x y z a b c", 6

    def setup(self, system: System, words: list[str]) -> None:
        self.center = np.array([self.length(words[k], k) for k in range(3)])
        self.axes = np.array([self.radius(words[3 + k], k) for k in range(3)])
        if system.dimension == 2 and (self.center[2] != 0.0 or self.axes[2] != 0.0):
            raise InputError("region ellipsoid in two dimensions lies in the plane z = 0", "use 0 for z and c")
        self.extent = self.center - self.axes, self.center + self.axes

    def within(self, x: np.ndarray) -> np.ndarray:
        d, (a, b, c) = x - self.center, self.axes
        if self.system.dimension == 2:
            return np.sqrt(b * b * d[:, 0] ** 2 + a * a * d[:, 1] ** 2) <= a * b
        r = np.sqrt(b * b * c * c * d[:, 0] ** 2 + c * c * a * a * d[:, 1] ** 2 + a * a * b * b * d[:, 2] ** 2)
        return r <= a * b * c


@region_style("cone")
class Cone(Region):
    """Radius r(t) = r_lo + (t - lo) (r_hi - r_lo) / (hi - lo) around the axis, lo <= t <= hi."""

    style, usage, words, faces_most = "cone", "x|y|z c1 c2 radius_lo radius_hi lo hi", 7, 3

    def setup(self, system: System, words: list[str]) -> None:
        if words[0] not in ("x", "y", "z"):
            raise unknown("axis", words[0], AXES)
        self.axis = AXES.index(words[0])
        self.across = [k for k in range(3) if k != self.axis]
        self.center = np.array([self.length(words[1 + n], k) for n, k in enumerate(self.across)])
        radii = [self.radius(word, self.across[0]) for word in words[3:-2]]
        self.r_lo, self.r_hi = radii[0], radii[-1]
        if self.r_lo == 0.0 and self.r_hi == 0.0:
            raise InputError(f"region {self.style} has no radius", "give a radius above zero")
        self.lo, self.hi = self.faces(system, words[-2], words[-1], self.axis, slanted=self.r_lo != self.r_hi)
        widest = max(self.r_lo, self.r_hi)
        low, high = np.empty(3), np.empty(3)
        low[self.across], high[self.across] = self.center - widest, self.center + widest
        low[self.axis], high[self.axis] = self.lo, self.hi
        self.extent = low, high

    def within(self, x: np.ndarray) -> np.ndarray:
        d1, d2, t = x[:, self.across[0]] - self.center[0], x[:, self.across[1]] - self.center[1], x[:, self.axis]
        r: np.ndarray | float = self.r_lo
        if self.r_hi != self.r_lo:
            r = self.r_lo + (t - self.lo) * (self.r_hi - self.r_lo) / (self.hi - self.lo)
        return (np.sqrt(d1 * d1 + d2 * d2) <= r) & (t >= self.lo) & (t <= self.hi)


@region_style("cylinder")
class Cylinder(Cone):
    """A cone with one radius."""

    style, usage, words = "cylinder", "x|y|z c1 c2 radius lo hi", 6


@region_style("plane")
class Plane(Region):
    style, usage, words = "plane", "px py pz nx ny nz", 6

    def setup(self, system: System, words: list[str]) -> None:
        self.point = np.array([self.length(words[k], k) for k in range(3)])
        normal = np.array([self.length(words[3 + k], k) for k in range(3)])
        square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]
        if square == 0.0:
            raise InputError("region plane: the normal vector is zero", "for example: 0 0 1")
        self.normal = normal / np.sqrt(square)

    def within(self, x: np.ndarray) -> np.ndarray:
        d, n = x - self.point, self.normal
        return d[:, 0] * n[0] + d[:, 1] * n[1] + d[:, 2] * n[2] >= 0.0


@region_style("union")
class Union(Region):
    """In any of the listed regions; they are kept as they are now, so deleting one later changes nothing here."""

    style, usage = "union", "N ID1 ... IDN"

    def shape_words(self, args: list[str]) -> int:
        count = integer(args[0], "the number of regions") if args else 0
        if count < 2:
            raise InputError(f"region {self.style} needs two or more regions",
                             f"usage: region ID {self.style} {self.usage}")
        return 1 + count

    def setup(self, system: System, words: list[str]) -> None:
        for name in words[1:]:
            one_of("region", name, system.regions)
        self.parts = [system.regions[name] for name in words[1:]]
        self.extent = self.join([part.extent for part in self.parts])

    def join(self, extents: list[tuple[np.ndarray, np.ndarray] | None]) -> tuple[np.ndarray, np.ndarray] | None:
        """The bounding box around all boxes, if all parts have one."""
        known = [extent for extent in extents if extent is not None]
        if len(known) < len(extents):
            return None
        return np.min([low for low, _ in known], axis=0), np.max([high for _, high in known], axis=0)

    def within(self, x: np.ndarray) -> np.ndarray:
        return np.any([part.inside(x) for part in self.parts], axis=0)


@region_style("intersect")
class Intersect(Union):
    """In all of the listed regions."""

    style = "intersect"

    def join(self, extents: list[tuple[np.ndarray, np.ndarray] | None]) -> tuple[np.ndarray, np.ndarray] | None:
        """The common part of the boxes of those parts that have one."""
        known = [extent for extent in extents if extent is not None]
        if not known:
            return None
        return np.max([low for low, _ in known], axis=0), np.min([high for _, high in known], axis=0)

    def within(self, x: np.ndarray) -> np.ndarray:
        return np.all([part.inside(x) for part in self.parts], axis=0)
