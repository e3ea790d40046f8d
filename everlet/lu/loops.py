"""The loops of LU. Every loop goes over rows of points; on a GPU, where a row is cut into pieces of one point, over points.

Point (i, j, k) of a block is at p = first + k*pk + (i + j)*pd + j*pj: so points that may be computed together, those of one
i + j + k, lie in rows of one k, along j. In an array whose rows go along i that is pd = 1, pj = row - 1; in a skewed array
pj = 1. Value c of a point is at p*step + c*apart. Lanes are neighbours in memory; where pj*step is not 1, there is one lane.

    u      density, momentum, energy           w      1/density, velocity, energy per mass
    r      residual, later the change of u     f      forcing
"""

from __future__ import annotations

from everlet.lu.physics import carry, push, solve, weight
from everlet.portable import Kernel, i32, i64, portable, real


@portable
def five(x: real[:], place: i64, apart: i64):
    """The values of the points from `place` on."""
    return (load(x, place), load(x, place + apart), load(x, place + 2 * apart), load(x, place + 3 * apart),
            load(x, place + 4 * apart))


@portable
def put(x: real[:], place: i64, apart: i64, a, b, c, d, e):
    store(x, place, a)
    store(x, place + apart, b)
    store(x, place + 2 * apart, c)
    store(x, place + 3 * apart, d)
    store(x, place + 4 * apart, e)


# ---- sweeps
@portable
def cells(j: i64, last: i64, here: i64, step: i64, apart: i64, over_i: i64, over_j: i64, over_k: i64, c: real[:], w: real[:],
          r: real[:]):
    """The points of a row from j on: r <- keep r + D^-1 (new r - omega times the sum of X r over the neighbours behind).

    c: s n, m of x y z, the diagonal a and n of D, new, keep; over_…: from a point to its neighbour behind it.
    """
    s, n, new, keep = c[0], c[1], c[7], c[8]
    place = (here + over_k) * step
    w1, w2, w3, w4, w5 = five(w, place, apart)
    r1, r2, r3, r4, r5 = five(r, place, apart)
    b1, b4, b2, b3, b5 = carry(s, n, c[4], w1, w4, w2, w3, w5, r1, r4, r2, r3, r5)
    place = (here + over_j) * step
    w1, w2, w3, w4, w5 = five(w, place, apart)
    r1, r2, r3, r4, r5 = five(r, place, apart)
    t1, t3, t4, t2, t5 = carry(s, n, c[3], w1, w3, w4, w2, w5, r1, r3, r4, r2, r5)
    b1, b2, b3, b4, b5 = b1 + t1, b2 + t2, b3 + t3, b4 + t4, b5 + t5
    place = (here + over_i) * step
    w1, w2, w3, w4, w5 = five(w, place, apart)
    r1, r2, r3, r4, r5 = five(r, place, apart)
    t1, t2, t3, t4, t5 = carry(s, n, c[2], w1, w2, w3, w4, w5, r1, r2, r3, r4, r5)
    b1, b2, b3, b4, b5 = b1 + t1, b2 + t2, b3 + t3, b4 + t4, b5 + t5
    place = here * step
    w1, w2, w3, w4, w5 = five(w, place, apart)
    r1, r2, r3, r4, r5 = five(r, place, apart)
    t1, t2, t3, t4, t5 = solve(c[5], c[6], w1, w2, w3, w4, w5, b1 + new * r1, b2 + new * r2, b3 + new * r3, b4 + new * r4,
                               b5 + new * r5)
    mine = live(j, last)
    put(r, place, apart, where(mine, t1 + keep * r1, r1), where(mine, t2 + keep * r2, r2), where(mine, t3 + keep * r3, r3),
        where(mine, t4 + keep * r4, r4), where(mine, t5 + keep * r5, r5))


@portable
def sweep_plane(t, plane: i64, low: i64, nx: i64, ny: i64, pieces: i64, piece: i64, first: i64, pk: i64, pd: i64, pj: i64,
                step: i64, apart: i64, way: i64, c: real[:], w: real[:], r: real[:]):
    """Piece t % pieces of the row k = low + t // pieces of the points with i + j + k = plane; way is 1 or -1."""
    k = low + t // pieces
    d = plane - k
    begin = t % pieces * piece
    end = min(min(begin + piece, ny), d + 1)
    for j in lane_steps(max(begin, d - nx + 1), end):
        cells(j, end, first + k * pk + d * pd + j * pj, step, apart, -way * pd, -way * (pd + pj), -way * pk, c, w, r)


