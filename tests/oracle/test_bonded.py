"""Every bonded style against the reference: energies, pressures and forces of random geometry, and short runs."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from everlet.forces.bonded.base import STYLES
from tests.oracle.bonded_system import COEFFS, lines, molecules
from tests.oracle.harness import parse_log
from tests.oracle.reference import lmp, table

HEAD = """
units real
atom_style molecular
special_bonds lj/coul 1 1 1
read_data mol.data
pair_style zero 6.0
pair_coeff * *
thermo_style custom step ebond eangle edihed eimp emol pe pxx pyy pzz pxy pxz pyz
thermo_modify norm no format float %.15g
"""
FORCES = "id fx fy fz modify sort id format float %.17g\n"
HYBRID = """
bond_style hybrid harmonic morse zero
bond_coeff 1 harmonic 80 1.5
bond_coeff 2 morse 30 1.8 1.4
bond_coeff 3 zero 1.5
angle_style hybrid harmonic zero charmm
angle_coeff 1 harmonic 20 110
angle_coeff 2 zero 109
angle_coeff 3 charmm 25 120 6 2.4
dihedral_style hybrid charmm opls
dihedral_coeff 1 charmm 3 2 180 0.0
dihedral_coeff 2*3 opls 1.3 -0.4 2.1 0.6
improper_style hybrid harmonic cvff
improper_coeff 1 harmonic 8 20
improper_coeff 2 none
improper_coeff 3 cvff 5 -1 2
"""
RUN = "velocity all create 300 4711\nfix 1 all nve\ntimestep 0.2\nthermo 10\nrun 20\n"


def simulation(device: str = "serial", **options: object) -> Simulation:
    return Simulation(device=device, screen="none", log="none", **options)


def compare_thermo(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray], limit: float) -> None:
    wanted_of = dict(zip(ours, theirs.values(), strict=True))
    for name, values in ours.items():
        wanted = wanted_of[name]
        mine = values[-len(wanted) :]  # of the last run
        scale = np.abs([one for other, one in wanted_of.items() if other[0] == name[0]]).max()  # energies, pressures
        np.testing.assert_allclose(mine, wanted, rtol=limit, atol=limit * scale, err_msg=name)


def compare_forces(ours: Path, theirs: Path, limit: float) -> None:
    mine, wanted = (np.stack([table(path)[name] for name in ("fx", "fy", "fz")]) for path in (ours, theirs))
    np.testing.assert_allclose(mine, wanted, rtol=0, atol=limit * np.abs(wanted).max())


def each_style(kind: str) -> str:
    """One evaluation with each style of a kind, and dumps of forces."""
    text = HEAD
    for k, style in enumerate(COEFFS[kind]):
        text += lines(kind, style) + f"run 0\nwrite_dump all custom WHOSE.{k} {FORCES}"
    return text


@pytest.mark.parametrize("kind", COEFFS)
def test_styles(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In plain Python, which runs the text that is compiled for other devices."""
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "mol.data")
    compare_each(kind, simulation("reference"), tmp_path)


@pytest.mark.all
@pytest.mark.parametrize("kind", COEFFS)
def test_styles_compiled(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "mol.data")
    compare_each(kind, simulation(), tmp_path)


# what the reference has wrong: one coefficient of the slope; the virial, which does not follow from its forces
WRONG = {("angle", "mm3"): ("forces", "pressures"), ("dihedral", "spherical"): ("pressures",)}


def compare_each(kind: str, sim: Simulation, folder: Path) -> None:
    wrong = [WRONG.get((kind, style), ()) for style in COEFFS[kind]]
    theirs = parse_log(lmp(folder, each_style(kind).replace("WHOSE", "theirs")))
    parts = each_style(kind).replace("WHOSE", "ours").split("run 0\n")
    for k, part in enumerate(parts[:-1]):
        sim.commands(part + "run 0\n")
        count = 7 if "pressures" in wrong[k] else None  # the step and energies come first
        compare_thermo(*(dict(list(one.items())[:count]) for one in (sim.thermo.table(), theirs[k])), 1e-10)
    sim.commands(parts[-1])
    for k in range(len(COEFFS[kind])):
        if "forces" in wrong[k]:
            continue
        compare_forces(folder / f"ours.{k}", folder / f"theirs.{k}", 1e-10)


