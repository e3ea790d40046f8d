"""pair_style mliap … descriptor ace FILE.yace: functions of an atomic cluster expansion, one component each.

Of each element those of one factor come first, then the others, as the file has them; elements with fewer functions than others
have components that are 0. The first coefficient of each product counts. Embeddings, energies of single atoms and repulsive
cores of the file are not part of it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np

from everlet.errors import InputError
from everlet.forces.descriptors.base import Given
from everlet.forces.manybody.ace import radial
from everlet.forces.manybody.ace.expansion import Expansion, Layout
from everlet.forces.manybody.ace.products import Term
from everlet.forces.manybody.ace.records import Function, Potential
from everlet.forces.manybody.ace.tables import Functions as OfDistance
from everlet.forces.manybody.ace.tables import Table
from everlet.forces.manybody.ace.yace_file import read_yace
from everlet.forces.manybody.mliap.expansion import DescribedExpansion
from everlet.forces.manybody.mliap.mliap import described_by


def in_order(functions: list[Function]) -> list[Function]:
    return sorted(functions, key=lambda f: len(f.species) > 1)


class Functions:
    """Those of a file."""

    def __init__(self, potential: Potential):
        self.potential, self.path, self.elements = potential, potential.path, potential.elements

    @property
    def components(self) -> int:
        return max(map(len, self.potential.functions))

    def cutoff(self, a: int, b: int) -> float:
        return self.potential.bonds[a, b].cut

    def expand(self, used: list[int]) -> Expansion:
        return expand(self.potential, used, self.components)


def read_functions(given: Given) -> Functions:
    if isinstance(given, Mapping):
        raise InputError("settings of ace are not keywords and values", "give the name of a .yace file")
    found = Functions(read_yace(os.fspath(given)))
    if not found.components:
        raise InputError(f"{found.path} has no functions", "is it the right file?")
    return found


def expand(of: Potential, used: list[int], outputs: int) -> Expansion:
    """Of those elements; functions of neighbours that are not there are 0."""
    lists = {s: [(k, f) for k, f in enumerate(in_order(of.functions[s])) if set(f.species) <= set(used)] for s in used}
    higher = [pair for mine in lists.values() for _, f in mine if len(f.species) > 1 for pair in zip(f.ns, f.ls, strict=True)]
    lmax = max((ell for _, ell in higher), default=0)
    shells = [max((n for n, other in higher if other == ell), default=0) for ell in range(lmax + 1)]
    layout = Layout(lmax, shells, list(range(len(used))))
    terms: list[list[Term]] = []
    single: dict[tuple[int, int], list[tuple[int, Function]]] = {(a, b): [] for a in used for b in used}
    for s in used:
        mine: list[Term] = []
        for k, f in lists[s]:
            if len(f.species) == 1:
                single[s, f.species[0]].append((k, f))
                continue
            channels = [used.index(mu) for mu in f.species]
            for ms, values in zip(f.ms.tolist(), f.coefficients, strict=True):
                factors = [(c, n - 1, ell, m) for c, n, ell, m in zip(channels, f.ns, f.ls, ms, strict=True)]
                mine.append(layout.term(factors, values[:1], k))
        terms.append(mine)
    most = max(map(len, single.values()))
    most += most % 2  # loops of GPUs add up two at a time
    table, to = Table(sum(shells) + most), np.full((len(used), len(used), most), -1)
    for i, a in enumerate(used):
        for j, b in enumerate(used):
            own = single[a, b]
            to[i, j, : len(own)] = [k for k, _ in own]
            bond = of.bonds[a, b]
            table.add(_functions(of, a, b, shells, [f for _, f in own], most), bond.cut, radial.kinks(bond))
    return Expansion(layout, table, to, terms, outputs=outputs)


def _functions(of: Potential, a: int, b: int, shells: list[int], single: list[Function], most: int) -> OfDistance:
    """R_nl of two elements, then those of one factor: columns of functions of r."""
    bond = of.bonds[a, b]
    direct = np.zeros((most, bond.functions))
    for d, f in enumerate(single):
        direct[d, f.ns[0] - 1] = f.coefficients[:, 0].sum()
    matrix = np.concatenate([*radial.mixed(bond, shells), direct])
    return lambda r: radial.base(bond, r) @ matrix.T


@described_by("ace")
class MliapAce(DescribedExpansion):
    read = staticmethod(read_functions)
