"""The barostat: strain rates of the box that follow the pressure, with a chain of thermostats of their own.

Martyna, Tobias, Klein, J. Chem. Phys. 101, 4177 (1994); Tuckerman et al., J. Phys. A 39, 5629 (2006). It knows nothing of
atoms: it is given pressures and the kinetic energy, and says how fast the box moves. Components are in the order of Box.h:
xx yy zz yz xz xy. Small arrays of numbers only, so that it can become a kernel as the chain is one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.fixes.nose_hoover.chain import Chain
from everlet.fixes.nose_hoover.words import Words
from everlet.portable import Serial
from everlet.state.box import Box
from everlet.state.system import System


def matrix(h: np.ndarray, symmetric: bool = False) -> np.ndarray:
    """Six components as a matrix: upper triangular, or symmetric."""
    xx, yy, zz, yz, xz, xy = h
    upper = np.array([[xx, xy, xz], [0.0, yy, yz], [0.0, 0.0, zz]])
    return upper + np.triu(upper, 1).T if symmetric else upper


class Barostat:
    """Strain rates and what drives them.

    omega, rate     strain since the fix was made, and its rate
    target          pressures that are wanted now; hydrostatic is their mean
    volume, shape   the reference volume and the inverse shape there, for the deviatoric part
    """

    def __init__(self, system: System, words: Words):
        self.system, self.words = system, words
        self.driven = words.driven
        self.axes = int(self.driven[:3].sum())
        self.omega, self.rate, self.mass, self.target = np.zeros(6), np.zeros(6), np.ones(6), np.zeros(6)
        self.hydrostatic = 0.0
        self.volume = 0.0
        self.shape = np.zeros(6)
        self.sigma = np.zeros((3, 3))
        self.shared = 0.0  # what the motion of the box adds to the rates of velocities
        self.fastest = float(words.damp[self.driven].min())
        self.chain = Chain(Serial(), words.pchain, words.ploop, self.fastest, words.drag) if words.pchain else None
        self.count = 1 if words.style == "iso" else int(self.driven.sum())
        self.atoms, self.weight = 0, 0.0
        self.kept = (0.0, 0, 0)  # temperature of the masses, and the ramp it belongs to, from a restart file

    @property
    def box(self) -> Box:
        return self.system.need_box()

    @property
    def shown(self) -> int:
        """Components that outputs have."""
        return {"iso": 1, "aniso": 3, "tri": 6}[self.words.style]

    # ---- what is wanted
    def aim(self, pressures: np.ndarray) -> None:
        """Target pressures of this step; now and then a new reference shape."""
        system, words = self.system, self.words
        if not self.volume or words.nreset and (system.step - system.run_start) % words.nreset == 0 and words.deviatoric:
            self.volume, self.shape = self.box.volume, self.box.h_inverse
        self.target = np.where(self.driven, pressures, 0.0)
        self.hydrostatic = float(self.target[:3].sum()) / max(self.axes, 1)
        if words.deviatoric:
            excess = matrix(self.target - self.hydrostatic * (np.arange(6) < 3), symmetric=True)
            inverse = matrix(self.shape)
            self.sigma = self.volume * inverse @ excess @ inverse.T

    def weigh(self, target: float) -> None:
        """Masses for a temperature, when a run begins; they stay if the temperature ramps.

        A run that goes on from a restart file written in the middle of the same ramp keeps the masses of that run.
        """
        weight, first, last = self.kept
        ramp = (self.system.run_start, self.system.run_stop)
        self.weight = weight if weight and (first, last) == ramp else target
        self.kept = (0.0, *ramp)
        kt = self.system.units.boltz * self.weight
        self.mass = np.where(self.driven, (self.atoms + 1) * kt * self.words.damp**2, 1.0)
        if self.chain is not None:
            self._set(target)
            self.chain.settle(self.kinetic, target)

    def _set(self, target: float) -> None:
        self.chain.set(self.system, self.count, 1.0, (target, target), 1.0, self.weight)  # type: ignore[union-attr]

    @property
    def kinetic(self) -> float:
        """Twice the kinetic energy of the strains."""
        return float((self.mass * self.rate**2)[self.driven].sum())

    # ---- what moves it
    def kick(self, pressure: np.ndarray, heat: float) -> None:
        """Half a step of the rates under the pressure. heat: twice the kinetic energy along the driven axes, per axis."""
        nktv2p, half = self.system.units.nktv2p, 0.5 * self.system.dt
        drag = 1.0 - self.system.dt * self.words.drag / (self.fastest * self.words.ploop)
        force = (pressure - self.hydrostatic * (np.arange(6) < 3)) * self.box.volume / nktv2p
        if self.words.deviatoric:
            h = matrix(self.box.h)
            stress = h @ self.sigma @ h.T
            force -= stress[[0, 1, 2, 1, 0, 0], [0, 1, 2, 2, 2, 1]] / nktv2p
        if self.words.mtk:
            force[:3] += heat / self.atoms
        self.rate = np.where(self.driven, (self.rate + half * force / self.mass) * drag, 0.0)
        self.shared = float(self.rate[:3].sum()) / (self.axes * self.atoms) if self.words.mtk and self.axes else 0.0

    def thermostat(self, target: float, half: int) -> None:
        """Half a step of the chain, which scales the rates."""
        if self.chain is None:
            return
        self._set(target)
        self.chain.sums.put([self.kinetic, *[0.0] * 6])
        self.chain.launch(half, half)
        self.rate = self.rate * self.chain.read(half)[0][2]

    def strain(self) -> np.ndarray:
        """What it does to velocities: factors for a quarter of a step, shears in half a step."""
        dt = self.system.dt
        return np.concatenate([np.exp(-0.25 * dt * (self.rate[:3] + self.shared)), 0.5 * dt * self.rate[3:]])

    # ---- what it holds
    def energies(self, target: float) -> list[np.ndarray]:
        """Potential and kinetic energy of the strains, of the links of the chain, and the energy of strain against the
        reference shape."""
        driven, shown = self.driven[: max(self.shown, 3)], max(self.shown, 3)
        work = self.hydrostatic * (self.box.volume - self.volume) / self.system.units.nktv2p
        potential = np.where(driven, work / max(self.axes, 1), 0.0) * (np.arange(shown) < 3)
        kinetic = np.where(driven, 0.5 * self.mass * self.rate**2 if shown == 6 else (0.5 * self.mass * self.rate**2)[:3], 0.0)
        if self.shown == 1:
            potential, kinetic = potential.sum(keepdims=True), kinetic.sum(keepdims=True)
        found = [potential, kinetic]
        if self.chain is not None:
            self._set(target)
            found += self.chain.energies(target, 1.0)
        if self.words.deviatoric:
            h = matrix(self.box.h)
            found.append(np.array([0.5 * float(np.trace(self.sigma @ h @ h.T)) / self.system.units.nktv2p]))
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
        found: dict[str, Any] = {name: getattr(self, name).tolist() for name in ("omega", "rate", "shape")}
        links = [part.tolist() for part in self.chain.read()[1:3]] if self.chain is not None else [[], []]
        ramp = (self.system.run_start, self.system.run_stop)
        weight = self.weight if ramp[0] != ramp[1] else 0.0  # between runs: the next one weighs anew
        return found | {"volume": self.volume, "links": links, "weight": [weight, *ramp]}

    def restore(self, state: dict[str, Any]) -> None:
        self.omega, self.rate, self.shape = (np.array(state[name]) for name in ("omega", "rate", "shape"))
        self.volume, self.kept = state["volume"], tuple(state["weight"])
        if self.chain is not None and len(state["links"][0]) == self.chain.links:
            eta, rate = map(np.array, state["links"])
            self.chain.write(0.0, 0.0, eta, rate, np.zeros(self.chain.links))
