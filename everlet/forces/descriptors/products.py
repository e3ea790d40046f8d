"""Components with their products: what quadratic models are linear in."""

from __future__ import annotations

import numpy as np

from everlet.forces.descriptors.base import Batch


def width(components: int, quadratic: bool) -> int:
    """Components and, if asked for, their products."""
    return components + components * (components + 1) // 2 if quadratic else components


def products_too(batch: Batch, slopes: bool) -> Batch:
    """The batch with half the squares and the products of components behind them."""
    one, two = np.triu_indices(batch.values.shape[1])
    half = np.where(one == two, 0.5, 1.0)
    b, g = batch.values, batch.slopes
    if slopes:
        each = b[batch.of][:, None, :]
        batch.slopes = np.concatenate([g, half * (g[..., one] * each[..., two] + g[..., two] * each[..., one])], axis=2)
    batch.values = np.concatenate([b, half * b[:, one] * b[:, two]], axis=1)
    return batch
