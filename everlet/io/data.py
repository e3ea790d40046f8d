"""Data files, read: the text format in which boxes, atoms and their links are exchanged.

LAMMPS data file via ...                         the first line is a title
(blank)
4 atoms                                          also bonds, angles, dihedrals, impropers
1 atom types                                     also bond types, …, extra bond per atom, …
0 10 xlo xhi                                     also ylo yhi, zlo zhi, and xy xz yz for a tilted box; or three numbers
                                                 for each of: avec, bvec, cvec, abc origin (general_box.py)

Masses / Atom, Bond, … Type Labels / Pair Coeffs / PairIJ Coeffs / Bond, Angle, … Coeffs / Velocities

Atoms # full                                     the atom style, which says what the columns are (state/atom_styles.py)
                                                 id molecule type q x y z [ix iy iz]
Ellipsoids                                       of those atoms that are some: id, diameters, quaternion
Bonds / Angles / Dihedrals / Impropers           number type atoms
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.errors import EverletError, InputError
from everlet.io import data_atoms, data_links, general_box
from everlet.io.data_write import write_data
from everlet.io.sections import Parts, Section, read_parts
from everlet.state.box import Box
from everlet.state.masses import OWN
from everlet.state.system import System
from everlet.state.topology import KINDS, links

__all__ = ["Added", "Report", "read_data", "write_data"]


@dataclass
class Report:
    """What was read, for the log."""

    box: str = ""
    atoms: int = 0
    velocities: int = 0
    links: dict[str, int] = field(default_factory=dict)  # by kind
    warnings: list[str] = field(default_factory=list)


@dataclass
class Added:
    """How a file is added to what is there: `read_data FILE add …`."""

    ids: int | None = 0  # added to ids and molecules of the file; None: the largest that is there
    molecules: int | None = 0
    types: dict[str, int] = field(default_factory=dict)  # added to types, by kind ("atom": of atoms); not to labels
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)


def read_data(system: System, path: str, extra_types: int = 0, coeffs: bool = True, group: str = "",
              extra_links: dict[str, int] | None = None, extra_link_types: dict[str, int] | None = None,
              add: Added | None = None, fixes: list[tuple[Any, str, str]] | None = None) -> Report:
    """Fill an empty system from a data file, or add to one; atoms keep the order of the file. Nothing is changed if an error
    occurs before all is read.

    extra_types   room for that many further atom types
    coeffs        False: skip sections of coefficients
    group         also put all atoms of the file into this group
    extra_links, extra_link_types   by kind: room for that many further links of each atom, further types
    add           None: the system must be empty
    fixes         fix, a word of the header and a section that it reads
    """
    if system.box is not None and add is None:
        raise InputError("a box exists already, and read_data cannot add to it",
                         "use read_data before create_box, or: read_data FILE add append")
    if system.box is None and add is not None:
        raise InputError("read_data add: there is nothing to add to", "leave out 'add' for the first file")
    parts = read_parts(path, [title for _, _, title in fixes or []], [word for _, word, _ in fixes or []])
    return _Reader(system, parts, add, extra_types, extra_links or {}, extra_link_types or {}).read(coeffs, group, fixes or [])


class _Reader:
    """One file: all is read and checked before anything in the system is changed."""

    def __init__(self, system: System, parts: Parts, add: Added | None, extra_types: int, extra_links: dict[str, int],
                 extra_link_types: dict[str, int]):
        self.system, self.parts, self.add, self.report = system, parts, add or Added(), Report()
        self.found = {section.name: section for section in parts.sections}
        self.offset = {name: self.add.types.get(name, 0) for name in ("atom", *KINDS)}
        self.extra = {name: extra_links.get(name, 0) + parts.counts.get(f"extra {name} per atom", 0) for name in KINDS}
        if parts.types == 0:
            raise InputError(f"{parts.path}: the header has no 'atom types' line", "add a line such as: 1 atom types")
        counted = {"atom": parts.types, **{name: parts.counts.get(f"{name} types", 0) for name in KINDS}}
        self.types = {name: count + (extra_link_types.get(name, 0) if name != "atom" else extra_types)
                      for name, count in counted.items()}
        if add is not None:
            self.types = {"atom": system.ntypes, **system.topology.types}
            for name, count in counted.items():
                if count + self.offset[name] > self.types[name]:
                    raise InputError(f"{parts.path} has {count} {name} types, with the offset up to type "
                                     f"{count + self.offset[name]}, and there are {self.types[name]}",
                                     f"use extra/{name}/types with the first read_data")
        self.labels = {name: self._labels(name, counted[name], add is not None) for name in counted}

    def _labels(self, name: str, count: int, adds: bool) -> dict[str, int]:
        """Labels of the system with those of the file."""
        known = self.system.type_labels if name == "atom" else self.system.topology.labels[name]
        labels = dict(known) if adds else {}
        section = self.found.get(f"{name.capitalize()} Type Labels")
        if section is None:
            return labels
        for label, type in self.parts.labels(section, count, name).items():
            if label in labels:
                continue
            if type + self.offset[name] in labels.values():
                raise self.parts.error(section.line, f"label {label}: {name} type {type + self.offset[name]} has another one",
                                       "types of added files need numbers of their own: read_data … offset")
            labels[label] = type + self.offset[name]
        return labels

    def read(self, coeffs: bool, group: str, fixes: list[tuple[Any, str, str]]) -> Report:
        parts, found, system, report = self.parts, self.found, self.system, self.report
        self._check_units()
        turned = general_box.turn(parts, system, found) if parts.general else None
        box = self._box()
        masses = np.zeros(self.types["atom"] + 1)
        masses[: len(system.masses)] = system.masses
        if "Masses" in found:
            for type, mass in data_atoms.read_masses(parts, found["Masses"], self.labels["atom"], self.offset["atom"],
                                                      OWN in system.atoms.fields):
                masses[type] = mass
        columns = data_atoms.read_atoms(parts, found, self.labels["atom"], system.atom_style, self.offset["atom"],
                                        self.types["atom"], report.warnings)
        if "Velocities" in found:
            columns |= data_atoms.read_velocities(parts, found["Velocities"], columns["id"], system.atom_style)
            report.velocities = parts.atoms
        tables = {name: self._links(name, columns["id"]) for name in KINDS}
        self._number(columns, tables)
        if turned is not None:
            general_box.apply(turned, columns, box.lo)
        columns["x"] += np.array(self.add.shift)
        if warning := box.clear_images(columns["image"]):
            report.warnings.append(warning)
        box.expand()
        data_atoms.check_inside(parts, found.get("Atoms"), columns, box)
        box.wrap(columns["x"], columns["image"])
        if box.shrinks:
            box.refit(columns["x"], columns["image"])
        self._coeffs(masses, coeffs)
        self._fill(box, columns, tables, group)
        for fix, word, title in fixes:
            if title in found:
                rows = parts.words(found[title], parts.counts.get(word, len(found[title].rows)))
                fix.read_section(title, rows, parts.error)
        report.box, report.atoms = str(box), parts.atoms
        return report

    def _links(self, name: str, ids: np.ndarray) -> np.ndarray:
        kind, section = KINDS[name], self.found.get(KINDS[name].title)
        data_links.check_style(self.parts, kind, section, self.system)
        return data_links.read_links(self.parts, kind, section, self.types[name], self.labels[name], self.offset[name], ids)

    def _number(self, columns: data_atoms.Columns, tables: dict[str, np.ndarray]) -> None:
        """Ids and molecules as they are in the system."""
        atoms = self.system.atoms
        last = int(atoms.read("id").max(initial=0)) if self.add.ids is None else self.add.ids
        columns["id"] += last
        for table in tables.values():
            table[:, 1:] += last
        if "molecule" in columns:
            most = int(atoms.read("molecule").max(initial=0)) if self.add.molecules is None else self.add.molecules
            columns["molecule"] += most
        twice = np.intersect1d(columns["id"], atoms.read("id")) if atoms.n else columns["id"][:0]
        if len(twice):
            row = int(np.argmax(columns["id"] == twice[0]))
            raise self.parts.error(self.found["Atoms"].rows[row][0], f"atom id {twice[0]} is there already",
                                   "use: read_data FILE add append")

    def _check_units(self) -> None:
        match = re.search(r"units = (\w+)", self.parts.title)
        if match and match.group(1) != self.system.units.name:
            self.report.warnings.append(f"{self.parts.path} was written in {match.group(1)} units, and the script uses "
                                        f"{self.system.units.name}")

    def _box(self) -> Box:
        """The box of the file, or one that also holds the old one."""
        parts, old, system = self.parts, self.system.box, self.system
        tilt, shift = parts.tilt, np.array(self.add.shift)
        tilts = tilt or [0.0, 0.0, 0.0]
        lo, hi = np.array(parts.lo) + shift, np.array(parts.hi) + shift
        if old is not None:
            same = [old.xy, old.xz, old.yz] == tilts
            if old.triclinic != (tilt is not None) or not same:
                raise InputError(f"{parts.path} has another tilt (xy xz yz) than the box", "give both boxes the same tilt")
            lo, hi = np.minimum(lo, old.lo), np.maximum(hi, old.hi)
            if ((lo < old.lo) | (hi > old.hi)).any() and system.atoms.read("image").any():
                self.report.warnings.append("the box grows, and atoms with image flags other than 0 are elsewhere if unwrapped")
        try:
            return Box(list(lo), list(hi), tilts[0], tilts[1], tilts[2], boundary=system.boundary, dimension=system.dimension,
                       triclinic=tilt is not None)
        except InputError as error:
            raise InputError(f"{parts.path}: {error.cause}", error.remedy) from None

    def _coeffs(self, masses: np.ndarray, coeffs: bool) -> None:
        """Types and coefficients; if one of these is refused, types are as before."""
        system, topology = self.system, self.system.topology
        before = system.masses, system.type_labels, topology.types, topology.labels
        system.masses, system.type_labels = masses, self.labels["atom"]
        topology.types = {name: self.types[name] for name in KINDS}
        topology.labels = {name: self.labels[name] for name in KINDS}
        try:
            for name in ("Pair Coeffs", "PairIJ Coeffs"):
                if coeffs and name in self.found:
                    self._pair_coeffs(self.found[name])
            for kind in KINDS.values():
                for title, part in kind.sections().items():
                    if coeffs and title in self.found:
                        data_links.read_coeffs(self.parts, kind, self.found[title], part, system, self.offset[kind.name],
                                               self.report.warnings)
        except EverletError:
            system.masses, system.type_labels, topology.types, topology.labels = before
            raise

    def _pair_coeffs(self, section: Section) -> None:
        parts, pair = self.parts, self.system.pair
        if pair is None:
            raise parts.error(section.line, f"section {section.name} needs a pair style",
                              "use pair_style before read_data, or read_data FILE nocoeff")
        if section.note and section.note != pair.name:
            self.report.warnings.append(f"{section.name} were written for pair style {section.note}, not {pair.name}")
        both = section.name == "PairIJ Coeffs"
        for line, words in parts.words(section, parts.types * (parts.types + 1) // 2 if both else parts.types):
            first = 2 if both else 1
            types = [data_links.shifted(word, self.labels["atom"], self.offset["atom"]) for word in words[:first]]
            try:
                pair.coeff([*(types if both else types * 2), *words[first:]])
            except EverletError as error:
                raise parts.error(line, error.cause, error.remedy) from None

    def _fill(self, box: Box, columns: data_atoms.Columns, tables: dict[str, np.ndarray], group: str) -> None:
        system, atoms, new = self.system, self.system.atoms, len(columns["id"])
        before = {name: links(atoms, kind) for name, kind in KINDS.items()}
        system.box = box
        atoms.append(**columns)
        if group:
            system.groups.assign(group, atoms.edit("mask"), np.arange(atoms.n) >= atoms.n - new)
        for name, kind in KINDS.items():
            system.topology.extra[name] = max(system.topology.extra[name], self.extra[name])
            data_links.give(system, kind, np.concatenate([before[name], tables[name]]))
            self.report.links[name] = len(tables[name])
