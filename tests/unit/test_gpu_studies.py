"""Studies and options for GPUs, as far as they can be tested without one."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest

from everlet import Simulation
from everlet.cli import main
from everlet.comm.serial import SerialComm
from everlet.errors import InputError, RunError
from everlet.fixes.integrators.nve import kick, kick_drift
from everlet.forces.manybody.snap import scheme as snap_scheme
from everlet.forces.manybody.snap.scheme import SnapInTeams
from everlet.forces.pair.schemes.clusters_teams import TeamClusters
from everlet.forces.pair.schemes.lists import ListScheme, team_shape
from everlet.lab.studies import profile, sweeps
from everlet.neighbor.rows import TEAM_PAD
from everlet.perf import about, bench, plots, profile_rows, roofline, runs, traffic
from everlet.perf.systems import STAGES
from everlet.portable import Kernel
from everlet.portable.backends.cuda import gpu
from everlet.portable.backends.cuda.gpu import Gpu
from everlet.portable.backends.cuda.space import Cuda
from everlet.portable.batch import collected
from everlet.portable.dry import Dry, dry
from everlet.portable.spaces import NEVER
from everlet.run.engine import Engine
from everlet.run.phases import Now, integrate, part, tick
from everlet.script.commands.machine import KNOBS
from everlet.script.parser import Script
from everlet.state.plan import Plan
from tests.unit.test_snap import write

FULL, TURNED = Plan("full"), Plan("full", (("team", 16), ("ahead", 8)))


def on_paper(line: str) -> Engine:
    engine = Engine(Dry("cuda"))
    engine.script = Script(engine)
    engine.script.text(line, "paper")
    return engine


@pytest.fixture(autouse=True)
def known_peaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roofline, "peaks", lambda space: roofline.Peaks(1e10, 2e10, 1e10))


# ---- package everlet
@pytest.mark.parametrize("line", ["package everlet team 4", "package everlet ahead 4", "package everlet carveout 50"])
def test_options_for_gpus_are_refused_on_a_cpu(line: str) -> None:
    with pytest.raises(InputError, match=f"{line.rsplit(' ', 1)[0]} is for GPUs"):
        Simulation(device="serial").commands(line)


@pytest.mark.parametrize("line, message", [
    ("team 3", "team 3"), ("team 64", "team 64"), ("ahead 3", "ahead 3"), ("ahead 0", "ahead 0"), ("ahead 16", "ahead 16"),
    ("ahead", "2 or more"), ("ahead two", "whole number"), ("team four", "whole number"), ("carveout 101", "carveout 101"),
    ("carveout -1", "carveout -1"), ("graphs maybe", "yes or no"), ("team", "2 or more"),
])
def test_wrong_values(line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        on_paper(f"package everlet {line}")


def test_options_reach_the_pair_kernel() -> None:
    engine = on_paper("package everlet scheme full team 4 carveout 25 graphs off\nregion b block 0 9 0 9 0 9\ncreate_box 1 b\n"
                      "mass 1 1\npair_style lj/cut 2.5\npair_coeff * * 1 1")
    assert engine.options["graphs"] is False
    engine.comm = SerialComm(engine.system)
    kernels = [kernel for kernel in engine.planner.make(Plan("full")).evaluator.dry(False) if kernel.name == "neighbor_loop"]
    assert len(kernels) == 2
    for kernel in kernels:
        assert (kernel.team, dict(kernel.statics)["AHEAD"], kernel.carveout) == (4, 4, 25)
    assert engine.planner.choose().scheme == "full"
    with pytest.raises(InputError, match="team: scheme cells of this pair style has none"):
        engine.planner.make(Plan("cells"))


@pytest.mark.parametrize("given", ["team 2", "ahead 2", "carveout 50"])
def test_a_run_with_a_team_is_not_tuned(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered must be measured with the usual team."""
    engine = on_paper(f"package everlet {given}")
    monkeypatch.setattr(engine.tuner, "choose", None)
    assert engine.planner.choose().scheme == "full"


