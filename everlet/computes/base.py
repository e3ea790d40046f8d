"""Computes: quantities of the present state. One style per file, registered with `@compute_style("name")`.

A compute offers `scalar()`, `vector()`, `array()` (a table) or `peratom()`; `extensive` says whether the scalar grows with
the system, `extensive_vector` whether the vector does.
"""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError
from everlet.portable import Kernel
from everlet.registry import Registry
from everlet.state.system import System

compute_style: Registry[type[Compute]] = Registry("compute style", "everlet.computes")


class Compute:
    """Base of all computes. `needs_tally` is set by those that need energy or virial of the present step."""

    extensive = False
    extensive_vector = False
    needs_tally = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        self.system, self.id, self.group = system, id, group
        self.bit = system.groups.bit(group)

    def kernels(self) -> list[Kernel]:
        """Kernels this compute will launch, for compiling ahead."""
        return []

    def scalar(self) -> float:
        raise InputError(f"compute {self.id} has no scalar value",
                         "use another compute, or an element of its vector: c_ID[1]")

    def vector(self) -> np.ndarray:
        raise InputError(f"compute {self.id} has no vector", "use its single value: c_ID")

    def array(self) -> np.ndarray:
        raise InputError(f"compute {self.id} has no table", "use one index, or none")

    def peratom(self) -> np.ndarray:
        raise InputError(f"compute {self.id} has no per-atom values", "use it in thermo_style custom")

    def check_tally(self) -> None:
        """Energy and virial are computed only on steps that ask for them."""
        if self.system.tallied != self.system.step:
            raise InputError(f"compute {self.id} needs energy and virial, which were not computed at step {self.system.step}",
                             "use it at a step with thermo output")
