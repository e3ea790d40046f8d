"""Everything that a fit of a model for pair style mliap needs from one configuration, as a table.

    compute ID all mliap model linear|quadratic descriptor KIND FILE [gradgradflag 0|1]

KIND and FILE are as in pair_style mliap; types are the elements of the file, in its order. Rows and columns:
described.py, with a constant for each element. `model quadratic`: half the square of each component and the
products of each two follow the components. gradgradflag is one of two ways to the same numbers elsewhere, and
changes nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.descriptors.described import FitTable
from everlet.errors import InputError, arguments, one_of, unknown
from everlet.forces.descriptors.base import Batch, descriptor
from everlet.forces.descriptors.products import products_too, width

USAGE = "compute ID all mliap model linear|quadratic descriptor KIND FILE [gradgradflag 0|1]"
WORDS = {"model": 1, "descriptor": 2, "gradgradflag": 1}
MODELS = ("linear", "quadratic")


@compute_style("mliap")
class MliapTable(FitTable):
    constant = True

    def read(self, words: list[str]) -> None:
        found, system, group = self._words(words), self.system, self.group
        if found["model"] not in ([name] for name in MODELS):
            raise unknown("model of compute mliap", found["model"][0], MODELS)
        if found.get("gradgradflag", ["0"]) not in (["0"], ["1"]):
            raise InputError(f"gradgradflag is {found['gradgradflag'][0]}, and must be 0 or 1", USAGE)
        if group != "all":
            raise InputError(f"compute mliap is for all atoms, not for group {group}", "use group all")
        kind, file = found["descriptor"]
        self.quadratic = found["model"] == ["quadratic"]
        self.descriptor = descriptor[kind](file, system.space)
        if self.descriptor.quadratic:
            raise InputError(f"{file} has quadraticflag 1, and the model says that itself",
                             "leave it out, and give model quadratic")
        if len(self.descriptor.elements) != system.ntypes:
            raise InputError(f"{file} has {len(self.descriptor.elements)} elements ({' '.join(self.descriptor.elements)}), and "
                             f"there are {system.ntypes} atom types", "types are its elements, in this order")

    @staticmethod
    def _words(args: list[str]) -> dict[str, list[str]]:
        arguments(args, 5, None, USAGE)
        found: dict[str, list[str]] = {}
        while args:
            key = args.pop(0)
            one_of("keyword of compute mliap", key, WORDS)
            if len(args) < WORDS[key] or key in found:
                raise InputError(f"compute mliap: {key} is {'given twice' if key in found else 'not complete'}", USAGE)
            found[key], args = args[: WORDS[key]], args[WORDS[key] :]
        for key in ("model", "descriptor"):
            if key not in found:
                raise InputError(f"compute mliap has no {key}", USAGE)
        return found

    @property
    def width(self) -> int:
        return width(self.descriptor.components, self.quadratic)

    def batches(self, x: np.ndarray, kind: np.ndarray, rows: np.ndarray) -> Iterator[Batch]:
        for batch in self.descriptor.batches(self.system, x, kind, rows, self.slopes):
            yield products_too(batch, self.slopes) if self.quadratic else batch
