"""Bonds that break (bond_style quartic), and pairs one by one (compute pair/local, group/group), against the reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.mpi.ranks import run_scripts
from tests.oracle.bonded_system import molecules as linked
from tests.oracle.harness import parse_log
from tests.oracle.reference import lmp
from tests.oracle.test_constraints import compare, worst
from tests.tables import rows

SCRIPT = """
units lj
atom_style {style}
special_bonds {special}
read_data chains.data
{pair}
{bonds}
velocity all create 8.0 871 loop all
fix n all nve
timestep 0.001
{more}
thermo_style custom step temp pe evdwl ebond press pxx pxy {words}
thermo_modify norm no format float %.15g
thermo 10
run {steps}
"""
LJ = "pair_style lj/cut 2.5\npair_coeff * * 1 1\npair_coeff 1 2 0.8 1.05 2.0"
QUARTIC = "bond_style quartic\nbond_coeff 1 1200 -0.55 0.25 1.3 34.6878\nbond_coeff 2 1000 -0.5 0.2 1.25 30"
WATCH = """compute b all bond/local dist engpot force
compute s all reduce sum c_b[*] inputs local
compute p all property/local btype batom1
compute c all reduce sum c_p[1] inputs local
compute e all pe/atom
compute se all reduce sum c_e
compute st all stress/atom NULL
compute ss all reduce sum c_st[1] c_st[4]"""
WATCHED = "bonds c_s[1] c_s[2] c_s[3] c_c c_se c_ss[1] c_ss[2]"


def chains(charged: bool = False) -> str:
    """Short chains in a periodic box; some bonds are longer than they may be."""
    rng, size, atoms, bonds = np.random.default_rng(7), 18.0, [], []
    for m, (a, b, c) in enumerate(np.ndindex(3, 5, 5)):
        place = np.array([6.0 * a, 3.6 * b, 3.6 * c])
        for k in range(5):
            turns = np.floor(place / size).astype(int)
            x, y, z = place - turns * size
            q = f" {0.5 - (len(atoms) % 2)}" if charged else ""
            atoms.append(f"{len(atoms) + 1} {m + 1} {1 + k % 2}{q} {x:.15g} {y:.15g} {z:.15g} {turns[0]} {turns[1]} {turns[2]}")
            if k:
                bonds.append(f"{len(bonds) + 1} {1 + m % 2} {len(atoms) - 1} {len(atoms)}")
            way = np.array([1, rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5)])
            place = place + way / np.linalg.norm(way) * rng.uniform(0.92, 1.2)
    return "\n".join(["chains", "", f"{len(atoms)} atoms", f"{len(bonds)} bonds", "2 atom types", "2 bond types",
                      *(f"0 {size} {axis}lo {axis}hi" for axis in "xyz"), "", "Masses", "", "1 1", "2 1.5", "",
                      f"Atoms # {'full' if charged else 'bond'}", "", *atoms, "", "Bonds", "", *bonds, ""])


def text(special: str = "lj/coul 1 1 1", bonds: str = QUARTIC, more: str = WATCH, words: str = WATCHED, steps: int = 100,
         pair: str = LJ, style: str = "bond") -> str:
    return SCRIPT.format(special=special, bonds=bonds, more=more, words=words, steps=steps, pair=pair, style=style)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chains.data").write_text(chains())
    return tmp_path


def test_bonds_break(here: Path) -> None:
    """Energies, forces and data files; pairs of broken bonds have pair forces again."""
    script = text(steps=150) + "write_data out.data nocoeff\n"
    lmp(here, script)
    theirs = {line.split()[1:][0] + " " + " ".join(sorted(line.split()[2:])) for line in links("out.data")}
    compare(script, here, threads=2)
    ours = {line.split()[1] + " " + " ".join(sorted(line.split()[2:])) for line in links("out.data")}
    assert 180 < len(ours) < 250 and ours == theirs


def links(path: str) -> list[str]:
    """Lines of the section of bonds, which is the last."""
    return [line for line in Path(path).read_text().split("Bonds\n")[1].splitlines() if line.strip()]


def test_sums_in_order(here: Path) -> None:
    script = text(more="", words="", steps=50)
    log = lmp(here, script)
    sim = Simulation(device="cpu", threads=1, screen="none", log="none")
    sim.commands("package everlet deterministic on\n" + script)
    assert worst(sim.thermo.table(), parse_log(log)[-1], slice(None)) < 1e-9


def test_bonds_break_on_two_ranks(here: Path) -> None:
    script = text(more="", words="bonds", steps=50)
    found = {n: parse_log((run_scripts(n, {"q": (script, {"chains.data": chains()})}, here)["q"] / "run.log").read_text())[-1]
             for n in (1, 2)}
    assert worst(found[2], found[1], slice(None)) < 1e-10


GROUPS = """group a id 1:150
group b id 100:300
compute b all pair/local dist eng force
compute f a pair/local fx cutoff type
compute fa a reduce sumsq c_f inputs local
compute s all reduce sum c_b[*] inputs local
compute p all property/local patom1 ptype2 patom2
compute c all reduce sum c_p[1] c_p[3] inputs local
variable c equal c_c[1]+c_c[2]
compute g1 a group/group b
compute g2 a group/group b molecule inter
compute g3 a group/group a molecule intra kspace no boundary no
compute g4 a group/group b pair no"""
FOUND = "c_s[1] c_s[2] c_s[3] c_fa v_c c_g1 c_g1[1] c_g1[2] c_g1[3] c_g2 c_g2[2] c_g3 c_g4"
CHARGED = "pair_style lj/cut/coul/long 2.5 3.0\npair_coeff * * 1 1\npair_modify table 0 shift yes\nkspace_style ewald 1e-4"
OVER = ("pair_style hybrid/overlay lj/cut 2.5 coul/cut 3.0\npair_coeff * * lj/cut 1 1\npair_coeff 1 2 coul/cut\n"
        "pair_coeff 1 1 coul/cut")


@pytest.mark.parametrize("pair, style", [(LJ, "bond"), (CHARGED, "full"), (OVER, "full")])
def test_pairs(pair: str, style: str, here: Path) -> None:
    Path("chains.data").write_text(chains(style == "full"))
    compare(text("lj/coul 0 0.5 1", "bond_style harmonic\nbond_coeff * 300 1.0", GROUPS, FOUND, 20, pair, style), here)


def test_what_hangs_together(here: Path) -> None:
    """Also what bonds have held that are no longer there: lists of special pairs stay as they are."""
    more = """group a id 1:150 160:170:2
