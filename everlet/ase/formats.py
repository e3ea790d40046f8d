"""Files of ours that ASE reads through us: ase.io.read("cu.restart")."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from everlet.api.simulation import Simulation
from everlet.errors import InputError
from everlet.io.ase_atoms import InASE
from everlet.state.elements import MASSES

CLOSE = 0.06  # u: masses that differ by less are those of the same element


def read_everlet_restart(filename: str | os.PathLike[str], species: Sequence[str] | None = None,
                         scale: dict[str, float] | None = None) -> Any:
    """The atoms of a restart file.

    species   elements of types 1, 2, …; without it their labels, or what masses say
    scale     of units lj: what energy, length and mass are in eV, Å and u
    """
    with Simulation(device="serial") as sim:
        sim.read(filename)
        if species is None and not sim.type_names:
            unit = InASE.of(sim.units.name, scale).mass
            species = [_element(mass * unit) for mass in sim.engine.system.masses[1:].tolist()]
        return sim.to_ase(scale, species)


def _element(mass: float) -> str:
    name, known = min(MASSES.items(), key=lambda item: abs(item[1] - mass))
    if abs(known - mass) > CLOSE:
        raise InputError(f"types have no names, and no element has a mass of {mass:g}", "give species=['Cu', …]")
    return name
