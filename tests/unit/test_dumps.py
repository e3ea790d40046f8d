"""Dump styles and the options of dump_modify."""

import bz2
import gzip
import lzma
import re
import sys
import types

import numpy as np
import pytest

from everlet.dumps.base import REFUSED
from everlet.errors import InputError
from everlet.script.commands import dump as commands
from everlet.state.units import Units
from tests.tables import rows
from tests.unit.small import PerAtom, simulation, small


@pytest.fixture
def sim(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return simulation(small())


def write(sim, text, path="f"):
    """write_dump's text after the head."""
    commands.write_dump(sim, text.split())
    with open(path) as stream:
        return stream.read()


def body(text):
    return text.split("\n", 9)[-1] if text.startswith("ITEM") else text


HEAD = """ITEM: TIMESTEP
0
ITEM: NUMBER OF ATOMS
4
ITEM: BOX BOUNDS pp pp pp
0.0000000000000000e+00 4.0000000000000000e+00
0.0000000000000000e+00 5.0000000000000000e+00
0.0000000000000000e+00 6.0000000000000000e+00
"""


def test_atom(sim):
    text = write(sim, "all atom f")
    assert text.startswith(HEAD + "ITEM: ATOMS id type xs ys zs\n3 1 0.125 0.25 0.333333\n1 2 0.75 0.02 0.916667\n")
    text = write(sim, "all atom f modify scale no image yes sort id")
    assert text.splitlines()[8:10] == ["ITEM: ATOMS id type x y z ix iy iz", "1 2 3 0.1 5.5 1 0 -1"]


def test_custom_columns(sim):
    sim.system.computes["one"] = PerAtom(sim.system, np.arange(4) * 0.5)
    sim.system.computes["two"] = PerAtom(sim.system, np.arange(8).reshape(4, 2))
    sim.system.variables = type("V", (), {"peratom": lambda self, name: np.full(4, 7.0)})()
    sim.system.type_labels = {"A": 1, "B": 2}
    text = write(
        sim, "all custom f id type element typelabel mass xu yu zu xsu zsu vx fy c_one c_two[2] v_q modify sort id"
    )
    assert body(text).splitlines()[0] == "1 2 C B 2.5 7 0.1 -0.5 1.75 -0.0833333 -0.1 0 0.5 3 7"
    box = sim.system.box
    box.xy, box.xz, box.yz, box.triclinic = 0.5, 0.25, -0.5, True
    text = write(sim, "all custom f id xu yu zu modify sort id")
    assert (
        "BOX BOUNDS xy xz yz pp pp pp\n0.0000000000000000e+00 4.7500000000000000e+00 5.0000000000000000e-01\n" in text
    )
    assert body(text).splitlines()[0] == "1 6.75 0.6 -0.5"


def test_words(sim):
    sim.system.computes["one"] = PerAtom(sim.system, np.zeros(4))
    commands.dump(sim, "1 all custom 5 f id c_one".split())
    commands.dump(sim, "2 all extxyz 5 g".split())
    assert sim.system.dumps["1"].words() == ["id", "c_one"]
    assert sim.system.dumps["2"].words() == ["c_thermo_pe", "c_thermo_temp"]


def test_formats(sim):
    assert (
        body(
            write(sim, "all custom f id x element modify sort id format float %8.3f format 1 %03d element X Y")
        ).splitlines()[0]
        == "001    3.000 Y"
    )
    commands.write_dump(sim, ["all", "custom", "f", "id", "x", "modify", "sort", "-2", "format", "line", "<%d>  %.1f"])
    assert body(open("f").read()) == "<1> 3.0\n<2> 2.0\n<4> 1.0\n<3> 0.5\n"
    text = write(
        sim, "all custom f id x modify sort id thresh x > 0.9 thresh type == 2 colname 1 Eye units yes time yes"
    )
    assert text.startswith("ITEM: UNITS\nlj\nITEM: TIME\n0\nITEM: TIMESTEP\n") and text.endswith(
        "ITEM: ATOMS Eye x\n1 3\n2 2\n"
    )
    assert write(sim, "all custom f id modify sort id header no") == "1\n2\n3\n4\n"


def test_items_that_few_readers_know(sim):
    """Units once in a file, and one warning that names the readers."""
    for id, path in enumerate(("a", "b.*", "c")):
        commands.dump(sim, f"{id} all custom 1 {path} id".split())
        assert not sim.log.warned or id
        commands.dump_modify(sim, f"{id} units yes time yes".split())
    assert sim.log.warned == [
        "MDAnalysis and mdtraj cannot read dumps with ITEM: UNITS and TIME (dump_modify units, time); "
                              "OVITO and ASE can"]
    for step in range(3):
        sim.system.step = step
        for one in sim.system.dumps.values():
            one.write()
            one.close()  # and it goes on later
    assert [open(name).read().count("ITEM: UNITS") for name in ("a", "b.0", "b.2", "c")] == [1, 1, 1, 1]
    assert open("a").read().count("ITEM: TIME\n") == 3
    commands.dump_modify(sim, "0 units no time no".split())
    commands.dump(sim, "x all xyz 1 x".split())
    commands.dump_modify(sim, "x time yes".split())
    assert len(sim.log.warned) == 1


def test_groups(sim):
    sim.system.groups.assign("twos", sim.system.atoms.edit("mask"), sim.system.atoms.read("type") == 2)
    assert body(write(sim, "twos custom f id")) == "1\n2\n"


def test_xyz(sim):
    assert write(sim, "all xyz f") == "4\n Atoms. Timestep: 0\n2 3 0.1 5.5\n2 2 4.5 0.25\n1 0.5 1.25 2\n1 1 2 3\n"
    sim.system.type_labels = {"A": 1, "B": 2}
    assert write(sim, "all xyz f modify types labels time yes").splitlines()[1:3] == [
        " Atoms. Timestep: 0 Time: 0.000000",
        "B 3 0.1 5.5",
    ]
    commands.write_dump(sim, ["all", "xyz", "f", "modify", "format", "line", "%4s %.2f %g %g", "element", "Ar", "Kr"])
    assert open("f").read().splitlines()[2] == "  Kr 3.00 0.1 5.5"


def test_extxyz(sim):
    sim.system.box.lo[0] = -1.0
    text = write(sim, "all extxyz f modify element Ar Kr")
    assert text.splitlines()[:3] == [
        "4",
        'Timestep=0 Time=0.000000 pbc="T T T" Lattice="5 0 0 0 5 0 0 0 6" Origin="-1 0 0" '
        "Potential_energy=-8 energy=-8 Temperature=1.5 units=lj Properties=species:S:1:pos:R:3:vel:R:3:forces:R:3",
        "Kr 3 0.1 5.5 -0.1 0 0.5 0 0 1",
    ]
    text = write(sim, "all extxyz f modify element Ar Kr vel no forces no mass yes")
    assert "Properties=species:S:1:pos:R:3:mass:R:1" in text and text.splitlines()[2] == "Kr 3 0.1 5.5 2.5"
    with pytest.raises(InputError, match="extxyz needs names"):
        write(sim, "all extxyz f")
    with pytest.raises(InputError, match="dialect ase is for units metal and real: .* units lj"):
        write(sim, "all extxyz f modify element Ar Kr dialect ase")
    with pytest.raises(InputError, match="unknown dialect 'ace'"):
        write(sim, "all extxyz f modify element Ar Kr dialect ace")


def test_dialects(sim):
    """Words of readers, and units of ASE: eV, Angstrom, and momenta whose p^2 / 2 m is in eV."""
    system = sim.system
    for name, volt, time in (("metal", 1.0, 1.0), ("real", 23.060549, 1e-3)):
        system.units, system.step, system.ledger.step = Units.named(name), 0, 0
        system.ledger.virial[:] = np.arange(6) * volt
        words = write(sim, "all extxyz f modify element Ar Kr dialect ovito mass yes").splitlines()
        assert "Properties=species:S:1:pos:R:3:velo:R:3:forces:R:3:mass:R:1" in words[1] and f"units={name} " in words[1]
        assert words[2] == "Kr 3 0.1 5.5 -0.1 0 0.5 0 0 1 2.5"
        words = write(sim, "all extxyz f modify element Ar Kr dialect ase").splitlines()
        assert "Properties=species:S:1:pos:R:3:momenta:R:3:forces:R:3:masses:R:1" in words[1] and "units=metal " in words[1]
        head = dict(re.findall(r'(\w+)=("[^"]*"|\S+)', words[1]))
        assert float(head["energy"]) == pytest.approx(-8.0 / volt)
        stress = np.array(head["stress"].strip('"').split(), float).reshape(3, 3)
        assert stress == pytest.approx(-np.array([[0, 3, 4], [3, 1, 5], [4, 5, 2]]) / system.box.volume, abs=1e-15)
        values = np.array(words[2].split()[1:], float)
        speed = 0.0101805 / time  # Angstrom/ps in Angstrom sqrt(eV/u)
        assert values[3:6] == pytest.approx(np.array([-0.1, 0, 0.5]) * 2.5 * speed, rel=1e-5)
        assert values[6:] == pytest.approx([0, 0, 1.0 / volt, 2.5], rel=1e-5)
        words = write(sim, "all extxyz f modify element Ar Kr dialect ase mass no vel no").splitlines()
        assert "Properties=species:S:1:pos:R:3:forces:R:3" in words[1]
        assert "vel:R:3" in write(sim, "all extxyz f modify element Ar Kr dialect ase dialect lammps")


def test_compressed_by_members(sim, tmp_path, monkeypatch):
    """.bz2 and .xz by what Python has, .zst by a library if there is one: frames are members, read as one file."""
    plain = "".join(frame_of(sim, step) for step in (0, 1))
    for name, unpack in (("f.bz2", bz2.decompress), ("f.xz", lzma.decompress)):
        two_frames(sim, f"all custom 1 {name} id x")
        assert unpack((tmp_path / name).read_bytes()).decode() == plain
    for module in ("compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InputError, match="no library for .zst") as caught:
        commands.dump(sim, "2 all custom 1 f.zst id x".split())
    assert "zstandard" in caught.value.remedy
    library = types.SimpleNamespace(compress=lambda text: b"<" + text + b">", open=open)
    monkeypatch.setitem(sys.modules, "zstandard", library)
    two_frames(sim, "all custom/zstd 1 f.zst id x")
    assert (tmp_path / "f.zst").read_bytes().decode() == f"<{frame_of(sim, 0)}><{frame_of(sim, 1)}>"
    with pytest.raises(InputError, match="end in .gz, found 'f.txt'"):
        commands.dump(sim, "2 all custom/gz 1 f.txt id".split())


def frame_of(sim, step):
    sim.system.step = step
    return write(sim, "all custom f id x")


def two_frames(sim, words):
    commands.dump(sim, ["1", *words.split()])
    for sim.system.step in (0, 1):
        sim.system.dumps["1"].write()
    commands.undump(sim, ["1"])


@pytest.mark.parametrize("style, remedy", [("movie", "ffmpeg"), ("custom/mpiio", "dump custom"), ("vtk", "extxyz"),
                                           ("molfile", "dcd")])
def test_styles_that_are_not_here(sim, style, remedy):
    with pytest.raises(InputError, match="not available in Everlet yet") as caught:
        commands.dump(sim, f"2 all {style} 1 f id".split())
    assert remedy in caught.value.remedy


def test_when(sim):
    commands.dump(sim, "1 all atom 10 f".split())
    one = sim.system.dumps["1"]
    sim.system.step = 5
    assert not one.due(5) and one.due(10)
    commands.dump_modify(sim, "1 first yes".split())
    assert one.due(5)
    one.write()
    assert not one.due(5) and not one.due(6) and one.due(10)
    commands.dump_modify(sim, "1 every 3 delay 8".split())
    assert not one.due(6) and one.due(9)


def test_files(sim, tmp_path):
    commands.dump(sim, "1 all custom 1 a.*.dump id".split())
    commands.dump(sim, "2 all custom 1 b.dump.gz id".split())
    commands.dump(sim, "3 all custom 1 c.dump id".split())
    commands.dump_modify(sim, "1 pad 4".split())
    for step in range(2):
        sim.system.step = step
        for one in sim.system.dumps.values():
            one.write()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.0000.dump", "a.0001.dump", "b.dump.gz", "c.dump"]
    for id in "123":
        commands.undump(sim, [id])
    frames = (tmp_path / "c.dump").read_text()
    assert gzip.open(tmp_path / "b.dump.gz", "rt").read() == frames
    assert (tmp_path / "a.0000.dump").read_text() + (tmp_path / "a.0001.dump").read_text() == frames
    commands.dump(sim, "3 all custom 1 c.dump id".split())
    commands.dump_modify(sim, "3 append yes flush no".split())
    sim.system.dumps["3"].write()
    commands.undump(sim, ["3"])
    assert (tmp_path / "c.dump").read_text().startswith(frames) and not sim.system.dumps


@pytest.mark.parametrize(
    "text, message",
    [
    *rows("""
1 all custm 5 f id -> did you mean custom
1 all custom 5 f -> needs at least one column
"""),
    ("1 all custom 5 f idd", "unknown dump column 'idd'\n  -> did you mean id"),
    *rows("""
1 all custom 5 f c_no -> unknown compute
1 all custom 5 f c_thermo_pe -> gives no values per atom
1 nobody custom 5 f id -> unknown group
1 all custom 0 f id -> must be positive
1 all custom 5 f.%.% id -> a % too many
1 all custom 5 f.% id v_x -> formulas need all atoms
1 all atom 5 -> usage: dump
1 all custom 5 f.bin id -> binary files
1 all atom 5 f x -> takes no columns
1 all xyz 5 f x -> no further words
""")],
)
def test_bad_dumps(sim, text, message):
    with pytest.raises(InputError) as error:
        commands.dump(sim, text.split())
    assert message in str(error.value) and not sim.system.dumps


@pytest.mark.parametrize(
    "text, message",
    [
        ("every/time 0", "must be positive"),
        ("every/time v_x", "with a variable is not available"),
        ("skip 3", "takes a variable"),
        ("refresh c_no", "unknown compute"),
        ("maxfiles 3", "one file per frame"),
        ("nfile 2", "one file per rank"),
        ("fileper 2", "one file per rank"),
        ("delay -1", "cannot be negative"),
        ("region no", "unknown region"),
        ("every 0", "must be positive"),
        ("sort x", "off, id or a column"),
        ("sort 3", "no column 3"),
        ("element A", "one name per type"),
        ("format int %g", "kind int"),
        ("format line %d", "1 words for 2"),
        ("thresh x ~ 3", "unknown comparison"),
        ("thresh element == 3", "is a name"),
        ("pad -1", "cannot be negative"),
        ("append", "lacks a value"),
        ("blah 3", "unknown dump_modify option"),
        ("dialect ase", "unknown dump_modify option"),
        ("", "needs an option"),
        *((f"{name} 1", f"dump_modify {name} is not available") for name in REFUSED if name != "region"),
    ],
)
def test_bad_options(sim, text, message):
    commands.dump(sim, "1 all custom 5 f id x".split())
    with pytest.raises(InputError) as error:
        sim.system.dumps["1"].modify(text.split())
    assert message in str(error.value)


def test_unknown_ids_and_unwritable(sim):
    commands.dump(sim, "1 all atom 5 no/such/folder".split())
    for command, args in (
        (commands.dump, "1 all atom 5 f".split()),
        (commands.undump, ["2"]),
        (commands.dump_modify, ["2", "pad", "1"]),
    ):
        with pytest.raises(InputError):
            command(sim, args)
    with pytest.raises(InputError, match="cannot write 'no/such/folder'"):
        sim.system.dumps["1"].write()
    with pytest.raises(InputError, match="cannot write 'no/such/folder'"):
        write(sim, "all atom no/such/folder")
    with pytest.raises(InputError, match="cannot compress 'f.lz4'"):
        write(sim, "all atom f.lz4")


def test_a_first_frame_that_is_left_out_keeps_no_old_file(tmp_path, monkeypatch):
    """The first frame that is written begins the file, whatever was left out before it."""
    from everlet import Simulation

    monkeypatch.chdir(tmp_path)
    (tmp_path / "f").write_text("of another run\n")
    Simulation(device="serial", tune=False).commands(
        "lattice sc 1\nregion r block 0 3 0 3 0 3\ncreate_box 1 r\ncreate_atoms 1 box\nmass 1 1\npair_style zero 1.5\n"
        "pair_coeff * *\nfix 1 all nve\nvariable out equal step<2\ndump d all custom 1 f id x\n"
        "dump_modify d skip v_out units yes\nrun 3").close()
    text = (tmp_path / "f").read_text()
    assert text.startswith("ITEM: UNITS\nlj\n") and re.findall(r"TIMESTEP\n(\d+)", text) == ["2", "3"]
    assert text.count("UNITS") == 1
