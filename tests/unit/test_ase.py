"""The calculator of ASE: equal to ASE's own in any cell, kept alive between calls, with ASE's tools on top."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import EmbeddedStyle, InputError, Simulation, number, pair_style, portable
from everlet.portable import exp, log, sqrt

pytest.importorskip("ase")
from ase import Atoms
from ase.build import add_adsorbate, bulk, fcc111
from ase.calculators.calculator import PropertyNotImplementedError, compare_atoms
from ase.calculators.emt import EMT, beta
from ase.calculators.fd import calculate_numerical_forces, calculate_numerical_stress
from ase.calculators.lj import LennardJones

from everlet.ase import Everlet

RC = 5.75
WORDS: dict[str, Any] = dict(pair_style=f"lj/cut {RC}", pair_coeff="* * 0.01 2.3", pair_modify="shift yes", threads=1)
TURN = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
SHEAR = np.array([[1.0, 0.0, 0.0], [0.4, 1.0, 0.0], [-0.3, 0.3, 1.0]])
MUCH = np.array([[1.0, 0.0, 0.0], [3.0, 1.0, 0.0], [-2.0, 4.0, 1.0]])
ALL = ("energy", "free_energy", "forces", "stress", "energies", "stresses")


def ours(**more: Any) -> Everlet:
    return Everlet(**{**WORDS, **more})


def theirs() -> LennardJones:
    return LennardJones(epsilon=0.01, sigma=2.3, rc=RC)


def crystal(n: int = 1) -> Atoms:
    atoms = bulk("Ar", "fcc", 3.6, cubic=True) * (n, 1, 1)
    atoms.rattle(0.1, seed=1)
    return atoms


def changed(matrix: Any, pbc: Any = True, of: Atoms | None = None, **more: Any) -> Atoms:
    atoms = (of or crystal()).copy()
    atoms.set_cell(np.asarray(matrix) @ atoms.cell[:], **{"scale_atoms": True, **more})
    atoms.pbc = pbc
    return atoms


def turned(atoms: Atoms, by: np.ndarray = TURN) -> Atoms:
    atoms.set_cell(atoms.cell[:] @ by, scale_atoms=True)
    return atoms


ODD = {
    "cubic": crystal, "one atom": lambda: bulk("Ar", "fcc", 3.6), "turned": lambda: turned(crystal()),
    "left-handed": lambda: turned(crystal(), np.diag([1.0, -1.0, 1.0]) @ TURN),
    "mirrored": lambda: turned(crystal(), -np.eye(3)),
    "slanted": lambda: turned(changed(SHEAR)), "very slanted": lambda: turned(changed(MUCH, scale_atoms=False)),
    "slab": lambda: turned(changed(SHEAR, (True, True, False))),
    "other slab": lambda: turned(changed(SHEAR, (False, True, True))),
    "wire": lambda: turned(changed(SHEAR, (False, True, False))), "cluster": lambda: turned(changed(SHEAR, False)),
    "atoms outside": lambda: Atoms("Ar3", [[0, 0, 0], [0, 0, 2.5], [9, 9, -9]], cell=[3, 3, 3]),
    "no cell": lambda: Atoms("Ar2", [[0, 0, 0], [0, 0, 2.5]]), "one free atom": lambda: Atoms("Ar", [[1.0, 2.0, 3.0]]),
    "one edge": lambda: Atoms("Ar2", [[0, 0, 0], [0, 0, 2.5]], cell=[0, 0, 5], pbc=(False, False, True)),
    "two edges": lambda: Atoms("Ar2", [[0, 0, 0], [0, 1, 2.5]], cell=[[3, 1, 0], [0, 0, 0], [0, 2, 5]], pbc=(1, 0, 1)),
}


def same(a: Atoms, b: Atoms, close: float = 1e-12) -> None:
    for name in ALL:
        if "stress" in name and a.cell.rank < 3:
            for atoms in (a, b):
                with pytest.raises(PropertyNotImplementedError):
                    atoms.calc.get_property(name, atoms)
            continue
        one, other = (np.asarray(atoms.calc.get_property(name, atoms)) for atoms in (a, b))
        assert one.shape == other.shape and np.abs(one - other).max() <= close * max(1.0, float(np.abs(other).max())), name


@pytest.mark.parametrize("name", ODD)
def test_equals_lennard_jones(name: str) -> None:
    a = ODD[name]()
    b = a.copy()
    b.calc = theirs()
    with ours() as a.calc:
        same(a, b)


def test_changes_are_those_that_ase_finds() -> None:
    def charge(a: Atoms) -> None:
        a.set_initial_charges([0.1] * len(a))

    atoms, calc = crystal(), ours()
    atoms.calc = calc
    atoms.get_potential_energy()
    acts: list[Callable[[Atoms], Any]] = [
        lambda a: None, lambda a: a.rattle(0.1), lambda a: a.set_cell(1.01 * a.cell[:]), lambda a: a.set_pbc(False), charge,
        lambda a: a.set_initial_magnetic_moments([1.0] * len(a)), lambda a: a.pop(),
        lambda a: a.set_atomic_numbers([10] * len(a))]
    for act in acts:
        other = atoms.copy()
        act(other)
        known = compare_atoms(atoms, other, excluded_properties=calc.ignored_changes)
        assert sorted(calc.check_state(other)) == sorted(known)
    shaken = atoms.copy()
    shaken.positions += 1e-4
    assert calc.check_state(shaken, tol=1e-2) == [] and calc.check_state(shaken) == ["positions"]


def test_one_engine_is_kept_and_never_stale() -> None:
    """Changes in any order: results are those of a new calculator."""
    draw, atoms = np.random.default_rng(5), turned(crystal())
    atoms.calc = kept = ours()
    atoms.get_potential_energy()
    first, check = kept.sim, atoms.copy()
    for _ in range(25):
        what = draw.choice(["move", "far", "cell", "shear", "flip", "both", "nothing"])
        if what in ("move", "both"):
            atoms.positions += draw.normal(0.0, 0.05, atoms.positions.shape)
        if what == "far":
            atoms.positions[draw.integers(4)] += draw.integers(-2, 3, 3) @ atoms.cell[:]
        if what in ("cell", "both"):
            atoms.set_cell(atoms.cell[:] * draw.uniform(0.97, 1.03, (3, 1)), scale_atoms=bool(draw.integers(2)))
        if what == "shear":
            atoms.set_cell((np.eye(3) + np.tril(draw.uniform(-0.3, 0.3, (3, 3)), -1)) @ atoms.cell[:], scale_atoms=True)
        if what == "flip":
            atoms.set_cell(atoms.cell[:][[1, 0, 2]])  # another handedness
        check = atoms.copy()
        check.calc = ours()
        for name in draw.permutation(ALL)[:3]:
            a, b = (np.asarray(one.calc.get_property(name, one)) for one in (atoms, check))
            assert np.allclose(a, b, rtol=1e-11, atol=1e-12), (what, name)
        check.calc.close()
    assert kept.sim is first
    atoms.pbc = (True, True, False)
    atoms.get_potential_energy()
    assert kept.sim is not first
    second = kept.sim
    atoms.symbols[0] = "Kr"
    atoms.get_potential_energy()
    assert kept.sim is not second


def test_atoms_may_leave_a_cell_that_is_not_periodic() -> None:
    atoms = Atoms("Ar2", [[1.0, 1, 1], [1, 1, 3.4]], cell=[4, 4, 4])
    atoms.calc = ours()
    for shift in (0.0, 2.0, -7.0, 40.0):
        atoms.positions += shift
        free = ours().get_potential_energy(Atoms("Ar2", [[0, 0, 0], [0, 0, 2.4]]))
        assert np.isclose(atoms.get_potential_energy(), free, rtol=1e-12)


def test_no_atoms_have_no_energy() -> None:
    atoms = Atoms(cell=[5, 5, 5], pbc=True)
    atoms.calc = Everlet(pair_style="lj/cut 8.5", pair_coeff="* * 0.0104 3.4", device="serial")
    assert atoms.get_potential_energy() == 0.0 and atoms.get_forces().shape == (0, 3)


def test_numbers_are_slopes_of_the_energy() -> None:
    atoms = turned(changed(SHEAR, of=crystal()))
    atoms.calc = ours()
    assert np.abs(calculate_numerical_forces(atoms, 1e-5) - atoms.get_forces()).max() < 1e-6
    assert np.abs(calculate_numerical_stress(atoms, 1e-5) - atoms.get_stress()).max() < 1e-6


# ---- ASE's tools give the same with both calculators
def pair(make: Any) -> tuple[Atoms, Atoms]:
    a, b = make(), make()
    a.calc, b.calc = ours(), theirs()
    return a, b


def test_optimisers_constraints_and_cells() -> None:
    from ase.constraints import FixAtoms, FixBondLength
    from ase.filters import ExpCellFilter, FrechetCellFilter, StrainFilter, UnitCellFilter
    from ase.optimize import BFGS, FIRE, LBFGS

    for optimiser, wrap in ((BFGS, None), (FIRE, UnitCellFilter), (LBFGS, FrechetCellFilter), (BFGS, StrainFilter),
                            (BFGS, ExpCellFilter)):
        found = []
        for atoms in pair(lambda: turned(crystal(2))):
            atoms.set_constraint([FixAtoms([0]), FixBondLength(1, 2)] if wrap is None else FixAtoms([3]))
            optimiser(atoms if wrap is None else wrap(atoms), logfile=None).run(fmax=1e-3, steps=8)
            found.append([*atoms.positions.ravel(), *atoms.cell[:].ravel(), atoms.get_potential_energy()])
        assert np.allclose(*found, rtol=0.0, atol=1e-8)


def test_dynamics() -> None:
    from ase import units
    from ase.md.langevin import Langevin
    from ase.md.nptberendsen import NPTBerendsen
    from ase.md.velocitydistribution import MaxwellBoltzmannDistribution
    from ase.md.verlet import VelocityVerlet

    kinds: list[Any] = [
        lambda atoms: VelocityVerlet(atoms, 2 * units.fs),
        lambda atoms: Langevin(atoms, 2 * units.fs, temperature_K=30, friction=0.01 / units.fs, rng=np.random.default_rng(1)),
        lambda atoms: NPTBerendsen(atoms, 2 * units.fs, temperature_K=30, pressure_au=0.0, taut=100 * units.fs,
                                   taup=500 * units.fs, compressibility_au=0.1)]
    for kind in kinds:
        found = []
        for atoms in pair(lambda: crystal(2)):
            MaxwellBoltzmannDistribution(atoms, temperature_K=30, rng=np.random.default_rng(2))
            kind(atoms).run(15)
            found.append([*atoms.get_momenta().ravel(), *atoms.cell[:].ravel(), atoms.get_total_energy()])
        assert np.allclose(*found, rtol=1e-9, atol=1e-10)


def test_nudged_elastic_bands() -> None:
    from ase.mep import NEB
    from ase.optimize import BFGS

    def ends() -> tuple[Atoms, Atoms]:
        first = fcc111("Ar", (2, 2, 2), a=3.6, vacuum=6.0)
        last = first.copy()
        add_adsorbate(first, "Ar", 2.0, "fcc")
        add_adsorbate(last, "Ar", 2.0, "hcp")
        return first, last

    found = []
    for make in (ours, theirs):
        first, last = ends()
        images = [first, *(first.copy() for _ in range(3)), last]
        calc = make()
        for image in images:
            image.calc = calc
        band = NEB(images, climb=True, allow_shared_calculator=True)
        band.interpolate()
        BFGS(band, logfile=None).run(fmax=0.01, steps=6)
        found.append([image.get_potential_energy() for image in images])
    assert max(found[0]) > found[0][0] + 1e-4 and np.allclose(*found, rtol=0.0, atol=1e-10)


def test_phonons_and_equations_of_state(tmp_path: Path) -> None:
    from ase.eos import calculate_eos
    from ase.phonons import Phonons

    found = []
    for make, name in ((ours, "ours"), (theirs, "theirs")):
        atoms = bulk("Ar", "fcc", 3.6)
        phonons = Phonons(atoms, make(), supercell=(3, 3, 3), delta=0.01, name=str(tmp_path / name))
        phonons.run()
        phonons.read(acoustic=True)
        omega = phonons.band_structure([[0.0, 0.0, 0.0], [0.25, 0.1, 0.0], [0.5, 0.0, 0.5]])
        atoms.calc = make()
        volume, energy, modulus = calculate_eos(atoms, npoints=5).fit()
        found.append([*omega[1:].real.ravel(), volume, energy, modulus])
    assert np.allclose(*found, rtol=1e-8, atol=1e-10)


# ---- EMT is an embedded-atom potential: as a file of tables, and as a style of its own
def emt_file(path: Path, symbols: list[str], n: int) -> None:
    emt = EMT()
    emt.initialize(Atoms(symbols))
    p, cutoff = emt.par, float(emt.rc_list)
    step, rho = 1.01 * cutoff / n, np.linspace(0.0, 60.0 * p["n0"].max(), n)
    r = step * np.arange(n)
    w = 1.0 / (1.0 + np.exp(emt.acut * (r - emt.rc)))
    numbers = []
    for k in range(len(symbols)):
        ds = -np.log(np.maximum(rho, 1e-30) / p["n0"][k] * p["inv12gamma1"][k]) / (beta * p["eta2"][k])
        x = p["lambda"][k] * ds
        numbers.append(p["E0"][k] * ((1.0 + x) * np.exp(-x) - 1.0) + 6.0 * p["V0"][k] * np.exp(-p["kappa"][k] * ds))
        numbers.append(p["n0"][k] * np.exp(-p["eta2"][k] * (r - beta * p["s0"][k])) * w)
    for i in range(len(symbols)):
        for j in range(i + 1):
            each = [p["neghalfv0overgamma2"][a] * np.exp(-p["kappa"][b] * (r / beta - p["s0"][b])) * emt.chi[a, b]
                    for a, b in ((i, j), (j, i))]
            numbers.append(r * sum(each) * w)
    lines = ["", "", "", f"{len(symbols)} {' '.join(symbols)}", f"{n} {float(rho[1])!r} {n} {step!r} {cutoff!r}"]
    for k, values in enumerate(numbers):
        lines += [f"{k} 1.0 1.0 fcc"] if k < 2 * len(symbols) and k % 2 == 0 else []
        lines += map(repr, values.tolist())
    path.write_text("\n".join(lines))


def test_equals_emt_by_a_file(tmp_path: Path) -> None:
    emt_file(tmp_path / "CuAu.emt", ["Cu", "Au"], 20000)
    b = turned(changed([[1.06, 0, 0], [0.2, 1.02, 0], [-0.3, 0.15, 0.99]], of=bulk("Cu", cubic=True)))
    b.symbols[0] = "Au"
    b.rattle(0.05, seed=3)
    a, b.calc = b.copy(), EMT()
    with Everlet(pair_style="eam/alloy", pair_coeff="* * CuAu.emt Cu Au", species=["Cu", "Au"], files=[tmp_path / "CuAu.emt"],
                 threads=1) as a.calc:
        assert np.isclose(a.get_potential_energy(), b.get_potential_energy(), rtol=1e-12)
        assert np.allclose(a.get_potential_energies(), b.get_potential_energies(), rtol=1e-12)
        assert np.allclose(a.get_forces(), b.get_forces(), rtol=0.0, atol=1e-9)  # slopes of tables
        assert np.allclose(a.get_stress(), b.get_stress(), rtol=0.0, atol=1e-10)


def test_equals_emt_by_formulas() -> None:
    emt = EMT()
    emt.initialize(Atoms("Cu"))
    p = {name: float(values[0]) for name, values in emt.par.items()}
    p.update(lam=p.pop("lambda"), scale=1.0 / (beta * p["eta2"]), s=beta * p["s0"], k=p["kappa"] / beta, a=float(emt.acut),
             c=float(emt.rc))
    names = ("E0", "lam", "V0", "kappa", "eta2", "scale", "inv12gamma1", "neghalfv0overgamma2", "s", "k", "a", "c")

    @pair_style("test/emt")
    class Emt(EmbeddedStyle):
        coeffs = dict.fromkeys(names, number)

        @portable
        def energy(r2, p):  # type: ignore[no-untyped-def]
            r = sqrt(r2)
            return 2.0 * p.neghalfv0overgamma2 * exp(-p.k * (r - p.s)) / (1.0 + exp(p.a * (r - p.c)))

        @portable
        def density(r2, p):  # type: ignore[no-untyped-def]
            r = sqrt(r2)
            return exp(-p.eta2 * (r - p.s)) / (1.0 + exp(p.a * (r - p.c)))

        @portable
        def embedding(rho, p):  # type: ignore[no-untyped-def]
            ds = -p.scale * log(rho * p.inv12gamma1)
            return p.E0 * ((1.0 + p.lam * ds) * exp(-p.lam * ds) - 1.0) + 6.0 * p.V0 * exp(-p.kappa * ds)

    b = turned(changed(SHEAR @ MUCH, of=bulk("Cu")))
    b = b * (1, 1, 2)
    b.rattle(0.1, seed=4)
    a, b.calc = b.copy(), EMT()
    with Everlet(pair_style=f"test/emt {float(emt.rc_list)!r}", pair_coeff="* * " + " ".join(repr(p[name]) for name in names),
                 threads=1) as a.calc:
        for name in ("energy", "energies", "forces", "stress"):
            one, other = (np.asarray(atoms.calc.get_property(name, atoms)) for atoms in (a, b))
            assert np.abs(one - other).max() <= 1e-12 * max(1.0, float(np.abs(other).max())), name


# ---- the object
def test_the_calculator_as_an_object() -> None:
    atoms = crystal()
    with ours() as calc:
        with pytest.raises(InputError, match="no Simulation yet"):
            _ = calc.sim
        atoms.calc = calc
        energy = atoms.get_potential_energy()
        assert isinstance(calc.sim, Simulation) and calc.todict() == WORDS and calc.name == "everlet"
        for twin in (pickle.loads(pickle.dumps(calc)), copy.deepcopy(calc), Everlet(**calc.todict())):
            assert twin.get_potential_energy(crystal()) == energy
        assert calc.set(pair_coeff="* * 0.02 2.3") and np.isclose(atoms.get_potential_energy(), 2 * energy)
        assert not calc.set(pair_coeff="* * 0.02 2.3")
    assert np.isclose(atoms.get_potential_energy(), 2 * energy)  # kept results, or a new engine
    lonely = ours(keep_alive=False)
    assert np.isclose(lonely.get_potential_energy(crystal()), energy)
    assert lonely.get_property("energies", crystal()).shape == (4,)


def test_errors_leave_a_calculator_that_works() -> None:
    calc, atoms = ours(species=["Ar"]), crystal()
    energy = calc.get_potential_energy(atoms)
    wrong = atoms.copy()
    wrong.symbols[0] = "He"
    with pytest.raises(InputError, match="no type for He"):
        calc.get_potential_energy(wrong)
    assert calc.get_potential_energy(atoms) == energy
    atoms.positions[0, 0] = np.nan
    with pytest.raises(InputError, match="finite"):
        calc.get_potential_energy(atoms)
    assert calc.get_potential_energy(crystal()) == energy


def test_charges_follow() -> None:
    atoms = bulk("NaCl", "rocksalt", 5.64)
    atoms.set_initial_charges([1.0, -1.0])
    atoms.calc = Everlet("pair_style coul/cut 6.0\npair_coeff * *", threads=1)
    one = atoms.get_potential_energy()
    sim = atoms.calc.sim
    atoms.set_initial_charges([2.0, -2.0])
    assert np.isclose(atoms.get_potential_energy(), 4.0 * one) and atoms.calc.sim is sim


def test_long_range_charges_follow_the_cell() -> None:
    """The solver chooses its numbers anew."""
    lines = ["pair_style lj/cut/coul/long 6.0", "pair_coeff * * 0.01 2.5", "kspace_style ewald 1e-5"]
    atoms = bulk("NaCl", "rocksalt", 5.64, cubic=True)
    atoms.set_initial_charges([1.0 if symbol == "Na" else -1.0 for symbol in atoms.symbols])
    atoms.rattle(0.05, seed=1)
    atoms.calc = Everlet(lines, threads=1)
    for factor in (1.0, 1.1, 0.95):
        atoms.set_cell(factor * (np.eye(3) + np.diag([0.05, 0.0], -1)) @ atoms.cell[:], scale_atoms=True)
        check = atoms.copy()
        check.calc = Everlet(lines, threads=1)
        for name in ALL:
            one, other = (np.asarray(each.calc.get_property(name, each)) for each in (atoms, check))
            assert np.allclose(one, other, rtol=1e-11, atol=1e-12), name
