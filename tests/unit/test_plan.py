"""Plans: scripts are read without running or writing, memory and time follow from what is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from everlet import settings
from everlet.cli import main
from everlet.lab import calibrate, costs, memory, reading
from everlet.lab.machine import Machine, load, made
from everlet.perf.runs import Case, prepared
from tests.scripts import melt

MELT = melt("0 10 0 10 0 10", first="atom_style atomic") + """
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
fix a all ave/time 1 1 10 c_thermo_temp file averages.txt
dump d all atom 100 atoms.dump
thermo 50
variable n loop 3
label again
run 100
next n
jump SELF again
write_data after.data
run 1000 upto
"""
STEP = {"start": 1e-4, "ghost": 3e-8, "atom": 2e-8, "built": 1e-7}
LJ = {"pair": 1e-8, "build": 2e-8, "entries": 37.6, "rate": 2.5e6, "start": 1e-4, "extra": 0.0}
FILE = {"name": "mine", "device": {"kind": "cpu", "units": 4, "memory": 1e9, "watts": 100},
        "network": {"latency": 1e-6, "bandwidth": 1e10}, "md": {"step": STEP, "lj/cut": LJ, "fix nve": {"atom": 1e-8}}}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script and a machine, in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    Path("in.melt").write_text(MELT)
    Path("mine.json").write_text(json.dumps(FILE))


def test_a_script_is_read_and_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.melt").write_text(MELT)
    found = reading.read("in.melt")
    assert [path.name for path in tmp_path.iterdir()] == ["in.melt"] and not found.notes
    assert [job.steps for job in found.jobs] == [100, 100, 100, 700]
    job = found.jobs[0]
    assert (job.atoms, job.pair, job.cutoff, job.skin, job.rebuild, job.checked) == (4000, "lj/cut", 2.5, 0.3, 20.0, False)
    assert job.listed == pytest.approx(39.0) and "nve" in job.fixes and job.dumps[0][1] == 100  # a crystal: 78 neighbours


def test_what_is_not_supported_is_named_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                     capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.odd").write_text(MELT.replace("fix 1 all nve\n", "fix 1 all nve\nfix 2 all poems molecule\nneb 1 2 3\n"))
    after = MELT.splitlines().index("fix 1 all nve") + 2
    Path("mine.json").write_text(json.dumps(FILE))
    assert main(["plan", "in.odd", "--machine", "mine.json", "--json", "plan.json"]) == 0
    out = capsys.readouterr().out
    assert f"in.odd:{after}" in out and f"in.odd:{after + 1}" in out and "poems" in out
    content = json.loads(Path("plan.json").read_text())
    assert len(content["notes"]) == 2 and [row["ranks"] for row in content["rows"]] == [1, 2, 4, 2, 1]
    first = content["rows"][0]
    assert sum(first["parts"].values()) == pytest.approx(1.0) and first["joule_tdp"] == pytest.approx(100 * first["seconds"])
    assert first["joule_measured"] is None and first["per_day_unit"] == "tau"
    assert first["step_seconds"] > content["rows"][1]["step_seconds"] > 0


def test_files_that_the_script_itself_writes_are_no_reason_to_refuse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                                     capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.melt").write_text(MELT + "write_restart kept.*\nclear\nread_restart kept.*\npair_coeff * * 1 1\nrun 10\n"
                               "read_dump atoms.dump 100 x y z\nrerun atoms.dump first 100 dump x y z\n")
    assert main(["check", "in.melt"]) == 0
    said = capsys.readouterr().out
    assert "ok  in.melt:" in said and "- " in next(line for line in said.splitlines() if "read_dump" in line)
    assert [path.name for path in tmp_path.iterdir()] == ["in.melt"]
    found = reading.read("in.melt")
    assert [(job.steps, job.atoms) for job in found.jobs] == [(100, 4000)] * 3 + [(700, 4000), (10, 4000)]
    assert len(found.notes) == 1 and "rerun is not planned" in found.notes[0]
    for wrong in ("rerun atoms.dump first 100", "rerun atoms.dump first soon dump x", "read_dump other.dump 1 x",
                  "read_restart other.*"):
        Path("in.melt").write_text(f"{MELT}write_restart kept.*\n{wrong}\n")
        assert main(["check", "in.melt"]) == 1 and f": {wrong}\n      " in capsys.readouterr().out


def test_runs_without_atoms_and_with_wrong_numbers_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan of an empty box looks like one of a fast machine."""
    monkeypatch.chdir(tmp_path)
    before = "run 10\nminimize 1 2\nrun -5\n"
    Path("in.odd").write_text(MELT.replace("create_atoms 1 box\n", f"{before}create_atoms 1 box\nrun -5\n"))
    found = reading.read("in.odd")
    assert [job.steps for job in found.jobs] == [100, 100, 100, 700]
    assert [note.split(": ", 1)[1] for note in found.notes[:4]] == [
        "run: there are no atoms, so that it is not planned", "expected 4 arguments, found 2",
        "run -5: a number of steps cannot be negative", "run -5: a number of steps cannot be negative"]


