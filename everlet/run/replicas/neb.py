"""The command neb: a band of worlds relaxes to a path of least energy, then its highest image climbs to the saddle."""

from __future__ import annotations

import gzip
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.errors import InputError
from everlet.fixes.control.neb import Neb
from everlet.inputs import SCRIPT, open_text
from everlet.run.minimisers.base import Limits, min_style
from everlet.run.minimisers.damped import Damped
from everlet.run.minimisers.minimisation import minimise
from everlet.run.outputs import Visit
from everlet.run.replicas.band import NEB, BandLandscape, Image
from everlet.run.step import Timestep

if TYPE_CHECKING:  # it knows this file
    from everlet.run.engine import Engine

ANGLES = ("pathangle", "angletangrad", "anglegrad", "gradV", "RepForce", "MaxAtomForce")


@dataclass(frozen=True)
class Given:
    """neb ETOL FTOL N1 N2 NEVERY final FILE|each FILE|none [verbosity …]."""

    energy: float
    force: float
    first: int
    second: int
    every: int
    style: str
    file: str
    verbosity: str


def neb(engine: Engine, given: Given) -> None:
    """Both stages."""
    universe, system = engine.universe, engine.system
    universe.need(NEB)
    system.need_box()
    fixes = [fix for fix in system.fixes.values() if isinstance(fix, Neb)]
    if len(fixes) != 1:
        raise InputError(f"neb needs one fix neb, found {len(fixes)}", "define it: fix ID group neb KSPRING")
    if not issubclass(min_style[engine.min_settings.style], Damped):
        raise InputError(f"min_style {engine.min_settings.style} searches along lines, which replicas cannot do together",
                         "use min_style quickmin or fire")
    for theirs in universe.all_of(NEB, (given.energy, given.force, given.first, given.second, given.every)):
        if theirs != (given.energy, given.force, given.first, given.second, given.every):
            raise InputError("neb: partitions have different tolerances or numbers of iterations", "give all of them the same")
    place_atoms(engine, given.style, given.file)
    fix = fixes[0]
    image = Image(system, universe, fix)
    image.check()
    fix.nudge = image.nudge
    try:
        _stage(engine, given, image, given.first)
        image.climber = image.highest()
        universe.write(f"Climbing replica = {image.climber + 1}")
        _stage(engine, given, image, given.second)
    finally:
        fix.nudge = None


def _stage(engine: Engine, given: Given, image: Image, iterations: int) -> None:
    """One minimisation of all worlds, with a row of the universe's log every so many iterations."""
    table = Table(engine, image, given.verbosity)
    visit = Visit(engine.system.step, given.every, table.row)

    def landscape(loop: Timestep, norm: bool) -> BandLandscape:
        table.land = BandLandscape(loop, norm, image)
        table.land.report = table.begin
        return table.land

    engine.outputs.visits.append(visit)
    try:
        with engine.stopping.together():
            minimise(engine, Limits(given.energy, given.force, iterations, 2**62), landscape)
    finally:
        engine.outputs.visits.remove(visit)


