"""Trajectories are read back: by ASE, MDAnalysis and OVITO where they are installed, and by small readers that keep to the
rules by which those read (what they stumble over was tried with the libraries themselves), so that they are kept everywhere."""

from __future__ import annotations

import gzip
import importlib.util
import re
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
import yaml

from everlet import Simulation
from everlet.errors import InputError
from everlet.io.trajectories import read_frames
from tests.oracle.harness import working_in

SCRIPT = """
units metal
region box prism -1 6 0 7 0 8 1.5 -2.0 0.75 units box
create_box 2 box
create_atoms 1 random 9 4321 box
create_atoms 2 random 6 1234 box
mass 1 39.948
mass 2 83.798
pair_style soft 1.5
pair_coeff * * 0.3
velocity all create 300 5678 loop all
timestep 0.004
fix 1 all nve
"""
FILES = {  # style, file, columns; all with the elements Ar and Kr
    "custom": "custom 5 some.dump id type element x y z vx vy vz fx fy fz",
    "packed": "custom 5 some.dump.gz id type element x y z ix iy iz",
    "xyz": "xyz 5 some.xyz", "lammps": "extxyz 5 lammps.xyz", "ovito": "extxyz 5 ovito.xyz", "ase": "extxyz 5 ase.xyz",
    "yaml": "yaml 5 some.yaml id type element x y z", "cfg": "cfg 5 some.*.cfg mass type xs ys zs vx vy vz",
    "dcd": "dcd 5 some.dcd", "netcdf": "netcdf 5 some.nc id type element x y z vx vy vz fx fy fz",
    "places": "netcdf 5 places.nc id type element x y z", "bare": "custom 5 bare.dump id type x y z",
    "said": "custom 5 said.dump id type element x y z", "zstd": "custom 5 some.dump.zst id type element x y z",
    "xtc": "xtc 5 some.xtc", "trr": "trr 5 some.trr", "h5md": "h5md 5 some.h5md position image velocity force species",
    "gsd": "gsd 5 some.gsd velocity force",
}
MORE = {"yaml": "units yes time yes", "said": "units yes time yes", "ovito": "dialect ovito", "ase": "dialect ase"}
BINARY = ("dcd", "netcdf", "xtc", "trr", "h5md", "gsd")
UNNAMED = ("dcd", "xtc", "trr")  # no names of elements
NEEDED = {"h5md": "h5py", "gsd": "gsd", "zstd": "zstandard"}
FORCE = 96.4853321  # eV in kJ/mol
EDGES = np.array([[7, 0, 0], [1.5, 7, 0], [-2, 0.75, 8]])
NAMES = ["Ar"] * 9 + ["Kr"] * 6


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, np.ndarray]]]:
    """A folder with files of three frames, and what they must have: x v f in the order of ids."""
    folder, frames = tmp_path_factory.mktemp("read"), []
    with working_in(folder):
        sim = Simulation(device="serial", log="none", screen="none", tune=False)
        text = SCRIPT
        for name, words in FILES.items():
            if name in NEEDED and importlib.util.find_spec(NEEDED[name]) is None:
                continue
            binary = words.split()[0] in BINARY
            digits = "" if binary else "format line '{}'".format(" ".join(["%s"] + ["%.10f"] * (
                3 if name == "xyz" else 10 if name == "ase" else 9))) if "xyz" in words.split()[0] else "format float %.10f"
            elements = "" if name in UNNAMED else "element Ar Kr"
            options = f"sort id {elements} {MORE.get(name, '')} {digits}" if not binary else elements
            text += f"dump {name} all {words}\n" + (f"dump_modify {name} {options}\n" if options else "")
        sim.commands(text + "write_data some.data\n")
        for steps in (0, 5, 5):
            sim.commands(f"run {steps}")
            order = np.argsort(sim.engine.system.atoms.read("id"))
            frames.append({name: sim.engine.system.atoms.read(name)[order].copy() for name in "xvf"})
        sim.close()
    return folder, frames


def near(found: object, wanted: np.ndarray, digits: float = 2e-10) -> None:
    np.testing.assert_allclose(np.asarray(found, float), wanted, rtol=0, atol=digits)


