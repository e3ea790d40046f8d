"""One way of computing a prepared script, in a process (or several ranks) of its own: numbers as a file.

    python -m everlet.lab.verify_way JOB.json      a Job; the first rank writes its `out`
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from everlet.comm.world import writes
from everlet.errors import EverletError
from everlet.fixes.constraints.base import Constraints
from everlet.lab.verify_text import COLUMNS
from everlet.session import Session

SHAKEN = 0.03  # share of the mean distance by which atoms are moved first: on a lattice forces are 0
PICKED, STEPS = 12, (1e-4, 1e-5, 1e-6)  # atoms that are moved; by these shares of the mean distance, and strains
TILTED = (("xy", "xz"), ("yz",), ())  # tilts that stretch with an axis
STRAINS = (1e-5, 1e-6, 1e-7)


@dataclass
class Job:
    """what: start (numbers at once and after `steps`), slopes (of the energy), drift (of the energy without thermostats)."""

    script: str
    out: str
    device: str = "serial"
    threads: int = 0
    precision: str = "double"
    what: str = "start"
    steps: int = 0
    plugins: list[str] = field(default_factory=list)
    trust: list[str] = field(default_factory=list)

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self)))


def carry_out(job: Job) -> dict[str, Any]:
    """Numbers by name: scalars and arrays."""
    with Session(job.device, job.threads, job.precision, tune=False, trust=job.trust) as session:
        for plugin in job.plugins:
            session.load_plugin(plugin)
        session.file(job.script)
        session.commands(f"thermo_style custom step {' '.join(COLUMNS)}\nthermo {max(job.steps, 1)}\nthermo_modify norm no")
        numbers = {"start": _start, "slopes": _slopes, "drift": _drift}[job.what](session, job.steps)
        return numbers | {"space": str(session.space)}


def _row(session: Session) -> np.ndarray:
    return np.array([session.thermo_value(word) for word in COLUMNS])


def _start(session: Session, steps: int) -> dict[str, Any]:
    session.commands("run 0")
    found = {"row": _row(session), "f": session.gather("f")[:, :3].astype(float)}
    if steps:
        session.commands(f"run {steps}")
        found |= {"later": _row(session), "x": session.gather("x")[:, :3].astype(float)}
    return found


def _conservative(session: Session) -> None:
    """Without fixes that integrate or change the box, constraints, and forces whose energy does not count."""
    for id, fix in list(session.system.fixes.items()):
        forces = fix.overrides("post_force") and (not fix.energy_on or isinstance(fix, Constraints))
        if fix.integrates or fix.changes_box or forces:
            session.remove_fix(id)


def _slopes(session: Session, _: int) -> dict[str, Any]:
    """Forces along random directions beside differences of the energy, and virials beside its change under strain.

    Differences of three sizes: an energy that ends at a cutoff jumps when a pair crosses it, which is rare at the smallest.
    """
    system = session.system
    _conservative(session)
    if system.pair is not None:
        session.commands("pair_modify tail no")
    session.commands("run 0")
    random, x = np.random.default_rng(1), session.gather("x")
    n = len(x)
    distance = (system.need_box().volume / n) ** (1.0 / 3.0)
    x[:, : system.dimension] += random.normal(scale=SHAKEN * distance, size=(n, system.dimension))
    session.set_array("x", x)
    x, f = session.gather("x"), session.gather("f")[:, :3].astype(float)
    forces, slopes = [], []
    for atom in random.choice(n, min(PICKED, n), replace=False):
        way = random.normal(size=3)
        way[system.dimension :] = 0.0
        way /= np.sqrt(way @ way)
        forces.append(float(f[atom] @ way))
        slopes.append([_difference(session, x, atom, h * distance * way) / (h * distance) for h in STEPS])
    strained, virials = [], []
    virial = session.fresh("pressure", "NULL", "virial")[:3] * system.need_box().volume / system.units.nktv2p
    for axis in range(system.dimension):
        if system.need_box().periodic[axis]:
            virials.append(float(virial[axis]))
            strained.append([_strain(session, x, axis, e) / e for e in STRAINS])
    return {"forces": np.array(forces), "slopes": np.array(slopes).reshape(-1, len(STEPS)), "virials": np.array(virials),
            "strained": np.array(strained).reshape(-1, len(STRAINS)), "rms": np.sqrt(np.mean(f**2)), "distance": distance}


def _difference(session: Session, x: np.ndarray, atom: int, move: np.ndarray) -> float:
    """Minus the change of the energy when an atom moves, from half of it before to half behind."""
    energies = []
    for half in (-0.5, 0.5):
        moved = x.copy()
        moved[atom, :3] += half * move
        session.set_array("x", moved)
        energies.append(session.thermo_value("pe"))
    session.set_array("x", x)
    return energies[0] - energies[1]


def _strain(session: Session, x: np.ndarray, axis: int, strain: float) -> float:
    """The same when box and atoms are stretched along an axis."""
    box, energies = session.system.need_box(), []
    low, high = float(box.lo[axis]), float(box.hi[axis])
    for half in (-0.5, 0.5):
        wide = high + half * strain * (high - low)
        tilts = {name: getattr(box, name) * (1.0 + half * strain) for name in TILTED[axis]} if box.triclinic else {}
        session.commands(" ".join([f"change_box all {'xyz'[axis]} final {low!r} {wide!r}",
                                   *(f"{name} final {tilt!r}" for name, tilt in tilts.items()), "units box"]))
        moved = x.copy()
        moved[:, axis] += half * strain * (x[:, axis] - low)
        session.set_array("x", moved)
        energies.append(session.thermo_value("pe"))
        session.change_box(box)
        session.set_array("x", x)
    return energies[0] - energies[1]


def _drift(session: Session, steps: int) -> dict[str, Any]:
    """Total energies of a run at constant energy, ten of them."""
    _conservative(session)
    session.commands("fix verify_nve all nve")
    rows: list[float] = []
    for _ in range(11):
        session.commands(f"run {max(steps // 10, 1)}" if rows else "run 0")
        rows.append(session.thermo_value("pe") + session.thermo_value("ke"))
    return {"energies": np.array(rows), "ke": session.thermo_value("ke"), "n": session.system.natoms}


def main(words: list[str]) -> int:
    job = Job(**json.loads(Path(words[0]).read_text()))
    try:
        numbers = carry_out(job)
    except EverletError as error:
        print(f"ERROR: {error.cause}", file=sys.stderr)
        return 1
    if writes():
        np.savez(job.out, **numbers)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
