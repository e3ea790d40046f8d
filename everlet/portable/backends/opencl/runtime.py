"""One OpenCL device: its memory, its queue, and launches of kernels, by pyopencl.

Memory is shared virtual memory, whose addresses kernels take as they are: parts of arrays need no objects of their own. All
commands are in one queue and run in its order.
"""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from everlet.errors import DeviceError, RunError
from everlet.portable.backends.grid import entries
from everlet.portable.backends.grid.arrays import DeviceArray, Memory, over
from everlet.portable.backends.opencl import calls
from everlet.portable.backends.opencl.found import INSTALL, count, devices, lacks, library, limits, options, why_not
from everlet.portable.devices import missing

LINE = 64  # bytes of alignment
LIMIT = entries.GATE_NAMES.index("_limit")  # which argument of a kernel


@functools.cache
def connect(number: int) -> Runtime:
    """The device with this number, or an error that says what is missing."""
    reason = why_not()
    if reason:
        raise DeviceError(f"an OpenCL device was asked for, but {reason}", INSTALL)
    if number >= count():
        raise missing("OpenCL device", "opencl", number, count())
    device = devices()[number]
    if lacks(device):
        raise DeviceError(f"kernels cannot run on {device.name.strip()}: {lacks(device)}",
                          "use another device (everlet info lists them), or --device cpu")
    return Runtime(device)


@dataclass
class Built:
    """What the driver makes of a text with one kernel."""

    program: Any
    kernel: Any
    typed: bool = False  # the kernel knows the kinds of its arguments

    def ready(self, values: list[Any], kinds: list[Any]) -> Any:
        """The kernel once more, with arguments of its own. (Told of kinds, pyopencl looks into a data base for each kernel.)"""
        kernel = type(self.kernel)(self.program, self.kernel.function_name)
        for place, (value, kind) in enumerate(zip(values, kinds, strict=True)):
            kernel.set_arg(place, kind(value) if kind else value)
        return kernel


class Ready:
    """Launches with the arguments that they had when they were made, and the memory that these are in: what is put into a view
    later does not change them. Those of many steps differ in their limit alone, and share a kernel."""

    def __init__(self) -> None:
        self.starts: list[Callable[[], int]] = []
        self.held: list[Any] = []
        self.kernels: dict[tuple[Any, ...], Any] = {}

    def add(self, queue: ctypes.c_void_p, built: Built, shape: tuple[int, int], values: list[Any], kinds: list[Any],
            memory: Iterable[Any]) -> None:
        """One more, of so many groups and threads in each."""
        same = (id(built), *[value if kind else id(value) for place, (value, kind) in enumerate(zip(values, kinds, strict=True))
                             if place != LIMIT])
        if same not in self.kernels:
            self.kernels[same] = built.ready(values, kinds)
            self.held += [values, *memory]
        self.starts.append(calls.launch(queue, self.kernels[same], *shape, LIMIT, values[LIMIT]))


class Runtime:
    """Memory and launches of one device."""

    def __init__(self, device: Any):
        self.cl, self.device = library(), device
        self.context = self.cl.Context([device])
        self.queue = self.cl.CommandQueue(self.context)
        self.handle = ctypes.c_void_p(self.queue.int_ptr)  # of the queue, for calls of the library
        self.unused: list[Any] = []  # memory; drivers could give it back in order with commands, PoCL 3.0 does it at once
        self.launching = threading.Lock()  # a kernel has one set of arguments, whoever sets them
        self.timing = False  # the queue keeps times of its commands
        self.options = options(device)
        self.own = threading.local()  # `graph`: where launches of this thread go while it captures

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

    def read_words(self, array: DeviceArray) -> list[int]:
        """A short array of int64: quicker than a general copy."""
        words, (unused, self.unused) = (ctypes.c_int64 * array.size)(), (self.unused, [])
        self.check(calls.copy(self.handle, words, array.where.ctypes.data, ctypes.sizeof(words)), "reading control words")
        del unused
        return list(words)

    def write_words(self, array: DeviceArray, given: list[int]) -> None:
        """The opposite; waits until it is done."""
        words = (ctypes.c_int64 * len(given))(*given)
        self.check(calls.copy(self.handle, array.where.ctypes.data, words, ctypes.sizeof(words)), "writing control words")

    def check(self, status: int, action: str) -> None:
        if status:
            raise RunError(f"{action} on {self.device.name.strip()} failed (OpenCL error {status})",
                           "see everlet info; or use --device cpu")

    def synchronize(self) -> None:
        unused, self.unused = self.unused, []
        self.queue.finish()
        del unused

    # ---- kernels
    @functools.cache  # noqa: B019  one Runtime lives as long as the process
    def kernel(self, path: Path, carveout: int | None = None, registers: int = 0) -> Built:
        """The kernel whose translation is beside a module, built by the driver, which keeps what it builds."""
        text = path.with_suffix(".cl").read_text()
        try:
            built = self.cl.Program(self.context, text).build([*self.options, *limits(self.device, registers)])
        except self.cl.RuntimeError as error:
            raise RunError(f"the OpenCL driver cannot build kernel {path.stem}: {str(error).strip()[:2000]}",
                           f"its text is {path.with_suffix('.cl')}; other devices: everlet info") from None
        return Built(built, built.all_kernels()[0])

    def launch(self, built: Built, groups: int, threads: int, values: list[Any], kinds: list[Any], held: Iterable[Any]) -> None:
        """Start a kernel with arguments: pointers, or numbers of these kinds. `held` is the memory that pointers point to."""
        if threads > self.device.max_work_group_size:
            raise RunError(f"kernel {built.kernel.function_name} needs groups of {threads} threads, {self.device.name.strip()} "
                           f"has {self.device.max_work_group_size}", "use another device (everlet info lists them)")
        graph = getattr(self.own, "graph", None)
        if graph is not None:
            graph.add(self.handle, built, (groups, threads), values, kinds, held)
            return
        with self.launching:
            if not built.typed:
                built.kernel.set_scalar_arg_dtypes(kinds)
                built.typed = True
            built.kernel(self.queue, (groups * threads,), (threads,), *values)

    # ---- time
    def mark(self) -> Any:
        """A moment between two commands of the queue. The first makes the queue one that keeps times."""
        if not self.timing:
            self.queue.finish()
            self.queue = self.cl.CommandQueue(self.context, properties=self.cl.command_queue_properties.PROFILING_ENABLE)
            self.handle.value = self.queue.int_ptr  # graphs look there
            self.timing = True
        return self.cl.enqueue_marker(self.queue)

    def seconds(self, first: Any, last: Any) -> float:
        """Between two moments; waits for the second."""
        last.wait()
        return 1e-9 * float(last.profile.end - first.profile.end)

    # ---- branches and graphs: one queue, in order
    def leave(self) -> None:
        """What follows may run beside: here it does not."""

    come_back = meet = leave

    def capture(self, launches: Callable[[], None]) -> Ready:
        """A graph is its launches, ready to be started: one call of the library for each. Kernels look at control words
        themselves, so that nothing waits between them."""
        self.own.graph = graph = Ready()
        try:
            launches()
        finally:
            self.own.graph = None
        return graph

    def replay(self, graph: Ready) -> None:
        for start in graph.starts:
            status = start()
            if status:
                self.check(status, "launching a kernel")
        self.check(calls.flush(self.handle), "replaying a graph")

    def forget(self, graph: Ready) -> None:
        """Its kernels and the memory that it holds."""
        graph.starts, graph.held, graph.kernels = [], [], {}
