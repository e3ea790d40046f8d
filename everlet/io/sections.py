"""The text of a data file, cut into header and sections; every line remembers its number for error messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.io.compressed import BROKEN, open_compressed
from everlet.io.tables import MANY, number_table
from everlet.state.atom_styles import ELLIPSOIDS
from everlet.state.topology import KINDS

NAMES = ("Masses", "Atoms", "Velocities", ELLIPSOIDS.title, "Pair Coeffs", "PairIJ Coeffs", "Atom Type Labels",
         *(kind.title for kind in KINDS.values()), *(title for kind in KINDS.values() for title in kind.sections()),
         *(f"{name.capitalize()} Type Labels" for name in KINDS))
REFUSED = ("Lines", "Triangles", "Bodies")
EDGES = {"xlo xhi": 0, "ylo yhi": 1, "zlo zhi": 2}
LINKS = (ELLIPSOIDS.word, "extra special per atom", *(words for name, kind in KINDS.items()
                                     for words in (kind.plural, f"{name} types", f"extra {name} per atom")))
COUNTS = ("lines", "triangles", "bodies")  # things that a file may say it has none of


@dataclass
class Section:
    name: str
    note: str  # what stands behind the # of the section line
    line: int
    text: list[str] = field(default_factory=list)  # all lines below the title

    @property
    def first(self) -> tuple[int, str] | None:
        """The first of its rows."""
        for line, text in enumerate(self.text, self.line + 1):
            if found := text.partition("#")[0].strip():
                return line, found
        return None

    @cached_property
    def rows(self) -> list[tuple[int, str]]:
        """Line number and text without comment of those that are not blank."""
        cut = [(self.line + 1 + k, text.partition("#")[0].strip()) for k, text in enumerate(self.text)]
        return [(line, text) for line, text in cut if text]


GENERAL = ("avec", "bvec", "cvec", "abc origin")


@dataclass
class Parts:
    """A data file as read: title, counts, box and sections in the order of the file."""

    path: str
    title: str
    atoms: int = 0
    types: int = 0
    lo: list[float] = field(default_factory=lambda: [-0.5] * 3)
    hi: list[float] = field(default_factory=lambda: [0.5] * 3)
    tilt: list[float] | None = None
    general: dict[str, list[float]] = field(default_factory=dict)  # edges and corner of a box that points anywhere
    sections: list[Section] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)  # of LINKS
    counted: dict[str, int] = field(default_factory=dict)  # the lines that say so

    def error(self, line: int, cause: str, remedy: str = "mend this line") -> InputError:
        return InputError(f"{self.path}, line {line}: {cause}", remedy)

    def words(self, section: Section, count: int) -> list[tuple[int, list[str]]]:
        """The rows of a section as words, after checking how many there are."""
        if len(section.rows) > count:
            line, text = section.rows[count]
            raise self.error(
                line,
                f"section {section.name} has more than the {count} lines it should have: '{text}'",
                "a misspelt section name, or a wrong count in the header?",
            )
        if len(section.rows) < count:
            last = section.rows[-1][0] if section.rows else section.line
            raise self.error(
                last,
                f"section {section.name} ends after {len(section.rows)} of {count} lines",
                "the file is truncated, or a count in the header is wrong",
            )
        return [(line, text.split()) for line, text in section.rows]

    def table(self, section: Section, count: int, width: int, what: str, dtype: Any = np.float64) -> np.ndarray:
        """Rows of `width` numbers; a bad row is named. `what` are the names of the columns."""
        if count >= MANY and np.dtype(dtype) == np.float64:
            table = number_table(section.text, width)
            if table is not None and len(table) == count:
                return table
        if count and any(map(str.strip, section.text)):
            try:
                found = np.loadtxt(section.text, dtype, ndmin=2)
                if found.shape == (count, width):
                    return found
            except ValueError:
                pass
        return self.slow_table(self.words(section, count), width, what, dtype)

    def slow_table(self, rows: list[tuple[int, list[str]]], width: int, what: str, dtype: Any = np.float64) -> np.ndarray:
        """The same of words, to find out what is wrong, or for rows that are not all numbers in the file."""
        kind, read = ("a whole number", int) if np.issubdtype(dtype, np.integer) else ("a number", float)
        for line, words in rows:
            if len(words) != width:
                raise self.error(line, f"expected {width} words ({what}), found {len(words)}",
                                 "mend the line, or the number in the header that says how many there are")
            for word in words:
                try:
                    read(word)
                except ValueError:
                    raise self.error(line, f"expected {kind}, found '{word}'", f"each line is: {what}") from None
        return np.array([read(word) for _, words in rows for word in words], dtype).reshape(len(rows), width)

    def labels(self, section: Section, types: int, kind: str) -> dict[str, int]:
        """A section of type labels: type, label."""
        labels: dict[str, int] = {}
        for line, words in self.words(section, types):
            if len(words) != 2:
                raise self.error(line, "expected a type and its label", "for example: 1 C")
            if words[1] in labels or words[1][0].isdecimal() or words[1][0] in "*#":
                raise self.error(line, f"'{words[1]}' cannot be a label",
                                 "labels are unique and do not begin with a digit, * or #")
            type = int(words[0]) if words[0].isdecimal() else 0
            if not 1 <= type <= types:
                raise self.error(line, f"'{words[0]}' is no {kind} type: types are 1 to {types}", "give a number that there is")
            labels[words[1]] = type
        return labels


def read_parts(path: str, sections: Iterable[str] = (), counts: Iterable[str] = ()) -> Parts:
    """Read and cut a data file (compressed as its name says). `sections` and `counts`: further titles and words of the
    header, of fixes that read them.
    """
    text = _read(path)
    if not text:
        raise InputError(f"data file '{path}' is empty", "a data file begins with a title, a blank line and a header")
    lines = text.split("\n")
    parts, known = Parts(path, lines[0]), {*NAMES, *sections}
    starts = [k for k in _lettered(lines) if k and (_title(lines[k]) in known or _title(lines[k]) in REFUSED)]
    for k in starts:
        name, note = _title(lines[k]), lines[k].partition("#")[2].strip()
        if name in REFUSED:
            raise parts.error(k + 1, f"section {name} is not available", "only points with links between them can be read")
        if any(section.name == name for section in parts.sections):
            raise parts.error(k + 1, f"section {name} appears twice", "leave one of them")
        parts.sections.append(Section(name, note, k + 1))
    for section, end in zip(parts.sections, [*starts[1:], len(lines)], strict=False):
        section.text = lines[section.line : end]
    for k, line in enumerate(lines[1 : starts[0] if starts else len(lines)], start=2):
        words = line.partition("#")[0].split()
        if words:
            _header(parts, k, words, tuple(counts))
    return parts


def _read(path: str) -> str:
    try:
        with open_compressed(path, "rt") as stream:
            return stream.read()
    except BROKEN as error:
        raise InputError(f"cannot read data file '{path}': {getattr(error, 'strerror', None) or error}",
                         "check the path and its permissions") from None
    except UnicodeDecodeError:
        raise InputError(f"'{path}' is not a text file", "read_restart reads binary files") from None


def _lettered(lines: list[str]) -> list[int]:
    """Lines that begin with a letter: titles, or rows that begin with a label. Rows of numbers are many: one look at each."""
    return [k for k, line in enumerate(lines)
            if (line[:1] > "9" or line[:1] in " \t\r") and line.lstrip()[:1].isalpha()]


def _title(line: str) -> str:
    return " ".join(line.partition("#")[0].split())


def _header(parts: Parts, line: int, words: list[str], more: tuple[str, ...] = ()) -> None:
    """One line of the header: numbers, then the words that say what they are."""
    place = next((k for k, word in enumerate(words) if not numeric(word)), len(words))
    values, what = words[:place], " ".join(words[place:])
    if what in EDGES and len(values) == 2:
        parts.lo[EDGES[what]], parts.hi[EDGES[what]] = float(values[0]), float(values[1])
    elif what == "xy xz yz" and len(values) == 3:
        parts.tilt = [float(value) for value in values]
    elif what in ("atoms", "atom types") and len(values) == 1 and values[0].isdecimal():
        setattr(parts, "atoms" if what == "atoms" else "types", int(values[0]))
    elif len(values) == 1 and values[0].isdecimal() and (mine := next((word for word in more if word in what), "")):
        parts.counts[mine], parts.counted[mine] = int(values[0]), line
    elif what in LINKS and len(values) == 1 and values[0].isdecimal():
        parts.counts[what], parts.counted[what] = int(values[0]), line
    elif what in COUNTS and len(values) == 1:
        if float(values[0]) != 0:
            raise parts.error(
                line,
                f"'{what}' are not available, and the file has {values[0]}",
                "only points with links between them can be read",
            )
    elif what in GENERAL and len(values) == 3:
        parts.general[what] = [float(value) for value in values]
    else:
        raise parts.error(
            line,
            f"cannot understand '{' '.join(words)}' in the header",
            f"a misspelt section name? sections: {', '.join(NAMES)}",
        )


def numeric(word: str) -> bool:
    """Can `word` be read as a number?"""
    try:
        float(word)
    except ValueError:
        return False
    return True
