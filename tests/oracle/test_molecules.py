"""Molecules against the reference: data files that both programs write after the same commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.molecules import WATER, same_data

BOX = """units real
atom_style full
region b block 0 18.6 0 18.6 0 18.6
create_box 2 b bond/types 1 angle/types 1 extra/bond/per/atom 2 extra/angle/per/atom 1 extra/special/per/atom 2
mass 1 15.9994
mass 2 1.008
molecule w w.mol
pair_style zero 6
pair_coeff * *
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.mol").write_text(WATER)


def test_created_molecules(tmp_path: Path) -> None:
    """On lattice sites with a given rotation; with random ones, everywhere."""
    lines = [f"lattice sc 6.2 origin {0.25 + 0.5 * (i % 2)} {0.25 + 0.5 * (i // 2 % 2)} {0.25 + 0.5 * (i // 4)}\n"
             f"create_atoms 0 box mol w 1 rotate {100 * (i + 1)} 1 2 0\n" for i in range(8)]
    same_data(BOX + "".join(lines) + "write_data a.data nocoeff\n", tmp_path)
    more = """lattice sc 6.2 origin 0.1 0.2 0.3
create_atoms 0 box mol w 4711
create_atoms 0 random 5 123 NULL mol w 99
region c sphere 5 5 5 4 units box
create_atoms 0 region c mol w 5 rotate 30 0 0 1
create_atoms 0 single 1 1 1 mol w 7
write_data b.data nocoeff
"""
    same_data(BOX + more, tmp_path)
