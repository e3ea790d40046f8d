"""The equations of LU, once for all directions: what a neighbour along an axis gives to the point beside it.

u = (rho, rho v, rho e): density, momentum, energy. Arguments are turned so that `a` is the axis to the neighbour and b, c are
the other two; results come in the same order. The gas has c1 = c5 = 1.4, c2 = 0.4, c3 c4 = 0.1, so that c1 c5 = 1.96.
"""

from __future__ import annotations

from everlet.portable import portable


@portable
def push(s, n, m, w, u1, ua, ub, uc, u5):
    """s E + n G + m u of a neighbour, w = 1/u1: convective flux, what viscous fluxes are second differences of, dissipation.

    E = (u_a, u_a v_a + c2 (u5 - q), u_b v_a, u_c v_a, (c1 u5 - c2 q) v_a), q = u v / 2
    G = c3 c4 (0, 4/3 v_a, v_b, v_c, (1 - c1 c5) v v / 2 + v_a v_a / 6 + c1 c5 e)
    """
    va = w * ua
    vb = w * ub
    vc = w * uc
    aa = va * va
    vv = vb * vb + vc * vc + aa
    cq = (0.4 * 0.5) * (u1 * vv)
    sv = s * va
    nv = 0.1 * n
    return (s * ua + m * u1,
            sv * ua + s * (0.4 * u5 - cq) + (4.0 / 3.0) * (nv * va) + m * ua,
            sv * ub + nv * vb + m * ub,
            sv * uc + nv * vc + m * uc,
            sv * (1.4 * u5 - cq) + nv * ((1.0 / 6.0) * aa - 0.48 * vv + 1.96 * (w * u5)) + m * u5)


@portable
def weight(n, m, w, u1, ua, ub, uc, u5):
    """n (G of all three axes) + m u: what the point itself has in these differences."""
    va = w * ua
    vb = w * ub
    vc = w * uc
    vv = vb * vb + vc * vc + va * va
    nv = 0.1 * n
    return (m * u1, (10.0 / 3.0) * (nv * va) + m * ua, (10.0 / 3.0) * (nv * vb) + m * ub, (10.0 / 3.0) * (nv * vc) + m * uc,
            nv * ((1.0 / 6.0 - 3.0 * 0.48) * vv + (3.0 * 1.96) * (w * u5)) + m * u5)


@portable
def carry(s, n, m, w, va, vb, vc, e, r1, ra, rb, rc, r5):
    """(s A + n N + m) r: the Jacobian of `push` at a neighbour (w = 1/rho, velocity, energy e), times its residual r.

    With z = r_v - v r1 and y = |v|^2 r1 / 2 - v r_v + r5 it is
    A r = (r_a, v_a r_v + z_a v + c2 y along a, (c1 e - c2 |v|^2 / 2) z_a + v_a (c2 y + r5))
    N r = c3 c4 w (0, z (4/3 along a), (1 - c1 c5) v z + v_a z_a / 3 + c1 c5 (r5 - e r1))
    """
    za = ra - va * r1
    zb = rb - vb * r1
    zc = rc - vc * r1
    q = 0.5 * (va * va + vb * vb + vc * vc)
    y = 0.4 * (q * r1 - va * ra - vb * rb - vc * rc + r5)
    nw = n * (0.1 * w)
    sv = s * va
    sz = s * za
    vz = va * za
    return (s * ra + m * r1,
            sv * ra + sz * va + s * y + (4.0 / 3.0) * (nw * za) + m * ra,
            sv * rb + sz * vb + nw * zb + m * rb,
            sv * rc + sz * vc + nw * zc + m * rc,
            sz * (1.4 * e - 0.4 * q) + sv * (y + r5) + m * r5
            + nw * ((1.0 / 3.0) * vz + 1.96 * (r5 - e * r1) - 0.96 * (vz + vb * zb + vc * zc)))


@portable
def solve(a, n, w, vx, vy, vz, e, b1, b2, b3, b4, b5):
    """x of (a + n N) x = b, N that of all three axes: lower triangular, so one row after the other.

    Row 1: a. Rows 2 to 4: the diagonal a + g, g = 10/3 c3 c4 n w, and -g v in column 1. Row 5: the diagonal a + k,
    k = 3 c1 c5 c3 c4 n w, the rest as in `carry`.
    """
    nw = n * (0.1 * w)
    g = (10.0 / 3.0) * nw
    k = (3.0 * 1.96) * nw
    x1 = b1 / a
    gx = g * x1
    inverse = 1.0 / (a + g)
    x2 = (b2 + gx * vx) * inverse
    x3 = (b3 + gx * vy) * inverse
    x4 = (b4 + gx * vz) * inverse
    work = vx * (x2 - vx * x1) + vy * (x3 - vy * x1) + vz * (x4 - vz * x1)
    return x1, x2, x3, x4, (b5 + k * (e * x1) - (g - k) * work) / (a + k)
