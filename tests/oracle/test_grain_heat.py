"""fix heat/flow and fix add/heat against the reference."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.side_by_side import differences
from tests.refusals import refused
from tests.tables import rows

START = """
units {units}
atom_style {style}
boundary f f f
region box block 0 4 0 4 0 4
create_box 2 box
create_atoms 1 single 1 1 1
create_atoms 2 single 3 3 3
create_atoms 2 single 1 3 3
{sizes}
group some id 2:3
fix p all property/atom temperature heatflow ghost yes
pair_style zero 2.0
pair_coeff * *
set type 1 temperature 2.0
set type 2 temperature 3.0
variable h atom 0.1*id+0.01*step
variable e equal 0.3+0.01*step
timestep 0.005
"""
SPHERES = START.format(units="lj", style="sphere",
                       sizes="set group all diameter 0.9\nset atom 1 diameter 1.2\nset group all density 2")
POINTS = START.format(units="real", style="atomic", sizes="mass 1 2.0\nmass 2 3.0")
END = """
compute t all property/atom temperature heatflow
compute r all reduce sum c_t[1] c_t[2]
compute q all reduce sumsq c_t[1] c_t[2]
thermo_style custom step c_r[1] c_r[2] c_q[1] c_q[2]
thermo_modify format float %.17g
thermo 1
run 10
run 5
"""
KINDS = ["all add/heat constant 0.5", "some add/heat constant v_e overwrite no", "all add/heat constant v_h",
         "some add/heat linear 1.5 0.2", "all add/heat quartic 1.5 0.2", "all add/heat linear v_h 0.2",
         "all add/heat constant v_e overwrite yes"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("start", [SPHERES, POINTS], ids=["spheres", "points"])
def test_temperatures(start: str, kind: str, tmp_path: Path) -> None:
    fixes = f"fix 1 all nve\nfix 3 all add/heat constant 0.1\nfix 4 {kind}\n"
    for number, flow in enumerate(("all heat/flow constant 2.0", "some heat/flow type 2.0 3.0")):
        (folder := tmp_path / str(number)).mkdir()
        assert not differences(start + fixes + f"fix 2 {flow}" + END, folder)


def test_without_heat_flow(tmp_path: Path) -> None:
    assert not differences(POINTS + "fix 1 all nve\nfix 2 all add/heat linear 1 0.3\n" + END, tmp_path)


@pytest.mark.parametrize("fix, cause", rows("""
fix 2 all heat/flow constant -1 -> heat capacity of -1
fix 2 all heat/flow type 1 -> expected
fix 2 all heat/flow 1 2 -> kind of fix heat/flow
fix 2 all add/heat cubic 1 2 -> kind of fix add/heat
fix 2 all add/heat linear 1 -> expected
fix 2 all add/heat constant 1 overwrite -> expected
fix 2 all add/heat constant 1 over yes -> keyword of fix add/heat
unfix p\\nfix 2 all add/heat constant 1 -> temperatures
unfix p\\nset type 1 temperature 1 -> temperatures
"""))
def test_refused(fix: str, cause: str) -> None:
    refused(POINTS, fix.replace("\\n", "\n"), cause)
