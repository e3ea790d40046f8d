"""Monte Carlo in the middle of runs against the reference, number by number: atom/swap, widom, gcmc. And by what must hold."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle.side_by_side import both_tables, same_tables
from tests.refusals import refused
from tests.tables import rows

START = """
units lj
atom_modify map yes sort 0 0
lattice fcc {density}
region box block 0 3 0 3 0 3
create_box 2 box
create_atoms 1 box
set atom 1*60 type 2
mass 1 1.0
mass 2 2.5
displace_atoms all random 0.05 0.05 0.05 4711
velocity all create 1.44 87287 loop geom
pair_style {pair}
group ones type 1
fix 1 all nve
"""
LJ = "lj/cut 2.5\npair_coeff 1 1 1 1\npair_coeff 2 2 0.5 0.8\npair_coeff 1 2 0.7 0.95"
MORSE = "morse 1.9\npair_coeff * * 1 3 1.1\npair_coeff 1 2 0.5 3 1.0"
FIXES = {
    "swap": (0.8442, LJ, "fix s all atom/swap 3 20 2934 0.5 types 1 2", "f_s[1] f_s[2]"),
    "region": (0.8442, MORSE, "region half block 0 1.5 INF INF INF INF\n"
               "fix s all atom/swap 2 10 31 0.5 ke no types 2 1 region half", "f_s[1] f_s[2]"),
    "whole": (0.8442, LJ + "\npair_modify tail yes", "fix s all atom/swap 4 4 2934 0.5 types 1 2", "f_s[1] f_s[2]"),
    "grand": (0.8442, LJ, "fix s all atom/swap 2 10 2934 1.5 semi-grand yes types 1 2 mu 0 2.0", "f_s[1] f_s[2]"),
    "widom": (0.1, LJ, "fix s all widom 2 20 2 2934 1.5", "f_s[1] f_s[2] f_s[3]"),
    "part": (0.1, LJ, "region r sphere 3 3 3 2 units box\nfix s all widom 4 2000 1 2934 1.5 region r", "f_s[1] f_s[2] f_s[3]"),
    "gcmc": (0.15, LJ, "fix s ones gcmc 1 10 10 1 2934 1.5 -3.2 0.3", "f_s[1] f_s[2] f_s[3] f_s[4] f_s[5] f_s[6]"),
    "limits": (0.15, LJ, "fix s ones gcmc 2 10 10 1 2934 1.5 0 0.3 pressure 0.1 fugacity_coeff 0.9 max 50 min 46 "
               "overlap_cutoff 0.9 tfac_insert 1.5", "f_s[1] f_s[2] f_s[3] f_s[4] f_s[5] f_s[6]"),
}  # fmt: skip


@pytest.mark.parametrize("name", FIXES)
def test_numbers(name: str, tmp_path: Path) -> None:
    density, pair, fix, words = FIXES[name]
    text = START.format(density=density, pair=pair) + "compute_modify thermo_temp dynamic/dof yes\n" + fix
    text += f"\nthermo_style custom step atoms temp pe {words}\nthermo_modify format float %.17g\nthermo 1\n"
    text += "run 8\n" if name in ("widom", "part") else "run 4\nrun 4\n"  # there widom forgets its values when a run begins
    found, expected = both_tables(tmp_path, text)
    same_tables(found, expected, 1e-8)


@pytest.mark.slow
def test_types_are_as_likely_as_they_should_be() -> None:
    """Of four atoms at fixed places every way to choose two comes as often as its Boltzmann factor says."""
    start = """units lj\natom_modify map yes sort 0 0\nregion box block 0 9 0 9 0 9\ncreate_box 2 box\nmass * 1\n
create_atoms 1 single 4 4 4\ncreate_atoms 1 single 5.1 4 4\ncreate_atoms 1 single 4 5.3 4.2\ncreate_atoms 1 single 5.4 5.2 4.4
pair_style lj/cut 2.5\npair_coeff 1 1 1 1\npair_coeff 2 2 0.2 1\npair_coeff 1 2 0.6 1\ngroup none type 3\nfix 1 none nve
set atom {} type 2\nset atom {} type 2\nthermo_style custom step pe\nthermo_modify norm no\n"""
    start = start.replace("group none type 3", "group none id 0")
    energies, kt = {}, 0.5
    for pair in combinations(range(1, 5), 2):
        sim = Simulation(device="serial", screen="none", log="none")
        sim.commands(start.format(*pair) + "run 0\n")
        energies[pair] = float(sim.thermo.table()["pe"][-1])
        if pair == (1, 2):
            sim.commands(f"fix s all atom/swap 1 3 77 {kt} types 1 2\nthermo 1\nrun 1500\n")
            seen = np.asarray(sim.thermo.table()["pe"])[300:]
    wanted = np.array([math.exp(-e / kt) for e in energies.values()])
    wanted /= wanted.sum()
    counts = np.array([(np.abs(seen - e) < 1e-9).mean() for e in energies.values()])
    assert abs(counts.sum() - 1.0) < 1e-12
    np.testing.assert_allclose(counts, wanted, atol=0.06)


@pytest.mark.slow
def test_an_ideal_gas_has_z_atoms_in_a_volume() -> None:
    sim = Simulation(device="serial", screen="none", log="none")
    sim.commands("""units lj\nregion box block 0 5 0 5 0 5\ncreate_box 1 box\ncreate_atoms 1 random 20 4711 box\nmass 1 1
