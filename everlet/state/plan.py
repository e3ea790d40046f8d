"""Plan: how a run does its work. It changes speed and last digits, no physics.

Values that the user gave are not part of it: they always win. Restart files keep it, so that a continued run repeats.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

SORT_EVERY = 1000  # steps between two sorts of the atoms in memory, if nobody chose


@dataclass(frozen=True)
class Plan:
    """Nothing chosen (empty, 0) means the default."""

    scheme: str = ""
    shape: str = ""  # of clusters, such as 2x8
    team: int = 0  # GPU threads that share the neighbours of an atom
    ahead: int = 0  # products whose factors a GPU thread reads before any is used
    skin: float = 0.0  # length units
    bins: float = 0.0  # edge of a bin as a part of the list radius
    threads: int = 0  # used, of those that the space has
    sort: int = 0  # steps between two sorts

    def words(self) -> list[str]:
        """What is chosen: ['scheme full', 'skin 0.42', 'bins 1/3']."""
        shown = {"skin": f"{self.skin:.4g}", "bins": str(Fraction(self.bins).limit_denominator(20))}
        return [f"{one.name} {shown.get(one.name, getattr(self, one.name))}" for one in fields(self)
                if getattr(self, one.name)]

    @classmethod
    def read(cls, content: dict[str, Any]) -> Plan:
        """From a restart file; what is not known there or here is left out."""
        return cls(**{one.name: content[one.name] for one in fields(cls) if one.name in content})
