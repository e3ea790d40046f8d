"""Kernels of the ghost exchange. `box` is Box.params(): lo(3), h(6: xx yy zz yz xz xy), inverse(6), periodic(3), hi(3).

LISTED: items are the atoms that have images, `edge`, which is a small part of them; otherwise all atoms.
MANY: `box` and `cut` have a row for each of the systems of a batch (state/members.py), and `member` tells whose an atom is;
otherwise there is one row, and `member` is not read. Rows of the box begin at b.
"""

from __future__ import annotations

from everlet.portable import f64, floor, i32, i64, local, portable
from everlet.state.box import BOX
from everlet.state.control import BROKEN, CLIPPED, OUTSIDE, TOTAL, TROUBLE


@portable
def fraction_x(x: f64, y: f64, z: f64, b: i64, box: f64[:]):
    return (x - box[b]) * box[b + 9] + (y - box[b + 1]) * box[b + 14] + (z - box[b + 2]) * box[b + 13]


@portable
def fraction_y(y: f64, z: f64, b: i64, box: f64[:]):
    return (y - box[b + 1]) * box[b + 10] + (z - box[b + 2]) * box[b + 12]


@portable
def fraction_z(z: f64, b: i64, box: f64[:]):
    return (z - box[b + 2]) * box[b + 11]


@portable
def wrap_straight(i: i64, b: i64, x: f64[:, 4], image: i32[:, 3], box: f64[:], control: i64[:]):
    """Bring an atom back into the periodic box, count its crossings; say if it is outside or broken.

    Inside is lo <= x < hi to the last bit, as in the reference. OPEN: atoms may be outside along edges that are not periodic.
    Broken: not a number, or more than FARTHEST boxes away, where positions have lost their digits.
    """
    outside = 0.0
    broken = 0.0
    for d in range(3):
        lo = box[b + d]
        hi = box[b + 18 + d]
        if x[i, d] < lo or x[i, d] >= hi:
            s = (x[i, d] - lo) * box[b + 9 + d]
            if box[b + 15 + d] == 0.0:
                outside = 1.0
            elif abs(s) > FARTHEST:
                broken = 1.0
            else:
                k = max(floor(s), 1.0)
                if x[i, d] < lo:
                    k = min(floor(s), -1.0)
                there = x[i, d] - k * box[b + 3 + d]
                if k < 0.0 and there >= hi:  # just below the low face: rounded to the high one, which is not inside
                    there = lo
                    k += 1.0
                x[i, d] = max(there, lo)
                image[i, d] += i32(k)
    sum = x[i, 0] + x[i, 1] + x[i, 2]
    if sum != sum or abs(sum) > 1.0e300:
        broken = 1.0
    if not OPEN and outside > 0.0:
        control[OUTSIDE] = 1
        control[TROUBLE] = 1
    if broken > 0.0:
        control[BROKEN] = 1
        control[TROUBLE] = 1


@portable
def wrap_slanted(i: i64, b: i64, x: f64[:, 4], image: i32[:, 3], box: f64[:], control: i64[:]):
    """The same in a tilted box, where fractions tell who is outside."""
    outside = 0.0
    broken = 0.0
    sz = fraction_z(x[i, 2], b, box)
    if box[b + 17] > 0.0:
        if sz < 0.0 or sz >= 1.0:
            k = floor(sz)
            if abs(sz) > FARTHEST:
                broken = 1.0
            else:
                x[i, 2] -= k * box[b + 5]
                x[i, 1] -= k * box[b + 6]
                x[i, 0] -= k * box[b + 7]
                image[i, 2] += i32(k)
                x[i, 2] = max(x[i, 2], box[b + 2])
    elif sz < 0.0 or sz >= 1.0:
        outside = 1.0
    sy = fraction_y(x[i, 1], x[i, 2], b, box)
    if box[b + 16] > 0.0:
        if sy < 0.0 or sy >= 1.0:
            k = floor(sy)
            if abs(sy) > FARTHEST:
                broken = 1.0
            else:
                x[i, 1] -= k * box[b + 4]
                x[i, 0] -= k * box[b + 8]
                image[i, 1] += i32(k)
    elif sy < 0.0 or sy >= 1.0:
        outside = 1.0
    sx = fraction_x(x[i, 0], x[i, 1], x[i, 2], b, box)
    if box[b + 15] > 0.0:
        if sx < 0.0 or sx >= 1.0:
            k = floor(sx)
            if abs(sx) > FARTHEST:
                broken = 1.0
            else:
                x[i, 0] -= k * box[b + 3]
                image[i, 0] += i32(k)
    elif sx < 0.0 or sx >= 1.0:
        outside = 1.0
    sum = x[i, 0] + x[i, 1] + x[i, 2]
    if sum != sum or abs(sum) > 1.0e300:
        broken = 1.0
    if not OPEN and outside > 0.0:
        control[OUTSIDE] = 1
        control[TROUBLE] = 1
    if broken > 0.0:
        control[BROKEN] = 1
        control[TROUBLE] = 1


