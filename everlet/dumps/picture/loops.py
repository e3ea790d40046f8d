"""What is seen in each pixel: the nearest of spheres and sticks along the line of sight, with the direction of its surface.

Coordinates are those of the camera: x to the right and y upwards in pixels, z towards the viewer in the same unit.
"""

from __future__ import annotations

from everlet.portable import Kernel, f64, i32, i64, portable, put_row, sqrt


@portable
def spheres(i, count: i64, first: i64, centre: f64[:, 3], radius: f64[:], width: i64, height: i64, depth: f64[:],
            owner: i32[:], normal: f64[:, 3]):
    """One item draws all of them, in order."""
    for s in range(count):
        r = radius[s]
        cx = centre[s, 0]
        cy = centre[s, 1]
        left = max(i64(cx - r), i64(0))
        right = min(i64(cx + r) + 1, width - 1)
        low = max(i64(cy - r), i64(0))
        high = min(i64(cy + r) + 1, height - 1)
        if cx + r > 0.0 and cy + r > 0.0 and r > 0.0:
            for row in range(low, high + 1):
                for column in range(left, right + 1):
                    dx = f64(column) + 0.5 - cx
                    dy = f64(row) + 0.5 - cy
                    rest = r * r - dx * dx - dy * dy
                    if rest > 0.0:
                        up = sqrt(rest)
                        z = centre[s, 2] + up
                        k = row * width + column
                        if z > depth[k]:
                            depth[k] = z
                            owner[k] = i32(first + s)
                            put_row(normal, k, dx / r, dy / r, up / r)


@portable
def sticks(i, count: i64, first: i64, start: f64[:, 3], end: f64[:, 3], radius: f64[:], width: i64, height: i64, depth: f64[:],
           owner: i32[:], normal: f64[:, 3]):
    """Cylinders without caps from start to end."""
    for s in range(count):
        r = radius[s]
        ax = start[s, 0]
        ay = start[s, 1]
        az = start[s, 2]
        ux = end[s, 0] - ax
        uy = end[s, 1] - ay
        uz = end[s, 2] - az
        length = sqrt(ux * ux + uy * uy + uz * uz)
        if length > 0.0 and r > 0.0:
            ux /= length
            uy /= length
            uz /= length
            left = max(i64(min(ax, end[s, 0]) - r), i64(0))
            right = min(i64(max(ax, end[s, 0]) + r) + 1, width - 1)
            low = max(i64(min(ay, end[s, 1]) - r), i64(0))
            high = min(i64(max(ay, end[s, 1]) + r) + 1, height - 1)
            across = 1.0 - uz * uz  # of the line of sight, the part at right angles to the stick
            for row in range(low, high + 1):
                for column in range(left, right + 1):
                    wx = f64(column) + 0.5 - ax
                    wy = f64(row) + 0.5 - ay
                    along = wx * ux + wy * uy
                    b = -along * uz
                    c = wx * wx + wy * wy - along * along - r * r
                    root = b * b - across * c
                    if across > 1e-12 and root > 0.0:
                        t = (-b + sqrt(root)) / across
                        part = along + t * uz
                        if part >= 0.0 and part <= length:
                            z = az + t
                            k = row * width + column
                            if z > depth[k]:
                                depth[k] = z
                                owner[k] = i32(first + s)
                                put_row(normal, k, (wx - part * ux) / r, (wy - part * uy) / r, (t - part * uz) / r)


SPHERES, STICKS = Kernel(spheres), Kernel(sticks)
