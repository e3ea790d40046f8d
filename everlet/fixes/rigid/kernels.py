"""Kernels of rigid bodies. `body` has a row for each: see the columns below; atoms have the number of theirs, counted from 1,
and their place in its frame, whose axes are those of the moments of inertia.

    kick    V += dt/2 F/M,  L += dt/2 T
    drift   X += dt V, and the frame q turns by  dq/dt = (0, w) q / 2,  w = sum_k e_k (e_k.L) / I_k

without SYMPLECTIC in one step of Richardson's: q_1 in a whole step, q_2 in two halves, the second with w(L) of the middle, then
2 q_2 - q_1, all of length one; with it by rotations about the body's axes 3, 2, 1, 2, 3 of q and of the conjugate momentum
p = 2 q (0, L_b) (Miller et al., J. Chem. Phys. 116, 8649 (2002)).
"""

from __future__ import annotations

from everlet.portable import Kernel, cos, f64, floor, i32, i64, portable, put_row, sin, sqrt

# columns of `body`: centre, velocity, force, torque, angular momentum and velocity, frame as a quaternion, axes (three
# vectors), moments of inertia, mass, conjugate momentum, factors of forces and of torques (0 where they are switched off)
X, V, F, T, L, W, Q, E, J, M, P, FF, TF, WIDTH = 0, 3, 6, 9, 12, 15, 18, 22, 31, 34, 35, 39, 42, 45


@portable
def four(b, k: i64, body: f64[:, WIDTH]):
    """A quaternion, from column k on."""
    return body[b, k], body[b, k + 1], body[b, k + 2], body[b, k + 3]


@portable
def set_axes(b, body: f64[:, WIDTH]):
    """The axes of the frame from its quaternion."""
    w, x, y, z = four(b, Q, body)
    body[b, E] = w * w + x * x - y * y - z * z
    body[b, E + 1] = 2.0 * (x * y + w * z)
    body[b, E + 2] = 2.0 * (x * z - w * y)
    body[b, E + 3] = 2.0 * (x * y - w * z)
    body[b, E + 4] = w * w - x * x + y * y - z * z
    body[b, E + 5] = 2.0 * (y * z + w * x)
    body[b, E + 6] = 2.0 * (x * z + w * y)
    body[b, E + 7] = 2.0 * (y * z - w * x)
    body[b, E + 8] = w * w - x * x - y * y + z * z


@portable
def set_turning(b, body: f64[:, WIDTH]):
    """The angular velocity from the angular momentum; none about axes without inertia."""
    x = 0.0
    y = 0.0
    z = 0.0
    for k in range(3):
        e = E + 3 * k
        if body[b, J + k] > 0.0:
            rate = body[b, e] * body[b, L] + body[b, e + 1] * body[b, L + 1] + body[b, e + 2] * body[b, L + 2]
            rate /= body[b, J + k]
            x += rate * body[b, e]
            y += rate * body[b, e + 1]
            z += rate * body[b, e + 2]
    body[b, W] = x
    body[b, W + 1] = y
    body[b, W + 2] = z


@portable
def turned(h: f64, a: f64, x: f64, y: f64, z: f64, q0: f64, q1: f64, q2: f64, q3: f64, r0: f64, r1: f64, r2: f64, r3: f64):
    """r + h a (0, w) q, of length one; w is x y z."""
    h *= a
    s0 = r0 - h * (x * q1 + y * q2 + z * q3)
    s1 = r1 + h * (q0 * x + y * q3 - z * q2)
    s2 = r2 + h * (q0 * y + z * q1 - x * q3)
    s3 = r3 + h * (q0 * z + x * q2 - y * q1)
    n = 1.0 / sqrt(s0 * s0 + s1 * s1 + s2 * s2 + s3 * s3)
    return s0 * n, s1 * n, s2 * n, s3 * n


