"""everlet potential: files from formulas, read back; energies against the formulas; known properties of the metals."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from everlet.cli import main
from everlet.forces.manybody.eam.analytic import Johnson, Model, SuttonChen, phi_between, switch
from everlet.forces.manybody.eam.files import read_setfl
from everlet.tools.potential import main as potential
from tests.contract.systems import image_pairs
from tests.tables import rows

CRYSTAL = """
units metal
lattice fcc {a}
region box block 0 3 0 3 0 3
create_box {types} box
create_atoms 1 box
{more}
pair_style eam/alloy
pair_coeff * * {file} {elements}
run 0
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(file: str, elements: str, a: float, more: str = "") -> Simulation:
    sim = Simulation(device="serial", log="none")
    sim.commands(CRYSTAL.format(a=a, types=len(elements.split()), file=file, elements=elements, more=more))
    return sim


def formula(sim: Simulation, models: list[Model], cutoff: float, width: float) -> float:
    """The energy by a plain sum over all images."""
    x, kind = sim.array("x")[:, :3], sim.array("type") - 1
    i, j, _, d = image_pairs(sim.engine.system.need_box(), x, cutoff)
    r = np.linalg.norm(d, axis=1)
    soft, total, rho = switch(r, cutoff, width), 0.0, np.zeros(len(x))
    for a, one in enumerate(models):
        for b, two in enumerate(models):
            pick = (kind[i] == a) & (kind[j] == b)
            total += 0.5 * float((soft * phi_between(one, two)(r))[pick].sum())
            np.add.at(rho, i[pick], (soft * two.density(r))[pick])
    return total + sum(float(model.embedding(rho[kind == a]).sum()) for a, model in enumerate(models))


@pytest.mark.parametrize("words, elements, models, cutoff, width", [
    ("sutton-chen Cu", "Cu", [SuttonChen.of("Cu", {})], 7.22, 1.083),
    ("sutton-chen Ir --cutoff 6 --smooth 2", "Ir", [SuttonChen.of("Ir", {})], 6.0, 2.0),
    ("sutton-chen Cu --a=3.7 --mass 64 --n 8.5", "Cu", [SuttonChen.of("Cu", {"a": 3.7, "n": 8.5})], 7.4, 1.11),
    ("johnson Ni", "Ni", [Johnson.of("Ni", {})], 3.344, 0.5016),
    ("johnson Cu Ag --cutoff 3.7 --smooth 0.6", "Cu Ag", [Johnson.of("Cu", {}), Johnson.of("Ag", {})], 3.7, 0.6),
])
def test_energies_are_those_of_the_formula(words: str, elements: str, models: list[Model], cutoff: float, width: float) -> None:
    assert main(["potential", *words.split(), "--output", "one.eam.alloy"]) == 0
    more = "displace_atoms all random 0.15 0.15 0.15 2377"
    more += "\nset group all type/fraction 2 0.5 991" if len(models) > 1 else ""
    sim = run("one.eam.alloy", elements, models[0].a, more)
    assert sim.engine.system.energies["vdwl"] == pytest.approx(formula(sim, models, cutoff, width), rel=2e-9)


@pytest.mark.parametrize("element", sorted(SuttonChen.known))
def test_sutton_chen_crystals_are_in_equilibrium(element: str) -> None:
    """c follows from n and m where the energy of the crystal has its minimum; lattice sums up to 30 lattice constants."""
    model = SuttonChen.of(element, {})
    k = np.arange(-30, 31)
    points = np.stack(np.meshgrid(k, k, k, indexing="ij"), -1).reshape(-1, 3)
    d = 0.5 * np.sqrt((points[points.sum(1) % 2 == 0] ** 2).sum(1))
    d = d[(d > 0.0) & (d < 15.0)]

    def lattice_sum(power: float) -> float:
        return float((d**-power).sum()) + 16.0 * math.pi * 15.0 ** (3.0 - power) / (power - 3.0)

    wanted = model.n * lattice_sum(model.n) / (model.m * math.sqrt(lattice_sum(model.m)))
    assert model.c == pytest.approx(wanted, rel=5e-5)
    known = dict(Ni=4.44, Cu=3.50, Rh=5.75, Pd=3.94, Ag=2.96, Ir=6.93, Pt=5.86, Au=3.78, Pb=2.04, Al=3.34)  # eV
    cohesive = model.epsilon * (model.c * math.sqrt(lattice_sum(model.m)) - 0.5 * lattice_sum(model.n))
    assert cohesive == pytest.approx(known[element], abs=1e-3)


