"""A chain of thermostats: the first takes heat from what it thermostats, each other one from the one before it.

Martyna, Klein, Tuckerman, J. Chem. Phys. 97, 2635 (1992); the half step is that of Martyna et al., Mol. Phys. 87, 1117 (1996).

The chain acts for half a step at the end of each step and for another half at the beginning of the next one. Nothing that
it depends on happens in between, so one launch does both: its state is kept twice, as it is `now`, at the end of the step,
and as it will be `ahead`, after the first half of the next step. Outputs and restart files see the former; when a run
begins, the latter is made anew, because target temperature and timestep may have changed.
"""
# ruff: noqa: F821

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everlet.portable import Constants, Kernel, Space, View, exp, f64, i64, parallel_team, portable
from everlet.state.system import System

# of a state: twice the kinetic energy, target temperature, factor of velocities; then the chain's values, their rates and
# the forces on them, as many of each as there are links
KINETIC, TARGET, SCALE, FIRST = 0, 1, 2, 3
# of the parameters: degrees of freedom, mass of the first link in units of the others, kB, damping time, factor of drag,
# timestep, substeps, mvv2e, ramp of temperature: first and last value, first and last step; the temperature that masses are
# made with, 0: the target, so that masses follow a ramp; 1: the target of a step counts from its beginning on, 0: at its end
(COUNT, HEAVY, BOLTZ, TAU, DRAG, DT, LOOPS, MVV2E, T_FIRST, T_LAST, BEGIN, END, WEIGHT, EARLY) = range(14)
GIVEN = 14  # of them
NOW, AHEAD, LAST = 0, 1, 1  # halves: the end of a step, the beginning of the next


TEAM = 256
ROUNDED = 1e-12  # relative


@portable
def chain_halves(t, first: i64, last: i64, parts: i64, begins: i64[:], partial: f64[:], given: f64[:], sums: f64[:],
                 steps: i64[:], state: f64[:], rates: f64[:], rate_first: i64, rate_count: i64):
    """Halves first … last of a chain of LINKS: 0 is the end of a step, 1 the beginning of the next.

    MANY: there is a chain for each of the systems of a batch, t, and sums of its teams of atoms are those from begins[t] on.

    At the end of a step it is told the kinetic energy: the sums of m v^2 of `parts` teams of atoms, or, if there are none,
    along x, y and z. steps[0] is the number of the last whole step: the chain counts for itself, which is one launch less
    than asking the clock. At the end of a step it scales `rate_count` rates, if what it thermostats is few numbers. One thread
    does the work, with the chain in registers; the others help to sum.
    """
    begin = i64(0)
    if MANY:
        begin = begins[t]
        parts = begins[t + 1] - begin
    found = 0.0
    for k in team_range(parts):
        found += partial[begin + k]
    found = team_sum(found)
    if team_rank() == 0:
        size = FIRST + 3 * LINKS
        home = 2 * size * t
        g = GIVEN * t
        dt = given[g + DT] / given[g + LOOPS]
        tau2 = given[g + TAU] * given[g + TAU]
        for half in range(first, last + 1):
            to = home + half * size
            source = home + size - half * size
            kinetic = state[source + KINETIC]
            for k in unroll(LINKS):
                eta[k] = state[source + FIRST + k]
                rate[k] = state[source + FIRST + LINKS + k]
                push[k] = state[source + FIRST + 2 * LINKS + k]
            rate[LINKS] = 0.0
            if half == 0:
                if parts == 0:
                    found = sums[7 * t] + sums[7 * t + 1] + sums[7 * t + 2]
                kinetic = given[MVV2E] * found
                steps[t] += 1
            part = f64(steps[t]) + f64(half) * given[g + EARLY] - given[g + BEGIN]
            if part != 0.0 and given[g + END] != given[g + BEGIN]:
                part /= given[g + END] - given[g + BEGIN]
            target = given[g + T_FIRST] + part * (given[g + T_LAST] - given[g + T_FIRST])
            kt = given[g + BOLTZ] * target
            light = kt * tau2
            if given[g + WEIGHT] > 0.0:
                light = given[g + BOLTZ] * given[g + WEIGHT] * tau2
            heavy = given[g + HEAVY] * light
            wanted = given[g + COUNT] * kt
            inverse = 0.0
            if heavy > 0.0:
                inverse = 1.0 / heavy
            push[0] = (kinetic - wanted) * inverse
            scale = 1.0
            e = 1.0
            for _loop in range(i64(given[g + LOOPS])):
                for k in unroll(LINKS):  # from the last link to the first
                    e = exp(-0.125 * dt * rate[LINKS - k])
                    rate[LINKS - 1 - k] = (rate[LINKS - 1 - k] * e + 0.25 * dt * push[LINKS - 1 - k]) * given[g + DRAG] * e
                factor = exp(-0.5 * dt * rate[0])
                scale *= factor
                kinetic *= factor * factor
                push[0] = (kinetic - wanted) * inverse
                for k in unroll(LINKS):
                    eta[k] += 0.5 * dt * rate[k]
                rate[0] = (rate[0] * e + 0.25 * dt * push[0]) * e
                before = heavy
                for k in unroll(LINKS - 1):  # from the second to the last
                    e = exp(-0.125 * dt * rate[k + 2])
                    push[k + 1] = (before * rate[k] * rate[k] - kt) / light
                    rate[k + 1] = (rate[k + 1] * e + 0.25 * dt * push[k + 1]) * e
                    before = light
            state[to + KINETIC] = kinetic
            state[to + TARGET] = target
            state[to + SCALE] = scale
            if half == 0:
                for k in range(rate_first, rate_first + rate_count):
                    rates[k] *= scale
            for k in unroll(LINKS):
                state[to + FIRST + k] = eta[k]
                state[to + FIRST + LINKS + k] = rate[k]
                state[to + FIRST + 2 * LINKS + k] = push[k]


