"""Walls, indenters and atoms that are moved, against the reference: several fixes in one script."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from everlet import InputError, Simulation
from tests.oracle.side_by_side import both_tables, same_tables
from tests.refusals import refused
from tests.tables import rows

BASE = """
units {units}
boundary {boundary}
atom_modify sort 0 0
lattice {lattice}
region box block 0 4 0 4 0 4
create_box 1 box
region inner block 0.3 3.7 0.3 3.7 0.3 3.7
create_atoms 1 region inner
mass 1 {mass}
velocity all create {temperature} 87287 loop all
pair_style lj/cut {cutoff}
pair_coeff * * {epsilon} {sigma}
group some id 2:60
timestep {dt}
fix 1 all nve
"""
LJ = dict(units="lj", boundary="f f f", lattice="fcc 0.8442", mass=1.0, temperature=1.44, cutoff=2.5, epsilon=1.0, sigma=1.0,
          dt=0.005)
METAL = LJ | dict(units="metal", lattice="fcc 5.26", mass=39.95, temperature=200.0, cutoff=8.5, epsilon=0.0104, sigma=3.4,
                  dt=0.002)


def both(folder: Path, system: dict, text: str, words: str, runs: str = "run 30\nrun 10") -> list:
    """Compare thermo tables; those of the reference."""
    script = BASE.format(**system) + text
    script += f"\nthermo_style custom step {words}\nthermo_modify format float %.17g\nthermo 10\n{runs}\n"
    found, expected = both_tables(folder, script)
    assert len(found) == len(expected) > 0
    same_tables(found, expected, 1e-10)
    return expected


ALL = ("temp pe press pxx pyy pzz f_2 f_2[1] f_2[2] f_3 f_3[1] f_3[2] f_4 f_4[1] f_4[2] f_5 f_5[1] f_6 f_6[1] f_6[2]")
WALLS = """
variable place equal 3.9-0.002*step
variable e equal 1+0.05*step
variable r equal 0.6+0.002*step
fix 2 all wall/lj93 xlo EDGE 1.0 0.9 2.5 yhi v_place v_e 0.8 1.5
fix 3 some wall/lj126 yhi 3.95 0.7 0.5 1.1 xhi EDGE 1 0.6 2.0 units lattice
fix 4 all wall/harmonic zlo 0.0 12.0 1.0 1.2 zhi 6.6 v_e 1.0 1.3 units box
fix 5 all wall/lj1043 xhi EDGE 0.8 0.7 1.9 fld no
fix 6 some wall/morse ylo -0.1 v_e 1.5 0.7 2.1 xlo EDGE 1.1 2.0 v_r 1.3
fix_modify 2 energy yes virial yes
fix_modify 3 virial yes
fix_modify 4 energy yes virial yes
fix_modify 6 energy yes
"""


def test_walls_with_energies(tmp_path: Path) -> None:
    both(tmp_path, LJ, WALLS, ALL)


FORMULAS = """
variable place equal 3.9-0.002*step
fix 2 all wall/lepton xlo EDGE "e*((s/r)^9-(s/r)^3); e=1.2; s=0.9" 2.5 yhi v_place "k*(rc-r)^2/r; k=3" 1.5
fix 3 some wall/lepton zlo 0.1 "4*exp(-2*r)" 1.1 units lattice
fix_modify 2 energy yes
"""


def test_walls_of_formulas(tmp_path: Path) -> None:
    """Forces on walls and virials have the other sign in the reference: they are those of wall/lj126 here."""
    both(tmp_path, LJ, FORMULAS, "temp pe press f_2 f_3", "run 20")
    found = []
    for wall in ("wall/lj126 xlo EDGE 0.7 0.6 2.0", 'wall/lepton xlo EDGE "4*e*((s/r)^12-(s/r)^6); e=0.7; s=0.6" 2.0'):
        with Simulation(screen="none", device="serial") as sim:
            sim.commands(BASE.format(**LJ) + f"fix 2 all {wall}\nfix_modify 2 virial yes energy yes\n"
                         "compute a all stress/atom NULL fix\ncompute s all reduce sum c_a[1]\n"
                         "thermo_style custom step temp pe press pxx f_2 f_2[1] c_s\nrun 10")
            found.append([values[-1] for values in sim.thermo.table().values()])
    assert found[0] == pytest.approx(found[1], rel=1e-10)


TABLED = """
variable place equal 3.9-0.002*step
fix 2 all wall/table {way} 100 xlo EDGE wall.table SOFT 1.9 yhi v_place wall.table SOFT 1.2
fix 3 some wall/table {way} 30 xhi EDGE wall.table FEW 1.0 fld no units box
fix_modify 2 energy yes virial yes
compute a all stress/atom NULL fix
compute s all reduce sum c_a[*]
"""


@pytest.mark.parametrize("way", ["linear", "spline"])
def test_walls_of_tables(way: str, tmp_path: Path) -> None:
    places = [0.1 + 0.05 * k for k in range(40)]
    text = "SOFT\nN 40 FP -10.0 1.5\n\n" + "".join(
        f"{k + 1} {r:.6f} {2.5 * (2 - r) ** 2 + math.sin(3 * r):.10f} {5 * (2 - r) - 3 * math.cos(3 * r):.10f}\n"
        for k, r in enumerate(places))
    text += "\nFEW\nN 12\n\n" + "".join(f"{k + 1} {0.2 + k * 0.1:.6f} {1 / (0.2 + k * 0.1):.10f} {(0.2 + k * 0.1) ** -2:.10f}\n"
                                       for k in range(12))
    (tmp_path / "wall.table").write_text(text)
    energies = "pe f_2 f_3 " if way == "linear" else ""  # of splines those of the reference end at another level
    both(tmp_path, LJ, TABLED.format(way=way), energies + "temp press pxx f_2[1] f_2[2] f_3[1] c_s[1] c_s[2]")


def test_walls_of_colloids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.oracle.test_walls.BASE", BASE.replace("lattice", "atom_style sphere\nlattice", 1)
                        .replace("mass 1", "variable d atom 0.3+0.01*(id%20)\nset group all diameter v_d\n"
                                           "set group all density 3\nvariable m equal", 1))
    text = """
