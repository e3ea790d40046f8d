"""Fourier transforms of lines of a mesh as kernels, for devices without a library of their own; fft.py makes meshes of them.

A team has a few neighbouring lines in its scratch memory: it loads them, transforms them by steps of radix 2, 3, 4, 5 or any
other prime (Stockham's order: numbers come out sorted), and stores them. So a pass over a mesh reads and writes memory once,
and members read numbers side by side: of neighbouring lines, if those of a line are far from each other. Number j of line w is

    line[here + j * stride + w * pitch]             its real part; the imaginary part follows `size` places later

and steps go to and fro between two such places. Lines that do not fit (LARGE) have memory of the device instead.

e^{+2 pi i …} is the transform e^{-2 pi i …} of numbers whose real and imaginary parts change places, before and after: `flip`
is 1 for that. Two real lines make one of complex numbers, x + i y, whose transforms are told apart by their symmetry.

    plan      of a length n (`tables`): number of steps; then of each its radix r, n / r, n / (r L) for the product L of the
              radices before, and where its phases are; then the phases of all steps: j % L of each of n / r butterflies j
    turns     cos and sin of -2 pi k / n, for k below n

Lengths are arguments, so that there are three kernels for all meshes, and three for lines that do not fit.
"""
# ruff: noqa: F821

from __future__ import annotations

import math

import numpy as np

from everlet.portable.language.dtypes import f64, i32, i64
from everlet.portable.language.functions import portable
from everlet.portable.programs import Kernel

TEAM = 128
POINTS = 512  # complex numbers that a team has in scratch memory
WIDEST, NARROWEST = 16, 4  # lines of a team; fewer would read memory by pieces
SIZE = POINTS + WIDEST  # with a place behind each line, so that members reach different banks of memory
HEAD = 4  # words of the plan about a step
SQRT3_2 = math.sqrt(0.75)
C1, C2 = (math.cos(2.0 * math.pi * k / 5.0) for k in (1, 2))
S1, S2 = (math.sin(2.0 * math.pi * k / 5.0) for k in (1, 2))


def radices(n: int) -> list[int]:
    """Steps of a transform: fours first.

    >>> radices(120), radices(98)
    ([4, 2, 3, 5], [2, 7, 7])
    """
    found, radix = [], 4
    while n > 1:
        while n % radix == 0:
            found.append(radix)
            n //= radix
        radix = {4: 2, 2: 3}.get(radix, radix + 2)
    return found