# ---- rules of readers

def test_dump_custom(made) -> None:
    """MDAnalysis: nine lines before the atoms, the same in all frames, in this order, and as many lines as there are atoms."""
    folder, frames = made
    lines = (folder / "some.dump").read_text().splitlines()
    assert len(lines) == len(frames) * (9 + 15)
    for number, frame in enumerate(frames):
        head, rows = lines[24 * number:][:9], np.array([line.split() for line in lines[24 * number + 9:][:15]])
        assert head[0] == "ITEM: TIMESTEP" and int(head[1]) == 5 * number and head[2] == "ITEM: NUMBER OF ATOMS"
        assert int(head[3]) == 15 and head[4].startswith("ITEM: BOX BOUNDS xy xz yz ") and len(head[5].split()) == 3
        assert head[8] == "ITEM: ATOMS id type element x y z vx vy vz fx fy fz"
        low, high, tilt = np.array([line.split() for line in head[5:8]], float).T
        xy, xz, yz = tilt  # OVITO: limits are those of the bounding box
        assert high[0] - low[0] - max(0, xy, xz, xy + xz) + min(0, xy, xz, xy + xz) == pytest.approx(7.0)
        assert rows[:, 2].tolist() == NAMES
        for name, first in (("x", 3), ("v", 6), ("f", 9)):
            near(rows[:, first:first + 3], frame[name])


def test_one_stream(made) -> None:
    """OVITO reads the first stream of a compressed file alone."""
    packed = (made[0] / "some.dump.gz").read_bytes()
    unpack = zlib.decompressobj(wbits=31)
    text = unpack.decompress(packed)
    assert unpack.eof and not unpack.unused_data and text.count(b"ITEM: TIMESTEP") == 3


def test_xyz(made) -> None:
    folder, frames = made
    lines = (folder / "some.xyz").read_text().splitlines()
    for number, frame in enumerate(frames):
        part = lines[17 * number:][:17]
        assert int(part[0]) == 15 and [line.split()[0] for line in part[2:]] == NAMES
        near([line.split()[1:] for line in part[2:]], frame["x"])


@pytest.mark.parametrize("dialect, velocity", [("lammps", "vel"), ("ovito", "velo"), ("ase", "momenta")])
def test_extxyz(made, dialect: str, velocity: str) -> None:
    """ASE: words of line 2 are key=value or key="values"; Lattice has the edges one after the other; Properties name all."""
    folder, frames = made
    lines = (folder / f"{dialect}.xyz").read_text().splitlines()
    for number, frame in enumerate(frames):
        part = lines[17 * number:][:17]
        head = {key: value.strip('"') for key, value in re.findall(r'([A-Za-z_]+)=("[^"]*"|\S+)', part[1])}
        assert re.sub(r'[A-Za-z_]+=("[^"]*"|\S+)', "", part[1]).strip() == ""
        near(np.array(head["Lattice"].split(), float).reshape(3, 3), EDGES)
        assert head["pbc"] == "T T T" and head["units"] == "metal" and np.isfinite(float(head["energy"]))
        near(np.array(head["Origin"].split(), float), np.array([-1.0, 0, 0]))
        properties = head["Properties"].split(":")
        named = dict(zip(properties[::3], properties[2::3], strict=True))
        assert list(named)[:3] == ["species", "pos", velocity] and sum(map(int, named.values())) == len(part[2].split())
        assert [line.split()[0] for line in part[2:]] == NAMES
        values = np.array([line.split()[1:] for line in part[2:]], float)
        near(values[:, :3], frame["x"])
        near(values[:, 6:9], frame["f"])
        mass = np.where(np.array(NAMES) == "Ar", 39.948, 83.798)[:, None]
        wanted = frame["v"] * mass * (1.0364269e-4) ** 0.5 if dialect == "ase" else frame["v"]
        np.testing.assert_allclose(values[:, 3:6], wanted, rtol=1e-7, atol=2e-10)


