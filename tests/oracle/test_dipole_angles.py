"""Angles of dipoles: what the reference has otherwise. Energies of single ones, and the virial by strains."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet import Simulation
from tests.oracle.harness import load_case
from tests.refusals import refused

SCRIPT = load_case(Path(__file__).parents[1] / "cases" / "angle-dipole.yaml").script
ALONE = SCRIPT.replace("0 9 1 0.5 0", "0 9 0 0 0") + "\nvelocity all set 0 0 0\npair_coeff * * 0 1\n" + (
    "bond_coeff 1 0 1\nangle_coeff 2 cosine 0\nrun 0\n")


def test_energies_of_single_ones() -> None:
    """They add up to the whole, which those of the reference do not."""
    with Simulation(device="serial", screen="none", log="none") as sim:
        sim.commands(f"{SCRIPT}\ncompute l all angle/local eng\ncompute h all reduce sum c_l inputs local\n"
                     "thermo_style custom step eangle c_h\nthermo_modify norm no\nrun 0\nvariable e equal eangle\n")
        assert sim["c_h"] == pytest.approx(sim["v_e"], rel=1e-12) and sim["v_e"] > 0.1


def test_virial() -> None:
    """Along edges: dipoles do not turn with the box, so that what is not on the diagonal is no slope."""
    with Simulation(device="serial", screen="none", log="none") as sim:
        sim.commands(f"{ALONE}thermo_style custom step pxx pyy vol\nrun 0\nvariable p equal pxx*vol\n"
                     "variable s equal pyy*vol\n")
        wanted = [sim["v_p"], sim["v_s"]]
        energies = []
        for words in ("x scale {}", "y scale {}"):
            for sign in (1.0, -1.0):
                with Simulation(device="serial", screen="none", log="none") as other:
                    step = 1.0 + 1e-5 * sign
                    other.commands(f"{ALONE}change_box all {words.format(repr(step))} remap units box\nrun 0\n")
                    energies.append(other.energy)
    found = [-(energies[0] - energies[1]) / 2e-5, -(energies[2] - energies[3]) / 2e-5]
    assert found == pytest.approx(wanted, rel=1e-6) and abs(wanted[0]) > 0.01


def test_atoms_without_dipoles_are_refused() -> None:
    refused("atom_style angle\nregion box block 0 9 0 9 0 9\ncreate_box 1 box angle/types 1\nmass 1 1\n"
            "create_atoms 1 single 1 1 1\npair_style zero 2\npair_coeff * *\n",
            "angle_style dipole\nangle_coeff 1 1 90\nrun 0", "mu|dipole")