# cohesive energy in eV, bulk and mean shear modulus (GPa) that the parameters were fitted to
@pytest.mark.parametrize("element, energy, bulk, shear", [("Cu", 3.54, 138, 55), ("Ag", 2.85, 104, 34), ("Au", 3.93, 167, 31),
                                                          ("Ni", 4.45, 180, 95), ("Pd", 3.91, 195, 54), ("Pt", 5.77, 283, 65)])
def test_johnson_crystals_have_their_moduli(element: str, energy: float, bulk: float, shear: float) -> None:
    potential(["johnson", element, "--output", "one.eam.alloy"])
    a, h = Johnson.of(element, {}).a, 2e-3
    energies = [run("one.eam.alloy", element, a * (1 + s)).engine.system.energies["vdwl"] / 108 for s in (-h, 0.0, h)]
    assert -energies[1] == pytest.approx(energy, rel=1e-9)
    curvature = (energies[0] - 2 * energies[1] + energies[2]) / h**2
    assert curvature / 9 / (a**3 / 4) * 160.2177 == pytest.approx(bulk, rel=0.01)
    model = Johnson.of(element, {})  # Voigt mean of a nearest-neighbour model
    assert 0.4 * model.phie * model.gamma * (model.gamma - model.beta) / (a**3 / 4) * 160.2177 == pytest.approx(shear, rel=0.02)


def test_tables_end_at_zero_and_begin_finite() -> None:
    potential(["johnson", "Cu", "Pt", "--nr", "500", "--nrho", "400", "--output", "two.eam.alloy"])
    found = read_setfl("two.eam.alloy", "metal")
    assert found.elements == ["Cu", "Pt"] and found.cut == pytest.approx((500 - 1) * found.dr, rel=1e-14)
    assert found.masses == {"Cu": 63.546, "Pt": 195.084} and len(found.embedding["Pt"]) == 400
    for table in (*found.density.values(), *found.product.values()):
        assert table[-1] == 0.0 and abs(table[-2]) < 1e-5 and np.isfinite(table).all() and (table[:100] > 0.0).all()
    assert found.embedding["Cu"][0] == 0.0


@pytest.mark.parametrize("words, cause", rows("""
gupta Cu -> unknown model 'gupta'
johnson --output x -> no element is given
johnson Cu -> no file is given
johnson Al --output x -> johnson has no parameters of 'Al'
johnson Cu Cu --output x -> named twice
sutton-chen Cu Ni --output x -> sutton-chen is for one element
johnson Cu Ni --a 3.6 --output x -> --a with several elements
johnson Cu --epsilon 1 --output x -> unknown option of johnson '--epsilon'
johnson Cu --cutoff --output -> --cutoff needs a value
johnson Cu --cutoff 3 --smooth 3 --output x -> functions go to zero from 0 to 3
johnson Cu --nr 10 --output x -> --nr 10 is too few
johnson Cu --fe -1 --output x -> --fe -1: parameters of johnson are positive
sutton-chen Xx --a 3 --epsilon 1 --c 1 --n 9 --m 6 --output x -> mass or the atomic number of 'Xx'
sutton-chen Cu --mass 0 --output x -> mass 0
sutton-chen Cu --output -> --output needs a value
"""))
def test_refused(words: str, cause: str) -> None:
    with pytest.raises(InputError, match=cause) as caught:
        potential(words.split())
    assert caught.value.remedy and not Path("x").exists()


def test_an_element_of_ones_own() -> None:
    values = "--a 4 --epsilon 0.01 --c 39 --n 9 --m 6 --mass 50.123456 --number 40"
    potential(["sutton-chen", "Xx", *values.split(), "--output", "x.eam.alloy"])
    assert read_setfl("x.eam.alloy", "metal").masses == {"Xx": 50.123456}
