"""Torsions with four-body conjugation: found first, packed, then computed.

Entry a of the table is three bonds: arm[a] from j to i, mid[a] from j to k, end[a] from k to l, and par[a], its parameters.
Each central bond is looked at from one of its sides, j. Bonds of k are those of its home: if k is a periodic image, of its
atom, and l then stands for another image of the same atom: forces on it belong to that atom too.
"""

from __future__ import annotations

from everlet.forces.manybody.giving_loops import give_part
from everlet.forces.manybody.reaxff.bond_loops import crowded, ends_of, item_at, takes, way_of
from everlet.forces.manybody.reaxff.places import COT2, NE, THRESHOLD, TOR2, TOR3, TOR4, VALENCE_ANGLE
from everlet.forces.pair.tally import and_way, less_tally, no_tally, sum_tally, virial_of
from everlet.portable import exp, f64, i32, i64, most, portable, scatter, sqrt, where

SAME = 1e-4  # atoms of one id are the same if they are so near


@portable
def is_torsion(q: i64, k: i64, m: i64, product: f64, id: i64[:], bi: i32[:], bj: i32[:], dx: f64[:], dy: f64[:], dz: f64[:],
               B: f64[:], g: f64[:]):
    """Bonds k (j to i), q (j to k) and m (k to l) are strong enough, and four different atoms."""
    if product * B[m] <= g[THRESHOLD]:
        return False
    if id[bj[m]] == id[bi[q]]:  # l is j
        x = dx[q] + dx[m]
        y = dy[q] + dy[m]
        z = dz[q] + dz[m]
        if x * x + y * y + z * z < SAME:
            return False
    if id[bj[m]] == id[bj[k]]:  # l is i
        x = dx[q] + dx[m] - dx[k]
        y = dy[q] + dy[m] - dy[k]
        z = dz[q] + dz[m] - dz[k]
        if x * x + y * y + z * z < SAME:
            return False
    return True


@portable
def count_torsions(q, rows: i64, n: i64, start: i32[:], x: f64[:, 4], id: i64[:], kind: i32[:], home: i32[:], bi: i32[:],
                   bj: i32[:], dx: f64[:], dy: f64[:], dz: f64[:], B: f64[:], g: f64[:], sets: i32[:], kinds: i64,
                   torsions: i32[:]):
    """Torsions about bond q; sets: of each quadruple of types its parameters, -1 for none."""
    found = i64(0)
    if q < i64(start[rows]):
        j = i64(bi[q])
        k = i64(bj[q])
        if j < n and B[q] > g[THRESHOLD] and takes(j, k, id, x):
            for a in range(i64(start[j]), i64(start[j + 1])):
                if a != q and B[a] > g[THRESHOLD]:
                    row = ((i64(kind[bj[a]]) * kinds + i64(kind[j])) * kinds + i64(kind[k])) * kinds
                    for m in range(i64(start[home[k]]), i64(start[home[k] + 1])):
                        if B[m] > g[THRESHOLD] and sets[row + i64(kind[bj[m]])] >= 0:
                            found += i64(is_torsion(q, a, m, B[a] * B[q], id, bi, bj, dx, dy, dz, B, g))
    torsions[q] = i32(found)


@portable
def fill_torsions(q, bonds: i64, rows: i64, n: i64, start: i32[:], x: f64[:, 4], id: i64[:], kind: i32[:], home: i32[:],
                  bi: i32[:], bj: i32[:], dx: f64[:], dy: f64[:], dz: f64[:], B: f64[:], g: f64[:], sets: i32[:], kinds: i64,
                  begin: i32[:], room: i64, place: i64, control: i64[:], arm: i32[:], mid: i32[:], end: i32[:], par: i32[:]):
    full = crowded(i64(begin[bonds]), room, place, control)
    if not full and begin[q] < begin[q + 1]:
        to = i64(begin[q])
        j = i64(bi[q])
        k = i64(bj[q])
        for a in range(i64(start[j]), i64(start[j + 1])):
            if a != q and B[a] > g[THRESHOLD]:
                row = ((i64(kind[bj[a]]) * kinds + i64(kind[j])) * kinds + i64(kind[k])) * kinds
                for m in range(i64(start[home[k]]), i64(start[home[k] + 1])):
                    which = i32(-1)
                    if B[m] > g[THRESHOLD]:
                        which = sets[row + i64(kind[bj[m]])]
                    if which >= 0:
                        if is_torsion(q, a, m, B[a] * B[q], id, bi, bj, dx, dy, dz, B, g):
                            arm[to] = i32(a)
                            mid[to] = i32(q)
                            end[to] = i32(m)
                            par[to] = which
                            to += 1


