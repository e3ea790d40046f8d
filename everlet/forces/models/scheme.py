"""How models compute forces: edges, the call, forces out of what they give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.errors import EverletError, InputError, RunError
from everlet.forces.manybody.scattered import ScatteredScheme
from everlet.forces.models import loops
from everlet.forces.models.answers import Answers
from everlet.forces.models.capture import captured, in_order, out_of_memory, uses_torch
from everlet.forces.models.edges import Edges
from everlet.forces.models.finding import TEAM, EdgeTable
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_for
from everlet.portable.kernels import call
from everlet.portable.scatter_view import ScatterView
from everlet.registry import Registry
from everlet.state.box import Box
from everlet.state.broken import name_atoms
from everlet.state.ledger import Tally
from everlet.state.system import System

if TYPE_CHECKING:  # it knows this file
    from everlet.forces.models.ml import ModelParameters
    from everlet.neighbor.surroundings import Surroundings

model_scheme: Registry[type[Scheme]] = Registry("scheme of models")
NOTE = Kernel(loops.note_numbers, 7)


def _cell(box: Box) -> np.ndarray:
    """The edges of the box, in rows."""
    xx, yy, zz, yz, xz, xy = box.h
    return np.array([[xx, 0.0, 0.0], [xy, yy, 0.0], [xz, yz, zz]])


@model_scheme("full")
class ModelScheme(ScatteredScheme):
    communicates = steady = outside = True
    parameters: ModelParameters

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        space, model = system.space, self.parameters.model
        if not space.tensors:
            raise InputError(f"learned potentials cannot read the memory of {space}", "use --device cpu")
        self.table = EdgeTable(system, neighbor, self.parameters, float(model.cutoff), bool(getattr(model, "padded", False)))
        self.answers = Answers(space, self.parameters.place)
        self.finds = bool(getattr(model, "edges", True))  # it wants edges
        self.features: dict[int, View] = {}  # numbers of atoms on their way to other ranks, by how many an atom has
        self.near: Surroundings | None = None  # whose atoms these are, if not those of the run
        self.handed: Edges | None = None
        self.rooms: dict[str, View] = {}  # that the model has asked for
        self._key: tuple[int, ...] = ()  # what it was made of
        self.at_times = self.at_step = 0  # how often edges had been made at a step that is known
        self.torch = False  # the model works with torch on a device of its own
        self.capture: Any = None
        self.captured: tuple[Any, ...] = ()  # what it was made of, or would have been
        self.divides = False  # graphs end before a call, which the log says
        self.notes: list[str] = []

    @property
    def folded(self) -> bool:
        return self.table.folded

    @property
    def on_ghosts(self) -> bool:
        return not self.folded

    @property
    def virial_of_forces(self) -> bool:
        return False  # nothing is left on ghosts, and positions of atoms do not say which image is meant

    # ---- kernels
    def _forces(self, tally: bool) -> Kernel:
        statics = (("EV", tally), *self.rounding.items())
        return Kernel(loops.give_forces, 7 * tally, team=self.system.space.shared(TEAM), statics=statics)

    @property
    def _adding(self) -> Kernel:
        return Kernel(loops.add_forces, statics=(("ADD", self.adds),))

    @property
    def _share(self) -> Kernel:
        return Kernel(loops.share_edges, team=self.system.space.shared(TEAM))

    # ---- work
    def rebuilt(self) -> None:
        self.table.fresh = True

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        space = self.system.space
        want, waits = tally is not None and tally.energy, space.queue is not None
        if self.finds:
            self.table.fill(comm)
        else:
            self.table.new_rows(comm)
        self.answers.reserve(max(self.table.rows, self.system.atoms.n), self.table.slope)
        graph = self._captured(comm, want) if waits else None
        if graph is not None:
            call(space, graph.launch, outside=not graph.inside)
        elif waits:
            call(space, self._ask_between, comm, want, outside=True)
            if not self.captured and not self.divides:
                self.notes.append(f"Model {self.parameters.place} is called between two graphs at each step")
            self.divides = True
        else:
            self._step_is(self.system.step)
            self._ask(comm, want, adopt=True)
        if self.answers.by_forces:
            self._add(tally)
        else:
            self._give(tally)
        if not waits:  # at once: at the next step atoms would be where nobody finds them
            self._check(self.table.look()[1])

    def _give(self, tally: Tally | None) -> None:
        """Forces out of slopes."""
        atoms, space, par, table, answers = (self.system.atoms, self.system.space, self.parameters, self.table, self.answers)
        place = space.place + 1 if space.queue is not None else 0
        arguments = (atoms.n, table.start, table.head, table.way, answers.slopes, answers.energy, atoms.view("type"),
                     par.counts, atoms.view("id"), par.factor, place, space.control, table.words)
        with self.forces() as force:
            if tally is not None:
                tally.reduce(space, table.tails, self._forces(True), *arguments, force)
            else:
                parallel_for(space, table.tails, self._forces(False), *arguments, force)

    def _add(self, tally: Tally | None) -> None:
        """Forces that the model gave."""
        atoms, space, par, answers = self.system.atoms, self.system.space, self.parameters, self.answers
        force = atoms.view("f", modify=True)
        rows = atoms.n if self.folded else atoms.total
        ids, words = atoms.view("id"), self.table.words
        parallel_for(space, rows, self._adding, answers.pushed, answers.forces, par.factor, ids, words, force)
        if tally is not None:
            tally.reduce(space, atoms.n, NOTE, answers.energy, atoms.view("type"), par.counts, ids, answers.virial, words)

    def _keep_whole(self, n: int) -> None:
        """One energy for all atoms is kept with the first of the model's own: those of others do not count."""
        energy, kinds = self.answers.energy.data, self.system.atoms.view("type").data[:n]
        own = int((self.parameters.counts.data[kinds] > 0.0).argmax())
        if own:
            energy[own] = energy[0]
            energy[0] = 0.0

    # ---- the call
    def _step_is(self, step: int) -> None:
        """Edges that were made last are those of this step."""
        self.at_times, self.at_step = self.table.times, step

    def _hand(self, comm: SerialComm, want: bool) -> Edges:
        """What the model is handed at this step. As long as arrays are the same, it is one object, with what torch has
        made of them."""
        system, atoms, table = self.system, self.system.atoms, self.table
        box, step = system.need_box(), self.at_step + self.table.times - self.at_times
        cell = _cell(box) if system.members is None else None
        n, total = atoms.n, atoms.n if self.folded else atoms.total
        key = (View.made, n, total, table.rows, id(comm))
        if self.handed is not None and self._key == key:
            return self.handed.at(cell, step, want, self.wants, table.room if table.padded else table.total)

        def sent(way: Any, rows: Any) -> None:
            """Rows of features, all of them in one message to each rank."""
            width, held = rows.shape[1], atoms.view("x").shape[0]
            view = self.features.get(width)
            if view is None or view.shape[0] != held:
                view = self.features[width] = View((held, width) if width > 1 else held, np.float64, system.space)
            view.data[: total * width] = rows.reshape(-1)
            way(system, f"features {width}{self.label}", view)
            rows[:] = view.data[: total * width].reshape(total, width)

        self._key = (View.made, n, total, table.rows, id(comm))
        ways = (None, None) if self.folded else (lambda rows: sent(comm.forward_values, rows),
                                                 lambda rows: sent(comm.reverse_values, rows))
        self.handed = Edges(system.space, n, total, table.arrays(), cell, tuple(box.periodic), step, want, ways[0], ways[1],
                            self.wants)
        self.handed.rooms = self.rooms
        return self.handed

    def _ask_between(self, comm: SerialComm, want: bool) -> None:
        """The call between two graphs, unless what comes before it was called off."""
        table = self.table
        before, (table.total, _, table.times) = table.times, table.look()[:3]
        if table.times != before or not self.finds:
            self.wants = frozenset()  # steps at which more is wanted are not replayed
            self._ask(comm, want)

    def _ask(self, comm: SerialComm, want: bool, adopt: bool = False) -> None:
        """Edges to the model, its answer into arrays. In dry runs it is not called."""
        if self.system.space.notes is not None:
            return
        edges, self.answers.slopes = self._hand(comm, want), self.table.slope
        with in_order(self.system.space):
            given = self._answer(edges)
            self.torch = self.system.space.memory != "host" and uses_torch(given)
            self.answers.take(given, edges, adopt=adopt)
            if self.answers.whole and edges.n:
                self._keep_whole(edges.n)
        if self.system.members is not None and (self.answers.by_forces or self.answers.whole):
            raise InputError(f"model {self.parameters.place} gives one energy or one virial of all atoms, and a batch needs "
                             "those of each system",
                             "give energies of atoms and slopes of edges, or run each system in a Simulation")
        said: list[str] = getattr(self.parameters.model, "notes", [])
        self.notes += said
        said.clear()

    def _answer(self, edges: Edges) -> Any:
        par = self.parameters
        try:
            return par.model.forces(edges)
        except EverletError:
            raise
        except Exception as error:
            raise out_of_memory(error, par.place, edges.n, len(edges), self.system.space) or RunError(
                f"model {par.place} failed at step {edges.step}: {type(error).__name__}: {error}",
                "look at its method forces(self, b)") from error

    def _captured(self, comm: SerialComm, want: bool) -> Any:
        """The call as a part of graphs, if the model can be captured: it was called before, and arrays are as they were."""
        if not (self.torch and self.table.padded and self.system.space.separate_memory and not self.answers.by_forces):
            return None
        atoms, table = self.system.atoms, self.table
        key = (table.way, table.species, self.answers.energy, atoms.view("x"), atoms.view("id"), atoms.n)
        if self.captured != key and (self.capture is not None or not self.captured):
            edges, place, first = self._hand(comm, want), self.parameters.place, not self.captured
            self.capture, why = captured(self.system.space, lambda: self.answers.take(self._answer(edges), edges, False, True))
            self.captured, self.adopted = key, self.answers.slopes
            if self.capture is None:
                self.notes.append(f"Model {place} cannot be captured ({why}): it is called between two graphs at each step")
            elif first:
                self.notes.append(f"Model {place} is a part of the graphs of steps")
        if self.capture is not None:
            self.answers.slopes = self.adopted
        return self.capture

    def _check(self, wrong: int) -> None:
        """Refuse to go on with numbers that are not finite; `wrong` is the id of an atom that has one, or 0."""
        if wrong:
            system = self.system
            self.table.words.data[1] = 0
            row = np.flatnonzero(system.atoms.read("id") == wrong)
            raise RunError(f"model {self.parameters.place} gave energies or slopes that are not finite numbers at step "
                           f"{system.step}: {name_atoms(system, row)}",
                           "atoms may be nearer to each other than the model was fitted for; use a smaller timestep")

    def atom_value(self, name: str) -> View:
        return self.answers.extra(name)

    def share(self, out: ScatterView) -> None:
        """Energies and virials of single atoms (manybody/shares.py), of surroundings."""
        assert self.near is not None
        atoms, table = self.system.atoms, self.table
        table.fresh = True
        table.fill(self.near.comm)
        self.answers.reserve(max(table.rows, atoms.n), table.slope)
        self._step_is(self.system.step)
        self._ask(self.near.comm, True)
        if self.answers.by_forces or self.answers.whole:
            raise InputError(f"model {self.parameters.place} gives forces and a virial, not slopes of edges: atoms have no "
                             "energies and stresses of their own", "leave out computes of per-atom energies and stresses")
        parallel_for(self.system.space, table.tails, self._share, atoms.n, table.start, table.head, table.way,
                     self.answers.slopes, self.answers.energy, atoms.view("type"), self.parameters.counts, out)
