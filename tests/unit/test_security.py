"""A script is data: it runs no code unless the user has allowed it. docs/security.md says what it may do."""

from __future__ import annotations

import bz2
import gzip
import importlib
import json
import lzma
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import InputError, Simulation, cli, inputs, settings
from everlet.forces import potential_file
from everlet.io import files, restart
from everlet.portable import cache, code_places
from everlet.script import parser
from everlet.usercode import run_file

PACKAGE = Path(settings.__file__).parent
OPTIONS: dict[str, Any] = {"device": "serial", "log": "none", "screen": "none", "tune": False}


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(settings, "SCRIPTED", {})


def everlet(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), **options.pop("env", {})}
    return subprocess.run([sys.executable, "-m", "everlet", *words], capture_output=True, text=True, env=environment,
                          timeout=120, **options)


# ---- the environment
@pytest.mark.parametrize("name", ["EVERLET_CACHE", "PYTHONPATH", "PYTHONSTARTUP", "LD_PRELOAD", "LD_LIBRARY_PATH", "NUMBA_X",
                                  "DYLD_INSERT_LIBRARIES", "CUDA_PATH", "CUPY_CACHE_DIR", "NVRTC_X", "OMP_TOOL_LIBRARIES",
                                  "KMP_X", "PATH", "HOME", "XDG_CACHE_HOME", "TMPDIR", "MPICH_X", "OMPI_MCA_x", "UCX_X",
                                  "GCONV_PATH", "BASH_ENV", "BASH_FUNC_ls%%", "Path"])
def test_names_that_programs_obey_are_refused(name: str) -> None:
    sim = Simulation(**OPTIONS)
    with pytest.raises(InputError, match=f"putenv {name} is refused|no name of an environment variable"):
        sim.commands(f"shell putenv HARMLESS=1 {name}=/somewhere")
    assert os.environ.get(name) != "/somewhere" and settings.given(name) != "/somewhere"


def test_other_names_are_for_scripts_alone(tmp_path: Path) -> None:
    """For variables, for folders of data, and for programs that the user has allowed."""
    (tmp_path / "Al.eam").write_text("")
    sim = Simulation(**OPTIONS)
    sim.commands(f"shell putenv MY_NAME=one LAMMPS_POTENTIALS={tmp_path}\nvariable x getenv MY_NAME")
    sim.commands("shell mkdir below\nshell cd below")
    assert sim.engine.variables.text("x") == "one" and potential_file.find("Al.eam") == tmp_path / "Al.eam"
    assert "MY_NAME" not in os.environ and "MY_NAME" not in settings.environment()
    sim.engine.options["shell"] = True
    sim.commands("shell putenv PYTHONHASHSEED=7\nshell env > seen")
    assert {"MY_NAME=one", "PYTHONHASHSEED=7"} <= set(Path("seen").read_text().splitlines())
    assert os.environ.get("PYTHONHASHSEED") != "7"


def test_settings_are_read_in_one_place() -> None:
    found = [str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py")
             if re.search(r"os\.(environ|getenv|putenv)", path.read_text())]
    assert found == ["settings.py"]


# ---- modules of the present folder
def test_workers_import_nothing_from_the_present_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("numba", "numpy", "everlet", "sitecustomize"):
        Path(f"{name}.py").write_text("open('caught', 'w')\n")
    started: list[Any] = []
    real = subprocess.Popen

    def start(words: list[str], **options: Any) -> subprocess.Popen[bytes]:
        started.append(real([*words[:3], words[3].replace("worker(", "import numba; worker("), *words[4:]], **options))
        started[-1].wait()
        return started[-1]

    monkeypatch.setattr(cache.subprocess, "Popen", start)
    monkeypatch.setitem(settings.STARTED, "PYTHONPATH", os.pathsep.join(["", ".", *sys.path]))
    monkeypatch.setitem(settings.STARTED, "EVERLET_CACHE", str(tmp_path / "kernels"))
    paths = [tmp_path / f"k_{k}.py" for k in range(9)]
    for path in paths:
        path.write_text("# target: plain\n")
    cache.build_all.func(paths, workers=2)  # type: ignore[attr-defined]
    assert not Path("caught").exists() and started[0].returncode == 0


