"""Study precision: how well the total energy of a melt at constant energy is kept in each precision.

The potential is shifted to zero at the cutoff, since a jump there makes a drift of its own, the same in any precision.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.io.stages import stage
from everlet.lab.results import Outcome, plot, study
from everlet.perf import bench, options, plots, record
from everlet.perf.runs import Case
from everlet.portable import choose
from everlet.session import Session

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "atoms": (options.positive, 4000), "steps": (options.positive, 5000), "device": bench.KNOWN["device"],
    "precision": (options.many(options.one_of(*bench.PRECISIONS)), list(bench.PRECISIONS)),
    "out": (options.word, "study"),
}
POINTS = 100  # energies taken from a run
DT = 0.002  # tau: short, so that the integrator's own error does not hide that of the arithmetic

plot("precision")(plots.precision)


@study("precision")
def precision(words: list[str]) -> Outcome:
    """everlet study precision [--atoms 4000] [--steps 5000] [--precision double,mixed,single] [--device cpu] [--out FOLDER]

    How far the energy of a melt at constant energy drifts in each precision. Published, without numbers: that positions and
    distances of 32 bits do, if sums have 64."""
    given = options.parse(words, KNOWN, "everlet study precision [options]; see everlet study precision --help")
    stamp = record.stamp(choose(given["device"], 1))
    rows = [measure(given["atoms"], given["steps"], name, given["device"]) for name in given["precision"]]
    said = conclusion(rows)
    return given["out"], "precision", {**stamp, "rows": rows, "conclusion": said}, f"{text(rows)}\n{said}"


def measure(atoms: int, steps: int, precision: str, device: str) -> dict[str, Any]:
    """Total energy per atom over a run: slope of a straight line per 1000 steps, and scatter about it.

    The slope's error is what the scatter allows; a slope within it is no drift.
    """
    stage(f"{precision}, {steps} steps of {atoms} atoms")
    sim = Session(device=device, threads=1 if device == "cpu" else 0, precision=precision, tune=False)
    every = max(1, steps // POINTS)
    sim.commands(Case(atoms).script() + f"pair_modify shift yes\nneigh_modify every 1 check yes\ntimestep {DT}\n"
                 f"thermo_style custom step etotal temp\nthermo_modify norm yes\nthermo {every}\nrun {steps} post no")
    rows = sim.thermo.table()
    step, energy = rows["step"].astype(float), rows["etotal"]
    melted = step >= 0.2 * steps if steps >= 10 * every else step >= 0  # the lattice melts first
    t, e = step[melted] / 1000.0, energy[melted]
    slope, start = np.polyfit(t, e, 1) if len(t) > 1 else (0.0, e[0])
    scatter = float(np.std(e - slope * t - start))
    spread = float(np.std(t)) * np.sqrt(len(t))
    return {"precision": precision, "atoms": sim.system.natoms, "steps": steps, "slope": float(slope),
            "scatter": scatter, "slope_error": scatter / spread if spread > 0 else 0.0,
            "largest": float(np.abs(e - e[0]).max()), "step": step.tolist(), "energy": energy.tolist()}


def text(rows: list[dict[str, Any]]) -> str:
    """The table for people; energies per atom, in epsilon."""
    return record.table(["precision", "atoms", "steps", "drift per 1000 steps", "its error", "scatter", "largest change"],
                        [[row["precision"], str(row["atoms"]), str(row["steps"])]
                         + [f"{row[name]:.2e}" for name in ("slope", "slope_error", "scatter", "largest")] for row in rows])


def conclusion(rows: list[dict[str, Any]]) -> str:
    """Whether less than double precision does."""
    known = {row["precision"]: row for row in rows}
    if "double" not in known or len(known) < 2:
        return "double precision and another one are needed to compare"
    said = []
    for name, row in known.items():
        if name != "double":
            scatter = row["scatter"] / max(known["double"]["scatter"], 1e-300)
            drifts = abs(row["slope"]) > 3.0 * (row["slope_error"] + known["double"]["slope_error"]) + 3.0 * abs(
                known["double"]["slope"])
            said.append(f"{name}: energies scatter {scatter:.2g} times as far as in double precision, and "
                        f"{'drift more' if drifts else 'drift no more'}")
    return "; ".join(said) + ". That 32 bits do for distances if sums have 64 " + (
        "" if "mixed" not in known else "holds here" if "drift no more" in next(one for one in said if one.startswith("mixed"))
        else "does not hold here")
