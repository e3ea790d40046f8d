"""An OpenCL device as an execution space."""

from __future__ import annotations

from typing import Any

from everlet.portable.backends.grid.space import WithArrays
from everlet.portable.backends.opencl.found import widest
from everlet.portable.backends.opencl.runtime import connect
from everlet.portable.spaces import COUNTERS, LATER


class OpenCL(WithArrays):
    """One device of those that OpenCL finds, by its number."""

    target = "opencl"

    def __init__(self, device: int = 0):
        super().__init__(connect(device), device)
        self.processors, self.widest = self.gpu.device.max_compute_units, widest(self.gpu.device)

    def machine(self) -> str:
        return str(self.gpu.device.name).strip()

    def read_words(self, array: Any) -> list[int]:
        return self.gpu.read_words(array)

    def reset_control(self) -> None:
        self.gpu.write_words(self.control, [LATER] + [0] * (COUNTERS - 1))

    def gigahertz(self) -> float:
        return 1e-3 * float(self.gpu.device.max_clock_frequency)

    def facts(self) -> dict[str, Any]:
        device = self.gpu.device
        return {"name": self.machine(), "multiprocessors": self.processors, "shared_by": self.widest,
                "memory_gb": round(device.global_mem_size / 1e9, 1), "driver": device.driver_version,
                "platform": f"{device.platform.name} {device.platform.version.strip()}"}


def read_by(library: Any) -> bool:
    """No MPI library reads such memory: messages go through the host."""
    return False


def numbered(number: int, threads: int) -> OpenCL:
    """Device number so-and-so; threads are of CPUs."""
    return OpenCL(number)
