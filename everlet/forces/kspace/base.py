"""KspaceStyle: what long-range solvers share: charges, accuracy, the splitting parameter g, checks, lines for the log.

The energy of all pairs of charges and of all their periodic images is split at the length 1/g: erfc(g r)/r is summed over
pairs within the cutoff by the pair style (…/long), the smooth rest by a solver in Fourier space. Both need the same g, which
follows from the cutoff and the accuracy; a pair style finds it at `system.kspace.g` when a run is set up.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from everlet.errors import InputError, arguments, number
from everlet.forces.kspace.settings import Settings
from everlet.registry import StyleRegistry
from everlet.state.atom_styles import need_field
from everlet.state.ranks import SingleRank
from everlet.state.system import System

if TYPE_CHECKING:
    from everlet.forces.terms import Term

SMALL = 1e-5  # charges in all below this are neutral
NEUTRAL = "system is not charge neutral, net charge = "


kspace_style: StyleRegistry[type[KspaceStyle]] = StyleRegistry("k-space style", "everlet.forces.kspace")


class KspaceStyle:
    """Base of solvers. After `init`, which the set-up of a run calls before pair styles make their numbers:

    g            splitting parameter (1/length)
    accuracy     error of forces that is asked for (force units)
    estimated    error of forces that is expected
    cut          where the pair style's part ends
    qsum qsqsum  sums of charges and of their squares
    natoms       atoms in all
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    more: ClassVar[tuple[str, ...]] = ()  # words that may follow the accuracy
    disperses: ClassVar[bool] = False  # it has the far part of 1/r^6 too
    multilevel: ClassVar[bool] = False  # pair styles whose names end with msm go with it
    sites: ClassVar[bool] = False  # charges of oxygens are where pair styles of TIP4P have them

    def __init__(self, system: System, args: list[str]):
        arguments(args, 1, 1 + len(self.more), f"kspace_style {' '.join([self.name, 'ACCURACY', *self.more])}")
        self.system = system
        self.args = list(args)
        self.relative = abs(number(args[0], "an accuracy"))
        self.settings = Settings()
        self.g = self.accuracy = self.estimated = self.cut = self.qsum = self.qsqsum = 0.0
        self.natoms = 0
        self.scale = 1.0  # of all that the solver computes; the near part, of the pair style, has none (fix adapt)
        self.kept: dict[str, Any] = {}  # what a restart file has of the run that goes on
        self.warnings: list[str] = []  # for the log; whoever prints them clears the list

    charges: bool = True  # the pair style leaves charges to it

    # ---- numbers that all solvers need
    @property
    def constant(self) -> float:
        """C: energy of two charges 1 at distance 1, times `scale`."""
        return self.scale * self.system.coulomb

    @property
    def unit_force(self) -> float:
        """Force between two elementary charges at a distance of one Angstrom: what relative accuracies refer to."""
        units = self.system.units
        return self.system.qqr2e * (units.qelectron / units.angstrom) ** 2

    @property
    def q2(self) -> float:
        """Q^2 of the estimates, without `scale`."""
        return self.qsqsum * self.system.coulomb

    @property
    def lengths(self) -> np.ndarray:
        """Edges of the cell that the solver repeats: the box, higher if it is a slab."""
        return self.system.need_box().lengths * np.array([1.0, 1.0, self.settings.slab])

    def use_charges(self) -> None:
        """Sums over all charges, to the last bit: g of a mesh is found from them by small differences, on all ranks."""
        q = self.system.atoms.read("q") if "q" in self.system.atoms.fields else np.zeros(0)
        self.qsum, self.qsqsum = (exact_sum(self.system.ranks, values) for values in (q, q * q))
        self.natoms = self.system.natoms

    # ---- before a run
    def init(self, kept: dict[str, Any] | None = None) -> list[str]:
        """Choose g and what else follows from the accuracy, or go on with what a restart file has kept; lines for the log."""
        system, settings, self.scale = self.system, self.settings, 1.0
        box = system.need_box()
        self._check_box()
        self._need_pair()
        if self.charges:
            need_field(system.atoms, "q", f"kspace_style {self.name}")
        self.use_charges()
        if self.charges and self.qsqsum == 0.0:
            raise InputError(f"kspace_style {self.name}: all charges are zero",
                             "set charges (read_data, set … charge), or use kspace_style none")
        if abs(self.qsum) > SMALL:
            self.warnings.append(f"{NEUTRAL}{self.qsum:.8g}: a uniform background is added")
        self.accuracy = settings.force if settings.force >= 0.0 else self.relative * self.unit_force
        if self.accuracy <= 0.0 and not settings.gewald:
            raise InputError(f"kspace_style {self.name}: the accuracy must be larger than 0", "1e-4 is a common choice")
        volume = float(np.prod(box.lengths))  # where the atoms are, without the empty part of a slab
        self.kept = kept or {}
        self.g = self.kept.get("g") or settings.gewald or self.first_g(volume)
        lines = [f"{self.title} initialization ...", f"  using {self._real_part()} for long-range coulomb"]
        return lines + self.choose()

    def _need_pair(self) -> None:
        """The pair style leaves work to the solver; `cut` is where its part ends."""
        pair = self.system.pair
        if pair is None or not pair.cut_coul:
            raise InputError(f"kspace_style {self.name} needs a pair style that leaves the long-range part of charges to it",
                             f"use a pair style whose name ends with coul/{'msm' if self.multilevel else 'long'}, or "
                             "kspace_style none")
        if pair.dispersion() and not self.disperses:
            raise InputError(f"kspace_style {self.name} has no dispersion, which pair style {pair.name} leaves to it",
                             "use kspace_style ewald/disp or pppm/disp, or the flag cut in place of long in pair_style")
        self.cut = float(pair.cut_coul)

    def first_g(self, volume: float) -> float:
        """The splitting parameter that follows from the accuracy."""
        return initial_g(self.accuracy, self.q2, self.natoms, self.cut, volume)

    def state(self) -> dict[str, Any]:
        """What was chosen when the run began, for restart files."""
        return {"g": self.g}

    def made_with(self) -> tuple[Any, ...]:
        """Numbers that its term, and the near part of pair styles, are made with; plain ones."""
        chosen = [tuple(value) if isinstance(value, list) else value for value in self.state().values()]
        box = tuple(self.system.need_box().params().tolist())
        return (*chosen, box, self.scale, self.natoms, self.qsum, self.qsqsum, *vars(self.settings).values())

    def choose(self) -> list[str]:
        """Vectors or mesh for the accuracy, the final g, `estimated`; lines for the log."""
        raise NotImplementedError

    def _check_box(self) -> None:
        system, settings = self.system, self.settings
        box = system.need_box()
        if system.dimension == 2:
            raise InputError(f"kspace_style {self.name} is for three dimensions", "use a cut-off pair style in two dimensions")
        if (settings.slabs or settings.nozforce) and (box.boundary != ("pp", "pp", "ff") or box.triclinic):
            raise InputError(f"kspace_modify slab with boundary {' '.join(box.boundary)}" + " and a tilted box" * box.triclinic,
                             "use boundary p p f and an orthogonal box")
        if not (settings.slabs or settings.nozforce) and not all(box.periodic):
            raise InputError(f"kspace_style {self.name} needs a box that is periodic in all directions, not boundary "
                             f"{' '.join(box.boundary)}", "use boundary p p p, or p p f with kspace_modify slab 3.0")
        if settings.slabs and settings.slab < 2.0:
            self.warnings.append("kspace_modify slab below 2.0 may not be accurate")

    def table_bits(self) -> int:
        """Bits of the table that the pair style looks forces up in; 0: it computes them."""
        return int(self.system.pair.table_bits)

    def _real_part(self) -> str:
        bits = self.table_bits()
        return f"{bits}-bit tables" if bits else "polynomial approximation"

    def estimates(self, long: float, volume: float) -> list[str]:
        """The error in all, from that of the solver's own part, and the lines about it."""
        self.estimated = math.sqrt(long**2 + self.real_error(self.g, volume) ** 2 + self._table_error(volume) ** 2)
        return [f"  estimated absolute RMS force accuracy = {self.estimated:.8g}",
                f"  estimated relative force accuracy = {self.estimated / self.unit_force:.8g}"]

    def real_error(self, g: float, volume: float) -> float:
        """Of the pair style's part, which ends at the cutoff."""
        return 2.0 * self.q2 * math.exp(-((g * self.cut) ** 2)) / math.sqrt(self.natoms * self.cut * volume)

    def _table_error(self, volume: float) -> float:
        bits = self.table_bits()
        found = TABLE_ERRORS.get(min(max(bits, 6), 16), 0.0) if bits else 0.0
        return found * self.q2 / math.sqrt(self.natoms * self.cut * volume)

    def term(self, exact: bool = False) -> Term:
        """What computes the forces of a run; `exact`: with the same bits for any order of atoms and number of threads."""
        raise NotImplementedError


# of forces looked up in a table with so many bits, by experience; times Q^2 / sqrt(N r_c V)
TABLE_ERRORS = {6: 6.99e-3, 7: 1.78e-3, 8: 4.72e-4, 9: 1.17e-4, 10: 2.95e-5, 11: 7.41e-6, 12: 1.76e-6, 13: 9.28e-7,
                14: 7.46e-7, 15: 7.32e-7, 16: 7.30e-7}


def exact_sum(ranks: SingleRank, values: np.ndarray) -> float:
    """The sum over all ranks, rounded once.

    >>> exact_sum(SingleRank(), np.array([1e30, 1.0, -1e30]))
    1.0
    """
    numbers = values.tolist()
    most = math.fsum(numbers)
    return math.fsum(number for pair in ranks.all_of((most, math.fsum([*numbers, -most]))) for number in pair)


def initial_g(accuracy: float, q2: float, n: int, cut: float, volume: float) -> float:
    """The splitting parameter for which the part beyond the cutoff is as small as asked for."""
    y = accuracy * math.sqrt(n * cut * volume) / (2.0 * q2)
    return math.sqrt(-math.log(y)) / cut if y < 1.0 else (1.35 - 0.15 * math.log(accuracy)) / cut
