"""Which fixes and computes go on from a restart file, and what the log says of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.state.continuing import ARGUMENTS, GROUP, STEP, Kept
from everlet.state.operation import Operation
from tests.oracle.harness import working_in
from tests.scripts import crystal

BOX = crystal("0 3 0 3 0 3") + """
mass * 1.0
velocity all create 1.44 87287 loop all
group some id 2:60
"""
REST = """
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
compute b all chunk/atom bin/1d z lower 0.7
"""
FIRST = """
fix 1 all nvt temp 1 1 0.1
fix a all ave/time 1 1 1 c_thermo_temp ave running
fix h all ave/histo 2 5 10 -2 2 4 vx mode vector ave running
fix k all ave/chunk 2 5 10 b density/number vx ave running
fix r all ave/correlate 2 3 10 c_thermo_temp ave running
fix v all vector 5 c_thermo_temp
fix t all ave/atom 2 5 10 vx
fix l some langevin 1 1 1 4711
fix s some spring/self 1
compute m some msd
"""


def make(text: str, log: Path | None = None) -> Simulation:
    sim = Simulation(device="serial", log=str(log or "none"), tune=False).commands(text)
    sim.engine.close()  # its files are complete, and it can be looked at
    return sim


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A restart file of step 20."""
    path: Path = tmp_path_factory.mktemp("continues")
    with working_in(path):
        make(f"{BOX}{REST}{FIRST}run 20\nwrite_restart r")
    return path


def after(folder: Path, text: str) -> tuple[Simulation, str]:
    """A script that begins with the file, and its log."""
    with working_in(folder):
        sim = make(f"read_restart r\n{REST}{text}", folder / "log")
        return sim, (folder / "log").read_text()


def test_averages_begin_afresh_when_steps_are_counted_anew(folder: Path) -> None:
    """As fixes of other ids do, which the file does not have; the chain of fix nvt and references of atoms go on."""
    others = "".join(line.replace("fix ", "fix other", 1) + "\n" for line in FIRST.splitlines()
                     if "ave/" in line or "vector" in line)
    words = ["a", "h[2][2]", "k[2][3]", "r[2][3]", "v[1]"]
    sim, log = after(folder, f"reset_timestep 0\n{FIRST}{others}compute s all reduce sum f_t f_othert\n"
                             "thermo_style custom step f_1 " + " ".join(f"f_{word} f_other{word}" for word in words)
                             + " c_s[1] c_s[2] c_m[4]\nrun 10")
    table = {name: column[-1] for name, column in sim.thermo.table().items()}
    for word in words:
        assert table[f"f_{word}"] == table[f"f_other{word}"], word
    assert table["c_s[1]"] == table["c_s[2]"]
    assert "fix a (ave/time) begins afresh: the file is of step 20, and this is step 0" in log
    for name in ("fix 1 (nvt)", "fix s (spring/self)", "compute m (msd)"):
        assert f"{name} goes on from the restart file" in log
    for name in ("h (ave/histo)", "k (ave/chunk)", "r (ave/correlate)", "v (vector)", "t (ave/atom)", "l (langevin)"):
        assert f"fix {name} begins afresh" in log


def test_another_fix_of_the_same_id_begins_afresh(folder: Path) -> None:
    sim, log = after(folder,
                             "fix 1 all nvt temp 1 1 0.1\nfix a all ave/time 1 1 1 c_thermo_press ave running\n"
                             "fix t some ave/atom 2 5 10 vx\nfix l all ave/time 1 1 1 c_thermo_press ave running\n"
                             "thermo_style custom step f_a f_l\nrun 5")
    table = sim.thermo.table()
    assert table["f_a"][-1] == table["f_l"][-1]
    assert "fix a (ave/time) begins afresh: the file has it with other arguments: 1 1 1 c_thermo_temp ave running" in log
    assert "fix t (ave/atom) begins afresh: the file has it for group all" in log
    assert "fix l (ave/time) begins afresh: the file has it with style langevin" in log
    assert "Not continued, as the script does not have it: fix h (ave/histo)" in log
    assert "f_s.origin" not in sim.engine.system.atoms.fields and "c_m.origin" not in sim.engine.system.atoms.fields


def test_a_thermostat_goes_on_towards_another_temperature(folder: Path) -> None:
    """And an average whose file has another name: words that only say where results go do not count."""
    words = "thermo_style custom step f_1[1] f_a\nthermo 1\nrun 1"
    same, _ = after(folder, f"{FIRST}{words}")
    other, log = after(folder, FIRST.replace("temp 1 1 0.1", "temp 1 1.5 0.10")
                       .replace("c_thermo_temp ave running", "c_thermo_temp ave running file av.1 title1 '# all'", 1) + words)
    for word in ("f_1[1]", "f_a"):
        assert same.thermo.table()[word][0] == other.thermo.table()[word][0] != 0, word
    assert "fix 1 (nvt) goes on from the restart file" in log
    assert "fix a (ave/time) goes on from the restart file" in log


def test_what_waits_goes_through_another_file(folder: Path) -> None:
    """A file that is read and written again, before the script has come to its fixes."""
    with working_in(folder):
        make("read_restart r\nwrite_restart again")
        before = make(f"read_restart r\n{REST}{FIRST}run 10")
        sim = make(f"read_restart again\n{REST}{FIRST}run 10")
    np.testing.assert_array_equal(before.gather("x"), sim.gather("x"))


def test_the_rule() -> None:
    class Strict(Operation):
        pass

    class Loose(Operation):
        must_match = (STEP,)

    class Words(Operation):
        must_match, free_words = (GROUP, ARGUMENTS), {"file": 1}

    kept = Kept("fix", "x", "all", ["1", "file", "here", "on"], 7, [])
    for kind, group, args, step, why in (
        (Strict, "all", "1.0 file here on", 7, ""), (Strict, "some", "1 file here on", 7, "for group all"),
        (Strict, "all", "2 file here on", 7, "other arguments: 1 file here on"), (Strict, "all", "1 on", 7, "other arguments"),
        (Strict, "all", "1 file here on", 8, "of step 7, and this is step 8"), (Loose, "some", "", 7, ""),
        (Loose, "all", "1 file here on", 8, "of step 7"), (Words, "all", "1 on", 8, ""),
        (Words, "all", "1 file there on", 8, ""),
        (Words, "all", "1 off", 8, "other arguments"),
    ):
        found = kept.why_not(kind, "x", group, args.split(), step)
        assert (why in found) if why else not found, (kind, args)
    assert "with style x" in kept.why_not(Loose, "y", "all", [], 7)
