"""pair_style python: a class of a file is recorded, and gives what the same formula gives that is built in."""

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.folders import folder_of
from tests.tables import rows

SOURCE = """
import math

class Own:
    def __init__(self):
        self.kinds, self.depth = {}, {"A": 1.0, "B": 0.5}

    def check_units(self, units):
        assert units == "lj"

    def map_coeff(self, name, kind):
        self.kinds[kind] = name

    def _depth(self, i, j):
        return math.sqrt(self.depth[self.kinds[i]] * self.depth[self.kinds[j]])

    def compute_force(self, r2, i, j):
        x = math.exp(-2.0 * (math.sqrt(r2) - 1.1))
        return 4.0 * self._depth(i, j) * (x * x - x) / math.sqrt(r2)

    def compute_energy(self, r2, i, j):
        x = math.exp(-2.0 * (math.sqrt(r2) - 1.1))
        return self._depth(i, j) * (x * x - 2.0 * x)

class Branches(Own):
    def compute_force(self, r2, i, j):
        return 1.0 if r2 < 1.0 else 0.0
"""
ATOMS = """
lattice fcc 0.8
region b block 0 2 0 2 0 2
create_box 2 b
create_atoms 1 box
set group all type/fraction 2 0.5 997
displace_atoms all random 0.1 0.1 0.1 99
mass * 1
"""
MORSE = "pair_style morse 1.6\npair_coeff 1 1 1 2 1.1\npair_coeff 2 2 0.5 2 1.1\npair_coeff 1 2 0.70710678118654752 2 1.1"


def forces(pair: str, device: str = "reference") -> np.ndarray:
    sim = Simulation(device=device)
    sim.commands(ATOMS + pair + "\nrun 0\n")
    return sim.gather("f")


here = folder_of(own=SOURCE)


@pytest.mark.parametrize("device", ["reference", "serial"])
def test_forces(here: Path, device: str) -> None:
    own = forces("pair_style python 1.6\npair_coeff * * own.Own A B", device)
    assert own == pytest.approx(forces(MORSE), rel=1e-12, abs=1e-12)


def test_one_type_of_a_hybrid(here: Path) -> None:
    lines = "pair_style hybrid python 1.6 morse 1.6\npair_coeff * * python own.Own A NULL\npair_coeff * 2 morse 0.5 2 1.1"
    assert forces(lines) == pytest.approx(forces(MORSE.replace("0.70710678118654752", "0.5")), abs=1e-12)


@pytest.mark.parametrize("words, cause", rows("""
* * own.Own A -> expected 5
* * own.None A B -> no class None
* * other.Own A B -> no Python file 'other.py'
1 1 own.Own A B -> for all types at once
* * own.Branches A B -> cannot decide an if
"""))
def test_refusals(here: Path, words: str, cause: str) -> None:
    with pytest.raises(InputError, match=cause):
        forces(f"pair_style python 1.6\npair_coeff {words}")


def test_code_has_to_be_trusted(here: Path) -> None:
    """By scripts; commands of a program are the program's own."""
    (here / "in.own").write_text(ATOMS + "pair_style python 1.6\npair_coeff * * own.Own A B\n")
    with pytest.raises(InputError, match=r"(?s)is refused: it runs code.*--trust own.py"):
        Simulation(device="reference").file("in.own")
