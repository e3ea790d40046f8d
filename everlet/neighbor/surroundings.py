"""Surroundings: full lists on demand, for whoever looks at neighbours beside the forces of a run.

The lists of a run serve its pair scheme: half of the pairs, half of the ghosts, or none at all. Here owned atoms are copied,
row by row and in the memory they are in, get ghosts of their own and rows with all neighbours within a cutoff of the asker's
choice. Nothing of the run is touched. Several ranks make them together, each for its own atoms; nobody gathers any.
Pairs that the lists of the run leave out (neighbor/exclusions.py) are left out here too; those that count nearest atoms say
by `special` of Exclusions which special pairs they want to see.

    near = surroundings(system, cutoff)
    parallel_for(system.space, near.n, KERNEL, *near.rows(), …)

Row i belongs to atom i of the system. Rows may reach farther than was asked for: loops test distances.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import numpy as np

from everlet.comm.members import MemberComm
from everlet.comm.mpi import MpiComm
from everlet.comm.serial import WRAP, SerialComm
from everlet.neighbor.decide import NeighborSettings
from everlet.neighbor.lists import Neighbor
from everlet.portable import parallel_for
from everlet.portable.dry import Notes, dry
from everlet.state.atoms import Atoms, Field
from everlet.state.control import TOTAL, TROUBLE
from everlet.state.packing import follow
from everlet.state.system import System

MANY = 10**9  # no limit on neighbours


class Shadow:
    """A system with other atoms; all else is the system's."""

    def __init__(self, system: System, atoms: Atoms):
        self._system, self.atoms = system, atoms

    def __getattr__(self, name: str) -> Any:
        return getattr(self._system, name)


class Surroundings:
    """Copies of the owned atoms of a system with ghosts and full lists of their own.

    system    the system with these atoms in place of its own: for loops, and for `comm`
    neighbor  its lists
    comm      makes the ghosts, and sends them numbers: comm.forward_values(near.system, name, values)
    kept      what others have made of the present rows and want to find again
    dense     lists whose rows follow each other, for loops whose lanes are atoms; `follow` makes them
    """

    def __init__(self, system: System, special: str = "scaled"):
        self.source = system
        self.system = cast("Any", Shadow(system, Atoms(system.space)))
        self.settings = NeighborSettings(skin=0.0, check=False, one=MANY)
        self.neighbor = Neighbor(self.system, self.settings, "full")
        self.kept: dict[Any, Any] = {}
        self.dense = self.neighbor if system.space.many_threads else Neighbor(self.system, self.settings, "full", dense=True)
        self.neighbor.exclusions.special = self.dense.exclusions.special = special
        self.built = False
        self._box = np.zeros(0)
        self._given: Any = None  # where atoms were before they were put into the box
        self._comms: dict[bool, SerialComm] = {}  # of one rank, of several

    @property
    def n(self) -> int:
        return self.system.atoms.n

    @property
    def cutoff(self) -> float:
        return self.neighbor.cutoff

    @property
    def comm(self) -> SerialComm:
        """Of several ranks the cuts are those of the run."""
        system = self.source
        several = system.ranks.size > 1
        cuts: Any = system.division.made.cuts if several else None
        found = self._comms.get(several)
        if found is None:
            if system.members is not None:
                found = MemberComm(system, system.members, keeps=False)
            else:
                found = MpiComm(system, system.ranks, cuts) if several else SerialComm(system)
            self._comms[several] = found
        else:
            found.use(cuts)
        return found

    @property
    def skin(self) -> float:
        """How far an atom may have left the part of its rank, and others theirs, since they changed hands."""
        system = self.source
        return system.evaluator.neighbor.skin if system.evaluator is not None else system.units.skin

    def _settings(self) -> NeighborSettings:
        """Those of the run."""
        evaluator = self.source.evaluator
        return evaluator.neighbor.settings if evaluator is not None else NeighborSettings()

    def rows(self) -> tuple[Any, ...]:
        """What loops read: x, type, mask of atoms and ghosts, and the rows: neigh, count, si, sk (neighbor/rows.py)."""
        atoms, near = self.system.atoms, self.neighbor
        return atoms.view("x"), atoms.view("type"), atoms.view("mask"), near.neigh, near.count, near.si, near.sk

    # ---- making them
    def _copied(self) -> dict[str, Field]:
        """All fields but those that do not say where an atom is or what: forces, crossings and, unless ghosts have them,
        velocities."""
        system = self.source
        left = ["image", *system.atoms.ghosts_have("home", *(() if system.carries_velocity else ("velocity",)))]
        return {name: field for name, field in system.atoms.fields.items() if name not in left}

    def _boxes(self) -> np.ndarray:
        system = self.source
        return system.need_box().params() if system.members is None else np.array(system.members.view.get())

    def present(self) -> bool:
        """Atoms and box are as they were when rows were made. All ranks must ask."""
        system, atoms = self.source, self.system.atoms
        same = self.built and atoms.n == system.atoms.n and np.array_equal(self._box, self._boxes())
        for name in self._copied() if same else ():
            same = same and name in atoms.fields and _equal(atoms, system.atoms, name, self._given if name == "x" else None)
        return not system.ranks.any(not same)

    def build(self, cutoff: float) -> None:
        """Copy atoms, make ghosts, make rows."""
        system, space, comm = self.source, self.source.space, self.comm
        of_the_run = space.read_control()[TOTAL]
        self.system.atoms.nghost = 0
        follow(self.system.atoms, system.atoms, self._copied())
        self._box = self._boxes()
        system.put_box()
        self._wrap()
        self.neighbor.cutoff, self.settings.comm_cutoff = cutoff, max(cutoff + self.skin, self._settings().comm_cutoff)
        self.neighbor.exclusions.rules = self._settings().exclude
        comm.borders(self.system, self.neighbor.ghost_cutoff)
        self.neighbor.build()
        space.control[TOTAL] = of_the_run
        self.kept, self.built = {}, True

    def _wrap(self) -> None:
        """Between runs atoms may be anywhere; ghosts are made of those in the box."""
        space, atoms = self.source.space, self.system.atoms
        self._given = None
        if self.source.fresh.inside or self.source.members is not None or not atoms.n:
            return
        x = atoms.view("x", modify=True)
        self._given = x.data[: x.width * atoms.n].copy()
        parallel_for(space, atoms.n, WRAP[self.source.need_box().triclinic], x, atoms.view("image", modify=True),
                     self.source.box_view(), space.control)
        if space.read_control()[TROUBLE]:
            space.reset_control()

    @contextmanager
    def instead(self) -> Iterator[None]:
        """Inside, the System has these atoms, if its own may be outside of the box."""
        system = self.source
        if self._given is None or not isinstance(system, System):
            yield
            return
        own, system.atoms = system.atoms, self.system.atoms
        try:
            yield
        finally:
            system.atoms = own

    def follow(self) -> None:
        """The same neighbours in dense rows, unless they are there."""
        if self.dense is not self.neighbor and "dense" not in self.kept:
            self.dense.cutoff, self.dense.exclusions.rules = self.neighbor.cutoff, self.neighbor.exclusions.rules
            self.dense.build()
            self.kept["dense"] = True


