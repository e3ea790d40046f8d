"""Spaces of devices whose memory has the arrays of arrays.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.portable.backends.grid.arrays import DeviceArray
from everlet.portable.spaces import Space


class WithArrays(Space):
    """`gpu` is the device; no library but our own reads its memory."""

    tensors = ""

    def __init__(self, gpu: Any, number: int):
        self.gpu = gpu
        self.name = self.memory = f"{self.target}({number})"

    def zeros(self, size: int, dtype: Any) -> Any:
        return self.gpu.zeros(size, dtype)

    def to_host(self, array: Any) -> np.ndarray:
        self.ask("numbers of an array")
        return array.get() if isinstance(array, DeviceArray) else array

    def from_host(self, array: np.ndarray) -> Any:
        return self.gpu.from_host(array)

    def words(self, array: Any) -> tuple[Any, ...]:
        return (array.pointer,)

    def same(self, one: Any, other: Any) -> bool:
        """Objects that a library has for places are others each time."""
        first, second = one.where, other.where
        return bool(first.ctypes.data == second.ctypes.data and first.size == second.size)

    def synchronize(self) -> None:
        self.gpu.synchronize()