@portable
def torsion_loop(t, bonds: i64, begin: i32[:], arm: i32[:], mid: i32[:], end: i32[:], par: i32[:], table: f64[:], g: f64[:],
                 el: f64[:], kind: i32[:], bi: i32[:], bj: i32[:], dx: f64[:], dy: f64[:], dz: f64[:], r: f64[:], B: f64[:],
                 Bp: f64[:], T: f64[:], beta: scatter[f64[:]], beta_p: scatter[f64[:]], C: scatter[f64[:]],
                 f: scatter[f64[:, 3]]):
    """CHUNK torsions. Returns energies of torsions and of conjugation, and the virial.

    a, b, c are the ways from j to i, from j to k, from k to l; u = a x b and v = c x b, so that cos w = u.v / |u||v|,
    sin(ijk) = |u| / |a||b|, sin(jkl) = |v| / |b||c|. SHARES: as in angle_loops.py; the energy belongs to the two in the middle.
    """
    last = min((t + 1) * CHUNK, i64(begin[bonds]))
    if EV:
        e_conjugation = lanes(0.0)
        tallied = no_tally(lanes(0.0))
    for q in lane_steps(t * CHUNK, last):
        here = live(q, last)
        qa, qb, qc = item_at(arm, q, here), item_at(mid, q, here), item_at(end, q, here)
        p = record(table, item_at(par, q, here) * i32(NP), True)
        i = gather(bj, qa, True)
        j, k = ends_of(qb, bi, bj)
        last_one = gather(bj, qc, True)
        ax, ay, az, ia = way_of(qa, dx, dy, dz, r)
        bx, by, bz, ib = way_of(qb, dx, dy, dz, r)
        cx, cy, cz, ic = way_of(qc, dx, dy, dz, r)
        ux = ay * bz - az * by
        uy = az * bx - ax * bz
        uz = ax * by - ay * bx
        vx = cy * bz - cz * by
        vy = cz * bx - cx * bz
        vz = cx * by - cy * bx
        u2 = most(fma(ux, ux, fma(uy, uy, uz * uz)), 1e-20)
        v2 = most(fma(vx, vx, fma(vy, vy, vz * vz)), 1e-20)
        uv = fma(ux, vx, fma(uy, vy, uz * vz))
        iu = 1.0 / sqrt(u2)
        iv = 1.0 / sqrt(v2)
        w = uv * iu * iv
        sines = u2 * iu * v2 * iv * ia * ib * ib * ic
        # orders
        ba = gather(B, qa, True) - g[THRESHOLD]
        bb = gather(B, qb, True) - g[THRESHOLD]
        bc = gather(B, qc, True) - g[THRESHOLD]
        xa = exp(-g[TOR2] * ba)
        xb = exp(-g[TOR2] * bb)
        xc = exp(-g[TOR2] * bc)
        f10 = (1.0 - xa) * (1.0 - xb) * (1.0 - xc)
        many = (gather(T, j, True) - gather(el, gather(kind, j, True) * i32(NE) + i32(VALENCE_ANGLE), True)
                + gather(T, k, True) - gather(el, gather(kind, k, True) * i32(NE) + i32(VALENCE_ANGLE), True))
        e3 = exp(-g[TOR3] * many)
        e4 = exp(g[TOR4] * many)
        whole = 1.0 / (1.0 + e3 + e4)
        f11 = (2.0 + e3) * whole
        f11_slope = -g[TOR3] * e3 * whole - f11 * whole * (g[TOR4] * e4 - g[TOR3] * e3)
        left = 2.0 - gather(Bp, qb, True) - f11
        stiff = p.V2 * exp(p.tor1 * left * left)
        # the torsion: f10 sines V(w), and the conjugation: conj (1 + (w^2 - 1) sines)
        wave = 0.5 * p.V1 * (1.0 + w) + stiff * (1.0 - w * w) + 0.5 * p.V3 * (1.0 + w * (4.0 * w * w - 3.0))
        wave_slope = 0.5 * p.V1 - 2.0 * stiff * w + 0.5 * p.V3 * (12.0 * w * w - 3.0)
        ha = ba - 1.5
        hb = bb - 1.5
        hc = bc - 1.5
        conj = p.cot1 * exp(-g[COT2] * (ha * ha + hb * hb + hc * hc))
        conjugation = conj * (1.0 + (w * w - 1.0) * sines)
        by_sines = f10 * wave + conj * (w * w - 1.0)
        by_w = f10 * sines * wave_slope + conj * 2.0 * w * sines
        # slopes with orders
        flat = sines * wave
        subtract(beta, qa, -(flat * g[TOR2] * xa * (1.0 - xb) * (1.0 - xc) - 2.0 * g[COT2] * ha * conjugation), here)
        subtract(beta, qb, -(flat * g[TOR2] * xb * (1.0 - xa) * (1.0 - xc) - 2.0 * g[COT2] * hb * conjugation), here)
        subtract(beta, qc, -(flat * g[TOR2] * xc * (1.0 - xa) * (1.0 - xb) - 2.0 * g[COT2] * hc * conjugation), here)
        by_left = f10 * sines * (1.0 - w * w) * stiff * 2.0 * p.tor1 * left
        subtract(beta_p, qb, by_left, here)
        subtract(C, j, by_left * f11_slope, here)
        subtract(C, k, by_left * f11_slope, here)
        # slopes with uv, u2 and v2, and with the lengths
        by_uv = by_w * iu * iv
        by_u2 = 0.5 * iu * iu * (by_sines * sines - by_w * w)
        by_v2 = 0.5 * iv * iv * (by_sines * sines - by_w * w)
        length = -by_sines * sines
        px = 2.0 * by_u2 * ux + by_uv * vx  # the slope with u
        py = 2.0 * by_u2 * uy + by_uv * vy
        pz = 2.0 * by_u2 * uz + by_uv * vz
        ox = 2.0 * by_v2 * vx + by_uv * ux  # the slope with v
        oy = 2.0 * by_v2 * vy + by_uv * uy
        oz = 2.0 * by_v2 * vz + by_uv * uz
        la = length * ia * ia
        lb = 2.0 * length * ib * ib
        lc = length * ic * ic
        gax = by * pz - bz * py + la * ax
        gay = bz * px - bx * pz + la * ay
        gaz = bx * py - by * px + la * az
        gcx = by * oz - bz * oy + lc * cx
        gcy = bz * ox - bx * oz + lc * cy
        gcz = bx * oy - by * ox + lc * cz
        gbx = py * az - pz * ay + oy * cz - oz * cy + lb * bx
        gby = pz * ax - px * az + oz * cx - ox * cz + lb * by
        gbz = px * ay - py * ax + ox * cy - oy * cx + lb * bz
        slopes = and_way(and_way(virial_of(ax, ay, az, gax, gay, gaz), bx, by, bz, gbx, gby, gbz), cx, cy, cz, gcx, gcy, gcz)
        if not SHARES:
            subtract3(f, i, gax, gay, gaz, here)
            subtract3(f, j, -gax - gbx, -gay - gby, -gaz - gbz, here)
            subtract3(f, k, gbx - gcx, gby - gcy, gbz - gcz, here)
            subtract3(f, last_one, gcx, gcy, gcz, here)
        if SHARES:
            none = lanes(0.0)
            half = -0.5 * (f10 * flat + conjugation)
            give_part(f, i, none, 0.25, slopes, here)
            give_part(f, j, half, 0.25, slopes, here)
            give_part(f, k, half, 0.25, slopes, here)
            give_part(f, last_one, none, 0.25, slopes, here)
        if EV:
            tallied = less_tally(tallied, f10 * flat, slopes, here)
            e_conjugation += where(here, conjugation, 0.0)
    if EV:
        energy, xx, yy, zz, xy, xz, yz = sum_tally(1.0, tallied)
        return energy, f64(lane_sum(e_conjugation)), xx, yy, zz, xy, xz, yz
