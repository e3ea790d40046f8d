"""The front door: systems from arrays, properties, styles and operations as objects, states, scripts of what was done."""

from __future__ import annotations

import pickle
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import everlet as ev
from everlet import EverletWarning, InputError, Simulation
from everlet.api.reading import file_kind

EDGE = 1.6796


def fcc(cells: int = 3) -> tuple[np.ndarray, np.ndarray]:
    corners = np.array([[i, j, k] for i in range(cells) for j in range(cells) for k in range(cells)], float)
    basis = np.array([[0, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]])
    return (corners[:, None] + basis).reshape(-1, 3) * EDGE, np.eye(3) * cells * EDGE


def turned(cell: np.ndarray, angle: float = 0.7, flip: bool = False) -> np.ndarray:
    """A rotation about a skew axis, with a reflection if wanted."""
    axis = np.array([1.0, 2.0, -0.5]) / np.linalg.norm([1.0, 2.0, -0.5])
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    turn = np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k
    return turn @ np.diag([1.0, 1.0, -1.0]) if flip else turn


def liquid(**more: Any) -> Simulation:
    x, cell = fcc()
    x = x + np.random.default_rng(1).normal(0.0, 0.05, x.shape)
    sim = Simulation(device="serial", units="lj", tune=False).create(x, species="Ar", cell=cell, **more)
    sim.pair = ev.pair.lj_cut(2.5, epsilon=1.0, sigma=1.0)
    return sim


def brute(x: np.ndarray, cell: np.ndarray, cut: float = 2.5) -> tuple[float, np.ndarray, np.ndarray]:
    """Energy, forces and stress of lj/cut by all images."""
    shifts = np.array([[i, j, k] for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)]) @ cell
    energy, forces, virial = 0.0, np.zeros_like(x), np.zeros((3, 3))
    for shift in shifts:
        d = x[:, None] - x[None] - shift
        r2 = (d**2).sum(-1)
        near = (r2 < cut * cut) & (r2 > 1e-10)
        i6 = np.where(near, 1.0 / np.where(near, r2, 1.0) ** 3, 0.0)
        slope = (48.0 * i6**2 - 24.0 * i6) * np.where(near, 1.0 / np.where(near, r2, 1.0), 0.0)
        energy += 0.5 * (4.0 * (i6**2 - i6)).sum()
        forces += (slope[..., None] * d).sum(1)
        virial += 0.5 * np.einsum("ij,ijk,ijl->kl", slope, d, d)
    return energy, forces, -virial / abs(np.linalg.det(cell))


@pytest.mark.parametrize("flip", [False, True])
def test_any_cell(flip: bool) -> None:
    """Turned, left-handed and tilted: all properties are in the axes of the program."""
    x, cell = fcc(4)
    cell = cell + np.array([[0, 0, 0], [1.3, 0, 0], [-0.6, 0.8, 0]])
    x = (x / (4 * EDGE)) @ cell + np.random.default_rng(2).normal(0.0, 0.05, x.shape)
    turn = turned(cell, flip=flip)
    x, cell = x @ turn, cell @ turn
    v = np.random.default_rng(3).normal(0.0, 1.0, x.shape)
    with Simulation(device="serial", units="lj").create(x, cell=cell, velocities=v) as sim:
        sim.pair = ev.pair.lj_cut(cut=2.5, epsilon=1.0, sigma=1.0)
        energy, forces, stress = brute(x, cell)
        assert sim.energy == pytest.approx(energy, rel=1e-12)
        np.testing.assert_allclose(sim.forces, forces, atol=1e-11)
        np.testing.assert_allclose(sim.stress, stress, atol=1e-11)
        np.testing.assert_allclose(sim.stresses.sum(axis=0), stress, atol=1e-11)
        assert sim.energies.sum() == pytest.approx(energy, rel=1e-12)
        np.testing.assert_allclose(sim.positions, x, atol=1e-12)
        np.testing.assert_allclose(sim.cell, cell, atol=1e-12)
        np.testing.assert_allclose(sim.velocities, v, atol=1e-12)
        assert sim.pbc == (True, True, True) and sim.volume == pytest.approx(abs(np.linalg.det(cell)))
        assert sim.pressure == pytest.approx(-np.trace(stress) / 3 + sim.n * sim.temperature * (1 - 1 / sim.n) / sim.volume)
        moved = x + 0.01
        moved[3] += 0.05
        sim.positions = moved
        assert sim.energy == pytest.approx(brute(moved, cell)[0], rel=1e-12)
        np.testing.assert_allclose(sim.positions, moved, atol=1e-12)


