"""Energies of bonds and of atoms: bonds, lone pairs, over- and undercoordination, polarisation.

Slopes of the energy with corrected orders (beta, beta_p, beta_pp of bonds) and with sums of orders (C of atoms) are added up
here and by the loops of angles, torsions and hydrogen bonds; slope_loops.py makes forces of them.

    w      of bond q: how overcoordinated its partner is, less what lone pairs make of that; cw: the slope of w (Bp + Bpp)
    k1 k2  of atom i: slopes with S1, the sum of ovun1 D_s B, and with S2, the sum of w (Bp + Bpp)
    py ot  of atom i: what the sum of pi orders that angles depend on, O, changes with B^7 of a bond and with the sum of orders
"""

from __future__ import annotations

from everlet.forces.manybody.reaxff.places import (
    CHI,
    COA2,
    ETA,
    FREE,
    KC2,
    LIGHT,
    LP1,
    LP2,
    NE,
    NO_BONDS,
    OVUN2,
    OVUN3,
    OVUN4,
    OVUN5,
    OVUN6,
    OVUN7,
    OVUN8,
    PEN3,
    PEN4,
    TRIP1,
    TRIP2,
    TRIP3,
    TRIP4,
    VAL6,
    VAL8,
    VAL9,
    VAL10,
    VALENCE,
    VALENCE_ANGLE,
    VALENCE_BOC,
    VALENCE_E,
)
from everlet.forces.manybody.reaxff.softness import EV_TO_KCAL
from everlet.portable import both, exp, f64, floor, i32, i64, log, most, portable, where

STEEP = 75.0  # of lone pairs
STRONG = 1.0  # triple bonds are looked for from this order on


@portable
def lone_pairs(excess, lp1):
    """From the sum of orders less the electrons of an atom: how many lone pairs it has, the slope of that with the sum, and
    what is left of pairs of missing electrons."""
    half = 0.5 * excess
    whole = where(half < 0.0, -floor(-half), floor(half))
    rest = excess - 2.0 * whole
    few = exp(-lp1 * (2.0 + rest) * (2.0 + rest))
    return few - whole, -2.0 * lp1 * (2.0 + rest) * few, rest


