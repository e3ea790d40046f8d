"""One AMD GPU: its memory, streams, launches and graphs, by libamdhip64 alone."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from everlet.errors import DeviceError, RunError
from everlet.portable.backends.grid.arrays import DeviceArray, Memory, over
from everlet.portable.backends.hip import found
from everlet.portable.devices import missing
from everlet.portable.spaces import CONTROLS, LATER, STOP

LINE = 256  # bytes of the smallest piece of memory
LARGE = 1 << 20  # bytes of memory that is not kept for others when nobody has it any more
NON_BLOCKING, NO_TIMING, OF_THIS_THREAD, BY_ADDRESS = 1, 2, 1, 4  # kinds of streams, events, captures and copies
OUT_OF_MEMORY = 2
MOST_THREADS = 1 << 32  # of a launch


@functools.cache
def connect(device: int) -> Gpu:
    """The GPU with this number, or an error that says what is missing."""
    reason = found.why_not()
    if reason:
        remedy = found.INSTALL if "installed" in reason else "check rocminfo and HIP_VISIBLE_DEVICES, or use --device cpu"
        raise DeviceError(f"an AMD GPU was asked for, but {reason}", remedy)
    if device >= found.count():
        raise missing("AMD GPU", "hip", device, found.count())
    if device and found.of_gpu(device) != found.architecture():
        raise DeviceError(f"AMD GPU {device} is {found.of_gpu(device)}, and kernels are made for {found.architecture()}",
                          f"let it be the first: HIP_VISIBLE_DEVICES={device} and --device hip")
    return Gpu(device)


class HipArray(DeviceArray):
    """An array in memory of an AMD GPU."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """What libraries for messages ask arrays of any GPU for."""
        strides = None if self.flags.c_contiguous else self.where.strides
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.pointer, False), "strides": strides, "version": 3}


class Gpu:
    """Memory and launches of one GPU."""

    def __init__(self, device: int):
        self.hip, self.device = found.library("amdhip64"), device
        self.begin()
        self.main, self.side = self._stream(0), self._stream(-1)  # the default stream cannot be captured into graphs
        self.stream = self.main
        self.capturing = False  # launches become part of a graph
        # what nobody has, but work under way may still use: the function that gives it back, and bytes
        self.unused: list[tuple[str, int, int]] = []
        self.spare: dict[int, list[int]] = {}  # memory for others, by size: the library takes long
        self.control = self.zeros(CONTROLS, np.int64)
        self.control[STOP] = LATER
        self.control_words = (self.control.pointer,)

    def _stream(self, priority: int) -> ctypes.c_void_p:
        made = ctypes.c_void_p()
        self._call("making a stream", "hipStreamCreateWithPriority", ctypes.byref(made), NON_BLOCKING, priority)
        return made

    def begin(self) -> None:
        """Let this thread work here: HIP knows for each thread which GPU it means."""
        self._call("choosing a GPU", "hipSetDevice", self.device)

    def _call(self, action: str, function: str, *args: Any) -> None:
        status = getattr(self.hip, function)(*args)
        if status:
            raise RunError(f"{action} failed: {found.said(status)}", "see everlet info; with --device cpu the run needs no GPU")

    # ---- memory
    def empty(self, shape: tuple[int, ...], dtype: Any) -> HipArray:
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        room = max(size, LINE)
        room = room if room > LARGE else 1 << (room - 1).bit_length()
        kept = self.spare.get(room)
        address = kept.pop() if kept else self._new(room)
        memory = Memory(self, ("hipFree", address, room))
        return HipArray(self, memory, over(address, room)[:size].view(dtype).reshape(shape))

    def _new(self, size: int) -> int:
        address, free, total = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_size_t()
        self.begin()
        status = self.hip.hipMalloc(ctypes.byref(address), ctypes.c_size_t(size))
        if status == OUT_OF_MEMORY and not self.capturing:
            self.synchronize()
            while self.spare:
                for one in self.spare.popitem()[1]:
                    self._call("giving back memory", "hipFree", ctypes.c_void_p(one))
            status = self.hip.hipMalloc(ctypes.byref(address), ctypes.c_size_t(size))
        if status == OUT_OF_MEMORY:
            self.hip.hipMemGetInfo(ctypes.byref(free), ctypes.byref(total))
            have = f"{free.value / 1e9:.2f} of {total.value / 1e9:.2f} GB free"
            raise RunError(f"GPU out of memory: {size / 1e9:.2f} GB asked for, {have}",
                           "use fewer atoms, more GPUs, or --precision mixed")
        if status:
            raise RunError(f"making an array failed: {found.said(status)}", "see everlet info, or use --device cpu")
        return int(address.value or 0)

    def zeros(self, size: int, dtype: Any) -> HipArray:
        made = self.empty((size,), dtype)
        if size:
            self._call("clearing memory", "hipMemsetAsync", ctypes.c_void_p(made.pointer), 0, ctypes.c_size_t(made.nbytes),
                       self.stream)
        return made

    def from_host(self, array: np.ndarray) -> HipArray:
        made = self.empty(array.shape, array.dtype)
        if array.size:
            self.copy(made.where, np.ascontiguousarray(array))
        return made

    def pointer(self, where: np.ndarray) -> int:
        return int(where.ctypes.data)

    def copy(self, to: np.ndarray, source: np.ndarray) -> None:
        """Waits until it is done: a host array may change right after."""
        self._call("copying an array", "hipMemcpyAsync", ctypes.c_void_p(to.ctypes.data), ctypes.c_void_p(source.ctypes.data),
                   ctypes.c_size_t(to.nbytes), BY_ADDRESS, self.stream)
        self.synchronize()

    def synchronize(self) -> None:
        """Wait for all work, and give back what nobody has any more."""
        unused, self.unused = self.unused, []
        try:
            for stream in (self.side, self.main):
                self._call("waiting for the GPU", "hipStreamSynchronize", stream)
        except RunError:
            self.unused += unused
            raise
        for function, what, size in unused:
            if size and size <= LARGE:
                self.spare.setdefault(size, []).append(what)
            else:
                self._call("giving back memory", function, ctypes.c_void_p(what))

    # ---- kernels
    def kernel(self, path: Path, carveout: int | None = None, registers: int = 0) -> int:
        """The function in the code object beside a module. Memory of teams is no part of a cache here, so that there is nothing
        to carve out; and how many registers a thread has was settled when the text was compiled."""
        return self._loaded(path)

    @functools.cache  # noqa: B019  one Gpu lives as long as the process
    def _loaded(self, path: Path) -> int:
        module, function, code = ctypes.c_void_p(), ctypes.c_void_p(), path.with_suffix(".co").read_bytes()
        self.begin()
        self._call(f"loading kernel {path.stem}", "hipModuleLoadData", ctypes.byref(module), code)
        self._call(f"finding kernel {path.stem}", "hipModuleGetFunction", ctypes.byref(function), module,
                   path.stem.rpartition("_")[0].encode())
        return int(function.value or 0)

    def launch(self, function: int, blocks: int, threads: int, block: Any) -> None:
        """Start a kernel with a block of argument words (a ctypes array)."""
        if blocks * threads >= MOST_THREADS:
            raise RunError(f"{blocks} blocks of {threads} threads are more than HIP launches at once", "use more GPUs")
        size = ctypes.c_size_t(ctypes.sizeof(block))
        # HIP_LAUNCH_PARAM_BUFFER_POINTER = 1, BUFFER_SIZE = 2, END = 3
        extra = (ctypes.c_void_p * 5)(1, ctypes.addressof(block), 2, ctypes.addressof(size), 3)
        self._call("launching a kernel", "hipModuleLaunchKernel", ctypes.c_void_p(function), blocks, 1, 1, threads, 1, 1, 0,
                   self.stream, None, extra)

    # ---- branches: launches between leave() and come_back() may run beside those that follow, until meet()
    def leave(self) -> None:
        self._wait(self.side, self.main)
        self.stream = self.side

    def come_back(self) -> None:
        self.stream = self.main

    def meet(self) -> None:
        self._wait(self.main, self.side)

    def _wait(self, stream: ctypes.c_void_p, other: ctypes.c_void_p) -> None:
        """What is launched on a stream from now on waits for what was launched on another one."""
        event = ctypes.c_void_p()
        self.begin()
        self._call("making an event", "hipEventCreateWithFlags", ctypes.byref(event), NO_TIMING)
        self.unused.append(("hipEventDestroy", int(event.value or 0), 0))
        self._call("noting an event", "hipEventRecord", event, other)
        self._call("waiting for an event", "hipStreamWaitEvent", stream, event, 0)

    # ---- graphs: sequences of launches that are replayed as one
    def capture(self, launches: Callable[[], None]) -> ctypes.c_void_p:
        """The kernels that `launches` starts, as a graph; they do not run now."""
        graph, made = ctypes.c_void_p(), ctypes.c_void_p()
        self._call("beginning a graph", "hipStreamBeginCapture", self.main, OF_THIS_THREAD)
        self.capturing = True
        try:
            launches()
        finally:
            self.capturing, self.stream = False, self.main
            status = self.hip.hipStreamEndCapture(self.main, ctypes.byref(graph))
        if status:
            raise RunError(f"ending a graph failed: {found.said(status)}", "this is a fault of Everlet: please report it")
        self._call("making a graph", "hipGraphInstantiateWithFlags", ctypes.byref(made), graph, ctypes.c_ulonglong(0))
        self._call("making a graph", "hipGraphDestroy", graph)
        return made

    def replay(self, graph: ctypes.c_void_p) -> None:
        self._call("replaying a graph", "hipGraphLaunch", graph, self.main)

    def forget(self, graph: ctypes.c_void_p) -> None:
        """It is given back when it does not run any more."""
        self.unused.append(("hipGraphExecDestroy", int(graph.value or 0), 0))
