"""Kernels of rigid bodies under thermostats and a barostat (Kamberaj et al., J. Chem. Phys. 122, 224114 (2005)).

`scale` has what these do to bodies in half a step, and how far they drift in a whole one: factors of the velocity along x, y
and z, that of the momentum about axes, and what the velocity along x, y and z is multiplied with in the drift.

Two chains of thermostats, of equal length, take heat from motion (0) and turning (1): G is the kinetic energy of what a link
follows, less what it should be, by its mass; a step is split by the weights w of Yoshida and Suzuki, D = w dt / loops:

    r_k <- r_k e^(-D r_k+1 / 2) + D/2 G_k e^(-D r_k+1 / 4) sinh(D r_k+1 / 4) / (D r_k+1 / 4)       last to first
    eta_k += D r_k,  G from these,  and the same from first to last
"""

from __future__ import annotations

from everlet.fixes.rigid.kernels import (
    FF,
    TF,
    WIDTH,
    F,
    L,
    M,
    P,
    T,
    V,
    W,
    X,
    conjugate,
    momentum_from_conjugate,
    set_turning,
    turn_symplectic,
)
from everlet.portable import Kernel, exp, f64, i32, i64, portable

# of `given`: links, loops, kB, damping time, timestep, mvv2e, ramp of temperature (first and last value, first and last step),
# degrees of freedom of motion and turning, number of weights, then these
LINKS, LOOPS, BOLTZ, TAU, DT, MVV2E, T_FIRST, T_LAST, BEGIN, END, COUNT, WEIGHTS, FIRST_WEIGHT = (*range(11), 12, 13)
# of `state`: the present target; then eta, rates and G of the links, of motion first
TARGET, FIRST = 0, 1


@portable
def advance_scaled(b, dt: f64, half: f64, scale: f64[:], body: f64[:, WIDTH]):
    """The first half of a step; gives M V^2 and L.w."""
    moving = 0.0
    for k in range(3):
        v = (body[b, V + k] + half / body[b, M] * body[b, F + k] * body[b, FF + k]) * scale[k]
        body[b, V + k] = v
        body[b, X + k] += scale[4 + k] * v
        moving += body[b, M] * v * v
    conjugate(b, 2.0 * half, 1.0, body[b, T] * body[b, TF], body[b, T + 1] * body[b, TF + 1], body[b, T + 2] * body[b, TF + 2],
              body)
    for k in range(4):
        body[b, P + k] *= scale[3]
    turn_symplectic(b, dt, body)
    return moving, body[b, L] * body[b, W] + body[b, L + 1] * body[b, W + 1] + body[b, L + 2] * body[b, W + 2]


@portable
def finish_scaled(b, half: f64, scale: f64[:], body: f64[:, WIDTH]):
    """The second half of a step; gives M V^2 and L.w."""
    moving = 0.0
    for k in range(3):
        v = body[b, V + k] * scale[k] + half / body[b, M] * body[b, F + k] * body[b, FF + k]
        body[b, V + k] = v
        moving += body[b, M] * v * v
    conjugate(b, 2.0 * half, scale[3], body[b, T] * body[b, TF], body[b, T + 1] * body[b, TF + 1],
              body[b, T + 2] * body[b, TF + 2], body)
    momentum_from_conjugate(b, body)
    set_turning(b, body)
    return moving, body[b, L] * body[b, W] + body[b, L + 1] * body[b, W + 1] + body[b, L + 2] * body[b, W + 2]


@portable
def series(x: f64):
    """sinh(x) / x."""
    y = x * x
    return 1.0 + y / 6.0 * (1.0 + y / 20.0 * (1.0 + y / 42.0 * (1.0 + y / 72.0)))


@portable
def damped(rate: f64, next: f64, push: f64, d: f64):
    """A rate after the next link has acted and the force G."""
    x = 0.25 * d * next
    s = exp(-x)
    return rate * s * s + 0.5 * d * push * s * series(x)


@portable
def thermostats(i, given: f64[:], sums: f64[:], steps: i64[:], state: f64[:], scale: f64[:]):
    """A step of both chains, from the sums of M V^2 and L.w; leaves the factors of the next half step in `scale`."""
    n = i64(given[LINKS])
    steps[0] += 1
    part = f64(steps[0]) - given[BEGIN]
    if part != 0.0 and given[END] != given[BEGIN]:
        part /= given[END] - given[BEGIN]
    state[TARGET] = given[T_FIRST] + part * (given[T_LAST] - given[T_FIRST])
    kt = given[BOLTZ] * state[TARGET]
    light = kt * given[TAU] * given[TAU]
    for kind in range(2):
        eta = FIRST + 3 * n * kind
        rate = eta + n
        push = rate + n
        wanted = given[COUNT + kind] * kt
        heavy = given[COUNT + kind] * light
        if heavy > 0.0:
            state[push] = (sums[kind] * given[MVV2E] - wanted) / heavy
            for _loop in range(i64(given[LOOPS])):
                for j in range(i64(given[WEIGHTS])):
                    d = given[FIRST_WEIGHT + j] * given[DT] / given[LOOPS]
                    state[rate + n - 1] += 0.5 * d * state[push + n - 1]
                    for q in range(1, n):
                        k = n - 1 - q
                        state[rate + k] = damped(state[rate + k], state[rate + k + 1], state[push + k], d)
                    for k in range(n):
                        state[eta + k] += d * state[rate + k]
                    mass = heavy
                    for k in range(1, n):
                        state[push + k] = (mass * state[rate + k - 1] * state[rate + k - 1] - kt) / light
                        mass = light
                    mass = heavy
                    for k in range(n - 1):
                        state[rate + k] = damped(state[rate + k], state[rate + k + 1], state[push + k], d)
                        state[push + k + 1] = (mass * state[rate + k] * state[rate + k] - kt) / light
                        mass = light
                    state[rate + n - 1] += 0.5 * d * state[push + n - 1]
    half = 0.5 * given[DT]
    factor = exp(-half * state[FIRST + n])
    for k in range(3):
        scale[k] = factor
    scale[3] = exp(-half * state[FIRST + 4 * n])


ADVANCE, FINISH, CHAINS = Kernel(advance_scaled, sums=2), Kernel(finish_scaled, sums=2), Kernel(thermostats)


# ---- the box. cell: the point that stays, and factors along x, y and z
@portable
def dilate_atom(i, x: f64[:, 4], mask: i32[:], bit: i32, cell: f64[:]):
    if mask[i] & bit:
        for k in range(3):
            x[i, k] = cell[k] + (x[i, k] - cell[k]) * cell[3 + k]


@portable
def dilate_body(b, body: f64[:, WIDTH], cell: f64[:]):
    for k in range(3):
        body[b, X + k] = cell[k] + (body[b, X + k] - cell[k]) * cell[3 + k]


@portable
def kinetic(b, body: f64[:, WIDTH]):
    """M V^2 and L.w."""
    moving = body[b, M] * (body[b, V] * body[b, V] + body[b, V + 1] * body[b, V + 1] + body[b, V + 2] * body[b, V + 2])
    return moving, body[b, L] * body[b, W] + body[b, L + 1] * body[b, W + 1] + body[b, L + 2] * body[b, W + 2]


DILATE, DILATE_BODY, KINETIC = Kernel(dilate_atom), Kernel(dilate_body), Kernel(kinetic, sums=2)