def test_rows_are_filled_up_for_every_team() -> None:
    for team in ListScheme.knobs["team"]:
        given, ahead = team_shape(Dry("cuda"), 10**6, team)
        assert given == team and TEAM_PAD % (team * ahead) == 0
    assert team_shape(Dry("cuda"), 10**6)[0] == 1 and tuple(sweeps.TEAMS) == ListScheme.knobs["team"]


def launched_by(lines: str, pair: str, plan: Plan = FULL) -> list[Kernel]:
    """What pair forces of a GPU on paper launch."""
    engine = on_paper(f"{lines}\nunits metal\nregion b block 0 9 0 9 0 9\ncreate_box 1 b\nmass 1 1\n{pair}")
    engine.system.atoms.append(x=np.ones((1, 3)), type=1, id=1)
    engine.comm = SerialComm(engine.system)
    evaluator = engine.planner.make(plan).evaluator
    with dry(engine.space) as lists:
        evaluator.neighbor.rebuild(engine.comm)
        evaluator.neighbor.mark_moved()
    return [kernel for kernel in evaluator.dry(False) if kernel.key not in lists.launched]


@pytest.fixture
def snap(tmp_path: Path) -> str:
    write(tmp_path, 2)
    return f"{tmp_path / 'my.snapcoeff'} {tmp_path / 'my.snapparam'} A"


def batching(kernels: list[Kernel]) -> dict[str, set[int]]:
    """The threads or products of each loop."""
    found: dict[str, set[int]] = {}
    for kernel in kernels:
        ahead = dict(kernel.statics).get("AHEAD", 0) if kernel.name == "multiply_tile" else 0
        found.setdefault(kernel.name, set()).add(ahead or kernel.team)
    return found


@pytest.mark.parametrize("line, plan, team, ahead", [
    ("", FULL, 32, 4), ("package everlet team 8 ahead 2", FULL, 8, 2), ("package everlet ahead 1 team 32", FULL, 32, 1),
    ("", TURNED, 16, 8), ("package everlet team 4", TURNED, 4, 8)])
@pytest.mark.parametrize("overlay", [False, True])
def test_team_and_ahead_reach_the_loops_of_snap(snap: str, line: str, plan: Plan, team: int, ahead: int, overlay: bool) -> None:
    """As the user says, else as tuned, else as usual; other sub-styles have the team if they can."""
    pair = f"pair_style snap\npair_coeff * * {snap}"
    if overlay:
        pair = f"pair_style hybrid/overlay zbl 2.0 3.0 snap\npair_coeff 1 1 zbl 6 6\npair_coeff * * snap {snap}"
    found = batching(launched_by(line, pair, plan))
    own = {team} if line or plan.knobs else {16}  # few atoms: the force loop has fewer threads for each
    assert (found["team_neighbours"], found["team_forces"], found["multiply_tile"]) == ({team}, own, {ahead})
    if overlay:
        usual = batching(launched_by("", pair))["neighbor_loop"]
        assert found["neighbor_loop"] == ({team} if team < 32 and (line or plan.knobs) else usual)


def test_forces_of_many_atoms_have_fewer_threads_for_each(snap: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snap_scheme, "MANY", 0)  # there is one atom
    found = batching(launched_by("", f"pair_style snap\npair_coeff * * {snap}", FULL))
    assert (found["team_neighbours"], found["team_forces"]) == ({32}, {8})


def test_what_a_scheme_has_not_is_refused_by_name() -> None:
    melt = "pair_style lj/cut 2.5\npair_coeff * * 1 1"
    with pytest.raises(InputError, match="ahead: scheme full of this pair style has none"):
        launched_by("package everlet ahead 4", melt)
    with pytest.raises(InputError, match="team 32: scheme full of this pair style") as failure:
        launched_by("package everlet team 32", melt)
    assert str(failure.value.remedy) == "use one of 1, 2, 4, 8, 16"
    left_out = launched_by("", melt, Plan("full", (("team", 32), ("ahead", 8))))  # of a restart file, for another style
    assert batching(left_out) == batching(launched_by("", melt))
    known = {name: values for name, (values, _) in KNOBS.items()}
    assert SnapInTeams.knobs == known and TeamClusters.knobs["team"] == known["team"]


