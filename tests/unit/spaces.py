"""Spaces that tests of kernels are run on: two threads are enough to see a race."""

from __future__ import annotations

import pytest

from everlet.portable import Cuda, Reference, Serial, Threads
from everlet.portable.spaces import cores

SPACES = [Reference(), Serial(), Threads(min(2, cores()))]
MADE = [Reference, Serial, lambda: Threads(min(2, cores())), pytest.param(Cuda, marks=pytest.mark.gpu)]
every_space = pytest.mark.parametrize("space", SPACES, ids=repr)
every_made = pytest.mark.parametrize("make", MADE, ids=["reference", "serial", "threads", "cuda"])
