"""fix nphug and msst against the reference: thermo tables with all that they give; what msst conserves."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.oracle.side_by_side import differences
from tests.tables import rows

START = """
units {units}
atom_modify map yes sort 0 0
lattice fcc {a}
region box block 0 4 0 4 0 4
create_box 1 box
create_atoms 1 box
mass 1 {mass}
velocity all create {hot} 87287 loop geom
pair_style lj/cut {cutoff}
pair_coeff * * {epsilon} {sigma}
timestep {dt}
"""
LJ = dict(units="lj", a=1.0, mass=1.0, hot=0.1, cutoff=2.5, epsilon=1.0, sigma=1.0, dt=0.002)
METAL = dict(units="metal", a=5.26, mass=39.95, hot=10.0, cutoff=8.5, epsilon=0.0104, sigma=3.4, dt=0.002)
END = """
thermo_style custom step temp pe etotal press pxx pyy pzz vol lx ly lz econserve {words}
thermo_modify norm no format float %.17g
thermo 10
"""
HUGONIOTS = {
    "z": (LJ, "nphug temp 1 1 0.5 z 40 40 0.7", 39, "run 50"),
    "iso": (LJ, "nphug temp 1 2 0.5 iso 30 30 0.4 tchain 2 pchain 0 drag 0.3\n"
            "fix_modify 1 e0 -1900 v0 250 p0 1.5", 14, "run 60"),
    "aniso": (METAL, "nphug temp 9 9 0.1 aniso 5e4 5e4 0.3 mtk no", 38, "run 50"),
    "x": (METAL, "nphug temp 9 9 0.1 x 5e4 5e4 0.3 pchain 1 tchain 1", 23, "run 50"),
}


@pytest.mark.parametrize("name", HUGONIOTS)
def test_hugoniots(name: str, tmp_path: Path) -> None:
    system, fix, length, run = HUGONIOTS[name]
    words = "f_1 " + " ".join(f"f_1[{k}]" for k in range(1, length + 1))
    script = START.format(**system) + f"fix 1 all {fix}\n" + END.format(words=words) + run
    assert not differences(script, tmp_path)


def test_a_second_run(tmp_path: Path) -> None:
    """Energies of chains in its first row are those of the first temperature here, of 0.01 in the reference."""
    script = START.format(**LJ) + "fix 1 all nphug temp 1 1 0.5 z 40 40 0.7\n"
    script += END.format(words="f_1[1] f_1[2] f_1[3] f_1[15]").replace("econserve", "")
    assert not differences(script + "run 20\nrun 20", tmp_path)


WAVES = {
    "metal z": (METAL, "msst z 30.0 q 2e4 tscale 0.05", "run 200"),
    "metal x": (METAL, "msst x 28.0 q 400 p0 250 v0 9350 e0 -20", "run 100"),
    "lj": (LJ, "msst y 12.0 q 50 tscale 0.1", "run 100"),
}


@pytest.mark.parametrize("name", WAVES)
def test_waves(name: str, tmp_path: Path) -> None:
    """Velocities follow the volume by other series: some eight digits stay."""
    system, fix, run = WAVES[name]
    script = START.format(**system) + f"fix 1 all {fix}\n" + END.format(words="f_1 f_1[1] f_1[2] f_1[3] f_1[4]") + run
    assert not differences(script.replace("econserve", ""), tmp_path, 1e-10, 1e-6)


def test_a_wave_with_viscosity(tmp_path: Path) -> None:
    script = START.format(**METAL) + "fix 1 all msst z 30.0 q 2e3 mu 500 tscale 0.05\n"
    script += END.format(words="f_1 f_1[2] f_1[3] f_1[4]").replace("econserve", "")
    assert not differences(script + "run 200", tmp_path, 1e-10, 1e-5)


@pytest.mark.parametrize("mu", [0.0, 5e3])
def test_energy_of_waves(mu: float) -> None:
    """What a shock does to atoms comes out of the volume."""
    with Simulation(device="serial", log="none", screen="none") as sim:
        sim.commands(START.format(**METAL | {"dt": 0.0005, "hot": 40.0}) + "pair_modify shift yes\n"
                     f"fix 1 all msst z 28 q 400 mu {mu} tscale 0.05\n"
                     "thermo_style custom step etotal ke f_1 vol\nthermo 10\nthermo_modify norm no\nrun 600")
        table = {word: np.array(values) for word, values in sim.thermo.table().items()}
    assert np.ptp(table["vol"]) > 10.0
    total = table["etotal"] + table["f_1"]
    assert np.ptp(total) < 2e-3 * np.ptp(table["etotal"])


@pytest.mark.parametrize("text, message", rows(r"""
fix 2 all nphug temp 1 1 1 z 1 2 1 -> holds one pressure
fix 2 all nphug temp 1 1 1 z 1 1 1 y 1 1 1 -> along all axes or along one
fix 2 all nphug z 1 1 1 -> needs a temperature
fix 2 all nphug temp 1 1 1 -> needs a pressure
fix 2 all msst z -1 -> SPEED is -1
fix 2 all msst z 1 q 0 -> q is 0
fix 2 all msst w 1 -> direction
fix 2 all msst z 1 tscale -> expected
fix 2 all msst z 1 dftb yes -> DFTB
group few id 1\nfix 2 few msst z 1 -> use group all
fix 2 all msst z 1\nfix 3 all nph iso 1 1 1\nrun 0 -> both change the box
velocity all set 0 0 0\nfix 2 all nphug temp 1 1 1 z 1 1 1\nrun 0 -> too near to 0
"""))
def test_refused(text: str, message: str) -> None:
    with Simulation(device="serial", log="none", screen="none") as sim, pytest.raises(InputError, match=re.escape(message)):
        sim.commands(START.format(**LJ) + text)
