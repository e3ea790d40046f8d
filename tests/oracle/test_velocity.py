"""velocity, set, displace_atoms, delete_atoms, reset_atoms, replicate: the same atoms as the reference.

Ids, types and image flags are equal, and so are the random numbers. Positions and velocities may differ in the last
bit, where a compiler joins a product and a sum into one operation.

The reference makes the atoms and writes them with all digits; then both engines run the commands under test, and the
atoms afterwards are compared. So these tests do not depend on how atoms are made here.
"""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.io.log import Log
from everlet.portable.spaces import Serial
from everlet.script.registry import command
from everlet.script.variables import Variables
from everlet.state.box import Box
from everlet.state.lattice import Lattice
from everlet.state.regions import make_region
from everlet.state.system import System
from everlet.state.units import Units
from tests.oracle.reference import launch
from tests.scripts import crystal
from tests.tables import rows

FCC = crystal("0 4 0 4 0 4", types=3) + """
mass 1 1.0
mass 2* 2.5
"""
BCC = crystal("-2 2 -1 2 0 3", "bcc 2.87 origin 0.25 0.25 0.25", units="metal", types=2) + """
mass * 55.845
"""
FLAT = crystal("0 6 0 5 -0.25 0.25", "hex 0.9", types=2, first="dimension 2") + """
mass 1 1.0
mass 2 3.0
"""
PRISM = crystal("prism 0 4 0 5 0 4 1.0 0.5 -0.7", "sc 3.1", units="real", types=2) + """
mass * 12.011
"""
WALLS = crystal("0 3 0 3 0 3", "sc 0.7", types=2, first="boundary p f s") + """
mass * 1.0
"""
TYPES = "set group all type/fraction 2 0.4 8331\n"
PART = "0.4 2.1 -1 1.6 INF INF"
VARIABLES = "variable half equal 0.5\nvariable many atom 0.1*id\nvariable kind atom 1+(id>9)\n"
COLUMNS = "id type x y z ix iy iz vx vy vz"
EDGES = ("xlo", "ylo", "zlo", "xhi", "yhi", "zhi", "xy", "xz", "yz")
GROUPS = {"few": [3, 4, 9, 10, 11, 30], "two": [1, 2], "one": [7]}
every_setup = pytest.mark.parametrize("setup", [FCC, FLAT, PRISM], ids=["fcc", "flat", "prism"])


def columns(path):
    lines = path.read_text().splitlines()
    data = np.array([line.split() for line in lines[9:]], np.float64).reshape(-1, 11)
    return {"id": data[:, 0].astype(int), "type": data[:, 1].astype(int), "x": data[:, 2:5],
            "image": data[:, 5:8].astype(int), "v": data[:, 8:]}


def reference(folder, setup, commands):
    """Atoms before and after the commands, in storage order, and the box before and after."""
    groups = "".join(f"group {name} id {' '.join(map(str, ids))}\n" for name, ids in GROUPS.items())
    text = setup + f"region part block {PART}\n" + groups
    for when, lines in (("before", ""), ("after", commands)):
        text += lines + f"\nwrite_dump all custom {when} {COLUMNS} modify format float %.17g\n"
        text += f'print "{" ".join(f"$({edge}:%.17g)" for edge in EDGES)}" file {when}.box\n'
    (folder / "in.script").write_text(text)
    done = launch(folder, ["-log", "none", "-in", "in.script"])
    assert done.returncode == 0, done.stdout[-500:]
    boxes = [np.array((folder / f"{when}.box").read_text().split(), float) for when in ("before", "after")]
    return columns(folder / "before"), columns(folder / "after"), *boxes


