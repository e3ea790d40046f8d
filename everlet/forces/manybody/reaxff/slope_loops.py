"""From slopes with corrected orders to forces: the chain of bond orders backward, once, for all terms together.

With G, Gp, Gpp the slopes of the energy with B, Bp, Bpp of a bond as it stands in the row of atom i (what its sums of orders
change included), B = s A, Bp = sp f1 A, Bpp = spp f1 A, A = f1 f4 f5, Q = Gp sp + Gpp spp and H = G s + Q f1:

    dE/ds = A (G + H X)      dE/dsp = Gp f1 A      dE/dspp = Gpp f1 A
    dE/d(sum of s of atom i) = A (H Yi + Q Zi),   of atom j the same with Yj, Zj

All is linear in G: both rows of a bond add their parts, each by itself.
"""

from __future__ import annotations

from everlet.forces.manybody.giving_loops import share_pair, share_way
from everlet.forces.pair.tally import less_tally, no_tally, sum_virial, virial_of
from everlet.portable import both, f64, i32, i64, portable, scatter, where


@portable
def spread_under(t, rows: i64, n: i64, start: i32[:], bi: i32[:], bj: i32[:], k2: f64[:], cw: f64[:], C: scatter[f64[:]]):
    """Undercoordination depends on the sums of orders of partners."""
    last = min((t + 1) * CHUNK, i64(start[rows]))
    for q in lane_steps(t * CHUNK, last):
        i = load(bi, q)
        mine = both(live(q, last), i < i32(n))
        subtract(C, load(bj, q), -gather(k2, i, mine) * load(cw, q), mine)


@portable
def chain(t, rows: i64, n: i64, start: i32[:], bi: i32[:], bj: i32[:], s: f64[:], sp: f64[:], spp: f64[:], B: f64[:], A: f64[:],
          f1: f64[:], X: f64[:], Yi: f64[:], Yj: f64[:], Zi: f64[:], Zj: f64[:], beta: f64[:], beta_p: f64[:], beta_pp: f64[:],
          single: f64[:], w: f64[:], C: f64[:], C0: f64[:], k1: f64[:], k2: f64[:], csbo: f64[:], py: f64[:], ot: f64[:], es:
          f64[:],
          ep: f64[:], epp: f64[:], D: scatter[f64[:]]):
    """Slopes with uncorrected orders, es, ep, epp, and with their sums, D. Rows of ghosts know nothing of what belongs to
    atoms. SHARES: what a bond gives to D of both its atoms takes the place of Yi and Yj."""
    last = min((t + 1) * CHUNK, i64(start[rows]))
    for q in lane_steps(t * CHUNK, last):
        here = live(q, last)
        i = load(bi, q)
        j = load(bj, q)
        mine = both(here, i < i32(n))
        order = load(B, q)
        third = order * order * order
        o = where(mine, gather(csbo, i, mine), 0.0)
        u1 = where(mine, gather(k1, i, mine), 0.0)
        u2 = where(mine, gather(k2, i, mine), 0.0)
        sums = where(mine, gather(C, i, mine) + gather(C0, i, mine) + o * gather(ot, i, mine), 0.0)
        G = load(beta, q) + u1 * load(single, q) + where(mine, o * gather(py, i, mine), 0.0) * third * third * order + sums
        pi = u2 * load(w, q) + o
        Gp = load(beta_p, q) + pi
        Gpp = load(beta_pp, q) + pi
        a = load(A, q)
        one = load(f1, q)
        Q = Gp * load(sp, q) + Gpp * load(spp, q)
        H = G * load(s, q) + Q * one
        store(es, q, a * (G + H * load(X, q)))
        store(ep, q, Gp * one * a)
        store(epp, q, Gpp * one * a)
        first = a * (H * load(Yi, q) + Q * load(Zi, q))
        second = a * (H * load(Yj, q) + Q * load(Zj, q))
        subtract(D, i, -first, here)
        subtract(D, j, -second, here)
        if SHARES:
            store(Yi, q, first)
            store(Yj, q, second)


