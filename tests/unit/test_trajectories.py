"""dump xtc, trr, h5md and gsd: what is in their files, their options, and files that are gone on with."""

from __future__ import annotations

import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.io.xtc import packed, unpacked
from everlet.script.commands import dump as commands
from tests.unit.small import simulation, small
from tests.unit.test_files import largest

NEEDED = {"h5md": "h5py", "gsd": "gsd.hoomd"}
FILES = {"xtc": "xtc 1 f", "trr": "trr 1 f", "dcd": "dcd 1 f", "netcdf": "netcdf 1 f id x y z",
         "h5md": "h5md 1 f position image velocity force species", "gsd": "gsd 1 f velocity force"}


@pytest.fixture
def sim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    return simulation(small("metal", tilt=(0.5, -0.25, 0.75)))


def begun(sim: Any, style: str, options: str = "") -> Any:
    """A dump of all atoms."""
    if style in NEEDED:
        pytest.importorskip(NEEDED[style])
    commands.dump(sim, f"1 all {FILES[style]}".split())
    if options:
        commands.dump_modify(sim, f"1 {options}".split())
    return sim.system.dumps["1"]


def write(sim: Any, style: str, steps: list[int], options: str = "") -> None:
    """Frames at these steps."""
    one = begun(sim, style, options)
    for sim.system.step in steps:
        one.write()
    commands.undump(sim, ["1"])


def steps_of(style: str) -> list[int]:
    """Steps of the frames in a file, by rules of its format."""
    text = Path("f").read_bytes()
    if style == "h5md":
        with sys.modules["h5py"].File("f") as file:
            return file["particles/all/position/step"][:].tolist()
    if style == "gsd":
        with sys.modules["gsd.hoomd"].open("f") as file:
            return [frame.configuration.step for frame in file]
    if style == "trr":
        return [struct.unpack(">i", text[at + 68:at + 72])[0] for at in range(0, len(text), 84 + 36 + 3 * 48)]
    if style == "xtc":  # four atoms are not compressed
        return [struct.unpack(">i", text[at + 8:at + 12])[0] for at in range(0, len(text), 56 + 48)]
    frames = {"dcd": lambda: struct.unpack("<i", text[8:12])[0], "netcdf": lambda: struct.unpack(">i", text[4:8])[0]}
    return list(range(frames[style]()))


@pytest.mark.parametrize("style", FILES)
def test_append(sim: Any, style: str) -> None:
    write(sim, style, [0, 1])
    assert steps_of(style) == [0, 1]
    write(sim, style, [2], "append yes")
    assert steps_of(style) == [0, 1, 2]
    before = Path("f").read_bytes()
    if style not in NEEDED:  # half a frame, of a run that was ended from outside
        Path("f").write_bytes(before + before[:30])
    write(sim, style, [3], "append yes flush no")
    assert steps_of(style) == [0, 1, 2, 3]
    if style not in NEEDED and style != "netcdf":
        assert len(Path("f").read_bytes()) > len(before) and Path("f").read_bytes()[300:len(before)] == before[300:]
    write(sim, style, [0])
    assert steps_of(style) == [0]
    one = begun(sim, style)  # closed in between, as between parts of a script
    for sim.system.step in (0, 1, 2):
        one.write()
        one.close()
    assert steps_of(style) == [0, 1, 2]


@pytest.mark.parametrize("style", FILES)
def test_other_files_are_kept(sim: Any, style: str) -> None:
    Path("f").write_text("something else " * 100)
    with pytest.raises(InputError, match="cannot append to 'f'"):
        write(sim, style, [0], "append yes")
    assert Path("f").read_text() == "something else " * 100


@pytest.mark.parametrize("style", ["xtc", "trr", "dcd", "netcdf"])
def test_a_full_disk_leaves_whole_frames(sim: Any, style: str) -> None:
    one = begun(sim, style)
    one.write()
    size = Path("f").stat().st_size
    with largest(size + 40), pytest.raises(InputError, match="cannot write 'f': File too large"):
        sim.system.step = 1
        one.write()
    assert Path("f").stat().st_size == size
    sim.system.step = 2
    one.write()
    one.close()
    assert len(steps_of(style)) == 2


@pytest.mark.parametrize("style", FILES)
def test_options_that_do_not_belong(sim: Any, style: str) -> None:
    one = begun(sim, style)
    unwraps = style != "gsd"
    for option in ("thresh x > 1", "region r", "format line %g", "units yes", "time yes", "pad 3", "header no", "maxfiles 2",
                   *(() if unwraps else ("unwrap yes",))):
        with pytest.raises(InputError, match=f"{option.split()[0]}"):
            one.modify(option.split())
    with pytest.raises(InputError, match="sorts by id"):
        one.modify(["sort", "2"])
    for name in ("f.*", "f.%", "f.gz"):
        with pytest.raises(InputError, match="one file for all frames"):
            commands.dump(sim, ["2", "all", style, "1", name, *FILES[style].split()[3:]])


