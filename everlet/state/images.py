"""Positions and images, for kernels: `box` is what System.box_view gives, lo(3), h(6: xx yy zz yz xz xy), … (Box.params)."""

from __future__ import annotations

from everlet.portable import f64, i32, i64, portable, sqrt


@portable
def unwrap(i: i64, x: f64[:, 4], image: i32[:, 3], box: f64[:]):
    """Where atom i is if it was never wrapped into the box."""
    px = x[i, 0] + box[3] * image[i, 0] + box[8] * image[i, 1] + box[7] * image[i, 2]
    py = x[i, 1] + box[4] * image[i, 1] + box[6] * image[i, 2]
    pz = x[i, 2] + box[5] * image[i, 2]
    return px, py, pz


@portable
def way_from(i: i64, x: f64[:, 4], image: i32[:, 3], origin: f64[:, 3], box: f64[:]):
    """The way that atom i has gone, were it never wrapped, from its origin."""
    px, py, pz = unwrap(i, x, image, box)
    return px - origin[i, 0], py - origin[i, 1], pz - origin[i, 2]


@portable
def folded(dx: f64, dy: f64, dz: f64, box: f64[:]):
    """The image of a vector that is nearest to 0, axis by axis and edge by edge; far less than a box away from it."""
    if box[17] > 0.0:
        while dz > 0.5 * box[5]:
            dz -= box[5]
            dy -= box[6]
            dx -= box[7]
        while dz < -0.5 * box[5]:
            dz += box[5]
            dy += box[6]
            dx += box[7]
    if box[16] > 0.0:
        while dy > 0.5 * box[4]:
            dy -= box[4]
            dx -= box[8]
        while dy < -0.5 * box[4]:
            dy += box[4]
            dx += box[8]
    if box[15] > 0.0:
        while dx > 0.5 * box[3]:
            dx -= box[3]
        while dx < -0.5 * box[3]:
            dx += box[3]
    return dx, dy, dz


@portable
def from_point(i: i64, x: f64[:, 4], free: i64, cx: f64, cy: f64, cz: f64, box: f64[:]):
    """The way from a point to the nearest image of atom i, and its length; axis k does not count if bit k of `free` is set."""
    dx = 0.0 if free & 1 else x[i, 0] - cx
    dy = 0.0 if free & 2 else x[i, 1] - cy
    dz = 0.0 if free & 4 else x[i, 2] - cz
    dx, dy, dz = folded(dx, dy, dz, box)
    r = sqrt(dx * dx + dy * dy + dz * dz)
    return dx, dy, dz, r
