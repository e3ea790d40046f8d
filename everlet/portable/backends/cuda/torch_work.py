"""Work of torch beside ours on a GPU: in order with it, and inside of graphs where that can be."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from everlet.portable.spaces import Space

WARM = 3  # calls before a capture, in which libraries choose their ways


class InOrder:
    """torch works on the stream of the space, inside of `with`. (torch.cuda.stream does the same and takes longer.)"""

    def __init__(self, space: Space, torch: Any):
        self.space, self.torch = space, torch

    def __enter__(self) -> None:
        self.before = self.torch.cuda.current_stream()
        self.torch.cuda.set_stream(_stream(self.torch, self.space.stream))

    def __exit__(self, *_: object) -> None:
        self.torch.cuda.set_stream(self.before)


@functools.cache
def _stream(torch: Any, address: int) -> Any:
    return torch.cuda.ExternalStream(address)


class TorchGraph:
    """What a function does with torch, as a graph; it must take no other arrays meanwhile."""

    def __init__(self, space: Space, torch: Any, function: Callable[[], None]):
        self.inside = hasattr(torch.cuda.CUDAGraph, "raw_cuda_graph")  # older ones have graphs that can only be replayed
        self.space, self.torch = space, torch
        self.graph = torch.cuda.CUDAGraph(**({"keep_graph": True} if self.inside else {}))
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
        with InOrder(self.space, self.torch):
            self.graph.replay()