delete_bonds a bond 2 remove
compute f a fragment/atom
compute f1 a fragment/atom single yes
compute g a aggregate/atom 1.5
compute s all reduce sum c_f c_f1 c_g
compute m all reduce max c_f c_f1 c_g"""
    compare(text("lj/coul 0 1 1", "bond_style harmonic\nbond_coeff * 300 1.0", more,
                 "c_s[1] c_s[2] c_s[3] c_m[1] c_m[2] c_m[3]", 20), here)


@pytest.mark.parametrize("script, message", [
    (text("lj/coul 0 1 1"), "special_bonds lj/coul 1 1 1"),
    (text(more="compute g all group/group all kspace yes"), "kspace yes is not available"),
    (text(more="compute g all pair/local p1"), "p1' is not available"), (text(more="compute g all pair/local dst"), "dist"),
    (text(more="compute g all pair/local dist cutoff radius"), "radius"), (text(more="compute g all group/group no"), "group"),
    (text(more="compute g all bond/local dist v_a"), "set dist"), (text(more="compute g all bond/local v_a set d v"), "usage")])
def test_refusals(script: str, message: str, here: Path) -> None:
    with pytest.raises(EverletError, match=message):
        Simulation(device="cpu", threads=1, screen="none", log="none").commands(script)


BREAKING = "fix b all bond/break 5 2 1.15\nfix c all bond/create 7 1 2 1.12 1 iparam 3 1 jparam 4 2"
LINKED = """units lj
atom_style molecular
special_bonds lj/coul 0 0 0.5
read_data links.data extra/bond/per/atom 5 extra/special/per/atom 40 extra/angle/per/atom 20 extra/dihedral/per/atom 50
mass * 1
pair_style soft 2.5
pair_coeff * * 1
bond_style harmonic
bond_coeff * 30 1.5
angle_style harmonic
angle_coeff * 20 110
dihedral_style harmonic
dihedral_coeff * 3 1 2
improper_style harmonic
improper_coeff * 8 20
velocity all create 5.0 871 loop all
fix n all nve
fix b all bond/break 5 2 1.5
fix c all bond/create 7 1 2 1.6 1 iparam 4 1 jparam 4 1 atype 1 dtype 2
timestep 0.001
thermo_style custom step temp pe ebond eangle edihed eimp press bonds angles dihedrals impropers f_b[1] f_b[2] f_c[1] f_c[2]
thermo_modify norm no format float %.15g
thermo 5
run 100
"""


def test_fixes_that_change_bonds(here: Path) -> None:
    bonds = "bond_style harmonic\nbond_coeff 1 300 1.0\nbond_coeff 2 100 1.0"
    script = text("lj/coul 0 1 1", bonds, BREAKING, "bonds f_b[1] f_b[2] f_c[1] f_c[2]")
    script = script.replace("read_data chains.data", "read_data chains.data extra/bond/per/atom 5 extra/special/per/atom 20")
    compare(script, here)
    found = [parse_log((run_scripts(n, {"b": (script, {"chains.data": chains()})}, here)["b"] / "run.log").read_text())[-1]
             for n in (1, 2)]
    assert worst(found[1], found[0], slice(None)) < 1e-10 and found[0]["f_b[2]"][-1] > 10 and found[0]["f_c[2]"][-1] > 0


def test_charges_that_stand_for_all_images_count_in_new_bonds(here: Path) -> None:
    """Their special pairs are in the lists, whatever the weights."""
    (here / "chains.data").write_text(chains(charged=True))
    bonds = "bond_style harmonic\nbond_coeff 1 300 1.0\nbond_coeff 2 100 1.0"
    script = text("lj/coul 0 0.5 1", bonds, BREAKING, "bonds f_b[2] f_c[1] f_c[2]", style="full",
                  pair="pair_style lj/cut/coul/dsf 0.5 2.5\npair_coeff * * 1 1")
    log = compare(script.replace("chains.data", "chains.data extra/bond/per/atom 5 extra/special/per/atom 20"), here)
    assert parse_log(log)[-1]["f_c[2]"][-1] > 0


def test_angles_along_bonds_come_and_go(here: Path) -> None:
    linked(here / "links.data")
    compare(LINKED, here)


@pytest.mark.parametrize("line, message", rows(r"""
fix b all bond/break 5 3 1.5 -> out of range
fix b all bond/break 0 1 1.5 -> 1 or more
fix b all bond/break 5 1 1.5 prob 2 7 -> 0 to 1
fix b all bond/create 5 1 2 1.5 1 itype 1 -> itype is not available
fix b all bond/create 5 1 1 1.5 1 iparam 3 2 -> two sets
fix b all bond/create 5 1 2 1.5 1 atype 1 -> no angles
fix b all bond/create 5 1 2 5.5 1\nrun 0 -> longer than the cutoff
fix b all bond/create 5 1 2 1.5 1 prob -> usage
"""))
def test_refused_changes(line: str, message: str, here: Path) -> None:
    with pytest.raises(EverletError, match=message):
        Simulation(device="cpu", threads=1, screen="none", log="none").commands(text("lj 0 1 1", "bond_style harmonic\n"
                                                                                     "bond_coeff * 300 1.0", line, "", 0))
