"""A run that goes on from a restart file written in the middle of another has the bits of that one: ensembles x constraints x
long-range solvers, charges, potentials, boxes, ranks and threads.

Fixes one by one, and computes with a memory, are in test_continue_everything.py and test_fixes_continue.py.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.harness import working_in

AT, STEPS = 10, 23  # the file is written at this step, of so many
ENSEMBLES = {
    "nve": "fix 1 all nve",
    "nvt": "fix 1 all nvt temp 300 330 50",
    "npt": "fix 1 all npt temp 300 330 50 aniso 1 100 200",
    "langevin": "fix 0 all langevin 300 330 50 4711\nfix 1 all nve",
}
BODIES = {
    "nve": "fix 1 all {} molecule",
    "nvt": "fix 1 all {}/nvt{} molecule temp 300 330 50",
    "npt": "fix 1 all {}/npt{} molecule temp 300 330 50 aniso 1 100 200",
    "langevin": "fix 1 all {} molecule langevin 300 330 50 4711",
}
CONSTRAINTS = ("none", "shake", "rattle", "rigid", "rigid/small")
SOLVERS = {
    "none": "pair_style lj/cut/coul/cut 4.0",
    "ewald": "pair_style lj/cut/coul/long 4.0\nkspace_style ewald 1e-3",
    "pppm": "pair_style lj/cut/coul/long 4.0\nkspace_style pppm 1e-3",
    "pppm/tip4p": "pair_style lj/cut/tip4p/long 1 2 1 1 0.1546 4.0\nkspace_style pppm/tip4p 1e-3",
}
READ = """
units real
atom_style full
read_data water.data
velocity all create 300 4711 loop all
"""
REST = """
{solver}
pair_coeff * * 0 1
pair_coeff 1 1 0.16275 3.16435
bond_style harmonic
bond_coeff 1 450 0.9572
angle_style harmonic
angle_coeff 1 55 104.52
{more}
{motion}
timestep 0.5
thermo_style custom step temp pe ebond evdwl ecoul elong etotal press pxx pxy vol {words}
thermo 1
thermo_modify norm no
"""


def water(edge: int = 3, spacing: float = 3.1, tilt: str = "") -> str:
    """A data file of molecules of TIP4P on a grid, turned at random."""
    rng, atoms, bonds, angles = np.random.default_rng(7), [], [], []
    half, size = np.radians(104.52 / 2), edge * spacing
    for k, site in enumerate(np.ndindex(edge, edge, edge)):
        turn, at = np.linalg.qr(rng.normal(size=(3, 3)))[0], spacing * (np.array(site) + 0.5) + rng.uniform(-0.1, 0.1, 3)
        o = len(atoms) + 1
        for type, q, way in ((1, -1.04844, (0, 0)), (2, 0.52422, (1, 1)), (2, 0.52422, (-1, 1))):
            x, y, z = at + 0.9572 * turn @ (way[0] * np.sin(half), way[1] * np.cos(half), 0.0)
            atoms.append(f"{len(atoms) + 1} {k + 1} {type} {q} {x:.12f} {y:.12f} {z:.12f}")
        bonds += [f"{len(bonds) + 1} 1 {o} {o + 1}", f"{len(bonds) + 2} 1 {o} {o + 2}"]
        angles.append(f"{len(angles) + 1} 1 {o + 1} {o} {o + 2}")
    sections = {"Masses": ["1 15.9994", "2 1.008"], "Atoms # full": atoms, "Bonds": bonds, "Angles": angles}
    head = [f"{len(atoms)} atoms", f"{len(bonds)} bonds", f"{len(angles)} angles", "2 atom types", "1 bond types",
            "1 angle types", *(f"0 {size} {a}lo {a}hi" for a in "xyz"), tilt]
    return "\n".join(["water", "", *head, *(f"\n{name}\n\n" + "\n".join(rows) for name, rows in sections.items())]) + "\n"


def lines_of(ensemble: str, constraint: str, solver: str) -> str:
    """All of a script but the atoms."""
    motion, more, words = ENSEMBLES[ensemble], "", ""
    if constraint.startswith("rigid"):
        motion = BODIES[ensemble].format(*("rigid", "/small" * (constraint != "rigid")) if "{}/" in BODIES[ensemble]
                                         else (constraint,))
        more, words = "neigh_modify exclude molecule/intra all", "f_1"
    elif constraint == "shake":
        first, last = motion.rpartition("\n")[::2]  # forces of constraints come after all others, and before the box changes
        motion = f"{first}\nfix 2 all shake 1e-6 50 0 b 1 a 1\n{last}"
    elif constraint == "rattle":
        if "npt" in motion:
            motion = f"fix 2 all rattle 1e-6 50 0 b 1 a 1\n{motion}"
        else:
            motion += "\nfix 2 all rattle 1e-6 50 0 b 1 a 1"
    return REST.format(solver=SOLVERS[solver], more=more, motion=motion, words=words)


def both(folder: Path, first: str, rest: str, steps: int = STEPS, at: int = AT, **options: object) -> list[Simulation]:
    """The unbroken run, and the one that goes on."""
    with working_in(folder):
        given = {"device": "cpu", "threads": 1, "screen": "none", "tune": False} | options
        sims = [Simulation(**given, log=f"{k}.log") for k in "ab"]
        sims[0].commands(f"{first}{rest}restart {at} r.*\nrun {steps}\n")
        sims[1].commands(f"read_restart r.{at}\n{rest}restart {at} q.*\nrun {steps - at} start 0 stop {steps}\n")
        assert "begins anew" not in Path("b.log").read_text()
    return sims


def same(sims: list[Simulation], at: int = AT) -> None:
    """Bits of atoms, and of all rows that both have written."""
    for field in ("id", "x", "v", "f", "image", *(["q"] if "q" in sims[0].engine.system.atoms.fields else [])):
        one, other = (sim.array(field) for sim in sims)
        assert np.array_equal(one, other), f"{field}: {np.abs(one - other).max():.3g}"
    one, other = (sim.thermo.table() for sim in sims)
    rows = len(other["step"])
    assert {word: float(np.abs(one[word][-rows:] - other[word]).max()) for word in one
            if not np.array_equal(one[word][-rows:], other[word])} == {}


@pytest.mark.parametrize("ensemble, constraint, solver", [
    pytest.param(*case, id=" ".join(case)) for case in product(ENSEMBLES, CONSTRAINTS, SOLVERS)])
def test_water(ensemble: str, constraint: str, solver: str, tmp_path: Path) -> None:
    (tmp_path / "water.data").write_text(water())
    same(both(tmp_path, READ, lines_of(ensemble, constraint, solver)))
