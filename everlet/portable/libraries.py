"""Versions of the libraries that kernels go by. importlib.metadata knows them, too, but reads for 20 ms to say so."""

from __future__ import annotations

import functools
import importlib.util
import re
from pathlib import Path

import llvmlite
import numpy as np


@functools.cache
def versions() -> dict[str, str]:
    return {"numpy": np.__version__, "numba": _numba(), "llvmlite": llvmlite.__version__}


def _numba() -> str:
    """As its own file says: an import takes 0.3 s, and is left to compiling."""
    found = importlib.util.find_spec("numba")
    for folder in found.submodule_search_locations or () if found else ():
        place = Path(folder, "_version.py")
        said = re.search(r'"version": "([^"]+)"', place.read_text(encoding="utf-8")) if place.is_file() else None
        if said:
            return said[1]
    from importlib.metadata import version

    return version("numba")
