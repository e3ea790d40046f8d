"""AGNI: forces on atoms from fingerprints of their surroundings, without an energy.

F_i^u = b + sum_t a_t exp(-sum_k (V_ik^u - V_tk)^2 / (2 sigma^2)),  u = x, y, z
V_ik^u = sum_j (u_i - u_j) / r_ij g_k(r_ij) [cos(pi r_ij / R_c) + 1] / 2
g_k = exp(-eta_k r^2); in files of generation 2: exp(-(r - eta_k)^2 / (2 w^2)) / (eta_k^2 w sqrt(2 pi))
                                                             (Botu, Batra, Chapman and Ramprasad, J. Phys. Chem. C 121, 511)

    pair_style agni    pair_coeff * * FILE El …     one element; NULL: none

A file has lines of a word and its values: `generation` 1 or 2, `eta` of all k, `gwidth` w, `Rc`, `sigma`, `b`, `n_train`; after
`endVar` a line for each t: [its number] V_t1 V_t2 … force a_t. The energy is 0, and so is the virial, which forces have only if
they come from one.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.errors import InputError
from everlet.forces.manybody.eam.own_rows import OwnRows, OwnRowsParameters
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.manybody.mliap.agni_loops import fingerprint_forces, fingerprints
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.forces.potential_file import PotentialFile
from everlet.neighbor.lists import Neighbor
from everlet.portable import Space, View
from everlet.portable.scatter_view import ScatterView
from everlet.registry import Registry
from everlet.state.ledger import Tally
from everlet.state.system import System

agni_scheme: Registry[type[Scheme]] = Registry("scheme of agni")
LANES = 64  # numbers behind the last that registers may read
WORDS = ("n_elements", "element", "interaction", "generation", "eta", "gwidth", "Rc", "Rs", "neighbors", "sigma", "lambda", "b",
         "n_train")


@agni_scheme("full")
class AgniScheme(OwnRows):
    parameters: AgniParameters

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.made = View(0, np.float64, system.space)

    def launch(self, tally: Tally | None, comm: SerialComm, force: ScatterView, own: Any) -> None:
        if self.shares:
            return  # there are none
        n, par = self.system.atoms.n, self.parameters
        if self.made.shape[0] < 3 * par.size * n:
            self.made = View(3 * par.size * int(1.1 * n + 8), np.float64, self.system.space)
        self.rows.fill()
        self.run(None, fingerprints, 0, {}, par.size, self.made)
        self.run(None, fingerprint_forces, 0, {"SCALED": par.scaled}, par.size, self.made, par.rows, par.narrowness, par.shift,
                 force)


class AgniParameters(OwnRowsParameters):
    worker = AgniScheme

    def __init__(self, style: Agni, space: Space, precision: str):
        super().__init__(style, space, precision)
        file = style.file
        self.size, self.rows, self.shift = len(file.eta), len(file.weights), file.shift
        self.narrowness = 0.5 / file.sigma**2


class AgniFile:
    def __init__(self, name: str):
        self.file = file = PotentialFile(name)
        said: dict[str, list[str]] = {}
        while (words := file.words("endVar"))[0] != "endVar":
            if words[0] not in WORDS:
                raise file.fail(f"unknown word '{words[0]}'", f"known: {' '.join(WORDS)}")
            if words[0] in said:
                raise file.fail(f"a second line for {words[0]}", "files for several elements are not available")
            said[words[0]] = words[1:]
        self.said = said
        self.element = self._words("element")[0]
        self.eta = np.array([file.number(word, "eta") for word in self._words("eta")])
        self.cut, self.sigma, self.shift = self._number("Rc"), self._number("sigma"), self._number("b")
        generation, rows, width = self._number("generation", 1.0), int(self._number("n_train")), self._number("gwidth", 0.3)
        if self._number("n_elements", 1.0) != 1.0 or self._words("interaction") != [self.element]:
            raise file.fail("fingerprints of several elements", "give files with n_elements 1")
        if generation not in (1.0, 2.0):
            raise file.fail(f"generation {generation:g}", "it is 1 or 2")
        if self._number("Rs", 0.0) != 0.0:
            raise file.fail(f"Rs is {said['Rs'][0]}", "only 0 is available")
        if min(self.cut, self.sigma, width, float(rows)) <= 0.0 or (generation == 2.0 and (self.eta == 0.0).any()):
            raise file.fail("Rc, sigma, gwidth, n_train and eta must be more than 0")
        if generation == 1.0:
            self.forms = np.stack([np.ones_like(self.eta), self.eta, 0.0 * self.eta], axis=1)
        else:
            factors = 1.0 / (self.eta**2 * width * math.sqrt(2.0 * math.pi))
            self.forms = np.stack([factors, 0.5 / width**2 + 0.0 * self.eta, self.eta], axis=1)
        size, found = len(self.eta), []
        for _ in range(rows):
            words = file.words(f"one of the {rows} lines of n_train")
            if len(words) not in (size + 2, size + 3):
                raise file.fail(f"{len(words)} words", f"give {size} fingerprints, a force and a weight")
            found.append([file.number(word, "a fingerprint or weight") for word in words[-size - 2 :]])
        file.end("the last of n_train lines")
        numbers = np.array(found)
        self.known, self.weights = numbers[:, :size], numbers[:, size + 1]

    def _words(self, name: str) -> list[str]:
        if not self.said.get(name):
            raise self.file.fail(f"no line for {name}")
        return self.said[name]

    def _number(self, name: str, otherwise: float | None = None) -> float:
        if otherwise is not None and name not in self.said:
            return otherwise
        return self.file.number(self._words(name)[0], name)


@pair_style("agni")
class Agni(FileStyle):
    schemes: ClassVar[Registry[type[Scheme]]] = agni_scheme
    of_kernels = AgniParameters

    def coeff(self, args: list[str]) -> None:
        names = self.elements(args)
        file = AgniFile(args[2])
        for name in names.values():
            if name not in ("NULL", file.element):
                raise InputError(f"{file.file.path} is for {file.element}, not for '{name}'", "name that element, or NULL")
        self.file, self.names, self.lines = file, names, [args]
        self.warnings.append("pair style agni has forces and no energy: energies and pressures are without them")

    def init(self) -> None:
        self.need_elements()
        n, file = self.system.ntypes, self.file
        self.data = np.concatenate([file.forms.ravel(), file.known.T.ravel(), file.weights, np.zeros(LANES)])
        self.fields = ("turn", "there")
        self.cutoffs, self.offset = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
        self.table_array = np.zeros((n + 1, n + 1, 2))
        for i, a in self.names.items():
            for j, b in self.names.items():
                if "NULL" not in (a, b):
                    self.table_array[i, j] = math.pi / file.cut, 1.0
                    self.cutoffs[i, j] = file.cut
        self.max_cutoff, self.pairs = float(self.cutoffs.max()), {}
