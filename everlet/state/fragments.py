"""Fragments: sets of atoms that bonds hold together."""

from __future__ import annotations

import numpy as np

from everlet.state.atoms import Atoms
from everlet.state.topology import BOND, links, rows_of


def joined(atoms: Atoms, rows: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """For each chosen atom the smallest id among those that pairs of rows (m, 2) join it with, 0 for others (n,). All atoms
    must be here."""
    least = np.where(chosen, atoms.read("id"), 0)
    while True:
        before = least.copy()
        low = least[rows].min(axis=1, initial=np.iinfo(np.int64).max)
        for side in (0, 1):
            np.minimum.at(least, rows[:, side], low)
        owner = rows_of(atoms, least)  # the atom whose id it is may know a smaller one by now
        least = np.where(owner >= 0, least[owner], least)
        if (least == before).all():
            return least


def bonded_rows(atoms: Atoms, chosen: np.ndarray) -> np.ndarray:
    """Rows (m, 2) of bonds between chosen atoms. All atoms must be here."""
    rows = rows_of(atoms, links(atoms, BOND)[:, 1:])
    rows = rows[(rows >= 0).all(axis=1)]
    return rows[chosen[rows].all(axis=1)]


def fragments(atoms: Atoms, chosen: np.ndarray) -> np.ndarray:
    """For each chosen atom the smallest id of its fragment, 0 for those without any bond and those not chosen (n,). Only bonds
    between chosen atoms join them. All atoms must be here."""
    least = joined(atoms, bonded_rows(atoms, chosen), chosen)
    bonded = np.zeros(atoms.n, bool)
    bonded[bonded_rows(atoms, np.ones(atoms.n, bool)).ravel()] = True
    return np.where(bonded & chosen, least, 0)