def test_yaml(made) -> None:
    folder, frames = made
    found = list(yaml.safe_load_all((folder / "some.yaml").read_text()))
    assert len(found) == 3 and found[0]["units"] == "metal"
    for number, frame in enumerate(frames):
        assert found[number]["timestep"] == 5 * number and found[number]["time"] == pytest.approx(0.02 * number)
        assert found[number]["natoms"] == 15 and found[number]["keywords"] == ["id", "type", "element", "x", "y", "z"]
        near([row[3:6] for row in found[number]["data"]], frame["x"])
        assert [row[2] for row in found[number]["data"]] == NAMES


def test_cfg(made) -> None:
    """AtomEye, OVITO, ASE: s H0 is the place, H0 in Angstrom; a line of the mass, a line of the name, a line of numbers."""
    folder, frames = made
    for number, frame in enumerate(frames):
        lines = (folder / f"some.{5 * number}.cfg").read_text().splitlines()
        assert lines[0] == "Number of particles = 15" and lines[1].startswith("A = 1 Angstrom")
        edges = np.array([re.fullmatch(r"H0\(\d,\d\) = (\S+) A", line)[1] for line in lines[2:11]], float).reshape(3, 3)
        near(edges, EDGES)
        assert lines[11] == ".NO_VELOCITY." and lines[12] == "entry_count = 6"
        body = lines[16:]
        assert len(body) == 45 and [name.strip() for name in body[1::3]] == NAMES
        values = np.array([line.split() for line in body[2::3]], float)
        near(values[:, :3] @ edges + [-1.0, 0, 0], frame["x"], 2e-9)
        near(values[:, 3:], frame["v"])


def test_dcd(made) -> None:
    """MDAnalysis, mdtraj, VMD: records of Fortran, a head that knows the number of frames, a cell with cosines, three axes."""
    folder, frames = made
    content, at, records = (folder / "some.dcd").read_bytes(), 0, []
    while at < len(content):
        size = struct.unpack("<i", content[at:at + 4])[0]
        records.append(content[at + 4:at + 4 + size])
        assert struct.unpack("<i", content[at + 4 + size:at + 8 + size])[0] == size
        at += size + 8
    head = records[0]
    assert len(head) == 84 and head[:4] == b"CORD" and struct.unpack("<3i", head[4:16]) == (3, 0, 5)
    assert struct.unpack("<f", head[40:44])[0] == pytest.approx(0.004)
    assert struct.unpack("<i", head[44:48])[0] == 1 and struct.unpack("<i", head[80:84])[0] == 24
    assert struct.unpack("<i", records[2])[0] == 15 and len(records) == 3 + 4 * len(frames)
    for number, frame in enumerate(frames):
        cell, *axes = records[3 + 4 * number:][:4]
        a, gamma, b, beta, alpha, c = struct.unpack("<6d", cell)
        size = np.linalg.norm(EDGES, axis=1)
        near([a, b, c], size)
        near([alpha, beta, gamma], [EDGES[i] @ EDGES[j] / (size[i] * size[j]) for i, j in ((1, 2), (0, 2), (0, 1))])
        near(np.stack([np.frombuffer(axis, "<f4") for axis in axes], axis=1), frame["x"], 1e-6)


def test_netcdf(made) -> None:
    """AMBER: conventions, version and program; MDAnalysis wants these dimensions and units, ASE `cell_origin` too."""
    netcdf_file = pytest.importorskip("scipy.io").netcdf_file
    folder, frames = made
    file = netcdf_file(folder / "some.nc", mmap=False)
    assert b"AMBER" in file.Conventions and file.ConventionVersion == b"1.0" and file.program
    assert file.dimensions["spatial"] == 3 and file.dimensions["atom"] == 15 and file.dimensions["cell_angular"] == 3
    units = {name: file.variables[name].units for name in ("time", "coordinates", "velocities", "cell_angles", "cell_lengths")}
    assert units == {"time": b"picosecond", "coordinates": b"angstrom", "velocities": b"angstrom/picosecond",
                     "cell_angles": b"degree", "cell_lengths": b"angstrom"}
    near(file.variables["time"][:], 0.02 * np.arange(3))
    near(file.variables["cell_origin"][0], np.array([-1.0, 0, 0]))
    for number, frame in enumerate(frames):
        for name, field in (("coordinates", "x"), ("velocities", "v"), ("forces", "f")):
            near(file.variables[name][number], frame[field], 0.0)
    names = [b"".join(letters).strip(b"\0 ").decode() for letters in file.variables["element"][0]]
    assert names == NAMES


