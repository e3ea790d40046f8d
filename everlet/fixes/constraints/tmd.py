"""Targeted dynamics: atoms are led to a structure."""

from __future__ import annotations

import numpy as np

from everlet.computes.words.columns import unwrapped
from everlet.errors import InputError, RunError, arguments, integer, number
from everlet.fixes.base import Fix, fix_style
from everlet.forces.pair.styles.table_file import Lines
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group tmd RHO FILE 0"


@fix_style("tmd")
class TMD(Fix):
    """fix ID group tmd RHO FILE 0: rho = sqrt(sum m |x - X|^2 / M) of the atoms of the group, of mass M, goes from its value at
    the definition to RHO at the end of a run, in equal steps; X: the places of FILE (Schlitter et al., Mol. Simul. 10, 291).

    When atoms have moved, x += g (x' - X) and v += g (x' - X) / dt, x' their places a step before, g the root of that
    constraint.
    f_ID: the work sum lambda drho, f_ID[1]: rho, f_ID[2]: lambda = g0 rho' M / dt^2, of the root g0 that would keep rho'.

    FILE: lines `id x y z` with unwrapped places of all atoms of the group, and maybe others; or first `0 LX xlo xhi`,
    `0 LY ylo yhi`, `0 LZ zlo zhi`, then `id x y z ix iy iz` with image flags. On the host.
    """

    gives = Gives(scalar=INTENSIVE, vector=INTENSIVE, length=2)
    reads, writes = ("x", "v", "image", "mask", "type", "id"), ("x", "v")
    keeps = ("first", "rho", "work", "pull")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, 4, USAGE)
        self.last = number(args[0], "a distance")
        if self.last < 0.0:
            raise InputError(f"fix tmd: a distance of {args[0]}", "give 0 or more")
        if integer(args[2], "a number of steps"):
            raise InputError("fix tmd writes no file of its own", "give 0: f_ID, f_ID[1] and f_ID[2] have the numbers")
        arguments(args, 3, 3, USAGE)
        known = self.add_field("before", width=3)
        self.add_field("target", width=3)
        places = self._read(args[1])
        self.work = self.pull = 0.0
        ids = system.atoms.read("id")
        mine = self._mine()
        missing = [int(one) for one in ids[mine] if int(one) not in places]
        if all_missing := [one for part in system.ranks.all_of(missing) for one in part]:
            raise InputError(f"{args[1]}: atom {min(all_missing)} of group {group} is not there", "give a line for each atom")
        system.atoms.edit(self.field("target"))[mine] = np.array([places[int(one)] for one in ids[mine]]).reshape(-1, 3)
        if not known:
            system.atoms.edit(self.field("before"))[:] = unwrapped(system)
        mass, *_, now = self._sums()[1]
        if not mass:
            raise InputError(f"fix tmd: group {group} has no atoms", "name another group")
        self.first = self.rho = float(np.sqrt(now / mass))

    def _read(self, path: str) -> dict[int, np.ndarray]:
        lines, lengths, found = Lines(path), [], {}
        while (words := lines.next()) is not None:
            if len(words) == 4 and words[2][1:] == "lo" and words[3][1:] == "hi":
                lengths.append(number(words[1]) - number(words[0]))
                continue
            if len(words) != (7 if lengths else 4) or len(lengths) not in (0, 3):
                raise InputError(f"{path}: line {lines.last} has {len(words)} numbers",
                                 "give `id x y z`, or three lines of the box and `id x y z ix iy iz`")
            place = np.array([number(word, "a coordinate") for word in words[1:4]])
            if lengths:
                place += np.array([integer(word, "an image flag") for word in words[4:]]) * np.array(lengths)
            found[integer(words[0], "an atom id")] = place
        return found

    def _mine(self) -> np.ndarray:
        return np.flatnonzero(self.system.atoms.read("mask") & self.bit)

    def _sums(self) -> tuple[np.ndarray, list[float]]:
        """The ways of atoms of this rank from the target a step before; of all of the group: mass, and sums of m times the
        products of ways before and before, now and before, now and now."""
        rows, atoms = self._mine(), self.system.atoms
        target, mass = atoms.read(self.field("target"))[rows], self.system.masses_of()[rows]
        old, now = atoms.read(self.field("before"))[rows] - target, unwrapped(self.system)[rows] - target
        mine = [mass.sum(), *(float(mass @ (a * b).sum(axis=1)) for a, b in ((old, old), (now, old), (now, now)))]
        return old, self.system.ranks.sum(np.array(mine)).tolist()

    def init(self) -> None:
        fixes = list(self.system.fixes.values())
        if later := [fix.id for fix in fixes[fixes.index(self) + 1:] if fix.integrates]:
            raise InputError(f"fix tmd {self.id} comes before fix {later[0]}, which moves atoms", "define it last")

    def initial_integrate(self) -> None:
        system, atoms = self.system, self.system.atoms
        rows = self._mine()
        old, (mass, a, b, c) = self._sums()

        def root(rho: float) -> float:
            square = b * b - a * (c - mass * rho * rho)
            return (np.sqrt(square) - b) / a if a > 0.0 and square >= 0.0 else np.nan

        part = (system.step - system.run_start) / (system.run_stop - system.run_start)
        wanted = self.first + part * (self.last - self.first)
        g, kept = root(wanted), root(self.rho)
        if not np.isfinite(g):
            raise RunError(f"fix tmd {self.id}: rho cannot become {wanted:g} at step {system.step}",
                           "use a longer run or another RHO")
        shift = g * old
        atoms.edit("x")[rows, :3] += shift
        atoms.edit("v")[rows] += shift / system.dt
        atoms.edit(self.field("before"))[rows] = unwrapped(system)[rows]
        self.pull = kept * self.rho * mass / (system.dt**2 * system.units.ftm2v)
        self.work += self.pull * (wanted - self.rho)
        self.rho = wanted

    def scalar(self) -> float:
        return self.work

    def vector(self) -> np.ndarray:
        return np.array([self.rho, self.pull])