def test_all_styles_are_compared() -> None:
    """A style without coefficients in bonded_system.py has tests of its own."""
    others = {"bond": {"harmonic/restrain", "hybrid", "quartic", "table", "zero"},
              "angle": {"cosine/buck6d", "dipole", "hybrid", "sdk", "spica", "table", "zero"},
              "dihedral": {"charmmfsw", "hybrid", "table", "table/cut", "zero"}, "improper": {"hybrid", "zero"}}
    for kind, known in STYLES.items():
        here = {name for name in known if known[name].__module__.startswith("everlet.")}
        assert here == set(COEFFS[kind]) | others[kind]


@pytest.mark.parametrize("device, threads, before", [("serial", 1, ""), ("cpu", 2, ""),
                                                     ("serial", 1, "package everlet deterministic on\n")])
def test_hybrid_runs(device: str, threads: int, before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Styles by type, links without force, in motion; by link, on threads with copies of forces, and by atom."""
    if threads > len(os.sched_getaffinity(0)):
        pytest.skip("one core")
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "mol.data")
    theirs = parse_log(lmp(tmp_path, HEAD + HYBRID + RUN))[-1]
    sim = simulation(device, threads=threads)
    sim.commands(before + HEAD + HYBRID + RUN)
    compare_thermo(sim.thermo.table(), theirs, 1e-9)


def test_per_atom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Energy and virial in equal parts among the atoms of a link."""
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "mol.data")
    text = HEAD + HYBRID + """
compute e all pe/atom
compute s all stress/atom NULL virial
run 0
write_dump all custom WHOSE id c_e c_s[1] c_s[2] c_s[3] c_s[4] c_s[5] c_s[6] modify sort id format float %.17g
"""
    lmp(tmp_path, text.replace("WHOSE", "theirs").replace("run 0", "dump 1 all custom 1 unused id c_e c_s[1]\nrun 0"))
    simulation().commands(text.replace("WHOSE", "ours"))
    mine, wanted = table(tmp_path / "ours"), table(tmp_path / "theirs")
    for name, values in wanted.items():
        scale = max(np.abs(other).max() for key, other in wanted.items() if key[:3] == name[:3])
        np.testing.assert_allclose(mine[name], values, rtol=1e-10, atol=1e-10 * scale, err_msg=name)


@pytest.mark.parametrize("pair, dihedral, device, before", [
    ("lj/charmm/coul/charmm 6 7", "charmm", "reference", ""), ("lj/charmm/coul/charmm 6 7", "charmm", "serial", ""),
    ("lj/charmmfsw/coul/charmmfsh 6 7", "charmmfsw", "reference", ""),
    ("lj/charmm/coul/charmm 6 7", "charmm", "serial", "package everlet deterministic on\n")])
