"""parallel_for, parallel_reduce and parallel_scan over any space.

    @portable
    def axpy(i, a: f64, x: f64[:], y: f64[:]):
        y[i] += a * x[i]

    parallel_for(Threads(2), n, axpy, 2.0, x, y)

A body's first parameter is the index. Statics (keyword arguments: numbers, functions) are compiled in. `fields` names
the parameters of a record `p`. Arguments are views, or arrays in the space's memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.portable import cache, compiler, targets
from everlet.portable.compiler import portable
from everlet.portable.kinds import Array, Kind, dtype
from everlet.portable.scatter import ScatterView
from everlet.portable.spaces import Space
from everlet.portable.views import View

_programs: dict[tuple[Any, ...], Program] = {}
_launchers: Any = None
_threads_set = 0


@dataclass
class Kernel:
    """What a kernel is made of, apart from its arguments: enough to compile it ahead of time."""

    body: portable
    sums: int = 0  # values summed by a reduction; 0 for parallel_for
    precision: str = "double"
    fields: tuple[str, ...] = ()
    team: int = 1  # GPU threads per item; lane loops are shared among them
    statics: tuple[tuple[str, Any], ...] = ()
    layouts: tuple[tuple[str, str], ...] = ()  # of two-dimensional views, where not row

    def key(self, target: str) -> tuple[Any, ...]:
        statics = tuple((k, id(v) if isinstance(v, portable) else v) for k, v in self.statics)
        return id(self.body), target, self.sums, self.precision, self.fields, self.team, statics, self.layouts

    def program(self, target: str) -> Program:
        key = self.key(target)
        if key not in _programs:
            _programs[key] = Program(self, target)
        return _programs[key]


class Program:
    """A kernel for one target: its generated module and, once loaded, its entry."""

    def __init__(self, kernel: Kernel, target: str):
        self.kernel, self.target = kernel, target
        body = kernel.body
        statics, layouts = dict(kernel.statics), dict(kernel.layouts)
        self.kinds: dict[str, Kind | Array] = {k: v for k, v in body.kinds().items() if k not in statics}
        self.layouts = layouts
        self.arguments = targets.Arguments(self.kinds, layouts, kernel.precision)
        text, name = compiler.flatten(body, kernel.fields, statics, layouts)
        width = lane_width(target, kernel.precision)
        self.text = (targets.prelude(target, kernel.precision, kernel.team, width, text) + text
                     + targets.entry(target, name, kernel.sums, self.arguments, kernel.team))
        if target == "cuda":
            from everlet.portable import gpu

            self.text += self._cuda_signature() + f"# {gpu.compiler_name()} sm_{gpu.architecture()}\n"
        self.entry: Any = None

    def _cuda_signature(self) -> str:
        kinds = ["i64"]
        for name in self.arguments.names:
            if name in self.arguments.arrays:
                kinds.append(f"types.Array({self.arguments.arrays[name]}, 1, 'C')")
            else:
                given = self.kinds.get(name)
                wide = "f64" if given is not None and dtype(given.name, "double") is np.float64 else "i64"
                kinds.append(wide)
        if self.kernel.sums:
            kinds.append("types.Array(f64, 1, 'C')")
        return ("def finish(path):\n    from everlet.portable.gpu import translate\n"
                f"    translate(entry, types.void({', '.join(kinds)}), path)\n")

    @property
    def path(self) -> Path:
        return cache.store(self.kernel.body.__name__, self.text)

    def load(self) -> Any:
        """Compile if needed; the entry is a function (plain), an address (cpu) or a module path (cuda)."""
        if self.entry is None:
            path = self.path
            if not cache.built(path):
                cache.report(1, 1, path.stem)
            if self.target == "cuda":
                if not cache.built(path):
                    cache.build(path)
                self.entry = path
            else:
                module = cache.build(path)
                self.entry = module.entry.address if self.target == "cpu" else module.entry
        return self.entry


def lane_width(target: str, precision: str) -> int:
    """SIMD lanes per loop step."""
    if target != "cpu":
        return 1
    from everlet.portable.simd import default_width

    return default_width(dtype("real", precision))


def _flat(name: str, array: Any, want: Any, space: Space) -> Any:
    """The flat buffer behind an argument, checked."""
    data = array.data if isinstance(array, (View, ScatterView)) else array
    if data.dtype != want:
        raise InputError(f"kernel argument '{name}' has type {data.dtype}, expected {np.dtype(want)}",
                         "give a view of the type that the kernel declares")
    on_gpu = not isinstance(data, np.ndarray)
    if on_gpu != (space.target == "cuda"):
        raise InputError(f"kernel argument '{name}' is not in the memory of {space}", "make the view in that space")
    if not isinstance(array, (View, ScatterView)):
        if not data.flags.c_contiguous:
            raise InputError(f"kernel argument '{name}' is not contiguous", "give a whole view")
        data = data.reshape(-1)
    return data


def _arguments(program: Program, args: tuple[Any, ...], space: Space) -> list[Any]:
    """Flat arrays and numbers in the order the entry takes them."""
    if len(args) != len(program.kinds):
        name = program.kernel.body.__name__
        raise InputError(f"kernel '{name}' takes {len(program.kinds)} arguments, not {len(args)}",
                         "give one argument per parameter")
    out: list[Any] = []
    for (name, kind), value in zip(program.kinds.items(), args, strict=True):
        if not isinstance(kind, Array):
            out.append(value)
            continue
        data = _flat(name, value, dtype(kind.kind, program.kernel.precision), space)
        out.append((data, getattr(value, "copy_size", 0)) if kind.scatter and space.target == "cpu" else data)
        if kind.width and program.layouts.get(name, "row") == "column":
            out.append(data.size // kind.width)
    return out


def _words(values: list[Any], program: Program, array_words: Any) -> np.ndarray:
    words: list[int] = []
    for name, value in zip(program.arguments.names, values, strict=False):
        if name in program.arguments.arrays:
            words += array_words(value)
        elif isinstance(program.kinds.get(name), Kind) and dtype(program.kinds[name].name, "double") is np.float64:  # type: ignore[union-attr]
            words.append(int(np.float64(value).view(np.int64)))
        else:
            words.append(int(value))
    return np.array(words, np.int64)


def _cpu_array(value: Any) -> tuple[int, ...]:
    """Address and length; for a scatter argument also the distance between the threads' copies."""
    if isinstance(value, tuple):
        data, copy_size = value
        return data.ctypes.data, copy_size or data.size, copy_size
    return value.ctypes.data, value.size


