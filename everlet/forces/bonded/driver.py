"""The terms of links: any bonded style on any space, on any number of ranks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.errors import RunError
from everlet.forces.bonded import loops
from everlet.forces.bonded.base import LinkStyle
from everlet.forces.bonded.links import LinkTable
from everlet.forces.terms import Term
from everlet.portable import Kernel, ScatterView, Space, View, parallel_for
from everlet.state.atoms import Atoms
from everlet.state.control import TOTAL
from everlet.state.ledger import Tally
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.system import System

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm
    from everlet.neighbor.surroundings import Surroundings

CHUNK = 64  # links that one item of a CPU loop does in turn: sums over lanes are made once for all of them
START = "bond_start"  # a field: unwrapped positions at the start of the first run
LANES = 4  # with more, the numbers of a link do not stay in registers


class LinkTerm(Term):
    """Forces of one bonded style. Distances are to the nearest image of atom 2."""

    phase = "Bond"

    def __init__(self, system: System, style: LinkStyle, types: list[int], rows: RowsOfIds, repeatable: bool = False,
                 warn: Callable[[str], None] = print):
        self.system, self.style, self.rows, self.repeatable, self.warn = system, style, rows, repeatable, warn
        self.kind, self.types = style.kind, types
        self.many, self.by_atom = system.members is not None, repeatable
        self.name, self.part, self.energies = f"{self.kind.name} {style.name}", self.kind.name, (self.kind.energy,)
        self.fields, numbers = style.numbers(types)
        style.begin()
        self.function = style.function(self.fields)
        space, content = system.space, style.data()
        self.table, self.numbers = View(numbers.size, np.float64, space), View(content.size, np.float64, space)
        self.table.put(numbers.ravel())
        self.numbers.put(content)
        self.alarms = View(2, np.int64, space)  # bonds that deserve a warning, and that are errors
        self.links = LinkTable(system, self.kind, types, rows)
        self._scatter: ScatterView | None = None

    # ---- kernels
    @property
    def chunk(self) -> int:
        return self.system.space.in_turn(CHUNK)

    def _statics(self, **more: Any) -> tuple[tuple[str, Any], ...]:
        return (("link", self.function), ("SIZE", self.kind.size), ("NP", len(self.fields)), ("START", self.style.starts),
                *more.items())

    def _loop(self, tally: bool) -> Kernel:
        sums = 7 if tally else 0
        alarm = {"alarm": self.style.alarm} if self.style.alarm is not None else {}
        if self.repeatable:
            statics = self._statics(FORCE=True, PERATOM=False, EV=tally, ALARM=bool(alarm), MANY=self.many, **alarm)
            return Kernel(loops.own_loop, sums, fields=self.fields, statics=statics)
        statics = self._statics(EV=tally, CHUNK=self.chunk, ALARM=bool(alarm), **alarm)
        return Kernel(loops.link_loop, sums, fields=self.fields, statics=statics, width=LANES)

    def _each(self) -> Kernel:
        return Kernel(loops.own_loop, fields=self.fields, statics=self._statics(FORCE=False, PERATOM=True, EV=False,
                                                                                    ALARM=False, MANY=self.many))

    # ---- work
    def _places(self, atoms: Atoms) -> tuple[View, View]:
        """Where atoms are, and where they were at the start, if that matters."""
        return atoms.view("x"), atoms.view(START if self.style.starts else "x")

    def renew(self) -> None:
        """Coefficients have changed in the middle of a run (fix adapt)."""
        self.table.put(self.style.numbers(self.types)[1].ravel())

    def rebuilt(self) -> None:
        self.links.rebuild()

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        if self.repeatable:
            self._own(tally, comm)
        else:
            self._shared(tally)
        if self.style.alarm is not None and self.system.space.queue is None:
            self._look(tally is not None)

    def _launch(self, tally: Tally | None, items: int, *arguments: Any) -> None:
        if tally is None:
            parallel_for(self.system.space, items, self._loop(False), *arguments)
        else:
            tally.reduce(self.system.space, items, self._loop(True), *arguments)

    def _shared(self, tally: Tally | None) -> None:
        """Every link once; forces are added up."""
        atoms, box, links = self.system.atoms, self.system.box_view(), self.links
        self._scatter = adding(self._scatter, atoms.view("f", modify=True))
        self._scatter.begin(atoms.n)
        self._launch(tally, -(-links.items // self.chunk), links.count, links.room, *self._places(atoms), box, atoms.n,
                     links.links, self.table, self.numbers, self.alarms, self._scatter)
        self._scatter.end(atoms.n)

    def _own(self, tally: Tally | None, comm: SerialComm) -> None:
        """Every atom by itself, in the same order at any time."""
        atoms = self.system.atoms
        self._launch(tally, atoms.n, *self.links.of_atoms(self.system, self.rows), *self._places(atoms), self.system.box_view(),
                     comm.member(self.system), self.table, self.numbers, self.alarms, atoms.view("f", modify=True).data,
                     self.table, self.table)

    def peratom(self, near: Surroundings, energy: View, virial: View) -> None:
        parallel_for(self.system.space, near.n, self._each(), *self.links.of_atoms(near.system, rows_near(near)),
                     *self._places(near.system.atoms), near.system.box_view(), near.comm.member(near.system), self.table,
                     self.numbers, self.alarms, self.table, energy, virial.data)

    # ---- bonds that are too long
    def _look(self, tally: bool) -> None:
        """Warn of them, or stop. Several ranks, and devices whose memory is their own, look when energies are asked for."""
        ranks = self.system.ranks
        if not tally and (ranks.size > 1 or self.system.space.separate_memory):
            return
        warned, broken = self.alarms.get()
        level = int(ranks.max(2 if broken else int(warned)))
        if level:
            self.alarms.put(np.zeros(2, np.int64))
            text = f"{self._longest()} at step {self.system.step}, which is {self.style.complaint} bond style {self.style.name}"
            if level > 1:
                raise RunError(text, "use a smaller timestep, or bring the atoms closer before the run")
            self.warn(text)

    def _longest(self) -> str:
        """The longest bond of this style, on any rank."""
        atoms, links = self.system.atoms, self.links
        rows = links.links.get().reshape(-1, links.room)[1:3, : int(links.count.get()[0])]
        x, id = (atoms.view(name).get() for name in ("x", "id"))
        many = self.system.members
        boxes = [box.params() for box in (many.boxes if many is not None else [self.system.need_box()])]
        whose = atoms.read("member")[rows[1]] if many is not None else np.zeros(rows.shape[1], int)
        ways = [loops.nearest(*way, boxes[k]) for k, way in zip(whose, (x[rows[0], :3] - x[rows[1], :3]).tolist(), strict=True)]
        lengths = np.sqrt((np.array(ways).reshape(-1, 3) ** 2).sum(axis=1))
        k = int(lengths.argmax()) if len(lengths) else 0
        mine = (float(lengths[k]), f"the bond of atoms {id[rows[0, k]]} and {id[rows[1, k]]} is {lengths[k]:g} long"
                ) if len(lengths) else (0.0, "")
        return max(self.system.ranks.all_of(mine))[1]


def adding(scatter: ScatterView | None, force: View) -> ScatterView:
    """For sums on top of forces: the same again, if it still fits."""
    if scatter is None or scatter.target is not force or scatter.threads != force.space.threads:
        return ScatterView(force)
    return scatter


def rows_near(near: Surroundings) -> RowsOfIds:
    """Rows of ids among the atoms of surroundings and their ghosts, made once."""
    if "rows of ids" not in near.kept:
        space = near.system.space
        of_the_run = space.read_control()[TOTAL]
        near.kept["rows of ids"] = rows = RowsOfIds(near.system)
        space.control[TOTAL] = near.system.atoms.total
        rows.update()
        space.control[TOTAL] = of_the_run
    return near.kept["rows of ids"]


def evaluate(style: LinkStyle, ways: np.ndarray, space: Space, type: int = 1, types: list[int] | None = None) -> np.ndarray:
    """Energy and slopes of a type for rows of ways from atom 2 to the others, computed in `space`: for checks and computes. The
    same ways at the start follow, if they matter.
    `types`: those of the style, if there are others."""
    fields, numbers = style.numbers(types)
    content, size = style.data(), style.ways + 1
    table, data = View(numbers.size, np.float64, space), View(content.size, np.float64, space)
    table.put(numbers.ravel())
    data.put(content)
    points, out = View(ways.size, np.float64, space), View(len(ways) * (3 * size - 2), np.float64, space)
    points.put(ways.ravel())
    kernel = Kernel(loops.evaluate, fields=fields, statics=(("link", style.function(fields)), ("SIZE", size)))
    parallel_for(space, len(ways), kernel, points, table, data, type * len(fields), out)
    return out.get().reshape(len(ways), -1)
