"""What there is of HIP on this machine: the libraries of ROCm, and AMD GPUs.

`ROCM_PATH` is where ROCm is, if not in /opt/rocm or where the system looks; `EVERLET_HIP_ARCH` = gfx90a is the architecture to
compile for, in place of what the first GPU says, and where there is none.
"""

from __future__ import annotations

import ctypes
import functools
import re
from typing import Any

from everlet import settings
from everlet.errors import DeviceError

INSTALL = "install ROCm (its packages hip-runtime-amd and hiprtc), or name its folder: ROCM_PATH=/opt/rocm"
VERSIONS = ("", ".7", ".6", ".5")  # endings of names of libraries: that without one comes with packages for developers
PROCESSORS = 63  # hipDeviceAttributeMultiprocessorCount
USUAL = "gfx90a"


@functools.cache
def library(name: str) -> Any:
    """amdhip64 or hiprtc; OSError if there is none."""
    given = settings.given("ROCM_PATH")
    folders = [f"{given}/lib/"] if given else ["", "/opt/rocm/lib/"]
    for folder in folders:
        for version in VERSIONS:
            try:
                return ctypes.CDLL(f"{folder}lib{name}.so{version}")
            except OSError:
                continue
    raise OSError(f"lib{name} is not installed")


def said(status: int) -> str:
    """An error in words."""
    text = library("amdhip64").hipGetErrorString
    text.restype = ctypes.c_char_p
    return f"{(text(status) or b'unknown error').decode()} (HIP error {status})"


@functools.cache
def why_not() -> str:
    """Why no GPU can be used: '' if one can."""
    try:
        library("amdhip64")
        library("hiprtc")
    except OSError as error:
        return str(error)
    number = ctypes.c_int()
    status = library("amdhip64").hipGetDeviceCount(ctypes.byref(number))
    if status:
        return f"HIP finds no GPU: {said(status)}"
    return "" if number.value else "HIP finds no GPU"


@functools.cache
def count() -> int:
    number = ctypes.c_int()
    return 0 if library("amdhip64").hipGetDeviceCount(ctypes.byref(number)) else number.value


@functools.cache
def architecture() -> str:
    """What to compile for: EVERLET_HIP_ARCH, else what the first GPU is, else one that many have."""
    return settings.given("EVERLET_HIP_ARCH") or (of_gpu(0) if not why_not() else USUAL)


def of_gpu(number: int) -> str:
    """The architecture of a GPU, such as gfx90a:sramecc+:xnack-.

    No function gives the name alone: it stands in a struct whose layout belongs to the name of the function that fills it.
    Since ROCm 6 that is hipGetDevicePropertiesR0600; in the library (not in C headers) the one without a version is still that
    of ROCm 5. We read this name and nothing else, and look at whether it is one.
    """
    hip, facts = library("amdhip64"), ctypes.create_string_buffer(1 << 14)  # several times as long as any such struct
    ask, place = (hip.hipGetDevicePropertiesR0600, 1160) if hasattr(hip, "hipGetDevicePropertiesR0600") else (
        hip.hipGetDeviceProperties, 396)
    status = ask(facts, number)
    name = facts.raw[place : place + 256].partition(b"\0")[0].decode(errors="replace")
    if status or not re.fullmatch(r"gfx[0-9a-f]+(:\w+[+-])*", name):
        raise DeviceError(f"HIP does not say what GPU {number} is" + (f": {said(status)}" if status else ""),
                          "say it: EVERLET_HIP_ARCH=gfx90a (rocminfo names it), or use --device cpu")
    return name


def name_of(number: int) -> str:
    """What people call a GPU; some drivers have no name for it."""
    text = ctypes.create_string_buffer(256)
    library("amdhip64").hipDeviceGetName(text, 256, number)
    return text.value.decode(errors="replace").strip() or "AMD GPU"


def processors(number: int) -> int:
    found = ctypes.c_int()
    status = library("amdhip64").hipDeviceGetAttribute(ctypes.byref(found), PROCESSORS, number)
    if status:
        raise DeviceError(f"HIP does not say how large GPU {number} is: {said(status)}", "see rocminfo, or use --device cpu")
    return found.value


def lines() -> list[str]:
    """Of each GPU what people should know."""
    told = []
    for number in range(count()):
        memory = ctypes.c_size_t()
        library("amdhip64").hipDeviceTotalMem(ctypes.byref(memory), number)
        told.append(f"hip:{number}: {name_of(number)}, {of_gpu(number)}, {processors(number)} compute units, "
                    f"{memory.value / 1e9:.1f} GB")
    return told
