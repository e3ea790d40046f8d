"""Loops over blocks of atoms in scratch memory: all pairs in tiles, and cell pairs with distances from matrix products.

Each atom does all of its pairs, so nobody writes to another's forces; energy and virial count half from each side.
"""

from __future__ import annotations

from everlet.forces.pair.rows import force_of
from everlet.forces.pair.tally import add_tally, keep_tally, no_force, no_tally
from everlet.portable import add_row, f64, i32, i64, portable, put_row, real, sqrt, where


@portable
def all_loop(t, n: i64, total: i64, filler: i64, x: f64[:, 4], type: i32[:], table: real[:], data: real[:],
             kinds: i64, f: f64[:, 3], tally: f64[:]):
    """Forces on the TILE atoms from t * TILE on from all atoms and ghosts, a tile of them at a time.

    The last tile is filled up with `filler`, which is far away and of no type.
    With EV, tally[7 i …] = E xx yy zz xy xz yz of atom i.
    """
    tx = scratch(f64, TILE)
    ty = scratch(f64, TILE)
    tz = scratch(f64, TILE)
    index = scratch(i32, TILE)
    kind = scratch(i32, TILE)
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    for first in range(0, total, TILE):
        barrier()
        for k in team_range(TILE):
            j = first + k
            if j >= total:
                j = filler
            tx[k] = x[j, 0]
            ty[k] = x[j, 1]
            tz[k] = x[j, 2]
            index[k] = i32(j)
            kind[k] = type[j]
        barrier()
        for k in team_range(min(i64(TILE), n - t * TILE)):
            i = t * TILE + k
            row = i64(type[i]) * kinds
            fx, fy, fz = no_force(lanes(0.0))
            if EV:
                tallied = no_tally(lanes(0.0))
            for q in range(0, min(i64(TILE), total - first), W):
                dx = as_real(x[i, 0] - load(tx, q))
                dy = as_real(x[i, 1] - load(ty, q))
                dz = as_real(x[i, 2] - load(tz, q))
                r2 = fma(dx, dx, fma(dy, dy, dz * dz))
                if MANY:
                    p = record(table, (load(kind, q) + i32(row)) * i32(NP), True)
                near = both(r2 < p.cut2, load(index, q) != i32(i))
                if not BRANCH or any_lane(near):
                    gx, gy, gz, e = force_of(r2, near, dx, dy, dz, p, data)
                    fx, fy, fz = fx + gx, fy + gy, fz + gz
                    if EV:
                        tallied = add_tally(tallied, e, dx, dy, dz, gx, gy, gz)
            if not ADD:
                if first == 0:
                    put_row(f, i, 0.0, 0.0, 0.0)
            add_row(f, i, f64(lane_sum(fx)), f64(lane_sum(fy)), f64(lane_sum(fz)))
            if EV:
                if first == 0:
                    for m in range(7):
                        tally[7 * i + m] = 0.0
                keep_tally(tally, i, 0.5, tallied)


