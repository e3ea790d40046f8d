"""Python to PTX by numba-cuda or numba-cuda-mlir. They are used for translation only, which needs no GPU.

`EVERLET_CUDA` = numba-cuda or numba-cuda-mlir chooses the compiler, and `EVERLET_CUDA_ARCH` = 90 the architecture when no
GPU is present.
"""

from __future__ import annotations

import functools
import re
from types import SimpleNamespace
from typing import Any

import numpy as np

from everlet.portable.backends.cuda.found import architecture, compiler_name, why_not


@functools.cache
def compiler() -> tuple[Any, Any, Any]:
    """(cuda, types, device decorator) of the compiler, usable without a GPU."""
    vars(np).setdefault("row_stack", np.vstack)  # numba-cuda 0.30 asks for it, NumPy 2.5 dropped it
    if compiler_name() == "numba-cuda":
        import numba.cuda.dispatcher as dispatcher
        from numba import cuda, types

        if why_not():
            dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=architecture())
    else:
        import numba_cuda_mlir.tools as tools
        from numba_cuda_mlir import cuda, types

        if why_not():
            tools._cached_cc = architecture()
    return cuda, types, cuda.jit(device=True)


@functools.cache
def row_reader(numbers: int) -> Any:
    """(rows, k) -> so many elements from k on (2 to 4), where k is a multiple of four, or of two: read with 16-byte loads.

    Memory units of a GPU count requests, not bytes: two wide loads take two thirds of the time of three narrow ones.
    numba-cuda-mlir has no way to say it that we know of; its loads are narrow.
    """
    _, types, device = compiler()
    if compiler_name() != "numba-cuda":
        u = types.uint64
        return device({2: lambda r, k: (r[k], r[k + u(1)]), 3: lambda r, k: (r[k], r[k + u(1)], r[k + u(2)]),
                       4: lambda r, k: (r[k], r[k + u(1)], r[k + u(2)], r[k + u(3)])}[numbers])
    from llvmlite import ir
    from numba.cuda.extending import intrinsic

    shapes = {types.float64: ("ld.global.v2.f64 {$0, $1}, [$2];", "=d,=d,l", ir.DoubleType(), 2),
              types.float32: ("ld.global.v4.f32 {$0, $1, $2, $3}, [$4];", "=f,=f,=f,=f,l", ir.FloatType(), 4),
              types.int32: ("ld.global.v4.s32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l", ir.IntType(32), 4)}

    @intrinsic
    def row(typing: Any, rows: Any, k: Any) -> Any:
        text, constraints, element, count = shapes[rows.dtype]

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = builder.extract_value(args[0], 4)  # of (meminfo, parent, nitems, itemsize, data, shape, strides)
            values: list[Any] = []
            while len(values) < numbers:
                place = builder.gep(data, [builder.add(args[1], ir.IntType(64)(len(values)))])
                if numbers - len(values) == 1:
                    values.append(builder.load(place))
                    break
                wide = ir.InlineAsm(ir.FunctionType(ir.LiteralStructType([element] * count), [place.type]), text, constraints)
                found = builder.call(wide, [place])
                values += [builder.extract_value(found, q) for q in range(count)]
            return context.make_tuple(builder, signature.return_type, values[:numbers])

        return types.UniTuple(rows.dtype, numbers)(rows, types.uint64), emit

    return row


def array_words(address: int, length: int, itemsize: int) -> tuple[int, ...]:
    """How the compiler passes a one-dimensional array: one 64-bit word each."""
    if compiler_name() == "numba-cuda":
        return 0, 0, length, itemsize, address, length, itemsize
    return address, address, 0, length, 1


def words_per_array() -> int:
    return len(array_words(0, 0, 0))


def translate(entry: Any, signature: Any, name: str, threads: int = 0) -> str:
    """The PTX of a kernel. `threads` of a block, where these are many: registers must do for all."""
    cuda, _, _ = compiler()
    text, _ = cuda.compile_ptx(entry, signature, cc=architecture())
    mangled = re.search(r"\.visible \.entry (\w+)\(", text)
    if mangled:  # a name that profilers can show
        text = re.sub(rf"\b{mangled.group(1)}(?=\b|_param)", name, text)
    if threads:
        text = re.sub(r"(\.visible \.entry \w+\([^)]*\))", rf"\1\n.maxntid {threads}, 1, 1", text, count=1)
    return str(text)
