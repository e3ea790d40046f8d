"""Steps of several lengths (run_style respa) against the reference: positions, velocities, forces, energies, virials."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.lab.supported import check_script
from tests.oracle.harness import DUMP, Tolerances, compare, run_everlet, run_lmp
from tests.oracle.test_special_charges import chains

SCRIPT = """
units lj
atom_style full
newton {newton}
atom_modify sort 0 0
special_bonds {special} coul 0.2 0.5 0.8
read_data chains.data
bond_style harmonic
bond_coeff 1 300 1.0
pair_style {pair}
pair_coeff {coeff}
pair_modify table 0 shift {shift}
{kspace}
neighbor 0.4 bin
neigh_modify every 1 delay 0 check yes
velocity all create 1.0 4711 loop all
{fixes}
timestep 0.004
run_style respa {levels}
thermo_style custom step temp pe evdwl ecoul ebond elong etotal press pxx pyy pzz pxy pxz pyz {columns}
thermo_modify norm no format float %.17g
thermo 10
dump forces all custom 20 {dump} id type xu yu zu vx vy vz fx fy fz
dump_modify forces sort id format float %.17g first no
{run}
"""
KSPACE = "kspace_style ewald 1e-4\nkspace_modify gewald 0.8"
LONG, NVE = "lj/cut/coul/long 2.2 2.6", "fix 1 all nve"
FORCES = """fix 1 all nve
group odd type 1
fix 2 odd setforce NULL NULL 0.0
fix 3 all addforce 0 0.1 0.2
fix 4 all temp/berendsen 1 1 0.5
fix 5 odd spring/self 10
fix 6 all planeforce 1 1 0
"""
EMPTY = "compute no forces"
CASES = {  # pair style, levels, fixes, more columns
    "pair": ("lj/cut 2.5", "3 2 3 bond 1 pair 2", NVE, ""),
    "one level": ("lj/cut 2.5", "1", NVE, ""),
    "solver": (LONG, "4 2 2 2 bond 1 pair 3 kspace 4", NVE, ""),
    "inner": ("lj/cut 2.5", "2 4 inner 1 1.2 1.5 outer 2", NVE, ""),
    "middle": (LONG, "4 2 2 2 bond 1 inner 2 1.1 1.3 middle 3 1.5 1.9 outer 4", NVE, ""),
    "charmm": ("lj/charmm/coul/long 2.0 2.2 2.6", "3 2 2 inner 2 1.2 1.6 outer 3", NVE, ""),
    "mie": ("mie/cut 2.5", "2 3 inner 1 1.2 1.5 outer 2", NVE, ""),
    "hybrid": ("hybrid/overlay lj/cut 2.2 coul/long 2.6", "3 2 2 bond 1 hybrid 2 3 kspace 3", NVE, ""),
    "nvt": (LONG, "3 2 2 pair 2 kspace 3", "fix 1 all nvt temp 1 2 0.5", "ecouple"),
    "langevin": ("lj/cut 2.5", "2 3", "fix 1 all nve\nfix 2 all langevin 1 1 0.5 4711", ""),
    "forces": ("lj/cut 2.5", "3 2 3 bond 1 pair 2", FORCES, "f_2[1] f_2[3] f_5"),
}
UNWEIGHTED = ("middle", "charmm")  # outer forces of the reference are without the factors of the first part, where charges are
COEFF = {"mie/cut 2.5": "* * 1 0.9 13 7", "lj": "* * 1 0.9",
         "hybrid/overlay lj/cut 2.2 coul/long 2.6": "* * coul/long\npair_coeff * * lj/cut 1 0.9"}


def script(name: str, newton: str = "on", run: str = "run 60", **more: str) -> str:
    pair, levels, fixes, columns = CASES[name]
    words = {"levels": levels, "fixes": fixes, "shift": "yes" if name in ("inner", "middle") else "no",
             "special": f"lj {'1 1 1' if name in UNWEIGHTED else '0.1 0.3 0.6'}"} | more
    return SCRIPT.format(pair=pair, coeff=COEFF.get(pair, COEFF["lj"]), columns=columns, dump=DUMP, newton=newton, run=run,
                         kspace=KSPACE if "long" in pair else "", **words)


@pytest.mark.parametrize("name", CASES)
def test_trajectories(name: str, tmp_path: Path) -> None:
    """More than one list is made in 60 steps."""
    files = {"chains.data": chains()}
    text = script(name)
    wanted, mine = run_lmp(text, files, tmp_path / "lmp", allowed=EMPTY), run_everlet(text, files, tmp_path, device="serial")
    for result in (wanted, mine):  # before the first step fixes leave the reference with forces of the last level
        del result.frames[0]
        result.thermo[0] = {word: values[1:] for word, values in result.thermo[0].items()}
    compare(mine, wanted, Tolerances(1e-10, 1e-10))
    for step in (20, 40, 60):
        assert np.abs(mine.frames[step]["vx"] - wanted.frames[step]["vx"]).max() < 1e-10


@pytest.mark.parametrize("device, newton, lists", [("cpu", "on", "half"), ("serial", "off", "half"), ("serial", "on", "full")])
def test_devices_and_lists(device: str, newton: str, lists: str, tmp_path: Path) -> None:
    files, text = {"chains.data": chains()}, script("middle", newton)
    wanted = run_lmp(text, files, tmp_path / "lmp", allowed=EMPTY)
    mine = run_everlet(f"package everlet neigh {lists}\n{text}", files, tmp_path, device=device)
    compare(mine, wanted, Tolerances(1e-11, 1e-10))


def test_a_style_after_another(tmp_path: Path) -> None:
    run = "run 20\nrun_style verlet\nrun 10\nrun_style respa 2 3\nrun 30"
    files, text = {"chains.data": chains()}, script("solver", run=run)
    wanted, mine = run_lmp(text, files, tmp_path / "lmp", allowed=EMPTY), run_everlet(text, files, tmp_path, device="serial")
    compare(mine, wanted, Tolerances(1e-11, 1e-10))


@pytest.mark.parametrize("name", ["inner", "middle", "charmm"])
def test_shares_add_up_to_the_force(name: str, tmp_path: Path) -> None:
    """Also of special pairs with factors, and virials."""
    files, text = {"chains.data": chains()}, script(name, run="run 0", special="lj 0.1 0.3 0.6").replace("first no", "")
    whole = text.replace("run_style respa", "run_style verlet #")
    compare(run_everlet(text, files, tmp_path, device="serial"), run_lmp(whole, files, tmp_path / "lmp"), Tolerances(1e-11))


def test_a_run_goes_on_without_a_set_up(tmp_path: Path) -> None:
    files = {"chains.data": chains()}
    parts, whole = (run_everlet(script("middle", run=run), files, tmp_path / run[:6], device="serial")
                    for run in ("run 20\nrun 40 pre no", "run  60"))
    assert np.abs(parts.frames[60]["xu"] - whole.frames[60]["xu"]).max() < 1e-12


@pytest.mark.parametrize("levels, fixes, words", [
    ("3 2 2 pair 4", NVE, "levels 1 to 3"), ("3 2", NVE, "usage"), ("2 0", NVE, "1 or more"),
    ("2 2 bond 2 pair 1", NVE, "order"),
    ("2 2 inner 1 1 2", NVE, "inner and outer"), ("2 2 inner 1 2 1 outer 2", NVE, "grow"), ("2 2 nearby 1", NVE, "keyword"),
    ("2 2 pair 1 inner 1 1 2 outer 2", NVE, "pair and inner"), ("2 2 hybrid 1 2", NVE, "sub-style"),
    ("2 2", "fix 1 all npt temp 1 1 1 iso 1 1 1", "fix 1 \\(npt\\)"),
    ("2 2", "fix 1 all rigid molecule", "fix 1 \\(rigid\\)"),
    ("2 2", "fix 1 all nve\nfix 2 all aveforce 0 0 0", "aveforce"),
    ("2 2", "fix 1 all nve/limit 0.1", "nve/limit"),
])
def test_refused(levels: str, fixes: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        run_everlet(script("pair", levels=levels, fixes=fixes), {"chains.data": chains()}, tmp_path, device="serial")


def test_a_script_is_checked_before_it_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """everlet check names fixes that have steps of one length."""
    lines = """units lj
lattice fcc 0.8
region b block 0 3 0 3 0 3
create_box 1 b
create_atoms 1 box
mass * 1
pair_style lj/cut 2.5
pair_coeff * * 1 1
run_style respa 2 2
fix 1 all npt temp 1 1 1 iso 1 1 1
run 1
"""
    (tmp_path / "in.respa").write_text(lines)
    assert not check_script(str(tmp_path / "in.respa"), [])
    assert "run_style respa with fix 1 (npt) is not available" in capsys.readouterr().out
