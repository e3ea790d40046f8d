"""Loops of embedded atoms in stages, which CPUs with narrow registers use on steps without tallies, against the plain space
and against the loop of all pair styles.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from everlet.forces.manybody.eam import schemes as embedded_schemes
from everlet.neighbor.ahead import narrow
from everlet.perf.systems import located
from everlet.portable import Serial

START = """
units metal
newton {newton}
lattice fcc 3.6
region box block 0 3 0 3 0 3
create_box {types} box
create_atoms 1 box
{alloy}
displace_atoms all random 0.2 0.2 0.2 2377
package everlet scheme {scheme}
{style}
"""
ONE = f"pair_style eam\npair_coeff 1 1 {located('Cu_u3.eam')}"


def in_every_run(test: str, given: dict[str, Any]) -> bool:
    """Short segments, which end within rows, with every list; long ones with two types in one."""
    if test == "test_stages_give_the_same_forces":
        return given["segment"] == 8 or (given["scheme"], given["newton"], given["types"]) == ("half", "on", 2)
    return True


def forces(device: str, scheme: str, newton: str, types: int, threads: int = 1) -> tuple[np.ndarray, np.ndarray, str]:
    """Forces of a step with tallies and of one without, and the name of the loop of the latter."""
    sim = Simulation(device=device, threads=threads)
    style = ONE.replace("1 1", "* *") if types == 1 else f"{ONE}\npair_coeff 2 2 {located('Au_u3.eam')}"
    alloy = "set group all type/fraction 2 0.4 991" if types == 2 else ""
    sim.commands(START.format(newton=newton, types=types, alloy=alloy, scheme=scheme, style=style) + "run 0")
    tallied = sim.array("f").copy()
    loop = sim.engine.loop
    assert loop is not None
    loop.forces(False)
    assert loop.pair is not None
    return tallied, sim.array("f").copy(), loop.pair.scheme.kernel(False).name  # type: ignore[attr-defined]


@functools.cache
def reference(scheme: str, newton: str, types: int) -> tuple[np.ndarray, np.ndarray, str]:
    return forces("reference", scheme, newton, types)


@pytest.mark.parametrize("segment", [8, 256])
@pytest.mark.parametrize("types", [1, 2])
@pytest.mark.parametrize("scheme, newton", [("half", "on"), ("half", "off"), ("full", "on")])
def test_stages_give_the_same_forces(monkeypatch: pytest.MonkeyPatch, scheme: str, newton: str, types: int,
                                     segment: int) -> None:
    monkeypatch.setattr(embedded_schemes, "SEGMENT", segment)
    tallied, plain, name = forces("serial", scheme, newton, types)
    assert name == ("staged_force" if narrow(Serial()) else "neighbor_loop")
    expected, _, other = reference(scheme, newton, types)
    assert other == "neighbor_loop"
    size = np.abs(expected).max()
    np.testing.assert_allclose(tallied, expected, rtol=0, atol=1e-12 * size)
    np.testing.assert_allclose(plain, expected, rtol=0, atol=1e-12 * size)


@pytest.mark.parametrize("accumulate", ["coloured", "duplicated"])
def test_stages_on_two_threads(accumulate: str) -> None:
    one, two = (forces("cpu", f"half accumulate {accumulate}", "on", 1, threads)[1] for threads in (1, 2))
    np.testing.assert_allclose(one, two, rtol=0, atol=1e-12 * np.abs(one).max())


def test_a_choice_of_branches_needs_the_other_loop() -> None:
    _, branched, name = forces("serial", "half branch yes", "on", 1)
    assert name == "neighbor_loop"
    np.testing.assert_allclose(branched, forces("serial", "half", "on", 1)[1], rtol=0, atol=1e-12 * np.abs(branched).max())
