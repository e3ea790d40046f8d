"""fix tmd against the reference, whose file has the numbers of f_ID."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from tests.oracle.harness import parse_log, working_in
from tests.oracle.reference import lmp
from tests.oracle.side_by_side import same_tables
from tests.tables import rows

BASE = """
units {units}
atom_modify map yes
lattice fcc {lattice}
region box block 0 3 0 3 0 3
create_box 2 box
create_atoms 1 box
mass 1 {mass}
mass 2 {heavy}
set atom 3*5 type 2
group some id 2:6 100
velocity all create {temperature} 87287 loop geom
pair_style lj/cut {cutoff}
pair_coeff * * {epsilon} {cutoff}
timestep {dt}
fix 1 all nve
"""
LJ = dict(units="lj", lattice=0.4, mass=1.0, heavy=2.5, temperature=1.0, cutoff=1.2, epsilon=0.1, dt=0.005, rho=0.15)
REAL = dict(units="real", lattice=5.4, mass=40.0, heavy=20.0, temperature=120.0, cutoff=4.0, epsilon=0.2, dt=1.0, rho=0.4)
SIZES = {"lj": 3 * (4 / 0.4) ** (1 / 3), "real": 3 * 5.4}
RUNS = {"one run": "run 30", "two parts": "run 20 start 0 stop 30\nrun 10 start 0 stop 30"}


def structure(folder: Path, script: str, images: bool) -> None:
    """A file with places near those of the script, of all atoms but the last."""
    with Simulation(device="serial", log="none", screen="none") as sim:
        sim.commands(script)
        size = SIZES[script.split()[1]]
        x = sim.positions + np.random.default_rng(7).normal(size=sim.positions.shape) * 0.02 * size
    lines = [f"0.0 {size!r} {axis}lo {axis}hi" for axis in "xyz"] if images else []
    flags = np.floor(x / size).astype(int) if images else np.zeros_like(x, int)
    for k, place in enumerate((x - flags * size)[:-1].tolist(), 1):
        lines.append(" ".join(map(repr, [k, *place, *(flags[k - 1].tolist() if images else ())])))
    (folder / "target").write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("system, images", [(LJ, True), (LJ, False), (REAL, True)])
@pytest.mark.parametrize("name", RUNS)
def test_led_to_a_structure(name: str, system: dict, images: bool, tmp_path: Path) -> None:
    script = BASE.format(**system)
    structure(tmp_path, script, images)
    script += f"fix 2 some tmd {system['rho']} target {{}}\n"
    script += "thermo_style custom step temp pe ke{}\nthermo_modify format float %.17g\nthermo 1\n"
    expected = parse_log(lmp(tmp_path, script.format("1 numbers", "") + RUNS[name]))
    with working_in(tmp_path):
        sim = Simulation(device="serial", log="log.ours", screen="none")
        sim.commands(script.format("0", " f_2 f_2[1] f_2[2]") + RUNS[name])
        sim.close()
    found, numbers = parse_log((tmp_path / "log.ours").read_text()), np.loadtxt(tmp_path / "numbers")
    same_tables(found, expected, 1e-10)
    for table in found:
        steps = table["Step"].astype(int)[1:]
        for word, column in (("f_2[1]", 1), ("f_2[2]", 5), ("f_2", 6)):
            np.testing.assert_allclose(table[word][1:], numbers[steps - 1, column], rtol=1e-7, err_msg=word)


def test_goes_on_from_a_restart_file(tmp_path: Path) -> None:
    script = BASE.format(**LJ)
    structure(tmp_path, script, True)
    fixes = "fix 2 some tmd 0.15 target 0\nthermo_style custom step temp pe f_2 f_2[1] f_2[2]\nthermo 10\n"
    with working_in(tmp_path):
        sims = [Simulation(device="serial", log="none", screen="none", tune=False) for _ in range(2)]
        sims[0].commands(f"{script}{fixes}restart 10 r.*\nrun 30\n")
        again = script[script.index("pair_style"):].replace("velocity", "#")
        sims[1].commands(f"read_restart r.10\n{again}{fixes}restart 10 q.*\nrun 20 start 0 stop 30\n")
        one, other = (sim.thermo.table() for sim in sims)
    assert {word: (one[word][-1], other[word][-1]) for word in one if one[word][-1] != other[word][-1]} == {}


@pytest.mark.parametrize("text, message", rows(r"""
fix 2 some tmd 0.1 -> expected
fix 2 some tmd -1 target 0 -> distance of -1
fix 2 some tmd 0.1 target 10 numbers -> no file of its own
fix 2 some tmd 0.1 no.such.file 0 -> no.such.file
fix 2 all tmd 0.1 target 0 -> is not there
group none type 2 1\ngroup none subtract none all\nfix 2 none tmd 0.1 target 0 -> has no atoms
unfix 1\nfix 2 some tmd 0.1 target 0\nfix 1 all nve\nrun 1 -> define it last
"""))
def test_refused(text: str, message: str, tmp_path: Path) -> None:
    script = BASE.format(**LJ)
    structure(tmp_path, script, False)
    with working_in(tmp_path), Simulation(device="serial", log="none", screen="none") as sim:
        with pytest.raises(InputError, match=re.escape(message)) as found:
            sim.commands(script + text)
        assert found.value.remedy
