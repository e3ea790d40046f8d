"""Terms: what forces are made of. Pair styles (each sub-style of a hybrid is one), bonded styles, long-range solvers.

The evaluator (run/evaluator.py) owns ghosts and lists and goes through its terms in order. A term adds to the forces of
atoms; the first may set them instead, which saves a pass over memory: that is decided before kernels are compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from everlet.errors import InputError
from everlet.portable import Kernel, View
from everlet.state.ledger import Entry

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm
    from everlet.neighbor.surroundings import Surroundings


class Term:
    """Base of all terms.

    name          in the ledger
    phase         the row of the time table that it counts to: Pair, Bond, Kspace
    part          what computes of energies and virials call it: pair, bond, angle, …
    sets          as the first of the terms it sets forces; otherwise they are cleared before it
    on_ghosts     it leaves forces on ghosts, which are sent home when all terms are done
    communicates  numbers of atoms are sent to and from ghosts in the middle of its work
    steady        without tally it only launches kernels, with the same arguments until arrays are replaced
    """

    name: str = ""
    phase: ClassVar[str] = "Pair"
    part: str = "pair"
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

    def peratom(self, near: Surroundings, energy: View, virial: View) -> None:
        """Add to the energy (n,) and the virial (n, 6: xx yy zz xy xz yz) of every owned atom, in float64. Positions are those
        of the surroundings, which reach as far as the lists of the run; forces need not have been computed there."""
        raise not_per_atom(self.name)

    def peratom_kernels(self) -> list[Kernel]:
        """What `peratom` compiles, for compiling ahead."""
        return []

    def bytes(self) -> int:
        """Memory of arrays of its own."""
        return 0


def not_per_atom(what: str) -> InputError:
    return InputError(f"per-atom energies of {what} are not available", "leave out computes of per-atom energies and stresses")
