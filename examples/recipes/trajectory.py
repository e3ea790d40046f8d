"""From a trajectory to tables: thermo rows and positions of all frames, as pandas frames where pandas is installed.

    python examples/recipes/trajectory.py

What one learns: dumps from Python, reading them back frame by frame, the diffusion coefficient by two ways.
"""

import tempfile
from typing import Any

import numpy as np

import everlet as ev

try:
    import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    pandas = None

with tempfile.TemporaryDirectory() as folder, ev.Simulation(units="lj") as sim:
    sim.commands("lattice fcc 0.7\nregion box block 0 4 0 4 0 4\ncreate_box 1 box\ncreate_atoms 1 box\nmass 1 1.0")
    sim.pair = ev.pair.lj_cut(2.5, epsilon=1.0, sigma=1.0).modify(shift=True)
    sim.set_temperature(2.0, seed=3)
    nvt = sim.fix.nvt(temp=1.5, damp=0.5)
    sim.run(300)
    nvt.remove()
    sim.fix.nve()
    sim.step = 0
    sim.thermo.clear()  # rows of the way here are of no use
    moved = sim.compute.msd()
    sim.thermo.every, sim.thermo.columns = 20, ["step", "time", "temp", "pe", "etotal", "press", f"c_{moved.id}[4]"]
    frames_of = sim.dump(f"{folder}/liquid.lammpstrj.gz", every=20)
    sim.run(400)
    rows: Any = sim.thermo.table() if pandas is None else sim.thermo.to_pandas()
    own = moved.vector[3]
    sim.commands(f"undump {frames_of}")  # the file is whole now
    frames = list(ev.read_frames(f"{folder}/liquid.lammpstrj.gz"))
    edge = sim.cell[0, 0]

x = np.array([frame.positions for frame in frames])  # (frames, atoms, 3), inside of the box
hops = np.diff(x, axis=0)
hops -= np.rint(hops / edge) * edge  # between frames nobody goes further than half the box
squares = (np.cumsum(hops, axis=0) ** 2).sum(axis=2).mean(axis=1)  # from frame 1 on
late = slice(len(frames) // 4, None)
diffusion = np.polyfit(rows["time"][1:][late], squares[late], 1)[0] / 6
if pandas is not None:
    atoms = pandas.concat(pandas.DataFrame(frame.positions, columns=list("xyz"), index=frame.ids).assign(step=frame.step)
                          for frame in frames)
    print(rows.describe(), atoms.groupby("step").mean().tail(3), sep="\n")
print(f"{len(frames)} frames, diffusion coefficient {diffusion:.3f} sigma²/tau")
assert [frame.step for frame in frames] == list(rows["step"]) and np.isclose(squares[-1], own, rtol=1e-3)
assert np.ptp(rows["etotal"]) < 2e-3 and 0.08 < diffusion < 0.3
