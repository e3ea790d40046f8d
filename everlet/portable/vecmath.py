"""exp, log, sin, cos, erf and erfc for SIMD lanes and for plain numbers.

On lanes each function is straight code without branches or tables: the argument is reduced, a polynomial is evaluated with
fused multiply-adds, the exponent is put back through the bits. It needs no vector math library and gives the same lanes on
every CPU. Plain numbers go to the C library through `math`, float32 staying float32.

Largest error found on lanes, relative to the exact value (float64; float32):
    exp  2e-16; 1e-7    log  2e-16; 1e-7    sin, cos  2e-16; 1e-7 for |x| < 1e5    erfc  1e-15; 4e-7    erf  4e-16; 2e-7
Subnormal results of exp are rounded twice. Beyond |x| = 1e5 sin and cos lose digits slowly, and mean nothing beyond 1e9
(float64) or 4e6 (float32). NaN gives NaN, and overflow and underflow give inf and 0.

The coefficients minimise the largest relative error (Remez exchange in 50 digits); each comment gives the interval.
"""
import math
from collections import namedtuple

from llvmlite import ir
from numba import types
from numba.extending import overload

from everlet.portable.simd import (bits_float, either, float_bits, fma, magnitude, where)
from everlet.portable.simd_core import FLAGS, Simd, call_intrinsic, real_type, teach, uniform

INF, NAN = math.inf, math.nan


# ---- polynomials
def polynomial(of_float64, of_float32):
    """The word p(x) = c[0] + c[1] x + ..., with coefficients by precision, for lanes and scalars.

    Estrin's scheme: pairs (c[0] + c[1] x), (c[2] + c[3] x), ... are joined by x^2, then by x^4, and so on; most
    multiply-adds do not wait for each other.
    """
    def p(x):
        raise NotImplementedError("polynomials are for compiled code")

    def emit(builder, to, x):
        dtype, width = (to.dtype, to.width) if isinstance(to, Simd) else (to, None)
        terms = [ir.Constant(x.type, [c] * width if width else c) for c in (of_float64 if dtype == types.float64 else of_float32)]
        power = x
        while len(terms) > 1:
            pairs = [call_intrinsic(builder, "llvm.fma", x.type, high, power, low, flags=FLAGS)
                     for low, high in zip(terms[::2], terms[1::2])]
            terms = pairs + terms[2 * len(pairs):]
            power = builder.fmul(power, power)
        return terms[0]
    return teach(p, real_type, uniform(emit))


# (e^x - 1 - x) / x^2 for |x| <= ln(2)/2
_exp_tail = polynomial(
    (0.500000000000001, 0.16666666666666674, 0.04166666666652199, 0.008333333333322207, 0.0013888888947820891,
     0.00019841269886591, 2.4801487326012337e-05, 2.7557242336680357e-06, 2.763265575933203e-07, 2.5110049895858716e-08),
    (0.49999993453925895, 0.16666520625006895, 0.041668386517674065, 0.008368717566175049, 0.0013814684572654142))

# 2 (atanh(s)/s - 1) / s^2 in s^2, for |s| <= (sqrt(2) - 1)^2
_log_tail = polynomial(
    (0.6666666666666734, 0.39999999999415203, 0.28571428742307114, 0.2222219857697205, 0.18183564372168842,
     0.15314043344316433, 0.14796078273846064),
    (0.666667764080296, 0.3997753496622722, 0.2987196135480992))

# (sin(x) - x) / x^3 and (cos(x) - 1 + x^2/2) / x^4 in x^2, for |x| <= pi/4
_sin_tail = polynomial(
    (-0.16666666666666632, 0.008333333333322425, -0.00019841269829815102, 2.755731369372904e-06, -2.5050758307634405e-08,
     1.5896802647063675e-10),
    (-0.1666665493946491, 0.008332177775111898, -0.00019517241030291035))