def test_weighted_pairs(pair: str, dihedral: str, device: str, before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
                        ) -> None:
    """What weights of dihedrals add to energies of pairs, pressure and forces."""
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "mol.data", style="full")
    head = HEAD.replace("molecular", "full").replace("lj/coul 1 1 1", "charmm")
    head = head.replace("edihed eimp emol", "evdwl ecoul edihed")
    head = head.replace("pair_style zero 6.0\npair_coeff * *", f"pair_style {pair}\npair_coeff 1 1 0.05 1.1 0.04 1.0\n"
                        "pair_coeff 2 2 0.06 1.2 0.03 1.1")
    text = head
    for k, weights in enumerate(["0.0 0.0 0.0", "1.0 0.5 0.0"]):
        text += f"dihedral_style none\ndihedral_style {dihedral}\n"
        for type, weight in enumerate(weights.split()):
            text += f"dihedral_coeff {type + 1} 3 2 180 {weight}\n"
        text += f"run 0\nwrite_dump all custom WHOSE.{k} {FORCES}"
    theirs = [np.array([values[-1] for values in one.values()])
              for one in parse_log(lmp(tmp_path, text.replace("WHOSE", "theirs")))]
    sim, ours = simulation(device), []
    parts = (before + text.replace("WHOSE", "ours")).split("run 0\n")
    for part in parts[:-1]:
        sim.commands(part + "run 0\n")
        ours.append(np.array([values[-1] for values in sim.thermo.table().values()]))
    sim.commands(parts[-1])
    wanted = theirs[1] - theirs[0]
    names = list(sim.thermo.table())
    assert abs(wanted[names.index("evdwl")]) > 1e-3 and abs(wanted[names.index("ecoul")]) > 1e-3
    scale = np.where([name[0] == "e" for name in names], np.abs(theirs[1][:7]).max(), np.abs(theirs[1][7:]).max())
    np.testing.assert_allclose((ours[1] - ours[0]) / scale, wanted / scale, rtol=1e-10, atol=1e-12)
    added = [[np.stack([table(tmp_path / f"{who}.{k}")[name] for name in ("fx", "fy", "fz")]) for k in range(2)]
             for who in ("ours", "theirs")]
    np.testing.assert_allclose(added[0][1] - added[0][0], added[1][1] - added[1][0], rtol=0,
                               atol=1e-12 * np.abs(added[1][1]).max())


def as_the_reference(text: str, way: str, folder: Path) -> Simulation:
    """Tables are interpolated as there: numbers of the log and forces."""
    theirs = parse_log(lmp(folder, text.replace("WHOSE", "theirs")))[-1]
    sim = simulation("serial" if way == "spline" else "reference")
    sim.commands(text.replace("WHOSE", "ours"))
    compare_thermo(sim.thermo.table(), theirs, 1e-10)
    compare_forces(folder / "ours", folder / "theirs", 1e-10)
    return sim


@pytest.mark.parametrize("way", ["linear", "spline"])
def test_tables(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tabulated bonds and angles between their nodes; a bond outside of its table stops the run."""
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "mol.data")
    r, angle = np.linspace(1.0, 2.2, 40), np.linspace(0.0, 180.0, 61)
    rows = [[(x, 80 * (x - 1.5) ** 2, -160 * (x - 1.5) + 0.3) for x in r],
            [(x, 20 * np.radians(x - 110) ** 2, -40 * np.radians(x - 110) * np.pi / 180) for x in angle]]
    for name, head, table_rows in (("b", "N 40", rows[0]), ("a", "N 61 FP -0.012 -0.012 EQ 110", rows[1])):
        text = "".join(f"{k + 1} {x:.12g} {e:.12g} {f:.12g}\n" for k, (x, e, f) in enumerate(table_rows))
        (tmp_path / f"{name}.table").write_text(f"# a comment\n\nKEY\n{head}\n\n{text}")
    text = HEAD + f"bond_style table {way} 150\nbond_coeff * b.table KEY\n"
    text += f"angle_style table {way} 200\nangle_coeff * a.table KEY\n"
    text += "run 0\nwrite_dump all custom WHOSE " + FORCES
    as_the_reference(text, way, tmp_path)
    short = (tmp_path / "b.table").read_text().replace("N 40", "N 20")
    (tmp_path / "b.table").write_text(short)
    with pytest.raises(EverletError, match="outside of its table"):
        simulation("reference").commands(text.replace("WHOSE", "ours"))


@pytest.mark.parametrize("way, cut", [("linear", ""), ("spline", ""), ("spline", "aat 1.3 95 170")])
def test_dihedral_tables(way: str, cut: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All around the circle, from rows that are not evenly spaced, in both units, with forces and without; in a restart. With
    `cut` they fade as angles get straight."""
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "mol.data")
    angle = np.linspace(-180.0, 175.0, 40) + 2.0 * np.sin(np.arange(40))
    energy = 3 * np.cos(2 * np.radians(angle) - 0.7) + np.sin(np.radians(angle))
    force = 6 * np.sin(2 * np.radians(angle) - 0.7) - np.cos(np.radians(angle)) + 0.05
    written = ""
    for key, mark, x, f in (("DEG", "", angle, force * np.pi / 180), ("RAD", "RADIANS", np.radians(angle), force),
                            ("NONE", "NOF DEGREES", angle, None)):
        written += f"\n{key}\nN 40 {mark}\n\n"
        for k in range(40):
            written += f"{k + 1} {x[k]:.15g} {energy[k]:.15g}" + (f" {f[k]:.15g}\n" if f is not None else "\n")
    (tmp_path / "d.table").write_text("# a comment\n" + written)
    text = HEAD + f"dihedral_style table{'/cut' if cut else ''} {way} 150\n"
    text += "".join(f"dihedral_coeff {k + 1} {cut} d.table {key}\n" for k, key in enumerate(("DEG", "RAD", "NONE")))
    sim = as_the_reference(text + "run 0\nwrite_dump all custom WHOSE " + FORCES, way, tmp_path)
    again = simulation("reference")
    sim.commands("write_restart d.restart")
    again.commands("read_restart d.restart\nthermo_style custom step pe\nrun 0")
    assert again.thermo.table()["pe"][-1] == pytest.approx(sim.thermo.table()["pe"][-1], rel=1e-12)


