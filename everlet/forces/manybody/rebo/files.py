"""Files of hydrocarbons (CH.rebo, CH.airebo, CH.airebo-m): numbers of C-C, C-H and H-H, polynomials and splines.

    numbers        the first of each line counts, the rest names it: those of NUMBERS, three for pairs of elements
    polynomials    of carbon: number of ends, ends, those of few and of many neighbours; of hydrogen: ends, polynomials
    splines        P of C-C and C-H, F of C-C, C-H and H-H, T: number of limits, limits, a polynomial for each cell

Splines are kept as their values and slopes at whole numbers, which the polynomials have with some noise: of the numbers within
that noise the shortest is taken. Files have P with six digits. Where these are the values of the AIREBO paper, they are
replaced by the published ones with all their digits, for style rebo by those of the REBO paper, which it has to itself:
so does the reference.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from everlet.forces.manybody.rebo.places import FLAT, HIGH, LOW, ORDER, PIECES_C, PIECES_H, SOLID, TABLE_SIZE
from everlet.forces.potential_file import PotentialFile

PAIRS = ("rmin", "rmax", "rmaxp"), ("Q", "alpha", "A")
SINGLE = ("s_min", "n_min", "n_max", "crowd_min", "crowd_max")
SERIES = ("B", "beta")  # three numbers for each pair of elements
LATER = ("rho", "lj_min", "lj_max", "b_min", "b_max", "epsilon", "sigma")
MORSE = ("depth", "decay", "morse")
ELEMENTS = ("CC", "CH", "HH")
ROUNDED = 6e-7  # digits that files leave out
# P by numbers of other carbons and hydrogens: Stuart, Tutein, Harrison (2000); Brenner and others (2002)
COMMON = {(0, 3): 0.016125364564267, (1, 2): 0.006326248241119, (2, 1): 0.003179530830731}
AIREBO_CC = {**COMMON, (0, 2): -0.0005, (1, 1): -0.010960, (2, 0): -0.027603}
REBO_CC = {**COMMON, (0, 2): 0.007860700254745, (1, 1): 0.003026697473481, (2, 0): 0.0}
BOTH_CH = {(0, 1): 0.2093367328250380, (0, 2): -0.064449615432525, (0, 3): -0.303927546346162, (1, 0): 0.01,
           (1, 1): -0.1251234006287090, (1, 2): -0.298905245783, (2, 0): -0.1220421462782555, (2, 1): -0.3005291724067579,
           (3, 0): -0.307584705066}


class Hydrocarbons(NamedTuple):
    """Numbers of pairs of elements (C-C, C-H, H-H), others, and the table of places.py."""

    pairs: dict[str, np.ndarray]
    general: dict[str, float]
    twist: np.ndarray
    table: np.ndarray


def read_file(name: str, morse: bool, rebo: bool) -> Hydrocarbons:
    file = PotentialFile(name)

    def one(what: str) -> float:
        return file.number(file.words(what)[0], what)

    def three(what: str) -> np.ndarray:
        return np.array([one(f"{what} of {pair}") for pair in ELEMENTS])

    pairs = {what: three(what) for what in PAIRS[0]}
    general = {what: one(what) for what in SINGLE}
    pairs |= {what: three(what) for what in PAIRS[1]}
    for what in SERIES:
        found = np.array([[one(f"{what}{k} of {pair}") for k in (1, 2, 3)] for pair in ELEMENTS])
        pairs |= {f"{what}{k + 1}": found[:, k] for k in range(3)}
    pairs |= {what: three(what) for what in LATER}
    twist = np.array([one(f"epsilon of torsions {what}") for what in ("CCCC", "CCCH", "HCCH")])
    if morse:
        pairs |= {what: three(what) for what in MORSE}
    parts = [_polynomials(file, PIECES_C, 2), _polynomials(file, PIECES_H, 1)]
    published = REBO_CC if rebo else AIREBO_CC
    splines = [_flat(file, "P of C-C", published), _flat(file, "P of C-H", BOTH_CH)]
    splines += [_solid(file, f"F of {pair}") for pair in ELEMENTS]
    splines.append(_solid(file, "T"))
    file.end("the spline T")
    table = np.concatenate([*splines, *parts])
    assert table.size == TABLE_SIZE and [part.size for part in splines] == [FLAT] * 2 + [SOLID] * 4
    for what, low, high in (("bonds", "rmin", "rmax"), ("weights of torsions", "rmin", "rmaxp")):
        if not (pairs[low] < pairs[high]).all():
            raise file.fail(f"{low} is not less than {high}", f"{what} end at {high}: is the file right?")
    return Hydrocarbons(pairs, general, twist, table)


def _count(file: PotentialFile, expected: int, what: str) -> None:
    found = file.integer(file.words(f"the number of {what}")[0], f"the number of {what}")
    if found != expected:
        raise file.fail(f"{found} {what}, and {expected} are known", "is the file of this style?")


def _polynomials(file: PotentialFile, pieces: int, sets: int) -> np.ndarray:
    """Ends of the pieces, then the polynomials."""
    who = "carbon" if sets == 2 else "hydrogen"
    _count(file, pieces + 1, f"ends of polynomials of {who}")
    ends = file.table(pieces + 1, f"ends of polynomials of {who}")
    return np.concatenate([ends, file.table(sets * pieces * ORDER, f"polynomials of {who}")])


def _cells(file: PotentialFile, what: str, sides: tuple[int, ...]) -> np.ndarray:
    """Polynomials of all cells, sums of c_ab x^a y^b or of c_abc x^a y^b z^c."""
    _count(file, 2 * len(sides), f"limits of {what}")
    limits = file.table(2 * len(sides), f"limits of {what}")
    expected = [end for side in sides for end in (0.0, float(side))]
    if list(limits) != expected:
        raise file.fail(f"limits of {what} are {limits}", f"known are {expected}")
    size = int(np.prod(sides)) * 4 ** len(sides)
    return file.table(size, what).reshape(*sides, *(4,) * len(sides))


def _knots(cells: np.ndarray, sides: tuple[int, ...]) -> np.ndarray:
    """Values and slopes at whole numbers, as the polynomials of the cells around have them on average."""
    axes = len(sides)
    found = np.zeros((*(side + 1 for side in sides), axes + 1))
    for at in np.ndindex(*found.shape[:-1]):
        around = [tuple(k - step for k, step in zip(at, steps, strict=True)) for steps in np.ndindex(*(2,) * axes)]
        around = [cell for cell in around if all(0 <= k < side for k, side in zip(cell, sides, strict=True))]
        for slope in range(axes + 1):
            values = cells[tuple(np.array(around).T)]
            for axis, place in enumerate(at):
                powers = float(place) ** np.arange(4)
                if slope == axis + 1:
                    powers = np.arange(4) * float(place) ** np.maximum(np.arange(4) - 1, 0)
                values = np.tensordot(values, powers, axes=(1, 0))
            found[at][slope] = _shortest(values)
    return found


def _shortest(values: np.ndarray) -> float:
    """The shortest number that is as near to the mean as the values are to each other."""
    mean, noise = float(values.mean()), float(np.ptp(values)) + 1e-12
    return next((short for digits in range(15) if abs((short := round(mean, digits)) - mean) <= noise), mean)


def _flat(file: PotentialFile, what: str, published: dict[tuple[int, int], float]) -> np.ndarray:
    sides = (LOW, LOW)
    found = _knots(_cells(file, what, sides), sides)
    known = BOTH_CH if published is BOTH_CH else AIREBO_CC
    if all(abs(found[at][0] - value) < ROUNDED for at, value in known.items()):
        for at, value in published.items():
            found[at][0] = value
    return found.reshape(-1)


def _solid(file: PotentialFile, what: str) -> np.ndarray:
    """The same from both ends of a bond."""
    sides = (LOW, LOW, HIGH)
    found = _knots(_cells(file, what, sides), sides)
    other = found.transpose(1, 0, 2, 3)[..., [0, 2, 1, 3]]
    if abs(found - other).max() > ROUNDED:
        raise file.fail(f"{what} is not the same with its first two variables exchanged", "is the file right?")
    return (0.5 * (found + other)).reshape(-1)
