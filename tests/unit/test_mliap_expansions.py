"""pair style mliap with descriptors that are outputs of expansions, ace and so3, without the reference code: sums of their
definitions in plain NumPy, finite differences, loops of GPUs, shares of atoms, tables for fits."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import Simulation, descriptors
from everlet.forces.manybody.ace import scheme
from everlet.forces.manybody.ace.scheme import ExpansionScheme
from everlet.forces.manybody.mliap.so3 import read_spectrum
from tests import ace_reference as plain
from tests.oracle.test_mliap import SO3, network
from tests.refusals import told
from tests.unit.test_mliap import forces_are_slopes

BOX = np.array([6.1, 5.9, 6.3])


def atoms(n: int = 8) -> np.ndarray:
    rng = np.random.default_rng(5)
    grid = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1]), axis=-1).reshape(-1, 3)[:n]
    return (grid * 0.5 + 0.25 + rng.uniform(-0.13, 0.13, (n, 3))) * BOX


def simulate(pair: str, types: int = 2, device: str = "serial", n: int = 8, threads: int = 0) -> Simulation:
    sim = Simulation(device=device, threads=threads, log="none")
    made = "\n".join(f"create_atoms {k % types + 1} single {a:.17g} {b:.17g} {c:.17g} units box"
                     for k, (a, b, c) in enumerate(atoms(n)))
    sim.commands(f"units metal\nregion box block 0 {BOX[0]} 0 {BOX[1]} 0 {BOX[2]} units box\ncreate_box {types} box\n"
                 f"mass * 10.0\n{made}\nneighbor 0.5 bin\n{pair}\ncompute e all pe/atom\n"
                 "compute s all stress/atom NULL virial\ncompute t all reduce sum c_e c_s[*]\n"
                 "thermo_style custom step pe c_t[*]\nrun 0")
    return sim


def state(sim: Simulation) -> tuple[float, np.ndarray, np.ndarray]:
    return float(sim.engine.system.energies["vdwl"]), sim.gather("f"), np.array(sim.engine.system.virial)


def linear_ace(folder: Path, inner: str, rank: int = 4) -> tuple[str, dict[str, Any]]:
    """A pair style of made-up functions with coefficients, and the expansion that it is: an energy that is their sum."""
    spec = plain.made_up(densities=1, inner=inner, rank=rank)
    rng, count = np.random.default_rng(3), max(map(len, spec["functions"].values()))
    values = rng.uniform(-1, 1, (2, count + 1))
    (folder / "my.yace").write_text(plain.text(spec))
    (folder / "my.model").write_text(f"2 {count + 1}\n" + "\n".join(f"{value:.17g}" for value in values.ravel()) + "\n")
    whole = copy.deepcopy(spec)
    whole["E0"] = values[:, 0].tolist()
    for s in range(2):
        whole["embeddings"][s] |= {"FS_parameters": [1.0, 1.0], "rho_core_cutoff": 1e9}
        for k, f in enumerate(sorted(whole["functions"][s], key=lambda f: f["rank"] > 1)):
            f["ctildes"] = [values[s, k + 1] * c for c in f["ctildes"]]
        for t in range(2):
            whole["bonds"][s, t]["prehc"] = 0.0
    return f"pair_style mliap model linear {folder}/my.model descriptor ace {folder}/my.yace\npair_coeff * * ", whole


@pytest.mark.parametrize("device, inner", [("serial", "distance"), ("reference", "density"), ("gpu", "distance")])
def test_functions_of_an_expansion(device: str, inner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if device == "gpu":  # its loops, on a CPU
        monkeypatch.setattr(ExpansionScheme, "on_many_threads", True)
    n = 3 if device == "reference" else 8
    pair, whole = linear_ace(tmp_path, inner, 2 if device == "reference" else 4)
    energies, forces, virial = plain.expected(whole, atoms(n), np.arange(n) % 2, BOX)
    found = state(simulate(pair + "Al Ni", 2, "serial" if device == "gpu" else device, n))
    assert found[0] == pytest.approx(energies.sum(), rel=1e-9)
    np.testing.assert_allclose(found[1], forces, atol=1e-9 * np.abs(forces).max())
    np.testing.assert_allclose(found[2], virial[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]], atol=1e-9 * np.abs(virial).max())


def with_spectra(folder: Path) -> str:
    (folder / "my.model").write_text(network(9, "tanh 3 sigmoid 1"))
    (folder / "my.descriptor").write_text(SO3.replace("nmax 3", "nmax 2").replace("lmax 3", "lmax 2"))
    return f"pair_style mliap model nn {folder}/my.model descriptor so3 {folder}/my.descriptor\npair_coeff * * "


@pytest.mark.parametrize("device", ["serial", "reference", "cpu", "gpu", "chunks"])
def test_networks_of_power_spectra(device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forces are slopes of the energy; energies and virials of atoms add up; all ways give the same."""
    pair, n = with_spectra(tmp_path), 4 if device == "reference" else 8
    wanted = state(simulate(pair + "B A", n=n))
    if device == "gpu":
        monkeypatch.setattr(ExpansionScheme, "on_many_threads", True)
    if device == "chunks":  # a tile at a time
        monkeypatch.setattr(scheme, "NEAR_ATOMS", 1)
    place = "serial" if device in ("gpu", "chunks") else device
    sim = simulate(pair + "B A", device=place, n=n, threads=2 if device == "cpu" else 0)
    energy, force, virial = state(sim)
    row = {name: values[-1] for name, values in sim.thermo.table().items()}
    assert row["c_t[1]"] == pytest.approx(energy, rel=1e-12) == row["pe"]
    np.testing.assert_allclose([row[f"c_t[{k}]"] for k in range(2, 8)], -sim.engine.system.units.nktv2p * virial, rtol=1e-9,
                               atol=1e-9 * np.abs(sim.engine.system.units.nktv2p * virial).max())
    for found, other in zip((energy, force, virial), wanted, strict=True):
        np.testing.assert_allclose(found, other, rtol=1e-11, atol=1e-13)
    if device != "serial":
        return
    forces_are_slopes(sim, force, ((0, 0), (3, 1), (2, 2)), 1e-9)