def tables(n: int) -> tuple[np.ndarray, np.ndarray]:
    """The plan of a length and its turns."""
    steps, done = radices(n), 1
    head, phases = [len(steps)], np.zeros(0, int)
    for radix in steps:
        span = n // radix
        head += [radix, span, span // done, 1 + HEAD * len(steps) + phases.size]
        phases = np.append(phases, np.arange(span) % done)
        done *= radix
    plan = np.append(head, phases).astype(np.int32)
    angle = -2.0 * np.pi / n * ((np.arange(n) + n // 2) % n - n // 2)
    return plan, np.stack([np.cos(angle), np.sin(angle)], axis=1).ravel()


@portable
def turned(place: i64, size: i64, k: i64, turns: f64[:], line: f64[:]):
    """A number of a line times e^{-2 pi i k / n}."""
    x = line[place]
    y = line[place + size]
    c = turns[2 * k]
    s = turns[2 * k + 1]
    return x * c - y * s, x * s + y * c


@portable
def put(place: i64, size: i64, x: f64, y: f64, line: f64[:]):
    line[place] = x
    line[place + size] = y


@portable
def butterfly2(source: i64, far: i64, target: i64, gap: i64, size: i64, k: i64, turns: f64[:], line: f64[:]):
    """Two numbers, `far` places from each other, to two that are `gap` apart; k: the phase of the second."""
    a = line[source]
    b = line[source + size]
    c, d = turned(source + far, size, k, turns, line)
    put(target, size, a + c, b + d, line)
    put(target + gap, size, a - c, b - d, line)


@portable
def butterfly3(source: i64, far: i64, target: i64, gap: i64, size: i64, k: i64, turns: f64[:], line: f64[:]):
    a = line[source]
    b = line[source + size]
    c, d = turned(source + far, size, k, turns, line)
    e, f = turned(source + 2 * far, size, 2 * k, turns, line)
    x = a - 0.5 * (c + e)
    y = b - 0.5 * (d + f)
    u = SQRT3_2 * (d - f)
    v = SQRT3_2 * (e - c)
    put(target, size, a + c + e, b + d + f, line)
    put(target + gap, size, x + u, y + v, line)
    put(target + 2 * gap, size, x - u, y - v, line)


@portable
def butterfly4(source: i64, far: i64, target: i64, gap: i64, size: i64, k: i64, turns: f64[:], line: f64[:]):
    a = line[source]
    b = line[source + size]
    c, d = turned(source + far, size, k, turns, line)
    e, f = turned(source + 2 * far, size, 2 * k, turns, line)
    g, h = turned(source + 3 * far, size, 3 * k, turns, line)
    put(target, size, (a + e) + (c + g), (b + f) + (d + h), line)
    put(target + gap, size, (a - e) + (d - h), (b - f) - (c - g), line)
    put(target + 2 * gap, size, (a + e) - (c + g), (b + f) - (d + h), line)
    put(target + 3 * gap, size, (a - e) - (d - h), (b - f) + (c - g), line)


@portable
def butterfly5(source: i64, far: i64, target: i64, gap: i64, size: i64, k: i64, turns: f64[:], line: f64[:]):
    a = line[source]
    b = line[source + size]
    c, d = turned(source + far, size, k, turns, line)
    e, f = turned(source + 2 * far, size, 2 * k, turns, line)
    g, h = turned(source + 3 * far, size, 3 * k, turns, line)
    p, q = turned(source + 4 * far, size, 4 * k, turns, line)
    put(target, size, a + (c + p) + (e + g), b + (d + q) + (f + h), line)
    x = a + C1 * (c + p) + C2 * (e + g)
    y = b + C1 * (d + q) + C2 * (f + h)
    u = S1 * (d - q) + S2 * (f - h)
    v = S1 * (p - c) + S2 * (g - e)
    put(target + gap, size, x + u, y + v, line)
    put(target + 4 * gap, size, x - u, y - v, line)
    x = a + C2 * (c + p) + C1 * (e + g)
    y = b + C2 * (d + q) + C1 * (f + h)
    u = S2 * (d - q) - S1 * (f - h)
    v = S2 * (p - c) - S1 * (g - e)
    put(target + 2 * gap, size, x + u, y + v, line)
    put(target + 3 * gap, size, x - u, y - v, line)


@portable
def butterfly(radix: i64, source: i64, far: i64, target: i64, gap: i64, size: i64, k: i64, whole: i64, n: i64, turns: f64[:],
              line: f64[:]):
    """The same for any number of numbers, as sums; whole: the phase of a radix-th of a turn."""
    for v in range(radix):
        x = 0.0
        y = 0.0
        phase = i64(0)
        for u in range(radix):
            a, b = turned(source + u * far, size, phase, turns, line)
            x += a
            y += b
            phase += k + v * whole
            if phase >= n:
                phase -= n
        put(target + v * gap, size, x, y, line)


@portable
def transform(n: i64, lines: i64, width: i64, stride: i64, pitch: i64, base: i64, size: i64, plan: i32[:], turns: f64[:],
              line: f64[:]):
    """Transforms lines that lie from `base` on, of `width` that there is room for. Returns where they are then."""
    across = min(width, team_size())
    here = base
    there = base + 2 * size
    done = i64(1)
    for step in range(plan[0]):
        radix = i64(plan[1 + HEAD * step])
        span = i64(plan[2 + HEAD * step])
        phase = i64(plan[3 + HEAD * step])
        first = i64(plan[4 + HEAD * step])
        barrier()
        for w in range(team_rank() % across, lines, across):
            for j in range(team_rank() // across, span, team_size() // across):
                q = i64(plan[first + j])
                source = here + j * stride + w * pitch
                target = there + ((j - q) * radix + q) * stride + w * pitch
                if radix == 4:
                    butterfly4(source, span * stride, target, done * stride, size, q * phase, turns, line)
                elif radix == 2:
                    butterfly2(source, span * stride, target, done * stride, size, q * phase, turns, line)
                elif radix == 3:
                    butterfly3(source, span * stride, target, done * stride, size, q * phase, turns, line)
                elif radix == 5:
                    butterfly5(source, span * stride, target, done * stride, size, q * phase, turns, line)
                else:
                    butterfly(radix, source, span * stride, target, done * stride, size, q * phase, span, n, turns, line)
        done *= radix
        last = here
        here = there
        there = last
    barrier()
    return here


# ---- lines of complex numbers
@portable
def complex_group(group: i64, flip: i64, n: i64, inner: i64, lines: i64, width: i64, base: i64, size: i64, plan: i32[:],
                  turns: f64[:], data: f64[:], line: f64[:]):
    """Lines group * width … of those whose numbers are `inner` apart, in place."""
    count = min(width, lines - group * width)
    across = min(width, team_size())
    for w in range(team_rank() % across, count, across):
        k = group * width + w
        first = 2 * (k // inner * inner * n + k % inner)
        for j in range(team_rank() // across, n, team_size() // across):
            place = first + 2 * j * inner
            put(base + j * width + w, size, data[place + flip], data[place + 1 - flip], line)
    here = transform(n, count, width, width, 1, base, size, plan, turns, line)
    for w in range(team_rank() % across, count, across):
        k = group * width + w
        first = 2 * (k // inner * inner * n + k % inner)
        for j in range(team_rank() // across, n, team_size() // across):
            place = first + 2 * j * inner
            data[place + flip] = line[here + j * width + w]
            data[place + 1 - flip] = line[here + j * width + w + size]


@portable
def complex_lines(t, flip: i64, n: i64, inner: i64, lines: i64, width: i64, teams: i64, plan: i32[:], turns: f64[:],
                  data: f64[:], room: f64[:]):
    """All lines along an axis of complex numbers: line k begins at number (k // inner) * inner * n + k % inner."""
    if LARGE:
        for group in range(t, (lines + width - 1) // width, teams):
            complex_group(group, flip, n, inner, lines, width, t * 4 * n * width, n * width, plan, turns, data, room)
            barrier()
    else:
        line = scratch(f64, 4 * SIZE)
        complex_group(t, flip, n, inner, lines, width, 0, SIZE, plan, turns, data, line)


# ---- lines of real numbers
@portable
def real_group(group: i64, n: i64, lines: i64, width: i64, columns: i64, base: i64, size: i64, plan: i32[:], turns: f64[:],
               mesh: f64[:], spectrum: f64[:], line: f64[:]):
    """Pairs group * width … of lines; columns: members that are side by side in a line."""
    count = min(width, (lines + 1) // 2 - group * width)
    pitch = size // width
    half = n // 2 + 1
    across = min(columns, team_size())
    for w in range(team_rank() // across, 2 * count, team_size() // across):
        k = 2 * group * width + w
        for j in range(team_rank() % across, n, across):
            value = 0.0
            if k < lines:
                value = mesh[k * n + j]
            line[base + w // 2 * pitch + j + w % 2 * size] = value
    here = transform(n, count, width, 1, pitch, base, size, plan, turns, line)
    for w in range(team_rank() // across, count, team_size() // across):
        k = 2 * (group * width + w)
        for j in range(team_rank() % across, half, across):
            one = here + w * pitch + j
            other = here + w * pitch + (n - j if j > 0 else 0)
            place = 2 * (k * half + j)
            spectrum[place] = 0.5 * (line[one] + line[other])
            spectrum[place + 1] = 0.5 * (line[one + size] - line[other + size])
            if k + 1 < lines:
                spectrum[place + 2 * half] = 0.5 * (line[one + size] + line[other + size])
                spectrum[place + 2 * half + 1] = 0.5 * (line[other] - line[one])


@portable
def real_lines(t, n: i64, lines: i64, width: i64, columns: i64, teams: i64, plan: i32[:], turns: f64[:], mesh: f64[:],
               spectrum: f64[:], room: f64[:]):
    """Lines of n real numbers, one behind the other, to n // 2 + 1 complex ones each."""
    if LARGE:
        for group in range(t, ((lines + 1) // 2 + width - 1) // width, teams):
            real_group(group, n, lines, width, columns, t * 4 * n * width, n * width, plan, turns, mesh, spectrum, room)
            barrier()
    else:
        line = scratch(f64, 4 * SIZE)
        real_group(t, n, lines, width, columns, 0, SIZE, plan, turns, mesh, spectrum, line)


@portable
def back_group(group: i64, n: i64, lines: i64, width: i64, columns: i64, base: i64, size: i64, plan: i32[:], turns: f64[:],
               spectrum: f64[:], mesh: f64[:], line: f64[:]):
    """The opposite, without a factor. What a real line cannot have (imaginary parts of numbers 0 and n / 2) is left out."""
    count = min(width, (lines + 1) // 2 - group * width)
    pitch = size // width
    half = n // 2 + 1
    across = min(columns, team_size())
    for w in range(team_rank() // across, count, team_size() // across):
        k = 2 * (group * width + w)
        for j in range(team_rank() % across, half, across):
            place = 2 * (k * half + j)
            inside = j > 0 and 2 * j != n
            a = spectrum[place]
            b = spectrum[place + 1] if inside else 0.0
            c = 0.0
            d = 0.0
            if k + 1 < lines:
                c = spectrum[place + 2 * half]
                d = spectrum[place + 2 * half + 1] if inside else 0.0
            put(base + w * pitch + j, size, b + c, a - d, line)
            if inside:
                put(base + w * pitch + n - j, size, c - b, a + d, line)
    here = transform(n, count, width, 1, pitch, base, size, plan, turns, line)
    for w in range(team_rank() // across, 2 * count, team_size() // across):
        k = 2 * group * width + w
        if k < lines:
            for j in range(team_rank() % across, n, across):
                mesh[k * n + j] = line[here + w // 2 * pitch + j + (1 - w % 2) * size]


@portable
def back_lines(t, n: i64, lines: i64, width: i64, columns: i64, teams: i64, plan: i32[:], turns: f64[:], spectrum: f64[:],
               mesh: f64[:], room: f64[:]):
    """Lines of n // 2 + 1 complex numbers to n real ones each."""
    if LARGE:
        for group in range(t, ((lines + 1) // 2 + width - 1) // width, teams):
            back_group(group, n, lines, width, columns, t * 4 * n * width, n * width, plan, turns, spectrum, mesh, room)
            barrier()
    else:
        line = scratch(f64, 4 * SIZE)
        back_group(t, n, lines, width, columns, 0, SIZE, plan, turns, spectrum, mesh, line)


# by whether lines need memory of the device
COMPLEX, REAL, BACK = ([Kernel(body, team=TEAM, league=True, statics=(("LARGE", large),)) for large in (False, True)]
                       for body in (complex_lines, real_lines, back_lines))
KERNELS = [*COMPLEX, *REAL, *BACK]