@pytest.mark.parametrize("old, new, message", [
    ("N 3 NOF", "N 3 NOF EQ 1", "unknown word 'EQ'"), ("N 3 NOF", "N 3", "a row has 3 words"),
    ("120 2", "180 2", "whole turn"), ("NOF", "NOF DEGREES RADIANS", "not in both")])
def test_dihedral_table_refusals(old: str, new: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "mol.data")
    (tmp_path / "d.table").write_text("KEY\nN 3 NOF\n\n1 -180 1\n2 0 3\n3 120 2\n".replace(old, new))
    with pytest.raises(EverletError, match=message):
        simulation("reference").commands(HEAD + "dihedral_style table spline 20\ndihedral_coeff * d.table KEY\n")


def test_long_fene_bonds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bond near its end is warned of by its atoms, with the force of the reference; twice as long ones stop the run."""
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "mol.data")
    text = HEAD + "bond_style fene\nbond_coeff * 8 REACH 1.0 1.3\nrun 0\nwrite_dump all custom WHOSE " + FORCES
    lmp(tmp_path, text.replace("REACH", "1.65").replace("WHOSE", "theirs"))
    sim = Simulation(device="serial", screen="none", log="log.txt")
    sim.commands(text.replace("REACH", "1.65").replace("WHOSE", "ours"))
    said = (tmp_path / "log.txt").read_text()
    assert "the bond of atoms" in said and "at step 0, which is too long for bond style fene" in said
    compare_forces(tmp_path / "ours", tmp_path / "theirs", 1e-10)
    for first in ("", "package everlet deterministic on\n"):  # loops over links, and over atoms
        with pytest.raises(EverletError, match="too long for bond style fene"):
            simulation().commands(first + text.replace("REACH", "0.6"))


@pytest.mark.parametrize("old, new, message", [
    ("angle_coeff 2 zero 109\n", "", "no angle_coeff for angle type 2"),
    ("angle_coeff 2 zero 109", "angle_coeff 2 cosine 3", "sub-style of angle_style hybrid"),
    ("opls 1.3 -0.4 2.1 0.6", "opls 1.3 -0.4 2.1", "dihedral_coeff TYPE"),
    ("cvff 5 -1 2", "cvff 5 -1 7", "n from 0 to 6"), ("cvff 5 -1 2", "cvff 5 -1 2.5", "whole number"),
    ("hybrid harmonic cvff", "hybrid harmonic harmonic", "twice"),
    ("hybrid harmonic morse zero", "hybrid harmonc", "harmonic")])
def test_refusals(old: str, new: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "mol.data")
    with pytest.raises(EverletError, match=message):
        simulation("reference").commands((HEAD + HYBRID).replace(old, new) + "run 0")


def test_files_keep_styles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Coefficients of class2 in data files, which the reference reads too; those and hybrid styles in restart files."""
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "mol.data")
    styles = {"class2": "".join(lines(kind, "class2") for kind in COEFFS), "hybrid": HYBRID}
    for name, text in styles.items():
        sim, again = simulation("reference"), simulation("reference")
        sim.commands(f"{HEAD}{text}run 0\nwrite_data {name}.data\nwrite_restart {name}.restart")
        again.commands(f"read_restart {name}.restart\nthermo_style custom step pe\nrun 0")
        assert sim.thermo.table()["pe"][-1] == again.thermo.table()["pe"][-1]
        if name == "class2":
            chosen = "pair_style zero 6.0\n" + "".join(f"{kind}_style class2\n" for kind in COEFFS)
            script = HEAD.replace("read_data mol.data", f"{chosen}read_data class2.data") + "run 0\n"
            compare_thermo(sim.thermo.table(), parse_log(lmp(tmp_path, script))[-1], 1e-10)


