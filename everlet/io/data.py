"""Data files: the text format in which boxes and atoms are exchanged.

LAMMPS data file via ...                         the first line is a title
(blank)
4 atoms
1 atom types
0 10 xlo xhi                                     also ylo yhi, zlo zhi, and xy xz yz for a tilted box

Masses / Atom Type Labels / Pair Coeffs / PairIJ Coeffs / Velocities

Atoms # charge                                   the atom style, which says what the columns are (state/atom_styles.py)
                                                 id type q x y z [ix iy iz]
"""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet import __version__
from everlet.errors import EverletError, InputError
from everlet.io import data_links
from everlet.io.files import whole_file
from everlet.io.formats import lines
from everlet.io.sections import Parts, Section, numeric, read_parts
from everlet.state.atom_styles import AtomStyle, atom_style
from everlet.state.box import Box
from everlet.state.system import System
from everlet.state.text import shortest
from everlet.state.topology import KINDS


@dataclass
class Report:
    """What was read, for the log."""

    box: str = ""
    atoms: int = 0
    velocities: int = 0
    links: dict[str, int] = field(default_factory=dict)  # by kind
    warnings: list[str] = field(default_factory=list)


def read_data(system: System, path: str, extra_types: int = 0, coeffs: bool = True, group: str = "",
              extra_links: dict[str, int] | None = None, extra_link_types: dict[str, int] | None = None) -> Report:
    """Fill an empty system from a data file; atoms keep the order of the file. Nothing is changed if an error occurs
    before the atoms are complete.

    extra_types   room for that many further atom types
    coeffs        False: skip Pair Coeffs and PairIJ Coeffs
    group         also put all atoms into this group
    extra_links, extra_link_types   by kind: room for that many further links of each atom, further types
    """
    if system.box is not None:
        raise InputError("a box exists already, and read_data cannot add to it", "use read_data before create_box")
    parts, report = read_parts(path), Report()
    if parts.types == 0:
        raise InputError(f"{path}: the header has no 'atom types' line", "add a line such as: 1 atom types")
    _check_units(parts, system, report)
    box = _box(parts, system)
    masses = np.zeros(parts.types + extra_types + 1)
    labels: dict[str, int] = {}
    found = {section.name: section for section in parts.sections}
    if "Atom Type Labels" in found:
        labels = parts.labels(found["Atom Type Labels"], parts.types, "atom")
    if "Masses" in found:
        _masses(parts, found["Masses"], labels, masses)
    columns = _atoms(parts, found.get("Atoms"), labels, system.atom_style, report)
    if "Velocities" in found:
        columns["v"] = _velocities(parts, found["Velocities"], columns["id"])
        report.velocities = parts.atoms
    box.expand()
    _inside(parts, found.get("Atoms"), columns, box)
    box.wrap(columns["x"], columns["image"])
    if box.shrinks:
        box.refit(columns["x"], columns["image"])

    types = {name: parts.counts.get(f"{name} types", 0) + (extra_link_types or {}).get(name, 0) for name in KINDS}
    tables, link_labels = {}, {}
    for name, kind in KINDS.items():
        data_links.check_style(parts, kind, found.get(kind.title), system)
        link_labels[name] = data_links.read_labels(parts, found.get(f"{name.capitalize()} Type Labels"), kind)
        tables[name] = data_links.read_links(parts, kind, found.get(kind.title), types[name], link_labels[name], columns["id"])

    system.box, system.masses, system.type_labels = box, masses, labels
    system.atoms.append(**columns)
    if group:
        system.groups.assign(group, system.atoms.edit("mask"), np.ones(system.atoms.n, bool))
    system.topology.types, system.topology.labels = types, link_labels
    for name, kind in KINDS.items():
        system.topology.extra[name] = (extra_links or {}).get(name, 0) + parts.counts.get(f"extra {name} per atom", 0)
        data_links.give(system, kind, tables[name])
        report.links[name] = len(tables[name])
    if coeffs:
        for name in ("Pair Coeffs", "PairIJ Coeffs"):
            if name in found:
                _pair_coeffs(parts, found[name], system, report)
        for kind in KINDS.values():
            for title, part in kind.sections().items():
                if title in found:
                    data_links.read_coeffs(parts, kind, found[title], part, system)
    report.box, report.atoms = str(box), parts.atoms
    return report


