"""Models on a device with memory of its own: their work in order with ours, and inside of graphs where that can be.

torch's kernels go to the stream of the space, so that they wait for ours and ours for them. A model whose arrays have fixed
sizes (`padded`) is captured by torch as a graph of its own, which becomes a part of the graph of a step. What cannot be
captured, because it asks the host for numbers, is called between two graphs.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import Any

from everlet.errors import RunError
from everlet.forces.models.libraries import is_away, library
from everlet.portable import Space


def in_order(space: Space) -> contextlib.AbstractContextManager[None]:
    """torch, if it is in use, works on the stream of the space, inside of `with`."""
    torch = sys.modules.get("torch")
    return contextlib.nullcontext() if torch is None else space.in_order(torch)


def captured(space: Space, function: Callable[[], None]) -> tuple[Any, str]:
    """What the function does with torch as a graph, to `launch`, or None and why it cannot be one; it must take no other arrays
    meanwhile."""
    torch = library("torch")
    try:
        return space.torch_graph(torch, function), ""
    except Exception as error:  # whatever the model's own code raises while it is captured
        with contextlib.suppress(Exception):
            getattr(torch, space.tensors).synchronize()
        return None, f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}"


def out_of_memory(error: Exception, place: str, n: int, edges: int, space: Space) -> RunError | None:
    """What is said if memory did not suffice for a model; None if that is not what happened."""
    if "OutOfMemory" not in type(error).__name__ and "RESOURCE_EXHAUSTED" not in str(error):
        return None
    remedy = f"use fewer atoms, more ranks with a {space.kind} each, or a model in single precision"
    torch = sys.modules.get("torch")
    if torch is not None and space.separate_memory and n:
        memory = getattr(torch, space.tensors)
        _, most = memory.mem_get_info()
        used = max(memory.max_memory_allocated(), 1)
        fits = int(n * min(most / used, 1.0) * 0.8)
        remedy = f"about {fits} atoms fit into {most / 1e9:.0f} GB, by what {n} had taken until then; {remedy}"
    first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return RunError(f"model {place} does not fit into the memory of the {space.kind} with {n} atoms and {edges} edges: {first}",
                    remedy)


def uses_torch(answer: Any) -> bool:
    """What a model gave are tensors, in memory that is not the host's."""
    values = answer.values() if isinstance(answer, dict) else answer if isinstance(answer, (tuple, list)) else ()
    return any(is_away(value) for value in values)