@portable
def turn_richardson(b, dt: f64, body: f64[:, WIDTH]):
    set_turning(b, body)
    q0, q1, q2, q3 = four(b, Q, body)
    f0, f1, f2, f3 = turned(dt, 0.5, body[b, W], body[b, W + 1], body[b, W + 2], q0, q1, q2, q3, q0, q1, q2, q3)
    h0, h1, h2, h3 = turned(dt, 0.25, body[b, W], body[b, W + 1], body[b, W + 2], q0, q1, q2, q3, q0, q1, q2, q3)
    body[b, Q] = h0
    body[b, Q + 1] = h1
    body[b, Q + 2] = h2
    body[b, Q + 3] = h3
    set_axes(b, body)
    set_turning(b, body)
    h0, h1, h2, h3 = turned(dt, 0.25, body[b, W], body[b, W + 1], body[b, W + 2], h0, h1, h2, h3, h0, h1, h2, h3)
    h0 = 2.0 * h0 - f0
    h1 = 2.0 * h1 - f1
    h2 = 2.0 * h2 - f2
    h3 = 2.0 * h3 - f3
    n = 1.0 / sqrt(h0 * h0 + h1 * h1 + h2 * h2 + h3 * h3)
    body[b, Q] = h0 * n
    body[b, Q + 1] = h1 * n
    body[b, Q + 2] = h2 * n
    body[b, Q + 3] = h3 * n
    set_axes(b, body)


@portable
def rotate(b, axis: i64, dt: f64, body: f64[:, WIDTH]):
    """q and p turn about one axis of the frame (1, 2 or 3), by the momentum about it."""
    k = axis
    m = 1 + axis % 3
    n = 1 + m % 3
    q0 = body[b, Q]
    qk = body[b, Q + k]
    qm = body[b, Q + m]
    qn = body[b, Q + n]
    p0 = body[b, P]
    pk = body[b, P + k]
    pm = body[b, P + m]
    pn = body[b, P + n]
    inertia = body[b, J + k - 1]
    if inertia > 0.0:
        angle = dt * (p0 * -qk + pk * q0 + pm * qn - pn * qm) / (4.0 * inertia)
        c = cos(angle)
        s = sin(angle)
        body[b, P] = c * p0 - s * pk
        body[b, P + k] = c * pk + s * p0
        body[b, P + m] = c * pm + s * pn
        body[b, P + n] = c * pn - s * pm
        body[b, Q] = c * q0 - s * qk
        body[b, Q + k] = c * qk + s * q0
        body[b, Q + m] = c * qm + s * qn
        body[b, Q + n] = c * qn - s * qm


@portable
def conjugate(b, h: f64, old: f64, x: f64, y: f64, z: f64, body: f64[:, WIDTH]):
    """p = old p + h q (0, e.(x y z)): a vector in space, seen in the body's frame."""
    u = body[b, E] * x + body[b, E + 1] * y + body[b, E + 2] * z
    v = body[b, E + 3] * x + body[b, E + 4] * y + body[b, E + 5] * z
    w = body[b, E + 6] * x + body[b, E + 7] * y + body[b, E + 8] * z
    q0, q1, q2, q3 = four(b, Q, body)
    body[b, P] = old * body[b, P] - h * (q1 * u + q2 * v + q3 * w)
    body[b, P + 1] = old * body[b, P + 1] + h * (q0 * u + q2 * w - q3 * v)
    body[b, P + 2] = old * body[b, P + 2] + h * (q0 * v + q3 * u - q1 * w)
    body[b, P + 3] = old * body[b, P + 3] + h * (q0 * w + q1 * v - q2 * u)


@portable
def momentum_from_conjugate(b, body: f64[:, WIDTH]):
    """L = e L_b, L_b the vector part of q* p / 2."""
    q0, q1, q2, q3 = four(b, Q, body)
    p0, p1, p2, p3 = four(b, P, body)
    u = 0.5 * (q0 * p1 - q1 * p0 + q3 * p2 - q2 * p3)
    v = 0.5 * (q0 * p2 - q2 * p0 + q1 * p3 - q3 * p1)
    w = 0.5 * (q0 * p3 - q3 * p0 + q2 * p1 - q1 * p2)
    for k in range(3):
        body[b, L + k] = body[b, E + k] * u + body[b, E + 3 + k] * v + body[b, E + 6 + k] * w


