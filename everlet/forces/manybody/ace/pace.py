"""Atomic cluster expansion: the energy of an atom is a function of densities, which are polynomials of sums over neighbours.

    rho_p = sum over products of c_p Re A A A …     A_(mu n l m) = sum over neighbours of species mu of R_nl(r) Y_lm
    E = F(rho_1, rho_2, …)                          of Finnis and Sinclair, with a repulsive core

    pair_style pace [product|recursive] [chunksize N]      pair_coeff * * FILE.yace El1 El2 …      NULL: no element
    fix ID all pair N pace corerep 1                        which part of its energy is not that of the expansion

Drautz, Phys. Rev. B 99, 014104 (2019); Lysogorskiy et al., npj Comput. Mater. 7, 97 (2021). `product` and `recursive` are ways
in which other codes multiply; here there is one, which shares what products have in common (products.py).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from everlet.errors import InputError, integer, unknown
from everlet.forces.manybody.ace import embed_loops
from everlet.forces.manybody.ace.build import expansion
from everlet.forces.manybody.ace.parameters import ExpansionParameters
from everlet.forces.manybody.ace.records import EMBEDDINGS
from everlet.forces.manybody.ace.scheme import ExpansionScheme
from everlet.forces.manybody.ace.text_file import read
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.manybody.scattered import Chunk
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import PERCENT, Scheme
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, Space, View, parallel_for
from everlet.portable.traits import WIDEST, powers
from everlet.registry import Registry
from everlet.state.ledger import Tally
from everlet.state.system import System

pace_scheme: Registry[type[Scheme]] = Registry("scheme of pace")
WAYS = ("product", "recursive")


@pace_scheme("full")
class PaceScheme(ExpansionScheme):
    parameters: PaceParameters

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.values: dict[str, View] = {}

    @classmethod
    def on(cls, space: Space) -> type[Scheme]:
        return PaceInTeams if space.many_threads else cls

    @property
    def switched(self) -> bool:
        return self.parameters.switched

    @property
    def _nearest(self) -> Kernel:
        return self._kernel(embed_loops.nearest_of, "T SPECIES LISTED DENSE", width=0)

    def _embed(self, tally: bool) -> Kernel:
        return self._kernel(embed_loops.embed,
                            "T SPECIES NUMBERS DIRECT SIZE LISTED DENSITIES OUTPUTS SLOPES PARTS SWITCHED EV", sums=int(tally))

    @property
    def _core_parts(self) -> Kernel:
        return self._kernel(embed_loops.core_parts, "T LISTED", width=0)

    @property
    def more_tables(self) -> dict[str, int]:
        return {"counted": 1}

    def atom_value(self, name: str) -> View:
        return self.values[name]

    def value_of_atoms(self, name: str) -> View:
        """Room for one of `atom_values`; atoms without an element keep 0."""
        if name not in self.values or self.values[name].shape[0] < self.system.atoms.n:
            self.values[name] = View(int(1.1 * self.system.atoms.n) + 1, np.float64, self.system.space)
        return self.values[name]

    def bend(self, chunk: Chunk, tally: Tally | None) -> None:
        space, own, atoms, near = self.system.space, self.tables, self.system.atoms, self.neighbor
        if self.switched:
            parallel_for(space, chunk.end - chunk.begin, self._nearest, chunk.begin, atoms.n, atoms.view("x"), self.order,
                         self.tiles, self.short, near.first, near.si, near.sk, near.count.shape[0], self.ends,
                         *self._views("inner"), own["nearest"])
        given = (*self._slot_views(chunk), *self._views("embedding"), own["total"], own["outputs"], own["nearest"],
                 own["slopes"], own["energies"], own["counted"])
        if tally is not None:
            tally.reduce(space, chunk.blocks, self._embed(True), *given)
        else:
            parallel_for(space, chunk.blocks, self._embed(False), *given)
        if "corerep" in self.wants:
            parallel_for(space, chunk.end - chunk.begin, self._core_parts, chunk.begin, atoms.n, self.order, own["counted"],
                         self.value_of_atoms("corerep"))


class PaceInTeams(PaceScheme):
    """Many threads: the same loops with neighbours on lanes (scheme.py: `across`), whose teams may be chosen."""

    knobs: ClassVar = {"team": powers(WIDEST), "carveout": PERCENT}


class PaceParameters(ExpansionParameters):
    """`switched`: of some species the nearest neighbour switches the expansion off."""

    def __init__(self, style: Pace, space: Space, precision: str):
        super().__init__(style, space, precision, style.expansion, style.species, style.chunk, style.scheme.on(space))
        numbers, inner, self.switched = style.embedding()
        for name, values in (("embedding", numbers), ("inner", inner)):
            self.views[name] = View(values.size, np.float64, space)
            self.views[name].put(values.reshape(-1))


@pair_style("pace")
class Pace(FileStyle):
    schemes: ClassVar[Registry[type[Scheme]]] = pace_scheme
    of_kernels: ClassVar[type[PaceParameters]] = PaceParameters
    atom_values: tuple[str, ...] = ("corerep",)
    files: ClassVar[tuple[str, ...]] = ("FILE.yace",)
    scheme: ClassVar[type[PaceScheme]] = PaceScheme

    def configure(self, args: list[str]) -> None:
        self.args, self.setting, self.chunk = list(args), {}, 0
        words = list(args)
        while words:
            word = words.pop(0)
            if word == "chunksize":
                if not words:
                    raise InputError("pair_style pace chunksize without a number", "give the atoms of one pass, such as 4096")
                self.chunk = integer(words.pop(0), "chunksize")
                if self.chunk < 1:
                    raise InputError(f"chunksize is {self.chunk}, and must be 1 or more", "such as 4096")
            elif word not in WAYS:
                raise unknown("word of pair_style pace", word, (*WAYS, "chunksize"))

    @property
    def kind(self) -> str:
        return f"{self.name} of {sum(map(len, self.expansion.terms))} products"

    def coeff(self, args: list[str]) -> None:
        names = self.elements(args)
        potential = read(args[2])
        for name in dict.fromkeys(names.values()):
            if name != "NULL" and name not in potential.elements:
                raise InputError(f"element '{name}' is not in {args[2]}", f"it has {', '.join(potential.elements)}")
        self.potential, self.names, self.lines = potential, names, [args]
        self.used = [s for s, name in enumerate(potential.elements) if name in names.values()]
        if not self.used:
            raise InputError("all types are NULL", f"give one of {', '.join(potential.elements)}")
        self.species = np.array([-1] + [self.used.index(potential.elements.index(name)) if name != "NULL" else -1
                                        for _, name in sorted(names.items())])
        self.take(args)

    def take(self, args: list[str]) -> None:
        """What loops read, of the file."""
        self.expansion = expansion(self.potential, self.used)

    def init(self) -> None:
        if not self.names:
            raise InputError("no pair_coeff", f"give pair_coeff * * {' '.join(self.files)} and elements")
        self.need_newton()
        n, of = self.system.ntypes, self.potential
        if self.system.units.name != "metal":
            raise InputError(f"pair style pace is for units metal, not {self.system.units.name}", "use units metal")
        self.fields = ()
        self.cutoffs, self.offset = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
        self.table_array = np.zeros((n + 1, n + 1, 0))
        for i, a in self.names.items():
            for j, b in self.names.items():
                if "NULL" not in (a, b):
                    self.cutoffs[i, j] = of.bonds[of.elements.index(a), of.elements.index(b)].cut
        self.max_cutoff = float(self.cutoffs.max())
        self.pairs = {}

    def embedding(self) -> tuple[np.ndarray, np.ndarray, bool]:
        """Numbers of each species as embed_loops.py reads them; inner cutoff and width of each pair; is any of them zbl?"""
        of, found, inner, any_zbl = self.potential, [], [], False
        for s in self.used:
            one, zbl = of.embeddings[s], of.bonds[s, s].inner == "zbl"
            any_zbl |= zbl
            mine = [of.energies[s], one.core_cut, one.core_width or 1e-12, float(EMBEDDINGS.index(one.kind)), float(zbl)]
            for d in range(self.expansion.densities):
                there = d < len(one.weights)
                m = float(one.powers[d]) if there else 1.0
                m = 1.0 if abs(m - 1.0) < 1e-10 and one.kind != EMBEDDINGS[0] else m
                k = 1.0 / m
                two = (k ** (k / (1.0 - k)), k ** (1.0 / (1.0 - k))) if m != 1.0 else (0.0, 0.0)
                mine += [float(one.weights[d]) if there else 0.0, m, *two]
            found.append(mine)
            for t in self.used:
                bond = of.bonds[s, t]
                inner.append((bond.inner_cut, bond.inner_width or 1e-12))
        return np.array(found), np.array(inner), any_zbl
