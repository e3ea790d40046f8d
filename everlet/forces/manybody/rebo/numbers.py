"""The numbers of hydrocarbons as kernels read them, by atom type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from everlet.errors import InputError
from everlet.forces.manybody.rebo.files import Hydrocarbons
from everlet.forces.manybody.rebo.places import GENERAL_NAMES, PAIR_NAMES
from everlet.forces.manybody.shares import SharedParameters
from everlet.neighbor.surroundings import Surroundings
from everlet.portable import Space, View

if TYPE_CHECKING:  # it knows this file
    from everlet.forces.manybody.rebo.rebo import Rebo
    from everlet.forces.manybody.rebo.scheme import ReboScheme
    from everlet.forces.pair.base import PairStyle

FADE = 2.16, 3.0  # of sigma: where pair energies fade out, unless the script says


class Numbers:
    """Of types whose elements are `element` (0: C, 1: H, -1: none). Arrays of pairs of types have 0 where one has none."""

    def __init__(self, of: Hydrocarbons, element: np.ndarray, style: Rebo):
        self.element = element
        n = len(element)
        known = element >= 0
        there = known[:, None] & known[None, :]
        pairs = dict(of.pairs)
        start, end = FADE if style.fade is None else (style.fade, style.scale)
        pairs |= {"fade_min": start * pairs["sigma"], "fade_max": end * pairs["sigma"], "reach": style.scale * pairs["sigma"]}
        if style.morse:
            pairs["epsilon"] = pairs["depth"]
        which = np.where(there, element[:, None] + element[None, :], 0)
        self.pairs = np.zeros((n, n, len(PAIR_NAMES)))
        for k, name in enumerate(PAIR_NAMES):
            if name in pairs:
                self.pairs[..., k] = np.where(there, pairs[name][which], 0.0)
        self.bonds = np.where(there, pairs["rmax"][which], 0.0)
        self.reach = np.where(there, pairs["reach"][which], 0.0)
        near = max(3.0 * float(self.bonds.max()), float(np.where(there, pairs["lj_max"][which], 0.0).max()))
        general = {**of.general, **dict(zip(("twist_cc", "twist_ch", "twist_hh"), of.twist, strict=True)), "near": near}
        self.general = np.array([general[name] for name in GENERAL_NAMES])
        self.near = near


class ReboParameters(SharedParameters):
    """The numbers in the memory of a space."""

    def __init__(self, style: Rebo, space: Space, precision: str):
        super().__init__(style, space, precision)
        if self.scaled:
            raise InputError(f"pair style {style.name} has no factor in hybrid/scaled",
                             "use hybrid/overlay, or a factor of 1.0")
        made = style.made
        self.pairs_at_distance, self.torsions, self.morse = style.distant, style.torsions, style.morse
        self.farthest = float(made.bonds.max())  # that bonds reach
        self.views: dict[str, View] = {}
        arrays: dict[str, np.ndarray] = {"element": made.element.astype(np.int32), "pairs": made.pairs, "general": made.general,
                                         "reach": made.bonds, "table": style.field.table}
        for name, values in arrays.items():
            self.views[name] = View(values.size, values.dtype.type, space)
            self.views[name].put(values.reshape(-1))

    def sharing(self, near: Surroundings) -> ReboScheme:
        from everlet.forces.manybody.rebo.scheme import ReboScheme

        made = ReboScheme(near.system, near.dense, self)
        made.near_by = near
        return made

    def check_float32(self, style: PairStyle) -> None:
        """Only double precision is offered."""
