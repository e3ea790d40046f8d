"""Several schemes one after the other, for hybrid pair styles: each does the work of one sub-style and knows of no other.

All read the same list, which reaches as far as the farthest of them, and leave out what is beyond their own cutoffs. A
scheme sets the forces; those of the ones before are kept meanwhile and added, times the factors of the sub-styles:

    f of the first -> kept,  f of the next added to kept, …,  kept and f of the last -> f

Those that leave forces on ghosts come first: the others do not touch the rows of ghosts. Each has energies and a virial of its
own in the ledger, in the order of pair_style: "hybrid 1", "hybrid 2", …
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme, SchemeOptions
from everlet.forces.pair.schemes.hybrid_loops import join_forces
from everlet.neighbor.lists import Neighbor
from everlet.neighbor.surroundings import Surroundings
from everlet.portable import Kernel, Space, View, parallel_for
from everlet.state.ledger import Sums, Tally
from everlet.state.system import System


class HybridParameters(Parameters):
    """The numbers of every sub-style, and the factor that its energy is multiplied with."""

    def __init__(self, parts: list[Parameters], factors: list[float]):
        self.parts, self.factors = parts, factors
        self.charged = any(part.charged for part in parts)  # type: ignore[misc]

    def peratom_kernels(self, near: Surroundings) -> list[Kernel]:
        return [kernel for part in self.parts for kernel in part.peratom_kernels(near)]

    def peratom(self, near: Surroundings, energy: View, virial: View, factor: float = 1.0) -> None:
        for part, own in zip(self.parts, self.factors, strict=True):
            part.peratom(near, energy, virial, factor * own)

    def kernels(self) -> list[Kernel]:
        return [kernel for part in self.parts for kernel in part.kernels()]


class HybridScheme(Scheme):
    """One scheme for each sub-style; `kinds` are their classes."""

    kinds: ClassVar[tuple[type[Scheme], ...]] = ()
    parameters: HybridParameters

    def __init__(self, system: System, neighbor: Neighbor, parameters: HybridParameters):
        super().__init__(system, neighbor, parameters)
        made = [kind(system, neighbor, numbers) for kind, numbers in zip(self.kinds, parameters.parts, strict=True)]
        order = sorted(range(len(made)), key=lambda k: not made[k].on_ghosts)
        self.parts = [made[k] for k in order]
        self.factors = [parameters.factors[k] for k in order]
        for k, part in zip(order, self.parts, strict=True):
            part.label = f" of sub-style {k + 1}"
        self.order = order
        self.kept = View((1, 3), np.float64, system.space)

    @classmethod
    def of(cls, kinds: tuple[type[Scheme], ...]) -> type[HybridScheme]:
        """The class for these schemes, which all visit pairs in the same way."""
        return type("HybridScheme", (cls,), {
            "kinds": kinds, "pairs": kinds[0].pairs, "needs_list": kinds[0].needs_list, "dense": all(k.dense for k in kinds),
            "precisions": tuple(p for p in kinds[0].precisions if all(p in k.precisions for k in kinds)),
            "takes": tuple(dict.fromkeys(name for k in kinds for name in k.takes)),
            **{name: any(getattr(k, name) for k in kinds) for name in ("gpu_options", "communicates")},
            **{name: tuple(sorted({n for k in kinds for n in getattr(k, name)})) for name in ("teams", "aheads")},
            "steady": all(k.steady for k in kinds)})

    @classmethod
    def on(cls, space: Space) -> type[Scheme]:
        return cls.of(tuple(kind.on(space) for kind in cls.kinds))

    @classmethod
    def repeatable(cls, space: Space, options: dict[str, Any]) -> dict[str, Any]:
        for kind in cls.kinds:
            options = kind.repeatable(space, options)
        return options

    @classmethod
    def worth_trying(cls, system: System) -> bool:
        return all(kind.worth_trying(system) for kind in cls.kinds)

    @classmethod
    def shapes_to_try(cls, system: System) -> list[str]:
        return cls.kinds[0].shapes_to_try(system)

    @classmethod
    def teams_to_try(cls, system: System) -> list[int]:
        return next(filter(None, (kind.teams_to_try(system) for kind in cls.kinds)), [])

    @classmethod
    def aheads_to_try(cls, system: System) -> list[int]:
        return next(filter(None, (kind.aheads_to_try(system) for kind in cls.kinds)), [])

    def choose(self, options: SchemeOptions) -> None:
        super().choose(options)
        for part in self.parts:
            part.choose(replace(options, **{name: None for name in options.given() if name not in part.takes}))

    def on_gpu(self, team: int, ahead: int, carveout: int | None) -> None:
        for part in self.parts:
            part.on_gpu(team, ahead, carveout)

    @property
    def on_ghosts(self) -> bool:
        return any(part.on_ghosts for part in self.parts)

    def _join(self, first: bool, last: bool) -> Kernel:
        return Kernel(join_forces, statics=(("FIRST", first), ("LAST", last)))

    def kernels(self) -> list[Kernel]:
        last = len(self.parts) - 1
        joins = [self._join(k == 0, k == last) for k in range(last + 1) if last or self.factors[k] != 1.0]
        return [kernel for part in self.parts for kernel in part.kernels()] + joins

    def virial_kernels(self) -> list[Kernel]:
        return [kernel for part in self.parts for kernel in part.virial_kernels()]

    def rebuilt(self) -> None:
        for part in self.parts:
            part.rebuilt()

    def enter(self, sums: Sums, name: str, factor: float = 1.0) -> Tally:
        parts = sorted(zip(self.order, self.parts, self.factors, strict=True), key=lambda one: one[0])
        return sums.together(name, tuple(part.enter(sums, f"{name} {k + 1}", factor * own) for k, part, own in parts))

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        atoms, space = self.system.atoms, self.system.space
        force = atoms.view("f", modify=True)
        if self.kept.shape != force.shape:
            self.kept = View(force.shape, np.float64, space)
        everywhere = atoms.capacity if space.counts_on_device else atoms.total
        rows, last = everywhere if self.on_ghosts else atoms.n, len(self.parts) - 1
        for k, (part, factor) in enumerate(zip(self.parts, self.factors, strict=True)):
            sums = tally.parts[self.order[k]] if tally is not None else None
            part.evaluate(sums, comm)
            if last or factor != 1.0:
                touched = rows if part.on_ghosts else atoms.n
                parallel_for(space, rows, self._join(k == 0, k == last), touched, factor, force, self.kept)

    def plain_styles(self, name: str) -> list[tuple[str, Parameters, float]]:
        return [(own, numbers, factor) for k, part, factor in zip(self.order, self.parts, self.factors, strict=True)
                for own, numbers, _ in part.plain_styles(f"{name} {k + 1}")]

    def bytes(self) -> int:
        return self.kept.data.nbytes + sum(part.bytes() for part in self.parts)
