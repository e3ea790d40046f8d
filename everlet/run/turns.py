"""One thread at a time works with a simulation, and none changes it after it was closed.

    @acts
    def run(self, steps): ...      # refused in a second thread while another one works, and after close()

    @looks
    def gather(self, name): ...    # refused in a second thread only: results can be read after close()

What a thread calls while it works (from a callback, say) belongs to its turn. Different simulations do not know of each other.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from everlet.errors import InputError

P = ParamSpec("P")
T = TypeVar("T")


class Turns:
    """Who works with a simulation now."""

    def __init__(self) -> None:
        self.closed = False
        self._lock = threading.RLock()
        self._who = ""

    def take(self, what: str, acts: bool = True) -> None:
        """This thread works from here until `give`."""
        if not self._lock.acquire(blocking=False):
            raise InputError(f"{what}(): this Simulation works in another thread now ({self._who})",
                             "wait until that is done, or make one Simulation for each thread")
        if acts and self.closed:
            self._lock.release()
            raise InputError(f"{what}(): this Simulation is closed", "call it before close(), or make another Simulation")
        self._who = threading.current_thread().name

    def give(self) -> None:
        self._lock.release()

    @contextmanager
    def taken(self, what: str) -> Iterator[None]:
        """Inside, this thread works."""
        self.take(what)
        try:
            yield
        finally:
            self.give()


class HasTurns(Protocol):
    turns: Turns


S = TypeVar("S", bound=HasTurns)


def _public(method: Callable[..., object]) -> None:
    """Let Python name it as users call it when arguments are wrong, whichever class it is written in."""
    while True:
        method.__qualname__ = f"Simulation.{method.__name__}"
        if not hasattr(method, "__wrapped__"):
            return
        method = method.__wrapped__


def acts(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """A method that runs or changes a simulation."""
    _public(method)

    @functools.wraps(method)
    def guarded(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        self.turns.take(method.__name__)
        try:
            return method(self, *args, **kwargs)
        finally:
            self.turns.give()

    return guarded


def looks(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """A method that reads what is there."""
    _public(method)

    @functools.wraps(method)
    def guarded(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        self.turns.take(method.__name__, acts=False)
        try:
            return method(self, *args, **kwargs)
        finally:
            self.turns.give()

    return guarded