def chain_kernel(links: int, many: bool = False) -> Kernel:
    return Kernel(chain_halves, team=TEAM, league=True, statics=(("LINKS", links), ("MANY", many)))


class Chain:
    """A chain of `links` thermostats in the memory of a space.

    `sums` is where the sums of m v^2 along x, y and z are to be put before the end of a step.
    """

    def __init__(self, space: Space, links: int, loops: int, tau: float, drag: float):
        self.space, self.links, self.loops, self.tau, self.drag = space, links, loops, tau, drag
        self.size = FIRST + 3 * links
        self.kernel = chain_kernel(links)
        self.partial = View(1, np.float64, space)
        self.parameters = Constants(GIVEN, space)
        self.sums = View(7, np.float64, space)
        self.steps = View(1, np.int64, space)
        self.state = View(2 * self.size, np.float64, space)
        self.rates = (self.sums, 0, 0)  # what it scales: a view, the first place, how many

    def set(self, system: System, count: float, heavy: float, ramp: Sequence[float], mvv2e: float | None = None,
            weight: float = 0.0, early: bool = True) -> None:
        """What the next steps are made with. ramp: first and last temperature; weight: that of the masses; early: the target of
        a step counts from its beginning on."""
        units = system.units
        drag = 1.0 - system.dt * self.drag / (self.tau * self.loops)
        self.parameters.set([count, heavy, units.boltz, self.tau, drag, system.dt, self.loops,
                             units.mvv2e if mvv2e is None else mvv2e, *ramp, system.run_start, system.run_stop, weight, early])

    def launch(self, first: int, last: int, parts: int = 0) -> None:
        """Some halves; `parts` sums of m v^2 are in `partial`, or if 0, those along x, y and z in `sums`."""
        parallel_team(self.space, 1, self.kernel, first, last, parts, self.steps, self.partial, self.parameters.view, self.sums,
                      self.steps, self.state, *self.rates)

    def room(self, parts: int) -> View:
        """Where so many sums are to be put."""
        if self.partial.shape[0] < parts:
            self.partial = View(parts + parts // 4 + 8, np.float64, self.space)
        return self.partial

    def prepare(self, step: int) -> None:
        """The beginning of the step after this one."""
        self.steps.put(np.array([step]))
        self.launch(AHEAD, LAST)

    # ---- on the host
    def read(self, half: int = NOW) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """A state: kinetic energy, target and factor; values, rates, forces."""
        now = np.array(self.space.to_host(self.state.data))[half * self.size :][: self.size]
        links = self.links
        return now[:FIRST], now[FIRST : FIRST + links], now[FIRST + links : FIRST + 2 * links], now[FIRST + 2 * links :]

    def write(self, kinetic: float, target: float, eta: np.ndarray, rate: np.ndarray, push: np.ndarray,
              scale: float = 1.0) -> None:
        """A present state; the other half is made by prepare."""
        now = np.concatenate([[kinetic, target, scale], eta, rate, push])
        self.state.put(np.concatenate([now, now]))

    def whole(self) -> list[float]:
        """The present state, for restart files."""
        return np.concatenate(self.read()).tolist()

    def resume(self, now: Sequence[float]) -> None:
        """Go on with such a state, if it is one of as many links."""
        if len(now) == self.size:
            self.state.put(np.array([*now, *now]))

    def masses(self, target: float) -> np.ndarray:
        """Of all links, for a target temperature."""
        light = self.parameters.now[BOLTZ] * (self.parameters.now[WEIGHT] or target) * self.tau**2
        return light * np.array([self.parameters.now[HEAVY]] + [1.0] * (self.links - 1))

    def settle(self, kinetic: float, target: float) -> None:
        """The state with this kinetic energy and target, and the forces on the links that follow from it.

        Where they are what the last step left, but for rounding, nothing changes: a GPU rounds differently.
        """
        (before, _, scale), eta, rate, last = self.read()
        mass = self.masses(target)
        push = np.zeros(self.links)
        push[1:] = (mass[:-1] * rate[:-1] ** 2 - self.parameters.now[BOLTZ] * target) / mass[1:]
        push[1:] = np.where(np.abs(push - last)[1:] <= ROUNDED * (np.abs(push[1:]) + 1.0 / self.tau**2), last[1:], push[1:])
        self.write(kinetic, target, eta, rate, push, scale if kinetic == before else 1.0)

    def energies(self, target: float = 0.0, count: float | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Potential and kinetic energies of the links; for another target, or other degrees of freedom, than the present."""
        (_, present, _), eta, rate, _ = self.read()
        target = target or present
        kt = self.parameters.now[BOLTZ] * target
        counts = np.array([self.parameters.now[COUNT] if count is None else count] + [1.0] * (self.links - 1))
        return counts * kt * eta, 0.5 * self.masses(target) * rate**2
