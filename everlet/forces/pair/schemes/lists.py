"""Neighbour-list schemes.

full   one row per atom with all its neighbours; every pair is computed from both sides, nobody writes to others' forces
half   every pair once; the opposite force is added to the neighbour. On CPUs threads take turns (coloured) or have a copy
       of the forces each (duplicated), on GPUs sums are atomic
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.errors import InputError
from everlet.forces.pair import gathered_loops, loops, packed_loops
from everlet.forces.pair.charged_places import ChargedPlaces
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import PERCENT, Scheme, SchemeOptions, charged_scheme, pair_scheme
from everlet.forces.pair.schemes.slabs import APART, ListSlabs
from everlet.neighbor.ahead import narrow, steps_ahead, wide
from everlet.neighbor.fixed_point import FixedPositions
from everlet.neighbor.lists import Neighbor
from everlet.neighbor.rows import TEAM_PAD
from everlet.portable import Kernel, Space, View, parallel_for, parallel_team
from everlet.portable.scatter_view import ScatterView
from everlet.portable.traits import powers
from everlet.state.ledger import Tally
from everlet.state.system import System

SEGMENT = 512  # entries of a row that are packed at a time
REGISTERS = 128  # of a GPU thread: four blocks at a time
SHORT, SHORT_LANES = 8, 4  # entries of a row that is short for lanes of narrow registers, and lanes for it
PACKED_LANES = 4  # of the loop that packs, unless registers are wide: of eight lanes too many numbers would be in memory


def team_shape(space: Space, atoms: int, team: int = 0) -> tuple[int, int]:
    """(threads per atom, neighbours that each reads ahead): few atoms need many threads to keep all of them busy."""
    if not space.many_threads:
        return 1, 1
    team = team or space.team(atoms, TEAM_PAD)
    return team, max(1, min(4, TEAM_PAD // team))


class ListScheme(Scheme):
    """Lanes along the row of one atom."""

    takes: ClassVar[tuple[str, ...]] = ("branch",)
    steady = dense = True
    slabs: ListSlabs | None = None  # rows are taken slab by slab
    by_atom = True
    knobs: ClassVar = {"team": powers(TEAM_PAD), "carveout": PERCENT}  # rows of the list are filled up for these teams
    narrowed: bool = False  # fewer lanes than registers hold, for short rows
    embedded: ClassVar[bool] = False  # forces depend on `slope`, a number of each atom

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.fixed = FixedPositions(neighbor)
        self.slope = View(1, np.float64, system.space)
        self.places = ChargedPlaces(system)
        self._asked: dict[tuple[bool, bool], Kernel] = {}  # since the last build of lists

    @property
    def packs(self) -> bool:
        """Neighbours within the cutoff are packed before forces are computed; with it goes no choice between branches and
        masks."""
        return (self.parameters.charged and self.system.space.simd and self.system.precision == "double"
                and self.options.branch is None)

    def choose(self, options: SchemeOptions) -> None:
        super().choose(options)
        self.narrowed = self._short_rows()

    def _short_rows(self) -> bool:
        """Most lanes of a step would be beyond the ends of rows. Asked once, by all ranks: the box may change in a run. Not
        where forces must have the same bits for each of many systems as for it alone."""
        system, radius = self.system, self.parameters.longest + self.neighbor.skin
        if system.box is None or not narrow(system.space) or self.exact:
            return False
        share = 1.0 if self.pairs == "full" else 0.5
        return share * system.natoms * 4.0 / 3.0 * math.pi * radius**3 < SHORT * system.box.volume

    def kernel(self, tally: bool, energy: bool = True) -> Kernel:
        full, space, branch = self.pairs == "full", self.system.space, self.options.branch
        if branch is None:  # of several lanes, and of the threads of a warp, one is nearly always near; atomics are dear
            branch = space.interpreted or (space.many_threads and not full)
        team, ahead = team_shape(space, self.system.atoms.n, self.team)
        statics = (*self.parameters.statics, ("EV", tally), ("ENERGY", tally and energy), ("FULL", full),
                   ("NEWTON", self.system.newton), ("SHARE", 0.5 if full else 1.0), ("BRANCH", branch),
                   ("AHEAD", ahead), ("FIXED", self.fixed.used), ("SPLIT", self.system.precision == "mixed"),
                   ("FLUSH", 8 if space.simd else 1), ("SLOTS", self.neighbor.dense), ("DENSE", self.neighbor.dense),
                   ("COUL", self.parameters.charged), ("OWN", self.embedded or self.parameters.charged),
                   ("PREFETCH", steps_ahead(self.system.space)), ("ADD", self.adds))
        par = self.parameters
        sums = (par.sums if energy else 6) if tally else 0
        if self.packs:
            together = 4 if self.neighbor.pad % 4 == 0 else 1  # rows are filled up
            few = not wide(self.system.space)
            found = {**dict(statics), "SEGMENT": SEGMENT, "ALIKE": par.alike, "TOGETHER": together, "ONE_BY_ONE": few}
            names = ("pair", "MANY", "NP", "VARIED", "EV", "ENERGY", "FULL", "NEWTON", "SHARE", "SLOTS", "DENSE", "SEGMENT",
                     "PREFETCH", "ALIKE", "ADD", "TOGETHER", "ONE_BY_ONE")
            return Kernel(packed_loops.packed_loop, sums, self.system.precision, par.fields, league=True,
                          width=PACKED_LANES if few else 0, statics=tuple((name, found[name]) for name in names))
        return Kernel(loops.neighbor_loop, sums, self.system.precision, par.fields, team, statics,
                      fast=par.fast, carveout=self.carveout, registers=REGISTERS, width=SHORT_LANES if self.narrowed else 0)

    def asked(self, tally: Tally | None) -> Kernel:
        """The loop that adds up what is asked for."""
        key = tally is not None, tally is not None and tally.energy
        found = self._asked.get(key)
        if found is None:
            found = self._asked[key] = self.kernel(*key)
        return found

    def rebuilt(self) -> None:
        self._asked.clear()
        self.fixed.prepare()

    def rows(self) -> tuple[View, View]:
        """The rows that forces are computed from, and the length of each: of the list, or a part of it."""
        return self.neighbor.neigh, self.neighbor.count

    def arguments(self, sums: View | ScatterView, rows: tuple[View, View] | None = None) -> tuple[Any, ...]:
        """What a loop over rows reads and adds to."""
        atoms, near, par = self.system.atoms, self.neighbor, self.parameters
        return (atoms.n, atoms.view("x"), self.fixed.view, self.fixed.length, atoms.view("type"), *(rows or self.rows()),
                near.first, near.si, near.sk, par.table, par.data, par.kinds, sums, near.bins.order)

    def force_arguments(self, force: View | ScatterView) -> tuple[Any, ...]:
        own = self.system.atoms.charges() if self.parameters.charged else self.slope
        if not self.packs:
            return *self.arguments(force), own
        n, x, *rest = self.arguments(force)
        return n, self.places.update(x), *rest, own, self.parameters.longest**2, self.neighbor.filler

    def launch(self, kernel: Kernel, tally: Tally | None, *arguments: Any) -> None:
        """A loop over all rows."""
        space, n = self.system.space, self.system.atoms.n
        if tally is not None:
            tally.reduce(space, n, kernel, *arguments, at=0 if tally.energy else 1)
        else:
            (parallel_team if kernel.league else parallel_for)(space, n, kernel, *arguments)

    def forces(self, tally: Tally | None) -> None:
        """The loop over pairs that sets the forces."""
        raise NotImplementedError

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        if self.fixed.used:
            self.fixed.update()
        self.forces(tally)


@charged_scheme("full")
@pair_scheme("full")
class Full(ListScheme):
    pairs = "full"

    def forces(self, tally: Tally | None) -> None:
        force = self.system.atoms.view("f", modify=True)
        self.launch(self.asked(tally), tally, *self.force_arguments(force))


@charged_scheme("half")
@pair_scheme("half")
class Half(ListScheme):
    pairs = "half"

    @classmethod
    def repeatable(cls, space: Space, options: dict[str, Any]) -> dict[str, Any]:
        if space.many_threads:
            raise InputError(f"scheme half adds up forces on a {space.kind} in no fixed order",
                             "use scheme full, which is deterministic")
        if options["accumulate"] == "duplicated":
            raise InputError("the sums of 'accumulate duplicated' depend on the number of threads",
                             "use accumulate coloured, or leave out 'deterministic on'")
        return options | {"accumulate": "coloured"}

    takes = ("branch", "accumulate")

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.slabs = ListSlabs(system, neighbor) if not system.space.many_threads else None
        self.coloured = False
        self.together: Kernel | None = None  # the loop over pairs of many atoms, if there is one
        self.scatters: dict[int, ScatterView] = {}  # by width: forces, and what else is added up

    def choose(self, options: SchemeOptions) -> None:
        super().choose(options)
        if self.slabs is None and options.accumulate:
            raise InputError(f"accumulate {options.accumulate} is for CPUs: a {self.system.space.kind} adds atomically",
                             "leave it out, or use --device cpu")

    def _gathers(self) -> bool:
        """Pairs of many atoms are computed together."""
        par, system = self.parameters, self.system
        plain = not (par.charged or self.embedded or self.adds or dict(par.statics)["MANY"]) and self.options.branch is None
        return self.narrowed and plain and system.newton and system.precision == "double" and self.slabs is not None

    def _gathered(self) -> Kernel:
        known = dict(self.parameters.statics)
        statics = (("pair", known["pair"]), ("NP", known["NP"]), ("DENSE", self.neighbor.dense), ("SEGMENT", SEGMENT),
                   ("APART", APART))
        return Kernel(gathered_loops.gathered_loop, 0, "double", self.parameters.fields, league=True, width=SHORT_LANES,
                      statics=statics)

    def rebuilt(self) -> None:
        super().rebuilt()
        if self.slabs is not None:
            self.slabs.rebuild()
            wanted, threads = self.options.accumulate, self.system.space.threads
            self.coloured = wanted == "coloured" or (wanted is None and self.slabs.enough(threads))
            self.together = self._gathered() if self.coloured and self._gathers() else None

    def forces(self, tally: Tally | None) -> None:
        """Pairs that are computed together give the same bits with a tally, for which there is no such loop, and without."""
        force = self.system.atoms.view("f", modify=True)
        if tally is not None or self.together is None:
            self.add_up(self.asked(tally), tally, force, self.force_arguments, self.adds)
        if self.together is not None and self.slabs is not None:
            near, par = self.neighbor, self.parameters
            self.slabs.clear(force)
            self.slabs.launch_slabs(self.together, self.system.atoms.view("x"), near.neigh, near.count, near.first, near.si,
                                    near.sk, par.table, par.data, par.kinds, near.bins.order, near.filler, self.slabs.colours,
                                    force)

    def add_up(self, kernel: Kernel, tally: Tally | None, target: View,
               arguments: Callable[[View | ScatterView], tuple[Any, ...]], adds: bool = False) -> None:
        """A loop over all rows that adds to the rows of many atoms, which are set to zero first, unless it `adds`."""
        if self.coloured and self.slabs is not None:
            if not adds:
                self.slabs.clear(target)
            sums = self.slabs.launch(kernel, self.slabs.edges.data, *arguments(target))
            if tally is not None:
                tally.add(sums, at=0 if tally.energy else 1)
            return
        scatter = self.scatters.get(target.width)
        if scatter is None or scatter.target is not target:
            scatter = self.scatters[target.width] = ScatterView(target)
        atoms, space = self.system.atoms, self.system.space
        rows = atoms.total if self.system.newton else atoms.n
        if self.system.newton and space.counts_on_device:
            rows = atoms.capacity  # how many ghosts there are is known to the device alone
        (scatter.begin if adds else scatter.reset)(rows)
        self.launch(kernel, tally, *arguments(scatter))
        (scatter.end if adds else scatter.collect)(rows)
