"""Derivatives of forces against the reference: dynamical_matrix and third_order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle.harness import working_in
from tests.oracle.reference import lmp

START = """
units metal
atom_modify map yes
lattice diamond 5.431
region b block 0 1 0 1 0 1
create_box 2 b
create_atoms 1 box
set atom 3 type 2
mass 1 28.06
mass 2 30
displace_atoms all random 0.05 0.05 0.05 4711
pair_style lj/cut 5.0
pair_coeff * * 0.1 2.1
group s id 2 3 5
"""


def both(folder: Path, words: str, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of the file that a command writes, ours and the reference's; atoms are as before."""
    lmp(folder, START + words)
    (folder / "ours").mkdir()
    with working_in(folder / "ours"):
        sim = Simulation(device="serial", screen="none", log="none")
        sim.commands(START)
        before = sim.gather("x")
        sim.commands(words)
        assert np.array_equal(before, sim.gather("x"))
        sim.close()
    if "binary yes" in words:
        return np.fromfile(folder / "ours" / name), np.fromfile(folder / name)
    return np.loadtxt(folder / "ours" / name), np.loadtxt(folder / name)


@pytest.mark.parametrize("words", ["all regular 0.001", "s eskm 0.001", "s regular 0.001 fold yes",
                                   "s regular 0.001 binary yes"])
def test_dynamical_matrix(words: str, tmp_path: Path) -> None:
    ours, theirs = both(tmp_path, f"dynamical_matrix {words} file d.dat", "d.dat")
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-10 * np.abs(theirs).max() + 1.1e-8)


@pytest.mark.parametrize("words", ["s eskm 0.001", "s regular 0.001 fold yes"])
def test_third_order(words: str, tmp_path: Path) -> None:
    """Of the group alone the reference counts atoms k from 0."""
    ours, theirs = both(tmp_path, f"third_order {words} file t.dat", "t.dat")
    theirs[:, 4] += "fold" not in words
    tables = []
    for lines in (ours, theirs):
        table = np.zeros((9, 4, 9, 4, 9, 3))
        table[tuple(lines[:, :5].astype(int).T)] = lines[:, 5:]
        tables.append(table)
    np.testing.assert_allclose(*tables, rtol=0, atol=1e-8 * np.abs(theirs[:, 5:]).max() + 1.1e-8)


@pytest.mark.parametrize("words, message", [("s other 0.001", "style"), ("s regular 0", "more than 0"),
                                            ("s regular 1 file", "lacks")])
def test_refusals(words: str, message: str) -> None:
    with pytest.raises(EverletError, match=message):
        Simulation(device="reference", screen="none", log="none").commands(START + f"dynamical_matrix {words}")
