"""The files of examples/ run, as the README says they do."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path

import numpy as np
import pytest

from everlet.tools.check_models import check_model
from tests.oracle.harness import parse_log

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> int:
    """The exit status of the everlet command."""
    from everlet.cli import main

    return main(list(words)) or 0


def test_melt_script(folder: Path) -> None:
    small = ["-var", "x", "0.2", "-var", "y", "0.2", "-var", "z", "0.2"]
    assert run("-in", "examples/in.melt", *small, "-log", "log.melt", "-screen", "none") == 0
    assert "Loop time of" in (folder / "log.melt").read_text()


def test_two_styles_and_a_file_from_a_formula(folder: Path) -> None:
    script = Path("examples/in.argon_on_copper").read_text()
    command = next(line for line in script.splitlines() if "everlet potential" in line)
    assert run(*command.strip("# ").split()[1:]) == 0
    Path("in.short").write_text(script.replace("run 500", "run 40").replace("thermo 100", "thermo 20"))
    assert run("run", "in.short", "--var", "n", "4", "--log", "log.two", "--screen", "none", "--device", "serial") == 0
    table = parse_log(Path("log.two").read_text())[0]
    assert len(table["Step"]) == 3 and np.ptp(table["TotEng"]) < 1e-4 * abs(table["TotEng"][0])


def test_own_potential(folder: Path) -> None:
    logs = []
    for style in ("wobble", "wobble/auto"):
        script = Path("examples/in.my_potential").read_text().replace("wobble 2.5", f"{style} 2.5").replace("500", "20")
        Path("in.own").write_text(script.replace("thermo      100", "thermo 10\nthermo_modify format float %.17g"))
        assert run("run", "in.own", "--plugin", "examples/my_potential.py", "--log", "log.own", "--screen", "none") == 0
        logs.append(parse_log(Path("log.own").read_text())[0])
    written, derived = logs
    for name in written:
        np.testing.assert_allclose(derived[name], written[name], rtol=1e-11, err_msg=name)


def test_own_potential_passes_its_check(folder: Path) -> None:
    assert run("check", "examples/my_potential.py") == 0


def test_own_charges(folder: Path) -> None:
    Path("in.own").write_text(Path("examples/in.my_charges").read_text().replace("500", "40").replace("100", "20"))
    assert run("run", "in.own", "--plugin", "examples/my_charges.py", "--log", "log.own", "--screen", "none") == 0
    table = parse_log(Path("log.own").read_text())[0]
    assert table["E_coul"][0] != 0.0 and np.ptp(table["TotEng"]) < 1e-3 * abs(table["TotEng"][0])


@pytest.mark.parametrize("name", ["my_fix", "my_tether", "my_compute", "my_bond", "my_metal", "my_charges"])
def test_own_style_runs(name: str, folder: Path) -> None:
    script = Path(f"examples/in.{name}").read_text()
    assert f"everlet run examples/in.{name} --plugin examples/{name}.py" in Path(f"examples/{name}.py").read_text()
    Path("in.short").write_text(script.replace("500", "20").replace("100\n", "10\n"))
    assert run("run", "in.short", "--plugin", f"examples/{name}.py", "--log", "log.own", "--screen", "none",
               "--device", "serial") == 0
    table = parse_log(Path("log.own").read_text())[0]
    assert len(table["Step"]) == 3
    if "TotEng" in table and name != "my_fix":
        assert np.ptp(table["TotEng"]) < 0.01 * abs(table["TotEng"][0])


@pytest.mark.parametrize("name, lines", [("my_fix", 60), ("my_tether", 90), ("my_compute", 50), ("my_bond", 25)])
def test_own_styles_are_short(name: str, lines: int) -> None:
    assert len((ROOT / "examples" / f"{name}.py").read_text().splitlines()) <= lines


def test_melt_from_python(folder: Path) -> None:
    runpy.run_path("examples/melt.py", run_name="__main__")


def test_a_model_of_ones_own(folder: Path) -> None:
    """It is refused until it is allowed; energy is conserved, near that of the potential that it was fitted to."""
    script = Path("examples/in.my_model").read_text().replace("200", "40").replace("50", "20").replace("0 5", "0 3")
    Path("in.own").write_text(script)
    words = ("run", "in.own", "--log", "log.own", "--screen", "none", "--device", "serial")
    assert run(*words) == 1
    assert run(*words, "--allow-python") == 0
    table = parse_log(Path("log.own").read_text())[0]
    assert table["TotEng"][-1] == pytest.approx(table["TotEng"][0], abs=2e-3) and -6.8 < table["E_pair"][0] < -6.0


@pytest.mark.parametrize("model, library", [("my_torch_model.py:Network", "torch"), ("my_jax_model.py:Embedded", "jax")])
def test_models_of_other_libraries(folder: Path, model: str, library: str) -> None:
    pytest.importorskip(library)
    script = Path("examples/in.my_model").read_text().replace("200", "20").replace("50", "10").replace("0 5", "0 3")
    Path("in.own").write_text(script)
    assert run("run", "in.own", "--log", "log.own", "--screen", "none", "--device", "serial", "--var", "model", model,
               "--trust", f"examples/{model.partition(':')[0]}") == 0
    table = parse_log(Path("log.own").read_text())[0]
    assert table["TotEng"][-1] == pytest.approx(table["TotEng"][0], abs=3e-3)
    assert check_model([f"examples/{model}"], only=("forces", "virial", "rotation", "padding", "repeat"))


@pytest.mark.parametrize("path", ["my_model.py", "my_torch_model.py", "my_jax_model.py", "my_kernel_model.py",
                                  "fit/committee.py"])
def test_a_model_is_forty_lines(path: str) -> None:
    assert len((ROOT / "examples" / path).read_text().splitlines()) <= 40


def test_replica_exchange(folder: Path) -> None:
    Path("in.short").write_text(Path("examples/in.temper").read_text().replace("temper      1000", "temper      200"))
    assert run("run", "in.short", "--partition", "4x1", "--log", "log.t", "--screen", "none", "--device", "cpu") == 0
    rows = [list(map(int, line.split())) for line in Path("log.t").read_text().split("T3\n")[1].splitlines()]
    assert [row[0] for row in rows] == [0, 50, 100, 150, 200] and all(sorted(row[1:]) == [0, 1, 2, 3] for row in rows)


def test_barrier_of_a_hop(folder: Path) -> None:
    """Its digits are those of LAMMPS: the barrier per atom, and the length of the path."""
    Path("in.short").write_text(Path("examples/in.neb").read_text().replace("1e-6", "1e-3"))
    assert run("run", "in.short", "--partition", "5x1", "--log", "log.n", "--screen", "none", "--device", "cpu") == 0
    words = Path("log.n").read_text().splitlines()[-1].split()
    assert float(words[6]) == pytest.approx(0.018200841, abs=2e-8) and float(words[8]) == pytest.approx(1.15808, abs=2e-4)
