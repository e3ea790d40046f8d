"""Constraints of bonds and angles (fix shake, fix rattle) against the reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle.harness import parse_log
from tests.oracle.reference import lmp

SCRIPT = """
units real
atom_style molecular
{before}
read_data molecules.data
pair_style lj/cut 5.0
pair_coeff 1 1 0.1 3.0
pair_coeff 2 2 0.02 1.5
bond_style harmonic
bond_coeff 1 300 1.1
bond_coeff 2 300 0.95
{angles}
velocity all create 300 4321 loop geom
{fixes}
timestep 1.0
thermo 10
thermo_style custom step temp pe emol etotal press pxx pyy pzz pxy pxz pyz lx fnorm
thermo_modify norm no format float %.15g
run {steps}
{after}
"""
ANGLES = "angle_style harmonic\nangle_coeff 1 50 104.52"
MOLECULES = (  # bond types and directions of the partners of a centre; the last one is a triangle with its angle
    [(1, (1, 0, 0))], [(1, (1, 0, 0)), (2, (-0.5, 0.8, 0.1))], [(1, (1, 0, 0)), (2, (-0.4, 0.9, 0)), (1, (-0.3, -0.5, 0.8))],
    [(2, (0.79, 0.61, 0)), (2, (-0.79, 0.61, 0))])


def molecules(path: Path, edge: int = 3, spacing: float = 4.6, seed: int = 5, tilt: float = 0.0,
              offset: float = 0.0) -> None:
    """Molecules of two, three and four atoms on a grid, turned at random, of nearly the right lengths; some go through
    the faces of the box."""
    rng, length = np.random.default_rng(seed), (1.1, 0.95)
    atoms, bonds, angles, size = [], [], [], edge * spacing
    for k, site in enumerate(np.ndindex(edge, edge, edge)):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        place, first = spacing * (np.array(site) + offset + rng.uniform(-0.1, 0.1, 3)), len(atoms) + 1
        atoms.append((k + 1, 1, place))
        for type, way in MOLECULES[k % 4]:
            reach = length[type - 1] * (1.0 + rng.uniform(-0.005, 0.005))
            atoms.append((k + 1, 2, place + reach * turn @ (np.array(way) / np.linalg.norm(way))))
            bonds.append((type, first, len(atoms)) if rng.random() < 0.5 else (type, len(atoms), first))
        if k % 4 == 3:
            angles.append((1, len(atoms) - 1, first, len(atoms)))
    lines = ["molecules", "", f"{len(atoms)} atoms", f"{len(bonds)} bonds", f"{len(angles)} angles", "2 atom types",
             "2 bond types", "1 angle types", *(f"0 {size} {a}lo {a}hi" for a in "xyz"),
             *([f"{tilt} 0 0 xy xz yz"] if tilt else []), "", "Masses", "", "1 12.011", "2 1.008", "", "Atoms # molecular", ""]
    for i, (mol, type, place) in enumerate(atoms):
        wraps = np.floor(place / size).astype(int) if not tilt else np.zeros(3, int)
        x, y, z = place - size * wraps
        lines.append(f"{i + 1} {mol} {type} {x:.15g} {y:.15g} {z:.15g} {wraps[0]} {wraps[1]} {wraps[2]}")
    for title, table in (("Bonds", bonds), ("Angles", angles)):
        lines += ["", title, "", *(f"{k + 1} {' '.join(map(str, row))}" for k, row in enumerate(table))]
    path.write_text("\n".join(lines) + "\n")


def text(fixes: str, steps: int = 100, angles: str = ANGLES, before: str = "", after: str = "") -> str:
    return SCRIPT.format(fixes=fixes, steps=steps, angles=angles, before=before, after=after)


def worst(mine: dict[str, np.ndarray], wanted: dict[str, np.ndarray], rows: slice) -> float:
    """The largest difference, relative to the largest value of a column."""
    mine, wanted = dict(enumerate(mine.values())), dict(enumerate(wanted.values()))
    return max(float(np.abs(mine[name][rows] - wanted[name][rows]).max() / max(np.abs(wanted[name]).max(), 1e-3)) for name in mine)


def compare(script: str, folder: Path, start: float = 1e-10, later: float = 1e-7, threads: int = 1) -> str:
    """Thermo rows of both; gives the log of the reference."""
    log = lmp(folder, script)
    sim = Simulation(device="cpu", threads=threads, screen="none", log="none")
    sim.commands(script)
    mine, wanted = sim.thermo.table(), parse_log(log)[-1]
    assert worst(mine, wanted, slice(0, 1)) < start
    assert worst(mine, wanted, slice(None)) < later
    return log
