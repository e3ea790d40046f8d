"""pair_style list: what is refused, pairs that are gone, restart files."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet import InputError, Simulation

START = """units lj
region b block 0 9 0 9 0 9
create_box 1 b
create_atoms 1 single 0.5 4 4
create_atoms 1 single 8.5 4 4
mass 1 1
"""


def energy(folder: Path, text: str, words: str = "", more: str = "") -> float:
    (folder / "pairs.txt").write_text(text)
    with Simulation(screen="none", device="reference") as sim:
        sim.commands(f"{START}pair_style list {folder / 'pairs.txt'} 3 {words}\npair_coeff * *\n{more}"
                     "thermo_modify norm no\nrun 0")
        return float(sim["pe"])


@pytest.mark.parametrize(("line", "words"), [
    ("1 2 spring 1 2", "line 2: '1 2 spring 1'"), ("1 2 harmonic 1", "1 numbers"), ("1 1 harmonic 1 2", "atoms 1 and 1"),
    ("1 2 harmonic 1 b", "not a number"), ("1 2.5 harmonic 1 1", "not a whole number"), ("1 2 lj126 1 1 -3", "cutoff of -3"),
    ("1 7 harmonic 1 1", "there is no atom 7")])
def test_files_are_refused(tmp_path: Path, line: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        energy(tmp_path, f"# pairs\n{line}\n")


def test_the_nearest_image_counts(tmp_path: Path) -> None:
    assert energy(tmp_path, "1 2 harmonic 3 1.5\n") == pytest.approx(0.75, rel=1e-12)
    assert energy(tmp_path, "1 2 harmonic 3 1.5 0.9\n") == 0.0
    shifted = energy(tmp_path, "1 2 lj126 1 1 2.5\n", more="pair_modify shift yes\n")
    assert shifted == pytest.approx(4.0 * (0.4**6 - 0.4**12), rel=1e-12)


def test_atoms_that_are_not_there(tmp_path: Path) -> None:
    assert energy(tmp_path, "1 2 harmonic 3 1.5\n1 7 harmonic 1 1\n", "nocheck") == pytest.approx(0.75, rel=1e-12)
