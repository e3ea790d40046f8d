"""package everlet deterministic: what cannot repeat its sums is refused, the rest gives the same bits."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.forces.pair.schemes.base import pair_scheme
from everlet.portable.spaces import cores

MELT = """
units lj
lattice fcc 0.8442
region box block 0 8 0 4 0 4
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0
fix 1 all nve
"""


def forces(threads: int, extra: str) -> np.ndarray:
    sim = Simulation(device="cpu", threads=threads)
    sim.commands(MELT + f"package everlet {extra}deterministic on\nrun 30\n")
    order = np.argsort(sim.system.atoms.read("id"))
    return sim.system.atoms.read("f")[order]


@pytest.mark.skipif(cores() < 2, reason="needs two cores")
@pytest.mark.parametrize("extra", ["", "scheme half ", "scheme full "])
def test_any_number_of_threads_gives_the_same_bits(extra: str) -> None:
    assert np.array_equal(forces(1, extra), forces(2, extra))


def test_sums_of_copies_are_refused() -> None:
    with pytest.raises(InputError, match="depend on the number of threads"):
        forces(1, "scheme half accumulate duplicated ")


def test_atomic_sums_are_refused_on_a_gpu() -> None:
    with pytest.raises(InputError, match="in no fixed order"):
        pair_scheme["half"].repeatable(SimpleNamespace(target="cuda", many_threads=True), {"accumulate": None})
