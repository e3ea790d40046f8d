"""What tuning may turn besides the pair scheme: knobs of the scheme, then fields of Plan, with the values worth measuring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from everlet.forces.pair.schemes.base import scheme_on
from everlet.neighbor.decide import NeighborSettings
from everlet.state.plan import Plan
from everlet.state.system import System

SKINS = (0.7, 1.4)  # times the default skin
BIN_EDGES = (1 / 3, 1.0)  # of the list radius
SMALL = 4000  # atoms per thread from which all threads are used


@dataclass(frozen=True)
class Knob:
    """`values` gives what to measure besides the present value: nothing where the user chose, or it has no meaning."""

    name: str
    values: Callable[[System, NeighborSettings, Plan], list[Any]]


def _given(values: list[Any], *about: Any) -> list[Any]:
    return values


def of_scheme(system: System, plan: Plan) -> list[Knob]:
    """Those that the plan's scheme has; runs with knobs of the user's are not tuned."""
    kind = scheme_on(plan.scheme, system.space, system.pair)
    return [Knob(name, partial(_given, values[1:])) for name, values in kind.to_try(system).items()]


def threads(system: System, settings: NeighborSettings, plan: Plan) -> list[Any]:
    """Half of them and one, for small systems, where a launch takes longer than the work it shares out."""
    most = system.space.most
    small = system.natoms < SMALL * most * system.ranks.size
    return sorted({most // 2, 1} - {0, most}, reverse=True) if small and not system.space.given else []


def skins(system: System, settings: NeighborSettings, plan: Plan) -> list[Any]:
    """Only where lists are rebuilt in time by themselves: with `every` or `delay` a shorter skin might miss pairs."""
    by_itself = settings.check and settings.every == 1 and settings.delay == 0 and not settings.once
    return [factor * system.units.skin for factor in SKINS] if settings.skin < 0 and by_itself else []


def bins(system: System, settings: NeighborSettings, plan: Plan) -> list[Any]:
    chosen = settings.binsize > 0 or settings.style != "bin"
    return [] if chosen or not scheme_on(plan.scheme, system.space, system.pair).needs_list else list(BIN_EDGES)


KNOBS = (Knob("skin", skins), Knob("threads", threads), Knob("bins", bins))
