"""Fixes and computes of everyday work: schedules, what steps need, continued runs, and input that is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.fixes.averages.base import Means, Schedule
from everlet.state.operation import ENERGY, VIRIAL
from tests.oracle.harness import working_in
from tests.scripts import melt

SCRIPT = melt("0 3 0 3 0 3", "1.44 87287 loop geom") + """
group some id 1:20
variable e equal pe
variable t equal 1.5
variable x atom x
variable s string hallo
"""


def simulation(text: str = "") -> Simulation:
    sim = Simulation(device="serial", log="none", screen="none")
    sim.commands(SCRIPT + text)
    return sim


@pytest.mark.parametrize("words, start, step, expected", [
    ("1 1 10", 0, 0, 0), ("1 1 10", 0, 3, 10), ("2 3 10", 0, 0, 6), ("2 3 10", 0, 6, 6), ("2 3 10", 0, 7, 16),
    ("1 10 10", 0, 0, 1), ("1 10 10", 0, 5, 11), ("5 1 5", 12, 0, 15), ("3 2 15", 20, 0, 27), ("1 1 10", 20, 20, 20),
])
def test_schedule(words: str, start: int, step: int, expected: int) -> None:
    schedule = Schedule.read(words.split(), "a test")
    schedule.start = start
    assert schedule.next(step) == expected


def test_means() -> None:
    never = np.array([False, True])
    for way, size, expected in (("one", 0, 5.0), ("running", 0, 3.0), ("window", 2, 4.0)):
        means = Means(way, size)
        for value in (1.0, 3.0, 5.0):
            means.add(np.array([value, value]), never)
        assert means.now().tolist() == [expected, 5.0]
        other = Means(way, size)
        other.restore(means.state())
        assert other.now().tolist() == means.now().tolist()


def test_energy_is_computed_where_it_will_be_asked_for() -> None:
    """A variable of a thermo word between thermo outputs, a compute, and a fix between its samples."""
    sim = simulation("variable twice equal 2*v_e+1\nfix 1 all nve\nfix a all ave/time 3 2 12 v_twice c_thermo_press\n"
                     "thermo 100\nfix b all ave/time 5 1 5 c_thermo_temp\n")
    fix = sim.engine.system.fixes["a"]
    assert {ENERGY, VIRIAL} <= set(fix.needs(9)) and fix.needs(6) == () and sim.engine.system.fixes["b"].needs(5) == ()
    sim.commands("run 20")
    assert fix.vector()[0] != 0.0 and fix.idle_between


def test_what_is_kept_goes_on(tmp_path: Path) -> None:
    """References of msd, stored values and running means go into restart files."""
    end = ("pair_style lj/cut 2.5\npair_coeff * * 1.0 1.0\ncompute m all msd com yes\nfix 1 all nve\n"
           "fix k all store/state 0 x v_x\nfix a all ave/time 4 2 12 c_m[4] c_thermo_pe ave window 3\n"
           "fix b all temp/berendsen 1.0 2.0 0.5\nrestart 14 r.*\nthermo_style custom step temp pe c_m[4] f_a[1] f_a[2] f_b\n")
    with working_in(tmp_path):
        whole = simulation(end + "run 42")
        rest = Simulation(device="serial", log="none", screen="none")
        rest.commands(f"read_restart r.14\nvariable x atom x\n{end}run 28 start 0 stop 42")
    assert whole.thermo.history[-1] == rest.thermo.history[-1]
    assert np.array_equal(whole.gather("f_k.kept"), rest.gather("f_k.kept"))
    whole.commands("unfix k\nuncompute m")
    assert "f_k.kept" not in whole.engine.system.atoms.fields and "c_m.origin" not in whole.engine.system.atoms.fields


def test_a_thermostat_takes_its_compute_along() -> None:
    sim = simulation("fix b all temp/berendsen 1.0 1.0 0.5\n")
    assert "b_temp" in sim.engine.system.computes
    sim.commands("compute p all temp/partial 1 1 0\nfix_modify b temp p")
    assert "b_temp" not in sim.engine.system.computes
    sim.commands("unfix b\nfix b all temp/berendsen 1.0 1.0 0.5\nunfix b")
    assert "b_temp" not in sim.engine.system.computes and "p" in sim.engine.system.computes


@pytest.mark.parametrize("line, message", [
    ("fix 2 all langevin 1.0 1.0 0.5", "expected 4 or more"),
    ("fix 2 all langevin 1.0 1.0 0.5 0", "seed"),
    ("fix 2 all langevin 1.0 1.0 0.0 1", "above zero"),
    ("fix 2 all langevin -1.0 1.0 0.5 1", "negative"),
    ("fix 2 all langevin 1.0 1.0 0.5 1 gjf vhalf", "gjf is not available"),
    ("fix 2 all langevin 1.0 1.0 0.5 1 omega yes", "omega is not available"),
    ("fix 2 all langevin 1.0 1.0 0.5 1 angmom 1.0", "angmom is not available"),
    ("fix 2 all langevin 1.0 1.0 0.5 1 scale 1 0.0", "above zero"),
    ("fix 2 all langevin 1.0 1.0 0.5 1 scale 7 1.0", "out of range"),
    ("fix 2 all langevin 1.0 1.0 0.5 1 tally maybe", "yes or no"),
    ("fix 2 all langevin 1.0 1.0 0.5 1 zeros yes", "did you mean zero"),
    ("fix 2 all langevin 1.0 1.0 0.5 1\nfix_modify 2 temp thermo_pe", "not a temperature"),
    ("fix 2 all langevin 1.0 1.0 0.5 1\nfix_modify 2 energy yes", "no energy"),
    ("fix 2 all temp/berendsen 1.0 1.0", "expected 3"),
    ("fix 2 all temp/berendsen 1.0 1.0 -3", "above zero"),
    ("velocity all set 0 0 0\npair_coeff * * 0 1\nfix 2 all temp/berendsen 1.0 1.0 1.0\nrun 1", "temperature is 0"),
    ("compute 2_temp all temp\nfix 2 all temp/berendsen 1.0 1.0 1.0", "exists already"),
    ("fix 2 all setforce 0 0", "expected 3"),
    ("fix 2 all setforce 0 0 none", "expected a force"),
    ("fix 2 all setforce 0 0 0 region nowhere", "unknown region"),
    ("fix 2 all setforce 0 0 v_s\nrun 0", "style string"),
    ("fix 2 all addforce 0 0 NULL", "expected a force"),
    ("fix 2 all addforce 0 0 0 every 0", "1 or more"),
    ("fix 2 all addforce 0 0 0 energy v_x", "for forces that are variables"),
    ("fix 2 all addforce 0 0 v_t energy v_e\nrun 0", "not of style atom"),
    ("fix 2 all addforce 0 0 0 often", "unknown keyword"),
    ("fix 2 all ave/time 3 2 10 v_t", "samples"),
    ("fix 2 all ave/time 1 1 10 t", "values are c_ID"),
    ("fix 2 all ave/time 1 1 10 c_nothing", "unknown compute"),
    ("fix 2 all ave/time 1 1 10 c_thermo_temp mode vector off 2", "there are 1 values"),
    ("fix 2 all ave/time 1 1 10 v_t mode vector", "vector style"),
    ("fix 2 all ave/time 1 1 10 c_thermo_press c_thermo_temp mode vector", "grow with the system"),
    ("fix 2 all ave/time 1 1 10 c_thermo_pe[1]", "is no number"),
    ("fix 2 all ave/time 1 1 10 c_thermo_temp[5*9]", "out of range"),
    ("fix 2 all ave/time 1 1 10 v_t overwrite file f", "ave running"),
    ("fix 2 all ave/time 1 1 10 v_t ave window 0", "1 or more"),
    ("fix 2 all ave/time 1 1 10 v_t file nowhere/f", "cannot write"),
    ("fix 2 all ave/time 1 1 10 v_t\nreset_timestep 0", "follows the step"),
    ("fix 2 all store/state 0", "expected 2"),
    ("fix 2 all store/state -1 x", "0 or more"),
    ("fix 2 all store/state 0 element", "not a number"),
    ("fix 2 all store/state 0 speed", "unknown"),
    ("compute 2 all temp/partial 1 1", "expected 3"),
    ("compute 2 all temp/partial 1 1 2", "0 or 1"),
    ("compute 2 all msd mean yes", "unknown keyword"),
    ("compute 2 all com yes", "no arguments"),
    ("compute 2 all ke/atom yes", "no arguments"),
    ("compute 2 all property/atom element", "not a number"),
    ("compute 2 all property/atom", "expected 1"),
])
def test_bad_input_is_refused(line: str, message: str, tmp_path: Path) -> None:
    with working_in(tmp_path), pytest.raises(InputError) as caught:
        simulation(line)
    assert message in str(caught.value)
