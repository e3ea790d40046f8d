"""How far the corners of a box have moved since lists were built: so much less may atoms move until the next build."""

from __future__ import annotations

import numpy as np

from everlet.portable import Constants, Space, View
from everlet.state.box import Box

UNIT = np.array([[float(k >> axis & 1) for axis in range(3)] for k in range(8)])


class Corners:
    """The corners of the box at the last build; `followed` only if the box changes in a run.

    on_device   the box is changed by a kernel, which reads `given` (the corners and the skin) and leaves the square of how far
                atoms may move in `reach2`; otherwise the host says so
    """

    def __init__(self, space: Space) -> None:
        self.followed = self.on_device = False
        self.held: np.ndarray | None = None
        self.given, self.reach2 = Constants(25, space), View(1, np.float64, space)

    def keep(self, box: Box, skin: float) -> None:
        self.held = box.from_fraction(UNIT) if self.followed else None
        if self.held is not None:
            self.given.set([*self.held.ravel(), skin])

    def reach(self, box: Box, skin: float) -> float:
        """How far an atom may move until lists must be rebuilt: half of what is left of the skin.

        What is taken off is how far the two corners have moved that moved most; in an orthogonal box, the lowest and the
        highest one.
        """
        if self.held is None:
            return 0.5 * skin
        moved = np.sqrt(((box.from_fraction(UNIT) - self.held) ** 2).sum(axis=1)).tolist()
        first, second = sorted(moved)[-2:] if box.triclinic else (moved[0], moved[7])
        return max(0.5 * (skin - (first + second)), 0.0)
