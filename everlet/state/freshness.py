"""What depends on what: whether forces, energies and virials are those of the present state.

They follow from atoms, box, styles and fixes. Whoever changes one of these says so (`changed`), whoever reads forces or sums
asks before (`need`), and between runs the engine makes them anew then (run/beside.py). In a run they are those of its step.

    fresh.changed("x")      fields of atoms, or "box": what a run is made of stays
    fresh.changed("atoms")  all of their fields and their order: a run
    fresh.changed("words")  values of variables, regions: what fixes look at
    fresh.changed()         anything; also what commands do that do not say what they change
    fresh.need()            forces and sums of the present state, or the error that a run would give; all ranks must ask

Each change is counted, so that whoever keeps something made from the state can ask what has changed `since` then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

SEEN_BY_FIXES = frozenset(("v", "image", "words"))  # pairs, links and solvers do not look at them


class Freshness:
    """Of one System. `renew` makes forces and sums of the present state; `followed` says if anything looks at SEEN_BY_FIXES."""

    def __init__(self) -> None:
        self.renew: Callable[[], None] = lambda: None
        self.followed: Callable[[], bool] = lambda: True
        self.known = False  # forces and sums are those of the present state
        self.count = 0  # changes
        self._made = -1  # changes when forces were computed last
        self.inside = 0  # runs, set-ups and questions that are under way
        self._everything, self._fields = 0, dict[str, int]()  # the number of the last change

    def changed(self, *what: str) -> None:
        """Something is not as it was."""
        self.count += 1
        if what:
            self._fields.update(dict.fromkeys(what, self.count))
        else:
            self._everything = self.count
        if not what or not SEEN_BY_FIXES.issuperset(what) or self.followed():
            self.known = False

    def since(self, count: int) -> frozenset[str] | None:
        """What has changed since there were so many changes; None: it may be anything."""
        if self._everything > count:
            return None
        return frozenset(name for name, last in self._fields.items() if last > count)

    def need(self) -> None:
        """Between runs: forces and sums are those of now."""
        if not self.known and not self.inside:
            self.renew()

    @contextmanager
    def making(self) -> Iterator[None]:
        """Inside, a run or a set-up makes numbers: nobody renews them. In the end they are known, unless there was an error, or
        something has changed behind the last step."""
        self.inside += 1
        self.known, done = False, False
        try:
            yield
            done = True
        finally:
            self.inside -= 1
            self.known = done and self._made == self.count

    def made(self) -> None:
        """Forces are computed now."""
        self._made = self.count
