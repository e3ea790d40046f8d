"""Data files with boxes that point anywhere: what is refused (what is read: tests/cases/read-data-general.yaml)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.harness import working_in
from tests.refusals import refused

FILE = """one atom

1 atoms
1 atom types
4 1 0.5 avec
-1 5 0.3 bvec
0.4 -0.7 6 cvec
0.5 -0.2 0.3 abc origin

Masses

1 2

Atoms

1 1 1 1 1
"""


@pytest.mark.parametrize("before, old, new, cause", [
    ("", "0.4 -0.7 6 cvec\n", "", "has no 'cvec' line"), ("", "0.4 -0.7 6 cvec", "0.4 -0.7 -6 cvec", "not right-handed"),
    ("", "0.4 -0.7 6 cvec", "0.4 -0.7 cvec", "cannot understand"),
    ("", "1 atoms\n", "1 atoms\n0 4 xlo xhi\n", "leave one kind out"),
    ("atom_style hybrid sphere dipole\n", "", "", "directions of atoms"), ("dimension 2\n", "", "", "a 2-d box"),
    ("", "1 1 1 1 1", "1 1 9 9 9", "outside")])
def test_refused(before: str, old: str, new: str, cause: str, tmp_path: Path) -> None:
    (tmp_path / "one.data").write_text(FILE.replace(old, new, 1) if old else FILE)
    with working_in(tmp_path):
        refused(before + ("boundary f f f\n" if cause == "outside" else ""), "read_data one.data", cause)


def test_boxes_are_not_added_to(tmp_path: Path) -> None:
    (tmp_path / "one.data").write_text(FILE)
    with working_in(tmp_path):
        refused("read_data one.data\n", "read_data one.data add append", "cannot be added")
