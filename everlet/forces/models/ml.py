"""Learned potentials of a user's own.

    pair_style ml FILE.py:CLASS [key value …]      pair_coeff * * El1 El2 …      one species for each atom type, NULL: none
    pair_style ml FILE.pt|FILE.pt2
    pair_style ml FILE.py:CLASS … and FILE.py:CLASS …      a committee: committee.py

What such a class is: model.py; such a file: programs.py.
"""

from __future__ import annotations

import itertools
from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError, arguments, unknown
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.manybody.shares import SharedParameters
from everlet.forces.models.committee import Committee
from everlet.forces.models.model import USAGE, file_of, load
from everlet.forces.models.programs import ENDINGS, Program
from everlet.forces.models.scheme import ModelScheme, model_scheme
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.surroundings import Surroundings
from everlet.portable import Space, View
from everlet.registry import Registry

AND = "and"  # between members of a committee
MOST_SHELLS = 8  # of ghosts, each a cutoff wide


class ModelParameters(SharedParameters):
    """The model, the species of types, and which of them count."""

    def __init__(self, style: MLStyle, space: Space, precision: str):
        super().__init__(style, space, precision)
        n = style.system.ntypes
        self.model, self.place = style.model, style.place
        self.of_type, self.counts = View(n + 1, np.int32, space), View(n + 1, np.float64, space)
        known = list(style.model.species)
        self.of_type.put([0, *(known.index(name) if name != "NULL" else 0 for name in style.names.values())])
        self.cut2 = View((n + 1) ** 2, np.float64, space)
        self.cut2.put(np.square(style.cutoffs).reshape(-1))
        self.shells = round(style.ghosts / float(style.model.cutoff)) or 1
        self.counts.put([0.0, *(float(name != "NULL") for name in style.names.values())])

    def sharing(self, near: Surroundings) -> ModelScheme:
        made = ModelScheme(near.system, near.dense, self)
        made.near = near
        return made


@pair_style("ml")
class MLStyle(FileStyle):
    schemes: ClassVar[Registry[type[Scheme]]] = model_scheme
    of_kernels = ModelParameters
    place: str  # of the model: a file, and what in it
    model: Any
    files: ClassVar[tuple[str, ...]] = ()
    before: ClassVar[int] = 0  # words before the first model
    stored = False  # a file of somebody else must not name code to run

    def configure(self, args: list[str]) -> None:
        """`and` is between members of a committee."""
        self.args, self.setting = list(args), {}
        rest = args[self.before :]
        words = [list(part) for key, part in itertools.groupby(rest, AND.__eq__) if not key]
        if AND in (rest[:1] + rest[-1:]):
            raise InputError(f"pair_style {self.name}: a model is missing beside '{AND}'", "it is between two models")
        members = [self.member(one) for one in words or [[]]]
        places = [one[0] if one else "" for one in words]
        self.place, self.model = f" {AND} ".join(places), members[0] if len(members) == 1 else Committee(members, places)

    def member(self, words: list[str]) -> Any:
        """The model that some words name."""
        arguments(words, 1, None, USAGE)
        place, *rest = words
        program = place.endswith(ENDINGS)
        self.system.check_code(f"pair_style ml {place}", place if program else file_of(place, USAGE))
        if program and rest:
            raise InputError(f"pair_style ml: '{rest[0]}' is no option of a program of torch", "pair_style ml FILE.pt")
        return Program(place, self.system.space.tensors) if program else load(place, rest)

    @property
    def atom_values(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(getattr(self.model, "gives", ()))

    def coeff(self, args: list[str]) -> None:
        names = self.elements(args)
        for name in names.values():
            if name != "NULL" and name not in self.model.species:
                raise unknown(f"species of model {self.place}", name, self.model.species)
        self.names, self.lines = names, [args]

    def init(self) -> None:
        system, model = self.system, self.model
        if not self.names:
            raise InputError("no pair_coeff", "give pair_coeff * * and a species for each type")
        if model.units != system.units.name:
            raise InputError(f"model {self.place} is in units {model.units}, and this simulation has units "
                             f"{system.units.name}", f"use units {model.units}")
        self.need_newton()
        layers = getattr(model, "layers", 1)
        if system.world.size > 1 and not getattr(model, "edges", True):
            raise InputError(f"model {self.place} finds neighbours by itself, among all atoms", "use one rank")
        shells = layers if system.world.size > 1 and not getattr(model, "exchanges", False) else 1
        if shells > MOST_SHELLS:
            raise InputError(f"model {self.place} has {layers} layers and does not exchange messages between ranks: each would "
                             f"have to know atoms of others up to {layers} cutoffs away",
                             "let it call b.exchange(h) and say exchanges = True, or use one rank")
        self.ghosts = shells * float(model.cutoff) if shells > 1 else 0.0
        n = system.ntypes
        own = np.array([False, *(name != "NULL" for name in self.names.values())])
        self.fields, self.table_array = (), np.zeros((n + 1, n + 1, 0))
        self.cutoffs, self.offset = np.where(np.outer(own, own), float(model.cutoff), 0.0), np.zeros((n + 1, n + 1))
        self.max_cutoff, self.pairs = float(self.cutoffs.max()), {}
