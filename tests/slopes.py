"""Forces as slopes: what the energy of a simulation changes when an atom is moved to both sides."""

from __future__ import annotations

import pytest

from everlet import Simulation


def check_slopes(sim: Simulation, moves: tuple[tuple[int, int], ...], most: float) -> None:
    """Of a simulation that has run 0 steps with `thermo_style custom step pe`. `moves`: rows of atoms, and 0 1 2: x y z."""
    x, force, step = sim.array("x").copy(), sim.array("f").copy(), 1e-5
    for atom, way in moves:
        found = []
        for sign in (1.0, -1.0):
            moved = x.copy()
            moved[atom, way] += sign * step
            sim.set_array("x", moved)
            sim.commands("run 0")
            found.append(sim.thermo.table()["pe"][-1])
        assert (found[1] - found[0]) / (2.0 * step) == pytest.approx(force[atom, way], abs=most)