# ---- the libraries themselves: the table in docs/scripts.md

def test_ase(made) -> None:
    io = pytest.importorskip("ase.io", reason="ASE is not installed")
    units = pytest.importorskip("ase.units")
    folder, frames = made
    for name in ("some.dump", "some.dump.gz", "said.dump", "bare.dump", "lammps.xyz", "ase.xyz"):
        found = io.read(folder / name, index=":", format="lammps-dump-text" if "dump" in name else "extxyz")
        assert len(found) == 3
        for atoms, frame in zip(found, frames, strict=True):
            assert atoms.get_chemical_symbols() == (NAMES if name != "bare.dump" else ["H"] * 9 + ["He"] * 6)
            near(atoms.get_positions() - atoms.get_positions()[0], frame["x"] - frame["x"][0], 1e-9)
            near(atoms.cell[:], EDGES, 1e-9)
            if name in ("some.dump", "lammps.xyz", "ase.xyz"):
                near(atoms.get_forces(), frame["f"], 1e-8)
            if name in ("some.dump", "ase.xyz"):  # of dumps it takes units metal, unless told others
                np.testing.assert_allclose(atoms.get_velocities() * 1000 * units.fs, frame["v"], rtol=2e-5, atol=1e-9)
    if importlib.util.find_spec("netCDF4") is not None:
        found = io.read(folder / "some.nc", index=":", format="netcdftrajectory")
        assert len(found) == 3
        near(found[2].get_positions(), frames[2]["x"], 1e-5)
    atoms = io.read(folder / "some.data", format="lammps-data", units="metal")  # the style is said behind Atoms
    assert len(atoms) == 15
    near(atoms.cell[:], EDGES, 1e-9)


def test_mdanalysis(made) -> None:
    mda = pytest.importorskip("MDAnalysis", reason="MDAnalysis is not installed")
    folder, frames = made
    for name in ("some.dump", "some.dump.gz", "bare.dump"):
        plain = mda.Universe(str(folder / name), format="LAMMPSDUMP")
        assert len(plain.trajectory) == 3 and plain.trajectory[2].data["step"] == 10
        near(plain.trajectory[2].positions - plain.atoms.positions[0], frames[2]["x"] - frames[2]["x"][0], 1e-5)
    with pytest.raises(ValueError):
        mda.Universe(str(folder / "said.dump"), format="LAMMPSDUMP")
    with pytest.raises(NotImplementedError, match="electronvolt/angstrom"):  # it reads forces in kcal/mol/Angstrom alone
        mda.Universe(str(folder / "some.xyz"), str(folder / "some.nc"))
    data = mda.Universe(str(folder / "some.data"), atom_style="id type x y z")
    assert len(data.atoms) == 15
    names = mda.Universe(str(folder / "lammps.xyz")).atoms.names.tolist()
    assert names == NAMES
    for name in ("some.dcd", "places.nc", "some.xyz", "lammps.xyz", "some.xtc", "some.trr"):
        found = mda.Universe(str(folder / "some.xyz"), str(folder / name))
        assert len(found.trajectory) == 3
        for number, (step, frame) in enumerate(zip(found.trajectory, frames, strict=True)):
            near(step.positions, frame["x"], 0.0051 if name == "some.xtc" else 1e-5)
            if name in ("some.xtc", "some.trr", "places.nc"):
                assert step.time == pytest.approx(0.02 * number)
            if "xyz" not in name:
                near(step.triclinic_dimensions, EDGES, 1e-4)
            if name == "some.trr":
                near(step.velocities, frame["v"], 1e-5)
                near(step.forces / FORCE, frame["f"], 1e-5)


