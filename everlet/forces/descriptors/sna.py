"""Bispectrum components of SNAP as descriptors.

Keywords of .snapparam files, and of the elements: elems El1 El2 …, radelems R1 R2 … and welems w1 w2 … (nelems may be
given), as descriptor files of `mliap` have them. An atom's neighbours are within rcutfac (R_i + R_j). With quadraticflag 1 half
the square of each component and the products of each two follow the components.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from everlet.errors import InputError
from everlet.forces.descriptors.base import Batch, Descriptor, Given, descriptor, elements_of
from everlet.forces.descriptors.products import products_too, width
from everlet.forces.manybody.snap.environments import Environments
from everlet.forces.manybody.snap.files import Settings, settings_of
from everlet.forces.potential_file import PotentialFile
from everlet.portable import Space
from everlet.state.system import System

ELEMENTS = ("nelems", "elems", "radelems", "welems")


@descriptor("sna")
class Sna(Descriptor):
    def __init__(self, given: Given, space: Space):
        self.settings, self.elements, self.radius, self.weight = described(PotentialFile.of(given, "settings of sna"))
        n = len(self.elements)
        chem = self.settings.flag("chemflag")
        self.quadratic = self.settings.flag("quadraticflag")
        # products are made here: loops would weigh them by coefficients
        self.settings.flags["quadraticflag"] = 0
        self.environments = Environments(System(space), self.radius, self.weight, self.settings,
                                         list(range(n)) if chem else [0] * n, n if chem else 1)
        self.components = width(self.environments.components, self.quadratic)
        self.space = self.environments.space

    def batches(self, system: System, x: np.ndarray, kind: np.ndarray, rows: np.ndarray, slopes: bool) -> Iterator[Batch]:
        for batch in self.environments.batches(system, x, kind, rows, slopes, self.components):
            yield products_too(batch, slopes) if self.quadratic else batch


def described(file: PotentialFile) -> tuple[Settings, list[str], list[float], list[float]]:
    """Settings, elements, their radii and weights."""
    settings, words = settings_of(file, ELEMENTS)
    elements, radius, weight = elements_of(words, str(file.path))
    for key, values in settings.lists.items():
        if len(values) != len(elements):
            raise InputError(f"{file.path} has {len(values)} values of {key} for {len(elements)} elements", "give one for each")
    return settings, elements, radius, weight