def test_larger_systems_and_other_precisions_are_planned_or_named(files: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main("plan in.melt --machine alps --nodes 64 --times 1000000 --json out.json".split()) == 0
    assert "4000000000 atoms" in capsys.readouterr().out
    row = json.loads(Path("out.json").read_text())["rows"][0]
    assert row["atoms"] == 4e9 and row["megabytes_per_rank"] > 5e3
    assert main("plan in.melt --machine mine.json,h200 --precision single".split()) == 0
    said = capsys.readouterr().out
    assert "single was not measured on cores" in said and "single precision was not measured on GPUs" in said


def test_ranks_and_threads_share_the_cores_of_a_node(files: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main("plan in.melt --machine mine.json --json out.json".split()) == 0
    one, _, four, *_ = (row["megabytes_per_rank"] * row["ranks"] for row in json.loads(Path("out.json").read_text())["rows"])
    room = (one + four) / 2 * 2**20  # bytes: enough for one rank, not for four; whose lists are full depends on the CPU
    Path("mine.json").write_text(json.dumps({**FILE, "device": {**FILE["device"], "memory": room}}))  # type: ignore[dict-item]
    assert main("plan in.melt --machine mine.json --json out.json".split()) == 0
    rows = json.loads(Path("out.json").read_text())["rows"]
    assert [(row["ranks"], row["threads"]) for row in rows] == [(1, 1), (2, 1), (4, 1), (2, 2), (1, 4)]
    assert all(0.3 < row["efficiency"] <= 1.0 for row in rows)
    assert [row["fits"] for row in rows] == [row["megabytes_per_rank"] * row["ranks"] * 2**20 < room for row in rows]
    assert rows[0]["fits"] and not all(row["fits"] for row in rows)
    assert main("plan in.melt --machine mine.json --threads 2 --json out.json".split()) == 0
    assert [(row["ranks"], row["threads"]) for row in json.loads(Path("out.json").read_text())["rows"]] == [(1, 2), (2, 2)]
    capsys.readouterr()
    for words, message in (("mine.json --threads 5", "4 cores, fewer than 5"), ("h200 --threads 2", "no meaning for GPUs")):
        assert main(["plan", "in.melt", "--machine", *words.split()]) == 1 and message in capsys.readouterr().err


def test_memory_is_that_of_the_arrays() -> None:
    for case in (Case(4000), Case(4000, cutoff=3.5)):
        sim = prepared(case)
        said = sum(memory.bytes_of(reading.job_of(sim, 0)).values())
        sim.run(0, post=False)
        assert said == pytest.approx(sim.bytes(), rel=0.1)


def test_a_second_rank_halves_the_work_and_adds_messages() -> None:
    job, machine = reading.job_of(prepared(Case(32000)), 100), made(json.loads(json.dumps(FILE)), "mine")
    one, two = costs.on_core(job, machine), costs.on_core(job, machine, 2)
    assert two.parts["Pair"] == pytest.approx(one.parts["Pair"] / 2) and "messages" in two.parts and "messages" not in one.parts
    entries = 78.0 if job.full else 39.0  # whose lists are full depends on the CPU
    assert one.parts["Pair"] == pytest.approx(32000 * (2e-8 + 1e-8 * entries))
    assert sum(two.bytes.values()) < 0.7 * sum(one.bytes.values())
    unknown = reading.Job(**{**vars(job), "pair": "tersoff"})
    assert costs.on_core(unknown, machine).error > one.error and costs.on_core(unknown, machine).notes


def test_projections_have_error_bars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.melt").write_text(MELT)
    words = "plan in.melt --machine h200-cluster,frontier --nodes 1,16,256 --weak yes --json p.json"
    assert main(words.split()) == 0
    rows = json.loads(Path("p.json").read_text())["rows"]
    assert [row["atoms"] for row in rows[:3]] == [4000, 64000, 1024000]
    near, far = rows[0], rows[3]
    assert far["error"] > near["error"] > 0 and far["joule_tdp"] != far["joule_measured"] is not None


def test_costs_are_learnt_in_order() -> None:
    """Trials made from known coefficients give these back."""
    job = reading.Job(0, atoms=32000, edges=(33.6,) * 3, volume=33.6**3, pair="lj/cut", cutoff=2.5, fixes=["nve"],
                      checked=False)
    job.listed, near = 37.6, reading.Job(**{**vars(job), "listed": 5.3})
    found = calibrate.Costs()
    tiny = calibrate.Trial("tiny", job, 108, 100, 37.6, 0.05, {"Pair": 1e-4}, 2e-4, 0.1)
    phases = {"Pair": 1e-4 + 32000 * (2e-8 + 1e-8 * 37.6), "Neigh": 0.05 * 32000 * (1e-7 + 2e-8 * 37.6), "Comm": 3e-4,
              "Modify": 32000 * 1e-8}
    short = {"Pair": 1e-4 + 32000 * (2e-8 + 1e-8 * 5.3), "Neigh": 0.05 * 32000 * (1e-7 + 2e-8 * 5.3), "Modify": 32000 * 1e-8}
    for trial in (tiny, calibrate.Trial("lj", job, 32000, 10000, 37.6, 0.05, phases, 1e-2, 12.0),
                  calibrate.Trial("short", near, 32000, 10000, 5.3, 0.05, short, 1e-2, 12.0)):
        calibrate.learn(found, trial)
    assert found.of("lj/cut", "pair") == pytest.approx(1e-8) and found.of("step", "atom") == pytest.approx(2e-8)
    assert found.of("lj/cut", "build") == pytest.approx(2e-8) and found.of("step", "built") == pytest.approx(1e-7)
    assert found.of("fix nve", "atom") == pytest.approx(1e-8) and found.of("step", "ghost") == pytest.approx(3e-8)


@pytest.mark.parametrize("words, message", [
    ("plan", ""), ("plan none.in", "there is no script"), ("plan in.melt --machine eos --nodes 600", "has 576 nodes"),
    ("plan in.melt in.melt", "several scripts"), ("plan in.melt --machine hera", "nothing is known about steps"),
    ("plan in.empty --machine h200", "no run that could be planned"), ("plan in.melt --var x", "NAME=VALUE"),
    ("measure nothing", "unknown measurement"),
    ("measure network --ranks 1", "two ranks"), ("measure md --only lk", "did you mean lj"),
])
def test_wrong_words_are_refused(words: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                 capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.melt").write_text(MELT)
    Path("in.empty").write_text("units lj\n")
    assert main(words.split()) == 1
    assert message in capsys.readouterr().err


def test_messages_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.STARTED, "EVERLET_CACHE", str(tmp_path))
    assert main(["measure", "network", "--json", str(tmp_path / "m.json")]) == 0
    machine = load(str(tmp_path / "m.json"))
    assert isinstance(machine, Machine) and machine.network.time(4 << 20) > machine.network.time(8) > 0
    assert load("here").network.points == machine.network.points


def test_a_gpu_is_as_measured_at_its_sizes_and_in_between() -> None:
    """Times and memory go through the points; a fit of start, rate and surface serves other GPUs."""
    job = reading.job_of(prepared(Case(4000, device="serial")), 0)
    sizes = (4000, 32000, 256000, 2048000)
    points = [(n, 2e-5 + n / 2.4e9 + 7e-9 * n ** (2 / 3), 600.0 * n / 2**20) for n in sizes]
    known = calibrate.learnt(job, points)
    assert (known["start"], known["rate"], known["surface"]) == pytest.approx((2e-5, 2.4e9, 7e-9), rel=1e-3)
    machine = made({"device": {"kind": "gpu", "memory": 1e11}, "md": {"lj/cut": known}}, "card")
    for n, seconds, megabytes in points:
        found = costs.on_gpu(reading.enlarged(job, n / 4000), machine)
        assert found.total == pytest.approx(seconds) and sum(found.bytes.values()) == pytest.approx(megabytes * 2**20)
    between = costs.on_gpu(reading.enlarged(job, 144000 / 4000), machine).total
    assert between == pytest.approx(0.5 * (points[1][1] + points[2][1]))


def test_ranks_pay_for_busy_cores_and_for_dividing_a_box() -> None:
    job = reading.job_of(prepared(Case(4000, device="serial")), 0)
    plain = costs.on_core(job, made(json.loads(json.dumps(FILE)), "plain"), 4)
    shared = {"crowd": {"md": [[1, 1.0], [2, 1.5], [4, 2.0]]},
              "division": {"2": {"step": 1e-4, "rebuild": 1e-3}, "8": {"step": 3e-4, "rebuild": 1e-3}}}
    found = costs.on_core(job, made(json.loads(json.dumps({**FILE, **shared})), "shared"), 4)
    assert found.parts["Pair"] == pytest.approx(2.0 * plain.parts["Pair"])
    assert found.parts["division"] == pytest.approx(2e-4 + 1e-3 / 20)  # half way between 2 and 8 ranks, rebuilt every 20 steps
    assert costs.on_core(job, made(json.loads(json.dumps({**FILE, **shared})), "shared"), 1).total == pytest.approx(
        costs.on_core(job, made(json.loads(json.dumps(FILE)), "plain"), 1).total)


def test_rows_of_thermo_output_cost_more_on_a_gpu_than_steps() -> None:
    job = reading.job_of(prepared(Case(4000, device="serial")), 0)
    known = {"start": 2e-5, "rate": 2.4e9, "entries": 78.0, "points": [[4000, 2e-5], [32000, 4e-5]]}
    card = {"device": {"kind": "gpu"}, "md": {"lj/cut": known, "thermo row": {"start": 1e-3, "atom": 1e-9}}}
    plain = costs.on_gpu(job, made(json.loads(json.dumps(card)), "card")).total
    job.thermo = 100
    assert costs.on_gpu(job, made(json.loads(json.dumps(card)), "card")).total == pytest.approx(plain + (1e-3 + 4e-6) / 100)
    known["thermo"] = 100  # as in the runs that were measured
    assert costs.on_gpu(job, made(json.loads(json.dumps(card)), "card")).total == pytest.approx(plain)


MATTER = {"lj/cut": (16_384_000, 0.8442, 2.8, 39.0), "snap": (64_000, 0.0622, 5.7, 29.0), "reaxff": (465_000, 0.1, 11.0, 280.0)}


def job_on_gpus(pair: str) -> reading.Job:
    """What studies of large machines plan, at their sizes."""
    atoms, density, reach, listed = MATTER[pair]
    edge = (atoms / density) ** (1 / 3)
    return reading.Job(100, atoms=atoms, edges=(edge,) * 3, volume=edge**3, pair=pair, cutoff=reach - 0.3, skin=0.3,
                       listed=listed, fixes=["nve"], row_bytes=104)


@pytest.mark.parametrize("pair, limit", [("lj/cut", "bandwidth"), ("snap", "f64"), ("reaxff", "f64")])
@pytest.mark.parametrize("name", ["mi250x", "mi300a", "pvc"])
def test_one_gpu_of_another_vendor_is_planned_by_what_limits_it(name: str, pair: str, limit: str) -> None:
    job, there, here = job_on_gpus(pair), load(name), load("h200")
    ours, theirs = costs.on_gpu(job, here), costs.on_gpu(job, there)
    ratio = there.device.times(here.device, limit)
    assert min(ratio, 1.0) <= ours.total / theirs.total <= max(ratio, 1.0)
    assert ours.total / theirs.total == pytest.approx(ratio, rel=0.1)  # systems are large: hardly a step is its start
    assert theirs.error >= 0.35 and theirs.bytes == ours.bytes and sum(theirs.bytes.values()) < there.device.memory
    assert theirs.parts["start"] == ours.parts["start"]


@pytest.mark.parametrize("pair", MATTER)
@pytest.mark.parametrize("name", ["frontier", "aurora", "el-capitan", "mi250x-package", "max1550"])
def test_more_gpus_are_faster_as_long_as_there_are_atoms(name: str, pair: str) -> None:
    """On the nodes of a machine a step is shorter than on one of its GPUs, by no more than their number; messages take more of
    it the more there are. Where one step follows another on every node, no machine is quicker than what starts a step."""
    job, machine = job_on_gpus(pair), load(name)
    alone = costs.on_gpu(job, machine)
    many = [costs.on_gpu(job, machine, nodes * machine.devices) for nodes in (1, 4, 16) if nodes <= machine.nodes]
    for found in many:
        assert alone.total / found.ranks < found.total < 0.75 * alone.total
        assert found.total > alone.parts["start"] and found.parts["messages"] > 0.0
    shares = [found.parts["messages"] / found.total for found in many]
    assert shares == sorted(shares)


def test_memory_of_other_gpus_is_known(files: None) -> None:
    """A system that fills an H200 is too large for a GCD, as plans say."""
    assert main("plan in.melt --machine h200,mi300a,mi250x,pvc --times 40000 --json p.json".split()) == 0
    rows = {row["machine"]: row for row in json.loads(Path("p.json").read_text())["rows"]}
    assert {name: row["fits"] for name, row in rows.items()} == {"h200": True, "mi300a": True, "mi250x": False, "pvc": False}
    assert len({row["megabytes_per_rank"] for row in rows.values()}) == 1