variable e equal 1+0.05*step
fix 2 all wall/colloid xlo EDGE 1.0 0.9 2.5 zhi EDGE v_e 0.8 1.5
fix 3 some wall/colloid ylo EDGE 0.7 0.5 1.1
fix_modify 2 energy yes virial yes
compute a all stress/atom NULL fix
compute s all reduce sum c_a[*]
"""
    both(tmp_path, LJ, text, "temp pe press pxx pzz f_2 f_2[1] f_2[2] f_3 f_3[1] c_s[*]", "run 20")


PISTONS = {
    "steady": ("wall/piston zlo pos 0.1 vel 2.0", "run 30\nrun 10"),
    "ramp": ("wall/piston zlo vel 3.0 ramp units box", "run 30\nrun 10"),
    "long ramp": ("wall/piston zlo ramp vel 3.0 pos 0.4 units box", "run 30 start 0 stop 40\nrun 10 start 0 stop 40"),
}


@pytest.mark.parametrize("name", PISTONS)
def test_piston(name: str, tmp_path: Path) -> None:
    """The reference builds lists, and lets the box follow, at every step."""
    words, runs = PISTONS[name]
    both(tmp_path, LJ | dict(boundary="p p s"), f"neigh_modify delay 0 every 1 check no\nfix 2 some {words}",
         "temp pe press pzz", runs)


@pytest.mark.parametrize("lines, cause", rows("""
fix 2 all wall/piston zhi vel 1 -> face of fix wall/piston
fix 2 all wall/piston zlo temp 1 1 1 1 -> temp is not available
fix 2 all wall/piston zlo vel -> expected
fix 2 all wall/piston zlo velocity 1 -> keyword of fix wall/piston
fix 2 all wall/lepton xlo EDGE -> no walls
fix 2 all wall/lepton xlo EDGE "r*q" 2.0 -> q
fix 2 all wall/lepton xlo EDGE "r" -1.0 -> above zero
fix 2 all wall/colloid xlo EDGE 1 1 2 -> radi|atom_style
fix 2 all wall/table line 10 xlo EDGE x X 1 -> way of fix wall/table
fix 2 all wall/table linear 1 xlo EDGE x X 1 -> at least 2
fix 2 all wall/table linear 10 xlo EDGE -> expected
fix 2 all wall/table linear 10 xlo EDGE no.such.file X 1 -> no.such.file
"""))
def test_refused_walls(lines: str, cause: str) -> None:
    refused(BASE.format(**LJ), lines, cause)


def test_walls_in_other_units_and_periodic_boxes(tmp_path: Path) -> None:
    text = """
