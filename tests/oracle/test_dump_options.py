"""Options of dump_modify, and the styles cfg, yaml and dcd: files of both programs are the same bytes."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.harness import working_in
from tests.oracle.reference import lmp

SCRIPT = """
units metal
boundary p p f
region box prism -1 6 0 7 0 7 1.5 -2.0 0.75 units box
create_box 2 box
create_atoms 1 single 1 1 1 units box
create_atoms 1 single 3 3 3 units box
create_atoms 2 single 5.5 5 5 units box
mass 1 39.948
mass 2 83.798
pair_style soft 1.5
pair_coeff * * 3.0
velocity all create 300 5678 loop all
compute ke all ke/atom
compute pp all property/atom x y
timestep 0.004
fix 1 all nve
thermo 10
region half block INF 4 INF INF INF INF
variable s equal step==5
variable n equal stride(0,15,3)
variable crossed atom x>0.95
"""
DUMPS = {  # style, interval, file, columns, options
    "cfg 5 cfg.*.cfg mass type xs ys zs vx c_ke id": "element Ar Kr",
    "cfg 5 cfgu.*.cfg mass type xsu ysu zsu id c_pp[1]": "sort id",
    "yaml 5 thermo.yaml id type x y z element": "thermo yes",
    "yaml 5 units.yaml id vx vy": "units yes time yes format float %.9f",
    "custom 5 parts.%.txt id x": "nfile 1",
    "custom 5 skip.txt id x": "skip v_s buffer no",
    "custom 5 last.txt id x vx": "thresh x > LAST",
    "custom 5 crossed.txt id x": "thresh v_crossed |^ LAST",
    "custom 1 max.*.txt id x": "maxfiles 2 every 5 pad 4",
    "custom 5 region.txt id x": "region half",
    "custom 5 pbc.txt id x y z ix": "pbc yes",
    "custom 5 time.txt id": "every/time 0.017",
    "custom 5 every.txt id": "every v_n",
    "custom 5 first.txt id": "every v_n first yes",
    "custom 5 delay.txt id": "delay 7 balance no",
    "dcd 5 some.dcd": "unwrap yes",
}
LONG = re.compile(rb"\d+\.\d{6,}")  # numbers with all their digits
DATE = slice(184, 264)  # the line of a dcd file that says when it was made


def test_same_files(tmp_path: Path) -> None:
    script = SCRIPT
    for number, (words, options) in enumerate(DUMPS.items()):
        script += f"dump {number} all {words}\ndump_modify {number} {options}\n"
    script += "run 10\nrun 5\n"
    ours = tmp_path / "ours"
    ours.mkdir()
    lmp(tmp_path, script)
    with working_in(ours):
        sim = Simulation(device="serial", log="none", screen="none")
        sim.commands(script)
        sim.close()
    names = {path.name for path in tmp_path.iterdir() if path.is_file() and not path.name.startswith("in.")}
    assert len(names) > len(DUMPS) and names == {path.name for path in ours.iterdir()}
    for name in names:
        mine, theirs = ((folder / name).read_bytes() for folder in (ours, tmp_path))
        if name.endswith(".dcd"):
            mine, theirs = (text[: DATE.start] + text[DATE.stop :] for text in (mine, theirs))
        if name.startswith("thermo"):  # temperatures have all digits, and processors round the last one differently
            mine, theirs = (LONG.sub(lambda number: b"%.12g" % float(number[0]), text) for text in (mine, theirs))
        assert mine == theirs, f"{name}: {mine!r} and {theirs!r}"


def test_netcdf(tmp_path: Path) -> None:
    """What a library reads, also after more was appended."""
    netcdf_file = pytest.importorskip("scipy.io").netcdf_file
    dump = "dump 1 all netcdf 5 some.nc id type element x y z vx vy vz ix iy iz c_ke\ndump_modify 1 element Ar Kr {more}\n"
    with working_in(tmp_path):
        sim = Simulation(device="serial", log="none", screen="none")
        sim.commands(SCRIPT + dump.format(more="") + "run 10\nundump 1\n")
        sim.commands(dump.format(more="append yes") + "run 5\nundump 1\n")
        with pytest.raises(Exception, match="other columns"):
            sim.commands("dump 1 all netcdf 5 some.nc id\ndump_modify 1 append yes\nrun 0")
        file = netcdf_file("some.nc", mmap=False)
    found = {name: one.data for name, one in file.variables.items()}
    assert file.lammps_units == b"metal" and file.variables["velocities"].units == b"angstrom/picosecond"
    np.testing.assert_allclose(found["time"], np.array([0, 5, 10, 10, 15]) * 0.004)
    order = np.argsort(sim.engine.system.atoms.read("id"))
    for name, field in (("coordinates", "x"), ("velocities", "v"), ("image_flags", "image"), ("id", "id"),
                        ("atom_types", "type")):
        assert np.array_equal(found[name][-1], sim.engine.system.atoms.read(field)[order]), name
    assert b"".join(found["element"][0, 2]).strip(b"\0") == b"Kr"
    edges = np.array([[7, 0, 0], [1.5, 7, 0], [-2, 0.75, 7]])
    np.testing.assert_allclose(found["cell_lengths"][0], np.linalg.norm(edges, axis=1))
    np.testing.assert_allclose(np.cos(np.radians(found["cell_angles"][0, 2])), 1.5 / np.hypot(1.5, 7))
