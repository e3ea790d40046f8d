"""What fixes of batches share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.fixes.base import Fix
from everlet.portable import View
from everlet.state.members import Members
from everlet.state.system import System


def of_each(values: Any, count: int, what: str, least: float | None = 0.0) -> np.ndarray:
    """A number for each system, from one or as many as there are."""
    try:
        found = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{what} must be a number, or one for each system, found {values!r}", "give numbers") from None
    if found.shape not in ((), (count,)):
        raise InputError(f"{what}: {found.size} numbers for {count} systems", "give one number, or one for each system")
    found = np.array(np.broadcast_to(found, (count,)))
    if not np.isfinite(found).all() or (least is not None and (found < least).any()):
        raise InputError(f"{what} must be finite{'' if least is None else f' and not below {least:g}'}, found {values!r}",
                         "check the numbers")
    return found


def ramp_of_each(values: Any, count: int, what: str, least: float | None = 0.0) -> np.ndarray:
    """(systems, 2): first and last values of a run. A tuple of two is (first, last), of all or of each; anything else stays."""
    if isinstance(values, tuple) and len(values) == 2:
        return np.stack([of_each(one, count, what, least) for one in values], axis=1)
    found = of_each(values, count, what, least)
    return np.stack([found, found], axis=1)


class MemberFix(Fix):
    """Of all atoms of all systems. Made by a batch, not by scripts: arguments are numbers."""

    must_match = ()

    def __init__(self, system: System, id: str):
        super().__init__(system, id, "all", [])
        assert system.members is not None
        self.members: Members = system.members
        self.count = self.members.count

    def table(self, values: Any, dtype: Any = np.float64) -> View:
        """Numbers for kernels."""
        flat = np.ascontiguousarray(values, dtype).ravel()
        made = View(len(flat), dtype, self.system.space)
        made.put(flat)
        return made

    def ramped(self, ends: np.ndarray) -> np.ndarray:
        """Of first and last values, (systems, 2), those of the present step of the run."""
        system = self.system
        part = float(system.step - system.run_start)
        if part and system.run_stop != system.run_start:
            part /= system.run_stop - system.run_start
        return ends[:, 0] + part * (ends[:, 1] - ends[:, 0])

    def degrees(self) -> np.ndarray:
        """Degrees of freedom of each system: its momentum is constant."""
        return np.maximum(self.system.dimension * (self.members.sizes - 1), 0).astype(float)

    def swap(self, pairs: Sequence[tuple[int, int]], factors: np.ndarray) -> None:
        """Pairs of systems trade the temperatures that it holds them at; velocities were multiplied by these factors."""

    def keep(self) -> dict[str, np.ndarray]:
        """What it must remember of each system besides its arguments, in rows; `put` takes it back."""
        return {}

    def put(self, kept: dict[str, np.ndarray]) -> None: ...
