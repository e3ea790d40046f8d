"""Styles in batches: energies, forces and stresses of each system are those that it has alone in a Simulation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import Batch, Simulation
from everlet.errors import InputError
from tests import ace_reference
from tests.oracle.test_uf3 import made_up
from tests.unit.test_mliap import with_network
from tests.unit.test_snap import write

Systems = list[dict[str, Any]]


def crystals(edge: float, charged: bool = False) -> Systems:
    """Shaken bcc crystals of two types: of other sizes, one of them in a skewed cell that is turned."""
    found, turned = [], np.array([[0.2, 1.0, 0.1], [1.0, 0.1, 0.2], [0.1, 0.0, 1.0]])
    for seed, repeat in ((1, (2, 2, 2)), (2, (3, 2, 1))):
        rng, grid = np.random.default_rng(seed), np.stack(np.meshgrid(*map(np.arange, repeat), indexing="ij"), -1)
        x = (grid.reshape(-1, 1, 3) + np.array([[0.0, 0, 0], [0.5, 0.5, 0.5]])).reshape(-1, 3) * edge
        cell = np.diag(np.array(repeat) * edge)
        one = {"positions": x + 0.1 * rng.uniform(-1, 1, x.shape), "types": np.arange(len(x)) % 2 + 1,
               "masses": np.array([10.0, 12.0])[np.arange(len(x)) % 2], "cell": cell}
        if seed == 2:
            one |= {"positions": one["positions"] @ turned, "cell": cell @ turned}
        if charged:
            one["charges"] = np.where(np.arange(len(x)) % 2, 0.4, -0.4)
        found.append(one)
    return found


def chains() -> Systems:
    """Zigzags of eight atoms across the faces of boxes of other sizes, with branches."""
    found = []
    for seed, edge, count in ((1, 13.0, 2), (2, 11.0, 1)):
        rng, x, bonds, links = np.random.default_rng(seed), [], [], {"angles": [], "dihedrals": [], "impropers": []}
        for c in range(count):
            k = np.arange(8)
            x.append(np.stack([1.2 * k + edge - 4.0, 0.7 * (k % 2) - 0.3, 0.4 * (k // 2 % 2) + 5.0 * c], axis=1))
            here = [8 * c + m for m in range(8)]
            bonds += [here[m : m + 2] for m in range(7)]
            links["angles"] += [here[m : m + 3] for m in range(6)]
            links["dihedrals"] += [here[m : m + 4] for m in range(5)]
            links["impropers"] += [[here[m + 1], here[m], here[m + 2], here[m + 3]] for m in (0, 3)]
        at = np.concatenate(x) + 0.1 * rng.normal(size=(8 * count, 3))
        found.append({"positions": at, "types": np.arange(len(at)) % 2 + 1, "masses": [12.0, 14.0] * (len(at) // 2),
                      "charges": np.tile([0.3, -0.3], len(at) // 2), "cell": [edge] * 3, "bonds": bonds,
                      **{name: np.array(rows) for name, rows in links.items()}})
    return found


def compare(systems: Systems, commands: str, units: str = "metal", device: str = "serial") -> Batch:
    runs = Batch(systems, units=units, commands=commands, device=device, threads=1)
    for k, one in enumerate(systems):
        sim = Simulation(device=device, threads=1, tune=False, log="none", units=units)
        sim.create(**one, ntypes=2)
        sim.commands(commands)
        size = np.abs(sim.forces).max()
        assert size > 1e-3
        assert runs.energies[k] == pytest.approx(sim.energy, rel=1e-10)
        np.testing.assert_allclose(runs.forces[k], sim.forces, atol=1e-10 * max(size, 1.0))
        np.testing.assert_allclose(runs.stress[k], sim.stress, atol=1e-10 * np.abs(sim.stress).max())
    return runs


def uf3(folder: Path) -> str:
    (folder / "my.uf3").write_text(made_up(True, 1.3, seed=5))
    return f"pair_style uf3 3\npair_coeff * * {folder}/my.uf3 A B"


def pace(folder: Path) -> str:
    (folder / "my.yace").write_text(ace_reference.text(ace_reference.made_up(rank=3)))
    return f"pair_style pace\npair_coeff * * {folder}/my.yace Al Ni"


def snap(folder: Path) -> str:
    write(folder, 2, "bzeroflag 1", elements=2)
    return f"pair_style snap\npair_coeff * * {folder}/my.snapcoeff {folder}/my.snapparam A B"


def overlay(folder: Path) -> str:
    """Of a style whose loops mix atoms and one of distances and charges."""
    return (f"pair_style hybrid/overlay uf3 3 coul/dsf 0.2 4.0 zbl 2.0 3.0\npair_coeff * * uf3 {folder}/my.uf3 A B\n"
            "pair_coeff * * coul/dsf\npair_coeff 1 1 zbl 5 5\npair_coeff 2 2 zbl 6 6\npair_coeff 1 2 zbl 5 6")


@pytest.mark.parametrize("made", [uf3, pace, snap, with_network], ids=["uf3", "pace", "snap", "mliap"])
def test_learned_styles(made: Any, tmp_path: Path) -> None:
    compare(crystals(3.1), made(tmp_path))


@pytest.mark.parametrize("style, coeff, edge", [
    ("eim", "Na Cl ffield.eim Na Cl", 3.6), ("extep", "BN.extep B N", 2.4), ("polymorphic", "CuTa_eam.poly Cu Ta", 3.0),
    ("meam/spline", "TiO.meam.spline Ti O", 3.2), ("meam/sw/spline", "Ti.meam.sw.spline Ti Ti", 3.2)])
def test_styles_of_files(style: str, coeff: str, edge: float) -> None:
    compare(crystals(edge), f"pair_style {style}\npair_coeff * * {coeff}")


def test_hybrid_with_charges(tmp_path: Path) -> None:
    uf3(tmp_path)
    compare(crystals(3.1, charged=True), overlay(tmp_path))


@pytest.mark.parametrize("style", ["coul/dsf 0.2 4.0", "coul/wolf 0.2 4.0", "born/coul/wolf 0.2 4.0",
                                   "lj/cut/coul/dsf 0.2 4.0"])
def test_charges(style: str) -> None:
    rest = {"born/coul/wolf": " 1.0 0.3 1.0 0.5 0.1", "lj/cut/coul/dsf": " 0.01 2.0"}.get(style.split(maxsplit=1)[0], "")
    compare(crystals(3.1, charged=True), f"pair_style {style}\npair_coeff * *{rest}")


CHAINS = """
bond_style harmonic
bond_coeff 1 5.0 1.4
angle_style harmonic
angle_coeff 1 2.0 110.0
improper_style harmonic
improper_coeff 1 0.5 10.0
"""


@pytest.mark.parametrize("dihedral, special", [("charmm", "charmm"), ("opls", "lj/coul 0 0 0.5")])
def test_dihedrals_and_impropers(dihedral: str, special: str) -> None:
    """With pairs of atoms 1 and 4 that have weights, across faces."""
    coeff = "0.2 2 180 0.5" if dihedral == "charmm" else "0.3 0.2 0.1 0.1"
    pair = "lj/charmm/coul/charmm 4.0 5.0" if dihedral == "charmm" else "lj/cut/coul/cut 5.0"
    compare(chains(), f"pair_style {pair}\npair_coeff * * 0.01 2.0\n{CHAINS}dihedral_style {dihedral}\n"
            f"dihedral_coeff 1 {coeff}\nspecial_bonds {special}")


MODEL = """
import numpy as np

