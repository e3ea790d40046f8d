"""Libraries that models use, and arrays of theirs as arrays of a space."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

from everlet.errors import EverletError, InputError
from everlet.portable import Space, View
from everlet.usercode import missing


def library(name: str, what: str = "the model") -> Any:
    """A library that a user's model asks for."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise missing(what, error) from None


@contextlib.contextmanager
def reading(file: str, remedy: str) -> Iterator[None]:
    """Whatever goes wrong while a library reads a model file is said of that file."""
    try:
        yield
    except EverletError:
        raise
    except ModuleNotFoundError as error:
        raise missing(f"model file '{file}'", error) from error
    except Exception as error:
        raise InputError(f"model file '{file}' cannot be read: {type(error).__name__}: {str(error)[:300]}", remedy) from error


def tensor_of(view: View) -> Any:
    """All numbers of a view, as a tensor in the same memory; remembered, since torch takes long to look at an array."""
    known = getattr(view, "tensor", None)
    if known is None or known[0] is not view.data:
        torch = library("torch")
        made = torch.from_numpy(view.data) if view.space.memory == "host" else torch.as_tensor(view.data)
        known = view.tensor = view.data, made  # type: ignore[attr-defined]
    return known[1]


def is_away(given: Any) -> bool:
    """A tensor of torch whose memory is not the host's."""
    return hasattr(given, "detach") and given.device.type != "cpu"


def to_array(space: Space, given: Any) -> Any:
    """Numbers of any library as an array of the space, in its memory if they are there already."""
    if hasattr(given, "detach"):
        given = given.detach().contiguous()
    return space.arrays.asarray(given)