def engine(setup, atoms, edges):
    """What the commands under test need of the engine, with the atoms of the reference."""
    words = {line.split()[0]: line.split()[1:] for line in setup.splitlines() if line}
    system = System(Serial())
    system.units = Units.named(words["units"][0])
    system.dimension = int(words.get("dimension", ["3"])[0])
    system.lattice = Lattice.parse(words["lattice"], system.units, system.dimension)
    system.masses = np.zeros(int(words["create_box"][0]) + 1)
    system.box = Box(edges[:3], edges[3:6], *edges[6:], boundary=" ".join(words.get("boundary", ["p", "p", "p"])),
                     dimension=system.dimension)
    system.atoms.append(**atoms)
    for name, ids in GROUPS.items():
        system.groups.assign(name, system.atoms.edit("mask"), np.isin(atoms["id"], ids))
    system.regions["part"] = make_region(system, "part", "block", PART.split())
    sim = SimpleNamespace(system=system, log=Log("none"), changed=lambda *what: None)
    sim.variables = Variables(sim)
    for line in VARIABLES.splitlines():
        sim.variables.define(line.split()[1:])
    run(sim, "\n".join(line for line in setup.splitlines() if line.startswith("mass")))
    return sim


def run(sim, commands):
    for line in commands.splitlines():
        name, *args = line.split()
        command[name](sim, args)


def both(folder, setup, commands):
    """The same commands in both engines: (ours, reference, our System, reference box)."""
    before, after, edges, new_edges = reference(folder, setup, VARIABLES + commands)
    sim = engine(setup, before, edges)
    run(sim, commands)
    ours = {name: sim.system.atoms.read(name) for name in after}
    return ours, after, sim.system, new_edges


def close(ours, theirs, tolerance):
    scale = np.abs(theirs).max(initial=1e-300)
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max(initial=0.0) <= tolerance * scale


def same_atoms(ours, theirs):
    for name in ("id", "type", "image"):
        assert np.array_equal(ours[name], theirs[name]), name


def agree(folder, setup, commands, **limits):
    ours, theirs, _, _ = both(folder, setup, commands)
    same_atoms(ours, theirs)
    for name, limit in limits.items():
        close(ours[name], theirs[name], limit)


@pytest.mark.parametrize("setup", [FCC, BCC, FLAT, PRISM], ids=["fcc", "bcc", "flat", "prism"])
@pytest.mark.parametrize("loop", ["all", "local", "geom"])
@pytest.mark.parametrize("dist", ["uniform", "gaussian"])
def test_create(tmp_path, setup, loop, dist):
    commands = TYPES + f"velocity all create 1.44 87287 loop {loop} dist {dist}"
    agree(tmp_path, setup, commands, v=1e-14)


@pytest.mark.parametrize("commands", [
    "velocity all create 3.0 376847 mom no",
    "velocity all create 3.0 376847 rot yes",
    "velocity all create 3.0 376847 mom no rot yes loop geom dist gaussian",
    "velocity few create 3.0 12345",
    "velocity few create 3.0 12345 loop local dist gaussian",
    "velocity few create 3.0 12345 loop geom rot yes",
    "velocity two create 3.0 12345 rot yes mom no",
    "velocity all create 1.0 1\nvelocity few create 3.0 12345 sum yes",
    "velocity all create 1.0 1\nvelocity all zero angular\nvelocity few zero linear",
    "set atom 1*20 image 1 -2 0\nvelocity all create 1.0 1 loop geom\nvelocity all zero angular",
    "velocity all create 1.0 1\nvelocity all scale 2.5\nvelocity few scale 0.1",
    "velocity all create 0.0 1",
    "velocity all set 1.0 -2.0 NULL",
    "velocity few set 1.0 NULL 0.0 units box\nvelocity all set 0.3 0.2 0.0 sum yes",
    "velocity few set v_half v_many 0",
    "velocity all ramp vx 0.0 2.0 y 1.0 3.0\nvelocity few ramp vy 1.0 -1.0 x 0.5 2.0 sum yes units box",
])
@every_setup
def test_other_velocities(tmp_path, setup, commands):
    agree(tmp_path, setup, TYPES + commands, v=1e-13)


