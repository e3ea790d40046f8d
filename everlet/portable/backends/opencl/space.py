"""An OpenCL device as an execution space."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.portable.backends.grid.arrays import DeviceArray
from everlet.portable.backends.opencl.runtime import connect
from everlet.portable.spaces import Space


class OpenCL(Space):
    """One device of those that OpenCL finds, by its number."""

    target = "opencl"
    tensors = ""

    def __init__(self, device: int = 0):
        self.gpu = connect(device)
        self.name = self.memory = f"opencl({device})"
        self.processors = self.gpu.device.max_compute_units

    def machine(self) -> str:
        return str(self.gpu.device.name).strip()

    def zeros(self, size: int, dtype: Any) -> Any:
        return self.gpu.zeros(size, dtype)

    def to_host(self, array: Any) -> np.ndarray:
        self.ask("numbers of an array")
        return array.get() if isinstance(array, DeviceArray) else array

    def from_host(self, array: np.ndarray) -> Any:
        return self.gpu.from_host(array)

    def words(self, array: Any) -> tuple[Any, ...]:
        return (array.pointer,)

    def synchronize(self) -> None:
        self.gpu.synchronize()

    def read_words(self, array: Any) -> list[int]:
        return array.get().tolist()


def read_by(library: Any) -> bool:
    """No MPI library reads such memory: messages go through the host."""
    return False


def numbered(number: int, threads: int) -> OpenCL:
    """Device number so-and-so; threads are of CPUs."""
    return OpenCL(number)
