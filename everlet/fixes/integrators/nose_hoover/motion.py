"""Kernels that scale, kick and move atoms under a thermostat. `state` is that of a chain, `place` where its factor stands."""
# ruff: noqa: F821

from __future__ import annotations

from everlet.fixes.integrators.nose_hoover.chain import TEAM
from everlet.fixes.integrators.nve import kicked, move_on, set_velocity
from everlet.portable import Kernel, f64, i32, i64, local, portable, put_row


@local
@portable
def scale_kick_drift(i, x: f64[:, 4], v: f64[:, 3], f: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, kick: f64[:], dt: f64,
                     state: f64[:], place: i64, member: i32[:], size: i64):
    """v *= factor; v += dt/2 F/m; x += dt v. All is read before anything is written: a GPU then waits for memory once. MANY:
    each system of a batch has a state, of so many numbers; otherwise `member` is not read."""
    if mask[i] & bit:
        k = kick[kind[i]]
        if MANY:
            place += size * i64(member[i])
        s = state[place]
        vx = v[i, 0] * s + k * f[i, 0]
        vy = v[i, 1] * s + k * f[i, 1]
        vz = v[i, 2] * s + k * f[i, 2]
        move_on(i, x, v, vx, vy, vz, dt)


@portable
def kick_and_sum(t, n: i64, begins: i64[:], ends: i64[:], v: f64[:, 3], f: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32,
                 kick: f64[:], mass: f64[:], partial: f64[:]):
    """v += dt/2 F/m, and the sum of m v^2 over the atoms of team t: one atom for each thread of a GPU. MANY: teams of the
    systems of a batch, and where their atoms begin and end."""
    energy = 0.0
    first = t * TEAM
    if MANY:
        first = begins[t]
        n = ends[t]
    for q in team_range(TEAM):
        i = first + q
        if i < n:
            if mask[i] & bit:
                vx, vy, vz = kicked(i, v, f, kick[kind[i]])
                set_velocity(i, v, vx, vy, vz)
                energy += mass[kind[i]] * (vx * vx + vy * vy + vz * vz)
    whole = team_sum(energy)
    if team_rank() == 0:
        partial[t] = whole


@local
@portable
def scale(i, v: f64[:, 3], mask: i32[:], bit: i32, state: f64[:], place: i64, member: i32[:], size: i64):
    """v *= factor."""
    if mask[i] & bit:
        if MANY:
            place += size * i64(member[i])
        s = state[place]
        vx = v[i, 0] * s
        vy = v[i, 1] * s
        vz = v[i, 2] * s
        set_velocity(i, v, vx, vy, vz)


@portable
def kick_strain_sum(i, v: f64[:, 3], f: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, kick: f64[:], mass: f64[:],
                    strain: f64[:]):
    """Half a kick and what the motion of the box does in half a step, if MOVES; sums of m v v (xx yy zz xy xz yz) of atoms
    of the group, and of others."""
    vx = v[i, 0]
    vy = v[i, 1]
    vz = v[i, 2]
    own = 0.0
    other = mass[kind[i]]
    if mask[i] & bit:
        own = other
        other = 0.0
        if MOVES:
            k = kick[kind[i]]
            vx = (vx + k * f[i, 0]) * strain[0]
            vy = (vy + k * f[i, 1]) * strain[1]
            vz = (vz + k * f[i, 2]) * strain[2]
            vx -= vy * strain[5] + vz * strain[4]
            vy -= vz * strain[3]
            vx *= strain[0]
            vy *= strain[1]
            vz *= strain[2]
            set_velocity(i, v, vx, vy, vz)
    return (own * vx * vx, own * vy * vy, own * vz * vz, own * vx * vy, own * vx * vz, own * vy * vz,
            other * vx * vx, other * vy * vy, other * vz * vz, other * vx * vy, other * vx * vz, other * vy * vz)


# ---- under a barostat. strain: factors of vx, vy and vz for a quarter of a step (3), then what yz, xz and xy shear in half a
# step (3). cells: three times the corner (3), the shape (6) and its inverse (6) of a box, in the order of Box.h


@local
@portable
def strain_velocity(i, v: f64[:, 3], mask: i32[:], bit: i32, strain: f64[:]):
    """What the motion of the box does to velocities in half a step."""
    if mask[i] & bit:
        vx = v[i, 0] * strain[0]
        vy = v[i, 1] * strain[1]
        vz = v[i, 2] * strain[2]
        vx -= vy * strain[5] + vz * strain[4]
        vy -= vz * strain[3]
        put_row(v, i, vx * strain[0], vy * strain[1], vz * strain[2])


@portable
def carried(px: f64, py: f64, pz: f64, c: i64, cells: f64[:]):
    """Where a point is that follows the box from the cell at c to the next."""
    sx = (px - cells[c]) * cells[c + 9] + (py - cells[c + 1]) * cells[c + 14] + (pz - cells[c + 2]) * cells[c + 13]
    sy = (py - cells[c + 1]) * cells[c + 10] + (pz - cells[c + 2]) * cells[c + 12]
    sz = (pz - cells[c + 2]) * cells[c + 11]
    ax = cells[c + 18] * sx + cells[c + 23] * sy + cells[c + 22] * sz + cells[c + 15]
    ay = cells[c + 19] * sy + cells[c + 21] * sz + cells[c + 16]
    az = cells[c + 20] * sz + cells[c + 17]
    return ax, ay, az


@local
@portable
def drift_in_cell(i, x: f64[:, 4], v: f64[:, 3], mask: i32[:], bit: i32, dilated: i32, dt: f64, cells: f64[:]):
    """Atoms follow the box from the first cell to the second, move for dt, and follow it to the third."""
    px = x[i, 0]
    py = x[i, 1]
    pz = x[i, 2]
    for turn in range(2):
        if mask[i] & dilated:
            px, py, pz = carried(px, py, pz, 15 * turn, cells)
        if turn == 0 and mask[i] & bit:
            px += dt * v[i, 0]
            py += dt * v[i, 1]
            pz += dt * v[i, 2]
    x[i, 0] = px
    x[i, 1] = py
    x[i, 2] = pz


@local
@portable
def flip_images(i, image: i32[:, 3], xy: i32, xz: i32, yz: i32):
    """The box was flipped: so many edges were added to its tilts."""
    image[i, 0] -= xy * image[i, 1] + xz * image[i, 2]
    image[i, 1] -= yz * image[i, 2]


_ONE, _EACH = ((("MANY", many),) for many in (False, True))
MOVE, MOVE_MANY = (Kernel(scale_kick_drift, statics=which) for which in (_ONE, _EACH))
KICK, KICK_MANY = (Kernel(kick_and_sum, team=TEAM, league=True, statics=which) for which in (_ONE, _EACH))
RESCALE, RESCALE_MANY = (Kernel(scale, statics=which) for which in (_ONE, _EACH))
KICK_STRAIN, SUM_TENSORS = (Kernel(kick_strain_sum, sums=12, statics=(("MOVES", moves),)) for moves in (True, False))
STRAIN, DRIFT, FLIP = Kernel(strain_velocity), Kernel(drift_in_cell), Kernel(flip_images)
