"""The sections of a data file about atoms: Masses, Atoms, Velocities."""

from __future__ import annotations

import numpy as np

from everlet.io.sections import Parts, Section
from everlet.state.atom_styles import AtomStyle, Listed, atom_style
from everlet.state.box import Box

Columns = dict[str, np.ndarray]


def read_masses(parts: Parts, section: Section, labels: dict[str, int], offset: int, unused: bool = False
                ) -> list[tuple[int, float]]:
    """Types of the system and their masses; these may be 0 if they are not used."""
    found = []
    for line, words in parts.words(section, parts.types):
        try:
            value = float(words[1])
        except (IndexError, ValueError):
            value = -1.0
        if len(words) != 2 or not (value > 0.0 or (unused and value == 0.0)):
            raise parts.error(line, f"expected a type and a positive mass, found '{' '.join(words)}'")
        if words[0] in labels:
            found.append((labels[words[0]], value))
            continue
        type = int(words[0]) if words[0].isdecimal() else 0
        if not 1 <= type <= parts.types:
            raise parts.error(line, f"'{words[0]}' is not an atom type: types are 1 to {parts.types}"
                              + (" or a label" if labels else ""))
        found.append((type + offset, value))
    return found


def read_atoms(parts: Parts, sections: dict[str, Section], labels: dict[str, int], style: AtomStyle, offset: int, types: int,
               warnings: list[str]) -> Columns:
    """Columns of the new atoms. `labels` and `types` are those of the system, `offset` is added to types given as numbers."""
    section = sections.get("Atoms")
    if section is None:
        if parts.atoms:
            raise parts.error(1, f"the header says {parts.atoms} atoms, and there is no section Atoms",
                              "the file is truncated?")
        return {"id": np.zeros(0, np.int64), "type": np.zeros(0, np.int32), "x": np.zeros((0, 3)),
                "image": np.zeros((0, 3), np.int32)}
    _check_style(parts, section, style, warnings)
    names = style.columns
    at, usage = names.index("type"), " ".join(names)
    first = section.first or (section.line, " ".join(names))
    width = len(first[1].split())
    if width not in (len(names), len(names) + 3):
        raise parts.error(first[0], f"expected {usage}, perhaps with ix iy iz; found {width} words",
                          f"these are lines of atom style {style.name}: does the atom_style command name another one?")
    usage += " ix iy iz" if width > len(names) else ""
    if labels:
        rows = [(line, [*words[:at], _number(words[at], labels, offset), *words[at + 1 :]] if len(words) > at else words)
                for line, words in parts.words(section, parts.atoms)]
        table = parts.slow_table(rows, width, usage)
    else:
        table = parts.table(section, parts.atoms, width, usage)
        table[:, at] += offset
    dtypes = [*style.dtypes(), *[np.int32] * (width - len(names))]
    counted = [k for k, dtype in enumerate(dtypes) if np.issubdtype(dtype, np.integer)]
    with np.errstate(invalid="ignore"):  # numbers that do not fit are refused below
        found = {name: table[:, k].astype(dtypes[k]) for k, name in enumerate(names) if name not in "xyz"}
    ids, kinds = found["id"], found["type"]
    fits = np.all([np.abs(table[:, k]) < float(np.iinfo(dtypes[k]).max) for k in counted], axis=0)
    whole = np.isfinite(table).all(axis=1) & (table[:, counted] % 1 == 0).all(axis=1)
    integers = ", ".join(names[k] for k in counted if k < len(names))
    for bad, cause in (
        (~whole, f"{integers} and image flags must be whole numbers, all others finite"),
        (~fits, f"{integers} or an image flag is too large"),
        (ids < 1, "an atom id must be positive"),
        ((kinds < 1) | (kinds > types), f"atom types are 1 to {types}"),
    ):
        if bad.any():
            line, text = section.rows[int(np.argmax(bad))]
            raise parts.error(line, f"{cause}: '{' '.join(text.split())}'")
    order = np.argsort(ids, kind="stable")
    twice = np.flatnonzero(np.diff(ids[order]) == 0)
    if len(twice):
        raise parts.error(section.rows[order[twice[0] + 1]][0], f"atom id {ids[order[twice[0]]]} is there twice")
    x = np.ascontiguousarray(table[:, [names.index(axis) for axis in "xyz"]])
    image = table[:, len(names) :].astype(np.int32) if width > len(names) else np.zeros((len(table), 3), np.int32)
    for one in style.listed:
        found |= _read_listed(parts, sections.get(one.title), one, ids, found[one.flag] != 0)
    return {**style.from_columns(found), "x": x, "image": image}


