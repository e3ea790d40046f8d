"""Calculators of ASE as models: EMT, tight binding, programs of quantum chemistry, any package that offers one.

    pair_style ase FILE.py:NAME|MODULE:NAME [key value …]      pair_coeff * * El1 El2 …

NAME is a calculator, a class of them, or a function that gives one; keys and values are for the latter two. MODULE is an
installed one, such as ase.calculators.emt; script files may name one only where all code is allowed. Calculators find
neighbours by themselves, among all atoms of one rank, and work on the host in eV and Å: units metal.
"""

from __future__ import annotations

import importlib
import inspect
import os
from typing import Any

import numpy as np

from everlet.errors import InputError, RunError, arguments
from everlet.forces.models.edges import Edges
from everlet.forces.models.libraries import library
from everlet.forces.models.ml import MLStyle
from everlet.forces.models.model import file_of, find, make, pairs
from everlet.forces.pair.base import pair_style
from everlet.state.elements import SYMBOLS
from everlet.usercode import LOADED, missing

USAGE = "pair_style ase FILE.py:NAME|MODULE:NAME [key value …]"


class Calculator:
    """A calculator as a model. It sees atoms in the order of their ids, so that it can go on from what it has kept; those whose
    type has no element (NULL) it does not see."""

    units, edges, cutoff, species = "metal", False, 1.0, ["NULL", *SYMBOLS[1:]]

    def __init__(self, calculator: Any, place: str):
        self.calculator, self.place = calculator, place
        self.atoms: Any = None
        self.stress, self.notes = True, list[str]()

    def forces(self, b: Edges) -> Any:
        h = b.numpy()
        order = np.argsort(h.ids, kind="stable")
        order = order[h.species[order] > 0]
        numbers, x = h.species[order], h.x[order]
        if self.atoms is None or not np.array_equal(self.atoms.numbers, numbers):
            self.atoms = library("ase").Atoms(numbers=numbers, positions=x, cell=b.cell, pbc=b.pbc)
            self.atoms.calc = self.calculator
        else:
            self.atoms.positions[:] = x
            self.atoms.set_cell(b.cell)
        forces = np.zeros((b.n, 3))
        try:
            forces[order] = self.atoms.get_forces()
            return {"energy": self._energy(), "forces": forces, "virial": self._virial()}
        except Exception as error:
            raise RunError(f"calculator {self.place} failed at step {b.step}: {type(error).__name__}: {error}",
                           "look at the calculator, and at the elements that pair_coeff names") from error

    def _energy(self) -> float:
        """The energy whose slopes forces are."""
        return float(self.atoms.get_potential_energy(force_consistent="free_energy" in self.calculator.implemented_properties))

    def _virial(self) -> np.ndarray:
        """0 where the calculator has no stress, as many have none of boxes that are not periodic."""
        try:
            if self.stress:
                return -self.atoms.get_volume() * self.atoms.get_stress(voigt=False)
        except library("ase.calculators.calculator").PropertyNotImplementedError:
            self.stress = False
            self.notes.append(f"WARNING: calculator {self.place} has no stress: pressures are without its part, and what "
                              "changes the box by them is wrong")
        return np.zeros((3, 3))


def module_of(place: str) -> str:
    """The module of MODULE:NAME; empty if a file is named."""
    name = place.rpartition(":")[0]
    return name if name and not name.endswith(".py") and all(part.isidentifier() for part in name.split(".")) else ""


def found_in(module: str, name: str, what: str) -> Any:
    """What an installed module has under a name."""
    try:
        kind = getattr(importlib.import_module(module), name, None)
    except ModuleNotFoundError as error:
        raise missing(what, error) from error
    except Exception as error:
        raise InputError(f"{what}: {module} cannot be imported: {type(error).__name__}: {error}",
                         "look at that module") from error
    if kind is None:
        raise InputError(f"{what}: module {module} has no '{name}'", USAGE)
    return kind


def load(place: str, words: list[str]) -> Calculator:
    """The calculator that a file or a module names."""
    what = f"calculator {place}"
    base = library("ase.calculators.abc", f"pair_style ase {place}").GetPropertiesMixin
    module, given = module_of(place), pairs(words, "pair_style ase", USAGE)
    kind = found_in(module, place.rpartition(":")[2], what) if module else find(place, "file of calculators", USAGE)
    if isinstance(kind, base):
        if given:
            raise InputError(f"{what} is made already: '{words[0]}' cannot be given to it", "name its class, or a function")
        return Calculator(kind, place)
    home = module or LOADED[os.path.abspath(place.rpartition(":")[0])].__name__
    ours = inspect.isfunction(kind) and kind.__module__ == home
    if not (ours or inspect.isclass(kind) and issubclass(kind, base)):  # scripts may name whatever the file has imported
        place = "module" if module else "file"
        raise InputError(f"{what} is neither a calculator of ASE nor a function of this {place}", USAGE)
    made = make(kind, given, what)
    if not isinstance(made, base):
        raise InputError(f"{what} gives {type(made).__name__}, which is no calculator of ASE", USAGE)
    return Calculator(made, place)


@pair_style("ase")
class ASEStyle(MLStyle):
    def member(self, words: list[str]) -> Any:
        arguments(words, 1, None, USAGE)
        self.system.check_code(f"pair_style ase {words[0]}", *([] if module_of(words[0]) else [file_of(words[0], USAGE)]))
        return load(words[0], words[1:])
