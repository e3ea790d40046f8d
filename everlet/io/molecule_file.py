"""Molecule files: the text format of templates.

a title                                          the first line is skipped
3 atoms                                          also bonds, angles, dihedrals, impropers, fragments
18 mass; 0 0 0 com; 1 1 1 0 0 0 inertia          of a rigid body (xx yy zz xy xz yz); without them they follow from the atoms
(blank)
Coords                                           atom x y z
Types                                            atom type (a number or a label)
Charges                                          atom q
Molecules                                        atom molecule
Masses                                           atom mass: of atoms that have masses of their own, else types say it
Bonds, Angles, Dihedrals, Impropers              number type atoms
Special Bond Counts, Special Bonds               must agree with the bonds, from which lists are made here
Shake Flags, Shake Atoms, Shake Bond Types       atom values: checked, and not used, since fix shake finds clusters by bonds
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from everlet.errors import EverletError, InputError, integer, number
from everlet.inputs import open_text
from everlet.io.sections import numeric
from everlet.state.molecule import Template
from everlet.state.system import System
from everlet.state.topology import KINDS

SHAKE = ("Shake Flags", "Shake Atoms", "Shake Bond Types")
SPECIAL = ("Special Bond Counts", "Special Bonds")
KNOWN = ("Coords", "Types", "Charges", "Molecules", "Masses", *(kind.title for kind in KINDS.values()), *SPECIAL, *SHAKE)
CLUSTERS = {0: (0, 0), 1: (3, 3), 2: (2, 1), 3: (3, 2), 4: (4, 3)}  # a Shake flag says how many atoms and types follow
MOST_TYPES = 2**31 - 1
FOLLOWS = {"mass": (1, 3), "com": (3, 1), "inertia": (6, 5)}  # header lines: how many numbers, and the power of `scale`
REFUSED = ("Diameters", "Dipoles", "Fragments", "Body Integers", "Body Doubles")


@dataclass
class _File:
    path: str
    counts: dict[str, int] = field(default_factory=dict)
    sections: dict[str, list[tuple[int, list[str]]]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)  # of the titles
    body: dict[str, list[float]] = field(default_factory=dict)

    def error(self, line: int, cause: str, remedy: str = "correct the file") -> InputError:
        return InputError(f"{self.path}, line {line}: {cause}", remedy)


def _cut(path: str) -> _File:
    try:
        with open_text(path) as stream:
            text = stream.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read molecule file '{path}': {getattr(error, 'strerror', None) or error}",
                         "check the path and its permissions") from None
    file, current = _File(path), ""
    for count, line in enumerate(text[1:], start=2):
        words = line.partition("#")[0].split()
        title = " ".join(words)
        if not words:
            continue
        if title in REFUSED:
            raise file.error(count, f"section {title} of molecule files is not available", "remove it")
        if title in KNOWN:
            if title in file.sections:
                raise file.error(count, f"section {title} appears twice")
            current, file.sections[title], file.lines[title] = title, [], count
        elif current:
            file.sections[current].append((count, words))
        else:
            place = next((k for k, word in enumerate(words) if not numeric(word)), len(words))
            what = " ".join(words[place:])
            if what in FOLLOWS and place == FOLLOWS[what][0]:
                file.body[what] = [float(word) for word in words[:place]]
                continue
            if place != 1 or what not in ("atoms", "fragments", *(kind.plural for kind in KINDS.values())):
                raise file.error(count, f"cannot understand '{title}' in the header of a molecule file",
                                 "it has lines such as '3 atoms' and '2 bonds'")
            if not words[0].isdecimal() or (what == "fragments" and words[0] != "0"):
                raise file.error(count, f"cannot use '{title}'", "give a whole number; fragments are not available")
            file.counts[what] = int(words[0])
    if file.counts.get("atoms", 0) < 1:
        raise InputError(f"{path}: the header has no line such as '3 atoms'", "add it after the title")
    return file


def _by_atom(file: _File, title: str, width: int) -> list[tuple[int, list[str]]]:
    """Rows of a section in the order of atoms, without their numbers; `width` 0: any."""
    count, rows = file.counts["atoms"], file.sections[title]
    found: dict[int, tuple[int, list[str]]] = {}
    for line, words in rows:
        if width and len(words) != 1 + width:
            raise file.error(line, f"section {title}: expected {1 + width} words, found {len(words)}")
        atom = int(words[0]) if words[0].isdecimal() else 0
        if not 1 <= atom <= count or atom in found:
            raise file.error(line, f"section {title}: '{words[0]}' is not an atom from 1 to {count}, or is there twice")
        found[atom] = (line, words[1:])
    if len(found) != count:
        raise file.error(file.lines[title], f"section {title} has {len(found)} of {count} atoms")
    return [found[atom] for atom in range(1, count + 1)]


def _numbers(file: _File, title: str, width: int, dtype: type) -> np.ndarray:
    rows = _by_atom(file, title, width)
    return np.array([[_value(file, line, title, word, dtype) for word in words] for line, words in rows], dtype)


def _value(file: _File, line: int, title: str, word: str, dtype: type) -> float:
    try:
        return integer(word, "a whole number") if dtype is int else number(word)
    except InputError as error:
        raise file.error(line, f"section {title}: {error.cause}", error.remedy) from None


def _links(file: _File, name: str, system: System, offset: int) -> np.ndarray:
    kind = KINDS[name]
    count, rows = file.counts.get(kind.plural, 0), file.sections.get(kind.title, [])
    if count != len(rows):
        raise file.error(file.lines.get(kind.title, 1), f"the header names {count} {kind.plural}, and section {kind.title} has "
                         f"{len(rows)}")
    table = np.zeros((count, 1 + kind.size), np.int64)
    for k, (line, words) in enumerate(rows):
        if len(words) != 2 + kind.size:
            raise file.error(line, f"section {kind.title}: expected {2 + kind.size} words, found {len(words)}")
        members = [int(word) if word.isdecimal() else 0 for word in words[2:]]
        if not all(1 <= atom <= file.counts["atoms"] for atom in members) or len(set(members)) < kind.size:
            raise file.error(line, f"section {kind.title}: '{' '.join(words[2:])}' are not {kind.size} different atoms from 1 "
                             f"to {file.counts['atoms']}")
        known = system.topology.labels[name]
        type = known[words[1]] if words[1] in known else (int(words[1]) if words[1].isdecimal() else 0) + offset
        if type < 1 or system.box is not None and type > system.topology.types[name]:
            raise file.error(line, f"{name} type '{words[1]}' is out of range 1 to {system.topology.types[name]}",
                             "create_box or read_data says how many there are")
        table[k] = [type, *members]
    return table


def _check_special(file: _File, template: Template) -> None:
    """Special lists of a file must be what follows from its bonds."""
    near: list[set[int]] = [set() for _ in range(template.atoms + 1)]
    for _, a, b in template.links["bond"].tolist():
        near[a].add(b)
        near[b].add(a)
    for title in SPECIAL:
        if title not in file.sections:
            raise InputError(f"{file.path}: of the sections {' and '.join(SPECIAL)} only one is there", "give both or none")
    counts = _by_atom(file, SPECIAL[0], 3)
    for atom, (line, words) in enumerate(_by_atom(file, SPECIAL[1], 0), start=1):
        levels, seen, front = [], {atom}, {atom}
        for _ in range(3):
            front = {k for j in front for k in near[j]} - seen
            seen |= front
            levels.append(front)
        given, start = [int(word) if word.isdecimal() else 0 for word in counts[atom - 1][1]], 0
        partners = [int(word) if word.isdecimal() else 0 for word in words]
        for level, count in zip(levels, given, strict=True):
            if count and (count != len(level) or set(partners[start : start + count]) != level):
                raise file.error(line, f"the special atoms of atom {atom} are not what follows from the bonds",
                                 "remove Special Bond Counts and Special Bonds: lists are made from the bonds")
            start += count


def _check_shake(file: _File) -> None:
    """Sections of fix shake must make sense, though bonds say the same: a file with mistakes is not read."""
    flags: list[int] = []
    for title in (title for title in SHAKE if title in file.sections):
        if title != SHAKE[0] and not flags:
            raise file.error(file.lines[title], f"section {title} needs a section {SHAKE[0]}", "add it, or remove this one")
        for atom, (line, words) in enumerate(_by_atom(file, title, 0)):
            values = [_value(file, line, title, word, int) for word in words]
            flag = flags[atom] if title != SHAKE[0] else 0
            wanted, least, most = {SHAKE[0]: (1, 0, max(CLUSTERS)), SHAKE[1]: (CLUSTERS[flag][0], 1, file.counts["atoms"]),
                                   SHAKE[2]: (CLUSTERS[flag][1], 1, MOST_TYPES)}[title]
            if len(values) < wanted or not all(least <= value <= most for value in values[:wanted]):
                raise file.error(line, f"section {title}: '{' '.join(words)}' of atom {atom + 1} are not {wanted} numbers from "
                                 f"{least} to {most}", "correct the file, or remove the Shake sections")
            flags += [int(value) for value in values[:1]] if title == SHAKE[0] else []


def read_template(system: System, name: str, path: str, offsets: dict[str, int], scale: float) -> Template:
    """A template; `offsets` are added to types, by kind ("atom" for atoms), `scale` multiplies coordinates. Before there is a
    box nobody knows how many types there will be."""
    file = _cut(path)
    made = Template(name, file.counts["atoms"])
    made.body = {word: [value * scale ** FOLLOWS[word][1] for value in values] for word, values in file.body.items()}
    if "Coords" in file.sections:
        made.x = _numbers(file, "Coords", 3, float) * scale
    if "Types" in file.sections:
        types = []
        for line, words in _by_atom(file, "Types", 1):
            try:
                type = system.type_labels.get(words[0]) or int(words[0]) + offsets["atom"]
            except ValueError:
                raise file.error(line, f"'{words[0]}' is neither a type number nor a type label") from None
            if type < 1:
                raise file.error(line, f"atom type {type} is out of range", "types are counted from 1")
            types.append(type)
        made.type = np.array(types, np.int32)
    if "Charges" in file.sections:
        made.q = _numbers(file, "Charges", 1, float)[:, 0]
    if "Masses" in file.sections:
        made.mass = _numbers(file, "Masses", 1, float)[:, 0]
        if made.mass.min() <= 0.0:
            raise file.error(file.lines["Masses"], "masses of a template are above zero")
    if "Molecules" in file.sections:
        made.molecule = _numbers(file, "Molecules", 1, int)[:, 0]
        if made.molecule.min() < 1:
            raise file.error(file.lines["Molecules"], "molecules of a template are counted from 1")
    for kind in KINDS:
        try:
            made.links[kind] = _links(file, kind, system, offsets[kind])
        except EverletError as error:
            raise InputError(error.cause, error.remedy) from None
    if any(title in file.sections for title in SPECIAL):
        _check_special(file, made)
    _check_shake(file)
    return made
