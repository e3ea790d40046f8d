"""Spaces that tests of kernels are run on: two threads are enough to see a race."""

from __future__ import annotations

from functools import partial

import pytest

from everlet.portable import Reference, Serial, Threads, choose
from everlet.portable.spaces import cores
from tests.devices import GPUS

SPACES = [Reference(), Serial(), Threads(min(2, cores()))]
ON_GPUS = [pytest.param(partial(choose, one.values[0]), marks=one.marks, id=one.values[0]) for one in GPUS]
MADE = [pytest.param(Reference, id="reference"), pytest.param(Serial, id="serial"),
        pytest.param(lambda: Threads(min(2, cores())), id="threads"), *ON_GPUS]
every_space = pytest.mark.parametrize("space", SPACES, ids=repr)
every_made = pytest.mark.parametrize("make", MADE)
