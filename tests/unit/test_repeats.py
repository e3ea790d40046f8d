"""Steps that cores repeat from lists of launches: the same bits as ordinary steps, whatever comes between."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.run.repeats import Repeats
from tests.oracle.harness import Case, load_case, run_everlet
from tests.scripts import melt

CASES = [load_case(path) for path in sorted((Path(__file__).parents[1] / "cases").glob("*.yaml"))]
NAIVE = str(Path(__file__).parents[1] / "naive_fixes.py")
START = melt("0 4 0 4 0 4", "1.44 87287 loop geom", first="{first}", types=2) + """
set group all type/fraction 2 0.3 5311
neighbor 0.3 bin
neigh_modify {neigh}
package everlet scheme {scheme} tune off
thermo 17
fix 1 all nve
"""
FIXES = """
fix 2 all langevin 1.0 2.0 0.5 4711 zero yes tally yes
group few id 1:20
fix 4 few setforce NULL 0.0 0.1
fix 5 few addforce 0.3 0.0 0.1
fix 6 all ave/time 5 2 20 c_thermo_pe c_thermo_temp
thermo_style custom step temp pe press f_2 f_4[1] f_5 f_6[1]
"""
Act = Callable[[Simulation], object]


class Counted:
    """Steps that were repeated."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.steps, self.usual = 0, Repeats._repeat
        monkeypatch.setattr(Repeats, "_repeat", self.repeat())

    def repeat(self) -> Callable[[Repeats, bytes], None]:
        def counted(repeats: Repeats, due: bytes) -> None:
            before = repeats.system.step
            self.usual(repeats, due)
            self.steps += repeats.system.step - before

        return counted


def made(repeated: bool, act: Act | str, threads: int = 1, **options: str) -> Simulation:
    chosen = {"first": "", "neigh": "delay 0 every 1 check yes", "scheme": "half"} | options
    sim = Simulation(device="cpu", threads=threads)
    sim.load_plugin(NAIVE)
    sim.commands(START.format(**chosen) + f"package everlet graphs {'on' if repeated else 'off'}\n")
    sim.commands(act) if isinstance(act, str) else act(sim)
    return sim


def both(monkeypatch: pytest.MonkeyPatch, act: Act | str, least: int, threads: int = 1, **options: str) -> Simulation:
    """With and without: equal, and at least so many steps are repeated; 0: none."""
    counted = Counted(monkeypatch)
    one = made(True, act, threads, **options)
    assert counted.steps >= least and (counted.steps > 0) == (least > 0), counted.steps
    counted.steps = 0
    other = made(False, act, threads, **options)
    assert counted.steps == 0
    for name in ("id", "x", "v", "f", "image", "type"):
        np.testing.assert_array_equal(*(sim.engine.system.atoms.read(name) for sim in (one, other)), err_msg=name)
    assert one.thermo.history == other.thermo.history
    for what in ("builds", "dangerous", "ago"):
        assert getattr(one.engine.lists.decision, what) == getattr(other.engine.lists.decision, what), what
    return one


@pytest.mark.parametrize("scheme", ["full", "half"])
@pytest.mark.parametrize(("neigh", "least"), [("delay 0 every 20 check no", 40), ("delay 0 every 1 check yes", 25),
                                              ("delay 4 every 2 check yes", 15), ("once yes", 50)])
def test_repeated_steps_are_ordinary_steps(monkeypatch: pytest.MonkeyPatch, neigh: str, least: int, scheme: str) -> None:
    both(monkeypatch, "run 60", least, neigh=neigh, scheme=scheme)


@pytest.mark.parametrize("accumulate", ["coloured", "duplicated"])
def test_threads(monkeypatch: pytest.MonkeyPatch, accumulate: str) -> None:
    both(monkeypatch, "run 60", 25, threads=2, scheme=f"half accumulate {accumulate}")


