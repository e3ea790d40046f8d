"""Names of the control words (portable/spaces.py) that kernels of the engine write."""

from everlet.portable.spaces import COUNTERS, STOP, TROUBLE

TOTAL = COUNTERS  # owned and ghost atoms
GHOSTS = COUNTERS + 1  # ghosts that there should be; more than there is room for is trouble
OUTSIDE = COUNTERS + 2  # not zero: an atom left the box through a fixed face
BROKEN = COUNTERS + 3  # not zero: the position of an atom is not a number, or far away
CROWDED = COUNTERS + 4  # not zero: an atom has more neighbours than its row has room

__all__ = ["BROKEN", "CROWDED", "GHOSTS", "OUTSIDE", "STOP", "TOTAL", "TROUBLE"]
