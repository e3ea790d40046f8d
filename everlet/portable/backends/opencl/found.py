"""What there is of OpenCL on this machine: platforms, their devices, and what kernels would miss on each."""

from __future__ import annotations

import functools
import warnings
from typing import Any

INSTALL = "pip install 'everlet[opencl]' brings the library; drivers bring their devices, and pip install " \
          "pocl-binary-distribution (or apt-get install pocl-opencl-icd) this machine's cores"
COARSE = 1  # CL_DEVICE_SVM_COARSE_GRAIN_BUFFER
ROUNDED = 1 << 7  # CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT


def library() -> Any:
    import pyopencl

    warnings.filterwarnings("ignore", category=pyopencl.CompilerWarning)  # drivers praise themselves
    return pyopencl


@functools.cache
def devices() -> list[Any]:
    """All devices of all platforms, in the order in which users count them."""
    return [device for platform in library().get_platforms() for device in platform.get_devices()]


def lacks(device: Any) -> str:
    """Why kernels cannot run on a device: '' if they can."""
    extensions = device.extensions.split()
    if not device.double_fp_config:
        return "it has no numbers of 64 bits (float64)"
    if "cl_khr_int64_base_atomics" not in extensions:
        return "it has no atomic operations on 64 bits"
    try:
        shared = device.svm_capabilities
    except library().Error:
        shared = 0
    return "" if shared & COARSE else "it has no shared virtual memory (OpenCL 2.0)"


@functools.cache
def why_not() -> str:
    """Why no device can be used: '' if one can."""
    try:
        found = devices()
    except ImportError:
        return "pyopencl is not installed"
    except Exception as error:  # of the library, whose types need the library: there is no platform, or a driver fails
        return f"no platform of OpenCL answers ({str(error).strip()})"
    if not found:
        return "no platform of OpenCL has a device"
    reasons = [f"{device.name.strip()}: {lacks(device)}" for device in found if lacks(device)]
    return "; ".join(reasons) if len(reasons) == len(found) else ""


def count() -> int:
    return len(devices())


def options(device: Any) -> list[str]:
    """What its compiler is told."""
    found = ["-w"]
    if device.single_fp_config & ROUNDED:
        found.append("-cl-fp32-correctly-rounded-divide-sqrt")
    if "PoCL 3.0" in device.platform.version:  # its optimiser ends the process at some kernels, `follow` of fix npt for one
        found.append("-cl-opt-disable")
    return found


def on_gpu(number: int) -> bool:
    return bool(devices()[number].type & library().device_type.GPU)


def lines() -> list[str]:
    """Of each device what people should know: its word, name, platform, and why it cannot be used."""
    told = []
    for k, device in enumerate(devices()):
        missing = lacks(device)
        told.append(f"opencl:{k}: {device.name.strip()}, {device.max_compute_units} units, "
                    f"{device.global_mem_size / 1e9:.1f} GB, by {device.platform.name} ({device.platform.version.strip()})"
                    + (f"; not usable: {missing}" if missing else ""))
    return told