_cos_tail = polynomial(
    (0.041666666666666595, -0.0013888888888873051, 2.4801587288846906e-05, -2.755731417755862e-07, 2.087570056237922e-09,
     -1.135852006465094e-11),
    (0.04166664569884291, -0.001388731665131311, 2.4433172579320678e-05))

# erf(x) / x in x^2, for x^2 <= 0.72
_erf_near = polynomial(
    (1.1283791670955126, -0.3761263890318333, 0.11283791670932034, -0.026866170640167157, 0.005223977570570136,
     -0.0008548323475414842, 0.00012055189505339268, -1.4921908384511776e-05, 1.6399001260303587e-06, -1.569654165389084e-07,
     1.0674713123234909e-08),
    (1.1283791603738416, -0.37612572967700797, 0.11282731550596994, -0.02680316136116043, 0.00505217078561809,
     -0.0006321678093554712))

# (1 + 2 x) e^(x^2) erfc(x) in (x - k) / (x + k), for 0 <= x <= 28, k = 4 (float64) and 0 <= x <= 10.5, k = 2.5 (float32)
_erfc_scaled = polynomial(
    (1.2329951186255528, -0.13962111684057465, 0.015379652102570907, 0.06809705425588497, -0.10103906603371131,
     0.09373283496421476, -0.0663303658695877, 0.037167515978909375, -0.016197733382337837, 0.005031966915101549,
     -0.0007577779738428506, -0.00019924444487089984, 0.00015064169151537298, -2.4427567229914377e-05, -1.12752146875592e-05,
     5.7442627418484564e-06, 3.795819632857197e-07, -8.377159535042651e-07, -2.9079296540042856e-09, 9.443835877065481e-08,
     1.3627076547887851e-08),
    (1.2648381635737085, -0.12235680566473273, -0.09902281792083244, 0.1576314310248411, -0.10298960708166532,
     0.03274217180360032, 0.0010328143413492784, -0.004288881518563579, 0.0003191307991211742, 0.0004497847325886005))

# ---- the words in plain Python
def exp(x):
    """e^x"""
    return math.exp(x)


def log(x):
    """The natural logarithm; -inf at zero, NaN below."""
    return math.log(x)


def sin(x):
    """The sine of x in radians."""
    return math.sin(x)


def cos(x):
    """The cosine of x in radians."""
    return math.cos(x)


def erf(x):
    """The error function."""
    return math.erf(x)


def erfc(x):
    """1 - erf(x), accurate where it is small."""
    return math.erfc(x)


# ---- the same on lanes
# mantissa: its bits; one: the bits of 1.0; exponent: the bits of inf; half_root: the bits of sqrt(1/2); whole: 1.5 * 2^mantissa,
# which added to a small number leaves its nearest integer in the lowest bits; the rest are ends of ranges and constants cut
# in parts that add up to more digits.
_Format = namedtuple("_Format", "mantissa one exponent half_root whole shift low high tiny lift lift_by ln2 ln2_rest "
                                "right right_rest right_rest2 erfc_top erfc_middle")
_FORMATS = {
    types.float64: _Format(52, 1023 << 52, 2047 << 52, 0x3FE6A09E667F3BCD, 1.5 * 2.0**52, 62, -708.3964185322641, 709.782712893384, 2.0**-1022, 2.0**54, 54.0,
                           0.6931471805599453, 2.3190468138462996e-17,
                           1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33, 28.0, 4.0),
    types.float32: _Format(23, 127 << 23, 255 << 23, 0x3F3504F3, 1.5 * 2.0**23, 30, -87.33654, 88.72283, 2.0**-126, 2.0**25, 25.0,
                           0.6931471824645996, -1.9046542121259336e-09,
                           1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15, 10.5, 2.5),
}


