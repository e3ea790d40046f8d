"""Every failure says where, what and what to do, and leaves the simulation usable."""

import ast
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError, InputError, RunError
from everlet.neighbor.lists import Neighbor
from tests.tables import rows

PACKAGE = Path(__file__).parents[2] / "everlet"
BOX = "lattice fcc 0.8442\nregion b block 0 3 0 3 0 3\ncreate_box 1 b\ncreate_atoms 1 box\n"
PAIR = "mass 1 1.0\npair_style lj/cut 2.5\npair_coeff 1 1 1 1\n"
MELT = BOX + PAIR + "velocity all create 1.44 87287\nfix 1 all nve\n"


def simulation(text: str = "") -> Simulation:
    return Simulation(device="serial").commands(text, "in.x")


def failure(text: str, kind: type[EverletError] = EverletError) -> EverletError:
    """The error of the last line of a script; it must have a place and a remedy."""
    with pytest.raises(kind) as caught:
        simulation(text)
    error = caught.value
    assert error.where.startswith(f"in.x:{text.strip().count(chr(10)) + 1}: ")
    assert error.remedy
    return error


def calls_without_remedy(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        named = any(word.arg == "remedy" for word in node.keywords)
        if node.func.id in ("InputError", "RunError", "DeviceError") and len(node.args) < 2 and not named:
            found.append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    return found


def test_every_error_in_the_source_has_a_remedy():
    assert [place for path in sorted(PACKAGE.rglob("*.py")) for place in calls_without_remedy(path)] == []


@pytest.mark.parametrize(("text", "cause"), [
    *rows(r"""
run 0 -> no simulation box
pari_style lj/cut 2.5 -> 'pari_style'
prd 1000 100 10 10 1 event 1 -> LAMMPS command 'prd'
pair_style lcbop -> LAMMPS pair style 'lcbop'
pair_style lj/cutt 2.5 -> 'lj/cutt'
pair_style lj/cut -> 1 arguments, found 0
pair_style lj/cut nan -> 'nan'
timestep nan -> 'nan'
timestep 1_0 -> '1_0'
neighbor inf bin -> 'inf'
thermo 1e3 -> '1e3'
fix 1 all temp/rescale 1 1 1 -0.1 1 -> window is -0.1
fix 1 all indent -10 sphere 0 0 0 1 -> force constant is -10
fix 1 all print 1 text file -> nothing follows file
fix 1 all print 1 text file /dev/full -> fix 1: cannot write '/dev/full'
compute 1 all orientorder/atom nnn 0 -> nnn is 0
print ${nope} -> 'nope'
variable a equal 1/0\nprint $a -> division by zero
jump SELF nowhere -> label 'nowhere'
include nofile -> nofile
plugin load nofile.py -> nofile.py
plugin unload x -> plugin unload
timer timeout abc -> 'abc'
suffix foo -> 'foo'
suffix hybrid kk -> 3 arguments
package kokkos foo 1 -> 'foo'
package kokkos neigh quarter -> 'quarter'
package omp many -> 'many'
package everlet foo half -> 'foo'
"""),
    ("x" * 500, "xxx..."),
    *rows(r"""
run 0 -> no mass
mass 1 1\npair_style lj/cut 2.5\nrun 0 -> no pair_coeff for types 1 1
mass 1 1\npair_style lj/cut 2.5\npair_coeff 1 1 a 1 -> 'a'
create_box 1 b -> a box exists already
group all delete -> cannot be deleted
mass 2 1.0 -> out of range 1 to 1
""", before=BOX),
    *rows(r"""
dump 1 all vtk 1 x -> LAMMPS dump style 'vtk'
neigh_modify every 3 delay 10\nrun 0 -> not a multiple
neigh_modify one 20000\nrun 0 -> ten times
neigh_modify one 10\nrun 0 -> more than the limit 10
run 0 pre no -> pre no
""", before=MELT)])
def test_wrong_lines(text, cause):
    assert cause in failure(text).cause


def test_the_place_of_errors_outside_a_line():
    for text, where in (("units lj &\n", "in.x"), ("\njump SELF here\n", "in.x:2: jump SELF here")):
        with pytest.raises(InputError) as caught:
            simulation(text)
        assert caught.value.where == where and caught.value.remedy


def two_atoms(x: float) -> str:
    box = "region b block 0 5 0 5 0 5 units box\ncreate_box 1 b\n"
    return f"{box}create_atoms 1 single 1 1 1\ncreate_atoms 1 single {x!r} 1 1\n{PAIR}fix 1 all nve\n"


def test_overlapping_atoms():
    """The force is infinite at once, or the atoms fly off in the first step: both are found and named."""
    error = failure(two_atoms(1.0) + "run 0", RunError)
    assert "force is not a finite number" in error.cause and "atom 1" in error.cause and "step 0" in error.cause
    for x in (1.01, 1.0 + 1e-9):
        error = failure(two_atoms(x) + "run 5", RunError)
        assert "flown" in error.cause and "atom 2" in error.cause and "step 1" in error.cause
        assert "overlap" in error.remedy


def test_huge_timestep():
    for boundary in ("p p p", "f f f", "s s s"):
        text = f"boundary {boundary}\n{MELT}timestep 1e200\nrun 5"
        assert failure(text, RunError).remedy
    assert "timestep" in failure(MELT + "timestep 10\nrun 20", RunError).remedy


def test_box_far_smaller_than_the_cutoff():
    text = "region b block 0 .01 0 .01 0 .01 units box\ncreate_box 1 b\ncreate_atoms 1 single .001 .001 .001\n"
    assert "the box is too small" in failure(text + PAIR + "run 0", RunError).cause


def test_no_atoms_and_one_atom():
    box = "region b block 0 5 0 5 0 5 units box\ncreate_box 1 b\n"
    assert simulation(box + PAIR + "fix 1 all nve\nrun 2").thermo.table()["temp"][-1] == 0.0
    assert simulation(box + "create_atoms 1 single 1 1 1\n" + PAIR + "fix 1 all nve\nrun 2").engine.system.natoms == 1


def test_atoms_that_leave_a_fixed_box():
    leave = "boundary f p p\n" + MELT + "velocity all set 3 0 0\nthermo 20\n"
    error = failure(leave + "run 100", RunError)
    assert "lost atoms: 108 before" in error.cause and "step 40" in error.cause and "atom" in error.cause
    for mode, warnings in (("warn", True), ("ignore", False)):
        sim = simulation(leave + f"thermo_modify lost {mode}\nrun 100")
        assert sim.engine.system.natoms < 108 and (sim.engine.log.warnings > 0) == warnings


def test_a_simulation_stays_usable(tmp_path):
    sim = simulation(MELT + "run 10")
    wrong = ("run x", "pair_style foo", "pair_coeff 1 1 1", "fix 2 all nvt", "read_data nofile", "set type 1 type 7",
             f"dump 1 all atom 1 {tmp_path}/none/x\nrun 1\n", "undump 1\nthermo_style custom step c_x",
             "neigh_modify every 7 delay 10\nrun 1", "jump SELF nowhere", 'run 4 every 2 "foo"')
    for text in wrong:
        with pytest.raises(EverletError):
            sim.commands(text)
    step = sim.engine.system.step
    sim.commands("neigh_modify every 1 delay 0\nrun 10")
    assert sim.engine.system.step == step + 10 and not sim.engine.script.frames


def test_no_set_up_after_a_change():
    sim = simulation(MELT + "run 2\nrun 2 pre no")
    for change in ("unfix 1", "fix 1 all nve\nregion h block 0 1 0 3 0 3\ndelete_atoms region h"):
        sim.commands(change)
        with pytest.raises(InputError, match="have changed since the last run"):
            sim.commands("run 2 pre no")
        sim.run(2)


def test_arguments_of_the_python_interface():
    sim = simulation(MELT)
    for action in (lambda: sim.run(-1), lambda: sim.array("q"), lambda: sim.set_array("x", [1.0, 2.0]),
                   lambda: Simulation(device="serial", precision="half"), lambda: Simulation(device="gpu9"),
                   lambda: Simulation(device="cpu", threads=-1), lambda: Simulation(device="cpu", threads=9999)):
        with pytest.raises(EverletError) as caught:
            action()
        assert caught.value.remedy
    sim.engine.neighbor.every, sim.engine.neighbor.delay = 3, 10
    with pytest.raises(InputError, match="not a multiple"):
        sim.run(1)


def test_runs_from_python_move_ramps():
    sim = simulation(MELT + "variable r equal ramp(1,3)\nthermo_style custom step v_r\nthermo 10")
    sim.run(20)
    sim.run(20, start=0, stop=80)
    assert np.allclose(sim.thermo.table()["v_r"], [1, 2, 3, 1.5, 1.75, 2])


# options do what they say


def grid(sim: Simulation) -> int:
    assert isinstance(sim.engine.lists, Neighbor) and sim.engine.lists.bins.grid is not None
    return sim.engine.lists.bins.grid.bins


def test_neighbour_and_ghost_options():
    plain = simulation(MELT + "run 30")
    assert grid(plain) > 1
    for line, check in {
        "neighbor 0.3 nsq": lambda sim: grid(sim) == 1,
        "neigh_modify binsize 0.7": lambda sim: grid(sim) > grid(plain),
        "comm_modify cutoff 4.5": lambda sim: sim.engine.system.atoms.nghost > 1.5 * plain.engine.system.atoms.nghost,
        "comm_modify cutoff 1.0": lambda sim: sim.engine.system.atoms.nghost == plain.engine.system.atoms.nghost,
        "atom_modify sort 0 0": lambda sim: np.array_equal(sim.array("id"), np.arange(1, 109)),
        "newton off": lambda sim: not sim.engine.system.newton,
        "package kokkos newton off neigh full": lambda sim: not sim.engine.system.newton and sim.engine.lists.kind == "full",
        "pair_style lj/cut/kk 2.5": lambda sim: True,
    }.items():
        other = simulation(MELT + line + "\nrun 30")
        assert check(other), line
        assert np.abs(other.gather("x") - plain.gather("x")).max() < 1e-10, line


@pytest.mark.parametrize(("level", "shown", "hidden"), [
    ("off", [], ["Loop time", "Section"]), ("loop", ["Loop time"], ["Section"]),
    ("normal", ["Loop time", "Section"], ["%CPU |"]), ("full", ["Loop time", "Section", "%CPU |"], [])])
def test_timer(tmp_path, level, shown, hidden):
    sim = Simulation(device="serial", log=str(tmp_path / "log")).commands(f"{MELT}timer {level}\nrun 2")
    sim.close()
    text = (tmp_path / "log").read_text()
    assert all(word in text for word in shown) and not any(word in text for word in hidden)
    assert "Neighbor list builds" in text


def test_coefficients_in_data_files_keep_all_digits(tmp_path):
    text = BOX + f"mass 1 1\npair_style lj/cut 2.5\npair_coeff 1 1 {1 / 3!r} {2 / 3!r}\nwrite_data {tmp_path}/d pair ij"
    simulation(text)
    back = simulation(f"pair_style lj/cut 2.5\nread_data {tmp_path}/d")
    assert back.engine.system.pair.explicit[1, 1] == {"epsilon": 1 / 3, "sigma": 2 / 3, "cut": 2.5}


# a user's own potential

POTENTIAL = """
from everlet import PairStyle, pair_style, portable
from everlet.forces.pair.quantities import energy, length

@pair_style("test/errors")
class Mine(PairStyle):
    coeffs = {"epsilon": energy, "sigma": length}

    def table(self, epsilon, sigma):
        return {"c": 4 * epsilon * sigma**12, "d": 4 * epsilon * sigma**6}

    @portable
    def energy(r2, p):
        ir6 = (1.0 / r2)**3
        return ir6 * (p.c * ir6 - p.d)
"""


def own(path: Path, text: str) -> str:
    path.write_text(text)
    return MELT.replace("pair_style lj/cut", f"plugin load {path}\npair_style test/errors")


def test_energy_only_potential_is_the_built_in_one(tmp_path):
    built_in = simulation(MELT + "run 20")
    mine = simulation(own(tmp_path / "mine.py", POTENTIAL) + "run 20")
    assert np.abs(mine.gather("f") - built_in.gather("f")).max() < 1e-10 * np.abs(built_in.gather("f")).max()
    for word, values in built_in.thermo.table().items():
        assert np.allclose(mine.thermo.table()[word], values, rtol=1e-12), word


@pytest.mark.parametrize(("old", "new", "cause"), rows("""
p.d) -> p.zz) -> no parameter 'zz'
return ir6 -> return 1.0 if r2 > 1 else ir6 -> cannot decide an if
4 * epsilon * sigma**12 -> 1 / (sigma - sigma) -> ZeroDivisionError
from everlet import -> from nowhere import -> needs nowhere, which is not installed
coeffs = { -> coeffs = {{ -> SyntaxError
def table(self, epsilon, sigma) -> def table(self, epsilon, sigmma) -> 'sigmma'
"""))
def test_faults_in_a_potential(tmp_path, old, new, cause):
    with pytest.raises(EverletError) as caught:
        simulation(own(tmp_path / "mine.py", POTENTIAL.replace(old, new)) + "run 0")
    assert cause in caught.value.cause and caught.value.where and caught.value.remedy


def test_plugins_that_register_nothing_or_replace_a_style(tmp_path):
    nothing = tmp_path / "nothing.py"
    nothing.write_text("x = 1\n")
    assert simulation(f"plugin load {nothing}").engine.log.warnings == 1
