"""Computes of chunks, of arrangements and of atoms, with their keywords: thermo tables and files of both programs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.oracle.harness import parse_log, working_in
from tests.oracle.reference import lmp
from tests.oracle.side_by_side import differences
from tests.scripts import crystal

BOX = """units lj
lattice fcc 0.8
region box {box}
create_box 2 box
create_atoms 1 box
group third id 3:240:3
set group third type 2
mass 1 1.0
mass 2 2.5
velocity all create 1.2 4928459 loop all
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
pair_coeff 2 2 0.6 0.9
group one type 1
group some id 1:100
region half block 0 2 INF INF INF INF
fix move all nve
timestep 0.001
run 20
reset_timestep 0
"""
BLOCK, PRISM = "block 0 4 0 4 0 4", "prism 0 4 0 4 0 4 1 0.5 -0.7"
END = """
thermo_style custom step temp {words}
thermo_modify format float %.17g
thermo 5
run 10
"""
AVERAGE = 'fix {0} {1} ave/chunk 1 1 5 {0} density/number density/mass vx file {0}.txt format " %.14g"\n'
DUMP = "dump 1 all custom 5 values.dump id {}\ndump_modify 1 sort id format float %.15g\n"
CASES = {
    "spheres": (BLOCK, """
compute a all chunk/atom bin/sphere 1.5 1.5 1.5 0.2 1.3 5
compute b all chunk/atom bin/sphere 0.5 3.5 1.5 0.2 1.3 5 pbc yes discard yes
compute c some chunk/atom bin/sphere 2.5 3.5 1.5 1 4 4 units box discard no
compute p all property/chunk a count coord1
""" + AVERAGE.format("a", "all") + AVERAGE.format("b", "all") + AVERAGE.format("c", "some")
        + DUMP.format("c_a c_b c_c"), "c_p[1][1] c_p[3][1] c_p[3][2]"),
    "cylinders": (BLOCK, """
compute a all chunk/atom bin/cylinder z lower 0.7 2.5 3.5 0.3 2.0 3
compute b all chunk/atom bin/cylinder y center 0.7 2.5 3.5 0.0 2.0 3 units box discard yes bound y 1.0 5.0
compute c all chunk/atom bin/cylinder x 1.0 0.7 2.5 3.5 0.0 2.0 1 units lattice compress yes region half discard yes
compute p all property/chunk b count coord1 coord2
""" + AVERAGE.format("a", "all") + AVERAGE.format("b", "some") + DUMP.format("c_a c_b c_c"),
                  "c_p[3][1] c_p[3][2] c_p[3][3]"),
    "tilted": (PRISM, """
compute a all chunk/atom bin/sphere 0.4 0.3 0.5 0.1 0.3 5 units reduced discard yes
compute b all chunk/atom bin/sphere 0.9 0.3 0.5 0.1 0.3 5 units reduced discard yes pbc yes
compute c all chunk/atom bin/cylinder y lower 0.3 0.5 0.4 0.1 0.4 5 units reduced
""" + AVERAGE.format("a", "all") + AVERAGE.format("c", "some") + DUMP.format("c_a c_b c_c"), "pe"),
    "temperatures": (BLOCK, """
compute m all msd average yes
compute n one msd com yes average yes
compute kinds all chunk/atom type
compute tp all temp/partial 1 0 1
compute tc all temp/com
compute T all temp/chunk kinds temp kecom internal bias tp
compute U all temp/chunk kinds temp kecom internal bias tc adof 2.5 cdof 1
compute V some temp/chunk kinds com yes
fix a all ave/time 2 2 10 c_m[4] c_n[4] mode scalar file a.txt
""", "c_m[1] c_m[2] c_m[4] c_n[1] c_n[4] c_T c_T[1] c_T[5] c_T[1][1] c_T[1][2] c_T[2][3] c_U c_U[4] c_U[2][1] c_V"),
    "neighbours": (BLOCK, """
compute a all coord/atom cutoff 1.4
compute b one coord/atom cutoff 1.4 group some
compute c all coord/atom cutoff 1.6 group some 1 2 *
compute o all orientorder/atom nnn NULL degrees 2 4 6 components 6 cutoff 1.5
compute p one orientorder/atom nnn 12 degrees 1 6 components 6
compute d all coord/atom orientorder o 0.3
compute e some coord/atom orientorder p 0.1
compute f all adf 8
compute g one adf 9 1 1 1 0.0 1.4 0.0 1.4 ordinate radian
compute h all adf 10 1 1 2 0.5 1.3 0.9 1.6 2 2 2 0 1.5 0 1.3 * 1 * 0 1.5 0 1.5 ordinate cosine
fix f all ave/time 5 1 5 c_f[*] file f.txt mode vector format " %.13g"
fix g all ave/time 5 1 5 c_g[*] file g.txt mode vector format " %.13g"
fix h all ave/time 5 1 5 c_h[*] file h.txt mode vector format " %.13g"
""" + DUMP.format("c_a c_b c_c[*] c_d c_e"), "pe"),
    "parts of pressures": (BLOCK, """
pair_style hybrid/overlay lj/cut 2.5 soft 1.2
pair_coeff * * lj/cut 1 1
pair_coeff 1 2 soft 2.0
compute a all pressure NULL pair/hybrid lj/cut
compute b all pressure NULL pair/hybrid soft
compute d all pressure thermo_temp ke pair/hybrid lj/cut
unfix move
fix move all npt temp 1.2 1.2 0.1 iso 1 1 0.5
fix_modify move press d
""", "press c_a c_b c_a[1] c_b[4] c_d vol"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_same_numbers(name: str, tmp_path: Path) -> None:
    box, lines, words = CASES[name]
    assert not differences(BOX.format(box=box) + lines + END.format(words=words), tmp_path)


def test_born_matrix(tmp_path: Path) -> None:
    """Against sums over all pairs: with u'' - u'/r ours, with u'' - 2 u'/r those of the reference (docs/scripts.md)."""
    script = BOX.format(box=BLOCK) + """
