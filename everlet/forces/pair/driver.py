"""The terms of pair styles: run any of them in any scheme on any space; energy and virial are tallied on demand."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.errors import InputError
from everlet.forces.pair import loops
from everlet.forces.pair.base import PairStyle
from everlet.forces.pair.divided import divided
from everlet.forces.pair.schemes.base import Scheme, SchemeOptions, scheme_on
from everlet.forces.pair.schemes.slabs import FEW_THREADS
from everlet.forces.terms import Term
from everlet.neighbor.ahead import wide
from everlet.neighbor.lists import Neighbor
from everlet.neighbor.surroundings import Surroundings
from everlet.portable import Kernel, Space, View, parallel_for
from everlet.portable.backends import kinds
from everlet.portable.kernels import lane_width
from everlet.portable.language.dtypes import dtype
from everlet.state.ledger import Sums, Tally
from everlet.state.levels import Levels
from everlet.state.system import System


def default_scheme(space: Space, costly: bool = False, any_threads: bool = False) -> str:
    """Half lists (fewest pairs) on few CPU threads with narrow registers, or of a style whose pairs are costly.

    Full lists where more threads would write to one atom or wait for it, and where a register holds 64 bytes: the pairs
    that are computed twice then cost less than adding lanes to the neighbours one by one. any_threads: the same choice for any
    number of threads.
    """
    if not space.simd:
        return "full" if space.many_threads else "half"
    return "half" if (any_threads or space.threads <= FEW_THREADS) and (costly or not wide(space)) else "full"


def _of_scheme(name: str) -> Any:
    return property(attrgetter(f"scheme.{name}"))


class PairTerm(Term):
    """Forces of one pair style, or of one sub-style of a hybrid, computed by a scheme: it sets them, or adds to others'."""

    on_ghosts: bool = _of_scheme("on_ghosts")
    communicates: bool = _of_scheme("communicates")
    by_atom: bool = _of_scheme("by_atom")
    outside: bool = _of_scheme("outside")
    follows_clock: bool = _of_scheme("follows_clock")
    notes: list[str] | tuple[()] = _of_scheme("notes")

    def __init__(self, system: System, style: PairStyle, name: str, scheme: Scheme, level: int = 0):
        self.system, self.name, self.scheme, self.factor, self.style = system, name, scheme, style.factor, style.name
        self.level = level
        self.sets, self.whole = not scheme.adds, style

    @property
    def steady(self) -> bool:  # type: ignore[override]
        return self.scheme.steady and self.whole.follow is None

    def rebuilt(self) -> None:
        """The neighbour list or the bins are new."""
        self.scheme.rebuilt()

    def enter(self, sums: Sums) -> Tally:
        return sums.tally(self.name, self.scheme.parameters.energies, factor=self.factor)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        if self.whole.follow is not None:
            self.factor = self.whole.follow()
            self.scheme.parameters.take_factor(self.whole, self.factor)
            if tally is not None:
                tally.factor = self.factor
        self.scheme.wants = frozenset(name for style, name in self.asked if style == self.style)
        self.scheme.evaluate(tally, comm)

    def peratom(self, near: Surroundings, energy: View, virial: View) -> None:
        self.scheme.parameters.peratom(near, energy, virial, self.factor)

    def drop(self) -> None:
        vars(self.scheme.parameters).clear()
        vars(self.scheme).clear()
        super().drop()

    def part_energies(self) -> np.ndarray:
        return self.scheme.part_energies()


def pair_terms(system: System, style: PairStyle, neighbor: Neighbor, name: str, options: SchemeOptions = SchemeOptions(),  # noqa: B008
               exact: bool = False, levels: Levels | None = None) -> list[PairTerm]:
    """The terms of a pair style in scheme `name`: one, or of a hybrid one for each sub-style, but for those that pair_modify
    compute no is for; with `levels` several, if forces are divided. Those that leave forces on ghosts come first, since the
    others do not touch the rows of ghosts. Of these the first sets forces."""
    kind = scheme_on(name, system.space, style)
    if system.precision not in kind.precisions:
        other = any(system.precision in style.schemes[one].precisions for one in style.schemes)
        raise InputError(f"pair style {style.name}: scheme {name} is not accurate enough in {system.precision} precision",
                         f"use --precision {' or '.join(kind.precisions)}{', or another scheme' * other}")
    for option in options.given():
        if option not in kind.takes:
            raise InputError(f"scheme {name} has no option '{option}'",
                             f"leave it out; it has {' and '.join(kind.takes) or 'none'}")
    made = []
    pieces = style.pieces()
    for k, (one, (after, piece)) in enumerate(zip(kind.each(), pieces, strict=True)):
        for part, level, share in divided(piece, levels, k, len(pieces)) if levels is not None else [("", 0, piece)]:
            scheme = one(system, neighbor, share.numbers(system.space, system.precision))
            scheme.exact = exact
            scheme.label = (f" of sub-style {k + 1}" if len(pieces) > 1 else "") + part
            scheme.choose(replace(options, **{option: None for option in options.given() if option not in one.takes}))
            if piece.computes:
                made.append((share, style.name + after + part, scheme, level))
    made.sort(key=lambda one: not one[2].on_ghosts)
    for _, _, scheme, _ in made[1:]:
        scheme.adds = True
    return [PairTerm(system, *one) for one in made]


def set_knobs(terms: list[PairTerm], kind: type[Scheme], name: str, given: dict[str, int], tuned: dict[str, Any]) -> None:
    """Set the knobs of loops as the user says, others as they are `tuned`."""
    for knob, value in given.items():
        space = terms[0].system.space
        if not space.many_threads:
            raise InputError(f"package everlet {knob} is for {kinds('many_threads')}, and pair forces run on {space}",
                             "leave it out")
        if knob not in kind.knobs:
            raise InputError(f"package everlet {knob}: scheme {name} of this pair style has none", "leave it out" + (
                             f"; it has {' and '.join(kind.knobs)}" if kind.knobs else ", or use scheme full or half"))
        if value not in kind.knobs[knob]:
            raise InputError(f"package everlet {knob} {value}: scheme {name} of this pair style has no such {knob}",
                             f"use one of {', '.join(map(str, kind.knobs[knob]))}")
    for term in terms:
        term.scheme.set_knobs(tuned | given)


def evaluate(style: PairStyle, r2: np.ndarray, space: Space, precision: str = "double", i: int = 1, j: int = 1
             ) -> tuple[np.ndarray, np.ndarray]:
    """F/r and E of types i, j, charges 1 and 1, at squared distances, computed in `space`: for checks. The shift is not
    included."""
    par = style.numbers(space, precision)
    width = lane_width(space.target, precision)
    steps = -(-len(r2) // width)
    points = View(steps * width, dtype("real", precision), space)
    points.put(np.pad(r2, (0, steps * width - len(r2)), mode="edge"))
    force, energy = (View(steps * width, dtype("accum", precision), space) for _ in range(2))
    kernel = Kernel(loops.evaluate, 0, precision, par.fields, statics=par.checked)
    parallel_for(space, steps, kernel, points, par.table, par.data, i, j, par.kinds, force, energy)
    return force.get()[: len(r2)], energy.get()[: len(r2)]
