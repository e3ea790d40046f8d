"""Computes of velocities, flows and vectors, and words of several values, against the reference: many in each script."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.oracle.harness import parse_dump, parse_log, working_in
from tests.oracle.reference import lmp
from tests.tables import rows

SOLID = """units lj
boundary {boundary}
lattice fcc 0.84
region box {box}
create_box 2 box
create_atoms 1 box
set group all type/fraction 1 1.0 7
group some id 1:40 55 70
set group some type 2
mass 1 1.0
mass 2 1.7
displace_atoms all move 0.13 0.17 0.11
velocity all create 1.4 8712 loop all mom no
velocity all ramp vx 0.0 1.5 y 0 3 sum yes
pair_style lj/cut 2.0
pair_coeff * * 1.0 1.0
"""
BOXES = {"block": ("p p p", "block 0 3 0 3 0 3"), "tilted": ("p p p", "prism 0 3 0 3 0 3 0.6 -0.4 0.3"),
         "slab": ("p s p", "block 0 3 0 3 0 3")}
VALUES = """region part sphere 1.5 1.5 1.5 1.3
region moving block 0 2 INF INF INF INF
variable half atom x>2.0
variable vec vector [3.5,-1.0,7.25,2.0]
compute ke all ke/atom
compute pe all pe/atom
compute st all stress/atom NULL virial
compute hf all heat/flux ke pe st
compute hs some heat/flux ke pe st
compute di all displace/atom
compute ds some displace/atom
compute va all vacf
compute vs some vacf
compute mo all momentum
compute ms some momentum
compute tc all temp/com
compute ts some temp/com
compute tr all temp/region part
compute tm some temp/region moving
compute tl all temp/ramp vx 0 1.5 y 0 3
compute tb some temp/ramp vz -1 0.5 x 1 3 units box
compute tp all temp/profile 1 1 0 xyz 2 3 1
compute tq all temp/profile 1 0 0 y 4 out bin
compute tu some temp/profile 1 1 1 xz 2 2 out tensor
compute sl all slice 1 6 2 c_hf
compute sk all slice 1 4 1 c_tq[2]
compute sv all slice 2 4 1 v_vec
compute ch all chunk/atom bin/1d y lower 0.2 units reduced
compute ga all global/atom c_ch c_tq[2] v_vec
compute gb some global/atom c_ch c_mo
compute st2 all stress/atom tc ke
fix av all ave/time 1 2 5 c_mo[*] c_tc
fix 1 all nve
dump 1 all custom 5 values.dump id c_di[*] c_ds[*] c_ga[*] c_gb c_st2[*]
dump_modify 1 sort id format float %.17g
thermo_style custom step temp press c_hf[*] c_hs[2*5] c_va[*] c_vs[4] c_mo[*] c_ms[*] c_tc c_tc[*] c_ts c_ts[*2] c_tr c_tr[*] &
  c_tm c_tl c_tl[*] c_tb c_tb[3*] c_tp c_tp[*] c_tq c_tq[2][1] c_tq[3][2] c_tu c_tu[*] c_sl[*] c_sk[*] c_sv[*] &
  f_av[*] v_vec[*3]
