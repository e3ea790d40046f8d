"""Descriptors that are outputs of expansions: power spectra (so3) and functions of an atomic cluster expansion (ace).

Files are those of pair_style mliap (forces/manybody/mliap/so3.py, ace.py); keywords of so3 may be given as a program has them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from everlet.forces.descriptors.base import Batch, Descriptor, Given, descriptor
from everlet.forces.manybody.mliap.ace import read_functions
from everlet.forces.manybody.mliap.environments import ExpansionEnvironments
from everlet.forces.manybody.mliap.expansion import Expanded
from everlet.forces.manybody.mliap.so3 import read_spectrum
from everlet.portable import Space
from everlet.state.system import System


class OfExpansion(Descriptor):
    @staticmethod
    def read(given: Given) -> Expanded:
        """What a file says."""
        raise NotImplementedError

    def __init__(self, given: Given, space: Space):
        of = self.read(given)
        self.environments = ExpansionEnvironments(of, space)
        self.elements, self.components = of.elements, of.components
        self.space = self.environments.space

    def batches(self, system: System, x: np.ndarray, kind: np.ndarray, rows: np.ndarray, slopes: bool) -> Iterator[Batch]:
        yield from self.environments.batches(system, x, kind, rows, slopes)


@descriptor("so3")
class So3(OfExpansion):
    read = staticmethod(read_spectrum)


@descriptor("ace")
class Ace(OfExpansion):
    read = staticmethod(read_functions)
