"""Grains that touch, against the reference: forces, torques and what contacts remember."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from everlet.portable.backends.opencl import found
from tests.devices import GPUS
from tests.oracle.harness import working_in
from tests.oracle.reference import lmp
from tests.tables import rows

GRAINS = """
units lj
atom_style sphere
comm_modify vel yes
newton {newton}
region box block 0 5 0 5 0 5
create_box 2 box
create_atoms 1 random 160 4711 box overlap 0.55 maxtry 500
set atom 1*40 type 2
variable d atom 0.7+0.01*(id%40)
set group all diameter v_d
set type 1 density 1.5
set type 2 density 2.5
variable w atom 0.5*(id%7)-1.5
set group all omega v_w 0.4 v_w
velocity all create 1.0 87287 loop all
velocity all set 3 NULL NULL sum yes
group still id 100:120
velocity still set 0 0 0
set group still omega 0 0 0
group free subtract all still
neighbor 0.1 bin
timestep 0.0005
pair_style {pair}
pair_coeff * *
{freeze}
fix 2 free nve/sphere
compute e all erotate/sphere
thermo_style custom step ke pe c_e press pxy
thermo_modify format float %.17g
thermo 10
dump 1 all custom 40 forces.{whose} id x y z fx fy fz tqx tqy tqz omegax omegay omegaz
dump_modify 1 sort id format float %.17g
"""
STYLES = {
    "gran/hooke": "gran/hooke 200000.0 NULL 50.0 NULL 0.5 1",
    "history": "gran/hooke/history 200000.0 NULL 50.0 20.0 0.5 1",
    "limited": "gran/hooke/history 200000.0 60000.0 50.0 NULL 0.3 0 limit_damping",
    "gran/hertz/history": "gran/hertz/history 200000.0 NULL 50.0 NULL 0.5 1",
}


def script(pair: str, whose: str, newton: str = "off", freeze: str = "fix 1 still freeze") -> str:
    return GRAINS.format(pair=STYLES[pair], whose=whose, newton=newton, freeze=freeze)


def ours(folder: Path, text: str) -> None:
    with working_in(folder):
        sim = Simulation(device="serial", screen="none", log="log.ours", tune=False)
        try:
            sim.commands(text)
        finally:
            sim.close()


def frames(path: Path) -> np.ndarray:
    lines = [line.split() for line in path.read_text().splitlines()]
    return np.array([[float(word) for word in line] for line in lines if len(line) == 13])


@pytest.mark.parametrize("pair, newton", [("gran/hooke", "off"), ("history", "on"), ("limited", "off"),
                                          ("gran/hertz/history", "off")])
def test_styles(tmp_path: Path, pair: str, newton: str) -> None:
    """Lists are rebuilt, contacts begin, slide and end, some over periodic faces; there are several runs."""
    runs = "run 60\nrun 20\n"
    lmp(tmp_path, script(pair, "lmp", newton) + runs)
    ours(tmp_path, script(pair, "ours", newton) + runs)
    mine, wanted = frames(tmp_path / "forces.ours"), frames(tmp_path / "forces.lmp")
    assert len(mine) == len(wanted) == 3 * 160
    for columns, size in ((slice(1, 4), 1.0), (slice(4, 7), 1e3), (slice(7, 10), 1e2), (slice(10, 13), 1.0)):
        np.testing.assert_allclose(mine[:, columns], wanted[:, columns], rtol=1e-9, atol=1e-9 * size)


FIXES = "neighbor 0.1 bin\nfix 1 still freeze\nfix 2 free nve/sphere\nfix 3 free gravity 2 spherical 10 130\ntimestep 0.0005\n"
FIELDS = ("x", "v", "omega", "torque", "f", "contact_shear")


def state(sim: Simulation) -> dict[str, np.ndarray]:
    atoms = sim.engine.system.atoms
    order = np.argsort(atoms.read("id"))
    return {name: atoms.read(name)[order] for name in FIELDS}


def begun(device: str = "serial") -> Simulation:
    sim = Simulation(device=device, screen="none", tune=False)
    sim.commands(script("history", "ours").replace("dump", "#") + "fix 3 free gravity 2.0 spherical 10 130\n")
    return sim


def test_contacts_go_on_from_restart_files(tmp_path: Path) -> None:
    """Bit by bit, from a file between two runs, and from one that was written in the middle of a run."""
    with working_in(tmp_path):
        sim = begun()
        sim.commands("restart 25 mid.*\nrun 30\nwrite_restart between\nrestart 0\nrun 30\n")
        wanted = state(sim)
        assert (wanted["contact_shear"] != 0.0).any()
        sim.commands(f"clear\nread_restart between\n{FIXES}run 30\n")
        for name, values in state(sim).items():
            assert np.array_equal(values, wanted[name]), name
        one = begun()
        one.commands("run 30\n")
        sim.commands(f"clear\nread_restart mid.25\n{FIXES}run 30 upto\n")
        for name, values in state(sim).items():
            assert np.array_equal(values, state(one)[name]), name


def test_a_question_between_runs_changes_nothing() -> None:
    one, other = begun(), begun()
    for sim in (one, other):
        sim.commands("run 20")
    other.commands("variable a equal pe+fcm(all,x)\nprint $a\nset atom 1 x 0.1\nprint $a\n")
    one.commands("set atom 1 x 0.1\n")
    for sim in (one, other):
        sim.commands("run 20")
    for name, values in state(one).items():
        assert np.array_equal(values, state(other)[name]), name


@pytest.mark.parametrize("device", ["threads", "reference", "opencl", *GPUS])
def test_devices(device: str) -> None:
    if device == "opencl" and found.why_not():
        pytest.skip(found.why_not())
    steps = 4 if device == "reference" else 40
    one, other = begun(), begun("cpu" if device == "threads" else device)
    for sim in (one, other):
        sim.commands(f"run {steps}")
    wanted = state(one)
    for name, values in state(other).items():
        if name != "contact_shear":
            np.testing.assert_allclose(values, wanted[name], rtol=1e-9, atol=1e-9 * np.abs(wanted[name]).max(), err_msg=name)


def test_grains_with_many_contacts_get_more_room() -> None:
    """A large grain among small ones: rows and what contacts remember grow."""
    sim = Simulation(device="serial", screen="none", tune=False)
    sim.commands("units lj\natom_style sphere\nboundary f f f\nregion b block 0 6 0 6 0 6\ncreate_box 1 b\nlattice sc 1.0\n"
                 "create_atoms 1 box\nregion s sphere 3 3 3 1.6\ngroup s region s\ndelete_atoms group s\n"
                 "create_atoms 1 single 3 3 3\nset group all diameter 0.98\nset region s diameter 3.4\n"
                 "set group all density 1\n"
                 "pair_style gran/hooke/history 1000 NULL 50 NULL 0.5 1\npair_coeff * *\nneighbor 0.3 bin\n"
                 "fix 1 all nve/sphere\n"
                 "set region s omega 1 2 3\ntimestep 0.001\nrun 10\n")
    atoms = sim.engine.system.atoms
    big = int(np.argmax(atoms.read("radius")))
    touching = (atoms.read("contact_shear")[big].reshape(-1, 3) != 0.0).any(axis=1).sum()
    assert touching > 8 and np.abs((atoms.read("rmass")[:, None] * atoms.read("v")).sum(axis=0)).max() < 1e-12


@pytest.mark.parametrize("lines, cause", rows(r"""
pair_style gran/hooke 1 NULL 1 NULL 0.5 2 -> DAMPFLAG 2
pair_style gran/hooke 1 NULL 1 NULL 0.5 1 soft -> unknown word 'soft'
pair_style gran/hooke -1 NULL 1 NULL 0.5 1 -> 0 or more
fix 9 all gravity 1 vector 0 0 0\nrun 0 -> no direction
fix 9 all gravity 1 down 3 -> way of fix gravity
fix 9 all wall/gran hooke 1 1 1 1 1 1 zplane 0 NULL -> periodic along z
fix 9 all wall/gran granular hooke 1 1 zplane 0 NULL -> needs a tangential model
fix 9 all wall/gran hooke 1 1 1 1 1 1 zplane 0 -> arguments|usage|words
fix 9 all rigid single\nrun 0 -> rigid
"""))
def test_refused(lines: str, cause: str) -> None:
    with pytest.raises(InputError, match=cause):
        begun().commands(lines)


WALLED = """
units lj
atom_style sphere
comm_modify vel yes
boundary f f f
region box block -3 3 -3 3 -3 3
create_box 1 box
lattice sc 1.0
region bed block -1.6 2.1 -1.6 2.1 -2.6 2.1
create_atoms 1 region bed
variable d atom 0.94+0.01*(id%12)
set group all diameter v_d
set group all density 1.5
variable w atom 0.5*(id%7)-1.5
set group all omega v_w 0.4 v_w
velocity all create 1.0 87287 loop all
velocity all set 1.5 NULL -3 sum yes
neighbor 0.1 bin
timestep 0.001
pair_style gran/hooke 2000.0 NULL 50.0 NULL 0.5 1
pair_coeff * *
fix 1 all nve/sphere
{fixes}
thermo_style custom step ke pe press
thermo_modify format float %.17g
thermo 10
dump 1 all custom 30 forces.{whose} id x y z fx fy fz tqx tqy tqz omegax omegay omegaz
dump_modify 1 sort id format float %.17g
run 60
run 30
"""
HOOKE = "hooke 3000 NULL 40.0 NULL 0.4 1 "
HISTORY = ("hooke/history 3000 900.0 40.0 20.0 0.4 1 ",
           "granular hooke 3000 40.0 tangential linear_history 900.0 0.5 0.4 damping mass_velocity ")
WALLS = {
    "planes": (HOOKE, HOOKE, "{w}zplane -2.9 NULL|{w}xplane -2.8 2.7 shear y 0.4|{w}yplane NULL 2.2 wiggle y 0.1 0.05"),
    "cylinder": (HOOKE, HOOKE, "{w}zplane -2.9 2.5 shear x -0.3|{w}zcylinder 2.6 shear z 0.5"),
    "history": (*HISTORY, "{w}zplane -2.9 NULL|{w}xplane -2.8 2.7 shear y 0.4|{w}yplane NULL 2.2 wiggle y 0.1 0.05"),
    "hertz": ("hertz/history 3000 900.0 40.0 20.0 0.4 1 ",
              "granular hertz 3000 40.0 tangential mindlin 900.0 0.5 0.4 damping viscoelastic ",
              "{w}zplane -2.9 NULL|{w}xplane -2.8 2.7"),
}


@pytest.mark.parametrize("walls", WALLS)
def test_walls(tmp_path: Path, walls: str) -> None:
    """Classic walls that remember are compared with the reference's granular ones, since its own take a wrong stiffness."""
    mine, theirs, where = WALLS[walls]

    def text(style: str, whose: str) -> str:
        lines = [f"fix w{k} all wall/gran {one.format(w=style)}" for k, one in enumerate(where.split("|"))]
        return WALLED.format(fixes="\n".join(lines), whose=whose)

    lmp(tmp_path, text(theirs, "lmp"))
    ours(tmp_path, text(mine, "ours"))
    got, wanted = frames(tmp_path / "forces.ours"), frames(tmp_path / "forces.lmp")
    assert len(got) == len(wanted) > 100
    for columns, size in ((slice(1, 4), 1.0), (slice(4, 7), 1e3), (slice(7, 10), 1e2), (slice(10, 13), 1.0)):
        np.testing.assert_allclose(got[:, columns], wanted[:, columns], rtol=1e-8, atol=1e-8 * size)


