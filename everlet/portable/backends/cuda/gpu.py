"""GPU back end: Python to PTX by numba-cuda or numba-cuda-mlir, everything else by CuPy and the CUDA driver.

The compilers are used for translation only, which needs no GPU; PTX is cached, loaded by the driver and launched with
one block of argument words. `EVERLET_CUDA` = numba-cuda or numba-cuda-mlir chooses the compiler, and
`EVERLET_CUDA_ARCH` = 90 the architecture when no GPU is present.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.metadata
import os
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from everlet.errors import DeviceError, RunError
from everlet.portable.spaces import CONTROLS, LATER, STOP

COMPILERS = ("numba-cuda", "numba-cuda-mlir")
INSTALL = "pip install 'everlet[cuda13]' (or everlet[cuda12] for a CUDA 12 driver)"


def installed(package: str) -> str:
    """The version of an installed distribution, or ''."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


@functools.cache
def compiler_name() -> str:
    """The Python-to-PTX compiler in use; numba's old built-in copy does not count."""
    wanted = os.environ.get("EVERLET_CUDA", "")
    if wanted and wanted not in COMPILERS:
        raise DeviceError(f"EVERLET_CUDA={wanted} is not a compiler", f"use one of {', '.join(COMPILERS)}")
    for name in [wanted] if wanted else COMPILERS:
        if installed(name):
            return name
    raise DeviceError(f"no CUDA compiler is installed ({wanted or ' or '.join(COMPILERS)})", INSTALL)


@functools.cache
def architecture() -> tuple[int, int]:
    """Compute capability to compile for: the GPU's, else EVERLET_CUDA_ARCH, else 9.0."""
    if not why_not():
        major, minor = divmod(int(_cupy().cuda.Device(0).compute_capability), 10)
        return major, minor
    major, minor = divmod(int(os.environ.get("EVERLET_CUDA_ARCH", "90")), 10)
    return major, minor


@functools.cache
def compiler() -> tuple[Any, Any, Any]:
    """(cuda, types, device decorator) of the compiler, usable without a GPU."""
    vars(np).setdefault("row_stack", np.vstack)  # numba-cuda 0.30 asks for it, NumPy 2.5 dropped it
    if compiler_name() == "numba-cuda":
        import numba.cuda.dispatcher as dispatcher
        from numba import cuda, types

        if why_not():
            dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=architecture())
    else:
        import numba_cuda_mlir.tools as tools
        from numba_cuda_mlir import cuda, types

        if why_not():
            tools._cached_cc = architecture()
    return cuda, types, cuda.jit(device=True)


@functools.cache
def row_reader(numbers: int) -> Any:
    """(rows, k) -> so many elements from k on (3 or 4), where k is a multiple of four: read with 16-byte loads.

    Memory units of a GPU count requests, not bytes: two wide loads take two thirds of the time of three narrow ones.
    numba-cuda-mlir has no way to say it that we know of; its loads are narrow.
    """
    _, types, device = compiler()
    if compiler_name() != "numba-cuda":
        u = types.uint64
        three, four = (lambda r, k: (r[k], r[k + u(1)], r[k + u(2)]),
                       lambda r, k: (r[k], r[k + u(1)], r[k + u(2)], r[k + u(3)]))
        return device(three if numbers == 3 else four)
    from llvmlite import ir
    from numba.cuda.extending import intrinsic

    shapes = {types.float64: ("ld.global.v2.f64 {$0, $1}, [$2];", "=d,=d,l", ir.DoubleType(), 2),
              types.float32: ("ld.global.v4.f32 {$0, $1, $2, $3}, [$4];", "=f,=f,=f,=f,l", ir.FloatType(), 4),
              types.int32: ("ld.global.v4.s32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l", ir.IntType(32), 4)}

    @intrinsic
    def row(typing: Any, rows: Any, k: Any) -> Any:
        text, constraints, kind, count = shapes[rows.dtype]

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = builder.extract_value(args[0], 4)  # of (meminfo, parent, nitems, itemsize, data, shape, strides)
            values: list[Any] = []
            while len(values) < numbers:
                place = builder.gep(data, [builder.add(args[1], ir.IntType(64)(len(values)))])
                if numbers - len(values) == 1:
                    values.append(builder.load(place))
                    break
                wide = ir.InlineAsm(ir.FunctionType(ir.LiteralStructType([kind] * count), [place.type]), text, constraints)
                found = builder.call(wide, [place])
                values += [builder.extract_value(found, q) for q in range(count)]
            return context.make_tuple(builder, signature.return_type, values[:numbers])

        return types.UniTuple(rows.dtype, numbers)(rows, types.uint64), emit

    return row


def array_words(address: int, length: int, itemsize: int) -> tuple[int, ...]:
    """How the compiler passes a one-dimensional array: one 64-bit word each."""
    if compiler_name() == "numba-cuda":
        return 0, 0, length, itemsize, address, length, itemsize
    return address, address, 0, length, 1


def words_per_array() -> int:
    return len(array_words(0, 0, 0))


