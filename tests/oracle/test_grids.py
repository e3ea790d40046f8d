"""Data on grids against the reference: compute property/grid, fix ave/grid, dump grid."""

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
units {units}
boundary {boundary}
atom_modify map yes sort 0 0
lattice fcc {a}
region box {box}
create_box 2 box
region half block 0 2 INF INF INF INF
create_atoms 1 region half
create_atoms 2 single 3 1 1
displace_atoms all move 0.1 0.17 0.07
mass 1 {mass}
mass 2 {mass}
velocity all create {hot} 87287 loop geom
pair_style lj/cut {cutoff}
pair_coeff * * {epsilon} {sigma}
timestep {dt}
fix 1 all nve
"""
LJ = dict(units="lj", boundary="p p f", a=0.8, box="block 0 4 0 3 0 3", mass=1.0, hot=1.4, cutoff=2.5, epsilon=1.0, sigma=1.0,
          dt=0.002)
TILTED = LJ | dict(boundary="p p p", box="prism 0 4 0 3 0 3 1 0.5 0.7")
METAL = dict(units="metal", boundary="p p p", a=5.26, box="block 0 4 0 3 0 3", mass=39.95, hot=200.0, cutoff=8.5,
             epsilon=0.0104, sigma=3.4, dt=0.002)
VALUES = "vx fz density/number density/mass mass temp c_k v_a"
GRIDS = f"""
compute g all property/grid 4 3 2 id ix iy iz x yc zs zsc
compute one all property/grid 4 3 2 xc
compute k all ke/atom
variable a atom x*id
fix a all ave/grid 2 3 10 4 3 2 {VALUES}
fix b all ave/grid 10 1 10 4 3 2 vx discard no
fix c all ave/grid 2 3 10 4 3 2 {VALUES} norm sample ave running adof 2 cdof 1
fix d all ave/grid 2 3 10 4 3 2 {VALUES} norm none ave window 2
fix e all ave/grid 5 2 10 4 3 2 c_g:grid:data[*] c_one:grid:data
dump 1 all grid 10 g.dump c_g:grid:data[2*5] f_a:grid:data[*] f_a:grid:count f_b:grid:data c_one:grid:data
dump 2 all grid 10 h.*.dump f_c:grid:data[*] f_d:grid:data[*] f_c:grid:count f_e:grid:data[*]
dump_modify 1 format float %.10g
dump_modify 2 format float %.10g
thermo_modify format float %.17g
thermo 10
"""


@pytest.mark.parametrize("system", [LJ, TILTED, METAL], ids=("lj", "tilted", "metal"))
def test_averages_on_grids(system: dict, tmp_path: Path) -> None:
    bounds = "fix w all wall/reflect zlo EDGE zhi EDGE\n" if system is LJ else ""
    assert not differences(START.format(**system) + bounds + GRIDS + "run 20\nrun 10", tmp_path)


def test_goes_on_from_a_file(tmp_path: Path) -> None:
    fixes = "fix a all ave/grid 3 4 12 4 3 2 vx temp ave running\n"
    fixes += "fix b all ave/grid 3 2 6 4 3 2 vx temp norm none ave window 3\n"
    shown = "write_dump all grid {} f_a:grid:data[*] f_a:grid:count f_b:grid:data[*] modify format float %.17g\n"
    with working_in(tmp_path):
        one, other = (Simulation(device="serial", screen="none", log="none", tune=False) for _ in range(2))
        one.commands(START.format(**TILTED) + fixes + "restart 20 r.*\nrun 40\n" + shown.format("one"))
        other.commands("read_restart r.20\npair_style lj/cut 2.5\npair_coeff * * 1 1\nfix 1 all nve\n" + fixes
                       + "restart 20 q.*\nrun 20\n" + shown.format("other"))
        assert Path("one").read_text() == Path("other").read_text()


@pytest.mark.parametrize("text, message", rows(r"""
compute g all property/grid 4 3 0 id -> 1 or more along each axis
compute g all property/grid 4 3 2 ids -> word of compute property/grid
compute g all property/grid 4 3 2 -> expected
compute g all property/grid 4 3 2 id\ndump 1 all grid 1 x c_g:grid:data[1] -> leave out the index
compute g all property/grid 4 3 2 id ix\ndump 1 all grid 1 x c_g:grid:data -> from 1 to 2
compute g all property/grid 4 3 2 id ix\ndump 1 all grid 1 x c_g:grid:data[3] -> out of range
compute g all property/grid 4 3 2 id ix\ndump 1 all grid 1 x c_g:grid:count -> data of c_g:grid
compute g all property/grid 4 3 2 id ix\ndump 1 all grid 1 x c_g:cells:data[1] -> grid of c_g
compute g all ke\ndump 1 all grid 1 x c_g:grid:data -> has no grid
dump 1 all grid 1 x id -> is no data on a grid
compute g all property/grid 4 3 2 id\nfix 2 all ave/grid 1 1 1 4 3 3 c_g:grid:data -> same numbers of cells
compute g all property/grid 4 3 2 id\nfix 2 all ave/grid 1 1 1 4 3 2 c_g:grid:data vx -> use two fixes
fix 2 all ave/grid 1 2 1 4 3 2 vx -> no samples
fix 2 all ave/grid 1 1 1 4 3 2 -> expected
fix 2 all ave/grid 1 1 1 4 3 2 vq -> unknown value
fix 2 all ave/grid 1 1 1 4 3 2 vx norm some -> norm
"""))
def test_refused(text: str, message: str) -> None:
    with Simulation(device="serial", log="none", screen="none") as sim, pytest.raises(InputError, match=re.escape(message)):
        sim.commands(START.format(**LJ) + text)
