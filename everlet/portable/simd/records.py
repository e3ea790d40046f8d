"""Words that read records of a table for lanes: `place_of_kind`, where the record of each lane begins, and `fields1`, `fields2`
and `fields4`, numbers of it that lie side by side.

Places are made one by one, so that LLVM keeps them as scalars: it would be dear to take them out of a vector again.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from llvmlite import ir
from numba import types
from numba.core.base import BaseContext
from numba.core.errors import TypingError
from numba.core.typing.templates import Signature

from everlet.portable.simd.core import I32, I64, Lanes, Simd, lane, teach, transpose2, transpose4
from everlet.portable.simd.memory import _at, _check_array, _data, _size


def place_of_kind(kind: Lanes, j: Lanes, row: Lanes, size: Lanes) -> Lanes:
    """(row + kind[j]) * size, lanes of whole numbers."""
    raise NotImplementedError("place_of_kind is for compiled code")


def fields1(table: Lanes, place: Lanes, k: Lanes) -> Lanes:
    """table[place + k], lanes."""
    raise NotImplementedError("fields1 is for compiled code")


def fields2(table: Lanes, place: Lanes, k: Lanes) -> Lanes:
    """table[place + k] and the number after it, lanes."""
    raise NotImplementedError("fields2 is for compiled code")


def fields4(table: Lanes, place: Lanes, k: Lanes) -> Lanes:
    """table[place + k] and the three numbers after it, lanes."""
    raise NotImplementedError("fields4 is for compiled code")


def _place_type(kind: types.Type, j: types.Type, row: types.Type, size: types.Type) -> types.Type:
    _check_array("place_of_kind", kind, row)
    _check_array("place_of_kind", kind, size)
    if not (isinstance(j, Simd) and isinstance(j.dtype, types.Integer)):
        raise TypingError(f"place_of_kind needs integer lanes, not {j}")
    return Simd(types.int64, j.width)


def _place(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    kind, j, row_type, size_type = sig.args
    data, element = _data(context, builder, kind, args[0]), context.get_data_type(kind.dtype)
    row, size = (context.cast(builder, v, t, types.int64) for v, t in ((args[2], row_type), (args[3], size_type)))
    out = ir.Constant(ir.VectorType(I64, j.width), ir.Undefined)
    for k in range(j.width):
        here = lane(builder, args[1], k)
        here = here if here.type == I64 else builder.sext(here, I64)
        found = builder.sext(builder.load(_at(builder, data, here, element), typ=element), I64)
        out = builder.insert_element(out, builder.mul(builder.add(found, row), size), I32(k))
    return out


def _fields_type(count: int, table: types.Type, place: Simd, k: types.Type) -> types.Type:
    _check_array("fields", table, k)
    one = Simd(table.dtype, place.width)
    return one if count == 1 else types.UniTuple(one, count)


def _fields(count: int, context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    table, place, k_type = sig.args
    data, element = _data(context, builder, table, args[0]), context.get_data_type(table.dtype)
    k = context.cast(builder, args[2], k_type, types.int64)
    begins = [_at(builder, data, builder.add(lane(builder, args[1], q), k), element) for q in range(place.width)]
    if count == 1:
        out = ir.Constant(ir.VectorType(element, place.width), ir.Undefined)
        for q, begin in enumerate(begins):
            out = builder.insert_element(out, builder.load(begin, typ=element), I32(q))
        return out
    lines = [builder.load(begin, typ=ir.VectorType(element, count), align=_size(table.dtype)) for begin in begins]
    parts = transpose4(builder, lines, place.width) if count == 4 else transpose2(builder, lines)
    return context.make_tuple(builder, sig.return_type, parts)


teach(place_of_kind, _place_type, _place)
for word, count in ((fields1, 1), (fields2, 2), (fields4, 4)):
    teach(word, functools.partial(_fields_type, count), functools.partial(_fields, count))
