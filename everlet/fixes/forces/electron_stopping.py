"""Fast atoms that lose energy to electrons, by a table of stopping powers."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from everlet.computes.peratom.cells import BOX, images
from everlet.errors import InputError, RunError, arguments, integer, number, one_of, unknown
from everlet.fixes.base import Fix, fix_style
from everlet.forces.pair.styles.table_file import Lines
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group electron/stopping ECUT FILE [region ID] [minneigh N]"


@fix_style("electron/stopping")
class ElectronStopping(Fix):
    """fix ID group electron/stopping ECUT FILE [region ID] [minneigh N]: F -= S(E) v / |v| on atoms with a kinetic energy E
    above ECUT and N (1) or more neighbours within the cutoff and skin.

    FILE: lines `E S1 S2 …` with stopping powers of each type (energy / length), between which S is interpolated; below the
    first E there is none, above the last one is an error; # begins a comment. f_ID: energy lost since the fix was defined.
    It does not act at the first step of a run, and works on the host.
    """

    gives = Gives(scalar=EXTENSIVE)
    reads, writes = ("x", "v", "f", "type", "mask"), ("f",)
    keeps = ("lost",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, 6, USAGE)
        self.least, self.region, self.crowd, self.lost = number(args[0], "an energy"), "", 1, 0.0
        if self.least <= 0.0:
            raise InputError(f"fix electron/stopping: ECUT {args[0]}", "give more than 0")
        for word, value in zip(args[2::2], [*args[3::2], ""], strict=False):
            if word == "region":
                self.region = one_of("region", value, system.regions)
            elif word == "minneigh":
                self.crowd = integer(value, "a number of neighbours")
            else:
                raise unknown("keyword of fix electron/stopping", word, ("region", "minneigh"), f"usage: {USAGE}")
        if self.crowd < 0:
            raise InputError(f"fix electron/stopping: minneigh {self.crowd}", "give 0 or more")
        self.energies, self.powers = self._table(args[1])

    def _table(self, path: str) -> tuple[np.ndarray, np.ndarray]:
        """Energies (n,) and stopping powers (types, n)."""
        rows, width, lines = [], self.system.ntypes + 1, Lines(path)
        while (words := lines.next()) is not None:
            if len(words) != width:
                raise InputError(f"{path}: line {lines.last} has {len(words)} numbers",
                                 f"each has an energy and {width - 1} stopping powers, one for each type")
            rows.append([number(word, "a number of a stopping power") for word in words])
        table = np.array(rows).reshape(-1, width)
        if not len(table) or (np.diff(table[:, 0]) <= 0.0).any():
            raise InputError(f"{path}: energies must increase from line to line", "sort them")
        return table[:, 0], table[:, 1:].T

    def init(self) -> None:
        if self.region and self.region not in self.system.regions:
            raise InputError(f"region {self.region} was removed while fix {self.id} uses it", "define it again")

    def _neighbours(self, rows: np.ndarray) -> np.ndarray:
        """Of some atoms: how many are within the reach of lists. All ranks ask."""
        system, box = self.system, self.system.need_box()
        reach = 0.0
        if system.evaluator is not None:
            reach = system.pair_cutoff + system.evaluator.neighbor.settings.given_skin(system.units.skin)
        x = system.whole.read("x")[:, :3].copy()
        mine = system.atoms.read("x")[rows, :3].copy()
        for places in (x, mine):
            box.wrap(places, np.zeros((len(places), 3), np.int32))
        places, whose = images(x, box, reach, box.dimension)
        near = cKDTree(places[whose != BOX])
        return near.query_ball_point((mine - box.lo)[:, : box.dimension], reach, return_length=True) - 1

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        types, v = atoms.read("type"), atoms.read("v")
        speed2 = (v**2).sum(axis=1)
        energy = 0.5 * system.units.mvv2e * system.masses_of() * speed2
        rows = np.flatnonzero((atoms.read("mask") & self.bit != 0) & (energy >= self.least) & (energy >= self.energies[0]))
        if self.region:
            rows = rows[system.regions[self.region].inside(atoms.read("x")[rows])]
        if self.crowd and system.ranks.any(bool(len(rows))):
            rows = rows[self._neighbours(rows) >= self.crowd]
        fast = float(energy[rows].max(initial=0.0))
        if system.ranks.any(fast > self.energies[-1]):
            raise RunError(f"fix {self.id}: an atom has a kinetic energy of {fast:g} at step {system.step}, beyond the table",
                           f"give stopping powers beyond {self.energies[-1]:g}")
        power = np.array([np.interp(energy[row], self.energies, self.powers[types[row] - 1]) for row in rows.tolist()])
        speed = np.sqrt(speed2[rows])
        atoms.edit("f")[rows] -= (power / speed)[:, None] * v[rows] if len(rows) else 0.0
        self.lost += float(system.ranks.sum(np.array([(power * speed).sum()]))[0]) * system.dt

    def scalar(self) -> float:
        return self.lost
