"""Linear models of the atomic cluster expansion: their functions as a .yace file, before a fit and after it.

Functions of one neighbour are g_k(r); those of two and three are products of A_nlm = sum over neighbours of g_n(r) Y_lm, summed
over m with coefficients that make them invariant: (-1)^m/sqrt(2l + 1), and Wigner's 3j symbols where l1 + l2 + l3 is even.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping
from math import factorial, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from everlet.errors import InputError, one_of

DEFAULTS: dict[str, Any] = {"elements": None, "rcut": None, "nradbase": 8, "nradmax": 4, "lmax": 3, "rank": 3, "lambda": 5.25,
                            "dcut": 0.01, "bins": 0.001}


def write_ace(path: str | os.PathLike[str], settings: Mapping[str, Any], coefficients: np.ndarray | None = None) -> Path:
    """A .yace file of all functions that the settings allow. Without coefficients it is for `descriptors(…, "ace", path)`; with
    those of a fit, (elements, 1 + K) as `Design.solve` gives them, for pair_style pace.

    elements, rcut      names, and the cutoff of all pairs
    nradbase            functions of one neighbour (8)
    nradmax, lmax       radial functions and highest l of products of two and three (4, 3)
    rank                most neighbours of a function: 1, 2 or 3 (3)
    lambda, dcut, bins  of ChebExpCos, and the step of tables (5.25, 0.01, 0.001)
    """
    for key in settings:
        one_of("setting of ace", key, DEFAULTS)
    given = DEFAULTS | dict(settings)
    names = list(given["elements"] or ())
    if not names or given["rcut"] is None:
        raise InputError("settings of ace without elements or rcut", 'give both: {"elements": ["Cu"], "rcut": 5.0}')
    if not 1 <= given["rank"] <= 3 or not 1 <= given["nradmax"] <= given["nradbase"] or given["lmax"] < 0:
        said = ", ".join(f"{key} {given[key]}" for key in ("rank", "nradmax", "nradbase", "lmax"))
        raise InputError(f"settings of ace: {said}", "rank is 1 to 3, nradmax at most nradbase, lmax 0 or more")
    functions = [_functions(k, given) for k in range(len(names))]
    values = np.ones((len(names), 1 + len(functions[0])))
    values[:, 0] = 0.0
    if coefficients is not None:
        if np.shape(coefficients) != values.shape:
            raise InputError(f"coefficients of shape {np.shape(coefficients)}, and the functions of these settings take "
                             f"{values.shape}", "give those of a fit with the file of these settings")
        values = np.asarray(coefficients, float)
    Path(path).write_text(_text(given, names, functions, values))
    return Path(path)


def _functions(centre: int, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Of one element, those of one neighbour first."""
    species, lmax = range(len(given["elements"])), given["lmax"]
    found = [_function(centre, [(mu, n, 0)], {(0,): 1.0}) for mu in species for n in range(1, given["nradbase"] + 1)]
    radial = [(mu, n) for mu in species for n in range(1, given["nradmax"] + 1)]
    if given["rank"] > 1:
        for two, ell in itertools.product(itertools.combinations_with_replacement(radial, 2), range(lmax + 1)):
            pairs: dict[tuple[int, ...], float] = {(m, -m): (-1.0) ** m / sqrt(2 * ell + 1) for m in range(-ell, ell + 1)}
            found.append(_function(centre, [(mu, n, ell) for mu, n in two], pairs))
    if given["rank"] > 2:
        factors = [(mu, n, ell) for mu, n in radial for ell in range(lmax + 1)]
        for three in itertools.combinations_with_replacement(factors, 3):
            a, b, c = (ell for *_, ell in three)
            if (a + b + c) % 2 == 0 and abs(a - b) <= c <= a + b:
                sums = {(m, k, -m - k): _symbol(a, b, c, m, k) for m in range(-a, a + 1) for k in range(-b, b + 1)
                        if abs(m + k) <= c}
                found.append(_function(centre, list(three), {ms: value for ms, value in sums.items() if value}))
    return found


def _function(centre: int, factors: list[tuple[int, int, int]], sums: Mapping[tuple[int, ...], float]) -> dict[str, Any]:
    species, ns, ls = (list(part) for part in zip(*factors, strict=True))
    return {"mu0": centre, "rank": len(factors), "ndensity": 1, "num_ms_combs": len(sums), "mus": species, "ns": ns, "ls": ls,
            "ms_combs": list(itertools.chain(*sums)), "ctildes": list(sums.values())}


def _symbol(a: int, b: int, c: int, m: int, k: int) -> float:
    """Wigner's 3j symbol (a b c; m k -m-k), by Racah's sum."""
    n = -m - k
    front = factorial(a + b - c) * factorial(a - b + c) * factorial(-a + b + c) / factorial(a + b + c + 1)
    front *= (factorial(a + m) * factorial(a - m) * factorial(b + k) * factorial(b - k) * factorial(c + n) * factorial(c - n))
    total = 0.0
    for t in range(max(0, b - c - m, a - c + k), min(a + b - c, a - m, b + k) + 1):
        total += (-1.0) ** t / (factorial(t) * factorial(c - b + t + m) * factorial(c - a + t - k) * factorial(a + b - c - t)
                                * factorial(a - t - m) * factorial(b - t + k))
    return (-1.0) ** (a - b - n) * sqrt(front) * total


def _text(given: Mapping[str, Any], names: list[str], functions: list[list[dict[str, Any]]], values: np.ndarray) -> str:
    top, lmax, base = given["nradmax"], given["lmax"], given["nradbase"]
    alone = np.broadcast_to(np.eye(base)[:top, None, :], (top, lmax + 1, base)).tolist()
    bond = {"nradmax": top, "lmax": lmax, "nradbasemax": base, "radbasename": "ChebExpCos",
            "radparameters": [float(given["lambda"])], "radcoefficients": alone, "prehc": 0.0, "lambdahc": 1.0,
            "rcut": float(given["rcut"]), "dcut": float(given["dcut"]), "rcut_in": 0.0, "dcut_in": 0.01,
            "inner_cutoff_type": "density"}
    embedding = {"ndensity": 1, "FS_parameters": [1.0, 1.0], "npoti": "FinnisSinclair", "rho_core_cutoff": 1e5,
                 "drho_core_cutoff": 250.0}
    count = range(len(names))
    lines = [f"elements: {_flow(names)}", f"E0: {_flow(values[:, 0].tolist())}", f"deltaSplineBins: {given['bins']!r}",
             "embeddings:", *(f"  {k}: {_flow(embedding)}" for k in count), "bonds:",
             *(f"  [{a}, {b}]: {_flow(bond)}" for a in count for b in count), "functions:"]
    for k in count:
        lines.append(f"  {k}:")
        for f, c in zip(functions[k], values[k, 1:].tolist(), strict=True):
            lines.append(f"    - {_flow(f | {'ctildes': [c * one for one in f['ctildes']]})}")
    return "\n".join(lines) + "\n"


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return repr(value) if isinstance(value, float) else str(value)