def test_mdanalysis_with_libraries(made) -> None:
    mda = pytest.importorskip("MDAnalysis", reason="MDAnalysis is not installed")
    pytest.importorskip("h5py")
    pytest.importorskip("gsd")
    folder, frames = made
    found = mda.Universe(str(folder / "some.xyz"), str(folder / "some.h5md"))
    assert len(found.trajectory) == 3
    for number, (step, frame) in enumerate(zip(found.trajectory, frames, strict=True)):
        near(step.positions, frame["x"], 1e-5)
        near(step.velocities, frame["v"], 1e-5)
        near(step.forces / FORCE, frame["f"], 1e-5)
        near(step.triclinic_dimensions, EDGES, 1e-4)
        assert step.time == pytest.approx(0.02 * number) and step.data["step"] == 5 * number
    found = mda.Universe(str(folder / "some.gsd"))  # its cell is wrong where the box is tilted
    assert len(found.trajectory) == 3 and found.atoms.types.tolist() == NAMES
    inside = np.linalg.solve(EDGES.T, (found.trajectory[1].positions - frames[1]["x"]).T).T  # up to whole edges
    near(inside - inside[0] - np.rint(inside - inside[0]), np.zeros((15, 3)), 1e-5)


def test_mdtraj(made) -> None:
    mdtraj = pytest.importorskip("mdtraj", reason="mdtraj is not installed")
    folder, frames = made
    top = mdtraj.Topology()
    chain = top.add_chain()
    for name in NAMES:
        top.add_atom(name, mdtraj.element.get_by_symbol(name), top.add_residue(name, chain))
    for name, load in (("some.dump", mdtraj.load_lammpstrj), ("some.xtc", mdtraj.load_xtc), ("some.dcd", mdtraj.load_dcd),
                       ("some.trr", mdtraj.load_trr), ("some.nc", mdtraj.load_netcdf)):
        found = load(str(folder / name), top=top)
        assert len(found) == 3
        near(found.unitcell_vectors[2] * 10, EDGES, 1e-4)
        for number, frame in enumerate(frames):
            near(found.xyz[number] * 10, frame["x"], 0.0051 if name == "some.xtc" else 1e-5)
    with pytest.raises(OSError):
        mdtraj.load_lammpstrj(str(folder / "said.dump"), top=top)


def test_ovito(made) -> None:
    import_file = pytest.importorskip("ovito.io", reason="OVITO is not installed").import_file
    folder, frames = made
    names = ["some.dump", "some.dump.gz", "some.dump.zst", "bare.dump", "said.dump", "ovito.xyz",
             "some.nc", "some.xtc", "some.gsd"]
    for name in names:
        if not (folder / name).exists():
            continue  # its library is not here
        pipeline = import_file(str(folder / name))
        assert pipeline.source.num_frames == 3, name
        data = pipeline.compute(2)
        near(np.asarray(data.cell[...])[:, :3].T, EDGES, 1e-5)
        x = np.asarray(data.particles["Position"][...])
        if name == "some.gsd":  # the middle of the box is the origin, and atoms are inside
            continue
        near(x, frames[2]["x"], 0.0051 if name == "some.xtc" else 1e-5)
        if name in ("some.dump", "ovito.xyz", "some.nc"):
            near(data.particles["Velocity"][...], frames[2]["v"], 1e-5)
            near(data.particles["Force"][...], frames[2]["f"], 1e-5)
    assert len(import_file(str(folder / "some.data")).compute().particles.positions) == 15


@pytest.mark.parametrize("name", ["some.dump", "bare.dump", "some.dump.gz", "some.dump.zst", "some.xtc", "some.trr", "some.dcd",
                                  "some.nc", "some.h5md", "some.gsd"])
