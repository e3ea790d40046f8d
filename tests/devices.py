"""Devices of this machine with many threads, for tests of every device. One that is absent makes no tests, instead of skipped
ones."""

from __future__ import annotations

import pytest

from everlet.portable.backends.opencl import found as opencl
from everlet.portable.devices import devices

MANY = [one.name for one in devices().values() if one.traits.many_threads and one.why_not() == ""]
# of these, one that is this machine's cores, by PoCL: it runs paths of GPUs without a GPU, slowly
ON_CORES = [name for name in MANY if name == "opencl" and not opencl.on_gpu(0)]


def marked(name: str, *more: object) -> object:
    """A device of MANY, with more, as a parameter of tests: for a GPU `make test-gpu`, on cores `make test-all`."""
    return pytest.param(name, *more, marks=pytest.mark.all if name in ON_CORES else pytest.mark.gpu)


GPUS = [marked(name) for name in MANY]
