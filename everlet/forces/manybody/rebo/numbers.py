"""The numbers of hydrocarbons as kernels read them, by atom type."""

from __future__ import annotations

import numpy as np

from everlet.forces.manybody.rebo.files import Hydrocarbons
from everlet.forces.manybody.rebo.places import GENERAL_NAMES, PAIR_NAMES

FADE = 2.16, 3.0  # of sigma: where pair energies fade out, unless the script says


class Numbers:
    """Of types whose elements are `element` (0: C, 1: H, -1: none). Arrays of pairs of types have 0 where one has none."""

    def __init__(self, of: Hydrocarbons, element: np.ndarray, scale: float, fade: float | None, morse: bool):
        self.element = element
        n = len(element)
        known = element >= 0
        there = known[:, None] & known[None, :]
        pairs = dict(of.pairs)
        start, end = FADE if fade is None else (fade, scale)
        pairs |= {"fade_min": start * pairs["sigma"], "fade_max": end * pairs["sigma"], "reach": scale * pairs["sigma"]}
        if morse:
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