def test_types_without_an_element_are_not_there(tmp_path: Path) -> None:
    """Atoms of other types are neither described nor neighbours, and have no energy though the network has one for zeros."""
    over = with_spectra(tmp_path).replace("pair_style ", "pair_style hybrid/overlay zero 4.0 ").replace("* * ", "* * mliap ")
    sim = simulate(over + "A NULL\npair_coeff * * zero", n=6)
    alone = Simulation(device="serial", log="none")
    made = "\n".join(f"create_atoms 1 single {a:.17g} {b:.17g} {c:.17g} units box" for a, b, c in atoms(6)[::2])
    alone.commands(f"units metal\nregion box block 0 {BOX[0]} 0 {BOX[1]} 0 {BOX[2]} units box\ncreate_box 1 box\nmass * 10\n"
                   f"{made}\n{with_spectra(tmp_path)}A\nrun 0")
    assert sim.engine.system.energies["vdwl"] == pytest.approx(alone.engine.system.energies["vdwl"], rel=1e-12)
    np.testing.assert_allclose(sim.gather("f")[::2], alone.gather("f"), atol=1e-13)
    assert not sim.gather("f")[1::2].any()


def test_a_fit_has_the_columns_of_a_potential(tmp_path: Path) -> None:
    """The table of compute mliap times the coefficients is what the pair style gives, with functions of one factor and more."""
    pair, _ = linear_ace(tmp_path, "density")
    sim = simulate(f"{pair}Al Ni\ncompute m all mliap model linear descriptor ace {tmp_path}/my.yace")
    coefficients = np.array((tmp_path / "my.model").read_text().split()[2:], float)
    table = sim.engine.system.computes["m"].array()
    energy, force, virial = state(sim)
    rows = table[:, :-1] @ coefficients
    np.testing.assert_allclose(rows[0], energy, rtol=1e-11)
    np.testing.assert_allclose(rows[1:-6], force.ravel(), atol=1e-11 * np.abs(force).max())
    # made-up functions do not stay the same when atoms are turned: their virial is not symmetric
    np.testing.assert_allclose(rows[-6:-3], virial[:3], atol=1e-11 * np.abs(virial).max())
    np.testing.assert_allclose(table[1:-6, -1], force.ravel(), rtol=1e-13)
    d, slopes = descriptors(sim, "ace", tmp_path / "my.yace", gradients="summed", elements=["Al", "Ni"])
    np.testing.assert_allclose(d[::2].sum(axis=0), table[0, 1 : d.shape[1] + 1], rtol=1e-11, atol=1e-13)
    assert slopes.shape == (8, 3, 2, d.shape[1])


@pytest.mark.parametrize("text, cause", [
    (SO3 + "nmax 3\n", "line 10: nmax is set twice"),
    (SO3.replace("nmax 3", "nmax 3.5"), "line 3: '3.5' is not a whole number"),
    (SO3.replace("lmax 3", "lmax 40"), "line 4: lmax is 40"),
    (SO3.replace("alpha 1.5", "alpha 0"), "line 5: alpha is 0"),
    (SO3.replace("alpha 1.5\n", ""), "has no alpha"),
    (SO3.replace("alpha", "alfa"), "line 5: unknown keyword of so3 'alfa'"),
    (SO3.replace("welems 1.0 0.7", "welems 1.0"), "1 values of welems for 2 elements"),
])
def test_bad_descriptors_are_refused(text: str, cause: str, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text(text)
    with told(cause):
        read_spectrum(tmp_path / "bad")