@portable
def turn_symplectic(b, dt: f64, body: f64[:, WIDTH]):
    """The frame in a whole step, and what follows from it."""
    rotate(b, 3, 0.5 * dt, body)
    rotate(b, 2, 0.5 * dt, body)
    rotate(b, 1, dt, body)
    rotate(b, 2, 0.5 * dt, body)
    rotate(b, 3, 0.5 * dt, body)
    set_axes(b, body)
    momentum_from_conjugate(b, body)
    set_turning(b, body)


# ---- bodies
@portable
def kick(b, half: f64, body: f64[:, WIDTH]):
    """Half a step under force and torque; half is dt/2."""
    for k in range(3):
        body[b, V + k] += half / body[b, M] * body[b, F + k] * body[b, FF + k]
    x = body[b, T] * body[b, TF]
    y = body[b, T + 1] * body[b, TF + 1]
    z = body[b, T + 2] * body[b, TF + 2]
    if SYMPLECTIC:
        conjugate(b, 2.0 * half, 1.0, x, y, z, body)
    else:
        body[b, L] += half * x
        body[b, L + 1] += half * y
        body[b, L + 2] += half * z


@portable
def advance(b, dt: f64, half: f64, body: f64[:, WIDTH]):
    """The first half of a step."""
    kick(b, half, body)
    for k in range(3):
        body[b, X + k] += dt * body[b, V + k]
    if SYMPLECTIC:
        turn_symplectic(b, dt, body)
    else:
        turn_richardson(b, dt, body)


@portable
def finish(b, half: f64, body: f64[:, WIDTH]):
    """The second half of a step."""
    kick(b, half, body)
    if SYMPLECTIC:
        momentum_from_conjugate(b, body)
    set_turning(b, body)


@portable
def begin(b, body: f64[:, WIDTH]):
    """Before the first step: what follows from frame and angular momentum."""
    set_axes(b, body)
    set_turning(b, body)
    conjugate(b, 2.0, 0.0, body[b, L], body[b, L + 1], body[b, L + 2], body)


@portable
def wrap_body(b, body: f64[:, WIDTH], turns: i32[:, 3], box: f64[:]):
    """Bring the centre of a body back into the box, and count the turns of the box that it has made."""
    x = body[b, X] - box[0]
    y = body[b, X + 1] - box[1]
    z = body[b, X + 2] - box[2]
    i = floor(x * box[9] + y * box[14] + z * box[13]) * box[15]
    j = floor(y * box[10] + z * box[12]) * box[16]
    k = floor(z * box[11]) * box[17]
    body[b, X] -= i * box[3] + j * box[8] + k * box[7]
    body[b, X + 1] -= j * box[4] + k * box[6]
    body[b, X + 2] -= k * box[5]
    turns[b, 0] += i32(i)
    turns[b, 1] += i32(j)
    turns[b, 2] += i32(k)


# ---- atoms
@portable
def away(i, b, image: i32[:, 3], turns: i32[:, 3], box: f64[:]):
    """What leads from where atom i is stored to where it is beside the centre of its body."""
    u = f64(image[i, 0] - turns[b, 0])
    v = f64(image[i, 1] - turns[b, 1])
    w = f64(image[i, 2] - turns[b, 2])
    return box[3] * u + box[8] * v + box[7] * w, box[4] * v + box[6] * w, box[5] * w


