"""Batches: each system has what it has alone in a Simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import everlet
from everlet import Batch, Simulation
from everlet.errors import InputError
from everlet.state.topology import KINDS, set_links

LJ = "pair_style lj/cut 2.5\npair_coeff * * 1.0 1.0\n"
COPPER = "pair_style eam\npair_coeff * * Cu_u3.eam\n"
SILICON = "pair_style sw\npair_coeff * * Si.sw Si\n"


def melt(cells: tuple[int, int, int], edge: float, seed: int) -> dict[str, Any]:
    """A hot crystal of fcc cells, in lj units."""
    rng = np.random.default_rng(seed)
    corners = np.array([[0, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]])
    grid = np.stack(np.meshgrid(*map(np.arange, cells), indexing="ij"), -1).reshape(-1, 1, 3)
    x = (grid + corners).reshape(-1, 3) * edge + 0.05 * rng.normal(size=(4 * np.prod(cells), 3))
    return {"positions": x, "types": np.ones(len(x), int), "masses": np.ones(len(x)), "cell": np.array(cells) * edge,
            "pbc": True, "velocities": 2.0 * rng.normal(size=x.shape)}


MELTS = [melt((2, 2, 2), 1.7, 1), melt((3, 2, 2), 1.6, 2), melt((1, 1, 1), 1.75, 3)]


def alone(one: dict[str, Any], lines: str, deterministic: bool, device: str = "cpu", potential: str = LJ) -> Simulation:
    """The same system in a Simulation."""
    sim = Simulation(device=device, threads=1, tune=False)
    x, y, z = (float(edge) for edge in one["cell"])
    sim.commands(f"units lj\nregion box block 0 {x!r} 0 {y!r} 0 {z!r}\ncreate_box 1 box\nmass 1 1.0\n"
                 + "package everlet deterministic on\n" * deterministic)
    engine = sim.engine
    count = len(one["positions"])
    engine.system.atoms.append(x=one["positions"], v=one["velocities"], type=1, id=np.arange(1, count + 1))
    sim.commands(potential + lines)
    return sim


def batch(systems: list[Any], deterministic: bool = True, device: str = "cpu", **more: Any) -> Batch:
    return Batch(systems, units="lj", commands=LJ, device=device, threads=1, deterministic=deterministic, **more)


THERMO = "thermo_style custom step temp pe ke press\nthermo_modify norm no\nthermo 20\n"


@pytest.mark.parametrize("fix", ["nve", "nvt"])
def test_bits_of_each_alone(fix: str) -> None:
    """Hot enough for systems to rebuild their lists at other steps than others."""
    temps = [1.0, 2.0, 3.0]
    runs = batch(MELTS)
    if fix == "nve":
        runs.fix.nve()
    else:
        runs.fix.nvt(temp=(temps, 4.0), damp=0.2)
    runs.run(60, every=20)
    table = runs.thermo
    assert table["step"].tolist() == np.repeat([0, 20, 40, 60], 3).tolist() and table["system"][:3].tolist() == [0, 1, 2]
    for k, one in enumerate(MELTS):
        words = "nve" if fix == "nve" else f"nvt temp {temps[k]} 4.0 0.2"
        sim = alone(one, f"fix 1 all {words}\n{THERMO}run 60\n", True)
        assert np.array_equal(runs[k].velocities, sim.gather("v"))
        assert np.array_equal(runs[k].positions, sim.positions)
        assert np.array_equal(runs[k].forces, sim.gather("f"))
        rows = sim.thermo.table()
        for name in ("temp", "pe", "ke", "press"):
            mine = table[name][table["system"] == k]
            if name in ("temp", "pe"):
                assert np.array_equal(mine, rows[name]), name
            np.testing.assert_allclose(mine, rows[name], rtol=1e-13)


def test_within_rounding_otherwise() -> None:
    runs = batch(MELTS, deterministic=False)
    runs.fix.nve()
    runs.run(40)
    for k, one in enumerate(MELTS):
        sim = alone(one, "fix 1 all nve\nrun 40\n", False)
        np.testing.assert_allclose(runs[k].velocities, sim.gather("v"), atol=1e-9)
    assert np.ptp(runs.energies) > 0.1


def test_plain_python_has_the_same_forces() -> None:
    one, other = (batch([MELTS[0], MELTS[2]], device=device) for device in ("cpu", "reference"))
    for a, b in zip(one.forces, other.forces, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-11)
    np.testing.assert_allclose(one.energies, other.energies, rtol=1e-13)


def test_noise_depends_on_seed_system_and_atom_alone() -> None:
    """System 2 of a batch, and a batch of it alone that is told its number; number 0 is what a script has."""
    def made(systems: list[Any], **more: Any) -> Batch:
        runs = batch(systems, **more)
        runs.fix.nve()
        runs.fix.langevin(temp=1.5, damp=0.3, seed=4711)
        runs.run(20)
        return runs

    runs, single, other = made(MELTS), made(MELTS[2:], numbers=[2]), made(MELTS[2:], numbers=[1])
    assert np.array_equal(runs[2].velocities, single[0].velocities)
    assert np.abs(runs[2].velocities - other[0].velocities).max() > 0.1
    sim = alone(MELTS[0], "fix 1 all nve\nfix 2 all langevin 1.5 1.5 0.3 4711\nrun 20\n", True)
    np.testing.assert_allclose(runs[0].velocities, sim.gather("v"), atol=1e-9)


def test_velocities_depend_on_seed_system_and_atom_alone() -> None:
    runs, single = batch(MELTS), batch(MELTS[1:2], numbers=[1])
    runs.set_temperature([1.0, 2.0, 3.0], seed=5)
    single.set_temperature(2.0, seed=5)
    assert np.array_equal(runs[1].velocities, single[0].velocities)
    np.testing.assert_allclose(runs.temperature, [1.0, 2.0, 3.0], rtol=1e-12)
    assert max(np.abs(v.sum(axis=0)).max() for v in runs.velocities) < 1e-12


def crystals(symbol: str, edge: float) -> list[Any]:
    build = pytest.importorskip("ase.build")
    found = []
    for k, repeat in enumerate(((1, 1, 1), (2, 1, 1), (2, 2, 1))):
        atoms = build.bulk(symbol, a=edge * (1.0 + 0.01 * k), cubic=True) * repeat
        atoms.rattle(0.05, seed=k)
        if k:  # turned, sheared, left-handed
            atoms.set_cell(atoms.cell[:] @ np.array([[0.1, 1, 0], [1, 0.05, 0.1], [0.02, 0, 1]]), scale_atoms=True)
        found.append(atoms)
    return found


@pytest.mark.parametrize("potential, symbol, edge", [(COPPER, "Cu", 3.6), (SILICON, "Si", 5.43)], ids=["eam", "sw"])
def test_many_body_styles_in_any_cell(potential: str, symbol: str, edge: float) -> None:
    """Energies, forces and stresses of each system are those of a batch of it alone, whose stress follows from the energy."""
    systems = crystals(symbol, edge)
    runs = Batch(systems, commands=potential, device="cpu", threads=1)
    energies, forces, stress = runs.energies, runs.forces, runs.stress
    for k, atoms in enumerate(systems):
        style = (everlet.pair.sw("Si.sw"),) if symbol == "Si" else ()  # the same in other words
        single = Batch([atoms], pair=style, commands="" if style else potential, device="cpu", threads=1)
        assert abs(single.energies[0] - energies[k]) < 1e-11
        np.testing.assert_allclose(single.forces[0], forces[k], atol=1e-12)
        np.testing.assert_allclose(single.stress[0], stress[k], atol=1e-7)
    strained = []
    for sign in (1.0, -1.0):
        atoms = systems[1].copy()
        strain = sign * 1e-5 * np.array([[1, 0, 0], [0, 0, 0.5], [0, 0.5, 0]])
        atoms.set_cell(atoms.cell[:] @ (np.eye(3) + strain), scale_atoms=True)
        strained.append(atoms)
    change = np.diff(Batch(strained, commands=potential, device="cpu", threads=1).energies[::-1])[0] / 2e-5
    bar = runs.engine.system.units.nktv2p
    assert change / systems[1].get_volume() * bar == pytest.approx(stress[1][0, 0] + stress[1][1, 2], rel=1e-6, abs=1.0)
    moved = []
    for sign in (1.0, -1.0):
        atoms = systems[2].copy()
        atoms.positions[3, 1] += sign * 1e-5
        moved.append(atoms)
    slope = np.diff(Batch(moved, commands=potential, device="cpu", threads=1).energies[::-1])[0] / 2e-5
    assert slope == pytest.approx(-forces[2][3, 1], rel=1e-6, abs=1e-7)


FIELD = """
pair_style lj/cut/coul/cut 3.0
pair_coeff * * 0.01 1.5
bond_style harmonic
bond_coeff 1 20.0 1.0
angle_style harmonic
angle_coeff 1 2.0 100.0
special_bonds lj 0 0 0.5 coul 0 0.3 1
"""


def molecules(count: int, edge: float, seed: int) -> dict[str, Any]:
    rng, side = np.random.default_rng(seed), int(np.ceil(count ** (1 / 3)))
    places = [np.array([k % side, k // side % side, k // side**2]) * edge / side for k in range(count)]
    x = np.concatenate([place + np.array([[0, 0, 0], [0.9, 0.1, 0], [-0.1, 0.95, 0.1]]) for place in places])
    first = 3 * np.arange(count)
    bonds = np.concatenate([np.stack([first, first + k], 1) for k in (1, 2)])
    return {"positions": x + 0.02 * rng.normal(size=x.shape), "types": [1, 2, 2] * count, "masses": [16.0, 1.0, 1.0] * count,
            "charges": [-0.8, 0.4, 0.4] * count, "cell": [edge] * 3, "bonds": bonds, "velocities": rng.normal(size=x.shape),
            "angles": np.stack([first + 1, first, first + 2], 1)}


def test_molecules_with_charges() -> None:
    """Links, special pairs and charges that are cut off, each system as alone."""
    systems = [molecules(8, 7.0, 1), molecules(12, 8.0, 2), molecules(1, 9.0, 3)]
    runs = Batch(systems, commands=FIELD + "timestep 0.0005", device="cpu", threads=1)
    energies = runs.energies
    runs.fix.nve()
    runs.run(20)
    for k, one in enumerate(systems):
        sim = Simulation(device="cpu", threads=1, tune=False)
        more = " ".join(f"extra/{word}/per/atom 4" for word in ("bond", "angle", "special"))
        edge = one["cell"][0]
        sim.commands(f"units metal\natom_style full\nregion box block 0 {edge} 0 {edge} 0 {edge}\n"
                     f"create_box 2 box bond/types 1 angle/types 1 {more}\nmass 1 16.0\nmass 2 1.0\n")
        atoms = sim.engine.system.atoms
        atoms.append(x=one["positions"], v=one["velocities"], q=one["charges"], type=one["types"],
                     id=np.arange(1, len(one["types"]) + 1))
        for kind in ("bond", "angle"):
            set_links(atoms, KINDS[kind], np.insert(one[f"{kind}s"] + 1, 0, 1, axis=1))
        sim.commands(FIELD + "thermo_style custom step pe\ntimestep 0.0005\nfix 1 all nve\nrun 20\n")
        assert sim.thermo.table()["pe"][0] == pytest.approx(energies[k], abs=1e-11)
        np.testing.assert_allclose(runs[k].velocities, sim.gather("v"), atol=1e-8)


def test_boxes_deform_as_alone() -> None:
    """Rates of their own, fast enough for lists to be rebuilt as boxes change."""
    rates = [(0.3, 0.0, -0.2), (-0.2, 0.1, 0.0), (0.0, 0.0, 0.4)]
    runs = batch(MELTS, deterministic=False)
    runs.fix.nve()
    runs.fix.deform(*(list(column) for column in zip(*rates, strict=True)))
    runs.run(60, every=20)
    for k, (one, (x, y, z)) in enumerate(zip(MELTS, rates, strict=True)):
        sim = alone(one, f"fix 1 all nve\nfix 2 all deform 1 x erate {x} y erate {y} z erate {z}\n{THERMO}run 60\n", False)
        np.testing.assert_allclose(np.diag(runs[k].cell), np.diag(sim.cell), rtol=1e-12)
        np.testing.assert_allclose(runs[k].velocities, sim.gather("v"), atol=1e-8)
        for name in ("pe", "press"):
            mine = runs.thermo[name][runs.thermo["system"] == k]
            np.testing.assert_allclose(mine, sim.thermo.table()[name], rtol=1e-9)


def test_barostats_as_alone() -> None:
    """Boxes that follow pressures of their own, in two runs; the second goes on."""
    temps, presses = [1.0, 2.0, 1.5], [2.0, 0.0, 8.0]
    runs = batch(MELTS, deterministic=False)
    runs.fix.npt(temp=temps, damp=0.2, press=(presses, 3.0), pdamp=0.5)
    runs.run(20, every=20)
    runs.run(20)
    for k, one in enumerate(MELTS):
        words = f"npt temp {temps[k]} {temps[k]} 0.2 iso {presses[k]} 3.0 0.5"
        sim = alone(one, f"fix 1 all {words}\n{THERMO}run 20\nrun 20\n", False)
        assert abs(sim.cell[0, 0] / one["cell"][0] - 1.0) > 1e-3
        np.testing.assert_allclose(np.diag(runs[k].cell), np.diag(sim.cell), rtol=1e-11)
        np.testing.assert_allclose(runs[k].velocities, sim.gather("v"), atol=1e-9)


def test_what_barostats_refuse() -> None:
    runs = batch(MELTS[:1])
    runs.fix.npt(temp=1.0, damp=0.2, press=0.0, pdamp=1.0)
    runs.fix.deform(x=0.1)
    with pytest.raises(InputError, match="both change the boxes"):
        runs.run(1)
    silicon = Batch(crystals("Si", 5.43)[:1], commands=SILICON, device="cpu", threads=1)
    silicon.fix.npt(temp=300.0, damp=0.1, press=0.0, pdamp=1.0)
    with pytest.raises(InputError, match="virials of each system"):
        silicon.run(1)


def test_each_system_comes_to_rest() -> None:
    systems = [melt((2, 2, 2), edge, 7) for edge in (1.5, 1.55, 1.6)]
    runs = batch(systems, deterministic=False)
    before = runs.energies
    left = runs.minimize(ftol=1e-6)
    assert (left <= 1e-6).all() and (runs.energies < before - 0.1).all()
    np.testing.assert_allclose([np.linalg.norm(force) for force in runs.forces], left, rtol=1e-6)
    for k, edge in enumerate((1.5, 1.55, 1.6)):  # the crystal that was shaken
        perfect = melt((2, 2, 2), edge, 7)
        rng = np.random.default_rng(7)
        perfect["positions"] = perfect["positions"] - 0.05 * rng.normal(size=perfect["positions"].shape)
        assert runs.energies[k] == pytest.approx(batch([perfect], deterministic=False).energies[0], abs=1e-8)


def test_open_edges_have_no_faces() -> None:
    """Atoms fly apart, and none is lost."""
    one = {"positions": [[0.0, 0, 0], [1.0, 0, 0]], "types": [1, 1], "masses": [1.0, 1.0],
           "velocities": [[-9.0, 0, 0], [9.0, 0, 0]]}
    runs = batch([one, MELTS[0]], deterministic=False)
    runs.fix.nve()
    runs.run(400)
    assert runs[0].positions[1, 0] - runs[0].positions[0, 0] == pytest.approx(1.0 + 400 * 0.005 * 18.0, rel=0.05)
    assert abs(runs.energies[0]) < 1e-12


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="kspace_style"):
        batch(MELTS).commands("kspace_style pppm 1e-4")
    with pytest.raises(InputError, match="needs positions") as caught:
        batch([{"positions": [[0, 0, 0]]}])
    assert "a list of ASE Atoms" in caught.value.remedy
    with pytest.raises(InputError, match="both species and types"):
        batch([MELTS[0] | {"species": "Ar"}])
    with pytest.raises(InputError, match="3 systems"):
        batch(MELTS).fix.nvt(temp=[1.0, 2.0], damp=0.1)
    with pytest.raises(InputError, match="several masses"):
        batch([MELTS[0], MELTS[2] | {"masses": np.full(4, 2.0)}])
    with pytest.raises(InputError, match="cannot couple 'xy'"):
        batch(MELTS).fix.npt(temp=1.0, damp=0.1, press=0.0, pdamp=1.0, couple="xy")
    with pytest.raises(IndexError):
        batch(MELTS)[3]


def test_masses_that_are_not_given_are_those_of_a_simulation() -> None:
    for units, mass in (("lj", 1.0), ("electron", 39.948), ("metal", 39.948)):
        one = {"positions": [[0, 0, 0], [1.1, 0, 0]], "species": "Ar", "cell": [5, 5, 5]}
        with Simulation(units=units, device="serial").create(**one) as sim:
            assert sim.masses.tolist() == [mass, mass]
        assert Batch([one], units=units, commands=LJ, device="serial").masses[0].tolist() == [mass, mass]
        assert Batch([one | {"masses": 3.0}], units=units, commands=LJ, device="serial").masses[0].tolist() == [3.0, 3.0]


def test_positions_and_velocities_can_be_set() -> None:
    runs = Batch(MELTS, units="lj", commands=LJ, device="serial")
    moved = [x + 0.03 * np.sin(7.0 * np.arange(x.size)).reshape(x.shape) for x in runs.positions]
    before, runs.positions = runs.energies, moved
    changed = [one | {"positions": x} for one, x in zip(MELTS, moved, strict=True)]
    fresh = Batch(changed, units="lj", commands=LJ, device="serial")
    np.testing.assert_allclose(runs.energies, fresh.energies, rtol=1e-12)
    assert (runs.energies != before).all()
    runs[1].positions = MELTS[1]["positions"]
    np.testing.assert_allclose(runs.energies, [fresh.energies[0], before[1], fresh.energies[2]], rtol=1e-12)
    runs[-1].velocities = np.zeros((4, 3))
    assert runs.kinetic[2] == 0.0 < runs.kinetic[1]
    runs.fix.nve()
    runs.run(3)
    with pytest.raises(InputError, match="of 2 systems, and the batch has 3"):
        runs.positions = moved[:2]
    with pytest.raises(InputError, match="positions of system 1 have the shape"):
        runs[1].positions = moved[0]
    with pytest.raises(AttributeError, match="known: deform, langevin"):
        runs.fix.shake()