@pytest.mark.parametrize("path", ["{root}", "{root}:", ":{root}", "{root}:."])
def test_the_program_imports_nothing_from_there(path: str) -> None:
    Path("show.py").write_text("import sys, os\nprint('HERE', os.getcwd() in sys.path or '' in sys.path)\n")
    done = everlet("run", "in.x", "--plugin", "show.py", env={"PYTHONPATH": path.format(root=PACKAGE.parent)})
    assert "there is no script" in done.stderr
    Path("in.x").write_text("units lj\n")
    done = everlet("run", "in.x", "--plugin", "show.py", env={"PYTHONPATH": path.format(root=PACKAGE.parent)})
    assert "HERE False" in done.stdout, done.stdout + done.stderr


# ---- what never ends, and what is too large
BOX = "units lj\nregion box block 0 9 0 9 0 9\ncreate_box 1 box\nmass 1 1.0\n"
MOLECULE = "# big\n\n2 atoms\n\nCoords\n\n1 {x} 0 0\n2 0 0 1\n\nTypes\n\n1 1\n2 1\n"
DATA = "# far\n\n1 atoms\n1 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nAtoms # atomic\n\n1 1 {x} 0 0\n"


def refused(text: str, match: str) -> str:
    """The remedy."""
    sim = Simulation(**OPTIONS)
    with pytest.raises(InputError, match=match) as error:
        sim.commands(text)
    assert error.value.remedy
    return error.value.remedy


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no /dev/zero")
@pytest.mark.parametrize("line", [
    "include /dev/zero", "jump /dev/zero", "variable x file /dev/zero", "variable x atomfile /dev/zero",
    BOX + "molecule m /dev/zero",
    "read_data /dev/zero", "read_restart /dev/zero", "variable x file /dev/urandom",
])
def test_devices_are_no_files(line: str) -> None:
    refused(line, "it is a device, not a file")


def test_empty_devices_and_pipes_can_be_read(tmp_path: Path) -> None:
    Simulation(**OPTIONS).commands("include /dev/null")
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as pipe:
        pipe.write("variable x equal 7\n")
    sim = Simulation(**OPTIONS).commands(f"include /dev/fd/{reading}")
    os.close(reading)
    assert sim.engine.variables.text("x") == "7"


