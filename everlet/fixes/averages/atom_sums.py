"""Sums over atoms of what scripts name, and what becomes of them: what averages over chunks and over cells of a grid share."""

from __future__ import annotations

from functools import partial

import numpy as np

from everlet.computes.temperatures.base import temperature
from everlet.computes.words.peratom import COLUMNS, Reference, reference
from everlet.errors import number, unknown
from everlet.fixes.averages.base import AverageWords, Keyword, Sampling
from everlet.state.system import System

OWN = ("density/number", "density/mass", "mass", "temp")


class AtomSums(Sampling):
    """`names` are the words of the script, `values` what they mean. Keywords: norm all|sample|none, bias TEMP-ID, adof N,
    cdof N."""

    names: list[str]
    values: list[str | Reference]
    words: AverageWords

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.norm, self.bias = "all", ""
        self.adof, self.cdof = float(system.dimension), 0.0
        self.own: dict[str, Keyword] = {"norm": self._norm, "bias": self._bias, "adof": partial(self._dof, "adof"),
                                        "cdof": partial(self._dof, "cdof")}

    def _norm(self, given: str) -> None:
        self.norm = self.words.choice("norm", given, ("all", "sample", "none"))

    def _bias(self, given: str) -> None:
        self.bias = temperature(self.system, given, self.user).id

    def _dof(self, word: str, given: str) -> None:
        setattr(self, word, number(given, "degrees of freedom"))

    def _value(self, word: str) -> str | Reference:
        if word in OWN or word in COLUMNS and word[0] in "vf":
            return word
        found = reference(self.system, word, self.user)
        if found is None:
            raise unknown(f"value or keyword of fix {self.words.style}", word,
                          [*OWN, "vx", "vy", "vz", "fx", "fy", "fz", *self.words.known])
        return found

    def _of_atoms(self, value: str | Reference) -> np.ndarray:
        system, atoms = self.system, self.system.atoms
        if isinstance(value, Reference):
            return value.column(value.all_columns(system))
        if value in COLUMNS:
            name, place = COLUMNS[value]
            return np.asarray(atoms.read(name)[:, place])
        masses = system.masses_of()
        if value == "density/number":
            return np.ones(atoms.n)
        if value != "temp":
            return np.asarray(masses)
        heat = temperature(system, self.bias, self.user) if self.bias else None
        if heat is not None:
            heat.now("scalar")
            heat.take_bias()
        found = masses * (atoms.read("v") ** 2).sum(axis=1)
        if heat is not None:
            heat.give_bias()
        return np.asarray(found)

    def _per_atom(self, values: np.ndarray, count: np.ndarray, samples: int) -> np.ndarray:
        """Sums over atoms of so many samples as means; densities are sums until their volume is known."""
        units, found = self.system.units, values.copy()
        some = np.maximum(count, 1.0)
        for k, name in enumerate(self.names):
            if name == "temp":
                freedom = samples * self.cdof + self.adof * some
                found[:, k] *= units.mvv2e / (np.where(freedom > 0, freedom, 1.0) * units.boltz)
            elif not name.startswith("density"):
                found[:, k] /= some
        return found

    def _densities(self, values: np.ndarray, volumes: np.ndarray | float) -> np.ndarray:
        """Sums over atoms divided by volumes, where these are densities."""
        factors = {"density/number": 1.0, "density/mass": self.system.units.mv2d}
        for k, name in enumerate(self.names):
            if name in factors:
                values[:, k] *= factors[name] / volumes
        return values