fix 2 all wall/lj93 zlo EDGE 0.02 2.5 8.0 zhi EDGE 0.02 3.0 7.0 pbc yes
fix_modify 2 energy yes virial yes
fix 3 all wall/reflect xlo 1.5 xhi 19.0 ylo EDGE units box
fix 4 some wall/reflect yhi 3.5
"""
    both(tmp_path, METAL | dict(boundary="f f p"), text, "temp pe press pzz f_2 f_2[1] f_2[2]", "run 60")


def test_reflecting_walls_that_move(tmp_path: Path) -> None:
    both(tmp_path, LJ | dict(temperature=8.0, boundary="m m m"),
         "variable p equal 3.6-0.001*step\nfix 2 all wall/reflect xhi v_p zlo 0.4\n"
         "fix 3 some wall/reflect xlo 0.45 yhi EDGE", "temp pe press", "run 60")


SCATTERED = {
    "diffusive": "zlo EDGE 1.0 0.2 -0.1 0 zhi 3.9 2.0 0 0 0 xlo EDGE 1 0 0 0 xhi EDGE 1 0 0 1.5",
    "maxwell": "zlo EDGE 1.0 0.2 -0.1 0 0.5 zhi 3.9 2.0 0 0 0 0.9 xlo 0.1 1 0 0 0 0.3 xhi EDGE 1 0 0 1.5 0.5",
    "ccl": "zlo EDGE 1.0 0.2 -0.1 0 0.5 0.6 0.7 zhi EDGE 2.0 0 0 0 0.9 0.8 0.7 xhi EDGE 1 0 0 1.5 0.5 1 1 units box",
}


@pytest.mark.parametrize("name", SCATTERED)
def test_walls_that_scatter(name: str, tmp_path: Path) -> None:
    system = (METAL if name == "maxwell" else LJ) | dict(boundary="m p m", temperature=3000.0 if name == "maxwell" else 9.0)
    words = SCATTERED[name].replace(" 1.0 ", " 900.0 ").replace(" 2.0 ", " 500.0 ") if name == "maxwell" else SCATTERED[name]
    both(tmp_path, system, f"fix 2 all wall/reflect/stochastic {name} 12345 {words}", "temp pe press pxx pzz", "run 60\nrun 20")


STRESSES = """
set group some charge 0.7
region half block INF INF INF INF INF 2.0
region ball sphere 2 2 2 3.6
variable p equal 3.95-0.002*step
variable e atom x*0.1
fix 2 all wall/lj93 zlo EDGE 1.0 0.5 2 zhi v_p 1 0.6 2
fix 3 some wall/harmonic xlo EDGE 10 1 1.5
fix 4 all wall/region ball lj126 1 0.6 2
fix 5 all addforce 0.1 0.2 0.3
fix 6 some addforce v_e 0 0 region half
fix 7 all efield 0.1 0.2 0.3
fix_modify 2 virial yes
fix_modify 3 virial yes
fix_modify 4 virial yes
fix_modify 5 virial yes
fix_modify 6 virial yes
fix_modify 7 virial yes
compute a all stress/atom NULL
compute f some stress/atom NULL fix
compute s all reduce sum c_a[*] c_f[*]
compute q all reduce sumsq c_a[*] c_f[*]
"""


def test_stresses_of_atoms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What walls and given forces add to the stress of each atom."""
    monkeypatch.setattr("tests.oracle.test_walls.BASE", BASE.replace("lattice", "atom_style charge\nlattice", 1))
    both(tmp_path, LJ | dict(boundary="f p f"), STRESSES, "press c_s[*] c_q[*]", "run 20")