def test_missing_atom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An atom that was deleted is missed by name."""
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "mol.data")
    sim = simulation("reference")
    sim.commands(HEAD + lines("angle", "harmonic") + "run 0")
    sim.engine.system.atoms.select(np.flatnonzero(sim.engine.system.atoms.read("id") != 3))
    with pytest.raises(EverletError, match="atom 3 of the angle of atoms . . . is not to be found at step 0"):
        sim.commands("run 0")


def test_formulas_go_into_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A restart file has them, and a data file, as that of the reference."""
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "mol.data")
    styles = "".join(lines(kind, "lepton") for kind in ("bond", "angle", "dihedral"))
    lmp(tmp_path, HEAD + styles + "run 0\nwrite_data theirs.data\n")
    first = simulation("reference")
    first.commands(HEAD + styles + "run 0\nwrite_data ours.data\nwrite_restart ours.restart\n")
    again = simulation("reference")
    again.commands("read_restart ours.restart\npair_coeff * *\n" + HEAD[HEAD.index("thermo_style"):] + "run 0\n")
    assert again.thermo.table()["pe"][-1] == first.thermo.table()["pe"][-1]
    for kind in ("Bond", "Angle", "Dihedral"):
        ours, theirs = ((tmp_path / name).read_text().split(f"{kind} Coeffs")[1].split("\n\n")[1]
                        for name in ("ours.data", "theirs.data"))
        assert ours == theirs


SPICA = """
units real
atom_style molecular
special_bonds lj/coul 0 0 1
read_data mol.data
pair_style lj/spica 5.0
pair_coeff 1 1 lj12_4 0.05 2.6
pair_coeff 2 2 lj9_6 0.06 2.9 4.5
pair_coeff 1 2 lj12_5 0.04 2.8
angle_style STYLE
angle_coeff 1 harmonic 20 110
angle_coeff 2*3 spica 15 100
comm_modify cutoff 12
compute e all pe/atom
compute s all stress/atom NULL virial
thermo_style custom step ebond eangle evdwl emol pe pxx pyy pzz pxy pxz pyz
thermo_modify norm no format float %.15g
dump 1 all custom 1 unused id c_e c_s[1]
run 0
write_dump all custom WHOSE id fx fy fz c_e c_s[1] c_s[2] c_s[3] c_s[4] c_s[5] c_s[6] modify sort id format float %.17g
write_data WHOSE.data pair ij
"""


