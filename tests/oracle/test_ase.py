"""The calculator of ASE against the reference program: energies, forces and stresses of many styles in an odd cell.

ASE's own Prism turns the cell for the reference, so that both ways of turning are compared, too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet.state.units import Units
from tests.oracle.reference import lmp, table

pytest.importorskip("ase")
from ase import Atoms
from ase.build import bulk
from ase.calculators.lammps import Prism

from everlet.ase import Everlet

TURN = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
SHEAR = np.array([[1.0, 0.0, 0.0], [0.2, 1.02, 0.0], [-0.3, 0.15, 0.97]])
SALT = ["pair_coeff 1 1 424 0.32 1.0", "pair_coeff 1 2 1256 0.32 7.0", "pair_coeff 2 2 3488 0.32 72.0"]
CASES: dict[str, tuple[str, list[str]]] = {
    "lj/cut": ("Cu", ["pair_style lj/cut 5.0", "pair_coeff * * 0.4 2.3", "pair_modify tail yes"]),
    "morse": ("Cu", ["pair_style morse 5.0", "pair_coeff * * 0.34 1.36 2.87"]),
    "buck": ("salt", ["pair_style buck 6.0", *SALT]),
    "buck/coul/long": ("salt", ["pair_style buck/coul/long 6.0", *SALT, "pair_modify table 0", "kspace_style ewald 1e-6"]),
    "lj/cut/coul/long": ("salt", ["pair_style lj/cut/coul/long 6.0", "pair_coeff * * 0.01 2.5", "pair_modify table 0",
                                   "kspace_style pppm 1e-6"]),
    "lj/cut/coul/cut": ("salt", ["pair_style lj/cut/coul/cut 6.0", "pair_coeff * * 0.01 2.5"]),
    "eam": ("Cu", ["pair_style eam", "pair_coeff * * Cu_u3.eam"]),
    "eam/alloy": ("Cu", ["pair_style eam/alloy", "pair_coeff * * Cu_mishin1.eam.alloy Cu"]),
    "eam/fs": ("Fe", ["pair_style eam/fs", "pair_coeff * * Fe_mm.eam.fs Fe"]),
    "sw": ("Si", ["pair_style sw", "pair_coeff * * Si.sw Si"]),
    "tersoff": ("Si", ["pair_style tersoff", "pair_coeff * * Si.tersoff Si"]),
    "snap": ("Ta", ["pair_style snap", "pair_coeff * * Ta06A.snapcoeff Ta06A.snapparam Ta"]),
}


def odd(name: str) -> Atoms:
    """A crystal that is shaken, sheared and turned."""
    if name == "salt":
        atoms = bulk("NaCl", "rocksalt", 5.64, cubic=True)
        atoms.set_initial_charges([1.0 if symbol == "Na" else -1.0 for symbol in atoms.symbols])
        atoms = atoms[[*np.flatnonzero(atoms.symbols == "Na"), *np.flatnonzero(atoms.symbols == "Cl")]]
    else:
        atoms = bulk(name, cubic=True)
        atoms = atoms * (2, 1, 1) if len(atoms) < 8 else atoms
    atoms.rattle(0.05, seed=1)
    atoms.set_cell(SHEAR @ atoms.cell[:] @ TURN, scale_atoms=True)
    return atoms


def reference(folder: Path, atoms: Atoms, commands: list[str], units: str = "metal") -> tuple[float, np.ndarray, np.ndarray]:
    """Energy, forces and stress of the reference, in its units (stress: energy per volume), turned back by ASE."""
    prism = Prism(atoms.cell, atoms.pbc)
    lx, ly, lz, xy, xz, yz = map(float, prism.get_lammps_prism())
    x, symbols = prism.vector_to_lammps(atoms.positions, wrap=True), list(dict.fromkeys(atoms.get_chemical_symbols()))
    charged = atoms.has("initial_charges")
    lines = [f"units {units}", f"atom_style {'charge' if charged else 'atomic'}", "atom_modify map array",
             f"region cell prism 0 {lx!r} 0 {ly!r} 0 {lz!r} {xy!r} {xz!r} {yz!r} units box", f"create_box {len(symbols)} cell"]
    for atom, place in zip(atoms, x.tolist(), strict=True):
        lines.append(f"create_atoms {symbols.index(atom.symbol) + 1} single {' '.join(map(repr, place))} units box")
        if charged:
            lines.append(f"set atom {atom.index + 1} charge {float(atom.charge)!r}")
    lines += ["mass * 1.0", *commands, "thermo_style custom step pe pxx pyy pzz pxy pxz pyz",
              "thermo_modify format float %.17g norm no", "run 0",
              "write_dump all custom forces.dump id fx fy fz modify sort id format float %.17g"]
    log = lmp(folder, "\n".join(lines)).splitlines()
    row = log[next(k for k, line in enumerate(log) if line.split()[:2] == ["Step", "PotEng"]) + 1].split()
    values = np.array(row[1:], float)
    columns = table(folder / "forces.dump")
    xx, yy, zz, xy, xz, yz = -values[1:] / Units.named(units).nktv2p
    stress = prism.tensor2_to_ase(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    forces = prism.vector_to_ase(np.stack([columns["fx"], columns["fy"], columns["fz"]], axis=1))
    return values[0], forces, stress


def differs(a: Any, b: Any) -> float:
    return float(np.abs(np.asarray(a) - b).max() / np.abs(b).max())


@pytest.mark.parametrize("name", CASES)
def test_the_calculator_equals_the_reference(name: str, tmp_path: Path) -> None:
    atoms, commands = odd(CASES[name][0]), CASES[name][1]
    energy, forces, stress = reference(tmp_path, atoms, commands)
    with Everlet(lmpcmds=commands, threads=1) as atoms.calc:
        assert differs(atoms.get_potential_energy(), energy) < 1e-10
        assert differs(atoms.get_forces(), forces) < 1e-10
        assert differs(atoms.get_stress(voigt=False), stress) < 1e-10
        if "tail" not in " ".join(commands):
            assert differs(atoms.get_potential_energies().sum(), energy) < 1e-10
            assert differs(atoms.get_stresses(voigt=False).sum(axis=0), stress) < 1e-10


def test_other_units(tmp_path: Path) -> None:
    import ase.units as u

    atoms = odd("Cu")
    for units, energy_unit, stress_unit, length, scale in (
            ("real", u.kcal / u.mol, u.kcal / u.mol, 1.0, None), ("lj", 0.3, 0.3 / 2.2**3, 2.2,
                                                                  dict(energy=0.3, length=2.2, mass=63.0))):
        ours = atoms.copy()
        ours.set_cell(atoms.cell / length, scale_atoms=True)
        commands = [f"pair_style lj/cut {5.0 / length}", f"pair_coeff * * 9.1 {2.3 / length}"]
        energy, forces, stress = reference(tmp_path, ours, commands, units)
        with Everlet(commands, units=units, scale=scale, threads=1) as atoms.calc:
            assert differs(atoms.get_potential_energy(), energy * energy_unit) < 1e-10
            assert differs(atoms.get_forces(), forces * energy_unit / length) < 1e-10
            assert differs(atoms.get_stress(voigt=False), stress * stress_unit) < 1e-10
