"""Water of four sites against the reference: the charge of the oxygen is beside it, and three atoms share forces on it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.forces.kspace.ewald import Ewald
from tests.oracle.harness import DUMP, Tolerances, compare, run_everlet, run_lmp

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
thermo_style custom step pe evdwl ecoul press pxx pyy pzz pxy pxz pyz
thermo_modify norm no format float %.17g
dump forces all custom 10 {dump} id type xu yu zu fx fy fz
dump_modify forces sort id format float %.17g
fix 1 all nve
timestep 0.2
run {steps}
"""
LJ = "pair_coeff 1 1 0.155 3.15\npair_coeff 2 2 0 1"
SOLVER = "kspace_style {}\nkspace_modify gewald 0.4 compute no"


def water(edge: float = 9.6) -> str:
    """27 molecules, turned at random and a little bent, some of them through the faces of the box."""
    rng, atoms, bonds, angles = np.random.default_rng(3), [], [], []
    for k in range(27):
        centre = (np.array([k % 3, k // 3 % 3, k // 9]) + 0.02 + 0.05 * rng.random(3)) * edge / 3
        axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        bend, (a, b) = np.radians(52.26 + rng.uniform(-2, 2)), 0.9572 + rng.uniform(-0.02, 0.02, 2)
        places = [centre, centre + a * (np.cos(bend) * axes[0] + np.sin(bend) * axes[1]),
                  centre + b * (np.cos(bend) * axes[0] - np.sin(bend) * axes[1])]
        for type, place in zip((1, 2, 2), places, strict=True):
            wraps = np.floor(place / edge).astype(int)
            words = " ".join([*(f"{v:.15g}" for v in place - wraps * edge), *map(str, wraps)])
            atoms.append(f"{len(atoms) + 1} {k + 1} {type} {-1.04 if type == 1 else 0.52} {words}")
        bonds += [f"{2 * k + n} 1 {3 * k + 1} {3 * k + 1 + n}" for n in (1, 2)]
        angles.append(f"{k + 1} 1 {3 * k + 2} {3 * k + 1} {3 * k + 3}")
    return "\n".join(["water", "", "81 atoms", "54 bonds", "27 angles", "2 atom types", "1 bond types", "1 angle types",
                      *(f"0 {edge} {axis}lo {axis}hi" for axis in "xyz"), "", "Masses", "", "1 15.9994", "2 1.008", "",
                      "Atoms # full", "", *atoms, "", "Bonds", "", *bonds, "", "Angles", "", *angles, ""])


def script(style: str, kspace: str = "", special: str = "charmm", steps: int = 0) -> str:
    coeffs = LJ if style.startswith("lj") else "pair_coeff * *"
    modify, solver = ("pair_modify table 0", SOLVER.format(kspace)) if kspace else ("", "")
    return SCRIPT.format(style=style, coeffs=coeffs, special=special, steps=steps, modify=modify, kspace=solver, dump=DUMP)


@pytest.mark.parametrize("special", ["charmm", "lj/coul 0.2 0.5 1"])
@pytest.mark.parametrize("style", ["lj/cut/tip4p/cut 1 2 1 1 0.125 4.2 4.0", "tip4p/cut 1 2 1 1 0.125 4.0",
                                   "lj/cut/tip4p/long 1 2 1 1 0.125 4.0 4.2", "tip4p/long 1 2 1 1 0.125 4.0"])
def test_water(style: str, special: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ewald, "sites", True)  # it computes nothing here
    files, long = {"water.data": water()}, "long" in style
    text = script(style, "pppm/tip4p 1e-4" if long else "", special)
    theirs = run_lmp(text, files, tmp_path / "reference", allowed="WARNING")
    ours = run_everlet(script(style, "ewald 1e-4" if long else "", special), files, tmp_path / "ours", device="reference")
    compare(ours, theirs, Tolerances(start=1e-11))


def test_some_steps(tmp_path: Path) -> None:
    files, text = {"water.data": water()}, script("lj/cut/tip4p/cut 1 2 1 1 0.125 4.2 4.0", steps=20)
    theirs = run_lmp(text, files, tmp_path / "reference", allowed="WARNING")
    compare(run_everlet(text, files, tmp_path / "ours"), theirs, Tolerances(start=1e-11, later=1e-9))


@pytest.mark.parametrize("old, new, message", [
    ("angle_style harmonic\nangle_coeff 1 55 104.52", "", "shape of water"), ("tip4p/cut 1 2", "tip4p/cut 2 1", "hydrogens"),
    ("tip4p/cut 1 2", "tip4p/cut 1 3", "type 3"), ("pair_style tip4p/cut", "pair_style tip4p/long", "kspace_style")])
def test_refusals(old: str, new: str, message: str, tmp_path: Path) -> None:
    text = script("tip4p/cut 1 2 1 1 0.125 4.0")
    assert old in text
    with pytest.raises(Exception) as caught:
        run_everlet(text.replace(old, new), {"water.data": water()}, tmp_path, device="reference")
    assert message in str(caught.value)


def test_a_solver_for_charges_at_atoms_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has charges at atoms"):
        run_everlet(script("tip4p/long 1 2 1 1 0.125 4.0", "ewald 1e-4"), {"water.data": water()}, tmp_path, device="reference")
