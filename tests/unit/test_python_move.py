"""fix python/move: a class as LAMMPS takes it moves atoms as fix nve does."""

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.folders import folder_of
from tests.scripts import crystal
from tests.tables import rows

SOURCE = """
from lammps import lammps
import numpy as np

class NVE:
    def __init__(self, ptr, group_name="all"):
        self.lmp = lammps(ptr=ptr)

    def init(self):
        self.dt = self.lmp.extract_global("dt")
        self.half = 0.5 * self.dt * self.lmp.extract_global("ftm2v")

    def initial_integrate(self, vflag):
        x, v = (self.lmp.numpy.extract_atom(name) for name in "xv")
        self.final_integrate()
        x += self.dt * v

    def final_integrate(self):
        get = self.lmp.numpy.extract_atom
        v = get("v")
        v += (self.half / get("mass")[get("type")])[:, None] * get("f")

    def reset_dt(self):
        self.init()

class Asks(NVE):
    def init(self):
        self.lmp.extract_global("weather")

class Fails(NVE):
    def init(self):
        1 / 0

class Unmade(NVE):
    def __init__(self, ptr, group_name="all"):
        1 / 0
"""
MELT = crystal("0 3 0 3 0 3", "fcc 0.8") + """
mass 1 1.5
velocity all create 1.5 87287
pair_style lj/cut 1.6
pair_coeff 1 1 1 1
fix 1 all {}
run 5
timestep 0.002
run 5
"""


here = folder_of(own=SOURCE)


def places(fix: str) -> np.ndarray:
    sim = Simulation(device="reference")
    sim.commands(MELT.format(fix))
    return np.concatenate([sim.gather("x"), sim.gather("v")])


def test_it_moves_as_nve(here: Path) -> None:
    assert places("python/move own.NVE") == pytest.approx(places("nve"), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("words, cause", rows("""
own.Other -> no class Other
other.NVE -> no Python file 'other.py'
own.Asks -> extract_global\\('weather'\\) is not available
own.Fails -> ZeroDivisionError
own.Unmade -> own.Unmade failed: ZeroDivisionError
"""))
def test_refusals(here: Path, words: str, cause: str) -> None:
    with pytest.raises(InputError, match=cause):
        places(f"python/move {words}")
