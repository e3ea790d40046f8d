"""Plain Python as in `reference`, with every index checked: one outside of its array is an error with file and line.

Compiled code checks nothing: it reads and writes wherever an index points, and the process may end by a signal, or go on with
wrong numbers. NumPy would take negative indices from the end. `x[i, k]` is checked in both indices.
"""

from __future__ import annotations

import contextlib
import linecache
import operator
import traceback
from collections.abc import Iterator
from typing import Any

import numpy as np

from everlet.errors import EverletError, InputError
from everlet.portable.backends.base import Shape
from everlet.portable.backends.reference.backend import Reference
from everlet.portable.language.compiler import ORIGIN

WITHIN = """
from everlet.portable.backends.bounds.backend import within
"""


def within(k: Any, width: int) -> Any:
    """The second index of a view with so many values per item."""
    if not 0 <= k < width:
        raise IndexError(f"index {k} of a view with {width} values per item")
    return k


class Bounded(np.ndarray):
    """A flat array that knows its name and takes no index outside of 0 … size-1."""

    name = ""

    def within(self, key: Any) -> Any:
        if isinstance(key, slice):
            first, last = operator.index(key.start or 0), self.size if key.stop is None else operator.index(key.stop)
            inside, shown = 0 <= first <= last <= self.size, f"{first}:{last}"
        elif isinstance(key, (int, np.integer)):
            inside, shown = bool(0 <= key < self.size), str(key)
        else:
            raise IndexError(f"index {key} of '{self.name}' is not a whole number")
        if not inside:
            raise IndexError(f"element {shown} of '{self.name}', which has {self.size}")
        return key

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(self.within(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(self.within(key), value)


def bounded(name: str, value: Any) -> Any:
    """An array argument with its bounds checked; others as they are."""
    if not isinstance(value, np.ndarray):
        return value
    found = value.view(Bounded)
    found.name = name
    return found


class Bounds(Reference):
    target = "bounds"
    checks_bounds = True

    def prelude(self, shape: Shape) -> str:
        return super().prelude(shape) + WITHIN

    def values(self, space: Any, program: Any, args: tuple[Any, ...]) -> list[Any]:
        return [bounded(name, value) for name, value in
                zip(program.arguments.names, super().values(space, program, args), strict=True)]

    @contextlib.contextmanager
    def running(self, program: Any) -> Iterator[None]:
        """What a kernel raises becomes an error that names the statement."""
        try:
            yield
        except EverletError:
            raise
        except Exception as error:
            places = [origin(frame.filename, frame.lineno or 0) for frame in traceback.extract_tb(error.__traceback__)]
            place = next((f"{place}: " for place in reversed(places) if place), "")
            index = isinstance(error, IndexError)
            what = f"{error}" if index else f"{type(error).__name__}: {error}"
            remedy = "indices go from 0 to the length less 1, of items and of their values" if index else "correct the kernel"
            raise InputError(f"{place}in kernel '{program.kernel.name}': {what}", remedy) from error


def origin(file: str, line: int) -> str:
    """FILE:LINE that a line of a kernel's text was made from; empty for any other line."""
    return linecache.getline(file, line).rpartition(ORIGIN)[2].strip() if ORIGIN in linecache.getline(file, line) else ""


BACKEND = Bounds()
