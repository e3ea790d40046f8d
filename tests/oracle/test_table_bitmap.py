"""Bitmap tables beside the reference: files that one writes and the other reads, rows at the cutoff."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.forces.pair.styles.table_file import read_section
from tests.oracle.harness import working_in
from tests.oracle.reference import lmp

WRITE = """units lj
region b block 0 12 0 12 0 12
create_box 1 b
create_atoms 1 single 5 5 5
mass 1 1
pair_style {style}
pair_coeff 1 1 {coeff}
{lines}
"""


def ours(folder: Path, style: str, coeff: str, lines: str) -> None:
    with working_in(folder):
        Simulation(device="serial").commands(WRITE.format(style=style, coeff=coeff, lines=lines))


def sampled(folder: Path, style: str, coeff: str, name: str, lo: float, hi: float) -> tuple[np.ndarray, np.ndarray]:
    """Energies and forces at many distances, of the reference and of ours: rows of both files."""
    found = []
    for whose in ("their", "our"):
        lines = f"pair_write 1 1 5000 r {lo} {hi} {whose}.{name} W"
        if whose == "our":
            ours(folder, style, coeff, lines)
        else:
            lmp(folder, WRITE.format(style=style, coeff=coeff, lines=lines))
        section = read_section(str(folder / f"{whose}.{name}"), "W")
        found.append(np.stack([section.energy, section.force], 1)[:-1])  # the last is the cutoff
    return found[0], found[1]


@pytest.mark.parametrize("inner, outer, bits", [(0.85, 2.5, 6), (0.5, 2.0, 7), (1.0, 4.0, 9), (1.1, 1.3, 5), (0.3, 6.0, 12)])
def test_files_both_ways(tmp_path: Path, inner: float, outer: float, bits: int) -> None:
    """The same rows, and the same interpolation of the other's file."""
    write = f"pair_write 1 1 {bits} bitmap {inner} {outer} {{}} B"
    lmp(tmp_path, WRITE.format(style="lj/cut 7.0", coeff="1.0 1.0", lines=write.format("their.txt")))
    ours(tmp_path, "lj/cut 7.0", "1.0 1.0", write.format("our.txt"))
    first, second = (read_section(str(tmp_path / f"{who}.txt"), "B") for who in ("their", "our"))
    assert first.strays == second.strays == 0 and len(first.r) == 2**bits and (first.r == second.r).all()
    for name in ("energy", "force"):
        a, b = getattr(first, name), getattr(second, name)
        assert abs(a - b).max() <= 1e-13 * abs(a).max()
    for who in ("their", "our"):
        theirs, mine = sampled(tmp_path, f"table bitmap {bits}", f"{who}.txt B", f"from.{who}", inner * 1.1, outer)
        assert abs(theirs - mine).max() <= 1e-12 * abs(theirs).max()


@pytest.mark.parametrize("cut", [1.25, 2.0, 3.3, 3.999, 4.0])
@pytest.mark.parametrize("bits", [6, 10])
def test_rows_up_to_the_cutoff(tmp_path: Path, cut: float, bits: int) -> None:
    """From a table with other spacing; the last row ends at the cutoff, or beyond."""
    ours(tmp_path, "lj/cut 7.0", "1.0 1.0", "pair_write 1 1 300 r 1.0 4.0 lj.txt LJ")
    theirs, mine = sampled(tmp_path, f"table bitmap {bits}", f"lj.txt LJ {cut}", "x", 1.0, cut)
    assert abs(theirs - mine).max() <= 1e-12 * abs(theirs).max()
