"""fix cmap against LAMMPS: energies, forces, pressure; the files that carry cross terms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle.bonded_system import CHAINS, LENGTH, molecules
from tests.oracle.harness import parse_log
from tests.oracle.reference import lmp, table
from tests.oracle.test_bonded import FORCES, HEAD, compare_forces, compare_thermo

READ = "fix c all cmap maps.cmap\nread_data mol.data fix c crossterm CMAP\n"
TEXT = HEAD.replace("read_data mol.data\n", READ).replace("edihed eimp emol", "edihed emol f_c") + """
bond_style harmonic
bond_coeff * 80 1.5
"""
RUN = "velocity all create 300 4711\nfix 1 all nve\ntimestep 0.2\nthermo 10\nrun 20\n"


def files(folder: Path) -> None:
    """Two cross terms of each chain, on six maps of random energies."""
    molecules(folder / "mol.data")
    molecules(folder / "plain.data")
    terms = [range(LENGTH * chain + k, LENGTH * chain + k + 5) for chain in range(CHAINS) for k in (1, 2)]
    text = (folder / "mol.data").read_text().replace("2 atom types", f"{len(terms)} crossterms\n2 atom types")
    text += "\nCMAP\n\n" + "".join(f"{k + 1} {k % 6 + 1} {' '.join(map(str, ids))}\n" for k, ids in enumerate(terms))
    (folder / "mol.data").write_text(text)
    rows = np.random.default_rng(5).uniform(-3, 3, (6 * 24 * 4, 6))
    (folder / "maps.cmap").write_text("# maps\n\n" + "".join(" ".join(f"{e:.6f}" for e in row) + "\n" for row in rows))


def simulation(device: str) -> Simulation:
    return Simulation(device=device, screen="none", log="none")


@pytest.mark.parametrize("device", ["reference", "serial"])
def test_cross_terms(device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, and in motion; from a data file and a restart file that were written."""
    monkeypatch.chdir(tmp_path)
    files(tmp_path)
    text = TEXT + "run 0\nwrite_dump all custom WHOSE " + FORCES
    theirs = parse_log(lmp(tmp_path, text.replace("WHOSE", "theirs") + RUN))
    sim = simulation(device)
    sim.commands(text.replace("WHOSE", "ours"))
    assert abs(theirs[0]["f_c"][0]) > 0.1
    compare_thermo(sim.thermo.table(), theirs[0], 1e-10)
    compare_forces(tmp_path / "ours", tmp_path / "theirs", 1e-10)
    sim.commands("write_data again.data nocoeff\nwrite_restart again.restart")
    again = simulation(device)
    again.commands(TEXT.replace("mol.data", "again.data") + "run 0")
    compare_thermo(again.thermo.table(), theirs[0], 1e-10)
    again = simulation(device)
    again.commands("read_restart again.restart\nfix c all cmap maps.cmap\nthermo_style custom step pe f_c\nrun 0")
    assert again.thermo.table()["pe"][-1] == pytest.approx(theirs[0]["PotEng"][0], rel=1e-12)
    if device == "serial":
        sim.commands(RUN)
        compare_thermo(sim.thermo.table(), theirs[1], 1e-9)


def test_per_atom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of energy and virial for each atom."""
    monkeypatch.chdir(tmp_path)
    files(tmp_path)
    text = TEXT + """
compute e all pe/atom
compute s all stress/atom NULL virial
DUMP
run 0
write_dump all custom WHOSE id c_e c_s[1] c_s[2] c_s[3] c_s[4] c_s[5] c_s[6] modify sort id format float %.17g
"""
    lmp(tmp_path, text.replace("WHOSE", "theirs").replace("DUMP", "dump 1 all custom 1 unused id c_e c_s[1]"))
    simulation("serial").commands(text.replace("WHOSE", "ours").replace("DUMP", ""))
    mine, wanted = table(tmp_path / "ours"), table(tmp_path / "theirs")
    for name, values in wanted.items():
        scale = max(np.abs(other).max() for key, other in wanted.items() if key[:3] == name[:3])
        np.testing.assert_allclose(mine[name], values, rtol=1e-10, atol=1e-10 * scale, err_msg=name)


@pytest.mark.parametrize("old, new, message", [
    ("mol.data fix c crossterm CMAP", "plain.data", "has no cross terms"),
    ("run 0", "group some id 1\nfix d some cmap maps.cmap", "have no group"),
    ("maps.cmap", "mol.data", "24 x 24"), ("maps.cmap", "no.cmap", "cannot read"),
    ("run 0", "replicate 2 1 1\nrun 0", "copied"), ("run 0", "group one id 3\ndelete_atoms group one\nrun 0", "deleted"),
    ("run 0", "read_data mol.data add append fix c crossterm CMAP", "added")])
def test_refusals(old: str, new: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files(tmp_path)
    with pytest.raises(EverletError, match=message):
        simulation("reference").commands((TEXT + "run 0").replace(old, new))
