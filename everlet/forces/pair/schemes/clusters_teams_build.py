"""Kernels that make clusters and their rows on GPUs. Threads of a team (lanes elsewhere) share out what may be near.

A slot is a place for an atom. Slots are made block by block, ALIGN at a time; a block holds atoms of one section:
sections 0 … columns-1 are the columns of owned atoms, then come two of ghosts for each column, its lower and its upper
half. `first[k]` is the first block of section k, `member[s]` the atom in slot s, or `filler` where there is none.
Statics: CI and JC (atoms of an i-cluster and of a j-cluster, which are that many slots side by side), ALIGN (the larger
one).
"""

from __future__ import annotations

from everlet.forces.pair.schemes.clusters_build import piece
from everlet.neighbor.kernels import bin_along
from everlet.portable import f64, i32, i64, least, most, portable
from everlet.state.control import CROWDED, TROUBLE

APART = 1.0e6  # between fillers, when rows are made


@portable
def section_begin(k: i64, columns: i64, nz: i64):
    """The first bin of a section; bins of ghosts come after those of owned atoms."""
    begin = k * nz
    if k >= columns:
        begin = columns * nz + piece(k - columns, i64(2), nz)
    return begin


@portable
def count_blocks(k, columns: i64, nz: i64, start: i32[:], blocks: i32[:]):
    """How many blocks the atoms of section k fill."""
    atoms = i64(start[section_begin(k + 1, columns, nz)]) - i64(start[section_begin(k, columns, nz)])
    blocks[k] = i32((atoms + ALIGN - 1) // ALIGN)


@portable
def fill_slot(s, columns: i64, nz: i64, filler: i64, x: f64[:, 4], start: i32[:], order: i32[:], first: i32[:],
              member: i32[:], home: i32[:], px: f64[:], py: f64[:], pz: f64[:]):
    """The atom of slot s and its place; the section of its block."""
    k = s // ALIGN
    if k < first[3 * columns]:
        low = i64(0)
        high = 3 * columns
        while high - low > 1:  # the last section that begins at block k or before it
            middle = (low + high) // 2
            if first[middle] <= k:
                low = middle
            else:
                high = middle
        q = i64(start[section_begin(low, columns, nz)]) + s - i64(first[low]) * ALIGN
        m = filler
        away = APART * f64(s)
        if q < start[section_begin(low + 1, columns, nz)]:
            m = i64(order[q])
            away = 0.0
        member[s] = i32(m)
        px[s] = x[m, 0] + away
        py[s] = x[m, 1]
        pz[s] = x[m, 2]
        if s % ALIGN == 0:
            home[k] = i32(low)


@portable
def bound_cluster(c, columns: i64, filler: i64, first: i32[:], member: i32[:], px: f64[:], py: f64[:], pz: f64[:],
                  pitch: i64, boxes: f64[:]):
    """The box around the atoms of j-cluster c: its low sides at boxes[d * pitch + c], its high ones behind them."""
    if c * JC < i64(first[3 * columns]) * ALIGN:
        for d in range(3):
            boxes[d * pitch + c] = 1.0e300
            boxes[(d + 3) * pitch + c] = -1.0e300
        for s in range(c * JC, c * JC + JC):
            if member[s] < filler:
                boxes[c] = min(boxes[c], px[s])
                boxes[pitch + c] = min(boxes[pitch + c], py[s])
                boxes[2 * pitch + c] = min(boxes[2 * pitch + c], pz[s])
                boxes[3 * pitch + c] = max(boxes[3 * pitch + c], px[s])
                boxes[4 * pitch + c] = max(boxes[4 * pitch + c], py[s])
                boxes[5 * pitch + c] = max(boxes[5 * pitch + c], pz[s])


@portable
def scan_slots(found: i64, low: i64, high: i64, t: i64, x0: f64, y0: f64, z0: f64, x1: f64, y1: f64, z1: f64, cut2: f64,
               member: i32[:], px: f64[:], py: f64[:], pz: f64[:], pitch: i64, boxes: f64[:], base: i64, room: i64,
               rows: i32[:]):
    """Append the j-clusters of slots low … high-1 that have an atom within the list radius of i-cluster t.

    x0 … z1 is the box around the i-cluster: what is far from it needs no closer look.
    """
    last = (high + JC - 1) // JC
    for q in lane_steps(low // JC, last):
        if JC == 1:
            ax = load(px, q)
            ay = load(py, q)
            az = load(pz, q)
            bx = ax
            by = ay
            bz = az
        if JC > 1:
            ax = load(boxes, q)
            ay = load(boxes, pitch + q)
            az = load(boxes, 2 * pitch + q)
            bx = load(boxes, 3 * pitch + q)
            by = load(boxes, 4 * pitch + q)
            bz = load(boxes, 5 * pitch + q)
        gx = most(most(ax - x1, x0 - bx), lanes(0.0))
        gy = most(most(ay - y1, y0 - by), lanes(0.0))
        gz = most(most(az - z1, z0 - bz), lanes(0.0))
        near = both(live(q, last), fma(gx, gx, fma(gy, gy, gz * gz)) < cut2)
        if any_lane(near):
            nearest2 = lanes(1.0e300)
            for s in range(JC):
                if JC == 1:
                    xj = ax
                    yj = ay
                    zj = az
                if JC > 1:
                    slot = (lane_ids() + i32(q)) * i32(JC) + i32(s)
                    xj = gather(px, slot, near)
                    yj = gather(py, slot, near)
                    zj = gather(pz, slot, near)
                for u in range(t * CI, t * CI + CI):
                    dx = xj - px[u]
                    dy = yj - py[u]
                    dz = zj - pz[u]
                    nearest2 = least(nearest2, fma(dx, dx, fma(dy, dy, dz * dz)))
            near = both(near, nearest2 < cut2)
        if JC == 1:
            entry = load(member, q)
        if JC > 1:
            entry = lane_ids() + i32(q)
        if found <= room:
            found += append(rows, base, found, 1, entry, near)
        else:
            found += count_lanes(near)
    return found


@portable
def list_clusters(t, columns: i64, filler: i64, empty: i64, grid: f64[:], shape: i64[:], stencil: i64[:, 3],
                  near_rows: i64, radius: f64, start: i32[:], first: i32[:], member: i32[:], home: i32[:], px: f64[:],
                  py: f64[:], pz: f64[:], pitch: i64, boxes: f64[:], room: i64, rows: i32[:], count: i32[:],
                  control: i64[:]):
    """The row of i-cluster t: atoms (JC = 1) or j-clusters near one of its atoms, itself among them.

    Rows are filled up to a whole number of WIDEST atoms with `empty`, an entry without atoms. Of the `room` places of a row
    SPILL are for that, and for what the last step of lanes may write. If they do not fit, count says how many there are.
    """
    found = i64(0)
    nz = shape[2]
    if t * CI < i64(first[columns]) * ALIGN:
        x0, y0, z0 = 1.0e300, 1.0e300, 1.0e300
        x1, y1, z1 = -1.0e300, -1.0e300, -1.0e300
        for s in range(t * CI, t * CI + CI):
            if member[s] < filler:
                x0 = min(x0, px[s])
                y0 = min(y0, py[s])
                z0 = min(z0, pz[s])
                x1 = max(x1, px[s])
                y1 = max(y1, py[s])
                z1 = max(z1, pz[s])
        if x0 <= x1:
            column = i64(home[t * CI // ALIGN])
            bottom = bin_along(z0 - radius, grid[2], grid[5], nz)
            top = bin_along(z1 + radius, grid[2], grid[5], nz) + 1
            for row in range(near_rows):
                a = column // shape[1] + stencil[row, 0]
                b = column % shape[1] + stencil[row, 1]
                if a >= 0 and a < shape[0] and b >= 0 and b < shape[1]:
                    k = a * shape[1] + b
                    for part in range(3):  # owned atoms, ghosts below, ghosts above
                        section = k
                        low = bottom
                        high = top
                        bins = k * nz
                        if part > 0:
                            section = columns + 2 * k + part - 1
                            low = max(bottom, (part - 1) * nz // 2)
                            high = min(top, part * nz // 2)
                            bins = (columns + k) * nz
                        if low < high and first[section + 1] > first[section]:
                            ahead = i64(first[section]) * ALIGN - i64(start[section_begin(section, columns, nz)])
                            found = scan_slots(found, ahead + start[bins + low], ahead + start[bins + high], t, x0, y0,
                                               z0, x1, y1, z1, radius * radius, member, px, py, pz, pitch, boxes,
                                               t * room, room - SPILL, rows)
    if leader():
        count[t] = i32(found)
        if found <= room - SPILL:
            for q in range(found, (found * JC + WIDEST - 1) // WIDEST * WIDEST // JC):
                rows[t * room + q] = i32(empty)
        else:
            control[CROWDED] = 1
            control[TROUBLE] = 1
