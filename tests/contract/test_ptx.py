"""Every kernel compiles for a GPU, whether there is one or not: Python to C, and that to PTX.

Pairs here, the rest in files beside it: a worker of a test run gets whole files.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from everlet.errors import InputError
from everlet.forces.pair import loops
from everlet.forces.pair.schemes.base import pair_scheme
from everlet.forces.pair.schemes.lists import team_shape
from everlet.perf import kernels as measuring
from everlet.portable import programs as launching
from tests.contract.ptx import (
    CLUSTERS,
    FULL,
    ON_GPU,
    PAPER,
    compile_all,
    kernels_of,
    ptx,
)
from tests.contract.styles import ENTRIES
from tests.contract.systems import CPU_ONLY, crystal_box, scattered, simulate


def cases() -> list[Any]:
    """Every style with full lists in mixed precision, whose text is checked most; three of them in double precision too; one
    with all lists and schemes; the rest under the mark `all`.
    """
    found = []
    for name in ENTRIES:
        for precision in ("double", "mixed", "single"):
            for scheme, newton in ON_GPU:
                if precision not in pair_scheme[scheme].precisions:
                    continue
                if (scheme, newton) == FULL:
                    usual = precision == "mixed" or (precision == "double" and name in ("lj/cut", "morse", "table-spline"))
                else:
                    usual = name == "lj/cut" and (precision == "double" or (precision == "mixed" and scheme == "clusters"))
                shape = "tilted" if name == "morse" else "orthogonal"
                marks = [] if usual else [pytest.mark.all]
                found.append(pytest.param(name, scheme, newton, precision, shape, marks=marks))
    return found


@pytest.mark.parametrize("name, scheme, newton, precision, shape", cases())
def test_kernels_compile_to_ptx(name: str, scheme: str, newton: str, precision: str, shape: str, table: Path) -> None:
    compile_all(name, scheme, newton, precision, shape, table)


@pytest.mark.parametrize("team", [4, *(pytest.param(team, marks=pytest.mark.all) for team in (1, 2, 8, 16))])
@pytest.mark.parametrize("scheme, newton", [("half", "on"), FULL, *(pytest.param(*one, marks=pytest.mark.all) for one in
                                                                    (("half", "off"), ("full", "off")))])
def test_teams_compile_to_ptx(scheme: str, newton: str, team: int) -> None:
    """package everlet team N, for a loop without and with tallies."""
    ahead = team_shape(PAPER, 1, team)[1]
    loops_made = [kernel for kernel in kernels_of("lj/cut", scheme, newton, "double") if kernel.body is loops.neighbor_loop]
    assert len(loops_made) == 2
    for kernel in loops_made:
        statics = tuple((name, ahead if name == "AHEAD" else value) for name, value in kernel.statics)
        assert ".visible .entry" in ptx(replace(kernel, team=team, statics=statics))


@pytest.mark.parametrize("precision", ["double", pytest.param("mixed", marks=pytest.mark.all)])
@pytest.mark.parametrize("shape", [CLUSTERS, *(pytest.param(shape, marks=pytest.mark.all) for shape in ("4x1", "8x4", "4x4"))])
def test_cluster_shapes_compile_to_ptx(shape: str, precision: str) -> None:
    found = [ptx(kernel) for kernel in kernels_of("lj/cut", "clusters", "on", precision, clusters=shape)
             if ("CI", int(shape[0])) in kernel.statics]
    assert len(found) == (6 if shape[2:] != "1" else 5)
    assert sum("shfl" in text for text in found) == 2 and sum("vote" in text for text in found) == 1


@pytest.mark.parametrize("precision, wanted, other", [("double", "f64", "f32"), ("single", "f32", "f64")])
def test_the_peak_is_one_of_fused_multiply_adds(precision: str, wanted: str, other: str) -> None:
    text = ptx(measuring.adding(8, precision, chained=True))
    assert len(re.findall(rf"fma\.rn\.{wanted}", text)) >= 8 and f"fma.rn.{other}" not in text


@pytest.mark.parametrize("scheme", CPU_ONLY)
def test_schemes_for_cpus_are_refused_on_a_gpu(scheme: str) -> None:
    with pytest.raises(InputError, match=scheme):
        kernels_of("lj/cut", scheme, "on", "double")


def test_a_run_compiles_nothing_after_its_set_up(compiled: str) -> None:
    """Kernels missing from the list that is compiled ahead would escape these tests, and stop a run to compile."""
    here = scattered(crystal_box(), 24, seed=9)
    sim = simulate(here, ENTRIES["lj/cut"].script(), compiled,
                   "velocity all create 0.5 4711 loop all\nfix 1 all nve\nneighbor 0.05 bin\ntimestep 0.002\nrun 0")
    before = set(launching._programs)
    sim.commands("run 60")
    assert sim.engine.lists is not None and sim.engine.lists.decision.builds > 0
    assert set(launching._programs) == before
