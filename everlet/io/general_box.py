"""Boxes of data files whose edges point anywhere: they are turned about their corner so that the first edge lies along x and
the second in the xy plane, and atoms with them.

    4 1 0.5 avec                     edges, and the corner where they begin
    -1 5 0.3 bvec
    0.4 -0.7 6 cvec
    0.5 -0.2 0.3 abc origin
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.io.sections import GENERAL, Parts, Section
from everlet.state.system import System

POINTING = {"mu", "quat", "shape", "omega", "angmom", "spin"}  # fields that would have to turn too


def turn(parts: Parts, system: System, found: dict[str, Section]) -> np.ndarray:
    """The rotation, as rows; `parts` gets the turned box."""
    missing = [word for word in GENERAL if word not in parts.general]
    if missing:
        raise InputError(f"{parts.path}: the header has no '{missing[0]}' line", f"give {', '.join(GENERAL)}")
    if parts.tilt is not None or parts.lo != [-0.5] * 3 or parts.hi != [0.5] * 3:
        raise InputError(f"{parts.path}: the header has avec bvec cvec, and edges along x, y, z", "leave one kind out")
    if system.box is not None:
        raise InputError(f"{parts.path}: a box that points anywhere cannot be added to another one",
                         "use read_data without add")
    if pointing := sorted(POINTING & set(system.atoms.fields)):
        raise InputError(f"{parts.path}: directions of atoms ({pointing[0]}) do not turn with a box that points anywhere",
                         "turn the file first: avec along x, bvec in the xy plane")
    a, b, c = (np.array(parts.general[word]) for word in GENERAL[:3])
    if np.cross(a, b) @ c <= 0.0:
        raise InputError(f"{parts.path}: avec, bvec and cvec are not right-handed", "exchange two of them")
    low = parts.general["abc origin"]
    if system.dimension == 2 and (a[2] or b[2] or parts.general["cvec"] != [0.0, 0.0, 1.0] or low[2] != -0.5):
        raise InputError(f"{parts.path}: a 2-d box has edges 0 0 1 cvec and begins at z -0.5", "mend the header")
    x = a / np.linalg.norm(a)
    z = np.cross(a, b)
    z /= np.linalg.norm(z)
    rows = np.array([x, np.cross(z, x), z])
    (lx, _, _), (xy, ly, _), (xz, yz, lz) = (rows @ edge for edge in (a, b, c))
    parts.lo, parts.hi = list(low), [float(one) for one in np.array(low) + (lx, ly, lz)]
    parts.tilt = [float(xy), float(xz), float(yz)]
    return rows


def apply(rows: np.ndarray, columns: dict[str, Any], corner: np.ndarray) -> None:
    """Turn places and velocities of atoms."""
    columns["x"][:] = (columns["x"] - corner) @ rows.T + corner
    if "v" in columns:
        columns["v"][:] = columns["v"] @ rows.T
