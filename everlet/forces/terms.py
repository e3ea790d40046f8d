"""Terms: what forces are made of. Pair styles (each sub-style of a hybrid is one), bonded styles, long-range solvers.

The evaluator (run/evaluator.py) owns ghosts and lists and goes through its terms in order. A term adds to the forces of
atoms; the first may set them instead, which saves a pass over memory: that is decided before kernels are compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from everlet.portable import Kernel
from everlet.state.ledger import Entry

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm


class Term:
    """Base of all terms.

    name          in the ledger
    phase         the row of the time table that it counts to: Pair, Bond, Kspace
    sets          as the first of the terms it sets forces; otherwise they are cleared before it
    on_ghosts     it leaves forces on ghosts, which are sent home when all terms are done
    communicates  numbers of atoms are sent to and from ghosts in the middle of its work
    steady        without tally it only launches kernels, with the same arguments until arrays are replaced
    """

    name: str = ""
    phase: ClassVar[str] = "Pair"
    sets: bool = False
    on_ghosts: bool = False
    communicates: bool = False
    steady: bool = True

    def kernels(self) -> list[Kernel]:
        """What it compiles, for compiling ahead."""
        return []

    def rebuilt(self) -> None:
        """Ghosts and lists are new."""

    def compute(self, tally: bool, comm: SerialComm) -> dict[str, Entry]:
        """Add to the forces; with `tally` give what it (or each of its sub-styles) contributes on this rank, else nothing."""
        raise NotImplementedError

    def bytes(self) -> int:
        """Memory of arrays of its own."""
        return 0
