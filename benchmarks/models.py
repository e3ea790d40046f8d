"""Learned potentials: what a step of a model costs beside the model, and a Lennard-Jones model in torch.

    python benchmarks/models.py [--device cuda|cpu] [--steps N] [--profile]

Rows: the model (plain: as it comes; padded: arrays of fixed sizes, which a GPU captures), atoms, steps per second, milliseconds
of a step, those of the model's call alone on the same edges, their difference (what the engine adds), and how far forces are
from those of pair style lj/cut.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from everlet import Simulation

MELT = """
units lj
lattice fcc 0.8442
region box block 0 {0} 0 {0} 0 {0}
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
thermo 100000
"""
MODEL = """
import torch

def energies(rij, cutoff):
    r2 = (rij * rij).sum(1)
    s6 = (1.0 / (r2 * r2 * r2))
    return torch.where(r2 < cutoff * cutoff, 2.0 * s6 * (s6 - 1.0), torch.zeros_like(s6))

class Plain:
    cutoff, species, units = 2.5, ["A"], "lj"

    def forces(self, b):
        b = b.torch()
        rij = b.rij.clone().requires_grad_(True)
        e = energies(rij, self.cutoff)
        slopes, = torch.autograd.grad(e.sum(), rij)
        if not b.want:
            return None, slopes
        return torch.zeros(b.rows, dtype=e.dtype, device=e.device).index_add(0, b.i, e.detach()), slopes

class Padded(Plain):
    padded = True

class ByHand(Padded):
    def forces(self, b):
        b = b.torch()
        r2 = (b.rij * b.rij).sum(1)
        i2 = torch.where(r2 < self.cutoff * self.cutoff, 1.0 / r2, torch.zeros_like(r2))
        s6 = i2 * i2 * i2
        slopes = ((12.0 - 24.0 * s6) * s6 * i2)[:, None] * b.rij
        if not b.want:
            return None, slopes
        return torch.zeros(b.rows, dtype=r2.dtype, device=r2.device).index_add(0, b.i, 2.0 * s6 * (s6 - 1.0)), slopes
"""


def pair(name: str, place: Path) -> str:
    if name == "lj/cut":
        return "pair_style lj/cut 2.5\npair_coeff 1 1 1.0 1.0\n"
    return f"pair_style ml {place}:{name}\npair_coeff * * A\n"


def measure(name: str, cells: int, device: str, steps: int, place: Path) -> tuple[Simulation, list[str]]:
    sim = Simulation(device=device, tune=False)
    sim.commands(MELT.format(cells) + pair(name, place))
    sim.run(200)
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        sim.run(steps)
        sim.engine.space.synchronize()
        times.append((time.perf_counter() - begin) / steps)
    step = sorted(times)[1] * 1e3
    row = [name, str(sim.engine.system.natoms), f"{1e3 / step:.0f}", f"{step:.3f}"]
    if name != "lj/cut":
        call = alone(sim) * 1e3
        row += [f"{call:.3f}", f"{step - call:.3f}"]
    return sim, row


def alone(sim: Simulation) -> float:
    """Seconds of the call of the model by itself."""
    scheme = sim.engine.loop.pair.scheme
    if scheme.capture is not None:
        function = scheme.capture.launch
    else:
        edges = scheme._hand(sim.engine.loop.comm, False)

        def function() -> None:
            scheme.answers.take(scheme._answer(edges), edges)

    times = []
    for _ in range(5):
        sim.engine.space.synchronize()
        begin = time.perf_counter()
        for _ in range(20):
            function()
        sim.engine.space.synchronize()
        times.append((time.perf_counter() - begin) / 20)
    return sorted(times)[2]


def main() -> None:
    reader = argparse.ArgumentParser()
    reader.add_argument("--device", default="auto")
    reader.add_argument("--steps", type=int, default=1000)
    reader.add_argument("--cells", default="10,20")
    reader.add_argument("--models", default="Plain,Padded,ByHand")
    reader.add_argument("--profile", action="store_true")
    given = reader.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "model.py"
        place.write_text(MODEL)
        for cells in map(int, given.cells.split(",")):
            wanted, row = measure("lj/cut", cells, given.device, given.steps, place)
            print(*row, flush=True)
            for name in given.models.split(","):
                sim, row = measure(name, cells, given.device, given.steps, place)
                again = [Simulation(device=given.device, tune=False).commands(MELT.format(cells) + pair(one, place) + "run 20")
                         for one in ("lj/cut", name)]
                far = float(np.abs(again[0].gather("f") - again[1].gather("f")).max())
                print(*row, f"{far:.1e}", flush=True)
                if given.profile:
                    profile(sim)


def profile(sim: Simulation) -> None:
    """Kernels of 40 steps, by torch's profiler."""
    import torch
    from torch.profiler import ProfilerActivity

    with torch.profiler.profile(activities=[ProfilerActivity.CUDA]) as found:
        sim.run(40)
        sim.engine.space.synchronize()
    print(found.key_averages().table(sort_by="cuda_time_total", row_limit=25, max_name_column_width=60))


if __name__ == "__main__":
    main()