@pytest.mark.parametrize("device", ["reference", "opencl", *GPUS])
def test_walls_on_devices(device: str) -> None:
    if device == "opencl" and found.why_not():
        pytest.skip(found.why_not())
    text = WALLED.format(fixes=f"fix w all wall/gran {HISTORY[0]}zplane -2.9 NULL wiggle z 0.1 0.05", whose="ours")
    text = text.replace("dump", "#").replace("run", "#")
    kept = []
    for one in ("serial", device):
        sim = Simulation(device=one, screen="none", tune=False)
        sim.commands(f"{text}run {3 if device == 'reference' else 30}")
        atoms = sim.engine.system.atoms
        order = np.argsort(atoms.read("id"))
        kept.append([atoms.read(name)[order] for name in ("x", "omega", "torque", "f")])
    for mine, wanted in zip(*kept, strict=True):
        np.testing.assert_allclose(mine, wanted, rtol=1e-9, atol=1e-9 * np.abs(wanted).max())


def test_walls_remember_in_restart_files(tmp_path: Path) -> None:
    with working_in(tmp_path):
        wall = f"fix w all wall/gran {HISTORY[0]}zplane -2.9 NULL wiggle z 0.1 0.05\n"
        sim = Simulation(device="serial", screen="none", tune=False)
        sim.commands(WALLED.format(fixes=wall, whose="ours").replace("dump", "#").replace("run", "#")
                     + "run 20\nwrite_restart between\nrun 20\n")
        atoms = sim.engine.system.atoms
        wanted = [atoms.read(name)[np.argsort(atoms.read("id"))] for name in ("x", "v", "omega", "f", "torque")]
        sim.commands(f"clear\nread_restart between\nneighbor 0.1 bin\nfix 1 all nve/sphere\n{wall}run 20\n")
        atoms = sim.engine.system.atoms
        for name, values in zip(("x", "v", "omega", "f", "torque"), wanted, strict=True):
            assert np.array_equal(atoms.read(name)[np.argsort(atoms.read("id"))], values), name
