"""Dispersion of all images, pair styles and solvers, against the reference; shares of special pairs and of single atoms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.oracle.harness import DUMP, FORCES_NOW, Tolerances, compare, run_everlet, run_lmp
from tests.oracle.test_kspace import ions
from tests.oracle.test_special_charges import chains
from tests.scripts import crystal

SCRIPT = """
units lj
atom_style charge
boundary {boundary}
read_data ions.data
pair_style {pair}
pair_coeff 1 1 {like}
pair_coeff 2 2 {other}
{more}
pair_modify table 0 table/disp 0
kspace_style {solver} 1e-4
{modify}
thermo_style custom step pe evdwl ecoul elong press pxx pyy pzz pxy pxz pyz
""" + FORCES_NOW
GIVEN = "kspace_modify gewald 0.8 mesh 16 18 20 gewald/disp 0.7 mesh/disp 12 15 16"
LONG = "lj/long/coul/long long long 4.0"
CASES: dict[str, tuple[str, tuple[str, ...], bool]] = {  # pair, more lines, tilted
    "geometric": (LONG, (), False),
    "arithmetic": (LONG, ("pair_modify mix arithmetic",), False),
    "own": (LONG, ("pair_coeff 1 2 1.4 0.7 3.5",), False),
    "tilted": (LONG, ("kspace_modify gewald 0.6",), True),
    "alone": ("lj/long/coul/long long off 4.0", (), False),
    "alone-arithmetic": ("lj/long/coul/long long off 4.0", ("pair_modify mix arithmetic", "kspace_modify force 1e-3"), False),
    "cut": ("lj/long/coul/long cut long 3.5 4.0", (), False),
    "buck": ("buck/long/coul/long long long 4.0", ("pair_coeff 1 2 110 0.2 2.5",), False),
}

MESHES: dict[str, tuple[str, tuple[str, ...], bool]] = {
    "mesh ik": (LONG, (f"{GIVEN} order/disp 4 diff ik",), False),
    "mesh ad": (LONG, ("pair_modify mix arithmetic", f"{GIVEN} order/disp 6 diff ad"), False),
    "mesh geom": ("lj/long/coul/long long off 4.0", ("pair_modify mix arithmetic", f"{GIVEN} mix/disp geom diff ik"), False),
    "mesh buck": ("buck/long/coul/long long long 4.0", ("pair_coeff 1 2 110 0.2 2.5", f"{GIVEN} diff ad"), False),
}


def script(name: str) -> tuple[str, dict[str, str]]:
    pair, modify, tilted = {**CASES, **MESHES}[name]
    like, other = ("100 0.3 2", "120 0.25 3") if "buck" in pair else ("1.0 0.9", "0.5 1.1")
    text = SCRIPT.format(boundary="p p p", pair=pair, like=like, other=other, dump=DUMP,
                         solver="pppm/disp" if name in MESHES else "ewald/disp",
                         more="\n".join(line for line in modify if line.startswith("pair")),
                         modify="\n".join(line for line in modify if not line.startswith("pair")))
    return text, {"ions.data": ions(tilted, 0.0)}


@pytest.mark.parametrize("name", [*CASES, *MESHES])
def test_against_the_reference(name: str, tmp_path: Path) -> None:
    text, files = script(name)
    expected = run_lmp(text, files, tmp_path / "reference", allowed="WARNING")
    found = run_everlet(text, files, tmp_path / "ours", device="reference")
    compare(found, expected, Tolerances(1e-11))
    words = "  G vector", "  Dispersion G", "  Dispersion grid"
    said = [[line for line in log.splitlines() if line.startswith(words)] for log in (expected.log, found.log)]
    assert said[0] and said[0] == said[1]


@pytest.mark.parametrize("solver, atoms, device", [
    ("ewald/disp 1e-3", "charge", "reference"), ("ewald/disp 1e-3", "atomic", "serial"),
    ("pppm/disp 1e-3\nkspace_modify gewald/disp 0.7 mesh/disp 10 9 12 diff ik", "atomic", "reference")],
    ids=["zeros", "none", "none-mesh"])
def test_atoms_without_charges(solver: str, atoms: str, device: str, tmp_path: Path) -> None:
    """They have none, or all of them are zero, and the pair style is told so."""
    text = crystal("0 3 0 3 0 3", "fcc 0.8442", types=2, first=f"atom_style {atoms}") + f"""