def test_cells_are_set() -> None:
    with liquid() as sim:
        x, cell = sim.positions, sim.cell
        wider = cell @ turned(cell, 0.3) * 1.01
        sim.set_cell(wider, scale=True)
        scaled = x @ np.linalg.inv(cell) @ wider
        np.testing.assert_allclose(sim.positions, scaled, atol=1e-12)
        assert sim.energy == pytest.approx(brute(scaled, wider)[0], rel=1e-12)
        sim.set_cell(cell, scale=True)
        np.testing.assert_allclose(sim.positions, x, atol=1e-12)
        sim.cell = cell * 1.02
        np.testing.assert_allclose(sim.positions, x, atol=1e-12)
        assert sim.energy == pytest.approx(brute(x, cell * 1.02)[0], rel=1e-12)


def test_empty_space() -> None:
    """A molecule without a cell has energies and forces, and no stress."""
    with Simulation(device="serial", units="lj").create([[0, 0, 0], [1.2, 0, 0]]) as sim:
        sim.pair = ev.pair.lj_cut(2.5, epsilon=1.0, sigma=1.0)
        assert sim.energy == pytest.approx(4 * (1.2**-12 - 1.2**-6)) and not sim.cell.any() and sim.pbc == (False,) * 3
        assert sim.volume == 0.0 and sim.forces[0, 0] == -sim.forces[1, 0]
        for name in ("stress", "stresses", "pressure"):
            with pytest.raises(InputError, match=f"sim.{name}: the cell has no volume"):
                getattr(sim, name)


def test_two_dimensions() -> None:
    """Atoms at z = 0; the same numbers as in a flat box of a script."""
    x = np.array([[0.1, 0.2, 0], [1.2, 0.3, 0], [0.5, 1.3, 0]])
    with Simulation(device="serial", units="lj").commands("dimension 2") as sim:
        sim.create(x, cell=[4, 4, 1])
        sim.pair = ev.pair.lj_cut(2.5, epsilon=1.0, sigma=1.0)
        energy = sim.energy
        assert sim.cell.tolist() == np.diag([4, 4, 1]).tolist() and sim.volume == 16.0
        sim.fix.nve()
        sim.fix.enforce2d()
        sim.run(5)
        sim.positions = x
        sim.set_cell([3, 4, 1])
        assert sim.energy < energy and sim.volume == 12.0
        sim.set_cell([4, 4, 1])
        assert sim.energy == pytest.approx(energy, rel=1e-12)
        sim.set_cell([4.4, 4.4, 1], scale=True)
        np.testing.assert_allclose(sim.positions, 1.1 * x, atol=1e-12)
        with Simulation(device="serial").commands(sim.script()) as again:
            assert again.energy == pytest.approx(sim.energy, rel=1e-12)


