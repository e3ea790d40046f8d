"""The words `lookup(data, index)`, `lookup2`, `lookup4` and `lookup8` in compiled CPU code: data[index], or so many numbers
from there on, for one index or for lanes of them; and `single` and `leading_bits`, which make an index of the bits of a number.

The index is a whole number held as a float, because physics has no integers. It must be inside the array: keep it there
with least(), most() or where() before the look-up, also for lanes whose result is not used.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir
from numba import types
from numba.core.base import BaseContext
from numba.core.errors import TypingError
from numba.core.typing import signature
from numba.core.typing.templates import Signature
from numba.np import arrayobj

from everlet.portable.simd.core import I1, I64, Lanes, Resolve, Simd, lane, real_type, teach, transpose2, transpose4, uniform
from everlet.portable.simd.memory import _gather


def lookup(data: Lanes, index: Lanes) -> Lanes:
    """data[index], lanes or scalar."""
    return data[int(index)]


def _type(data: types.Type, index: types.Type) -> types.Type | None:
    if not (isinstance(data, types.Array) and data.ndim == 1 and data.layout == "C"):
        raise TypingError(f"lookup needs a flat array first, not {data}")
    if isinstance(index, Simd):
        return Simd(data.dtype, index.width)
    return data.dtype if isinstance(index, types.Number) else None


def _emit(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    data, index = sig.args
    if isinstance(index, Simd):
        whole = Simd(types.int32, index.width)
        indices = builder.fptosi(args[1], context.get_value_type(whole))
        all_lanes = signature(sig.return_type, data, whole, types.boolean)
        return _gather(context, builder, all_lanes, [args[0], indices, I1(1)])
    element = context.get_data_type(data.dtype)
    place = context.cast(builder, args[1], index, types.intp)
    pointer = builder.gep(arrayobj.make_array(data)(context, builder, args[0]).data, [place], source_etype=element)
    return builder.load(pointer, typ=element)


def lookup2(data: Lanes, index: Lanes) -> Lanes:
    """data[index : index + 2], lanes or scalars."""
    return data[int(index)], data[int(index) + 1]


def lookup4(data: Lanes, index: Lanes) -> Lanes:
    """data[index : index + 4], lanes or scalars."""
    return data[int(index)], data[int(index) + 1], data[int(index) + 2], data[int(index) + 3]


def lookup8(data: Lanes, index: Lanes) -> Lanes:
    """data[index : index + 8], lanes or scalars."""
    return tuple(data[int(index) + k] for k in range(8))


def _row_type(length: int) -> Resolve:
    def resolve(data: types.Type, index: types.Type) -> types.Type | None:
        one = _type(data, index)
        return types.UniTuple(one, length) if one is not None else None

    return resolve


def _emit_row(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    """Numbers of a row, two or four at a time."""
    data, index = sig.args
    element = context.get_data_type(data.dtype)
    start = arrayobj.make_array(data)(context, builder, args[0]).data
    size = data.dtype.bitwidth // 8
    if isinstance(index, Simd):
        whole = builder.fptosi(args[1], ir.VectorType(ir.IntType(64), index.width))
        places = [lane(builder, whole, k) for k in range(index.width)]
    else:
        places = [context.cast(builder, args[1], index, types.intp)]
    rows, parts = [builder.gep(start, [place], source_etype=element) for place in places], []
    wide = min(4, sig.return_type.count)
    for first in range(0, sig.return_type.count, wide):
        begins = [builder.gep(row, [ir.Constant(ir.IntType(64), first)], source_etype=element) for row in rows]
        lines = [builder.load(begin, typ=ir.VectorType(element, wide), align=size) for begin in begins]
        if isinstance(index, Simd):
            parts += transpose4(builder, lines, index.width) if wide == 4 else transpose2(builder, lines)
        else:
            parts += [lane(builder, lines[0], k) for k in range(wide)]
    return context.make_tuple(builder, sig.return_type, parts)


def single(x: Lanes) -> Lanes:
    """x as exact as a float32, lanes or scalar."""
    return float(x)


def leading_bits(x: Lanes, shift: Lanes) -> Lanes:
    """The bits of x as a float32 without the last `shift` ones, as a whole number; lanes or scalar."""
    raise NotImplementedError("leading_bits is for compiled code")


def _lanes(element: ir.Type, like: ir.Value) -> ir.Type:
    return ir.VectorType(element, like.type.count) if isinstance(like.type, ir.VectorType) else element


def _single(builder: ir.IRBuilder, to: types.Type, x: ir.Value) -> ir.Value:
    narrow = _lanes(ir.FloatType(), x)
    return builder.fpext(builder.fptrunc(x, narrow), x.type) if narrow != x.type else x


def _leading_bits(builder: ir.IRBuilder, to: types.Type, x: ir.Value, shift: ir.Value) -> ir.Value:
    narrow, whole = _lanes(ir.FloatType(), x), _lanes(ir.IntType(32), x)
    bits = builder.bitcast(builder.fptrunc(x, narrow) if narrow != x.type else x, whole)
    return builder.sitofp(builder.ashr(bits, builder.fptosi(shift, whole)), x.type)


STEPS = 6  # bits of the mantissa that count parts of octaves: 64 parts of each


def octave_row(data: Lanes, first: Lanes, x: Lanes) -> Lanes:
    """x less the beginning of its part of an octave, and six numbers of the row of this part; lanes or scalar (words.py)."""
    raise NotImplementedError("octave_row is for compiled code")


def _octave_type(data: types.Type, first: types.Type, x: types.Type) -> types.Type:
    one = x.dtype if isinstance(x, Simd) else x
    if one != types.float64 or data.dtype != types.float64:
        raise TypingError(f"octave_row needs float64, not {x} of {data}")
    return types.UniTuple(x, 7)


def _octave(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    """Rows are found with scalars, beside the arithmetic of lanes; numbers are read two at a time."""
    data, first, x = sig.args
    double, pair = ir.DoubleType(), ir.VectorType(ir.DoubleType(), 2)
    width = x.width if isinstance(x, Simd) else 1
    whole = ir.VectorType(I64, width) if width > 1 else I64
    start = arrayobj.make_array(data)(context, builder, args[0]).data
    begin = builder.gep(start, [context.cast(builder, args[1], first, types.intp)], source_etype=double)
    lowest, last = (builder.fptosi(builder.load(builder.gep(begin, [I64(k)], source_etype=double), typ=double), I64)
                    for k in (0, 1))
    bits = builder.bitcast(args[2], whole)
    mask = -1 << (52 - STEPS)
    mask = ir.Constant(whole, [mask] * width) if width > 1 else I64(mask)
    away = builder.fsub(args[2], builder.bitcast(builder.and_(bits, mask), args[2].type))
    lines = []
    for k in range(width):
        part = builder.sub(builder.lshr(lane(builder, bits, k) if width > 1 else bits, I64(52 - STEPS)), lowest)
        part = builder.select(builder.icmp_signed("<", part, I64(-1)), I64(-1), part)
        part = builder.select(builder.icmp_signed(">", part, last), last, part)
        row = builder.gep(begin, [builder.shl(builder.add(part, I64(2)), I64(3))], source_etype=double)
        lines.append([builder.load(builder.gep(row, [I64(c)], source_etype=double), typ=pair, align=8) for c in (0, 2, 4)])
    parts = [away]
    for column in range(3):
        here = [line[column] for line in lines]
        if width == 1:
            parts += [lane(builder, here[0], 0), lane(builder, here[0], 1)]
            continue
        parts += transpose2(builder, here)
    return context.make_tuple(builder, sig.return_type, parts)


teach(octave_row, _octave_type, _octave)
teach(single, real_type, uniform(_single))
teach(leading_bits, real_type, uniform(_leading_bits))
teach(lookup, _type, _emit)
teach(lookup2, _row_type(2), _emit_row)
teach(lookup4, _row_type(4), _emit_row)
teach(lookup8, _row_type(8), _emit_row)
