"""What fix langevin does to an atom: drag, noise and the power of both.

    F = - drag v + kick sqrt(T) (u - 1/2) - mean     drag = m / (damp scale), kick = sqrt(24 k_B m / (damp scale dt))

u has three numbers of [0, 1) for each atom and step: DRAWN 0: from the atom's ID and the step (portable/random.py), 1: from a
list. BIASED 1: components of v that are 0 get no noise. EACH 1: atoms have temperatures of their own, `warm`, T is 1.
"""

from __future__ import annotations

from everlet.portable import Kernel, add_row, f64, i32, i64, portable, put_row, sqrt
from everlet.portable.random import uniforms
from everlet.state.clock import ramped
from everlet.state.control import STEP


@portable
def noise_sums(i, v: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, id: i64[:], seed: i64, stream: i64, listed: f64[:, 3],
               control: i64[:], start: f64, stop: f64, begin: i64, end: i64, kick: f64[:], warm: f64[:]):
    """Noise of one atom, and 1; zeros if it is not in the group."""
    x = 0.0
    y = 0.0
    z = 0.0
    one = 0.0
    if mask[i] & bit:
        one = 1.0
        g = kick[kind[i]] * sqrt(ramped(control[STEP], start, stop, begin, end))
        if EACH:
            g *= sqrt(warm[i])
        if DRAWN:
            x = g * (listed[i, 0] - 0.5)
            y = g * (listed[i, 1] - 0.5)
            z = g * (listed[i, 2] - 0.5)
        else:
            a, b, c, d = uniforms(seed, id[i], control[STEP], stream)
            x = g * (a - 0.5)
            y = g * (b - 0.5)
            z = g * (c - 0.5)
        if BIASED:
            x = x if v[i, 0] != 0.0 else 0.0
            y = y if v[i, 1] != 0.0 else 0.0
            z = z if v[i, 2] != 0.0 else 0.0
    return x, y, z, one


@portable
def push(i: i64, x: f64, y: f64, z: f64, force: f64[:, 3], f: f64[:, 3]):
    """The thermostat's force is kept, and added to the others."""
    put_row(force, i, x, y, z)
    add_row(f, i, x, y, z)


@portable
def thermalise(i, v: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, id: i64[:], seed: i64, stream: i64, listed: f64[:, 3],
               control: i64[:], start: f64, stop: f64, begin: i64, end: i64, kick: f64[:], warm: f64[:], drag: f64[:],
               mean: f64[:], force: f64[:, 3], f: f64[:, 3]):
    """Force of the thermostat on one atom. mean: sums of noise and of atoms, or zeros and a one."""
    if mask[i] & bit:
        x, y, z, one = noise_sums(i, v, kind, mask, bit, id, seed, stream, listed, control, start, stop, begin, end, kick, warm)
        d = drag[kind[i]]
        x = x - d * v[i, 0] - mean[0] / mean[3]
        y = y - d * v[i, 1] - mean[1] / mean[3]
        z = z - d * v[i, 2] - mean[2] / mean[3]
        push(i, x, y, z, force, f)


@portable
def power(i, v: f64[:, 3], force: f64[:, 3], mask: i32[:], bit: i32):
    """F v of one atom."""
    p = 0.0
    if mask[i] & bit:
        p = force[i, 0] * v[i, 0] + force[i, 1] * v[i, 1] + force[i, 2] * v[i, 2]
    return p


@portable
def account(i, work: f64[:], weight: f64):
    """work[0] is the power now, work[1] what was done so far."""
    work[1] += weight * work[0]


POWER, ACCOUNT = Kernel(power, sums=1), Kernel(account)


def kernels_of(drawn: bool | None, biased: bool, each: bool) -> tuple[Kernel, Kernel]:
    """Kernels of the noise and of the force."""
    statics = (("DRAWN", int(bool(drawn))), ("BIASED", int(biased)), ("EACH", int(each)))
    return Kernel(noise_sums, sums=4, statics=statics), Kernel(thermalise, statics=statics)
