"""An elastic band of worlds: each is an image, knows its neighbours, and goes downhill at the same pace as all others."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.fixes.control.neb import Neb
from everlet.run.minimisers.landscape import FORCE, Landscape
from everlet.run.replicas.neb_forces import Band, Springs, Sums, forces, products, tangent
from everlet.run.step import Timestep
from everlet.state.ranks import Universe
from everlet.state.system import System

NEB = "neb"


class Image:
    """The image of this world. `climber` is the one that climbs, if one does."""

    def __init__(self, system: System, universe: Universe, fix: Neb):
        self.system, self.universe, self.bit = system, universe, fix.bit
        self.number, self.count = universe.number, universe.worlds
        self.springs = Springs(**fix.springs)
        self.climber: int | None = None
        self.targets: tuple[float, float] | None = None
        self.sums = Sums(*[0.0] * 7)
        self.force = np.zeros((0, 3))  # of the atoms of the band, without springs
        self.energies: list[float] = []

    def check(self) -> None:
        """All images have the same atoms."""
        mask, ids = self.system.atoms.read("mask"), self.system.atoms.read("id")
        mine = np.sort(ids[(mask & self.bit) != 0])
        for other, (atoms, theirs) in enumerate(self.universe.all_of(NEB, (self.system.natoms, mine))):
            if atoms != self.system.natoms or not np.array_equal(mine, theirs):
                raise InputError(f"neb: partitions {self.number} and {other} differ in their atoms: {self.system.natoms} and "
                                 f"{atoms}, {len(mine)} and {len(theirs)} of them in the band",
                                 "give all partitions the same atoms and group")
        if not len(mine):
            raise InputError("neb: there are no atoms in the group of fix neb", "give it a group with the atoms that move")

    def nudge(self) -> None:
        """Forces of the atoms become those of the band."""
        system, atoms = self.system, self.system.atoms
        rows = np.flatnonzero(atoms.read("mask") & self.bit)
        mine = np.concatenate([atoms.read("id")[rows, None], atoms.read("x")[rows, :3], atoms.read("f")[rows, :3]], axis=1)
        whole = system.ranks.collect(np.ascontiguousarray(mine, np.float64), everywhere=True)
        whole = whole[np.argsort(whole[:, 0], kind="stable")]
        x, self.force = np.ascontiguousarray(whole[:, 1:4]), np.ascontiguousarray(whole[:, 4:])
        self.energies = self.universe.all_of(NEB, float(system.computes["thermo_pe"].now("scalar")))
        if self.targets is None:
            self.targets = self.energies[0], self.energies[-1]
        behind, ahead = self._steps(x)
        direction = self._tangent(behind, ahead)
        self.sums = Sums(*products(behind, ahead, direction, self.force))
        lengths = self.lengths() if self.springs.parallel != "neigh" else [0.0] * (self.count - 1)
        band = Band(self.energies, lengths, self.climber, self.targets)
        new = forces(self.springs, band, self.number, behind, ahead, direction, self.force, self.sums)
        if new is not self.force and len(rows):
            atoms.edit("f")[rows, :3] = new[np.searchsorted(whole[:, 0], mine[:, 0])]

    def _steps(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Vectors from the image before, and to the one after; 0 where there is none."""
        box = self.system.need_box()
        before, after = self.universe.beside(NEB, x)
        return (box.nearest(x - before) if before is not None else 0.0 * x,
                box.nearest(after - x) if after is not None else 0.0 * x)

    def _tangent(self, behind: np.ndarray, ahead: np.ndarray) -> Any:
        number, energies = self.number, self.energies
        if number in (0, self.count - 1):
            return behind if number else ahead
        return tangent(behind, ahead, (energies[number - 1], energies[number], energies[number + 1]))

    def lengths(self) -> list[float]:
        """Of the pieces of the path, from the first image to the last."""
        return self.universe.all_of(NEB, math.sqrt(self.sums.ahead2))[:-1]

    def highest(self) -> int:
        return int(np.argmax(self.energies))


class BandLandscape(Landscape):
    """What minimisers of all worlds walk on together: they hold and stop when all do."""

    image: Image
    report: Any = None  # called when iterations begin

    def __init__(self, loop: Timestep, norm: bool, image: Image):
        super().__init__(loop, norm)
        self.image, self.universe = image, image.universe

    def powers(self) -> tuple[float, float, float]:
        a, b, c = np.sum(self.universe.all_of(NEB, super().powers()), axis=0).tolist()
        return a, b, c

    def fastest(self, name: str) -> float:
        return float(max(self.universe.all_of(NEB, super().fastest(name))))

    def agreed(self, done: bool) -> bool:
        return all(self.universe.all_of(NEB, done))

    def begun(self) -> None:
        if self.report is not None:
            self.report()

    def strength(self) -> tuple[float, float]:
        """The length of the vector of all forces of this world, and its largest component."""
        return self.force_norm("two"), self.largest(FORCE)[0]
