"""Potentials as functions B with coefficients (.yaml), and grades of atoms by an active set: pace/extrapolation."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import InputError
from everlet.forces.manybody.ace.text_file import read
from tests import ace_reference as plain
from tests.refusals import told
from tests.snap_reference import couple
from tests.unit.test_pace import BOX, atoms, check, kinds_of, simulate

# type, nr, nl, lint
FUNCTIONS = [("Al Al", [1], [0], []), ("Al Al", [3], [0], []), ("Al Ni", [2], [0], []), ("Al Al Ni", [1, 2], [1, 1], []),
             ("Al Al Al Ni", [1, 2, 1], [2, 1, 1], [1]), ("Al Al Al Al Al", [1, 1, 2, 2], [1, 1, 2, 2], [2, 2]),
             ("Al Al Al Al Al", [1, 1, 2, 2], [1, 1, 2, 2], [0, 0]),
             ("Al Al Al Al Al Al", [1, 1, 2, 2, 1], [1, 1, 1, 1, 2], [2, 2, 2]),
             ("Ni Ni", [1], [0], []), ("Ni Al", [1], [0], []), ("Ni Ni Ni", [1, 1], [2, 2], [])]
BONDS = {"Al": (2, 2, 4, 3.9), "Al Ni": (3, 1, 3, 3.7), "Ni": (2, 2, 4, 3.8)}


def coupled(ls: list[int], inner: list[int]) -> dict[tuple[int, ...], float]:
    """Products of Clebsch-Gordan coefficients, from the eigenvectors of angular momenta: l1 l2 -> L12, l3 l4 -> L34, …"""
    found = {}
    for ms in itertools.product(*(range(-q, q + 1) for q in ls)):
        if sum(ms):
            continue

        def c(a: int, m: int, b: int, n: int, to: int) -> float:
            inside = abs(m) <= a and abs(n) <= b and abs(m + n) <= to
            return float(couple(2 * a, 2 * b, 2 * to)[m + a, n + b, m + n + to]) if inside else 0.0

        m, q = list(ms), list(ls)
        if len(q) == 1:
            value = 1.0
        elif len(q) == 2:
            value = c(q[0], m[0], q[1], m[1], 0)
        elif len(q) == 3:
            value = c(q[0], m[0], q[1], m[1], q[2]) * c(q[2], m[0] + m[1], q[2], m[2], 0)
        else:
            value = c(q[0], m[0], q[1], m[1], inner[0]) * c(q[2], m[2], q[3], m[3], inner[1])
            left, right = m[0] + m[1], m[2] + m[3]
            if len(q) == 4:
                value *= c(inner[0], left, inner[1], right, 0)
            else:
                value *= c(inner[0], left, inner[1], right, inner[2]) * c(inner[2], left + right, q[4], m[4], 0)
        if value:
            found[ms] = value
    return found


def potential(coefficients: list[list[float]]) -> tuple[str, dict[str, Any]]:
    """The .yaml, and the same as a .yace would have it."""
    rng, names = np.random.default_rng(8), ["Al", "Ni"]
    spec: dict[str, Any] = {"elements": names, "E0": [0.0, 0.0], "deltaSplineBins": 0.001, "bonds": {}, "embeddings": {},
                            "functions": {0: [], 1: []}}
    lines = ["global:", "  DeltaSplineBins: 0.001", "species:"]
    for block, (n, lmax, k, cut) in BONDS.items():
        first, last = block.split()[0], block.split()[-1]
        mixing = rng.uniform(-1, 1, (n, lmax + 1, k)).round(5)
        bond = {"nradmax": n, "lmax": lmax, "nradbasemax": k, "radbasename": "ChebExpCos", "radparameters": [3.0],
                "radcoefficients": mixing.tolist(), "prehc": 2.0, "lambdahc": 1.0, "rcut": cut, "dcut": 0.01, "rcut_in": 0.0,
                "dcut_in": 0.0, "inner_cutoff_type": "density"}
        spec["bonds"][names.index(first), names.index(last)] = spec["bonds"][names.index(last), names.index(first)] = bond
        lines += [f"  - speciesblock: {block}   # a comment", f"    nradmaxi: {n}", f"    lmaxi: {lmax}", f"    rcutij: {cut}",
                  "    dcutij: 0.01", "    NameOfCutoffFunctionij: cos", f"    nradbaseij: {k}", "    radbase: ChebExpCos",
                  "    radparameters: [3.0]", f"    radcoefficients: {mixing.ravel().tolist()}",
                  "    core-repulsion: [2.0, 1.0]"]
        if first == last:
            lines += ["    ndensityi: 1", "    npoti: FinnisSinclairShiftedScaled", "    parameters: [1, 1]"]
            spec["embeddings"][names.index(first)] = {"ndensity": 1, "FS_parameters": [1, 1], "rho_core_cutoff": 100000.0,
                                                      "npoti": "FinnisSinclairShiftedScaled", "drho_core_cutoff": 250.0}
        lines.append("    nbody:")
        for (kind, nr, nl, lint), c in zip(FUNCTIONS, coefficients, strict=True):
            if kind.split()[0] != first or (block != "Al Ni") != (len(set(kind.split())) == 1 or first == "Ni"):
                continue
            inner = f", lint: {lint}" if lint else ""
            lines.append(f"      - {{type: {kind}, nr: {nr}, nl: {nl}{inner}, c: {[float(v) for v in c]}}}")
            ms, centre = coupled(nl, lint), names.index(first)
            spec["functions"][centre].append(
                {"mu0": centre, "rank": len(nr), "ndensity": 1, "num_ms_combs": len(ms), "ns": nr, "ls": nl,
                 "mus": [names.index(name) for name in kind.split()[1:]], "ms_combs": [k for m in ms for k in m],
                 "ctildes": [v * float(c[0]) for v in ms.values()]})
    return "\n".join(lines) + "\n", spec


def test_functions_with_coefficients_are_sums_of_products(tmp_path: Path) -> None:
    text, spec = potential(np.random.default_rng(4).uniform(-0.1, 0.1, (len(FUNCTIONS), 1)).tolist())
    (tmp_path / "my.yaml").write_text(text)
    check(simulate(tmp_path / "my.yaml"), spec, atoms(), kinds_of(8, 2) - 1)


def functions_of_atoms(folder: Path) -> np.ndarray:
    """B of each atom: the energy of a potential with one coefficient 1, without the core."""
    x, found = atoms(), []
    for k in range(len(FUNCTIONS)):
        one, none = (potential([[float(f == k) * on] for f in range(len(FUNCTIONS))])[1] for on in (1.0, 0.0))
        found.append(np.subtract(*(plain.expected(spec, x, kinds_of(8, 2) - 1, BOX)[0] for spec in (one, none))))
    return np.array(found).T


GRADED = "fix g all pair 1 pace/extrapolation gamma 1 corerep 1"


def write_graded(folder: Path, inverses: dict[str, np.ndarray]) -> None:
    text, _ = potential(np.random.default_rng(4).uniform(-0.1, 0.1, (len(FUNCTIONS), 1)).tolist())
    (folder / "my.yaml").write_text(text)
    with open(folder / "my.asi", "wb") as file:
        np.savez(file, **inverses)  # type: ignore[arg-type]


def graded(folder: Path, inverses: dict[str, np.ndarray], elements: str = "Al Ni", after: str = GRADED) -> Any:
    write_graded(folder, inverses)
    return simulate(folder / "my.yaml", elements, style="pace/extrapolation", coeff=f"* * {{}} {folder / 'my.asi'} {{}}",
                    after=after)


def test_grades_are_those_of_the_functions(tmp_path: Path) -> None:
    order = {0: [0, 1, 2, 3, 4, 5, 6, 7], 1: [9, 8, 10]}  # by rank, species, n, l
    order[0][5:7] = [5, 6]  # the same but for inner angular momenta: as in the file
    b, kinds = functions_of_atoms(tmp_path), kinds_of(8, 2) - 1
    rng = np.random.default_rng(2)
    inverses = {"Al": rng.uniform(-1, 1, (8, 8)), "Ni": rng.uniform(-1, 1, (3, 3))}
    sim = graded(tmp_path, inverses)
    wanted = [np.abs(b[k, order[s]] @ inverses[("Al", "Ni")[s]]).max() for k, s in enumerate(kinds)]
    found = sim.engine.system.fixes["g"].peratom()[np.argsort(sim.array("id"))]
    np.testing.assert_allclose(found[:, 0], wanted, rtol=1e-8)
    assert np.abs(found[:, 1]).max() < 1e-12  # the core is far below its cutoff
    # atoms of the set have grade 1: A is made of rows of atoms
    rows = [k for k in range(8) if kinds[k] == 1][:3]
    if len(rows) == 3:
        inverses["Ni"] = np.linalg.inv(b[rows][:, order[1]])
        again = graded(tmp_path, inverses)
        values = again.engine.system.fixes["g"].peratom()[np.argsort(again.array("id")), 0]
        np.testing.assert_allclose(values[rows], 1.0, rtol=1e-6)


@pytest.mark.parametrize("inverses, cause", [
    ({"Al": np.eye(8)}, "has no matrix of Ni"), ({"Al": np.eye(7), "Ni": np.eye(3)}, "7 x 7 numbers")])
def test_sets_that_do_not_fit_are_refused(inverses: dict[str, np.ndarray], cause: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=cause):
        graded(tmp_path, inverses)


def test_files_without_functions_have_no_grades(tmp_path: Path) -> None:
    (tmp_path / "my.yace").write_text(plain.text(plain.made_up()))
    (tmp_path / "my.asi").write_text("no archive")
    with pytest.raises(InputError, match="grades need the functions"):
        simulate(tmp_path / "my.yace", style="pace/extrapolation", coeff=f"* * {{}} {tmp_path / 'my.asi'} {{}}")
    graded(tmp_path, {"Al": np.eye(8), "Ni": np.eye(3)})
    (tmp_path / "my.asi").write_text("no archive")
    with pytest.raises(InputError, match="cannot be read"):
        simulate(tmp_path / "my.yaml", style="pace/extrapolation", coeff=f"* * {{}} {tmp_path / 'my.asi'} {{}}")


@pytest.mark.parametrize("change, cause", [
    (lambda s: s.replace("lint: [2, 2]}", "", 1).replace(", lint: [2, 2], c", ", c", 1), "needs lint"),
    (lambda s: s.replace("type: Al Al Ni,", "type: Al Al Xx,", 1), "there is no block of Xx"),
    (lambda s: s.replace("nl: [1, 1]", "nl: [1, 2]", 1), "cannot be coupled to 0"),
    (lambda s: s.replace("nradmaxi: 2", "nradmaxi: 3", 1), "radcoefficients, and n, l and k ask for"),
    (lambda s: s.replace("c: [", "c: [1.0, ", 1), "2 coefficients c, and 1 densities")])
def test_bad_files_are_refused(change: Any, cause: str, tmp_path: Path) -> None:
    (tmp_path / "my.yaml").write_text(change(potential([[0.1]] * len(FUNCTIONS))[0]))
    with told(cause):
        read(str(tmp_path / "my.yaml"))
