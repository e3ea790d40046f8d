"""Maps of cross terms: files with 24 x 24 energies each, and the slopes at their nodes."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, number
from everlet.fixes.forces.crossterms.kernels import NODES
from everlet.inputs import open_text

MOST = 6  # maps of a file


def read_maps(path: str) -> np.ndarray:
    """(maps, phi, psi): energies for angles from -180 degrees on in steps of 15; # begins a comment."""
    try:
        with open_text(path) as stream:
            words = [word for line in stream for word in line.partition("#")[0].split()]
    except OSError as error:
        raise InputError(f"fix cmap cannot read {path}: {error.strerror}", "give the path of a file of maps") from None
    size = NODES * NODES
    if not words or len(words) % size or len(words) > MOST * size:
        raise InputError(f"{path} has {len(words)} numbers, and a map has {NODES} x {NODES}", f"give 1 to {MOST} whole maps")
    return np.array([number(word, "an energy") for word in words]).reshape(-1, NODES, NODES)


def slopes(values: np.ndarray) -> np.ndarray:
    """Per spacing of nodes along the last axis: those of natural splines through the circle and half of it on both sides."""
    half = NODES // 2
    around = np.concatenate([values[..., half:], values, values[..., :half]], axis=-1)
    count = around.shape[-1]
    matrix = np.eye(count)
    right = np.zeros(around.shape)
    inner = np.arange(1, count - 1)
    matrix[inner, inner - 1], matrix[inner, inner], matrix[inner, inner + 1] = 1.0, 4.0, 1.0
    right[..., 1:-1] = 6.0 * (around[..., 2:] - 2.0 * around[..., 1:-1] + around[..., :-2])
    bend = right @ np.linalg.inv(matrix).T
    found = around[..., 1:] - around[..., :-1] - (2.0 * bend[..., :-1] + bend[..., 1:]) / 6.0
    return found[..., half : half + NODES]


def nodes(maps: np.ndarray) -> np.ndarray:
    """(maps, 25, 25, 4): E and its slopes along phi, psi and both; the last row and column are the first again."""
    along_phi = slopes(maps.swapaxes(1, 2)).swapaxes(1, 2)
    found = np.stack([maps, along_phi, slopes(maps), slopes(along_phi)], axis=-1)
    return np.pad(found, ((0, 0), (0, 1), (0, 1), (0, 0)), mode="wrap")
