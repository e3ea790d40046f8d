"""Loops over contacts of grains: one contact at a time (GPUs), packed for lanes, and once for two grains (one core)."""

from __future__ import annotations

import numpy as np
import pytest

from everlet import Simulation
from everlet.forces.granular import scheme
from tests.oracle.test_granular import script

STEPS = 30
FIELDS = ("x", "v", "omega", "f", "torque")
WHOLE = ("pair_style granular\npair_coeff * * hertz 200000.0 50.0 tangential linear_history 60000.0 0.5 0.4 "
         "rolling sds 500.0 2.0 0.3 twisting marshall\n")


def moved(style: str) -> tuple[dict[str, np.ndarray], list[str], float]:
    """Where grains of several sizes are after some steps, what loops did it, and the pressure."""
    sim = Simulation(device="serial", screen="none", tune=False)
    sim.commands(script("history", "ours").replace("dump", "#") + style)
    names: list[str] = []
    sim.commands("run 0\n")
    space = sim._session.space
    space.watch = lambda kernel, items, arguments, launch: (names.append(kernel.name), launch())
    sim.commands(f"run {STEPS}\n")
    space.watch = None
    return {name: sim.gather(name) for name in FIELDS}, names, sim.thermo.value("press")


@pytest.mark.parametrize("style", ["", WHOLE], ids=["history", "whole"])
def test_loops_agree(style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheme, "BLOCK_ALONE", 32)  # contacts inside of blocks, and between them
    found = {"twice": moved(style)}
    monkeypatch.setattr(scheme.Granular, "twice", False)
    found["packed"] = moved(style)
    monkeypatch.setattr(scheme.Granular, "packs_on", staticmethod(lambda system: False))
    found["plain"] = moved(style)
    assert any("packed_contacts" in name for name in found["packed"][1])
    assert not any("packed_contacts" in name for name in found["plain"][1])
    for name in ("twice", "packed"):
        for field in FIELDS:
            wanted = found["plain"][0][field]
            error = np.abs(found[name][0][field] - wanted).max() / np.abs(wanted).max()
            assert error < 1e-10, (name, field, error)
        assert abs(found[name][2] / found["plain"][2] - 1.0) < 1e-10
