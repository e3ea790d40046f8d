"""Execution spaces: where code runs and where its memory lives.

    Reference()   plain Python, slow and right; what the others are compared with. Reference(bounds=True) checks every index
    Serial()      compiled code on one CPU core
    Threads(n)    the same code on n CPU threads

Those of other devices are in backends/: Cuda(i) in backends/cuda/space.py is GPU number i, through CuPy (memory, streams,
launches) and NVRTC; Hip(i) in backends/hip/space.py AMD GPU number i, through ROCm; OpenCL(i) in backends/opencl/space.py a
device through pyopencl.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet import settings
from everlet.errors import AsksHost, DeviceError
from everlet.portable.backends import traits_of
from everlet.portable.traits import Traits

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


class Space(Traits):
    """A place to run. `target` names the compiler, `memory` the memory: arrays of equal memory can be shared."""

    name = "space"
    target = "plain"
    memory = "host"
    tensors = "cpu"  # what torch calls its memory; '' where no library but our own reads it
    threads = 1  # in use
    most = 1  # threads it has
    given = True  # the user said how many
    queue: list[Any] | None = None  # launches wait here while they are collected (batch.py)
    limit = NEVER  # of launches that are collected for replay
    asker = ""  # whose launches are collected now, to be run later: who may not ask for what is then another one
    kept = 0  # not 0: those launches are run at other steps, too; a number that tells one collection from the next
    place = 0  # which step of a replayed sequence launches that are collected belong to
    watch: Callable[..., None] | None = None  # called as watch(kernel, items, arguments, launch) in place of launch()
    tape: Any = None  # what is launched is noted there, to be run again with the same arguments (tapes.py)
    notes: Any = None  # of a dry run: launches are put there instead of being run (dry.py)
    gpu: Any = None  # the device that graphs are captured on
    partial: Any = None  # memory for the sums of blocks (sums.py)

    def __init_subclass__(cls) -> None:
        """A kind of space has the traits of its target, where it does not say otherwise."""
        if "target" in vars(cls):
            for name, value in vars(traits_of(cls.target)).items():
                if name not in vars(cls):
                    setattr(cls, name, value)

    def __init__(self) -> None:
        """Traits are those of the class: each space is like all of its kind, unless it finds out more."""

    @property
    def separate_memory(self) -> bool:
        """Host code cannot read the memory: data must be copied. Otherwise arrays are NumPy arrays."""
        return self.memory != "host"

    @property
    def arrays(self) -> Any:
        """The library of arrays in this memory: NumPy, or one that has the same functions."""
        return np

    @property
    def stream(self) -> int:
        """The queue of its launches, as a number that other libraries know; 0 if it has none."""
        return 0

    def transforms(self) -> tuple[Any, dict[str, Any]]:
        """Fourier transforms of arrays in this memory: a library with the functions of scipy.fft, and options for them.
        Asked where there is one (the trait `transforming`)."""
        from scipy import fft

        return fft, {"workers": self.threads}

    def plans(self, mesh: tuple[int, int, int], batches: set[int]) -> dict[int, Any]:
        """Transforms of real meshes that are prepared once (fft.py): 0 forward, else backward of so many at once; none where
        `transforms` does it."""
        return {}

    def in_order(self, torch: Any) -> contextlib.AbstractContextManager[None]:
        """Work of torch inside of `with` waits for ours, and ours for it."""
        return contextlib.nullcontext()

    def torch_graph(self, torch: Any, function: Callable[[], None]) -> Any:
        """What a function does with torch, as something to launch(), also as a part of graphs."""
        raise NotImplementedError

    def machine(self) -> str:
        """The processor that it runs on, in words."""
        import llvmlite.binding as llvm

        return f"{platform.machine()} {llvm.get_host_cpu_name()}, {cores()} cores"

    def gigahertz(self) -> float:
        """The clock as its driver states it; 0: it can be measured."""
        return 0.0

    def facts(self) -> dict[str, Any]:
        """What result files say of it."""
        return {"name": self.machine(), "threads": self.threads}

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

    def counted(self, view: Any, place: int, bound: int) -> int:
        """A number that kernels have put into a View; a dry run has the bound."""
        return int(view.data[place]) if self.notes is None else self.notes.counted(bound)

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
        self.ask("numbers of an array")
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

    def same(self, one: Any, other: Any) -> bool:
        """Whether two arrays are in the same place."""
        return self.words(one) == self.words(other)

    def ask(self, what: str, steps: bool = False) -> None:
        """Somebody asks the host for `what`, which launches that wait may change; steps: which is another one at later steps
        alone. Refused to those whose launches are collected, since these would be run with what it is now; launches on a tape
        are of no use then."""
        if self.tape is not None:
            if self.asker or not steps:
                self.tape.spoil(f"{self.asker or 'a part of the step'} asks the host for {what}")
            return
        if self.asker and (self.kept or not steps):
            raise AsksHost(f"{self.asker} asks the host for {what}", "say steady = False in its class, or let kernels read it "
                           "from memory of the device")

    def synchronize(self) -> None:
        """Wait until all work of this space is done."""

    def team(self, items: int, most: int) -> int:
        """Threads that should share each of so many items, a power of two: as many as keep all of them busy; one where threads
        are few."""
        team = 1
        while team < min(most, self.widest) and items * team < self.busy:
            team *= 2
        return team

    def shared(self, team: int) -> int:
        """Threads of an item that a team of so many is to share: one where threads are few."""
        return min(team, self.widest) if self.many_threads else 1

    def in_turn(self, items: int) -> int:
        """Items that one thread does in turn, of those that have something in common: one where threads are many."""
        return 1 if self.many_threads else items

    def use(self, threads: int) -> None:
        """Work on so many of its threads from now on; 0 means all."""
        self.threads = min(threads or self.most, self.most)

    def __repr__(self) -> str:
        return self.name


class Reference(Space):
    """Plain Python; with `bounds` an index outside of its array is an error that names the statement."""

    name = "reference"
    target = "plain"

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


# ---- what words for devices stand for (devices.py)
def read_by(library: Any) -> bool:
    """Every MPI library reads memory of the host."""
    return True


def on_cores(number: int, threads: int) -> Space:
    return Threads(threads) if (threads or default_threads()) > 1 else Serial()


def on_one_core(number: int, threads: int) -> Space:
    return Serial()


def reference(number: int, threads: int) -> Space:
    return Reference()


def checked_reference(number: int, threads: int) -> Space:
    return Reference(bounds=True)
