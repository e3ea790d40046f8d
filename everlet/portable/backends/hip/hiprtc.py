"""HIP C++ to machine code by HIPRTC, the compiler of ROCm that is a library: it needs no GPU."""

from __future__ import annotations

import functools

from everlet.errors import DeviceError
from everlet.portable.backends.c.rtc import Compiler, version_of
from everlet.portable.backends.hip.found import INSTALL, library

OPTIONS = ("-w", "-std=c++17", "-O3")


@functools.cache
def version() -> str:
    """'' if there is no HIPRTC."""
    return version_of(_compiler)


def code_object(text: str, name: str, architecture: str) -> bytes:
    """The translation of a text that has one kernel: an ELF file for one architecture."""
    if not version():
        raise DeviceError("HIPRTC, the compiler for kernels on AMD GPUs, is not installed", INSTALL)
    return _compiler().translation(text, name, [f"--gpu-architecture={architecture}", *OPTIONS], "Code")


def _compiler() -> Compiler:
    return Compiler(library("hiprtc"), "hiprtc")
