"""One place for each target that kernels are made for: reference and bounds (plain Python), cpu and cuda."""

from __future__ import annotations

import functools
import importlib

from everlet.portable.backends.base import Backend

PLACES = {"plain": "reference", "bounds": "bounds", "cpu": "cpu", "cuda": "cuda"}


@functools.cache
def backend(target: str) -> Backend:
    """The backend of a target: plain, bounds, cpu or cuda."""
    return importlib.import_module(f"everlet.portable.backends.{PLACES[target]}.backend").BACKEND
