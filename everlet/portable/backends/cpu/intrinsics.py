"""What kernels for CPUs are made of besides SIMD words: how they receive their arguments, and scratch memory.

A kernel is a C function `entry(begin, end, chunk, thread, words)`; `words` is the block of 64-bit argument words.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

WORDS = types.CPointer(types.int64)
ENTRY = types.void(types.int64, types.int64, types.int64, types.int64, WORDS)
_i64 = ir.IntType(64)


def _array_reader(dtype: Any) -> Any:
    """-> read(words, k, skip): the array whose address and length are words k and k+1, `skip` items further on."""
    array = types.Array(dtype, 1, "C")

    @intrinsic
    def read(typing: Any, words: Any, k: Any, skip: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            k64 = context.cast(builder, args[1], signature.args[1], types.int64)
            skip64 = context.cast(builder, args[2], signature.args[2], types.int64)
            place = builder.gep(args[0], [k64], source_etype=_i64)
            address = builder.load(place, typ=_i64)
            length = builder.load(builder.gep(place, [_i64(1)], source_etype=_i64), typ=_i64)
            item = context.get_constant(types.intp, dtype.bitwidth // 8)
            address = builder.add(address, builder.mul(skip64, item))
            data = builder.inttoptr(address, context.get_data_type(dtype).as_pointer())
            value = arrayobj.make_array(array)(context, builder)
            arrayobj.populate_array(value, data=data, shape=[length], strides=[item], itemsize=item, meminfo=None)
            return value._getvalue()

        return array(words, k, skip), emit

    return read


array_f64, array_f32 = _array_reader(types.float64), _array_reader(types.float32)
array_i32, array_i64 = _array_reader(types.int32), _array_reader(types.int64)
array_u8 = _array_reader(types.uint8)


@intrinsic
def word_f64(typing: Any, words: Any, k: Any) -> Any:
    """Word k as a float."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        k64 = context.cast(builder, args[1], signature.args[1], types.int64)
        return builder.load(builder.gep(args[0], [k64], source_etype=_i64), typ=ir.DoubleType())

    return types.float64(words, k), emit


SPINS = 2000  # looks at a number that another thread will change, before the processor is offered to others


@intrinsic
def wait_for(typing: Any, array: Any, k: Any, value: Any) -> Any:
    """Wait until array[k] >= value, as `announce` sets it: then all that was written before it can be read."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = context.cast(builder, args[1], signature.args[1], types.int64)
        wanted = context.cast(builder, args[2], signature.args[2], array.dtype)
        pointer = builder.gep(arrayobj.make_array(array)(context, builder, args[0]).data, [place],
                              source_etype=context.get_data_type(array.dtype))
        spins = cgutils.alloca_once_value(builder, _i64(0))
        give_way = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.IntType(32), []), "sched_yield")
        look, on, offer, done = (builder.append_basic_block(name) for name in ("look", "on", "offer", "done"))
        builder.branch(look)
        builder.position_at_end(look)
        now = builder.load_atomic(pointer, ordering="acquire", align=8, typ=_i64)
        builder.cbranch(builder.icmp_signed(">=", now, wanted), done, on)
        builder.position_at_end(on)
        count = builder.add(builder.load(spins, typ=_i64), _i64(1))
        builder.store(count, spins)
        builder.cbranch(builder.icmp_signed(">", count, _i64(SPINS)), offer, look)
        builder.position_at_end(offer)
        builder.call(give_way, [])
        builder.branch(look)
        builder.position_at_end(done)
        return context.get_dummy_value()

    return types.none(array, k, value), emit


@intrinsic
def announce(typing: Any, array: Any, k: Any, value: Any) -> Any:
    """Set array[k] = value, after all that this thread has written before."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = context.cast(builder, args[1], signature.args[1], types.int64)
        pointer = builder.gep(arrayobj.make_array(array)(context, builder, args[0]).data, [place],
                              source_etype=context.get_data_type(array.dtype))
        number = context.cast(builder, args[2], signature.args[2], array.dtype)
        builder.store_atomic(number, pointer, ordering="release", align=8)
        return context.get_dummy_value()

    return types.none(array, k, value), emit


@intrinsic(prefer_literal=True)
def stack_array(typing: Any, size: Any, dtype: Any) -> Any:
    """An array of a literal size on the stack of the calling function: scratch memory that costs no allocation."""
    array, count = types.Array(dtype.instance_type, 1, "C"), size.literal_value

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        element = context.get_data_type(array.dtype)
        memory = cgutils.alloca_once(builder, ir.ArrayType(element, count))
        memory.align = 64  # one cache line, and the widest vector
        data = builder.bitcast(memory, element.as_pointer())
        value = arrayobj.make_array(array)(context, builder)
        item = context.get_constant(types.intp, array.dtype.bitwidth // 8)
        arrayobj.populate_array(value, data=data, shape=[_i64(count)], strides=[item], itemsize=item, meminfo=None)
        return value._getvalue()

    return array(size, dtype), emit
