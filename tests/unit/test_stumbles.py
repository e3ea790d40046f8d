"""What new users stumbled over: each mistake has a cause and a remedy, and logs look as their readers expect."""

from __future__ import annotations

import random
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from everlet import EverletError, InputError, RunError, Simulation
from everlet.cli import main
from everlet.errors import unknown
from everlet.forces.bonded.base import STYLES
from everlet.portable.backends.cuda.found import INSTALL
from everlet.script.lammps_names import lammps_has
from tests.scripts import melt

MELT = melt("0 3 0 3 0 3", first="atom_modify map yes") + """
neighbor 0.3 bin
"""


def melt(more: str = "", log: str = "none") -> Simulation:
    return Simulation(device="serial", log=log).commands(MELT + more)


def failure(text: str, before: str = MELT) -> EverletError:
    with pytest.raises(EverletError) as caught:
        Simulation(device="serial").commands(before + text)
    assert caught.value.remedy and caught.value.where
    return caught.value


# ---- wrong answers

def test_a_fix_of_another_style_does_not_take_the_place_of_one() -> None:
    error = failure("fix 1 all nve\nfix 1 all nvt temp 1 1 1")
    assert "is of style nve" in error.cause and "unfix 1" in error.remedy


def test_image_flags_that_do_not_fit(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for flag, wrong in (("99999999999", True), ("-99999999999", True), ("1e300", True), ("3", False)):
        data.write_text(f"text\n\n1 atoms\n1 atom types\n0 4 xlo xhi\n0 4 ylo yhi\n0 4 zlo zhi\n\nMasses\n\n1 1.0\n\n"
                        f"Atoms # atomic\n\n1 1 1.0 1.0 1.0 0 {flag} 0\n")
        sim = Simulation(device="serial")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            if wrong:
                with pytest.raises(InputError, match="too large") as caught:
                    sim.commands(f"read_data {data}")
                assert "data, line 15" in str(caught.value)
            else:
                sim.commands(f"read_data {data}")
                assert sim.gather("image").tolist() == [[0, 3, 0]]
    assert "too large" in failure("set atom 1 image 99999999999 0 0").cause


# ---- warnings

@pytest.mark.parametrize("fixes, steps, text", [
    ("", 1, "no fix moves atoms"), ("fix 1 all spring/self 1.0", 1, "no fix moves atoms"), ("", 0, ""),
    ("fix 1 all nve", 1, ""),
    ("fix 1 all nve\nfix 2 all nvt temp 1 1 1", 1, "more than one of the fixes 1, 2"),
    ("group a id 1\ngroup b subtract all a\nfix 1 a nve\nfix 2 b nve", 1, ""), ("fix 1 all nve/limit 0.1", 1, ""),
])
def test_warnings_about_motion(fixes: str, steps: int, text: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    melt(f"{fixes}\nrun {steps}", str(log)).close()
    found = [line for line in log.read_text().splitlines() if line.startswith("WARNING")]
    assert len(found) == bool(text) and all(text in line for line in found)


# ---- hangs and faults

def test_long_loops_cost_nothing() -> None:
    """Passing each of so many values would take a year."""
    sim = Simulation(device="serial")
    sim.commands("variable i loop 5 9000000000 pad\nvariable j loop 3\nlabel a\nnext i\nnext j\njump SELF a\nprint '$i'")
    assert sim.engine.variables.text("i") == "0000000008"
    assert "too large" in failure("variable i loop 99999999999999999999", "").cause


@pytest.mark.parametrize("line, cause", [
    ("run 99999999999999999999", "too large"), ("run 9000000000000000000", "cannot run"), ("run 1.5", "found '1.5'"),
    ("mass 1 1e308\nvelocity all create 1.0 4711 rot yes loop all", "no finite numbers"),
])
def test_numbers_that_are_too_large(line: str, cause: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # NumPy's never reach the user
        assert cause in failure(line).cause


@pytest.mark.parametrize("line", ["create_atoms 1 random 99999999999 4711 NULL", "replicate 10000 10000 10000",
                                  "lattice fcc 1e18\ncreate_atoms 1 box", "create_atoms 1 random 2000000000 4711 NULL"])
def test_more_atoms_than_fit_into_memory(line: str) -> None:
    assert "do not fit into the memory" in failure(line).cause


def test_damaged_restart_files(tmp_path: Path) -> None:
    """Every damage is an error with a cause, or none at all; a damaged directory may ask for encryption."""
    path, draw = tmp_path / "restart", random.Random(4711)
    melt(f"write_restart {path}")
    whole = path.read_bytes()
    directory = whole.rindex(b"PK\1\2")
    for k in range(150):
        content = bytearray(whole)
        place = draw.randrange(directory, len(content)) if k % 2 else draw.randrange(len(content))
        content[place] ^= 1 << draw.randrange(8)
        path.write_bytes(bytes(content))
        try:
            Simulation(device="serial").commands(f"read_restart {path}")
        except InputError as error:
            assert error.remedy, (k, place)
    for flag, at in ((b"\x01", 8), (b"\x63", 10)):  # encrypted; a way to compress that does not exist
        path.write_bytes(whole[: directory + at] + flag + whole[directory + at + 1 :])
        with pytest.raises(InputError, match="damaged"):
            Simulation(device="serial").commands(f"read_restart {path}")


# ---- differences from the reference

def test_builds_are_counted_through_runs_without_a_set_up(tmp_path: Path) -> None:
    log = tmp_path / "log"
    text = "fix 1 all nve\nneigh_modify every 1 delay 0 check no\nthermo_style custom step nbuild\n"
    sim = melt(text + "run 10\nrun 5 pre no\nrun 5 pre no\nrun 5", str(log))
    sim.engine.close()
    assert re.findall(r"Neighbor list builds = (\d+)", log.read_text()) == ["10", "15", "20", "5"]
    assert sim.thermo.table()["nbuild"].tolist() == [0, 10, 10, 15, 15, 20, 0, 5]


def test_the_volume_is_shown_where_the_division_may_change(tmp_path: Path) -> None:
    for line, shown in (("fix 2 all balance 10 1.1 shift xyz 5 1.1", True), ("fix 2 all nve", False)):
        log = tmp_path / "log"
        melt(f"{line}\nrun 0", str(log)).close()
        assert ("Press          Volume" in log.read_text()) == shown, line


def test_rows_of_an_earlier_style_stay() -> None:
    sim = melt("variable a equal 2\nrun 0\nthermo_style custom step press v_a\nrun 0")
    table = sim.thermo.table()
    assert table["step"].tolist() == [0, 0] and table["press"][0] == table["press"][1]
    assert np.isnan(table["temp"][1]) and np.isnan(table["v_a"][0]) and table["v_a"][1] == 2.0


# ---- manners

@pytest.mark.parametrize("words", [["run", "--help"], ["check", "--help"], ["info", "-h"], ["check", "-help"]])
def test_help_of_commands(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    assert f"everlet {words[0]}" in capsys.readouterr().out


def test_paths_of_the_readme_exist() -> None:
    root = Path(__file__).parents[2]
    for page in ("README.md", "docs/scaling.md"):
        named = re.findall(r"everlet (?:run|-in|check) (\S+?)[`,:; ]", (root / page).read_text())
        assert named and all((root / path).exists() for path in named if "/" in path or path.startswith("in.")), named


def test_errors_in_included_files(tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    inner.write_text("units lj\nmas 1 1.0\n")
    outer.write_text(f"# a comment\ninclude {inner}\n")
    with pytest.raises(InputError) as caught:
        Simulation(device="serial").file(str(outer))
    assert caught.value.where.splitlines() == [f"{inner}:2: mas 1 1.0", f"  from {outer}:2: include {inner}"]


@pytest.mark.parametrize("line, cause, remedy", [
    ("pair_style hybrid lj/cut 2.5 mrose 2.5", "'mrose'", "morse"), ("RUN 10", "'RUN'", "did you mean run?"),
    ("qqqqqqqq 1", "unknown command", "docs/scripts.md"), ("thermo_style custom step v_foo", "'foo'", "variable foo"),
    ("run -5", "negative", "0 or more"), ("fix 1 all mdi/qm", "not available", ""),
    ("fix 1 all poems x", "not available", ""),
    ("pair_style quip", "not available", ""), ("pair_style amoeba", "not available", ""),
    ("pair_style rheo 1", "not available", ""), ("fix 1 all rheo 1", "not available", ""),
])
def test_causes_and_remedies(line: str, cause: str, remedy: str) -> None:
    error = failure(line)
    assert cause in error.cause and remedy in error.remedy and len(error.remedy) < 200
    assert line != "run -5" or "reset_timestep" not in error.remedy


@pytest.mark.parametrize("kind", STYLES)
def test_links_of_the_reference_are_not_unknown(kind: str) -> None:
    before = "atom_style full\nregion b block 0 1 0 1 0 1\ncreate_box 1 b\n"
    missing = [style for style in lammps_has(kind) if style not in STYLES[kind]]
    assert all("not available" in failure(f"{kind}_style {style}", before).cause for style in missing)
    assert "unknown" in failure(f"{kind}_style nosuchstyle", before).cause


def test_names_are_near_in_any_case_and_not_all_are_listed() -> None:
    known = [f"style{k}" for k in range(100)]
    assert "and 76 more" in unknown("thing", "qqqq", known).remedy
    assert unknown("thing", "STYLE7", known).remedy == "did you mean style7?"


def test_the_gpu_extra_is_installed_from_the_source() -> None:
    assert "'.[cuda13]'" in INSTALL and "everlet[" not in INSTALL


# ---- logs

def read_like_others(text: str) -> list[dict[str, list[float]]]:
    """Tables as readers of such logs find them: between a line that begins with Step and one with 'Loop time of'."""
    found, header = [], None
    for line in text.splitlines():
        if header is None and re.match(r"\s*Step\s", line):
            header, rows = line.split(), []
        elif line.startswith("Loop time of"):
            assert header is not None and re.match(r"Loop time of \S+ on \d+ procs for \d+ steps with \d+ atoms", line)
            found.append({name: [row[k] for row in rows] for k, name in enumerate(header)})
            header = None
        elif header is not None:
            rows.append([float(word) for word in line.split()])
    return found


def test_logs_are_read_by_others(tmp_path: Path) -> None:
    log = tmp_path / "log"
    runs = "run 10\nrun 5\nrun 5 pre no post no"
    melt(f"fix 1 all nve\nthermo 5\nneigh_modify every 2 delay 4 check yes\n{runs}", str(log)).close()
    text = log.read_text()
    assert re.match(r"Everlet \d+\.\d+\S*\n", text) and re.search(r"^LAMMPS \((\d+ \w+ \d{4})", text, re.MULTILINE)
    assert re.search(r"\nTotal wall time: \d+:\d\d:\d\d\n$", text)
    assert [table["Step"] for table in read_like_others(text)] == [[0, 5, 10], [10, 15], [15, 20]]
    assert text.count("Neighbor list info ...") == 1  # nothing has changed between the runs
    for line in ("  update: every = 2 steps, delay = 4 steps, check = yes", "  max neighbors/atom: 2000, page size: 100000",
                 "  master list distance cutoff = 2.8", "  ghost atom cutoff = 2.8", "  (1) pair lj/cut, perpetual"):
        assert f"\n{line}\n" in text, line
    begins = [m.start() for m in re.finditer("Per MPI rank memory allocation", text)]
    assert all(text[at:].splitlines()[1].split()[0] == "Step" for at in begins) and len(begins) == 2


def test_a_log_of_a_run_that_fails_has_no_wall_time(tmp_path: Path) -> None:
    script, log = tmp_path / "in", tmp_path / "log"
    script.write_text(MELT + "run 0\nnonsense\n")
    assert main(["run", str(script), "--log", str(log), "--screen", "none"]) == 1
    assert "Total wall time" not in log.read_text() and "ERROR" in log.read_text()
    script.write_text(MELT + "run 0\n")
    assert main(["run", str(script), "--log", str(log), "--screen", "none"]) == 0
    assert log.read_text().splitlines()[-1].startswith("Total wall time")


def test_overflow_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def overflow(sim: object, args: list[str]) -> None:
        raise OverflowError("int too large")

    from everlet.script.registry import command

    monkeypatch.setitem(command._known, "mass", overflow)
    with pytest.raises(RunError, match="too large"):
        Simulation(device="serial").commands("mass 1 1.0")


# ---- positions that would lose their digits

@pytest.mark.parametrize("boundary", ["p p p", "s s s"])
@pytest.mark.parametrize("command", ["move 1e17 0 0", "ramp x 1e16 1e17 y 0 1", "random 1e17 0 0 4711",
                                     "rotate 0 1e17 1e17 1 0 0 90"])
def test_atoms_are_not_displaced_out_of_all_digits(command: str, boundary: str) -> None:
    if boundary == "s s s" and command[:4] in ("ramp", "rand"):
        return  # these make the box large: no digit that matters is lost
    sim = Simulation(device="serial").commands(f"boundary {boundary}\n" + MELT.replace("units lj\n", ""))
    before = sim.gather("x").copy()
    with pytest.raises(EverletError) as caught:
        sim.commands(f"displace_atoms all {command}")
    assert ("box lengths away" if boundary == "p p p" else "shrink-wrapping") in caught.value.cause
    assert np.array_equal(sim.gather("x"), before)  # nothing has moved
    sim.commands("displace_atoms all move 1e5 0 0 units box\nrun 0")


def test_a_box_is_not_made_where_positions_have_no_digits() -> None:
    assert "too far from the origin" in failure("change_box all x delta 1e17 1.000000000001e17 units box").cause
    box = "region r block 1e17 1.0000000000001e17 0 1 0 1 units box\ncreate_box 1 r"
    assert "too far from the origin" in failure(box, "").cause


# ---- remedies that lead on

@pytest.mark.parametrize("style, word, form, wanted", [
    ("pe/atom", "c_k", "equal", "c_k[I]"), ("pe/atom", "c_k[1][1]", "equal", "c_k[I]"),
    ("pe/atom", "c_k[1][1]", "atom", "c_k in an"),
    ("stress/atom NULL", "c_k", "equal", "c_k[I][j]"), ("stress/atom NULL", "c_k[1]", "equal", "c_k[I][j]"),
    ("stress/atom NULL", "c_k", "atom", "c_k[j] in an"),
])
def test_formulas_say_which_indices_values_of_atoms_have(style: str, word: str, form: str, wanted: str) -> None:
    sim = melt(f"compute k all {style}\nvariable v {form} {word}\nrun 0")
    with pytest.raises(InputError) as caught:
        sim.commands("compute s all reduce sum v_v\nthermo_style custom c_s\nrun 0" if form == "atom" else "print ${v}")
    assert wanted in caught.value.remedy and "reduce sum c_k" in caught.value.remedy
    assert ("too many indices" in caught.value.cause) == (word == "c_k[1][1]")


def test_indices_of_values_of_atoms() -> None:
    error = failure("compute k all pe/atom\ncompute s all reduce sum c_k[1]")
    assert error.cause == "'c_k' has one value per atom" and "write c_k," in error.remedy
    error = failure("compute k all stress/atom NULL\ncompute s all reduce sum c_k")
    assert error.cause == "'c_k' has 6 values per atom" and "from 1 to 6: c_k[1]" in error.remedy


@pytest.mark.parametrize("words, missing, usage", [
    ("nvt 300 300 100", "temp", "nvt temp TSTART TSTOP TDAMP"), ("npt 300 300 100 iso 0 0 1", "temp", "iso PSTART"),
    ("npt temp 1 1 1 0 0 1", "iso", "temp TSTART TSTOP TDAMP iso PSTART"), ("nph 0 0 1", "iso", "nph iso PSTART PSTOP PDAMP"),
])
def test_targets_without_their_keyword(words: str, missing: str, usage: str) -> None:
    error = failure(f"fix 1 all {words}")
    assert f"keyword '{missing}' is missing" in error.cause and usage in error.remedy


def test_a_number_in_place_of_a_keyword() -> None:
    assert "the number 7 stands where a keyword" in failure("fix 1 all nvt temp 1 1 1 7").cause


def test_wrong_arguments_name_public_calls() -> None:
    sim = Simulation(device="serial")
    for name in ("run", "create", "load_plugin", "commands", "gather"):
        with pytest.raises(TypeError, match=rf"^Simulation\.{name}\(\)"):
            getattr(sim, name)(callback=print)