INDENTERS = """
variable x equal 0.5+0.003*step
variable y equal 0.15*lz+0.003*step
variable r equal 0.25*lz+0.004*step
fix 2 all indent 10 sphere v_y 2 2.1 v_r
fix 3 some indent 8 cylinder y 1.0 0.1 1.2 units box side out
fix 4 all indent 12 cylinder z 2.0 v_x 1.9 side in
fix 5 some indent 7 plane x 3.2 hi units lattice
fix 6 all indent 6 plane z v_y lo
fix_modify 2 energy yes
fix_modify 6 energy yes
"""


@pytest.mark.parametrize("system", [LJ | dict(boundary="p p p"), METAL | dict(boundary="p m p")])
def test_indenters(system: dict, tmp_path: Path) -> None:
    words = "temp pe press " + " ".join(f"f_{k} f_{k}[1] f_{k}[2] f_{k}[3]" for k in range(2, 7))
    text = INDENTERS
    if system["units"] == "metal":
        text = re.sub(r"indent \d+", "indent 0.05", text)
    both(tmp_path, system, text, words, "run 30")


REGIONS = """
region b block 0.1 3.9 0.0 INF 0.05 3.95
region s sphere 2 2 2 3.0
region o sphere 2 2 -3 2.9 side out
region c cylinder y 2 2 2.9 0.1 3.9
region p plane 0 0 0 1 0.3 0.2
region q plane 5.6 0 0 0.7 0.1 0.2 side out
fix 2 all wall/region b lj93 1.0 0.8 2.2
fix 3 all wall/region s harmonic 3.0 1.0 1.7
fix 4 some wall/region o lj126 0.9 0.8 2.0
fix 5 some wall/region c lj1043 0.5 0.6 1.8
fix 6 all wall/region p morse 0.8 1.6 0.7 2.4
fix 7 all wall/region q lj126 0.6 0.7 2.1
fix_modify 2 energy yes virial yes
fix_modify 3 virial yes
fix_modify 5 energy yes virial yes
fix_modify 6 virial yes
fix_modify 7 virial yes
"""


def test_walls_of_regions(tmp_path: Path) -> None:
    words = "temp pe press pxx pyy pzz pxy pxz pyz " + " ".join(f"f_{k} f_{k}[1] f_{k}[2] f_{k}[3]" for k in range(2, 8))
    both(tmp_path, LJ, REGIONS, words, "run 30")


SHAPES = """
pair_style zero 1.0
pair_coeff * *
variable a equal 0.3+0.003*sin(step)
variable t equal 0.1+0.002*step
variable r equal 2.9-0.001*step
region a prism -0.6 4.6 -0.5 4.4 -0.6 4.5 0.2 -0.1 0.15
region b cone z 2 2 3.2 2.6 -0.3 4.4
region c cone x 2 2 3.5 5.5 -0.3 4.4 open 1
region d ellipsoid 2 2 2 3.2 3.0 2.9
region e block -2 6 -2 6 -3 0.1 side out
region f cylinder x 2 -3 3.1 INF INF side out
region g prism 1 3 1 3 -2 0.2 0.3 0.2 0.1 side out rotate v_t 2 2 -1 0 0 1
region h cone z 2.1 1.95 3 1.5 -3 0.2 side out
region i ellipsoid 2 2 -2 2.5 3 2.3 side out
region j block -0.5 4.5 -0.4 4.4 -0.6 4.4 open 2 open 5 move v_a NULL v_a
region k sphere 2 2 2 v_r open 1
region l union 2 b d
region m intersect 3 a d f
region n plane 2 2 -0.2 0.1 0.2 1 move NULL NULL v_a rotate v_t 1 1 0 1 0 0
"""


def test_walls_of_all_regions(tmp_path: Path) -> None:
    """All shapes, from inside and outside, open, moving and turning, joined and cut; atoms see nothing but walls."""
    names = "abcdefghijklmn"
    text = SHAPES + "".join(f"fix {name} all wall/region {name} harmonic 0.3 1 2\n" for name in names)
    text += "".join(f"fix_modify {name} virial yes\n" for name in names)
    words = "temp pe press pxx pyy pzz pxy pxz pyz " + " ".join(f"f_{name} f_{name}[*]" for name in names)
    wide = "change_box all x delta -2 2 y delta -2 2 z delta -2 2\n"
    [table] = both(tmp_path, LJ | dict(boundary="p p p", temperature=0.01), wide + text, words, "thermo 4\nrun 8")
    assert not [name for name in names if not table[f"f_{name}"].all()], "walls that no atom has touched"


