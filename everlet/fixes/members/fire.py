"""Downhill for each of many systems: FIRE, with the steps of ASE's (E. Bitzek et al., Phys. Rev. Lett. 97, 170201 (2006)).

v = (1 - a) v + a |v| f/|f| while the power f·v is above zero, which lets a fall and the timestep grow; otherwise v = 0 and both
begin again. Then v += dt f and x += dt v, no farther than a longest step. Masses are 1: these are no motions in time. A system
whose force, the length of the vector of all its components, is below a limit rests.
"""

from __future__ import annotations

import numpy as np

from everlet.fixes.members.base import MemberFix
from everlet.portable import Kernel, f64, i32, i64, local, parallel_for, portable, sqrt
from everlet.state.system import System

# of the state of a system: timestep, mixing, steps since the last turn, 1 if it rests; factors of v, f and x of the next step
DT, MIX, SINCE, DONE, OF_V, OF_F, OF_X, FORCE2 = range(8)
STATE = 8
START_DT, LONGEST_DT, START_MIX, LESS_MIX, FASTER, SLOWER, PATIENCE = 0.1, 1.0, 0.1, 0.99, 1.1, 0.5, 5


@portable
def powers(i, v: f64[:, 3], f: f64[:, 3]):
    """f v, v v and f f of an atom."""
    return (f[i, 0] * v[i, 0] + f[i, 1] * v[i, 1] + f[i, 2] * v[i, 2],
            v[i, 0] * v[i, 0] + v[i, 1] * v[i, 1] + v[i, 2] * v[i, 2],
            f[i, 0] * f[i, 0] + f[i, 1] * f[i, 1] + f[i, 2] * f[i, 2])


@portable
def turn_members(s, sums: f64[:], least2: f64, longest: f64, state: f64[:]):
    """What the next step of system s is made of."""
    b = STATE * s
    power = sums[3 * s]
    v2 = sums[3 * s + 1]
    f2 = sums[3 * s + 2]
    state[b + FORCE2] = f2
    of_v = 0.0
    of_f = 0.0
    of_x = 0.0
    state[b + DONE] = 1.0
    if not f2 <= least2:
        state[b + DONE] = 0.0
        if power > 0.0:
            of_v = 1.0 - state[b + MIX]
            of_f = state[b + MIX] * sqrt(v2 / f2)
            if state[b + SINCE] > PATIENCE:
                state[b + DT] = min(state[b + DT] * FASTER, LONGEST_DT)
                state[b + MIX] *= LESS_MIX
            state[b + SINCE] += 1.0
        else:
            state[b + MIX] = START_MIX
            state[b + SINCE] = 0.0
            if v2 > 0.0:
                state[b + DT] *= SLOWER
        of_f += state[b + DT]
        of_x = state[b + DT]
        length = of_x * sqrt(max(of_v * of_v * v2 + 2.0 * of_v * of_f * power + of_f * of_f * f2, 0.0))
        if length > longest:
            of_x *= longest / length
    state[b + OF_V] = of_v
    state[b + OF_F] = of_f
    state[b + OF_X] = of_x


@portable
def pool_members(i, count: i64, sums: f64[:]):
    """Sums over all systems take the place of those of each."""
    for k in range(3):
        total = 0.0
        for s in range(count):
            total += sums[3 * s + k]
        for s in range(count):
            sums[3 * s + k] = total


@local
@portable
def glide_members(i, member: i32[:], state: f64[:], x: f64[:, 4], v: f64[:, 3], f: f64[:, 3]):
    """v = a v + b f; x += c v, with the factors of a system."""
    b = STATE * i64(member[i])
    for d in range(3):
        v[i, d] = state[b + OF_V] * v[i, d] + state[b + OF_F] * f[i, d]
        x[i, d] += state[b + OF_X] * v[i, d]


POWERS, TURN, GLIDE, POOL = Kernel(powers, sums=3), Kernel(turn_members), Kernel(glide_members), Kernel(pool_members)


class Fire(MemberFix):
    """Moves atoms downhill; `ftol` is the force at which a system rests, `longest` how far all its atoms go in a step.
    together: all systems are one, such as the images of a band."""

    steady = integrates = True
    reads, writes = ("x", "f", "member"), ("x",)

    def __init__(self, system: System, id: str, ftol: float, longest: float, together: bool = False):
        super().__init__(system, id)
        self.ftol, self.longest, self.together = ftol, longest, together
        self.progress, self.sums = self.table(np.zeros(STATE * self.count)), self.table(np.zeros(3 * self.count))
        self.add_field("v", width=3)

    def kernels(self) -> list[Kernel]:
        return [POWERS, TURN, GLIDE, POOL]

    def setup(self) -> None:
        state = np.zeros((self.count, STATE))
        state[:, DT], state[:, MIX] = START_DT, START_MIX
        self.progress.put(state.ravel())
        self.system.atoms.view(self.field("v"), modify=True).data[:] = 0.0
        self.final_integrate()

    def initial_integrate(self) -> None:
        atoms = self.system.atoms
        parallel_for(self.system.space, atoms.n, GLIDE, atoms.view("member"), self.progress, atoms.view("x", modify=True),
                     atoms.view(self.field("v"), modify=True), atoms.view("f"))

    def final_integrate(self) -> None:
        atoms = self.system.atoms
        self.members.rows.reduce(POWERS, atoms.view(self.field("v")), atoms.view("f"), into=self.sums)
        if self.together:
            parallel_for(self.system.space, 1, POOL, self.count, self.sums)
        parallel_for(self.system.space, self.count, TURN, self.sums, self.ftol**2, self.longest, self.progress)

    def rests(self) -> tuple[np.ndarray, np.ndarray]:
        """Which systems have come to rest, and the length of the force on each."""
        state = np.array(self.system.space.to_host(self.progress.data)).reshape(-1, STATE)
        return state[:, DONE] > 0.0, np.sqrt(state[:, FORCE2])