def test_molecules_and_charges() -> None:
    """Bonds by rows counted from 0; charges; the energy of a stretched bond."""
    with Simulation(device="serial", units="real") as sim:
        sim.create([[0, 0, 0], [1.2, 0, 0], [5, 5, 5]], species=["O", "H", "H"], cell=[20, 20, 20], charges=[-0.4, 0.4, 0.0],
                   bonds=[[0, 1]], molecules=[1, 1, 2])
        sim.commands("special_bonds lj/coul 1 1 1")
        sim.pair = ev.pair.coul_cut(9.0).coeff("*", "*")
        sim.bond = ev.bond.harmonic().coeff(1, 450.0, 1.0)
        k = sim.units.qqr2e
        assert sim.energy == pytest.approx(450.0 * 0.04 - k * 0.16 / 1.2, rel=1e-10)
        assert sim.masses.tolist() == [15.999, 1.008, 1.008] and sim.species == ["O", "H", "H"]
        sim.charges = [0.0, 0.0, 0.0]
        assert sim.energy == pytest.approx(18.0, rel=1e-10)
        assert sim.pair is not None and "coul/cut" in repr(sim.pair) and sim.bond is not None
        sim.bond = None
        assert sim.energy == 0.0
        sim.masses = [16.0, 2.0, 2.0]
        assert sim.masses.tolist() == [16.0, 2.0, 2.0]
        with pytest.raises(InputError, match="atoms of H have different masses"):
            sim.masses = [16.0, 1.0, 2.0]
        sim.commands("pair_style coul/cut 8.0\npair_coeff * *")
        assert sim.pair is None
        with pytest.raises(InputError, match="bond styles have no options"):
            ev.bond.harmonic().modify(shift=True)


def test_several_styles_over_each_other() -> None:
    with liquid() as sim:
        alone = sim.energy
        sim.pair = ev.pair.lj_cut(2.5, epsilon=0.5, sigma=1.0) + ev.pair.lj_cut(2.5).coeff("Ar", "Ar", epsilon=0.5, sigma=1.0)
        assert sim.energy == pytest.approx(alone, rel=1e-12)
        sim.pair = ev.pair["lj/cut"](2.5, epsilon=1.0, sigma=1.0).modify(shift=True)
        assert sim.energy > alone
        with pytest.raises(InputError, match="no potential file"):
            sim.pair = ev.pair.sw("nowhere.sw")
        assert sim.pair is None


def test_fixes_computes_and_words() -> None:
    with liquid() as sim:
        sim.set_temperature(1.0, seed=4)
        nvt = sim.fix.nvt(temp=(1.0, 1.2), damp=0.5)
        drag = sim.fix.viscous(0.1, group="all", id="drag")
        assert list(sim.fix) == ["nvt_1", "drag"] and "viscous 0.1" in repr(drag) and sim.fix["drag"].id == "drag"
        drag.remove()
        ke = sim.compute.ke_atom(id="ke")
        msd = sim.compute.msd()
        sim.thermo.every, sim.thermo.columns = 5, ["step", "temp", "pe", "press", "c_msd_1[4]"]
        sim.run(10)
        assert len(sim.thermo) == 3 and sim.thermo["step"].tolist() == [0, 5, 10]
        assert sim.thermo.units == {"step": "", "temp": "eps/kB", "pe": "eps/atom", "press": "eps/sigma^3", "c_msd_1[4]": ""}
        assert np.isfinite(nvt.scalar) and ke.peratom.sum() == pytest.approx(sim.kinetic_energy) and msd.vector.shape == (4,)
        np.testing.assert_array_equal(sim["c_ke"], ke.peratom)
        sim.compute.stress_atom("NULL", id="six")
        sim.compute.rdf(10, id="g")
        np.testing.assert_array_equal(sim["c_six[2]"], sim["c_six"][:, 1])
        np.testing.assert_array_equal(sim["c_g[2]"], sim["c_g"][:, 1])
        assert sim["c_g[3][2]"] == sim["c_g"][2, 1]
        for word, cause in (("c_six[7]", "it has 6 columns"), ("c_six[0]", "out of range"), ("c_ke[1]", "gives no vector"),
                            ("c_g[2", "unknown thermo keyword"), ("c_nobody[1]", "nobody")):
            with pytest.raises(InputError, match=re.escape(cause)):
                _ = sim[word]
        assert sim["temp"] == sim.temperature == sim.thermo.value("temp") and sim["c_msd_1[4]"] == msd.vector[3]
        sim.commands("variable twice equal 2*temp\nvariable heavy atom mass*2")
        assert sim["v_twice"] == 2 * sim.temperature and sim["v_heavy"].tolist() == [2.0] * sim.n
        nvt.remove()
        with pytest.raises(InputError, match="was removed"):
            _ = nvt.scalar
        assert sim.thermo._repr_html_().count("<tr>") == 4
        assert "temp_berendsen" in dir(sim.fix) and "rdf" in dir(sim.compute) and "lj_cut" in dir(ev.pair)
        assert "pair_coeff I J eps sigma" in str(ev.pair.lj_cut.__doc__)


