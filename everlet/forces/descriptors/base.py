"""What descriptors of atoms are, whoever computes them.

A kind of descriptor is a class that is made of a file, or of its keywords and values, and gives atoms in batches: numbers of
each, and their slopes with the way to each neighbour. It registers itself, in a file of this folder:

    @descriptor("sna")
    class Sna(Descriptor): …

What it computes is computed by the loops of the pair style that goes with it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.portable import Space
from everlet.registry import Registry
from everlet.state.system import System

Given = str | os.PathLike[str] | Mapping[str, Any]


@dataclass
class Batch:
    """Some atoms: their rows among all atoms, components (atoms, K); and their pairs: which atom of the batch, the row of the
    neighbour among all atoms, the vector to it, and minus the slopes with its position (pairs, 3, K)."""

    rows: np.ndarray
    values: np.ndarray
    of: np.ndarray
    neighbour: np.ndarray
    vector: np.ndarray
    slopes: np.ndarray


class Descriptor:
    """`elements` it knows, `components` K of each atom; types of atoms are elements, counted from 1, here."""

    elements: list[str]
    components: int
    quadratic: bool = False  # products of components are among them
    space: Space  # where its loops run

    def __init__(self, given: Given, space: Space):
        """`given`: a file, or its keywords and values; `space`: where loops may run."""

    def batches(self, system: System, x: np.ndarray, kind: np.ndarray, rows: np.ndarray, slopes: bool) -> Iterator[Batch]:
        """These rows of all atoms at x in the box of the system, some at a time."""
        raise NotImplementedError


descriptor: Registry[type[Descriptor]] = Registry("descriptor", "everlet.forces.descriptors")


def numbers_of(words: Mapping[str, list[str]], key: str, elements: list[str], what: str) -> list[float]:
    """One number for each element, behind a keyword that must be there."""
    found = words.get(key, [])
    if len(found) != len(elements):
        raise InputError(f"{what} has {len(found)} values of {key} for {len(elements)} elements: {' '.join(elements)}",
                         f"give one value of {key} for each of elems")
    try:
        values = [float(word) for word in found]
    except ValueError:
        values = [np.nan]
    if not np.isfinite(values).all():
        raise InputError(f"{what}: {key} {' '.join(found)} are not all numbers", "correct them")
    return values


def elements_of(words: Mapping[str, list[str]], what: str) -> tuple[list[str], list[float], list[float]]:
    """Names of elements, their radii and weights, from the words behind nelems, elems, radelems and welems."""
    elements = words.get("elems", [])
    if not elements or len(set(elements)) != len(elements):
        raise InputError(f"{what} names no elements, or one of them twice", "say which there are: elems Cu Zr")
    if words.get("nelems", [str(len(elements))]) != [str(len(elements))]:
        raise InputError(f"{what}: nelems is {' '.join(words['nelems'])}, and elems names {len(elements)}", "correct one")
    radius, weight = (numbers_of(words, key, elements, what) for key in ("radelems", "welems"))
    if min(radius) <= 0.0:
        raise InputError(f"{what}: radelems {' '.join(words['radelems'])}: radii must be more than 0", "correct them")
    return elements, radius, weight