def test_read_frames(made, name: str) -> None:
    folder, frames = made
    if not (folder / name).exists():
        pytest.skip("its library is not installed")
    found, nm = list(read_frames(str(folder / name))), 10.0 if name.endswith(("xtc", "trr")) else 1.0
    assert len(found) == 3
    for number, (one, frame) in enumerate(zip(found, frames, strict=True)):
        assert one.step == (number if name.endswith("nc") else 5 * number)
        near(one.cell * nm, EDGES, 1e-5)
        if name == "some.gsd":  # inside of the box, from its middle on
            s = np.linalg.solve(EDGES.T, (one.positions + EDGES.sum(axis=0) / 2 - [1, 0, 0] - frame["x"]).T)
            near(s - np.rint(s), np.zeros((3, 15)), 1e-5)
            assert one.elements == NAMES
        else:
            near(one.positions * nm, frame["x"], 0.0051 if name == "some.xtc" else 1e-5)
        if "dump" not in name and name != "some.dcd":
            assert one.time == pytest.approx(0.02 * number)
        if name in ("some.dump", "some.trr", "some.nc", "some.h5md", "some.gsd"):
            near(one.velocities * nm, frame["v"], 1e-5)
            near(one.forces / {"some.trr": 10 * FORCE, "some.h5md": FORCE}.get(name, 1.0), frame["f"], 1e-5)
        if name in ("some.dump", "some.nc", "some.h5md"):
            assert one.ids.tolist() == list(range(1, 16))


@pytest.mark.parametrize("name", ["lammps.xyz", "ovito.xyz", "ase.xyz", "some.xyz"])
def test_read_frames_of_xyz(made, name: str, tmp_path: Path) -> None:
    """What the second line says, too; also by other endings."""
    folder, frames = made
    (tmp_path / "some.extxyz").write_bytes((folder / name).read_bytes())
    (tmp_path / "some.xyz.gz").write_bytes(gzip.compress((folder / name).read_bytes()))
    for path in (folder / name, tmp_path / "some.extxyz", tmp_path / "some.xyz.gz"):
        found = list(read_frames(path))
        for number, (one, frame) in enumerate(zip(found, frames, strict=True)):
            assert one.step == 5 * number and one.elements == NAMES and one.types.tolist() == [1] * 9 + [2] * 6
            near(one.positions, frame["x"], 1e-5)
            if name == "some.xyz":
                assert one.cell is one.time is one.velocities is one.forces is None
                continue
            assert one.time == pytest.approx(0.02 * number) and one.origin.tolist() == [-1, 0, 0] and all(one.periodic)
            near(one.cell, EDGES, 1e-5)
            near(one.forces, frame["f"], 1e-5)
            if name == "ase.xyz":  # momenta
                assert one.velocities is None
            else:
                near(one.velocities, frame["v"], 1e-5)


def test_frames_of_gsd_have_what_was_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("gsd.hoomd")
    with Simulation(device="serial", log="none", screen="none", tune=False).commands(SCRIPT) as sim:
        sim.dump(tmp_path / "bare.gsd", 2)
        sim.dump(tmp_path / "full.gsd", 2, ["velocities"])
        sim.run(2)
    for name in ("bare", "full"):
        for one in read_frames(tmp_path / f"{name}.gsd"):
            assert (one.velocities is None) == (name == "bare") and one.forces is None
            inside = np.linalg.solve(one.cell.T, (one.positions - one.origin).T)
            assert inside.min() > -1e-6 and inside.max() < 1.0 + 1e-6


def test_damaged_files(made, tmp_path: Path) -> None:
    folder, _ = made
    for name in ("some.xtc", "some.trr", "some.dcd", "some.nc"):
        text = (folder / name).read_bytes()
        for content in (text[:-7], b"something else " * 50):
            (tmp_path / name).write_bytes(content)
            with pytest.raises(InputError, match=f"{name}"):
                list(read_frames(str(tmp_path / name)))
    with pytest.raises(InputError, match="cannot read"):
        list(read_frames(str(tmp_path / "missing.xtc")))


def test_read_back(made) -> None:
    """By ourselves: compressed files as plain ones."""
    folder, frames = made
    for name in ("some.dump", "some.dump.gz", "said.dump", "some.dump.zst"):
        if not (folder / name).exists():
            continue
        with working_in(folder):
            sim = Simulation(device="serial", log="none", screen="none", tune=False)
            sim.commands(SCRIPT + f"read_dump {name} 10 x y z\nrun 0\n")
            order = np.argsort(sim.engine.system.atoms.read("id"))
            near(sim.engine.system.atoms.read("x")[order], frames[2]["x"])
            sim.commands(f"variable n equal 0\nrerun {name} every 5 dump x y z\n")
            assert sim.engine.system.step == 10
            sim.close()