def test_lines_and_files_without_an_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sparse files, and small ones that unpack to large ones: read in pieces, and not to the end."""
    monkeypatch.setattr(inputs, "LINE", 1 << 20)
    monkeypatch.setattr(inputs, "FREE", 1 << 20)
    monkeypatch.setattr(inputs, "CHUNK", 1 << 16)
    with open("sparse", "wb") as file:
        file.truncate(1 << 40)
    for line in ("read_data sparse", "molecule m sparse", "rerun sparse dump x y z"):
        refused(BOX + line if "data" not in line else line, "a line of more than 1 MiB")
    refused("include sparse", "it has .*more than")
    for name, opener in (("bomb.gz", gzip.open), ("bomb.bz2", bz2.open), ("bomb.xz", lzma.open)):
        with opener(name, "wb") as packed:  # type: ignore[operator]
            packed.write(b"\n" * (1 << 22))
        refused(f"read_data {name}", "unpacks to more than 200 times its size")


@pytest.mark.parametrize("text, runs", [
    ("label a\njump SELF a", False),
    ('variable x equal 1\nlabel a\nif "$x < 2" then "jump SELF a"', False),
    ('label a\nvariable x string same\nprint "$x"\njump SELF a', False),
    ("label a\njump SELF b\nlabel b\njump SELF a", False),
    ("variable i loop 2000\nlabel a\nnext i\njump SELF a", True),
    ('variable x equal 1\nlabel a\nvariable x equal $(v_x+1)\nif "$x < 2000" then "jump SELF a"', True),
    ('variable x equal 1\nlabel a\nif "$x > 2000" then "jump SELF b"\nvariable x equal $(v_x+1)\njump SELF a\nlabel b', True),
    ('label a\nif "$(random(0,1,7)) < 0.999" then "jump SELF a"', True),
])
def test_jumps_that_change_nothing_end(text: str, runs: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "MOST_JUMPS", 1000)
    if runs:
        Simulation(**OPTIONS).commands(text)
    else:
        assert "next" in refused(text, "jumped 1000 times and changed nothing")


@pytest.mark.parametrize("line", [
    "variable x equal 1\nvariable y format x %99999999f", 'print "$(1.0:%99999999f)"', 'print "$(1.0:%.99999999f)"',
    "thermo_modify format float %99999999f", "thermo_modify format int %99999999999999999999d",
    BOX + "dump 1 all custom 1 x id x\ndump_modify 1 format float %.999999g",
    BOX + "dump 1 all custom 1 x id x\ndump_modify 1 format 1 %9999d",
    BOX + "variable v equal 1\nfix 1 all ave/time 1 1 1 v_v file x format %9999g",
])
def test_formats_have_sensible_widths(line: str) -> None:
    assert "for example" in refused(line, "more than 512 columns or digits")


def test_numbers_of_files_have_sensible_widths() -> None:
    assert "0 to 20" in refused(BOX + "dump 1 all custom 1 x.* id\ndump_modify 1 pad 999999999", "at most 20 digits")


def test_lines_do_not_grow_without_bounds() -> None:
    text = "variable a string xxxxxxxx\nvariable i loop 60\nlabel a\nvariable a string ${a}${a}\nnext i\njump SELF a"
    assert "itself" in refused(text, "the line has more than 1048576 letters")


@pytest.mark.parametrize("formula", ["(" * 5000 + "1" + ")" * 5000, "-" * 100_000 + "1", "2^" * 3000 + "1"])
def test_formulas_are_not_nested_for_ever(formula: str) -> None:
    assert "several" in refused(f"variable x equal {formula}\nprint $x", "nested too deeply")


@pytest.mark.parametrize("x", ["1e30", "-1e30", "1e300", "2e8"])
def test_atoms_too_far_away_are_refused(x: str) -> None:
    """Wrapped into the box they would all be at one face: digits are gone."""
    Path("big.mol").write_text(MOLECULE.format(x=x))
    Path("far.data").write_text(DATA.format(x=x))
    create = "molecule m big.mol\ncreate_atoms 0 single 1 1 1 mol m 4711"
    assert "units" in refused(BOX + create, "box lengths away along")
    refused("read_data far.data", "box lengths away along x")
    refused(BOX + f"create_atoms 1 single 1 1 1\ndisplace_atoms all move {x} 0 0 units box", "box lengths away along x")


# ---- code needs a permission
CODE = "python source here \"open('caught', 'w')\"\n"


@pytest.mark.parametrize("words", [["run", "in.x"], ["-in", "in.x"], ["-in", "in.outer"], ["-in", "in.jump"]])
@pytest.mark.parametrize("code", [CODE, "plugin load evil.py\n", "python f file evil.py\n",
                                  "if 1 then 'plugin load evil.py'\n"])
def test_scripts_run_code_only_if_allowed(words: list[str], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("evil.py").write_text("open('caught', 'w')\ndef f(): pass\n")
    Path("in.x").write_text(code)
    Path("in.outer").write_text("include in.x\n")
    Path("in.jump").write_text("jump in.x\n")
    options = ["-log", "none", "-screen", "none", "--device", "serial"]
    assert cli.main([*words, *options]) == 1
    said = capsys.readouterr().err
    assert "is refused: it runs code" in said and "--allow-python" in said and not Path("caught").exists()
    assert cli.main([*words, *options, "--allow-python"]) == 0 and Path("caught").exists()


def test_trusted_files_are_used_and_no_others(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one.py", "two.py"):
        Path(name).write_text(f"open('{name}.ran', 'w')\n")
    options = ["-log", "none", "-screen", "none", "--device", "serial", "--trust", "./one.py"]
    Path("in.x").write_text("plugin load one.py\nplugin load two.py\n")
    assert cli.main(["-in", "in.x", *options]) == 1
    said = capsys.readouterr().err
    assert "plugin load two.py is refused" in said and "--trust two.py" in said and "Simulation(trust=['two.py'])" in said
    assert Path("one.py.ran").exists() and not Path("two.py.ran").exists()
    assert cli.main(["-in", "in.x", *options, "two.py"]) == 0 and Path("two.py.ran").exists()
    Path("in.x").write_text(CODE)  # text of a script is no file of the user's
    assert cli.main(["-in", "in.x", *options]) == 1 and not Path("caught").exists()


def test_trusted_files_must_not_change() -> None:
    """A script that may use a file could write it first."""
    Path("one.py").write_text("open('one.ran', 'w')\n")
    Path("in.x").write_text("print \"open('caught', 'w')\" file one.py\nplugin load one.py\n")
    with pytest.raises(InputError, match="has changed since Everlet was started"):
        Simulation(**OPTIONS, trust=["one.py"]).file("in.x")
    assert not Path("caught").exists()
    with pytest.raises(InputError, match="there is no file 'no.py' to trust"):
        Simulation(**OPTIONS, trust=["no.py"])


def test_a_trusted_file_of_models_lends_scripts_only_its_models() -> None:
    """Not what it has imported, with words of the script."""
    Path("m.py").write_text("from subprocess import Popen\n")
    Path("in.x").write_text(BOX + "pair_style ml m.py:Popen args ls\n")
    with pytest.raises(InputError, match="has no method forces"):
        Simulation(**OPTIONS, trust=["m.py"]).file("in.x")


def test_a_file_of_the_user_is_no_module_that_others_import() -> None:
    Path("wave.py").write_text("import wave\nother = wave.open\n")  # Python has one of this name
    Path("mine.py").write_text("x = 1\n")
    first, second = (run_file(name, "file") for name in ("wave.py", "mine.py"))
    assert first.other is importlib.import_module("wave").open and first.__name__ == "wave_file"
    assert second.__name__ == "mine" and sys.modules["mine"] is second
    Path("other").mkdir()
    Path("other/mine.py").write_text("x = 2\n")
    third = run_file("other/mine.py", "file")
    assert third.x == 2 and third.__name__ == "mine" and sys.modules["mine"] is third  # of two files of one name the later one


def test_code_on_standard_input_is_refused() -> None:
    done = everlet("-log", "none", input=CODE)
    assert done.returncode == 1 and "is refused: it runs code" in done.stderr and not Path("caught").exists()


def test_the_text_of_a_program_is_the_programs_own() -> None:
    Path("in.x").write_text(CODE)
    sim = Simulation(**OPTIONS).commands("python source here 'x = 1'")
    for call in (lambda: sim.file("in.x"), lambda: sim.commands("include in.x"), lambda: sim.commands("jump in.x")):
        with pytest.raises(InputError, match="is refused: it runs code"):
            call()
    assert not Path("caught").exists()
    Simulation(**OPTIONS, allow=["python"]).file("in.x")
    assert Path("caught").exists()
    with pytest.raises(InputError, match="word of allow"):
        Simulation(**OPTIONS, allow=["everything"])


# ---- leftovers
def test_what_dead_processes_have_left_is_swept(tmp_path: Path) -> None:
    """By the next one that begins a file there, whatever it is; what others write stays."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    mine = Path(files.unfinished("a.restart")).name
    here = mine.split(".")[-2].partition("-")[0]
    for folder, line in (("one", "write_restart one/a"), ("two", "log two/a"), ("three", "write_data three/a")):
        Path(folder).mkdir()
        names = {"killed": f".a.restart.{here}-{dead.pid}-7.part", "alive": f".a.restart.{here}-{os.getpid()}-7.part",
                 "elsewhere": f".a.restart.00000000-{dead.pid}-7.part", "old": f".b.00000000-{dead.pid}-7.part",
                 "not ours": ".a.part", "data": "a.part"}
        for name in names.values():
            Path(folder, name).write_text("half")
        os.utime(Path(folder, names["old"]), (0, 0))
        Simulation(**OPTIONS).commands(BOX + "create_atoms 1 single 1 1 1\n" + line).close()
        left = {name for name, file in names.items() if Path(folder, file).exists()}
        assert left == {"alive", "elsewhere", "not ours", "data"}, folder


