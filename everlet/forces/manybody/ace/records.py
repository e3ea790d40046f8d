"""What a file of an atomic cluster expansion says, whichever its format."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

RADIAL = ("ChebExpCos", "ChebPow", "ChebLinear", "SBessel")
INNER = ("density", "distance", "zbl")
EMBEDDINGS = ("FinnisSinclair", "FinnisSinclairShiftedScaled")


@dataclass
class Bond:
    """Neighbours of one species, as atoms of another see them. R_nl = sum_k mixing[n - 1, l, k - 1] g_k."""

    kind: str  # of g_k, one of RADIAL
    functions: int  # how many g_k
    steep: float  # lambda of the formulas
    cut: float
    width: float  # the last part before the cutoff (dcut)
    inner_cut: float
    inner_width: float
    inner: str  # one of INNER
    core: float  # prehc and lambdahc of the repulsion
    core_steep: float
    mixing: np.ndarray


@dataclass
class Embedding:
    """E = sum_p weights[p] F(rho_p; powers[p]), less where the repulsion is above core_cut - core_width."""

    kind: str  # one of EMBEDDINGS
    weights: np.ndarray
    powers: np.ndarray
    core_cut: float
    core_width: float


@dataclass
class Function:
    """A sum of products of as many A as there are species: for each row of `ms` one, with coefficients of all densities."""

    species: list[int]
    ns: list[int]  # from 1
    ls: list[int]
    ms: np.ndarray  # (products, rank)
    coefficients: np.ndarray  # (products, densities)


@dataclass
class Potential:
    path: str
    elements: list[str]
    energies: list[float]  # of single atoms
    embeddings: list[Embedding]
    bonds: dict[tuple[int, int], Bond]
    functions: list[list[Function]]  # of atoms of each species
    basis: list[list[Function]] = field(default_factory=list)  # those without their coefficients, where the file has them

    @property
    def densities(self) -> int:
        return max(len(one.weights) for one in self.embeddings)


def mistake(potential: Potential) -> str:
    """What is wrong with numbers that belong together; empty if nothing is."""
    count = len(potential.elements)
    for pair in np.ndindex(count, count):
        if pair not in potential.bonds:
            return f"it has no bond of {potential.elements[pair[0]]} and {potential.elements[pair[1]]}"
    for (a, b), bond in potential.bonds.items():
        name = f"the bond of {potential.elements[a]} and {potential.elements[b]}"
        if bond.cut <= 0.0:
            return f"the cutoff of {name} is {bond.cut:g}, and must be more than 0"
        if bond.kind in ("ChebExpCos", "ChebPow") and bond.steep <= 0.0:
            return f"the radial parameter of {name} is {bond.steep:g}, and must be more than 0"
        if bond.mixing.ndim != 3 or bond.mixing.shape[2] != bond.functions:
            return f"{name} has radial coefficients of shape {bond.mixing.shape} for {bond.functions} functions g_k"
    for s, functions in enumerate(potential.functions):
        for f in functions:
            wrong = _of_function(potential, s, f)
            if wrong:
                return f"function {f.species} n {f.ns} l {f.ls} of {potential.elements[s]} {wrong}"
    return ""


def _of_function(potential: Potential, centre: int, f: Function) -> str:
    rank, most = len(f.species), len(potential.embeddings[centre].weights)
    if not rank == len(f.ns) == len(f.ls) == f.ms.shape[1]:
        return f"is of {rank} species, {len(f.ns)} n, {len(f.ls)} l and {f.ms.shape[1]} m"
    if f.coefficients.shape[0] != f.ms.shape[0] or f.coefficients.shape[1] > most:
        return f"has {f.coefficients.shape} coefficients for {f.ms.shape[0]} products and {most} densities"
    for mu, n, ell in zip(f.species, f.ns, f.ls, strict=True):
        if not 0 <= mu < len(potential.elements):
            return f"is of species {mu}, and there are {len(potential.elements)}"
        bond = potential.bonds[centre, mu]
        if rank == 1:
            if ell != 0 or not 1 <= n <= bond.functions:
                return f"of one factor has n = {n}, l = {ell}: n is 1 to {bond.functions}, l is 0"
        elif not (1 <= n <= bond.mixing.shape[0] and 0 <= ell < bond.mixing.shape[1]):
            return f"has n = {n}, l = {ell}: the bond has n up to {bond.mixing.shape[0]}, l up to {bond.mixing.shape[1] - 1}"
    if (np.abs(f.ms) > np.array(f.ls)).any():
        return "has an m beyond its l"
    if f.ms.sum(axis=1).any():
        return "has a product whose m do not add up to 0"
    return ""
