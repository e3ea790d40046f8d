"""Table files of pair potentials.

    # comments and blank lines anywhere
    KEYWORD                                     a section; a file may hold several
    N 500 [R|RSQ|BITMAP lo hi] [FPRIME f f]     rows, spacing of the distances, dF/dr at both ends
    1 r energy force                            N rows: index, length, energy, energy/length

With R, RSQ or BITMAP the distances are computed (evenly spaced in r or r^2 from lo to hi, or parts of octaves: table_bits.py)
and those in the rows only checked.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from everlet.errors import InputError, integer, number
from everlet.forces.pair.styles.table_bits import divide
from everlet.inputs import open_text

SPACINGS = ("R", "RSQ", "BITMAP")
TOLERANCE = 1e-6  # relative difference of a printed and a computed distance that is worth a warning


@dataclass
class Section:
    """One tabulated potential: distances, energies and forces as in the file; rows of BITMAP are sorted."""

    r: np.ndarray
    energy: np.ndarray
    force: np.ndarray
    spacing: str = ""  # R, RSQ, BITMAP or none
    lo: float = 0.0
    hi: float = 0.0
    slopes: tuple[float, float] | None = None  # dF/dr at the first and the last distance, if the file gives them
    strays: int = 0  # rows whose printed distance differs from the computed one


class Lines:
    """Lines that carry something, with their numbers for messages."""

    def __init__(self, path: str):
        try:
            with open_text(path, errors="replace") as file:  # odd letters do no harm in comments
                text = file.read()
        except OSError as error:
            raise InputError(f"cannot read table file '{path}': {error.strerror}",
                             "check the path and its permissions") from None
        self.path, self.last = path, 0
        numbered = enumerate(text.split("\n"), 1)
        self.rest = iter([(k, words) for k, line in numbered if (words := line.partition("#")[0].split())])

    def next(self, expected: str = "") -> list[str] | None:
        """Words of the next line; at the end None, or an error if something was expected."""
        self.last, words = next(self.rest, (self.last, None))
        if words is None and expected:
            raise InputError(f"{self.path}: the file ends where {expected} was expected", "is the file complete?")
        return words

    def fail(self, error: InputError) -> InputError:
        return InputError(f"{self.path}:{self.last}: {error.cause}", error.remedy)


def read_section(path: str, keyword: str) -> Section:
    """The section `keyword` of a table file."""
    lines = Lines(path)
    known = []
    while (words := lines.next()) is not None:
        name = words[0]
        try:
            header = _header(lines.next(f"the parameter line of section '{name}'") or [])
        except InputError as error:
            raise lines.fail(error) from None
        wanted = name == keyword
        rows = [_row(lines, k, int(header["N"][0]), name, wanted) for k in range(int(header["N"][0]))]
        if wanted:
            try:
                return _section(header, np.array(rows))
            except InputError as error:
                raise lines.fail(error) from None
        known.append(name)
    raise InputError(f"{path} has no section '{keyword}'", f"sections: {', '.join(known) or 'none'}")


def _header(words: list[str]) -> dict[str, list[float]]:
    """The parameter line: keyword -> its numbers."""
    out: dict[str, list[float]] = {}
    count = {"N": 1, "R": 2, "RSQ": 2, "BITMAP": 2, "FPRIME": 2}
    rest = list(words)
    while rest:
        key = rest.pop(0)
        if key not in count:
            raise InputError(f"unknown word '{key}' in the parameter line of a table", f"known: {', '.join(count)}")
        if len(rest) < count[key]:
            raise InputError(f"{key} needs {count[key]} values", "see the first line of the section")
        values = [float(integer(rest.pop(0), "the number of rows"))] if key == "N" else []
        out[key] = values or [number(rest.pop(0), f"a value of {key}") for _ in range(2)]
    if "N" not in out:
        raise InputError("the parameter line of a table has no N", "it starts with N and the number of rows")
    if out["N"][0] < 2:
        raise InputError(f"a table needs 2 rows or more, found N {out['N'][0]:g}", "correct the N of the table")
    given = [key for key in SPACINGS if key in out]
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)} are both given", "choose one")
    return out


def _row(lines: Lines, k: int, n: int, name: str, wanted: bool) -> tuple[float, float, float]:
    words = lines.next(f"row {k + 1} of {n} of section '{name}'") or []
    if not wanted:
        return 0.0, 0.0, 0.0
    try:
        if len(words) != 4:
            raise InputError(f"row {k + 1} of section '{name}' has {len(words)} words", "a row is index r energy force")
        r, energy, force = (number(word) for word in words[1:])
        return r, energy, force
    except InputError as error:
        raise lines.fail(error) from None


def _section(header: dict[str, list[float]], rows: np.ndarray) -> Section:
    r, energy, force = (np.ascontiguousarray(column) for column in rows.T)
    section = Section(r, energy, force)
    if "FPRIME" in header:
        section.slopes = (header["FPRIME"][0], header["FPRIME"][1])
    section.spacing = next((key for key in SPACINGS if key in header), "")
    if section.spacing:
        section.lo, section.hi = header[section.spacing]
        n = len(rows)
        lo, hi = section.lo, section.hi
        if not 0.0 < lo < hi:
            raise InputError(f"{section.spacing} {lo:g} {hi:g}: a table reaches from a distance above zero to a larger one",
                             "correct the first line of the section")
        order = np.arange(n)
        if section.spacing == "R":
            even = np.array([lo + (hi - lo) * k / (n - 1) for k in range(n)])
        elif section.spacing == "RSQ":
            even = np.array([math.sqrt(lo * lo + (hi * hi - lo * lo) * k / (n - 1)) for k in range(n)])
        else:
            if n & (n - 1):
                raise InputError(f"a BITMAP table has 2, 4, 8, 16, ... rows, found {n}", "correct the N of the table")
            bits = divide(lo, hi, n.bit_length() - 1)
            even, order = np.sqrt(bits.s), bits.order
        section.strays = int(np.sum(np.abs(even - section.r) > TOLERANCE * np.abs(section.r)))
        section.r, section.energy, section.force = even[order], energy[order], force[order]
    else:
        section.lo, section.hi = float(section.r[0]), float(section.r[-1])
    if section.lo <= 0.0:
        raise InputError(f"a table starts at a distance above zero, found {section.lo:g}",
                         "begin the table at a small positive distance")
    if np.any(np.diff(section.r) <= 0.0):
        raise InputError("the distances of a table must increase", "sort its rows")
    return section