MOFFF = SPICA.replace("atom_style molecular", "atom_style full").replace("0 0 1\n", "0 0 1 coul 1 1 1\n", 1)
MOFFF = MOFFF.replace("special_bonds lj/coul", "special_bonds lj").replace("lj/spica 5.0", "buck6d/coul/gauss/dsf 0.9 5.0")
MOFFF = MOFFF.replace("lj12_4 0.05 2.6", "9000 3.1 450 4.5 0.6").replace("lj9_6 0.06 2.9 4.5", "6000 3.4 130 0.8 0.7")
MOFFF = MOFFF.replace("lj12_5 0.04 2.8", "8000 3.2 300 2.0 0.65").replace("spica 15 100", "cosine/buck6d 15 4 170")


@pytest.mark.parametrize("device, before", [("reference", ""), ("serial", ""),
                                            ("reference", "package everlet deterministic on\n")])
def test_van_der_waals_parts_of_the_ends_of_angles(device: str, before: str, tmp_path: Path,
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    """Angles of MOF-FF, by link and by atom; alone and in a hybrid."""
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "mol.data", style="full")
    alone = MOFFF.replace("harmonic 20 110", "20 3 110").replace("cosine/buck6d 15", "15").replace("STYLE", "cosine/buck6d")
    mixed = MOFFF.replace("STYLE", "hybrid harmonic cosine/buck6d")
    for text in (mixed, *([alone] if device == "reference" else [])):
        theirs = parse_log(lmp(tmp_path, text.replace("WHOSE", "theirs")))[-1]
        sim = simulation(device)
        sim.commands(before + text.replace("WHOSE", "ours"))
        compare_thermo(sim.thermo.table(), theirs, 1e-10)
        compare_forces(tmp_path / "ours", tmp_path / "theirs", 1e-10)
        mine, wanted = table(tmp_path / "ours"), table(tmp_path / "theirs")
        for name in list(wanted)[4:]:
            np.testing.assert_allclose(mine[name], wanted[name], rtol=0, atol=1e-10 * np.abs(wanted[name]).max(), err_msg=name)
    with pytest.raises(EverletError, match="use special_bonds lj X 0 X"):
        simulation(device).commands(alone.replace("special_bonds lj 0 0 1", "special_bonds lj 0 0.5 1"))


@pytest.mark.parametrize("device, before", [("reference", ""), ("serial", ""),
                                            ("reference", "package everlet deterministic on\n")])
def test_repulsion_of_the_ends_of_angles(device: str, before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Angles of the SPICA force field, by link and by atom; alone and in a hybrid."""
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "mol.data")
    alone = SPICA.replace("harmonic 20", "20").replace("spica 15", "15").replace("STYLE", "sdk")
    mixed = SPICA.replace("STYLE", "hybrid harmonic spica").replace("compute e", "compute a all angle\ncompute e")
    for text in (mixed.replace("pxz pyz", "pxz pyz c_a[1] c_a[2]"), *([alone] if device == "reference" else [])):
        theirs = parse_log(lmp(tmp_path, text.replace("WHOSE", "theirs")))[-1]
        sim = simulation(device)
        sim.commands(before + text.replace("WHOSE", "ours"))
        assert theirs["E_angle"][-1] > 400.0
        compare_thermo(sim.thermo.table(), theirs, 1e-10)
        compare_forces(tmp_path / "ours", tmp_path / "theirs", 1e-10)
        mine, wanted = table(tmp_path / "ours"), table(tmp_path / "theirs")
        for name in list(wanted)[4:]:
            np.testing.assert_allclose(mine[name], wanted[name], rtol=0, atol=1e-10 * np.abs(wanted[name]).max(), err_msg=name)


def test_angles_that_need_a_formula_of_the_pair_style(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "mol.data")
    with pytest.raises(EverletError, match="angle style spica computes the repulsion of atoms 1 and 3"):
        simulation().commands(HEAD + "angle_style spica\nangle_coeff * 20 110\nrun 0\n")