mass * 1.0
set atom 1*40 type 2
displace_atoms all random 0.05 0.05 0.05 12345
pair_style lj/long/coul/long long off 2.4
pair_coeff 1 1 1.0 1.0
pair_coeff 2 2 0.7 0.9
pair_modify table/disp 0
kspace_style {solver}
thermo_style custom step pe evdwl ecoul elong press pxx pyy pzz pxy pxz pyz
""" + FORCES_NOW.format(dump=DUMP)
    found = run_everlet(text, {}, tmp_path / "ours", device=device)
    compare(found, run_lmp(text, {}, tmp_path / "reference", allowed="WARNING"), Tolerances(start=1e-10))


@pytest.mark.parametrize("style, coeffs", [
    ("lj/long/coul/long long long 2.6", "pair_coeff 1 1 0.8 0.7\npair_coeff 2 2 1.0 0.8"),
    ("lj/long/coul/long long off 2.6", "pair_coeff 1 1 0.8 0.7\npair_coeff 2 2 1.0 0.8"),
    ("buck/long/coul/long long long 2.6", "pair_coeff * * 100 0.25 2")])
def test_special_pairs(style: str, coeffs: str, tmp_path: Path) -> None:
    text = f"""
units lj
atom_style full
special_bonds lj 0 0.3 0.6 coul 0 0.5 0.8
read_data chains.data
pair_style {style}
{coeffs}
pair_modify table 0 table/disp 0
kspace_style ewald/disp 1e-4
kspace_modify gewald 0.9
bond_style harmonic
bond_coeff * 100 0.95
thermo_style custom step pe evdwl ecoul elong press pxx pyy pzz pxy pxz pyz
""" + FORCES_NOW.format(dump=DUMP)
    files = {"chains.data": chains()}
    theirs = run_lmp(text, files, tmp_path / "reference", allowed="WARNING")
    compare(run_everlet(text, files, tmp_path / "ours", device="reference"), theirs, Tolerances(start=1e-11))


def simulation(tmp_path: Path, name: str, device: str = "serial") -> Simulation:
    text, files = script(name)
    (tmp_path / "ions.data").write_text(files["ions.data"])
    sim = Simulation(device=device, screen="none", log="none")
    sim.commands(text.replace("ions.data", str(tmp_path / "ions.data")).partition("thermo_style")[0])
    return sim


@pytest.mark.parametrize("solvers", [("ewald/disp 1e-7\nkspace_modify gewald 1.1", "ewald/disp 1e-7\nkspace_modify gewald 1.3"),
                                     ("ewald/disp 1e-6\nkspace_modify gewald 1.1", "pppm/disp 1e-5\nkspace_modify order 7 "
                                      "order/disp 7 gewald 1.1 gewald/disp 1.1 mesh 36 36 40 mesh/disp 30 36 36")])
def test_energies_do_not_depend_on_the_split(solvers: tuple[str, ...], tmp_path: Path) -> None:
    """Near and far part together; those of atoms add up to them, on lanes."""
    found = []
    for solver in solvers:
        sim = simulation(tmp_path, "arithmetic")
        sim.commands(f"kspace_style {solver}\ncompute 1 all pe/atom kspace\ncompute 2 all stress/atom NULL kspace\nrun 0")
        energies, ledger = sim.engine.system.energies, sim.engine.system.ledger
        virial = next(term.virial for name, term in ledger.terms.items() if name in ("ewald", "pppm/disp"))
        assert abs(sim.engine.system.computes["1"].now("peratom").sum() / energies["long"] - 1.0) < 1e-11
        assert np.allclose(-sim.engine.system.computes["2"].now("peratom").sum(0), virial, rtol=1e-9, atol=1e-10)
        found.append((energies["vdwl"] + energies["coul"] + energies["long"], sim.gather("f"), virial))
    assert found[0][0] == pytest.approx(found[1][0], rel=2e-6)
    np.testing.assert_allclose(found[0][1], found[1][1], atol=2e-5)


@pytest.mark.parametrize("line, said", [
    ("kspace_style pppm 1e-4", "has no dispersion"),
    ("kspace_modify gewald/disp 0.7", "one splitting parameter"),
    ("kspace_style pppm/disp 1e-4", "needs the splitting parameter and the mesh"),
    ("pair_modify mix sixthpower", "no sum of products"),
    ("pair_modify tail yes", "neither shift nor tail"),
    ("pair_style hybrid/overlay lj/long/coul/long long long 4.0 zero 4.0\npair_coeff * * lj/long/coul/long 1 1\n"
     "pair_coeff * * zero", "no hybrid style")])
def test_refusals(line: str, said: str, tmp_path: Path) -> None:
    sim = simulation(tmp_path, "geometric", "reference")
    with pytest.raises(InputError) as caught:
        sim.commands(f"{line}\nrun 0")
    assert said in str(caught.value)
