"""exp, log, sin, cos, erf and erfc for SIMD lanes and for plain numbers.

On lanes each function is straight code without branches or tables: the argument is reduced, a polynomial is evaluated
with fused multiply-adds, the exponent is put back through the bits. No vector math library is needed. Plain numbers go
to the C library through `math`, float32 staying float32.

Largest error found on lanes, relative to the exact value (float64; float32):
    exp  1.5e-16; 8e-8    log  1.3e-16; 6e-8    sin, cos  2.2e-16; 1.3e-7 (|x| < 1e5)    erf  4.1e-16; 2.2e-7
    erfc  7.1e-16; 3.1e-7
NaN gives NaN, overflow gives inf, and exp and erfc give 0 where the result is below the smallest normal number (erfc a
little further on). Beyond |x| = 1e5 sin and cos lose digits, near their zeroes first, and beyond 1e15 (float64) or
4e6 (float32) they mean nothing.

The coefficients minimise the largest relative error (Remez exchange in 50 digits); each comment gives the interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, no_type_check

from llvmlite import ir
from numba import types
from numba.extending import overload

from everlet.portable.simd.core import FLAGS, Lanes, Simd, call_intrinsic, real_type, teach, uniform
from everlet.portable.simd.lanes import bits_float, either, float_bits, fma, magnitude, where

INF, NAN = math.inf, math.nan


# ---- polynomials
def polynomial(of_float64: Sequence[float], of_float32: Sequence[float]) -> Callable[..., Any]:
    """The word p(x) = c[0] + c[1] x + ..., with coefficients by precision, for lanes and scalars.

    Estrin's scheme: pairs (c[0] + c[1] x), (c[2] + c[3] x), ... are joined by x^2, then by x^4, and so on; most
    multiply-adds do not wait for each other.
    """

    def p(x: Lanes) -> Lanes:
        raise NotImplementedError("polynomials are for compiled code")

    def emit(builder: ir.IRBuilder, to: types.Type, x: ir.Value) -> ir.Value:
        dtype, width = (to.dtype, to.width) if isinstance(to, Simd) else (to, None)
        coefficients = of_float64 if dtype == types.float64 else of_float32
        terms = [ir.Constant(x.type, [c] * width if width else c) for c in coefficients]
        power = x
        while len(terms) > 1:
            pairs = [
                call_intrinsic(builder, "llvm.fma", x.type, high, power, low, flags=FLAGS)
                for low, high in zip(terms[::2], terms[1::2], strict=False)
            ]
            terms = pairs + terms[2 * len(pairs) :]
            power = builder.fmul(power, power)
        return terms[0]

    return teach(p, real_type, uniform(emit))


# fmt: off
# (e^x - 1 - x) / x^2 for |x| <= ln(2)/2
_exp_tail = polynomial(
    (0.500000000000001, 0.16666666666666674, 0.04166666666652199, 0.008333333333322207, 0.0013888888947820891,
     0.00019841269886591, 2.4801487326012337e-05, 2.7557242336680357e-06, 2.763265575933203e-07,
     2.5110049895858716e-08),
    (0.49999993453925895, 0.16666520625006895, 0.041668386517674065, 0.008368717566175049, 0.0013814684572654142),
)

# 2 (atanh(s)/s - 1) / s^2 in s^2, for |s| <= (sqrt(2) - 1)^2
_log_tail = polynomial(
    (0.6666666666666734, 0.39999999999415203, 0.28571428742307114, 0.2222219857697205, 0.18183564372168842,
     0.15314043344316433, 0.14796078273846064),
    (0.666667764080296, 0.3997753496622722, 0.2987196135480992),
)

# (sin(x) - x) / x^3 and (cos(x) - 1 + x^2/2) / x^4 in x^2, for |x| <= pi/4
_sin_tail = polynomial(
    (-0.16666666666666632, 0.008333333333322425, -0.00019841269829815102, 2.755731369372904e-06,
     -2.5050758307634405e-08, 1.5896802647063675e-10),
    (-0.1666665493946491, 0.008332177775111898, -0.00019517241030291035),
)
_cos_tail = polynomial(
    (0.041666666666666595, -0.0013888888888873051, 2.4801587288846906e-05, -2.755731417755862e-07,
     2.087570056237922e-09, -1.135852006465094e-11),
    (0.04166664569884291, -0.001388731665131311, 2.4433172579320678e-05),
)

# erf(x) / x in x^2, for x^2 <= 0.72
_erf_near = polynomial(
    (1.1283791670955126, -0.3761263890318333, 0.11283791670932034, -0.026866170640167157, 0.005223977570570136,
     -0.0008548323475414842, 0.00012055189505339268, -1.4921908384511776e-05, 1.6399001260303587e-06,
     -1.569654165389084e-07, 1.0674713123234909e-08),
    (1.1283791603738416, -0.37612572967700797, 0.11282731550596994, -0.02680316136116043, 0.00505217078561809,
     -0.0006321678093554712),
)

# (1 + 9/8 x) e^(x^2) erfc(x), which is flat at 0, in (x - k) / (x + k), for 0 <= x <= 28, k = 3 (float64), and
# 0 <= x <= 10.5, k = 2 (float32)
_erfc_scaled = polynomial(
    (0.7831300364185811, -0.21901405471390295, 0.08069787267530092, 0.007249679550940742, -0.0357376318956353,
     0.027751546937166062, -0.011503167521281974, 0.001732421850430195, 0.0008011739543445596, -0.000418855571205912,
     -3.112880301874418e-05, 6.473763360889574e-05, -7.030369479884494e-07, -1.0365873685204033e-05,
     1.3159191715243673e-07, 1.798521400364015e-06, 9.971671108278736e-08, -3.020307210353991e-07,
     -5.343476027180592e-08, 3.448416072139575e-08, 1.1122981155035002e-08),
    (0.8300359567769278, -0.2390736070437756, 0.012332676791537696, 0.05772948068613058, -0.028855751630905976,
     -0.0014821375339477683, 0.004480134534248979, 0.0003351227205275812, -0.0006620529591821734,
     -0.00017787801972721535),
)
# fmt: on


# ---- the words in plain Python
def exp(x: Lanes) -> Lanes:
    """e^x"""
    return math.exp(x)


def log(x: Lanes) -> Lanes:
    """The natural logarithm; -inf at zero, NaN below."""
    return math.log(x)


def sin(x: Lanes) -> Lanes:
    """The sine of x in radians."""
    return math.sin(x)


def cos(x: Lanes) -> Lanes:
    """The cosine of x in radians."""
    return math.cos(x)


def erf(x: Lanes) -> Lanes:
    """The error function."""
    return math.erf(x)


def erfc(x: Lanes) -> Lanes:
    """1 - erf(x), accurate where it is small."""
    return math.erfc(x)


# ---- the same on lanes
class _Format(NamedTuple):
    """The bits of a float format, and constants cut in parts that add up to more digits than one number holds."""

    mantissa: int  # how many bits
    one: int  # the bits of 1.0
    exponent: int  # the bits of inf
    half_root: int  # the bits of sqrt(1/2)
    whole: float  # 1.5 * 2^mantissa: added to a number it leaves the nearest integer in the lowest bits
    to_sign: int  # from bit 1 to the sign bit
    low: float  # e^low and e^high are the smallest normal and the largest number
    high: float
    tiny: float  # the smallest normal number
    lift: int  # 2^lift makes any subnormal number normal
    ln2: tuple[float, float]
    right_angle: tuple[float, float, float]
    erfc_top: float  # erfc is 0 beyond
    erfc_middle: float


_FORMATS = {
    types.float64: _Format(
        mantissa=52, one=1023 << 52, exponent=2047 << 52, half_root=0x3FE6A09E667F3BCD, whole=1.5 * 2.0**52, to_sign=62,
        low=-708.3964185322641, high=709.782712893384, tiny=2.0**-1022, lift=54,
        ln2=(0.6931471805599453, 2.3190468138462996e-17),
        right_angle=(1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33),
        erfc_top=28.0, erfc_middle=3.0),
    types.float32: _Format(
        mantissa=23, one=127 << 23, exponent=255 << 23, half_root=0x3F3504F3, whole=1.5 * 2.0**23, to_sign=30,
        low=-87.33654, high=88.72283, tiny=2.0**-126, lift=25,
        ln2=(0.6931471824645996, -1.9046542121259336e-09),
        right_angle=(1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15),
        erfc_top=10.5, erfc_middle=2.0),
}  # fmt: skip


def _exp_lanes(form: _Format) -> Callable[[Lanes], Lanes]:
    mantissa, whole, low, high = form.mantissa, form.whole, form.low, form.high
    ln2, rest = form.ln2

    @no_type_check
    def body(x):
        turns = fma(x, 1.4426950408889634, whole)
        n = turns - whole  # e^x = 2^n e^r
        r = fma(n, -rest, fma(n, -ln2, x))
        value = fma(r * r, _exp_tail(r), r) + 1.0
        value = bits_float(float_bits(value) + (float_bits(turns) << mantissa))
        return where(x >= low, where(x <= high, value, INF), where(x < low, 0.0, x))

    return body


def _log_lanes(form: _Format) -> Callable[[Lanes], Lanes]:
    mantissa, one, exponent, tiny = form.mantissa, form.one, form.exponent, form.tiny
    lift, lift_by, to_half = 2.0**form.lift, float(form.lift), form.one - form.half_root
    ln2, rest = form.ln2
    bias = one >> mantissa
    unit_bits, unit = (bias + mantissa) << mantissa, 2.0**mantissa + bias

    @no_type_check
    def body(x):
        small = x < tiny
        bits = float_bits(where(small, x * lift, x))
        e = (bits + to_half) & exponent  # x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2)
        k = bits_float((e >> mantissa) | unit_bits) - unit  # an integer in the low bits of 2^mantissa, made a float
        k = where(small, k - lift_by, k)
        f = bits_float(bits - e + one) - 1.0
        s = f / (f + 2.0)  # log(1 + f) = 2 atanh(s)
        z, half = s * s, 0.5 * f * f
        value = fma(k, ln2, f - (half - fma(s, fma(z, _log_tail(z), half), k * rest)))
        return where(either(x <= 0.0, x != x), where(x == 0.0, -INF, x * NAN), where(x == INF, x, value))

    return body


def _circular_lanes(form: _Format, quarter: int) -> Callable[[Lanes], Lanes]:
    """sin(x + quarter * pi/2)"""
    whole, to_sign = form.whole, form.to_sign
    p1, p2, p3 = form.right_angle

    @no_type_check
    def body(x):
        turns = fma(x, 0.6366197723675814, whole)
        n = turns - whole  # x = n pi/2 + r
        r = fma(n, -p3, fma(n, -p2, fma(n, -p1, x)))
        z = r * r
        sine = fma(r * z, _sin_tail(z), r)
        cosine = fma(z * z, _cos_tail(z), fma(z, -0.5, 1.0))
        q = float_bits(turns) + quarter
        return bits_float(float_bits(where((q & 1) == 0, sine, cosine)) ^ ((q & 2) << to_sign))

    return body


def _erfc_lanes(form: _Format) -> Callable[[Lanes], Lanes]:
    top, middle = form.erfc_top, form.erfc_middle

    @no_type_check
    def body(x):
        a = magnitude(x)
        a = where(a > top, top, a)
        away, up, line = a - middle, a + middle, fma(a, 1.125, 1.0)
        inverse = 1.0 / (up * line)  # one division for two, then a step to the last place
        share, up_inverse = up * inverse, line * inverse
        share = fma(share, fma(-line, share, 1.0), share)  # 1 / (1 + 9/8 a)
        t = away * up_inverse
        t = fma(up_inverse, fma(-up, t, away), t)  # (a - middle) / (a + middle)
        square = a * a
        value = _erfc_scaled(t) * share * exp(-square)
        value = fma(value, -fma(a, a, -square), value)  # what rounding took from the square
        return where(x < 0.0, 2.0 - value, value)

    return body


def _erf_lanes(form: _Format) -> Callable[[Lanes], Lanes]:
    @no_type_check
    def body(x):
        return where(magnitude(x) < 0.84, x * _erf_near(x * x), 1.0 - erfc(x))

    return body


_OPTIONS = {"error_model": "numpy", "fastmath": {"contract", "nsz"}, "forceinline": True}
CHOICES: dict[str, Callable[..., Any]] = {}  # of each word: what the body is for the type of the argument


def _define(word: Callable[..., Any], in_c: Callable[[float], float], lanes: Callable[..., Any], *more: int) -> None:
    bodies = {dtype: lanes(form, *more) for dtype, form in _FORMATS.items()}

    @no_type_check
    @overload(word, jit_options=_OPTIONS)
    def choose(x):
        if isinstance(x, Simd):
            return bodies.get(x.dtype)
        if isinstance(x, (types.Float, types.Integer)):
            return lambda x: in_c(x)
        return None

    CHOICES[word.__name__] = choose


_define(exp, math.exp, _exp_lanes)
_define(log, math.log, _log_lanes)
_define(sin, math.sin, _circular_lanes, 0)
_define(cos, math.cos, _circular_lanes, 1)
_define(erf, math.erf, _erf_lanes)
_define(erfc, math.erfc, _erfc_lanes)
