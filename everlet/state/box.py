"""The simulation box: edges, tilt, boundaries, fractional coordinates, wrapping and shrink-wrapping.

The box is the parallelepiped with the origin corner `lo` and the edge vectors

    a = (lx, 0, 0)      b = (xy, ly, 0)      c = (xz, yz, lz)         with (lx, ly, lz) = hi - lo

`h` holds these six numbers in the order xx yy zz yz xz xy (Voigt); x = lo + h s turns a fraction s in [0, 1) into a
position. A box without tilt is orthogonal, and `triclinic` is then false unless it was asked for.

Each of the six faces has a code: p periodic, f fixed, s shrink-wrapped (follows the outermost atom), m shrink-wrapped
with a minimum (never inside the face given when the box was made).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np

from everlet.errors import InputError, RunError

MARGIN = 1e-4  # distance of a shrink-wrapped face from the outermost atom, as a part of the initial edge
FAR = 1000.0  # boxes; atoms farther away than that come back in one step
FARTHEST = 2.0**20  # boxes; beyond, too few digits are left to say where in the box an atom is
REMOTE = 1.0e10  # edges from the origin: a box that is farther away has no room for digits of positions inside
SKEW = 0.5  # tilt beyond this part of the edge makes a box needlessly slanted
AXES = "xyz"
BOX = 21  # numbers of a box that kernels get (Box.params)
T = TypeVar("T")


def parse_boundary(text: str) -> tuple[str, str, str]:
    """`p p p`, `f s p`, `fs p m`: one word per dimension, one letter for both faces or two letters for low and high.

    >>> parse_boundary("fs p m")
    ('fs', 'pp', 'mm')
    """
    words = text.split()
    if len(words) != 3:
        raise InputError(f"boundary takes three words, found {len(words)}", "for example: boundary p p f")
    for word in words:
        if len(word) not in (1, 2) or set(word) - set("pfsm"):
            raise InputError(f"unknown boundary '{word}'", "use one or two letters of p, f, s, m for each dimension")
        if "p" in word and set(word) != {"p"}:
            raise InputError(f"boundary '{word}': both faces of a dimension must be periodic, or none",
                             "use pp, or two letters of f, s, m")
    x, y, z = (word * 2 if len(word) == 1 else word for word in words)
    return x, y, z


class Number(Generic[T]):
    """A number of the shape of a box. `Box.asked` counts how often such numbers were asked for on the host: what asks is no
    part of sequences that a GPU replays while kernels change the box (run/collecting.py)."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = f"_{name}"

    def __get__(self, box: Box, owner: Any = None) -> T:
        box.asked += 1
        found: T = box.__dict__[self.name]
        return found

    def __set__(self, box: Box, value: T) -> None:
        box.__dict__[self.name] = value


