"""An AMD GPU as an execution space."""

from __future__ import annotations

import ctypes
from typing import Any

from everlet.portable.backends.grid.space import WithArrays
from everlet.portable.backends.hip import found
from everlet.portable.backends.hip.gpu import connect
from everlet.portable.spaces import COUNTERS, LATER

OF_HIP = 2  # MPIX_GPU_SUPPORT_HIP


class Hip(WithArrays):
    """One AMD GPU, by its number."""

    target = "hip"

    def __init__(self, device: int = 0):
        super().__init__(connect(device), device)
        self.gpu.begin()
        self.processors = found.processors(device)

    def machine(self) -> str:
        return found.name_of(self.gpu.device)

    @property
    def stream(self) -> int:
        return int(self.gpu.stream.value or 0)

    @property
    def control(self) -> Any:
        return self.gpu.control

    def read_words(self, array: Any) -> list[int]:
        return array.get().tolist()

    def reset_control(self) -> None:
        self.control[:COUNTERS] = [LATER] + [0] * (COUNTERS - 1)


def read_by(library: Any) -> bool:
    """Open MPI and those like it answer by one function, Cray's by another, MPICH by a third."""
    asked = [getattr(library, name, None) for name in ("MPIX_Query_rocm_support", "MPIX_Query_hip_support")]
    if any(query() for query in asked if query is not None):
        return True
    query, flag = getattr(library, "MPIX_GPU_query_support", None), ctypes.c_int(0)
    return query is not None and query(OF_HIP, ctypes.byref(flag)) == 0 and bool(flag.value)


def numbered(number: int, threads: int) -> Hip:
    """GPU number so-and-so; threads are of CPUs."""
    return Hip(number)
