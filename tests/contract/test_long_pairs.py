"""Near parts of long-range Coulomb forces without `table 0`, by the fastest way of this CPU, against the plain space."""

from __future__ import annotations

import numpy as np
import pytest

from everlet import Simulation
from tests.scripts import crystal

LJ = ("1 1 1.0 1.0", "2 2 0.8 0.9")
STYLES = {
    "lj/charmm/coul/long": ("1.6 2.2", LJ), "lj/charmmfsw/coul/long": ("1.6 2.2", LJ), "lj/cut/coul/long": ("1.9 2.2", LJ),
    "lj/class2/coul/long": ("1.9 2.2", LJ), "coul/long": ("2.2", ("* *",)),
    "buck/coul/long": ("1.9 2.2", ("* * 80 0.3 2",)), "born/coul/long": ("1.9 2.2", ("* * 0.3 0.3 1.0 2.0 0.5",)),
    "coul/slater/long": ("0.4 2.2", ("* *",)), "lj/cut/coul/long/soft": ("2 0.5 0.4 1.9 2.2", ("* * 1.0 1.0 0.7",)),
    "lj/charmm/coul/long/soft": ("2 0.5 0.4 1.6 2.2", ("* * 1.0 1.0 0.7",)),
}
SCRIPT = crystal("0 3 0 3 0 3", "fcc 0.8", types=2, first="atom_style charge") + """
set atom 1*54 type 2
set type 1 charge 0.7
set type 2 charge -0.7
mass * 1.0
displace_atoms all random 0.1 0.1 0.1 2377
pair_style {name} {words}
{coeffs}
kspace_style ewald 1e-4
kspace_modify gewald 1.3
run 0
"""


def found(device: str, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Forces with and without tallies, energies with the virial."""
    words, coeffs = STYLES[name]
    sim = Simulation(device=device)
    sim.commands(SCRIPT.format(name=name, words=words, coeffs="\n".join(f"pair_coeff {one}" for one in coeffs)))
    tallied, ledger = sim.array("f").copy(), sim.engine.system.ledger
    numbers = np.array([ledger.energies["vdwl"], ledger.energies["coul"], *ledger.virial])
    assert sim.engine.loop is not None
    sim.engine.loop.forces(False)
    return tallied, sim.array("f").copy(), numbers


USUAL = ("lj/charmm/coul/long", "lj/charmmfsw/coul/long")


@pytest.mark.parametrize("name", [one if one in USUAL else pytest.param(one, marks=pytest.mark.all) for one in STYLES])
def test_near_parts_of_long_range_styles(name: str) -> None:
    expected, _, numbers = found("reference", name)
    tallied, plain, sums = found("serial", name)
    size = np.abs(expected).max()
    assert np.abs(tallied - expected).max() < 1e-12 * size and np.abs(plain - expected).max() < 1e-12 * size
    assert np.abs(sums - numbers).max() < 1e-11 * np.abs(numbers).max()