def _exp_lanes(form):
    mantissa, whole, low, high, ln2, rest = form.mantissa, form.whole, form.low, form.high, form.ln2, form.ln2_rest

    def body(x):
        turns = fma(x, 1.4426950408889634, whole)
        n = turns - whole                                                      # e^x = 2^n e^r
        r = fma(n, -rest, fma(n, -ln2, x))
        value = fma(r * r, _exp_tail(r), r) + 1.0
        value = bits_float(float_bits(value) + (float_bits(turns) << mantissa))
        return where(x >= low, where(x <= high, value, INF), where(x < low, 0.0, x))
    return body


def _log_lanes(form):
    mantissa, one, exponent, ln2, rest = form.mantissa, form.one, form.exponent, form.ln2, form.ln2_rest
    tiny, lift, lift_by, to_half = form.tiny, form.lift, form.lift_by, form.one - form.half_root
    unit = 2.0**mantissa                                                       # integers are OR-ed into its lowest bits
    unit_bits, bias = (one >> mantissa) + mantissa << mantissa, unit + (one >> mantissa)

    def body(x):
        small = x < tiny
        bits = float_bits(where(small, x * lift, x))
        e = (bits + to_half) & exponent                                        # x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2)
        k = bits_float((e >> mantissa) | unit_bits) - bias - where(small, lift_by, x * 0.0)
        f = bits_float(bits - e + one) - 1.0
        s = f / (f + 2.0)                                                      # log(1 + f) = 2 atanh(s)
        z, half = s * s, 0.5 * f * f
        value = fma(k, ln2, f - (half - fma(s, fma(z, _log_tail(z), half), k * rest)))
        return where(either(x <= 0.0, x != x), where(x == 0.0, -INF, x * NAN), where(x == INF, x, value))
    return body


def _circular_lanes(form, quarter):
    """sin(x + quarter * pi/2)"""
    whole, shift, p1, p2, p3 = form.whole, form.shift, form.right, form.right_rest, form.right_rest2

    def body(x):
        turns = fma(x, 0.6366197723675814, whole)
        n = turns - whole                                                      # x = n pi/2 + r
        r = fma(n, -p3, fma(n, -p2, fma(n, -p1, x)))
        z = r * r
        sine = fma(r * z, _sin_tail(z), r)
        cosine = fma(z * z, _cos_tail(z), fma(z, -0.5, 1.0))
        q = float_bits(turns) + quarter
        return bits_float(float_bits(where((q & 1) == 0, sine, cosine)) ^ ((q & 2) << shift))
    return body


def _erfc_lanes(form):
    top, middle = form.erfc_top, form.erfc_middle

    def body(x):
        a = magnitude(x)
        a = where(a > top, top, a)
        up, line = a + middle, fma(a, 2.0, 1.0)
        inverse = 1.0 / (up * line)
        share = up * inverse
        share = fma(share, fma(-line, share, 1.0), share)                      # 1 / (1 + 2 a), to the last place
        square = a * a
        value = _erfc_scaled((a - middle) * line * inverse) * share * exp(-square)
        value = fma(value, -fma(a, a, -square), value)                         # what rounding took from the square
        return where(x < 0.0, 2.0 - value, value)
    return body


def _erf_lanes(form):
    def body(x):
        return where(magnitude(x) < 0.84, x * _erf_near(x * x), 1.0 - erfc(x))
    return body


_OPTIONS = {"error_model": "numpy", "fastmath": {"contract", "nsz"}, "forceinline": True}


def _define(word, in_c, lanes, *more):
    bodies = {dtype: lanes(form, *more) for dtype, form in _FORMATS.items()}

    @overload(word, jit_options=_OPTIONS)
    def choose(x):
        if isinstance(x, Simd):
            return bodies.get(x.dtype)
        if isinstance(x, (types.Float, types.Integer)):
            return lambda x: in_c(x)


_define(exp, math.exp, _exp_lanes)
_define(log, math.log, _log_lanes)
_define(sin, math.sin, _circular_lanes, 0)
_define(cos, math.cos, _circular_lanes, 1)
_define(erf, math.erf, _erf_lanes)
_define(erfc, math.erfc, _erfc_lanes)
