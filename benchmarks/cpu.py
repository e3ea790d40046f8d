"""The CPU figures of the project, stored in benchmarks/results/: the melt beside `lmp -sf opt` in one sitting.

    python benchmarks/cpu.py [NAME ...]      NAME: sizes, long, threads; default: all of them

sizes     4 000, 32 000 and 256 000 atoms, cutoff 2.5, double and mixed
long      32 000 atoms, cutoff 5.0, double
threads   256 000 atoms on one and two threads
"""

from __future__ import annotations

import sys
from pathlib import Path

from everlet.cli import main

RESULTS = Path(__file__).parent / "results"
SETS = {
    "sizes": "--sizes 4000,32000,256000 --precision double,mixed --against lmp",
    "long": "--atoms 32000 --cutoff 5.0 --against lmp",
    "threads": "--atoms 256000 --threads 1,2",
}

if __name__ == "__main__":
    for name in sys.argv[1:] or SETS:
        if name not in SETS:
            sys.exit(f"unknown set '{name}'; known: {', '.join(SETS)}")
        status = main(["bench", "lj", *SETS[name].split(), "--json", str(RESULTS / f"melt_{name}.json")])
        if status:
            sys.exit(status)
