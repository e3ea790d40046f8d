"""What lies under the SIMD words: the lane types, and how a word is taught to Numba.

Kernels import from lanes.py, which holds the words themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.base import BaseContext
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, Signature, infer_global, signature
from numba.extending import lower_builtin, models, register_model

from everlet.portable.backends.cpu.machine import default_lanes

I1, I8, I32, I64 = (ir.IntType(n) for n in (1, 8, 32, 64))
FLAGS = ("contract", "nsz")
# functions that @overload chooses need the parameters of who chooses them, annotations too: neither has any
Lanes = Any  # of a kernel: a number, a truth value, or lanes of them
Resolve = Callable[..., Any]  # of types of arguments: the type of the result, or None
Emit = Callable[..., ir.Value]  # puts instructions into a builder


class Simd(types.Type):
    """`width` lanes of `dtype` (float32, float64, int32, int64); width is a power of two."""

    def __init__(self, dtype: types.Type, width: int):
        if width < 1 or width & (width - 1):
            raise ValueError(f"the number of lanes must be a power of two, not {width}")
        self.dtype, self.width = dtype, width
        super().__init__(f"Simd({dtype} x {width})")


class Mask(types.Type):
    """`width` truth values."""

    def __init__(self, width: int):
        self.width = width
        super().__init__(f"Mask({width})")


@register_model(Simd)
class _SimdModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Simd):
        super().__init__(dmm, fe_type, ir.VectorType(dmm.lookup(fe_type.dtype).get_value_type(), fe_type.width))


@register_model(Mask)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Mask):
        super().__init__(dmm, fe_type, ir.VectorType(I1, fe_type.width))


# ---- the machine
def default_width(dtype: Any) -> int:
    """Lanes that a kernel over `dtype` (NumPy or Numba) should use."""
    return default_lanes((dtype.bitwidth if isinstance(dtype, types.Type) else 8 * np.dtype(dtype).itemsize) // 8)


# ---- how a word is taught to Numba
_ANY = ((types.VarArg(types.Any),),)


def teach(function: Callable[..., Any], resolve: Resolve, emit: Emit, patterns: tuple[tuple[Any, ...], ...] = _ANY,
          literals: bool = False) -> Callable[..., Any]:
    """resolve(*argument types) -> result type or None; emit(context, builder, signature, values) -> LLVM value.

    With `literals` the types of literal arguments keep their values.
    """

    class Template(AbstractTemplate):
        def generic(self, args: Sequence[types.Type], kws: dict[str, types.Type]) -> Signature | None:
            args = args if literals else [types.unliteral(a) for a in args]
            result = None if kws else resolve(*args)
            return None if result is None else signature(result, *args)

    Template.key, Template.prefer_literal = function, literals
    infer_global(function, types.Function(Template))
    for pattern in patterns:
        lower_builtin(function, *pattern)(emit)
    return function


def uniform(emit: Emit) -> Emit:
    """Wrap emit(builder, type, *values) for words whose arguments all take the type of the result."""

    def lower(context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
        to = sig.return_type
        return emit(builder, to, *[bring(context, builder, v, t, to) for v, t in zip(args, sig.args, strict=True)])

    return lower


def common_type(*args: types.Type) -> types.Type | None:
    """The type that numbers share: the lanes' own, else the widest float (integers do not widen), else an integer."""
    lanes = [t for t in args if isinstance(t, Simd)]
    if any(not isinstance(t, (Simd, types.Float, types.Integer)) for t in args):
        return None
    if lanes:
        if any(t != lanes[0] for t in lanes):
            found = ", ".join(map(str, lanes))
            raise TypingError(f"lanes of different types meet: {found}; convert with as_f32, as_f64, ...")
        if isinstance(lanes[0].dtype, types.Integer) and any(isinstance(t, types.Float) for t in args):
            raise TypingError(f"a float meets integer lanes {lanes[0]}; convert the lanes with as_f32 or as_f64")
        return lanes[0]
    return max([t for t in args if isinstance(t, types.Float)] or args, key=lambda t: t.bitwidth)


def real_type(*args: types.Type) -> types.Type | None:
    """Like common_type, for words of real numbers: integer scalars become float64, integer lanes are refused."""
    to = common_type(*args)
    if isinstance(to, types.Integer):
        return types.float64
    if isinstance(to, Simd) and isinstance(to.dtype, types.Integer):
        raise TypingError(f"integer lanes {to} given to a word of real numbers; convert with as_f32 or as_f64")
    return to


def truth_type(*args: types.Type) -> types.Type | None:
    masks = [t for t in args if isinstance(t, Mask)]
    if any(not isinstance(t, (Mask, types.Boolean)) for t in args) or any(t != masks[0] for t in masks):
        return None
    return masks[0] if masks else types.boolean


def is_float(t: types.Type) -> bool:
    return isinstance(getattr(t, "dtype", t), types.Float)


