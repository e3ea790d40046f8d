"""The CPU figures of the project, stored in benchmarks/results/: systems beside `lmp -sf opt` in one sitting.

    python benchmarks/cpu.py [NAME ...]      NAME: sizes, long, threads, manybody; default: all of them

sizes      the melt of 4 000, 32 000 and 256 000 atoms, cutoff 2.5, double and mixed
long       the melt of 32 000 atoms, cutoff 5.0, double
threads    the melt of 256 000 atoms on one and two threads
manybody   eam, sw, snap, snap-ta, mliap and mliap-nn in double, all in one file
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from everlet.cli import main
from everlet.perf import record

RESULTS = Path(__file__).parent / "results"
SETS = {  # the file, and the benchmarks that are in it
    "sizes": ("melt_sizes", ["lj --sizes 4000,32000,256000 --precision double,mixed --against lmp"]),
    "long": ("melt_long", ["lj --atoms 32000 --cutoff 5.0 --against lmp"]),
    "threads": ("melt_threads", ["lj --atoms 256000 --threads 1,2"]),
    "manybody": ("manybody", [f"{one} --against lmp --repeat 3" for one in (
        "eam --atoms 32000", "sw --atoms 32768", "snap --atoms 432", "snap-ta --atoms 432",
        "mliap --atoms 432", "mliap-nn --atoms 432")]),
}


def run(file: str, commands: list[str]) -> int:
    """The benchmarks of a set; the rows of several go into one file."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for command in commands:
            part = Path(folder) / "part.json"
            status = main(["bench", *command.split(), "--json", str(part)])
            if status:
                return status
            found.append(json.loads(part.read_text()))
    whole = {**found[0], "command": ["bench", *" ; bench ".join(commands).split()]}
    record.write(str(RESULTS / f"{file}.json"), {**whole, "rows": [row for one in found for row in one["rows"]]})
    return 0


if __name__ == "__main__":
    for name in sys.argv[1:] or SETS:
        if name not in SETS:
            sys.exit(f"unknown set '{name}'; known: {', '.join(SETS)}")
        status = run(*SETS[name])
        if status:
            sys.exit(status)
