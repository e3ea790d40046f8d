"""Embedded-atom styles without the reference: finite differences, known limits, bad files."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from everlet import EmbeddedStyle, InputError, PairStyle, Simulation, pair_style, portable
from everlet.forces.manybody.eam.eam import cubics
from everlet.forces.pair.quantities import energy, number
from everlet.portable import exp, sqrt
from tests.refusals import told
from tests.scripts import crystal

METAL = crystal("0 3 0 3 0 3", "fcc 3.6", units="metal", types=2, first="atom_modify sort 0 0.0") + """
set group all type/fraction 2 0.4 991
mass * 60.0
displace_atoms all random 0.2 0.2 0.2 2377
"""


@pair_style("test/linear")
class Linear(EmbeddedStyle):
    """F = c rho: the same as a pair potential phi + 2 c f."""

    coeffs = dict(a=energy, b=energy, c=number)

    @portable
    def energy(r2, p):
        return p.a * exp(-r2)

    @portable
    def density(r2, p):
        return p.b * exp(-0.5 * r2)

    @portable
    def embedding(rho, p):
        return p.c * rho


@pair_style("test/linear/pair")
class LinearPair(PairStyle):
    coeffs = Linear.coeffs

    @portable
    def energy(r2, p):
        return p.a * exp(-r2) + 2.0 * p.c * p.b * exp(-0.5 * r2)


@pair_style("test/root")
class Root(EmbeddedStyle):
    coeffs = Linear.coeffs
    energy, density = Linear.energy, Linear.density

    @portable
    def embedding(rho, p):
        return -p.c * sqrt(rho)


def state(style: str, coeffs: list[str], before: str = "", moved: tuple[int, int, float] | None = None) -> Simulation:
    sim = Simulation(device="serial", log="none")
    sim.commands(f"{before}\n{METAL}\npair_style {style} 5.0\n" + "\n".join(f"pair_coeff {line}" for line in coeffs))
    if moved is not None:
        atom, axis, by = moved
        x = sim.array("x").copy()
        x[atom, axis] += by
        sim.set_array("x", x, order="storage")
    sim.commands("run 0")
    return sim


COEFFS = ["1 1 3.0 0.5 0.7", "1 2 2.0 0.4 0.7", "2 2 4.0 0.8 0.7"]


@pytest.mark.parametrize("before", ["", "package everlet scheme full", "newton off\npackage everlet scheme half"])
def test_a_linear_embedding_is_a_pair_potential(before: str) -> None:
    many, pair = state("test/linear", COEFFS, before), state("test/linear/pair", COEFFS)
    np.testing.assert_allclose(many.engine.system.energies["vdwl"], pair.engine.system.energies["vdwl"], rtol=1e-12)
    np.testing.assert_allclose(many.engine.system.virial, pair.engine.system.virial, rtol=1e-11, atol=1e-9)
    np.testing.assert_allclose(many.array("f"), pair.array("f"), rtol=0, atol=1e-12)


def test_forces_are_slopes_of_the_energy() -> None:
    force, h = state("test/root", COEFFS).array("f").copy(), 1e-4
    assert np.abs(force.sum(axis=0)).max() < 1e-11
    for atom, axis in ((0, 0), (17, 1), (60, 2)):
        energies = [state("test/root", COEFFS, moved=(atom, axis, by)).engine.system.energies["vdwl"] for by in (-h, h)]
        assert force[atom, axis] == pytest.approx(-(energies[1] - energies[0]) / (2 * h), rel=1e-6, abs=1e-8)


def test_cubics_go_through_the_points() -> None:
    values = np.random.default_rng(1).random(20)
    a, b, c, d = cubics(values).T
    np.testing.assert_allclose(d, values[:-1])
    np.testing.assert_allclose(a + b + c + d, values[1:])
    np.testing.assert_allclose((3 * a + 2 * b + c)[:-1], c[1:])  # slopes meet


SETFL = "a\nb\nc\n1 Cu\n6 0.1 6 0.5 2.4\n29 63.5 3.6 fcc\n" + "0.1 0.2 0.3 0.4 0.5 0.6\n" * 3


@pytest.mark.parametrize("text, cause", [
    (SETFL.replace("1 Cu", "2 Cu"), "line 4: 2 elements announced, 1 named"),
    (SETFL.replace("6 0.1 6", "6 0.1 7"), "line 9: the density of Cu, from line 8 on, has 7 numbers"),
    (SETFL.rsplit(" ", 2)[0], "line 9: the file ends after 4 of the 6 numbers of r phi(r) of Cu and Cu"),
    (SETFL.replace("0.4 0.5 0.6", "0.4 oops 0.6"), "line 7: 'oops' is not a number"),
    (SETFL.replace("0.4 0.5 0.6", "0.4 nan 0.6"), "line 7: 'nan' is not a number"),
    (SETFL.replace("0.5 2.4", "-0.5 2.4"), "line 5: dr is -0.5"),
    (SETFL.replace("6 0.1 6 0.5 2.4", "6 0.1 6"), "line 5: expected Nrho drho Nr dr cutoff"),
    (SETFL.replace("6 0.1 6", "5 0.1 6"), "line 7: F(rho) of Cu, from line 7 on, has 5 numbers"),
    (SETFL.replace("29 63.5", "29 -1"), "line 6: the mass of Cu is -1"),
    ("a\nb\n", "the file ends after 2 lines"),
    ("a UNITS: real\n" + SETFL[2:], ""),
    ("a UNITS: si\n" + SETFL[2:], "is for units si"),
])
def test_bad_files_are_refused_with_their_line(text: str, cause: str, tmp_path: Path) -> None:
    (tmp_path / "Cu.alloy").write_text(text)
    sim = Simulation(device="serial", log="none")
    script = METAL + f"pair_style eam/alloy\npair_coeff * * {tmp_path / 'Cu.alloy'} Cu Cu"
    if not cause:
        sim.commands(script)
        return
    with told(cause):
        sim.commands(script)


@pytest.mark.parametrize("line, cause", [
    ("* * Cu.alloy Cu", "1 elements for 2 atom types"),
    ("* * Cu.alloy Cu Xx", "element 'Xx' is not in Cu.alloy"),
    ("1 1 Cu.alloy Cu Cu", "for all types at once"),
    ("* * none.alloy Cu Cu", "no potential file 'none.alloy'"),
])
def test_bad_coefficients(line: str, cause: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("Cu.alloy").write_text(SETFL)
    sim = Simulation(device="serial", log="none")
    with pytest.raises(InputError, match=cause):
        sim.commands(METAL + f"pair_style eam/alloy\npair_coeff {line}")


def test_other_schemes_are_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("Cu.alloy").write_text(SETFL)
    sim = Simulation(device="serial", log="none")
    with pytest.raises(InputError, match="scheme of embedded-atom styles 'windows'"):
        sim.commands("package everlet scheme windows\n" + METAL + "pair_style eam/alloy\npair_coeff * * Cu.alloy Cu Cu\nrun 0")


def test_potentials_are_found_in_the_named_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Cu.alloy").write_text(SETFL)
    monkeypatch.setenv("LAMMPS_POTENTIALS", os.pathsep.join(["nowhere", str(tmp_path)]))
    Simulation(device="serial", log="none").commands(METAL + "pair_style eam/alloy\npair_coeff * * Cu.alloy Cu NULL")
