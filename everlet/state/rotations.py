"""Bodies that turn, for kernels: quaternions (w, x, y, z) of frames, their axes, angular velocities."""

from __future__ import annotations

from everlet.portable import cos, f64, portable, sin, sqrt


@portable
def axes_of(w: f64, x: f64, y: f64, z: f64):
    """The three axes of a frame, one after the other."""
    return (w * w + x * x - y * y - z * z, 2.0 * (x * y + w * z), 2.0 * (x * z - w * y),
            2.0 * (x * y - w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z + w * x),
            2.0 * (x * z + w * y), 2.0 * (y * z - w * x), w * w - x * x - y * y + z * z)


@portable
def unit4(w: f64, x: f64, y: f64, z: f64):
    k = 1.0 / sqrt(w * w + x * x + y * y + z * z)
    return k * w, k * x, k * y, k * z


@portable
def turned(w: f64, x: f64, y: f64, z: f64, h: f64, ox: f64, oy: f64, oz: f64):
    """q + h (0, omega) q, of length one."""
    return unit4(w - h * (ox * x + oy * y + oz * z), x + h * (ox * w + oy * z - oz * y), y + h * (oy * w + oz * x - ox * z),
                 z + h * (oz * w + ox * y - oy * x))


@portable
def spun(w: f64, x: f64, y: f64, z: f64, h: f64, lx: f64, ly: f64, lz: f64):
    """The frame turned about its first axis by h L_1, L_1 the part of (lx ly lz) along it. About the second one: (w, y, z, x)
    with (ly, lz, lx), about the third: (w, z, x, y) with (lz, lx, ly)."""
    along = (w * w + x * x - y * y - z * z) * lx + 2.0 * (x * y + w * z) * ly + 2.0 * (x * z - w * y) * lz
    c = cos(0.5 * h * along)
    s = sin(0.5 * h * along)
    return c * w - s * x, c * x + s * w, c * y + s * z, c * z - s * y


@portable
def inertia_of(m: f64, a: f64, b: f64, c: f64):
    """Moments of an ellipsoid of half axes a, b, c."""
    return 0.2 * m * (b * b + c * c), 0.2 * m * (a * a + c * c), 0.2 * m * (a * a + b * b)


@portable
def body_rates(w: f64, x: f64, y: f64, z: f64, i0: f64, i1: f64, i2: f64, lx: f64, ly: f64, lz: f64):
    """Angular velocity about the three axes of a frame, from the angular momentum."""
    ax, ay, az, bx, by, bz, cx, cy, cz = axes_of(w, x, y, z)
    return (ax * lx + ay * ly + az * lz) / i0, (bx * lx + by * ly + bz * lz) / i1, (cx * lx + cy * ly + cz * lz) / i2


@portable
def rates(w: f64, x: f64, y: f64, z: f64, i0: f64, i1: f64, i2: f64, lx: f64, ly: f64, lz: f64):
    """Angular velocity in space, from the angular momentum."""
    ax, ay, az, bx, by, bz, cx, cy, cz = axes_of(w, x, y, z)
    r, s, t = body_rates(w, x, y, z, i0, i1, i2, lx, ly, lz)
    return ax * r + bx * s + cx * t, ay * r + by * s + cy * t, az * r + bz * s + cz * t