def test_every_loop_of_snap_has_a_stage(snap: str) -> None:
    others = set(batching(launched_by("", f"pair_style snap\npair_coeff * * {snap}"))) - set(STAGES)
    alike = {"add_up", "reverse_forces"}  # of all styles
    assert others - alike == {"by_channel", "clear_copies"}, "rows by channel, and forces that are set to zero"


def test_carve_out_is_set_on_a_copy_of_the_kernel(tmp_path: Path) -> None:
    path, loaded, calls = tmp_path / "loop_1.py", [], []
    path.with_suffix(".ptx").write_text(".visible .entry loop(\n")

    class Driver:
        def cuModuleLoadData(self, module: Any, text: bytes) -> int:
            loaded.append(text)
            return 0

        def cuModuleGetFunction(self, function: Any, module: Any, name: bytes) -> int:
            function._obj.value = 100 + len(loaded)
            return 0

        def cuFuncSetAttribute(self, function: Any, which: int, value: int) -> int:
            calls.append((function.value, which, value))
            return 0

    gpu = object.__new__(Gpu)
    gpu.driver = Driver()  # type: ignore[assignment]
    assert [gpu.kernel(path), gpu.kernel(path, 50), gpu.kernel(path, 0), gpu.kernel(path, 50)] == [101, 102, 103, 102]
    assert calls == [(102, 9, 50), (103, 9, 0)]


# ---- bench
def test_steps_are_chosen_by_a_first_run() -> None:
    case, found = runs.repeated(runs.Case(100, steps=0, device="serial"), 2)
    assert case.steps % runs.WARM == 0 and case.steps > 0 and len(found) == 2
    assert found[0].pairs == found[1].pairs > 0


def fake_gpu(monkeypatch: pytest.MonkeyPatch) -> list[tuple[runs.Case, bool]]:
    """Every device counts as a GPU; nothing runs. Gives the cases that were asked for, and whether pairs were counted."""
    asked: list[tuple[runs.Case, bool]] = []

    def repeated(case: runs.Case, repeat: int, count: bool = True) -> tuple[runs.Case, list[runs.Run]]:
        asked.append((case, count))
        case = runs.replace(case, steps=case.steps or 400)
        seconds = 0.5 / (case.team or 1)
        run = runs.Run(seconds, 0.1, 4 * case.cells**3, 10.0, {"Graph": 0.8 * seconds}, case.scheme or "full", 5 * count, 9)
        return case, [run] * repeat

    monkeypatch.setattr(bench, "target", lambda device: "cuda")
    monkeypatch.setattr(bench, "repeated", repeated)
    return asked


def test_bench_of_a_gpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = fake_gpu(monkeypatch)
    words = f"bench lj --device serial --sizes 500,4000 --precision double,mixed --json {tmp_path}/b.json"
    assert main(words.split()) == 0
    assert [(case.atoms, case.steps, count) for case, count in asked] == [
        (500, 0, True), (500, 0, False), (4000, 0, True), (4000, 0, False)]
    rows = json.loads((tmp_path / "b.json").read_text())["rows"]
    assert rows[2]["steps_per_second"] == 800 and rows[2]["rate"] == 800 * 4000 and rows[1]["pairs"] == 5
    assert not any("roofline" in row for row in rows)
    shown = capsys.readouterr().out
    assert "G/s" in shown and "roof" not in shown and "0.0032" in shown and "80 %" in shown


# ---- studies
def test_saturation(tmp_path: Path) -> None:
    words = f"study saturation --sizes 100,500 --precision double --steps 20 --repeat 1 --device serial --out {tmp_path}"
    assert main(words.split()) == 0
    content = json.loads((tmp_path / "saturation.json").read_text())
    assert [row["atoms"] for row in content["rows"]] == [108, 500] and content["device"]["threads"] == 1
    assert "half of it from" in (tmp_path / "saturation.txt").read_text()
    assert sweeps.ladder(8000) == [1000, 2000, 4000, 8000] and sweeps.ladder(500) == [1000]