set type 2 type 1
compute b all born/matrix
compute c all born/matrix pair
compute v all pressure NULL virial
compute n all born/matrix numdiff 1e-5 v
thermo_style custom step temp c_b[*] c_n[1] c_n[4] c_n[7]
thermo_modify format float %.17g norm yes
dump x all custom 1 x.dump id x y z
dump_modify x sort id format float %.17g
run 0
"""
    theirs = parse_log(lmp(tmp_path, script))[-1]
    with working_in(tmp_path):
        sim = Simulation(device="serial", screen="none", log="log.ours", tune=False)
        sim.commands(script)
    ours = parse_log((tmp_path / "log.ours").read_text())[-1]
    for k in (1, 4, 7):  # theirs has differences of forces
        np.testing.assert_allclose(ours[f"c_n[{k}]"], theirs[f"c_n[{k}]"], rtol=1e-5)
    x, length = np.stack([sim.gather("x")[:, k] for k in range(3)], axis=1), sim.engine.system.need_box().lengths
    d = x[:, None] - x[None]
    d -= length * np.rint(d / length)
    i, j = np.triu_indices(len(x), 1)
    d = d[i, j]
    r = np.sqrt((d**2).sum(axis=1))
    d, r = d[r < 2.5], r[r < 2.5]
    slope, curve = 4 * (6 * r**-7 - 12 * r**-13), 4 * (156 * r**-14 - 42 * r**-8)
    pairs = ((0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1))
    places = [(k, k) for k in range(6)] + [(a, b) for a in range(6) for b in range(a + 1, 6)]
    products = np.stack([d[:, a] * d[:, b] for a, b in pairs])
    for count, found in ((1, sim.engine.system.computes["b"].vector()), (1, sim.engine.system.computes["c"].vector()),
                         (2, np.array([theirs[f"c_b[{k}]"][0] for k in range(1, 22)]))):
        whole = (products * (curve - count * slope / r) / r**2) @ products.T
        wanted = np.array([whole[a, b] for a, b in places])
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-10 * np.abs(wanted).max())
    sim.close()


COUNTS = crystal("0 2 0 2 0 2", "fcc 0.8", types=2) + """
mass * 1.0
velocity all create 1.2 4928459 loop all
pair_style zero 2.5
pair_coeff * *
group none empty
variable z atom (id>9)*(id-7)
variable none atom 0
compute b all chunk/atom bin/1d z lower 0.3
compute p all chunk/atom bin/2d x lower 0.3 z lower 0.4 compress yes
compute t all chunk/atom type
compute v all chunk/atom v_z
compute c all chunk/atom v_z compress yes
compute l all chunk/atom v_z limit 5 max
compute e all chunk/atom v_none limit 7 exact
compute f all chunk/atom v_none
compute g none chunk/atom v_z
variable twice equal 2*c_v
variable own atom c_v
compute r all reduce sum v_own c_v
fix a all ave/time 1 1 1 c_c c_p
fix i all nve
thermo_style custom step c_b c_p c_t c_v c_c c_l c_e c_f c_g v_twice c_r[*] f_a[*]
thermo_modify norm yes
thermo 5
run 10
"""


def test_numbers_of_chunks(tmp_path: Path) -> None:
    """c_ID is their number where a number stands, and of each atom its chunk."""
    assert not differences(COUNTS, tmp_path)


@pytest.mark.parametrize(("line", "hint"), [
    ("thermo_style custom step c_k\nrun 0", "it gives c_k of each atom: compute reduce makes a number of these"),
    ("thermo_style custom step c_k[1]\nrun 0", "it gives c_k of each atom: compute reduce makes a number of these"),
    ("thermo_style custom step c_s\nrun 0", "it gives c_s[i] of each atom: compute reduce makes a number of these"),
    ("thermo_style custom step c_d\nrun 0", "it gives c_d of each row of its local values: compute reduce"),
    ("thermo_style custom step c_m\nrun 0", "it gives c_m[i]"), ("thermo_style custom step c_u\nrun 0", "it gives c_u[i][j]"),
    ("thermo_style custom step c_thermo_pe[1]\nrun 0", "it gives c_thermo_pe"),
    ("thermo_style custom step c_m[1][1]\nrun 0", "it gives c_m[i]"),
    ("fix a all ave/time 1 1 1 c_k", "it gives c_k of each atom"),
    ("fix a all ave/correlate 1 2 4 c_u", "it gives c_u[i][j]"), ("variable a equal c_m\nprint $a", "it gives c_m[i]"),
    ("variable a equal sum(c_k)\nprint $a", "it gives c_k of each atom"),
    ("compute a all slice 1 2 1 c_u", "it gives c_u[i][j]"),
    ("compute a all reduce sum c_m", "it gives c_m[i]"), ("dump 1 all custom 1 d id c_m", "it gives c_m[i]")])
def test_hints_name_what_there_is(line: str, hint: str, tmp_path: Path) -> None:
    with working_in(tmp_path), Simulation(device="serial") as sim:
        sim.commands(COUNTS.partition("group none")[0] + "compute k all ke/atom\ncompute s all stress/atom NULL\n"
                     "compute m all momentum\ncompute t all chunk/atom type\ncompute u all com/chunk t\n"
                     "compute d all pair/local dist\n")
        with pytest.raises(InputError) as caught:
            sim.commands(line)
        assert caught.value.remedy.startswith(hint), caught.value