class Box:
    """A simulation box.

    lo, hi        float64[3]    corners of the box without its tilt
    xy, xz, yz    float         tilt factors, in length units
    boundary      codes of the low and high face per dimension, such as ("pp", "fs", "mm")
    minimum       float64[2, 3] the faces that `m` boundaries never move inside of
    margin        float64[3]    distance kept between a shrink-wrapped face and the outermost atom

    >>> box = Box([0, 0, 0], [2, 2, 4], boundary="p p f")
    >>> box.volume, box.periodic
    (16.0, (True, True, False))
    """

    lo, hi = Number[np.ndarray](), Number[np.ndarray]()
    xy, xz, yz = Number[float](), Number[float](), Number[float]()
    asked = 0

    def __init__(self, lo: object, hi: object, xy: float = 0.0, xz: float = 0.0, yz: float = 0.0,
                 boundary: str = "p p p", dimension: int = 3, triclinic: bool = False):
        self.lo = np.array(lo, np.float64)
        self.hi = np.array(hi, np.float64)
        self.xy, self.xz, self.yz = float(xy), float(xz), float(yz)
        self.boundary = parse_boundary(boundary)
        self.dimension = dimension
        self.triclinic = triclinic or (xy, xz, yz) != (0.0, 0.0, 0.0)
        if not (np.isfinite(self.lo).all() and np.isfinite(self.hi).all() and (self.lo < self.hi).all()):
            raise InputError(f"box edges must have lo < hi, found {self}", "correct the box bounds")
        if self.remote(self.lo, self.hi):
            raise InputError(f"the box is too far from the origin: {self}", "positions there lose their digits: move it near 0")
        if dimension == 2 and (self.xz != 0.0 or self.yz != 0.0):
            raise InputError("a 2-d box cannot be tilted in xz or yz", "give 0.0 for both")
        self.reset_margins()

    @staticmethod
    def remote(lo: np.ndarray, hi: np.ndarray) -> bool:
        """Positions between these corners have lost most of their digits."""
        return bool((np.maximum(np.abs(lo), np.abs(hi)) > REMOTE * (hi - lo)).any())

    def reset_margins(self) -> None:
        """Margins and least faces of shrink-wrapped boundaries follow from the present faces."""
        self.margin = MARGIN * (self.hi - self.lo)
        self.minimum = np.array([self.lo, self.hi])
        self._shape: tuple[object, ...] = ()
        self._known: dict[object, tuple[np.ndarray, ...]] = {}  # what follows from the present shape

    def _once(self, key: object, make: Callable[[], tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
        """Arrays that depend on the shape of the box, made once for each shape; copies, for the caller to keep."""
        shape = self.lo.tobytes(), self.hi.tobytes(), self.xy, self.xz, self.yz, self.boundary
        if shape != self._shape:
            self._shape, self._known = shape, {}
        if key not in self._known:
            self._known[key] = make()
        return tuple([array.copy() for array in self._known[key]])

    # ---- shape

    @property
    def periodic(self) -> tuple[bool, bool, bool]:
        x, y, z = self.boundary
        return x == "pp", y == "pp", z == "pp"

    @property
    def shrinks(self) -> bool:
        """Some face follows the atoms."""
        return any(code in "sm" for codes in self.boundary for code in codes)

    @property
    def lengths(self) -> np.ndarray:
        """Edge lengths without tilt, float64[3]."""
        return self.hi - self.lo

    @property
    def volume(self) -> float:
        """Volume; the area in 2-d."""
        lx, ly, lz = self.lengths.tolist()
        return lx * ly if self.dimension == 2 else lx * ly * lz

    @property
    def h(self) -> np.ndarray:
        """Shape matrix, float64[6]: xx yy zz yz xz xy."""
        lx, ly, lz = self.lengths
        return np.array([lx, ly, lz, self.yz, self.xz, self.xy])

    @property
    def edges(self) -> np.ndarray:
        """Edge vectors as rows, float64[3, 3]."""
        lx, ly, lz = self.lengths
        return np.array([[lx, 0.0, 0.0], [self.xy, ly, 0.0], [self.xz, self.yz, lz]])

    @property
    def h_inverse(self) -> np.ndarray:
        """Inverse of the shape matrix, float64[6]: xx yy zz yz xz xy."""
        xx, yy, zz, yz, xz, xy = self.h
        return np.array([1.0 / xx, 1.0 / yy, 1.0 / zz, -yz / (yy * zz), (yz * xy - yy * xz) / (xx * yy * zz),
                         -xy / (xx * yy)])

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Corners of the orthogonal box around this one (equal to lo, hi without tilt)."""
        low, high = self.lo.copy(), self.hi.copy()
        for tilt in (self.xy, self.xz):
            low[0], high[0] = min(low[0], low[0] + tilt), max(high[0], high[0] + tilt)
        low[1], high[1] = min(low[1], low[1] + self.yz), max(high[1], high[1] + self.yz)
        return low, high

    def params(self) -> np.ndarray:
        """What kernels get, float64[21]: lo (3), h (6), h_inverse (6), periodic (3, as 0 or 1), hi (3)."""
        return self._once("params", lambda: (np.concatenate(
            [self.lo, self.h, self.h_inverse, np.array(self.periodic, np.float64), self.hi]),))[0]

    def skew(self) -> str:
        """Name of the first tilt that is beyond half an edge, or an empty text; as in the reference, a tilt counts only
        if the dimension it slants along is periodic. Such a box is right but slow: it needs more ghost atoms than the
        same lattice in a less slanted box."""
        lx, ly, _ = self.lengths
        _, y, z = self.periodic
        tilts = {"xy": (self.xy / lx, y), "xz": (self.xz / lx, z), "yz": (self.yz / ly, z)}
        most = SKEW * (1.0 + 1e-12)  # rounding is no slant
        return next((name for name, (part, periodic) in tilts.items() if periodic and abs(part) > most), "")

    def __str__(self) -> str:
        corner = [" ".join(f"{value:.8g}" for value in point) for point in (self.lo, self.hi)]
        text = f"{'triclinic' if self.triclinic else 'orthogonal'} box = ({corner[0]}) to ({corner[1]})"
        return f"{text} with tilt ({self.xy:.8g} {self.xz:.8g} {self.yz:.8g})" if self.triclinic else text

    # ---- coordinates

    def to_fraction(self, x: np.ndarray) -> np.ndarray:
        """Positions (n, 3) as fractions of the edges; 0 to 1 inside the box."""
        d = np.asarray(x, np.float64)[:, :3] - self.lo
        xx, yy, zz, yz, xz, xy = self.h_inverse
        s = np.empty_like(d)
        s[:, 0] = xx * d[:, 0] + xy * d[:, 1] + xz * d[:, 2]
        s[:, 1] = yy * d[:, 1] + yz * d[:, 2]
        s[:, 2] = zz * d[:, 2]
        return s

    def from_fraction(self, s: np.ndarray) -> np.ndarray:
        """Fractions (n, 3) as positions."""
        xx, yy, zz, yz, xz, xy = self.h
        x = np.empty_like(s)
        x[:, 0] = xx * s[:, 0] + xy * s[:, 1] + xz * s[:, 2] + self.lo[0]
        x[:, 1] = yy * s[:, 1] + yz * s[:, 2] + self.lo[1]
        x[:, 2] = zz * s[:, 2] + self.lo[2]
        return x

    def nearest(self, d: np.ndarray) -> np.ndarray:
        """Vectors (n, 3) between atoms, each to the image that is nearest along the edges of the box."""
        found, lengths = np.array(d, np.float64), self.lengths
        edges = np.array([[lengths[0], 0.0, 0.0], [self.xy, lengths[1], 0.0], [self.xz, self.yz, lengths[2]]])
        for axis in (2, 1, 0):
            if self.periodic[axis]:
                found -= np.rint(found[:, axis : axis + 1] / lengths[axis]) * edges[axis]
        return found

    def wrap(self, x: np.ndarray, image: np.ndarray) -> None:
        """Move positions (n, 3) into the box along periodic dimensions and count crossings in `image` (n, 3), in place.

        A crossing through the high face adds one to the image flag. A tilted box is wrapped in fractions, so that all
        positions there go to fractions and back, as they do in the reference. Positions that are not finite stay.
        """
        if self.triclinic:
            s = self.to_fraction(x)
            self._wrap(s, image, np.zeros(3), np.ones(3), np.ones(3))
            x[:, :3] = self.from_fraction(s)
        else:
            self._wrap(x, image, self.lo, self.hi, self.lengths)

    def _wrap(self, x: np.ndarray, image: np.ndarray, lo: np.ndarray, hi: np.ndarray, length: np.ndarray) -> None:
        for k in range(3):
            if not self.periodic[k]:
                continue
            column, flags = x[:, k], image[:, k]
            far = np.flatnonzero(np.isfinite(column) & (np.abs(column - lo[k]) > FAR * length[k]))
            if len(far):  # go near in one step, then let the plain rule below decide the last crossings
                boxes = np.trunc((column[far] - lo[k]) / length[k])
                if np.abs(boxes).max() > FARTHEST:
                    raise InputError(f"an atom is {np.abs(boxes).max():.3g} box lengths away along {'xyz'[k]}: its place in a "
                                     "periodic box cannot be told", "check coordinates, displacements and their units")
                column[far] -= boxes * length[k]
                flags[far] += boxes.astype(flags.dtype)
            low = np.flatnonzero((column < lo[k]) & np.isfinite(column))
            while len(low):  # one edge at a time: a product would round otherwise, and bits of positions seed streams
                column[low] += length[k]
                flags[low] -= 1
                low = low[column[low] < lo[k]]
            high = np.flatnonzero((column >= hi[k]) & np.isfinite(column))
            while len(high):
                column[high] = np.maximum(column[high] - length[k], lo[k])
                flags[high] += 1
                high = high[column[high] >= hi[k]]

    # ---- shrink-wrapping

    def clear_images(self, image: np.ndarray) -> str:
        """Set image flags (n, 3) to 0 along axes that are not periodic; gives a warning if there were others."""
        axes = [k for k in range(3) if not self.periodic[k] and image[:, k].any()]
        image[:, axes] = 0
        names = " ".join(AXES[k] for k in axes)
        return f"image flags along {names} are set to 0: the box is not periodic there" if axes else ""

    def expand(self) -> None:
        """Give shrink-wrapped faces their margin. Called once by the command that makes the box, before any atoms."""
        for k, codes in enumerate(self.boundary):
            if codes[0] == "s":
                self.lo[k] -= self.margin[k]
            if codes[1] == "s":
                self.hi[k] += self.margin[k]

    def shrink(self, x: np.ndarray) -> bool:
        """Fit shrink-wrapped faces to positions (n, 3); fixed and periodic faces stay. True if a face moved."""
        return self.fit(self.extent(x))

    def settle(self, x: np.ndarray, image: np.ndarray) -> None:
        """Wrap positions (n, 3) that a command has moved, and fit shrink-wrapped faces to them, in place."""
        self.wrap(x, image)
        self.refit(x, image)

    def refit(self, x: np.ndarray, image: np.ndarray) -> None:
        """Fit shrink-wrapped faces to wrapped positions (n, 3); in a tilted box these go to fractions and back, as in
        the reference: the bits matter, they seed random streams."""
        if not self.triclinic:
            self.shrink(x)
            return
        s = self.to_fraction(x)
        x[:, :3] = self.from_fraction(s)
        if self.shrinks and len(x):
            self.fit(np.array([-s.min(axis=0), s.max(axis=0)]))
            self.wrap(x, image)

    def extent(self, x: np.ndarray) -> np.ndarray:
        """The largest of -x and of x along each edge, in fractions if the box is tilted: float64[2, 3]."""
        if len(x) == 0:
            return np.full((2, 3), -np.inf)
        s = self.to_fraction(x) if self.triclinic else x[:, :3]
        columns = s.T  # one by one: NumPy takes eight times as long for all at once
        return np.array([[-one.min() for one in columns], [one.max() for one in columns]])

    def fit(self, extent: np.ndarray) -> bool:
        """Fit shrink-wrapped faces to an extent; True if a face moved."""
        if not self.shrinks or (extent == -np.inf).all():
            return False
        low, high = -extent[0], extent[1]
        if self.triclinic:  # along one edge vector at a time
            low, high = (self.from_fraction(np.diag(s)).diagonal() for s in (low, high))
        lo, hi = self.lo.copy(), self.hi.copy()
        for k, codes in enumerate(self.boundary):
            if codes[0] in "sm":
                lo[k] = low[k] - self.margin[k]
            if codes[0] == "m":
                lo[k] = min(lo[k], self.minimum[0, k])
            if codes[1] in "sm":
                hi[k] = high[k] + self.margin[k]
            if codes[1] == "m":
                hi[k] = max(hi[k], self.minimum[1, k])
            if not -np.inf < lo[k] < hi[k] < np.inf:
                raise RunError(f"shrink-wrapping the box in {AXES[k]} gives lo = {lo[k]:.8g}, hi = {hi[k]:.8g}",
                               "look for atoms with wild or undefined positions, or use fixed boundaries")
        if self.remote(lo, hi):
            raise RunError(f"shrink-wrapping moves the box too far from the origin: {lo} to {hi}",
                           "positions there lose their digits: check numbers and units of what moved the atoms")
        moved = bool((lo != self.lo).any() or (hi != self.hi).any())
        self.lo, self.hi = lo, hi
        return moved

    # ---- reach of ghosts and bins

    def ghost_fraction(self, cutoff: float) -> np.ndarray:
        """A distance as fractions of the box, measured at right angles to its faces; 0 along z in 2-d."""
        return cutoff * self._once("per length", lambda: (self._per_length(),))[0]

    def _per_length(self) -> np.ndarray:
        xx, yy, zz, yz, xz, xy = self.h_inverse
        per_length = np.array([np.sqrt(xx * xx + xy * xy + xz * xz), np.sqrt(yy * yy + yz * yz), zz])
        if self.dimension == 2:
            per_length[2] = 0.0
        return per_length

    def extended(self, cutoff: float, part: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Corners of the orthogonal region that holds the box, or a part of it (corners in fractions), and its ghosts
        within `cutoff`."""
        low, high = self._once((cutoff, None if part is None else part.tobytes()), lambda: self._extended(cutoff, part))
        return low, high

    def _extended(self, cutoff: float, part: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        low, high = np.array([[0.0] * 3, [1.0] * 3]) if part is None else part
        reach, periodic = self.ghost_fraction(cutoff), np.array(self.periodic)
        ends = low - reach * (periodic | (low > 0.0)), high + reach * (periodic | (high < 1.0))
        corners = np.array([[ends[k >> d & 1][d] for d in range(3)] for k in range(8)])
        points = self.from_fraction(corners)
        return points.min(axis=0), points.max(axis=0)
