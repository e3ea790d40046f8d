"""Molecules whose oxygens have Drude particles: eight of three atoms and a shell, as a data file."""

from __future__ import annotations

import numpy as np

EDGE = 14.0
HEAD = """molecules with Drude particles

32 atoms
24 bonds
8 angles
3 atom types
2 bond types
1 angle types

0 14 xlo xhi
0 14 ylo yhi
0 14 zlo zhi

Masses

1 15.6
2 1.0
3 0.4
"""


def data_file() -> str:
    draw = np.random.default_rng(5)
    atoms, bonds, angles = [], [], []
    for number, place in enumerate(np.indices((2, 2, 2)).reshape(3, -1).T * 7.0 + 3.0):
        first, oxygen = 4 * number + 1, place + draw.normal(0.0, 0.3, 3)
        one = draw.normal(size=3)
        one /= np.linalg.norm(one)
        other = np.cross(one, draw.normal(size=3))
        other /= np.linalg.norm(other)
        places = [oxygen, oxygen + one, oxygen - 0.3 * one + 0.95 * other, oxygen + draw.normal(0.0, 0.05, 3)]
        for k, (kind, charge) in enumerate(((1, 1.0), (2, 0.3), (2, 0.3), (3, -1.6))):
            atoms.append(f"{first + k} {number + 1} {kind} {charge} " + " ".join(f"{x:.10f}" for x in places[k]))
        for k, kind in ((1, 1), (2, 1), (3, 2)):
            bonds.append(f"{len(bonds) + 1} {kind} {first} {first + k}")
        angles.append(f"{number + 1} 1 {first + 1} {first} {first + 2}")
    sections = {"Atoms # full": atoms, "Bonds": bonds, "Angles": angles}
    return HEAD + "".join(f"\n{name}\n\n" + "\n".join(lines) + "\n" for name, lines in sections.items())
