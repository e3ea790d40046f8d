"""The barostat: strain rates of the box that follow the pressure, with a chain of thermostats of their own.

It knows nothing of atoms: its kernel (box_loops.py) is given pressures and the kinetic energy, and says how fast the box moves.
Its state stays in memory of the space; the host reads it when it is asked for values. Components are in the order of Box.h.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.fixes.integrators.nose_hoover import box_loops as loops
from everlet.fixes.integrators.nose_hoover.chain import Chain
from everlet.fixes.integrators.nose_hoover.words import Words
from everlet.portable import Constants, Kernel, View, parallel_team
from everlet.portable.traits import WIDEST
from everlet.state.system import System

FOLLOW = Kernel(loops.follow, team=WIDEST, league=True)


def matrix(h: np.ndarray) -> np.ndarray:
    """Six components as an upper triangular matrix."""
    xx, yy, zz, yz, xz, xy = h
    return np.array([[xx, xy, xz], [0.0, yy, yz], [0.0, 0.0, zz]])


class Barostat:
    """Strain rates and what drives them. `chain` is that of the rates, or None."""

    def __init__(self, system: System, words: Words):
        self.system, self.words = system, words
        self.driven, space = words.driven, system.space
        self.axes = int(self.driven[:3].sum())
        self.mass = np.ones(6)
        self.fastest = float(words.damp[self.driven].min())
        self.chain = Chain(space, words.pchain, words.ploop, self.fastest, words.drag) if words.pchain else None
        self.view = View(loops.NUMBERS, np.float64, space)
        if self.chain is not None:
            self.chain.rates = (self.view, loops.RATE, 6)
        self.given, self.uses = Constants(loops.PARAMETERS, space), Constants(1, space)
        self.strain, self.cells = View(6, np.float64, space), View(45, np.float64, space)
        self.unused = Chain(space, 1, 1, 1.0, 0.0)  # stands for a chain that is not there
        self.steps, self.contributors = View(1, np.int64, space), 0
        self.count = 1 if words.style == "iso" else int(self.driven.sum())
        self.atoms, self.weight = 0, 0.0
        self.kept = (0.0, 0, 0)  # temperature of the masses, and the ramp it belongs to, from a restart file

    @property
    def shown(self) -> int:
        """Components that outputs have."""
        return {"iso": 1, "aniso": 3, "tri": 6}[self.words.style]

    # ---- what it is made with
    def set(self, weights: list[float], ptail: float, kinetic: bool, point: np.ndarray, chained: bool) -> None:
        """For the next steps: how much the virial of each contributor counts, the tail correction, the kinetic part."""
        system, words, box = self.system, self.words, self.system.need_box()
        units, together = system.units, [float(axis in words.coupled) for axis in range(3)]
        drag = 1.0 - system.dt * words.drag / (self.fastest * words.ploop)
        self.given.set([system.dt, drag, units.nktv2p, units.mvv2e, self.atoms, self.axes, words.style == "iso", words.mtk,
                        words.deviatoric, system.dimension == 2, ptail, system.run_start, system.run_stop, words.nreset,
                        kinetic, chained, self.chain is not None, box.triclinic, *self.driven, *self.mass, *words.start,
                        *words.stop, *together, *(words.scaled.get(place, False) for place in (3, 4, 5)), *point,
                        *box.periodic])
        self.contributors = len(weights)
        if self.uses.view.shape[0] < len(weights):
            self.uses = Constants(len(weights), system.space)
        self.uses.set([*weights, *[0.0] * (self.uses.view.shape[0] - len(weights))])

    def weigh(self, target: float) -> None:
        """Masses for a temperature, when a run begins; they stay if the temperature ramps.

        A run that goes on from a restart file written in the middle of the same ramp keeps the masses of that run.
        """
        weight, first, last = self.kept
        ramp = (self.system.run_start, self.system.run_stop)
        self.weight = weight if self.system.continues and (first, last) == ramp else target
        kt = self.system.units.boltz * self.weight
        self.mass = np.where(self.driven, (self.atoms + 1) * kt * self.words.damp**2, 1.0)

    def thermostat(self, ramp: tuple[float, float]) -> None:
        """Parameters of the chain; ramp: first and last temperature."""
        if self.chain is not None:
            self.chain.set(self.system, self.count, 1.0, ramp, 1.0, self.weight, early=False)

    def settle(self, target: float) -> None:
        """The chain as it is when a run begins."""
        if self.chain is not None:
            before, found = float(self.chain.read()[0][0]), self.kinetic
            self.chain.settle(before if abs(found - before) <= 1e-12 * abs(before) else found, target)

    # ---- the step
    def follow(self, phase: int, measured: bool, sums: View, chain: Chain | None, corners: Any) -> None:
        """Launch one part of a step (box_loops.py)."""
        space, atoms, own = self.system.space, chain or self.unused, self.chain or self.unused
        parallel_team(space, 1, FOLLOW, phase, int(measured), self.contributors, self.uses.view, sums, self.given.view,
                      atoms.state, atoms.size, own.state, own.size, self.steps, corners.given.view, self.view,
                      self.system.box_view(), self.strain, self.cells, atoms.sums, own.sums, corners.reach2, space.place,
                      space.control)

    # ---- the state, on the host
    def read(self) -> np.ndarray:
        return np.array(self.view.get())

    def put(self, first: int, values: Any) -> None:
        values = np.asarray(values, np.float64)
        self.view.data[first : first + len(values)] = self.system.space.from_host(values)

    @property
    def omega(self) -> np.ndarray:
        return self.read()[loops.OMEGA : loops.RATE]

    @property
    def rate(self) -> np.ndarray:
        return self.read()[loops.RATE : loops.VOLUME]

    @property
    def kinetic(self) -> float:
        """Twice the kinetic energy of the strains."""
        return float((self.mass * self.rate**2)[self.driven].sum())

    def energies(self, target: float) -> list[np.ndarray]:
        """Potential and kinetic energy of the strains, of the links of the chain, and the energy of strain against the
        reference shape."""
        driven, shown, now, box = self.driven[: max(self.shown, 3)], max(self.shown, 3), self.read(), self.system.need_box()
        work = now[loops.HYDROSTATIC] * (box.volume - now[loops.VOLUME]) / self.system.units.nktv2p
        potential = np.where(driven, work / max(self.axes, 1), 0.0) * (np.arange(shown) < 3)
        kinetic = np.where(driven, (0.5 * self.mass * now[loops.RATE : loops.VOLUME] ** 2)[:shown], 0.0)
        if self.shown == 1:
            potential, kinetic = potential.sum(keepdims=True), kinetic.sum(keepdims=True)
        found = [potential, kinetic]
        if self.chain is not None:
            found += self.chain.energies(target, 1.0)
        if self.words.deviatoric:
            h, sigma = matrix(box.h), now[loops.SIGMA : loops.WANTED].reshape(3, 3)
            found.append(np.array([0.5 * float(np.trace(sigma @ h @ h.T)) / self.system.units.nktv2p]))
        return found

    def beyond_first(self) -> float:
        """What the first link's energy in `energies` leaves out, in kT: it is that of one component, as in the reference,
        and the sum has it for each that is driven (docs/scripts.md)."""
        return (int(self.driven.sum()) - 1) * float(self.chain.read()[1][0]) if self.chain is not None else 0.0

    def values(self) -> list[np.ndarray]:
        """Strains and rates; values and rates of the links."""
        shown = slice(self.shown)
        return [self.omega[shown], self.rate[shown], *(self.chain.read()[1:3] if self.chain is not None else ())]

    def state(self) -> dict[str, Any]:
        return {"numbers": self.read().tolist(), "links": self.chain.whole() if self.chain is not None else [],
                "weight": [self.weight, self.system.run_start, self.system.run_stop]}

    def restore(self, state: dict[str, Any]) -> None:
        self.put(0, state["numbers"][-loops.NUMBERS :])  # files of earlier versions have the box before them
        self.kept = tuple(state["weight"])
        if self.chain is not None:
            self.chain.resume(state["links"])
