"""Schemes whose loops add forces to an atom's neighbours as well, which may be ghosts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.lists import Neighbor
from everlet.portable import View
from everlet.portable.scatter_view import ScatterView
from everlet.state.system import System

KELVINS = 11604.5  # of one electron volt
FINE = 36  # bits of steps behind the point; 17 remain before it


class ScatteredScheme(Scheme):
    """Full lists; threads add to copies of the forces, GPUs add atomically."""

    pairs = "full"
    dense = True

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self._scatter: ScatterView | None = None

    @property
    def rounding(self) -> dict[str, Any]:
        """Statics of loops that add to forces: threads do so in any order. If the same bits are asked for, what they add is
        rounded to steps that are small beside the forces of atoms (1 eV/Angstrom), and sums have no error."""
        units = self.system.units
        usual = 1.0 if units.name == "lj" else KELVINS * units.boltz / units.angstrom
        return {"EXACT": self.exact, "STEPS": 2.0 ** (FINE - math.floor(math.log2(usual)))}

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


class Chunk(NamedTuple):
    """Slots begin … end - 1, whose numbers are in the tables, and how many blocks of lanes they are."""

    begin: int
    end: int
    blocks: int


class ChunkedScheme(ScatteredScheme):
    """One that keeps many numbers of each atom in tables, of as many atoms at a time as there is room for."""

    parameters: Any  # with `views`
    width: int
    across = False  # lanes are neighbours in loops over these

    @property
    def slots(self) -> int:
        """Of all atoms; where loops do not put them in order they are the atoms."""
        return self.system.atoms.n

    def most_atoms(self) -> int:
        """Slots of one pass."""
        raise NotImplementedError

    def _reserve(self, blocks: int) -> None:
        raise NotImplementedError

    def chunks(self) -> Iterator[Chunk]:
        """All slots, as many at a time as the tables hold."""
        most = self.most_atoms()
        for begin in range(0, self.slots, most):
            yield self.chunk(begin, min(begin + most, self.slots))

    def chunk(self, begin: int, end: int) -> Chunk:
        """Make room for these slots."""
        blocks = -(-(end - begin) // self.width)
        self._reserve(blocks)
        return Chunk(begin, end, blocks)

    def _items(self, chunk: Chunk) -> int:
        """Of loops over neighbours."""
        return chunk.end - chunk.begin if self.across else chunk.blocks

    def _views(self, names: str) -> tuple[View, ...]:
        return tuple(self.parameters.views[name] for name in names.split())
