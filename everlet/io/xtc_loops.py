"""Places as bits, as xtc files have them.

Each group is an atom with its whole place and up to eight near ones behind it, each as the difference to the one before. A bit
says if the number of these, or the size of what is near, has changed since the last group. The first two of a group change
places: of a water molecule the oxygen is near to both others.
"""

from __future__ import annotations

from everlet.portable import Kernel, i64, portable, u8

NEAR = 8  # atoms behind the first one of a group, at most
RANGE = 8  # sizes that a file uses


@portable
def put_bits(bit: i64, count: i64, value: i64, out: u8[:]):
    """The last bits of a number, the highest first; gives the place behind them. `out` was 0."""
    for k in range(count):
        if (value >> (count - 1 - k)) & 1:
            spot = (bit + k) >> 3
            out[spot] = u8(i64(out[spot]) | (128 >> ((bit + k) & 7)))
    return bit + count


@portable
def put_three(bit: i64, count: i64, b: i64, c: i64, x: i64, y: i64, z: i64, out: u8[:]):
    """(x b + y) c + z, up to 72 bits of it, the lowest byte first."""
    pair = x * b + y
    low = (pair & 0xFFFFFFFF) * c + z
    high = (pair >> 32) * c + (low >> 32)
    low = low & 0xFFFFFFFF
    left = count
    k = i64(0)
    while left > 0:
        byte = (low >> (8 * k)) & 255 if k < 4 else (high >> (8 * (k - 4))) & 255
        bit = put_bits(bit, min(left, 8), byte, out)
        left -= 8
        k += 1
    return bit


@portable
def near(i: i64, j: i64, limit: i64, x: i64[:]):
    """Two atoms differ by less than the limit in each coordinate."""
    return (abs(x[3 * i] - x[3 * j]) < limit and abs(x[3 * i + 1] - x[3 * j + 1]) < limit
            and abs(x[3 * i + 2] - x[3 * j + 2]) < limit)


@portable
def pack(item, n: i64, x: i64[:], edges: i64[:], widths: i64[:], sizes: i64[:], first: i64, out: u8[:], used: i64[:]):
    """x: places from the lowest on, which change their order here; widths[1] is 0 if one number has all three."""
    size = first
    last = min(i64(72), first + RANGE)
    least = last - RANGE
    smaller = sizes[max(i64(9), size - 1)] // 2
    small = sizes[size] // 2
    larger = sizes[last] // 2
    before = i64(-1)  # near atoms of the last group
    bit = i64(0)
    i = i64(0)
    while i < n:
        change = i64(0)
        if size < last and i >= 1 and near(i, i - 1, larger, x):
            change = i64(1)
        elif size > least:
            change = i64(-1)
        goes_on = i + 1 < n and near(i, i + 1, small, x)
        if goes_on:
            for k in range(3):
                kept = x[3 * i + k]
                x[3 * i + k] = x[3 * i + 3 + k]
                x[3 * i + 3 + k] = kept
        if widths[1] > 0:
            for k in range(3):
                bit = put_bits(bit, widths[k], x[3 * i + k], out)
        else:
            bit = put_three(bit, widths[0], edges[1], edges[2], x[3 * i], x[3 * i + 1], x[3 * i + 2], out)
        begin = i
        i += 1
        if change == -1 and not goes_on:
            change = i64(0)
        while goes_on and i - begin <= NEAR:
            if change == -1:
                far = i64(0)
                for k in range(3):
                    far += (x[3 * i + k] - x[3 * i - 3 + k]) * (x[3 * i + k] - x[3 * i - 3 + k])
                if far >= smaller * smaller:
                    change = i64(0)
            i += 1
            goes_on = i < n and near(i, i - 1, small, x)
        run = i - begin - 1
        if run != before or change != 0:
            before = run
            bit = put_bits(bit, 1, 1, out)
            bit = put_bits(bit, 5, 3 * run + change + 1, out)
        else:
            bit = put_bits(bit, 1, 0, out)
        for j in range(begin + 1, i):
            bit = put_three(bit, size, sizes[size], sizes[size], x[3 * j] - x[3 * j - 3] + small,
                            x[3 * j + 1] - x[3 * j - 2] + small, x[3 * j + 2] - x[3 * j - 1] + small, out)
        if change != 0:
            size += change
            if change < 0:
                small = smaller
                smaller = sizes[size - 1] // 2
            else:
                smaller = small
                small = sizes[size] // 2
    used[0] = (bit + 7) >> 3


@portable
def take_bits(bit: i64, count: i64, text: u8[:]):
    """A number of so many bits, the highest first."""
    value = i64(0)
    for k in range(count):
        value = 2 * value + ((i64(text[(bit + k) >> 3]) >> (7 - ((bit + k) & 7))) & 1)
    return value


@portable
def take_three(bit: i64, count: i64, b: i64, c: i64, place: i64, text: u8[:], x: i64[:]):
    """x, y, z of (x b + y) c + z to this place and behind it; gives the place of the next bit."""
    low = i64(0)
    high = i64(0)
    left = count
    k = i64(0)
    while left > 0:
        byte = take_bits(bit, min(left, 8), text)
        bit += min(left, 8)
        if k < 4:
            low += byte << (8 * k)
        else:
            high += byte << (8 * (k - 4))
        left -= 8
        k += 1
    rest = ((high % c) << 32) + low
    pair = ((high // c) << 32) + rest // c
    x[place + 2] = rest % c
    x[place + 1] = pair % b
    x[place] = pair // b
    return bit


@portable
def unpack(item, n: i64, x: i64[:], edges: i64[:], widths: i64[:], sizes: i64[:], first: i64, text: u8[:]):
    """The same places again, in the order in which they were given."""
    size = first
    smaller = sizes[max(i64(9), size - 1)] // 2
    small = sizes[size] // 2
    run = i64(0)
    bit = i64(0)
    i = i64(0)
    while i < n:
        if widths[1] > 0:
            for k in range(3):
                x[3 * i + k] = take_bits(bit, widths[k], text)
                bit += widths[k]
        else:
            bit = take_three(bit, widths[0], edges[1], edges[2], 3 * i, text, x)
        change = i64(0)
        changed = take_bits(bit, 1, text)
        bit += 1
        if changed == 1:
            code = take_bits(bit, 5, text)
            bit += 5
            run = code // 3
            change = code % 3 - 1
        begin = i
        i += 1
        while i < n and i - begin <= run:
            bit = take_three(bit, size, sizes[size], sizes[size], 3 * i, text, x)
            for k in range(3):
                x[3 * i + k] += x[3 * i - 3 + k] - small
            i += 1
        if run > 0 and begin + 1 < n:  # the first two had changed places
            for k in range(3):
                kept = x[3 * begin + k]
                x[3 * begin + k] = x[3 * begin + 3 + k]
                x[3 * begin + 3 + k] = kept
        if change < 0:
            size = max(size - 1, i64(9))
            small = smaller
            smaller = sizes[size - 1] // 2
        elif change > 0:
            size = min(size + 1, i64(72))
            smaller = small
            small = sizes[size] // 2


PACK, UNPACK = Kernel(pack), Kernel(unpack)