MOVES = """
unfix 1
group a id 1:40
group b id 41:80
group c id 81:120
group d id 121:140
group rest subtract all a b c d
fix 1 rest nve
run 5
fix 2 a move linear 3.0 NULL -9.5
fix 3 b move wiggle 0.1 NULL 0.2 0.7 units box
fix 4 c move rotate 2 2 2 0.3 -0.1 1 1.3
fix 5 d move transrot 0.5 8.0 -0.5 1.0 2.1 1.0 1 0.2 0 2.0 units box
compute x0 all reduce sum f_2[1] f_3[2] f_4[3] f_5[1]
compute u all property/atom xu yu zu vx vy vz
compute s all reduce sumsq c_u[1] c_u[2] c_u[3] c_u[4] c_u[5] c_u[6]
"""


@pytest.mark.parametrize("system", [LJ, METAL], ids=("lj", "metal"))
def test_moved_atoms(system: dict, tmp_path: Path) -> None:
    """Through periodic boundaries too: unwrapped positions and velocities of all atoms."""
    system = system | dict(boundary="p p p")
    words = "temp pe press " + " ".join(f"c_x0[{k}]" for k in range(1, 5)) + " " + " ".join(f"c_s[{k}]" for k in range(1, 7))
    reach, height = (3.0, 0.05) if system["units"] == "metal" else (1.1, 2.0)
    both(tmp_path, system, f"pair_style soft {reach}\npair_coeff * * {height}\n{MOVES}", words, "run 20\nrun 10")


VARIABLES = """
unfix 1
group more id 31:60
group others subtract all some more
group some id 2:30
fix 1 others nve
variable dx equal 0.3*sin(step*dt*5)
variable vx equal 1.5*cos(step*dt*5)
variable ady atom 0.1*x*step*dt
variable avy atom 0.1*x
fix 2 some move variable v_dx v_ady NULL v_vx v_avy NULL
fix 3 more move variable v_dx NULL NULL NULL NULL v_vx units box
compute u all property/atom xu yu zu vx vy vz
compute s all reduce sumsq c_u[1] c_u[2] c_u[3] c_u[4] c_u[5] c_u[6]
"""


def test_atoms_moved_by_variables(tmp_path: Path) -> None:
    words = "temp pe press " + " ".join(f"c_s[{k}]" for k in range(1, 7))
    text = f"pair_style soft 1.1\npair_coeff * * 2.0\n{VARIABLES}"
    both(tmp_path, LJ | dict(boundary="p p p"), text, words, "run 20\nrun 10")


DEFORMED = {
    "erate-volume": ("fix 2 all deform 1 x erate 0.5 y volume z volume units box", "run 20\nrun 11", "p p p"),
    "final-delta-scale": ("fix 2 all deform 3 x final -0.2 4.1 y delta -0.1 0.05 z scale 1.04",
                          "run 20 start 0 stop 50\nrun 30 start 0 stop 50", "p p p"),
    "vel-trate-wiggle": ("fix 2 some deform 1 x vel -0.8 y trate 0.6 z wiggle 0.1 0.3 remap x", "run 20\nrun 10", "p p f"),
    "npt": ("unfix 1\nfix 1 all npt temp 1.4 1.4 0.2 y 0 1 0.5 z 1 0 0.5\nfix 2 all deform 1 x erate 0.4 units box",
            "run 20\nrun 10", "p p p"),
    "two-one": ("fix 2 all deform 2 x trate -0.4 y volume z delta 0.1 0.1 remap none", "run 20\nrun 10", "p p p"),
}


@pytest.mark.parametrize("name", DEFORMED)
def test_deformed_boxes(name: str, tmp_path: Path) -> None:
    text, runs, boundary = DEFORMED[name]
    both(tmp_path, LJ | dict(boundary=boundary), text, "temp pe press xlo xhi ylo yhi zlo zhi vol pxx pyy pzz", runs)


