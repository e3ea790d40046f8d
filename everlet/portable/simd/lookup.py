"""The words `lookup(data, index)`, `lookup4` and `lookup8` in compiled CPU code: data[index], or four or eight numbers from
there on, for one index or for lanes of them; and `single` and `leading_bits`, which make an index of the bits of a number.

The index is a whole number held as a float, because physics has no integers. It must be inside the array: keep it there
with least(), most() or where() before the look-up, also for lanes whose result is not used.
"""

# mypy: ignore-errors

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.core.typing import signature
from numba.np import arrayobj

from everlet.portable.simd.core import I1, Simd, lane, real_type, teach, transpose4, uniform
from everlet.portable.simd.memory import _gather


def lookup(data, index):
    """data[index], lanes or scalar."""
    return data[int(index)]


def _type(data, index):
    if not (isinstance(data, types.Array) and data.ndim == 1 and data.layout == "C"):
        raise TypingError(f"lookup needs a flat array first, not {data}")
    if isinstance(index, Simd):
        return Simd(data.dtype, index.width)
    return data.dtype if isinstance(index, types.Number) else None


def _emit(context, builder, sig, args):
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


def lookup4(data, index):
    """data[index : index + 4], lanes or scalars."""
    return data[int(index)], data[int(index) + 1], data[int(index) + 2], data[int(index) + 3]


def lookup8(data, index):
    """data[index : index + 8], lanes or scalars."""
    return tuple(data[int(index) + k] for k in range(8))


def _row_type(length):
    def resolve(data, index):
        one = _type(data, index)
        return types.UniTuple(one, length) if one is not None else None

    return resolve


def _emit_row(context, builder, sig, args):
    """Numbers of a row, four at a time."""
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
    for first in range(0, sig.return_type.count, 4):
        begins = [builder.gep(row, [ir.Constant(ir.IntType(64), first)], source_etype=element) for row in rows]
        lines = [builder.load(begin, typ=ir.VectorType(element, 4), align=size) for begin in begins]
        if isinstance(index, Simd):
            parts += transpose4(builder, lines, index.width)
        else:
            parts += [lane(builder, lines[0], k) for k in range(4)]
    return context.make_tuple(builder, sig.return_type, parts)


def single(x):
    """x as exact as a float32, lanes or scalar."""
    return float(x)


def leading_bits(x, shift):
    """The bits of x as a float32 without the last `shift` ones, as a whole number; lanes or scalar."""
    raise NotImplementedError("leading_bits is for compiled code")


def _lanes(element, like):
    return ir.VectorType(element, like.type.count) if isinstance(like.type, ir.VectorType) else element


def _single(builder, to, x):
    narrow = _lanes(ir.FloatType(), x)
    return builder.fpext(builder.fptrunc(x, narrow), x.type) if narrow != x.type else x


def _leading_bits(builder, to, x, shift):
    narrow, whole = _lanes(ir.FloatType(), x), _lanes(ir.IntType(32), x)
    bits = builder.bitcast(builder.fptrunc(x, narrow) if narrow != x.type else x, whole)
    return builder.sitofp(builder.ashr(bits, builder.fptosi(shift, whole)), x.type)


teach(single, real_type, uniform(_single))
teach(leading_bits, real_type, uniform(_leading_bits))
teach(lookup, _type, _emit)
teach(lookup4, _row_type(4), _emit_row)
teach(lookup8, _row_type(8), _emit_row)