def test_a_process_that_is_killed_leaves_nothing_for_long() -> None:
    code = ("import os, signal; from everlet.io.files import whole_file\n"
            "with whole_file('x') as file:\n    file.write('half'); file.flush(); os.kill(os.getpid(), signal.SIGKILL)")
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)})
    assert len(list(Path().glob(".x.*.part"))) == 1
    with files.whole_file("y") as file:
        file.write("whole")
    assert [path.name for path in Path().iterdir()] == ["y"]


# ---- places of code
def test_scripts_do_not_write_where_code_is_kept(tmp_path: Path) -> None:
    """What they put there would run, in this very run."""
    Path("k_a").write_text("x = 1\n")
    library = Path(str(np.__file__)).parents[1]
    for place in (cache.directory(), PACKAGE / "fixes", library, settings.folder_of_user("XDG_CONFIG_HOME", ".config")):
        sim = Simulation(**OPTIONS).commands(BOX + "create_atoms 1 single 1 1 1")
        for line in (f"print x file {place}/k_evil.py", f"print x append {place}/k_evil.py", f"log {place}/k_evil.py",
                     f"write_data {place}/k_evil.py", f"write_restart {place}/k_evil.py", "print x file d/../link/k_evil.py",
                     f"info system out overwrite {place}/k_evil.py", f"fix 1 all print 1 x file {place}/k_evil.py"):
            Path("link").unlink(missing_ok=True)
            Path("link").symlink_to(place)
            with pytest.raises(InputError, match="code is kept there"):
                sim.commands(line)
        for line in (f"shell mv k_a {place}/k_evil.py", "shell mv k_a link/k_b", f"shell rm {place}/k_a",
                     f"shell mkdir {place}/k_b"):
            sim.commands(line)
            assert Path("k_a").exists() and not any((place / name).exists() for name in ("k_evil.py", "k_a", "k_b"))
        for folder in (place, place.parent):  # they are not moved, nor is something put into their place
            with pytest.raises(PermissionError):
                code_places.check_output(folder, above=True)
    sim.commands("shell mkdir c\nshell mv k_a c\nshell mv c d\nprint x file d/b\nshell rm d/k_a d/b\nshell rmdir d")
    assert not Path("d").exists()


