"""Data files go both ways between Everlet and the reference; thermo text and run summary look alike."""

from __future__ import annotations

import shlex

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.forces.pair.base import pair_style
from everlet.io.data import read_data
from everlet.io.thermo import Thermo
from everlet.portable.spaces import Serial
from everlet.script.commands import files
from everlet.script.commands import thermo as thermo_commands
from everlet.state.system import System
from everlet.state.units import Units
from tests.oracle.reference import lmp, table
from tests.oracle.side_by_side import differences
from tests.unit.small import simulation, small

FULL = "write_dump all custom {f} id type x y z ix iy iz vx vy vz modify format float %.17g sort id"
SCRIPT = """units metal
boundary {boundary}
region box {region} units box
create_box 2 box
create_atoms 1 random 30 4321 box
create_atoms 2 random 10 1234 box
labelmap atom 1 Ar 2 Kr
mass 1 39.948
mass 2 83.798
velocity all create 300 5678
pair_style lj/cut 2.5
pair_coeff 1 1 0.0104 0.34
pair_coeff 2 2 0.0141 0.36 3.0
"""
BOXES = [
    ("p p p", "block 0 7 -3 5 -1.5 6.25"),
    ("p p p", "prism -1 6 0 7 0 7 1.5 -2.0 0.75"),
    ("p f s", "block 0 7 0 8 0 9"),
]
EXACT = ("id", "type", "ix", "iy", "iz", "vx", "vy", "vz")


def fresh(boundary, pair=True):
    sim = simulation(System(Serial()))
    sim.system.units, sim.system.boundary = Units.named("metal"), boundary
    if pair:
        sim.system.pair = pair_style["lj/cut"](sim.system, ["2.5"])
    return sim


def columns(system):
    order = np.argsort(system.atoms.read("id"))
    found = {"id": system.atoms.read("id"), "type": system.atoms.read("type")}
    for field, names in (("x", "x y z"), ("image", "ix iy iz"), ("v", "vx vy vz")):
        found |= dict(zip(names.split(), system.atoms.read(field).T, strict=True))
    return {name: values[order] for name, values in found.items()}


def same(ours, theirs, tilted):
    for name in EXACT:
        assert np.array_equal(ours[name], theirs[name]), name
    for name in "xyz":  # in a tilted box both codes go to fractions and back when they read
        assert np.array_equal(ours[name], theirs[name]) or (
            tilted and np.allclose(ours[name], theirs[name], 0, 1e-14)
        ), name


@pytest.mark.parametrize("boundary, region", BOXES)
def test_both_ways(tmp_path, monkeypatch, boundary, region):
    monkeypatch.chdir(tmp_path)
    tilted = region.startswith("prism")
    lmp(
        tmp_path,
        SCRIPT.format(boundary=boundary, region=region) + f"write_data ref.data\n{FULL.format(f='ref')}\n",
        "in.make",
    )
    sim = fresh(boundary)
    files.read_data(sim, ["ref.data"])
    assert sim.system.type_labels == {"Ar": 1, "Kr": 2} and list(sim.system.masses) == [0, 39.948, 83.798]
    assert sim.system.pair.explicit[2, 2]["sigma"] == 0.36 and sim.log.warned == []
    same(columns(sim.system), table(tmp_path / "ref"), tilted)

    files.write_data(sim, ["our.data"])
    files.write_data(sim, ["our.ij.data", "pair", "ij", "nofix"])
    head = f"units metal\nboundary {boundary}\npair_style lj/cut 2.5\n"
    for name in ("our.data", "our.ij.data"):
        lmp(tmp_path, f"{head}read_data {name}\n{FULL.format(f='again')}\nrun 0\nprint $(xlo:%.17g)", "in.again")
        same(columns(sim.system), table(tmp_path / "again"), tilted)
    again = fresh(boundary)
    read_data(again.system, "our.ij.data")
    assert again.system.pair.explicit[2, 2]["cut"] == 2.5 and (1, 2) in again.system.pair.explicit


