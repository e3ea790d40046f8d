"""pair style multi/lucy: tables that are sampled anew, forces as slopes, kernels on a GPU, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.contract.ptx import EXTERNAL, REGIONS, SCRIPT, kernels_for, ptx
from tests.oracle.harness import Case, Tolerances, compare, run_everlet, run_lmp, working_in
from tests.oracle.test_cases import cache  # noqa: F401  (a fixture)
from tests.refusals import refused
from tests.slopes import check_slopes
from tests.tables import rows

ATOMS = """
units lj
atom_style dpd
lattice fcc 1.2
region box block 0 4 0 4 0 4
create_box 1 box
create_atoms 1 box
mass 1 1.0
set group all dpd/theta 1.0
displace_atoms all random 0.15 0.15 0.15 2377
"""


def table(many: int) -> str:
    rho = np.linspace(0.05, 3.0, many)
    lines = [f"{k} {q:.17g} {0.3 * q**4 + q**2 - 0.5 * q:.17g} {1.2 * q**3 + 2.0 * q - 0.5:.17g}" for k, q in enumerate(rho, 1)]
    return "\n".join(["OTHER", "N 2", "", "1 1 1 1", "2 2 2 2", "", "FLUID", f"N {many} R 0.05 3.0", "", *lines, ""])


@pytest.mark.parametrize("line, reach", [("linear 101", "2.0"), ("lookup 301", "1.9"), ("linear 151", "")])
def test_agrees_with_the_reference(line: str, reach: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    """Of splines with many points: at their ends those of the reference have another slope."""
    one = Case("multi/lucy", f"{ATOMS}pair_style multi/lucy {line}\npair_coeff * * t.table FLUID {reach}\nfix 1 all nve\n"
               "velocity all create 0.5 87287\ntimestep 0.002\nneighbor 0.4 bin", "run 10", 5, [], {"t.table": table(4001)})
    compare(run_everlet(one.full_script(), one.files, tmp_path / "run"), run_lmp(one.full_script(), one.files, cache),
            Tolerances(1e-11, 1e-9))


def test_forces_are_slopes(tmp_path: Path) -> None:
    """But for the length of the lines between values."""
    (tmp_path / "t.table").write_text(table(2001))
    with working_in(tmp_path), Simulation(device="serial", screen="none") as sim:
        sim.commands(f"{ATOMS}pair_style multi/lucy linear 400001\npair_coeff * * t.table FLUID 2.0\n"
                     "thermo_style custom step pe\nthermo_modify norm no\nrun 0")
        check_slopes(sim, ((0, 0), (17, 2)), 2e-4)


def test_kernels_compile_to_ptx(tmp_path: Path) -> None:
    (tmp_path / "t.table").write_text(table(9))
    pair = f"pair_style multi/lucy linear 11\npair_coeff * * {tmp_path / 't.table'} FLUID 2.5"
    lines = SCRIPT.format(units="lj", newton="on", region=REGIONS["orthogonal"], types=2, pair=pair)
    for kernel in kernels_for(lines, "full", "double"):
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel)), kernel.name


@pytest.mark.parametrize("lines, cause", rows(r"""
pair_style multi/lucy spline 11 -> spline
pair_style multi/lucy linear 1 -> 2 or more
pair_style multi/lucy linear 11\npair_coeff 1 1 t.table FLUID 2 -> for all types
pair_style multi/lucy linear 11\npair_coeff * * t.table NONE 2 -> no section 'NONE'
pair_style multi/lucy linear 11\npair_coeff * * t.table FLUID -4 -> a cutoff of -4
pair_style multi/lucy linear 11\nrun 0 -> no pair_coeff
pair_style multi/lucy linear 11\npair_coeff * * none.table FLUID -> cannot read table file
"""))
def test_refused(lines: str, cause: str, tmp_path: Path) -> None:
    (tmp_path / "t.table").write_text(table(9))
    with working_in(tmp_path):
        refused(ATOMS, lines, cause)