class Springs:
    cutoff, species, units = 3.5, ["A", "B"], "metal"

    def __init__(self, way="atoms"):
        self.way, self.edges = way, way != "alone"

    def forces(self, b):
        b = b.numpy()
        if self.way == "cell":
            b.cell
        r = np.sqrt((b.rij**2).sum(axis=1))
        left, depth = self.cutoff - r, 1.0 + 0.2 * b.species[b.i] + 0.3 * b.species[b.j]
        density = np.bincount(b.i, depth * left**2, b.n)
        slopes = (-2.0 * density[b.i] * 2.0 * depth * left / r)[:, None] * b.rij
        if self.way == "whole":
            return float((density**2).sum()), slopes
        return density**2, slopes
"""


def model(folder: Path, *words: str) -> str:
    (folder / "springs.py").write_text(MODEL)
    return f"pair_style ml {folder}/springs.py:Springs {' '.join(words)}\npair_coeff * * A B"


def test_models(tmp_path: Path) -> None:
    """All systems are handed to a model at once."""
    runs = compare(crystals(3.1), model(tmp_path))
    runs.fix.nve()
    runs.run(5)
    sim = Simulation(device="serial", tune=False, log="none", units="metal")
    sim.create(**crystals(3.1)[1], ntypes=2)
    sim.commands(model(tmp_path))
    sim.fix.nve()
    sim.run(5)
    np.testing.assert_allclose(runs[1].velocities, sim.velocities, atol=1e-10)


@pytest.mark.parametrize("gives, said", [("cell", "asks for the cell"), ("whole", "those of each system"),
                                         ("alone", "finds neighbours by itself")])
def test_models_that_need_one_box(gives: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        _ = Batch(crystals(3.1), commands=model(tmp_path, "way", gives), device="serial").forces


@pytest.mark.parametrize("commands, said", [
    ("bond_style quartic\nbond_coeff 1 1200 -0.55 0.25 1.8 34.7\npair_style lj/cut 2.5\npair_coeff * * 1 1\n"
     "special_bonds lj/coul 1 1 1", "bond style quartic"),
    ("pair_style lj/cut 2.5\npair_coeff * * 1 1\npair_modify tail yes", "tail corrections"),
    ("pair_style lj/cut/tip4p/cut 1 2 1 1 0.15 5.0\npair_coeff * * 1 1", "tip4p"),
    ("pair_style lj/cut/coul/long 2.5\npair_coeff * * 1 1", "coul/long"),
    ("pair_style ase ase.calculators.emt:EMT\npair_coeff * * Cu Cu", "pair style ase")],
    ids=["quartic", "tail", "tip4p", "coul/long", "ase"])
def test_what_needs_one_box(commands: str, said: str) -> None:
    if "ase." in commands:
        pytest.importorskip("ase")
    runs = Batch(chains(), units="lj", commands=commands, device="serial")
    with pytest.raises(InputError, match=said):
        _ = runs.energies
