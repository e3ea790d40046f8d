"""Cycles of a core or of the multiprocessors of a GPU: how many of them a second has, and how many an action takes.

CPU: CPU time of a chain of whole-number additions and exclusive ors, which take one cycle each, right before an action is
timed. GPU: a kernel of one thread reads the counters of cycles and of nanoseconds for a while, after the GPU has been busy; by
OpenCL, which has no such counters, the clock that its driver states.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from everlet.perf import roofline
from everlet.perf.micro_loops import whole_numbers
from everlet.portable import Kernel, Space, View, parallel_for

ENOUGH = {"cpu": 4e-3, "plain": 0.0}  # seconds of a timed action; GPUs: FEW
FEW = 3e-3
PTX = """.version 7.0
.target sm_50
.address_size 64
.visible .entry everlet_clock(.param .u64 out)
{
.reg .u64 %a<8>;
.reg .pred %p;
ld.param.u64 %a1, [out];
cvta.to.global.u64 %a1, %a1;
mov.u64 %a2, %clock64;
mov.u64 %a3, %globaltimer;
again:
mov.u64 %a4, %globaltimer;
sub.u64 %a5, %a4, %a3;
setp.lt.u64 %p, %a5, 5000000;
@%p bra again;
mov.u64 %a6, %clock64;
sub.u64 %a6, %a6, %a2;
st.global.u64 [%a1], %a6;
st.global.u64 [%a1+8], %a5;
ret;
}
"""


class Clock:
    """How fast a space counts. `units`: multiprocessors, or one core."""

    def __init__(self, space: Space):
        self.space = space
        self.units, self.gigahertz = 1, 0.0
        if space.many_threads:
            self.units = space.processors
        self.tick()

    @staticmethod
    @functools.cache
    def of(space: Space) -> Clock:
        return Clock(space)

    def tick(self) -> None:
        """Measure the clock anew: it changes with load and temperature."""
        measured = gpu_gigahertz if self.space.many_threads else cpu_gigahertz
        self.gigahertz = self.space.gigahertz() or measured(self.space)

    def cycles(self, action: Callable[[int], None], rounds: int = 64) -> float:
        """Cycles of all units together for one round of an action, which is told how many rounds to make: enough for a
        time that can be measured. What it takes to start is subtracted."""
        enough = ENOUGH.get(self.space.target, FEW)
        while (spent := roofline.least_of(self.space, partial(action, rounds), 1)) < enough:
            rounds *= max(2, min(16, int(enough / max(spent, 1e-9))))
        self.tick()
        repeats = 5 if enough else 1
        least = roofline.least_of(self.space, partial(action, rounds), repeats)
        start = roofline.least_of(self.space, lambda: action(0), repeats)
        return max(least - start, 1e-12) / rounds * self.gigahertz * 1e9 * self.units


def cpu_gigahertz(space: Space) -> float:
    """By a chain of known length."""
    rounds, out = 100_000 if space.target != "plain" else 100, View(1, np.int64, space)
    kernel = Kernel(whole_numbers)
    return 16 * rounds / roofline.least_of(space, lambda: parallel_for(space, 1, kernel, rounds, 3, 5, out)) / 1e9


def gpu_gigahertz(space: Space) -> float:
    """By the counters of a GPU that has just been busy."""
    gpu: Any = space.gpu
    out = gpu.zeros(2, np.int64)
    roofline.busy(space)
    gpu.launch(gpu.load(PTX, "clock"), 1, 1, (ctypes.c_uint64 * 1)(out.data.ptr))
    space.synchronize()
    cycles, nanoseconds = gpu.to_host(out).tolist()
    return float(cycles / nanoseconds)
