"""Ids by places in space, weights that are kept, and restart files at steps that a variable names, against the reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from tests.oracle.harness import parse_log, working_in
from tests.oracle.reference import lmp, table
from tests.scripts import melt

BOX = melt("0 4 0 3 {z}", lattice="{lattice}", cutoff=2.0, first="{flat}") + """
fix 1 all nve
"""
SOLID = BOX.format(flat="", lattice="fcc 0.8442", z="0 5")


FLAT = BOX.format(flat="dimension 2", lattice="hex 0.7", z="-0.1 0.1")


@pytest.mark.parametrize("text", [SOLID, FLAT], ids=("solid", "flat"))
def test_ids_by_places(text: str, tmp_path: Path) -> None:
    """Ties of a lattice too, and places of atoms that have moved."""
    for moved in ("", "displace_atoms all ramp x 0 0.3 y 0 3\n"):
        script = text + moved + "reset_atoms id sort yes\nwrite_dump all custom {} id x y z modify sort id format float %.17g\n"
        lmp(tmp_path, script.format("dump.theirs"))
        with working_in(tmp_path):
            sim = Simulation(device="serial", log="none", screen="none")
            sim.commands(script.format("dump.ours"))
            sim.close()
        mine, theirs = table(tmp_path / "dump.ours"), table(tmp_path / "dump.theirs")
        for word, values in theirs.items():
            np.testing.assert_allclose(mine[word], values, atol=1e-12, err_msg=word)


STEPS = """
group some id 2:60
variable w atom 1+0.1*y
fix w all property/atom d_w
balance 1.0 shift x 5 1.0 weight group 1 some 2.5 weight var w weight store w
compute w all property/atom d_w
compute s all reduce sum c_w
variable next equal logfreq(4,3,10)
restart v_next r.*.restart
thermo_style custom step temp pe c_s
thermo_modify format float %.17g
run 30
run 20
"""


def test_files_at_steps_of_a_variable(tmp_path: Path) -> None:
    """Beside it: weights of balance that are put into a value of atoms."""
    expected = parse_log(lmp(tmp_path, SOLID + STEPS))
    names = sorted(path.name for path in tmp_path.glob("r.*"))
    for path in tmp_path.glob("r.*"):
        path.unlink()
    with working_in(tmp_path):
        sim = Simulation(device="serial", log="log.ours", screen="none")
        sim.commands(SOLID + STEPS)
        sim.close()
    assert sorted(path.name for path in tmp_path.glob("r.*")) == names and len(names) > 2
    for mine, theirs in zip(parse_log((tmp_path / "log.ours").read_text()), expected, strict=True):
        np.testing.assert_allclose(mine["c_s"], theirs["c_s"], rtol=1e-12)


@pytest.mark.parametrize("text, message", [
    ("variable a atom x\nrestart v_a r.*", "not of style equal"), ("variable a equal 3\nrestart v_a r.*\nrun 10", "later step"),
    ("restart v_b r.*", "unknown variable"), ("balance 1 shift x 5 1 weight store w", "no 'd_w'")])
def test_what_is_refused(text: str, message: str, tmp_path: Path) -> None:
    sim = Simulation(device="serial", log="none", screen="none")
    with working_in(tmp_path), pytest.raises(InputError, match=message):
        sim.commands(SOLID + text)
