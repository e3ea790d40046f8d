"""Hydrogen bonds of DREIDING: energies are those of the reference, forces are slopes where the reference's are none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from tests.oracle.harness import load_case
from tests.oracle.side_by_side import both_tables

CASE = load_case(Path(__file__).parents[1] / "cases" / "pair-hbond-dreiding.yaml")
NARROW = ("4 5.9999 6.0 90", "3 5.4999 5.5 100", "4 4.9999 5.0 95", "4 4.9999 5.0")
WIDE = ("4 4.0 6.0 90", "3 3.5 5.5 100 165", "4 3.5 5.0 95 170", "4 3.0 5.0")


def offset() -> str:
    """The case with the forms that have an angle of rest, and forces that are switched in a wide range."""
    script = CASE.script.replace("dreiding/morse", "dreiding/morse/angleoffset")
    for narrow, wide in zip(NARROW, WIDE, strict=True):
        assert narrow in script
        script = script.replace(narrow, wide)
    return script


def write_molecule(folder: Path) -> None:
    for name, text in CASE.files.items():
        (folder / name).write_text(text)


def test_energies_with_an_angle_of_rest(tmp_path: Path) -> None:
    write_molecule(tmp_path)
    words = "c_h[1] c_h[2] c_m[1] c_m[2] c_s"
    ours, theirs = both_tables(tmp_path, offset() + "compute a all pe/atom pair\ncompute s all reduce sumsq c_a\n"
                               f"thermo_style custom step evdwl {words}\nthermo_modify format float %.17g\nrun 0\n")
    assert theirs[0]["c_m[1]"][0] > 20
    for name, values in theirs[0].items():
        np.testing.assert_allclose(ours[0][name], values, rtol=1e-12, err_msg=name)


def test_forces_are_slopes_and_sums_of_atoms_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_molecule(tmp_path)
    monkeypatch.chdir(tmp_path)
    with Simulation(screen="none", device="serial") as sim:
        sim.commands(offset() + "compute st all stress/atom NULL pair bond\ncompute s all reduce sum c_st[1] c_st[4]\n"
                     "velocity all zero linear\nvelocity all set 0 0 0\nthermo_style custom step pe pxx pxy vol c_s[*]\n"
                     "thermo_modify norm no\nrun 0\n")
        volume = float(sim["vol"])
        for k, pressure in enumerate(("pxx", "pxy"), 1):
            assert float(sim[f"c_s[{k}]"]) == pytest.approx(-float(sim[pressure]) * volume, rel=1e-10)
        id, force, step = sim.gather("id").copy(), sim.gather("f").copy(), 1e-4
        sim.commands("unfix 1")
        for row in (0, 1, 4, 47):
            for axis in range(3):
                energies = []
                sim.commands(f"group one id {id[row]}")
                for move in (step, -2.0 * step, step):
                    way = " ".join(str(move * (k == axis)) for k in range(3))
                    sim.commands(f"displace_atoms one move {way} units box\nrun 0")
                    energies.append(float(sim["pe"]))
                sim.commands("group one clear")
                assert force[row, axis] == pytest.approx((energies[1] - energies[0]) / (2 * step), rel=1e-6, abs=2e-6)


@pytest.mark.parametrize(("line", "words"), [
    ("pair_coeff 1 2 hbond/dreiding/lj 3 k 1 2", "donor"), ("pair_coeff 1 2 hbond/dreiding/lj 3 i 1", "expected 6 to 10"),
    ("pair_coeff 1 2 hbond/dreiding/lj 3 i 1 2 4 5", "one cutoff"), ("pair_coeff 1 2 hbond/dreiding/lj 3 i 1 2 4 6 5", "below"),
    ("pair_coeff 1 2 hbond/dreiding/lj 3 i 1 2 -1", "power"), ("pair_coeff 1 2 hbond/dreiding/lj 9 i 1 2", "9")])
def test_lines_are_refused(line: str, words: str) -> None:
    with Simulation(screen="none", device="serial") as sim:
        sim.commands("units real\natom_style full\nregion b block 0 9 0 9 0 9\ncreate_box 3 b bond/types 1\n"
                     "pair_style hybrid/overlay lj/cut 5 hbond/dreiding/lj 4 5 6 90")
        with pytest.raises(InputError, match=words):
            sim.commands(line)
