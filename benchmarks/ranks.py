"""The figures for several ranks, stored in benchmarks/results/ranks.json: the melt on one and two ranks beside the peer.

    python benchmarks/ranks.py [ROUNDS]      default: 3; needs two idle cores, mpiexec and lmp

strong   256 000 atoms on 1 and on 2 ranks, schemes half and windows; the peer on 2 ranks
weak     128 000 atoms on 1 rank against 256 000 on 2
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from everlet.perf import record
from everlet.portable import Serial

RESULTS = Path(__file__).parent / "results"
MELT = """
package everlet scheme {scheme}
units lj
lattice fcc 0.8442
region box block 0 {x} 0 40 0 40
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
run 20
run 100
"""
RUNS = {  # name: ranks, cells along x, scheme (none: the peer)
    "1 rank, half": (1, 40, "half"), "2 ranks, half": (2, 40, "half"),
    "1 rank, windows": (1, 40, "windows"), "2 ranks, windows": (2, 40, "windows"),
    "lmp -sf opt, 2 ranks": (2, 40, ""), "1 rank, half, half of the atoms": (1, 20, "half"),
}


def seconds(ranks: int, x: int, scheme: str, folder: Path) -> float:
    """Loop time of the last run."""
    text = MELT.format(x=x, scheme=scheme)
    (folder / "in.melt").write_text(text if scheme else text.split("\n", 2)[2])
    ours = [sys.executable, "-m", "everlet", "run", "in.melt", "--threads", "1", "--device", "cpu", "--log", "log"]
    program = ours if scheme else ["lmp", "-sf", "opt", "-in", "in.melt", "-log", "log"]
    words = [*(["mpiexec", "-n", str(ranks)] if ranks > 1 else []), *program]
    subprocess.run(words, cwd=folder, env=os.environ | {"OMP_NUM_THREADS": "1"}, check=True, capture_output=True)
    return float(re.findall(r"Loop time of (\S+)", (folder / "log").read_text())[-1])


def main(rounds: int) -> None:
    found: dict[str, list[float]] = {name: [] for name in RUNS}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for name, run in RUNS.items():
                found[name].append(seconds(*run, Path(folder)))
    mid = {name: statistics.median(times) for name, times in found.items()}
    ratios = {
        "two ranks by one, half": mid["1 rank, half"] / mid["2 ranks, half"],
        "two ranks by one, windows": mid["1 rank, windows"] / mid["2 ranks, windows"],
        "by lmp on two ranks, half": mid["lmp -sf opt, 2 ranks"] / mid["2 ranks, half"],
        "by lmp on two ranks, windows": mid["lmp -sf opt, 2 ranks"] / mid["2 ranks, windows"],
        "weak scaling": mid["1 rank, half, half of the atoms"] / mid["2 ranks, half"],
    }
    for name, ratio in ratios.items():
        print(f"{name:32} {ratio:.2f}")
    record.write(str(RESULTS / "ranks.json"), {**record.stamp(Serial()), "seconds": found, "ratios": ratios})


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