def test_functions_are_called_in_the_course_of_a_run() -> None:
    with liquid() as sim:
        sim.set_temperature(1.0, seed=4)
        sim.fix.nve()
        seen: list[tuple[int, float]] = []

        @sim.on_step(every=4)
        def watch(s: Simulation) -> None:
            seen.append((s.step, s.energy))
            if s.step == 8:
                s.stop("enough")

        sim.run(20)
        assert [step for step, _ in seen] == [4, 8] and sim.step == 8
        assert seen[-1][1] == pytest.approx(sim.energy, rel=1e-12)
        sim.fix["on_step_1"].remove()
        assert sim.rank == 0 and sim.ranks == 1
        sim.thermo.clear()
        sim.run(4)
        assert len(sim.thermo) == 2 and sim.thermo["step"].tolist() == [8, 12]
        with pytest.raises(KeyError, match="sim.thermo.columns"):
            _ = sim.thermo["pe"]
        assert "unfix" not in sim.script()
        sim.restore(sim.snapshot())
        with pytest.raises(InputError, match="a fix 'nve_1' already"):
            sim.on_step(every=1, id="nve_1")(watch)
        assert len(seen) == 2 and "\nrun 8  # of 20, stopped\n" in sim.script()

        state = sim.snapshot()
        for wrong in (lambda s: s.run(1), lambda s: s.commands("run 1"), lambda s: s.minimize(), lambda s: s.restore(state)):
            sim.on_step(every=1, id="wrong")(wrong)
            with pytest.raises(InputError, match="inside of <lambda>, a function of on_step"):
                sim.run(1)
            sim.fix["wrong"].remove()
            sim.restore(state)

        @sim.on_step(every=1, id="mover")
        def mover(s: Simulation) -> None:
            s.positions = s.positions + 0.1

        with pytest.raises(InputError, match="mover, a function of on_step, sets 'image', and a step"):
            sim.run(1)
        sim.fix["mover"].remove()

        @sim.on_step(every=1)
        def broken(s: Simulation) -> None:
            raise ValueError("no")

        with pytest.raises(InputError, match="broken, called at step 14 by on_step, failed: ValueError: no"):
            sim.run(2)


def test_what_functions_set_is_in_no_script() -> None:
    with liquid() as sim:
        sim.fix.nve()
        before = sim.script()

        @sim.on_step(every=2)
        def cool(s: Simulation) -> None:
            s.velocities = 0.9 * s.velocities

        sim.run(4)
        assert sim.script() == before + "run 4\n"


def test_states_come_back_exactly(tmp_path: Path) -> None:
    with liquid() as sim:
        sim.set_temperature(1.0, seed=4)
        sim.fix.langevin(1.0, 0.5, 77)
        sim.fix.nve()
        sim.thermo.every = 5
        sim.commands(f"dump d all custom 5 {tmp_path / 'd'} id x y z")
        sim.run(10)
        state = sim.snapshot()
        sim.run(10)
        x, v, rows = sim.positions, sim.velocities, sim.thermo.table()
        sim.restore(state)
        assert sim.step == 10 and len(sim.thermo) == 3 and repr(state) == "<Snapshot: step 10, 108 atoms>"
        sim.run(10)
        np.testing.assert_array_equal(sim.positions, x)
        np.testing.assert_array_equal(sim.velocities, v)
        for word, values in rows.items():
            np.testing.assert_array_equal(sim.thermo[word], values)
        assert (tmp_path / "d").read_text().count("TIMESTEP") == 8  # 0 5 10 10 15 20, and again 10 15 20 less the one of 10
        for other in (sim.copy(), pickle.loads(pickle.dumps(sim))):
            with other:
                assert other.step == 20 and other.pair is not None
                np.testing.assert_array_equal(other.positions, x)
                other.run(5)
                moved = other.positions
            sim.restore(state)
            sim.run(10)
            sim.run(5)
            np.testing.assert_array_equal(sim.positions, moved)
            sim.restore(state)
            sim.run(10)


