"""Schemes: ways to visit all pairs within the cutoff. One per file, registered with `@pair_scheme("name")`.

A scheme runs any pair style. It gets the style's `Parameters` (table, data, statics with the function `pair`) and the
`Neighbor` object (list rows, bins), and fills the force rows of the atoms.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from everlet.forces.pair.parameters import Parameters
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel
from everlet.registry import Registry
from everlet.state.system import System

pair_scheme: Registry[type[Scheme]] = Registry("pair scheme", "everlet.forces.pair.schemes")


class Scheme:
    """Base of all schemes.

    pairs       "half": a pair is visited once; with newton on only one ghost of each two opposite shifts exists.
                "full": a pair is visited from both sides; all ghosts exist.
    needs_list  the scheme reads the rows of the neighbour list; otherwise only bins are made.
    precisions  those it is accurate enough in.
    steady      forces without tally only launch kernels, with the same arguments until arrays are replaced.
    gpu_options on a GPU, its loop has a team of threads for each atom and a carve-out; 0 and None: its choice.
    branches    it can skip pairs beyond the cutoff, or compute and mask them; `branch` says which, None: its choice.
    """

    pairs: ClassVar[str] = "half"
    needs_list: ClassVar[bool] = True
    precisions: ClassVar[tuple[str, ...]] = ("double", "mixed", "single")
    branches: ClassVar[bool] = False
    steady: ClassVar[bool] = False
    gpu_options: ClassVar[bool] = False
    branch: bool | None = None
    team: int = 0
    carveout: int | None = None

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        self.system, self.neighbor, self.parameters = system, neighbor, parameters

    @classmethod
    def worth_trying(cls, system: System) -> bool:
        """Whether tuning should measure this scheme for a system; schemes for special sizes or studies say no."""
        return True

    @property
    def on_ghosts(self) -> bool:
        """Forces are left on ghosts and must be sent to their owners."""
        return self.pairs == "half" and self.system.newton

    def kernels(self) -> list[Kernel]:
        """What this scheme compiles, for compiling ahead."""
        return []

    def rebuilt(self) -> None:
        """Called after every neighbour build: ghosts, bins and rows are new."""

    def compute(self, tally: bool) -> np.ndarray:
        """Set the forces; with `tally` return energy and virial: E xx yy zz xy xz yz, otherwise anything."""
        raise NotImplementedError

    def bytes(self) -> int:
        """Memory of arrays of its own."""
        return 0