@local
@portable
def wrap(i, x: f64[:, 4], image: i32[:, 3], box: f64[:], control: i64[:]):
    wrap_straight(i, i64(0), x, image, box, control)


@local
@portable
def wrap_tilted(i, x: f64[:, 4], image: i32[:, 3], box: f64[:], control: i64[:]):
    wrap_slanted(i, i64(0), x, image, box, control)


@portable
def first_image(s: f64, cut: f64, periodic: f64):
    """Lowest k with s + k >= -cut. An atom that is not in the box, or not a number, has no images: others say so."""
    k = i32(0)
    if periodic > 0.0 and abs(s - 0.5) < 1.0:
        while s + f64(k - 1) >= -cut:
            k -= i32(1)
    return k


@portable
def last_image(s: f64, cut: f64, periodic: f64):
    """Highest k with s + k < 1 + cut."""
    k = i32(0)
    if periodic > 0.0 and abs(s - 0.5) < 1.0:
        while s + f64(k + 1) < 1.0 + cut:
            k += i32(1)
    return k


@portable
def counts(kx: i32, ky: i32, kz: i32):
    """1 if an image is made a ghost: not the atom itself; with UPPER only one of each pair of opposite shifts."""
    keep = i32(0)
    if UPPER:
        if kx > 0 or (kx == 0 and (ky > 0 or (ky == 0 and kz > 0))):  # x first, as bins are ordered: rows of even length
            keep = i32(1)
    if not UPPER:
        if kx != 0 or ky != 0 or kz != 0:
            keep = i32(1)
    return keep


@portable
def images_of(sx: f64, sy: f64, sz: f64, b: i64, c: i64, box: f64[:], cut: f64[:]):
    found = i32(0)
    for kz in range(first_image(sz, cut[c + 2], box[b + 17]), last_image(sz, cut[c + 2], box[b + 17]) + 1):
        for ky in range(first_image(sy, cut[c + 1], box[b + 16]), last_image(sy, cut[c + 1], box[b + 16]) + 1):
            for kx in range(first_image(sx, cut[c], box[b + 15]), last_image(sx, cut[c], box[b + 15]) + 1):
                found += counts(i32(kx), i32(ky), i32(kz))
    return found


@local
@portable
def count_images(i, x: f64[:, 4], member: i32[:], box: f64[:], cut: f64[:], count: i32[:]):
    """How many ghost images atom i has; cut is the ghost cutoff in fractions of the box."""
    s = i64(0)
    if MANY:
        s = i64(member[i])
    b = BOX * s
    c = 3 * s
    sz = fraction_z(x[i, 2], b, box)
    sy = fraction_y(x[i, 1], x[i, 2], b, box)
    sx = fraction_x(x[i, 0], x[i, 1], x[i, 2], b, box)
    found = i32(0)
    inside = (abs(sx - 0.5) < 0.499999 - cut[c] and abs(sy - 0.5) < 0.499999 - cut[c + 1]
              and abs(sz - 0.5) < 0.499999 - cut[c + 2])
    if not inside:  # most atoms are far from all faces
        found = images_of(sx, sy, sz, b, c, box, cut)
    count[i] = found


@portable
def atom_of(item: i64, edge: i32[:]):
    """The atom that an item is, if LISTED by `edge`."""
    i = item
    if LISTED:
        i = i64(edge[item])
    return i


