"""On a cluster: one program for one core, for many ranks, and for a queue.

    python examples/recipes/cluster.py                    one rank
    mpiexec -n 2 python examples/recipes/cluster.py       two ranks share the atoms (needs mpi4py)
    sbatch melt.job                                       the script that the program has exported, on two nodes

What one learns: every rank makes the same calls and gets the same answers; script() is what a queue runs; the job script
of `everlet cluster` stops in time and writes a restart file.
"""

from pathlib import Path

import numpy as np

import everlet as ev
from everlet.tools import cluster

cells, edge = 6, (4 / 0.8442) ** (1 / 3)
corners = np.array(list(np.ndindex(cells, cells, cells)))
basis = np.array([[0, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]])

with ev.Simulation(units="lj", device="cpu", threads=1) as sim:
    sim.create((corners[:, None] + basis).reshape(-1, 3) * edge, cell=[cells * edge] * 3)
    sim.pair = ev.pair.lj_cut(2.5, epsilon=1.0, sigma=1.0).modify(shift=True)
    sim.set_temperature(1.44, seed=87287)
    sim.fix.nve()
    sim.thermo.every, sim.thermo.columns = 20, ["step", "temp", "pe", "etotal"]
    sim.run(60)
    energy, x = sim.thermo["etotal"], sim.positions  # of all atoms, on every rank
    assert x.shape == (4 * cells**3, 3) and np.ptp(energy) < 2e-3
    script, first = sim.script(), sim.rank == 0
    if first:
        print(f"{sim.n} atoms on {sim.ranks} ranks: energy {energy[-1]:.8f} per atom after {sim.step} steps")

with ev.Simulation(device="cpu", threads=1).commands(script) as again:  # all that was done, as a script
    assert np.allclose(again.thermo["etotal"], energy, rtol=1e-10)

if first:  # files are for one rank to write
    Path("in.melt").write_text(script)
    job = cluster.read(["in.melt", "--nodes", "2", "--ranks-per-node", "32", "--threads", "1", "--time", "00:30:00"])
    Path("melt.job").write_text(cluster.text(job))
    print("written: in.melt, melt.job (the same as: everlet cluster in.melt --nodes 2 …)")
    assert "srun --nodes=2" in Path("melt.job").read_text()
