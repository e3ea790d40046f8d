"""pace with extrapolation grades: how far the surroundings of an atom are outside of those that a potential was fitted to.

    gamma = max |B A^-1|        B functions of the atom, A those of an active set, chosen among atoms of the fit so that no
                                other of these has a grade beyond 1

    pair_style pace/extrapolation [chunksize N]     pair_coeff * * FILE.yaml FILE.asi El1 El2 …
    fix ID all pair N pace/extrapolation gamma 1    grades of atoms, computed at these steps alone

FILE.asi is an archive of NumPy with the inverse of A of each element. Lysogorskiy et al., Phys. Rev. Mater. 7, 043801 (2023).
"""

from __future__ import annotations

import zipfile
from typing import ClassVar

import numpy as np

from everlet.errors import InputError
from everlet.forces.manybody.ace import grade_loops, product_loops
from everlet.forces.manybody.ace.build import expansion, projections
from everlet.forces.manybody.ace.pace import Pace, PaceInTeams, PaceParameters, PaceScheme
from everlet.forces.manybody.scattered import Chunk
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.schemes.base import Scheme
from everlet.forces.potential_file import find
from everlet.portable import Kernel, Space, View, parallel_for
from everlet.registry import Registry
from everlet.state.ledger import Tally

graded_scheme: Registry[type[Scheme]] = Registry("scheme of pace/extrapolation")


@graded_scheme("full")
class GradedScheme(PaceScheme):
    parameters: GradedParameters

    @classmethod
    def on(cls, space: Space) -> type[Scheme]:
        return GradedInTeams if space.many_threads else cls

    @property
    def _projected(self) -> dict[str, int]:
        of = self.parameters.projections
        return {**of.statics, "OUTPUTS": of.outputs}

    @property
    def _project(self) -> Kernel:
        names = "T SPECIES NUMBERS DIRECT SIZE LISTED DENSITIES WIDTH OUTPUTS SECTIONS PARTS"
        return self._kernel(product_loops.evaluate, names, **self._projected)

    @property
    def _grade(self) -> Kernel:
        return self._kernel(grade_loops.grade, "T LISTED OUTPUTS COLUMNS PARTS", **self._projected,
                            COLUMNS=self.parameters.columns)

    @property
    def _worst(self) -> Kernel:
        return self._kernel(grade_loops.worst_of, "T LISTED PARTS", width=0)

    @property
    def more_tables(self) -> dict[str, int]:
        return {**super().more_tables, "projections": self.parameters.projections.outputs, "grades": self.parts}

    def bend(self, chunk: Chunk, tally: Tally | None) -> None:
        super().bend(chunk, tally)
        if "gamma" not in self.wants:
            return
        space, own, par = self.system.space, self.tables, self.parameters
        keys = ("forward_ranges", "forward_groups", "forward_factors", "forward_entries", "forward_coefficients", "direct")
        items = chunk.blocks * self.parts
        parallel_for(space, items, self._project, chunk.blocks, chunk.begin, self.tiles, *(par.projecting[key] for key in keys),
                     own["total"], own["projections"])
        parallel_for(space, items, self._grade, chunk.blocks, chunk.begin, self.tiles, par.inverse, own["projections"],
                     own["grades"])
        parallel_for(space, chunk.end - chunk.begin, self._worst, chunk.begin, self.system.atoms.n, self.order, own["grades"],
                     self.value_of_atoms("gamma"))


class GradedInTeams(GradedScheme, PaceInTeams):
    """Many threads."""


class GradedParameters(PaceParameters):
    def __init__(self, style: PaceExtrapolation, space: Space, precision: str):
        super().__init__(style, space, precision)
        self.projections, self.columns = style.projections, style.inverse.shape[2]
        self.projecting = self.projections.views(space, slopes=False)
        self.inverse = View(style.inverse.size, np.float64, space)
        self.inverse.put(style.inverse.reshape(-1))


@pair_style("pace/extrapolation")
class PaceExtrapolation(Pace):
    schemes: ClassVar[Registry[type[Scheme]]] = graded_scheme
    of_kernels = GradedParameters
    scheme = GradedScheme
    files = ("FILE.yaml", "FILE.asi")
    atom_values = ("gamma", "corerep")

    def take(self, args: list[str]) -> None:
        of = self.potential
        if not of.basis:
            raise InputError(f"{args[2]} has sums of functions, and grades need the functions",
                             "give the .yaml that it was made of")
        self.expansion = expansion(of, self.used, basis=True)
        self.projections = projections(of, self.used, self.expansion)
        size = self.projections.outputs
        self.inverse = np.zeros((len(self.used), size, -(-size // 4) * 4))
        for k, (name, mine) in enumerate(read_inverses(args[3], [of.elements[s] for s in self.used]).items()):
            count = len(of.basis[self.used[k]])
            if mine.shape != (count, count):
                raise InputError(f"{args[3]}: the set of {name} has {mine.shape[0]} x {mine.shape[1]} numbers, and {args[2]} "
                                 f"has {count} functions of it", "sets of linear grades can be used, made for this potential")
            self.inverse[k, :count, :count] = mine


def read_inverses(name: str, elements: list[str]) -> dict[str, np.ndarray]:
    """Of each element, from an archive of NumPy; nothing in it is run."""
    path = find(name, "active set")
    try:
        with np.load(path, allow_pickle=False) as given:
            found = {element: np.array(given[element], float) for element in elements if element in given}
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise InputError(f"the active set {path} cannot be read: {error}", "it should be an archive of NumPy (.asi)") from None
    for element in elements:
        if element not in found or found[element].ndim != 2 or not np.isfinite(found[element]).all():
            raise InputError(f"the active set {path} has no matrix of {element}", "was it made for this potential?")
    return found
