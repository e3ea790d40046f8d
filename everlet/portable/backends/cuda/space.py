"""A GPU as an execution space."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.portable.backends.cuda.torch_work import InOrder, TorchGraph
from everlet.portable.spaces import COUNTERS, LATER, Space


class Cuda(Space):
    """One NVIDIA GPU."""

    target = "cuda"
    tensors = "cuda"

    def __init__(self, device: int = 0):
        from everlet.portable.backends.cuda.gpu import connect

        self.gpu = connect(device)
        self.gpu.begin()
        self.name = f"cuda({device})"
        self.memory = self.name
        self.processors = self._properties["multiProcessorCount"]

    @property
    def _properties(self) -> Any:
        return self.gpu.cupy.cuda.runtime.getDeviceProperties(self.gpu.device)

    def machine(self) -> str:
        name = self._properties["name"]
        return name.decode() if isinstance(name, bytes) else str(name)

    @property
    def arrays(self) -> Any:
        return self.gpu.cupy

    @property
    def stream(self) -> int:
        return int(self.gpu.stream.ptr)

    def transforms(self) -> tuple[Any, dict[str, Any]]:
        from cupyx.scipy import fft

        return fft, {}

    def plans(self, mesh: tuple[int, int, int], batches: set[int]) -> dict[int, Any]:
        from cupyx.scipy.fft import get_fft_plan

        cupy, axes, half = self.gpu.cupy, (1, 2, 3), (mesh[0], mesh[1], mesh[2] // 2 + 1)
        found = {0: get_fft_plan(cupy.empty((1, *mesh)), axes=axes, value_type="R2C")}
        for batch in batches:
            found[batch] = get_fft_plan(cupy.empty((batch, *half), np.complex128), shape=mesh, axes=axes, value_type="C2R")
        return found

    def in_order(self, torch: Any) -> InOrder:
        return InOrder(self, torch)

    def torch_graph(self, torch: Any, function: Callable[[], None]) -> TorchGraph:
        return TorchGraph(self, torch, function)

    def zeros(self, size: int, dtype: Any) -> Any:
        return self.gpu.zeros(size, dtype)

    def to_host(self, array: Any) -> np.ndarray:
        self.ask("numbers of an array")
        return self.gpu.to_host(array)

    def from_host(self, array: np.ndarray) -> Any:
        return self.gpu.from_host(array)

    def words(self, array: Any) -> tuple[int, ...]:
        return self.gpu.words(array)

    def synchronize(self) -> None:
        self.gpu.synchronize()

    @property
    def control(self) -> Any:
        return self.gpu.control

    def read_words(self, array: Any) -> list[int]:
        return self.gpu.read_words(array)

    def reset_control(self) -> None:
        self.gpu.write_words(self.control, [LATER] + [0] * (COUNTERS - 1))


def read_by(library: Any) -> bool:
    """Open MPI and those like it answer by one function, MPICH by another."""
    query = getattr(library, "MPIX_Query_cuda_support", None)
    if query is not None:
        return bool(query())
    query, flag = getattr(library, "MPIX_GPU_query_support", None), ctypes.c_int(0)
    return query is not None and query(0, ctypes.byref(flag)) == 0 and bool(flag.value)  # 0: CUDA


def numbered(number: int, threads: int) -> Cuda:
    """GPU number so-and-so; threads are of CPUs."""
    return Cuda(number)
