"""Functions of the OpenCL library that are called as they are, where pyopencl takes its time or does not know the question."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any

SUB_GROUP_SIZES = 0x4108  # CL_DEVICE_SUB_GROUP_SIZES_INTEL
MOST_SIZES = 16


@functools.cache
def functions() -> Any:
    """The library that pyopencl is linked to, by the names of the C interface."""
    import pyopencl

    found = ctypes.CDLL(pyopencl._cl.__file__)
    found.clEnqueueSVMMemcpy.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t,
                                         ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p]
    found.clGetDeviceInfo.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p]
    return found


def sub_group_sizes(device: Any) -> list[int]:
    """How many threads can work in step, of a device with cl_intel_required_subgroup_size."""
    sizes, used = (ctypes.c_size_t * MOST_SIZES)(), ctypes.c_size_t()
    status = functions().clGetDeviceInfo(device.int_ptr, SUB_GROUP_SIZES, ctypes.sizeof(sizes), sizes, ctypes.byref(used))
    return [] if status else list(sizes)[: used.value // ctypes.sizeof(ctypes.c_size_t)]


def launch(queue: ctypes.c_void_p, kernel: Any, groups: int, threads: int, place: int, number: int) -> Callable[[], int]:
    """A launch to call again and again: it returns a status, 0 if all is well. `queue` is looked at each time; argument `place`
    of the kernel, which others have in common with it, is this number."""
    size, handle = ctypes.c_size_t * 1, ctypes.c_void_p(kernel.int_ptr)
    start = functools.partial(functions().clEnqueueNDRangeKernel, queue, handle, ctypes.c_uint(1), None, size(groups * threads),
                              size(threads), ctypes.c_uint(0), None, None)
    value = ctypes.c_int64(number)
    put = functools.partial(functions().clSetKernelArg, handle, ctypes.c_uint(place), ctypes.c_size_t(8), ctypes.byref(value))
    return lambda: put() or start()


def copy(queue: ctypes.c_void_p, to: Any, source: Any, size: int) -> int:
    """So many bytes between addresses of the device, or of the host, in order with the commands of a queue; waits for it."""
    return int(functions().clEnqueueSVMMemcpy(queue, 1, to, source, size, 0, None, None))


def flush(queue: ctypes.c_void_p) -> int:
    """What waits in a queue goes to the device."""
    return int(functions().clFlush(queue))
