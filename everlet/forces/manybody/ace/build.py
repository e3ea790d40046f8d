"""From what a file says to what loops read: the expansion of a potential, and that of its functions one by one."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.forces.manybody.ace import radial
from everlet.forces.manybody.ace.expansion import Expansion, Layout
from everlet.forces.manybody.ace.products import Term
from everlet.forces.manybody.ace.records import Function, Potential
from everlet.forces.manybody.ace.tables import Table


def expansion(of: Potential, used: list[int], basis: bool = False) -> Expansion:
    """Of those species of a potential; functions with others are left out. Functions of one factor are summed for each
    density when they are tabulated, so that there are as many direct functions as densities, and the core. `basis`: g_k are
    direct functions besides, for `projections`."""
    lists = {s: [f for f in of.functions[s] if set(f.species) <= set(used)] for s in used}
    higher = [pair for mine in lists.values() for f in mine if len(f.species) > 1 for pair in zip(f.ns, f.ls, strict=True)]
    lmax = max((ell for _, ell in higher), default=0)
    shells = [max((n for n, other in higher if other == ell), default=0) for ell in range(lmax + 1)]
    layout, densities = Layout(lmax, shells, list(range(len(used)))), of.densities
    terms: list[list[Term]] = []
    for s in used:
        mine: list[Term] = []
        for f in lists[s]:
            mine += _terms(layout, f, used, np.pad(f.coefficients, ((0, 0), (0, densities - f.coefficients.shape[1]))))
        terms.append(mine)
    own = max(of.bonds[a, b].functions for a in used for b in used) if basis else 0
    direct = densities + 1 + own
    direct += direct % 2  # an even number: loops of GPUs add up two at a time
    table = Table(sum(shells) + direct)
    for a in used:
        for b in used:
            table.add(*_functions(of, a, b, lists[a], shells, densities, direct, basis))
    to = np.full((len(used), len(used), direct), -1)
    to[:, :, : densities + 1] = np.arange(densities + 1)
    return Expansion(layout, table, to, terms, densities)


def projections(of: Potential, used: list[int], energies: Expansion) -> Expansion:
    """The functions B of a potential as outputs, of the same sums as its energies (made with `basis`)."""
    layout, first = energies.layout, energies.densities + 1
    to, terms, most = np.full_like(energies.direct_outputs, -1), list[list[Term]](), 0
    for k, s in enumerate(used):
        mine: list[Term] = []
        most = max(most, len(of.basis[s]))
        for output, f in enumerate(of.basis[s]):
            if not set(f.species) <= set(used):
                continue  # it is 0
            if len(f.species) == 1:
                to[k, used.index(f.species[0]), first + f.ns[0] - 1] = output
            mine += [(factors, values, output) for factors, values, _ in _terms(layout, f, used, f.coefficients)]
        terms.append(mine)
    return Expansion(layout, energies.table, to, terms, 0, most)


def _terms(layout: Layout, f: Function, used: list[int], coefficients: np.ndarray) -> list[Term]:
    """Products of a function of two factors or more."""
    if len(f.species) == 1:
        return []
    channels = [used.index(mu) for mu in f.species]
    return [layout.term([(c, n - 1, ell, m) for c, n, ell, m in zip(channels, f.ns, f.ls, ms, strict=True)], values)
            for ms, values in zip(f.ms.tolist(), coefficients, strict=True)]


def _functions(of: Potential, a: int, b: int, functions: list[Any], shells: list[int], densities: int, direct: int,
               basis: bool) -> tuple[Any, float, list[float]]:
    """All functions of r of two species, in the order of a table, with their cutoff and kinks."""
    bond, one = of.bonds[a, b], np.zeros((of.bonds[a, b].functions, densities))
    for f in functions:
        if f.species == [b]:
            one[f.ns[0] - 1, : f.coefficients.shape[1]] += f.coefficients.sum(axis=0)
    matrix = np.concatenate([*radial.mixed(bond, shells), one.T])

    def values(r: np.ndarray) -> np.ndarray:
        g = radial.base(bond, r)
        found = np.zeros((len(r), len(matrix) + direct - densities))
        found[:, : len(matrix)] = g @ matrix.T
        found[:, len(matrix)] = radial.repulsion(bond, (of.elements[a], of.elements[b]), r)
        if basis:
            found[:, len(matrix) + 1 : len(matrix) + 1 + bond.functions] = g
        return found

    return values, bond.cut, radial.kinks(bond)
