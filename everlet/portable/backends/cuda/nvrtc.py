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
    return _translated(text, name, f"compute_{architecture[0]}{architecture[1]}", OPTIONS, "PTX")


def log(text: str, name: str, architecture: str) -> str:
    """What the assembler says of a text's kernel, for sm_{architecture}: registers, and what is put aside."""
    return _translated(text, name, f"sm_{architecture}", (*OPTIONS, "--ptxas-options=-v"), "ProgramLog").decode()


def architectures() -> list[str]:
    """Those that this NVRTC knows."""
    needed()
    count = ctypes.c_int()
    _check(library(), library().nvrtcGetNumSupportedArchs(ctypes.byref(count)))
    found = (ctypes.c_int * count.value)()
    _check(library(), library().nvrtcGetSupportedArchs(found))
    return [str(one) for one in found]


def _translated(text: str, name: str, architecture: str, options: tuple[str, ...], part: str) -> bytes:
    needed()
    nvrtc, program = library(), ctypes.c_void_p()
    _check(nvrtc, nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), f"{name}.cu".encode(), 0, None, None))
    try:
        flags = [f"--gpu-architecture={architecture}", *options]
        words = (ctypes.c_char_p * len(flags))(*[flag.encode() for flag in flags])
        if nvrtc.nvrtcCompileProgram(program, len(flags), words):
            said = _read(nvrtc, program, "ProgramLog").decode(errors="replace")
            raise EverletError(f"NVRTC {version()} cannot compile kernel {name}: {said[:2000]}",
                               "this is a fault of Everlet: please report it")
        return _read(nvrtc, program, part)
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
