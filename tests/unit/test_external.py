"""Forces of Python functions, by fix external and python/invoke: the same as those of fix addforce."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.unit.test_fixes_continue import BOX, REST

START = BOX + REST + "fix 1 all nve\nthermo_style custom step temp pe press\nthermo_modify norm no\n"


def simulation(text: str) -> Simulation:
    sim = Simulation(device="serial", screen="none", log="none", tune=False)
    sim.commands(START + text)
    return sim


def push(caller: Any, step: int, n: int, ids: np.ndarray, x: np.ndarray, f: np.ndarray) -> None:
    caller.append(step)
    f[:] = 0.0
    f[:, 0] = 0.1 * np.cos(x[:n, 0]) + 0.01 * step


def test_forces_of_a_function() -> None:
    expected = simulation("variable a atom 0.1*cos(x)+0.01*step\nfix 2 some addforce v_a 0 0\nrun 10\n")
    sim, asked = simulation("fix 2 some external pf/callback 1 1\n"), []
    with pytest.raises(InputError, match="has no function"):
        sim.run(1)
    sim.set_fix_external_callback("2", push, asked)
    sim.fix_external_set_energy_global("2", 3.5)
    sim.run(10)
    assert asked == list(range(11))
    np.testing.assert_allclose(sim.gather("x"), expected.gather("x"), rtol=1e-13)
    assert sim.thermo.value("pe") == pytest.approx(expected.thermo.value("pe") + 3.5, rel=1e-12)
    sim.fix_external_set_energy_global("2", 0.0)
    sim.fix_external_set_virial_global("2", [3.0, 3.0, 3.0, 0.0, 0.0, 0.0])
    before, volume = expected.thermo.value("press"), sim.thermo.value("vol")
    assert sim.thermo.value("press") == pytest.approx(before + 3.0 / volume, rel=1e-10)
    rare = simulation("fix 2 all external pf/callback 4 2\n")
    rare.set_fix_external_callback("2", push, seen := [])
    rare.run(10)
    assert seen == [0, 4, 8] and "2" in rare.engine.system.fixes


def test_forces_in_an_array() -> None:
    expected = simulation("fix 2 all addforce 0.1 0.2 0.3\nrun 10\n")
    sim = simulation("fix 2 all external pf/array 1\n")
    sim.fix_external_get_force("2")[:] = [0.1, 0.2, 0.3]
    sim.run(10)
    np.testing.assert_allclose(sim.gather("x"), expected.gather("x"), rtol=1e-13)
    with pytest.raises(InputError, match="from an array"):
        sim.set_fix_external_callback("2", push)
    with pytest.raises(InputError, match="there is no fix '1' of style external"):
        sim.fix_external_get_force("1")
    with pytest.raises(InputError, match="xx yy zz xy xz yz"):
        sim.fix_external_set_virial_global("2", [1.0])


CODE = '''
python push here """
def push(sim, tally):
    sim.set_array("f", sim.gather("f", "storage") + 0.1, "storage")
seen = []
def look(sim):
    seen.append((sim.engine.system.step, sim.thermo.value("pe")))
def fail(sim):
    return 1 / 0
"""
fix 2 all python/invoke 1 post_force push
fix 3 all python/invoke 5 end_of_step look
'''


def test_functions_of_scripts() -> None:
    expected = simulation("fix 2 all addforce 0.1 0.1 0.1\nrun 10\n")
    sim = simulation(CODE + "run 10\n")
    np.testing.assert_allclose(sim.gather("x"), expected.gather("x"), rtol=1e-13, atol=1e-15)
    seen = sim.engine.variables.module.seen
    assert [step for step, _ in seen] == [5, 10] and abs(seen[-1][1] / expected.thermo.value("pe") - 1.0) < 1e-13
    with pytest.raises(InputError, match="there is no Python function 'nothing'"):
        sim.commands("fix 4 all python/invoke 1 end_of_step nothing")
    with pytest.raises(InputError, match="'fail' failed: ZeroDivisionError"):
        sim.commands("fix 4 all python/invoke 1 end_of_step fail\nrun 1")
