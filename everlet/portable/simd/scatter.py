"""SIMD words that add lanes to scattered places of an array, one lane after the other."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from llvmlite import ir
from numba import types
from numba.core.base import BaseContext
from numba.core.errors import TypingError
from numba.core.typing.templates import Signature

from everlet.portable.simd.core import (
    I32,
    I64,
    Lanes,
    Mask,
    Simd,
    bring,
    call_intrinsic,
    is_float,
    lane,
    mask_fold,
    shuffle,
    teach,
)
from everlet.portable.simd.memory import _at, _check_array, _check_rows, _data, _offsets, _size, _write


def scatter_rows3_sub(array: Lanes, stride: Lanes, rows: Lanes, x: Lanes, y: Lanes, z: Lanes, mask: Lanes) -> Lanes:
    """array[stride * rows + 0, 1, 2] -= x, y, z in lanes that the mask holds; no other memory is touched.

    The lanes are taken one after the other, so a row may come twice, and converted to the array's dtype. Quick when all
    lanes are live: for lanes beyond a cutoff prefer zeroes, and mask off only those that do not exist.
    """
    raise NotImplementedError("scatter_rows3_sub is for compiled code")


def scatter_rows3_sub_distinct(array: Lanes, stride: Lanes, rows: Lanes, x: Lanes, y: Lanes, z: Lanes, mask: Lanes) -> Lanes:
    """As scatter_rows3_sub, for rows that are all different (if one comes twice, lanes are lost): all are read first."""
    raise NotImplementedError("scatter_rows3_sub_distinct is for compiled code")


def scatter_sub(array: Lanes, places: Lanes, x: Lanes, mask: Lanes) -> Lanes:
    """array[places] -= x in lanes that the mask holds, as scatter_rows3_sub does for rows."""
    raise NotImplementedError("scatter_sub is for compiled code")


def _converted(builder: ir.IRBuilder, array: types.Type, given: Simd, element: ir.Type, *lanes: ir.Value) -> Sequence[ir.Value]:
    """Lanes as the array's dtype."""
    if given.dtype == array.dtype:
        return lanes
    convert = builder.fpext if array.dtype.bitwidth > given.dtype.bitwidth else builder.fptrunc
    return [convert(v, ir.VectorType(element, given.width)) for v in lanes]


def _scatter_type(array: types.Type, stride: types.Type, rows: types.Type, x: types.Type, y: types.Type, z: types.Type,
                  mask: types.Type) -> types.Type:
    rows, mask = types.unliteral(rows), types.unliteral(mask)
    _check_array("scatter_rows3_sub", array, stride)
    _check_rows("scatter_rows3_sub", rows, mask)
    fit = isinstance(x, Simd) and x == y == z and is_float(x) and is_float(array.dtype) and x.width == rows.width
    if not fit:
        raise TypingError(f"scatter_rows3_sub: {x}, {y}, {z} are not three equal float lanes beside {rows} for {array}")
    return types.none


def _scatter_rows3_sub(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value],
                       distinct: bool = False) -> ir.Value:
    (array, stride, rows, given), (x, y, z) = sig.args[:4], args[3:6]
    data, element, width = _data(context, builder, array, args[0]), context.get_data_type(array.dtype), rows.width
    x, y, z = _converted(builder, array, given, element, x, y, z)
    offsets = _offsets(context, builder, args[2], args[1], stride)
    mask = bring(context, builder, args[6], types.unliteral(sig.args[6]), Mask(width))

    def subtract(lanes: Sequence[int]) -> None:
        new = []
        for k in lanes:
            pointer = _at(builder, data, offsets[k], element)
            pair, third = shuffle(builder, x, y, [k, width + k]), _at(builder, pointer, I64(2), element)
            for place, value in ((pointer, pair), (third, lane(builder, z, k))):
                new.append((place, builder.fsub(builder.load(place, typ=value.type, align=_size(array.dtype)), value)))
        for place, value in new:
            _write(builder, value, place, _size(array.dtype))

    with builder.if_else(mask_fold(builder, mask, "and"), likely=True) as (full, partial):
        with full:
            for k in range(0, width, width if distinct else 1):
                subtract(range(k, k + (width if distinct else 1)))
        with partial:
            for k in range(width):
                with builder.if_then(lane(builder, mask, k)):
                    subtract([k])
    return context.get_dummy_value()


def _scatter_one_type(array: types.Type, places: types.Type, x: types.Type, mask: types.Type) -> types.Type:
    places, mask = types.unliteral(places), types.unliteral(mask)
    _check_array("scatter_sub", array)
    _check_rows("scatter_sub", places, mask)
    if not (isinstance(x, Simd) and is_float(x) and is_float(array.dtype) and x.width == places.width):
        raise TypingError(f"scatter_sub: {x} are no float lanes beside {places} for {array}")
    return types.none


def _scatter_sub(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    array, places, given, mask_type = sig.args
    element, width = context.get_data_type(array.dtype), places.width
    data, x = _data(context, builder, array, args[0]), _converted(builder, array, given, element, args[2])[0]
    offsets = _offsets(context, builder, args[1], I64(1), types.int64)
    mask = bring(context, builder, args[3], types.unliteral(mask_type), Mask(width))

    def subtract(k: int) -> None:
        pointer = _at(builder, data, offsets[k], element)
        builder.store(builder.fsub(builder.load(pointer, typ=element), lane(builder, x, k)), pointer)

    with builder.if_else(mask_fold(builder, mask, "and"), likely=True) as (full, partial):
        with full:
            for k in range(width):
                subtract(k)
        with partial:
            for k in range(width):
                with builder.if_then(lane(builder, mask, k)):
                    subtract(k)
    return context.get_dummy_value()


def prefetch3(array: Lanes, stride: Lanes, rows: Lanes) -> Lanes:
    """Bring array[stride * rows] to the cache."""
    raise NotImplementedError("prefetch3 is for compiled code")


def _prefetch(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    array, stride, rows = sig.args
    data, element = _data(context, builder, array, args[0]), context.get_data_type(array.dtype)
    for offset in _offsets(context, builder, args[2], args[1], stride):
        place = builder.bitcast(_at(builder, data, offset, element), ir.IntType(8).as_pointer())  # arrays of any kind
        call_intrinsic(builder, "llvm.prefetch", ir.VoidType(), place, I32(0), I32(3), I32(1), overloaded=(ir.PointerType(),))
    return context.get_dummy_value()


teach(prefetch3, lambda array, stride, rows: types.none, _prefetch)
teach(scatter_rows3_sub, _scatter_type, _scatter_rows3_sub, literals=True)
teach(scatter_rows3_sub_distinct, _scatter_type, functools.partial(_scatter_rows3_sub, distinct=True), literals=True)
teach(scatter_sub, _scatter_one_type, _scatter_sub)
