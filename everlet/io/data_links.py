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


def read_links(parts: Parts, kind: Kind, section: Section | None, types: int, labels: dict[str, int], offset: int,
               ids: np.ndarray) -> np.ndarray:
    """The links of a section (type and ids), checked. `offset` is added to types that are no labels."""
    count = parts.counts.get(kind.plural, 0)
    if section is None:
        if count:
            raise parts.error(parts.counted[kind.plural], f"the header names {count} {kind.plural}, and there is no section "
                              f"{kind.title}", "the file is not complete")
        return np.zeros((0, 1 + kind.size), np.int64)
    usage = f"number type {' '.join(['atom'] * kind.size)}"
    if labels:
        rows = [(line, [words[0], *(shifted(word, labels, offset) for word in words[1:2]), *words[2:]])
                for line, words in parts.words(section, count)]
        table = parts.slow_table(rows, 2 + kind.size, usage, np.int64)[:, 1:]
    else:
        table = parts.table(section, count, 2 + kind.size, usage, np.int64)[:, 1:].copy()
        table[:, 0] += offset
    _check(parts, kind, section, table, types, ids)
    return table


def shifted(word: str, labels: dict[str, int], offset: int) -> str:
    """A type of the file, which may be a label, as a number of the system."""
    return str(labels[word]) if word in labels else str(int(word) + offset) if word.isdecimal() else word


def _check(parts: Parts, kind: Kind, section: Section, table: np.ndarray, types: int, ids: np.ndarray) -> None:
    """Types, atoms that exist, no atom twice."""
    bad = (table[:, 0] < 1) | (table[:, 0] > types)
    if bad.any():
        row = int(np.argmax(bad))
        raise parts.error(section.rows[row][0], f"{kind.name} type {table[row, 0]} is out of range 1 to {types}",
                          f"see '{kind.name} types' in the header")
    absent = ~np.isin(table[:, 1:], ids)
    if absent.any():
        row, place = np.argwhere(absent)[0]
        raise parts.error(section.rows[row][0], f"there is no atom {table[row, 1 + place]}")
    members = np.sort(table[:, 1:], axis=1)
    twice = (members[:, 1:] == members[:, :-1]).any(axis=1)
    if twice.any():
        row = int(np.argmax(twice))
        raise parts.error(section.rows[row][0], f"an atom is twice in this {kind.name}: {' '.join(map(str, table[row, 1:]))}")


def read_coeffs(parts: Parts, kind: Kind, section: Section, part: str, system: System, offset: int, warnings: list[str]
                ) -> None:
    """A section of coefficients; `part` is its word for {kind}_coeff."""
    style = system.bonded[kind.name]
    if style is None:
        raise parts.error(section.line, f"{section.name}, but there is no {kind.name} style",
                          f"use {kind.name}_style before read_data, or nocoeff")
    if section.note and section.note != style.name:
        warnings.append(f"{section.name} were written for {kind.name} style {section.note}, not {style.name}")
    labels = system.topology.labels[kind.name]
    for line, words in parts.words(section, parts.counts.get(f"{kind.name} types", 0)):
        type = shifted(words[0], labels, offset)
        try:
            style.coeff([type, part, *words[1:]] if part else [type, *words[1:]])
        except EverletError as error:
            raise parts.error(line, error.cause, error.remedy) from None


def check_style(parts: Parts, kind: Kind, section: Section | None, system: System) -> None:
    if section is not None and not has(system.atoms, kind):
        raise parts.error(section.line, f"atom style {system.atom_style.name} has no {kind.plural}",
                          f"use: atom_style {' or '.join(styles_with(kind.atoms))}")


def give(system: System, kind: Kind, table: np.ndarray) -> None:
    """Atoms get these links and no others of this kind."""
    if has(system.atoms, kind):
        set_links(system.atoms, kind, table, system.topology.extra[kind.name])
        system.topology.stale = True


def header(system: System, kind: Kind) -> str:
    """The lines of the header."""
    count, types = len(_written(system, kind)), system.topology.types[kind.name]
    return f"{count} {kind.plural}\n{types} {kind.name} types\n" if count or types else ""


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


def section(system: System, kind: Kind, labels: list[str]) -> str:
    """The section of the links; one that is switched off is written as if it were on. `labels` by type, if types are words."""
    found = _written(system, kind)
    if not len(found):
        return ""
    types = np.abs(found[:, 0])
    columns = [np.arange(1, len(found) + 1), np.array(labels)[types] if labels else types, *found[:, 1:].T]
    return f"\n{kind.title}\n\n" + lines(["%d", "%s" if labels else "%d", *["%d"] * kind.size], columns)
