"""Bond-order potentials of hydrocarbons: REBO of the second generation, AIREBO, AIREBO-M.

E = 1/2 sum_i sum_j [V^R(r_ij) + b_ij V^A(r_ij) + E^LJ_ij] + sum of torsions
V^R = w (1 + Q/r) A exp(-alpha r),  V^A = -w sum_n B_n exp(-beta_n r),  w from 1 at rmin to 0 at rmax
b_ij = (p_ij + p_ji)/2 + F(N_ij, N_ji, N^conj) + T(N_ij, N_ji, N^conj) sum_kl (1 - cos^2 w_kijl) w'_ik w'_jl
p_ij = [1 + sum_k w_ik g(cos theta_jik, N_ij) e^lambda + P(N^C_ij, N^H_ij)]^(-1/2)
torsions: sum_kijl epsilon w_ki w_ij w_jl [256/405 cos^10(w_kijl/2) - 1/10];  E^LJ: distant_loops.py

    pair_style rebo                                                        pair_coeff * * CH.rebo El1 El2 …
    pair_style airebo CUTOFF [LJ TORSION [CUTOFF_MIN]]                     pair_coeff * * CH.airebo El1 El2 …
    pair_style airebo/morse CUTOFF [LJ TORSION [CUTOFF_MIN]]               pair_coeff * * CH.airebo-m El1 El2 …

Elements are C, H, NULL. CUTOFF: where pair energies end, in sigma; LJ, TORSION: 0 or 1, with and without these parts. Pair
energies fade out from 2.16 to 3 sigma wherever they end, or from CUTOFF_MIN to CUTOFF. Brenner and others, J. Phys. Condens.
Matter 14, 783 (2002); Stuart, Tutein, Harrison, J. Chem. Phys. 112, 6472 (2000); O'Connor, Andzelm, Robbins, J. Chem. Phys.
142, 024903 (2015).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError, arguments
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.manybody.rebo.files import read_file
from everlet.forces.manybody.rebo.numbers import Numbers
from everlet.forces.manybody.rebo.scheme import ReboScheme, rebo_scheme
from everlet.forces.manybody.shares import SharedParameters
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.surroundings import Surroundings
from everlet.portable import Space, View
from everlet.registry import Registry

ELEMENTS = {"C": 0, "H": 1, "NULL": -1}


class ReboParameters(SharedParameters):
    """The numbers in the memory of a space."""

    def __init__(self, style: Rebo, space: Space, precision: str):
        super().__init__(style, space, precision)
        if self.scaled:
            raise InputError(f"pair style {style.name} has no factor in hybrid/scaled",
                             "use hybrid/overlay, or a factor of 1.0")
        made = style.made
        self.pairs_at_distance, self.torsions, self.morse = style.distant, style.torsions, style.morse
        self.farthest = float(made.bonds.max())  # that bonds reach
        self.views: dict[str, View] = {}
        arrays: dict[str, np.ndarray] = {"element": made.element.astype(np.int32), "pairs": made.pairs, "general": made.general,
                                         "reach": made.bonds, "table": style.field.table}
        for name, values in arrays.items():
            self.views[name] = View(values.size, values.dtype.type, space)
            self.views[name].put(values.reshape(-1))

    def sharing(self, near: Surroundings) -> ReboScheme:
        made = ReboScheme(near.system, near.dense, self)
        made.near_by = near
        return made

    def check_float32(self, style: PairStyle) -> None:
        """Only double precision is offered."""


@pair_style("rebo")
class Rebo(FileStyle):
    schemes: ClassVar[Registry[type[Scheme]]] = rebo_scheme
    of_kernels = ReboParameters
    terms = 3
    distant = torsions = morse = False
    scale: float = 0.0  # of sigma: where pair energies end
    fade: float | None = None  # and begin to fade, where the script says it

    def coeff(self, args: list[str]) -> None:
        names = self.elements(args)
        wrong = [name for name in names.values() if name not in ELEMENTS]
        if wrong:
            raise InputError(f"pair style {self.name} has no element '{wrong[0]}'", "give C, H or NULL for each type")
        self.field = read_file(args[2], self.morse, type(self) is Rebo)
        self.names, self.lines = names, [args]

    def init(self) -> None:
        self.need_elements()
        self.need_units("metal")
        self.need_newton()
        n = self.system.ntypes
        element = np.array([-1, *(ELEMENTS[self.names[k]] for k in range(1, n + 1))])
        self.made = Numbers(self.field, element, self.scale, self.fade, self.morse)
        self.fields, self.table_array = ("none",), np.zeros((n + 1, n + 1, 1))
        self.cutoffs, self.offset = self.made.bonds.copy(), np.zeros((n + 1, n + 1))
        longest = float(self.made.bonds.max())
        self.ghosts = 2.0 * longest
        if self.distant:
            self.cutoffs = np.maximum(self.cutoffs, self.made.reach)
            self.ghosts = min(self.made.near, float(self.made.reach.max())) + longest
        self.max_cutoff = float(self.cutoffs.max())
        self.pairs = {}

    def state(self) -> dict[str, Any]:
        return {"style": self.name, "args": self.args, "lines": self.lines}


@pair_style("airebo")
class Airebo(Rebo):
    def configure(self, args: list[str]) -> None:
        usage = f"pair_style {self.name} CUTOFF [LJ TORSION [CUTOFF_MIN]]"
        arguments(args, 1, 4, usage)
        if len(args) == 2:
            raise InputError(f"pair_style {self.name} {' '.join(args)}: one flag of two", f"give {usage}")
        self.scale = self._number(args[0], "the cutoff")
        flags = args[1:3] or ["1", "1"]
        for word in flags:
            if word not in ("0", "1"):
                raise InputError(f"pair_style {self.name}: '{word}' is no flag", "give 0 or 1 for LJ and TORSION")
        self.distant, self.torsions = (word == "1" for word in flags)
        if len(args) == 4:
            self.fade = self._number(args[3], "the least cutoff")
            if self.fade > self.scale:
                raise InputError(f"pair_style {self.name}: the least cutoff {args[3]} is beyond the cutoff {args[0]}",
                                 f"give {usage}")
        self.args, self.setting = list(args), {}

    def _number(self, word: str, what: str) -> float:
        try:
            value = float(word)
        except ValueError:
            value = -1.0
        if not 0.0 < value < np.inf:
            raise InputError(f"pair_style {self.name}: {what} is '{word}'", "give a number above 0, in sigma")
        return value


@pair_style("airebo/morse")
class AireboMorse(Airebo):
    morse = True