class Table:
    """Rows of the universe's log, in the columns of the reference."""

    land: BandLandscape

    def __init__(self, engine: Engine, image: Image, verbosity: str):
        self.engine, self.image, self.verbosity = engine, image, verbosity

    def begin(self) -> None:
        names = ["MaxAtomForce", "GradV0", "GradV1", "GradVc", "EBF", "EBR", "RDT"]
        images = range(1, self.image.count + 1)
        if self.verbosity != "terse":
            names += [f"{word}{k}" for k in images for word in ("RD", "PE")]
        head = "    Step     MaxReplicaForce " + "".join(f"{name:^14} " for name in names)
        if self.verbosity == "verbose":
            head += "".join(f"{f'{word}{k}':^12} " for k in images for word in ANGLES)
        self.image.universe.write(head)
        self.row()

    def row(self) -> None:
        image, per = self.image, self.land.per
        strength, most = self.land.strength()
        verbose = self.verbosity == "verbose"
        after = image.universe.beside(NEB, image.force)[1] if verbose else None
        angles = self._angles(after) if verbose else ()
        stopping = self.engine.stopping
        mine = (strength, most, math.sqrt(image.sums.force2), math.sqrt(image.sums.ahead2), angles, stopping.mine())
        everyone = image.universe.all_of(NEB, mine)
        stopping.agree([one[5] for one in everyone])
        norms, components, slopes, ahead = ([one[k] for one in everyone] for k in range(4))
        energies = [energy * per for energy in image.energies]
        coordinates = np.concatenate([[0.0], np.cumsum(ahead[:-1])])
        whole, top = float(coordinates[-1]), image.highest()
        high = top if image.climber is None else image.climber
        numbers = [max(components), slopes[0], slopes[-1], slopes[high], energies[top] - energies[0],
                   energies[top] - energies[-1], whole]
        if self.verbosity != "terse":
            places = coordinates / whole if whole > 0.0 else coordinates
            numbers += [value for pair in zip(places.tolist(), energies, strict=True) for value in pair]
        text = f"{self.engine.system.step:10d}   {max(norms):<16.8g} " + "".join(f"{value:<14.8g} " for value in numbers)
        if verbose:
            rows = [(*one[4], slopes[k], norms[k], components[k]) for k, one in enumerate(everyone)]
            text += "".join(f"{value:<12.5g} " for values in rows for value in values)
        image.universe.write(text)
        if image.universe.log is not None and hasattr(image.universe.log, "event"):
            image.universe.log.event(NEB, step=self.engine.system.step, energies=energies, coordinates=coordinates.tolist(),
                                     forward=numbers[4], reverse=numbers[5])

    def _angles(self, after: Any) -> tuple[float, float, float]:
        """Of the path at this image, of path and slope, and of the slopes here and at the next image, in degrees."""
        sums, force = self.image.sums, self.image.force
        path = _angle(-sums.turn, sums.behind2 * sums.ahead2)
        slope = _angle(-sums.along, sums.tangent2 * sums.force2)
        if after is None:
            return path, slope, math.nan
        return path, slope, _angle(float((force * after).sum()), sums.force2 * float((after * after).sum()))


def _angle(product: float, squares: float) -> float:
    return math.degrees(math.acos(max(-1.0, min(1.0, product / math.sqrt(squares))))) if squares > 0.0 else math.nan


def place_atoms(engine: Engine, style: str, file: str) -> None:
    """Where images begin: on straight lines to the last one (final), or as a file of each says (each)."""
    universe, system = engine.universe, engine.system
    if style == "none" or universe.number == 0:
        return
    engine.division.gather()
    ids, places = read_places(file)
    share = universe.number / (universe.worlds - 1) if style == "final" else 1.0
    known = system.atoms.read("id")
    order = np.argsort(known, kind="stable")
    found = np.searchsorted(known, ids, sorter=order)
    missing = [int(id) for id, k in zip(ids, found, strict=True) if k == len(known) or known[order[k]] != id]
    if missing:
        raise InputError(f"neb: '{file}' names atom {missing[0]}, which does not exist", "correct the file")
    rows = order[found]
    x = system.atoms.edit("x")
    x[rows, :3] += share * system.need_box().nearest(places - x[rows, :3])
    engine.changed()


def read_places(path: str) -> tuple[np.ndarray, np.ndarray]:
    """Atom ids and positions of a file: N, then N lines ID x y z; blank lines and comments before them."""
    try:
        with open_text(path, SCRIPT, opener=gzip.open if path.endswith(".gz") else open) as file:
            lines = [line.partition("#")[0].split() for line in file]
    except OSError as error:
        raise InputError(f"neb: cannot read '{path}': {error.strerror}", "check the path and its permissions") from None
    rows = [line for line in lines if line]
    try:
        count = int(rows[0][0])
        found = rows[1 : count + 1]
        if count < 0 or len(found) < count:
            raise ValueError
        return np.array([int(row[0]) for row in found], np.int64), np.array([[float(w) for w in row[1:4]] for row in found]
                                                                            ).reshape(count, 3)
    except (ValueError, IndexError):
        raise InputError(f"neb: '{path}' is not a number of atoms and as many lines ID x y z", "correct the file") from None
