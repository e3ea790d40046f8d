"""The GPU figures of the project, stored in benchmarks/results/gpu/: systems of `everlet bench`, and what limits them.

    python benchmarks/gpu.py [NAME ...]      NAME: one of these; default: all of them

sizes        the melt of 4 000 to 16 million atoms, double and mixed
saturation   throughput against the number of atoms up to 4 million
neighbours   lists, newton and teams at three sizes
carveout     the L1 cache of the pair loop
batching     neighbours and products that a thread of snap does together
profile      kernels of a rebuild cycle at 256 000 and 16.4 million atoms
manybody     eam, sw, snap, snap-ta and mliap
kernels      the profiles of the same
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from everlet.cli import main

ROOT, RESULTS = Path(__file__).parents[1], "benchmarks/results/gpu"
MANY = {"eam": "32000,2048000", "sw": "32768", "snap": "2000,65536", "snap-ta": "2000,65536", "mliap": "2000,65536"}
SETS = {  # one command to a line
    "sizes": f"bench lj --sizes 4000,32000,256000,2048000,16384000 --precision double,mixed --json {RESULTS}/sizes.json",
    "saturation": f"study saturation --largest 4096000 --out {RESULTS}",
    "neighbours": f"study neighbours --sizes 4000,256000,2048000 --out {RESULTS}",
    "carveout": f"study carveout --sizes 256000,2048000 --precision double,mixed --out {RESULTS}",
    "batching": f"study batching --system snap --atoms 65536 --out {RESULTS}",
    "profile": f"study profile --atoms 256000,16384000 --precision double,mixed --out {RESULTS}",
    "manybody": "\n".join(f"bench {name} --sizes {sizes} --json {RESULTS}/{name}.json" for name, sizes in MANY.items()),
    "kernels": "\n".join(f"study profile --system {name} --atoms {sizes} --out {RESULTS}" for name, sizes in MANY.items()),
}

if __name__ == "__main__":
    os.chdir(ROOT)  # result files name paths as they were given
    for name in sys.argv[1:] or SETS:
        if name not in SETS:
            sys.exit(f"unknown set '{name}'; known: {', '.join(SETS)}")
        for command in SETS[name].splitlines():
            status = main([*command.split(), "--device", "cuda"])
            if status:
                sys.exit(status)