pair_style lj/cut 1\npair_coeff * * 0 1\nfix s all gcmc 1 10 0 1 2934 1.5 -2.7 0.3\nthermo_style custom step atoms
thermo 1\nrun 1500\n""")
    atoms = np.asarray(sim.thermo.table()["atoms"])[200:]
    wanted = 125.0 * math.exp(-2.7 / 1.5)
    assert abs(atoms.mean() - wanted) < 1.5 and abs(atoms.var() / wanted - 1.0) < 0.3


@pytest.mark.parametrize("fix, message", [
    ("gcmc 1 1 1 1 5 1.0 0 0.1 mol m", "mol is not available"), ("gcmc 0 1 1 1 5 1.0 0 0.1", "1 or more"),
    ("widom 1 1 0 5 1.0 mol m", "mol is not available"),
    ("widom 1 1 1 5 1.0 full_energy", "energies of pairs"), ("atom/swap 1 1 5 1.0 types 1 ke yes", "two types"),
    ("atom/swap 1 1 5 1.0 types 1 2 mu 0 1", "semi-grand")])
def test_refusals(fix: str, message: str) -> None:
    text = START.format(density=0.1, pair=LJ) + f"fix s all {fix}"
    with pytest.raises(EverletError, match=message):
        Simulation(device="reference", screen="none", log="none").commands(text)


def test_energies_that_are_no_sums_of_pairs(tmp_path: Path) -> None:
    sim = Simulation(device="serial", screen="none", log="none")
    sim.commands(START.format(density=0.3, pair=LJ) + "pair_modify tail yes\nfix s all widom 1 1 1 5 1.0\n")
    with pytest.raises(EverletError, match="not sums of pairs"):
        sim.commands("run 2")


@pytest.mark.parametrize("fix, cause", rows(r"""
fix 2 all gcmc 5 10 0 1 123 1.0 -2.0 0.1 charge 0.5 -> charge needs atoms with
fix 2 all widom 5 10 1 123 1.0 charge 0.5 -> charge needs atoms with
fix 2 all gcmc 5 10 0 1 123 1.0 -2.0 0.1 tfac_insert -1 -> tfac_insert -1
region out block 10 20 0 1 0 1\nfix 2 all widom 5 10 1 123 1.0 region out -> outside of the box
region a sphere 1 1 1 0.3\nregion b sphere 2 2 2 0.3\nregion c intersect 2 a b\nfix 2 all widom 5 9 1 1 1 region c -> no volume
"""))
def test_refused(fix: str, cause: str) -> None:
    refused(START.format(density=0.6, pair="lj/cut 2.5\npair_coeff * * 1.0 1.0"), fix, cause)


@pytest.mark.parametrize("fix", ["gcmc 5 10 10 1 123 1.0 -2.0 0.1", "widom 5 10 1 123 1.0"])
def test_three_dimensions(fix: str) -> None:
    flat = "dimension 2\nlattice sq 0.5\nregion box block 0 5 0 5 -0.5 0.5\ncreate_box 1 box\ncreate_atoms 1 box\nmass 1 1\n"
    refused(flat, f"fix 2 all {fix}", "three dimensions")


@pytest.mark.parametrize("potential", [-2000.0, 2000.0])
def test_reservoirs_far_from_anything(potential: float) -> None:
    """All atoms of the group go, or one comes whenever it is tried."""
    with Simulation(screen="none", device="serial") as sim:
        sim.commands(START.format(density=0.05, pair="lj/cut 1.2\npair_coeff * * 0.0 1.0"))
        before = sim.engine.system.natoms
        sim.commands(f"group few id 1:3\nfix 2 few gcmc 5 40 0 2 123 1.0 {potential} 0.1 group few\nrun 5")
        now = sim.engine.system.natoms
        assert now == before - 3 if potential < 0.0 else now > before + 10