@portable
def bond_terms(t, rows: i64, n: i64, start: i32[:], kind: i32[:], bi: i32[:], bj: i32[:], table: f64[:], kinds: i64, g: f64[:],
               el: f64[:], T: f64[:], B: f64[:], Bp: f64[:], Bpp: f64[:], beta: f64[:], beta_p: f64[:], beta_pp: f64[:],
               single: f64[:], w: f64[:], cw: f64[:], own: f64[:], half: f64[:]):
    """Energies of bonds, one half from each side. `single` is ovun1 D_s, `own` the slope with the sum of orders of atom i.
    Returns them, and energies of pairs of carbons that are bound too strongly, which count as lone pairs.
    SHARES: `half` is what atom i has of them."""
    last = min((t + 1) * CHUNK, i64(start[rows]))
    if EV:
        energy = lanes(0.0)
        carbons = lanes(0.0)
    for q in lane_steps(t * CHUNK, last):
        here = live(q, last)
        i = load(bi, q)
        j = load(bj, q)
        ki = where(here, gather(kind, i, here), i32(0)) * i32(NE)
        kj = where(here, gather(kind, j, here), i32(0)) * i32(NE)
        p = record(table, (where(here, gather(kind, i, here), i32(0)) * i32(kinds)
                           + where(here, gather(kind, j, here), i32(0))) * i32(NP), True)
        ti = gather(T, i, here)
        tj = gather(T, j, here)
        order = load(B, q)
        pi = load(Bp, q)
        pipi = load(Bpp, q)
        sigma = order - pi - pipi
        power = where(sigma > 0.0, exp(p.be2 * log(most(sigma, 1e-300))), 0.0)
        strength = p.D_s * exp(p.be1 * (1.0 - power))
        e = -strength * sigma - p.D_p * pi - p.D_pp * pipi
        slope = -strength * (1.0 - p.be1 * p.be2 * power)
        # triple bonds
        di = ti - gather(el, ki + i32(VALENCE), True)
        dj = tj - gather(el, kj + i32(VALENCE), True)
        far = order - 2.5
        peak = where(order >= STRONG, p.triple * g[TRIP1], 0.0) * exp(-g[TRIP2] * far * far)
        ai = exp(-g[TRIP4] * (ti - order))
        aj = exp(-g[TRIP4] * (tj - order))
        many = exp(g[TRIP3] * (di + dj))
        share = 1.0 / (1.0 + 25.0 * many)
        triple = peak * share * (ai + aj)
        e += triple
        fall = triple * g[TRIP3] * (1.0 - share)
        by_ti = -g[TRIP4] * peak * share * ai - fall
        b_slope = triple * (g[TRIP4] - 2.0 * g[TRIP2] * far)
        # two carbons
        y = order - di - 0.04 * di * di * di * di - 3.0
        y = where(y > 0.0, y, 0.0)
        pull = 2.0 * p.carbons * g[KC2] * y
        mine = i < i32(n)  # bonds of ghosts are others'
        store(beta, q, where(mine, 0.5 * (slope + b_slope) + pull, 0.0))
        store(beta_p, q, where(mine, 0.5 * (-p.D_p - slope), 0.0))
        store(beta_pp, q, where(mine, 0.5 * (-p.D_pp - slope), 0.0))
        store(own, q, by_ti - pull * (1.0 + 0.16 * di * di * di))
        store(single, q, p.ovun1 * p.D_s)
        # the partner, for over- and undercoordination
        pairs, change, _ = lone_pairs(tj - gather(el, kj + i32(VALENCE_E), True), g[LP1])
        light = gather(el, ki + i32(LIGHT), True) * gather(el, kj + i32(LIGHT), True)
        store(w, q, dj - light * (gather(el, kj + i32(FREE), True) - pairs))
        store(cw, q, (1.0 + light * change) * (pi + pipi))
        if SHARES:
            z = order - dj - 0.04 * dj * dj * dj * dj - 3.0
            z = where(z > 0.0, z, 0.0)
            store(half, q, 0.5 * (e + p.carbons * g[KC2] * (y * y + z * z)))
        if EV:
            counts = both(here, mine)
            energy += where(counts, 0.5 * e, 0.0)
            carbons += where(counts, p.carbons * g[KC2] * y * y, 0.0)
    if EV:
        return f64(lane_sum(energy)), f64(lane_sum(carbons))


