"""Schemes: ways to visit all pairs within the cutoff. One per file, registered with `@pair_scheme("name")`.

A scheme runs any pair style. It gets the style's `Parameters` (table, data, statics with the function `pair`) and the
`Neighbor` object (list rows, bins), and fills the force rows of the atoms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from everlet.errors import unknown
from everlet.forces.pair.virial_loop import VIRIAL
from everlet.neighbor.lists import Neighbor
from everlet.portable import Space, View
from everlet.registry import Registry
from everlet.state.ledger import Tally
from everlet.state.system import System

if TYPE_CHECKING:  # they know this file
    from everlet.comm.serial import SerialComm
    from everlet.forces.pair.parameters import Parameters

pair_scheme: Registry[type[Scheme]] = Registry("pair scheme", "everlet.forces.pair.schemes")
# those whose loops know charges
charged_scheme: Registry[type[Scheme]] = Registry("scheme of pair styles with charges", "everlet.forces.pair.schemes")


ACCUMULATE = ("coloured", "duplicated")
PERCENT = range(101)


@dataclass(frozen=True)
class SchemeOptions:
    """What a user may say about a scheme: `package everlet scheme NAME [option value …]`. None: as the scheme likes.

    branch      pairs beyond the cutoff are skipped (True), or computed and masked (False)
    accumulate  how threads add to the same atoms: "coloured" (taking turns) or "duplicated" (a copy per thread)
    shape       atoms of clusters, such as "2x8"
    """

    branch: bool | None = None
    accumulate: str | None = None
    shape: str | None = None

    def __post_init__(self) -> None:
        if self.accumulate is not None and self.accumulate not in ACCUMULATE:
            raise unknown("way to accumulate", self.accumulate, ACCUMULATE)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls))

    def given(self) -> list[str]:
        """Names of those that were said."""
        return [name for name in self.names() if getattr(self, name) is not None]


class Scheme:
    """Base of all schemes.

    pairs       "half": a pair is visited once; with newton on only one ghost of each two opposite shifts exists.
                "full": a pair is visited from both sides; all ghosts exist.
    needs_list  the scheme reads the rows of the neighbour list; otherwise only ghosts are made.
    dense       it can read rows that follow each other, which take fewest bytes (neighbor/lists.py).
    precisions  those it is accurate enough in.
    steady      forces without tally only launch kernels, with the same arguments until arrays are replaced.
    takes       names of the options that it has; others are refused.
    knobs       attributes that say how its loops run on many threads, with the values that they may have: `package everlet
                [knob value …]`, and the plan. `team`: threads of each atom; others are the scheme's own.
    """

    pairs: ClassVar[str] = "half"
    needs_list: ClassVar[bool] = True
    dense: ClassVar[bool] = False
    precisions: ClassVar[tuple[str, ...]] = ("double", "mixed", "single")
    steady: ClassVar[bool] = False
    takes: ClassVar[tuple[str, ...]] = ()
    options = SchemeOptions()
    knobs: ClassVar[dict[str, Sequence[int]]] = {}
    by_atom: ClassVar[bool] = False  # its tally is a loop over atoms, or over their slots
    communicates: ClassVar[bool] = False  # numbers of atoms are sent to and from ghosts in the middle of the work
    exact: bool = False  # forces must be the same bits for any order of threads; decided before kernels are compiled
    special_apart: ClassVar[bool] = True  # a term of its own computes pairs of linked atoms (special.py)
    adds: bool = False  # to the forces of schemes before it, instead of setting them; decided before kernels are compiled
    outside: ClassVar[bool] = False  # it calls functions that graphs are divided by
    follows_clock: bool = False  # its kernels read the number of the step
    notes: list[str] | tuple[()] = ()  # what it has to say in the log
    wants: frozenset[str] = frozenset()  # those of the style's `atom_values` that are to come with the next forces
    label: str = ""  # tells numbers of atoms that it sends from those of other sub-styles of a hybrid
    team: int = 0  # its choice
    carveout: int | None = None

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        self.system, self.neighbor, self.parameters = system, neighbor, parameters

    @classmethod
    def repeatable(cls, space: Space, options: dict[str, Any]) -> dict[str, Any]:
        """The options with which forces are the same, bit by bit, every time and for any number of threads."""
        return options

    @classmethod
    def on(cls, space: Space) -> type[Scheme]:
        """The class that does the work of this scheme in a space."""
        return cls

    @classmethod
    def each(cls) -> tuple[type[Scheme], ...]:
        """Itself; of a hybrid style those of its sub-styles."""
        return (cls,)

    @classmethod
    def worth_trying(cls, system: System) -> bool:
        """Whether tuning should measure this scheme for a system; schemes for special sizes or studies say no."""
        return True

    def choose(self, options: SchemeOptions) -> None:
        """Take what the user said; those that cannot be done on this space are refused."""
        self.options = options

    def set_knobs(self, values: dict[str, int]) -> None:
        """Set its knobs; what it has not is left out."""
        for name, known in self.knobs.items():
            if values.get(name) in known:
                setattr(self, name, values[name])

    @classmethod
    def to_try(cls, system: System) -> dict[str, list[Any]]:
        """Values of knobs, and of options, that tuning should measure, the default first."""
        return {}

    @property
    def on_ghosts(self) -> bool:
        """Forces are left on ghosts and must be sent to their owners."""
        return self.pairs == "half" and self.system.newton

    def rebuilt(self) -> None:
        """Called after every neighbour build: ghosts, bins and rows are new."""

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        """Set the forces, or add to them; with a tally add energy and virial to it, E xx yy zz xy xz yz, and the Coulomb
        energy of styles with charges.

        `comm` carries what ghosts must know, or know alone, in the middle of it.
        """
        raise NotImplementedError

    @property
    def virial_of_forces(self) -> bool:
        """The virial follows from its forces on atoms and ghosts. Not on GPUs, where the number of ghosts is on the device, nor
        from forces that are rounded, which do not add up to zero."""
        return (self.on_ghosts and not self.adds and not self.system.space.many_threads and self.system.precision == "double"
                and self.system.members is None)

    def evaluate(self, tally: Tally | None, comm: SerialComm) -> None:
        """`compute`, or if virials alone are asked for a cheaper way. With the energies of atoms by themselves."""
        if tally is not None and not tally.energy and self.virial_of_forces:
            self.compute(None, comm)
            atoms = self.system.atoms
            tally.reduce(self.system.space, atoms.total, VIRIAL, atoms.view("x"), atoms.view("f"), at=1)
            return
        self.compute(tally, comm)
        if tally is not None and tally.energy:
            self.parameters.own_energies(self.system, tally)

    def part_energies(self) -> np.ndarray:
        """Energies of what the style is made of (PairStyle.terms), of this rank at the last tally."""
        return np.zeros(0)

    def atom_value(self, name: str) -> View:
        """A number of each atom of this rank, as the last forces were computed with: one of those that it `wants`."""
        raise NotImplementedError


def scheme_on(name: str, space: Space, style: Any = None) -> type[Scheme]:
    """The class of a scheme, by name, for a space and a style (None: one that needs distances of pairs only)."""
    return (style.schemes if style is not None else pair_scheme)[name].on(space)
