"""Groups: up to 32 named sets of atoms, one bit each in the per-atom `mask` (int32). Bit 0 is `all`.

A `Groups` knows names and bits only; every operation takes the mask array (one value per atom) and edits it in place.
"""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, one_of

MOST = 32
Bit = np.int32 | int  # selects atoms of a group by their masks


class Groups:
    """Names of groups and their bits.

    >>> groups, mask = Groups(), np.ones(4, np.int32)
    >>> groups.assign("left", mask, np.array([True, True, False, False]))
    >>> groups.count("left", mask), groups.names()
    (2, ['all', 'left'])
    """

    def __init__(self) -> None:
        self.bits: dict[str, int] = {"all": 0}
        self.dynamic: set[str] = set()  # those whose members change in runs

    def names(self) -> list[str]:
        """Group names by bit."""
        return sorted(self.bits, key=lambda name: self.bits[name])

    def __contains__(self, name: str) -> bool:
        return name in self.bits

    def index(self, name: str) -> int:
        """The bit number of a group, or an error with the nearest names."""
        one_of("group", name, self.bits)
        return self.bits[name]

    def bit(self, name: str) -> np.int32:
        """The mask with only this group's bit set (negative for bit 31, as the masks are signed)."""
        return np.uint32(1 << self.index(name)).astype(np.int32)

    def member(self, name: str, mask: np.ndarray) -> np.ndarray:
        """True for the atoms of the group."""
        return (mask & self.bit(name)) != 0

    def count(self, name: str, mask: np.ndarray) -> int:
        """How many atoms are in the group."""
        return int(np.count_nonzero(mask & self.bit(name)))

    def define(self, name: str) -> None:
        """Make sure a group exists. A new one is empty: `delete` has cleared the bit it takes."""
        if name in self.bits:
            return
        free = set(range(MOST)) - set(self.bits.values())
        if not free:
            raise InputError(f"there are {MOST} groups already, the most there can be",
                             "remove one with: group ID delete")
        self.bits[name] = min(free)

    def assign(self, name: str, mask: np.ndarray, chosen: np.ndarray) -> None:
        """Add the atoms where `chosen` is true; the group is made if it is new. Members stay members."""
        self.define(name)
        mask[chosen] |= self.bit(name)

    def union(self, name: str, mask: np.ndarray, others: list[str]) -> None:
        """Add the atoms that are in any of the other groups."""
        chosen = np.zeros(len(mask), bool)
        for other in others:
            chosen |= self.member(other, mask)
        self.assign(name, mask, chosen)

    def intersect(self, name: str, mask: np.ndarray, others: list[str]) -> None:
        """Add the atoms that are in all of the other groups."""
        chosen = np.ones(len(mask), bool)
        for other in others:
            chosen &= self.member(other, mask)
        self.assign(name, mask, chosen)

    def subtract(self, name: str, mask: np.ndarray, others: list[str]) -> None:
        """Add the atoms of the first group, then take out all that are in any of the rest, old members too."""
        for other in others:  # before anything changes
            self.index(other)
        self.assign(name, mask, self.member(others[0], mask))
        for other in others[1:]:
            mask[self.member(other, mask)] &= ~self.bit(name)

    def clear(self, name: str, mask: np.ndarray) -> None:
        """Take all atoms out of a group; the group stays. Nobody can leave `all`."""
        if name == "all":
            raise InputError("group all cannot be cleared", "it always holds all atoms")
        mask &= ~self.bit(name)

    def delete(self, name: str, mask: np.ndarray) -> None:
        """Remove a group and free its bit."""
        if name == "all":
            raise InputError("group all cannot be deleted", "it always exists")
        self.clear(name, mask)
        self.dynamic.discard(name)
        del self.bits[name]
