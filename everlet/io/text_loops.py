"""Numbers to text, as C's %d and %g and Python's %r write them, many rows at a time."""

from __future__ import annotations

from everlet.portable import Kernel, f64, i32, i64, portable, u8

ROWS = 256  # of a block, which one thread writes
WIDE = 25  # most characters of a number and what separates it from the next
SHORTEST = 17  # digits that say: as few as are read as the same number
NEAR = 2e-15  # relative: numbers so near to the middle of two texts are rounded elsewhere
ZERO, MINUS, POINT, SPACE, END, EXPONENT, PLUS = 48, 45, 46, 32, 10, 101, 43
MIDDLE, EXACT = 45, 22  # where 1 stands in the table of powers of ten; those up to 10^22 are exact
SMALLEST, LARGEST = 35, 22  # powers of ten between which numbers are written here
LEAST, MOST = 8, 15  # the same for the shortest text
MANTISSA = 2**52


@portable
def put_digits(spot: i64, value: i64, count: i64, text: u8[:]):
    """So many digits of a whole number; gives the place behind them."""
    rest = value
    for k in range(count):
        text[spot + count - 1 - k] = u8(ZERO + rest % 10)
        rest = rest // 10
    return spot + count


@portable
def put_whole(spot: i64, value: i64, text: u8[:]):
    """A whole number of 0 or more; gives the place behind it."""
    size = 1
    rest = value // 10
    while rest > 0:
        rest = rest // 10
        size += 1
    return put_digits(spot, value, size, text)


@portable
def magnitude_of(size: f64, powers: f64[:]):
    """The power of ten of the first digit."""
    e = 0
    while size >= powers[MIDDLE + e + 1]:
        e += 1
    while size < powers[MIDDLE + e]:
        e -= 1
    return e


