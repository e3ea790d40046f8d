"""One number out of the values of atoms: sums, means and extremes over a group, or over its atoms in a region.

    compute ID group reduce MODE INPUT … [replace K L] … [inputs peratom|local]
    compute ID group reduce/region REGION MODE INPUT … [the same]

    MODE          sum ave min max of values, sumsq avesq of squares, sumabs aveabs minabs maxabs of magnitudes
    INPUT         x y z vx vy vz fx fy fz c_ID c_ID[i] c_ID[*] f_ID f_ID[i] f_ID[*] v_NAME (computes/words/peratom.py),
                  or c_ID c_ID[i] c_ID[*] of local values such as those of bond/local; of a compute that has both kinds
                  those of atoms are meant, unless `inputs local` is said
    replace K L   min and max: in place of the extreme of input K its value at the atom that has the extreme of input L

One input gives a scalar, several give a vector. Without atoms a sum or mean is 0, a least number 1e20, a largest one -1e20
(maxabs: 0). Of several atoms with the same extreme, `replace` takes the one with the lowest ID, on any number of ranks.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.words.local import LocalWord, local_spelled_out, local_word
from everlet.computes.words.peratom import COLUMNS, Reference, reference, spelled_out
from everlet.errors import InputError, arguments, integer, one_of, unknown
from everlet.state.operation import EXTENSIVE, INTENSIVE, Gives
from everlet.state.system import System

HUGE = 1e20  # the extreme of no atoms


@dataclass(frozen=True)
class Mode:
    of: Callable[[np.ndarray], np.ndarray]  # what is taken of each value
    over: np.ufunc  # how two become one
    start: float
    empty: float  # the result without atoms
    mean: bool = False


def _total(of: Callable[[np.ndarray], np.ndarray], mean: bool = False) -> Mode:
    return Mode(of, np.add, 0.0, 0.0, mean)


MODES = {
    "sum": _total(np.positive), "ave": _total(np.positive, mean=True),
    "sumsq": _total(np.square), "avesq": _total(np.square, mean=True),
    "sumabs": _total(np.abs), "aveabs": _total(np.abs, mean=True),
    "min": Mode(np.positive, np.minimum, np.inf, HUGE), "max": Mode(np.positive, np.maximum, -np.inf, -HUGE),
    "minabs": Mode(np.abs, np.minimum, np.inf, HUGE), "maxabs": Mode(np.abs, np.maximum, 0.0, 0.0),
}  # fmt: skip
KEYWORDS = ("replace", "inputs")


@compute_style("reduce")
class Reduce(Compute):
    style, usage = "reduce", "compute ID group reduce MODE INPUT … [replace K L] [inputs peratom|local]"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, self.usage)
        asked = [value for key, value in itertools.pairwise(args) if key == "inputs"]
        self.kind = asked[-1] if asked else ""  # peratom, local or not said
        words = args[1:] if self.kind == "peratom" else local_spelled_out(system, args[1:])
        name, words = args[0], spelled_out(system, words)
        one_of(f"mode of compute {self.style}", name, MODES)
        self.mode = MODES[name]
        self.inputs: list[str | Reference | LocalWord] = []
        while words and words[0] not in KEYWORDS:
            self.inputs.append(self._input(words.pop(0)))
        if not self.inputs:
            raise InputError(f"compute {self.style} {name} has no input", f"usage: {self.usage}")
        self.of_rows = isinstance(self.inputs[0], LocalWord)  # of local values
        if any(isinstance(item, LocalWord) != self.of_rows for item in self.inputs):
            raise InputError(f"compute {self.style}: some inputs are local values, some are not", "use two computes")
        grows = EXTENSIVE if self.mode.over is np.add and not self.mode.mean else INTENSIVE
        several = len(self.inputs) > 1
        self.gives = Gives(vector=grows, length=len(self.inputs)) if several else Gives(scalar=grows)
        self.replaced: dict[int, int] = {}  # the input whose extreme is not wanted, the one that chooses the atom
        while words:
            self._keyword(words.pop(0), words, name)

    # ---- arguments
    def _input(self, word: str) -> str | Reference | LocalWord:
        if word in COLUMNS:
            return word
        rows = local_word(self.system, word) if self.kind != "peratom" else None
        if rows is not None and (self.kind == "local" or self.system.computes[rows.name].gives.columns is None):
            return rows
        found = reference(self.system, word, f"compute {self.id}")
        if found is None:
            raise unknown(f"input or keyword of compute {self.style}", word, [*COLUMNS, *KEYWORDS],
                          f"use {' '.join(COLUMNS)} c_ID f_ID v_NAME; for other values: variable NAME atom FORMULA")
        if found.kind == "v":
            style = self.system.variables.style(found.name)
            if style not in ("atom", "atomfile"):
                raise InputError(f"variable '{found.name}' of style {style} has no values per atom",
                                 "use an atom-style variable")
        return found

    def _keyword(self, key: str, words: list[str], mode: str) -> None:
        one_of(f"keyword of compute {self.style}", key, KEYWORDS, "give all inputs first, then replace and inputs")
        count = 2 if key == "replace" else 1
        if len(words) < count:
            raise InputError(f"compute {self.style}: {key} needs {count} more word{'s' * (count - 1)}", f"usage: {self.usage}")
        values = [words.pop(0) for _ in range(count)]
        if key == "replace":
            one, other = (integer(word, "the number of an input") - 1 for word in values)
            self._replace(one, other, mode)
        elif values[0] not in ("peratom", "local"):
            raise unknown("kind of inputs", values[0], ("peratom", "local"))
        elif (values[0] == "local") != self.of_rows:
            raise InputError(f"compute {self.style}: inputs {values[0]}, and the inputs are "
                             f"{'local' if self.of_rows else 'per atom'}", "name others, or leave it out")

    def _replace(self, one: int, other: int, mode: str) -> None:
        text, count = f"compute {self.style}: replace {one + 1} {other + 1}", len(self.inputs)
        if self.of_rows:
            raise InputError(f"{text} is not available for local values", "leave it out")
        if mode not in ("min", "max"):
            raise InputError(f"{text} with mode {mode}", "it is for min and max")
        if not (0 <= one < count and 0 <= other < count):
            raise InputError(f"{text}, and there are {count} inputs", f"use two numbers of 1 to {count}")
        if one == other or one in self.replaced or other in self.replaced or one in self.replaced.values():
            raise InputError(f"{text}: an input cannot be replaced twice, by itself, or by one that is replaced",
                             "replace each once, by an input that keeps its extreme")
        self.replaced[one] = other

    def needs(self, step: int) -> tuple[str, ...]:
        """What its inputs need."""
        return tuple(need for item in self.inputs if not isinstance(item, str) for need in item.needs(self.system, step))

    # ---- values
    def scalar(self) -> float:
        if len(self.inputs) > 1:
            raise InputError(f"compute {self.id} gives {len(self.inputs)} values, one for each input",
                             f"use an index: c_{self.id}[1]")
        return float(self._found()[0])

    def vector(self) -> np.ndarray:
        if len(self.inputs) == 1:
            raise InputError(f"compute {self.id} gives one value and no vector", f"use c_{self.id} without an index")
        return self._found()

    def chosen(self) -> np.ndarray:
        """True for this rank's atoms that count."""
        return (self.system.atoms.read("mask") & self.bit) != 0

    def _found(self) -> np.ndarray:
        mode, parts, columns = self.mode, self.system.ranks, self._columns()
        rows = np.flatnonzero(self.chosen())
        values = columns if self.of_rows else [column[rows] for column in columns]
        mine = [mode.over.reduce(mode.of(column), initial=mode.start) for column in values]
        counts = np.array([len(column) for column in values])
        shares = parts.all_of((counts, np.array(mine)))  # in the order of ranks: the same bits every time
        counts = np.sum([share[0] for share in shares], axis=0)
        found = mode.over.reduce([share[1] for share in shares], axis=0)
        if mode.mean:
            found /= np.maximum(counts, 1)
        found = np.where(counts > 0, found, mode.empty)
        ids = self.system.atoms.read("id")[rows] if self.replaced else rows
        for one, other in self.replaced.items() if counts.all() else ():
            there = np.flatnonzero(values[other] == found[other])
            first = there[np.argmin(ids[there])] if len(there) else -1
            atoms = parts.all_of((ids[first], values[one][first]) if len(there) else None)
            found[one] = min((atom for atom in atoms if atom), default=(0, np.nan))[1]  # a NaN is equal to no value
        return found

    def _columns(self) -> list[np.ndarray]:
        """Values of this rank's atoms for each input. A compute that several inputs name is asked once."""
        system, asked = self.system, {}
        found = []
        for item in self.inputs:
            if isinstance(item, str):
                field, place = COLUMNS[item]
                found.append(system.atoms.read(field)[:, place])
                continue
            if item.source not in asked:
                asked[item.source] = item.all_columns(system)
            found.append(item.column(asked[item.source]))
        return found


@compute_style("reduce/region")
class ReduceRegion(Reduce):
    style, usage = "reduce/region", "compute ID group reduce/region REGION MODE INPUT … [replace K L] [inputs peratom|local]"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        arguments(args, 3, None, self.usage)
        self.region = args[0]
        one_of("region", self.region, system.regions)
        super().__init__(system, id, group, args[1:])

    def chosen(self) -> np.ndarray:
        if self.region not in self.system.regions:
            raise InputError(f"region {self.region} was removed while compute {self.id} uses it", f"uncompute {self.id} first")
        return super().chosen() & self.system.regions[self.region].inside(self.system.atoms.read("x"))
