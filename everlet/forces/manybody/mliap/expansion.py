"""Descriptors for pair_style mliap that are outputs of an expansion (ace/expansion.py), with any model of them."""

from __future__ import annotations

from typing import ClassVar, Protocol

import numpy as np

from everlet.errors import InputError
from everlet.forces.descriptors.base import Given
from everlet.forces.manybody import tile_loops
from everlet.forces.manybody.ace.expansion import Expansion
from everlet.forces.manybody.ace.parameters import ExpansionParameters
from everlet.forces.manybody.ace.scheme import ExpansionScheme
from everlet.forces.manybody.components.answers import Answers
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.manybody.mliap.mliap import Described
from everlet.forces.manybody.scattered import Chunk
from everlet.forces.pair.schemes.base import Scheme
from everlet.portable import Kernel, Space, View, parallel_for
from everlet.registry import Registry
from everlet.state.ledger import Tally

described_scheme: Registry[type[Scheme]] = Registry("scheme of mliap")


class Expanded(Protocol):
    """What a file of such a descriptor says of its elements, which are counted from 0."""

    path: str
    elements: list[str]

    @property
    def components(self) -> int: ...

    def cutoff(self, a: int, b: int) -> float: ...

    def expand(self, used: list[int]) -> Expansion:
        """Of those elements."""
        ...


class ExpansionStyle(FileStyle):
    """Cutoffs and species of an expansion. `used` elements are those that types have."""

    of: Expanded

    def take(self) -> None:
        """Expand the elements that types have."""
        listed = self.of.elements
        self.used = [k for k, name in enumerate(listed) if name in self.names.values()]
        if not self.used:
            raise InputError("all types are NULL", f"give one of {', '.join(listed)}")
        places = [-1 if name == "NULL" else self.used.index(listed.index(name)) for _, name in sorted(self.names.items())]
        self.species = np.array([-1, *places])
        self.expansion = self.of.expand(self.used)

    def init(self) -> None:
        if not self.names:
            raise InputError("no pair_coeff", "give pair_coeff * * and elements")
        self.need_newton()
        n, listed = self.system.ntypes, self.of.elements
        self.fields, self.table_array = (), np.zeros((n + 1, n + 1, 0))
        self.cutoffs, self.offset = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
        for i, a in self.names.items():
            for j, b in self.names.items():
                if "NULL" not in (a, b):
                    self.cutoffs[i, j] = self.of.cutoff(listed.index(a), listed.index(b))
        self.max_cutoff, self.pairs = float(self.cutoffs.max()), {}


class DescribedParameters(ExpansionParameters):
    """With the model, whose types are the species that are there."""

    def __init__(self, style: DescribedExpansion, space: Space, precision: str):
        super().__init__(style, space, precision, style.expansion, style.species, 0, ModelScheme)
        self.model, self.of_species = style.model, style.used


@described_scheme("full")
class ModelScheme(ExpansionScheme):
    """`kinds` of slots: 1 more than the species, 0 where there is no atom."""

    parameters: DescribedParameters
    _answers: Answers | None = None
    kinds: View | None = None

    @property
    def answers(self) -> Answers:
        if self._answers is None:
            par, system = self.parameters, self.system
            self._answers = Answers(par.model, par.of_species, system.space, system.precision, self.width, self.tile)
        return self._answers

    @property
    def _name(self) -> Kernel:
        return self._kernel(tile_loops.name_slots, "T", width=0)

    def fill_rows(self) -> None:
        super().fill_rows()
        space, slots, ordered = self.system.space, self.slots, self.parameters.ordered
        room = (slots // self.tile + 2) * self.tile
        if self.kinds is None or self.kinds.shape[0] < room:
            self.kinds = View(int(1.1 * room), np.int32, space)
            self.kinds.put(np.ones(self.kinds.shape, np.int32))  # of one species they stay so
        if ordered:
            parallel_for(space, slots, self._name, self.order, self.tiles, self.kinds)

    def _reserve(self, blocks: int) -> None:
        before = self.room
        super()._reserve(blocks)
        if self.room != before:
            self.answers.reserve(self.room)
            self.tables |= {"slopes": self.answers.slopes, "energies": self.answers.energy}

    def bend(self, chunk: Chunk, tally: Tally | None) -> None:
        assert self.kinds is not None
        self.answers.make(chunk.begin, chunk.end, self.kinds, self.tables["outputs"], tally)


class DescribedExpansion(Described, ExpansionStyle):
    """`read` gives what a file of the descriptor says."""

    schemes: ClassVar[Registry[type[Scheme]]] = described_scheme
    of_kernels = DescribedParameters

    @staticmethod
    def read(given: Given) -> Expanded:
        raise NotImplementedError

    def use(self, given: Given) -> int:
        self.of = self.read(given)
        self.file, self.listed = self.of.path, self.of.elements
        return self.of.components

    def coeff(self, args: list[str]) -> None:
        super().coeff(args)
        self.take()

    @property
    def kind(self) -> str:
        return f"{self.name} of {sum(map(len, self.expansion.terms))} products, {self.model.name}"