def test_neighbours_on_a_cpu(tmp_path: Path) -> None:
    words = f"study neighbours --sizes 100 --steps 20 --repeat 1 --device serial --out {tmp_path}"
    assert main(words.split()) == 0
    rows = json.loads((tmp_path / "neighbours.json").read_text())["rows"]
    assert [(row["scheme"], row["newton"], row["team"]) for row in rows] == [
        ("full", True, 0), ("full", False, 0), ("half", True, 0), ("half", False, 0)]
    assert rows[2]["listed"] < rows[3]["listed"] < rows[0]["listed"] == rows[1]["listed"]


def test_neighbours_and_carveout_on_a_gpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = fake_gpu(monkeypatch)
    assert main(f"study neighbours --sizes 500 --team 1,4 --device serial --out {tmp_path}".split()) == 0
    assert [(case.scheme, case.newton, case.team) for case, _ in asked] == [
        (scheme, newton, team) for scheme in ("full", "half") for newton in (True, False) for team in (1, 4)]
    assert "fastest with 500 atoms, r_c 2.5: full double serial team 4" in (tmp_path / "neighbours.txt").read_text()
    asked.clear()
    assert main(f"study carveout --sizes 500 --percent 0,100 --device serial --out {tmp_path}".split()) == 0
    assert [case.carveout for case, _ in asked] == [-1, 0, 100]
    with pytest.raises(InputError, match="--team 3"):
        sweeps.neighbours(["--team", "3"])


