"""fix ave/moments and ave/correlate/long against the reference: thermo tables and files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.oracle.harness import working_in
from tests.oracle.side_by_side import differences
from tests.tables import rows

START = """
units lj
atom_modify map yes sort 0 0
lattice fcc 0.8442
region box block 0 3 0 3 0 3
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
fix 1 all nve
variable s equal step*step
variable t equal temp
"""
END = "thermo_modify format float %.17g norm no\nthermo 1\n"
MOMENTS = """
fix a all ave/moments 1 8 5 v_s mean
fix b all ave/moments 2 5 10 c_thermo_temp mean stddev variance skew kurtosis
fix c all ave/moments 1 4 4 v_s v_t mean variance history 3 start 6
thermo_style custom step temp f_a[1] f_b[*] f_c[*] f_c[1][1] f_c[1][2] f_c[1][3] f_c[4][2]
"""
LONG = """
fix a all ave/correlate/long 2 20 c_thermo_temp c_thermo_press c_thermo_press[4] type auto/upper file a.cl nlen 6 ncorr 9
fix b all ave/correlate/long 1 25 c_thermo_temp file b.cl overwrite start 7 nlen 6 ncount 3 ncorr 7
fix c all ave/correlate/long 5 50 c_thermo_temp c_thermo_press type first file c.cl title1 x title2 y
thermo 10
"""


def test_moments(tmp_path: Path) -> None:
    assert not differences(START + MOMENTS + END + "run 13\nrun 12", tmp_path)


def test_long_correlations(tmp_path: Path) -> None:
    """More levels than there are samples for: the last one is in the manual of the reference, not in its files."""
    assert not differences(START + END + LONG + "run 70\nrun 30", tmp_path)


def test_they_go_on_from_a_file(tmp_path: Path) -> None:
    found = []
    rest = START[START.index("pair_style"):] + MOMENTS + END
    with working_in(tmp_path):
        for name, lines in (("one", START + MOMENTS + END), ("other", f"read_restart r.20\n{rest}")):
            with Simulation(device="serial", screen="none", log="none", tune=False) as sim:
                sim.commands(f"{lines}\nfix d all ave/correlate/long 1 40 c_thermo_temp file {name} nlen 4\nrestart 20 r.*\n"
                             f"run {40 if name == 'one' else 20}")
                table = sim.thermo.table()
                found.append({word: values[-1] for word, values in table.items()})
        assert found[0] == found[1]
        assert Path("one").read_text().split("# Timestep: 40")[1] == Path("other").read_text().split("# Timestep: 40")[1]


@pytest.mark.parametrize("text, message", rows(r"""
fix a all ave/moments 1 2 3 v_s v_t -> has no moment
fix a all ave/moments 1 2 3 mean mean -> has no value
fix a all ave/moments 2 2 3 v_s mean -> NFREQ a multiple of NEVERY
fix a all ave/moments 1 2 3 v_s median -> unknown value or keyword
fix a all ave/moments 1 2 3 v_s mean history 0 -> history 0
fix a all ave/moments 1 2 3 c_thermo_pe[1] mean -> is no number
fix a all ave/correlate/long 1 2 v_s nlen 5 -> nlen a multiple of it
fix a all ave/correlate/long 2 3 v_s -> NFREQ a multiple of NEVERY
fix a all ave/correlate/long 1 2 v_s type upper -> has no pairs
fix a all ave/correlate/long 1 2 v_s ave one -> unknown
"""))
def test_refused(text: str, message: str) -> None:
    with Simulation(device="serial", log="none", screen="none") as sim, pytest.raises(InputError, match=re.escape(message)):
        sim.commands(START + text)
