"""Inner coordinates: what energies of links are functions of. A style names those it needs as parameters of its energy.

    kind       coordinates
    bond       r2, r; start, the length at the start of the first run (of a style that `starts`)
    angle      theta, cosine; distances r12, r32, r13; tilt, of a style that is `directed`: the cosine of the angle of
               the dipole of atom 1 with the way from there to atom 2
    dihedral   phi (-pi to pi, trans is pi), cosine; distances r12, r23, r34; theta123, theta234
    improper   phi, as of a dihedral; from atom 2 to 1, 3, 4 along u, v, w: chi (mean angle of an arm out of the plane of the
               others), uv, uw, vw (angles of arms); from atom 1: s234, s423, s342 (sine of the angle of the last arm with
               the normal of the plane of the two others, negative where it leans to their side), w2, w3, w4 (angle of an
               arm with that plane); h1 (height of atom 1 over the plane of 2, 3, 4); omega (angle of x2 - x1 with
               x4 - x3); c124, c123, c423 (cosines of angles along chains)

Atom 2 is the origin: the functions here get d1, d3, d4, the ways from there to the other atoms. They are recorded once and
differentiated (portable/language/gradients.py), so that the text of a kernel has nothing but the coordinates in use.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from everlet.portable import acos, atan2, magnitude, most, rsqrt, sqrt, where

Vector = tuple[Any, Any, Any]
TINY = 1e-30  # square of a length in any units
COORDINATES: dict[str, dict[str, Callable[..., Any]]] = {"bond": {}, "angle": {}, "dihedral": {}, "improper": {}}


def coordinate(name: str, *kinds: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        for kind in kinds:
            COORDINATES[kind][name] = function
        return function

    return register


# ---- vectors
def dot(a: Vector, b: Vector) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def negative(a: Vector) -> Vector:
    return -a[0], -a[1], -a[2]


def scaled(a: Vector, factor: Any) -> Vector:
    return a[0] * factor, a[1] * factor, a[2] * factor


def length(a: Vector) -> Any:
    return sqrt(dot(a, a))


def unit(a: Vector) -> Vector:
    return scaled(a, rsqrt(dot(a, a)))


def cosine_of(a: Vector, b: Vector) -> Any:
    return dot(a, b) * (rsqrt(dot(a, a)) * rsqrt(dot(b, b)))


def asin(x: Any) -> Any:
    return 0.5 * math.pi - acos(x)


# ---- distances and angles
@coordinate("r2", "bond")
def square(d1: Vector, *_: Vector) -> Any:
    return dot(d1, d1)


@coordinate("at", "bond")  # where a table is read (tabulated.py)
@coordinate("r", "bond")
def bond_length(d1: Vector, *_: Vector) -> Any:
    """Atoms at one place, as a core and its shell may be, have no direction and so no force."""
    return sqrt(most(dot(d1, d1), TINY))


@coordinate("start", "bond")  # the second way of a bond is the first as it was
def first_length(d1: Vector, d3: Vector) -> Any:
    return bond_length(d3)


@coordinate("r12", "angle", "dihedral")
def first_distance(d1: Vector, *_: Vector) -> Any:
    return length(d1)


@coordinate("r32", "angle")
@coordinate("r23", "dihedral")
def second_distance(d1: Vector, d3: Vector, *_: Vector) -> Any:
    return length(d3)


@coordinate("tilt", "angle")  # the second way is a dipole
def tilt(d1: Vector, d3: Vector) -> Any:
    return cosine_of(negative(d1), d3)


@coordinate("r13", "angle")
def ends_distance(d1: Vector, d3: Vector) -> Any:
    return length(minus(d1, d3))


@coordinate("r34", "dihedral")
def third_distance(d1: Vector, d3: Vector, d4: Vector) -> Any:
    return length(minus(d4, d3))


@coordinate("cosine", "angle")
def cosine(d1: Vector, d3: Vector) -> Any:
    return cosine_of(d1, d3)


@coordinate("at", "angle")
@coordinate("theta", "angle")
@coordinate("theta123", "dihedral")
@coordinate("uv", "improper")
def theta(d1: Vector, d3: Vector, *_: Vector) -> Any:
    return acos(cosine_of(d1, d3))


@coordinate("theta234", "dihedral")
def second_theta(d1: Vector, d3: Vector, d4: Vector) -> Any:
    return acos(cosine_of(negative(d3), minus(d4, d3)))


@coordinate("uw", "improper")
def angle_uw(d1: Vector, d3: Vector, d4: Vector) -> Any:
    return acos(cosine_of(d1, d4))


@coordinate("vw", "improper")
def angle_vw(d1: Vector, d3: Vector, d4: Vector) -> Any:
    return acos(cosine_of(d3, d4))


# ---- dihedral angles
@coordinate("phi", "dihedral", "improper")
def phi(d1: Vector, d3: Vector, d4: Vector) -> Any:
    """The IUPAC sign; no sine of the angle in a denominator."""
    b1, b2, b3 = negative(d1), d3, minus(d4, d3)
    a, b = cross(b1, b2), cross(b2, b3)
    return atan2(length(b2) * dot(b1, b), dot(a, b))


@coordinate("cosine", "dihedral")
def cosine_phi(d1: Vector, d3: Vector, d4: Vector) -> Any:
    return cosine_of(cross(negative(d1), d3), cross(d3, minus(d4, d3)))


# ---- out of planes
@coordinate("chi", "improper")
def chi(d1: Vector, d3: Vector, d4: Vector) -> Any:
    u, v, w = unit(d1), unit(d3), unit(d4)
    volume = dot(u, cross(v, w))
    return (asin(volume / length(cross(v, w))) + asin(volume / length(cross(u, w))) + asin(volume / length(cross(u, v)))) / 3.0


def lean(a: Vector, b: Vector, h: Vector) -> Any:
    """The sine of the angle of h with the normal of a and b; negative where h leans to their side."""
    c = cosine_of(cross(a, b), h)
    s = sqrt(most((1.0 - c) * (1.0 + c), 1e-6))
    return where(dot(h, unit(a)) + dot(h, unit(b)) > 0.0, -s, s)


def arms(d1: Vector, d3: Vector, d4: Vector) -> tuple[Vector, Vector, Vector]:
    """From atom 1 to 2, 3, 4."""
    return negative(d1), minus(d3, d1), minus(d4, d1)


@coordinate("omega", "improper")
def omega(d1: Vector, d3: Vector, d4: Vector) -> Any:
    return acos(cosine_of(negative(d1), minus(d4, d3)))


@coordinate("c124", "improper")
def c124(d1: Vector, d3: Vector, d4: Vector) -> Any:
    return cosine_of(negative(d1), d4)


@coordinate("c123", "improper")
def c123(d1: Vector, d3: Vector, d4: Vector) -> Any:
    return cosine_of(negative(d1), d3)


@coordinate("c423", "improper")
def c423(d1: Vector, d3: Vector, d4: Vector) -> Any:
    return cosine_of(negative(d4), d3)


def height(a: Vector, b: Vector, h: Vector) -> Any:
    """Of the end of h over the plane of a and b, on the side of a x b."""
    normal = cross(a, b)
    return dot(normal, h) * rsqrt(dot(normal, normal))


@coordinate("h1", "improper")
def h1(d1: Vector, d3: Vector, d4: Vector) -> Any:
    return height(d3, d4, d1)


def rise(a: Vector, b: Vector, h: Vector) -> Any:
    """The angle of h with the plane of a and b, never negative."""
    return asin(magnitude(height(a, b, h)) * rsqrt(dot(h, h)))


def of_arm(function: Callable[[Vector, Vector, Vector], Any], k: int) -> Callable[..., Any]:
    """A function of two arms of an improper, in cyclic order, and of the third, which ends at atom k."""
    def of(*d: Vector) -> Any:
        arm = arms(*d)
        return function(arm[(k - 1) % 3], arm[k % 3], arm[k - 2])

    return of


for k, leaning, rising in ((2, "s342", "w2"), (3, "s423", "w3"), (4, "s234", "w4")):
    coordinate(leaning, "improper")(of_arm(lean, k))
    coordinate(rising, "improper")(of_arm(rise, k))
