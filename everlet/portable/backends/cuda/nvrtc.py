"""CUDA C++ to PTX by NVRTC, the compiler that comes with the CUDA libraries of CuPy: it needs neither a GPU nor a toolkit.

`EVERLET_CUDA_ARCH` = 90 is the architecture when no GPU is present.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

from everlet.errors import DeviceError, EverletError
from everlet.portable.backends.cuda.found import INSTALL

OPTIONS = ("-w", "--std=c++17")


@functools.cache
def library() -> Any:
    """libnvrtc, where the CUDA packages of Python or the system have it; OSError if there is none."""
    try:
        from cuda.pathfinder import load_nvidia_dynamic_lib

        return ctypes.CDLL(load_nvidia_dynamic_lib("nvrtc").abs_path)
    except ImportError:  # a package of its own, which CuPy brings
        return ctypes.CDLL("libnvrtc.so")
    except RuntimeError as error:  # what pathfinder raises where there is no such library
        raise OSError(str(error)) from None


@functools.cache
def version() -> str:
    """'' if there is no NVRTC."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    try:
        library().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    except OSError:
        return ""
    return f"{major.value}.{minor.value}"


def needed() -> None:
    """An error that says what to install, where there is none."""
    if not version():
        raise DeviceError("NVRTC, the compiler for kernels on GPUs, is not installed", INSTALL)


def ptx(text: str, name: str, architecture: tuple[int, int]) -> bytes:
    """The translation of a text that has one kernel."""
    needed()
    nvrtc, program = library(), ctypes.c_void_p()
    _check(nvrtc, nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), f"{name}.cu".encode(), 0, None, None))
    try:
        options = [f"--gpu-architecture=compute_{architecture[0]}{architecture[1]}", *OPTIONS]
        words = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
        if nvrtc.nvrtcCompileProgram(program, len(options), words):
            said = _read(nvrtc, program, "ProgramLog").decode(errors="replace")
            raise EverletError(f"NVRTC {version()} cannot compile kernel {name}: {said[:2000]}",
                               "this is a fault of Everlet: please report it")
        return _read(nvrtc, program, "PTX")
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))


def _read(nvrtc: Any, program: ctypes.c_void_p, what: str) -> bytes:
    size = ctypes.c_size_t()
    _check(nvrtc, getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
    found = ctypes.create_string_buffer(size.value)
    _check(nvrtc, getattr(nvrtc, f"nvrtcGet{what}")(program, found))
    return found.value


def _check(nvrtc: Any, status: int) -> None:
    if status:
        nvrtc.nvrtcGetErrorString.restype = ctypes.c_char_p
        raise EverletError(f"NVRTC failed: {nvrtc.nvrtcGetErrorString(status).decode()}", "see everlet info")
