"""fix press/langevin, number by number: both programs draw the same random numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.side_by_side import differences
from tests.oracle.test_small_fixes import BOX
from tests.refusals import refused
from tests.tables import rows

WORDS = {
    "iso": "iso -4.0 -2.0 0.02 temp 1.2 1.8 12345 friction 1e-6",
    "aniso": "aniso -4.0 -2.0 0.02 temp 1.2 1.2 12345 friction 1e-6 dilate partial",
    "xy": "x -3 -4 0.03 y -3 -4 0.03 z -2 -4 0.02 couple xy temp 1.2 1.2 991 friction 1e-6",
    "xz": "x -3 -4 0.03 z -3 -4 0.03 y -2 -4 0.02 couple xz temp 1.2 1.2 991 friction 1e-6",
    "yz": "y -3 -4 0.03 z -3 -4 0.03 couple yz temp 1.2 1.2 991 friction 1e-6",
    "one": "temp 1.2 1.2 991 y -3 -4 0.3 friction 1e-6",
}
END = """thermo_style custom step temp pe press vol lx ly lz xlo
thermo_modify norm no format float %.17g
thermo 5
run 15
run 10
"""
BLOCK = "block -1 3 0 3 1 4"


@pytest.mark.parametrize("name", WORDS)
def test_same_numbers(name: str, tmp_path: Path) -> None:
    fixes = f"fix 1 all nve\nfix p some press/langevin {WORDS[name]}\n"
    assert not differences(BOX.format(box=BLOCK) + fixes + END, tmp_path)


def test_goes_on_from_a_file(tmp_path: Path) -> None:
    fixes = "fix 1 all nve\nfix p all press/langevin aniso -2 -2 0.02 temp 1.2 1.2 991 friction 0.01\n"
    with Simulation(device="serial", screen="none") as sim:
        sim.commands(BOX.format(box=BLOCK) + fixes + f"restart 7 {tmp_path}/half.*\nrun 20")
        once = sim.engine.system.need_box().lengths, sim.positions
    with Simulation(device="serial", screen="none") as sim:
        text = BOX.format(box=BLOCK)
        sim.commands(f"read_restart {tmp_path}/half.7\n" + text[text.index("pair_style"):].replace("group", "#") + fixes
                     + "run 20 upto")
        np.testing.assert_allclose(sim.engine.system.need_box().lengths, once[0], rtol=1e-13)
        np.testing.assert_allclose(sim.positions, once[1], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("line", "cause"), rows(r"""
fix p all press/langevin iso 1 1 0.3 friction 1 -> no temperature of its noise
fix p all press/langevin iso 1 1 0.3 temp 1 1 99 friction 0 -> friction 0
fix p all press/langevin iso 1 1 0 temp 1 1 99 -> times must be above zero
fix p all press/langevin tri 1 1 1 temp 1 1 99 -> unknown keyword of fix press/langevin
fix p all press/langevin temp 1 1 99 friction 1 -> controls no pressure
fix p all press/langevin iso 1 1 1 temp 1 1 -> expected 3 arguments
fix 1 all nve\nfix p all press/langevin iso 1 1 1 temp 0 0 99\nrun 1 -> temperature of its noise is 0
"""))
def test_refused(line: str, cause: str) -> None:
    refused(BOX.format(box=BLOCK), line, cause)
