"""Memory that objects hold is found by following what they refer to."""

from __future__ import annotations

import numpy as np

from everlet.portable import View
from everlet.portable.held import bytes_held


class Closed(tuple):  # type: ignore[type-arg]
    """As representations of rotations in e3nn, which MACE is made of: it holds things and does not say how many."""

    __slots__ = ()

    def __len__(self) -> int:
        raise NotImplementedError


class Named(dict):  # type: ignore[type-arg]
    def values(self):  # type: ignore[no-untyped-def]
        raise NotImplementedError


def test_classes_made_from_plain_ones_may_refuse_questions() -> None:
    view = View(8, np.float64)
    assert bytes_held([Closed((view,)), [Named(one=view, other=View(2, np.float64))]]) == 80
