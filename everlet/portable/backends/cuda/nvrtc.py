"""CUDA C++ to PTX by NVRTC, the compiler that comes with the CUDA libraries of CuPy: it needs neither a GPU nor a toolkit.

`EVERLET_CUDA_ARCH` = 90 is the architecture when no GPU is present.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

from everlet.errors import DeviceError
from everlet.portable.backends.c.rtc import Compiler, version_of
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
    return version_of(_compiler)


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
    compiler, count = _compiler(), ctypes.c_int()
    compiler.call("GetNumSupportedArchs", ctypes.byref(count))
    found = (ctypes.c_int * count.value)()
    compiler.call("GetSupportedArchs", found)
    return [str(one) for one in found]


def _translated(text: str, name: str, architecture: str, options: tuple[str, ...], part: str) -> bytes:
    needed()
    flags = [f"--gpu-architecture={architecture}", *options]
    return _compiler().translation(text, name, flags, part).rstrip(b"\0")


def _compiler() -> Compiler:
    return Compiler(library(), "nvrtc")
