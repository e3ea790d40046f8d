"""fix wall/gran/region against the reference: grains in shapes of all kinds, that rest, move and turn."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.oracle.side_by_side import differences
from tests.tables import rows

GRAINS = """
units lj
atom_style sphere
atom_modify map yes sort 0 0
boundary f f f
newton off
comm_modify vel yes
region box block -9 9 -9 9 -9 9
create_box 1 box
region in sphere 0 0 0 3.6
lattice sc 0.9
create_atoms 1 region in
set group all diameter 0.9
set group all density 1.5
velocity all create 4.0 87287 loop geom
set type 1 omega 0.3 -0.2 0.5
pair_style gran/hooke 2000.0 NULL 50.0 NULL 0.5 0
pair_coeff * *
timestep 0.001
variable t equal 3.0*step*dt
variable a equal 0.3*sin(step*dt*9)
"""
END = """
fix 1 all nve/sphere
fix 2 all wall/gran/region {law} region wall
compute e all erotate/sphere
compute p all property/atom tqx tqy tqz
compute q all reduce sumsq fx fy fz c_p[1] c_p[2] c_p[3]
thermo_style custom step temp ke c_e c_q[*]
thermo_modify format float %.17g
thermo 50
run 150
run 50
"""
HOOKE = "hooke 2000 NULL 50 NULL 0.5 1"
MINDLIN = "granular hertz 2000 50 tangential mindlin 600 0.5 0.5 damping viscoelastic"
ROLLING = ("granular hooke 2000 50 tangential linear_history 600 0.5 0.5 rolling sds 100 10 0.3 twisting marshall "
           "damping velocity")
SHAPES = {
    "sphere": ("sphere 0 0 0 4.2 units box", MINDLIN),
    "sphere that moves": ("sphere 0 0 0 4.4 units box move v_a NULL v_a", MINDLIN),
    "cylinder": ("cylinder z 0 0 4.2 -4.1 4.1 units box", MINDLIN),
    "drum": ("cylinder y 0 0 4.2 -4.1 4.1 units box rotate v_t 0 0 0 0 1 0", MINDLIN),
    "open drum": ("cylinder y 0 0 4.2 -4.1 4.1 units box open 1 open 2 rotate v_t 0 0 0 0 1 0", ROLLING),
    "block": ("block -4.2 4 -4.1 4.3 -4.2 4.1 units box", MINDLIN),
    "block with rolling": ("block -4.2 4 -4.1 4.3 -4.2 4.1 units box", ROLLING),
    "block that moves": ("block -4.3 4.3 -4.3 4.3 -4.3 4.3 units box move v_a NULL v_a", MINDLIN),
    "block that turns": ("block -4.2 4 -4.1 4.3 -4.2 4.1 units box rotate v_t 0 0 0 0.6 0 0.8", MINDLIN),
    "cone": ("cone z 0 0 5.2 4.2 -4.2 4.2 units box", HOOKE),
    "cone of hertz": ("cone z 0 0 4.1 5.2 -4.4 4.4 units box open 1 open 2", MINDLIN),
    "plane": ("plane 0 0 -4.1 0.1 0.2 1 units box", MINDLIN),
    "prism": ("prism -4.5 4.5 -4.4 4.4 -4.5 4.5 0.3 0.2 0.1 units box", MINDLIN),
}


FUNNEL = """
region bottom cylinder z 0 0 3.1 -4.4 -2.2 units box open 2
region top cone z 0 0 3.1 4.6 -2.2 4.4 units box open 1 open 2
region wall union 2 top bottom
"""
MIXER = """
region drum cylinder z 0 0 4.3 -4.2 4.2 units box
region first block -3.1 3.1 -0.5 0.5 -4.2 -2.7 units box side out rotate v_t 0 0 0 0 0 1
region second block -0.5 0.5 -3.1 3.1 -4.2 -2.7001 units box side out rotate v_t 0 0 0 0 0 1
region wall intersect 3 drum first second side in
"""


@pytest.mark.parametrize("parts", [FUNNEL, MIXER], ids=["funnel", "mixer"])
@pytest.mark.parametrize("law", ["hertz/history 2000 NULL 50 NULL 0.5 1", MINDLIN], ids=["history", "granular"])
def test_shapes_of_several(parts: str, law: str, tmp_path: Path) -> None:
    """Each part has the curvature of its own faces."""
    end = END.format(law=law)
    grains = GRAINS.replace("region in sphere 0 0 0 3.6", "region in block -1.4 1.4 -1.4 1.4 -2 2")
    assert not differences(grains + parts + (end.replace("run 150\nrun 50", "run 150") if " v_" in parts else end), tmp_path)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name: str, tmp_path: Path) -> None:
    shape, law = SHAPES[name]
    """At the begin of a second run the reference takes walls that move for walls at rest."""
    end = END.replace("run 150\nrun 50", "run 150") if " v_" in shape else END
    assert not differences(GRAINS + f"region wall {shape}\n" + end.format(law=law), tmp_path)


def test_an_axis_has_no_length() -> None:
    """In the reference the speed of a wall that turns grows with the length of the axis, while the wall turns the same."""
    found = []
    for axis in ("0.6 0 0.8", "3 0 4"):
        with Simulation(device="serial", log="none", screen="none") as sim:
            sim.commands(GRAINS + f"region wall block -4.2 4 -4.1 4.3 -4.2 4.1 units box rotate v_t 0 0 0 {axis}\n"
                         + END.format(law=MINDLIN).replace("run 150\nrun 50", "run 150"))
            found.append(sim.velocities)
    np.testing.assert_allclose(*found, rtol=1e-9, atol=1e-12)


def test_slips_at_curved_walls_of_hertz() -> None:
    """The force of friction is that of the limit as long as a grain slips."""
    with Simulation(device="serial", log="none", screen="none") as sim:
        sim.commands(GRAINS.replace("create_atoms 1 region in", "create_atoms 1 single 2.4 1.7 2.1 units box")
                     .replace("velocity all create 4.0 87287 loop geom", "velocity all set 2 0 0")
                     + "region wall sphere 0 0 0 4.2 units box\n" + END.format(law="hertz/history 2000 NULL 50 NULL 0.1 1")
                     .replace("run 150\nrun 50", "run 70"))
        f, x = sim.forces[0], sim.positions[0]
        normal = x / (x @ x) ** 0.5
        along = f @ normal
        assert ((f - along * normal) ** 2).sum() ** 0.5 == pytest.approx(0.1 * abs(along), rel=1e-9)


@pytest.mark.parametrize("text, message", rows(r"""
fix 2 all wall/gran/region hooke 1 1 1 1 1 1 region none -> region
fix 2 all wall/gran/region hooke 1 1 1 1 1 1 zplane 0 -> wall of fix wall/gran/region
fix 2 all wall/gran/region hooke 1 1 1 1 1 1 region -> expected
fix 2 all wall/gran/region hooke 1 1 1 1 1 1 region in contacts -> 'contacts' is not available
region c ellipsoid 0 0 0 5 4 4\nfix 2 all wall/gran/region hertz/history 1 1 1 1 1 1 region c -> region of style ellipsoid
region c sphere 0 0 0 v_t\nfix 2 all wall/gran/region hooke 1 1 1 1 1 1 region c -> follows variables
fix 2 all wall/gran/region hooke 1 1 1 1 1 1 region in\nregion in delete\nrun 0 -> was removed
"""))
def test_refused(text: str, message: str) -> None:
    with Simulation(device="serial", log="none", screen="none") as sim, pytest.raises(InputError, match=re.escape(message)):
        sim.commands(GRAINS + text)