@pytest.mark.parametrize("commands", [
    "set atom 5*9 x 0.5 vy -1.25 type 2\nset type 2 vx 3.0\nset atom *3 z 0.125\nset atom 50* y 1.5",
    "set atom 4*12 x v_many vy v_many type v_kind\ndisplace_atoms few move v_many 0.1 0",
    "set region part x 0.0 type 2",
    "set group few image 1 NULL 0\nset atom 4 image NULL -2 0",
    "set type 1 type/fraction 2 0.25 555\nset group few type/fraction 1 1.0 7",
    "displace_atoms all move 0.3 -0.2 0.0",
    "displace_atoms few move 7.1 -9.3 0.0 units box\ndisplace_atoms all move v_half 0 0",
    "displace_atoms all random 0.1 0.2 0.0 1234",
    "displace_atoms few random 0.3 0.01 0.0 99 units box",
    "displace_atoms all ramp x 0.0 1.7 y 0.5 2.5\ndisplace_atoms few ramp y 0.1 -0.1 x 1.0 0.0 units box",
])
@every_setup
def test_set_and_displace(tmp_path, setup, commands):
    agree(tmp_path, setup, commands, x=1e-15, v=1e-14)


@pytest.mark.parametrize("setup", [FCC, FLAT], ids=["fcc", "flat"])
def test_moved_positions_have_the_same_bits(tmp_path, setup):
    """loop geom after a displacement: the numbers are right only if every bit of the new positions is."""
    commands = "displace_atoms all move 2.3 -1.7 0.0\nvelocity all create 1.0 77 loop geom"
    ours, theirs, _, _ = both(tmp_path, setup, commands)
    assert np.array_equal(ours["x"], theirs["x"])
    close(ours["v"], theirs["v"], 1e-14)


@pytest.mark.parametrize("setup,axis", [(FCC, "1 2 -1"), (FLAT, "0 0 -2"), (PRISM, "0.3 0 1")],
                         ids=["fcc", "flat", "prism"])
def test_rotate(tmp_path, setup, axis):
    commands = f"set atom 4*8 image 1 2 0\ndisplace_atoms all rotate 0.7 0.4 0 {axis} 33.3\n"
    commands += f"displace_atoms few rotate 1 1 0 {axis} -700 units box"
    agree(tmp_path, setup, commands, x=1e-14)


@pytest.mark.parametrize("setup", [FCC, WALLS], ids=["fcc", "walls"])
def test_exact_subsets(tmp_path, setup):
    """The number of atoms is that of the reference; which ones is left to the generator."""
    commands = "set group all type/ratio 2 0.33 55\nset type 1 type/subset 2 5 77"
    ours, theirs, _, _ = both(tmp_path, setup, commands)
    assert np.array_equal(np.bincount(ours["type"]), np.bincount(theirs["type"]))


@pytest.mark.parametrize("commands", [
    "delete_atoms group few",
    "delete_atoms group few compress no",
    "delete_atoms group few compress no\nreset_atoms id",
    "delete_atoms group few\nvelocity all create 1.0 99\ndelete_atoms group two\nreset_atoms id sort no",
    "delete_atoms group all",
    "set region part vx 1.5 type 3\ndelete_atoms region part",
])
def test_delete(tmp_path, commands):
    ours, theirs, _, _ = both(tmp_path, FCC, commands)
    same_atoms(ours, theirs)
    assert np.array_equal(ours["x"], theirs["x"]) and np.array_equal(ours["v"], theirs["v"])


@pytest.mark.parametrize("setup,copies", [(FCC, "2 1 3"), (FLAT, "3 2 1"), (PRISM, "2 2 2"), (WALLS, "2 2 2 bbox")],
                         ids=["fcc", "flat", "prism", "walls"])
