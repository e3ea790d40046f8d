"""Bonds whose length at rest is that at the start: restart files know it, a new bond_style does not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.harness import load_case
from tests.oracle.side_by_side import both_tables, same_tables
from tests.refusals import refused

CASE = load_case(Path(__file__).parents[1] / "cases" / "bond-harmonic-restrain.yaml")
SCRIPT = CASE.script.replace("hybrid harmonic harmonic/restrain", "harmonic/restrain").replace(
    "bond_coeff 1 harmonic/restrain 5.0\nbond_coeff 2 harmonic 3.0 1.4", "bond_coeff * 5.0")
TABLE = "thermo_style custom step pe ebond press pxy\nthermo_modify norm no format float %.15g\n"


def test_restart_and_begin_anew(tmp_path: Path) -> None:
    script = (f"{SCRIPT}\n{TABLE}run 5\nwrite_restart at.5\nclear\nread_restart at.5\nspecial_bonds lj 0 0.5 1\n"
              f"comm_modify cutoff 3.5\npair_style lj/cut 1.5\npair_coeff * * 0.1 1.0\ntimestep 0.01\nfix 1 all nve\n"
              f"{TABLE}run 5\nbond_style harmonic/restrain\nbond_coeff * 5.0\nrun 2\n")
    ours, theirs = both_tables(tmp_path, script)
    same_tables(ours, theirs)
    bonds = next(name for name in ours[-1] if "bond" in name.lower())
    assert ours[-2][bonds][0] > 0.01 and abs(ours[-1][bonds][0]) < 1e-20


def test_bonds_that_are_added_are_refused() -> None:
    refused(SCRIPT, "fix 3 all bond/create 1 1 1 1.1 1\nrun 0", "fix 3 adds bonds")


@pytest.mark.parametrize("threads", [1, 2])
def test_slopes(threads: int) -> None:
    """Forces are slopes of the energy, of a start that is not now."""
    sim = Simulation(device="cpu", threads=threads, screen="none", log="none")
    sim.commands(f"{SCRIPT}\nspecial_bonds lj 0 0 0\npair_coeff * * 0 1\nrun 0\n")
    row, step = int(np.abs(sim.forces).sum(axis=1).argmax()), 1e-5
    force, energies = sim.forces[row, 1], []
    for way in (step, -2.0 * step):
        places = sim.positions.copy()
        places[row, 1] += way
        sim.positions = places
        sim.commands("run 0")
        energies.append(sim.energy)
    assert -(energies[0] - energies[1]) / (2.0 * step) == pytest.approx(force, rel=1e-7)
