"""Screen, log file and JSON-lines log; summary text."""

import json
import time

import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.io import summary
from everlet.io.log import Log
from everlet.state.units import Units


def test_screen_and_file(tmp_path, capsys):
    log = Log()
    log.write("before any file")
    log.fact("start", version="1", device="cpu")
    log.open(str(tmp_path / "log.a"))
    log.write("both")
    log.screen_only("screen")
    log.file_only("file\n")
    log.event("thermo", step=3, temp=float("nan"), c_x=1.5)
    log.warning("careful")
    log.open(str(tmp_path / "log.b"))
    log.close()
    assert capsys.readouterr().out.splitlines() == ["before any file", "both", "screen", "WARNING: careful"]
    assert (tmp_path / "log.a").read_text() == "both\nfile\nWARNING: careful\n"
    events = [json.loads(line) for line in (tmp_path / "log.a.jsonl").read_text().splitlines()]
    assert events == [
        {"event": "start", "version": "1", "device": "cpu"},
        {"event": "thermo", "step": 3, "temp": None, "c_x": 1.5},
        {"event": "warning", "text": "careful"},
    ]
    assert json.loads((tmp_path / "log.b.jsonl").read_text())["event"] == "start"
    assert log.warnings == 1


def test_warnings_behind_a_table(tmp_path, capsys):
    """In the file only rows follow a header; the screen and the events have warnings at once."""
    log = Log()
    log.open(str(tmp_path / "log"))
    with pytest.raises(KeyboardInterrupt), log.table():
        log.write("Step")
        log.warning("careful")
        log.write("0")
        raise KeyboardInterrupt
    log.warning("again")
    log.close()
    assert capsys.readouterr().out.splitlines() == ["Step", "WARNING: careful", "0", "WARNING: again"]
    assert (tmp_path / "log").read_text().splitlines() == ["Step", "0", "WARNING: careful", "WARNING: again"]


def test_what_a_run_says_to_programs(tmp_path):
    """The head of the events: versions, then units before any row; a table without warnings in it."""
    sim = Simulation(device="serial", log=str(tmp_path / "log")).commands("""
    units metal
    boundary p p f
    region b block 0 10 0 10 0 10
    create_box 1 b
    create_atoms 1 single 5 5 9.9
    create_atoms 1 single 5 5 5
    mass 1 40
    velocity all set 0 0 20
    fix 1 all nve
    thermo 10
    thermo_modify lost warn
    neighbor 0.1 bin
    neigh_modify every 1 delay 0
    run 30""")
    sim.close()
    events = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    start, begin = events[0], next(event for event in events if event["event"] == "begin")
    assert start["event"] == "start" and {"python", "numpy", "numba"} <= set(start["versions"]) and start["ranks"] == 1
    assert begin.pop("at") <= time.time()
    assert begin == {"event": "begin", "units": "metal", "dimension": 3, "step": 0, "steps": 30, "timestep": 0.001, "atoms": 2,
                     "types": 1}
    kinds = [event["event"] for event in events]
    assert kinds.index("begin") < kinds.index("thermo") < kinds.index("run")
    lines = (tmp_path / "log").read_text().splitlines()
    head = next(k for k, line in enumerate(lines) if line.split()[:1] == ["Step"])
    end = next(k for k, line in enumerate(lines) if line.startswith("Loop time"))
    assert [line.split()[0] for line in lines[head + 1 : end]] == ["0", "10", "20", "30"]
    assert any(line.startswith("WARNING: lost atoms: 2 before, 1 at step") for line in lines[end:])


def test_append_and_none(tmp_path, capsys):
    log = Log("none")
    for text, append in (("one", False), ("two", True)):
        log.open(str(tmp_path / "log"), append)
        log.write(text)
    log.open("none")
    log.write("nowhere")
    assert (tmp_path / "log").read_text() == "one\ntwo\n"
    assert capsys.readouterr().out == ""


def test_screen_file(tmp_path):
    log = Log(str(tmp_path / "screen"))
    log.write("hello")
    log.flush()
    assert (tmp_path / "screen").read_text() == "hello\n"


def test_unwritable(tmp_path):
    with pytest.raises(InputError, match="cannot open log file"):
        Log().open(str(tmp_path / "missing" / "log"))


REFERENCE = """Loop time of 0.000699356 on 1 procs for 20 steps with 48 atoms

Performance: 12354223.028 tau/day, 28597.738 timesteps/s, 1.373 Matom-step/s
33.3% CPU use with 1 MPI tasks x 1 OpenMP threads

MPI task timing breakdown:
Section |  min time  |  avg time  |  max time  |%varavg| %total
---------------------------------------------------------------
Pair    | 0.00047704 | 0.00047704 | 0.00047704 |   0.0 | 68.21
Neigh   | 9.093e-05  | 9.093e-05  | 9.093e-05  |   0.0 | 13.00
Comm    | 8.0587e-05 | 8.0587e-05 | 8.0587e-05 |   0.0 | 11.52
Output  | 1.2513e-05 | 1.2513e-05 | 1.2513e-05 |   0.0 |  1.79
Modify  | 1.6262e-05 | 1.6262e-05 | 1.6262e-05 |   0.0 |  2.33
Other   |            | 2.202e-05  |            |       |  3.15

Nlocal:             48 ave          48 max          48 min
Histogram: 1 0 0 0 0 0 0 0 0 0
Nghost:            738 ave         738 max         738 min
Histogram: 1 0 0 0 0 0 0 0 0 0
Neighs:           1865 ave        1865 max        1865 min
Histogram: 1 0 0 0 0 0 0 0 0 0

Total # of neighbors = 1865
Ave neighs/atom = 38.854167
Neighbor list builds = 1
Dangerous builds = 0
"""


def test_summary_is_the_known_layout():
    run = summary.RunSummary(
        seconds=0.000699356,
        steps=20,
        atoms=48,
        dt=0.005,
        cpu_seconds=0.333 * 0.000699356,
        ghosts=738,
        neighbors=1865,
        builds=1,
        sections={
            "Pair": 0.00047704,
            "Neigh": 9.093e-05,
            "Comm": 8.0587e-05,
            "Output": 1.2513e-05,
            "Modify": 1.6262e-05,
        },
    )
    assert summary.text(run, Units.named("lj")) == REFERENCE
    assert run.fields()["sections"]["Pair"] == 0.00047704


@pytest.mark.parametrize(
    "units, words",
    [
        ("real", "1777.547 ns/day, 0.014 hours/ns, 20573.465 timesteps/s, 987.526 katom-step/s"),
        ("electron", "1777547354.973 fs/day, 0.000 hours/fs, 20573.465 timesteps/s, 987.526 katom-step/s"),
        ("si", "20573.465 timesteps/s, 987.526 katom-step/s"),
    ],
)
def test_performance_by_units(units, words):
    run = summary.RunSummary(seconds=0.000486063, steps=10, atoms=48, dt=1.0)
    assert summary.performance(run, Units.named(units)) == "Performance: " + words


def test_no_steps_no_performance():
    text = summary.text(summary.RunSummary(seconds=1e-6, steps=0, atoms=4, dt=1.0, check=False), Units.named("lj"))
    assert "Performance" not in text and "Dangerous builds not checked" in text and "100.00" in text
