"""Lines of scripts that must be refused."""

from __future__ import annotations

import pytest

from everlet import InputError, Simulation


def refused(before: str, lines: str, cause: str) -> None:
    """A script that is in order, and lines behind it that are refused for this cause (a regular expression)."""
    with Simulation(screen="none", device="serial") as sim:
        sim.commands(before)
        with pytest.raises(InputError, match=cause):
            sim.commands(lines)
