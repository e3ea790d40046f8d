"""Links whose energy depends on the dipole of their first atom (directed.py): every atom by itself."""

from __future__ import annotations

from everlet.forces.bonded.loops import keep_own, own_box, way_in
from everlet.forces.pair.own_loops import empty_row
from everlet.forces.pair.tally import add_tally, no_force
from everlet.portable import add_row, f64, i32, i64, portable, real


@portable
def directed_loop(i, width: i64, type: i32[:], ids: i64[:], mine: i32[:], rows: i32[:], x: f64[:, 4], mu: f64[:, 3],
                  box: f64[:], member: i32[:], table: real[:], data: real[:], torque: f64[:, 3], f: f64[:],
                  energy: f64[:], virial: f64[:]):
    """All links of atom i; statics as of own_loop. `link` gets the way from atom 2 to atom 1 and the dipole of atom 1."""
    b = own_box(i, member)
    tx, ty, tz = no_force(0.0)
    fx, fy, fz, tallied = empty_row()
    k = i * width
    while k < (i + 1) * width and ids[k * SIZE] != 0:
        if type[k] > 0 and mine[type[k]] != 0:
            p = record(table, i64(type[k]) * NP)
            j1 = i64(rows[ids[k * SIZE]])
            j2 = i64(rows[ids[k * SIZE + 1]])
            dx, dy, dz = way_in(j1, j2, x, b, box)
            mx, my, mz = mu[j1, 0], mu[j1, 1], mu[j1, 2]
            e, gx, gy, gz, sx, sy, sz = link(dx, dy, dz, mx, my, mz, p, data)
            if FORCE:
                if j1 == i:
                    fx, fy, fz = fx - gx, fy - gy, fz - gz
                    tx, ty, tz = tx - (my * sz - mz * sy), ty - (mz * sx - mx * sz), tz - (mx * sy - my * sx)
                if j2 == i:
                    fx, fy, fz = fx + gx, fy + gy, fz + gz
            tallied = add_tally(tallied, e, dx, dy, dz, -gx, -gy, -gz)
        k += 1
    if FORCE:
        add_row(torque, i, tx, ty, tz)
    e, xx, yy, zz, xy, xz, yz = keep_own(i, 1.0 / SIZE, f, energy, virial, fx, fy, fz, tallied, 0.0)
    if EV:
        return e, xx, yy, zz, xy, xz, yz
