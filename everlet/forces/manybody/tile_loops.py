"""Loops of styles that keep many numbers of each atom: rows of neighbours by channel, and atoms in tiles.

Numbers of the atoms of a chunk are in tiles: number k of T atoms side by side, then number k + 1 (`place`). A lane is an atom.
Where atoms of one tile must be of one species, they are put into slots: those of species 0 first, and each species begins a
new tile (`clear_slots`, `mark_species`, `fill_slots`; LISTED). Else slot and atom are the same number.

Statics: T tile; CHANNELS, SPECIES; MANY, NP, DENSE as in pair/loops.py.
"""

from __future__ import annotations

from everlet.forces.pair.rows import away, position, row_start
from everlet.portable import both, f64, i32, i64, portable, real, where


@portable
def place(own: i64, size: i64):
    """Where number 0 of an atom of the chunk is, in tables of so many numbers."""
    return own // T * (T * size) + own % T


@portable
def on_lanes(q: i64, last: i64, start: i32, sk: i64, neigh: i32[:], filler: i64, x: f64[:, 4], xi, yi, zi):
    """Entries of a row from q on, one on each lane: is there one, its atom, way and squared distance (1 if there is none)."""
    there = live(q, last)
    j = where(there, gather(neigh, start + where(there, lane_ids() + i32(q), i32(0)) * i32(sk), there), i32(filler))
    dx, dy, dz, r2 = away(j, x, xi, yi, zi)
    return there, j, dx, dy, dz, where(there, r2, real(1.0))


@portable
def entry_of(q: i64, here, start, done, last, sk: i64, neigh: i32[:], filler: i64, x: f64[:, 4], xi, yi, zi):
    """Entry q of a channel of the rows of the lanes: is there one, its atom, way and squared distance (1 if there is none)."""
    there = both(here, done + i32(q) < last)
    j = where(there, gather(neigh, start + (done + i32(q)) * i32(sk), there), i32(filler))
    dx, dy, dz, r2 = away(j, x, xi, yi, zi)
    return there, j, dx, dy, dz, where(there, r2, real(1.0))


@portable
def by_channel(i, x: f64[:, 4], kind: i32[:], channel: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64,
               table: real[:], kinds: i64, short: i32[:], pitch: i64, ends: i32[:]):
    """The neighbours of atom i within the cutoff, those of channel 0 first; ends[c * pitch + i] is where channel c ends.

    Whole numbers of PAD entries are read: rows are filled up to those with what is far away. SINGLY: one at a time, since what
    a whole register leaves behind its last entry may be in the next row when channels follow each other.
    """
    xi, yi, zi = position(i, x)
    m = (i64(count[i]) + PAD - 1) // PAD * PAD  # lanes make the same steps
    start = row_start(i, first, si)
    row = i64(kind[i]) * kinds
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    found = i64(0)
    for c in range(CHANNELS):
        if SINGLY:
            for q in range(i64(count[i])):
                j = i64(neigh[start + q * sk])
                dx = real(x[j, 0] - xi)
                dy = real(x[j, 1] - yi)
                dz = real(x[j, 2] - zi)
                if MANY:
                    p = record(table, (i64(kind[j]) + row) * NP)
                if dx * dx + dy * dy + dz * dz < p.cut2 and i64(channel[i64(kind[j])]) == c:
                    short[start + found * sk] = i32(j)
                    found += 1
        if not SINGLY:
            for q in lane_range(m):
                j = load(neigh, start + q * sk)
                _, _, _, r2 = away(j, x, xi, yi, zi)
                if MANY:
                    p = record(table, (gather(kind, j, True) + i32(row)) * i32(NP), True)
                near = both(live(q, m), r2 < p.cut2)
                if CHANNELS > 1:
                    near = both(near, gather(channel, gather(kind, j, True), True) == i32(c))
                found += append(short, start, found, sk, j, near)
        if leader():
            ends[c * pitch + i] = i32(found)


@portable
def clear_slots(slot, order: i32[:], tiles: i32[:]):
    """No atom in any slot, no species in any tile."""
    order[slot] = i32(-1)
    if slot % T == 0:
        tiles[slot // T] = i32(-1)


@portable
def mark_species(i, n: i64, kind: i32[:], species: i32[:], marks: i32[:]):
    """marks[s n + i] is 1 if atom i is of species s; prefix sums of it count the atoms before it that are."""
    mine = i64(species[i64(kind[i])])
    for s in range(SPECIES):
        mark = i32(0)
        if s == mine:
            mark = i32(1)
        marks[s * n + i] = mark


@portable
def fill_slots(i, n: i64, kind: i32[:], species: i32[:], starts: i32[:], order: i32[:], tiles: i32[:]):
    """Each atom into its slot; those without a species (NULL) into none."""
    mine = i64(species[i64(kind[i])])
    if mine >= 0:
        slot = i64(starts[mine * n + i]) - i64(starts[mine * n])
        for s in range(mine):
            slot += (i64(starts[(s + 1) * n]) - i64(starts[s * n]) + T - 1) // T * T
        order[slot] = i32(i)
        tiles[slot // T] = i32(mine)


@portable
def name_slots(slot, order: i32[:], tiles: i32[:], kinds: i32[:]):
    """One more than the species of the atom that is there, 0 if there is none."""
    kind = i32(0)
    if order[slot] >= i32(0):
        kind = tiles[slot // T] + i32(1)
    kinds[slot] = kind


@portable
def species_of(slot: i64, tiles: i32[:]):
    """That of the atoms of a tile, -1 if there are none."""
    found = i64(0)
    if LISTED:
        found = i64(tiles[slot // T])
    return found


@portable
def in_slots(slot: i64, n: i64, order: i32[:]):
    """Atoms of the lanes, and which of these are there."""
    i = lane_ids() + i32(slot)
    there = live(slot, n)
    if LISTED:
        i = load(order, slot)
        there = i >= i32(0)
        i = where(there, i, i32(0))
    return i, there


@portable
def longest_row(slot: i64, n: i64, order: i32[:], c: i64, pitch: i64, ends: i32[:]):
    """Most neighbours in channel c of the atoms of the lanes."""
    most = i64(0)
    for k in range(W):
        i = slot + k
        if LISTED:
            i = i64(order[slot + k])
        if i >= 0 and i < n:
            found = i64(ends[c * pitch + i])
            if c > 0:
                found -= i64(ends[(c - 1) * pitch + i])
            most = max(most, found)
    return most
