"""What the words of a formula mean: the Scope that script/expression.py asks.

    constants            PI version yes on true no off false
    thermo keywords      step temp press lx ...                                      (equal-style formulas)
    per-atom words       id type mass x y z vx vy vz fx fy fz q                      (atom-style formulas, or x[i])
    v_name c_ID f_ID     variables, computes, fixes
    group functions      script/groupfunctions.py
    gmask(g) rmask(R) grmask(g,R)    1 or 0 for each atom: in a group, a region, both   (atom-style formulas)
    sum min max ave trap slope sort rsort    of vectors: script/vectorfunctions.py
    next(NAME)           the present value of a file or atomfile variable, which moves on
    py_NAME(a,b,...)     what the function of a python-style variable returns for these numbers
    is_file(name) is_defined(category,name) is_timeout() ... extract_setting(word)     script/queries.py
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.computes.words.peratom import COLUMNS
from everlet.errors import InputError, one_of, unknown
from everlet.io.keywords import keywords
from everlet.script import groupfunctions, queries, vectorfunctions
from everlet.script.functions import MATH, SCHEDULES
from everlet.state.atom_styles import known_words, need_field
from everlet.state.custom import column_of, custom
from everlet.state.random import Marsaglia

CONSTANTS = {"PI": math.pi, "version": 20250722.0, "yes": 1.0, "on": 1.0, "true": 1.0, "no": 0.0, "off": 0.0,
             "false": 0.0}  # version: the release of the reference whose script language this is
PER_ATOM = ("id", "type", "mass", *COLUMNS, *known_words())
MASKS = ("gmask", "rmask", "grmask")


class Scope:
    """The meaning of words for one evaluation. `form` is the style of the formula: equal, atom (words like x are arrays) or
    vector."""

    def __init__(self, sim: Any, variables: Any, form: str = "equal"):
        self.sim, self.variables, self.form = sim, variables, form
        self.per_atom = form == "atom"

    # words

    def word(self, name: str) -> Any:
        if name in CONSTANTS:
            return CONSTANTS[name]
        if self.per_atom and (name in PER_ATOM or custom(name)):
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
            return system.masses_of(system.whole)
        if name in COLUMNS:
            field, place = COLUMNS[name]
            if field == "f":
                system.fresh.need()
            return system.whole.read(field)[:, place]
        named = custom(name)
        if named is not None:
            column_of(system, *named, "a formula")
            return system.whole.read(name).astype(float)
        if name in known_words():
            word, name = name, known_words()[name].name
            need_field(system.atoms, name, f"the word {word} of a formula")
        return system.whole.read(name).astype(float)

    def element(self, name: str, index: int) -> Any:
        """Of the atom of this ID; of d2_NAME and i2_NAME this column of all atoms."""
        if self.per_atom and custom(name) and "2" in name.partition("_")[0]:
            column = column_of(self.sim.system, name, index, "a formula")
            return self.sim.system.whole.read(name)[:, column].astype(float)
        if name not in PER_ATOM and not custom(name):
            raise unknown("per-atom word", name, PER_ATOM)
        return float(self.column(name)[self.row(index)])

    def row(self, atom: int) -> int:
        """The row of the atom with this ID."""
        ids = self.sim.system.whole.read("id")
        if atom <= len(ids) and ids[atom - 1] == atom:  # most often atoms are in order
            return atom - 1
        rows = np.nonzero(ids == atom)[0]
        if len(rows) == 0:
            raise InputError(f"there is no atom with ID {atom}", "use the ID of an atom that exists")
        return int(rows[0])

    # references

    def reference(self, kind: str, name: str, indices: tuple[int, ...]) -> Any:
        if kind == "v":
            return self.variable(name, indices)
        system = self.sim.system
        known, what = (system.computes, "compute") if kind == "c" else (system.fixes, "fix")
        one_of(what, name, known)
        item = known[name]
        item.up_to_date()
        word = f"{kind}_{name}" + "".join(f"[{i}]" for i in indices)
        if self.form == "vector" and len(indices) == 0 and item.gives.vector:
            return np.asarray(item.vector(), float)
        if self.form == "vector" and len(indices) == 1 and item.gives.array and not item.gives.vector:
            return np.asarray(self.pick(np.asarray(item.array(), float).T, indices[0], word))
        if self.per_atom and item.gives.columns is not None and len(indices) == (item.gives.columns > 0):
            return self.from_peratom(self._peratom(item), indices, word)
        if not indices and item.gives.scalar:
            return float(item.scalar())
        if len(indices) == 1 and item.gives.vector:
            return float(self.pick(item.vector(), indices[0], word))
        if len(indices) == 2 and item.gives.array:
            return float(self.pick(self.pick(item.array(), indices[0], word), indices[1], word))
        if item.gives.columns is not None:
            return self.from_peratom(self._peratom(item), indices, word)
        raise InputError(f"'{word}' does not exist", item.gives.hint(f"{kind}_{name}"))

    def _peratom(self, item: Any) -> np.ndarray:
        """Of all atoms, as words like x are."""
        return np.concatenate(self.sim.system.ranks.all_of(np.asarray(item.peratom())))

    def from_peratom(self, values: np.ndarray, indices: tuple[int, ...], word: str) -> Any:
        """A column in an atom-style formula, or one atom's value."""
        if self.per_atom and len(indices) == values.ndim - 1:
            return values if values.ndim == 1 else self.pick(values.T, indices[0], word)
        if len(indices) == values.ndim:
            row = values[self.row(indices[0])]
            return float(row) if values.ndim == 1 else float(self.pick(row, indices[1], word))
        source, column, short = word.partition("[")[0], "[j]" if values.ndim == 2 else "", values.ndim - len(indices)
        whose = f", j from 1 to {values.shape[1]}" if column else ""
        cause = {1: "has one value per atom and cannot stand here", 2: f"has {values.shape[-1]} values per atom"}
        raise InputError(f"'{word}' {cause.get(short, 'has too many indices')}",
                         f"use {source}{column} in an atom-style variable, {source}[I]{column} for the atom with ID I{whose}; "
                         f"a sum over atoms is a number: compute NAME all reduce sum {source}{column}, and c_NAME")

    @staticmethod
    def pick(values: Any, index: int, word: str) -> Any:
        if index > len(values):
            raise InputError(f"'{word}' is out of range: there are {len(values)} values", "use a smaller index")
        return values[index - 1]

    def variable(self, name: str, indices: tuple[int, ...]) -> Any:
        """A variable's value. Equal-style ones pass through their text of 15 digits, as in the reference."""
        style, given = self.variables.style(name), self.variables.given
        if style == "equal" and not indices and not given:
            return self.variables.rounded(name)
        if name in given:
            return given[name]
        if given and style == "equal" and not indices:
            return self.variables.for_many(name, given)
        if style == "vector":
            return self.vector(name, indices)
        if style not in ("atom", "atomfile"):
            if indices:
                raise InputError(f"variable '{name}' is of style {style} and takes no index", "leave out the index")
            return self.variables.rounded(name)
        if self.per_atom and not indices:
            return self.variables.peratom(name)
        if len(indices) != 1:
            raise InputError(f"variable '{name}' has one value per atom", f"use v_{name}[I] for the atom with ID I")
        return float(self.variables.peratom(name)[self.row(indices[0])])

    def vector(self, name: str, indices: tuple[int, ...]) -> Any:
        """A vector in a vector-style formula, or one of its numbers."""
        if len(indices) == 1:
            return float(self.pick(self.variables.vector(name), indices[0], f"v_{name}[{indices[0]}]"))
        if indices or self.form != "vector":
            raise InputError(f"variable '{name}' is a vector and cannot stand here",
                             f"use v_{name}[1], a function such as sum(v_{name}), or a vector-style variable")
        return self.variables.vector(name)

    # functions

    def function(self, name: str, args: list[str]) -> Any:
        if name in groupfunctions.functions:
            return groupfunctions.call(self.sim.system, name, args)
        if name in vectorfunctions.functions:
            return vectorfunctions.call(self, name, args)
        if name in queries.queries:
            return queries.queries[name](self.sim, args)
        if name in MASKS:
            return self.mask(name, args)
        if name == "next":
            return self.next(args)
        known = [*MATH, *groupfunctions.functions, *vectorfunctions.functions, *queries.queries, *MASKS, "next"]
        raise unknown("function", name, known)

    def mask(self, name: str, args: list[str]) -> np.ndarray:
        """1 for atoms of a group, of a region, of both."""
        usage = {"gmask": "gmask(group)", "rmask": "rmask(region)", "grmask": "grmask(group,region)"}[name]
        if len(args) != (2 if name == "grmask" else 1):
            raise InputError(f"{name}() has the wrong number of arguments", f"usage: {usage}")
        if not self.per_atom:
            raise InputError(f"{name}() has one value per atom and cannot stand in a formula of style {self.form}",
                             "use it in an atom-style variable")
        system = self.sim.system
        system.need_box()
        chosen = np.ones(system.natoms, bool)
        if name != "rmask":
            chosen &= system.groups.member(args[0], system.whole.read("mask"))
        if name != "gmask":
            one_of("region", args[-1], system.regions)
            chosen &= system.regions[args[-1]].inside(system.whole.read("x"))
        return chosen.astype(float)

    def next(self, args: list[str]) -> Any:
        """The present value of a variable that goes on to the next one; after the last one it is gone."""
        if len(args) != 1:
            raise InputError("next() takes the name of a variable", "usage: next(NAME)")
        style = self.variables.style(args[0])
        if style not in ("file", "atomfile") or style == "atomfile" and not self.per_atom:
            raise InputError(f"next({args[0]}): the variable is of style {style}",
                             "use a variable of style file, or atomfile in an atom-style variable")
        value = self.variables.evaluate(args[0]) if style == "file" else self.variables.peratom(args[0])
        self.variables.next([args[0]])
        return value

    def python(self, name: str, numbers: list[Any]) -> Any:
        """py_NAME(a, b, ...): numbers for the inputs iv_... of the function of a python-style variable."""
        function = self.variables.python(name)
        if any(isinstance(number, np.ndarray) for number in numbers):
            rows = np.broadcast_arrays(*numbers)
            return np.array([function.number(list(row)) for row in zip(*rows, strict=True)])
        return function.number(numbers)

    def timed(self, name: str, args: list[Any]) -> Any:
        """Functions that depend on the step, the run or a random stream."""
        if name in ("random", "normal"):
            return self.drawn(name, args)
        system = self.sim.system
        system.need_box()
        several = any(isinstance(arg, np.ndarray) for arg in args)
        if name in SCHEDULES:
            if several:
                raise InputError(f"{name}() takes numbers, not values per atom", "use it in an equal-style variable")
            return float(SCHEDULES[name](system.step, *(int(arg) for arg in args)))
        passed = system.step - system.run_start
        if name == "ramp":
            length = system.run_stop - system.run_start
            return args[0] + (passed / length if length > 0 else 0.0) * (args[1] - args[0])
        if name == "vdisplace":
            return args[0] + args[1] * passed * system.dt
        if np.any(np.asarray(args[2]) == 0.0):
            raise InputError(f"the period of {name}() cannot be zero", "give a period above zero")
        angle = 2.0 * math.pi / args[2] * (passed * system.dt)
        sine, cosine = (np.sin, np.cos) if several else (math.sin, math.cos)
        return args[0] + args[1] * (sine(angle) if name == "swiggle" else 1.0 - cosine(angle))

    def drawn(self, name: str, args: list[Any]) -> Any:
        """random(lo,hi,seed) and normal(mean,sigma,seed): the first seed counts, later ones continue the stream."""
        low, high, seed = args
        key = "atom" if self.per_atom else "equal"
        plain = type(low) is float and type(high) is float
        if name == "random" and (low > high if plain else np.any(np.asarray(low) > high)):
            raise InputError("random(lo,hi,seed) needs lo < hi", "change the limits")
        if name == "normal" and (high < 0.0 if plain else np.any(np.asarray(high) < 0.0)):
            raise InputError("normal(mean,sigma,seed) needs a positive sigma", "give a sigma above zero")
        if isinstance(seed, np.ndarray):
            raise InputError("a seed must be one number", "give a whole number above zero")
        if key not in self.variables.streams:
            self.variables.streams[key] = Marsaglia(int(seed))
        stream = self.variables.streams[key]
        draw = stream.uniform if name == "random" else stream.gaussian
        unit: Any = np.array([draw() for _ in range(self.sim.system.natoms)]) if self.per_atom else draw()
        return low + unit * (high - low) if name == "random" else low + unit * high
