"""Constraints of bonds and angles (fix shake, fix rattle) against the reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle.harness import parse_log
from tests.oracle.reference import lmp

SCRIPT = """
units real
atom_style molecular
{before}
read_data molecules.data
pair_style lj/cut 5.0
pair_coeff 1 1 0.1 3.0
pair_coeff 2 2 0.02 1.5
bond_style harmonic
bond_coeff 1 300 1.1
bond_coeff 2 300 0.95
{angles}
velocity all create 300 4321 loop all
{fixes}
timestep 1.0
thermo 10
thermo_style custom step temp pe emol etotal press pxx pyy pzz pxy pxz pyz lx fnorm
thermo_modify norm no format float %.15g
run {steps}
{after}
"""
ANGLES = "angle_style harmonic\nangle_coeff 1 50 104.52"
MOLECULES = (  # bond types and directions of the partners of a centre; the last one is a triangle with its angle
    [(1, (1, 0, 0))], [(1, (1, 0, 0)), (2, (-0.5, 0.8, 0.1))], [(1, (1, 0, 0)), (2, (-0.4, 0.9, 0)), (1, (-0.3, -0.5, 0.8))],
    [(2, (0.79, 0.61, 0)), (2, (-0.79, 0.61, 0))])


def molecules(path: Path, edge: int = 3, spacing: float = 4.6, seed: int = 5, tilt: float = 0.0,
              offset: float = 0.0, more: tuple[tuple[int, int, int], ...] = (), wrong: float = 0.005) -> None:
    """Molecules of two, three and four atoms on a grid, turned at random, of nearly the right lengths (but for `wrong`);
    some go through the faces of the box."""
    rng, length = np.random.default_rng(seed), (1.1, 0.95)
    atoms, bonds, angles, size = [], [], [], edge * spacing
    for k, site in enumerate(np.ndindex(edge, edge, edge)):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        place, first = spacing * (np.array(site) + offset + rng.uniform(-0.1, 0.1, 3)), len(atoms) + 1
        atoms.append((k + 1, 1, place))
        for type, way in MOLECULES[k % 4]:
            reach = length[type - 1] * (1.0 + rng.uniform(-wrong, wrong))
            atoms.append((k + 1, 2, place + reach * turn @ (np.array(way) / np.linalg.norm(way))))
            bonds.append((type, first, len(atoms)) if rng.random() < 0.5 else (type, len(atoms), first))
        if k % 4 == 3:
            angles.append((1, len(atoms) - 1, first, len(atoms)))
    bonds += more
    lines = ["molecules", "", f"{len(atoms)} atoms", f"{len(bonds)} bonds", f"{len(angles)} angles", "2 atom types",
             "2 bond types", "1 angle types", *(f"0 {size} {a}lo {a}hi" for a in "xyz"),
             *([f"{tilt} 0 0 xy xz yz"] if tilt else []), "", "Masses", "", "1 12.011", "2 1.008", "", "Atoms # molecular", ""]
    for i, (mol, type, place) in enumerate(atoms):
        wraps = np.floor(place / size).astype(int) if not tilt else np.zeros(3, int)
        x, y, z = place - size * wraps
        lines.append(f"{i + 1} {mol} {type} {x:.15g} {y:.15g} {z:.15g} {wraps[0]} {wraps[1]} {wraps[2]}")
    for title, table in (("Bonds", bonds), ("Angles", angles)):
        lines += ["", title, "", *(f"{k + 1} {' '.join(map(str, row))}" for k, row in enumerate(table))]
    path.write_text("\n".join(lines) + "\n")


def text(fixes: str, steps: int = 100, angles: str = ANGLES, before: str = "", after: str = "") -> str:
    return SCRIPT.format(fixes=fixes, steps=steps, angles=angles, before=before, after=after)


def worst(mine: dict[str, np.ndarray], wanted: dict[str, np.ndarray], rows: slice) -> float:
    """The largest difference, relative to the largest value of a column."""
    mine, wanted = dict(enumerate(mine.values())), dict(enumerate(wanted.values()))
    scale = {name: max(float(np.abs(values).max()), 1e-3) for name, values in wanted.items()}
    return max(float(np.abs(mine[name][rows] - wanted[name][rows]).max()) / scale[name] for name in mine)


def compare(script: str, folder: Path, start: float = 1e-10, later: float = 1e-7, threads: int = 1) -> str:
    """Thermo rows of both; gives the log of the reference."""
    log = lmp(folder, script)
    sim = Simulation(device="cpu", threads=threads, screen="none", log="none")
    sim.commands(script)
    wanted, table = parse_log(log)[-1], sim.thermo.table()
    mine = {word: table[word][-len(wanted["Step"]) :] for word in sim.thermo.history[-1]}  # of the last run
    assert worst(mine, wanted, slice(0, 1)) < start
    assert worst(mine, wanted, slice(None)) < later
    return log


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


SHAKE = "fix s all shake 1e-4 20 50 b 1 2"


@pytest.mark.parametrize("fixes", [
    f"{SHAKE} a 1\nvelocity all create 250 99 loop all\nfix n all nve",
    "fix s all shake 1e-4 20 0 m 1.0\nfix n all nvt temp 300 310 100",
    f"{SHAKE} a 1\nfix n all npt temp 300 310 100 aniso 1 1 500",
    "group some id 1:40\nfix s some shake 1e-4 20 0 t 2\nfix n all nve",
    "atom_modify sort 0 0\nfix l all langevin 300 300 100 777\nfix s all shake 1e-6 20 0 t 2 a 1\nfix n all nve"])
def test_shake(fixes: str, here: Path) -> None:
    molecules(here / "molecules.data")
    compare(text(fixes), here)


def test_barostats_with_shake_ask_nothing_of_the_host(here: Path) -> None:
    """Velocities are those that the barostat left: a GPU replays such steps."""
    molecules(here / "molecules.data")
    sim = Simulation(device="cpu", threads=1, screen="none", log="none")
    sim.commands(text(f"{SHAKE} a 1\nfix n all npt temp 300 310 100 aniso 1 1 500", 0))
    assert all(fix.steady for fix in sim.engine.system.fixes.values())


@pytest.mark.parametrize("fixes", ["fix n all nve\nfix s all rattle 1e-4 20 0 b 1 2 a 1",
                                   "fix n all nvt temp 300 310 100\nfix s all rattle 1e-4 20 0 t 2"])
def test_rattle(fixes: str, here: Path) -> None:
    """No cluster goes through a face of the box: there the reference loses velocities (docs/scripts.md)."""
    molecules(here / "molecules.data", offset=0.5)
    compare(text(fixes), here)


@pytest.mark.parametrize("fixes", [f"{SHAKE} a 1\nfix n all nve", "fix n all nve\nfix s all rattle 1e-4 20 0 b 1 2 a 1"])
@pytest.mark.parametrize("after", ["", "group h type 2\ndisplace_atoms h move 0.05 0.02 0.03 units box\n"
                                   "velocity all create 900 77 loop all\nrun 5"])
def test_starts_that_violate_constraints(after: str, fixes: str, here: Path) -> None:
    """Lengths a fifth too short or too long, angles by 15 degrees, hot velocities: step 0 and what follows."""
    molecules(here / "molecules.data", offset=0.5, wrong=0.2)
    script = text(fixes, 5, ANGLES.replace("104.52", "120"), after=after).replace("thermo 10", "thermo 1")
    compare(script.replace("create 300", "create 3000"), here)


def test_statistics_threads_and_stress(here: Path) -> None:
    """What the log says, and the sum of virials of atoms; two runs, after which bonds and angles are as before."""
    molecules(here / "molecules.data", tilt=2.0)
    after = ("thermo_style custom step temp press c_sum[1] c_sum[4]\nrun 20\nunfix s\n"
             "thermo_style custom step pe ebond eangle\nthermo_modify norm no format float %.15g\nrun 20")
    fixes = f"{SHAKE} a 1\nfix n all nve\ncompute st all stress/atom NULL fix\ncompute sum all reduce sum c_st[*]"
    log = compare(text(fixes, 50, after=after), here, threads=2)
    sim = Simulation(device="cpu", threads=1, screen="none", log="log.ours")
    sim.commands(text(fixes, 50))
    ours = Path("log.ours").read_text()
    found, wanted = ([line.split() for line in text.splitlines() if line.startswith(("SHAKE", "Bond:", "Angle:"))][:8]
                     for text in (ours, log))
    assert len(wanted) == 8
    for mine, theirs in zip(found, wanted, strict=True):
        assert mine[:3] == theirs[:3] and mine[4:] == theirs[4:]
        if mine[0] != "SHAKE":  # ranges are differences of numbers of size 1 to 100
            assert abs(float(mine[3]) - float(theirs[3])) < 1e-4 * float(theirs[3]) + 1e-11
    assert "       7 = # of size 2 clusters\n       7 = # of size 3 clusters\n" in ours
    assert "       7 = # of size 4 clusters\n       6 = # of frozen angles\n" in ours


def test_a_restart_goes_on(here: Path) -> None:
    molecules(here / "molecules.data")
    sim = Simulation(device="cpu", threads=1, screen="none", log="none")
    sim.commands(text(f"{SHAKE} a 1\nfix n all nve", 20, after="write_restart kept\nwrite_data kept.data\nrun 20"))
    again = Simulation(device="cpu", threads=1, screen="none", log="none")
    again.commands(f"read_restart kept\n{SHAKE} a 1\nfix n all nve\nrun 20")
    order, other = (np.argsort(one.array("id")) for one in (sim, again))
    np.testing.assert_array_equal(sim.array("x")[order], again.array("x")[other])
    assert "-1" not in {line.split()[1] for line in Path("kept.data").read_text().splitlines() if len(line.split()) == 4}


def test_lengths_and_velocities_are_right(here: Path) -> None:
    """Also of clusters through faces of the box: lengths as the solver is asked for, velocities across bonds."""
    molecules(here / "molecules.data")
    sim = Simulation(device="cpu", threads=1, screen="none", log="none")
    sim.commands(text("fix n all nve\nfix s all rattle 1e-9 50 0 b 1 2 a 1", 20))
    order = np.argsort(sim.array("id"))
    x, v, size = sim.array("x")[order], sim.array("v")[order], 3 * 4.6
    lines = Path("molecules.data").read_text().split("Bonds")[1].split("Angles")[0].splitlines()
    for words in map(str.split, lines):
        if words:
            type, a, b = (int(word) for word in words[1:])
            r = x[a - 1] - x[b - 1]
            r -= size * np.rint(r / size)
            assert abs(np.linalg.norm(r) - (1.1, 0.95)[type - 1]) < 1e-9
            assert abs(r @ (v[a - 1] - v[b - 1])) < 1e-9


@pytest.mark.parametrize("more, message", [(((1, 2, 4),), "clusters touch"),
                                           (((1, 1, 3), (1, 1, 4), (1, 1, 5)), "atom 1 has 4 ")])
def test_clusters_that_are_too_large(more: tuple[tuple[int, int, int], ...], message: str, here: Path) -> None:
    molecules(here / "molecules.data", more=more)
    with pytest.raises(EverletError, match=message):
        Simulation(device="cpu", threads=1, screen="none", log="none").commands(text(SHAKE, 0))


@pytest.mark.parametrize("fixes, message", [
    ("fix s all shake 1e-4 20 0", "expected 5 or more"), ("fix s all shake 1e-4 20 0 b 3", "out of range 1 to 2"),
    ("fix s all shake 1e-4 20 0 a 1", "names no bonds"), ("fix s all shake 1e-4 20 0 b 1 mol w", "unknown molecule template"),
    ("fix s all shake 0 20 0 b 1", "tolerance above 0"), (f"{SHAKE}\nfix r all rattle 1e-4 20 0 b 1", "there is fix s shake"),
    (f"fix n all npt temp 300 300 100 iso 1 1 100\n{SHAKE}\nrun 0", "changes the box"),
    (f"angle_coeff 1 50 180\n{SHAKE} a 1\nrun 0", "180 degrees"), (f"bond_coeff 1 50 0\n{SHAKE}\nrun 0", "length 0")])
def test_refusals(fixes: str, message: str, here: Path) -> None:
    molecules(here / "molecules.data")
    with pytest.raises(EverletError, match=message):
        Simulation(device="cpu", threads=1, screen="none", log="none").commands(text(fixes, 0))


def test_no_cluster_is_a_warning(here: Path) -> None:
    molecules(here / "molecules.data")
    Simulation(device="cpu", threads=1, screen="none", log="log.ours").commands(text("fix s all shake 1e-4 20 0 m 5", 0))
    assert "WARNING: fix s shake has found no cluster" in Path("log.ours").read_text()


@pytest.mark.all
def test_energy_of_water_drifts_no_more_than_in_the_reference(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """10 000 steps: trajectories part, energies must not. Drifts are slopes of straight lines through all of them."""
    monkeypatch.setattr("tests.oracle.test_constraints.MOLECULES", MOLECULES[3:] * 4)
    molecules(here / "molecules.data")
    script = text("pair_modify shift yes\nfix s all shake 1e-6 50 0 b 1 2 a 1\nfix n all nve", 10000)
    wanted = parse_log(lmp(here, script))[-1]
    sim = Simulation(device="cpu", threads=1, screen="none", log="none")
    sim.commands(script)
    mine = sim.thermo.table()
    energies = mine["etotal"], wanted["TotEng"]
    ours, theirs = (abs(np.polyfit(np.arange(900), energy[100:1000], 1)[0]) * 900 for energy in energies)
    scale = float(mine["etotal"].max() - mine["pe"].min())  # about the kinetic energy
    assert ours < max(2.0 * theirs, 1e-3 * scale), (ours, theirs, scale)


@pytest.mark.parametrize("words, held", [("constrain", "shake"), ("hex constrain", "shake"), ("constrain com", "shake"),
                                         ("constrain com", "rattle")])
def test_heat_for_constrained_molecules(words: str, held: str, here: Path) -> None:
    """The border of the region cuts molecules. With rattle, whose virial is of places that ehex has moved, no pressures."""
    molecules(here / "molecules.data", offset=0.5)
    script = text("fix n all nve\nregion hot block INF INF INF INF INF 6.9\n"
                  f"fix h all ehex 1 0.5 region hot {words}\nfix s all {held} 1e-10 90 0 b 1 2 a 1", 60)
    compare(script.replace("press pxx pyy pzz pxy pxz pyz" if held == "rattle" else "press", "f_h"), here)


@pytest.mark.parametrize("words, message", [("com", "use constrain com"), ("constrain\nrun 0", "no fix rattle")])
def test_heat_without_constraints(words: str, message: str, here: Path) -> None:
    molecules(here / "molecules.data")
    with pytest.raises(EverletError, match=message):
        Simulation(device="cpu", threads=1, screen="none", log="none").commands(
            text(f"fix n all nve\nfix h all ehex 1 0.5 {words}"))
