"""Explicit SIMD lanes on the CPU, as a Numba type.

A value of type `Simd(dtype, width)` holds `width` numbers, a `Mask(width)` as many truth values. Inside nopython code
they add, multiply, compare and select lane by lane; LLVM turns them into the vector instructions of the machine, and
splits those that are wider than its registers. Every word that means something for one number takes plain numbers
and bools as well, in nopython code and in plain Python, so that one text serves lanes and scalars.

    W = default_width(np.float32)
    load, within = loader(W), live(W)

    @njit(error_model="numpy")
    def lennard_jones(r2, n):                                # the sum of 4 (r^-12 - r^-6) over r^2 < 6.25
        total = 0.0
        for q in range(0, n, W):                             # r2 is padded to a multiple of W
            x = load(r2, q)
            s6 = 1.0 / (x * x * x)
            total += lane_sum(where(both(x < 6.25, within(q, n)), 4.0 * s6 * (s6 - 1.0), 0.0))
        return total

Rules. A scalar beside lanes is cast to their dtype, so a literal never widens float32. Lanes of two dtypes never mix by
themselves: as_f32, as_f64, as_i32, as_i64 convert. Comparisons with NaN are false, but for !=. Lanes that a mask will
drop may hold inf or NaN: nothing here lets the compiler assume otherwise. A product and a sum may be contracted to one
fused multiply-add; nothing else is reordered. Arrays are one-dimensional and contiguous, and no index is checked.
Lanes live inside one function or one parallel loop body: they cannot cross into a prange from outside.

The files: core.py has the types and the way to teach Numba, memory.py and scatter.py the words that touch arrays.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.base import BaseContext
from numba.core.errors import TypingError
from numba.core.typing.templates import Signature

from everlet.portable.backends.cpu.machine import host_bytes, target_is
from everlet.portable.simd.core import (
    FLAGS,
    I64,
    Emit,
    Lanes,
    Mask,
    Resolve,
    Simd,
    bring,
    call_intrinsic,
    common_type,
    default_width,
    is_float,
    lane,
    mask_fold,
    mask_integer,
    real_type,
    split,
    teach,
    truth_type,
    uniform,
)
from everlet.portable.simd.memory import (
    atomic_add,
    compress_store,
    gather,
    gather_rows3,
    gather_rows4,
    lane_ids,
    live,
    loader,
    splatter,
    store,
)
from everlet.portable.simd.roots import inverse_root
from everlet.portable.simd.scatter import prefetch3, scatter_rows3_sub, scatter_rows3_sub_distinct, scatter_sub

__all__ = [
    "Simd", "Mask", "host_bytes", "default_width", "where", "both", "either", "negate", "least", "most", "magnitude",
    "sqrt", "rsqrt", "fma", "floor", "as_f32", "as_f64", "as_i32", "as_i64", "to_real", "float_bits", "bits_float",
    "lane_sum", "any_lane", "all_lanes", "count_lanes", "mask_bits", "loader", "splatter", "lane_ids", "live", "store",
    "gather", "gather_rows3", "gather_rows4", "scatter_rows3_sub", "scatter_rows3_sub_distinct", "scatter_sub",
    "compress_store", "atomic_add", "prefetch3",
]  # fmt: skip

# ---- operators
_PAIRS = ((Simd, Simd), (Simd, types.Number), (types.Number, Simd))
_TRUTHS = ((Mask, Mask), (Mask, types.Boolean), (types.Boolean, Mask))


def _arithmetic(resolve: Resolve, on_float: str, on_int: str) -> tuple[Resolve, Emit]:
    def emit(builder: ir.IRBuilder, to: types.Type, *args: ir.Value) -> ir.Value:
        return getattr(builder, on_float)(*args, flags=FLAGS) if is_float(to) else getattr(builder, on_int)(*args)

    return lambda *args: resolve(*args) if any(isinstance(t, Simd) for t in args) else None, uniform(emit)


def _integer(*args: types.Type) -> types.Type | None:
    """Bit operators: integer lanes, or masks."""
    if any(isinstance(t, Mask) for t in args):
        return truth_type(*args)
    to = common_type(*args) if any(isinstance(t, Simd) for t in args) else None
    return None if to is None or is_float(to) else to


for _name in ("add", "sub", "mul"):
    for _operator in (getattr(operator, _name), getattr(operator, "i" + _name)):
        teach(_operator, *_arithmetic(common_type, "f" + _name, _name), patterns=_PAIRS)
for _operator in (operator.truediv, operator.itruediv):
    teach(_operator, *_arithmetic(real_type, "fdiv", "sdiv"), patterns=_PAIRS)
teach(
    operator.neg,
    lambda a: a if isinstance(a, Simd) else None,
    uniform(lambda b, to, a: b.fneg(a) if is_float(to) else b.neg(a)),
    ((Simd,),),
)
for _name, _operators in (
    ("and_", (operator.and_, operator.iand)),
    ("or_", (operator.or_, operator.ior)),
    ("xor", (operator.xor, operator.ixor)),
    ("shl", (operator.lshift, operator.ilshift)),
    ("ashr", (operator.rshift, operator.irshift)),
):
    for _operator in _operators:
        teach(_operator, _integer, uniform(lambda b, to, x, y, name=_name: getattr(b, name)(x, y)), _PAIRS + _TRUTHS)
teach(operator.invert, lambda a: a if isinstance(a, Mask) else None, uniform(lambda b, to, a: b.not_(a)), ((Mask,),))


def _comparison(symbol: str) -> tuple[Resolve, Emit]:
    def resolve(a: types.Type, b: types.Type) -> types.Type | None:
        to = common_type(a, b) if isinstance(a, Simd) or isinstance(b, Simd) else None
        return None if to is None else Mask(to.width)

    def emit(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
        to = common_type(*sig.args)
        x, y = (bring(context, builder, v, t, to) for v, t in zip(args, sig.args, strict=True))
        if not is_float(to):
            return builder.icmp_signed(symbol, x, y)
        return builder.fcmp_unordered(symbol, x, y) if symbol == "!=" else builder.fcmp_ordered(symbol, x, y)

    return resolve, emit


for _name, _symbol in {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}.items():
    teach(getattr(operator, _name), *_comparison(_symbol), patterns=_PAIRS)


# ---- choosing
def where(mask: Lanes, a: Lanes, b: Lanes) -> Lanes:
    """`a` where mask holds, else `b`. Two scalars under a Mask must be floats of one type, which the lanes take."""
    return a if mask else b


def both(a: Lanes, b: Lanes) -> Lanes:
    """Whether both hold (masks, bools, or one of each)."""
    return a and b


def either(a: Lanes, b: Lanes) -> Lanes:
    """Whether at least one holds."""
    return a or b


def negate(a: Lanes) -> Lanes:
    """Whether it does not hold."""
    return not a


def _where_type(mask: types.Type, a: types.Type, b: types.Type) -> types.Type | None:
    to = common_type(a, b)
    if not isinstance(mask, (Mask, types.Boolean)) or to is None:
        return None
    if isinstance(mask, Mask) and not isinstance(to, Simd):
        if a != b or not is_float(a):
            raise TypingError(
                f"where({mask}, {a}, {b}): the lanes' type is not clear; give one value as lanes, or both "
                "as scalars of the same float type"
            )
        return Simd(a, mask.width)
    if isinstance(mask, Mask) and mask.width != to.width:
        raise TypingError(f"where({mask}, {a}, {b}): mask and lanes differ in width")
    return to


def _where(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    to = sig.return_type
    return builder.select(
        args[0], *[bring(context, builder, v, t, to) for v, t in zip(args[1:], sig.args[1:], strict=True)]
    )


teach(where, _where_type, _where)
teach(both, truth_type, uniform(lambda b, to, x, y: b.and_(x, y)))
teach(either, truth_type, uniform(lambda b, to, x, y: b.or_(x, y)))
teach(negate, truth_type, uniform(lambda b, to, x: b.not_(x)))


# ---- numbers
def least(a: Lanes, b: Lanes) -> Lanes:
    """The smaller one; where one is NaN, either may come back."""
    return min(a, b)


def most(a: Lanes, b: Lanes) -> Lanes:
    """The larger one; where one is NaN, either may come back."""
    return max(a, b)


def magnitude(a: Lanes) -> Lanes:
    """|a|"""
    return abs(a)


def sqrt(a: Lanes) -> Lanes:
    """Square root; NaN below zero."""
    return math.sqrt(a)


def rsqrt(a: Lanes) -> Lanes:
    """1 / sqrt(a), within about two units in the last place; inf at zero."""
    return 1.0 / math.sqrt(a)


def fma(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    """a * b + c, rounded once."""
    return a * b + c


def floor(a: Lanes) -> Lanes:
    """The whole number at or below a, as a real number."""
    return math.floor(a)


def _extreme(symbol: str, intrinsic: str) -> Emit:
    def emit(builder: ir.IRBuilder, to: types.Type, a: ir.Value, b: ir.Value) -> ir.Value:
        if not is_float(to):
            return builder.select(builder.icmp_signed(symbol, a, b), a, b)
        if target_is("aarch64"):
            return call_intrinsic(builder, intrinsic, a.type, a, b, flags=FLAGS)
        return builder.select(builder.fcmp_ordered(symbol, a, b), a, b)  # one instruction on x86

    return uniform(emit)


def _magnitude(builder: ir.IRBuilder, to: types.Type, a: ir.Value) -> ir.Value:
    if is_float(to):
        return call_intrinsic(builder, "llvm.fabs", a.type, a)
    return builder.select(builder.icmp_signed("<", a, ir.Constant(a.type, None)), builder.neg(a), a)


teach(least, common_type, _extreme("<", "llvm.minnum"))
teach(most, common_type, _extreme(">", "llvm.maxnum"))
teach(magnitude, common_type, uniform(_magnitude))
teach(sqrt, real_type, uniform(lambda b, to, x: call_intrinsic(b, "llvm.sqrt", x.type, x, flags=FLAGS)))
teach(rsqrt, real_type, uniform(inverse_root))
teach(fma, real_type, uniform(lambda b, to, x, y, z: call_intrinsic(b, "llvm.fma", x.type, x, y, z, flags=FLAGS)))
teach(floor, real_type, uniform(lambda b, to, x: call_intrinsic(b, "llvm.floor", x.type, x)))


# ---- conversions
def as_f32(a: Lanes) -> Lanes:
    """As float32, lanes or scalar."""
    return float(a)


def as_f64(a: Lanes) -> Lanes:
    """As float64, lanes or scalar."""
    return float(a)


def as_i32(a: Lanes) -> Lanes:
    """As int32, rounded towards zero; a value out of its range gives an unspecified one."""
    return int(a)


def as_i64(a: Lanes) -> Lanes:
    """As int64, rounded towards zero; a value out of its range gives an unspecified one."""
    return int(a)


def float_bits(a: Lanes) -> Lanes:
    """The bits of float lanes as integer lanes of the same size."""
    raise NotImplementedError("float_bits is for lanes")


def bits_float(a: Lanes) -> Lanes:
    """Integer lanes taken as the bits of float lanes of the same size."""
    raise NotImplementedError("bits_float is for lanes")


def to_real(dtype: Any) -> Callable[..., Any]:
    """The word that converts to `dtype`: as_f32 or as_f64."""
    return {"float32": as_f32, "float64": as_f64}[str(dtype) if isinstance(dtype, types.Type) else np.dtype(dtype).name]


def _conversion(dtype: types.Type) -> tuple[Resolve, Emit]:
    def resolve(a: types.Type) -> types.Type | None:
        return Simd(dtype, a.width) if isinstance(a, Simd) else dtype if common_type(a) is not None else None

    def emit(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
        (have,), want, value = sig.args, sig.return_type, args[0]
        if not isinstance(have, Simd):
            return context.cast(builder, value, have, want)
        wider = dtype.bitwidth > have.dtype.bitwidth
        step = {
            (True, True): "fpext" if wider else "fptrunc",
            (False, True): "sitofp",
            (True, False): "fptosi",
            (False, False): "sext" if wider else "trunc",
        }[is_float(have), is_float(want)]
        return value if have == want else getattr(builder, step)(value, context.get_value_type(want))

    return resolve, emit


def _reinterpret(table: dict[types.Type, types.Type]) -> tuple[Resolve, Emit]:
    return (
        lambda a: Simd(table[a.dtype], a.width) if isinstance(a, Simd) and a.dtype in table else None,
        lambda context, builder, sig, args: builder.bitcast(args[0], context.get_value_type(sig.return_type)),
    )


teach(as_f32, *_conversion(types.float32))
teach(as_f64, *_conversion(types.float64))
teach(as_i32, *_conversion(types.int32))
teach(as_i64, *_conversion(types.int64))
teach(float_bits, *_reinterpret({types.float32: types.int32, types.float64: types.int64}))
teach(bits_float, *_reinterpret({types.int32: types.float32, types.int64: types.float64}))


# ---- from lanes to one value
def lane_sum(a: Lanes) -> Lanes:
    """The sum over the lanes in a fixed order (halves folded on each other): for one width, the same everywhere."""
    return a


def any_lane(mask: Lanes) -> Lanes:
    """Whether the mask holds in some lane."""
    return bool(mask)


def all_lanes(mask: Lanes) -> Lanes:
    """Whether the mask holds in every lane."""
    return bool(mask)


def count_lanes(mask: Lanes) -> Lanes:
    """In how many lanes the mask holds (int64)."""
    return int(mask)


def mask_bits(mask: Lanes) -> Lanes:
    """The mask as an int64: bit k is lane k."""
    return int(mask)


def _lane_sum(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    value = args[0]
    while isinstance(value.type, ir.VectorType):
        if value.type.count == 1:
            return lane(builder, value, 0)
        low, high = split(builder, value, value.type.count // 2)
        value = builder.fadd(low, high) if is_float(sig.return_type) else builder.add(low, high)
    return value


def _of_mask(result: types.Type, emit: Emit) -> tuple[Resolve, Emit]:
    return (
        lambda mask: result if truth_type(mask) is not None else None,
        lambda context, builder, sig, args: emit(builder, args[0]),
    )


teach(lane_sum, lambda a: a.dtype if isinstance(a, Simd) else common_type(a), _lane_sum)
teach(any_lane, *_of_mask(types.boolean, lambda b, m: mask_fold(b, m, "or")))
teach(all_lanes, *_of_mask(types.boolean, lambda b, m: mask_fold(b, m, "and")))
teach(mask_bits, *_of_mask(types.int64, mask_integer))
teach(count_lanes, *_of_mask(types.int64, lambda b, m: call_intrinsic(b, "llvm.ctpop", I64, mask_integer(b, m))))
