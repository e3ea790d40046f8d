"""The kernels of SNAP: which loop is compiled with which constants. In what order they run: scheme.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from everlet.forces.manybody import tile_loops
from everlet.forces.manybody.components.answers import Answers
from everlet.forces.manybody.scattered import ChunkedScheme
from everlet.forces.manybody.snap import atom_loops as snap_atom_loops
from everlet.forces.manybody.snap import component_loops as snap_component_loops
from everlet.forces.manybody.snap import force_loops as snap_force_loops
from everlet.forces.manybody.snap import loops as snap_loops
from everlet.forces.pair.parameters import Parameters
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel
from everlet.portable.kernels import register_lanes
from everlet.portable.language.dtypes import dtype
from everlet.state.system import System

if TYPE_CHECKING:  # it knows this file
    from everlet.forces.manybody.snap.snap import SnapParameters


def _loop(body: Any, names: str, width: int = -1) -> Any:
    """A kernel of a scheme, as an attribute."""
    return property(lambda scheme: scheme._kernel(body, names, width=width))


class SnapKernels(ChunkedScheme):
    parameters: SnapParameters
    parts = 1
    ahead: int = 1  # products whose factors a thread reads before any is used
    force_statics = "T J HALF CHANNELS MANY NP DENSE SWITCH INNER EV SHARES SCALED EXACT STEPS"
    _answers: Answers | None = None
    shares = False  # energies and virials of atoms are wanted, not forces

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        # loops keep many numbers of each atom: two narrow registers of a CPU or a wide one
        self.width = register_lanes(dtype("real", system.precision), 32) if system.space.simd else 1
        self.tile = self.width

    @property
    def answers(self) -> Answers:
        """From components to energies and their slopes."""
        if self._answers is None:
            par, system = self.parameters, self.system
            self._answers = Answers(par.model, par.of_type, system.space, system.precision, self.width, self.tile,
                                    zero=True)
        return self._answers

    def _kernel(self, body: Any, names: str, sums: int = 0, width: int = -1) -> Kernel:
        par = self.parameters
        found = {**par.statics_of, **self.rounding, "T": self.tile, "PARTS": self.parts, "EV": sums > 0,
                 "DENSE": self.neighbor.dense,
                 "PAD": self.neighbor.pad if self.across else 1, "AHEAD": self.ahead, "SHARES": self.shares,
                 "SCALED": par.scaled and not self.shares, "SINGLY": par.channels > 1 and not self.across}
        statics = tuple((name, found[name]) for name in names.split())
        return Kernel(body, sums, self.system.precision, par.fields, statics=statics,
                      width=self.width if width < 0 else width)

    _rows: Kernel = _loop(tile_loops.by_channel, "MANY NP DENSE CHANNELS PAD SINGLY", width=0)
    _neighbours: Kernel = _loop(snap_loops.neighbours, "T J HALF CHANNELS MANY NP DENSE SWITCH INNER")
    _unfold: Kernel = _loop(snap_atom_loops.unfold, "T HALF FULL CHANNELS ALL PARTS")
    _weigh: Kernel = _loop(snap_atom_loops.weigh, "T ENTRIES PARTS")
    _multiply: Kernel = _loop(snap_atom_loops.multiply, "T HALF FULL CHANNELS MOST PLACES PRODUCTS ENTRIES AHEAD")
    _describe: Kernel = _loop(snap_component_loops.describe, "T FULL CHANNELS MOST PLACES LABELS COMPONENTS")
    _spread: Kernel = _loop(snap_component_loops.spread, "T ENTRIES COMPONENTS")

    def _fold(self, tally: bool) -> Kernel:
        return self._kernel(snap_atom_loops.fold, "T HALF CHANNELS ALL PARTS EV", sums=int(tally))

    def _forces(self, tally: bool) -> Kernel:
        return self._kernel(snap_force_loops.forces, self.force_statics, sums=7 * tally)
