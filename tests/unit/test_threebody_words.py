"""What three-body styles refuse, and values of one bond and one angle."""

from __future__ import annotations

from math import cos, exp
from pathlib import Path

import pytest

from everlet import InputError, Simulation
from everlet.errors import EverletError
from tests.tables import rows

BOX = """
units metal
region box block 0 30 0 30 0 30
create_box 1 box
mass 1 28.0
{atoms}
pair_style {style}
pair_coeff * * {coeff}
run 0
"""
CORNER = "create_atoms 1 single 10 10 10\ncreate_atoms 1 single 12 10 10\n"
ENTRY = "Si Si Si 1 0.5 0 14 2.1 -1 0.78 {beta} 1.8 632 2.35 0.15 2.4 1700\n"


def energy(style: str, coeff: str, atoms: str = CORNER) -> float:
    sim = Simulation(device="reference", log="none", screen="none")
    sim.commands(BOX.format(style=style, coeff=coeff, atoms=atoms))
    return sim.engine.system.energies["vdwl"]


@pytest.mark.parametrize("style, coeff, message", rows("""
gw shift 0.1 -> SiC.gw Si -> pair_style gw
gw -> none.gw Si -> beta is 0
vashishta/table -> InP.vashishta In -> vashishta/table N cutinner
vashishta/table 1 0.5 -> InP.vashishta In -> 1 rows
vashishta/table 100 0.0 -> InP.vashishta In -> inner cutoff of 0
vashishta/table 100 9.0 -> InP.vashishta In -> largest cutoff, 6
vashishta/table 9000000 0.5 -> InP.vashishta In -> too large
"""))
def test_refused(style: str, coeff: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("none.gw").write_text(ENTRY.format(beta=0))
    with pytest.raises(InputError, match=message):
        energy(style, coeff)


def test_the_order_of_bonds_of_gao_and_weber(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bond alone has the order beta^-n, one with another beside it less."""
    monkeypatch.chdir(tmp_path)
    Path("one.gw").write_text(ENTRY.format(beta=0.7))
    repel, attract = 1700 * exp(-4.8), 632 * exp(-3.6)
    assert energy("gw", "one.gw Si") == pytest.approx(repel - 0.7**-0.78 * attract, rel=1e-12)
    zeta = 0.5 * (1.0 + 14**2 / 2.1**2 - 14**2 / (2.1**2 + (-1 - cos(1.5707963267948966)) ** 2))
    order = 0.5 * (0.7**-0.78 + (0.7 * (1.0 + zeta)) ** -0.78)
    three = energy("gw", "one.gw Si", CORNER + "create_atoms 1 single 10 12 10")
    assert three == pytest.approx(2.0 * (repel - order * attract), rel=1e-12)


def test_atoms_nearer_than_a_table_begins_end_a_run() -> None:
    with pytest.raises(EverletError, match="not a finite number"):
        energy("vashishta/table 100 2.5", "InP.vashishta In")
    exact = energy("vashishta", "InP.vashishta In")
    assert energy("vashishta/table 5000 0.5", "InP.vashishta In") == pytest.approx(exact, rel=1e-4)
