"""Loops of barostats of many systems: those of one box (integrators/nose_hoover/box_loops.py, motion.py), a row for each."""

from __future__ import annotations

from everlet.fixes.integrators.nose_hoover.box_loops import (
    AFTER,
    AIM,
    BEFORE,
    MASS,
    MEASURED,
    MVV2E,
    NUMBERS,
    OTHERS,
    PARAMETERS,
    RATE,
    SCALED,
    aim,
    complete,
    move_box,
    press,
    push_rates,
)
from everlet.fixes.integrators.nose_hoover.chain import KINETIC, SCALE
from everlet.fixes.integrators.nose_hoover.motion import carried
from everlet.fixes.integrators.nve import set_velocity
from everlet.portable import Kernel, f64, i32, i64, portable
from everlet.portable.rows import bring
from everlet.portable.traits import WIDEST
from everlet.state.box import BOX
from everlet.state.ledger import WIDTH

STRAIN, CELLS = 6, 45  # numbers of a system


@portable
def follow_members(s, phase: i64, contributors: i64, count: i64, sums: f64[:], parameters: f64[:], chain: f64[:],
                   chain_size: i64, links: f64[:], links_size: i64, steps: i64[:], numbers: f64[:], shape: f64[:],
                   strains: f64[:], cells: f64[:], heat: f64[:], moved: f64[:]):
    """One part of a step of system s. Rates are scaled by both halves of their chain at the beginning of a step."""
    state = scratch(f64, NUMBERS)
    given = scratch(f64, PARAMETERS)
    box = scratch(f64, BOX)
    virial = scratch(f64, 6)
    strain = scratch(f64, 6)
    cell = scratch(f64, 45)
    bring(state, numbers, NUMBERS * s, NUMBERS)
    bring(given, parameters, PARAMETERS * s, PARAMETERS)
    bring(box, shape, BOX * s, BOX)
    for k in team_range(6):
        total = 0.0
        for one in range(contributors):
            total += sums[WIDTH * (one * count + s) + 1 + k]
        virial[k] = total
    barrier()
    if team_rank() == 0:
        complete(box)
        if phase == AIM:
            aim(steps[s], given, box, state)
        if phase == BEFORE:
            factor = links[2 * links_size * s + SCALE] * links[2 * links_size * s + links_size + SCALE]
            for k in range(6):
                state[RATE + k] *= factor
            first = 2 * chain_size * s
            factor = chain[first + SCALE] * chain[first + chain_size + SCALE]
            scale = factor * factor
            aim(steps[s] + 1, given, box, state)
            press(scale, virial, given, box, state)
            push_rates(chain[first + chain_size + KINETIC], scale, given, box, state)
            move_box(given, box, state, strain, cell)
            for k in range(6):
                strains[STRAIN * s + k] = strain[k]
            for k in range(45):
                cells[CELLS * s + k] = cell[k]
        if phase == AFTER:
            steps[s] += 1
            press(1.0, virial, given, box, state)
            total = 0.0
            for k in range(3):
                warm = state[SCALED + k] + state[OTHERS + k]
                heat[7 * s + k] = warm
                total += warm
            state[MEASURED] = given[MVV2E] * total
            push_rates(state[MEASURED], 1.0, given, box, state)
            total = 0.0
            for k in range(3):
                total += given[MASS + k] * state[RATE + k] * state[RATE + k]
            moved[7 * s] = total
            moved[7 * s + 1] = 0.0
            moved[7 * s + 2] = 0.0
    barrier()
    for k in team_range(NUMBERS):
        numbers[NUMBERS * s + k] = state[k]
    for k in team_range(BOX):
        shape[BOX * s + k] = box[k]


@portable
def move_members(i, x: f64[:, 4], v: f64[:, 3], f: f64[:, 3], kind: i32[:], member: i32[:], kick: f64[:], dt: f64,
                 chain: f64[:], size: i64, strains: f64[:], cells: f64[:]):
    """The chain's factor, what the motion of the box does to velocities, half a kick, and the way in a box that moves."""
    s = i64(member[i])
    scale = chain[2 * size * s + size + SCALE]
    b = STRAIN * s
    k = kick[kind[i]]
    vx = v[i, 0] * scale * strains[b] * strains[b] + k * f[i, 0]
    vy = v[i, 1] * scale * strains[b + 1] * strains[b + 1] + k * f[i, 1]
    vz = v[i, 2] * scale * strains[b + 2] * strains[b + 2] + k * f[i, 2]
    set_velocity(i, v, vx, vy, vz)
    px = x[i, 0]
    py = x[i, 1]
    pz = x[i, 2]
    for turn in range(2):
        px, py, pz = carried(px, py, pz, CELLS * s + 15 * turn, cells)
        if turn == 0:
            px += dt * vx
            py += dt * vy
            pz += dt * vz
    x[i, 0] = px
    x[i, 1] = py
    x[i, 2] = pz


@portable
def kick_members(i, v: f64[:, 3], f: f64[:, 3], kind: i32[:], member: i32[:], kick: f64[:], mass: f64[:], strains: f64[:]):
    """Half a kick and what the motion of the box does; sums of m v v, xx yy zz xy xz yz."""
    b = STRAIN * i64(member[i])
    k = kick[kind[i]]
    vx = (v[i, 0] + k * f[i, 0]) * strains[b] * strains[b]
    vy = (v[i, 1] + k * f[i, 1]) * strains[b + 1] * strains[b + 1]
    vz = (v[i, 2] + k * f[i, 2]) * strains[b + 2] * strains[b + 2]
    set_velocity(i, v, vx, vy, vz)
    m = mass[kind[i]]
    return m * vx * vx, m * vy * vy, m * vz * vz, m * vx * vy, m * vx * vz, m * vy * vz


FOLLOW = Kernel(follow_members, team=WIDEST, league=True)
MOVE, KICK = Kernel(move_members), Kernel(kick_members, sums=6)
