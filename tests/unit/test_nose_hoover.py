"""fix nvt, npt and nph: replayed steps, restart files, what is refused, and what the chain keeps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.forces.pair.schemes import lists
from everlet.run.graphs import Replay
from tests.unit.test_restart import goes_on

MELT = """
units lj
lattice fcc 0.8442
region box {region}
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 2.0 87287 loop geom
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0 2.5
group some id 1:50
package everlet tune off
"""
CUBE, TILTED = "block 0 3 0 3 0 3", "prism 0 3 0 3 0 3 0.5 0.25 -0.5"
FIXES = {"nvt": "nvt temp 1.0 1.4 0.3 tchain 4 tloop 2 drag 0.1",
         "npt": "npt temp 1.0 1.4 0.3 x 1.0 2.0 0.7 y 1.0 2.0 0.7 z 3.0 2.0 0.7 couple xy nreset 7",
         "nph": "nph iso 1.0 2.0 0.7 pchain 2"}


def made(fix: str = "", region: str = CUBE, device: str = "serial") -> Simulation:
    return Simulation(device=device).commands(MELT.format(region=region) + fix)


@pytest.mark.parametrize("neigh", ["every 1 delay 0 check yes", "every 10 delay 0 check no"])
@pytest.mark.parametrize("words", [*FIXES.values(), "npt temp 1.0 1.4 0.3 tri 1.0 2.0 0.4"], ids=[*FIXES, "tri"])
def test_replayed_steps_are_ordinary_steps(monkeypatch: pytest.MonkeyPatch, neigh: str, words: str) -> None:
    monkeypatch.setattr(lists, "ListSlabs", lambda system, neighbor: None)  # a GPU has no slabs: the host makes them
    found = []
    for replayed in (True, False):
        said = "" if replayed else "not asked for"
        monkeypatch.setattr(Replay, "why_not", staticmethod(lambda loop, said=said: said))
        sim = made(f"fix 1 some {words}\nneigh_modify {neigh}\npackage everlet scheme full\nthermo 17\n"
                   "thermo_style custom step temp pe vol f_1 f_1[1] f_1[5] econserve\nrun 40\nrun 20 pre no start 0 stop 200",
                   TILTED if "tri" in words else CUBE)
        assert (sim.engine.loop is not None and sim.engine.loop.replay is not None) == replayed and sim.engine.loop.steady
        found.append(sim)
    for name in ("x", "v", "f"):
        assert np.array_equal(found[0].array(name), found[1].array(name)), name
    assert found[0].thermo.history == found[1].thermo.history


def test_a_barostat_over_a_hybrid_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every sub-style has a tally of its own, which kernels read: the host has no part in it."""
    monkeypatch.setattr(lists, "ListSlabs", lambda system, neighbor: None)
    pair = ("pair_style hybrid/scaled 0.6 lj/cut 2.5 0.4 lj/cut 2.2\npair_coeff * * lj/cut 1 1.0 1.0\n"
            "pair_coeff * * lj/cut 2 1.0 1.0\npackage everlet scheme full\nthermo 17\n")
    found = []
    for said in ("", "not asked for"):
        monkeypatch.setattr(Replay, "why_not", staticmethod(lambda loop, said=said: said))
        found.append(made(f"{pair}fix 1 all {FIXES['npt']}\nrun 40"))
    assert np.array_equal(found[0].array("x"), found[1].array("x"))
    assert found[0].engine.system.need_box().volume == found[1].engine.system.need_box().volume


@pytest.mark.parametrize("region", [CUBE, TILTED])
@pytest.mark.parametrize("device", ["serial", "cpu"])
@pytest.mark.parametrize("words", FIXES.values(), ids=FIXES)
def test_exact_continuation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, device: str, region: str) -> None:
    """From a file written during a run or after it, every bit of the trajectory and of the conserved energy is repeated."""
    monkeypatch.chdir(tmp_path)
    show = "thermo_style custom step temp pe etotal press vol ecouple econserve f_1[1] f_1[2]\n"
    ramp = "start 0 stop 200"
    whole = made(f"fix 1 all {words}\n{show}restart 30 plan\nrun 50 {ramp}\nwrite_restart now\nrun 50 {ramp}", region, device)
    rest = f"fix 1 all {words}\n{show}restart 30 again\n"
    for script in (f"read_restart plan.30\n{rest}run 20 {ramp}\nrun 50 {ramp}\n", f"read_restart now\n{rest}run 50 {ramp}\n"):
        goes_on(whole, script, device)


