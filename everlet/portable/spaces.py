"""Execution spaces: where code runs and where its memory lives.

    Reference()   plain Python, slow and right; what the others are compared with. Reference(bounds=True) checks every index
    Serial()      compiled code on one CPU core
    Threads(n)    the same code on n CPU threads
    Cuda(i)       GPU number i, through CuPy (memory, streams, launches) and a Python-to-PTX compiler
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet import settings
from everlet.errors import DeviceError

LINE = 64  # bytes of a cache line
NEVER = -(2**62)  # a limit that no kernel is stopped by
LATER = 2**62  # a stop that no kernel is stopped by

# Control words of a space, which kernels can write. GPU kernels of a replayed sequence (graphs.py) look at them first.
STOP = 0  # kernels with a higher limit do nothing: a kernel earlier in the sequence has called them off
TROUBLE = 1  # not zero: something did not fit or is not a number; the rest of the sequence does nothing
FLAGS = 2  # from here on: what the trouble is
COUNTERS = 8  # from here on: numbers of items, for loops whose length is known on the device alone
CONTROLS = 16


def address(array: np.ndarray) -> int:
    """Where a contiguous array begins; asking the array itself takes longer than a short launch."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type]
    except (TypeError, ValueError):  # nothing may be written to it, or it is empty
        return int(array.ctypes.data)


class Traits:
    """What code that chooses between ways to do its work needs to know of a space: so no such code asks for its name."""

    target = "plain"
    memory = "host"

    @property
    def separate_memory(self) -> bool:
        """Host code cannot read the memory: data must be copied. Otherwise arrays are NumPy arrays."""
        return self.memory != "host"

    @property
    def interpreted(self) -> bool:
        """Nothing is compiled: Python runs the text."""
        return self.target in ("plain", "bounds")

    @property
    def asynchronous(self) -> bool:
        """Launches return before the work is done: synchronize() before taking times."""
        return self.target == "cuda"

    @property
    def ordered(self) -> bool:
        """A thread does its items in order, so that a range can be one thread's own (parallel_ranges)."""
        return self.target != "cuda"

    @property
    def atomics(self) -> bool:
        """Many items may add to one place at little cost. Otherwise they need private copies, or turns."""
        return self.target == "cuda"

    @property
    def many_threads(self) -> bool:
        """Thousands of threads: loops need many items, or several threads for each (Kernel.team)."""
        return self.target == "cuda"

    @property
    def side_by_side(self) -> bool:
        """Value k of all items should be side by side in memory. Otherwise all values of an item should."""
        return self.target == "cuda"

    @property
    def replays(self) -> bool:
        """Sequences of launches are replayed as one (graphs.py): lengths and decisions stay in control words meanwhile."""
        return self.target == "cuda"


