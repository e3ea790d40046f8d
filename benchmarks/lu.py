"""LU on one core beside the same program in C, and beside the Fortran of the NAS benchmarks if there is one.

    python benchmarks/lu.py [--class A] [--steps 10] [--repeat 3] [--compiler cc] [--npb FOLDER] [--out FILE]

The C program (lu_reference.c) is compiled with -O3 -march=native. `blocks` stores Jacobians and eliminates diagonal blocks, as
the public codes do; `fused` does the same arithmetic as Everlet. --npb names a folder such as NPB3.4-SER: it is copied, built
by gfortran -O3 -march=native, and runs all of its iterations. Programs run in turns; the median CPU time is shown, by
which they compare even if others use the machine. Rates are those of the benchmark's own count of operations.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from everlet.errors import InputError
from everlet.lu.problem import CLASSES
from everlet.lu.solver import Choice, Solver
from everlet.perf import options, record
from everlet.portable import Serial

HERE = Path(__file__).parent
FLAGS = ["-O3", "-march=native"]
KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "class": (options.one_of(*CLASSES), "A"), "steps": (options.positive, 10), "repeat": (options.positive, 3),
    "compiler": (options.word, ""), "npb": (options.word, ""), "out": (options.word, ""),
}
MAKE = """{compiler}
{linker}
F_LIB =
F_INC =
{flags} = -O3 -march=native
FLINKFLAGS = -O3 -march=native
CC = cc
CLINK = cc
C_LIB = -lm
C_INC =
CFLAGS = -O3
CLINKFLAGS = -O3
UCC = cc
BINDIR = ../bin
RAND = randi8
WTIME = wtime.c
"""


def compiled(compiler: str, folder: Path) -> Path:
    """The C program."""
    found = shutil.which(compiler) if compiler else shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not found:
        raise InputError("there is no C compiler", "install gcc or clang, or name one with --compiler")
    program = folder / "lu_reference"
    subprocess.run([found, *FLAGS, "-o", str(program), str(HERE / "lu_reference.c"), "-lm"], check=True)
    return program


def fortran(source: Path, name: str, folder: Path) -> Path:
    """LU of the NAS benchmarks, built in a copy."""
    if not shutil.which("gfortran"):
        raise InputError("--npb needs gfortran", "install it, or leave --npb out")
    if not (source / "LU").is_dir():
        raise InputError(f"there is no folder LU in {source}", "name that of the serial version, such as NPB3.4-SER")
    copy = folder / "npb"
    shutil.copytree(source, copy)
    text = MAKE.format(compiler="FC = gfortran\nF77 = gfortran", linker="FLINK = gfortran", flags="FFLAGS")
    (copy / "config" / "make.def").write_text(text)
    (copy / "bin").mkdir(exist_ok=True)
    subprocess.run(["make", "LU", f"CLASS={name}"], cwd=copy, check=True, capture_output=True)
    return next((copy / "bin").glob("lu*"))


def main(words: list[str]) -> int:
    given = options.parse(words, KNOWN, "python benchmarks/lu.py [--class A] [--steps 10] [--npb FOLDER] ...")
    problem, steps = CLASSES[given["class"]], given["steps"]
    solver, rates = Solver(Choice(problem), Serial()), {}
    with tempfile.TemporaryDirectory() as place:
        program = compiled(given["compiler"], Path(place))
        npb = fortran(Path(given["npb"]), problem.name, Path(place)) if given["npb"] else None
        for _ in range(given["repeat"]):
            outcome = solver.run(steps)
            rates.setdefault("everlet", []).append(outcome.operations / outcome.cpu / 1e6)
            for kind in ("blocks", "fused"):
                command = [str(program), problem.name, str(steps), kind]
                printed = subprocess.run(command, check=True, capture_output=True, text=True)
                seconds, norm = map(float, printed.stdout.split())
                if abs(norm / outcome.norms.residuals[0] - 1) > 1e-8:
                    raise SystemExit(f"{kind}: residual {norm}, Everlet has {outcome.norms.residuals[0]}")
                rates.setdefault(f"C, {kind}", []).append(problem.operations(steps) / seconds / 1e6)
            if npb:
                printed = subprocess.run([str(npb)], check=True, capture_output=True, text=True)
                found = re.search(r"Mop/s total\s*=\s*([\d.]+)", printed.stdout)
                rates.setdefault("NPB, Fortran", []).append(float(found.group(1)) if found else 0.0)
    medians = {name: statistics.median(found) for name, found in rates.items()}
    rows = [{"who": name, "mops": rate, "everlet_over_it": medians["everlet"] / rate, "all": rates[name]}
            for name, rate in medians.items()]
    print(f"LU class {problem.name}, {steps} iterations, one core")
    print(record.table(["who", "Mop/s", "Everlet / it"],
                       [[row["who"], f"{row['mops']:.0f}", f"{row['everlet_over_it']:.2f}"] for row in rows]))
    if given["out"]:
        about = {"class": problem.name, "steps": steps, "flags": FLAGS}
        record.write(given["out"], {**record.stamp(Serial()), "command": "python benchmarks/lu.py", **about, "rows": rows})
    return 0


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main(sys.argv[1:]))