def test_states_of_fixes_that_were_defined_anew() -> None:
    """What is kept of a fix is for the last one of its name."""
    with liquid() as sim:
        sim.set_temperature(1.0, seed=4)
        nvt, msd = sim.fix.nvt(temp=1.0, damp=0.5), sim.compute.msd()
        sim.thermo.columns = ["step", "f_nvt_1", "c_msd_1[4]"]
        sim.run(5)
        sim.thermo.columns = ["step", "temp"]
        nvt.remove()
        msd.remove()
        sim.fix.nvt(temp=(1.0, 2.0), damp=0.4)
        moved = sim.compute.msd()
        sim.run(10)
        state, far = sim.snapshot(), moved.vector
        sim.run(10)
        x = sim.positions
        sim.restore(state)
        np.testing.assert_array_equal(sim.compute["msd_1"].vector, far)
        sim.run(10)
        np.testing.assert_array_equal(sim.positions, x)


def test_scripts_do_it_again() -> None:
    with liquid() as sim:
        sim.set_temperature(1.0, seed=4)
        sim.fix.nve()
        sim.commands("variable i loop 3\nlabel top\nrun $i post no\nif '$i == 2' then 'print two'\nnext i\njump SELF top\n"
                     'variable t string "a b"')
        sim.positions = sim.positions + 0.01
        sim.velocities = sim.velocities * 0.5
        sim.run(5)
        text = sim.script()
        assert "jump" not in text and text.count("\nrun ") == 4 and "print two" in text
        with Simulation(device="serial", tune=False).commands(text) as again:
            assert again.step == sim.step
            np.testing.assert_allclose(again.positions, sim.positions, atol=1e-12)
            assert again.energy == pytest.approx(sim.energy, rel=1e-12)


def test_arrays_where_they_are() -> None:
    with liquid() as sim:
        sim.set_temperature(1.0, seed=4)
        x, temp, energy = sim.positions, sim.temperature, sim.energy
        with sim.local() as d:
            d.v[:] *= 0.5
            row = d.rows([7])[0]
            assert d.n == sim.n and d.id[row] == 7 and d.stream == 0 and np.from_dlpack(d.f).shape == (sim.n, 3)
            np.testing.assert_allclose(d.x[row], sim.gather("x")[6])
            d.x[row] += 0.05
        assert sim.temperature == pytest.approx(0.25 * temp) and sim.energy != energy
        moved = x.copy()
        moved[6] += 0.05
        assert sim.energy == pytest.approx(brute(moved, sim.cell)[0], rel=1e-12)
        with pytest.raises(InputError, match="not valid any more"):
            _ = d.x
        with sim.local() as d, pytest.raises(AttributeError, match="no field 'charges'"):
            _ = d.charges


def test_the_end_and_looks() -> None:
    sim = liquid()
    assert repr(sim).startswith("<Simulation: 108 (108 Ar) atoms, lj/cut, step 0") and "lj/cut" in sim._repr_html_()
    assert not {"engine", "system", "setup", "planner"} & set(dir(sim)) and "energy" in dir(sim)
    thermo, fix = sim.thermo, sim.fix.nve()
    sim.close()
    for call in (lambda: sim.energy, lambda: sim.run(1), lambda: sim.thermo, lambda: sim.gather("x"), lambda: thermo.table(),
                 lambda: fix.remove(), lambda: sim.commands("run 0"), lambda: sim.snapshot()):
        with pytest.raises(InputError, match="is closed"):
            call()
    assert repr(sim) == "<Simulation: closed>"
    sim.close()


