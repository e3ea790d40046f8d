"""Bonds in data files: the header lines 'N bonds', 'N bond types', 'N extra bond per atom', and the sections Bonds (number,
type, two atoms) and Bond Coeffs (type, coefficients of the bond style).
"""

from __future__ import annotations

import numpy as np

from everlet.errors import EverletError
from everlet.io.sections import Parts, Section
from everlet.state.system import System
from everlet.state.topology import bonds, set_bonds


def read_bonds(parts: Parts, section: Section | None, system: System, extra: int) -> int:
    """Give the atoms of the system the bonds of the file; their number."""
    count, types = parts.counts.get("bonds", 0), system.topology.bond_types
    if section is None and count:
        raise parts.error(1, f"the header names {count} bonds, and there is no section Bonds", "the file is not complete")
    if "bond_atom" not in system.atoms.fields:
        if section is not None:
            raise parts.error(section.line, f"atom style {system.atom_style.name} has no bonds", "use: atom_style bond")
        return 0
    ids, rows = set(system.atoms.read("id").tolist()), []
    for line, words in parts.words(section, count) if section is not None else []:
        if len(words) != 4:
            raise parts.error(line, f"expected number type atom atom, found {len(words)} words")
        try:
            type, first, second = map(int, words[1:])
        except ValueError:
            raise parts.error(line, f"expected whole numbers, found '{' '.join(words)}'") from None
        if not 1 <= type <= types:
            raise parts.error(line, f"bond type {type} is out of range 1 to {types}", "see 'bond types' in the header")
        for atom in (first, second):
            if atom not in ids:
                raise parts.error(line, f"there is no atom {atom}")
        if first == second:
            raise parts.error(line, f"atom {first} is bonded to itself")
        rows.append((type, first, second))
    set_bonds(system.atoms, np.array(rows, np.int64).reshape(-1, 3), extra)
    system.topology.stale = True
    return count


def read_coeffs(parts: Parts, section: Section, system: System) -> None:
    """The section Bond Coeffs."""
    if system.bond is None:
        raise parts.error(section.line, "Bond Coeffs, but there is no bond style",
                          "use bond_style before read_data, or nocoeff")
    for line, words in parts.words(section, parts.counts.get("bond types", 0)):
        try:
            system.bond.coeff(words)
        except EverletError as error:
            raise parts.error(line, error.cause, error.remedy) from None


def header(system: System) -> str:
    """The lines of the header."""
    if "bond_atom" not in system.atoms.fields:
        return ""
    return f"{len(bonds(system.atoms))} bonds\n{system.topology.bond_types} bond types\n"


def coeffs(system: System) -> str:
    rows = system.bond.data_coeffs() if system.bond is not None else []
    return f"\nBond Coeffs # {system.bond.name}\n\n" + "".join(row + "\n" for row in rows) if rows else ""


def section(system: System) -> str:
    """The section Bonds; a bond that is switched off is written as if it were on."""
    found = bonds(system.atoms)
    if not len(found):
        return ""
    return "\nBonds\n\n" + "".join(f"{k + 1} {abs(type)} {a} {b}\n" for k, (type, a, b) in enumerate(found.tolist()))
