"""nvt, npt and nph on a GPU: the trajectories of one core, replayed without the host, and restarts that repeat every bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.devices import GPUS

START = """
units lj
lattice fcc 0.8
region box {region}
create_box 2 box
create_atoms 1 box
set type 1 type/fraction 2 0.3 5311
mass 1 1.0
mass 2 2.5
velocity all create 1.4 87287 loop all
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
group one type 1
package everlet tune off
thermo 50
"""
CUBE, TILTED = "block 0 5 0 5 0 5", "prism 0 5 0 5 0 5 0.5 0.25 -0.5"
WORDS = {
    "nvt": ("all nvt temp 1.4 1.0 0.3", CUBE),
    "iso": ("all npt temp 1.4 1.0 0.3 iso 1.0 2.0 0.7", CUBE),
    "coupled": ("all npt temp 1.4 1.0 0.3 x 1.0 2.0 0.7 y 1.0 2.0 0.7 z 3.0 2.0 0.7 couple xy nreset 7", CUBE),
    "tri": ("all npt temp 1.4 1.4 0.3 tri 1.0 1.0 0.5 pchain 2", TILTED),
    "shear": ("all npt temp 1.4 1.4 0.3 xy 0.2 0.1 0.5 z 1.0 1.0 0.5", TILTED),
    "dilate": ("one npt temp 1.4 1.4 0.3 aniso 1.0 1.0 0.5 dilate one", CUBE),
    "nph": ("all nph iso 1.0 2.0 0.7 pchain 0", CUBE),
}


def made(device: str, name: str, more: str) -> Simulation:
    words, region = WORDS[name]
    return Simulation(device=device).commands(START.format(region=region) + f"fix 1 {words}\n{more}")


@pytest.mark.parametrize("device", GPUS)
@pytest.mark.parametrize("name", WORDS)
def test_trajectories_are_those_of_one_core(name: str, device: str) -> None:
    host, gpu = (made(one, name, "run 100") for one in ("serial", device))
    assert gpu.engine.loop is not None and gpu.engine.loop.replay is not None and gpu.engine.loop.replay.graphs
    for field in ("x", "v", "f"):
        one, other = (sim.gather(field) for sim in (host, gpu))
        np.testing.assert_allclose(other, one, rtol=0, atol=1e-9 * np.abs(one).max(), err_msg=field)
    np.testing.assert_allclose(gpu.engine.system.need_box().h, host.engine.system.need_box().h, rtol=1e-11)
    for one, other in zip(host.thermo.history, gpu.thermo.history, strict=True):
        assert other == pytest.approx(one, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("device", GPUS)
@pytest.mark.parametrize("name", ["nvt", "coupled", "tri", "nph"])
def test_restarts_repeat_every_bit(name: str, device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ramp = "start 0 stop 200"
    whole = made(device, name, f"restart 30 plan\nrun 60 {ramp}\nrun 40 {ramp}")
    part = Simulation(device=device).commands(f"read_restart plan.30\npackage everlet tune off\nthermo 50\n"
                                              f"fix 1 {WORDS[name][0]}\nrestart 30 again\nrun 30 {ramp}\nrun 40 {ramp}")
    for field in ("id", "x", "v", "f", "image"):
        assert np.array_equal(part.gather(field), whole.gather(field)), field
    assert part.thermo.history[-1] == whole.thermo.history[-1]
