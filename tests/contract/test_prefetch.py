"""Prefetching changes no bit, and the entries of the list that it reads beyond the last row are there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from everlet.forces.manybody.eam.schemes import Embedded
from everlet.forces.pair.schemes import lists as list_schemes
from everlet.forces.pair.schemes import windows as window_scheme
from everlet.forces.pair.schemes.windows import Windows
from everlet.neighbor import ahead, rows
from everlet.perf.systems import located
from everlet.portable import Reference, Serial
from everlet.portable.backends.cpu import machine
from everlet.portable.kernels import lane_width
from tests.scripts import crystal

MELT = crystal("0 4 0 4 0 4") + """
mass 1 1.0
displace_atoms all random 0.1 0.1 0.1 2377
package everlet scheme {scheme}
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0
neighbor 0.3 bin
"""
COPPER = f"""
units metal
lattice fcc 3.6
region box block 0 3 0 3 0 3
create_box 1 box
create_atoms 1 box
displace_atoms all random 0.2 0.2 0.2 2377
package everlet scheme {{scheme}}
pair_style eam
pair_coeff 1 1 {located("Cu_u3.eam")}
"""
SYSTEMS = {"melt": MELT, "copper": COPPER}


def in_every_run(test: str, given: dict[str, Any]) -> bool:
    """Every loop in double precision, one of each system in mixed."""
    if test == "test_no_bit_changes":
        return given["precision"] == "double" or (given["precision"] == "mixed" and given["scheme"] == "half")
    return True


def started(system: str, scheme: str, device: str = "serial", precision: str = "double") -> Simulation:
    sim = Simulation(device=device, precision=precision, tune=False)
    return sim.commands(SYSTEMS[system].format(scheme=scheme) + "run 0")


def forces(sim: Simulation) -> np.ndarray:
    """Of a step without tallies."""
    assert sim.engine.loop is not None
    sim.engine.loop.forces(False)
    return sim.array("f").copy()


@pytest.mark.parametrize("precision", ["double", "mixed", "single"])
@pytest.mark.parametrize("system, scheme", [("melt", "half"), ("melt", "full"), ("melt", "windows"), ("copper", "half"),
                                            ("copper", "full")])
def test_no_bit_changes(monkeypatch: pytest.MonkeyPatch, system: str, scheme: str, precision: str) -> None:
    found = []
    for steps in (0, ahead.PREFETCH):
        for module in (list_schemes, window_scheme):
            monkeypatch.setattr(module, "steps_ahead", lambda space, steps=steps: steps)
        sim = started(system, scheme, precision=precision)
        assert sim.engine.loop is not None and sim.engine.loop.pair is not None
        found.append((sim.array("f").copy(), forces(sim)))
        texts = [kernel.program("cpu").text for kernel in sim.engine.loop.evaluator.dry(False)]
        assert any("prefetch3(" in text for text in texts) == (steps > 0)
    assert np.abs(found[0][0]).max() > 0
    assert all((a == b).all() for a, b in zip(*found, strict=True))


def last_row_full(sim: Simulation) -> None:
    """Fill up the last row to the last entry before the slack, with 'no atom'."""
    assert sim.engine.loop is not None and sim.engine.loop.pair is not None and sim.engine.lists is not None
    near, scheme = sim.engine.lists, sim.engine.loop.pair.scheme
    if isinstance(scheme, Windows):
        last = int(scheme.edges[-1]) - 1
        end, begin = (last + 1) * scheme.pitch, last * scheme.pitch + int(scheme.steps.data[last])
        scheme.rows.data[begin:end] = scheme.filler.data[last]
        scheme.steps.data[last] = scheme.pitch
        assert scheme.rows.shape[0] == end + window_scheme.SLACK
        return
    last = int(np.argmax(near.first.data[: sim.engine.system.atoms.n]))
    row = 8 * int(near.first.data[last])
    near.neigh.data[row + int(near.count.data[last]) : near.room] = near.filler
    near.count.data[last] = near.room - row
    assert near.dense and near.neigh.shape[0] == near.room + rows.SLACK


@pytest.mark.parametrize("slack", [ahead.SLACK, 0])
@pytest.mark.parametrize("scheme", ["half", "full", "windows"])
def test_a_list_that_is_full(monkeypatch: pytest.MonkeyPatch, scheme: str, slack: int) -> None:
    """Plain Python looks at every index: without the entries behind the last row it cannot read ahead."""
    for module in (rows, window_scheme):
        monkeypatch.setattr(module, "SLACK", slack)
    sim = Simulation(device="reference").commands(MELT.format(scheme=scheme).replace("0 4", "0 2") + "run 0")
    before = forces(sim)
    last_row_full(sim)
    if slack:
        assert np.abs(forces(sim) - before).max() <= 1e-13 * np.abs(before).max()
    else:
        with pytest.raises(IndexError):
            forces(sim)


def test_there_is_slack_for_the_widest_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "host_bytes", lambda: 64)
    assert lane_width("cpu", "single") == 16
    assert ahead.PREFETCH * lane_width("cpu", "single") <= ahead.SLACK


def test_short_rows_have_the_slack_of_the_list() -> None:
    sim = started("copper", "half")
    assert sim.engine.loop is not None and sim.engine.loop.pair is not None and sim.engine.lists is not None
    scheme = sim.engine.loop.pair.scheme
    assert isinstance(scheme, Embedded)
    assert scheme.rows()[0].shape == sim.engine.lists.neigh.shape == (sim.engine.lists.room + ahead.SLACK,)


@pytest.mark.parametrize("width, steps", [(16, ahead.PREFETCH), (32, 0), (64, 0)])
def test_only_narrow_registers_prefetch(monkeypatch: pytest.MonkeyPatch, width: int, steps: int) -> None:
    monkeypatch.setattr(machine, "host_bytes", lambda: width)
    assert ahead.steps_ahead(Serial()) == steps
    assert ahead.steps_ahead(Reference()) == ahead.PREFETCH


@pytest.mark.parametrize("cutoff, lanes", [(2.5, 0), (1.12, list_schemes.SHORT_LANES)])
def test_only_short_rows_have_fewer_lanes(monkeypatch: pytest.MonkeyPatch, cutoff: float, lanes: int) -> None:
    text = MELT.format(scheme="half").replace("lj/cut 2.5", f"lj/cut {cutoff}").replace("0.3 bin", "0.2 bin")
    sim = Simulation(device="reference", tune=False).commands(text + "run 0")
    assert sim.engine.loop is not None and sim.engine.loop.pair is not None
    scheme = sim.engine.loop.pair.scheme
    assert isinstance(scheme, list_schemes.ListScheme)
    monkeypatch.setattr(list_schemes, "narrow", lambda space: True)
    scheme.neighbor.cutoff = 0.0  # lists learn it after schemes are made
    other = type(scheme)(scheme.system, scheme.neighbor, scheme.parameters)
    other.choose(scheme.options)
    assert other.kernel(False).width == lanes