REFUSED = {
    "nvt": "needs a temperature",
    "nvt temp 1.0 1.0": "'temp' needs 3 values",
    "nvt temp 1.0 1.0 0.0": "damping time of the temperature must be above 0",
    "nvt temp 0.0 1.0 0.1": "target temperatures must be above 0",
    "nvt temp 1.0 1.0 0.1 iso 1 1 1": "does not control the pressure",
    "nvt temp 1.0 1.0 0.1 tchain 0": "tchain 0 is too few",
    "nvt temp 1.0 1.0 0.1 tloop 0": "tloop 0 is too few",
    "nvt temp 1.0 1.0 0.1 drag -1": "drag -1 would push",
    "nvt temp 1.0 1.0 0.1 update dipole": "'update' is not available",
    "nvt temp 1.0 1.0 0.1 temperature 1": "unknown keyword of fix nvt 'temperature'",
    "nvt temp warm 1.0 0.1": "expected a number, found 'warm'",
    "npt iso 1.0 1.0 1.0": "needs a temperature",
    "npt temp 1.0 1.0 0.1": "needs a pressure",
    "nph temp 1.0 1.0 0.1 iso 1 1 1": "does not control the temperature",
    "npt temp 1.0 1.0 0.1 iso 1.0 1.0": "'iso' needs 3 values",
    "npt temp 1.0 1.0 0.1 iso 1.0 1.0 -1.0": "damping time of the pressure must be above 0",
    "npt temp 1.0 1.0 0.1 tri 1.0 1.0 1.0": "the box is orthogonal",
    "npt temp 1.0 1.0 0.1 xy 1.0 1.0 1.0": "the box is orthogonal",
    "npt temp 1.0 1.0 0.1 x 1 1 1 y 2 2 1 couple xy": "coupled components need the same pressures",
    "npt temp 1.0 1.0 0.1 x 1 1 1 couple xy": "coupled components need the same pressures",
    "npt temp 1.0 1.0 0.1 iso 1 1 1 couple round": "unknown choice of couple 'round'",
    "npt temp 1.0 1.0 0.1 iso 1 1 1 dilate none": "none",
    "npt temp 1.0 1.0 0.1 iso 1 1 1 mtk perhaps": "mtk takes yes or no",
    "nph iso 1 1 1 ptemp 0": "ptemp must be above 0",
}


@pytest.mark.parametrize("words", REFUSED)
def test_refused(words: str) -> None:
    sim = made()
    with pytest.raises(InputError, match=REFUSED[words]) as error:
        sim.commands(f"fix 1 all {words}")
    assert error.value.remedy
    assert "1_temp" not in sim.engine.system.computes and "1" not in sim.engine.system.fixes


@pytest.mark.parametrize("words", ["nve/sphere", *(name.replace(" ", "/sphere ", 1) for name in FIXES.values())])
def test_dipoles_that_turn_are_said_to_be_written(words: str) -> None:
    spheres = "atom_style hybrid sphere dipole" + MELT.format(region=CUBE).replace("mass 1 1.0", "")
    sim = Simulation(device="serial").commands(spheres)
    fixes, found = sim.engine.system.fixes, []
    for more in ("", " update dipole", ""):
        sim.commands(f"fix 1 all {words}{more}")
        found.append([name for name in fixes["1"].writes if name in ("omega", "mu")])
        sim.commands("unfix 1")
    assert found == [["omega"], ["omega", "mu"], ["omega"]]