def spread(builder: ir.IRBuilder, value: ir.Value, width: int) -> ir.Value:
    empty = ir.Constant(ir.VectorType(value.type, width), ir.Undefined)
    return shuffle(builder, builder.insert_element(empty, value, I32(0)), empty, [0] * width)


def shuffle(builder: ir.IRBuilder, a: ir.Value, b: ir.Value, picks: Sequence[int]) -> ir.Value:
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(I32, len(picks)), list(picks)))


def lane(builder: ir.IRBuilder, vector: ir.Value, k: int) -> ir.Value:
    return builder.extract_element(vector, I32(k))


def split(builder: ir.IRBuilder, vector: ir.Value, width: int) -> list[ir.Value]:
    """The vector as pieces of `width` lanes."""
    empty, count = ir.Constant(vector.type, ir.Undefined), vector.type.count
    return [shuffle(builder, vector, empty, range(k, k + width)) for k in range(0, count, width)]


def concatenate(builder: ir.IRBuilder, pieces: list[ir.Value]) -> ir.Value:
    """The inverse of split; the number of pieces is a power of two."""
    while len(pieces) > 1:
        count = 2 * pieces[0].type.count
        pieces = [shuffle(builder, a, b, range(count)) for a, b in zip(pieces[::2], pieces[1::2], strict=True)]
    return pieces[0]


def bring(context: BaseContext, builder: ir.IRBuilder, value: ir.Value, have: types.Type, want: types.Type) -> ir.Value:
    """`value` of type `have` as `want`: cast to the lanes' dtype and spread over them if it is a scalar."""
    if have == want:
        return value
    if isinstance(want, Simd):
        return spread(builder, context.cast(builder, value, have, want.dtype), want.width)
    if isinstance(want, Mask):
        return spread(builder, value, want.width)
    return context.cast(builder, value, have, want)


def _type_name(t: ir.Type) -> str:
    if isinstance(t, ir.VectorType):
        return f"v{t.count}{_type_name(t.element)}"
    return {"double": "f64", "float": "f32", "ptr": "p0"}.get(str(t), str(t))


def call_intrinsic(builder: ir.IRBuilder, name: str, result: ir.Type, *args: ir.Value,
                   overloaded: Sequence[ir.Type] | None = None, flags: Sequence[str] = ()) -> ir.Value:
    """Call the LLVM intrinsic `name`, overloaded on the types given (the result's, if none)."""
    full = ".".join([name, *map(_type_name, (result,) if overloaded is None else overloaded)])
    function = builder.module.globals.get(full)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(result, [a.type for a in args]), full)
    return builder.call(function, args, fastmath=flags)


def mask_integer(builder: ir.IRBuilder, mask: ir.Value) -> ir.Value:
    """A mask as an i64: bit k is lane k."""
    if not isinstance(mask.type, ir.VectorType):
        return builder.zext(mask, I64)
    bits = builder.bitcast(mask, ir.IntType(mask.type.count))
    return bits if mask.type.count == 64 else builder.zext(bits, I64)


def mask_fold(builder: ir.IRBuilder, mask: ir.Value, name: str) -> ir.Value:
    """The lanes of a mask joined by "and" or "or"."""
    if not isinstance(mask.type, ir.VectorType):
        return mask
    return call_intrinsic(builder, f"llvm.vector.reduce.{name}", I1, mask, overloaded=(mask.type,))


def transpose4(builder: ir.IRBuilder, lines: list[ir.Value], width: int) -> list[ir.Value]:
    """Four vectors of `width` lanes from `width` rows of four numbers."""
    parts: list[list[ir.Value]] = [[], [], [], []]
    for k in range(0, width, 4):  # four rows at a time
        a, b, c, d = lines[k : k + 4] if width > 2 else lines * (4 // width)
        low_ab, low_cd = shuffle(builder, a, b, [0, 4, 1, 5]), shuffle(builder, c, d, [0, 4, 1, 5])
        high_ab, high_cd = shuffle(builder, a, b, [2, 6, 3, 7]), shuffle(builder, c, d, [2, 6, 3, 7])
        for low, ab, cd in ((0, low_ab, low_cd), (2, high_ab, high_cd)):
            parts[low].append(shuffle(builder, ab, cd, [0, 1, 4, 5]))
            parts[low + 1].append(shuffle(builder, ab, cd, [2, 3, 6, 7]))
    return [split(builder, concatenate(builder, p), width)[0] for p in parts]


def transpose2(builder: ir.IRBuilder, lines: list[ir.Value]) -> list[ir.Value]:
    """Two vectors from rows of two numbers."""
    pairs = list(zip(lines[::2], lines[1::2], strict=True))
    return [concatenate(builder, [shuffle(builder, a, b, [side, 2 + side]) for a, b in pairs]) for side in (0, 1)]
