"""Kernels of many-body potentials compile to PTX."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet.errors import InputError
from everlet.forces.manybody.snap import scheme as snap_scheme
from tests.contract.ptx import (
    DOUBLE_ONLY,
    EXTERNAL,
    MANY,
    REGIONS,
    SCRIPT,
    kernels_for,
    kernels_of,
    kernels_of_pace,
    ptx,
)
from tests.oracle.test_uf3 import made_up as made_up_splines
from tests.unit.test_snap import write


@pytest.mark.parametrize("team, ahead", [(8, 8), *(pytest.param(*one, marks=pytest.mark.all) for one in
                                                   ((1, 1), (2, 2), (4, 2), (16, 4)))])
def test_snap_with_teams_and_products_of_any_number(team: int, ahead: int, tmp_path: Path) -> None:
    write(tmp_path, 2)
    files = f"{tmp_path / 'my.snapcoeff'} {tmp_path / 'my.snapparam'}"
    lines = SCRIPT.format(units="metal", newton="on", region=REGIONS["orthogonal"], types=1,
                          pair=f"package everlet team {team} ahead {ahead}\npair_style snap\npair_coeff * * {files} A")
    found = [one for one in kernels_for(lines, "full", "double")
             if one.name in ("team_neighbours", "team_forces", "multiply_tile")]
    assert {one.team for one in found} == {team, snap_scheme.BLOCK} and len(found) == 4
    for kernel in found:
        text = ptx(kernel)
        assert text.count(".visible .entry") == 1 and not EXTERNAL.search(text)


def test_kernels_of_pace_compile_to_ptx(tmp_path: Path) -> None:
    for kernel in kernels_of_pace(tmp_path):
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel))


@pytest.mark.parametrize("precision", ["double", pytest.param("mixed", marks=pytest.mark.all)])
@pytest.mark.parametrize("name, scheme", [(name, "full") for name in MANY] + [("eam", "half")])
def test_many_body_kernels_compile_to_ptx(name: str, scheme: str, precision: str) -> None:
    if precision == "mixed" and name in DOUBLE_ONLY:
        with pytest.raises(InputError, match="not accurate enough in mixed precision"):
            kernels_of(name, scheme, "on", precision)
        return
    for kernel in kernels_of(name, scheme, "on", precision):
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel))


def test_splines_with_any_knots_compile_to_ptx(tmp_path: Path) -> None:
    """Those of uf3 at equal distances are among the files above."""
    (tmp_path / "my.uf3").write_text(made_up_splines(False))
    lines = SCRIPT.format(units="metal", newton="on", region=REGIONS["orthogonal"], types=2,
                          pair=f"pair_style uf3 3\npair_coeff * * {tmp_path / 'my.uf3'} A B")
    found = [kernel for kernel in kernels_for(lines, "full", "double") if kernel.name in ("neighbor_loop", "threebody_loop")]
    assert len(found) == 4
    for kernel in found:
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel))
