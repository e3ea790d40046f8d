"""Water of four sites against the reference: the charge of the oxygen is beside it, and three atoms share forces on it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.oracle.harness import DUMP, Tolerances, compare, compare_thermo, run_everlet, run_lmp

SCRIPT = """
units real
atom_style full
special_bonds {special}
read_data water.data
pair_style {style}
{coeffs}
{modify}
bond_style harmonic
bond_coeff 1 450 0.9572
angle_style harmonic
angle_coeff 1 55 104.52
{kspace}
thermo_style custom step {thermo}
thermo_modify norm no format float %.17g
dump forces all custom 10 {dump} id type xu yu zu fx fy fz
dump_modify forces sort id format float %.17g
fix 1 all nve
timestep 0.2
run {steps}
"""
LJ = "pair_coeff 1 1 0.155 3.15\npair_coeff 2 2 0 1"
THERMO = "pe evdwl ecoul elong press pxx pyy pzz pxy pxz pyz"
SOLVER = "kspace_style {}\nkspace_modify {}"
NEAR = "gewald 0.4 compute no"


def water(edge: float = 9.6, slab: bool = False) -> str:
    """27 molecules, turned at random and a little bent, some of them through the faces of the box; of a slab not those of z."""
    rng, atoms, bonds, angles = np.random.default_rng(3), [], [], []
    for k in range(27):
        centre = (np.array([k % 3, k // 3 % 3, k // 9]) + 0.02 + 0.05 * rng.random(3)) * edge / 3
        axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        bend, (a, b) = np.radians(52.26 + rng.uniform(-2, 2)), 0.9572 + rng.uniform(-0.02, 0.02, 2)
        places = [centre, centre + a * (np.cos(bend) * axes[0] + np.sin(bend) * axes[1]),
                  centre + b * (np.cos(bend) * axes[0] - np.sin(bend) * axes[1])]
        for type, place in zip((1, 2, 2), places, strict=True):
            wraps = np.floor(place / edge).astype(int) * [1, 1, not slab]
            words = " ".join([*(f"{v:.15g}" for v in place - wraps * edge), *map(str, wraps)])
            atoms.append(f"{len(atoms) + 1} {k + 1} {type} {-1.04 if type == 1 else 0.52} {words}")
        bonds += [f"{2 * k + n} 1 {3 * k + 1} {3 * k + 1 + n}" for n in (1, 2)]
        angles.append(f"{k + 1} 1 {3 * k + 2} {3 * k + 1} {3 * k + 3}")
    return "\n".join(["water", "", "81 atoms", "54 bonds", "27 angles", "2 atom types", "1 bond types", "1 angle types",
                      *(f"0 {edge} {axis}lo {axis}hi" for axis in "xy"), f"{-2 * slab} {edge + 2 * slab} zlo zhi", "",
                      "Masses", "", "1 15.9994", "2 1.008", "",
                      "Atoms # full", "", *atoms, "", "Bonds", "", *bonds, "", "Angles", "", *angles, ""])


def script(style: str, kspace: str = "", special: str = "charmm", steps: int = 0, modify: str = NEAR) -> str:
    coeffs = LJ if style.startswith("lj") else "pair_coeff * *"
    table, solver = ("pair_modify table 0", SOLVER.format(kspace, modify)) if kspace else ("", "")
    return SCRIPT.format(style=style, coeffs=coeffs, special=special, steps=steps, modify=table, kspace=solver,
                         thermo=THERMO, dump=DUMP)


@pytest.mark.parametrize("special", ["charmm", "lj/coul 0.2 0.5 1"])
@pytest.mark.parametrize("style", ["lj/cut/tip4p/cut 1 2 1 1 0.125 4.2 4.0", "tip4p/cut 1 2 1 1 0.125 4.0",
                                   "lj/cut/tip4p/long 1 2 1 1 0.125 4.0 4.2", "tip4p/long 1 2 1 1 0.125 4.0"])
def test_water(style: str, special: str, tmp_path: Path) -> None:
    files, long = {"water.data": water()}, "long" in style
    text = script(style, "pppm/tip4p 1e-4" if long else "", special)
    theirs = run_lmp(text, files, tmp_path / "reference", allowed="WARNING")
    ours = run_everlet(text, files, tmp_path / "ours", device="reference")
    compare(ours, theirs, Tolerances(start=1e-11))


@pytest.mark.parametrize("path", ["1.0", "0.6"])
@pytest.mark.parametrize("style", ["lj/cut/tip4p/long/soft 1 2 1 1 0.125 2 0.5 0.7 4.2 4.0",
                                   "tip4p/long/soft 1 2 1 1 0.125 2 0.7 4.0"])
def test_soft_cores(style: str, path: str, tmp_path: Path) -> None:
    """Where lambda is not 1, forces of the reference are not the slope of its energy: energies alone are compared."""
    text = script(style, "pppm/tip4p 1e-4", "lj/coul 0.2 0.5 1").replace("0.155 3.15", f"0.155 3.15 {path}")
    text = text.replace("pair_coeff 2 2 0 1", f"pair_coeff 2 2 0 1 {path}").replace("pair_coeff * *", f"pair_coeff * * {path}")
    theirs = run_lmp(text, {"water.data": water()}, tmp_path / "reference", allowed="WARNING")
    ours = run_everlet(text, {"water.data": water()}, tmp_path / "ours", device="reference")
    if path == "1.0":
        compare(ours, theirs, Tolerances(start=1e-11))
    for word in ("PotEng", "E_vdwl", "E_coul"):
        np.testing.assert_allclose(ours.thermo[0][word], theirs.thermo[0][word], rtol=1e-11, err_msg=word)


@pytest.mark.parametrize("style", ["lj/cut/tip4p/cut 1 2 1 1 0.125 4.2 4.0", "lj/cut/tip4p/long 1 2 1 1 0.125 4.0 4.2"])
def test_hydrogens_have_no_lennard_jones(style: str, tmp_path: Path) -> None:
    """Whatever coefficients their pairs with others have; one of their own is refused."""
    files, long = {"water.data": water()}, "long" in style
    text = script(style, "pppm/tip4p 1e-4" if long else "", "lj/coul 0.2 0.5 1")
    text = text.replace(LJ, f"{LJ}\npair_coeff 1 2 0.05 2.5\npair_modify tail yes")
    theirs = run_lmp(text, files, tmp_path / "reference", allowed="WARNING")
    ours = run_everlet(text, files, tmp_path / "ours", device="reference")
    compare(ours, theirs, Tolerances(start=1e-11))
    text = text.replace("pair_coeff 2 2 0 1", "pair_coeff 2 2 0.01 1")
    with pytest.raises(InputError, match=f"pair style {style.partition(' ')[0]} leaves .* out, but epsilon of type 2 is 0.01"):
        run_everlet(text, files, tmp_path / "refused", device="reference")


def test_forces_on_hydrogens_are_slopes(tmp_path: Path) -> None:
    (tmp_path / "water.data").write_text(water())
    text = script("lj/cut/tip4p/cut 1 2 1 1 0.125 4.2 4.0").replace(LJ, f"{LJ}\npair_coeff 1 2 0.05 2.5")
    sim = Simulation(device="reference", screen="none", log="none")
    sim.commands(text.partition("dump")[0].replace("water.data", str(tmp_path / "water.data")) + "group one id 5\nrun 0\n")
    atoms, energies = sim.engine.system.atoms, []
    force = atoms.read("f")[list(atoms.read("id")).index(5)].copy()
    for step in (1e-4, -2e-4):
        sim.commands(f"displace_atoms one move {step} 0 0 units box\nrun 0\n")
        energies.append(sim.thermo.table()["pe"][-1])
    sim.close()
    np.testing.assert_allclose(force[0], (energies[1] - energies[0]) / 2e-4, rtol=1e-6)


def test_some_steps(tmp_path: Path) -> None:
    files, text = {"water.data": water()}, script("lj/cut/tip4p/cut 1 2 1 1 0.125 4.2 4.0", steps=20)
    theirs = run_lmp(text, files, tmp_path / "reference", allowed="WARNING")
    compare(run_everlet(text, files, tmp_path / "ours"), theirs, Tolerances(start=1e-11, later=1e-9))


@pytest.mark.parametrize("style, modify, boundary", [
    ("lj/cut/tip4p/long 1 2 1 1 0.125 4.0 4.2", "order 5", "p p p"),
    ("tip4p/long 1 2 1 1 0.125 4.0", "diff ad gewald 0.7 mesh 15 16 18", "p p p"),
    ("tip4p/long 1 2 1 1 0.125 4.0", "slab 3.0", "p p f")])
def test_mesh(style: str, modify: str, boundary: str, tmp_path: Path) -> None:
    """All of it. Of slabs the reference has the forces of the correction but leaves its energy out: test_energy_of_slabs."""
    slab = boundary == "p p f"
    files = {"water.data": water(slab=slab)}
    text = script(style, "pppm/tip4p 1e-4", modify=modify, steps=20).replace("read_data", f"boundary {boundary}\nread_data")
    text = text.replace(" pe ", " ").replace(" elong ", " ") if slab else text
    theirs, ours = run_lmp(text, files, tmp_path / "reference", allowed="WARNING"), run_everlet(text, files, tmp_path / "ours")
    compare(ours, theirs, Tolerances(1e-10, 1e-8))
    said = [[line for line in run.log.splitlines() if "G vector" in line or "grid =" in line] for run in (ours, theirs)]
    assert said[0] and said[0] == said[1]


def test_energy_of_slabs(tmp_path: Path) -> None:
    """That of the reference's pppm with oxygens where the charges are."""
    head, rest = water(slab=True).split("Atoms # full\n\n")
    rows, tail = rest.split("\n\nBonds")
    words = [row.split() for row in rows.splitlines()]
    x = np.array([[float(w) + 9.6 * int(n) for w, n in zip(row[4:7], row[7:], strict=True)] for row in words])
    x[::3] += 0.125 / (0.9572 * np.cos(np.radians(52.26))) / 2 * (x[1::3] + x[2::3] - 2 * x[::3])
    moved = "\n".join(" ".join([*row[:4], *(f"{v:.15g}" for v in place)]) for row, place in zip(words, x, strict=True))
    text = script("tip4p/long 1 2 1 1 0.125 4.0", "pppm/tip4p 1e-4", modify="slab 3.0 gewald 0.7 mesh 15 15 36")
    text = text.replace("read_data", "boundary p p f\nread_data").replace(THERMO, "elong")
    ours = run_everlet(text, {"water.data": water(slab=True)}, tmp_path / "ours")
    text = text.replace("tip4p/long 1 2 1 1 0.125", "coul/long").replace("pppm/tip4p", "pppm")
    files = {"water.data": f"{head}Atoms # full\n\n{moved}\n\nBonds{tail}"}
    theirs = run_lmp(text, files, tmp_path / "reference", allowed="WARNING")
    assert not compare_thermo(ours, theirs, Tolerances(1e-10))


