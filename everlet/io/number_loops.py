"""Text to numbers, many lines at a time, each number to its last bit."""

from __future__ import annotations

from everlet.portable import Kernel, f64, i32, i64, portable, u8

ROWS = 256  # lines of a block
ZERO, NINE, MINUS, PLUS, POINT, SPACE, HASH, SMALL_E, LARGE_E = 48, 57, 45, 43, 46, 32, 35, 101, 69
DIGITS = 18  # of the whole number that the digits of a text make
MIDDLE = 160  # where 1 stands in the table of powers of two
DEEPEST = 26  # 5^k of a division by 10^k must leave room in 64 bits


@portable
def quotient(m: i64, k: i64, tens: f64[:], fives: i64[:], twos: f64[:]):
    """m / 10^k, rounded to the nearest.

    With a first guess n 2^-p, m 2^(p-k) and n 5^k are nearly the same; only their difference is needed, which 64 bits hold:
    arithmetic modulo 2^64 is exact. One more or less in n is 5^k.
    """
    guess = f64(m) / tens[k]
    q = i64(0)
    while guess >= twos[MIDDLE + q + 1]:
        q += 1
    while guess < twos[MIDDLE + q]:
        q -= 1
    n = i64(guess * twos[MIDDLE + 52 - q])
    shift = 52 - q - k
    unit = fives[k]
    left = m
    if shift >= 64:
        left = i64(0)
    elif shift > 0:
        left = m << shift
    elif shift < 0:
        unit = unit << -shift
    rest = left - n * unit
    while 2 * rest > unit or (2 * rest == unit and n % 2 == 1):
        rest -= unit
        n += 1
    while -2 * rest > unit or (-2 * rest == unit and n % 2 == 1):
        rest += unit
        n -= 1
    return f64(n) * twos[MIDDLE - 52 + q]


@portable
def read_number(spot: i64, end: i64, place: i64, text: u8[:], tens: f64[:], fives: i64[:], twos: f64[:], wholes: i64[:],
                values: f64[:]):
    """The number that begins at `spot` goes to values[place], which stays as it is if it is none that can be read here; gives
    the place behind the word."""
    negative = text[spot] == MINUS
    if negative or text[spot] == PLUS:
        spot += 1
    m = i64(0)
    size = i64(0)  # digits of m
    seen = i64(0)  # digits of the text
    k = i64(0)  # the number is m / 10^k
    behind = i64(0)  # the point is behind us
    going = i64(1)
    while going > 0 and spot < end:
        letter = i64(text[spot])
        if letter >= ZERO and letter <= NINE:
            if size < DIGITS:
                m = m * 10 + (letter - ZERO)
            if m > 0:
                size += 1
            seen += 1
            k += behind
            spot += 1
        elif letter == POINT and behind == 0:
            behind = i64(1)
            spot += 1
        else:
            going = i64(0)
    good = seen > 0 and size <= DIGITS
    if good and spot < end and (text[spot] == SMALL_E or text[spot] == LARGE_E):
        spot += 1
        down = spot < end and text[spot] == MINUS
        if spot < end and (text[spot] == MINUS or text[spot] == PLUS):
            spot += 1
        power = i64(0)
        seen = i64(0)
        while spot < end and text[spot] >= ZERO and text[spot] <= NINE and seen < 4:
            power = power * 10 + (i64(text[spot]) - ZERO)
            seen += 1
            spot += 1
        good = seen > 0
        k = k + power if down else k - power
    if spot < end and text[spot] > SPACE:
        good = False
    while spot < end and text[spot] > SPACE:
        spot += 1
    if good and m == 0:
        if not negative:
            values[place] = 0.0
    elif good and k <= 0 and size - k <= DIGITS:
        whole = f64(m * wholes[-k])
        values[place] = -whole if negative else whole
    elif good and k > 0 and k <= DEEPEST:
        found = quotient(m, k, tens, fives, twos)
        values[place] = -found if negative else found
    return spot


@portable
def read_rows(b, n: i64, width: i64, first: i64[:], wanted: i32[:], text: u8[:], tens: f64[:], fives: i64[:], twos: f64[:],
              wholes: i64[:], values: f64[:], words: i32[:]):
    """Words of the lines of block b: how many there are, and the numbers of those columns that are wanted. Line i goes from
    first[i] to the letter before first[i + 1]; what follows a # is no word."""
    for i in range(b * ROWS, min(n, (b + 1) * ROWS)):
        spot = first[i]
        end = first[i + 1] - 1
        count = i64(0)
        while spot < end:
            if text[spot] <= SPACE:
                spot += 1
            elif text[spot] == HASH:
                spot = end
            else:
                if count < width and wanted[min(count, width - 1)] > 0:
                    spot = read_number(spot, end, i * width + count, text, tens, fives, twos, wholes, values)
                else:
                    while spot < end and text[spot] > SPACE:
                        spot += 1
                count += 1
        words[i] = i32(count)


READ_ROWS = Kernel(read_rows)