def test_warnings_are_those_of_python() -> None:
    with Simulation(device="serial") as sim, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sim.create([[0, 0, 0], [1.5, 0, 0]], cell=[8, 8, 8])
        sim.run(0)
    found = [one for one in caught if issubclass(one.category, EverletWarning)]
    assert any("no pair style" in str(one.message) for one in found) and all(one.filename == __file__ for one in found)


@pytest.mark.parametrize("call, cause", [
    (lambda s: s.create([[0, 0]]), "positions have the shape (1, 2)"),
    (lambda s: s.create([[0, 0, np.nan]]), "not all finite"),
    (lambda s: s.create([[0, 0, 0]], species=["A", "B"]), "2 species and 1 positions"),
    (lambda s: s.create([[0, 0, 0]], species="A", types=[1]), "both species and types"),
    (lambda s: s.create([[0, 0, 0]], types=[0]), "whole numbers from 1"),
    (lambda s: s.create([[0, 0, 0]], cell=[[1, 0, 0], [2, 0, 0], [0, 0, 1]]), "no volume"),
    (lambda s: s.create([[0, 0, 0]], cell=[5, 5, 5], bonds=[[0, 1]]), "bonds name atoms from 0 to 0"),
    (lambda s: s.create([[0, 0, 0]], cell=[5, 5, 5]).create([[0, 0, 0]]), "has a box already"),
    (lambda s: s.positions, "no simulation box"),
    (lambda s: s.read("nowhere.data"), "cannot read 'nowhere.data'"),
    (lambda s: setattr(s, "pair", "lj/cut 2.5"), "sim.pair must be made by everlet.pair"),
    (lambda s: ev.pair.lj_cut(2.5, epsilon=1.0), "sigma of epsilon, sigma not given"),
    (lambda s: ev.pair.lj_cut(2.5, epsilom=1.0, sigma=1.0), "unknown coefficient of lj/cut 'epsilom'"),
    (lambda s: ev.pair.eam_alloy(), "needs FILE"),
    (lambda s: ev.pair.lj_cut(2.5, species=["Cu"]), "knows no elements"),
    (lambda s: s.on_step(every=0), "every 0 steps"),
    (lambda s: setattr(s, "energy", 1.0), "sim.energy cannot be set"),
    (lambda s: s.create([[0, 0, 0]]).charges, "sim.charges needs atoms with charges"),
    (lambda s: setattr(s.create([[0, 0, 0]]), "charges", [1.0]), "sim.charges needs atoms with charges"),
    (lambda s: s.create(np.zeros((3, 3)), types=[1, 2, 1], masses=[1.0, 2.0]), "masses of atoms have the shape (2,)"),
    (lambda s: s.create([[0, 0, 0]], types=["Ar"]), "types are numbers, found names"),
    (lambda s: s.create([[0, 0, 0]], molecules=[1.5]), "molecules must be whole numbers, found 1.5"),
    (lambda s: s.create([[0, 0, 0]], cell="abc"), "a cell is three edges in rows"),
    (lambda s: s.create(np.eye(3), bonds=[[0, 1], [2, 2]]), "row 1 of bonds has an atom twice: [2, 2]"),
    (lambda s: setattr(s, "timestep", "long"), "the time step must be a finite number, found 'long'"),
    (lambda s: s.set_temperature(np.nan, seed=1), "a temperature must be a finite number, found 'nan'"),
    (lambda s: s.minimize(ftol="1e-3"), "ftol must be a finite number, found '1e-3'"),
    (lambda s: s.restore(3), "a state is a Snapshot, found int"),
    (lambda s: ev.pair.ml("a.py:A", depth=1.0), "ml has no coefficients with names, found depth"),
    (lambda s: s.create(np.eye(3), cell=[5, 5, 5], bonds=[[0, 1]], bond_types=[1, 1]), "types of bonds have the shape (2,)"),
    (lambda s: s.create(np.eye(3), cell=[5, 5, 5], bonds=[[0, 1]], bond_types=1.5), "types of bonds are counted from 1"),
])
def test_mistakes_are_named(call: Any, cause: str) -> None:
    with Simulation(device="serial") as sim, pytest.raises(InputError) as caught:
        call(sim)
    assert cause in caught.value.cause and caught.value.remedy