@portable
def add_up(b, n: i64, first: i64[:], ids: i64[:], rows: i32[:], x: f64[:, 4], f: f64[:, 3], image: i32[:, 3], turns: i32[:, 3],
           box: f64[:], body: f64[:, WIDTH]):
    """Force and torque on a body, of its atoms on this rank."""
    fx = 0.0
    fy = 0.0
    fz = 0.0
    tx = 0.0
    ty = 0.0
    tz = 0.0
    for k in range(first[b], first[b + 1]):
        i = i64(rows[ids[k]])
        if i >= 0 and i < n:
            ax, ay, az = away(i, b, image, turns, box)
            dx = x[i, 0] + ax - body[b, X]
            dy = x[i, 1] + ay - body[b, X + 1]
            dz = x[i, 2] + az - body[b, X + 2]
            fx += f[i, 0]
            fy += f[i, 1]
            fz += f[i, 2]
            tx += dy * f[i, 2] - dz * f[i, 1]
            ty += dz * f[i, 0] - dx * f[i, 2]
            tz += dx * f[i, 1] - dy * f[i, 0]
    body[b, F] = fx
    body[b, F + 1] = fy
    body[b, F + 2] = fz
    body[b, T] = tx
    body[b, T + 1] = ty
    body[b, T + 2] = tz


@portable
def place_atom(i, number: i32[:], place: f64[:, 3], body: f64[:, WIDTH], turns: i32[:, 3], box: f64[:], kind: i32[:],
               mass: f64[:], half: f64, x: f64[:, 4], v: f64[:, 3], f: f64[:, 3], image: i32[:, 3], shares: f64[:]):
    """Velocity of atom i from its body, with MOVE its position too. Gives half of x (m dv / (dt/2) - f), xx yy zz xy xz yz: the
    virial of what holds it, of half a step; x is where it was, beside the centre of its body. SHARES: each atom keeps its own,
    of both halves of the step."""
    gx = 0.0
    gy = 0.0
    gz = 0.0
    px = 0.0
    py = 0.0
    pz = 0.0
    if number[i] > 0:
        b = i64(number[i]) - 1
        ax, ay, az = away(i, b, image, turns, box)
        px = x[i, 0] + ax
        py = x[i, 1] + ay
        pz = x[i, 2] + az
        dx = body[b, E] * place[i, 0] + body[b, E + 3] * place[i, 1] + body[b, E + 6] * place[i, 2]
        dy = body[b, E + 1] * place[i, 0] + body[b, E + 4] * place[i, 1] + body[b, E + 7] * place[i, 2]
        dz = body[b, E + 2] * place[i, 0] + body[b, E + 5] * place[i, 1] + body[b, E + 8] * place[i, 2]
        vx = body[b, V] + body[b, W + 1] * dz - body[b, W + 2] * dy
        vy = body[b, V + 1] + body[b, W + 2] * dx - body[b, W] * dz
        vz = body[b, V + 2] + body[b, W] * dy - body[b, W + 1] * dx
        h = 0.5 * mass[kind[i]] / half
        gx = h * (vx - v[i, 0]) - 0.5 * f[i, 0]
        gy = h * (vy - v[i, 1]) - 0.5 * f[i, 1]
        gz = h * (vz - v[i, 2]) - 0.5 * f[i, 2]
        put_row(v, i, vx, vy, vz)
        if MOVE:
            x[i, 0] = body[b, X] + dx - ax
            x[i, 1] = body[b, X + 1] + dy - ay
            x[i, 2] = body[b, X + 2] + dz - az
    if SHARES:
        k = 12 * i
        if not MOVE:
            k += 6
        shares[k] = px * gx
        shares[k + 1] = py * gy
        shares[k + 2] = pz * gz
        shares[k + 3] = px * gy
        shares[k + 4] = px * gz
        shares[k + 5] = py * gz
    return px * gx, py * gy, pz * gz, px * gy, px * gz, py * gz


BEGIN, WRAP, FORCES = Kernel(begin), Kernel(wrap_body), Kernel(add_up)
# by SHARES: kernels that move atoms, and that give them velocities alone
MOVE, TURN = ([Kernel(place_atom, sums=6, statics=(("MOVE", move), ("SHARES", shares))) for shares in (0, 1)]
              for move in (1, 0))


def steps(symplectic: bool) -> tuple[Kernel, Kernel]:
    """Kernels of the first and the second half of a step."""
    statics = (("SYMPLECTIC", int(symplectic)),)
    return Kernel(advance, statics=statics), Kernel(finish, statics=statics)
