"""What the kernels of a step must move and compute, by a simple model: every array element they need counts once.

A row of positions takes 32 bytes, of velocities or forces 24, of positions in steps (fixed_point.py) 16; an index, type,
mask or count takes 4. Neighbours that are read again and again count once: the rest comes from caches. Operations are
those of the physics; index arithmetic, and pairs beyond the cutoff after their distance is known, do not count. The pair
loop has a model for the Lennard-Jones melt alone: other styles read other rows, and more of each atom.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from everlet.perf.roofline import PAIR_OPERATIONS
from everlet.portable import Kernel

X, V, F, STEPS, INDEX = 32, 24, 24, 16, 4  # bytes of a row
DISTANCE = 8  # operations: difference 3, squared distance 5
EACH_SIDE = 13  # operations of a pair within the cutoff after its distance, for the force on one atom
BOTH_SIDES = PAIR_OPERATIONS - DISTANCE  # for the forces on both
ADDED = "+"  # bytes that fused kernels do not share


@dataclass
class Counts:
    """How much there is of everything."""

    atoms: int
    ghosts: int
    entries: int  # of the neighbour list
    pairs: int  # within the cutoff, each once; 0: not of the melt
    bins: int  # of atoms, and as many of ghosts
    full: bool = True  # each pair is in two rows
    fixed: bool = False  # forces read positions in steps

    @property
    def total(self) -> int:
        return self.atoms + self.ghosts


Model = Callable[[Counts, Any, tuple[Any, ...]], dict[str, float]]  # (counts, items, arguments) -> bytes by array

BYTES: dict[str, Model] = {
    # integrate
    "kick_drift": lambda c, n, a: {"x": 2 * X * c.atoms, "v": 2 * V * c.atoms, "f": F * c.atoms, "kind": 2 * INDEX * c.atoms},
    "kick": lambda c, n, a: {"v": 2 * V * c.atoms, "f": F * c.atoms, "kind": 2 * INDEX * c.atoms},
    "mark_moved": lambda c, n, a: {"x": X * c.atoms, "held": V * c.atoms},
    # ghosts
    "wrap": lambda c, n, a: {"x": X * c.atoms},
    "keep_positions": lambda c, n, a: {"x": X * c.atoms, "held": V * c.atoms},
    "count_images": lambda c, n, a: {"x": X * c.atoms, "count": INDEX * c.atoms},
    "fill_images": lambda c, n, a: {"x": X * n, "start": INDEX * n, "shift": 12 * c.ghosts},
    "place_images": lambda c, n, a: {"x": X * n, "start": INDEX * n, "shift": 12 * c.ghosts,
                                     "ghosts": X * c.ghosts},
    "label_images_i32": lambda c, n, a: {"start": INDEX * n, ADDED: 2 * 4 * c.ghosts},
    "label_images_i64": lambda c, n, a: {"start": INDEX * n, ADDED: 2 * 8 * c.ghosts},
    "reverse_forces": lambda c, n, a: {"start": INDEX * n, "f": F * c.ghosts + 2 * F * min(c.atoms, c.ghosts)},
    # bins and lists
    "segment_sum": lambda c, n, a: {ADDED: INDEX * a[0]},
    "scan_segment": lambda c, n, a: {ADDED: 2 * INDEX * a[0]},
    "clear": lambda c, n, a: {ADDED: INDEX * n},
    "assign_bins": lambda c, n, a: {"x": X * c.total, "bin": 2 * INDEX * c.total, "count": 2 * INDEX * 2 * c.bins},
    "permute": lambda c, n, a: {"bin": 2 * INDEX * c.total, "order": INDEX * c.total, "start": INDEX * 2 * c.bins},
    "order_bin": lambda c, n, a: {"order": 2 * INDEX * c.total, "start": INDEX * 2 * c.bins},
    "pack_sorted": lambda c, n, a: {"x": X * c.total, "order": INDEX * c.total, "packed": STEPS * c.total},
    "build_list": lambda c, n, a: {"x": X * c.atoms, "packed": STEPS * c.total, "start": INDEX * 2 * c.bins,
                                   "list": INDEX * c.entries, "count": INDEX * c.atoms},
    # forces
    "to_fixed": lambda c, n, a: {"x": X * c.total, "fixed": STEPS * c.total},
    "neighbor_loop": lambda c, n, a: {"list": INDEX * c.entries, "count": INDEX * c.atoms, "kind": INDEX * c.atoms,
                                      "x": (STEPS if c.fixed else X) * c.total,
                                      "f": F * c.atoms if c.full else 2 * F * c.total} if c.pairs else {},
    "refill": lambda c, n, a: {"order": INDEX * c.atoms, "count": 2 * INDEX * c.atoms},  # entries that fill up not counted
    "clear_copies": lambda c, n, a: {ADDED: 8 * n},
}
OPERATIONS: dict[str, Callable[[Counts], float]] = {
    "kick_drift": lambda c: 12 * c.atoms,
    "kick": lambda c: 6 * c.atoms,
    "mark_moved": lambda c: DISTANCE * c.atoms,
    "neighbor_loop": lambda c: (DISTANCE * c.entries + (2 * EACH_SIDE if c.full else BOTH_SIDES) * c.pairs) if c.pairs else 0,
}


def moved(kernel: Kernel, items: Any, args: tuple[Any, ...], counts: Counts) -> float:
    """Bytes of one launch; 0 if there is no model. What several parts of a fused kernel touch counts once."""
    found: dict[str, float] = {}
    for part in kernel.parts or (kernel,):
        model = BYTES.get(part.body.__name__)
        arrays = model(counts, items, args) if model is not None else {}
        if not arrays:
            return 0.0
        for array, size in arrays.items():
            found[array] = found.get(array, 0.0) + size if array == ADDED else max(found.get(array, 0.0), size)
    return float(sum(found.values()))


def operations(kernel: Kernel, counts: Counts) -> float:
    """Operations of one launch, 0 where nothing is computed but places."""
    return float(sum(OPERATIONS[part.body.__name__](counts) for part in kernel.parts or (kernel,)
                     if part.body.__name__ in OPERATIONS))