@portable
def lean(t, rows: i64, start: i32[:], bi: i32[:], bj: i32[:], away: f64[:], first: f64[:], second: f64[:],
         P: scatter[f64[:]]):
    """P, of one axis: the ways to partners, each with what its bond gives to D."""
    last = min((t + 1) * CHUNK, i64(start[rows]))
    for q in lane_steps(t * CHUNK, last):
        here = live(q, last)
        d = load(away, q)
        subtract(P, load(bi, q), -d * load(first, q), here)
        subtract(P, load(bj, q), d * load(second, q), here)


@portable
def order_forces(t, rows: i64, n: i64, start: i32[:], bi: i32[:], bj: i32[:], dx: f64[:], dy: f64[:], dz: f64[:], r: f64[:],
                 ds: f64[:], dp: f64[:], dpp: f64[:], es: f64[:], ep: f64[:], epp: f64[:], D: f64[:], Px: f64[:], Py: f64[:],
                 Pz: f64[:], f: scatter[f64[:, 3]]):
    """Forces along bonds. SHARES: of a bond's own slope half of the virial for each of its atoms. A slope with a sum of orders
    belongs to all bonds of atom i, and its force on an atom has the virial of a way from the middle of the bond that it comes
    from: of those of i there are the sums P."""
    last = min((t + 1) * CHUNK, i64(start[rows]))
    if EV:
        tallied = no_tally(lanes(0.0))
    for q in lane_steps(t * CHUNK, last):
        here = live(q, last)
        i = load(bi, q)
        j = load(bj, q)
        mine = both(here, i < i32(n))
        common = where(mine, gather(D, i, mine), 0.0)
        whole = load(es, q) + common
        if SHARES:
            whole = load(es, q)
        slope = whole * load(ds, q) + load(ep, q) * load(dp, q) + load(epp, q) * load(dpp, q)
        k = where(here, slope / load(r, q), 0.0)
        ax = load(dx, q)
        ay = load(dy, q)
        az = load(dz, q)
        if not SHARES:
            subtract3(f, j, k * ax, k * ay, k * az, here)
            subtract3(f, i, -k * ax, -k * ay, -k * az, here)
        if SHARES:
            share_pair(f, i, j, ax, ay, az, k * ax, k * ay, k * az, here)
            u = where(mine, load(ds, q) / load(r, q), 0.0)
            px = 0.5 * where(mine, gather(Px, i, mine), 0.0)
            py = 0.5 * where(mine, gather(Py, i, mine), 0.0)
            pz = 0.5 * where(mine, gather(Pz, i, mine), 0.0)
            share_way(f, i, px, py, pz, u * ax, u * ay, u * az, mine)
            share_way(f, j, common * ax - px, common * ay - py, common * az - pz, u * ax, u * ay, u * az, mine)
        if EV:
            tallied = less_tally(tallied, lanes(0.0), virial_of(k * ax, k * ay, k * az, ax, ay, az), here)
    if EV:
        return sum_virial(1.0, tallied)


@portable
def virials(parts: f64[:], k: i64):
    """Number k of the virial: of angles, torsions, hydrogen bonds, pairs, orders."""
    return parts[8 + k] + parts[16 + k] + parts[23 + k] + parts[31 + k] + parts[37 + k]


@portable
def collect(i, parts: f64[:]):
    """Sums of all loops (scheme.py: PARTS): energy, virial, Coulomb energy with that of polarisation."""
    energy = (parts[0] + parts[1] + parts[2] + parts[3] + parts[5] + parts[6] + parts[7] + parts[14] + parts[15] + parts[22]
              + parts[29])
    return (energy, virials(parts, 0), virials(parts, 1), virials(parts, 2), virials(parts, 3), virials(parts, 4),
            virials(parts, 5), parts[30] + parts[4])
