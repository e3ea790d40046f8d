"""Batches that are larger than one device: chunks of systems run by workers of any concurrent.futures executor.

A worker is sent plain data: the systems as they were given, where their atoms are now, the potential, the fixes with what they
remember, and what to do. It makes a batch of its own, does it, and sends back where atoms are then. Systems keep their numbers,
so that noise does not depend on how they were divided.
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.api.described import Described

if TYPE_CHECKING:
    from everlet.api.batch import Batch

FIELDS = ("x", "v", "image")


@dataclass
class Work:
    """What a worker is sent."""

    kind: type[Batch]
    settings: dict[str, Any]  # arguments of Batch
    systems: list[Described]
    numbers: list[int]
    commands: list[str]
    fixes: list[tuple[str, dict[str, Any], dict[str, np.ndarray]]]  # name, arguments, what it remembers
    state: dict[str, np.ndarray]  # fields of atoms
    boxes: np.ndarray
    step: int
    action: str  # run or minimize
    arguments: dict[str, Any]


@dataclass
class Done:
    """What it sends back."""

    state: dict[str, np.ndarray]
    boxes: np.ndarray
    kept: list[dict[str, np.ndarray]]
    result: Any
    rows: list[np.ndarray] = field(default_factory=list)


def do(work: Work) -> Done:
    """In the worker."""
    batch = work.kind(work.systems, numbers=work.numbers, **work.settings)
    for text in work.commands:
        batch.commands(text)
    batch.engine.system.step = work.step
    batch.put_state(work.state, work.boxes)
    for name, arguments, kept in work.fixes:
        getattr(batch.fix, name)(**arguments).put(kept)
    result = getattr(batch, work.action)(**work.arguments)
    state, boxes = batch.get_state()
    return Done(state, boxes, [handle.kept() for handle in batch.fix], result, batch.recorded())


def spread(batch: Batch, executor: Executor, chunk: int, action: str, arguments: dict[str, Any]) -> list[Any]:
    """Let workers do something with chunks of so many systems; what they give, in order. The batch has their atoms then."""
    members, count = batch._members, len(batch)
    state, boxes = batch.get_state()
    parts = [range(first, min(first + chunk, count)) for first in range(0, count, chunk)]
    futures = []
    for part in parts:
        rows = slice(int(members.first[part[0]]), int(members.first[part[-1] + 1]))
        own = slice(part[0], part[-1] + 1)
        fixes = [(handle.name, _part(handle.arguments, part, count), {key: one[own] for key, one in handle.kept().items()})
                 for handle in batch.fix]
        work = Work(type(batch), batch.settings, [batch.described[k].plain() for k in part],
                    [int(members.numbers[k]) for k in part], batch.said, fixes,
                    {name: one[rows] for name, one in state.items()}, boxes[part[0] : part[-1] + 1],
                    batch.step, action, _part(arguments, part, count))
        futures.append(executor.submit(do, work))
    done = [future.result() for future in futures]
    batch.put_state({name: np.concatenate([one.state[name] for one in done]) for name in state},
                    np.concatenate([one.boxes for one in done]))
    for k, handle in enumerate(batch.fix):
        handle.put({key: np.concatenate([one.kept[k][key] for one in done]) for key in done[0].kept[k]})
    for rows_of_step in zip(*(one.rows for one in done), strict=True):
        for part, rows_of_part in zip(parts, rows_of_step, strict=True):
            rows_of_part[:, 1] += part[0]
        if not batch._rows or batch._rows[-1][0, 0] != rows_of_step[0][0, 0]:  # a run begins where the last one ended
            batch._rows.append(np.concatenate(rows_of_step))
    return [one.result for one in done]


def _part(arguments: dict[str, Any], part: range, count: int) -> dict[str, Any]:
    """Of numbers that are lists with one for each system, those of a part."""
    def cut(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(cut(one) for one in value)
        if isinstance(value, (list, np.ndarray)) and len(value) == count:
            return [value[k] for k in part]
        return value

    return {name: cut(value) for name, value in arguments.items()}
