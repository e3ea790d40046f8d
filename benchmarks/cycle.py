"""What a question costs: 32 atoms of argon get new positions, and are asked for energy and forces.

    python benchmarks/cycle.py [--atoms 32] [--cycles 2000]

Rows: how the question is put, milliseconds of a cycle (median), those of a step of a run, their difference.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet import Simulation

LJ = "pair_style lj/cut 6.0\npair_coeff * * 0.0104 3.4\n"


def crystal(atoms: int) -> tuple[np.ndarray, float]:
    """A face-centred crystal of about so many atoms, a little shaken, and the edge of its box."""
    cells = max(round((atoms / 4) ** (1 / 3)), 1)
    basis = np.array([[0, 0, 0], [0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]])
    corners = np.stack(np.meshgrid(*[np.arange(cells)] * 3, indexing="ij"), -1).reshape(-1, 1, 3)
    x = 5.3 * (corners + basis).reshape(-1, 3)
    return x + 0.01 * np.random.default_rng(1).normal(size=x.shape), 5.3 * cells


def median(cycle: Callable[[np.ndarray], Any], x: np.ndarray, cycles: int) -> float:
    """Milliseconds of one cycle: the atoms move by a hundredth of a skin each time."""
    rng, times = np.random.default_rng(2), []
    moves = 0.002 * rng.normal(size=(16, *x.shape))
    for k in range(cycles):
        where = x + moves[k % 16]
        begin = time.perf_counter()
        cycle(where)
        times.append(time.perf_counter() - begin)
    return 1e3 * statistics.median(times[len(times) // 4:])


def step_of_a_run(sim: Simulation) -> float:
    """Milliseconds of it: kernels, and the Python that a step needs."""
    sim.fix.nve()
    sim.run(200)
    begin = time.perf_counter()
    sim.run(2000)
    return 1e3 * (time.perf_counter() - begin) / 2000


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--atoms", type=int, default=32)
    words.add_argument("--cycles", type=int, default=2000)
    given = words.parse_args()
    x, edge = crystal(given.atoms)

    def made() -> Simulation:
        sim = Simulation(units="metal", device="cpu", threads=1).create(positions=x, species="Ar", cell=[edge] * 3)
        return sim.commands(LJ)

    sim = made()

    def asked(where: np.ndarray) -> None:
        sim.positions = where
        _ = sim.energy, sim.forces

    step = step_of_a_run(made())
    rows = {"Simulation": median(asked, x, given.cycles)}
    try:
        from ase import Atoms

        from everlet.ase import Everlet
    except ImportError:
        print("ASE is not installed: its calculator is left out")
    else:
        atoms = Atoms(f"Ar{len(x)}", positions=x, cell=[edge] * 3, pbc=True)
        atoms.calc = Everlet(LJ.strip().splitlines(), units="metal", device="cpu", threads=1)

        def through(where: np.ndarray) -> None:
            atoms.positions = where
            _ = atoms.get_potential_energy(), atoms.get_forces()

        rows["ASE"] = median(through, x, given.cycles)
    for name, one in rows.items():
        print(f"{name:12} {one:.3f} {step:.3f} {one - step:.3f}")


if __name__ == "__main__":
    main()
