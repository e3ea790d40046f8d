"""Dump files equal those of the reference to the byte, for the same atoms."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from everlet.io.data import read_data
from everlet.portable.spaces import Serial
from everlet.script.commands import dump as commands
from everlet.state.system import System
from everlet.state.units import Units
from tests.oracle.reference import lmp, table
from tests.unit.small import PerAtom, simulation

MAKE = """units {units}
boundary {boundary}
region box {region} units box
create_box 2 box
create_atoms 1 random 40 4321 box
create_atoms 2 random 20 1234 box
mass 1 39.948
mass 2 83.798
velocity all create 300 5678
group twos type 2
pair_style soft 1.5
pair_coeff * * 3.0
timestep 0.004
fix 1 all nve
run 7
write_data made.data
"""
READ = """units {units}
boundary {boundary}
read_data made.data nocoeff
group twos type 2
labelmap atom 1 Ar 2 Kr
pair_style soft 1.5
pair_coeff * * 3.0
timestep 0.004
compute ke all ke/atom
reset_timestep 7
run 0
write_dump all custom full id x y z fx fy fz c_ke modify format float %.17g
"""
BOXES = {
    "orthogonal": ("metal", "p p p", "block 0 7 -3 5 -1.5 6.25"),
    "tilted": ("real", "p p p", "prism -1 6 0 7 0 7 1.5 -2.0 0.75"),
    "fixed": ("lj", "p f f", "block 0 7 0 8 0 9"),
}
DUMPS = [
    "all atom {f}",
    "twos atom {f} modify sort id",
    "all atom {f} modify scale no image yes units yes",
    "all custom {f} id type element typelabel mass x y z xs ys zs xu yu zu xsu ysu zsu ix iy iz vx vy vz fx fy fz c_ke",
    "all custom {f} id x y vx modify sort -2 format float %20.15g format int %6d format 4 %.3e",
    "all custom {f} id element x modify element X Y thresh x > 1.5 thresh type == 1 sort id colname 2 name",
    "twos custom {f} id vx vy modify header no sort id",
    "all xyz {f}",
    "all xyz {f} modify types labels",
    "twos xyz {f} modify element A B time no",
]


@pytest.fixture(scope="module", params=BOXES)
def made(request, tmp_path_factory):
    """Files of the reference in a folder, and the same atoms in a System."""
    units, boundary, region = BOXES[request.param]
    folder: Path = tmp_path_factory.mktemp(request.param)
    names = {"units": units, "boundary": boundary, "region": region}
    lmp(folder, MAKE.format(**names), "in.make")
    writes = [f"write_dump {text.format(f=f'ref.{k}')}" for k, text in enumerate(DUMPS)]
    lmp(folder, READ.format(**names) + "\n".join(writes) + "\nwrite_dump all custom ref.gz id x\n", "in.read")
    system = System(Serial())
    system.units, system.boundary = Units.named(units), boundary
    read_data(system, str(folder / "made.data"), coeffs=False)
    full = table(folder / "full")
    place = {int(id): row for row, id in enumerate(full["id"])}
    system.atoms.select([list(system.atoms.read("id")).index(int(id)) for id in full["id"]])
    rows = [place[id] for id in system.atoms.read("id")]
    for axis, letter in enumerate("xyz"):  # the reference moved atoms of a tilted box to fractions and back once more
        system.atoms.edit("x")[:, axis] = full[letter][rows]
        system.atoms.edit("f")[:, axis] = full[f"f{letter}"][rows]
    system.computes["ke"] = PerAtom(system, full["c_ke"][rows])
    system.groups.assign("twos", system.atoms.edit("mask"), system.atoms.read("type") == 2)
    system.type_labels = {"Ar": 1, "Kr": 2}
    system.step, system.dt = 7, 0.004
    return folder, simulation(system)


@pytest.mark.parametrize("number", range(len(DUMPS)))
def test_same_text(made, number, monkeypatch):
    folder, sim = made
    monkeypatch.chdir(folder)
    commands.write_dump(sim, DUMPS[number].format(f=f"our.{number}").split())
    assert (folder / f"our.{number}").read_text() == (folder / f"ref.{number}").read_text()


def test_compressed(made, monkeypatch):
    folder, sim = made
    monkeypatch.chdir(folder)
    commands.write_dump(sim, "all custom our.gz id x".split())
    assert gzip.open(folder / "our.gz").read() == gzip.open(folder / "ref.gz").read()
