"""Atom styles: what atoms carry besides position, velocity, force, type and id. One declaration for each.

    name        columns of a line of the section Atoms (image flags may follow)    fields
    atomic      id type x y z
    charge      id type q x y z                                                    q (charge)
    bond        id molecule type x y z                                             molecule, bonds (state/topology.py)
    angle       the same                                                           and angles
    molecular   the same                                                           and dihedrals, impropers
    full        id molecule type q x y z                                           and charge
    hybrid A B  id type x y z, then what A and B add, each once                    those of A and B

A field's name, or its `word`, is what dumps and atom-style formulas call it; `set` has SET_WORDS. Data files, restart files,
create_atoms (which gives the default), replicate, ghosts and other ranks know fields from here alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.errors import InputError, one_of
from everlet.registry import Registry
from everlet.state.atoms import Atoms
from everlet.state.topology import ANGLE, BOND, DIHEDRAL, IMPROPER, Kind

PLAIN = {"id": np.int64, "type": np.int32, "x": np.float64, "y": np.float64, "z": np.float64}  # columns of all styles
SET_WORDS = {"charge": "q"}  # keywords of `set`, and the fields they change


@dataclass(frozen=True)
class AtomField:
    """One quantity that atoms of a style have; arguments as in Atoms.add_field. `meaning` is for messages, `word` what scripts
    call it, if not by its name."""

    name: str
    meaning: str
    dtype: Any = np.float64
    width: int = 1
    ghost: str = "borders"
    default: float = 0
    word: str = ""


@dataclass(frozen=True)
class AtomStyle:
    name: str
    columns: tuple[str, ...]  # of the section Atoms: names of PLAIN and of fields
    fields: tuple[AtomField, ...] = ()

    def dtypes(self) -> list[Any]:
        """Of the columns."""
        own = {field.name: field.dtype for field in self.fields}
        return [PLAIN.get(name, own.get(name)) for name in self.columns]


atom_style: Registry[AtomStyle] = Registry("atom style")

CHARGE = AtomField("q", "charges")
MOLECULE = AtomField("molecule", "molecules", np.int64, word="mol")
MOLECULAR = ("id", "molecule", "type", "x", "y", "z")


def _linked(*kinds: Kind) -> tuple[AtomField, ...]:
    """Fields of molecules with these kinds of links."""
    links = [(AtomField(kind.type, kind.plural, np.int32, 2, "never"),
              AtomField(kind.atoms, kind.plural, np.int64, 2 * kind.size, "never")) for kind in kinds]
    return (MOLECULE, *(field for pair in links for field in pair))


for _style in (AtomStyle("atomic", ("id", "type", "x", "y", "z")),
               AtomStyle("charge", ("id", "type", "q", "x", "y", "z"), (CHARGE,)),
               AtomStyle("bond", MOLECULAR, _linked(BOND)),
               AtomStyle("angle", MOLECULAR, _linked(BOND, ANGLE)),
               AtomStyle("molecular", MOLECULAR, _linked(BOND, ANGLE, DIHEDRAL, IMPROPER)),
               AtomStyle("full", ("id", "molecule", "type", "q", "x", "y", "z"),
                         (*_linked(BOND, ANGLE, DIHEDRAL, IMPROPER), CHARGE))):
    atom_style(_style.name)(_style)


def style_of(words: str) -> AtomStyle:
    """A style by its name, or a hybrid of several: 'hybrid bond charge'."""
    name, *parts = words.split()
    if name != "hybrid":
        return atom_style[words]
    if not parts or len(set(parts)) != len(parts):
        raise InputError(f"atom_style {words}: a hybrid is made of different atom styles", "for example: hybrid bond charge")
    for part in parts:
        one_of("atom style in a hybrid", part, atom_style)
    styles = [atom_style[part] for part in parts]
    added = [column for style in styles for column in style.columns if column not in PLAIN]
    return AtomStyle(words, tuple(dict.fromkeys([*PLAIN, *added])),
                     tuple(dict.fromkeys(field for style in styles for field in style.fields)))


def known_fields() -> dict[str, AtomField]:
    """All fields that some atom style has."""
    return {field.name: field for name in atom_style for field in atom_style[name].fields}


def known_words() -> dict[str, AtomField]:
    """Fields of one number by their words in dumps and formulas."""
    return {field.word or field.name: field for field in known_fields().values() if field.width == 1}


def styles_with(name: str) -> list[str]:
    """Atom styles that have a field."""
    return [style for style in atom_style if any(field.name == name for field in atom_style[style].fields)]


def need_field(atoms: Atoms, name: str, user: str) -> None:
    """Refuse to go on if atoms do not have this field; `user` says who asks for it."""
    if name not in atoms.fields:
        what = known_fields()[name].meaning if name in known_fields() else f"values '{name}'"
        raise InputError(f"{user} needs atoms with {what}", f"use atom_style {' or '.join(styles_with(name))}")


def change_style(atoms: Atoms, before: AtomStyle, after: AtomStyle) -> None:
    """Give atoms (there are none yet) the fields of another style."""
    for field in before.fields:
        atoms.remove_field(field.name)
    for field in after.fields:
        atoms.add_field(field.name, field.dtype, field.width, field.ghost, field.default)
