"""Rigid bodies in a box that follows the pressure.

Strain rates w_a of the driven axes follow the pressure, with N_f degrees of freedom of the bodies in all, the masses
W_a = (N_f + dim) kT tau_a^2, and a chain of thermostats of their own (r_k its rates):

    w_a += dt/2 [(P_a - P_target) V / nktv2p + (sum M V^2 + sum L.w) / N_f] / W_a,   then times e^(-dt/2 r_1)
    V_a -> V_a e^(-dt/2 (w_a + sum w / N_f)),   L -> L e^(-dt/2 dim sum w / N_f)

(Kamberaj et al., J. Chem. Phys. 122, 224114 (2005)). The few numbers of the barostat are on the host.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from everlet.errors import RunError
from everlet.fixes.own_computes import OwnComputes
from everlet.fixes.rigid import ensemble_loops as loops
from everlet.fixes.rigid import kernels
from everlet.fixes.rigid.nose_hoover import ThermalBodies, weights
from everlet.fixes.rigid.words import COUPLED
from everlet.portable import Kernel, parallel_for, parallel_reduce
from everlet.portable.views import Constants
from everlet.state.broken import UNSTABLE
from everlet.state.operation import VIRIAL
from everlet.state.system import System


class BarostatBodies(ThermalBodies, OwnComputes):
    """fix ID group rigid/npt|rigid/nph[/small] … iso|aniso|x|y|z PSTART PSTOP PDAMP … [couple …] [pchain N] [dilate GROUP]"""

    changes_box = needs_tally = True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        words = self.words
        self.heat_id = self.make_compute("temp", "temp", "all", [])
        self.press_id = self.make_compute("press", "pressure", "all", [self.heat_id])
        self.dilated = system.groups.bit(words.dilate)
        self.rate = np.zeros(3)
        self.links, self.link_rates, self.pushes = (np.zeros(words.pchain) for _ in range(3))
        self.mass, self.common, self.reference, self.wanted, self.found = np.ones(3), 0.0, 0.0, np.zeros(3), np.zeros(3)
        self.cell = Constants(6, system.space)

    def kernels(self) -> list[Kernel]:
        return [*super().kernels(), loops.DILATE, loops.DILATE_BODY, loops.KINETIC]

    def needs(self, step: int) -> tuple[str, ...]:
        return (VIRIAL,)

    def init(self) -> None:
        super().init()
        self.steady = False

    # ---- before a run
    def setup(self) -> None:
        super().setup()
        parallel_reduce(self.system.space, self.count, loops.KINETIC, self.body, into=self.sums)
        self._weigh()
        self.pushes[1:] = (self._link_masses()[:-1] * self.link_rates[:-1] ** 2 - self.kt) / self._link_masses()[1:]
        self._follow()

    @property
    def kt(self) -> float:
        """Of the target; without one of the temperature when the run began, or a usual one for atoms at rest."""
        return self.system.units.boltz * (float(self.state_view.get()[loops.TARGET]) if self.words.temp else self.reference)

    @property
    def all_counts(self) -> float:
        return sum(self.counts)

    def _weigh(self) -> None:
        if not self.words.temp:
            self.reference = self.heat.scalar() or (1.0 if self.system.units.name == "lj" else 300.0)  # as in the reference
        self.mass = np.where(self.words.driven, (self.all_counts + self.system.dimension) * self.kt * self.words.damp**2, 1.0)

    def _link_masses(self) -> np.ndarray:
        light = self.kt * self.words.damp[self.words.driven].min() ** 2
        masses = np.full(self.words.pchain, light)
        masses[0] *= self.system.dimension**2
        return masses

    def begin(self) -> None:
        super().begin()
        self._set_scale()

    def _set_scale(self) -> None:
        """What the box and the chains do to bodies in half a step."""
        h, d = 0.5 * self.system.dt, int(self.words.driven.sum())
        factors = np.array(self._factors())
        factors[:3] *= np.exp(-h * (self.rate + self.common))
        factors[3] *= np.exp(-h * d * self.common)
        x = h * self.rate
        self.scale.put(np.concatenate([factors, self.system.dt * np.exp(x) * series(x)]))

    # ---- the step
    def initial_integrate(self) -> None:
        self._advance()
        self._thermostat()
        self._dilate()
        self._place(kernels.MOVE, 0)
        self._dilate()
        self._set_scale()

    def _dilate(self) -> None:
        """Box, atoms and bodies grow for half a step."""
        system, box = self.system, self.system.need_box()
        centre = 0.5 * (box.lo + box.hi)
        factor = np.where(self.words.driven, np.exp(0.5 * system.dt * self.rate), 1.0)
        if not np.isfinite(factor).all():
            raise RunError(f"the pressure is not a finite number at step {system.step}", UNSTABLE)
        self.cell.set([*centre, *factor])
        atoms = system.atoms
        parallel_for(system.space, atoms.n, loops.DILATE, atoms.view("x", modify=True), atoms.view("mask"), self.dilated,
                     self.cell.view)
        parallel_for(system.space, self.count, loops.DILATE_BODY, self.body, self.cell.view)
        box.lo[:], box.hi[:] = centre + (box.lo - centre) * factor, centre + (box.hi - centre) * factor
        self.shape = copy.deepcopy(box)
        system.put_box()

    def final_integrate(self) -> None:
        super().final_integrate()
        self._follow()
        self._set_scale()

    # ---- the barostat
    def _follow(self) -> None:
        """Half a step of the strain rates under the pressure."""
        system, words, heat = self.system, self.words, self.heat
        units, box = system.units, system.need_box()
        sums = heat.sums()
        heat.note("scalar", heat.from_sums(sums))
        heat.note("vector", units.mvv2e * sums[:6])
        scalar, tensor = self.press.pressures()
        now = np.full(3, scalar) if words.couple == "xyz" else tensor[:3].copy()
        together = list(COUPLED[words.couple])
        if words.couple != "xyz" and together:
            now[together] = now[together].mean()
        part = float(system.step - system.run_start)
        if part and system.run_stop != system.run_start:
            part /= system.run_stop - system.run_start
        self.wanted = words.start + part * (words.stop - words.start)
        moving, turning = self.sums.get() * units.mvv2e
        push = (now - self._hydrostatic()) * box.volume / units.nktv2p + (moving + turning) / self.all_counts
        damping = np.exp(-0.5 * system.dt * self.link_rates[0])
        self.rate = np.where(words.driven, (self.rate + 0.5 * system.dt * push / self.mass) * damping, 0.0)
        self.common = float(self.rate.sum()) / self.all_counts

    def _hydrostatic(self) -> float:
        return float(self.wanted[self.words.driven].mean())

    def _thermostat(self) -> None:
        """A step of the chain of the strain rates, split as those of the bodies are."""
        kt, links, loops = self.kt, self.words.pchain, self.words.loops
        self.mass = np.where(self.words.driven, (self.all_counts + self.system.dimension) * kt * self.words.damp**2, 1.0)
        mass, rate, push = self._link_masses(), self.link_rates, self.pushes
        push[0] = (self._strain_energy() - kt) / mass[0]
        for part in weights(self.words.order) * loops:
            d = part * self.system.dt / loops
            rate[-1] += 0.5 * d * push[-1]
            for k in reversed(range(links - 1)):
                rate[k] = damped(rate[k], rate[k + 1], push[k], d)
            self.links += d * rate
            push[1:] = (mass[:-1] * rate[:-1] ** 2 - kt) / mass[1:]
            for k in range(links - 1):
                rate[k] = damped(rate[k], rate[k + 1], push[k], d)
                push[k + 1] = (mass[k] * rate[k] ** 2 - kt) / mass[k + 1]
            rate[-1] += 0.5 * d * push[-1]

    def _strain_energy(self) -> float:
        """Twice the kinetic energy of the box, of one axis in the mean."""
        driven = self.words.driven
        return float((self.mass * self.rate**2)[driven].sum()) / max(int(driven.sum()), 1)

    # ---- what others ask
    def scalar(self) -> float:
        shares = 0.5 ** np.arange(self.words.pchain)  # each link takes half of what the next one gives
        chain = float((shares * (self.kt * self.links + 0.5 * self._link_masses() * self.link_rates**2)).sum())
        work = self._hydrostatic() * self.system.need_box().volume / self.system.units.nktv2p
        return super().scalar() + work + int(self.words.driven.sum()) * (self._strain_energy() + chain)

    def state(self) -> dict[str, Any]:
        return {**super().state(), "rate": self.rate.tolist(), "links": self.links.tolist(),
                "link_rates": self.link_rates.tolist(), "pushes": self.pushes.tolist(), "mass": self.mass.tolist(),
                "common": self.common, "wanted": self.wanted.tolist(), "reference": self.reference}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self.rate, self.mass, self.wanted = (np.array(state[name]) for name in ("rate", "mass", "wanted"))
        self.common, self.reference = state["common"], state["reference"]
        if len(state["links"]) == self.words.pchain:
            self.links, self.link_rates, self.pushes = (np.array(state[name]) for name in ("links", "link_rates", "pushes"))


def series(x: Any) -> Any:
    """sinh(x) / x."""
    y = x * x
    return 1.0 + y / 6.0 * (1.0 + y / 20.0 * (1.0 + y / 42.0 * (1.0 + y / 72.0)))


def damped(rate: float, after: float, push: float, d: float) -> float:
    """A rate after the next link has acted and its force."""
    x = 0.25 * d * after
    s = np.exp(-0.5 * x)
    return rate * s * s + 0.5 * d * push * s * series(x)
