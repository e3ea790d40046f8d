"""1 / sqrt of lanes: an estimate of the CPU and Newton steps. A root and a division would take several times as long."""

from __future__ import annotations

from llvmlite import ir
from numba import types

from everlet.portable.backends.cpu.machine import has_feature, target_is
from everlet.portable.simd.core import FLAGS, Emit, Simd, call_intrinsic, concatenate, split


def inverse_root(builder: ir.IRBuilder, to: types.Type, a: ir.Value) -> ir.Value:
    if isinstance(to, Simd) and target_is("aarch64"):
        return _by_newton(builder, to, a, 128, _neon_root)
    if isinstance(to, Simd) and has_feature("avx512f") and to.width * to.dtype.bitwidth % 512 == 0:
        return _by_newton(builder, to, a, 512, _avx512_root)
    one = ir.Constant(a.type, [1.0] * to.width if isinstance(to, Simd) else 1.0)
    return builder.fdiv(one, call_intrinsic(builder, "llvm.sqrt", a.type, a, flags=FLAGS), flags=FLAGS)


def _by_newton(builder: ir.IRBuilder, to: Simd, a: ir.Value, bits: int, root: Emit) -> ir.Value:
    """Register by register."""
    double = to.dtype == types.float64
    return concatenate(builder, [root(builder, x, double) for x in split(builder, a, min(to.width, bits // to.dtype.bitwidth))])


def _neon_root(builder: ir.IRBuilder, x: ir.Value, double: bool) -> ir.Value:
    """8 bits, which every step doubles; frsqrts takes 0 * inf as 0, so 0 and inf are right."""
    y = call_intrinsic(builder, "llvm.aarch64.neon.frsqrte", x.type, x)
    for _ in range(3 if double else 2):
        y = builder.fmul(y, call_intrinsic(builder, "llvm.aarch64.neon.frsqrts", x.type, x, builder.fmul(y, y)))
    return y


def _avx512_root(builder: ir.IRBuilder, x: ir.Value, double: bool) -> ir.Value:
    """14 bits, which every step doubles; the estimate itself is right for 0 and inf, where a step gives no number."""
    count = x.type.count
    all_lanes = ir.Constant(ir.IntType(count), -1)
    name = f"llvm.x86.avx512.rsqrt14.p{'d' if double else 's'}.512"
    y = estimate = call_intrinsic(builder, name, x.type, x, ir.Constant(x.type, None), all_lanes, overloaded=())
    half, minus = ir.Constant(x.type, [0.5] * count), ir.Constant(x.type, [-0.5] * count)
    down = builder.fmul(x, minus)
    for _ in range(2 if double else 1):
        miss = call_intrinsic(builder, "llvm.fma", x.type, builder.fmul(down, y), y, half)
        y = call_intrinsic(builder, "llvm.fma", x.type, y, miss, y)
    return builder.select(builder.fcmp_unordered("uno", y, y), estimate, y)