@local
@portable
def fill_images(item, edge: i32[:], n: i64, x: f64[:, 4], member: i32[:], box: f64[:], cut: f64[:], start: i32[:],
                shift: i32[:, 3], room: i64, control: i64[:]):
    """List the images of atom i; the last atom counts them all."""
    i = atom_of(item, edge)
    s = i64(0)
    if MANY:
        s = i64(member[i])
    b = BOX * s
    c = 3 * s
    sz = fraction_z(x[i, 2], b, box)
    sy = fraction_y(x[i, 1], x[i, 2], b, box)
    sx = fraction_x(x[i, 0], x[i, 1], x[i, 2], b, box)
    g = i64(start[i])
    for kz in range(first_image(sz, cut[c + 2], box[b + 17]), last_image(sz, cut[c + 2], box[b + 17]) + 1):
        for ky in range(first_image(sy, cut[c + 1], box[b + 16]), last_image(sy, cut[c + 1], box[b + 16]) + 1):
            for kx in range(first_image(sx, cut[c], box[b + 15]), last_image(sx, cut[c], box[b + 15]) + 1):
                if counts(i32(kx), i32(ky), i32(kz)) > 0 and g < room:
                    shift[g, 0] = i32(kx)
                    shift[g, 1] = i32(ky)
                    shift[g, 2] = i32(kz)
                    g += 1
    if i == n - 1:
        all = i64(start[n])
        control[TOTAL] = n + min(all, room)
        if all > room:
            control[CLIPPED] = 1
            control[TROUBLE] = 1


@local
@portable
def place_images(item, edge: i32[:], n: i64, x: f64[:, 4], member: i32[:], start: i32[:], shift: i32[:, 3], box: f64[:],
                 room: i64):
    """Positions of the images of atom i: its own plus whole box vectors."""
    i = atom_of(item, edge)
    b = i64(0)
    if MANY:
        b = BOX * i64(member[i])
    for g in range(i64(start[i]), min(i64(start[i + 1]), room)):
        kx = f64(shift[g, 0])
        ky = f64(shift[g, 1])
        kz = f64(shift[g, 2])
        px = x[i, 0] + kx * box[b + 3] + ky * box[b + 8] + kz * box[b + 7]
        py = x[i, 1] + ky * box[b + 4] + kz * box[b + 6]
        pz = x[i, 2] + kz * box[b + 5]
        x[n + g, 0] = px
        x[n + g, 1] = py
        x[n + g, 2] = pz


@local
@portable
def label_images_i32(item, edge: i32[:], n: i64, field: i32[:], start: i32[:], room: i64):
    """A per-atom number of the images of atom i: that of the atom."""
    i = atom_of(item, edge)
    for g in range(i64(start[i]), min(i64(start[i + 1]), room)):
        field[n + g] = field[i]


@local
@portable
def label_images_i64(item, edge: i32[:], n: i64, field: i64[:], start: i32[:], room: i64):
    i = atom_of(item, edge)
    for g in range(i64(start[i]), min(i64(start[i + 1]), room)):
        field[n + g] = field[i]


@local
@portable
def label_images_f64(item, edge: i32[:], n: i64, field: f64[:], start: i32[:], room: i64):
    i = atom_of(item, edge)
    for g in range(i64(start[i]), min(i64(start[i + 1]), room)):
        field[n + g] = field[i]


@portable
def reverse_values(item, edge: i32[:], n: i64, values: f64[:], start: i32[:]):
    """Add the values of an atom's images to that of the atom, in the order of the images."""
    i = atom_of(item, edge)
    for g in range(start[i], start[i + 1]):
        values[i] += values[n + g]


@local
@portable
def copy_images(item, edge: i32[:], n: i64, width: i64, words: i32[:], start: i32[:], room: i64):
    """The row of atom i, of any kind of numbers, to its images: so many words of 4 bytes."""
    i = atom_of(item, edge)
    for g in range(i64(start[i]), min(i64(start[i + 1]), room)):
        for k in range(width):
            words[(n + g) * width + k] = words[i * width + k]


@portable
def reverse_forces(item, edge: i32[:], n: i64, f: f64[:, 3], start: i32[:]):
    """Add the forces on an atom's images to the atom, in the order of the images."""
    i = atom_of(item, edge)
    for g in range(start[i], start[i + 1]):
        f[i, 0] += f[n + g, 0]
        f[i, 1] += f[n + g, 1]
        f[i, 2] += f[n + g, 2]


@portable
def own_homes(i, n: i64, starts: i32[:], room: i64, home: i32[:]):
    """Atoms have rows of their own, and periodic images those of their atoms."""
    home[i] = i32(i)
    for k in range(i64(starts[i]), min(i64(starts[i + 1]), room)):
        home[n + k] = i32(i)
