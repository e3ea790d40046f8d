"""Solvers of systems in which few atoms have charges: the words and the check that these styles have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, number


def check_small(solver: Any, usual: str) -> None:
    """Charges below the number after the accuracy, 1e-5, must be 0: the reference leaves them out."""
    small = abs(number(solver.args[1], "a charge")) if len(solver.args) > 1 else 1e-5
    q = np.abs(solver.system.atoms.read("q"))
    if solver.system.ranks.any(bool(((q > 0.0) & (q < small)).any())):
        raise InputError(f"kspace_style {solver.name} leaves charges below {small:g} out, and there are some",
                         f"set them to 0, give a smaller number after the accuracy, or use kspace_style {usual}")
