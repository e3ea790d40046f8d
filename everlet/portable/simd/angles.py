"""atan2 and acos for SIMD lanes and for plain numbers, as vecmath.py has exp and others.

Largest error found on lanes, relative to the exact value (float64; float32): atan2 4e-16; 2.5e-7. acos is the angle of the
point (x, sqrt((1 - x)(1 + x))); beyond -1 and 1 it is that of the nearest end. atan2(0, 0) is 0.
"""

from __future__ import annotations

import math
from typing import no_type_check

from numba import types
from numba.extending import overload

from everlet.portable.simd.core import Lanes, Simd
from everlet.portable.simd.lanes import fma, magnitude, most, sqrt, where
from everlet.portable.simd.vecmath import polynomial

# fmt: off
# (atan(s) / s - 1) / s^2 in s^2, for |s| <= sqrt(2) - 1
_atan_tail = polynomial(
    (-0.333333333333332, 0.19999999999954082, -0.14285714280248524, 0.11111110786138116, -0.09090897836449295,
     0.07692061637031876, -0.0666312038222454, 0.058480089005062, -0.050398454299686264, 0.038078318737201425,
     -0.017922276790049638),
    (-0.333333155050611, 0.1999848942907142, -0.1424384864054152, 0.10596001024940142, -0.06083452320514007),
)
# fmt: on
EIGHTH, QUARTER, HALF = 0.41421356237309503, 0.25 * math.pi, 0.5 * math.pi  # the tangent of pi/8; angles
REST = 6.123233995736766e-17  # pi/2 less its float64


def atan2(y: Lanes, x: Lanes) -> Lanes:
    """The angle of the point (x, y), from -pi to pi."""
    return math.atan2(y, x)


def acos(x: Lanes) -> Lanes:
    """The angle from 0 to pi whose cosine is x."""
    return math.atan2(math.sqrt(max(0.0, (1.0 - x) * (1.0 + x))), x)


@no_type_check
def _atan2_lanes(y, x):
    ax, ay = magnitude(x), magnitude(y)
    steep = ay > ax
    near, far = where(steep, ax, ay), where(steep, ay, ax)
    high = near > EIGHTH * far  # the angle less pi/4
    above, below = where(high, near - far, near), where(high, near + far, far)
    s = where(far == 0.0, 0.0, above / where(far == 0.0, 1.0, below))
    z = s * s
    value = fma(s * z, _atan_tail(z), s)
    value = where(high, value + QUARTER, value)
    value = where(steep, HALF - value + REST, value)
    value = where(x < 0.0, math.pi - value + 2.0 * REST, value)
    return where(y < 0.0, -value, value)


@no_type_check
def _acos_lanes(x):
    return atan2(sqrt(most((1.0 - x) * (1.0 + x), 0.0)), x)


_OPTIONS = {"error_model": "numpy", "fastmath": {"contract", "nsz"}, "forceinline": True}


def _lanes(x: types.Type) -> bool:
    return isinstance(x, Simd) and x.dtype in (types.float64, types.float32)


def _numbers(*given: types.Type) -> bool:
    return all(isinstance(x, (types.Float, types.Integer)) for x in given)


@no_type_check
@overload(atan2, jit_options=_OPTIONS)
def _choose_atan2(y, x):
    if _lanes(y) and _lanes(x):
        return _atan2_lanes
    if _numbers(y, x):
        return lambda y, x: math.atan2(y, x)
    return None


@no_type_check
@overload(acos, jit_options=_OPTIONS)
def _choose_acos(x):
    if _lanes(x):
        return _acos_lanes
    if _numbers(x):
        return lambda x: math.atan2(math.sqrt(max((1 - x) * (1 + x), 0 * x)), x)
    return None


CHOICES = {"atan2": _choose_atan2, "acos": _choose_acos}
