"""Energy conservation of a reactive force field: the total energy of atoms that react drifts no more than the reference's.

What drifts is made by charges that are not exact and by terms that begin at cutoffs of bond orders, not by arithmetic: two
programs that compute the same drift alike, but for what chaos leaves. 10 000 steps of HNS: docs/notebook/performance.md.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.oracle.harness import parse_log, run_everlet
from tests.oracle.reax_systems import cloud
from tests.oracle.reference import lmp

ATOMS = 40
SCRIPT = """
units real
atom_style charge
read_data {data}
pair_style reaxff NULL
pair_coeff * * ffield.reax.cho C H O
fix q all qeq/reaxff 1 0.0 10.0 1e-6 reaxff
neighbor 2.0 bin
neigh_modify every 10 delay 0 check yes
timestep 0.1
"""
RELAX = "min_style cg\nminimize 0 1e-3 200 1000\nreset_timestep 0\nwrite_data relaxed nocoeff\n"
RUN = """
velocity all create 3000 4711 loop all
fix 1 all nve
thermo_style custom step temp etotal
thermo_modify format float %.17g norm yes
thermo {every}
run {steps}
"""


def drift(log: str) -> tuple[float, float]:
    """Of the last run of a log, per atom: change of the energy over the run by a straight line, and scatter about it."""
    table = parse_log(log)[-1]
    t, e = table["Step"] / table["Step"][-1], table["TotEng"]
    slope, start = np.polyfit(t, e, 1)
    return abs(float(slope)), float(np.std(e - slope * t - start))


def hot(folder: Path, steps: int) -> str:
    """The log of a run at 3000 K from a minimum, in which molecules react; the minimum stays in the file `relaxed`."""
    text = SCRIPT.format(data="cloud") + RELAX + RUN.format(every=steps // 100, steps=steps)
    return run_everlet(text, {"cloud": cloud("C H O", atoms=ATOMS, edge=13.0)}, folder).log


@pytest.mark.parametrize("steps", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_reactions_drift_no_more_than_the_reference(steps: int, tmp_path: Path) -> None:
    ours = drift(hot(tmp_path, steps))
    theirs = drift(lmp(tmp_path, SCRIPT.format(data="relaxed") + RUN.format(every=steps // 100, steps=steps), limit=1800.0))
    assert ours[0] < theirs[0] + 2.0 * theirs[1] and ours[1] < 1.5 * theirs[1], (ours, theirs)
