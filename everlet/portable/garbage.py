"""Times in which Python looks for no garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collections() -> Iterator[None]:
    """Inside, objects that refer to each other in circles stay: whoever does something else with a library might be disturbed
    by what the end of one of them does there."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()
