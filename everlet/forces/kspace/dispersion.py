"""What solvers of dispersion ask the pair style for."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.forces.kspace.base import KspaceStyle


class WithDispersion(KspaceStyle):
    """After `init` also

    charges   the pair style leaves charges to the solver, too
    shares    f and c of each type, of C_ij = sum f c_i c_j: what -C_ij/r^6 is made of; none: there is only charge
    kinds     atoms of each type
    g_disp    the splitting parameter of dispersion
    """

    disperses = True
    shares: list[tuple[float, Any]]

    @property
    def g_disp(self) -> float:
        return self.g

    def _need_pair(self) -> None:
        system, pair = self.system, self.system.pair
        self.shares = pair.dispersion(self.settings.mix_disp) if pair is not None else []
        if not self.shares:
            super()._need_pair()
        assert pair is not None
        self.charges = bool(pair.cut_coul)
        self.cut = float(pair.cut_coul or pair.setting["cut"])
        self.kinds = system.ranks.sum(np.bincount(system.atoms.read("type"), minlength=system.ntypes + 1)).astype(float)

    def made_with(self) -> tuple[Any, ...]:
        return (*super().made_with(), tuple(self.kinds.tolist()))
