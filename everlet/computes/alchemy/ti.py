"""Thermodynamic integration: how the energy of parts changes with a coupling."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.peratom.of_terms import OfTerms
from everlet.computes.words.references import needs, variables
from everlet.errors import InputError, arguments
from everlet.neighbor.surroundings import surroundings
from everlet.portable import Kernel
from everlet.state.operation import ENERGY, EXTENSIVE, Gives
from everlet.state.system import System

USAGE = "compute ID all ti STYLE|tail|kspace TYPES v_SCALE v_SLOPE …"


@compute_style("ti")
class Ti(OfTerms):
    """compute ID all ti STYLE|tail|kspace TYPES v_SCALE v_SLOPE …

    c_ID = sum E / v_SCALE * v_SLOPE over parts: a pair style or sub-style, the tail correction (of all), the long-range solver;
    E that of atoms of these types (half of that of each pair for each of its atoms), of all with *.
    """

    gives = Gives(scalar=EXTENSIVE)
    style = "ti"
    uses = (ENERGY,)
    copies_scale = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, USAGE)
        if len(args) % 4:
            raise InputError(f"compute ti has {len(args)} words, four for each part", f"usage: {USAGE}")
        self.given: list[tuple[str, range, str, str]] = []
        for k in range(0, len(args), 4):
            part, types, scale, slope = args[k : k + 4]
            for name in (scale, slope):
                if not name.startswith("v_"):
                    raise InputError(f"compute {id}: '{name}' is not the name of a variable", "use v_NAME")
            self.given.append((part, system.type_range(types), scale[2:], slope[2:]))
            self._entry(part)
            if part == "tail" and not self._whole(self.given[-1][1]):
                raise InputError(f"compute {id}: the tail correction of types {types} is not available", "use tail *")

    def needs(self, step: int) -> tuple[str, ...]:
        found = [need for one in self.given for name in one[2:] for need in needs(self.system, f"v_{name}", step)]
        return (*self.uses, *found)

    def kernels(self) -> list[Kernel]:
        return super().kernels() if any(not self._whole(types) and part != "tail" for part, types, *_ in self.given) else []

    def _whole(self, types: range) -> bool:
        return len(types) == self.system.ntypes

    def _entry(self, part: str) -> str:
        """The name of its term in the ledger."""
        pair, solver = self.system.pair, self.system.kspace
        if part == "tail":
            return ""
        if part == "kspace":
            if solver is None:
                raise InputError(f"compute {self.id}: there is no long-range solver", "give kspace_style before it")
            return solver.name
        if pair is None:
            raise InputError(f"compute {self.id}: there is no pair style", "give pair_style before it")
        names = [pair.name] if part == pair.name else [
            f"{pair.name} {k}" for k, style in enumerate(pair.sub_styles, 1) if style.name == part]
        if len(names) != 1:
            raise InputError(f"compute {self.id}: there is {'no' if not names else 'more than one'} pair style {part}",
                             "name the pair style or a sub-style of hybrid")
        return names[0]

    def _energy_of(self, part: str, types: range) -> float:
        system, name = self.system, self._entry(part)
        if part == "tail":
            return system.energies["tail"]
        if self._whole(types):
            if part == "kspace":
                return float(system.energies["long"])
            return sum(energy for own, entry in system.ledger.terms.items() if own == name or own.startswith(f"{name} ")
                       for energy in entry.energies.values())
        near = surroundings(system.evaluator.neighbor.system, system.evaluator.neighbor.cutoff)
        energy, virial = self._room(near.n, near.system.space)
        with near.instead():
            for term in system.evaluator.terms:
                if term.name == name or term.name.startswith(f"{name} "):
                    term.peratom(near, energy, virial)
        mine = np.isin(system.atoms.read("type"), types)
        return float(system.ranks.sum(np.array([energy.get()[: near.n][mine].sum()]))[0])

    def scalar(self) -> float:
        self.check_tally()
        known, total = variables(self.system, self.given[0][2]), 0.0
        for part, types, scale, slope in self.given:
            coupling = float(known.evaluate(scale))
            if coupling != 0.0:
                total += self._energy_of(part, types) / coupling * float(known.evaluate(slope))
        return total