def test_more_that_is_refused() -> None:
    tilted = made(region=TILTED)
    with pytest.raises(InputError, match="can follow its pressure or its edge, not both"):
        tilted.commands("fix 1 all nph xy 0 0 1 scalexy yes")
    slab = Simulation(device="serial").commands("boundary p p f" + MELT.format(region=CUBE))
    with pytest.raises(InputError, match="the boundary in z is not periodic"):
        slab.commands("fix 1 all nph iso 1 1 1")
    slab.commands("fix 1 all nph x 1 1 1 y 1 1 1 couple xy\nrun 2")
    two = made("fix 1 all npt temp 1 1 1 x 1 1 1\nfix 2 all nph aniso 1 1 1\n")
    with pytest.raises(InputError, match="both change the box"):
        two.commands("run 1")
    cold = made("velocity all zero linear\nvelocity all scale 1e-9\nfix 1 all nph iso 1 1 1")
    with pytest.raises(InputError, match="too near to 0 to weigh the barostat"):
        cold.commands("run 1")
    with pytest.raises(InputError, match="is not a pressure compute"):
        cold.commands("fix_modify 1 press thermo_temp")


def test_atoms_that_two_fixes_move_are_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    sim = Simulation(device="serial", screen="stdout").commands(MELT.format(region=CUBE))
    sim.commands("group rest subtract all some\nfix 1 some nvt temp 1 1 0.1\nfix 2 rest nve\nrun 0")
    assert "more than one" not in capsys.readouterr().out
    sim.commands("fix 3 all nve\nrun 0")
    assert "atoms are moved by more than one of the fixes 1, 2, 3" in capsys.readouterr().out


def test_energy_is_conserved_and_the_volume_shown() -> None:
    """What the equations keep: econserve, less the part that the reference counts twice with iso."""
    for words in (FIXES["nvt"].replace("1.4", "1.0"), "npt temp 1.0 1.0 0.3 aniso 1.0 1.0 0.7",
                  "npt temp 1.0 1.0 0.3 iso 1.0 1.0 0.7", "nph iso 1.0 1.0 0.7"):
        sim = made(f"fix 1 all {words.replace('drag 0.1', '')}\npair_modify shift yes\ntimestep 0.001\nthermo 50\n")
        fix = sim.engine.system.fixes["1"]
        kept = []
        for _ in range(4):
            sim.run(50)
            row = sim.thermo.value("econserve") * sim.engine.system.natoms
            if "iso" in words.split():
                row -= 2 * fix.target * fix.barostat.chain.read()[1][0]
            kept.append(row)
        assert np.ptp(kept) < 0.03, (words, kept)
        assert ("vol" in sim.thermo.history[-1]) == ("nvt" not in words)


def test_computes_come_and_go_with_the_fix() -> None:
    sim = made("fix 1 some nvt temp 1 1 0.1")
    assert sim.engine.system.computes["1_temp"].group == "some"
    sim.commands("fix 1 all nvt temp 1 1 0.1")
    assert sim.engine.system.computes["1_temp"].group == "all"
    with pytest.raises(InputError, match="is not a temperature compute"):
        sim.commands("fix_modify 1 temp thermo_pe")
    with pytest.raises(InputError, match="no energy that could be added"):
        sim.commands("fix_modify 1 energy yes")
    sim.commands("unfix 1")
    assert "1_temp" not in sim.engine.system.computes
    sim.commands("fix 1 some npt temp 1 1 0.1 iso 1 1 1")
    assert sim.engine.system.computes["1_temp"].group == "all" and sim.engine.system.computes["1_press"].temperature == "1_temp"
    sim.commands("fix_modify 1 temp thermo_temp")
    assert "1_temp" not in sim.engine.system.computes and sim.engine.system.computes["1_press"].temperature == "thermo_temp"
    sim.commands("unfix 1")
    assert "1_press" not in sim.engine.system.computes
    sim.commands("compute 2_temp all temp")
    with pytest.raises(InputError, match="needs a compute '2_temp' of its own"):
        sim.commands("fix 2 all nvt temp 1 1 0.1")
