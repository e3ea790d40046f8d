"""Angular-dependent potential: the embedded-atom method with dipoles and quadrupoles of neighbours.

E = sum_i F(rho_i) + 1/2 sum_ij phi(r_ij) + 1/2 sum_i |mu_i|^2 + 1/2 sum_i |lambda_i|^2 - 1/6 sum_i (tr lambda_i)^2
mu_i = sum_j u(r_ij) d_ij,  lambda_i = sum_j w(r_ij) d_ij d_ij      (Mishin, Mehl and Papaconstantopoulos, Acta Mater. 53, 4029)

    pair_style adp            pair_coeff * * FILE El1 El2 …       one element for each atom type, NULL: none

A file is setfl with tables of u and then of w behind it, for the same pairs in the same order. Loops go over full lists: an
atom's own energy, with half of its pairs, gives its forces, and nothing is sent to ghosts in between.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.manybody.eam import adp_loops
from everlet.forces.manybody.eam.eam import cubics
from everlet.forces.manybody.eam.files import Eam, pick, read_setfl
from everlet.forces.manybody.eam.own_rows import OwnRows, OwnRowsParameters
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.lists import Neighbor
from everlet.portable import View
from everlet.portable.scatter_view import ScatterView
from everlet.registry import Registry
from everlet.state.ledger import Tally
from everlet.state.system import System

adp_scheme: Registry[type[Scheme]] = Registry("scheme of adp")
NUMBERS = 10  # of each atom


@adp_scheme("full")
class AdpScheme(OwnRows):
    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.kept = View(1, np.float64, system.space)

    def launch(self, tally: Tally | None, comm: SerialComm, force: ScatterView, own: Any) -> None:
        n, space = self.system.atoms.n, self.system.space
        if self.kept.shape[0] < NUMBERS * n:
            self.kept = View(NUMBERS * int(1.1 * n + 8), np.float64, space)
        self.rows.fill()
        numbers = (1, self.kept.shape[0] // NUMBERS) if space.many_threads else (NUMBERS, 1)
        self.run(tally, adp_loops.adp_sums, 1, {}, *numbers, self.kept, own)
        self.run(tally, adp_loops.adp_forces, 7, self.giving, *numbers, self.kept, force)


class AdpParameters(OwnRowsParameters):
    worker = AdpScheme


@pair_style("adp")
class Adp(FileStyle):
    schemes: ClassVar[Registry[type[Scheme]]] = adp_scheme
    of_kernels = AdpParameters

    def coeff(self, args: list[str]) -> None:
        names = self.elements(args)
        self.found: Eam = read_setfl(args[2], self.system.units.name, more=("u", "w"))
        pick(self.found, args[3:], args[2])
        self.names, self.lines = names, [args]
        for i, name in names.items():
            if name != "NULL":
                self.system.masses[i] = self.found.masses[name]

    def init(self) -> None:
        self.need_elements()
        self.need_newton()
        n, found = self.system.ntypes, self.found
        used = sorted(set(self.names.values()) - {"NULL"})
        blocks, starts = [np.zeros(16)], dict[Any, int]()

        def put(key: Any, *tables: np.ndarray) -> None:
            starts[key] = sum(block.size for block in blocks)
            blocks.append(np.concatenate([cubics(table) for table in tables], axis=1).ravel())
            blocks.append(np.zeros(-blocks[-1].size % 16))

        for a in used:
            put(a, found.embedding[a])
            for b in used:
                put((a, b), found.density[b, a], found.more["u"][a, b], found.more["w"][a, b], found.product[a, b])
        self.data = np.concatenate(blocks)
        self.fields = ("start", "inverse", "last", "embedding", "inverse_rho", "last_rho", "rho_max")
        self.cutoffs, self.offset = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
        self.table_array = np.zeros((n + 1, n + 1, len(self.fields)))
        for i, a in self.names.items():
            for j, b in self.names.items():
                there, own = (a, b) in starts, (0.0, 1.0, 0.0, 0.0)
                if a in starts:
                    own = starts[a], 1.0 / found.drho, len(found.embedding[a]) - 2, found.rho_max[a]
                self.table_array[i, j] = (starts.get((a, b), 0), 1.0 / found.dr,
                                          len(found.product[a, b]) - 2 if there else 0, *own)
                self.cutoffs[i, j] = found.cut if there else 0.0
        self.max_cutoff, self.pairs = found.cut, {}
