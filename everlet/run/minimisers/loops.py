"""Loops over atoms that minimisers are made of: products and maxima of vectors with three numbers for each atom, and steps."""

from __future__ import annotations

from everlet.portable import Kernel, f64, i32, i64, portable


@portable
def products(i, a: f64[:, 3], b: f64[:, 3], c: f64[:, 3]):
    """a·b and a·c."""
    x = a[i, 0]
    y = a[i, 1]
    z = a[i, 2]
    return x * b[i, 0] + y * b[i, 1] + z * b[i, 2], x * c[i, 0] + y * c[i, 1] + z * c[i, 2]


@portable
def largest(k, n: i64, shares: i64, a: f64[:, 3], out: f64[:]):
    """Of atoms k, k + shares, …: the largest component, and the square of the longest vector."""
    component = 0.0
    square = 0.0
    for i in range(k, n, shares):
        x = abs(a[i, 0])
        y = abs(a[i, 1])
        z = abs(a[i, 2])
        component = max(component, max(x, max(y, z)))
        square = max(square, x * x + y * y + z * z)
    out[2 * k] = component
    out[2 * k + 1] = square


@portable
def keep_start(i, x: f64[:, 4], image: i32[:, 3], start: f64[:, 3], kept: i32[:, 3]):
    """Where a line search begins."""
    for k in range(3):
        start[i, k] = x[i, k]
        kept[i, k] = image[i, k]


@portable
def go_along(i, x: f64[:, 4], image: i32[:, 3], start: f64[:, 3], kept: i32[:, 3], way: f64[:, 3], alpha: f64, xx: f64, yy: f64,
             zz: f64, yz: f64, xz: f64, xy: f64):
    """x = start + alpha way. An atom that was put back into the box meanwhile has another start: its image flags tell."""
    a = f64(kept[i, 0] - image[i, 0])
    b = f64(kept[i, 1] - image[i, 1])
    c = f64(kept[i, 2] - image[i, 2])
    x[i, 0] = start[i, 0] + (a * xx + b * xy + c * xz) + alpha * way[i, 0]
    x[i, 1] = start[i, 1] + (b * yy + c * yz) + alpha * way[i, 1]
    x[i, 2] = start[i, 2] + c * zz + alpha * way[i, 2]


@portable
def turn(i, f: f64[:, 3], before: f64[:, 3], way: f64[:, 3], beta: f64):
    """The next direction, f + beta way; forces are kept in `before`."""
    for k in range(3):
        force = f[i, k]
        before[i, k] = force
        way[i, k] = force + beta * way[i, k]


@portable
def blend(i, to: f64[:, 3], a: f64[:, 3], much: f64, b: f64[:, 3], more: f64):
    """much a + more b; either may be where it is put."""
    for k in range(3):
        to[i, k] = much * a[i, k] + more * b[i, k]


@portable
def powers(i, v: f64[:, 3], f: f64[:, 3]):
    """v·f, v·v and f·f."""
    a = v[i, 0]
    b = v[i, 1]
    c = v[i, 2]
    x = f[i, 0]
    y = f[i, 1]
    z = f[i, 2]
    return a * x + b * y + c * z, a * a + b * b + c * c, x * x + y * y + z * z


@portable
def go_back(i, x: f64[:, 4], v: f64[:, 3], dt: f64):
    """x -= dt v; v = 0."""
    for k in range(3):
        x[i, k] -= dt * v[i, k]
        v[i, k] = 0.0


@portable
def push(i, v: f64[:, 3], f: f64[:, 3], kind: i32[:], mass: f64[:], keep: f64, dt: f64):
    """v = keep v + dt F/m."""
    a = dt / mass[kind[i]]
    for k in range(3):
        v[i, k] = keep * v[i, k] + a * f[i, k]


@portable
def glide(i, x: f64[:, 4], v: f64[:, 3], f: f64[:, 3], kind: i32[:], mass: f64[:], first: f64, keep: f64, mix: f64, most: f64,
          dt: f64, last: f64):
    """v += first F/m; v = keep v + mix F, no component above `most`; x += dt v; v += last F/m."""
    a = first / mass[kind[i]]
    b = last / mass[kind[i]]
    for k in range(3):
        force = f[i, k]
        u = keep * (v[i, k] + a * force) + mix * force
        u = min(max(u, -most), most)
        x[i, k] += dt * u
        v[i, k] = u + b * force


@portable
def carry(i, x: f64[:, 4], mask: i32[:], bit: i32, way: f64[:, 3], alpha: f64, old: f64[:], new: f64[:]):
    """x += alpha way, in another box: before it atoms of a group keep their fractions. old and new: lo, h, h inverse."""
    p = x[i, 0]
    q = x[i, 1]
    r = x[i, 2]
    if mask[i] & bit:
        p -= old[0]
        q -= old[1]
        r -= old[2]
        a = old[9] * p + old[14] * q + old[13] * r
        b = old[10] * q + old[12] * r
        c = old[11] * r
        p = new[3] * a + new[8] * b + new[7] * c + new[0]
        q = new[4] * b + new[6] * c + new[1]
        r = new[5] * c + new[2]
    x[i, 0] = p + alpha * way[i, 0]
    x[i, 1] = q + alpha * way[i, 1]
    x[i, 2] = r + alpha * way[i, 2]


PRODUCTS, POWERS = Kernel(products, sums=2), Kernel(powers, sums=3)
LARGEST, KEEP_START, GO_ALONG, TURN = Kernel(largest), Kernel(keep_start), Kernel(go_along), Kernel(turn)
GO_BACK, PUSH, GLIDE, CARRY = Kernel(go_back), Kernel(push), Kernel(glide), Kernel(carry)
BLEND = Kernel(blend)