def test_batching(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every shape is measured once, the one that is in both tables too; ratios are to no batching."""
    fake_gpu(monkeypatch)
    asked: list[runs.Case] = []

    def measured(case: runs.Case, cycles: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        asked.append(case)
        spent = {"team_neighbours": 10.0 * case.team, "unfold": 20.0, "weigh": 30.0, "multiply_tile": 3200.0 / case.ahead,
                 "fold": 10.0, "team_forces": 100.0 * case.team, "kick": 8.0}
        rows = [{"kernel": name, "stage": STAGES.get(name, ""), "microseconds": us} for name, us in spent.items()]
        return rows, {"atoms": 2 * case.cells**3, "steps": 20, "graph_microseconds": sum(spent.values())}

    monkeypatch.setattr(profile, "measure", measured)
    assert main(f"study batching --device serial --atoms 54 --cycles 2 --out {tmp_path}".split()) == 0
    assert [(case.system, case.atoms, case.team, case.ahead) for case in asked] == [
        ("snap", 54, *shape) for shape in ((32, 4), (16, 4), (8, 4), (4, 4), (32, 1), (32, 2), (32, 8))]
    content = json.loads((tmp_path / "batching.json").read_text())
    rows = {(row["batched"], row["team"], row["ahead"]): row for row in content["rows"]}
    assert len(rows) == 8 and len(content["kernels"]) == 7 * 7
    eight, four = rows["neighbours", 8, 4], rows["products", 32, 4]
    assert eight["microseconds"] == {"ComputeU": 5.0, "ComputeY": 42.0, "FusedForce": 40.0}
    assert eight["step_microseconds"] == 87.4
    assert eight["gain"] == {"ComputeU": 3.4, "ComputeY": 1.0, "FusedForce": 4.0}
    assert four["gain"] == {"ComputeU": 1.0, "ComputeY": pytest.approx(162 / 42), "FusedForce": 1.0}
    assert four["microseconds"] == rows["neighbours", 32, 4]["microseconds"]
    shown = (tmp_path / "batching.txt").read_text()
    assert "snap, 54 atoms, ahead 4" in shown and "snap, 54 atoms, team 32" in shown
    assert shown.splitlines()[2].split() == ["team", "ComputeU", "x", "ComputeY", "x", "FusedForce", "x", "step"]
    assert "8 5.0 3.40 42.0 1.00 40.0 4.00 87.4" in " ".join(shown.split())


def test_plot_of_batching() -> None:
    rows = [{"batched": what, "atoms": 54, "team": team, "ahead": 4, "microseconds": {"ComputeU": 64.0 / team}}
            for what in ("neighbours", "products") for team in (32, 16)]
    figure, panels = MagicMock(), (MagicMock(), MagicMock())
    figure.subplots.return_value = panels
    plots.batching(figure, rows)
    panels[0].plot.assert_called_once_with((16, 32), (4.0, 2.0), marker="o", label="ComputeU, 54 atoms")
    assert panels[1].plot.call_args.args[0] == (4, 4)


def test_products_of_a_case_are_asked_for() -> None:
    with pytest.raises(InputError, match="package everlet ahead is for GPUs"):
        runs.prepared(runs.Case(16, device="serial", ahead=2, system="snap-ta"))


# ---- profile
@pytest.mark.parametrize("scheme", ["full", "half"])
def test_profile_of_a_cpu(tmp_path: Path, scheme: str) -> None:
    words = f"study profile --atoms 500 --cycles 2 --precision mixed --scheme {scheme} --device serial --out {tmp_path}"
    assert main(words.split()) == 0
    content = json.loads((tmp_path / "profile.json").read_text())
    rows = {row["kernel"]: row for row in content["rows"]}
    assert rows["neighbor_loop"]["launches"] == rows["kick"]["launches"] == rows["place_images"]["launches"] == 20
    assert rows["build_list"]["launches"] == rows["wrap"]["launches"] == 1
    assert all(row["bytes"] > 0 and row["microseconds"] > 0 for row in rows.values()), "every kernel has a model"
    cycle = content["cycles"][0]
    assert cycle["full"] == (scheme == "full") and cycle["pairs"] < cycle["entries"] / (2 if cycle["full"] else 1)
    assert cycle["fixed"] == ("to_fixed" in rows)
    assert rows["kick"]["operations"] == 20 * 6 * 500
    assert cycle["graph_microseconds"] >= cycle["microseconds"] > 0


def test_models() -> None:
    """Fused kernels touch what their parts share once; 148 bytes per atom for the whole integration of a step."""
    from everlet.comm.kernels import label_images_i32, place_images

    counts = traffic.Counts(1000, 0, 75000, 27000, 64)
    both = Kernel(kick, parts=(Kernel(kick), Kernel(kick_drift), Kernel(place_images)))
    assert traffic.moved(both, 1000, (), counts) == 148 * 1000
    assert traffic.operations(both, counts) == 18 * 1000
    counts.ghosts = 10
    labels = Kernel(label_images_i32, parts=(Kernel(label_images_i32), Kernel(label_images_i32)))
    assert traffic.moved(labels, 1000, (), counts) == 4 * 1000 + 2 * 8 * 10
    assert traffic.moved(profile.adding(8, chained=True), 1000, (), counts) == 0


@pytest.mark.parametrize("memory, arithmetic, seconds, name, words", [
    (0.7, 0.1, 1e-4, "wrap", "memory bandwidth"), (0.2, 0.9, 1e-4, "wrap", "arithmetic"), (0.9, 0.1, 2e-6, "wrap", "its start"),
    (1.5, 0.1, 1e-4, "kick", "caches"), (0.3, 0.3, 1e-4, "neighbor_loop", "gathers of positions, 3000 GB/s"),
    (0.1, 0.0, 1e-4, "build_list", "candidates"), (0.1, 0.0, 1e-4, "wrap", "latency"),
])
def test_limits(memory: float, arithmetic: float, seconds: float, name: str, words: str) -> None:
    row = {"kernel": name, "of_bandwidth": memory, "of_arithmetic": arithmetic, "bytes": 10}
    assert words in profile_rows.limit(row, seconds, 1e-6, 3e12)


class FakeGpu:
    """Runs at once; a mark is a microsecond after the one before it."""

    def __init__(self) -> None:
        self.clock = 0.0

    def mark(self) -> float:
        self.clock += 1e-6
        return self.clock

    def seconds(self, first: float, last: float) -> float:
        return last - first

    def kernel(self, *given: Any) -> None:
        """Nothing is to be loaded."""

    def capture(self, start: Any) -> Any:
        """Nothing is captured: launches are made one by one."""
        return start

    def replay(self, start: Any) -> None:
        start()

    def forget(self, start: Any) -> None:
        """Nothing was captured."""


def on_fake_gpu(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, list[str]]:
    """A simulation on one core whose space pretends to have a GPU that replays integration."""
    sim = runs.prepared(runs.Case(100, device="serial"))
    sim.run(0)
    assert sim.loop is not None
    sim.space.gpu = FakeGpu()  # type: ignore[attr-defined]
    plans: list[str] = []

    def launches(plan: str) -> list[Any]:
        plans.append(plan)
        with collected(sim.space) as found:
            sim.loop.go((integrate, *part(tick)), Now())  # type: ignore[union-attr]
        return found

    monkeypatch.setattr(sim.loop, "replay", SimpleNamespace(launches=launches))
    monkeypatch.setattr(profile, "_busy", lambda sim, seconds: lambda: None)
    return sim, plans


def test_profile_by_events(monkeypatch: pytest.MonkeyPatch) -> None:
    sim, plans = on_fake_gpu(monkeypatch)
    found, whole, empty = profile.on_device(sim, 3)
    assert plans == ["s" * 19 + "r"] and len(found) == 3 and sim.space.limit == NEVER
    assert [one[0].name for one in found[0]] == ["kick_drift", "add_all", "kick"]
    assert all(abs(one[3] - 1e-6) < 1e-12 for cycle in found for one in cycle)
    assert abs(whole - 1e-6) < 1e-12 and abs(empty - 1e-6) < 1e-12


def test_profile_stops_when_kernels_do_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    sim, _ = on_fake_gpu(monkeypatch)
    sim.space.control[profile.TROUBLE] = 1
    with pytest.raises(RunError, match="outgrew"):
        profile.on_device(sim, 1)
    sim.loop.replay = None
    with pytest.raises(InputError, match="only GPUs replay steps"):
        profile.on_device(sim, 1)


# ---- info
def test_information_names_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(about, "installed", lambda name: "" if name in ("mpi4py", "matplotlib", *about.CUPY) else "1.0")
    monkeypatch.setattr(about.gpu, "why_not", lambda: "CuPy is not installed")
    shown = about.report()
    for words in ("pip install 'everlet[mpi]'", "pip install 'everlet[plot]'",
                  "GPU: not usable: CuPy is not installed\n  -> pip",
                  f"GPU arrays (CuPy): missing\n  -> {about.INSTALL}", "makes kernels for sm_", "takes the CPU"):
        assert words in shown


def test_information_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = SimpleNamespace(getDeviceProperties=lambda k: {"name": b"Card 5", "multiProcessorCount": 131},
                              driverGetVersion=lambda: 12080, memGetInfo=lambda: (70e9, 80e9))
    driver = SimpleNamespace(**dict.fromkeys(about.GRAPHS))
    card = SimpleNamespace(cupy=SimpleNamespace(cuda=SimpleNamespace(runtime=runtime)), device=0, driver=driver,
                           begin=lambda: None)
    monkeypatch.setattr(gpu, "connect", lambda device: card)
    space = Cuda()
    monkeypatch.setattr(about, "choose", lambda device: space)
    monkeypatch.setattr(about.gpu, "why_not", lambda: "")
    monkeypatch.setattr(about, "architecture", lambda: "sm_90")
    monkeypatch.setattr(about, "driver_version", lambda: "570.1")
    lines = about._gpu_lines()
    assert lines[0] == "GPU: Card 5, sm_90, 131 multiprocessors, 80.0 GB of memory, 70.0 free"
    assert lines[1:] == ["GPU driver: 570.1, up to CUDA 12.8", "GPU graphs: yes"]
    del driver.cuGraphLaunch
    assert "GPU graphs: no" in about._gpu_lines()[2]


def test_driver_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build\nGCC version: 12\n"
    (tmp_path / "version").write_text(text)
    monkeypatch.setattr(about, "NVIDIA", tmp_path / "version")
    assert about.driver_version() == "570.86.15"
    monkeypatch.setattr(about, "NVIDIA", tmp_path / "none")
    assert about.driver_version() == ""


def test_a_compiler_that_does_not_work_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(about.nvrtc, "version", lambda: "")
    shown = about._compiler_line()
    assert "NVRTC" in shown and "is not installed" in shown and "pip install '.[cuda13]'" in shown
