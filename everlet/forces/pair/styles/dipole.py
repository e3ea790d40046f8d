"""Charges and dipoles, with Lennard-Jones: forces and torques.

    E_qd = C [q_i q_j / r + p_i.p_j / r^3 - 3 (p_i.r)(p_j.r) / r^5 - q_j p_i.r / r^3 + q_i p_j.r / r^3],  r = x_i - x_j
"""

from __future__ import annotations

from typing import Any

from everlet.forces.pair import dipole_loops
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.charged import ChargedStyle
from everlet.forces.pair.quantities import energy, length
from everlet.forces.pair.schemes.own import OwnStyle, torque_of
from everlet.state.atom_styles import need_field
from everlet.state.atoms import Atoms


class Dipoles(OwnStyle, ChargedStyle):
    loop = dipole_loops.dipole_loop
    sums = 8
    two_cutoffs = "pair"
    shiftable = True
    coeffs = {"epsilon": energy, "sigma": length}

    def configure(self, args: list[str]) -> None:
        ChargedStyle.configure(self, args)

    def init(self) -> None:
        for name in ("mu", "torque"):
            need_field(self.system.atoms, name, f"pair style {self.name}")
        ChargedStyle.init(self)

    def table(self, epsilon: float, sigma: float, cut: float) -> dict[str, float]:
        s6 = sigma**6
        c, d = 4.0 * epsilon * s6 * s6, 4.0 * epsilon * s6
        return {"a": 12.0 * c, "b": 6.0 * d, "c": c, "d": d, "slope": 0.0, "level": 0.0}

    def shift_at(self, i: int, j: int) -> float:
        return self.pairs[i, j]["cut"]

    def _plain(self, r2: float, i: int, j: int) -> tuple[float, float]:
        """Of Lennard-Jones alone, for pair_modify shift."""
        p = dict(zip(self.fields, self.table_array[i, j].tolist(), strict=True))
        ir6 = 1.0 / r2**3
        return ir6 * (p["a"] * ir6 - p["b"]) / r2, ir6 * (p["c"] * ir6 - p["d"])

    def extra(self, atoms: Atoms) -> tuple[Any, ...]:
        return atoms.view("q"), atoms.view("mu"), torque_of(atoms), self.constant()


@pair_style("lj/cut/dipole/cut")
class LJCutDipoleCut(Dipoles):
    """E = 4 eps [(sigma/r)^12 - (sigma/r)^6] for r < r_c, E_qd for r < r_q.

    pair_style lj/cut/dipole/cut r_c [r_q]          r_c, r_q: length
    pair_coeff I J eps sigma [r_c [r_q]]            eps: energy, sigma: length
    """

    def statics(self) -> dict[str, Any]:
        return {"SMOOTH": False}


@pair_style("lj/sf/dipole/sf")
class LJSmoothDipole(Dipoles):
    """The same, but forces go to zero at the cutoffs: of E_qd charges are multiplied by (1 - x)^2, a charge and a dipole by
    1 - 3 x^2 + 2 x^3, dipoles by 1 - 4 x^3 + 3 x^4, x = r/r_q; with s = sigma/r_c
    E = 4 eps [(sigma/r)^12 - (sigma/r)^6 + (6 s^12 - 3 s^6) (r/r_c)^2 - 7 s^12 + 4 s^6].

    pair_style lj/sf/dipole/sf r_c [r_q]
    pair_coeff I J eps sigma [r_c [r_q]]
    """

    shiftable = False

    def table(self, epsilon: float, sigma: float, cut: float) -> dict[str, float]:
        s6 = (sigma / cut) ** 6 if cut else 0.0
        slope = 8.0 * epsilon * (6.0 * s6 * s6 - 3.0 * s6) / (cut * cut if cut else 1.0)
        return super().table(epsilon, sigma, cut) | {"slope": slope, "level": 4.0 * epsilon * (7.0 * s6 * s6 - 4.0 * s6)}

    def statics(self) -> dict[str, Any]:
        return {"SMOOTH": True}
