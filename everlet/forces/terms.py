"""Terms: what forces are made of. Pair styles (each sub-style of a hybrid is one), bonded styles, long-range solvers.

The evaluator (run/evaluator.py) owns ghosts and lists and goes through its terms in order. A term adds to the forces of
atoms; the first may set them instead, which saves a pass over memory: that is decided before kernels are compiled.

At steps that are tallied a term also adds up its energy and virial. They stay in memory of the space, where a barostat's
kernel may read them and graphs of a GPU can have them at every step. The term says which energies it has, and `compute` is
given a Tally: eight numbers of its own, which are 0 (state/ledger.py):

    energies = ("bond",)                                     # one or two names of the ledger's energies

    def compute(self, tally, comm):
        if tally is None:
            parallel_for(space, n, self.loop(False), *arguments)
        else:                                                # the loop returns energy, xx yy zz xy xz yz
            tally.reduce(space, n, self.loop(True), *arguments)

If `tally.energy` is False virials alone are wanted: energies need not be computed, and what is added as such means nothing.
A loop that saves time by it returns the six others, `tally.reduce(…, at=1)`.

`tally.reduce(…, at=7)` is for a second energy, `tally.add(numbers)` for numbers that the host has; both may be called several
times. A fix that has a virial says `tallies = True` and does the same with `self.tally` in post_force, if `self.tally.wanted`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from everlet.errors import InputError
from everlet.portable import View
from everlet.state.ledger import Sums, Tally

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm
    from everlet.neighbor.surroundings import Surroundings


class Term:
    """Base of all terms.

    name          in the ledger
    energies      of the ledger that it has: one or two of state/ledger.py ENERGIES; the first comes before the virial
    phase         the row of the time table that it counts to: Pair, Bond, Kspace
    part          what computes of energies and virials call it: pair, bond, angle, …
    sets          as the first of the terms it sets forces; otherwise they are cleared before it
    on_ghosts     it leaves forces on ghosts, which are sent home when all terms are done
    communicates  numbers of atoms are sent to and from ghosts in the middle of its work
    repeatable    it gives the same bits every time; on a GPU sums in no order do not
    steady        it only launches kernels, with the same arguments until arrays are replaced
    by_atom       its tally is a loop over atoms: in a batch, energies and virials of each system follow from it. Those of other
                  terms are added up from what `peratom` gives
    outside       or calls functions that graphs of a GPU are divided by
    follows_clock its kernels read the number of the step (state/clock.py), which goes on when forces are there
    notes         what it has to say in the log
    level         of run_style respa, from 0: how often it is computed (state/levels.py)
    asked         numbers of atoms that pair styles are to give with the next forces: style and name (fix pair)
    """

    name: str = ""
    energies: tuple[str, ...] = ()
    phase: ClassVar[str] = "Pair"
    part: str = "pair"
    sets: bool = False
    on_ghosts: bool = False
    communicates: bool = False
    repeatable: bool = True
    by_atom: bool = False
    steady: bool = True
    asked: frozenset[tuple[str, str]] = frozenset()
    outside: bool = False
    follows_clock: bool = False
    notes: list[str] | tuple[()] = ()
    level: int = 0

    def rebuilt(self) -> None:
        """Ghosts and lists are new."""

    def enter(self, sums: Sums) -> Tally:
        """Room for its numbers; a term of several styles has some for each of them (`Sums.together`)."""
        return sums.tally(self.name, self.energies)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        """Add to the forces; with a tally also to that: what it contributes on this rank."""
        raise NotImplementedError

    def peratom(self, near: Surroundings, energy: View, virial: View) -> None:
        """Add to the energy (n,) and the virial (n, 6: xx yy zz xy xz yz) of every owned atom, in float64. Positions are those
        of the surroundings, which reach as far as the lists of the run; forces need not have been computed there."""
        raise not_per_atom(self.name)

    def drop(self) -> None:
        """It is not used any more: let go of all arrays, without waiting for Python's garbage collector."""
        vars(self).clear()

    def part_energies(self) -> np.ndarray:
        """Energies of what it is made of, of this rank at the last tally; empty if it does not tell them apart."""
        return np.zeros(0)


def not_per_atom(what: str) -> InputError:
    return InputError(f"per-atom energies of {what} are not available", "leave out computes of per-atom energies and stresses")
