"""Molecules of a template that come in the middle of a run as rigid bodies.

Mass, centre and moments are those of its atoms, or those of the header of its file: parts that overlap count too often in
sums over atoms. The molecule is turned by R about its geometric centre g: its centre of mass c is at R (c - g), its axes are R
times those of the template; it comes without turning.
"""

from __future__ import annotations

import numpy as np

from everlet.fixes.rigid.axes import frames, quaternions
from everlet.fixes.rigid.kernels import FF, TF, WIDTH, E, J, M, Q, V, X
from everlet.state.molecule import Template

PAIRS = ((0, 1), (0, 2), (1, 2))


def new_body(template: Template, mass: np.ndarray, site: np.ndarray, turn: np.ndarray, v: np.ndarray,
             two: bool) -> tuple[np.ndarray, np.ndarray]:
    """The row of a body with its geometric centre at `site` from the low corner of the box, and the places (atoms, 3) of its
    atoms among its axes. two: there are two dimensions."""
    x, head, row = template.centred(), template.body, np.zeros(WIDTH)
    assert template.x is not None
    total = head["mass"][0] if "mass" in head else mass.sum()
    centre = mass @ x / mass.sum()
    if "com" in head:
        centre = np.array(head["com"]) - template.x.sum(axis=0) / template.atoms
    d = x - centre
    tensor = np.eye(3) * (mass @ (d * d).sum(axis=1)) - (mass[:, None] * d).T @ d
    if "inertia" in head:
        tensor[np.diag_indices(3)] = head["inertia"][:3]
        for (a, b), value in zip(PAIRS, head["inertia"][3:], strict=True):
            tensor[a, b] = tensor[b, a] = value
    moments, axes = frames(tensor[None])
    turned = turn @ axes[0]
    row[M], row[X : X + 3], row[V : V + 3], row[J : J + 3] = total, site + turn @ centre, v, moments[0]
    row[E : E + 9], row[Q : Q + 4] = turned.T.ravel(), quaternions(turned[None])[0]
    row[FF : FF + 3], row[TF : TF + 3] = (1.0, 1.0, 0.0 if two else 1.0), (0.0, 0.0, 1.0) if two else (1.0, 1.0, 1.0)
    return row, d @ axes[0]
