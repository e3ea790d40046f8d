"""Steps that ask for virials without energies: the same virial as with them, and nobody gets energies there."""

from __future__ import annotations

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.scripts import TWO_CHARGES, crystal

CHARGED = """
pair_style lj/cut/coul/cut 2.0 2.2
pair_coeff 1 1 1.0 1.0
pair_coeff 2 2 0.8 0.9 1.6 1.8
pair_coeff 1 2 0.9 0.95 1.8 2.4
"""
HYBRID = """
pair_style hybrid/overlay lj/cut 1.9 coul/cut 2.2
pair_coeff * * lj/cut 1.0 1.0
pair_coeff * * coul/cut
"""
SCRIPT = crystal("1000 1003 0 3 0 3", "fcc 0.8 origin 0.1 0.2 0.3", types=2,
                 first="atom_style charge\nnewton {newton}") + TWO_CHARGES + """
package everlet scheme {scheme}
{pair}
run 0
"""


@pytest.mark.parametrize("device", ["serial", "reference"])
@pytest.mark.parametrize("pair, scheme, newton",
                         [(CHARGED, "half", "on"), (CHARGED, "half", "off"), (CHARGED, "full", "on"), (HYBRID, "half", "on")])
def test_virial_without_energies(device: str, pair: str, scheme: str, newton: str) -> None:
    sim = Simulation(device=device)
    sim.commands(SCRIPT.format(newton=newton, scheme=scheme, pair=pair))
    ledger, force = sim.engine.system.ledger, sim.array("f").copy()
    expected, parts = ledger.virial.copy(), {name: entry.virial.copy() for name, entry in ledger.terms.items()}
    assert sim.engine.loop is not None and sim.engine.system.energies_tallied == 0
    sim.engine.loop.forces(True, energy=False)
    assert np.abs(sim.array("f") - force).max() <= 1e-12 * np.abs(force).max()
    assert np.abs(ledger.virial - expected).max() < 1e-12 * np.abs(expected).max()
    for name, entry in ledger.terms.items():
        assert np.abs(entry.virial - parts[name]).max() < 1e-12 * np.abs(expected).max()
    assert sim.engine.system.tallied == 0 and sim.engine.system.energies_tallied == -1
    with pytest.raises(InputError, match="needs energies"):
        sim.engine.system.computes["thermo_pe"].scalar()
    sim.engine.system.computes["thermo_press"].scalar()
