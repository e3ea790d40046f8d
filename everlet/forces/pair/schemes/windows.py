"""Scheme windows: W atoms walk their rows of the half list together, one SIMD lane each.

    windows   W atoms with rows of about the same length: atoms are sorted by that in blocks of BLOCK neighbouring ones
    rows      transposed, so that a step loads W neighbours side by side; in each step the W are different atoms, so that
              the opposite forces are written without looking whether one comes twice. A filler stands where none is left
    sums      stay in their lanes until the end: nothing is summed over lanes

Rows are put into this form at every neighbour build. Slabs are taken in turns: any number of threads gives the same bits.
"""

from __future__ import annotations

import itertools

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.errors import InputError
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes import windows_loops as loops
from everlet.forces.pair.schemes.base import Scheme, pair_scheme
from everlet.forces.pair.schemes.slabs import FEW_THREADS, Slabs
from everlet.neighbor.ahead import SLACK, steps_ahead
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_team
from everlet.portable.kernels import lane_width
from everlet.state.ledger import Tally
from everlet.state.system import System

BLOCK = 128  # atoms that are sorted by the length of their rows; a multiple of all lane widths
SPARE = 1.1  # spare capacity when a buffer must grow again


@pair_scheme("windows")
class Windows(Scheme):
    pairs = "half"
    takes = ("branch",)

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        space = system.space
        if space.many_threads:
            raise InputError(f"scheme windows does not run on a {space.kind}", "use: package everlet scheme full")
        self.width = lane_width(space.target, system.precision)
        self.slabs = Slabs(system, neighbor)
        self.edges = np.zeros(2, np.int64)  # windows of each slab
        self.pitch = 0  # capacity of a window, in steps
        self.member, self.filler, self.steps, self.rows, self.taken = (View(0, np.int32, space) for _ in range(5))

    @classmethod
    def worth_trying(cls, system: System) -> bool:
        """There are slabs for few threads only; others would wait."""
        return system.space.threads <= FEW_THREADS

    # ---- kernels
    def _loop(self, tally: bool) -> Kernel:
        scalars = self.width == 1
        branch = scalars if self.options.branch is None else self.options.branch
        statics = (*self.parameters.statics, ("EV", tally), ("NEWTON", self.system.newton), ("BRANCH", branch),
                   ("PREFETCH", steps_ahead(self.system.space)))
        return Kernel(loops.window_loop, 7 if tally else 0, self.system.precision, self.parameters.fields, statics=statics)

    def _sort(self) -> Kernel:
        return Kernel(loops.sort_block, precision=self.system.precision, statics=(("BLOCK", BLOCK),), league=True)

    def _fill(self) -> Kernel:
        return Kernel(loops.fill_window, precision=self.system.precision, statics=(("WIDTH", self.width),), league=True)

    # ---- windows and rows
    def rebuilt(self) -> None:
        self.slabs.rebuild()
        self._make_windows()
        self._fill_rows()

    def _make_windows(self) -> None:
        """Cut slabs into blocks, sort the atoms of each, and cut those into windows."""
        space, edges = self.system.space, self.slabs.edges.get()
        slots = [np.arange(low, high, BLOCK) for low, high in itertools.pairwise(edges)]
        windows = -(-np.diff(edges) // self.width)
        self.edges = np.concatenate([[0], np.cumsum(windows)])
        blocks = [first + (part - part[:1]) // self.width for first, part in zip(self.edges[:-1], slots, strict=True)]
        slot, window = (View(sum(map(len, slots)) + 1, np.int64, space) for _ in range(2))
        slot.put(np.concatenate([*slots, edges[-1:]]))
        window.put(np.concatenate([*blocks, self.edges[-1:]]))
        total = int(self.edges[-1])
        if self.steps.shape[0] < total:
            room = total if not self.steps.shape[0] else int(SPARE * total) + 1
            self.filler, self.steps = (View(room, np.int32, space) for _ in range(2))
            self.member = View(room * self.width, np.int32, space)
        self.filler.data[:total] = np.repeat([self.slabs.filler(s) for s in range(len(self.slabs))], windows)
        parallel_team(space, slot.shape[0] - 1, self._sort(), slot, window, self.slabs.order, self.neighbor.count,
                      self.member)

    def _fill_rows(self) -> None:
        near, atoms, windows = self.neighbor, self.system.atoms, int(self.edges[-1])
        if self.taken.shape[0] < atoms.total:
            self.taken = View(atoms.capacity, np.int32, self.system.space)
        self.pitch = max(self.pitch, near.room)
        while True:
            size = windows * self.pitch * self.width + SLACK
            if self.rows.shape[0] < size:
                self.rows = View(size if not self.rows.shape[0] else int(SPARE * size), np.int32, self.system.space)
            self.taken.data[:] = 0
            # slabs of one colour have no neighbour in common, so that they can share `taken`
            self.slabs.launch(self._fill(), self.edges, self.pitch, self.member, self.filler, near.count, near.si, near.neigh,
                              self.taken, self.rows, self.steps)
            most = int(self.steps.data[:windows].max(initial=0))
            if most <= self.pitch:
                return
            self.pitch = most

    # ---- every step
    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        atoms, par = self.system.atoms, self.parameters
        force = self.system.atoms.view("f", modify=True)
        if not self.adds:
            self.slabs.clear(force)
        sums = self.slabs.launch(self._loop(tally is not None), self.edges, atoms.n, atoms.view("x"), atoms.view("type"),
                                 self.member, self.pitch, self.rows, self.steps, par.table, par.data, par.kinds, force)
        if tally is not None:
            tally.add(sums)
