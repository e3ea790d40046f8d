"""Links in data files, all kinds in one way: the header lines 'N bonds', 'N bond types', 'N extra bond per atom', the sections
Bonds (number, type, atoms) and Bond Coeffs (type, coefficients of the bond style), and those of angles, dihedrals, impropers.
"""

from __future__ import annotations

import numpy as np

from everlet.errors import EverletError
from everlet.io.formats import lines
from everlet.io.sections import Parts, Section
from everlet.state.atom_styles import styles_with
from everlet.state.system import System
from everlet.state.topology import Kind, has, links, set_links


def read_links(parts: Parts, kind: Kind, section: Section | None, types: int, labels: dict[str, int], ids: np.ndarray
               ) -> np.ndarray:
    """The links of a section (type and ids), checked."""
    count = parts.counts.get(kind.plural, 0)
    if section is None:
        if count:
            raise parts.error(parts.counted[kind.plural], f"the header names {count} {kind.plural}, and there is no section "
                              f"{kind.title}", "the file is not complete")
        return np.zeros((0, 1 + kind.size), np.int64)
    rows = parts.words(section, count)
    width = 2 + kind.size
    for line, words in rows:
        if len(words) != width:
            raise parts.error(line, f"expected number type {' '.join(['atom'] * kind.size)}, found {len(words)} words")
    if labels:
        rows = [(line, [words[0], str(labels.get(words[1], words[1])), *words[2:]]) for line, words in rows]
    try:
        table = np.array([int(word) for _, words in rows for word in words], np.int64).reshape(-1, width)[:, 1:]
    except ValueError:
        line, words = next((line, words) for line, words in rows if not all(word.lstrip("+-").isdigit() for word in words))
        raise parts.error(line, f"expected whole numbers{' or a label' if labels else ''}, found '{' '.join(words)}'") from None
    _check(parts, kind, rows, table, types, ids)
    return table


def _check(parts: Parts, kind: Kind, rows: list[tuple[int, list[str]]], table: np.ndarray, types: int, ids: np.ndarray) -> None:
    """Types, atoms that exist, no atom twice."""
    bad = (table[:, 0] < 1) | (table[:, 0] > types)
    if bad.any():
        row = int(np.argmax(bad))
        raise parts.error(rows[row][0], f"{kind.name} type {table[row, 0]} is out of range 1 to {types}",
                          f"see '{kind.name} types' in the header")
    absent = ~np.isin(table[:, 1:], ids)
    if absent.any():
        row, place = np.argwhere(absent)[0]
        raise parts.error(rows[row][0], f"there is no atom {table[row, 1 + place]}")
    members = np.sort(table[:, 1:], axis=1)
    twice = (members[:, 1:] == members[:, :-1]).any(axis=1)
    if twice.any():
        row = int(np.argmax(twice))
        raise parts.error(rows[row][0], f"an atom is twice in this {kind.name}: {' '.join(map(str, table[row, 1:]))}")


def read_coeffs(parts: Parts, kind: Kind, section: Section, part: str, system: System) -> None:
    """A section of coefficients; `part` is its word for {kind}_coeff."""
    style = system.bonded[kind.name]
    if style is None:
        raise parts.error(section.line, f"{section.name}, but there is no {kind.name} style",
                          f"use {kind.name}_style before read_data, or nocoeff")
    for line, words in parts.words(section, parts.counts.get(f"{kind.name} types", 0)):
        try:
            style.coeff([words[0], part, *words[1:]] if part else words)
        except EverletError as error:
            raise parts.error(line, error.cause, error.remedy) from None


def check_style(parts: Parts, kind: Kind, section: Section | None, system: System) -> None:
    if section is not None and not has(system.atoms, kind):
        raise parts.error(section.line, f"atom style {system.atom_style.name} has no {kind.plural}",
                          f"use: atom_style {' or '.join(styles_with(kind.atoms))}")


def read_labels(parts: Parts, section: Section | None, kind: Kind) -> dict[str, int]:
    """The section Bond Type Labels and its like."""
    return parts.labels(section, parts.counts.get(f"{kind.name} types", 0), kind.name) if section is not None else {}


def give(system: System, kind: Kind, table: np.ndarray) -> None:
    """Atoms get these links and no others of this kind."""
    if has(system.atoms, kind):
        set_links(system.atoms, kind, table, system.topology.extra[kind.name])
        system.topology.stale = True


def header(system: System, kind: Kind) -> str:
    """The lines of the header."""
    if not has(system.atoms, kind):
        return ""
    return f"{len(_written(system, kind))} {kind.plural}\n{system.topology.types[kind.name]} {kind.name} types\n"


def _written(system: System, kind: Kind) -> np.ndarray:
    """All links but broken ones (type 0)."""
    found = links(system.atoms, kind)
    return found[found[:, 0] != 0]


def coeffs(system: System, kind: Kind) -> str:
    """All sections of coefficients of a kind."""
    style, text = system.bonded[kind.name], ""
    for title, part in kind.sections().items():
        rows = style.data_coeffs(part) if style is not None else []
        if rows:
            text += f"\n{title} # {style.name}\n\n" + "".join(row + "\n" for row in rows)
    return text


def section(system: System, kind: Kind) -> str:
    """The section of the links; one that is switched off is written as if it were on."""
    found = _written(system, kind)
    if not len(found):
        return ""
    columns = [np.arange(1, len(found) + 1), np.abs(found[:, 0]), *found[:, 1:].T]
    return f"\n{kind.title}\n\n" + lines(["%d"] * len(columns), columns)
