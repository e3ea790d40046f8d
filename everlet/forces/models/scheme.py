"""How models compute forces: rows shortened to the cutoff, edges, the call, forces out of slopes."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.errors import EverletError, RunError
from everlet.forces.manybody.eam.schemes import ShortRows
from everlet.forces.manybody.scattered import ScatteredScheme
from everlet.forces.models import loops
from everlet.forces.models.edges import Edges
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_for, scan
from everlet.portable.scan import Scan
from everlet.portable.scatter import ScatterView
from everlet.registry import Registry
from everlet.state.box import Box
from everlet.state.broken import name_atoms
from everlet.state.ledger import Tally
from everlet.state.system import System

if TYPE_CHECKING:  # it knows this file
    from everlet.forces.models.ml import ModelParameters
    from everlet.neighbor.surroundings import Surroundings

model_scheme: Registry[type[Scheme]] = Registry("scheme of models")
NUMBER, SPECIES, SHARE = (Kernel(body) for body in (loops.number_rows, loops.name_species, loops.share_edges))
SPARE = 1.1  # room for edges, as a part of those that there were


def _cell(box: Box) -> np.ndarray:
    """The edges of the box, in rows."""
    xx, yy, zz, yz, xz, xy = box.h
    return np.array([[xx, 0.0, 0.0], [xy, yy, 0.0], [xz, yz, zz]])


@model_scheme("full")
class ModelScheme(ScatteredScheme):
    communicates = True
    parameters: ModelParameters

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        space = system.space
        self.short, self.scan = ShortRows(system, neighbor, parameters), Scan(space)
        self.start, self.species = View(1, np.int32, space), View(0, np.int32, space)
        self.rows, self.energy = View(0, np.float64, space), View(0, np.float64, space)
        self.column = View(0, np.float64, space)  # one number of each atom, on its way to other ranks
        self.tail, self.head = View(0, np.int32, space), View(0, np.int32, space)
        self.way, self.slope = View((0, 3), np.float64, space), View((0, 3), np.float64, space)
        self.wrong = View(1, np.int32, space)
        self.fresh = True  # ghosts are new
        self.near: Surroundings | None = None  # whose atoms these are, if not those of the run

    @property
    def folded(self) -> bool:
        """All neighbours are this rank's: edges lead to the atoms and not to their images."""
        return self.system.ranks.size == 1

    @property
    def on_ghosts(self) -> bool:
        return not self.folded

    @property
    def virial_of_forces(self) -> bool:
        return False  # nothing is left on ghosts, and positions of atoms do not say which image is meant

    # ---- kernels
    def _forces(self, tally: bool) -> Kernel:
        return Kernel(loops.give_forces, 7 * tally, statics=(("EV", tally), *self.rounding.items()))

    @property
    def _lister(self) -> Kernel:
        return Kernel(loops.list_edges, statics=(("DENSE", self.neighbor.dense),))

    def kernels(self) -> list[Kernel]:
        return [*self.sharing_kernels()[:-1], self._forces(False), self._forces(True), *self.scatter_kernels()]

    def sharing_kernels(self) -> list[Kernel]:
        scans = scan.KERNELS if self.system.space.many_threads else []
        return [self.short.kernel, NUMBER, SPECIES, self._lister, *scans, SHARE]

    # ---- work
    def rebuilt(self) -> None:
        self.fresh = True

    def _reserve(self) -> None:
        """Room for numbers of atoms."""
        atoms, space = self.system.atoms, self.system.space
        rows = atoms.view("x").shape[0]
        if self.rows.shape[0] != rows:
            self.rows, self.species = View(rows, np.float64, space), View(rows, np.int32, space)
            self.start, self.energy = View(rows + 1, np.int32, space), View(rows, np.float64, space)
            self.column = View(rows, np.float64, space)

    def _edges(self, comm: SerialComm) -> int:
        """Fill all arrays of edges; how many there are."""
        system, near, par = self.system, self.neighbor, self.parameters
        atoms, space = system.atoms, system.space
        self.short.fill()
        if self.fresh:
            self._reserve()
            parallel_for(space, atoms.total, NUMBER, self.rows)
            if self.folded:
                comm.forward_values(system, "rows", self.rows)
            parallel_for(space, atoms.total, SPECIES, atoms.view("type"), par.of_type, self.species)
            self.fresh = False
        n = atoms.n
        if n:
            self.scan(n, self.short.count, self.start)
        edges = int(space.to_host(self.start.data[n : n + 1])[0]) if n else 0
        if edges > self.tail.shape[0]:
            room = int(SPARE * edges) + 16
            self.tail, self.head = View(room, np.int32, space), View(room, np.int32, space)
            self.way, self.slope = View((room, 3), np.float64, space), View((room, 3), np.float64, space)
        parallel_for(space, n, self._lister, atoms.view("x"), self.short.neigh, self.short.count, near.first, near.si, near.sk,
                     self.start, self.rows, self.tail, self.head, self.way)
        return edges

    def _call(self, comm: SerialComm, want: bool) -> None:
        """Edges to the model, energies and slopes from it."""
        system, par, edges = self.system, self.parameters, self._edges(comm)
        atoms, box, space = system.atoms, system.need_box(), system.space
        n, total = atoms.n, atoms.n if self.folded else atoms.total
        arrays = {"species": self.species.data[:total], "i": self.tail.data[:edges], "j": self.head.data[:edges],
                  "rij": self.way.data[: 3 * edges].reshape(edges, 3), "start": self.start.data[: n + 1]}

        def columns(way: Any, rows: Any) -> None:
            for k in range(rows.shape[1]):
                self.column.data[:total] = rows[:, k]
                way(system, "features", self.column)
                rows[:, k] = self.column.data[:total]

        ways = (None, None) if self.folded else (lambda rows: columns(comm.forward_values, rows),
                                                 lambda rows: columns(comm.reverse_values, rows))
        handed = Edges(space, n, total, arrays, _cell(box), tuple(box.periodic), system.step, want, *ways)
        with self._in_order():
            try:
                energy, slope, *_ = par.model.forces(handed)
            except EverletError:
                raise
            except Exception as error:
                raise RunError(f"model {par.place} failed at step {system.step}: {type(error).__name__}: {error}",
                               "look at its method forces(self, b)") from error
            if want and energy is None:
                raise RunError(f"model {par.place} gave no energies at step {system.step}, where b.want is True",
                               "give an energy of each atom: (n,)")
            if energy is not None:
                self._take(energy, self.energy, (n,), "energies")
            self._take(slope, self.slope, (edges, 3), "slopes with the ways of edges")

    def _take(self, given: Any, view: View, shape: tuple[int, ...], what: str) -> None:
        """Numbers that the model gave, wherever they are."""
        space = self.system.space
        if hasattr(given, "detach"):
            given = given.detach()
        if tuple(given.shape) != shape:
            raise RunError(f"model {self.parameters.place} gave {what} of shape {tuple(given.shape)}, expected {shape}",
                           "look at its method forces(self, b)")
        size = int(np.prod(shape))
        plain = np.asarray(given) if space.memory == "host" else space.gpu.cupy.asarray(given)
        view.data[:size] = plain.reshape(-1)

    @contextlib.contextmanager
    def _in_order(self) -> Iterator[None]:
        """On a GPU torch works on the stream of the space: its kernels wait for ours, and ours for them."""
        space, torch = self.system.space, sys.modules.get("torch")
        if space.memory == "host" or torch is None:
            yield
            return
        with torch.cuda.stream(torch.cuda.ExternalStream(space.gpu.stream.ptr)):
            yield

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        system, par = self.system, self.parameters
        atoms, space = system.atoms, system.space
        self._call(comm, tally is not None and tally.energy)
        arguments = (self.start, self.head, self.way, self.slope, self.energy, atoms.view("type"), par.counts, par.factor,
                     self.wrong)
        self.wrong.data[:] = 0
        with self.forces() as force:
            if tally is not None:
                tally.reduce(space, atoms.n, self._forces(True), *arguments, force)
            else:
                parallel_for(space, atoms.n, self._forces(False), *arguments, force)
        wrong = int(space.to_host(self.wrong.data)[0])
        if wrong:
            raise RunError(f"model {par.place} gave energies or slopes that are not finite numbers at step {system.step}: "
                           f"{name_atoms(system, np.array([wrong - 1]))}",
                           "atoms may be nearer to each other than the model was fitted for; use a smaller timestep")

    def share(self, out: ScatterView) -> None:
        """Energies and virials of single atoms (manybody/shares.py), of surroundings."""
        assert self.near is not None
        atoms, self.fresh = self.system.atoms, True
        self._call(self.near.comm, True)
        parallel_for(self.system.space, atoms.n, SHARE, self.start, self.head, self.way, self.slope, self.energy,
                     atoms.view("type"), self.parameters.counts, out)

    def bytes(self) -> int:
        views = (self.start, self.species, self.rows, self.energy, self.column, self.tail, self.head, self.way, self.slope)
        return self.short.bytes() + sum(view.data.nbytes for view in views)
