"""Packages that need not be installed: the extra `traj` brings those of trajectories."""

from __future__ import annotations

import importlib
from typing import Any

from everlet.errors import InputError


def library(name: str, user: str) -> Any:
    """A module of such a package."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise InputError(f"{user} needs the Python package {package}, which cannot be used here ({error})",
                         f"pip install 'everlet[traj]', or: pip install {package}") from None