def test_files(tmp_path: Path) -> None:
    ase_io = pytest.importorskip("ase.io")
    with liquid() as sim:
        sim.commands(f"write_data {tmp_path / 'a.data'}")
        assert sim.save(tmp_path / "a.*.restart") == str(tmp_path / "a.0.restart")
        x, energy = sim.positions, sim.energy
    for name in ("a.data", "a.0.restart"):
        with Simulation(device="serial").read(tmp_path / name) as sim:
            sim.pair = ev.pair.lj_cut(2.5, epsilon=1.0, sigma=1.0)
            assert sim.energy == pytest.approx(energy, rel=1e-9) and np.allclose(sim.positions, x)
    build = pytest.importorskip("ase.build")
    copper = build.bulk("Cu", cubic=True)
    for name in ("cu.cif", "cu.xyz", "POSCAR"):
        ase_io.write(tmp_path / name, copper)
        with Simulation(device="serial", units="metal").read(tmp_path / name) as sim:
            assert sim.species == ["Cu"] * 4 and np.allclose(sim.cell, copper.cell[:], atol=1e-4)


def test_styles_go_with_the_system(tmp_path: Path) -> None:
    with liquid() as sim:
        path = sim.save(tmp_path / "a.restart")
        assert sim.pair is not None
        sim.commands("clear")
        assert sim.pair is None
        sim.pair = ev.pair.lj_cut(2.0)
        sim.read(path)
        assert sim.pair is None and "lj/cut" in repr(sim)
        sim.pair = ev.pair.morse(2.0).coeff("*", "*", 1.0, 1.0, 1.0)
        assert sim.pair is not None


def test_data_files_by_their_names(tmp_path: Path) -> None:
    with liquid() as sim:
        for name, kind in (("a.data", "data"), ("data.a", "data"), ("a.restart", "restart"), ("*.data", "data")):
            path = sim.save(tmp_path / name)
            assert file_kind(path) == kind
            with Simulation(device="serial", units="lj").read(path) as again:
                np.testing.assert_allclose(again.positions, sim.positions, atol=1e-12)


def test_what_ase_cannot_read(tmp_path: Path) -> None:
    pytest.importorskip("ase")
    (tmp_path / "some.py").write_text("print(3)\n")
    (tmp_path / "two.xyz").write_text(2 * "1\n\nAr 0 0 0\n")
    with Simulation(device="serial") as sim:
        with pytest.raises(InputError, match="ase.io cannot read") as caught:
            sim.read(tmp_path / "some.py")
        assert "format=" in caught.value.remedy
        with pytest.raises(InputError, match="gives 2 frames"):
            sim.read(tmp_path / "two.xyz", index=":")


def test_trajectories_by_their_endings(tmp_path: Path) -> None:
    with liquid() as sim:
        sim.set_temperature(1.0, seed=3)
        sim.fix.nve()
        for name in ("a.lammpstrj", "a.lammpstrj.gz", "a.xtc", "a.trr", "a.dcd", "a.xyz"):
            sim.dump(tmp_path / name, every=2)
        sim.dump(tmp_path / "full.dump", 2, fields=["velocities", "forces", "images"], id="full")
        sim.run(4)
        with pytest.raises(InputError, match="files of xtc have no velocities"):
            sim.dump(tmp_path / "b.xtc", 2, fields=["velocities"])
        for name in ("a.lammpstrj", "a.lammpstrj.gz", "a.xtc", "a.trr", "a.dcd", "full.dump"):
            frames = list(ev.read_frames(tmp_path / name))
            assert len(frames) == 3 and np.allclose(frames[-1].positions, sim.gather("x"), atol=2e-3), name
    text = (tmp_path / "full.dump").read_text()
    assert "ITEM: ATOMS id type element x y z vx vy vz fx fy fz ix iy iz" in text and "\n1 1 Ar " in text
    assert frames[-1].elements == ["Ar"] * 108
    assert (tmp_path / "a.xyz").read_text().count("Ar") == 324