def _equal(one: Any, other: Any, name: str, given: Any = None) -> bool:
    a, b = one.view(name), other.view(name)
    size = one.n * a.width
    return a.width == b.width and bool(((a.data[:size] if given is None else given) == b.data[:size]).all())


def known(system: System, special: str = "scaled") -> Surroundings:
    """The ones of a system, which may have no rows yet: arrays are kept from one time to the next."""
    if "special" not in system.atoms.fields:
        special = "scaled"  # they are all the same
    key = system.space, special
    if key not in system.surroundings:
        system.surroundings[key] = Surroundings(system, special)
    return system.surroundings[key]


@contextmanager
def dry_surroundings(system: System, cutoff: float, special: str = "scaled") -> Iterator[tuple[Surroundings, Notes]]:
    """Inside, some as `surroundings` makes them, of a dry run; all arrays are let go of in the end."""
    near = Surroundings(system, special)
    with dry(system.space) as notes:
        near.build(cutoff)
        yield near, notes
    for part in {id(one): one for one in (near.neighbor, near.dense, near)}.values():
        vars(part).clear()


def of_the_run(system: System, cutoff: float) -> Neighbor | None:
    """The lists of the run, if they have all neighbours within the cutoff of the present positions, in rows of equal length."""
    evaluator = system.evaluator
    if evaluator is None or not evaluator.current:
        return None
    near: Neighbor = evaluator.neighbor
    whole = near.rows and near.kind == "full" and not near.dense and near.system.space is system.space
    return near if whole and cutoff <= near.cutoff and not near.exclusions.needed else None


def surroundings(system: System, cutoff: float, special: str = "scaled") -> Surroundings:
    """All neighbours within a cutoff. Those that were made last serve again while atoms stay where they are."""
    near = known(system, special)
    if not near.present() or near.cutoff < cutoff:
        near.build(cutoff)
    return near
