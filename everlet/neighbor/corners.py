"""How far the corners of a box have moved since lists were built: so much less may atoms move until the next build."""

from __future__ import annotations

import numpy as np

from everlet.state.box import Box

UNIT = np.array([[float(k >> axis & 1) for axis in range(3)] for k in range(8)])


class Corners:
    """The corners of the box at the last build; `followed` only if the box changes in a run."""

    def __init__(self) -> None:
        self.followed = False
        self.held: np.ndarray | None = None

    def keep(self, box: Box) -> None:
        self.held = box.from_fraction(UNIT) if self.followed else None

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
