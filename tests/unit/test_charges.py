"""Styles with charges as scripts meet them: input, files, errors, checks of a user's own."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from everlet.forces.pair.coulomb import shifts
from tests.scripts import charges
from tests.tables import rows

IONS = charges(9, "1 1 1 1", "2 3.5 1 1") + "set type 2 charge -0.5\n"


def made(lines: str = "", base: str = IONS) -> Simulation:
    return Simulation(device="reference").commands(base + lines)


def coulomb(sim: Simulation) -> float:
    return sim.commands("run 0").engine.system.energies["coul"]


def test_two_charges_by_hand():
    k = 332.06371 * 0.8 * -0.5
    assert coulomb(made("pair_style coul/cut 4.0\npair_coeff * *")) == pytest.approx(k / 2.5, rel=1e-14)
    assert coulomb(made("dielectric 2.0\npair_style coul/debye 0.3 4.0\npair_coeff * *")) == pytest.approx(
        0.5 * k * math.exp(-0.75) / 2.5, rel=1e-14)
    e, f = shifts(0.2, 4.0)
    alone = -332.06371 * (0.8**2 + 0.5**2) * (e / 2 + 0.2 / math.sqrt(math.pi))
    assert coulomb(made("pair_style coul/dsf 0.2 4.0\npair_coeff * *")) == pytest.approx(
        k * (math.erfc(0.5) / 2.5 - e - 2.5 * f) + alone, rel=2e-6)  # the polynomial for erfc
    assert coulomb(made("pair_style coul/cut 2.4\npair_coeff * *")) == 0.0


def test_cutoffs_of_both_parts():
    sim = made("pair_style lj/cut/coul/cut 3.0 5.0\npair_coeff 1 1 0.1 2.0\npair_coeff 2 2 0.1 2.0 4.0\n"
               "pair_coeff 1 2 0.1 2.0 4.5 2.0")
    pair = sim.engine.system.pair
    pair.init()
    assert [pair.vdwl_cutoffs[i, j] for i, j in ((1, 1), (2, 2), (1, 2))] == [3.0, 4.0, 4.5]
    assert [pair.coul_cutoffs[i, j] for i, j in ((1, 1), (2, 2), (1, 2))] == [5.0, 4.0, 2.0]
    assert coulomb(sim) == 0.0 and sim.engine.system.energies["vdwl"] != 0.0
    sim.commands("pair_style lj/cut/coul/cut 2.0 3.0")
    assert coulomb(sim) != 0.0 and sim.engine.system.energies["vdwl"] == 0.0


def test_data_and_restart_files_carry_both_cutoffs(tmp_path: Path):
    lines = "pair_style lj/cut/coul/cut 3.0 5.0\npair_coeff 1 1 0.1 2.0\npair_coeff 2 2 0.1 2.0 4.0 4.5\n"
    sim = made(f"{lines}write_data {tmp_path / 'd'} pair ij\nwrite_restart {tmp_path / 'r'}")
    assert "2 2 0.1 2 4 4.5\n" in (tmp_path / "d").read_text()
    start = "units real\natom_style charge\n"
    again = made(f"pair_style lj/cut/coul/cut 1.0\nread_data {tmp_path / 'd'}", start)
    kept = Simulation(device="reference").commands(f"read_restart {tmp_path / 'r'}")
    for other in (again, kept):
        assert other.commands("run 0").engine.system.energies == sim.commands("run 0").engine.system.energies


def test_dielectric_is_kept_in_restart_files(tmp_path: Path):
    lines = "dielectric 3.0\npair_style coul/cut 4.0\npair_coeff * *\n"
    one = coulomb(made(f"{lines}write_restart {tmp_path / 'r'}"))
    assert coulomb(Simulation(device="reference").commands(f"read_restart {tmp_path / 'r'}")) == one
    assert coulomb(made(lines.replace("3.0", "1.0"))) == pytest.approx(3.0 * one)


def test_pair_write_takes_charges(tmp_path: Path):
    line = f"pair_style coul/cut 4.0\npair_coeff * *\npair_write 1 2 5 r 1.0 3.0 {tmp_path / 't'} "
    made(line + "A 0.5 -2.0")
    made(line + "B")
    rows = [text.split() for text in (tmp_path / "t").read_text().splitlines()]
    tables = np.array([[float(word) for word in row] for row in rows if len(row) == 4 and row[0].isdigit()]).reshape(2, 5, 4)
    assert np.allclose(tables[0, :, 2], -332.06371 / tables[0, :, 1]) and np.allclose(tables[1, :, 2:], -tables[0, :, 2:])
    with pytest.raises(EverletError, match="does not depend on charges"):
        made(f"pair_style lj/cut 4.0\npair_coeff * * 1 1\npair_write 1 2 5 r 1.0 3.0 {tmp_path / 't'} C 1 1")
    with pytest.raises(EverletError, match="two charges"):
        made(line + "D 1.0")


@pytest.mark.parametrize("lines, said", rows(r"""
pair_style coul/dsf 0.2 4.0\npair_coeff * * 3.0 -> pair_coeff
pair_style coul/cut -> pair_style coul/cut cut
pair_style lj/cut/coul/cut 1 2 3 -> \[cut_coul\]
pair_style lj/cut/coul/cut 3.0 -1.0 -> a cutoff must be a distance
pair_style lj/cut/coul/dsf 0.2 3.0\npair_coeff * * 1 1 2 3 -> pair_coeff
pair_style coul/cut 4.0\nrun 0 -> no pair_coeff for types 1 1
pair_style coul/cut 4.0\npair_coeff * *\npair_modify tail yes -> has no tail
dielectric 0 -> above zero
dielectric -> usage|argument
"""))
def test_bad_input(lines: str, said: str):
    with pytest.raises(EverletError, match=said):
        made(lines)


def test_charges_that_are_missing_are_named():
    lines = "pair_style coul/cut 4.0\npair_coeff * *\nrun 0"
    with pytest.raises(EverletError, match="pair style coul/cut needs atoms with charges") as caught:
        made(lines, IONS.replace("atom_style charge", "").split("set type")[0])
    assert "atom_style charge" in str(caught.value)
    sim = made(lines.replace("\nrun 0", ""), IONS.split("set type", maxsplit=1)[0])
    sim.engine.system.pair.init()
    assert "all charges are zero" in sim.engine.system.pair.warnings[0]


def test_own_style_passes_its_check(tmp_path: Path):
    from everlet.tools.check import check_plugin

    said: list[str] = []
    assert check_plugin(str(Path(__file__).parents[2] / "examples" / "my_charges.py"), said.append), said
