"""Computes of bispectrum components without the reference code: definitions, finite differences, what is refused."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from everlet import Simulation
from tests import snap_reference as plain
from tests.refusals import told
from tests.tables import rows

BOX = np.array([4.1, 3.9, 4.3])
CUT = 3.2
X = (np.stack(np.meshgrid([0, 1], [0, 1], [0, 1]), axis=-1).reshape(-1, 3)[:6] * 0.5 + 0.25
     + np.random.default_rng(5).uniform(-0.09, 0.09, (6, 3))) * BOX
WEIGHT = np.array([1.0, 0.6])


def simulate(lines: str, x: np.ndarray = X, device: str = "serial", before: str = "", precision: str = "double",
             threads: int = 0) -> Simulation:
    """Six atoms of two types in a box that is smaller than the cutoff reaches."""
    sim = Simulation(device=device, log="none", precision=precision, threads=threads)
    sim.commands(f"{before}\nunits metal\nregion box block 0 {BOX[0]} 0 {BOX[1]} 0 {BOX[2]} units box\ncreate_box 2 box\n"
                 "mass * 10.0\n"
                 + "\n".join(f"create_atoms {k % 2 + 1} single {a:.17g} {b:.17g} {c:.17g} units box"
                             for k, (a, b, c) in enumerate(x))
                 + f"\nneighbor 0.5 bin\npair_style zero 1.0\npair_coeff * *\n{lines}\nrun 0")
    return sim


def expected(x: np.ndarray, twojmax: int) -> np.ndarray:
    """Components of all atoms, summed over all images."""
    images = np.array(list(itertools.product(range(-2, 3), repeat=3))) * BOX
    found = []
    for xi in x:
        vectors = (x[None, :, :] + images[:, None, :]).reshape(-1, 3) - xi
        weights = np.tile(WEIGHT[np.arange(len(x)) % 2], len(images))
        r = np.linalg.norm(vectors, axis=1)
        near = (r > 1e-9) & (r < CUT)
        u = plain.density(twojmax, vectors[near], weights[near], np.full(near.sum(), CUT))
        found.append(plain.components(u))
    return np.array(found)


def values(sim: Simulation, id: str = "b") -> np.ndarray:
    return sim.engine.system.computes[id].peratom()[np.argsort(sim.array("id"))]


ARGS = f"{CUT} 0.99363 4 0.5 0.5 {WEIGHT[0]} {WEIGHT[1]}"


@pytest.mark.parametrize("device, precision, threads", [("serial", "double", 0), ("cpu", "double", 2), ("serial", "mixed", 0)])
def test_components_are_sums_over_all_images(device: str, precision: str, threads: int) -> None:
    """The cutoff of the pair style is shorter, and precision is double whatever the run has."""
    sim = simulate(f"compute b all sna/atom {ARGS} bzeroflag 0", device=device, precision=precision, threads=threads)
    np.testing.assert_allclose(values(sim), expected(X, 4), rtol=1e-12, atol=1e-11)


def test_components_do_not_turn_with_the_atoms() -> None:
    """A cluster in empty space, rotated and mirrored."""
    rng = np.random.default_rng(11)
    x = rng.uniform(-2.0, 2.0, (12, 3))
    found = []
    for turn in [np.eye(3), -np.eye(3), *(np.linalg.qr(rng.normal(size=(3, 3)))[0] for _ in range(3))]:
        sim = Simulation(device="serial", log="none")
        sim.commands("units metal\nboundary f f f\nregion box block -9 9 -9 9 -9 9 units box\ncreate_box 2 box\nmass * 10.0\n"
                     + "\n".join(f"create_atoms {k % 2 + 1} single {a:.17g} {b:.17g} {c:.17g} units box"
                                 for k, (a, b, c) in enumerate(x @ turn))
                     + f"\npair_style zero 1.0\npair_coeff * *\ncompute b all sna/atom {ARGS}\nrun 0")
        found.append(values(sim))
    for other in found[1:]:
        assert np.abs(other - found[0]).max() < 1e-12 * np.abs(found[0]).max()


def test_slopes_are_differences_of_sums() -> None:
    sim = simulate(f"compute d all snad/atom {ARGS}\ncompute v all snav/atom {ARGS}\ncompute s all snap {ARGS}")
    u = np.random.default_rng(3).standard_normal(X.shape)
    found = values(sim, "d").reshape(6, 2, 3, 14)
    for kind in range(2):
        for k in (0, 5, 13):
            change = plain.slope(lambda t, kind=kind, k=k: expected(X + t * u, 4)[kind::2, k].sum(), 1e-3)
            assert -(found[:, kind, :, k] * u).sum() == pytest.approx(change, rel=1e-7)
    table = sim.engine.system.computes["s"].array()
    np.testing.assert_allclose(table[1:-6, :-1], found.transpose(0, 2, 1, 3).reshape(18, 28), rtol=1e-12, atol=1e-11)
    stress = values(sim, "v").reshape(6, 2, 6, 14).sum(axis=0).transpose(1, 0, 2).reshape(6, 28)
    np.testing.assert_allclose(table[-6:, :-1], stress, rtol=1e-10, atol=1e-9)


def test_a_potential_is_the_sum_of_its_components(tmp_path: object) -> None:
    """Energy, forces and pressure of pair style snap from the table of compute snap, with products."""
    rng = np.random.default_rng(8)
    k = 5
    beta = {kind: rng.uniform(-0.02, 0.02, 1 + k + k * (k + 1) // 2) for kind in "AB"}
    lines = [f"# UNITS: metal\n2 {len(beta['A'])}"]
    for kind, weight in zip("AB", WEIGHT, strict=True):
        lines += [f"{kind} 0.5 {weight}", *(f"{value:.17g}" for value in beta[kind])]
    (tmp_path / "my.snapcoeff").write_text("\n".join(lines) + "\n")  # type: ignore[operator]
    (tmp_path / "my.snapparam").write_text(f"rcutfac {CUT}\ntwojmax 2\nquadraticflag 1\n")  # type: ignore[operator]
    sim = simulate(f"compute s all snap {ARGS.replace(' 4 ', ' 2 ')} quadraticflag 1\n"
                   f"pair_style snap\npair_coeff * * {tmp_path}/my.snapcoeff {tmp_path}/my.snapparam A B")
    table = sim.engine.system.computes["s"].array()
    made = table[:, :-1] @ np.concatenate([beta["A"][1:], beta["B"][1:]])
    assert made[0] + 3 * (beta["A"][0] + beta["B"][0]) == pytest.approx(table[0, -1], rel=1e-12)
    np.testing.assert_allclose(made[1:-6], table[1:-6, -1], atol=1e-11 * np.abs(table[1:-6, -1]).max())
    pressure = made[-6:] / BOX.prod() * sim.engine.system.units.nktv2p
    np.testing.assert_allclose(pressure, table[-6:, -1], atol=1e-11 * np.abs(table[-6:, -1]).max())


def test_values_follow_the_atoms() -> None:
    """They are kept while nothing changes, and made again when atoms, groups or the box do."""
    sim = simulate(f"compute b all sna/atom {ARGS} bzeroflag 0\nvariable one atom c_b[2]\nvariable two equal c_b[3][2]")
    first = values(sim)
    assert values(sim).base is first.base or np.array_equal(values(sim), first)
    assert sim.engine.variables.evaluate("two") == pytest.approx(first[2, 1], rel=1e-14)
    np.testing.assert_array_equal(sim.engine.variables.peratom("one")[np.argsort(sim.array("id"))], first[:, 1])
    moved = X + np.outer([1, 0, 0, 0, 0, 0], [0.1, 0.0, 0.0])
    sim.set_array("x", moved)
    np.testing.assert_allclose(values(sim), expected(moved, 4), rtol=1e-12, atol=1e-11)


def test_an_atom_alone_has_the_components_of_none() -> None:
    sim = Simulation(device="serial", log="none")
    sim.commands("units metal\nregion box block 0 20 0 20 0 20 units box\ncreate_box 1 box\nmass 1 10.0\n"
                 f"create_atoms 1 single 1 1 1 units box\ncompute b all sna/atom {CUT} 0.99363 2 0.5 1.0 bzeroflag 0\n"
                 f"compute z all sna/atom {CUT} 0.99363 2 0.5 1.0\ncompute s all snap {CUT} 0.99363 2 0.5 1.0\nrun 0")
    np.testing.assert_allclose(sim.engine.system.computes["b"].peratom(), [[1, 2, 3, 3, 3]], rtol=1e-14)
    computes = sim.engine.system.computes
    assert np.abs(computes["z"].peratom()).max() < 1e-14 and np.abs(computes["s"].array()).max() < 1e-14


@pytest.mark.parametrize("style, args, cause", rows(f"""
sna/atom -> {CUT} 0.99363 4 0.5 0.5 1.0 -> expected 7 or more arguments
sna/atom -> {CUT} 0.99363 four 0.5 0.5 1.0 1.0 -> expected a value of twojmax, found 'four'
sna/atom -> {CUT} 0.99363 15 0.5 0.5 1.0 1.0 -> twojmax is 15; 0 to 14
sna/atom -> 0 0.99363 4 0.5 0.5 1.0 1.0 -> rcutfac is 0
sna/atom -> {CUT} 0.99363 4 0.5 0.0 1.0 1.0 -> the radius of type 2 is 0
sna/atom -> {ARGS} bzeroflag -> a value of bzeroflag is missing
sna/atom -> {ARGS} bzeroflag 2 -> bzeroflag is 2
sna/atom -> {ARGS} bzerofleg 1 -> unknown keyword of compute sna/atom 'bzerofleg'
sna/atom -> {ARGS} nnn 8 -> nnn
sna/atom -> {ARGS} rmin0 4 -> is not beyond rmin0
snad/atom -> {ARGS} bikflag 1 -> compute snad/atom has no bikflag
snap -> {ARGS} dgradflag 1 -> needs bikflag 1
snap -> {ARGS} bikflag 1 dgradflag 1 quadraticflag 1 -> dgradflag 1 with quadraticflag 1
snap -> {ARGS} chem 2 0 2 -> elements are counted from 0
snap -> {ARGS} chem 2 0 -> the element of type 2 is missing
snap -> {ARGS} switchinnerflag 1 sinner 1.0 1.0 -> no dinner
snap -> {ARGS} sinner 1.0 1.0 -> has sinner and switchinnerflag 0
"""))
def test_what_does_not_fit_is_refused(style: str, args: str, cause: str) -> None:
    with told(cause):
        simulate(f"compute b all {style} {args}")


@pytest.mark.parametrize("line, cause", rows(r"""
thermo_style custom step c_s[1][30] -> it has 29 columns
thermo_style custom step c_s[26][1] -> it has 25 rows
thermo_style custom step c_s[1] -> gives no vector
thermo_style custom step c_s -> gives no single value
variable a equal c_s[1]\nprint ${a} -> c_s[i][j]
dump 1 all custom 1 x.dump id c_b[*15] -> c_b has 14 columns
dump 1 all custom 1 x.dump id c_s[*] -> has no columns
"""))
def test_places_that_do_not_exist_are_refused(line: str, cause: str) -> None:
    with told(cause):
        simulate(f"compute s all snap {ARGS}\ncompute b all sna/atom {ARGS}\nrun 0\n{line}")
