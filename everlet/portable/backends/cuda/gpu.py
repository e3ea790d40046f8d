"""One GPU: its memory, and launches of kernels, by CuPy and the CUDA driver.

PTX (nvrtc.py) is cached, loaded by the driver and launched with one block of argument words.
"""

from __future__ import annotations

import ctypes
import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from everlet.errors import DeviceError, RunError
from everlet.portable.backends.cuda.found import INSTALL, count, cupy, why_not
from everlet.portable.backends.cuda.nvrtc import needed
from everlet.portable.devices import missing
from everlet.portable.spaces import CONTROLS, LATER, STOP

UNSUPPORTED_PTX = 222  # CUDA_ERROR_UNSUPPORTED_PTX_VERSION
LARGE = 1 << 20  # bytes of an array
LOCAL, REGISTERS, CARVEOUT = 3, 4, 9  # CU_FUNC_ATTRIBUTE_...: bytes of spilled registers, registers, shared memory in percent


def ptx_version(driver: int) -> str:
    """The newest PTX that a driver reads, by the driver's CUDA version (12080 for 12.8).

    >>> ptx_version(13000), ptx_version(12080), ptx_version(12060)
    ('9.0', '8.7', '8.5')
    """
    major, minor = driver // 1000, driver % 1000 // 10
    if major >= 13:
        return f"{major - 4}.{minor}"
    return f"8.{minor if minor < 6 else minor - 1}"


@functools.cache
def connect(device: int) -> Gpu:
    """The GPU with this number, or an error that says what is missing."""
    reason = why_not()
    if reason:
        remedy = INSTALL if "installed" in reason else "check nvidia-smi and CUDA_VISIBLE_DEVICES, or use --device cpu"
        raise DeviceError(f"a GPU was asked for, but {reason}", remedy)
    needed()
    if device >= count():
        raise missing("GPU", "cuda", device, count())
    return Gpu(device)


