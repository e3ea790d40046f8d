"""The CPU that kernels are compiled for: its name, its features and the size of its registers. Numba is not needed to ask."""

from __future__ import annotations

import functools
import platform

import llvmlite.binding as llvm

from everlet import settings


@functools.cache
def name() -> str:
    """What LLVM calls this CPU."""
    return settings.given("NUMBA_CPU_NAME") or llvm.get_host_cpu_name()


@functools.cache
def features() -> str:
    """Instructions to use, as LLVM writes them: +avx2,+fma,-amx-tile, …"""
    if "NUMBA_CPU_FEATURES" in settings.STARTED:
        return settings.given("NUMBA_CPU_FEATURES")
    found = llvm.get_host_cpu_features().flatten()
    if platform.machine() == "x86_64" and "+avx512f" in found:
        found += ",-prefer-256-bit"  # use 512-bit registers
        found += ",+prefer-no-gather,+prefer-no-scatter"  # loads one by one take half of the time of a gather, or less
    return found


def has_feature(feature: str) -> bool:
    """Whether kernels are compiled for a CPU with this LLVM feature ("avx512f", "neon", ...)."""
    return f"+{feature}" in _each(features())


@functools.cache
def _each(given: str) -> frozenset[str]:
    return frozenset(given.split(","))


def target_is(machine: str) -> bool:
    """Whether kernels are compiled for this architecture ("aarch64", "x86_64")."""
    return llvm.get_process_triple().replace("arm64", "aarch64").startswith(machine)


def host_bytes() -> int:
    """Bytes in one vector register of this machine."""
    return 64 if has_feature("avx512f") else 32 if has_feature("avx") else 16


def default_lanes(itemsize: int) -> int:
    """Lanes that a kernel over numbers of so many bytes should use: one register full, but at least eight.

    Eight lanes in narrow registers keep several independent operations in flight: on NEON a half list ran 11 % faster
    with eight float64 lanes than with four, and 7 % slower again with sixteen.
    """
    return max(host_bytes() // itemsize, 8)


def description() -> str:
    """What machine code depends on besides the source."""
    return f"{platform.machine()} {name()} {features()}"