@pytest.mark.parametrize("old, new, message", [
    ("angle_style harmonic\nangle_coeff 1 55 104.52", "", "shape of water"), ("tip4p/cut 1 2", "tip4p/cut 2 1", "hydrogens"),
    ("tip4p/cut 1 2", "tip4p/cut 1 3", "type 3"), ("pair_style tip4p/cut", "pair_style tip4p/long", "kspace_style")])
def test_refusals(old: str, new: str, message: str, tmp_path: Path) -> None:
    text = script("tip4p/cut 1 2 1 1 0.125 4.0")
    assert old in text
    with pytest.raises(Exception) as caught:
        run_everlet(text.replace(old, new), {"water.data": water()}, tmp_path, device="reference")
    assert message in str(caught.value)


@pytest.mark.parametrize("old, new, message", [
    ("tip4p/long 1 2 1 1 0.125", "coul/long", "charges beside oxygens"),
    ("fix 1 all nve", "compute e all pe/atom\ncompute sum all reduce sum c_e\nthermo_style custom step c_sum", "per-atom")])
def test_refusals_of_the_mesh(old: str, new: str, message: str, tmp_path: Path) -> None:
    text = script("tip4p/long 1 2 1 1 0.125 4.0", "pppm/tip4p 1e-4", modify="order 5")
    assert old in text
    with pytest.raises(InputError, match=message):
        run_everlet(text.replace(old, new), {"water.data": water()}, tmp_path, device="reference")


def test_a_solver_for_charges_at_atoms_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has charges at atoms"):
        run_everlet(script("tip4p/long 1 2 1 1 0.125 4.0", "ewald 1e-4"), {"water.data": water()}, tmp_path, device="reference")