@portable
def product_loop(t, n: i64, ghosts: i64, columns: i64, xs: f64[:], ys: f64[:], zs: f64[:], kinds_of: i32[:],
                 start: i32[:], grid: f64[:], shape: i64[:], reach: i64[:], radius: f64,
                 table: real[:], data: real[:], kinds: i64, gx: f64[:], gy: f64[:], gz: f64[:], tally: f64[:]):
    """Forces on the atoms a of one block of LAYERS bins of a column, from the atoms b of all bins within `radius`.

    Places are taken relative to the middle of the block, as rows of two small matrices A and B. Then all r^2 are
    |a|^2 + |b|^2 - 2 A B^T, and with the strengths S (force / r) the forces are a (S 1) - S B: products of matrices,
    with no differences of places. B is collected in scratch memory, at most TILE rows at a time. Forces and tallies,
    by slot, must be zero before; tally[7 k …] = E xx yy zz xy xz yz of slot k.
    """
    bx = scratch(f64, TILE)
    by = scratch(f64, TILE)
    bz = scratch(f64, TILE)
    b2 = scratch(f64, TILE)
    index = scratch(i32, TILE)
    kind = scratch(i32, TILE)
    layers = shape[2]
    blocks = (layers + LAYERS - 1) // LAYERS
    own = t // blocks
    bottom = t % blocks * LAYERS
    top = min(bottom + LAYERS, layers)
    own_a = own // shape[1]
    own_b = own % shape[1]
    begin = start[own * layers + bottom] + own * PAD
    end = start[own * layers + top] + own * PAD
    mx = grid[0] + (f64(own_a) + 0.5) / grid[3]
    my = grid[1] + (f64(own_b) + 0.5) / grid[4]
    mz = grid[2] + 0.5 * f64(bottom + top) / grid[5]
    across = 2 * reach[1] + 1
    runs = i64(0)
    if end > begin:
        runs = 2 * (2 * reach[0] + 1) * across
    filled = i64(0)
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    for run in range(runs + 1):  # owned and ghost atoms of every column around; the last, empty, ends the last tile
        q0 = i64(0)
        q1 = i64(0)
        a = own_a + run // 2 // across - reach[0]
        b = own_b + run // 2 % across - reach[1]
        if run < runs and a >= 0 and a < shape[0] and b >= 0 and b < shape[1]:
            gap_a = f64(max(abs(a - own_a) - 1, i64(0))) / grid[3]
            gap_b = f64(max(abs(b - own_b) - 1, i64(0))) / grid[4]
            half2 = radius * radius - gap_a * gap_a - gap_b * gap_b
            if half2 > 0.0:
                more = i64(sqrt(half2) * grid[5]) + 1
                column = a * shape[1] + b
                low = column * layers + max(bottom - more, i64(0))
                high = column * layers + min(top + more, layers)
                if run % 2 == 0:
                    q0 = start[low] + column * PAD
                    q1 = start[high] + column * PAD
                if run % 2 == 1 and ghosts > 0:
                    q0 = start[columns * layers + low] + (columns + column) * PAD
                    q1 = start[columns * layers + high] + (columns + column) * PAD
        while q0 < q1 or (run == runs and filled > 0):
            take = min(q1 - q0, TILE - filled)
            for k in team_range(take):
                q = q0 + k
                bx[filled + k] = xs[q] - mx
                by[filled + k] = ys[q] - my
                bz[filled + k] = zs[q] - mz
                b2[filled + k] = (xs[q] - mx) * (xs[q] - mx) + (ys[q] - my) * (ys[q] - my) + (zs[q] - mz) * (zs[q] - mz)
                index[filled + k] = i32(q)
                kind[filled + k] = kinds_of[q]
            filled += take
            q0 += take
            if filled == TILE or run == runs:
                for k in team_range((filled + W - 1) // W * W - filled):  # lanes past the end: far away
                    bx[filled + k] = 0.0
                    by[filled + k] = 0.0
                    bz[filled + k] = 0.0
                    b2[filled + k] = 1.0e24
                    index[filled + k] = i32(0)
                    kind[filled + k] = i32(0)
                barrier()
                for m in team_range(end - begin):
                    k = begin + m
                    ax = xs[k] - mx
                    ay = ys[k] - my
                    az = zs[k] - mz
                    a2 = ax * ax + ay * ay + az * az
                    row = i64(kinds_of[k]) * kinds
                    s = lanes(0.0)
                    sx = lanes(0.0)
                    sy = lanes(0.0)
                    sz = lanes(0.0)
                    if EV:
                        tallied = no_tally(lanes(0.0))
                    for q in range(0, filled, W):
                        x = load(bx, q)
                        y = load(by, q)
                        z = load(bz, q)
                        r2 = fma(x, -2.0 * ax, fma(y, -2.0 * ay, fma(z, -2.0 * az, load(b2, q) + a2)))
                        if MANY:
                            p = record(table, (load(kind, q) + i32(row)) * i32(NP), True)
                        near = both(r2 < p.cut2, load(index, q) != i32(k))
                        if not BRANCH or any_lane(near):
                            strength, e = pair(r2, p, data)
                            strength = where(near, strength, real(0.0))
                            s += strength
                            sx += strength * x
                            sy += strength * y
                            sz += strength * z
                            if EV:
                                dx = ax - x
                                dy = ay - y
                                dz = az - z
                                e = where(near, e - p.offset, real(0.0))
                                tallied = add_tally(tallied, e, dx, dy, dz, strength * dx, strength * dy, strength * dz)
                    whole = lane_sum(s)
                    gx[k] += ax * whole - lane_sum(sx)
                    gy[k] += ay * whole - lane_sum(sy)
                    gz[k] += az * whole - lane_sum(sz)
                    if EV:
                        keep_tally(tally, k, 0.5, tallied)
                barrier()
                filled = i64(0)
