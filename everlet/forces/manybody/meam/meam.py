"""Modified embedded-atom method, of first and second nearest neighbours, and with minus densities (meam/ms).

E = sum_i F_i(rho_i) + 1/2 sum_ij S_ij f_c(r_ij) phi_ij(r_ij)

    pair_style meam           pair_coeff * * LIBRARY El1 El2 … FILE|NULL Name1 Name2 …
    pair_style meam/ms        the same, with a library that has minus densities

The first elements are those of the library, up to eight, whose order FILE counts; then one name for each atom type, NULL: none.
Densities rho_i depend on directions (density_loops.py), S is how much other atoms leave of a pair (screening_loops.py), and phi
follows from what is known of reference lattices (reference.py). Units metal. Baskes, Phys. Rev. B 46, 2727 (1992); Lee and
Baskes, Phys. Rev. B 62, 8564 (2000); Baskes, Phys. Rev. B 75, 094113 (2007).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError, arguments
from everlet.forces import potential_file
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.manybody.meam import density_loops
from everlet.forces.manybody.meam.library import MOST, Meam, read_library, read_parameters
from everlet.forces.manybody.meam.reference import POINTS, Reference
from everlet.forces.manybody.meam.scheme import MeamScheme, meam_scheme
from everlet.forces.manybody.shares import SharedParameters
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.schemes.base import Scheme
from everlet.portable import Space, View
from everlet.portable.language.dtypes import dtype
from everlet.registry import Registry
from everlet.state.system import System


class MeamParameters(SharedParameters):
    """Numbers of pairs of types, limits of screening of triples, numbers of elements."""

    def __init__(self, style: MeamStyle, space: Space, precision: str):
        super().__init__(style, space, precision)
        of = style.made
        self.cut, self.fade = of.options["rc"], of.options["delr"]
        self.grid = 1.0 / style.reference.step, float(POINTS - 2)
        self.settings: dict[str, Any] = {"AVERAGE": style.average, "MINUS": of.minus, "MIXED": of.flag("mixture_ref_t")}
        self.sets, self.highest = 2 if of.minus else 1, float(style.triple_array[..., 1].max())
        self.triple_fields: tuple[str, ...] = ("low", "high")
        numbers = style.triple_array
        if self.scaled:
            self.triple_fields = (*self.triple_fields, "factor")
            numbers = np.pad(numbers, ((0, 0), (0, 0), (0, 0), (0, 1)), constant_values=self.factor)
        self.triples, self.elements = View(numbers.size, dtype("real", precision), space), View(
            style.element_array.size, np.float64, space)
        self.triples.put(numbers.reshape(-1))
        self.elements.put(style.element_array.reshape(-1))

    def sharer(self, space: Space) -> type[MeamScheme]:
        return MeamScheme


class MeamStyle(FileStyle):
    schemes: ClassVar[Registry[type[Scheme]]] = meam_scheme
    of_kernels = MeamParameters
    files = ("LIBRARY",)
    minus: ClassVar[bool] = False

    def __init__(self, system: System, args: list[str]):
        self.masses: dict[str, float] = {}
        super().__init__(system, args)

    def coeff(self, args: list[str]) -> None:
        n = self.system.ntypes
        usage = "pair_coeff * * LIBRARY El1 El2 … FILE|NULL and one element for each atom type"
        arguments(args, n + 5, None, usage)
        if args[:2] != ["*", "*"]:
            raise InputError(f"pair_coeff {args[0]} {args[1]}: files of {self.name} are for all types at once", f"give {usage}")
        at = next((k for k in range(4, len(args)) if args[k] == "NULL" or _is_file(args[k])), None)
        if at is None:
            raise InputError(f"none of {' '.join(args[4:])} is a file of parameters, or NULL", f"give {usage}")
        elements, types = args[3:at], args[at + 1 :]
        if len(types) != n:
            raise InputError(f"{len(types)} elements for {n} atom types behind {args[at]}: {' '.join(types)}", f"give {usage}")
        if len(set(elements)) < len(elements) or len(elements) > MOST:
            raise InputError(f"the elements are {' '.join(elements)}", f"name each once, and {MOST} at most")
        for name in types:
            if name != "NULL" and name not in elements:
                raise InputError(f"element '{name}' of an atom type is not among {' '.join(elements)}", f"give {usage}")
        made = read_library(args[2], elements, self.minus)
        read_parameters(args[at], made)
        self.made: Meam = made
        self.names, self.lines = dict(enumerate(types, 1)), [args]
        for k, name in self.names.items():
            if name != "NULL":
                self.system.masses[k] = float(made.mass[elements.index(name)])

    @property
    def average(self) -> int:
        """How weights t follow from neighbours (density_loops.py)."""
        of = self.made
        alike = len(set(self.names.values()) - {"NULL"}) == 1
        if of.minus or of.alloy == 2 or (of.alloy == 0 and alike):
            return 0
        return 2 if of.alloy == 1 else 1

    def init(self) -> None:
        self.need_elements("LIBRARY, elements and FILE")
        self.need_units("metal")
        self.need_newton()
        of, n = self.made, self.system.ntypes
        self.reference = Reference(of)
        which = {k: of.names.index(name) for k, name in self.names.items() if name != "NULL"}
        self.cutoffs, self.offset = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
        self.triple_array = np.zeros((n + 1, n + 1, n + 1, 2))
        self.element_array = np.zeros((n + 1, density_loops.NE))
        self.element_array[:, [density_loops.SMOOTH, density_loops.FIRST, density_loops.INVERSE, density_loops.ALONE]] = 1.0
        tables, starts, used = [np.zeros(4)], dict[tuple[int, int], int](), sorted(set(which.values()))
        for a in used:
            for b in used:
                if b >= a:
                    starts[a, b] = starts[b, a] = sum(part.size for part in tables)
                    tables.append(self.reference.table(a, b).ravel())
        self.data = np.concatenate(tables)
        found = {(i, j): self._pair(starts[a, b], b) for i, a in which.items() for j, b in which.items()}
        self.fields = tuple(next(iter(found.values()), {"start": 0.0}))
        self.table_array = np.zeros((n + 1, n + 1, len(self.fields)))
        reach = 0.5 * of.options["rc"] * np.maximum(of.Cmax, 2.0) / np.sqrt(np.maximum(of.Cmax, 2.0) - 1.0)
        for (i, j), values in found.items():
            a, b = which[i], which[j]
            self.table_array[i, j] = list(values.values())
            self.cutoffs[i, j] = max(reach[a, used, b].max(), of.options["rc"])
            for k, c in which.items():
                self.triple_array[i, j, k] = of.Cmin[a, b, c], of.Cmax[a, b, c]
        for k, a in which.items():
            self.element_array[k] = self._element(a)
        self.max_cutoff = float(self.cutoffs.max())
        self.pairs = {}

    def _pair(self, start: int, b: int) -> dict[str, float]:
        """Of a neighbour of element b: f_l = c_l exp(-d_l r)."""
        of, folded = self.made, self.average == 2 or self.made.minus
        betas = [*of.beta[b], *of.beta_minus[b]]
        weights = [1.0, *(of.t[b] if folded else [1.0] * 3), *of.t_minus[b]]
        found = {"start": float(start)}
        found |= {f"c{k}": w * of.rho0[b] * np.exp(v) for k, (v, w) in enumerate(zip(betas, weights, strict=False))}
        found |= {f"d{k}": v / of.re[b, b] for k, v in enumerate(betas)}
        return found | ({f"t{k + 1}": t for k, t in enumerate(of.t[b])} if self.average else {})

    def _element(self, a: int) -> list[float]:
        of = self.made
        background = 1.0 if of.flag("mixture_ref_t") else float(self.reference.background(a))
        return [of.asub[a] * of.Ec[a, a], -of.options["emb_lin_neg"], of.options["gsmooth_factor"], of.ibar[a], *of.t[a],
                1.0 / background, self.reference.lattice(a, a).first, *self.reference.shape(a), 1.0 / of.rho0[a]]


def _is_file(word: str) -> bool:
    try:
        potential_file.find(word)
    except InputError:
        return False
    return True


@pair_style("meam")
class MeamPlain(MeamStyle):
    """Without minus densities."""


@pair_style("meam/ms")
class MeamMinus(MeamStyle):
    minus = True
