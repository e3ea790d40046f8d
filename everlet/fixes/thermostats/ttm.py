"""Two temperatures: atoms in a bath of electrons, whose temperature is that of a grid and follows from a heat equation."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from everlet.errors import InputError, RunError, arguments, integer, number
from everlet.fixes.base import Fix, fix_style
from everlet.forces.pair.styles.table_file import Lines
from everlet.io.files import agreed, whole_file
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.random import Marsaglia
from everlet.state.system import System

USAGE = ("fix ID group ttm SEED C_E RHO_E KAPPA_E GAMMA_P GAMMA_S V_0 NX NY NZ set T | infile FILE [outfile N FILE]")


@fix_style("ttm")
class Ttm(Fix):
    """fix ID group ttm SEED C_E RHO_E KAPPA_E GAMMA_P GAMMA_S V_0 NX NY NZ set T | infile FILE [outfile N FILE]

    F -= gamma v and noise of the electrons' temperature T of the cell that an atom is in, as of fix langevin; gamma: GAMMA_P,
    and GAMMA_S more for atoms faster than V_0. C_E RHO_E dT/dt = KAPPA_E laplace T - sum F v / V_cell on a periodic grid, in
    steps short enough. infile: lines `IX IY IZ T` (from 1), outfile: such every N steps, in FILE.STEP.

    f_ID[1]: energy of the electrons, sum C_E RHO_E V_cell T; f_ID[2]: what they gave to atoms in the last step. Of orthogonal
    periodic boxes in three dimensions. On the host. Noise is that of the reference on one rank, on
    several ranks that of one rank whose atoms are stored by id.
    """

    gives = Gives(vector=EXTENSIVE, length=2)
    reads, writes = ("x", "v", "f", "type", "mask", "id"), ("f",)
    keeps = ("grid", "given")
    ordered = True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 12, None, USAGE)
        self.stream = Marsaglia(integer(args[0], "a seed"))
        capacity, density, self.kappa, self.gamma, self.fast_gamma, self.fast = (number(word, "a number of fix ttm")
                                                                               for word in args[1:7])
        self.capacity = capacity * density
        self.shape = tuple(integer(word, "a number of cells") for word in args[7:10])
        others = (self.kappa, self.fast_gamma, self.fast)
        if min(capacity, density, self.gamma) <= 0.0 or min(others) < 0.0 or min(self.shape) < 1:
            raise InputError(f"fix ttm {' '.join(args[1:10])}", "C_E, RHO_E and GAMMA_P must be above 0, the others not "
                             "negative, and there must be one cell or more along each axis")
        self.grid, self.given, self.out_every, self.out = np.zeros(self.shape), 0.0, 0, ""
        words = list(args[10:])
        while words:
            self._word(words.pop(0), words)
        if (self.grid <= 0.0).any():
            raise InputError(f"fix {id}: cells have no temperature", "give set T, or all cells in infile")
        box = system.need_box()
        if box.triclinic or not all(box.periodic) or system.dimension == 2:
            raise InputError(f"fix {id}: the box is tilted, not periodic or flat", "fix ttm needs an orthogonal periodic box")
        self.add_field("force", width=3)

    def _word(self, word: str, words: list[str]) -> None:
        if word == "set" and words:
            self.grid[:] = number(words.pop(0), "a temperature")
        elif word == "infile" and words:
            self._read(words.pop(0))
        elif word == "outfile" and len(words) > 1:
            self.out_every, self.out = integer(words.pop(0), "a number of steps"), words.pop(0)
        else:
            raise InputError(f"fix {self.id}: '{word}' is not known or lacks its value", f"usage: {USAGE}")

    def _read(self, path: str) -> None:
        lines = Lines(path)
        while (words := lines.next()) is not None:
            if len(words) != 4:
                raise InputError(f"{path}: line {lines.last} has {len(words)} words", "each line is IX IY IZ T")
            place = tuple(integer(word, "a cell") - 1 for word in words[:3])
            if not all(0 <= k < count for k, count in zip(place, self.shape, strict=True)):
                raise InputError(f"{path}: line {lines.last}: there is no cell {' '.join(words[:3])}", "count from 1")
            self.grid[place] = number(words[3], "a temperature")

    def setup(self) -> None:
        """The force of the last step, if there was one."""
        atoms = self.system.atoms
        atoms.edit("f")[:] += atoms.read(self.field("force"))

    def _cells(self) -> np.ndarray:
        """That of each atom of this rank, z fastest."""
        box, x = self.system.need_box(), self.system.atoms.read("x")[:, :3]
        place = np.floor((x - box.lo) * (np.array(self.shape) / box.lengths)).astype(np.int64) % self.shape
        return np.ravel_multi_index(tuple(place.T), self.shape)

    def _noise(self, rows: np.ndarray) -> np.ndarray:
        """Numbers from -1/2 to 1/2 for these atoms."""
        system, id = self.system, self.system.atoms.read("id")
        if system.ranks.size == 1:
            return self.stream.uniforms(3 * len(rows)).reshape(-1, 3) - 0.5
        most = int(system.ranks.max(np.array([float(id.max(initial=0))]))[0])
        return self.stream.uniforms(3 * most).reshape(-1, 3)[id[rows] - 1] - 0.5

    def post_force(self) -> None:
        system, atoms, units = self.system, self.system.atoms, self.system.units
        rows = np.flatnonzero(atoms.read("mask") & self.bit)
        v, heat = atoms.read("v")[rows], self.grid.ravel()[self._cells()[rows]]
        drag = np.where((v**2).sum(axis=1) > self.fast**2, self.gamma + self.fast_gamma, self.gamma) / units.ftm2v
        kick = np.sqrt(24.0 * units.boltz * self.gamma / system.dt / units.mvv2e) / units.ftm2v * np.sqrt(heat)
        force = atoms.edit(self.field("force"))
        force[:] = 0.0
        force[rows] = -drag[:, None] * v + kick[:, None] * self._noise(rows)
        atoms.edit("f")[:] += force

    def end_of_step(self) -> None:
        system, atoms, box = self.system, self.system.atoms, self.system.need_box()
        power = (atoms.read(self.field("force")) * atoms.read("v")).sum(axis=1)
        cells = int(np.prod(self.shape))
        taken = system.ranks.sum(np.bincount(self._cells(), power, cells)).reshape(self.shape)
        volume = box.volume / cells
        inverse = (np.array(self.shape) / box.lengths) ** 2  # 1 / spacing^2
        rate = self.kappa * float(inverse.sum()) / self.capacity
        count = int(system.dt / (0.5 / rate if 2.0 * system.dt * rate > 1.0 else system.dt)) + 1
        dt = system.dt / count
        for _ in range(count):
            bend = sum(inverse[axis] * (np.roll(self.grid, 1, axis) + np.roll(self.grid, -1, axis) - 2.0 * self.grid)
                       for axis in range(3))
            self.grid = self.grid + dt / self.capacity * (self.kappa * bend - taken / volume)
        if (self.grid < 0.0).any():
            raise RunError(f"fix {self.id}: the electrons' temperature is below 0 at step {system.step}",
                           "use a shorter timestep")
        self.given = float(taken.sum()) * system.dt
        if self.out_every and system.step % self.out_every == 0:
            self._write()

    def _write(self) -> None:
        system, size = self.system, "x".join(map(str, self.shape))
        with agreed(system.world), whole_file(f"{self.out}.{system.step}") as stream:
            stream.write(f"# DATE: {time.strftime('%Y-%m-%d')} UNITS: {system.units.name} COMMENT: Electron temperature on "
                         f"{size} grid at step {system.step} - created by fix ttm\n")
            for place in np.ndindex(self.shape[::-1]):
                x, y, z = place[::-1]
                stream.write(f"{x + 1} {y + 1} {z + 1} {self.grid[x, y, z]:20.16g}\n")

    def vector(self) -> np.ndarray:
        volume = self.system.need_box().volume / self.grid.size
        return np.array([self.capacity * volume * float(self.grid.sum()), self.given])

    def state(self) -> dict[str, Any]:
        return super().state() | {"stream": self.stream.mark()}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self.grid = np.asarray(self.grid).reshape(self.shape)
        self.stream.back(state["stream"], 0)