THERMO = """units {units}
boundary {boundary}
region box block 0 6 0 6 0 6 units box
create_box 1 box
create_atoms 1 random 60 4321 box
mass 1 40
velocity all create 30 5678
pair_style soft 1.5
pair_coeff * * 3.0
fix 1 all nve
thermo 5
thermo_style {style}
thermo_modify {modify}
run 10
run 0
thermo_modify format none format float %.17g line one
run 0
"""
WORDS = (
    "custom step elapsed elaplong dt time part timeremain atoms temp press pe ke etotal enthalpy evdwl "
    "ecoul epair ebond eangle edihed eimp emol elong etail vol density lx ly lz xlo xhi ylo yhi zlo zhi "
    "xy xz yz pxx pyy pzz pxy pxz pyz fmax fnorm nbuild ndanger c_thermo_temp c_thermo_temp[1] "
    "c_thermo_press[3]"
)


@pytest.mark.parametrize(
    "units, boundary, style, modify",
    [
        ("lj", "p p p", "one", "flush yes"),
        ("real", "p p s", "one", "norm yes"),
        ("lj", "p p s", "multi", "norm no"),
        ("lj", "p p p", WORDS, "norm yes"),
        ("metal", "p p p", "yaml", "flush no"),
        (
            "lj",
            "p p p",
            "custom step temp pe atoms",
            "format float %18.10f format int %7d format 2 <%g> colname temp T colname -1 N",
        ),
        ("lj", "p p p", "custom step temp pe", "format 2 %.3f format float %.9g format line '%6d %8.2f %8.3f'"),
    ],
)
def test_thermo_text(tmp_path, units, boundary, style, modify):
    """Values that the reference prints at full precision, in our layout, give the text that it prints itself."""
    log = lmp(tmp_path, THERMO.format(units=units, boundary=boundary, style=style, modify=modify))
    blocks = [part.split("Loop time")[0].split("Mbytes\n")[1] for part in log.split("Per MPI rank memory")[1:]]
    thermo = Thermo(small(units, boundary))
    sim = simulation(thermo.system)
    sim.thermo = thermo
    words = style.split()
    thermo_commands.thermo_style(sim, words)
    thermo_commands.thermo_modify(sim, shlex.split(modify))
    values = [float(word) for word in blocks[2].splitlines()[1].split()]
    names = list(thermo.row())
    assert len(values) == len(names)
    row = dict(zip(names, values, strict=True))
    for name in ("step", "elapsed", "elaplong", "atoms", "part", "nbuild", "ndanger"):
        if name in row:
            row[name] = int(row[name])
    thermo.system.step = 10
    assert blocks[1] == thermo.header() + thermo.line(row) + thermo.footer()


IMAGES = """
4 atoms
1 atom types
0 4 xlo xhi
0 4 ylo yhi
0 4 zlo zhi

Atoms # atomic

1 1 1 1 1 1 2 3
2 1 2 2 2 0 -1 1
3 1 3 3 3 0 0 0
4 1 0.5 3.5 2 -1 0 -2
"""
CROSSINGS = """boundary {boundary}
read_data {data}
mass * 1
{change}
pair_style zero 1.0
pair_coeff * *
compute g all gyration
compute c all com
thermo_style custom step c_g c_c[1] c_c[2] c_c[3]
run 0
write_dump all custom images id ix iy iz xu yu zu modify sort id
replicate 1 2 1
write_dump all custom more id ix iy iz xu yu zu modify sort id
"""


@pytest.mark.parametrize("boundary, change, said", [
    ("p f s", "", 1), ("p f p", "read_data {data} add append shift 0 0 0.3", 2), ("p p p", "change_box all boundary p f p", 1),
    ("p p p", "", 0)])
def test_images_along_faces_that_are_not_periodic(tmp_path, boundary, change, said):
    """They are set to 0, with a warning."""
    data = tmp_path / "crossed.data"
    data.write_text(IMAGES)
    script = CROSSINGS.format(boundary=boundary, data=data, change=change.format(data=data))
    assert differences(script, tmp_path / "run") == []
    assert (tmp_path / "run/ours/run.log").read_text().count("are set to 0: the box is not periodic there") == said


def test_images_set_by_a_program(tmp_path):
    """The same is refused, as `set … image` does."""
    data = tmp_path / "crossed.data"
    data.write_text(IMAGES)
    sim = Simulation(device="serial").commands(f"boundary p f p\nread_data {data}")
    flags = sim.gather("image")
    sim.set_array("image", flags + [1, 0, 0])
    with pytest.raises(InputError, match="atom 1 has an image flag other than 0 where the box is not periodic"):
        sim.set_array("image", flags + [0, 1, 0])
