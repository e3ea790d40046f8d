"""How many atom-steps a second a batch makes, and each system one after the other.

    python benchmarks/batch.py [--device cuda] [--case lj|sw] [--systems 1000] [--steps 1000] [--threads 1]

lj: systems of 64 atoms, as many as are asked for; sw: silicon, 32 atoms each. The ratio is that to one system in a Simulation,
the best of several turns of both in one process.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np

from everlet import Batch, Simulation

CASES = {"lj": ("lj", "pair_style lj/cut 2.5\npair_coeff * * 1.0 1.0\n", 1000),
         "sw": ("metal", "pair_style sw\npair_coeff * * Si.sw Si\n", 4096)}


def melt(seed: int) -> dict[str, Any]:
    """64 atoms of a simple liquid at 0.8442, on a lattice at first."""
    rng, edge = np.random.default_rng(seed), (64 / 0.8442) ** (1 / 3)
    grid = np.stack(np.meshgrid(*[np.arange(4)] * 3, indexing="ij"), -1).reshape(-1, 3)
    x = (grid + 0.5) * edge / 4 + 0.02 * rng.normal(size=(64, 3))
    return {"positions": x, "types": np.ones(64, int), "masses": np.ones(64), "cell": [edge] * 3,
            "velocities": 1.2 * rng.normal(size=x.shape)}


def silicon(seed: int) -> dict[str, Any]:
    """32 atoms: a diamond of 2 x 2 x 1 cells."""
    rng = np.random.default_rng(seed)
    cell = np.array([[0, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]])
    cell = np.concatenate([cell, cell + 0.25])
    x = np.concatenate([cell + [a, b, 0] for a in range(2) for b in range(2)]) * 5.431
    return {"positions": x, "species": "Si", "cell": [10.862, 10.862, 5.431], "velocities": 4.0 * rng.normal(size=x.shape)}


def timed(runs: Batch | Simulation, steps: int) -> float:
    """Atom-steps a second."""
    runs.fix.nve()
    runs.run(max(steps // 10, 10))
    begin = time.perf_counter()
    runs.run(steps)
    runs.engine.space.synchronize()
    return runs.engine.system.atoms.n * steps / (time.perf_counter() - begin)


def single(one: dict[str, Any], commands: str, **settings: Any) -> Simulation:
    """A system by itself."""
    return Simulation(tune=False, **settings).create(**one).commands(commands)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--device", default="auto")
    words.add_argument("--case", choices=CASES, default="lj")
    words.add_argument("--systems", type=int, default=0)
    words.add_argument("--steps", type=int, default=1000)
    words.add_argument("--threads", type=int, default=0)
    words.add_argument("--turns", type=int, default=3)
    words.add_argument("--precision", default="double")
    given = words.parse_args()
    units, potential, usual = CASES[given.case]
    make, count = {"lj": melt, "sw": silicon}[given.case], given.systems or usual
    settings: dict[str, Any] = {"units": units, "commands": potential, "device": given.device, "threads": given.threads,
                                "precision": given.precision}
    together = alone = 0.0
    for _ in range(given.turns):
        together = max(together, timed(Batch([make(k) for k in range(count)], **settings), given.steps))
        alone = max(alone, timed(single(make(0), **settings), given.steps))
    print(json.dumps({"case": given.case, "device": given.device, "systems": count, "atom_steps_per_second": together,
                      "one_after_the_other": alone, "ratio": together / alone}))


if __name__ == "__main__":
    main()
