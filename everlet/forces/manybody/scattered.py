"""Schemes whose loops add forces to an atom's neighbours as well, which may be ghosts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from everlet.errors import InputError
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.lists import Neighbor
from everlet.portable import Space
from everlet.portable.scatter import ScatterView
from everlet.state.system import System


class ScatteredScheme(Scheme):
    """Full lists; threads add to copies of the forces, GPUs add atomically."""

    pairs = "full"
    dense = True

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self._scatter: ScatterView | None = None

    @classmethod
    def repeatable(cls, space: Space, options: dict[str, Any]) -> dict[str, Any]:
        if space.many_threads or space.threads > 1:
            raise InputError("forces of many-body styles are added up in an order that depends on the threads",
                             "use one thread, or leave out 'deterministic on'")
        return options

    @property
    def on_ghosts(self) -> bool:
        return True

    @contextmanager
    def forces(self) -> Iterator[ScatterView]:
        """The forces on all atoms and ghosts: zero at first unless it adds to others, added up at the end."""
        atoms, space = self.system.atoms, self.system.space
        force = atoms.view("f", modify=True)
        if self._scatter is None or self._scatter.target is not force:
            self._scatter = ScatterView(force)
        on_device = space.counts_on_device
        rows = atoms.capacity if on_device else atoms.total  # how many ghosts there are is known to the device alone
        (self._scatter.begin if self.adds else self._scatter.reset)(rows)
        yield self._scatter
        (self._scatter.end if self.adds else self._scatter.collect)(rows)