def _launch(space: Space, kernel: Kernel, n: int, args: tuple[Any, ...], chunk: int, partial: Any = None) -> None:
    program = kernel.program(space.target)
    entry = program.load()
    values = _arguments(program, args, space)
    if space.target == "plain":
        with np.errstate(all="ignore"):
            for c, begin in enumerate(range(0, n, chunk)):
                extra = [] if partial is None else [partial]
                entry(begin, min(n, begin + chunk), c, 0, *values, *(extra or [None]))
        return
    if space.target == "cpu":
        words = _words(values, program, _cpu_array)
        if partial is not None:
            words = np.append(words, [partial.ctypes.data, partial.size])
        _launcher(space)(entry, n, chunk, words.ctypes.data)
        return
    gpu = space.gpu  # type: ignore[attr-defined]
    from everlet.portable.gpu import array_words

    words = _words(values, program, lambda a: array_words(a.data.ptr, a.size, a.itemsize))
    words = np.concatenate([[n], words]).astype(np.int64)
    threads = targets.GPU_BLOCK
    if partial is None:
        blocks = -(-n * kernel.team // threads)
    else:
        words = np.append(words, array_words(partial.data.ptr, partial.size, 8))
        blocks = -(-n // targets.BLOCK)
    gpu.launch(gpu.kernel(entry), blocks, threads, words)


def _launcher(space: Space) -> Any:
    global _launchers, _threads_set
    if _launchers is None:
        from everlet.portable.cpu import LAUNCHERS

        _launchers = cache.build(cache.store("launchers", LAUNCHERS))
    if space.threads == 1:
        return _launchers.serial
    if _threads_set != space.threads:
        import numba

        numba.set_num_threads(space.threads)
        _threads_set = space.threads
    return _launchers.threaded


def parallel_for(space: Space, n: int, body: portable | Kernel, *args: Any, **statics: Any) -> None:
    """Run body(i, *args) for i in 0 … n-1, in any order."""
    kernel = body if isinstance(body, Kernel) else Kernel(body, statics=tuple(statics.items()))
    if n > 0:
        _launch(space, kernel, n, args, -(-n // space.threads))


def parallel_reduce(space: Space, n: int, body: portable | Kernel, *args: Any, sums: int = 1, **statics: Any) -> np.ndarray:
    """Sums over i of the values that body(i, *args) returns (one value, or a tuple of `sums`).

    Items are summed in blocks of fixed size and blocks in order, so the result does not depend on the thread count.
    """
    kernel = body if isinstance(body, Kernel) else Kernel(body, sums=sums, statics=tuple(statics.items()))
    if n <= 0:
        return np.zeros(kernel.sums)
    blocks = -(-n // targets.BLOCK)
    partial = space.zeros(blocks * kernel.sums, np.float64)
    _launch(space, kernel, n, args, targets.BLOCK, partial)
    return space.to_host(partial.reshape(blocks, kernel.sums).sum(axis=0))


def parallel_scan(space: Space, counts: Any, starts: Any) -> int:
    """Exclusive prefix sums: starts[k] = counts[0] + … + counts[k-1], for k up to len(counts); returns the total."""
    source = counts.data if isinstance(counts, View) else counts
    target = starts.data if isinstance(starts, View) else starts
    n = source.size
    target[0] = 0
    target[1 : n + 1] = source.cumsum()
    return int(target[n])


def warm(space: Space, kernels: list[Kernel]) -> None:
    """Compile kernels ahead of their first use, several at a time."""
    if space.target == "plain":
        return
    paths = [kernel.program(space.target).path for kernel in kernels]
    if space.target == "cpu":
        from everlet.portable.cpu import LAUNCHERS

        paths.append(cache.store("launchers", LAUNCHERS))
    cache.build_all(paths)
