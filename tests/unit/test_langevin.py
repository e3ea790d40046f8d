"""Noise by atom and step: temperature, diffusion, no drift; continued runs; and the two streams."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import AsksHost
from everlet.run.collecting import collecting
from tests.oracle.harness import working_in
from tests.scripts import crystal

GAS = """
units lj
{order}
region box block 0 50 0 50 0 50 units box
create_box 2 box
create_atoms 1 random {count} 4711 NULL
set type 1 type/fraction 2 0.5 99
mass 1 1.0
mass 2 4.0
pair_style zero 1.0
pair_coeff * *
neighbor 2.0 bin
timestep 0.01
fix 1 all nve
"""
LIQUID = crystal("0 4 0 4 0 4", first="{order}") + """
mass 1 1.0
velocity all create 1.44 87287 loop geom
"""
REST = """
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
fix 1 all nve
fix 2 all langevin 1.0 2.0 0.5 4711 zero yes tally yes
restart 20 r.*
thermo 10
thermo_style custom step temp pe f_2
"""
IN_ORDER = "atom_modify sort 0 0"


def simulation(text: str, device: str = "serial", log: str = "none", threads: int = 0) -> Simulation:
    sim = Simulation(device=device, threads=threads, log=log, screen="none")
    sim.commands(text)
    return sim


def test_temperature_and_diffusion_of_free_particles() -> None:
    """<v^2> of each type is 3 T / m, and <x^2> grows by 6 D t with D = T damp / m (damp holds for every type)."""
    count, t, damp = 3000, 1.7, 0.5
    sim = simulation(GAS.format(order="", count=count) + f"fix 2 all langevin {t} {t} {damp} 12345\nrun 500\n"
                     "compute m all msd\nthermo_style custom step c_m[4]\nrun 1000")
    v, mass = sim.gather("v"), np.where(sim.gather("type") == 1, 1.0, 4.0)
    for one in (1.0, 4.0):
        some = v[mass == one]
        error = 4 * t * math.sqrt(2 / some.size) + 0.01 * t  # the second part: of the time step
        assert one * (some**2).mean() == pytest.approx(t, abs=error)
    shares = 3 * t * damp * (1.0 / mass).mean()
    expected = 2 * shares * (10.0 - damp * (1 - math.exp(-10.0 / damp)))
    assert sim.thermo.table()["c_m[4]"][-1] == pytest.approx(expected, rel=0.06)


def test_noise_that_sums_to_zero() -> None:
    sim = simulation(LIQUID.format(order="") + REST.replace("restart 20 r.*", "") + "run 50")
    assert np.abs(sim.gather("v").sum(axis=0)).max() < 1e-11
    sim = simulation(LIQUID.format(order="") + REST.replace("restart 20 r.*", "").replace("zero yes", "") + "run 5")
    assert np.abs(sim.gather("v").sum(axis=0)).max() > 1e-3


WAYS = {"by atom": ("cpu", ""), "sorted": ("serial", ""), "often": ("serial", "atom_modify sort 7 1.0"),
        "in order": ("cpu", IN_ORDER)}


@pytest.mark.parametrize("device, order", WAYS.values(), ids=WAYS)
def test_a_continued_run_is_the_same_run(device: str, order: str, tmp_path: Path) -> None:
    threads = {"threads": 2} if device == "cpu" else {}
    with working_in(tmp_path):
        whole = simulation(LIQUID.format(order=order) + REST + "run 40", device, log="whole.log", **threads)
        again = "read_restart r.20\n" + order.replace(IN_ORDER, "") + REST
        rest = simulation(again + "run 20 start 0 stop 40", device, **threads)
        text = Path("whole.log").read_text()
    for name in ("x", "v", "f"):
        assert np.array_equal(whole.gather(name), rest.gather(name)), name
    drawn = device == "serial" or bool(order)
    assert ("RANMAR" in text) == drawn and ("Philox" in text) != drawn


def test_threads_and_the_order_of_atoms_change_nothing() -> None:
    rest = REST.replace("restart 20 r.*", "") + "run 20"
    one = simulation(LIQUID.format(order="") + rest, "cpu", threads=2).gather("v")
    two = simulation(LIQUID.format(order="") + rest, "reference").gather("v")
    often = simulation(LIQUID.format(order="atom_modify sort 3 1.5") + rest, "cpu", threads=2).gather("v")
    assert np.abs(one - two).max() < 1e-12 and np.abs(one - often).max() < 1e-12


def test_steps_that_are_counted_again_have_other_noise() -> None:
    """After reset_timestep the noise of earlier steps must not come again: it would drive atoms along the same path."""
    script = GAS.format(order="", count=50) + "fix 2 all langevin 1.0 1.0 1e6 4711\nrun 10\n"
    sim = simulation(script)
    first = sim.gather("v")
    sim.commands("reset_timestep 0\nrun 10")
    second = sim.gather("v") - first
    assert abs(np.corrcoef(first.reshape(-1), second.reshape(-1))[0, 1]) < 0.4
    assert sim.engine.system.fixes["2"].stream == 1


def test_a_gpu_would_replay_it() -> None:
    """By atom and step: only kernels, with the same arguments at every step."""
    sim = simulation(LIQUID.format(order="") + REST.replace("restart 20 r.*", "") + "run 1", "cpu", threads=2)
    fix = sim.engine.system.fixes["2"]
    assert fix.steady and fix.follows_clock
    with collecting(sim.engine.loop, kept=True) as launches:
        sim.engine.loop.call("post_force")
    assert launches
    sim = simulation(LIQUID.format(order=IN_ORDER) + REST.replace("restart 20 r.*", "") + "run 1")
    with pytest.raises(AsksHost, match="fix 2 in post_force"), collecting(sim.engine.loop, kept=True):
        sim.engine.loop.call("post_force")