@portable
def atom_terms(i, start: i32[:], kind: i32[:], g: f64[:], el: f64[:], charge: f64[:], potential: f64[:], T: f64[:],
               B: f64[:], Bp: f64[:], Bpp: f64[:], single: f64[:], w: f64[:], own: f64[:], C: f64[:], k1: f64[:], k2: f64[:],
               py: f64[:], ot: f64[:], centre: f64[:, 4], more: f64[:, 4], half: f64[:], each: f64[:]):
    """Energies of an atom by itself, their slopes, and what angles at it need.

    centre: the share of theta00 that is left and its slope with O, exp(val6 Da), 1 / (1 + exp(coa2 Db)); more: f9 of
    penalties and its slope, two free places. Returns energies of lone pairs, of over- and undercoordination, of polarisation.
    SHARES: `each` is their sum, with the energies of bonds. POTENTIALS: those of charges count (fix acks2/reaxff).
    """
    s1 = 0.0
    s2 = 0.0
    pis = 0.0
    eighths = 0.0
    c = 0.0
    for q in range(i64(start[i]), i64(start[i + 1])):
        pi = Bp[q] + Bpp[q]
        s1 += single[q] * B[q]
        s2 += w[q] * pi
        pis += pi
        square = B[q] * B[q]
        fourth = square * square
        eighths += fourth * fourth
        c += own[q]
    k = i64(kind[i]) * NE
    sum = T[i]
    counts = 1.0
    if start[i] == start[i + 1]:
        counts = g[NO_BONDS]
    if el[k + VALENCE] == 0.0 and el[k + VALENCE_E] == 0.0:
        counts = 0.0
    # lone pairs
    pairs, change, rest = lone_pairs(sum - el[k + VALENCE_E], g[LP1])
    missing = el[k + FREE] - pairs
    slope = -change
    step = 1.0 / (1.0 + exp(-STEEP * missing))
    e_lp = counts * el[k + LP2] * missing * step
    c += counts * el[k + LP2] * (step + STEEP * missing * step * (1.0 - step)) * slope
    # over- and undercoordination
    excess = sum - el[k + VALENCE]
    light = el[k + LIGHT]
    damp = 1.0 / (1.0 + g[OVUN3] * exp(g[OVUN4] * s2))
    x = excess - light * missing * damp
    x_sum = 1.0 - light * slope * damp
    x_s2 = light * missing * damp * (1.0 - damp) * g[OVUN4]
    up = 1.0 / (1.0 + exp(el[k + OVUN2] * x))
    down = 1.0 / (1.0 + exp(-el[k + OVUN2] * x))
    near = 1.0 / (x + el[k + VALENCE] + 1e-8)
    over = x * near * up
    e_over = s1 * over
    by_x = s1 * near * up * (1.0 - x * near - x * el[k + OVUN2] * down)
    grow = exp(g[OVUN6] * x)
    less = 1.0 / (1.0 + g[OVUN7] * exp(g[OVUN8] * s2))
    under = -counts * el[k + OVUN5] * (1.0 - grow) * down * less
    by_x += counts * el[k + OVUN5] * down * less * (g[OVUN6] * grow - (1.0 - grow) * el[k + OVUN2] * up)
    c += by_x * x_sum
    C[i] = c
    k1[i] = over
    k2[i] = by_x * x_s2 - under * (1.0 - less) * g[OVUN8]
    # what angles at this atom need
    angle = sum - el[k + VALENCE_ANGLE]
    product = exp(-eighths)
    pairs_left = 0.0
    pairs_slope = 0.0
    if rest < 0.0:
        pairs_left = pairs
        pairs_slope = change
    y = -angle - g[VAL8] * pairs_left
    o = pis + (1.0 - product) * y
    py[i] = 8.0 * product * y
    ot[i] = (1.0 - product) * (-1.0 - g[VAL8] * pairs_slope)
    bent = 0.0
    bent_slope = 0.0
    if o > 0.0 and o <= 1.0:
        bent = exp(g[VAL9] * log(o))
        bent_slope = g[VAL9] * bent / o
    if o > 1.0 and o < 2.0:
        bent = exp(g[VAL9] * log(2.0 - o))
        bent_slope = g[VAL9] * bent / (2.0 - o)
        bent = 2.0 - bent
    if o >= 2.0:
        bent = 2.0
    left = exp(-g[VAL10] * (2.0 - bent))
    centre[i, 0] = 1.0 - left
    centre[i, 1] = -g[VAL10] * left * bent_slope
    centre[i, 2] = exp(g[VAL6] * angle)
    centre[i, 3] = 1.0 / (1.0 + exp(g[COA2] * (sum - el[k + VALENCE_BOC])))
    e3 = exp(-g[PEN3] * excess)
    e4 = exp(g[PEN4] * excess)
    whole = 1.0 / (1.0 + e3 + e4)
    f9 = (2.0 + e3) * whole
    more[i, 0] = f9
    more[i, 1] = -g[PEN3] * e3 * whole - f9 * whole * (g[PEN4] * e4 - g[PEN3] * e3)
    pull = el[k + CHI]
    if POTENTIALS:
        pull += potential[i]
    e_pol = EV_TO_KCAL * (pull * charge[i] + 0.5 * el[k + ETA] * charge[i] * charge[i])
    if SHARES:
        mine = e_lp + e_over + under + e_pol
        for q in range(i64(start[i]), i64(start[i + 1])):
            mine += half[q]
        each[i] = mine
    if EV:
        return e_lp, e_over + under, e_pol
