"""Lines of scripts that must be refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from everlet import InputError, Simulation


def refused(before: str, lines: str, cause: str) -> None:
    """A script that is in order, and lines behind it that are refused for this cause (a regular expression)."""
    with Simulation(screen="none", device="serial") as sim:
        sim.commands(before)
        with pytest.raises(InputError, match=cause):
            sim.commands(lines)


@contextmanager
def told(cause: str) -> Iterator[None]:
    """What is done inside is refused: the error has this text in it, and says what to do."""
    with pytest.raises(InputError) as caught:
        yield
    assert cause in str(caught.value) and caught.value.remedy
