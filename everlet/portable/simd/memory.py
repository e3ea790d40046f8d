"""SIMD words that touch arrays: loads, stores, gathers, scatters, packed appends and atomic adds.

Arrays are one-dimensional and contiguous; an index is an integer scalar, counted from the front and not checked. Where
a word takes a mask, a plain bool serves all lanes: write True when every lane is in use. Kernels import from lanes.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.base import BaseContext
from numba.core.errors import TypingError
from numba.core.typing.templates import Signature
from numba.np import arrayobj

from everlet.portable.backends.cpu.machine import has_feature, host_bytes, target_is
from everlet.portable.simd.core import (
    I8,
    I32,
    I64,
    Lanes,
    Mask,
    Simd,
    bring,
    call_intrinsic,
    is_float,
    lane,
    mask_integer,
    shuffle,
    split,
    spread,
    teach,
    transpose4,
)


def _check_array(name: str, array: types.Type, index: types.Type = types.int64) -> None:
    number = isinstance(array, types.Array) and isinstance(array.dtype, (types.Float, types.Integer))
    if not number or array.ndim != 1 or array.layout != "C":
        raise TypingError(f"{name} needs a one-dimensional contiguous array of numbers, not {array}")
    if not isinstance(index, types.Integer):
        raise TypingError(f"{name} needs an integer index or stride, not {index}")


def _check_rows(name: str, rows: types.Type, mask: types.Type) -> None:
    if not (isinstance(rows, Simd) and isinstance(rows.dtype, types.Integer)):
        raise TypingError(f"{name} needs integer lanes as indices, not {rows}")
    if mask != Mask(rows.width) and not isinstance(mask, types.Boolean):
        raise TypingError(f"{name} needs a mask of {rows.width} lanes or a bool, not {mask}")


def _data(context: BaseContext, builder: ir.IRBuilder, array_type: types.Type, array: ir.Value) -> ir.Value:
    return arrayobj.make_array(array_type)(context, builder, array).data


def _at(builder: ir.IRBuilder, data: ir.Value, offset: ir.Value, element: ir.Type) -> ir.Value:
    return builder.gep(data, [offset], source_etype=element)


def _address(context: BaseContext, builder: ir.IRBuilder, array_type: types.Type, array: ir.Value, index_type: types.Type,
             index: ir.Value) -> ir.Value:
    offset = context.cast(builder, index, index_type, types.intp)
    return _at(builder, _data(context, builder, array_type, array), offset, context.get_data_type(array_type.dtype))


def _write(builder: ir.IRBuilder, value: ir.Value, pointer: ir.Value, align: int) -> None:
    builder.store(value, builder.bitcast(pointer, value.type.as_pointer()), align=align)


def _size(dtype: types.Type) -> int:
    return dtype.bitwidth // 8


# ---- factories closed over a width
@functools.lru_cache(None)
def loader(width: int) -> Callable[..., Any]:
    """load(array, index): the lanes array[index], ..., array[index + width - 1]; no alignment is asked for."""

    def load(array: Lanes, index: Lanes) -> Lanes:
        raise NotImplementedError("load is for compiled code")

    def resolve(array: types.Type, index: types.Type) -> types.Type | None:
        _check_array("load", array, index)
        return Simd(array.dtype, width)

    def emit(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
        pointer = _address(context, builder, sig.args[0], args[0], sig.args[1], args[1])
        return builder.load(pointer, typ=context.get_value_type(sig.return_type), align=_size(sig.return_type.dtype))

    return teach(load, resolve, emit)


@functools.lru_cache(None)
def splatter(width: int, dtype: types.Type) -> Callable[..., Any]:
    """splat(x): the number x in every lane, as `dtype` (a Numba type)."""

    def splat(x: Lanes) -> Lanes:
        raise NotImplementedError("splat is for compiled code")

    return teach(
        splat,
        lambda x: Simd(dtype, width) if isinstance(x, (types.Float, types.Integer)) else None,
        lambda context, builder, sig, args: bring(context, builder, args[0], sig.args[0], sig.return_type),
    )


@functools.lru_cache(None)
def lane_ids(width: int) -> Callable[..., Any]:
    """ids(): the int32 lanes 0, 1, ..., width - 1."""

    def ids() -> Lanes:
        raise NotImplementedError("ids is for compiled code")

    return teach(
        ids,
        lambda: Simd(types.int32, width),
        lambda context, builder, sig, args: ir.Constant(ir.VectorType(I32, width), list(range(width))),
    )


@functools.lru_cache(None)
def live(width: int) -> Callable[..., Any]:
    """within(q, n): the mask of the lanes k with q + k < n."""

    def within(q: Lanes, n: Lanes) -> Lanes:
        raise NotImplementedError("within is for compiled code")

    def emit(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
        q, n = (context.cast(builder, v, t, types.int64) for v, t in zip(args, sig.args, strict=True))
        left = builder.sub(n, q)
        left = builder.select(builder.icmp_signed("<", left, I64(width)), left, I64(width))
        ids = ir.Constant(ir.VectorType(I32, width), list(range(width)))
        return builder.icmp_signed("<", ids, spread(builder, builder.trunc(left, I32), width))

    return teach(within, lambda q, n: Mask(width) if all(isinstance(t, types.Integer) for t in (q, n)) else None, emit)


# ---- stores and gathers
def store(array: Lanes, index: Lanes, lanes: Lanes) -> Lanes:
    """Write the lanes to array[index], array[index + 1], ...; the dtypes must agree."""
    raise NotImplementedError("store is for compiled code")


def gather(array: Lanes, indices: Lanes, mask: Lanes) -> Lanes:
    """The lanes array[indices]; a lane that is masked off reads array[0] or nothing, and its value means nothing."""
    raise NotImplementedError("gather is for compiled code")


def gather_rows3(array: Lanes, stride: Lanes, rows: Lanes, mask: Lanes) -> Lanes:
    """(x, y, z) lanes: array[stride * rows + 0, 1, 2]; as gather for lanes that are masked off (they may read row 0).

    Quickest with rows loaded straight from memory and a mask of True (so pad an index list with valid rows). With a
    literal stride of 4 the fourth number of a row may be read, too, and is dropped.
    """
    raise NotImplementedError("gather_rows3 is for compiled code")


def gather_rows4(array: Lanes, stride: Lanes, rows: Lanes, mask: Lanes) -> Lanes:
    """Four lanes of each row: array[stride * rows + 0, 1, 2, 3]."""
    raise NotImplementedError("gather_rows4 is for compiled code")


def _store_type(array: types.Type, index: types.Type, lanes: types.Type) -> types.Type:
    _check_array("store", array, index)
    if not isinstance(lanes, Simd) or lanes.dtype != array.dtype:
        raise TypingError(f"store: {lanes} does not fit {array}; convert with as_f32, as_f64, ...")
    return types.none


def _store(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    pointer = _address(context, builder, sig.args[0], args[0], sig.args[1], args[1])
    _write(builder, args[2], pointer, _size(sig.args[0].dtype))
    return context.get_dummy_value()


def _safe(builder: ir.IRBuilder, indices: ir.Value, mask: ir.Value) -> ir.Value:
    """Index 0 in lanes that are masked off."""
    return builder.select(mask, indices, ir.Constant(indices.type, None))


def _gather_type(array: types.Type, indices: types.Type, mask: types.Type) -> types.Type:
    _check_array("gather", array)
    _check_rows("gather", indices, mask)
    return Simd(array.dtype, indices.width)


def _gather(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    array, to = sig.args[0], sig.return_type
    data, result = _data(context, builder, array, args[0]), context.get_value_type(to)
    safe, lanes = _safe(builder, args[1], args[2]), ir.Constant(result, ir.Undefined)
    for k in range(to.width):
        value = builder.load(_at(builder, data, lane(builder, safe, k), result.element), typ=result.element)
        lanes = builder.insert_element(lanes, value, I32(k))
    return lanes


def _rows_type(array: types.Type, stride: types.Type, rows: types.Type, mask: types.Type) -> types.Type:
    rows, mask = types.unliteral(rows), types.unliteral(mask)
    _check_array("gather_rows3", array, stride)
    _check_rows("gather_rows3", rows, mask)
    return types.UniTuple(Simd(array.dtype, rows.width), 3)


def _offsets(context: BaseContext, builder: ir.IRBuilder, rows: ir.Value, stride: ir.Value, stride_type: types.Type
             ) -> list[ir.Value]:
    """stride * row of each lane, as scalars.

    There is no vector product here, so that LLVM reads rows that come straight from memory one by one; that is much
    cheaper than to load them as a vector and take the lanes out.
    """
    step = context.cast(builder, stride, stride_type, types.int64)
    picked = [lane(builder, rows, k) for k in range(rows.type.count)]
    return [builder.mul(k if k.type == I64 else builder.sext(k, I64), step) for k in picked]


def _row(builder: ir.IRBuilder, data: ir.Value, offset: ir.Value, element: ir.Type, whole: bool) -> ir.Value:
    """One row as four numbers in a vector; the fourth is read only if `whole`."""
    size = 8 if isinstance(element, ir.DoubleType) else 4
    pointer = _at(builder, data, offset, element)
    if whole:
        return builder.load(pointer, typ=ir.VectorType(element, 4), align=size)
    xy = builder.load(pointer, typ=ir.VectorType(element, 2), align=size)
    z = builder.load(_at(builder, pointer, I64(2), element), typ=element)
    return builder.insert_element(shuffle(builder, xy, xy, [0, 1, 0, 0]), z, I32(2))


def _gather_rows3(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    array, stride, rows, mask = sig.args
    to = sig.return_type.dtype
    data, result = _data(context, builder, array, args[0]), context.get_value_type(to)
    whole = getattr(stride, "literal_value", 3) == 4 and 4 * _size(to.dtype) <= host_bytes()
    offsets = _offsets(context, builder, _safe(builder, args[2], args[3]), args[1], stride)
    lines = [_row(builder, data, offset, result.element, whole) for offset in offsets]
    parts = transpose4(builder, lines, to.width)[:3]
    return context.make_tuple(builder, sig.return_type, parts)


teach(store, _store_type, _store)
teach(gather, _gather_type, _gather)
def _rows4_type(array: types.Type, stride: types.Type, rows: types.Type, mask: types.Type) -> types.Type:
    one = _rows_type(array, stride, rows, mask).dtype
    return types.UniTuple(one, 4)


def _gather_rows4(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    array, stride, _, _ = sig.args
    to = sig.return_type.dtype
    data, element = _data(context, builder, array, args[0]), context.get_data_type(to.dtype)
    offsets = _offsets(context, builder, _safe(builder, args[2], args[3]), args[1], stride)
    parts = transpose4(builder, [_row(builder, data, offset, element, True) for offset in offsets], to.width)
    return context.make_tuple(builder, sig.return_type, parts)


teach(gather_rows3, _rows_type, _gather_rows3, literals=True)
teach(gather_rows4, _rows4_type, _gather_rows4, literals=True)


# ---- packed append, atomic add
def compress_store(array: Lanes, index: Lanes, lanes: Lanes, mask: Lanes) -> Lanes:
    """Write the lanes that the mask holds, packed in order, from array[index] on; returns their number (int64).

    What follows them may be overwritten, up to array[index + width - 1]: leave that much room.
    """
    raise NotImplementedError("compress_store is for compiled code")


def atomic_add(array: Lanes, index: Lanes, value: Lanes) -> Lanes:
    """array[index] += value as one step that no other thread can split; returns the old value."""
    raise NotImplementedError("atomic_add is for compiled code")


def _compress_type(array: types.Type, index: types.Type, lanes: types.Type, mask: types.Type) -> types.Type | None:
    _store_type(array, index, lanes)
    return types.int64 if mask == Mask(lanes.width) else None


_BYTE_SHUFFLES = {"aarch64": "llvm.aarch64.neon.tbl1.v16i8", "x86": "llvm.x86.ssse3.pshuf.b.128", "none": None}


def _compress_store(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    array, _, lanes, _ = sig.args
    pointer = _address(context, builder, array, args[0], sig.args[1], args[1])
    element, size, mask = context.get_data_type(array.dtype), _size(array.dtype), args[3]
    if has_feature("avx512f"):
        values, rest = args[2], ir.Constant(args[2].type, ir.Undefined)
        packed = call_intrinsic(builder, "llvm.experimental.vector.compress", values.type, values, mask, rest)
        _write(builder, packed, pointer, size)
        return call_intrinsic(builder, "llvm.ctpop", I64, mask_integer(builder, mask))
    count = I64(0)
    shuffler = _BYTE_SHUFFLES["aarch64" if target_is("aarch64") else "x86" if has_feature("ssse3") else "none"]
    if size != 4 or lanes.width < 4 or shuffler is None:
        for k in range(lanes.width):  # lane k lands at or before index + k
            builder.store(lane(builder, args[2], k), _at(builder, pointer, count, element))
            count = builder.add(count, builder.zext(lane(builder, mask, k), I64))
        return count
    # four lanes at a time: their mask bits pick a byte shuffle that packs them
    bytes16 = ir.VectorType(I8, 16)
    table = ir.Constant(ir.ArrayType(bytes16, 16), [_packing(m) for m in range(16)])
    table = cgutils.global_constant(builder, "everlet.pack4", table)
    counts = ir.Constant(ir.ArrayType(I8, 16), [m.bit_count() for m in range(16)])
    counts = cgutils.global_constant(builder, "everlet.count4", counts)
    for values, some in zip(split(builder, args[2], 4), split(builder, mask, 4), strict=True):
        bits = builder.zext(builder.bitcast(some, ir.IntType(4)), I64)
        order = builder.load(_at(builder, table, bits, bytes16), typ=bytes16, align=16)
        packed = call_intrinsic(builder, shuffler, bytes16, builder.bitcast(values, bytes16), order, overloaded=())
        _write(builder, packed, _at(builder, pointer, count, element), size)
        count = builder.add(count, builder.zext(builder.load(_at(builder, counts, bits, I8), typ=I8), I64))
    return count


def _packing(bits: int) -> ir.Value:
    """The byte shuffle that moves the four-byte lanes in `bits` to the front."""
    chosen = [k for k in range(4) if bits >> k & 1] + [k for k in range(4) if not bits >> k & 1]
    return ir.Constant(ir.VectorType(I8, 16), [4 * k + byte for k in chosen for byte in range(4)])


def _atomic_type(array: types.Type, index: types.Type, value: types.Type) -> types.Type | None:
    _check_array("atomic_add", array, index)
    return array.dtype if isinstance(value, (types.Float, types.Integer)) else None


def _atomic_add(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    array, index, value = sig.args
    pointer = _address(context, builder, array, args[0], index, args[1])
    amount = context.cast(builder, args[2], value, array.dtype)
    return builder.atomic_rmw("fadd" if is_float(array.dtype) else "add", pointer, amount, ordering="monotonic")


teach(compress_store, _compress_type, _compress_store)
teach(atomic_add, _atomic_type, _atomic_add)
