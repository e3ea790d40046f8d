"""A committee: several models of the same species, whose mean is the potential and whose spread says how far to trust it.

    pair_style ml FILE.py:CLASS [key value …] and FILE.py:CLASS [key value …] and …

Numbers of atoms, for `fix pair`: `uncertainty`, the root of the mean square of what members' forces on an atom differ from
their mean, and `uncertainty_energy`, the same of its energies.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, RunError
from everlet.forces.models.answers import named
from everlet.forces.models.edges import Edges
from everlet.forces.models.libraries import to_array
from everlet.portable import View

ALIKE = ("units", "cutoff", "padded", "edges")


class Committee:
    """Models that are asked in turn; all of them see the same edges."""

    gives = ("uncertainty", "uncertainty_energy")

    def __init__(self, members: list[Any], places: list[str]):
        first, self.members, self.places = members[0], members, places
        for member, place in zip(members, places, strict=True):
            for name in ALIKE:
                own, wanted = getattr(member, name, None), getattr(first, name, None)
                if own != wanted:
                    raise InputError(f"members of a committee differ: {name} is {wanted} for {places[0]} and {own} for {place}",
                                     "all of them must have the same")
            if list(member.species) != list(first.species):
                raise InputError(f"members of a committee differ: {places[0]} knows {' '.join(first.species)}, {place} "
                                 f"{' '.join(member.species)}", "all of them must have the same species, in the same order")
        self.cutoff, self.species, self.units = first.cutoff, first.species, first.units
        self.padded, self.edges = getattr(first, "padded", False), getattr(first, "edges", True)
        self.layers = max(getattr(member, "layers", 1) for member in members)
        self.exchanges = all(getattr(member, "exchanges", False) or getattr(member, "layers", 1) == 1 for member in members)

    def forces(self, b: Edges) -> dict[str, Any]:
        answers = [self._answer(member, place, b) for member, place in zip(self.members, self.places, strict=True)]
        if len({type(answer.get("slopes", answer.get("forces"))) for answer in answers}) > 1:  # of several libraries
            answers = [{name: value if value is None else to_array(b.space, value) for name, value in answer.items()}
                       for answer in answers]
        mean: dict[str, Any] = {name: self._mean([answer.get(name) for answer in answers], name)
                                for name in ("energy", "slopes", "forces", "virial")}
        found = {name: value for name, value in mean.items() if value is not None}
        if "uncertainty" in b.extras:
            found["uncertainty"] = spread([self._on_atoms(b, answer) for answer in answers]).sum(-1) ** 0.5
        if "uncertainty_energy" in b.extras:
            if mean["energy"] is None or not getattr(mean["energy"], "shape", ()):
                raise RunError("the committee gives no energies of single atoms", "use uncertainty, that of forces")
            found["uncertainty_energy"] = spread([answer["energy"] for answer in answers]) ** 0.5
        return found

    def _answer(self, member: Any, place: str, b: Edges) -> dict[str, Any]:
        """By name. What is in views is copied: the next member writes to the same rooms."""
        return {name: value.array[: len(b) if name == "slopes" else b.n].copy() if isinstance(value, View) else value
                for name, value in named(member.forces(b), place).items()}

    def _mean(self, values: list[Any], name: str) -> Any:
        given = [value for value in values if value is not None]
        if not given or len(given) < len(values) and name == "energy":  # energies that nobody wants may be left out
            return None
        if len(given) < len(values):
            raise RunError(f"some members of a committee give {name}, and others do not", "all of them must give the same")
        return sum(given[1:], given[0]) / len(given)

    def _on_atoms(self, b: Edges, answer: dict[str, Any]) -> Any:
        """The forces that a member gives, (n, 3)."""
        if answer.get("forces") is not None:
            forces = answer["forces"]
            return b.back(forces)[: b.n] if len(forces) >= b.total else forces[: b.n]
        slopes = answer["slopes"]
        kind = "torch" if hasattr(slopes, "detach") else "jax" if hasattr(slopes, "at") else "numpy"
        slopes = slopes.detach() if kind == "torch" else slopes
        own = b if isinstance(slopes, type(b.rij)) else getattr(b, kind)()
        if kind == "torch":
            rows = slopes.new_zeros((b.rows, 3)).index_add(0, own.i.long(), slopes).index_add(0, own.j.long(), -slopes)
        elif kind == "jax":
            rows = (0.0 * slopes[:1] + np.zeros((b.rows, 1))).at[own.i].add(slopes).at[own.j].add(-slopes)
        else:
            xp = np if isinstance(slopes, np.ndarray) else b.space.arrays
            rows = sum(xp.stack([xp.bincount(i, g[:, k], b.rows) for k in range(3)], axis=1)
                       for i, g in ((own.i, slopes), (own.j, -slopes)))
        return own.back(rows)[: b.n]


def spread(values: list[Any]) -> Any:
    """The mean square of what values differ from their mean."""
    mean = sum(values[1:], values[0]) / len(values)
    return sum(((value - mean) ** 2 for value in values[1:]), (values[0] - mean) ** 2) / len(values)
