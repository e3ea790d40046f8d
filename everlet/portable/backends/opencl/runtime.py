"""One OpenCL device: its memory, its queue, and launches of kernels, by pyopencl.

Memory is shared virtual memory, whose addresses kernels take as they are: parts of arrays need no objects of their own. All
commands are in one queue and run in its order.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from everlet.errors import DeviceError, RunError
from everlet.portable.backends.grid.arrays import DeviceArray, Memory, over
from everlet.portable.backends.opencl.found import INSTALL, count, devices, lacks, library, options, why_not

LINE = 64  # bytes of alignment


@functools.cache
def connect(number: int) -> Runtime:
    """The device with this number, or an error that says what is missing."""
    reason = why_not()
    if reason:
        raise DeviceError(f"an OpenCL device was asked for, but {reason}", INSTALL)
    if number >= count():
        raise DeviceError(f"OpenCL device {number} was asked for, but there are {count()}",
                          f"use opencl:0 to opencl:{count() - 1}; everlet info lists them")
    device = devices()[number]
    if lacks(device):
        raise DeviceError(f"kernels cannot run on {device.name.strip()}: {lacks(device)}",
                          "use another device (everlet info lists them), or --device cpu")
    return Runtime(device)


class Runtime:
    """Memory and launches of one device."""

    def __init__(self, device: Any):
        self.cl, self.device = library(), device
        self.context = self.cl.Context([device])
        self.queue = self.cl.CommandQueue(self.context)
        self.unused: list[Any] = []  # memory; drivers could give it back in order with commands, PoCL 3.0 does it at once
        self.typed: set[Any] = set()  # kernels that know the kinds of their arguments
        self.launching = threading.Lock()  # a kernel has one set of arguments, whoever sets them
        self.options = options(device)

    # ---- memory
    def empty(self, shape: tuple[int, ...], dtype: Any) -> DeviceArray:
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        try:
            memory = Memory(self, self.cl.SVMAllocation(self.context, max(size, LINE), LINE, self.cl.svm_mem_flags.READ_WRITE))
        except self.cl.MemoryError:
            whole = self.device.global_mem_size / 1e9
            raise RunError(f"{self.device.name.strip()} is out of memory: {size / 1e9:.2f} GB asked for, {whole:.2f} GB in all",
                           "use fewer atoms, or --precision mixed") from None
        where = over(memory.allocation.svm_ptr, max(size, LINE))[:size].view(dtype).reshape(shape)
        return DeviceArray(self, memory, where)

    def zeros(self, size: int, dtype: Any) -> DeviceArray:
        found = self.empty((size,), dtype)
        self.cl.enqueue_svm_memfill(self.queue, found.memory.allocation, np.zeros(1, np.uint8))
        return found

    def from_host(self, array: np.ndarray) -> DeviceArray:
        found = self.empty(array.shape, array.dtype)
        if array.size:
            self.copy(found.where, array)
        return found

    def pointer(self, where: np.ndarray) -> Any:
        return self.cl.SVM(where)

    def copy(self, to: np.ndarray, source: np.ndarray) -> None:
        """Waits until it is done: a host array may change right after. The library wants arrays that may be written to."""
        unused, self.unused = self.unused, []
        source = np.require(source, requirements=("C", "W"))
        self.cl.enqueue_copy(self.queue, self.cl.SVM(to), self.cl.SVM(source), is_blocking=True)
        del unused

    def synchronize(self) -> None:
        unused, self.unused = self.unused, []
        self.queue.finish()
        del unused

    # ---- kernels
    @functools.cache  # noqa: B019  one Runtime lives as long as the process
    def kernel(self, path: Path, carveout: int | None = None, registers: int = 0) -> Any:
        """The kernel whose translation is beside a module, built by the driver, which keeps what it builds."""
        text = path.with_suffix(".cl").read_text()
        try:
            built = self.cl.Program(self.context, text).build(self.options)
        except self.cl.RuntimeError as error:
            raise RunError(f"the OpenCL driver cannot build kernel {path.stem}: {str(error).strip()[:2000]}",
                           f"its text is {path.with_suffix('.cl')}; other devices: everlet info") from None
        return built.all_kernels()[0]

    def launch(self, kernel: Any, groups: int, threads: int, values: list[Any], kinds: list[Any]) -> None:
        """Start it with arguments: pointers, or numbers of these kinds."""
        if threads > self.device.max_work_group_size:
            raise RunError(f"kernel {kernel.function_name} needs groups of {threads} threads, {self.device.name.strip()} has "
                           f"{self.device.max_work_group_size}", "use another device (everlet info lists them)")
        with self.launching:
            if kernel not in self.typed:
                kernel.set_scalar_arg_dtypes(kinds)
                self.typed.add(kernel)
            kernel(self.queue, (groups * threads,), (threads,), *values)

    # ---- branches and graphs: one queue, in order
    def leave(self) -> None:
        """What follows may run beside: here it does not."""

    come_back = meet = leave

    def capture(self, launches: Callable[[], None]) -> Callable[[], None]:
        """A graph is the list of its launches. Kernels look at control words themselves, so that nothing waits between them."""
        return launches

    def replay(self, graph: Callable[[], None]) -> None:
        graph()

    def forget(self, graph: Callable[[], None]) -> None:
        """It holds nothing of the device."""
