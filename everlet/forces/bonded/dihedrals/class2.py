"""E = sum over n = 1 ... 3 of K_n [1 - cos(n phi - phi_n)] and cross terms with c(a) = sum over n of a_n cos(n phi):

    mbt    (r23 - r) c(a)                                           middle bond and torsion
    ebt    (r12 - r1) c(b) + (r34 - r3) c(c)                        end bonds and torsion
    at     (theta123 - theta1) c(d) + (theta234 - theta2) c(e)      angles and torsion
    aat    M (theta123 - theta1)(theta234 - theta2) cos phi         angles and torsion
    bb13   N (r12 - r1)(r34 - r3)                                   end bonds

    dihedral_coeff TYPE K1 phi1 K2 phi2 K3 phi3 (degrees)
    dihedral_coeff TYPE mbt A1 A2 A3 r | ebt B1 B2 B3 C1 C2 C3 r1 r3 | at D1 D2 D3 E1 E2 E3 theta1 theta2 | aat M theta1 theta2
                        | bb13 N r1 r3
"""

from __future__ import annotations

from everlet.forces.bonded.base import DihedralStyle, dihedral_style
from everlet.portable import cos, portable


@dihedral_style("class2")
class Class2(DihedralStyle):
    coeffs = ("k1", "phi1", "k2", "phi2", "k3", "phi3")
    parts = {"mbt": ("a1", "a2", "a3", "r"), "ebt": ("b1", "b2", "b3", "c1", "c2", "c3", "r1", "r3"),
             "at": ("d1", "d2", "d3", "e1", "e2", "e3", "theta1", "theta2"), "aat": ("m", "theta1", "theta2"),
             "bb13": ("n", "r1", "r3")}
    degrees = ("phi1", "phi2", "phi3", "at_theta1", "at_theta2", "aat_theta1", "aat_theta2")
    example = {"k1": 1.0, "phi1": 20.0, "k2": 2.0, "phi2": 50.0, "k3": 0.7, "phi3": -30.0, "mbt_a1": -2.0, "ebt_b2": 0.6,
               "at_theta1": 110.0, "at_theta2": 105.0, "aat_m": -4.0, "aat_theta1": 108.0, "aat_theta2": 112.0}

    @portable
    def energy(phi, r12, r23, r34, theta123, theta234, p):
        c1 = cos(phi)
        c2 = 2.0 * c1 * c1 - 1.0
        c3 = c1 * (2.0 * c2 - 1.0)
        twist = (p.k1 * (1.0 - cos(phi - p.phi1)) + p.k2 * (1.0 - cos(2.0 * phi - p.phi2))
                 + p.k3 * (1.0 - cos(3.0 * phi - p.phi3)))
        middle = (r23 - p.mbt_r) * (p.mbt_a1 * c1 + p.mbt_a2 * c2 + p.mbt_a3 * c3)
        ends = ((r12 - p.ebt_r1) * (p.ebt_b1 * c1 + p.ebt_b2 * c2 + p.ebt_b3 * c3)
                + (r34 - p.ebt_r3) * (p.ebt_c1 * c1 + p.ebt_c2 * c2 + p.ebt_c3 * c3))
        bends = ((theta123 - p.at_theta1) * (p.at_d1 * c1 + p.at_d2 * c2 + p.at_d3 * c3)
                 + (theta234 - p.at_theta2) * (p.at_e1 * c1 + p.at_e2 * c2 + p.at_e3 * c3))
        both = p.aat_m * (theta123 - p.aat_theta1) * (theta234 - p.aat_theta2) * c1
        return twist + middle + ends + bends + both + p.bb13_n * (r12 - p.bb13_r1) * (r34 - p.bb13_r3)
