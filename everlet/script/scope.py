"""What the words of a formula mean: the Scope that script/expression.py asks.

    constants            PI version yes on true no off false
    thermo keywords      step temp press lx ...                                      (equal-style formulas)
    per-atom words       id type mass x y z vx vy vz fx fy fz q                      (atom-style formulas, or x[i])
    v_name c_ID f_ID     variables, computes, fixes
    group functions      script/groupfunctions.py
    is_file(name) is_defined(category,name) is_timeout()                             1 or 0
"""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np

from everlet.computes.peratom import COLUMNS
from everlet.errors import InputError, unknown
from everlet.io.keywords import keywords
from everlet.script import groupfunctions
from everlet.script.functions import MATH, SCHEDULES
from everlet.state.atom_styles import known_words, need_field
from everlet.state.random import Marsaglia

CONSTANTS = {"PI": math.pi, "version": 20250722.0, "yes": 1.0, "on": 1.0, "true": 1.0, "no": 0.0, "off": 0.0,
             "false": 0.0}  # version: the release of the reference whose script language this is
PER_ATOM = ("id", "type", "mass", *COLUMNS, *known_words())
TESTS = ("is_file", "is_defined", "is_timeout")
NOT_YET = ("sum", "min", "max", "ave", "trap", "slope", "sort", "rsort", "gmask", "rmask", "grmask", "next",
           "is_os", "extract_setting", "label2type", "is_typelabel", "is_active", "is_available")


