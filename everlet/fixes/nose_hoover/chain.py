"""A chain of thermostats: the first takes heat from what it thermostats, each other one from the one before it.

Martyna, Klein, Tuckerman, J. Chem. Phys. 97, 2635 (1992); the half step is that of Martyna et al., Mol. Phys. 87, 1117 (1996).

The chain acts for half a step at the end of each step and for another half at the beginning of the next one. Nothing that
it depends on happens in between, so one launch does both: its state is kept twice, as it is `now`, at the end of the step,
and as it will be `ahead`, after the first half of the next step. Outputs and restart files see the former; when a run
begins, the latter is made anew, because target temperature and timestep may have changed.
"""
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

from everlet.portable import Constants, Kernel, View, exp, f64, i64, parallel_for, portable

# of a state: twice the kinetic energy, target temperature, factor of velocities; then the chain's values (M), their
# rates (M + 1, the last stays 0) and the forces on them (M)
KINETIC, TARGET, SCALE, FIRST = 0, 1, 2, 3
# of the parameters: degrees of freedom, mass of the first link in units of the others, kB, damping time, factor of drag,
# timestep, substeps, mvv2e, ramp of temperature: first and last value, first and last step; the temperature that masses are
# made with, 0: the target, so that masses follow a ramp
(COUNT, HEAVY, BOLTZ, TAU, DRAG, DT, LOOPS, MVV2E, T_FIRST, T_LAST, BEGIN, END, WEIGHT) = range(13)
NOW, AHEAD, LAST = 0, 1, 1  # halves: the end of a step, the beginning of the next


@portable
def half_step(place: i64, links: i64, given: f64[:], state: f64[:]):
    """The state from `place` on, half a step later; gives the factor of velocities."""
    eta = place + FIRST
    rate = eta + links
    push = rate + links + 1
    kt = given[BOLTZ] * state[place + TARGET]
    light = kt * given[TAU] * given[TAU]
    if given[WEIGHT] > 0.0:
        light = given[BOLTZ] * given[WEIGHT] * given[TAU] * given[TAU]
    heavy = given[HEAVY] * light
    dt = given[DT] / given[LOOPS]
    wanted = given[COUNT] * kt
    inverse = 0.0
    if heavy > 0.0:
        inverse = 1.0 / heavy
    scale = 1.0
    e = 1.0
    state[push] = (state[place + KINETIC] - wanted) * inverse
    for _loop in range(i64(given[LOOPS])):
        for down in range(links):
            k = links - 1 - down
            e = exp(-0.125 * dt * state[rate + k + 1])
            state[rate + k] = (state[rate + k] * e + 0.25 * dt * state[push + k]) * given[DRAG] * e
        factor = exp(-0.5 * dt * state[rate])
        scale *= factor
        state[place + KINETIC] *= factor * factor
        state[push] = (state[place + KINETIC] - wanted) * inverse
        for k in range(links):
            state[eta + k] += 0.5 * dt * state[rate + k]
        state[rate] = (state[rate] * e + 0.25 * dt * state[push]) * e
        before = heavy
        for k in range(1, links):
            e = exp(-0.125 * dt * state[rate + k + 1])
            state[push + k] = (before * state[rate + k - 1] * state[rate + k - 1] - kt) / light
            state[rate + k] = (state[rate + k] * e + 0.25 * dt * state[push + k]) * e
            before = light
    return scale


@portable
def chain_halves(i, first: i64, last: i64, links: i64, given: f64[:], sums: f64[:], steps: i64[:], state: f64[:]):
    """Halves first … last: 0 is the end of a step, with the kinetic energy in `sums`; 1 the beginning of the next.

    steps[0] is the number of the last whole step: the chain counts for itself, which is one launch less than asking the clock.
    """
    size = FIRST + 3 * links + 1
    for half in range(first, last + 1):
        to = half * size
        source = size - to
        for k in range(size):
            state[to + k] = state[source + k]
        if half == 0:
            state[to + KINETIC] = given[MVV2E] * (sums[0] + sums[1] + sums[2])
            steps[0] += 1
        part = f64(steps[0] + half) - given[BEGIN]
        if part != 0.0 and given[END] != given[BEGIN]:
            part /= given[END] - given[BEGIN]
        state[to + TARGET] = given[T_FIRST] + part * (given[T_LAST] - given[T_FIRST])
        state[to + SCALE] = half_step(to, links, given, state)


HALVES = Kernel(chain_halves)


class Chain:
    """A chain of `links` thermostats in the memory of a space.

    `sums` is where the sums of m v^2 along x, y and z are to be put before the end of a step.
    """

    def __init__(self, space, links, loops, tau, drag):
        self.space, self.links, self.loops, self.tau, self.drag = space, links, loops, tau, drag
        self.size = FIRST + 3 * links + 1
        self.parameters = Constants(13, space)
        self.sums = View(7, np.float64, space)
        self.steps = View(1, np.int64, space)
        self.state = View(2 * self.size, np.float64, space)

    def set(self, system, count, heavy, ramp, mvv2e=None, weight=0.0):
        """What the next steps are made with. ramp: first and last temperature; weight: that of the masses."""
        units = system.units
        drag = 1.0 - system.dt * self.drag / (self.tau * self.loops)
        self.parameters.set([count, heavy, units.boltz, self.tau, drag, system.dt, self.loops,
                             units.mvv2e if mvv2e is None else mvv2e, *ramp, system.run_start, system.run_stop, weight])

    def launch(self, first, last):
        parallel_for(self.space, 1, HALVES, first, last, self.links, self.parameters.view, self.sums, self.steps, self.state)

    def prepare(self, step):
        """The beginning of the step after this one."""
        self.steps.put(np.array([step]))
        self.launch(AHEAD, LAST)

    # ---- on the host
    def read(self, half=NOW):
        """A state: kinetic energy, target and factor; values, rates, forces."""
        now = np.array(self.space.to_host(self.state.data))[half * self.size :][: self.size]
        links = self.links
        return now[:FIRST], now[FIRST : FIRST + links], now[FIRST + links : FIRST + 2 * links], now[FIRST + 2 * links + 1 :]

    def write(self, kinetic, target, eta, rate, push):
        """A present state; the other half is made by prepare."""
        now = np.concatenate([[kinetic, target, 1.0], eta, rate, [0.0], push])
        self.state.put(np.concatenate([now, now]))

    def masses(self, target):
        """Of all links, for a target temperature."""
        light = self.parameters.now[BOLTZ] * (self.parameters.now[WEIGHT] or target) * self.tau**2
        return light * np.array([self.parameters.now[HEAVY]] + [1.0] * (self.links - 1))

    def settle(self, kinetic, target):
        """The state with this kinetic energy and target, and the forces on the links that follow from it."""
        _, eta, rate, _ = self.read()
        mass = self.masses(target)
        push = np.zeros(self.links)
        push[1:] = (mass[:-1] * rate[:-1] ** 2 - self.parameters.now[BOLTZ] * target) / mass[1:]
        self.write(kinetic, target, eta, rate, push)

    def energies(self, target=0.0, count=None):
        """Potential and kinetic energies of the links; for another target, or other degrees of freedom, than the present."""
        (_, present, _), eta, rate, _ = self.read()
        target = target or present
        kt = self.parameters.now[BOLTZ] * target
        counts = np.array([self.parameters.now[COUNT] if count is None else count] + [1.0] * (self.links - 1))
        return counts * kt * eta, 0.5 * self.masses(target) * rate**2
