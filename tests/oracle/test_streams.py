"""Marsaglia and Zaman's stream has the digits of the reference, one by one and many at once.

Atoms at rest that do not see each other: the force of fix langevin is its noise, sqrt(24 T m / (damp dt)) (u - 1/2).
"""

from pathlib import Path

import numpy as np
import pytest

from everlet.portable import Serial, View
from everlet.state.random import Marsaglia
from everlet.state.ranmar import Ranmar
from tests.oracle.reference import lmp
from tests.scripts import crystal

SCRIPT = crystal("0 11 0 10 0 10", "sc 0.5", first="atom_modify sort 0 0") + """
mass 1 1.0
pair_style zero 1.0
pair_coeff * *
group some id {}
timestep 0.01
fix 1 some langevin 2.0 2.0 3.0 {}
dump 1 some custom 1 forces id fx fy fz
dump_modify 1 format float %.17g
run 2
run 1
"""


@pytest.mark.parametrize("seed, some", [(1, "1:1100"), (4711, "2:1100:3"), (900_000_000, "1:9")])
def test_noise_of_the_reference(seed: int, some: str, tmp_path: Path) -> None:
    lmp(tmp_path, SCRIPT.format(some, seed))
    rows = [line.split() for line in (tmp_path / "forces").read_text().splitlines()]
    force = np.array([row[1:] for row in rows if len(row) == 4 and row[0].isdigit()], float)
    noise = force.reshape(-1) / np.sqrt(24 * 2.0 / (3.0 * 0.01)) + 0.5
    digits = np.round(noise * 2**24)
    assert abs(noise * 2**24 - digits).max() < 1e-6
    frames = 4  # steps 0, 1, 2, and 3: the second run draws once more when it is set up, which is not dumped
    drawn = len(noise) // frames
    left_out = slice(3 * drawn, 4 * drawn)
    wanted = np.delete(Marsaglia(seed).uniforms(5 * drawn), left_out)
    assert np.array_equal(digits, wanted * 2**24)
    one, out = Marsaglia(seed), View(drawn, np.float64, Serial())
    many = Ranmar(Serial(), one.mark())
    for begin in range(0, 3 * drawn, drawn):
        many.fill(drawn, out)
        assert np.array_equal(out.get(), wanted[begin : begin + drawn])
    assert wanted[:9].tolist() == [one.uniform() for _ in range(9)]