def _check_units(parts: Parts, system: System, report: Report) -> None:
    match = re.search(r"units = (\w+)", parts.title)
    if match and match.group(1) != system.units.name:
        report.warnings.append(
            f"{parts.path} was written in {match.group(1)} units, and the script uses {system.units.name}"
        )


def _box(parts: Parts, system: System) -> Box:
    xy, xz, yz = parts.tilt or (0.0, 0.0, 0.0)
    try:
        return Box(
            parts.lo,
            parts.hi,
            xy,
            xz,
            yz,
            boundary=system.boundary,
            dimension=system.dimension,
            triclinic=parts.tilt is not None,
        )
    except InputError as error:
        raise InputError(f"{parts.path}: {error.cause}", error.remedy) from None


def _type(parts: Parts, line: int, word: str, labels: dict[str, int], most: int) -> int:
    kind = labels.get(word)
    if kind is None:
        kind = int(word) if word.isdigit() else 0
    if not 1 <= kind <= most:
        raise parts.error(
            line, f"'{word}' is not an atom type: types are 1 to {most}" + (" or a label" if labels else "")
        )
    return kind


def _masses(parts: Parts, section: Section, labels: dict[str, int], masses: np.ndarray) -> None:
    for line, words in parts.words(section, parts.types):
        try:
            value = float(words[1])
        except (IndexError, ValueError):
            value = 0.0
        if len(words) != 2 or value <= 0:
            raise parts.error(line, f"expected a type and a positive mass, found '{' '.join(words)}'")
        masses[_type(parts, line, words[0], labels, parts.types)] = value


def _table(parts: Parts, rows: list[tuple[int, list[str]]], width: int, what: str) -> np.ndarray:
    """Rows of `width` numbers as float64; a bad row is named."""
    for line, words in rows:
        if len(words) != width:
            raise parts.error(line, f"expected {width} words ({what}), found {len(words)}")
    try:
        return np.array([float(word) for _, words in rows for word in words]).reshape(len(rows), width)
    except ValueError:
        line, word = next((line, word) for line, words in rows for word in words if not numeric(word))
        raise parts.error(line, f"expected a number, found '{word}'", f"each line is: {what}") from None


def _atoms(
    parts: Parts, section: Section | None, labels: dict[str, int], style: AtomStyle, report: Report
) -> dict[str, np.ndarray]:
    if section is None:
        if parts.atoms:
            raise InputError(
                f"{parts.path}: the header says {parts.atoms} atoms, and there is no section Atoms",
                "the file is truncated?",
            )
        return {
            "id": np.zeros(0, np.int64),
            "type": np.zeros(0, np.int32),
            "x": np.zeros((0, 3)),
            "image": np.zeros((0, 3), np.int32),
        }
    _check_style(parts, section, style, report)
    rows = parts.words(section, parts.atoms)
    names = style.columns
    at, usage = names.index("type"), " ".join(names)
    width = len(rows[0][1]) if rows else len(names)
    if width not in (len(names), len(names) + 3):
        raise parts.error(
            rows[0][0],
            f"expected {usage}, perhaps with ix iy iz; found {width} words",
            f"these are lines of atom style {style.name}: does the atom_style command name another one?",
        )
    if labels:
        rows = [
            (line, [*words[:at], str(labels.get(words[at], words[at])), *words[at + 1 :]] if len(words) > at else words)
            for line, words in rows
        ]
    table = _table(parts, rows, width, usage + (" ix iy iz" if width > len(names) else ""))
    dtypes = [*style.dtypes(), *[np.int32] * (width - len(names))]
    counted = [k for k, dtype in enumerate(dtypes) if np.issubdtype(dtype, np.integer)]
    found = {name: table[:, k].astype(dtypes[k]) for k, name in enumerate(names) if name not in "xyz"}
    ids, kinds = found["id"], found["type"]
    whole = np.isfinite(table).all(axis=1) & (table[:, counted] % 1 == 0).all(axis=1)
    integers = ", ".join(names[k] for k in counted if k < len(names))
    for bad, cause in (
        (~whole, f"{integers} and image flags must be whole numbers, all others finite"),
        (ids < 1, "an atom id must be positive"),
        ((kinds < 1) | (kinds > parts.types), f"atom types are 1 to {parts.types}"),
    ):
        if bad.any():
            line, words = rows[int(np.argmax(bad))]
            raise parts.error(line, f"{cause}: '{' '.join(words)}'")
    order = np.argsort(ids, kind="stable")
    twice = np.flatnonzero(np.diff(ids[order]) == 0)
    if len(twice):
        raise parts.error(rows[order[twice[0] + 1]][0], f"atom id {ids[order[twice[0]]]} is there twice")
    x = np.ascontiguousarray(table[:, [names.index(axis) for axis in "xyz"]])
    image = table[:, len(names) :].astype(np.int32) if width > len(names) else np.zeros((len(rows), 3), np.int32)
    return {**found, "x": x, "image": image}


