"""Descriptors of atoms as arrays: `everlet.descriptors`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, overload

import numpy as np

from everlet.api.simulation import Simulation
from everlet.errors import one_of
from everlet.fitting.configuration import Configuration
from everlet.forces.descriptors.base import Batch, Descriptor, Given, descriptor
from everlet.forces.descriptors.sums import Sums
from everlet.portable import Space, choose

GRADIENTS = ("none", "summed", "edges")


class EdgeSlopes(NamedTuple):
    """Descriptors `values` (N, K); of each edge atom `i`, its neighbour `j`, the way `rij` (edges, 3) from i to the image of j
    that is near, and `slopes` (edges, 3, K): dD_i/drij. Edges are sorted by i."""

    values: np.ndarray
    i: np.ndarray
    j: np.ndarray
    rij: np.ndarray
    slopes: np.ndarray


def space_of(source: object) -> Space:
    """Where loops run: as the Simulation does, or on all cores."""
    return source.engine.space if isinstance(source, Simulation) else choose("cpu", 0)


class Described:
    """Atoms of a frame, described batch by batch."""

    def __init__(self, made: Descriptor, source: Simulation | Configuration, elements: Sequence[str] | None):
        self.made, self.frame = made, Configuration.of(source)
        self.number = self.frame.numbers(made.elements, made.elements if elements is None else list(elements))

    def batches(self, space: Space, slopes: bool) -> Iterator[Batch]:
        """Vectors and slopes in the directions of the frame."""
        system, x, turn = self.frame.laid_out(space)
        for batch in self.made.batches(system, x, self.number, np.arange(len(x)), slopes):
            batch.vector = batch.vector @ turn
            if slopes:
                batch.slopes = np.einsum("eak,ab->ebk", batch.slopes, turn)
            yield batch

    def sums(self, space: Space) -> Sums:
        """Slopes of sums over atoms of each element."""
        n, kinds = len(self.frame), len(self.made.elements)
        found = Sums(n, kinds, kinds, self.made.components)
        for batch in self.batches(space, True):
            found.add(batch, np.arange(n), self.number - 1, self.number - 1)
        return found


@overload
def descriptors(source: Simulation | Configuration, kind: str, settings: Given, gradients: Literal["none"] = "none",
                elements: Sequence[str] | None = None) -> np.ndarray: ...
@overload
def descriptors(source: Simulation | Configuration, kind: str, settings: Given, gradients: Literal["summed"],
                elements: Sequence[str] | None = None) -> tuple[np.ndarray, np.ndarray]: ...
@overload
def descriptors(source: Simulation | Configuration, kind: str, settings: Given, gradients: Literal["edges"],
                elements: Sequence[str] | None = None) -> EdgeSlopes: ...


def descriptors(source: Simulation | Configuration, kind: str, settings: Given, gradients: str = "none",
                elements: Sequence[str] | None = None) -> np.ndarray | tuple[np.ndarray, np.ndarray] | EdgeSlopes:
    """Descriptors D of all atoms, (N, K), in the order of ids (of a Simulation) or of positions.

    kind        sna: bispectrum components of SNAP; so3: power spectra; ace: functions of a .yace file
    settings    a file as pair_style mliap reads it, or its keywords and values: of sna rcutfac twojmax … as in .snapparam
                files, of so3 rcutfac nmax lmax alpha, of both elems radelems welems
    gradients   none: D; summed: D and S (N, 3, elements, K), the slope of the sum of D over atoms of an element with the
                position of each atom; edges: D and its slopes with the way to each neighbour
    elements    of types 1, 2, …; without it those of the settings, in their order
    """
    one_of("gradients of descriptors", gradients, GRADIENTS)
    space = space_of(source)
    made = descriptor[kind](settings, space)
    described = Described(made, source, elements)
    if gradients == "summed":
        sums = described.sums(space)
        return sums.values, -sums.slopes.transpose(0, 2, 1, 3)
    slopes, width = gradients == "edges", made.components
    values = np.zeros((len(described.frame), width))
    parts = [(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 3)), np.zeros((0, 3, width)))]
    for batch in described.batches(space, slopes):
        values[batch.rows] = batch.values
        if slopes:
            parts.append((batch.rows[batch.of], batch.neighbour.astype(np.int64), batch.vector, -batch.slopes))
    i, j, rij, each = (np.concatenate(part) for part in zip(*parts, strict=True))
    return EdgeSlopes(values, i, j, rij, each) if slopes else values