@pytest.mark.parametrize("text, message", [
    *rows(r"""
fix 2 all deform 1 xy erate 1 -> orthogonal
fix 2 all deform 1 w erate 1 -> unknown keyword
fix 2 all deform 1 x volume -> no edge
fix 2 all deform 0 x erate 1 -> 1 or more
fix 2 all deform 1 x erat 1 -> unknown style
fix 2 all deform 1 z erate 1\nfix 3 all nph z 1 1 1\nrun 0 -> both change
change_box all boundary s p p\nfix 2 all deform 1 x erate 1 -> follow atoms
"""),
    ("fix 2 all wall/region box lj93 1 1\n", "expected"),
    ("fix 2 all wall/region box lj12 1 1 1\n", "unknown style"),
    *rows(r"""
region a block 0 2 0 2 0 2\nfix 2 all wall/region a lj93 1 1 1\nrun 0 -> or outside at step 0
region a ellipsoid 2 2 2 1 9 9\nfix 2 all wall/region a lj93 1 1 1\nrun 0 -> or outside at step 0
fix 2 all indent 10 -> no shapes
fix 2 all indent 10 sphere 1 1 1 -> expected
fix 2 all indent 10 plane x 1 up -> unknown side of the plane
fix 2 all indent 10 cone x 0 0 1 1 0 1 -> cone
fix 2 all indent 1 sphere 1 1 1 -1\nrun 0 -> radius is
fix 2 all move variable NULL -> expected
fix 2 all move variable 1 NULL NULL NULL NULL NULL -> no variable
fix 2 all move wiggle 1 1 1 0 -> above zero
fix 2 all move rotate 0 0 0 0 0 0 1 -> no direction
fix 2 all move linear 1 1 1 unit box -> unknown keyword
fix 2 all wall/lj93 xlo EDGE 1 1 1 xlo 0 1 1 1 -> xlo twice
fix 2 all wall/lj93 zlo EDGE 1 1 1 -> periodic along z
fix 2 all wall/lj93 xlo EDGE 1 1 0 -> above zero
fix 2 all wall/lj93 xlo EDGE 1 1 -> expected
fix 2 all wall/lj126 xlo EDGE 1 1 1 fld yes -> fld yes
fix 2 all wall/reflect -> no walls
fix 2 all wall/reflect/stochastic diffuse 1 xlo EDGE 1 0 0 0 -> unknown style
fix 2 all wall/reflect/stochastic diffusive 0 xlo EDGE 1 0 0 0 -> seed
fix 2 all wall/reflect/stochastic diffusive 1 xlo EDGE 1 0.1 0 0 -> no velocity across
fix 2 all wall/reflect/stochastic maxwell 1 xlo EDGE 1 0 0 0 1.2 -> from 0 to 1
fix 2 all wall/reflect/stochastic ccl 1 xlo EDGE 1 0 0 0 1 -> expected
fix 2 all gjf 1 1 0 1 -> above zero
fix 2 all gjf 1 1 1 1 method 7 1.5 -> c2 of method 7
fix 2 all gjf 1 1 1 1 method 9 -> there is no method
fix 2 all gjf 1 1 1 1 vel quarter -> unknown vel
fix 2 all gjf 1 1 1 1 tally yes -> unknown keyword
fix 2 all langevin 1 1 1 1 gjf vhalf -> use fix gjf
fix 2 all wall/reflect xlo EDGE pbc yes -> unknown wall or keyword
fix 2 all wall/lj93 xlo EDGE 1 1 v_c -> cannot be a variable
fix 2 all wall/harmonic xlo 2.0 1 1 1\nrun 0 -> behind wall xlo
variable c atom x\nfix 2 all wall/harmonic xlo v_c 1 1 1\nrun 0 -> style atom
""")])
def test_what_is_refused(text: str, message: str) -> None:
    sim = Simulation(device="serial", log="none", screen="none")
    with pytest.raises(InputError, match=re.escape(message)):
        sim.commands(BASE.format(**LJ | dict(boundary="f f p")) + text)