def _check_style(parts: Parts, section: Section, style: AtomStyle, report: Report) -> None:
    """The style named in the file must have the same columns as the one of the script."""
    named = section.note.split()[0] if section.note else style.name
    if named == style.name.split()[0]:
        return
    if named not in atom_style or atom_style[named].columns != style.columns:
        remedy = f"use: atom_style {named}" if named in atom_style else f"atom styles: {', '.join(atom_style)}"
        raise parts.error(section.line, f"the atoms are of style '{section.note}', and the script has atom_style "
                          f"{style.name}", remedy)
    report.warnings.append(f"{parts.path} was written with atom style {named}, and the script has {style.name}")


def _inside(parts: Parts, section: Section | None, columns: dict[str, np.ndarray], box: Box) -> None:
    """Refuse atoms outside a box face that is not periodic; periodic ones are wrapped."""
    place = box.to_fraction(columns["x"]) if box.triclinic else columns["x"]
    low, high = (np.zeros(3), np.ones(3)) if box.triclinic else (box.lo, box.hi)
    for axis in range(3):
        outside = (place[:, axis] < low[axis]) | (place[:, axis] > high[axis])
        if not box.periodic[axis] and outside.any() and section is not None:
            row = int(np.argmax(outside))
            raise parts.error(
                section.rows[row][0],
                f"atom {columns['id'][row]} is outside the box in {'xyz'[axis]}, where the boundary is not periodic",
                "make the box larger",
            )


def _velocities(parts: Parts, section: Section, ids: np.ndarray) -> np.ndarray:
    rows = parts.words(section, parts.atoms)
    table = _table(parts, rows, 4, "id vx vy vz")
    order = np.argsort(ids, kind="stable")
    given = table[:, 0].astype(np.int64)
    place = np.minimum(np.searchsorted(ids[order], given), max(len(ids) - 1, 0))
    wrong = ids[order][place] != given
    if wrong.any():
        raise parts.error(rows[int(np.argmax(wrong))][0], f"there is no atom with id {given[int(np.argmax(wrong))]}")
    velocities = np.full((len(ids), 3), np.nan)
    velocities[order[place]] = table[:, 1:]
    missing = np.isnan(velocities).any(axis=1)
    if missing.any():
        raise parts.error(
            section.line, f"section Velocities has none, or no number, for atom {ids[int(np.argmax(missing))]}"
        )
    return velocities


