"""Pressure and pressure tensor."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError
from everlet.portable import Kernel
from everlet.state.system import System


@compute_style("pressure")
class Pressure(Compute):
    """P = (N_f k_B T + tr W) / (d V) nktv2p; vector: P_ab = (K_ab + W_ab) / V nktv2p in the order xx yy zz xy xz yz.

    compute ID all pressure TEMP-ID|NULL [ke] [pair] [virial]     without words: kinetic and virial part
    """

    needs_tally = True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if group != "all":
            raise InputError("compute pressure is for group all", "use compute ID all pressure TEMP-ID")
        if not args:
            raise InputError("compute pressure needs the id of a temperature compute, or NULL",
                             "for example: compute p all pressure thermo_temp")
        words = args[1:]
        for word in words:
            if word not in ("ke", "pair", "virial"):
                raise InputError(f"compute pressure: contribution '{word}' is not available", "use ke, pair or virial")
        self.kinetic = not words or "ke" in words
        self.with_virial = not words or "pair" in words or "virial" in words
        self.temperature = args[0]
        if self.temperature == "NULL" and self.kinetic:
            raise InputError("compute pressure with a kinetic part needs a temperature compute", "give its id instead of NULL")
        if self.temperature != "NULL":
            self._temperature()

    def _temperature(self) -> Compute:
        found = self.system.computes.get(self.temperature)
        if found is None or not hasattr(found, "degrees"):
            raise InputError(f"'{self.temperature}' is not a temperature compute", "define it with compute ID all temp")
        return found

    def kernels(self) -> list[Kernel]:
        return self._temperature().kernels() if self.temperature != "NULL" else []

    def scalar(self) -> float:
        self.check_tally()
        system = self.system
        d, volume = system.dimension, system.need_box().volume
        total = 0.0
        if self.with_virial:
            total += float(system.virial[:d].sum())
        if self.kinetic:
            sums = self._temperature().sums()  # type: ignore[attr-defined]
            # N_f k_B T is the sum of mvv2e m v^2
            total += system.units.mvv2e * float(sums[:3].sum()) if self._temperature().degrees(sums[6]) else 0.0  # type: ignore[attr-defined]
        pressure = total / (d * volume) * system.units.nktv2p
        return pressure + (system.pressure_tail() if self.with_virial else 0.0)

    def vector(self) -> np.ndarray:
        self.check_tally()
        system = self.system
        total = system.virial.copy() if self.with_virial else np.zeros(6)
        if self.kinetic:
            total += self._temperature().vector()
        out = total / system.need_box().volume * system.units.nktv2p
        if self.with_virial:
            out[:3] += system.pressure_tail()
        if system.dimension == 2:
            out[[2, 4, 5]] = 0.0
        return out
