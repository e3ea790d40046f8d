"""The loop over special pairs: atoms that few bonds link, whose pair forces are scaled.

Statics as in loops.py; with charges (COUL) `pair` is the weighted function of charged.py. Every atom has its
special partners in its own row and adds to its own force alone.
"""
# mypy: ignore-errors

from __future__ import annotations

from everlet.forces.bonded.loops import nearest
from everlet.portable import f64, i32, i64, local, portable, real
from everlet.state.control import TROUBLE, UNLINKED


@local
@portable
def find_special(i, width: i64, special: i64[:], scaled: i64[:], rows: i32[:], partner: i32[:], control: i64[:]):
    """Rows of the special partners of atom i whose forces are scaled; -1 for others."""
    for k in range(i * width, (i + 1) * width):
        there = i32(-1)
        if special[k] > 0 and scaled[special[k] % 4] != 0:
            there = rows[special[k] // 4]
            if there < 0:
                control[UNLINKED] = 1
                control[TROUBLE] = 1
        partner[k] = there


@portable
def special_loop(i, x: f64[:, 4], box: f64[:], type: i32[:], q: f64[:], width: i64, special: i64[:], partner: i32[:],
                 weights: f64[:], table: real[:], data: real[:], kinds: i64, factor: f64, f: f64[:, 3], energies: f64[:],
                 virials: f64[:, 6]):
    """Scaled forces of the special partners of atom i; with EV half of their energy and virial, and of charges the Coulomb
    energy as the eighth. PERATOM: no forces, and energy and virial are those of the atom. weights: of levels 0 … 3, then of
    charges; `factor` is that of hybrid/scaled, which energies of EV are without.
    """
    fx = 0.0
    fy = 0.0
    fz = 0.0
    energy = 0.0
    coulomb = 0.0
    xx = 0.0
    yy = 0.0
    zz = 0.0
    xy = 0.0
    xz = 0.0
    yz = 0.0
    for k in range(i * width, (i + 1) * width):
        j = i64(partner[k])
        if j >= 0:
            dx, dy, dz = nearest(x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2], box)
            r2 = dx * dx + dy * dy + dz * dz
            p = record(table, (i64(type[i]) * kinds + i64(type[j])) * NP)
            if r2 < p.cut2:
                level = special[k] % 4
                if COUL:
                    strength, e, pull, ec = pair(r2, p, data, q[i], q[j], weights[level], weights[4 + level])
                    strength += pull
                    e -= p.offset
                    coulomb += 0.5 * ec
                if not COUL:
                    strength, e = pair(r2, p, data)
                    strength *= weights[level]
                    e = weights[level] * (e - p.offset)
                gx = dx * strength
                gy = dy * strength
                gz = dz * strength
                fx += gx
                fy += gy
                fz += gz
                if EV or PERATOM:
                    energy += 0.5 * e
                    xx += 0.5 * dx * gx
                    yy += 0.5 * dy * gy
                    zz += 0.5 * dz * gz
                    xy += 0.5 * dx * gy
                    xz += 0.5 * dx * gz
                    yz += 0.5 * dy * gz
    if not PERATOM:
        f[i, 0] += factor * fx
        f[i, 1] += factor * fy
        f[i, 2] += factor * fz
    if PERATOM:
        energies[i] += factor * (energy + coulomb)
        virials[i, 0] += factor * xx
        virials[i, 1] += factor * yy
        virials[i, 2] += factor * zz
        virials[i, 3] += factor * xy
        virials[i, 4] += factor * xz
        virials[i, 5] += factor * yz
    if EV and not COUL:
        return energy, factor * xx, factor * yy, factor * zz, factor * xy, factor * xz, factor * yz
    if EV and COUL:
        return energy, factor * xx, factor * yy, factor * zz, factor * xy, factor * xz, factor * yz, coulomb
