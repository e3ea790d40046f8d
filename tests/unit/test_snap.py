"""pair style snap without the reference code: definitions, known limits, finite differences, bad files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from everlet.forces.manybody.snap.files import read_coefficients, read_settings
from everlet.forces.manybody.snap.index import clebsch_gordan, index, labels
from tests import snap_reference as plain
from tests.refusals import told
from tests.tables import rows

BOX = np.array([4.1, 3.9, 4.3])
CUT = 3.2


def atoms(n: int = 6) -> np.ndarray:
    rng = np.random.default_rng(5)
    grid = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1]), axis=-1).reshape(-1, 3)[:n]
    return (grid * 0.5 + 0.25 + rng.uniform(-0.09, 0.09, (n, 3))) * BOX


def write(folder: Path, twojmax: int, flags: str = "bzeroflag 0", elements: int = 1, quadratic: bool = False,
          channels: int = 1) -> dict[str, np.ndarray]:
    """Files with random coefficients, without any symmetry."""
    rng = np.random.default_rng(twojmax + 7)
    size = len(labels(twojmax)) * channels**3
    size = (size + 1) * (size + 2) // 2 if quadratic else size + 1
    found = {name: rng.uniform(-0.02, 0.02, size) for name in "AB"[:elements]}
    lines = [f"# UNITS: metal\n{elements} {size}"]
    for k, (name, values) in enumerate(found.items()):
        lines += [f"{name} {0.5 + 0.04 * k} {1.0 - 0.4 * k}", *(f"{value:.17g} # a comment" for value in values)]
    (folder / "my.snapcoeff").write_text("\n".join(lines) + "\n")
    (folder / "my.snapparam").write_text(f"# head\nrcutfac {CUT}\ntwojmax {twojmax}\n{flags}\n")
    return found


def simulate(folder: Path, x: np.ndarray, elements: str = "A", device: str = "serial") -> Simulation:
    types = len(elements.split())
    sim = Simulation(device=device, log="none")
    sim.commands(f"units metal\nboundary p p p\nregion box block 0 {BOX[0]} 0 {BOX[1]} 0 {BOX[2]} units box\n"
                 f"create_box {types} box\nmass * 10.0\n"
                 + "\n".join(f"create_atoms {k % types + 1} single {a:.17g} {b:.17g} {c:.17g} units box"
                             for k, (a, b, c) in enumerate(x))
                 + f"\nneighbor 0.5 bin\npair_style snap\n"
                 f"pair_coeff * * {folder / 'my.snapcoeff'} {folder / 'my.snapparam'} {elements}\nrun 0")
    return sim


def energy(sim: Simulation, x: np.ndarray) -> float:
    sim.set_array("x", x[sim.array("id") - 1])
    sim.commands("run 0")
    return float(sim.engine.system.energies["vdwl"])


def test_coupling_coefficients_are_those_of_angular_momentum() -> None:
    for j1 in range(7):
        for j2 in range(j1 + 1):
            for j in range(j1 - j2, j1 + j2 + 1, 2):
                mine = [[[clebsch_gordan(j1, j2, j, 2 * p - j1, 2 * q - j2) if 2 * (p + q - k) == j1 + j2 - j else 0.0
                          for k in range(j + 1)] for q in range(j2 + 1)] for p in range(j1 + 1)]
                np.testing.assert_allclose(mine, plain.couple(j1, j2, j), atol=1e-13)


def test_large_coupling_coefficients_are_orthonormal() -> None:
    for m in range(-14, 15, 2):
        columns = [[clebsch_gordan(14, 14, j, k, m - k) for k in range(-14, 15, 2)] for j in range(abs(m), 29, 2)]
        np.testing.assert_allclose(np.array(columns) @ np.array(columns).T, np.eye(len(columns)), atol=1e-14)


def test_sizes_are_those_of_the_literature() -> None:
    assert [len(labels(j)) for j in (2, 4, 6, 8)] == [5, 14, 30, 55]
    assert (index(8).full, index(8).half) == (285, 155)


def test_the_definition_is_invariant() -> None:
    """Of the plain version that others are compared with: rotations and inversion; an atom alone has B = j + 1."""
    rng = np.random.default_rng(1)
    vectors = rng.uniform(-2, 2, (9, 3))
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    given = [plain.components(plain.density(6, v, np.ones(9), np.full(9, 4.0))) for v in (vectors, vectors @ turn.T, -vectors)]
    np.testing.assert_allclose(given[1], given[0], rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(given[2], given[0], rtol=1e-11, atol=1e-11)
    alone = plain.components(plain.density(6, np.zeros((0, 3)), np.zeros(0), np.zeros(0)))
    np.testing.assert_allclose(alone, [j + 1.0 for _, _, j in labels(6)], atol=1e-12)


@pytest.mark.parametrize("device", ["serial", "reference"])
@pytest.mark.parametrize("twojmax", [3, 4])
def test_energy_and_forces_are_those_of_the_definition(twojmax: int, device: str, tmp_path: Path) -> None:
    x = atoms(3)
    beta = write(tmp_path, twojmax)["A"]
    sim = simulate(tmp_path, x, device=device)
    assert sim.engine.system.energies["vdwl"] == pytest.approx(plain.energy(twojmax, beta, x, BOX, CUT), rel=1e-12)
    u = np.random.default_rng(2).standard_normal(x.shape)
    change = plain.slope(lambda t: plain.energy(twojmax, beta, x + t * u, BOX, CUT), 1e-3)
    assert -(sim.gather("f") * u).sum() == pytest.approx(change, rel=1e-7, abs=1e-8)


CASES = {"linear": ("bzeroflag 0", False, 1), "quadratic": ("quadraticflag 1", True, 1),
         "chem": ("chemflag 1\nbnormflag 1", False, 2), "chem-all": ("chemflag 1\nwselfallflag 1", False, 2),
         "chem-quadratic": ("chemflag 1\nquadraticflag 1", True, 2),
         "inner": ("switchinnerflag 1\nsinner 1.9 2.3\ndinner 0.4 0.5", False, 1),
         "rmin0": ("rmin0 0.9\nrfac0 0.9", False, 1)}


@pytest.mark.parametrize("name", CASES)
def test_forces_are_slopes_of_the_energy(name: str, tmp_path: Path) -> None:
    """Two elements, and coefficients without symmetry."""
    flags, quadratic, channels = CASES[name]
    write(tmp_path, 3, flags, 2, quadratic, channels)
    x = atoms()
    sim = simulate(tmp_path, x, "B A")
    force = sim.gather("f").copy()
    assert np.abs(force.sum(axis=0)).max() < 1e-11 * np.abs(force).max()
    u = np.random.default_rng(3).standard_normal(x.shape)
    h, tolerance = (2e-5, 1e-6) if name == "inner" else (1e-3, 1e-7)  # the inner switch has kinks in its slope
    change = plain.slope(lambda t: energy(sim, x + t * u), h)
    assert -(force * u).sum() == pytest.approx(change, rel=tolerance, abs=0.1 * tolerance * np.abs(force).max())


def test_threads_and_chunks_change_nothing(tmp_path: Path) -> None:
    write(tmp_path, 4, "chemflag 1", 2, False, 2)
    one = simulate(tmp_path, atoms(), "A B")
    two = Simulation(device="cpu", threads=2, log="none")
    write(tmp_path, 4, "chemflag 1\nchunksize 4", 2, False, 2)
    lines = "\n".join(f"create_atoms {k % 2 + 1} single {a:.17g} {b:.17g} {c:.17g} units box"
                      for k, (a, b, c) in enumerate(atoms()))
    two.commands(f"units metal\nregion box block 0 {BOX[0]} 0 {BOX[1]} 0 {BOX[2]} units box\ncreate_box 2 box\nmass * 10.0\n"
                 f"{lines}\nneighbor 0.5 bin\npair_style snap\n"
                 f"pair_coeff * * {tmp_path / 'my.snapcoeff'} {tmp_path / 'my.snapparam'} A B\nrun 0")
    np.testing.assert_allclose(two.engine.system.energies["vdwl"], one.engine.system.energies["vdwl"], rtol=1e-13)
    np.testing.assert_allclose(two.gather("f"), one.gather("f"), atol=1e-11 * np.abs(one.gather("f")).max())
    np.testing.assert_allclose(two.engine.system.virial, one.engine.system.virial, rtol=1e-10)


def test_channels_without_a_type_of_their_own(tmp_path: Path) -> None:
    """One type of a file with two elements is the same as two types of that element."""
    write(tmp_path, 2, "chemflag 1", 2, False, 2)
    one, two = (simulate(tmp_path, atoms(), elements) for elements in ("A", "A A"))
    np.testing.assert_allclose(one.engine.system.energies["vdwl"], two.engine.system.energies["vdwl"], rtol=1e-13)
    np.testing.assert_allclose(one.gather("f"), two.gather("f"), atol=1e-12 * np.abs(two.gather("f")).max())


def test_atoms_without_neighbours_and_without_element(tmp_path: Path) -> None:
    values = write(tmp_path, 4)["A"]
    sim = Simulation(device="serial", log="none")
    sim.commands("units metal\nregion box block 0 20 0 20 0 20 units box\ncreate_box 2 box\nmass * 10.0\n"
                 "create_atoms 1 single 1 1 1 units box\ncreate_atoms 2 single 2 1 1 units box\npair_style snap\n"
                 f"pair_coeff * * {tmp_path / 'my.snapcoeff'} {tmp_path / 'my.snapparam'} A NULL\nrun 0")
    alone = values[0] + values[1:] @ [j + 1.0 for _, _, j in labels(4)]
    assert sim.engine.system.energies["vdwl"] == pytest.approx(alone, rel=1e-13)
    assert np.abs(sim.gather("f")).max() == 0.0


GOOD = "# UNITS: metal\n1 6\nA 0.5 1.0\n" + "\n".join(str(k) for k in range(6)) + "\n"


@pytest.mark.parametrize("text, cause", [
    (GOOD.replace("1 6", "1"), "line 2: expected the number of elements"),
    (GOOD.replace("1 6", "0 6"), "line 2: 0 elements"),
    (GOOD.replace("1 6", "1 5"), "line 9: '5' after the last of 1 elements"),
    (GOOD.replace("1 6", "1 7"), "the file ends where coefficient 7 of 7 of A should come"),
    (GOOD.replace("1 6", "2 6"), "the file ends where element 2 of 2"),
    (GOOD.replace("A 0.5 1.0", "A 0.5"), "line 3: expected element, radius and weight"),
    (GOOD.replace("A 0.5 1.0", "A -1 1.0"), "line 3: the radius of A is -1"),
    (GOOD.replace("\n3\n", "\noops\n"), "line 7: 'oops' is not a number (coefficient 4 of A)"),
    (GOOD.replace("\n3\n", "\n3 4\n"), "line 7: expected coefficient 4 of 6 of A, found 3 4"),
    (GOOD.replace("metal", "si"), "is for units si"),
])
def test_bad_coefficients_are_refused_with_their_line(text: str, cause: str, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text(text)
    with told(cause):
        read_coefficients(str(tmp_path / "bad"), "metal")


@pytest.mark.parametrize("text, cause", [
    ("rcutfac 4\n", "has no twojmax"),
    ("twojmax 4\n", "has no rcutfac"),
    ("rcutfac 4\ntwojmax 4.5\n", "line 2: '4.5' is not a whole number"),
    ("rcutfac 4\ntwojmax 15\n", "line 2: twojmax is 15; 0 to 14"),
    ("rcutfac 0\n", "line 1: rcutfac is 0"),
    ("rfac0 1.1\n", "line 1: rfac0 is 1.1"),
    ("rmin0 -1\n", "line 1: rmin0 is -1"),
    ("chunksize 0\n", "line 1: chunksize is 0"),
    ("bzeroflag 2\n", "line 1: bzeroflag is 2"),
    ("bzeroflag 1\nbzeroflag 0\n", "line 2: bzeroflag is set twice"),
    ("rcutfac 4 5\n", "line 1: expected one value of rcutfac"),
    ("rcutfak 4\n", "line 1: unknown keyword of SNAP 'rcutfak'"),
])
def test_bad_parameters_are_refused_with_their_line(text: str, cause: str, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text(text)
    with told(cause):
        read_settings(str(tmp_path / "bad"))


@pytest.mark.parametrize("flags, elements, cause", rows(r"""
quadraticflag 1 -> A -> 15 coefficients of each element
switchinnerflag 1\nsinner 1.0 -> A -> no dinner
sinner 1.0 -> A -> has sinner and switchinnerflag 0
switchinnerflag 1\nsinner 1.0 2.0\ndinner 1.0 2.0 -> A -> 2 values of sinner for 1 elements
switchinnerflag 1\nsinner 1.0\ndinner 0.0 -> A -> dinner of 0
bzeroflag 0 -> Xx -> element 'Xx' is not in
bzeroflag 0 -> A A -> 2 elements for 1 atom types
rmin0 9.0 -> A -> is not beyond rmin0
"""))
def test_what_does_not_fit_is_refused(flags: str, elements: str, cause: str, tmp_path: Path) -> None:
    write(tmp_path, 4, flags)
    with told(cause):
        sim = Simulation(device="serial", log="none")
        sim.commands("units metal\nregion box block 0 9 0 9 0 9\ncreate_box 1 box\nmass 1 1.0\npair_style snap\n"
                     "create_atoms 1 single 1 1 1\n"
                     f"pair_coeff * * {tmp_path / 'my.snapcoeff'} {tmp_path / 'my.snapparam'} {elements}\nrun 0")


@pytest.mark.parametrize("before, cause", [("newton off", "needs newton on"),
                                           ("package everlet scheme half", "scheme of snap")])
def test_other_ways_are_refused(before: str, cause: str, tmp_path: Path) -> None:
    write(tmp_path, 2)
    with pytest.raises(InputError, match=cause):
        sim = Simulation(device="serial", log="none")
        sim.commands(f"{before}\nunits metal\nregion box block 0 9 0 9 0 9\ncreate_box 1 box\nmass 1 1.0\npair_style snap\n"
                     "create_atoms 1 single 1 1 1\n"
                     f"pair_coeff * * {tmp_path / 'my.snapcoeff'} {tmp_path / 'my.snapparam'} A\nrun 0")


def test_single_precision_is_refused(tmp_path: Path) -> None:
    write(tmp_path, 2)
    with pytest.raises(InputError, match="pair style snap: .* not accurate enough in mixed precision") as failure:
        Simulation(device="serial", precision="mixed", log="none").commands(
            "units metal\nregion box block 0 9 0 9 0 9\ncreate_box 1 box\nmass 1 1.0\npair_style snap\n"
            f"create_atoms 1 single 1 1 1\npair_coeff * * {tmp_path / 'my.snapcoeff'} {tmp_path / 'my.snapparam'} A\nrun 0")
    assert failure.value.remedy == "use --precision double"  # it has no other scheme
