"""Whole simulations on OpenCL against one core: paths of GPUs, which need no GPU here. Kernels add up in another order, so
positions agree to the last digits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.portable.backends.opencl import found
from tests.oracle import reax_systems

pytestmark = pytest.mark.skipif(found.why_not() != "", reason=f"OpenCL: {found.why_not()}")
EXAMPLES = Path(__file__).parents[2] / "examples"
NAIVE = Path(__file__).parents[1] / "naive_fixes.py"
CRYSTAL = """
units {units}
lattice {lattice}
region box block 0 {side} 0 {side} 0 {side}
create_box 1 box
create_atoms 1 box
mass 1 {mass}
velocity all create {t} 87287 loop all
{pair}
fix 1 all nve
thermo 5
run {steps}
"""
MELT = CRYSTAL.format(units="lj", lattice="fcc 0.8442", side=4, mass=1.0, t=1.44, steps=25,
                      pair="pair_style lj/cut 2.5\npair_coeff 1 1 1.0 1.0\nneighbor 0.3 bin")
CHAINS = """
units lj
atom_style full
lattice sc 0.5
region box block 0 6 0 6 0 6
create_box 2 box bond/types 1 extra/bond/per/atom 2 extra/special/per/atom 4
create_atoms 1 region box
mass * 1.0
set group all type/fraction 2 0.5 4711
set type 1 charge 1.0
set type 2 charge -1.0
bond_style harmonic
bond_coeff 1 20.0 1.25
pair_style lj/cut/coul/long 2.5
pair_coeff * * 0.3 0.8
create_bonds many all all 1 1.2 1.3
kspace_style pppm 1e-4
velocity all create 1.0 87287 loop all
fix 1 all nve
run 10
"""
LARGE = {
    "mixture in float32": MELT.replace("run 25", "run 5"),
    "eam": CRYSTAL.format(units="metal", lattice="fcc 3.615", side=3, mass=63.5, t=600, steps=10,
                          pair="pair_style eam\npair_coeff 1 1 Cu_u3.eam"),
    "bonds and pppm": CHAINS,
    "snap": CRYSTAL.format(units="metal", lattice="bcc 3.316", side=3, mass=180.9, t=600, steps=3,
                           pair="pair_style snap\npair_coeff * * Ta06A.snapcoeff Ta06A.snapparam Ta"),
    "thermostat and barostat": MELT.replace("fix 1 all nve", "fix 1 all npt temp 1.44 1.44 0.1 iso 1.0 1.0 1.0"),
}


def compare(script: str, precision: str = "double", tolerance: float = 1e-11, other: str = "opencl") -> None:
    """Positions, velocities and forces of all atoms, and the energy, relative to the largest."""
    answers = []
    for device in ("serial", other):
        sim = Simulation(device=device, precision=precision)
        sim.commands(script)
        atoms = sim.engine.system.atoms
        order = np.argsort(atoms.read("id")[: atoms.n])
        answers.append([*(np.array(atoms.read(name)[: atoms.n])[order, :3] for name in "xvf"), np.array([sim.energy])])
    for here, there in zip(*answers, strict=True):
        assert np.abs(here - there).max() <= tolerance * max(1.0, np.abs(here).max())


@pytest.mark.filterwarnings("ignore::everlet.EverletWarning")
def test_a_melt() -> None:
    """Lists are rebuilt, steps are replayed, sums stay on the device."""
    compare(MELT)


@pytest.mark.filterwarnings("ignore::everlet.EverletWarning")
def test_what_the_host_writes_between_replays_is_seen() -> None:
    """It has memory of its own, unlike the cores of test_naive_fixes.py."""
    compare(f"plugin load {NAIVE}\n{MELT}".replace("run", "fix 2 all naive/nudges\nrun"))


@pytest.mark.all
@pytest.mark.filterwarnings("ignore::everlet.EverletWarning")
@pytest.mark.parametrize("name", LARGE)
def test_large_ones(name: str) -> None:
    compare(LARGE[name], *(("mixed", 1e-5) if "float32" in name else ()))


@pytest.mark.all
def test_reactive_water(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of bonds, charges by iterations: sums that stop them are looked at on the host."""
    monkeypatch.chdir(tmp_path)
    Path("water.data").write_text(reax_systems.water(2))
    compare("units real\natom_style charge\nread_data water.data\npair_style reaxff NULL\npair_coeff * * ffield.reax.cho H O\n"
            "fix q all qeq/reaxff 1 0.0 10.0 1e-8 reaxff\nfix 1 all nve\ntimestep 0.1\nrun 3\n", tolerance=1e-7)


def test_models_of_libraries_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """No library but our own reads the memory."""
    monkeypatch.chdir(EXAMPLES)
    pair = "pair_style ml my_model.py:Linear\npair_coeff * * Ar"
    with pytest.raises(InputError, match="learned potentials cannot read the memory of opencl"):
        Simulation(device="opencl", trust=["my_model.py"]).commands(
            MELT.replace("pair_style lj/cut 2.5\npair_coeff 1 1 1.0 1.0", pair))
