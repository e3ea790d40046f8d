"""Names of the control words (portable/spaces.py) that kernels of the engine write."""

from everlet.portable.spaces import COUNTERS, FLAGS, STOP, TROUBLE

OUTSIDE = FLAGS  # not zero: an atom left the box through a fixed face
BROKEN = FLAGS + 1  # not zero: the position of an atom is not a number, or far away
CROWDED = FLAGS + 2  # not zero: an atom has more neighbours than its row has room
CLIPPED = FLAGS + 3  # not zero: there are more ghosts than there is room for
UNLINKED = FLAGS + 4  # not zero: an atom that another one is linked to is not here
PLACE = FLAGS + 5  # not zero: the trouble is in the middle of this step of a replayed sequence, counted from 1
TOTAL = COUNTERS  # owned and ghost atoms
STEP = COUNTERS + 1  # the number of the present step (clock.py)
READY = COUNTERS + 2  # the last step of a replayed sequence, counted from 1, whose pre_force hooks have done their work

__all__ = ["BROKEN", "CLIPPED", "CROWDED", "OUTSIDE", "PLACE", "READY", "STEP", "STOP", "TOTAL", "TROUBLE", "UNLINKED"]
