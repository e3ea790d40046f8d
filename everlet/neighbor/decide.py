"""When to rebuild neighbour lists: the settings of `neighbor` and `neigh_modify`, and the decision at each step."""

from __future__ import annotations

from dataclasses import dataclass, field

from everlet.errors import InputError
from everlet.neighbor.exclusions import Rules

BINS = 0.5  # edge of a bin as a part of the list radius


@dataclass
class NeighborSettings:
    """neighbor SKIN STYLE; neigh_modify every N delay N check yes|no once yes|no one N page N binsize D."""

    skin: float = -1.0  # below zero: the default of the units
    style: str = "bin"
    every: int = 1
    delay: int = 0
    check: bool = True
    once: bool = False
    one: int = 2000  # most neighbours of one atom
    page: int = 100000  # accepted for compatibility: rows have one fixed capacity here and grow by themselves
    binsize: float = 0.0  # 0: a part of the list radius, which is
    bins: float = 0.0  # 0: BINS, or all of it where atoms are few
    tuned_skin: float = 0.0  # in use if no skin is given
    exclude: Rules = field(default_factory=Rules)  # pairs that lists leave out
    comm_cutoff: float = 0.0  # comm_modify cutoff: ghosts reach at least this far

    def given_skin(self, default: float) -> float:
        """The skin of the script, or the default of its units; that of lists may be another one that suits the machine."""
        return self.skin if self.skin >= 0.0 else default

    def check_together(self) -> None:
        """Settings that only make sense together, checked when a run begins."""
        if self.delay and self.delay % self.every:
            raise InputError(f"neigh_modify delay {self.delay} is not a multiple of every {self.every}",
                             "change one of the two, for example: every 1")
        if self.page < 10 * self.one:
            raise InputError(f"neigh_modify page {self.page} must be at least ten times one {self.one}",
                             f"use: neigh_modify one {self.one} page {10 * self.one}")


class Decision:
    """Counts steps since the last build. Builds found due at the first allowed step are 'dangerous'."""

    def __init__(self, settings: NeighborSettings):
        self.settings = settings
        self.ago = -1
        self.builds = 0
        self.dangerous = 0

    def due(self) -> bool:
        """A step has passed: may lists be rebuilt now (before any distance check)?"""
        self.ago += 1
        return self.allowed(self.ago)

    def allowed(self, ago: int) -> bool:
        """May lists be rebuilt so many steps after the last build?"""
        s = self.settings
        return not s.once and ago >= s.delay and ago % s.every == 0

    def checked(self) -> None:
        """The distance check asked for a build: was it possibly too late?"""
        if self.ago == max(self.settings.every, self.settings.delay):
            self.dangerous += 1

    def built(self, count: bool = True) -> None:
        self.ago = 0
        if count:
            self.builds += 1
