"""Models on a GPU: their work in order with ours, and inside of graphs where that can be.

torch's kernels go to the stream of the space, so that they wait for ours and ours for them. A model whose arrays have fixed
sizes (`padded`) is captured by torch as a graph of its own, which becomes a part of the graph of a step. What cannot be
captured, because it asks the host for numbers, is called between two graphs.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable
from typing import Any

from everlet.errors import RunError
from everlet.forces.models.libraries import library
from everlet.portable import Space

WARM = 3  # calls before a capture, in which libraries choose their ways


class in_order:
    """On a GPU torch works on the stream of the space, inside of `with`. (torch.cuda.stream does the same and takes longer.)"""

    def __init__(self, space: Space):
        self.torch, self.space = (sys.modules.get("torch") if space.memory != "host" else None), space

    def __enter__(self) -> None:
        if self.torch is not None:
            self.before = self.torch.cuda.current_stream()
            self.torch.cuda.set_stream(_stream(self.space.gpu.stream.ptr))

    def __exit__(self, *_: object) -> None:
        if self.torch is not None:
            self.torch.cuda.set_stream(self.before)


@functools.cache
def _stream(address: int) -> Any:
    return library("torch").cuda.ExternalStream(address)


class Captured:
    """What a function does with torch on a GPU, as a graph; it must take no other arrays meanwhile."""

    def __init__(self, space: Space, function: Callable[[], None]):
        torch = library("torch")
        self.inside = hasattr(torch.cuda.CUDAGraph, "raw_cuda_graph")  # older ones have graphs that can only be replayed
        self.space, self.graph = space, torch.cuda.CUDAGraph(**({"keep_graph": True} if self.inside else {}))
        space.synchronize()
        beside = torch.cuda.Stream()
        with torch.cuda.stream(beside):
            for _ in range(WARM):
                function()
        torch.cuda.synchronize()
        with torch.cuda.graph(self.graph):
            function()

    def launch(self) -> None:
        """Now, or as a part of the graph that is being captured."""
        if self.inside and self.space.gpu.capturing:
            self.space.gpu.embed(self.graph.raw_cuda_graph())
            return
        with in_order(self.space):
            self.graph.replay()


def captured(space: Space, function: Callable[[], None]) -> tuple[Captured | None, str]:
    """The function as a graph, or why it cannot be one."""
    try:
        return Captured(space, function), ""
    except Exception as error:  # whatever the model's own code raises while it is captured
        with contextlib.suppress(Exception):
            library("torch").cuda.synchronize()
        return None, f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}"


def out_of_memory(error: Exception, place: str, n: int, edges: int) -> RunError | None:
    """What is said if memory of a GPU did not suffice for a model; None if that is not what happened."""
    if "OutOfMemory" not in type(error).__name__ and "RESOURCE_EXHAUSTED" not in str(error):
        return None
    remedy, torch = "use fewer atoms, more ranks with a GPU each, or a model in single precision", sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available() and n:
        _, most = torch.cuda.mem_get_info()
        used = max(torch.cuda.max_memory_allocated(), 1)
        fits = int(n * min(most / used, 1.0) * 0.8)
        remedy = f"about {fits} atoms fit into {most / 1e9:.0f} GB, by what {n} had taken until then; {remedy}"
    first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return RunError(f"model {place} does not fit into the memory of the GPU with {n} atoms and {edges} edges: {first}", remedy)


def uses_torch(answer: Any) -> bool:
    """What a model gave are tensors in memory of a GPU."""
    values = answer.values() if isinstance(answer, dict) else answer if isinstance(answer, (tuple, list)) else ()
    return any(getattr(value, "is_cuda", False) for value in values)