def translate(entry: Any, signature: Any, path: Path, threads: int = 0) -> None:
    """Write the PTX of a kernel beside its module. `threads` of a block, where these are many: registers must do for all."""
    from everlet.portable.cache import write

    cuda, _, _ = compiler()
    text, _ = cuda.compile_ptx(entry, signature, cc=architecture())
    mangled = re.search(r"\.visible \.entry (\w+)\(", text)
    if mangled:  # a name that profilers can show
        text = re.sub(rf"\b{mangled.group(1)}(?=\b|_param)", path.stem.rsplit("_", 1)[0], text)
    if threads:
        text = re.sub(r"(\.visible \.entry \w+\([^)]*\))", rf"\1\n.maxntid {threads}, 1, 1", text, count=1)
    write(path.with_suffix(".ptx"), text)


# ---------------------------------------------------------------- the device
UNSUPPORTED_PTX = 222  # CUDA_ERROR_UNSUPPORTED_PTX_VERSION
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


def _cupy() -> Any:
    import cupy

    return cupy


@functools.cache
def why_not() -> str:
    """Why no GPU can be used: '' if one can."""
    try:
        cupy = _cupy()
    except ImportError:
        return "CuPy is not installed"
    try:
        if cupy.cuda.runtime.getDeviceCount() < 1:
            return "no GPU is visible"
    except Exception as error:  # CuPy's own error types need CuPy; any failure here means no usable GPU
        return f"the CUDA driver does not answer ({error})"
    return ""


def count() -> int:
    """GPUs that this process can see."""
    return int(_cupy().cuda.runtime.getDeviceCount())


@functools.cache
def connect(device: int) -> Gpu:
    """The GPU with this number, or an error that says what is missing."""
    reason = why_not()
    if reason:
        remedy = INSTALL if "installed" in reason else "check nvidia-smi and CUDA_VISIBLE_DEVICES, or use --device cpu"
        raise DeviceError(f"a GPU was asked for, but {reason}", remedy)
    compiler_name()
    if device >= count():
        raise DeviceError(f"GPU {device} was asked for, but there are {count()}", f"use cuda:0 to cuda:{count() - 1}")
    return Gpu(device)


class Gpu:
    """Memory and launches of one GPU."""

    def __init__(self, device: int):
        self.cupy = _cupy()
        self.cupy.cuda.Device(device).use()
        self.cupy.cuda.runtime.free(0)  # create the context
        self.driver = ctypes.CDLL("libcuda.so.1")
        self.device = device
        self.stream = self.cupy.cuda.Stream(non_blocking=True)  # the default stream cannot be captured into graphs
        self.stream.use()
        self.control = self.zeros(CONTROLS, np.int64)
        self.control[STOP] = LATER
        self.control_words = self.words(self.control)
        self._mirror = self.cupy.cuda.alloc_pinned_memory(8 * CONTROLS)

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
        return self.cupy.asarray(array)

    def words(self, array: Any) -> tuple[int, ...]:
        return array_words(array.data.ptr, array.size, array.itemsize)

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
    def kernel(self, path: Path, carveout: int | None = None) -> int:
        """Load the PTX beside a module; returns the driver's function handle. Each carve-out has a copy of its own."""
        text = path.with_suffix(".ptx").read_text()
        found = re.search(r"\.visible \.entry (\w+)\(", text)
        if not found:
            raise RunError(f"{path.with_suffix('.ptx')} holds no kernel", "delete it and run again")
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        status = self.driver.cuModuleLoadData(ctypes.byref(module), text.encode())
        if status == UNSUPPORTED_PTX:  # the compiler is newer than the driver; our kernels need nothing new
            number = ctypes.c_int()
            self.check(self.driver.cuDriverGetVersion(ctypes.byref(number)), "asking for the driver's version")
            text = re.sub(r"(?m)^\.version .*$", f".version {ptx_version(number.value)}", text, count=1)
            status = self.driver.cuModuleLoadData(ctypes.byref(module), text.encode())
        self.check(status, f"loading kernel {path.stem}")
        self.check(self.driver.cuModuleGetFunction(ctypes.byref(function), module, found.group(1).encode()),
                   f"finding kernel {path.stem}")
        if carveout is not None:
            self.check(self.driver.cuFuncSetAttribute(function, CARVEOUT, carveout), f"carve-out of kernel {path.stem}")
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

    # ---- graphs: sequences of launches that are replayed as one
    def capture(self, launches: Callable[[], None]) -> ctypes.c_void_p:
        """The kernels that `launches` starts, as a graph; they do not run now."""
        stream, graph, made = ctypes.c_void_p(self.stream.ptr), ctypes.c_void_p(), ctypes.c_void_p()
        self.check(self.driver.cuStreamBeginCapture_v2(stream, 1), "beginning a graph")  # 1: of this thread alone
        try:
            launches()
        finally:
            status = self.driver.cuStreamEndCapture(stream, ctypes.byref(graph))
        self.check(status, "ending a graph")
        self.check(self.driver.cuGraphInstantiateWithFlags(ctypes.byref(made), graph, ctypes.c_ulonglong(0)), "making a graph")
        self.check(self.driver.cuGraphDestroy(graph), "making a graph")
        return made

    def replay(self, graph: ctypes.c_void_p) -> None:
        self.check(self.driver.cuGraphLaunch(graph, ctypes.c_void_p(self.stream.ptr)), "replaying a graph")

    def forget(self, graph: ctypes.c_void_p) -> None:
        self.check(self.driver.cuGraphExecDestroy(graph), "dropping a graph")
