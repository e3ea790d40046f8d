"""What there is of OpenCL on this machine: platforms, their devices, and what kernels would miss on each."""

from __future__ import annotations

import functools
import warnings
from typing import Any

from everlet.portable.backends.opencl.calls import sub_group_sizes
from everlet.portable.traits import WIDEST, powers

INSTALL = "pip install 'everlet[opencl]' brings the library; drivers bring their devices, and pip install " \
          "pocl-binary-distribution (or apt-get install pocl-opencl-icd) this machine's cores"
COARSE = 1  # CL_DEVICE_SVM_COARSE_GRAIN_BUFFER
ROUNDED = 1 << 7  # CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
VOLTA = 7  # the first kind of NVIDIA's GPUs whose threads shuffle among some of a warp while others are elsewhere
# what threads of an item need of sub-groups. None of these functions has to be met by all of a sub-group
SUB_GROUPS = {"cl_khr_subgroup_ballot", "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative",
              "cl_intel_required_subgroup_size"}


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


def takes_ptx(device: Any) -> bool:
    """Whether texts may have parts in NVIDIA's assembler: its driver has no sub-groups."""
    return ("cl_nv_device_attribute_query" in device.extensions.split() and "NVIDIA" in device.platform.name
            and device.compute_capability_major_nv >= VOLTA)


def widest(device: Any) -> int:
    """Threads that can share an item: they work in step, are numbered as those of their group, and there may be such items
    beside others that make more steps. PoCL makes loops of groups, which all threads must go through alike."""
    if takes_ptx(device):
        return WIDEST
    if not set(device.extensions.split()) >= SUB_GROUPS or "PoCL" in device.platform.version:
        return 1
    return max((size for size in sub_group_sizes(device) if size in powers(WIDEST)), default=1)


def options(device: Any) -> list[str]:
    """What its compiler is told. Texts ask for PTX and SUB_GROUP (backends/c/opencl_c.py)."""
    found = ["-w"]
    if takes_ptx(device):
        found.append("-DPTX")
    elif widest(device) > 1:
        found.append(f"-DSUB_GROUP={widest(device)}")
    if "cl_ext_float_atomics" in device.extensions.split():
        found.append("-cl-std=CL3.0")  # in which they have names
    if device.single_fp_config & ROUNDED:
        found.append("-cl-fp32-correctly-rounded-divide-sqrt")
    if "PoCL 3.0" in device.platform.version:  # its optimiser ends the process at some kernels, `follow` of fix npt for one
        found.append("-cl-opt-disable")
    return found


def limits(device: Any, registers: int) -> list[str]:
    """What the compiler of one kernel is told besides: its most registers, where that can be said."""
    return [f"-cl-nv-maxrregcount={registers}"] if registers and "cl_nv_compiler_options" in device.extensions.split() else []


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
