"""The GPU figures of the project, stored in benchmarks/results/: the melt, and what limits it, on one GPU.

    python benchmarks/gpu.py [NAME ...]      NAME: sizes, saturation, neighbours, carveout, profile; default: all of them

sizes        4 000 to 16 million atoms, double and mixed
saturation   throughput against the number of atoms up to 4 million
neighbours   lists, newton and teams at three sizes
carveout     the L1 cache of the pair loop
profile      kernels of a rebuild cycle at 256 000 and 16.4 million atoms
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from everlet.cli import main

ROOT, RESULTS = Path(__file__).parents[1], "benchmarks/results/gpu"
SETS = {
    "sizes": f"bench lj --sizes 4000,32000,256000,2048000,16384000 --precision double,mixed --json {RESULTS}/sizes.json",
    "saturation": f"study saturation --largest 4096000 --out {RESULTS}",
    "neighbours": f"study neighbours --sizes 4000,256000,2048000 --out {RESULTS}",
    "carveout": f"study carveout --sizes 256000,2048000 --precision double,mixed --out {RESULTS}",
    "profile": f"study profile --sizes 256000,16384000 --precision double,mixed --out {RESULTS}",
}

if __name__ == "__main__":
    os.chdir(ROOT)  # result files name paths as they were given
    for name in sys.argv[1:] or SETS:
        if name not in SETS:
            sys.exit(f"unknown set '{name}'; known: {', '.join(SETS)}")
        status = main([*SETS[name].split(), "--device", "cuda"])
        if status:
            sys.exit(status)
