"""Spectral neighbour analysis potential: the energy of an atom is linear or quadratic in its bispectrum components.

E_i = c0 + sum_l beta_l B_l + 1/2 sum_lm alpha_lm B_l B_m

    pair_style snap           pair_coeff * * FILE.snapcoeff FILE.snapparam El1 El2 …      NULL: no element

Neighbours are points on a sphere in four dimensions (rotations), B are invariants of third degree of their density there
(Thompson et al., J. Comput. Phys. 285, 316 (2015)). With chemflag each element of the coefficient file, in the order of the
file, has a density of its own (a channel).
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError
from everlet.forces.manybody.components.models import Linear, Model, Quadratic
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.manybody.shares import SharedParameters
from everlet.forces.manybody.snap.files import Coefficients, Settings, check, read_coefficients, read_settings
from everlet.forces.manybody.snap.index import Index, index, labels, products, shares
from everlet.forces.manybody.snap.scheme import SnapFull, snap_scheme
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.schemes.base import Scheme
from everlet.portable import Space, View
from everlet.portable.language.dtypes import dtype
from everlet.registry import Registry


class SnapParameters(SharedParameters):
    """The numbers of pairs, the tables of indices, and the coefficients of types."""

    def __init__(self, style: Snap, space: Space, precision: str):
        super().__init__(style, space, precision)
        real = dtype("real", precision)
        self.index, self.channels, self.model = style.index, style.channels, style.model
        self.of_type = style.elements_of_types()
        self.chunk = style.settings_of.whole["chunksize"]
        size, table = self.index, style.tables()
        self.entries, self.components = len(table["ratio"]), table["zeros"].shape[1]
        self.statics_of: dict[str, Any] = {
            "J": size.twojmax, "HALF": size.half, "FULL": size.full, "CHANNELS": self.channels, "MOST": size.most,
            "PLACES": size.places, "PRODUCTS": len(products(size.twojmax)), "LABELS": len(labels(size.twojmax)),
            "ENTRIES": self.entries, "COMPONENTS": self.components, "MANY": self.kinds > 2, "NP": len(self.fields),
            "SWITCH": style.settings_of.flag("switchflag"), "INNER": style.settings_of.flag("switchinnerflag"),
            "ALL": self.channels == 1 or style.settings_of.flag("wselfallflag")}

        def put(values: np.ndarray) -> View:
            view = View(max(values.size, 1), values.dtype if values.dtype == np.int32 else real, space)
            view.put(np.resize(values.reshape(-1), max(values.size, 1)))
            return view

        names = ("unfold_from", "unfold_scale", "unfold_one", "fold_from", "fold_scale", "fold_step", "fold_one", "fold_full",
                 "sections", "ranges", "out", "pairs", "coefficients", "mirrored")
        self.views = {name: put(getattr(size, name)) for name in names} | {name: put(values) for name, values in table.items()}
        self.views["energies"] = View(self.kinds, np.float64, space)
        self.views["energies"].put(table["energies"])

    def sharer(self, space: Space) -> type[Scheme]:
        return SnapFull.on(space)


@pair_style("snap")
class Snap(FileStyle):
    schemes: ClassVar[Registry[type[Scheme]]] = snap_scheme
    of_kernels = SnapParameters
    files: ClassVar[tuple[str, ...]] = ("FILE.snapcoeff", "FILE.snapparam")

    @property
    def kind(self) -> str:
        channels = f", {self.channels} channels" if self.channels > 1 else ""
        return f"{self.name} 2J = {self.settings_of.whole['twojmax']}{channels}"

    def coeff(self, args: list[str]) -> None:
        names = self.elements(args)
        coefficients = read_coefficients(args[2], self.system.units.name)
        settings = read_settings(args[3])
        check(coefficients, settings)
        used = [name for name in dict.fromkeys(names.values()) if name != "NULL"]
        for name in used:
            if name not in coefficients.elements:
                raise InputError(f"element '{name}' is not in {args[2]}", f"it has {', '.join(coefficients.elements)}")
        for key, values in settings.lists.items():
            if len(values) != len(used):
                raise InputError(f"{settings.path} has {len(values)} values of {key} for {len(used)} elements: "
                                 f"{' '.join(used)}",
                                 "give one for each, in the order of pair_coeff")
        numbers = np.array(list(coefficients.values.values()))
        self.model: Model = Quadratic(numbers) if settings.flag("quadraticflag") else Linear(numbers)
        self.coefficients: Coefficients = coefficients
        self.settings_of: Settings = settings
        self.names, self.used, self.lines = names, used, [args]

    def elements_of_types(self) -> list[int]:
        """As the coefficient file counts them; -1: none."""
        return [-1 if name == "NULL" else self.coefficients.elements.index(name) for name in self.names.values()]

    def channel_count(self) -> int:
        """Densities of an atom."""
        return len(self.coefficients.elements) if self.settings_of.flag("chemflag") else 1

    def channel_of(self, kind: int) -> int:
        """The density that atoms of this type add to."""
        return self.coefficients.elements.index(self.names[kind]) if self.channels > 1 else 0

    def cutoff_of(self, one: str, other: str) -> float:
        """The cutoff of two elements, in units of rcutfac."""
        return self.coefficients.radius[one] + self.coefficients.radius[other]

    def init(self) -> None:
        if not self.names:
            raise InputError("no pair_coeff", "give pair_coeff * * FILE.snapcoeff FILE.snapparam and elements")
        self.need_newton()
        n, of, found = self.system.ntypes, self.settings_of, self.coefficients
        self.channels = self.channel_count()
        self.index: Index = index(of.whole["twojmax"], self.channels)
        self.fields = ("rate", "turn", "inside", "weight", "middle", "steep")
        self.cutoffs, self.offset = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
        self.table_array = np.zeros((n + 1, n + 1, len(self.fields)))
        inside = of.numbers["rmin0"]
        for i, a in self.names.items():
            for j, b in self.names.items():
                if "NULL" in (a, b):
                    continue
                cut = of.numbers["rcutfac"] * self.cutoff_of(a, b)
                if cut <= inside:
                    raise InputError(f"the cutoff {cut:g} of {a} and {b} is not beyond rmin0 {inside:g}", f"see {of.path}")
                turn = math.pi / (cut - inside)
                middle, width = (0.5 * (of.lists[key][self.used.index(a)] + of.lists[key][self.used.index(b)])
                                 if key in of.lists else 1.0 for key in ("sinner", "dinner"))
                self.cutoffs[i, j] = cut
                self.table_array[i, j] = of.numbers["rfac0"] * turn, turn, inside, found.weight[b], middle, 1.0 / width
        self.max_cutoff = float(self.cutoffs.max())
        self.pairs = {}

    def tables(self) -> dict[str, np.ndarray]:
        """Numbers of types (row 0 is unused), as loops in atom_loops.py and component_loops.py read them."""
        of, n, c = self.settings_of, self.system.ntypes, self.channels
        twojmax = of.whole["twojmax"]
        known, every = labels(twojmax), products(twojmax)
        number, size = {label: k for k, label in enumerate(known)}, len(known) * c**3
        norm = of.flag("bnormflag")
        zeros, channel = np.zeros((n + 1, size)), np.zeros(n + 1, np.int32)
        for i, name in self.names.items():
            if name == "NULL":
                continue
            channel[i] = self.channel_of(i)
            if of.flag("bzeroflag"):
                alone = np.array([1.0 if norm else j + 1.0 for _, _, j in known])
                mine = zeros[i].reshape(c, c, c, len(known))
                if of.flag("wselfallflag"):
                    mine[:] = alone
                else:
                    mine[channel[i], channel[i], channel[i]] = alone
        entries, ratio = [], []
        for channels in np.ndindex(c, c, c):
            for j1, j2, j in every:
                label, orders, factor = shares(j1, j2, j)
                which = [int(np.ravel_multi_index([channels[k] for k in order], (c, c, c))) * len(known) + number[label]
                         for order in orders]
                entries.append(which + [size] * (3 - len(which)))
                ratio.append(1.0 / (j + 1) if norm and j >= j1 else factor / (j1 + 1) if norm else factor)
        at, factors = np.array(entries, np.int32), np.array(ratio)
        # of straight models: coefficients of products, and the energy of an atom besides these
        own = self.model.tables(self.elements_of_types()) if self.model.straight else {}
        linear, constant = own.get("linear", np.zeros((n + 1, size))), own.get("energies", np.zeros(n + 1))
        weights = np.pad(linear, ((0, 0), (0, 1)))[:, at].sum(axis=2) * factors
        energies = constant - (zeros * linear).sum(axis=1)
        label_of = np.array([number[z] if z[2] >= z[0] else -1 for z in every], np.int32)
        norms = np.array([1.0 / (j + 1) if norm else 1.0 for _, _, j in every])
        return {"zeros": zeros, "energies": energies, "channel": channel, "entries": at,
                "ratio": factors, "weights": weights, "label": label_of, "norm": norms}