def test_replicate(tmp_path, setup, copies):
    """Copies keep velocities and groups; image flags are turned into positions."""
    commands = "velocity all create 1.0 4242\nset atom 3*6 image -1 0 0\nset atom 5 x 1.5\n"
    commands += f"replicate {copies}\nset group few vx 9"
    ours, theirs, system, edges = both(tmp_path, setup, commands)
    same_atoms(ours, theirs)
    close(ours["x"], theirs["x"], 1e-15)
    close(ours["v"], theirs["v"], 1e-14)
    box = system.need_box()
    assert [*box.lo, *box.hi, box.xy, box.xz, box.yz] == pytest.approx(edges.tolist(), rel=1e-14, abs=1e-14)


def test_keywords_without_a_meaning(tmp_path: Path) -> None:
    """As in LAMMPS they change nothing; the log says so."""
    script = "region box block 0 4 0 4 0 4\ncreate_box 1 box\ncreate_atoms 1 random 20 4711 NULL\nmass 1 1\n"
    with Simulation(device="serial", log=tmp_path / "log", screen="none") as sim:
        sim.commands(script + "velocity all create 1.0 5 units box\nvelocity all set 1 2 NULL mom no sum yes rot no")
        more = sim.velocities
    with Simulation(device="serial", log="none", screen="none") as sim:
        sim.commands(script + "velocity all create 1.0 5\nvelocity all set 1 2 NULL sum yes")
        assert np.array_equal(more, sim.velocities)
    text = (tmp_path / "log").read_text()
    assert all(f"does not use the keyword '{word}'" in text for word in ("units", "mom", "rot"))


@pytest.mark.parametrize("line,cause", rows("""
velocity all create 1.0 -> expected 2
velocity all create 1.0 0 -> seed
velocity all create -1.0 5 -> negative
velocity all create 1.0 5 lop geom -> unknown velocity keyword 'lop'
velocity all create 1.0 5 loop -> needs a value
velocity all create 1.0 5 loop ids -> 'loop' 'ids'
velocity all create 1.0 5 temp mine -> no compute 'mine'
velocity all create 1.0 5 bias yes -> needs a temperature
velocity one create 1.0 5 -> zero temperature
velocity all scale 1.0 -> zero temperature
velocity nobody set 0 0 0 -> unknown group
velocity all ramp x 0 1 y 0 1 -> velocity component
velocity all zero spin -> zero style
velocity all shake 1 -> velocity style
set atom 1 charge 1.0 -> needs atoms with charges
set atom 1 x v_pos -> unknown variable
set atom 1 type v_many -> out of range
set atom 1 typ 2 -> unknown set keyword
set atom 5*2 type 2 -> not a range
set atom 1 type 9 -> out of range
set mol 1 type 1 -> molecules
set group all type/subset 2 1000 5 -> 1000 atoms
set group all type/fraction 2 1.5 5 -> fraction
displace_atoms all move 1 1 -> expected 3
displace_atoms all move 1 1 1 unit box -> keyword 'unit'
displace_atoms all move 1 1 1 units -> arguments
displace_atoms all rotate 0 0 0 0 0 0 5 -> zero length
delete_atoms overlap 30 all all -> half of the box
delete_atoms random half 3 no all NULL 5 -> unknown delete_atoms random
delete_atoms region nowhere -> unknown region
delete_atoms group few mol yes -> needs atoms with molecules
reset_atoms id sort -> expected
reset_atoms mol all -> reset_atoms mol
replicate 2 0 1 -> copies
mass 7 1.0 -> out of range
mass 1 -1.0 -> positive
"""))
def test_refusals(line, cause):
    x = np.arange(24.0).reshape(8, 3) % 5
    atoms = {"x": x, "id": np.arange(1, 9), "type": np.ones(8, int)}
    sim = engine(FCC, atoms, np.array([0.0] * 3 + [6.0] * 3 + [0.0] * 3))
    with pytest.raises(InputError) as error:
        run(sim, line)
    assert cause in error.value.cause
