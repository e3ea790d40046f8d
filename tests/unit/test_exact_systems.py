"""As test_exact.py: charges that are equilibrated, potentials, boxes, threads; files between runs and after minimisations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.harness import working_in
from tests.oracle.reax_systems import water as reactive_water
from tests.unit.test_exact import READ, both, lines_of, same, water

ROWS = "thermo_style custom step temp pe etotal press pxy lx vol\nthermo 1\nthermo_modify norm no\n"
NUMBERS = "1 5.3 19.0 0.9 0.0 0.0\n2 8.5 16.0 0.6 0.0 0.0\n3 6.5 16.0 0.8 0.0 0.0\n"
CHARGED = """
units real
atom_style charge
lattice diamond 4.8
region b block 0 2 0 2 0 2
create_box 3 b
create_atoms 1 box basis 1 1 basis 3 2 basis 5 2 basis 7 3
mass * 12
displace_atoms all random 0.1 0.1 0.1 4711
set type 1 charge 0.3
set type 2 charge -0.15
velocity all create 900 12345 loop all
timestep 0.2
"""
CUT = "pair_style lj/cut/coul/cut 4.5\npair_coeff * * 0.05 1.8\n"
LONG = "pair_style lj/cut/coul/long 4.5\npair_coeff * * 0.05 1.8\nkspace_style {} 1e-3\n"
CRYSTAL = """
units metal
{boundary}
lattice {lattice}
region b {region}
create_box 1 b
create_atoms 1 {where}
mass 1 60
velocity all create 900 4711 loop all
"""
FCC = {"boundary": "", "lattice": "fcc 3.615", "region": "block 0 3 0 3 0 3", "where": "box"}
EAM, SW = "pair_style eam\npair_coeff 1 1 Cu_u3.eam\n", "pair_style sw\npair_coeff * * Si.sw Si\n"
LJ = "pair_style lj/cut 6.0\npair_coeff 1 1 0.2 2.3\n"
REACTIVE = "units real\natom_style charge\nread_data atoms\nvelocity all create 600 4711 loop all\n"
REAXFF = "pair_style reaxff NULL\npair_coeff * * acks2_ff.water H O\ntimestep 0.2\n"
SYSTEMS = {  # atoms, the rest
    "qeq/point": (CHARGED, CUT + "fix q all qeq/point 1 4.5 1e-6 100 numbers\nfix 1 all nve\n"),
    "qeq/shielded seldom": (CHARGED, CUT + "fix q all qeq/shielded 3 4.5 1e-6 100 numbers\nfix 1 all nvt temp 900 800 50\n"),
    "qeq/point pppm npt": (CHARGED, LONG.format("pppm") + "fix q all qeq/point 1 4.5 1e-6 100 numbers\n"
                           "fix 1 all npt temp 900 800 50 iso 1 1 200\n"),
    "qeq/point ewald": (CHARGED, LONG.format("ewald") + "fix q all qeq/point 2 4.5 1e-6 100 numbers\nfix 1 all nve\n"),
    "reaxff": (REACTIVE, REAXFF + "fix q all qeq/reaxff 1 0.0 10.0 1e-6 reaxff\nfix 1 all nvt temp 600 500 20\n"),
    "acks2": (REACTIVE, REAXFF + "fix q all acks2/reaxff 1 0.0 10.0 1e-6 reaxff\nfix 1 all npt temp 600 500 20 iso 1 1 200\n"),
    "eam": (CRYSTAL.format(**FCC), EAM + "fix 1 all npt temp 900 900 0.1 aniso 0 0 1\n"),
    "hybrid": (CRYSTAL.format(**FCC), "pair_style hybrid/overlay eam lj/cut 5.0\npair_coeff 1 1 eam Cu_u3.eam\n"
               "pair_coeff 1 1 lj/cut 0.01 2.5\nfix 1 all nvt temp 900 900 0.1\n"),
    "sw": (CRYSTAL.format(**FCC | {"lattice": "diamond 5.431", "region": "block 0 2 0 2 0 2"}),
           SW + "fix 1 all nvt temp 900 900 0.1\nfix 2 all momentum 3 linear 1 1 1\n"),
    "tilted": (CRYSTAL.format(**FCC | {"region": "prism 0 3 0 3 0 3 0.6 -0.4 0.3"}),
               EAM + "fix 1 all npt temp 900 900 0.1 tri 0 0 1 flip yes\n"),
    "shrinking": (CRYSTAL.format(**FCC | {"boundary": "boundary s p m", "region": "block 0 6 0 3 0 6", "where": "region c"})
                  .replace("create_box", "region c block 1 5 0 3 1 5\ncreate_box"),
                  LJ + "fix 1 all nve\nfix 2 all viscous 0.1\nfix 3 all recenter INIT INIT NULL\n"),
    "carried": (CRYSTAL.format(**FCC | {"region": "prism 0 3 0 3 0 3 0.3 0 0"}),
                LJ + "fix 1 all nvt/sllod temp 900 900 0.1\nfix 2 all deform 1 xy erate 5 remap v\n"),
    "two barostats": (CRYSTAL.format(**FCC),
                      LJ + "fix 1 all npt temp 900 900 0.1 z 0 0 1\nfix 2 all deform 2 x erate 3 remap x\n"),
    "dt/reset": (CRYSTAL.format(**FCC), LJ + "fix 1 all nve\nfix 2 all dt/reset 7 NULL 0.01 0.01 units box\n"),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_systems(name: str, tmp_path: Path) -> None:
    first, rest = SYSTEMS[name]
    (tmp_path / "numbers").write_text(NUMBERS)
    (tmp_path / "atoms").write_text(reactive_water(2))
    same(both(tmp_path, first, rest + ROWS))


@pytest.mark.parametrize("name", ["eam", "reaxff", "sw"])
def test_threads(name: str, tmp_path: Path) -> None:
    first, rest = SYSTEMS[name]
    (tmp_path / "atoms").write_text(reactive_water(3))
    same(both(tmp_path, first, rest + ROWS, threads=2))


@pytest.mark.parametrize("solver, constraint", [("pppm", "shake"), ("ewald", "rattle"), ("pppm/tip4p", "rigid/small")])
def test_threads_and_a_tilted_box(solver: str, constraint: str, tmp_path: Path) -> None:
    tilt = "1.5 -0.7 0.4 xy xz yz"
    (tmp_path / "water.data").write_text(water(4, tilt=tilt))
    ensemble = "nvt" if "rigid" in constraint else "npt"
    same(both(tmp_path, READ, lines_of(ensemble, constraint, solver), threads=2))


@pytest.mark.parametrize("ensemble, constraint", [("nvt", "shake"), ("npt", "rattle"), ("npt", "rigid"), ("nve", "rigid/small"),
                                                 ("langevin", "shake"), ("langevin", "rigid")])
def test_a_file_between_runs(ensemble: str, constraint: str, tmp_path: Path) -> None:
    """Both runs after it are set up; `clear` and another simulation in the same script; a minimisation before it."""
    (tmp_path / "water.data").write_text(water())
    rest = lines_of(ensemble, constraint, "pppm")
    relax = "" if constraint.startswith("rigid") else "minimize 0 0 5 50\nreset_timestep 0\n"
    with working_in(tmp_path):
        sims = [Simulation(device="cpu", threads=1, screen="none", log="none", tune=False) for _ in range(3)]
        sims[0].commands(f"{READ}{rest}{relax}run 10\nwrite_restart r\nrun 13\n")
        sims[1].commands(f"read_restart r\n{rest}run 13\n")
        sims[2].commands(f"{READ}{rest}{relax}run 10\nclear\nread_restart r\n{rest}run 13\n")
    for other in sims[1:]:
        for field in ("id", "x", "v", "f", "image"):
            assert np.array_equal(sims[0].array(field), other.array(field)), field


def test_a_minimised_state(tmp_path: Path) -> None:
    """A file of a minimisation is one of a run that begins."""
    (tmp_path / "water.data").write_text(water())
    rest = lines_of("nve", "shake", "pppm")
    with working_in(tmp_path):
        sims = [Simulation(device="cpu", threads=1, screen="none", log=f"{k}.log", tune=False) for k in "ab"]
        sims[0].commands(f"{READ}{rest}restart 4 m.*\nminimize 0 0 4 50\nrun 9\n")
        sims[1].commands(f"read_restart m.4\n{rest}run 9\n")
    same(sims)
    assert "the file does not have the search of the minimisation" in (tmp_path / "a.log").read_text()


def test_what_no_file_has_is_named(tmp_path: Path) -> None:
    first, rest = CRYSTAL.format(**FCC), LJ + "fix 1 all nve\nfix 2 all external pf/array 1\n"
    both(tmp_path, first, rest, steps=5, at=2)
    text = (tmp_path / "a.log").read_text()
    assert text.count("need not repeat this one") == 1  # of two files
    assert "Restart file at step 2: " in text and "fix 2 (external): what the program that gives forces remembers" in text


def test_nothing_happens_in_a_run_of_no_steps(tmp_path: Path) -> None:
    (tmp_path / "water.data").write_text(water())
    rest = lines_of("npt", "shake", "pppm")
    sims = both(tmp_path, READ, rest)
    with working_in(tmp_path):
        other = Simulation(device="cpu", threads=1, screen="none", log="none", tune=False)
        other.commands(f"read_restart r.10\n{rest}run 0 start 0 stop 23\nrestart 10 q.*\nrun 13 start 0 stop 23\n")
    for field in ("id", "x", "v", "f", "image"):
        assert np.array_equal(sims[0].array(field), other.array(field)), field


@pytest.mark.parametrize("line, what", [
    ("displace_atoms all move 0.1 0 0", "x of atoms"), ("velocity all scale 200", "v of atoms"),
    ("pair_coeff 1 1 0.1 3.0", "the pair style"), ("timestep 1.0", "the timestep"), ("unfix 2", "fix 2"),
    ("kspace_style pppm 1e-4", "kspace_style"), ("bond_coeff 1 450 1.0", "the bond style")])
def test_changes_begin_a_run_anew(line: str, what: str, tmp_path: Path) -> None:
    """Forces of the file are not those of what the script has made of it."""
    (tmp_path / "water.data").write_text(water())
    rest = lines_of("nve", "shake", "pppm")
    with working_in(tmp_path):
        Simulation(device="cpu", threads=1, screen="none", log="none", tune=False).commands(
            f"{READ}{rest}restart 2 r.*\nrun 3\n")
        sims = [Simulation(device="cpu", threads=1, screen="none", log=f"{k}.log", tune=False) for k in "ab"]
        sims[0].commands(f"read_restart r.2\n{rest}{line}\nrun 0\n")
        assert f"but {what} has changed: this run begins anew" in Path("a.log").read_text()
        sims[1].commands(f"read_restart r.2\n{rest}run 0\n")
        assert "anew" not in Path("b.log").read_text()
    assert not np.array_equal(sims[0].array("f"), sims[1].array("f"))