class Scope:
    """The meaning of words for one evaluation. `per_atom` is true for atom-style formulas: words like x are arrays."""

    def __init__(self, sim: Any, variables: Any, per_atom: bool = False):
        self.sim, self.variables, self.per_atom = sim, variables, per_atom

    # words

    def word(self, name: str) -> Any:
        if name in CONSTANTS:
            return CONSTANTS[name]
        if self.per_atom and name in PER_ATOM:
            return self.column(name)
        if name in keywords:
            return float(self.sim.thermo.value(name))
        if name in PER_ATOM:
            raise InputError(f"'{name}' has one value per atom and cannot stand in an equal-style formula",
                             f"use {name}[I] for the atom with ID I, or an atom-style variable")
        raise unknown("word", name, [*CONSTANTS, *keywords, *PER_ATOM])

    def column(self, name: str) -> np.ndarray:
        """A per-atom quantity of all atoms as floats."""
        system = self.sim.system
        system.need_box()
        if name == "mass":
            return system.masses[system.whole.read("type")]
        if name in COLUMNS:
            field, place = COLUMNS[name]
            return system.whole.read(field)[:, place]
        if name in known_words():
            word, name = name, known_words()[name].name
            need_field(system.atoms, name, f"the word {word} of a formula")
        return system.whole.read(name).astype(float)

    def element(self, name: str, index: int) -> float:
        if name not in PER_ATOM:
            raise unknown("per-atom word", name, PER_ATOM)
        return float(self.column(name)[self.row(index)])

    def row(self, atom: int) -> int:
        """The row of the atom with this ID."""
        rows = np.nonzero(self.sim.system.whole.read("id") == atom)[0]
        if len(rows) == 0:
            raise InputError(f"there is no atom with ID {atom}", "use the ID of an atom that exists")
        return int(rows[0])

    # references

    def reference(self, kind: str, name: str, indices: tuple[int, ...]) -> Any:
        if kind == "v":
            return self.variable(name, indices)
        system = self.sim.system
        known, what = (system.computes, "compute") if kind == "c" else (system.fixes, "fix")
        if name not in known:
            raise unknown(what, name, known)
        item = known[name]
        word = f"{kind}_{name}" + "".join(f"[{i}]" for i in indices)
        if not indices and item.gives.scalar:
            return float(item.scalar())
        if len(indices) == 1 and item.gives.vector:
            return float(self.pick(item.vector(), indices[0], word))
        if len(indices) == 2 and item.gives.array:
            return float(self.pick(self.pick(item.array(), indices[0], word), indices[1], word))
        if item.gives.columns is not None:
            whole = np.concatenate(system.ranks.all_of(np.asarray(item.peratom())))  # words like x are those of all atoms too
            return self.from_peratom(whole, indices, word)
        has = item.gives.forms(f"{kind}_{name}")
        raise InputError(f"'{word}' does not exist: the {what} gives {' and '.join(has) or 'no value'}",
                         "leave out the index, or add one")

    def from_peratom(self, values: np.ndarray, indices: tuple[int, ...], word: str) -> Any:
        """A column in an atom-style formula, or one atom's value."""
        if self.per_atom and len(indices) == values.ndim - 1:
            return values if values.ndim == 1 else self.pick(values.T, indices[0], word)
        if len(indices) == values.ndim:
            row = values[self.row(indices[0])]
            return float(row) if values.ndim == 1 else float(self.pick(row, indices[1], word))
        raise InputError(f"'{word}' has one value per atom and cannot stand here",
                         "add the ID of an atom as first index, or use an atom-style variable")

    @staticmethod
    def pick(values: Any, index: int, word: str) -> Any:
        if index > len(values):
            raise InputError(f"'{word}' is out of range: there are {len(values)} values", "use a smaller index")
        return values[index - 1]

    def variable(self, name: str, indices: tuple[int, ...]) -> Any:
        """A variable's value. Equal-style ones pass through their text of 15 digits, as in the reference."""
        if self.variables.style(name) != "atom":
            if indices:
                raise InputError(f"variable '{name}' is not of atom style and takes no index", "leave out the index")
            return self.variables.rounded(name)
        if self.per_atom and not indices:
            return self.variables.peratom(name)
        if len(indices) != 1:
            raise InputError(f"variable '{name}' has one value per atom", f"use v_{name}[I] for the atom with ID I")
        return float(self.variables.peratom(name)[self.row(indices[0])])

    # functions

    def function(self, name: str, args: list[str]) -> float:
        if name in groupfunctions.functions:
            return groupfunctions.call(self.sim.system, name, args)
        if name == "is_file":
            return float(os.path.isfile(args[0]))
        if name == "is_timeout":
            if any(args):
                raise InputError("is_timeout() takes no argument", "usage: is_timeout()")
            return float(self.sim.stopping.over())
        if name == "is_defined":
            return self.is_defined(args)
        if name in NOT_YET:
            raise InputError(f"LAMMPS function '{name}()' is not available in Everlet yet",
                             "write the formula without it")
        raise unknown("function", f"{name}", [*MATH, *groupfunctions.functions, *TESTS])

    def is_defined(self, args: list[str]) -> float:
        system = self.sim.system
        known = {"compute": system.computes, "dump": system.dumps, "fix": system.fixes, "group": system.groups,
                 "region": system.regions, "variable": self.variables}
        if len(args) != 2 or args[0] not in known:
            raise InputError("is_defined() has wrong arguments", f"usage: is_defined({'|'.join(known)},name)")
        return float(args[1] in known[args[0]])

    def timed(self, name: str, args: list[Any]) -> Any:
        """Functions that depend on the step, the run or a random stream."""
        if name in ("random", "normal"):
            return self.drawn(name, args)
        system = self.sim.system
        system.need_box()
        if any(isinstance(arg, np.ndarray) for arg in args):
            raise InputError(f"{name}() takes numbers, not values per atom", "use it in an equal-style variable")
        if name in SCHEDULES:
            return float(SCHEDULES[name](system.step, *(int(arg) for arg in args)))
        passed = system.step - system.run_start
        if name == "ramp":
            length = system.run_stop - system.run_start
            return args[0] + (passed / length if length > 0 else 0.0) * (args[1] - args[0])
        if name == "vdisplace":
            return args[0] + args[1] * passed * system.dt
        if args[2] == 0.0:
            raise InputError(f"the period of {name}() cannot be zero", "give a period above zero")
        angle = 2.0 * math.pi / args[2] * (passed * system.dt)
        return args[0] + args[1] * (math.sin(angle) if name == "swiggle" else 1.0 - math.cos(angle))

    def drawn(self, name: str, args: list[Any]) -> Any:
        """random(lo,hi,seed) and normal(mean,sigma,seed): the first seed counts, later ones continue the stream."""
        low, high, seed = args
        key = "atom" if self.per_atom else "equal"
        if name == "random" and np.any(np.asarray(low) > high):
            raise InputError("random(lo,hi,seed) needs lo < hi", "change the limits")
        if name == "normal" and np.any(np.asarray(high) < 0.0):
            raise InputError("normal(mean,sigma,seed) needs a positive sigma", "give a sigma above zero")
        if isinstance(seed, np.ndarray):
            raise InputError("a seed must be one number", "give a whole number above zero")
        if key not in self.variables.streams:
            self.variables.streams[key] = Marsaglia(int(seed))
        stream = self.variables.streams[key]
        draw = stream.uniform if name == "random" else stream.gaussian
        unit: Any = np.array([draw() for _ in range(self.sim.system.natoms)]) if self.per_atom else draw()
        return low + unit * (high - low) if name == "random" else low + unit * high