def _pair_coeffs(parts: Parts, section: Section, system: System, report: Report) -> None:
    if system.pair is None:
        raise parts.error(
            section.line,
            f"section {section.name} needs a pair style",
            "use pair_style before read_data, or read_data FILE nocoeff",
        )
    if section.note and section.note != system.pair.name:
        report.warnings.append(f"{section.name} were written for pair style {section.note}, not {system.pair.name}")
    both = section.name == "PairIJ Coeffs"
    for line, words in parts.words(section, parts.types * (parts.types + 1) // 2 if both else parts.types):
        try:
            system.pair.coeff(words if both else [words[0], *words])
        except EverletError as error:
            raise parts.error(line, error.cause, error.remedy) from None


def write_data(system: System, path: str, pair: str = "ii", coeffs: bool = True, labels: bool = True) -> list[str]:
    """Write a data file; atoms are wrapped into the box and shrink-wrapped faces fitted to them, in the file only, in
    their present order. Numbers read back exactly.

    pair     "ii": Pair Coeffs, mixed pairs are left to mixing; "ij": PairIJ Coeffs, all pairs
    coeffs   False: no coefficients
    labels   False: no Atom Type Labels
    Gives warnings for the log.
    """
    box, atoms, warnings = copy(system.need_box()), system.atoms, []
    x, image = atoms.read("x").copy(), atoms.read("image").copy()
    box.settle(x, image)
    links = "".join(data_links.header(system, kind) for kind in KINDS.values())
    text = [
        f"LAMMPS data file via Everlet write_data, version {__version__}, timestep = {system.step}, "
        f"units = {system.units.name}\n\n{atoms.n} atoms\n{system.ntypes} atom types\n{links}\n"
    ]
    for axis, letter in enumerate("xyz"):
        text.append(f"{shortest(box.lo[axis])} {shortest(box.hi[axis])} {letter}lo {letter}hi\n")
    if box.triclinic:
        text.append(f"{shortest(box.xy)} {shortest(box.xz)} {shortest(box.yz)} xy xz yz\n")
    for word, known in {"atom": system.type_labels, **system.topology.labels}.items():
        if labels and known:
            by_type = sorted((kind, label) for label, kind in known.items())
            title = f"{word.capitalize()} Type Labels"
            text.append(f"\n{title}\n\n" + "".join(f"{kind} {label}\n" for kind, label in by_type))
    if (system.masses[1:] > 0).all():
        text.append(
            "\nMasses\n\n" + "".join(f"{t} {shortest(system.masses[t])}\n" for t in range(1, system.ntypes + 1))
        )
    if coeffs and system.pair is not None:
        rows = system.pair.data_coeffs(unlike=pair == "ij")
        if rows:
            title = "PairIJ Coeffs" if pair == "ij" else "Pair Coeffs"
            text.append(f"\n{title} # {system.pair.name}\n\n" + "".join(row + "\n" for row in rows))
        if pair == "ii" and _has_unlike(system.pair):
            warnings.append(
                "not all pair coefficients come from mixing: use write_data with 'pair ij' to keep them all"
            )
    if coeffs:
        text += [data_links.coeffs(system, kind) for kind in KINDS.values()]
    style = system.atom_style
    columns = {**{name: atoms.read(name) for name in style.columns if name not in "xyz"}, **dict(zip("xyz", x.T, strict=True))}
    formats = ["%d" if np.issubdtype(dtype, np.integer) else "%r" for dtype in style.dtypes()]
    text.append(
        f"\nAtoms # {style.name.split()[0]}\n\n"
        + lines([*formats, *["%d"] * 3], [*(columns[name] for name in style.columns), *image.T])
    )
    text += [data_links.section(system, kind) for kind in KINDS.values()]
    text.append("\nVelocities\n\n" + lines(["%d", *["%r"] * 3], [atoms.read("id"), *atoms.read("v").T]))
    with whole_file(path) as stream:
        stream.writelines(text)
    return warnings


def _has_unlike(pair: Any) -> bool:
    """Some coefficients of unlike types were given by hand."""
    return any(i != j for i, j, _ in pair.state().get("coeffs", []))
