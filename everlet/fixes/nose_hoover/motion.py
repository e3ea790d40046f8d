"""Kernels that scale, kick and move atoms under a thermostat. `state` is that of a chain, `place` where its factor stands."""
# mypy: ignore-errors

from __future__ import annotations

from everlet.portable import Kernel, f64, i32, i64, local, portable


@local
@portable
def scale_kick_drift(i, x: f64[:, 4], v: f64[:, 3], f: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, kick: f64[:], dt: f64,
                     state: f64[:], place: i64):
    """v *= factor; v += dt/2 F/m; x += dt v. All is read before anything is written: a GPU then waits for memory once."""
    if mask[i] & bit:
        k = kick[kind[i]]
        s = state[place]
        vx = v[i, 0] * s + k * f[i, 0]
        vy = v[i, 1] * s + k * f[i, 1]
        vz = v[i, 2] * s + k * f[i, 2]
        px = x[i, 0] + dt * vx
        py = x[i, 1] + dt * vy
        pz = x[i, 2] + dt * vz
        v[i, 0] = vx
        v[i, 1] = vy
        v[i, 2] = vz
        x[i, 0] = px
        x[i, 1] = py
        x[i, 2] = pz


@portable
def kick_and_sum(i, v: f64[:, 3], f: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, kick: f64[:], mass: f64[:]):
    """v += dt/2 F/m; gives m v^2."""
    energy = 0.0
    if mask[i] & bit:
        k = kick[kind[i]]
        vx = v[i, 0] + k * f[i, 0]
        vy = v[i, 1] + k * f[i, 1]
        vz = v[i, 2] + k * f[i, 2]
        v[i, 0] = vx
        v[i, 1] = vy
        v[i, 2] = vz
        energy = mass[kind[i]] * (vx * vx + vy * vy + vz * vz)
    return energy


@local
@portable
def scale(i, v: f64[:, 3], mask: i32[:], bit: i32, state: f64[:], place: i64):
    """v *= factor."""
    if mask[i] & bit:
        s = state[place]
        vx = v[i, 0] * s
        vy = v[i, 1] * s
        vz = v[i, 2] * s
        v[i, 0] = vx
        v[i, 1] = vy
        v[i, 2] = vz


MOVE, KICK, RESCALE = Kernel(scale_kick_drift), Kernel(kick_and_sum, sums=1), Kernel(scale)
