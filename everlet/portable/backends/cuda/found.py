"""What there is of GPUs, drivers and compilers for them, on this machine."""

from __future__ import annotations

import functools
from typing import Any

from everlet import settings

INSTALL = "pip install '.[cuda13]' in the folder of the source (or '.[cuda12]' for a CUDA 12 driver)"


def installed(package: str) -> str:
    """The version of an installed distribution, or ''."""
    from importlib.metadata import PackageNotFoundError, version  # late: its import takes longer than most others

    try:
        return version(package)
    except PackageNotFoundError:
        return ""


@functools.cache
def architecture() -> tuple[int, int]:
    """Compute capability to compile for: the GPU's, else EVERLET_CUDA_ARCH, else 9.0."""
    if not why_not():
        major, minor = divmod(int(cupy().cuda.Device(0).compute_capability), 10)
        return major, minor
    major, minor = divmod(int(settings.given("EVERLET_CUDA_ARCH", "90")), 10)
    return major, minor


def cupy() -> Any:
    """The library for memory and streams of GPUs."""
    import cupy

    return cupy


@functools.cache
def why_not() -> str:
    """Why no GPU can be used: '' if one can."""
    try:
        library = cupy()
    except ImportError:
        return "CuPy is not installed"
    try:
        if library.cuda.runtime.getDeviceCount() < 1:
            return "no GPU is visible"
    except Exception as error:  # CuPy's own error types need CuPy; any failure here means no usable GPU
        return f"the CUDA driver does not answer ({error})"
    return ""


def count() -> int:
    """GPUs that this process can see."""
    return int(cupy().cuda.runtime.getDeviceCount())