class Gpu:
    """Memory and launches of one GPU."""

    def __init__(self, device: int):
        self.cupy = cupy()
        self.cupy.cuda.Device(device).use()
        self.cupy.cuda.runtime.free(0)  # create the context
        self.driver = ctypes.CDLL("libcuda.so.1")
        self.device = device
        self.stream = self.cupy.cuda.Stream(non_blocking=True)  # the default stream cannot be captured into graphs
        self.stream.use()
        self.main, self.side = self.stream, self.cupy.cuda.Stream(non_blocking=True, priority=-1)
        self.capturing = False  # launches become part of a graph
        self.control = self.zeros(CONTROLS, np.int64)
        self.control[STOP] = LATER
        self.control_words = self.words(self.control)
        self._mirror = self.cupy.cuda.alloc_pinned_memory(8 * CONTROLS)

    def begin(self) -> None:
        """Let this thread work here: CuPy has a stream of its own for each thread, and another thread may have connected."""
        self.stream.use()

    def zeros(self, size: int, dtype: Any) -> Any:
        try:
            return self.cupy.zeros(size, dtype)
        except self.cupy.cuda.memory.OutOfMemoryError:
            free, total = self.cupy.cuda.runtime.memGetInfo()
            want = size * np.dtype(dtype).itemsize
            have = f"{free / 1e9:.2f} of {total / 1e9:.2f} GB free"
            raise RunError(f"GPU out of memory: {want / 1e9:.2f} GB asked for, {have}",
                           "use fewer atoms, more GPUs, or --precision mixed") from None

    def to_host(self, array: Any) -> np.ndarray:
        return self.cupy.asnumpy(array)

    def from_host(self, array: np.ndarray) -> Any:
        if array.nbytes <= LARGE:
            return self.cupy.asarray(array)
        found = self.cupy.empty(array.shape, array.dtype)
        found.set(np.ascontiguousarray(array), stream=self.stream)  # asarray wants as much pinned memory, or leaves the stream
        return found

    def words(self, array: Any) -> tuple[int, ...]:
        return (array.data.ptr,)

    def read_words(self, array: Any) -> list[int]:
        """A short array of int64, copied in order with the work on the stream: quicker than a general copy."""
        stream, size = ctypes.c_void_p(self.stream.ptr), ctypes.c_size_t(8 * CONTROLS)
        self.check(self.driver.cuMemcpyDtoHAsync_v2(ctypes.c_void_p(self._mirror.ptr), ctypes.c_uint64(array.data.ptr),
                                                    size, stream), "reading control words")
        self.check(self.driver.cuStreamSynchronize(stream), "waiting for the GPU")
        return list((ctypes.c_int64 * CONTROLS).from_address(self._mirror.ptr))

    def write_words(self, array: Any, words: list[int]) -> None:
        """The opposite; waits until it is done."""
        ctypes.memmove(self._mirror.ptr, (ctypes.c_int64 * len(words))(*words), 8 * len(words))
        stream, size = ctypes.c_void_p(self.stream.ptr), ctypes.c_size_t(8 * len(words))
        self.check(self.driver.cuMemcpyHtoDAsync_v2(ctypes.c_uint64(array.data.ptr), ctypes.c_void_p(self._mirror.ptr),
                                                    size, stream), "writing control words")
        self.check(self.driver.cuStreamSynchronize(stream), "waiting for the GPU")

    def synchronize(self) -> None:
        self.check(self.driver.cuCtxSynchronize(), "waiting for the GPU")

    def check(self, status: int, action: str) -> None:
        if status:
            text = ctypes.c_char_p()
            self.driver.cuGetErrorString(status, ctypes.byref(text))
            raise RunError(f"{action} failed: {(text.value or b'unknown error').decode()} (CUDA error {status})",
                             "see everlet info; with --device cpu the run needs no GPU")

    @functools.cache  # noqa: B019  one Gpu lives as long as the process
    def kernel(self, path: Path, carveout: int | None = None, registers: int = 0) -> int:
        """Load the PTX beside a module; returns the driver's function handle. Each carve-out has a copy of its own."""
        text = path.with_suffix(".ptx").read_text()
        if registers:
            text = re.sub(r"(\.visible \.entry \w+\([^)]*\))", rf"\1\n.maxnreg {registers}", text, count=1)
        return self.load(text, path.stem, carveout)

    @functools.cache  # noqa: B019
    def load(self, text: str, name: str, carveout: int | None = None) -> int:
        """The kernel in a text of PTX, as the driver's function handle."""
        found = re.search(r"\.visible \.entry (\w+)\(", text)
        if not found:
            raise RunError(f"the PTX of '{name}' holds no kernel", "delete the cache of kernels and run again")
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        status = self.driver.cuModuleLoadData(ctypes.byref(module), text.encode())
        if status == UNSUPPORTED_PTX:  # the compiler is newer than the driver; our kernels need nothing new
            number = ctypes.c_int()
            self.check(self.driver.cuDriverGetVersion(ctypes.byref(number)), "asking for the driver's version")
            text = re.sub(r"(?m)^\.version .*$", f".version {ptx_version(number.value)}", text, count=1)
            status = self.driver.cuModuleLoadData(ctypes.byref(module), text.encode())
        self.check(status, f"loading kernel {name}")
        self.check(self.driver.cuModuleGetFunction(ctypes.byref(function), module, found.group(1).encode()),
                   f"finding kernel {name}")
        if carveout is not None:
            self.check(self.driver.cuFuncSetAttribute(function, CARVEOUT, carveout), f"carve-out of kernel {name}")
        return int(function.value or 0)

    def attribute(self, function: int, which: int) -> int:
        """What the driver knows of a loaded kernel: REGISTERS, LOCAL or CARVEOUT."""
        value = ctypes.c_int()
        self.check(self.driver.cuFuncGetAttribute(ctypes.byref(value), which, ctypes.c_void_p(function)), "asking for a kernel")
        return value.value

    def launch(self, function: int, blocks: int, threads: int, block: Any) -> None:
        """Start a kernel on CuPy's current stream with a block of argument words (a ctypes array)."""
        size = ctypes.c_size_t(ctypes.sizeof(block))
        # CU_LAUNCH_PARAM_BUFFER_POINTER = 1, BUFFER_SIZE = 2, END = 0
        extra = (ctypes.c_void_p * 5)(1, ctypes.addressof(block), 2, ctypes.addressof(size), 0)
        status = self.driver.cuLaunchKernel(ctypes.c_void_p(function), blocks, 1, 1, threads, 1, 1, 0,
                                            ctypes.c_void_p(self.stream.ptr), None, extra)
        self.check(status, "launching a kernel")

    # ---- time
    def mark(self) -> Any:
        """A moment between two launches."""
        event = self.cupy.cuda.Event()
        event.record(self.stream)
        return event

    def seconds(self, first: Any, last: Any) -> float:
        """Between two moments that the GPU has passed."""
        return 1e-3 * float(self.cupy.cuda.get_elapsed_time(first, last))

    # ---- branches: launches between leave() and come_back() may run beside those that follow, until meet()
    def leave(self) -> None:
        self._wait(self.side, self.main)
        self._use(self.side)

    def come_back(self) -> None:
        self._use(self.main)

    def meet(self) -> None:
        self._wait(self.main, self.side)

    def _use(self, stream: Any) -> None:
        self.stream = stream
        stream.use()

    def _wait(self, stream: Any, other: Any) -> None:
        """What is launched on a stream from now on waits for what was launched on another one."""
        event = self.cupy.cuda.Event(disable_timing=True)
        event.record(other)
        stream.wait_event(event)

    # ---- graphs: sequences of launches that are replayed as one
    def capture(self, launches: Callable[[], None]) -> ctypes.c_void_p:
        """The kernels that `launches` starts, as a graph; they do not run now."""
        stream, graph, made = ctypes.c_void_p(self.stream.ptr), ctypes.c_void_p(), ctypes.c_void_p()
        self.check(self.driver.cuStreamBeginCapture_v2(stream, 1), "beginning a graph")  # 1: of this thread alone
        self.capturing = True
        try:
            launches()
        finally:
            self.capturing = False
            status = self.driver.cuStreamEndCapture(stream, ctypes.byref(graph))
        self.check(status, "ending a graph")
        self.check(self.driver.cuGraphInstantiateWithFlags(ctypes.byref(made), graph, ctypes.c_ulonglong(0)), "making a graph")
        self.check(self.driver.cuGraphDestroy(graph), "making a graph")
        return made

    def embed(self, other: int) -> None:
        """A graph of a library becomes a part of the one that is being captured: behind what was launched so far."""
        stream, words = ctypes.c_void_p(self.stream.ptr), [ctypes.c_void_p() for _ in range(3)]
        status, number, count, (graph, before, node) = ctypes.c_int(), ctypes.c_uint64(), ctypes.c_size_t(), words
        self.check(self.driver.cuStreamGetCaptureInfo_v2(stream, ctypes.byref(status), ctypes.byref(number),
                                                         ctypes.byref(graph), ctypes.byref(before), ctypes.byref(count)),
                   "looking at a graph")
        self.check(self.driver.cuGraphAddChildGraphNode(ctypes.byref(node), graph, before, count, ctypes.c_void_p(other)),
                   "putting a graph into another")
        self.check(self.driver.cuStreamUpdateCaptureDependencies(stream, ctypes.byref(node), ctypes.c_size_t(1), 1),
                   "putting a graph into another")  # 1: what follows waits for this alone

    def replay(self, graph: ctypes.c_void_p) -> None:
        self.check(self.driver.cuGraphLaunch(graph, ctypes.c_void_p(self.stream.ptr)), "replaying a graph")

    def forget(self, graph: ctypes.c_void_p) -> None:
        self.check(self.driver.cuGraphExecDestroy(graph), "dropping a graph")