@portable
def put_float(spot: i64, value: f64, digits: i64, powers: f64[:], text: u8[:], trouble: i32[:], b: i64):
    """%.{digits}g of a number; gives the place behind it. What cannot be rounded surely here is noted in `trouble`."""
    size = abs(value)
    if value < 0.0 or (value == 0.0 and 1.0 / value < 0.0):
        text[spot] = u8(MINUS)
        spot += 1
    if size == 0.0:
        text[spot] = u8(ZERO)
        return spot + 1
    if not (size < powers[MIDDLE + LARGEST] and size >= powers[MIDDLE - SMALLEST]):
        trouble[b] = 1
        return spot
    e = magnitude_of(size, powers)
    shift = digits - 1 - e
    scaled = size
    if shift > EXACT:
        scaled = size * powers[MIDDLE + EXACT] * powers[MIDDLE + shift - EXACT]
    elif shift >= 0:
        scaled = size * powers[MIDDLE + shift]
    else:
        scaled = size / powers[MIDDLE - shift]
    m = i64(scaled)
    part = scaled - f64(m)
    if abs(part - 0.5) < NEAR * scaled:
        trouble[b] = 1
    if part > 0.5:
        m += 1
    most = i64(powers[MIDDLE + digits])
    if m >= most:
        m = m // 10
        e += 1
    count = digits  # digits that are shown
    while count > 1 and m % 10 == 0:
        m = m // 10
        count -= 1
    if e < -4 or e >= digits:  # d.ddde+xx
        first = m
        for _ in range(count - 1):
            first = first // 10
        text[spot] = u8(ZERO + first)
        spot += 1
        if count > 1:
            text[spot] = u8(POINT)
            rest = m
            for k in range(count - 1):
                text[spot + count - 1 - k] = u8(ZERO + rest % 10)
                rest = rest // 10
            spot += count
        text[spot] = u8(EXPONENT)
        text[spot + 1] = u8(MINUS if e < 0 else PLUS)
        tens = abs(e)
        text[spot + 2] = u8(ZERO + tens // 10)
        text[spot + 3] = u8(ZERO + tens % 10)
        return spot + 4
    if e < 0:  # 0.000ddd
        text[spot] = u8(ZERO)
        text[spot + 1] = u8(POINT)
        spot += 2
        for _ in range(-e - 1):
            text[spot] = u8(ZERO)
            spot += 1
        rest = m
        for k in range(count):
            text[spot + count - 1 - k] = u8(ZERO + rest % 10)
            rest = rest // 10
        return spot + count
    behind = count - 1 - e
    if behind <= 0:  # no fraction; zeros were taken off
        for _ in range(-behind):
            m = m * 10
        return put_whole(spot, m, text)
    rest = m
    for k in range(count):
        place = spot + count - k if k < behind else spot + count - 1 - k
        text[place] = u8(ZERO + rest % 10)
        rest = rest // 10
    text[spot + count - behind] = u8(POINT)
    return spot + count + 1


@portable
def put_shortest(spot: i64, value: f64, bits: i64, powers: f64[:], fives: i64[:], text: u8[:], trouble: i32[:], b: i64):
    """The shortest text that is read as the same number, as repr() gives it; gives the place behind it.

    value = m 2^-p, and D = value 10^k has 17 digits before the point. D 2^(p-k) and m 5^k are nearly the same; only their
    difference is needed, which 64 bits hold: arithmetic modulo 2^64 is exact. One more or less in m is 5^k.
    """
    if bits < 0:
        text[spot] = u8(MINUS)
        spot += 1
    size = abs(value)
    if size == 0.0:
        text[spot] = u8(ZERO)
        text[spot + 1] = u8(POINT)
        text[spot + 2] = u8(ZERO)
        return spot + 3
    if not (size < powers[MIDDLE + MOST] and size >= powers[MIDDLE - LEAST]):
        trouble[b] = 1
        return spot
    e = magnitude_of(size, powers)
    k = 16 - e
    m = (bits & (MANTISSA - 1)) + MANTISSA
    unit = i64(1) << (1075 - ((bits >> 52) & 2047) - k)
    d = i64(size * powers[MIDDLE + k])
    rest = m * fives[k] - d * unit
    d += rest // unit
    rest = rest - rest // unit * unit
    if d < i64(powers[MIDDLE + 16]) or d >= i64(powers[MIDDLE + 17]):
        trouble[b] = 1
        return spot
    chosen = i64(0)
    tens = i64(100)
    while tens > 1 and chosen == 0:
        low = d // tens * tens
        below = (d - low) * unit + rest
        above = tens * unit - below
        least = min(below, above)
        if 2 * least < fives[k]:
            chosen = low if below < above else low + tens
            if below == above or (m == MANTISSA and least != 0):
                trouble[b] = 1
        elif 2 * least == fives[k]:
            trouble[b] = 1
        tens = tens // 10
    if chosen == 0:
        chosen = d
        if 2 * rest > unit:
            chosen += 1
        elif 2 * rest == unit:
            trouble[b] = 1
    count = i64(17)
    if chosen >= i64(powers[MIDDLE + 17]):
        e += 1
        count += 1
    while count > 1 and chosen % 10 == 0:
        chosen = chosen // 10
        count -= 1
    if e < -4:  # d.ddde-xx
        first = chosen // i64(powers[MIDDLE + count - 1])
        spot = put_digits(spot, first, 1, text)
        if count > 1:
            text[spot] = u8(POINT)
            spot = put_digits(spot + 1, chosen - first * i64(powers[MIDDLE + count - 1]), count - 1, text)
        text[spot] = u8(EXPONENT)
        text[spot + 1] = u8(MINUS)
        return put_digits(spot + 2, -e, 2, text)
    if e < 0:  # 0.000ddd
        text[spot] = u8(ZERO)
        text[spot + 1] = u8(POINT)
        spot = put_digits(spot + 2, 0, -e - 1, text)
        return put_digits(spot, chosen, count, text)
    behind = max(count - 1 - e, 0)  # digits behind the point
    front = chosen // i64(powers[MIDDLE + behind])
    tail = chosen - front * i64(powers[MIDDLE + behind])
    if count - 1 - e < 0:
        front = front * i64(powers[MIDDLE + e + 1 - count])
    spot = put_digits(spot, front, e + 1, text)
    text[spot] = u8(POINT)
    return put_digits(spot + 1, tail, max(behind, 1), text)


@portable
def put_rows(b, n: i64, columns: i64, values: f64[:], bits: i64[:], digits: i32[:], powers: f64[:], fives: i64[:], names: u8[:],
             longest: i64, room: i64, text: u8[:], length: i64[:], trouble: i32[:]):
    """Rows of block b, one line each: digits of a column, SHORTEST, 0 for whole numbers, or -1 for an entry of `names`.
    `bits` are those of `values`."""
    spot = b * room
    for i in range(b * ROWS, min(n, (b + 1) * ROWS)):
        for c in range(columns):
            value = values[c * n + i]
            kind = i64(digits[c])
            if kind == SHORTEST:
                spot = put_shortest(spot, value, bits[c * n + i], powers, fives, text, trouble, b)
            elif kind > 0:
                spot = put_float(spot, value, kind, powers, text, trouble, b)
            elif kind == 0:
                whole = i64(value)
                if whole < 0:
                    text[spot] = u8(MINUS)
                    spot += 1
                    whole = -whole
                spot = put_whole(spot, whole, text)
            else:
                first = i64(value) * longest
                k = i64(0)
                while k < longest and names[first + k] != u8(0):
                    text[spot] = names[first + k]
                    spot += 1
                    k += 1
            text[spot] = u8(SPACE)
            spot += 1
        text[spot - 1] = u8(END)
    length[b] = spot - b * room


PUT_ROWS = Kernel(put_rows)
