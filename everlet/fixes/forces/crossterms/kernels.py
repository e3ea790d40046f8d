"""Loops over cross terms: energies of two dihedral angles of five atoms. Each atom computes all of its own and adds to its own
force alone, so that no two add to the same number and cross terms may be cut by borders of ranks."""

from __future__ import annotations

from everlet.forces.bonded.base import link_function
from everlet.forces.bonded.loops import way
from everlet.forces.pair.tally import add_tally, no_force, no_tally
from everlet.portable import Kernel, add_row, f64, floor, i32, i64, least, lookup4, most, portable
from everlet.state.control import TROUBLE, UNLINKED

NODES = 24  # of a map along an angle, from -180 degrees on


@portable
def angle_itself(phi, p, data):
    return 1.0, phi


torsion = link_function("dihedral", angle_itself, True, ())  # the angle, and its slopes along the ways from atom 2


@portable
def hermite(t):
    """The values at t of the cubics with value 1 at 0, slope 1 at 0, value 1 at 1, slope 1 at 1; then their slopes."""
    s = 1.0 - t
    return ((1.0 + 2.0 * t) * s * s, t * s * s, t * t * (3.0 - 2.0 * t), -t * t * s,
            -6.0 * t * s, s * (1.0 - 3.0 * t), 6.0 * t * s, t * (3.0 * t - 2.0))


@portable
def along(data, low, high, v0, s0, v1, s1):
    """Between two nodes in the direction of psi: the energy, and its slope along phi. `v0 …` are weights along psi."""
    e0, p0, q0, pq0 = lookup4(data, low)
    e1, p1, q1, pq1 = lookup4(data, high)
    return v0 * e0 + s0 * q0 + v1 * e1 + s1 * q1, v0 * p0 + s0 * pq0 + v1 * p1 + s1 * pq1


@portable
def surface(phi, psi, first, data):
    """The energy of a map and its slopes. Nodes have E and its slopes along phi, psi and both, per spacing of nodes."""
    inverse = 3.8197186342054885  # nodes of a radian: 24 / (2 pi)
    at, other = (phi + 3.141592653589793) * inverse, (psi + 3.141592653589793) * inverse
    k, m = floor(least(most(at, 0.0), 23.0)), floor(least(most(other, 0.0), 23.0))
    v0, s0, v1, s1, dv0, ds0, dv1, ds1 = hermite(other - m)
    a0, b0, a1, b1, da0, db0, da1, db1 = hermite(at - k)
    low = first + 4.0 * (25.0 * k + m)
    high = low + 100.0
    e0, p0 = along(data, low, low + 4.0, v0, s0, v1, s1)
    e1, p1 = along(data, high, high + 4.0, v0, s0, v1, s1)
    f0, r0 = along(data, low, low + 4.0, dv0, ds0, dv1, ds1)
    f1, r1 = along(data, high, high + 4.0, dv0, ds0, dv1, ds1)
    return (a0 * e0 + b0 * p0 + a1 * e1 + b1 * p1, (da0 * e0 + db0 * p0 + da1 * e1 + db1 * p1) * inverse,
            (a0 * f0 + b0 * r0 + a1 * f1 + b1 * r1) * inverse)


@portable
def look_for_atoms(i, width: i64, ids: i64[:], rows: i32[:], control: i64[:]):
    """Complain if an atom of a cross term of atom i is neither owned nor a ghost."""
    for k in range(i * width, (i + 1) * width):
        if ids[k] > 0:
            if rows[ids[k]] < 0:
                control[UNLINKED] = 1
                control[TROUBLE] = 1


@portable
def cross_loop(i, width: i64, type: i32[:], ids: i64[:], rows: i32[:], x: f64[:, 4], box: f64[:], data: f64[:], f: f64[:, 3],
               each: f64[:]):
    """All cross terms of atom i. FORCE: its force; EV: its fifth of energy and virial, without FORCE in `each` too."""
    fx, fy, fz = no_force(0.0)
    tallied = no_tally(0.0)
    k = i * width
    while k < (i + 1) * width and ids[k * 5] != 0:
        j1 = i64(rows[ids[k * 5]])
        j2 = i64(rows[ids[k * 5 + 1]])
        j3 = i64(rows[ids[k * 5 + 2]])
        j4 = i64(rows[ids[k * 5 + 3]])
        j5 = i64(rows[ids[k * 5 + 4]])
        ax, ay, az = way(j1, j2, x, box)
        bx, by, bz = way(j3, j2, x, box)
        cx, cy, cz = way(j4, j2, x, box)
        dx, dy, dz = way(j5, j2, x, box)
        phi, a1, a2, a3, b1, b2, b3, c1, c2, c3 = torsion(ax, ay, az, bx, by, bz, cx, cy, cz, data)
        psi, g1, g2, g3, h1, h2, h3, k1, k2, k3 = torsion(-bx, -by, -bz, cx - bx, cy - by, cz - bz, dx - bx, dy - by, dz - bz,
                                                          data)
        e, p, q = surface(phi, psi, f64(type[k] - 1) * 2500.0, data)
        # slopes along the ways from atom 2: psi's are from atom 3, which takes what its three others leave
        b1 = p * b1 - q * (g1 + h1 + k1)
        b2 = p * b2 - q * (g2 + h2 + k2)
        b3 = p * b3 - q * (g3 + h3 + k3)
        a1 = p * a1
        a2 = p * a2
        a3 = p * a3
        c1 = p * c1 + q * h1
        c2 = p * c2 + q * h2
        c3 = p * c3 + q * h3
        k1 = q * k1
        k2 = q * k2
        k3 = q * k3
        if FORCE:
            if j1 == i:
                fx, fy, fz = fx - a1, fy - a2, fz - a3
            if j2 == i:
                fx += a1 + b1 + c1 + k1
                fy += a2 + b2 + c2 + k2
                fz += a3 + b3 + c3 + k3
            if j3 == i:
                fx, fy, fz = fx - b1, fy - b2, fz - b3
            if j4 == i:
                fx, fy, fz = fx - c1, fy - c2, fz - c3
            if j5 == i:
                fx, fy, fz = fx - k1, fy - k2, fz - k3
        if EV:
            tallied = add_tally(tallied, e, ax, ay, az, -a1, -a2, -a3)
            tallied = add_tally(tallied, 0.0, bx, by, bz, -b1, -b2, -b3)
            tallied = add_tally(tallied, 0.0, cx, cy, cz, -c1, -c2, -c3)
            tallied = add_tally(tallied, 0.0, dx, dy, dz, -k1, -k2, -k3)
        k += 1
    if FORCE:
        add_row(f, i, fx, fy, fz)
    if EV:
        energy, xx, yy, zz, xy, xz, yz = tallied
        if not FORCE:
            each[7 * i] = 0.2 * energy
            each[7 * i + 1] = 0.2 * xx
            each[7 * i + 2] = 0.2 * yy
            each[7 * i + 3] = 0.2 * zz
            each[7 * i + 4] = 0.2 * xy
            each[7 * i + 5] = 0.2 * xz
            each[7 * i + 6] = 0.2 * yz
        return 0.2 * energy, 0.2 * xx, 0.2 * yy, 0.2 * zz, 0.2 * xy, 0.2 * xz, 0.2 * yz


LOOK = Kernel(look_for_atoms)
FORCES = Kernel(cross_loop, statics=(("FORCE", True), ("EV", False)))
TALLIED = Kernel(cross_loop, sums=7, statics=(("FORCE", True), ("EV", True)))
ENERGY = Kernel(cross_loop, sums=7, statics=(("FORCE", False), ("EV", True)))