# ---- restart files that somebody has made up, with a right checksum
BONDED = """units lj
atom_style bond
region box block 0 9 0 9 0 9
create_box 1 box bond/types 1 extra/bond/per/atom 2 extra/special/per/atom 4
create_atoms 1 single 1 1 1
create_atoms 1 single 2 1 1
mass 1 1.0
create_bonds single/bond 1 1 2
write_restart base.restart
"""
FORGED = {
    "types of atoms": lambda h, a: a["atoms/type"].fill(10**6), "types of atoms are not": lambda h, a: a["atoms/type"].fill(-9),
    "bond types": lambda h, a: a["atoms/bond_type"].fill(10**7), "ids of atoms": lambda h, a: a["atoms/id"].fill(-5),
    "bonds are of atoms": lambda h, a: a["atoms/bond_atoms"].fill(-1),
    "v of atoms is no number": lambda h, a: h["fields"]["v"].update(dtype="|O"),
    "mask of atoms has": lambda h, a: h["fields"]["mask"].update(width=10**9, shown=10**9),
    "type of atoms has another length": lambda h, a: a.update({"atoms/type": a["atoms/type"][:1]}),
    "the step": lambda h, a: h.update(step="evil"), "the plan": lambda h, a: h["plan"][0].update(threads=-5),
    "groups": lambda h, a: h["groups"].update(x=1000), "": lambda h, a: h.update(operations={"1": ["nve"]}),
}


def forge(path: str, change: Any) -> None:
    """A restart file with something else in it."""
    header, arrays = restart._load("base.restart")
    change(header, arrays)
    header["sum"] = restart._sum(arrays)
    with zipfile.ZipFile(path, "w") as container:
        container.writestr("header.json", json.dumps(header))
        for name, array in arrays.items():
            with container.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array)


@pytest.mark.parametrize("cause", FORGED)
def test_restart_files_cannot_reach_into_memory(cause: str) -> None:
    Simulation(**OPTIONS).commands(BONDED)
    forge("forged", FORGED[cause])
    refused("read_restart forged", f"contents that no run has written: {cause}")


def test_links_to_atoms_that_are_not_there_are_named() -> None:
    """Also if their ids are larger than all others: rows of atoms are looked up by id."""
    Simulation(**OPTIONS).commands(BONDED)
    forge("forged", lambda h, a: a["atoms/bond_atoms"].__setitem__(a["atoms/bond_atoms"] == 2, 10**8))
    Path("in.x").write_text("read_restart forged\nbond_style harmonic\nbond_coeff 1 1 1\nfix 1 all nve\nrun 1\n")
    done = everlet("run", "in.x", "--device", "serial", "--log", "none")
    assert done.returncode == 1 and "atom 100000000 of the bond of atoms" in done.stderr


def test_packed_members_of_restart_files_are_refused() -> None:
    with zipfile.ZipFile("bomb", "w", zipfile.ZIP_DEFLATED) as container:
        container.writestr("header.json", " " * (1 << 24))
    refused("read_restart bomb", "it holds more than it has bytes")