def _read_listed(parts: Parts, section: Section | None, one: Listed, ids: np.ndarray, meant: np.ndarray) -> Columns:
    """Columns of a section that has a line for some atoms only."""
    columns, count = np.zeros((len(ids), len(one.columns))), int(np.count_nonzero(meant))
    if section is None:
        if count:
            raise parts.error(1, f"{count} atoms have a {one.flag}, and there is no section {one.title}",
                              "add it, or make the flags 0")
        return dict(zip(one.columns, columns.T, strict=True))
    table = parts.table(section, parts.counts.get(one.word, 0), 1 + len(one.columns), " ".join(("id", *one.columns)))
    order = np.argsort(ids, kind="stable")
    place = order[np.minimum(np.searchsorted(ids[order], table[:, 0]), len(ids) - 1)]
    wrong = (ids[place] != table[:, 0]) | ~meant[place]
    if wrong.any():
        row = int(np.argmax(wrong))
        raise parts.error(section.rows[row][0], f"there is no atom with id {table[row, 0]:g} and a {one.flag} of 1")
    if len(set(place.tolist())) != len(place) or len(place) != count:
        raise parts.error(section.line, f"section {one.title} has {len(place)} lines for {count} atoms with a {one.flag} of 1",
                          "give each of them one line")
    columns[place] = table[:, 1:]
    return dict(zip(one.columns, columns.T, strict=True))


def _number(word: str, labels: dict[str, int], offset: int) -> str:
    """A type of the file as a number of the system; labels are those of the system already."""
    if word in labels:
        return str(labels[word])
    return str(int(word) + offset) if word.isdecimal() else word


def _check_style(parts: Parts, section: Section, style: AtomStyle, warnings: list[str]) -> None:
    """The style named in the file must have the same columns as the one of the script."""
    named = section.note.split()[0] if section.note else style.name
    if named == style.name.split()[0]:
        return
    if named not in atom_style or atom_style[named].columns != style.columns:
        remedy = f"use: atom_style {named}" if named in atom_style else f"atom styles: {', '.join(atom_style)}"
        raise parts.error(section.line, f"the atoms are of style '{section.note}', and the script has atom_style "
                          f"{style.name}", remedy)
    warnings.append(f"{parts.path} was written with atom style {named}, and the script has {style.name}")


def check_inside(parts: Parts, section: Section | None, columns: Columns, box: Box) -> None:
    """Refuse atoms outside a box face that is not periodic; periodic ones are wrapped."""
    place = box.to_fraction(columns["x"]) if box.triclinic else columns["x"]
    low, high = (np.zeros(3), np.ones(3)) if box.triclinic else (box.lo, box.hi)
    for axis in range(3):
        outside = (place[:, axis] < low[axis]) | (place[:, axis] > high[axis])
        if not box.periodic[axis] and outside.any() and section is not None:
            row = int(np.argmax(outside))
            raise parts.error(section.rows[row][0], f"atom {columns['id'][row]} is outside the box in {'xyz'[axis]}, where the "
                              "boundary is not periodic", "make the box larger")


def read_velocities(parts: Parts, section: Section, ids: np.ndarray, style: AtomStyle) -> Columns:
    """v and what else the style has there, in the order of `ids`, which are those of the file."""
    names = ("v", *style.moving)
    words = ("id", *(f"{name}{axis}" for name in names for axis in "xyz"))
    table = parts.table(section, parts.atoms, len(words), " ".join(words))
    order = np.argsort(ids, kind="stable")
    given = table[:, 0].astype(np.int64)
    place = np.minimum(np.searchsorted(ids[order], given), max(len(ids) - 1, 0))
    wrong = ids[order][place] != given
    if wrong.any():
        row = int(np.argmax(wrong))
        raise parts.error(section.rows[row][0], f"there is no atom with id {given[row]}")
    velocities = np.full((len(ids), 3 * len(names)), np.nan)
    velocities[order[place]] = table[:, 1:]
    missing = np.isnan(velocities).any(axis=1)
    if missing.any():
        raise parts.error(section.line, f"section Velocities has none, or no number, for atom {ids[int(np.argmax(missing))]}")
    return {name: velocities[:, 3 * k : 3 * k + 3] for k, name in enumerate(names)}