@pytest.mark.parametrize("style", ["xtc", "trr", "dcd", "netcdf", "h5md"])
def test_atoms_stay_the_same(sim: Any, style: str) -> None:
    write(sim, style, [0])
    sim.system.groups.assign("some", sim.system.atoms.edit("mask"), sim.system.atoms.read("id") < 3)
    words = FILES[style].split()
    commands.dump(sim, ["2", "some", *words])
    commands.dump_modify(sim, "2 append yes".split())
    if style == "h5md":  # another group is written beside it
        sim.system.dumps["2"].write()
        return
    with pytest.raises(InputError, match="4 before|other columns, atoms"):
        sim.system.dumps["2"].write()


def test_steps_that_are_too_large(sim: Any) -> None:
    for style in ("xtc", "trr"):
        with pytest.raises(InputError, match="too large for this format"):
            write(sim, style, [2**31])
        del sim.system.dumps["1"]


@pytest.mark.parametrize("text, message", [
    ("xtc 1 f x", "takes no columns"), ("trr 1 f positions", "did you mean position"),
    ("trr 1 f force force", "given twice")])
def test_bad_words(sim: Any, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        commands.dump(sim, f"1 all {text}".split())
    assert message in str(error.value)


@pytest.mark.parametrize("text, message", [
    ("f", "needs something"), ("f image", "image is written with position"), ("f position every 0", "give 1 or more"),
    ("f position every", "lacks a value"), ("f position box maybe", "yes or no"), ("f velocities", "did you mean velocity"),
    ("f position file_from 2", "no such dump of style h5md"), ("f position create_group no", "use file_from")])
def test_bad_words_of_h5md(sim: Any, text: str, message: str) -> None:
    pytest.importorskip("h5py")
    with pytest.raises(InputError) as error:
        commands.dump(sim, f"1 all h5md 1 {text}".split())
    assert message in str(error.value)


@pytest.mark.parametrize("option, message", [
    ("precision 3", "no power of ten"), ("precision 10000000", "no power of ten"), ("sfactor 0", "must be positive"),
    ("tfactor -1", "must be positive"), ("element A B", "unknown dump_modify option")])
def test_bad_options_of_xtc(sim: Any, option: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        begun(sim, "xtc", option)


def test_too_far_for_the_precision(sim: Any) -> None:
    sim.system.atoms.append(x=np.full((8, 3), 3000.0), id=np.arange(5, 13), type=np.ones(8, int))
    with pytest.raises(InputError, match="too large for a precision of 1000000"):
        write(sim, "xtc", [0], "precision 1000000 sfactor 10")


def test_packing() -> None:
    """What is packed is unpacked, whatever is near to what, on all scales."""
    random = np.random.default_rng(3)
    for k in range(60):
        n, size = int(random.integers(10, 200)), 10.0 ** random.uniform(0, 8.9)
        x = [lambda n, s: random.uniform(-s, s, (n, 3)), lambda n, s: np.cumsum(random.normal(0, s / 100, (n, 3)), axis=0),
             lambda n, s: np.repeat(random.uniform(-s, s, (n, 3)), 5, axis=0)[:n] + random.normal(0, s / 1000 + 1, (n, 3))
             ][k % 3](n, size)
        whole = np.clip(np.rint(x), -(2**30), 2**30).astype(np.int64)
        assert np.array_equal(unpacked(packed(whole), n), whole), (k, n, size)


@pytest.mark.parametrize("style, package", [("h5md", "h5py"), ("gsd", "gsd")])
def test_missing_libraries(sim: Any, style: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, "gsd.hoomd", raising=False)
    with pytest.raises(InputError, match=f"needs the Python package {package}") as error:
        commands.dump(sim, f"1 all {FILES[style]}".split())
    assert "everlet[traj]" in error.value.remedy


def test_trr(sim: Any) -> None:
    """Lengths in nm, forces in kJ/mol/nm; parts that are not wanted have no bytes."""
    commands.dump(sim, "1 all trr 1 f velocity force".split())
    sim.system.dumps["1"].write()
    text, order = Path("f").read_bytes(), np.argsort(sim.system.atoms.read("id"))
    sizes = struct.unpack(">13i", text[24:76])
    assert sizes == (0, 0, 36, 0, 0, 0, 0, 0, 48, 48, 4, 0, 0) and len(text) == 84 + 36 + 96
    numbers = np.frombuffer(text[84:], ">f4")
    np.testing.assert_allclose(numbers[:9].reshape(3, 3), sim.system.box.edges / 10, rtol=1e-6)
    np.testing.assert_allclose(numbers[9:21].reshape(4, 3), sim.system.atoms.read("v")[order] / 10, rtol=1e-6)
    np.testing.assert_allclose(numbers[21:].reshape(4, 3), sim.system.atoms.read("f")[order] * 964.853321, rtol=1e-6)


def test_h5md(sim: Any) -> None:
    """H5MD 1.1, with the module of units; units are text of variable length, or MDAnalysis fails."""
    h5py = pytest.importorskip("h5py")
    commands.dump(sim, ["1", "all", "h5md", "1", "f.h5md", *"position image velocity every 2 force species".split(), "author",
                        "A B"])
    commands.dump_modify(sim, "1 element Ar Kr unwrap yes".split())
    sim.system.groups.assign("twos", sim.system.atoms.edit("mask"), sim.system.atoms.read("type") == 2)
    commands.dump(sim, "2 twos h5md 1 ignored position file_from 1".split())
    commands.dump(sim, "3 twos h5md 1 ignored velocity box no file_from 1 create_group no".split())
    for sim.system.step in (0, 1, 2):
        for id in "231":  # what comes first begins the file for all
            sim.system.dumps[id].write()
    with h5py.File("f.h5md", "r") as file:  # before dumps end
        assert file["h5md"].attrs["version"].tolist() == [1, 1] and file["h5md/author"].attrs["name"] == "A B"
        assert file["h5md/modules/units"].attrs["version"].tolist() == [1, 0]
        atoms, order = file["particles/all"], np.argsort(sim.system.atoms.read("id"))
        assert atoms["box"].attrs["boundary"].tolist() == ["periodic"] * 3 and atoms["box"].attrs["dimension"] == 3
        assert np.array_equal(atoms["box/edges/value"][2], sim.system.box.edges)
        assert atoms["species/value"][0].tolist() == [36, 36, 18, 18] and atoms["mass"][:].tolist() == [2.5, 2.5, 1.0, 1.0]
        assert atoms["position/step"][:].tolist() == [0, 1, 2] and atoms["velocity/step"][:].tolist() == [0, 2]
        x, image = (sim.system.atoms.read(name)[order] for name in ("x", "image"))
        np.testing.assert_allclose(atoms["position/value"][1], x + image @ sim.system.box.edges)
        assert np.array_equal(atoms["image/value"][0], image)
        np.testing.assert_allclose(atoms["force/value"][1], sim.system.atoms.read("f")[order] * 96.4853321)
        units = {name: atoms[name]["value"].attrs["unit"] for name in ("position", "velocity", "force", "box/edges")}
        assert units == {"position": "Angstrom", "velocity": "Angstrom ps-1", "force": "kJ mol-1 Angstrom-1",
                         "box/edges": "Angstrom"}
        assert all(isinstance(unit, str) for unit in units.values()) and atoms["force/time"].attrs["unit"] == "ps"
        twos = file["particles/twos"]
        assert twos["position/value"].shape == twos["velocity/value"].shape == (3, 2, 3)
        assert twos["box/edges/value"].shape == (3, 3, 3)
    commands.dump(sim, "4 all h5md 1 ignored position file_from 1".split())
    with pytest.raises(InputError, match="has atoms of group all already"):
        sim.system.dumps["4"].write()
    for one in sim.system.dumps.values():
        one.close()
    assert not Path("ignored").exists()


def test_gsd(sim: Any) -> None:
    """HOOMD-blue: tilts are parts of edges, the middle of the box is the origin, types are names."""
    hoomd = pytest.importorskip("gsd.hoomd")
    sim.system.atoms.edit("x")[0] = [4.5, 1.25, 2.0]  # has left the box
    write(sim, "gsd", [3], "element Ar Kr")
    with hoomd.open("f") as file:
        frame = file[0]
    assert frame.configuration.step == 3 and frame.configuration.dimensions == 3
    np.testing.assert_allclose(frame.configuration.box, [4, 5, 6, 0.5 / 5, -0.25 / 6, 0.75 / 6], rtol=1e-6)
    assert frame.particles.types == ["Ar", "Kr"] and frame.particles.typeid.tolist() == [1, 1, 0, 0]
    order, box = np.argsort(sim.system.atoms.read("id")), sim.system.box
    x, image = (sim.system.atoms.read(name)[order] for name in ("x", "image"))
    edges = box.edges
    s = (frame.particles.position @ np.linalg.inv(edges)) + 0.5  # as fractions
    assert ((s > -1e-6) & (s < 1 + 1e-6)).all() and not np.array_equal(frame.particles.image, image)
    np.testing.assert_allclose((s + frame.particles.image) @ edges, x + image @ edges, atol=1e-5)
    np.testing.assert_allclose(frame.log["particles/force"], sim.system.atoms.read("f")[order])
    np.testing.assert_allclose(frame.particles.velocity, sim.system.atoms.read("v")[order], rtol=1e-6)
    assert frame.log["temperature"] == [1.5] and frame.log["potential_energy"] == [-8] and "time" in frame.log
    assert np.array_equal(sim.system.atoms.read("x")[0], [4.5, 1.25, 2.0])  # nothing was moved


def test_gsd_with_other_atoms(sim: Any) -> None:
    """Groups may change, and append does not mind."""
    hoomd = pytest.importorskip("gsd.hoomd")
    write(sim, "gsd", [0])
    sim.system.atoms.append(x=[[1.0, 1.0, 1.0]], id=[9], type=[1])
    write(sim, "gsd", [1], "append yes")
    with hoomd.open("f") as file:
        assert [frame.particles.N for frame in file] == [4, 5] and file[1].particles.types == ["1", "2"]