def test_noise_ramps_and_averages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fixes that follow the clock, without a set-up too; averages are events."""
    both(monkeypatch, f"{FIXES}run 60\nrun 30 pre no\nrun 40", 20)


def test_edits_between_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("pair_coeff 1 1 0.8 1.0", "change_box all x scale 1.05 remap", "mass 1 1.5", "timestep 0.003",
             "velocity all scale 2", "displace_atoms all random 0.02 0.02 0.02 5", "set atom 3 type 2",
             "delete_atoms group few", "fix 2 all viscous 0.1", "unfix 2", "neighbor 0.4 bin", "reset_timestep 7")
    both(monkeypatch, "group few id 1:3\nrun 12\n" + "\n".join(f"{line}\nrun 12" for line in lines), 60)


def test_rows_frames_and_files_in_between(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """And a run that goes on from such a file."""
    out = f"thermo 7\ndump d all custom 5 {tmp_path}/dump id x fx\nrestart 20 {tmp_path}/file.*\nrun 50"
    sim = both(monkeypatch, out, 20)
    again = Simulation(device="serial").commands(f"read_restart {tmp_path}/file.20\npair_style lj/cut 2.5\npair_coeff * * 1 1\n"
                                                 "neigh_modify delay 0 every 1 check yes\nfix 1 all nve\n"
                                                 "package everlet scheme half tune off\nthermo 7\n"
                                                 f"restart 20 {tmp_path}/more.*\nrun 30")
    np.testing.assert_array_equal(again.gather("x"), sim.gather("x"))


@pytest.mark.parametrize("name", ["box", "step", "ramp", "variable", "group", "own", "list", "field", "clock"])
def test_who_asks_the_host_at_every_step_is_asked(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    if name == "clock":
        counted = Counted(monkeypatch)
        made(True, "fix 2 all naive/clock\nrun 6")
        assert not counted.steps
        return
    box = name == "box"  # which stays as it is
    both(monkeypatch, f"variable size equal 0.002*step\ngroup left id 1:90\nfix 2 all naive/{name}\nrun 30", 10 if box else 0)


@pytest.mark.parametrize("name", ["timestep", "now_and_then", "nudges", "begins"])
def test_what_the_host_changes_now_and_then_is_seen(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    more = "fix 3 all dt/reset 11 0.001 0.006 0.02 units box\n" if name == "timestep" else ""
    both(monkeypatch, f"fix 2 all naive/{name}\n{more}run 40\nrun 20 pre no\nrun 20 pre no", 10)


def test_atoms_come_and_go_between(monkeypatch: pytest.MonkeyPatch) -> None:
    hole = "region hole block 0 4 0 4 2.5 3.5\ndelete_atoms region hole\nregion low block 0 4 0 4 0 1\n"
    sim = both(monkeypatch, hole + "fix 2 all deposit 3 1 15 4711 region hole near 0.3 attempt 50\n"
               "fix 3 all evaporate 20 2 low 4711\nrun 60", 15)
    assert sim["f_2"] == 3 and sim["f_3"] > 0


def test_a_moving_box_is_the_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    both(monkeypatch, "unfix 1\nfix 1 all npt temp 1 1 0.3 iso 1 1 2\nrun 12", 0)
    both(monkeypatch, "fix 2 all deform 1 x erate 0.01\nrun 12", 0)


def test_callbacks_may_change_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    def act(sim: Simulation) -> None:
        @sim.on_step(10)
        def halve(now: Simulation) -> None:
            with now.local() as d:
                d.v[:] *= 0.9

        sim.run(45)

    both(monkeypatch, act, 20)


def test_time_is_that_of_phases() -> None:
    one, other = (made(repeated, "run 100", neigh="once yes") for repeated in (True, False))
    assert one.engine.loop.timers.seconds.keys() == other.engine.loop.timers.seconds.keys()
    assert one.engine.loop.timers.seconds["Pair"] > 0.0


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_every_case(case: Case, tmp_path: Path) -> None:
    """Whatever styles it has: a hook or a term that hides work of the host from notes would be skipped without a word."""
    one, other = (run_everlet(case.full_script(f"package everlet graphs {graphs}"), case.files, tmp_path / graphs)
                  for graphs in ("on", "off"))
    assert len(one.thermo) == len(other.thermo) and one.frames.keys() == other.frames.keys()
    for ours, theirs in zip([*one.thermo, *one.frames.values()], [*other.thermo, *other.frames.values()], strict=True):
        for name in ours:
            np.testing.assert_array_equal(ours[name], theirs[name], err_msg=name)


def test_loops_of_spheres_are_joined() -> None:
    """Rows of their masses are numbered before launches are collected: who asks the host is not fused."""
    sim = Simulation(device="serial").commands(
        "units lj\natom_style sphere\nregion b block 0 6 0 6 0 6\ncreate_box 1 b\ncreate_atoms 1 random 20 1 b\n"
        "pair_style gran/hooke 1000.0 NULL 5.0 NULL 0.5 0\npair_coeff * *\nfix 1 all nve/sphere\ntimestep 0.001\nrun 1")
    assert sim.engine.loop.steady
