"""Bond-order potentials of hydrocarbons on several ranks: the same energies, forces and virials of atoms as on one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mpi.ranks import columns_agree_with_one
from tests.oracle.test_rebo import EACH, SHARES, STYLES, case


@pytest.mark.parametrize("ranks", [2, pytest.param(3, marks=pytest.mark.all)])
def test_several_ranks_agree_with_one(ranks: int, tmp_path: Path) -> None:
    """A small box, where a rank has images of its own atoms too, and a larger one."""
    scripts = {}
    for style in STYLES:
        for system in ("dense", "graphene"):
            script = case(style, system, "run 10", EACH).full_script()
            name = f"{style.replace('/', '-')} {system}"
            scripts[name] = script.replace("yu zu fx fy fz", f"yu zu fx fy fz {' '.join(SHARES)}"), {}
    columns_agree_with_one(scripts, ranks, tmp_path, ("fx", "fy", "fz", *SHARES), 1e-8)
