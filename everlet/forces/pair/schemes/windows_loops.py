"""Kernels of the scheme `windows`. Statics as in pair/loops.py, and WIDTH, which is W as a number.

`rows` holds the neighbours of W atoms transposed: rows[(w * pitch + k) * W + l] is the k-th neighbour of lane l of window
w, or the window's filler. The neighbours of one step are different atoms.
"""

from __future__ import annotations

from everlet.forces.pair.rows import force_of, toward
from everlet.forces.pair.tally import add_tally, no_force, no_tally, sum_tally
from everlet.portable import f64, i32, i64, portable, real, where


@portable
def sort_block(b, slot: i64[:], window: i64[:], order: i32[:], count: i32[:], member: i32[:]):
    """Atoms of slots slot[b] … slot[b+1]-1 into the windows from window[b] on, those with the longest rows first.

    A last window that is not full repeats its first atom.
    """
    length = scratch(i32, BLOCK)
    base = window[b] * W
    atoms = slot[b + 1] - slot[b]
    for k in range(atoms):
        atom = order[slot[b] + k]
        mine = count[atom]
        q = k
        while q > 0 and length[q - 1] < mine:
            member[base + q] = member[base + q - 1]
            length[q] = length[q - 1]
            q -= 1
        member[base + q] = atom
        length[q] = mine
    for q in range(base + atoms, window[b + 1] * W):
        member[q] = member[(window[b + 1] - 1) * W]


@portable
def fill_window(w, pitch: i64, member: i32[:], filler: i32[:], count: i32[:], si: i64, neigh: i32[:], taken: i32[:],
                rows: i32[:], steps: i32[:]):
    """The rows of window w: in each step every lane takes the next of its neighbours that no lane before it has.

    taken[j]: the last step that has atom j, counted through all windows. steps[w]: how many were needed; more than
    `pitch` if they did not fit. Rows of the list change their order: what has found a place comes first.
    """
    first = scratch(i64, WIDTH)
    last = scratch(i64, WIDTH)
    left = i64(0)
    for lane in range(W):
        i = i64(member[w * W + lane])
        first[lane] = i * si
        last[lane] = i * si + count[i]
        if lane > 0 and i == member[w * W]:  # no atom of its own
            last[lane] = first[lane]
        left += last[lane] - first[lane]
    none = filler[w]
    k = i64(0)
    while left > 0 and k < pitch:
        step = i32(w * pitch + k + 1)
        for lane in range(W):
            here = first[lane]
            j = none
            if here < last[lane]:
                j = neigh[here]
                if taken[j] == step:
                    q = here + 1
                    while q < last[lane] and taken[neigh[q]] == step:
                        q += 1
                    j = none
                    if q < last[lane]:
                        j = neigh[q]
                        neigh[q] = neigh[here]
                        neigh[here] = j
            if j != none:
                taken[j] = step
                first[lane] = here + 1
                left -= 1
            rows[(w * pitch + k) * W + lane] = j
        k += 1
    steps[w] = i32(k + left)


@portable
def window_loop(w, n: i64, x: f64[:, 4], kind: i32[:], member: i32[:], pitch: i64, rows: i32[:], steps: i32[:],
                table: real[:], data: real[:], kinds: i64, f: f64[:, 3]):
    """The forces on the atoms of window w and the opposite ones on their neighbours: lane l is one atom throughout.

    NEWTON as in a half list: without it a ghost gets nothing, and energy and virial of a pair with one count half.
    """
    i = load(member, w * W)
    xi, yi, zi = gather3(x, i, True)
    fx, fy, fz = no_force(lanes(0.0))
    if EV:
        tallied = no_tally(lanes(0.0))
    if MANY:
        row = gather(kind, i, True) * i32(kinds)
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    for k in range(i64(steps[w])):
        j = load(rows, (w * pitch + k) * W)
        dx, dy, dz, r2 = toward(j, x, xi, yi, zi)
        if PREFETCH:
            prefetch3(x, load(rows, (w * pitch + k + PREFETCH) * W))
            prefetch3(f, j)
        if MANY:
            p = record(table, (gather(kind, j, True) + row) * i32(NP), True)
        near = r2 < p.cut2
        if not BRANCH or any_lane(near):
            gx, gy, gz, e = force_of(r2, near, dx, dy, dz, p, data)
            fx, fy, fz = fx + gx, fy + gy, fz + gz
            if NEWTON:
                subtract3_distinct(f, j, gx, gy, gz, True)
            if not NEWTON:
                subtract3_distinct(f, j, gx, gy, gz, j < i32(n))
            if EV:
                if not NEWTON:
                    share = where(j < i32(n), lanes(1.0), lanes(0.5))
                    e *= as_real(share)
                    gx *= as_real(share)
                    gy *= as_real(share)
                    gz *= as_real(share)
                tallied = add_tally(tallied, e, dx, dy, dz, gx, gy, gz)
    subtract3(f, i, -fx, -fy, -fz, True)  # one lane after the other: lanes without an atom add nothing to the first
    if EV:
        return sum_tally(1.0, tallied)
