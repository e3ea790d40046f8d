"""Models as mliap unified takes them, without torch; pickles name these classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.forces.models.unified import standing_in

with standing_in():
    from lammps.mliap.mliap_unified_abc import MLIAPUnified


class LJ(MLIAPUnified):
    """Slopes at once; the energy of pairs, of atoms, or the sum alone."""

    def __init__(self, how: str = "pairs") -> None:
        super().__init__(None, ["Ar", "Kr"], 1, 1, 1.25)
        self.how = how

    def compute_forces(self, data: Any) -> None:
        r2 = (data.rij**2).sum(axis=1)
        s6 = r2**-3
        e = 4.0 * (s6 * s6 - s6)
        if self.how == "pairs":
            data.update_pair_energy(e)
        elif self.how == "atoms":
            data.eatoms[:] = np.bincount(data.pair_i, 0.5 * e, data.nlocal)
            data.energy = data.eatoms.sum()
        elif self.how == "sum":
            data.energy = 0.5 * e.sum()
        elif self.how == "forces":
            data.f[0] += 1.0
        assert len(data.numneighs) == len(data.iatoms) == len(data.ielems) == data.natomneigh
        assert len(data.jelems) == len(data.jatoms) == data.npairs and data.numneighs.sum() == data.npairs
        data.update_pair_forces(0.5 * ((24.0 * s6 - 48.0 * s6 * s6) / r2)[:, None] * data.rij)

    def compute_descriptors(self, data: Any) -> None:
        pass

    def compute_gradients(self, data: Any) -> None:
        pass


class Messages(LJ):
    """As Messages of test_learned.py; leaves at once where it has nothing to do, as others do."""

    def compute_forces(self, data: Any) -> None:
        if data.npairs == 0:
            return
        i, j, n = data.pair_i, data.pair_j, data.nlocal
        u = 1.0 - (data.rij**2).sum(axis=1) / 6.25
        w, dw = u**3, -6.0 * u**2 / 6.25
        h = np.zeros((data.ntotal, 1), dtype=np.float32 if self.how == "single" else np.float64)
        h[:n, 0] = np.sqrt(np.bincount(i, w, n) + 0.1)
        every, back = np.empty_like(h), np.empty_like(h)
        data.forward_exchange(h, every, 1)
        h, every = h[:, 0], every[:, 0]
        data.eatoms[:] = -h[:n] + 0.05 * np.bincount(i, w * every[j], n)
        data.reverse_exchange((0.05 * np.bincount(j, w, data.ntotal)[:, None]).astype(h.dtype), back, 1)
        assert not back[n:].any()
        slope = dw * (0.05 * every[j] + ((back[:n, 0] - 1.0) / (2.0 * h[:n]))[i])
        data.update_pair_forces_gpu(slope[:, None] * data.rij)


class Alone(LJ):
    """The same without messages: numbers of other ranks' atoms from their own edges."""

    def compute_forces(self, data: Any) -> None:
        i, j, n, total = data.pair_i, data.pair_j, data.nlocal, data.ntotal
        u = 1.0 - (data.rij**2).sum(axis=1) / 6.25
        w, dw, own = u**3, -6.0 * u**2 / 6.25, i < n
        h = np.sqrt(np.bincount(i, w, total) + 0.1)
        data.eatoms[:] = (-h + 0.05 * np.bincount(i, w * h[j], total))[:n]
        slope = 0.05 * np.bincount(j, w * own, total) - (np.arange(total) < n)
        data.update_pair_forces((dw * (0.05 * h[j] * own + (slope / (2.0 * h))[i]))[:, None] * data.rij)
