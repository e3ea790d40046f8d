"""A reactive force field and its charges on every compiled device, with the steps that a GPU replays: what one core gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.reax_systems import water

LINES = """
units real
atom_style charge
read_data atoms
pair_style reaxff NULL
pair_coeff * * acks2_ff.water H O
group some id 1:18
fix q {fix} 1 0.0 10.0 1e-10 reaxff maxiter 500
fix 1 all nve
neighbor 0.5 bin
neigh_modify every 1 delay 0 check yes
timestep 0.2
velocity all create 600 4711 loop all
thermo_style custom step pe f_q
thermo 20
"""
SPACES: dict[str, Any] = {"threads": {"device": "cpu", "threads": 2}}


def state(fix: str, device: str) -> list[np.ndarray]:
    sim = Simulation(**{"screen": "none", "log": "none"} | SPACES.get(device, {"device": device}))
    sim.commands(LINES.format(fix=fix)).run(30)
    order = np.argsort(sim.gather("id"))
    return [sim.gather(name)[order] for name in ("q", "x", "f")] + [np.array(sim.thermo.table()["pe"])]


@pytest.mark.parametrize("fix", ["all qeq/reaxff", "all acks2/reaxff", "some acks2/reaxff"])
def test_charges_positions_and_forces(fix: str, compiled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "atoms").write_text(water(2, edge=3.4))
    for found, wanted in zip(state(fix, compiled), state(fix, "serial"), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-7 * np.abs(wanted).max())