@portable
def sweep_strip(t, strips: i64, planes: i64, low: i64, nx: i64, ny: i64, first: i64, pk: i64, pd: i64, pj: i64, step: i64,
                apart: i64, way: i64, done: i64[:], c: real[:], w: real[:], r: real[:]):
    """Strip t of the columns j, plane after plane, each when the strip before has done it. done[16 t] counts planes."""
    strip = t
    if way < 0:
        strip = strips - 1 - t
    begin = strip * ny // strips
    beyond = (strip + 1) * ny // strips
    diagonals = nx + beyond - begin - 1
    for done_planes in range(planes):
        k = low + done_planes
        if way < 0:
            k = low + planes - 1 - done_planes
        if t > 0:
            wait_for(done, 16 * (t - 1), done_planes + 1)
        for step_of_plane in range(diagonals):
            d = begin + step_of_plane
            if way < 0:
                d = begin + diagonals - 1 - step_of_plane
            start = max(begin, d - nx + 1)
            end = min(beyond, d + 1)
            for piece in team_range((end - start + W - 1) // W):
                j = start + piece * W
                cells(j, end, first + k * pk + d * pd + j * pj, step, apart, -way * pd, -way * (pd + pj), -way * pk, c, w, r)
            barrier()
        announce(done, 16 * t, done_planes + 1)


# ---- residual
@portable
def piece_of(t: i64, nx: i64, ny: i64, rows: i64, pieces: i64, piece: i64, first: i64, pk: i64, pd: i64, pj: i64):
    """Piece t % pieces of row t // pieces, of which each k has `rows`: k, the row in it, where the piece begins and ends, and
    where the row is."""
    line = t // pieces
    k = line // rows
    a = line % rows
    begin = t % pieces * piece
    if DIAGONAL:
        end = min(min(begin + piece, ny), a + 1)
        begin = max(begin, a - nx + 1)
        row = first + k * pk + a * pd
    else:
        end = min(begin + piece, nx)
        row = first + k * pk + a * (pd + pj)
    return k, a, begin, end, row


@portable
def residual(t, nx: i64, ny: i64, rows: i64, pieces: i64, piece: i64, first: i64, pk: i64, pd: i64, pj: i64, step: i64,
             apart: i64, long: i64, c: real[:], walls: real[:], u: real[:], w: real[:], f: real[:], r: real[:]):
    """r = scale (L(u) - f) of piece t % pieces of row t // pieces. Of each k there are `rows`, along i, or if DIAGONAL along j.

    c: s, n, scale. walls: five weights of points two before … two after along each axis: fourth differences times -d4, and
    second differences; weight q of axis a at place l is number (5 a + q) long + l. Those of x come once more, backwards.
    """
    k, a, begin, end, row = piece_of(t, nx, ny, rows, pieces, piece, first, pk, pd, pj)  # a: j, or i + j
    n = c[1]
    along[0], along[1] = c[0], -c[0]  # fluxes of the neighbour before are added, those of the one after taken off
    for q in unroll(5):
        z[q] = walls[(10 + q) * long + k]
        if not DIAGONAL:
            y[q] = walls[(5 + q) * long + a]
    over_x = pd * step
    over_y = (pd + pj) * step
    over_z = pk * step
    for b in lane_steps(begin, end):  # i, or j
        place = (row + b) * step
        along_x = b
        if DIAGONAL:
            along_x = 15 * long + nx - 1 - a + b
            for q in unroll(5):
                y[q] = load(walls, (5 + q) * long + b)
        u1, u2, u3, u4, u5 = five(u, place, apart)
        m = load(walls, 2 * long + along_x) + (y[2] + z[2])
        b1, b2, b3, b4, b5 = weight(n * real(-2.0), m, load(w, place), u1, u2, u3, u4, u5)
        for side in unroll(2):
            way = 2 * side - 1
            u1, u2, u3, u4, u5 = five(u, place + way * over_z, apart)
            t1, t4, t2, t3, t5 = push(along[side], n, z[2 * side + 1], load(w, place + way * over_z), u1, u4, u2, u3, u5)
            b1, b2, b3, b4, b5 = b1 + t1, b2 + t2, b3 + t3, b4 + t4, b5 + t5
            u1, u2, u3, u4, u5 = five(u, place + way * over_y, apart)
            t1, t3, t4, t2, t5 = push(along[side], n, y[2 * side + 1], load(w, place + way * over_y), u1, u3, u4, u2, u5)
            b1, b2, b3, b4, b5 = b1 + t1, b2 + t2, b3 + t3, b4 + t4, b5 + t5
            m = load(walls, (2 * side + 1) * long + along_x)
            u1, u2, u3, u4, u5 = five(u, place + way * over_x, apart)
            t1, t2, t3, t4, t5 = push(along[side], n, m, load(w, place + way * over_x), u1, u2, u3, u4, u5)
            b1, b2, b3, b4, b5 = b1 + t1, b2 + t2, b3 + t3, b4 + t4, b5 + t5
            m = load(walls, 4 * side * long + along_x)
            u1, u2, u3, u4, u5 = five(u, place + 2 * way * over_x, apart)
            b1, b2, b3, b4, b5 = b1 + m * u1, b2 + m * u2, b3 + m * u3, b4 + m * u4, b5 + m * u5
            m = z[4 * side]
            u1, u2, u3, u4, u5 = five(u, place + 2 * way * over_z, apart)
            b1, b2, b3, b4, b5 = b1 + m * u1, b2 + m * u2, b3 + m * u3, b4 + m * u4, b5 + m * u5
            m = y[4 * side]
            u1, u2, u3, u4, u5 = five(u, place + 2 * way * over_y, apart)
            b1, b2, b3, b4, b5 = b1 + m * u1, b2 + m * u2, b3 + m * u3, b4 + m * u4, b5 + m * u5
        u1, u2, u3, u4, u5 = five(f, place, apart)
        mine = live(b, end)
        none = lanes(0.0)
        put(r, place, apart, where(mine, c[2] * (b1 - u1), none), where(mine, c[2] * (b2 - u2), none),
            where(mine, c[2] * (b3 - u3), none), where(mine, c[2] * (b4 - u4), none), where(mine, c[2] * (b5 - u5), none))


# ---- between sections
@portable
def skew(t, lowest: i64, nx: i64, ny: i64, rows: i64, pieces: i64, piece: i64, first: i64, row: i64, layer: i64, apart: i64,
         to: i64, to_k: i64, to_d: i64, to_apart: i64, x: real[:], y: real[:]):
    """Copy points lowest <= i < nx, lowest <= j < ny from rows along i to rows along j with one i + j. `rows` have one k."""
    k = lowest + t // pieces // rows
    d = 2 * lowest + t // pieces % rows
    begin = lowest + t % pieces * piece
    end = min(min(begin + piece, ny), d - lowest + 1)
    for j in lane_steps(max(begin, d - nx + 1), end):
        source = i32(first + k * layer + j * row + d - j) + lane_ids() * i32(row - 1)
        target = to + k * to_k + d * to_d + j
        mine = live(j, end)
        for q in unroll(5):
            store(y, target + q * to_apart, where(mine, gather(x, source + i32(q * apart), mine), lanes(0.0)))


@portable
def update(t, nx: i64, ny: i64, rows: i64, pieces: i64, piece: i64, first: i64, pk: i64, pd: i64, pj: i64, step: i64,
           apart: i64, by: real, r_first: i64, r_k: i64, r_d: i64, r_j: i64, r_apart: i64, r: real[:], u: real[:], w: real[:]):
    """u += by r and w = (1, u2 … u5) / u1, in rows as those of `residual`. r is skewed if APART, else where u is."""
    k, a, begin, end, row = piece_of(t, nx, ny, rows, pieces, piece, first, pk, pd, pj)
    for b in lane_steps(begin, end):
        place = (row + b) * step
        mine = live(b, end)
        source = i32(r_first + k * r_k + (a + b) * r_d + a * r_j) + lane_ids() * i32(r_d)
        for q in unroll(5):
            old[q] = load(u, place + q * apart)
            if APART:
                new[q] = old[q] + by * gather(r, source + i32(q * r_apart), mine)
            else:
                new[q] = old[q] + by * load(r, place + q * apart)
            store(u, place + q * apart, where(mine, new[q], old[q]))
        inverse = real(1.0) / new[0]
        store(w, place, where(mine, inverse, load(w, place)))
        for q in unroll(4):
            store(w, place + (q + 1) * apart, where(mine, inverse * new[q + 1], load(w, place + (q + 1) * apart)))


def kernels(precision: str, width: int, sweep_width: int, layout: str = "skewed") -> dict[str, Kernel]:
    """All loops, by name; widths are those of CPU lanes."""
    diagonal, apart = ("DIAGONAL", layout == "diagonal"), ("APART", layout == "skewed")
    return {"planes": Kernel(sweep_plane, precision=precision, width=sweep_width),
            "strips": Kernel(sweep_strip, precision=precision, width=sweep_width, league=True, team=32),
            "residual": Kernel(residual, precision=precision, width=width, statics=(diagonal,)),
            "skew": Kernel(skew, precision=precision, width=sweep_width),
            "update": Kernel(update, precision=precision, width=width, statics=(diagonal, apart))}