thermo_modify format float %.17g norm no
thermo 5
"""
THERMOSTATS = ("nvt temp 1.0 1.0 0.2", "temp/berendsen 1.0 1.0 0.1", "temp/rescale 2 1.0 1.0 0.01 0.7")
KINDS = {"com": "temp/com", "region": "temp/region part", "ramp": "temp/ramp vx 0 1.5 y 0 3",
         "profile": "temp/profile 1 0 0 y 3"}


def solid(name: str) -> str:
    boundary, box = BOXES[name]
    return SOLID.format(boundary=boundary, box=box)


def agree(text: str, folder: Path, tolerance: float = 1e-10) -> None:
    """Thermo rows of the last run and all dumped values."""
    expected = parse_log(lmp(folder, text))[-1]
    dump = folder / "values.dump"
    wanted = parse_dump(dump.read_text()) if dump.exists() else {}
    sim = Simulation(device="serial", log="none", screen="none")
    with working_in(folder):
        sim.commands(text)
    found = sim.thermo.table()
    sim.close()
    for name in expected:
        if name.startswith(("c_", "f_", "v_")):
            size = max(np.abs(expected[name]).max(), 1e-2)
            np.testing.assert_allclose(found[name], expected[name], rtol=0, atol=tolerance * size, err_msg=name)
    assert sum(name.startswith(("c_", "f_", "v_")) for name in expected) == sum(
        name.startswith(("c_", "f_", "v_")) for name in found)
    frames = parse_dump(dump.read_text()) if wanted else {}
    assert list(frames) == list(wanted)
    for step, frame in wanted.items():
        for name, values in frame.items():
            size = max(np.abs(values).max(), 1e-2)
            np.testing.assert_allclose(frames[step][name], values, rtol=0, atol=tolerance * size, err_msg=f"{step} {name}")


@pytest.mark.parametrize("name", BOXES)
def test_values(name: str, tmp_path: Path) -> None:
    agree(solid(name) + VALUES + "run 10\n", tmp_path)


def test_thermostats_scale_what_counts(tmp_path: Path) -> None:
    for kind in KINDS.values():
        for thermostat in THERMOSTATS:
            integrate = "" if thermostat.startswith("nvt") else "fix 1 all nve\n"
            text = (f"{solid('block')}region part block 0 2 INF INF INF INF\ncompute t all {kind}\ncompute m all momentum\n"
                    f"compute p all pressure t\n{integrate}fix 2 all {thermostat}\nfix_modify 2 temp t\n"
                    "compute r all reduce sumsq vx vy vz\n"
                    "thermo_style custom step c_t c_p c_p[*] c_m[*] c_r[*]\n"
                    "thermo_modify format float %.17g\nthermo 5\nrun 10\n")
            agree(text, tmp_path)


def test_atoms_leave_the_region_of_a_thermostat(tmp_path: Path) -> None:
    """Degrees of freedom change: a plane of atoms begins on the face."""
    text = solid("block").replace("displace_atoms all move 0.13 0.17 0.11\n", "")
    agree(text + "region part block 0 2 INF INF INF INF\ncompute t all temp/region part\nvariable n equal count(all,part)\n"
          "fix 1 all nvt temp 1.0 1.0 0.2\nfix_modify 1 temp t\ncompute r all reduce sumsq vx vy vz\nthermo 1\n"
          "thermo_style custom step c_t v_n c_r[*] f_1 f_1[*]\nthermo_modify format float %.17g\nrun 8\n", tmp_path)


def test_slices_of_several_vectors() -> None:
    """The reference puts numbers of several inputs into wrong places."""
    sim = Simulation(device="serial", log="none", screen="none")
    sim.commands(solid("block") + "compute t all temp/profile 1 0 0 y 4 out bin\n"
                 "compute s all slice 2 5 1 c_t[2] c_t[1]\nrun 0\n")
    table = sim.engine.system.computes["t"].array()
    np.testing.assert_array_equal(sim.engine.system.computes["s"].array(), table[1:4, ::-1])
    sim.close()


def test_refreshed_origins(tmp_path: Path) -> None:
    text = solid("block") + ("variable far atom c_d[4]>0.02\ncompute d some displace/atom refresh far\nfix 1 all nve\n"
                             "dump 1 all custom 4 values.dump id c_d[*]\n"
                             "dump_modify 1 sort id format float %.17g refresh c_d\nthermo 4\nrun 16\n")
    agree(text, tmp_path)


SHAPES = """lattice {lattice}
region box {box}
create_box 1 box
create_atoms 1 box
mass 1 1.0
group some id 1:60 70
velocity all create {warm} 8712 loop all
{flat}
pair_style lj/cut 2.2
pair_coeff * * 1.0 1.0
compute ce all centro/atom fcc
compute cs some centro/atom 6
compute cn all cna/atom {cna}
compute he all hexorder/atom
compute hs some hexorder/atom degree 4 nnn 5 cutoff 1.6
compute oa all orientorder/atom
compute ob some orientorder/atom degrees 2 4 6 nnn NULL cutoff 1.5 wl yes wl/hat yes components 6
compute oc all orientorder/atom degrees 2 3 5 nnn 7 components 5
compute cl all cluster/atom {cluster}
compute ct some cluster/atom {cluster}
fix 1 all nve
run 15
dump 1 all custom 10 values.dump id c_ce c_cs c_cn c_he[*] c_hs[*] c_oa[*] c_ob[*] c_oc[*] c_cl c_ct
dump_modify 1 sort id format float %.17g
thermo 10
run 30
"""


@pytest.mark.parametrize(("lattice", "box", "cna", "cluster", "flat"), [
    ("fcc 0.9", "block 0 4 0 4 0 4", 1.4, 1.02, False), ("bcc 1.0", "block 0 5 0 4 0 4", 1.52, 1.0, False),
    ("hcp 1.0", "prism 0 5 0 4 0 3 1 0 0", 1.36, 1.03, False), ("hex 0.8", "block 0 8 0 5 -0.1 0.1", 1.4, 1.05, True)])
def test_shapes(lattice: str, box: str, cna: float, cluster: float, flat: bool, tmp_path: Path) -> None:
    first = "units lj\n" + ("dimension 2\n" if flat else "")
    agree(first + SHAPES.format(lattice=lattice, box=box, cna=cna, cluster=cluster, warm=0.5,
                                flat="velocity all set NULL NULL 0.0\nfix 2 all enforce2d" if flat else ""), tmp_path)


@pytest.mark.parametrize(("lattice", "neighbours"), [("sc", 6), ("fcc", 12)])
def test_orders_that_vanish(lattice: str, neighbours: int, tmp_path: Path) -> None:
    """Where symmetry lets Q_2 vanish, what is divided by it would be noise by noise: it is 0."""
    agree(f"units metal\nlattice {lattice} 3.0\nregion b block 0 3 0 3 0 3\ncreate_box 1 b\ncreate_atoms 1 box\nmass 1 1.0\n"
          "group one id 14\ndisplace_atoms one move 0.05 0.0 0.0 units box\npair_style zero 3.5\npair_coeff * *\n"
          f"compute o all orientorder/atom degrees 2 2 4 nnn {neighbours} wl yes wl/hat yes components 2\n"
          "dump 1 all custom 1 values.dump id c_o[*]\ndump_modify 1 sort id format float %.17g\nrun 0\n", tmp_path)


@pytest.mark.parametrize(("line", "word"), rows(r"""
thermo_style custom step c_m[*4] -> out of range
thermo_style custom step c_n[*] -> 'n'
compute a all slice 1 9 1 c_m\nthermo_style custom step c_a[*]\nrun 0 -> has 3 numbers
compute a all slice 1 3 1 c_thermo_pe -> gives no vector
compute a all heat/flux m m m -> ke/atom
compute a all temp/region nowhere -> nowhere
compute a all temp/ramp vx 0 1 y 0 -> usage
compute a all temp/profile 1 0 0 w 3 -> 'w'
compute a all temp/profile 1 0 0 xy 3 out -> number of bins
compute a all global/atom x c_m -> per atom
compute a all displace/atom refresh -> variable
compute a all centro/atom 7 -> even
compute a all centro/atom fcc axes yes -> axes
compute a all cna/atom -> cna
compute a all hexorder/atom nnn -> value
compute a all orientorder/atom components 5 -> degrees
compute a all orientorder/atom degrees 3 4 -> degrees 3
compute a all cluster/atom -> cluster
compute a all vacf 3 -> vacf
compute a all momentum 3 -> momentum
"""))
def test_messages(line: str, word: str) -> None:
    sim = Simulation(device="serial", log="none", screen="none")
    sim.commands(solid("block") + "compute m all momentum\n")
    with pytest.raises(InputError) as caught:
        sim.commands(line)
    assert word in str(caught.value)
    sim.close()