class Space(Traits):
    """A place to run. `target` names the compiler, `memory` the memory: arrays of equal memory can be shared."""

    name = "space"
    threads = 1  # in use
    most = 1  # threads it has
    given = True  # the user said how many
    queue: list[Any] | None = None  # launches wait here while they are collected (batch.py)
    limit = NEVER  # of launches that are collected for replay
    place = 0  # which step of a replayed sequence launches that are collected belong to
    watch: Callable[..., None] | None = None  # called as watch(kernel, items, arguments, launch) in place of launch()
    gpu: Any = None  # the device that graphs are captured on
    partial: Any = None  # memory for the sums of blocks (sums.py)

    @property
    def counts_on_device(self) -> bool:
        """How many items there are may be known to the device alone: on a GPU, and while launches are collected."""
        return self.many_threads or self.queue is not None

    @property
    def control(self) -> Any:
        """The control words, an array of int64 in this space's memory."""
        if self._control is None:
            self._control = self.zeros(CONTROLS, np.int64)
            self._control[STOP] = LATER
        return self._control

    _control: Any = None
    _control_words: tuple[int, ...] = ()

    def read_control(self) -> list[int]:
        """The control words on the host; waits for work that is under way."""
        return self.read_words(self.control)

    def read_words(self, array: Any) -> list[int]:
        """CONTROLS words of int64, of an array that has as many, on the host; waits for work that is under way."""
        return self.to_host(array).tolist()

    def reset_control(self) -> None:
        """Nothing is called off. Counters stay."""
        self.control[:COUNTERS] = 0
        self.control[STOP] = LATER

    def zeros(self, size: int, dtype: Any) -> Any:
        """A new array of zeros that starts on a cache line, so that rows of 32 bytes never straddle two."""
        itemsize = np.dtype(dtype).itemsize
        raw = np.zeros(size + LINE // itemsize, dtype)
        skip = -raw.ctypes.data % LINE // itemsize
        return raw[skip : skip + size]

    def to_host(self, array: Any) -> np.ndarray:
        """The array in host memory (the same object if it is there already)."""
        return array

    def from_host(self, array: np.ndarray) -> Any:
        """A host array in this space's memory (the same object if that is the host)."""
        return array

    def words(self, array: Any) -> tuple[int, ...]:
        """What a kernel needs to know of an array: its address and length. Most launches name the control words."""
        if array is self._control:
            if not self._control_words:
                self._control_words = address(array), array.size
            return self._control_words
        return address(array), array.size

    def synchronize(self) -> None:
        """Wait until all work of this space is done."""

    def use(self, threads: int) -> None:
        """Work on so many of its threads from now on; 0 means all."""
        self.threads = min(threads or self.most, self.most)

    def __repr__(self) -> str:
        return self.name


class Reference(Space):
    """Plain Python; with `bounds` an index outside of its array is an error that names the statement."""

    name = "reference"

    def __init__(self, bounds: bool = False):
        self.target = "bounds" if bounds else "plain"


class Serial(Space):
    name = "serial"
    target = "cpu"


class Threads(Space):
    """Compiled code on `threads` CPU threads (default: OMP_NUM_THREADS, or the cores this process may use)."""

    target = "cpu"

    def __init__(self, threads: int = 0):
        self.given = threads > 0
        self.most = self.threads = threads or default_threads()
        self.name = f"threads({self.threads})"
        if self.threads > cores():
            allowed = _number("NUMBA_NUM_THREADS") == cores()
            raise DeviceError(f"{self.threads} threads asked for, but " +
                              (f"NUMBA_NUM_THREADS allows {cores()}" if allowed else f"this process may use {cores()} cores"),
                              f"use --threads {cores()}" + (", or unset NUMBA_NUM_THREADS" if allowed else ""))


class Cuda(Space):
    """One NVIDIA GPU."""

    target = "cuda"

    def __init__(self, device: int = 0):
        from everlet.portable.backends.cuda.gpu import connect

        self.gpu = connect(device)
        self.gpu.begin()
        self.name = f"cuda({device})"
        self.memory = self.name

    def zeros(self, size: int, dtype: Any) -> Any:
        return self.gpu.zeros(size, dtype)

    def to_host(self, array: Any) -> np.ndarray:
        return self.gpu.to_host(array)

    def from_host(self, array: np.ndarray) -> Any:
        return self.gpu.from_host(array)

    def words(self, array: Any) -> tuple[int, ...]:
        return self.gpu.words(array)

    def synchronize(self) -> None:
        self.gpu.synchronize()

    @property
    def control(self) -> Any:
        return self.gpu.control

    def read_words(self, array: Any) -> list[int]:
        return self.gpu.read_words(array)

    def reset_control(self) -> None:
        self.gpu.write_words(self.control, [LATER] + [0] * (COUNTERS - 1))


HOST = Serial()


def _number(variable: str) -> int:
    """The number that an environment variable gives, the first of several; 0 if there is none."""
    text = settings.given(variable).split(",")[0].strip()
    if text and not text.isdecimal():
        raise DeviceError(f"{variable}={text} is not a number of threads", "give a positive number, or unset it")
    return int(text or 0)


def cores() -> int:
    """CPU cores this process may use: those it may run on, and no more than NUMBA_NUM_THREADS."""
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(here, _number("NUMBA_NUM_THREADS") or here)


def default_threads(sharing: int = 1) -> int:
    """Threads to use if nobody says how many: OMP_NUM_THREADS, or all cores, divided by the processes that share them."""
    return min(cores(), _number("OMP_NUM_THREADS") or max(1, cores() // sharing))


def choose(device: str = "auto", threads: int = 0) -> Space:
    """The space a user asks for: cpu, cuda, cuda:1, reference, reference:bounds, or auto (a GPU if there is a usable one).

    >>> choose("cpu", threads=1)
    serial
    """
    if threads < 0:
        raise DeviceError(f"cannot run on {threads} threads", "give a positive number, or 0 for all cores")
    if device == "auto":
        from everlet.portable.backends.cuda.found import why_not

        device = "cuda" if why_not() == "" else "cpu"
    if device in ("cuda", "gpu"):
        return Cuda(0)
    if device.startswith("cuda:") and device[5:].isdecimal():
        return Cuda(int(device[5:]))
    if device in ("reference", "reference:bounds"):
        return Reference(device.endswith(":bounds"))
    if device == "serial":
        return Serial()
    if device == "cpu":
        return Threads(threads) if (threads or default_threads()) > 1 else Serial()
    raise DeviceError(f"unknown device '{device}'", "use cpu, cuda, cuda:N, serial, reference, reference:bounds or auto")
