"""Links made and removed by hand.

    delete_bonds GROUP multi | atom T | bond T | angle T | dihedral T | improper T | stats [any] [undo] [remove] [special]
    create_bonds many GROUP GROUP2 T RMIN RMAX [special yes|no]
    create_bonds single/bond T A B | single/angle T A B C | single/dihedral|improper T A B C D [special yes|no]

delete_bonds switches links off whose atoms are all in the group (any: at least one): their types become negative, they have no
forces and count for special pairs nevertheless. undo: switches them on again; remove: all that are switched off go for good;
special: special pairs follow from the links that are left. `atom T`: links with an atom of that type.
create_bonds many: bonds between atoms of the two groups that are RMIN to RMAX apart and no special pair without forces.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of, unknown, yes_no
from everlet.neighbor.exclusions import left_out
from everlet.script.registry import boxed, command
from everlet.state.atom_styles import need_field
from everlet.state.near_pairs import near_pairs
from everlet.state.special_lists import bonds_apart, renew_special
from everlet.state.system import System
from everlet.state.topology import BOND, KINDS, Kind, has, links, rows_of, set_links

DELETE = "delete_bonds GROUP multi|atom T|bond T|angle T|dihedral T|improper T|stats [any] [undo] [remove] [special]"
CREATE = "create_bonds many GROUP GROUP2 T RMIN RMAX | single/bond T A B | single/angle … [special yes|no]"


@command("delete_bonds", stored=True)
def delete_bonds(sim: Any, args: list[str]) -> None:
    arguments(args, 2, None, DELETE)
    system = boxed(sim)
    need_field(system.atoms, BOND.atoms, "delete_bonds")
    name, style, words = args[0], args[1], args[2:]
    if style not in ("multi", "atom", "stats", *KINDS):
        raise unknown("delete_bonds style", style, ("multi", "atom", *KINDS, "stats"))
    if style in ("atom", *KINDS):
        arguments(words, 1, None, DELETE)
    types = range(0)
    if style == "atom":
        types = system.type_range(words[0])
    elif style in KINDS:
        need_field(system.atoms, KINDS[style].atoms, f"delete_bonds {style}")
        types = system.topology.type_range(KINDS[style], words[0])
    options = words[0 if style in ("multi", "stats") else 1 :]
    for word in options:
        one_of("delete_bonds keyword", word, ("any", "undo", "remove", "special"))
    inside = system.groups.member(name, system.atoms.read("mask"))
    sim.log.write("Deleting bonds ...")
    renew_special(system)
    for kind in KINDS.values():
        if has(system.atoms, kind):
            table = links(system.atoms, kind)
            if style != "stats":
                _switch(system, kind, table, style, types, inside, options)
            off = np.count_nonzero(table[:, 0] <= 0)
            sim.log.write(f"  {len(table)} total {kind.plural}, {len(table) - off} turned on, {off} turned off")
            if "remove" in options:
                table = table[table[:, 0] > 0]
            set_links(system.atoms, kind, table, system.topology.extra[kind.name])
    system.topology.stale = system.topology.stale or "special" in options


def _switch(system: System, kind: Kind, table: np.ndarray, style: str, types: range, inside: np.ndarray, options: list[str]
            ) -> None:
    """Change signs of types in the table."""
    if style in KINDS and style != kind.name:
        return
    rows = rows_of(system.atoms, table[:, 1:])
    if (rows < 0).any():
        raise InputError(f"atom {table[:, 1:][rows < 0][0]} of a {kind.name} does not exist",
                         "delete links with their atoms: delete_atoms … bond yes")
    chosen = inside[rows].any(axis=1) if "any" in options else inside[rows].all(axis=1)
    if style == "atom":
        chosen &= np.isin(system.atoms.read("type")[rows], types).any(axis=1)
    elif style in KINDS:
        chosen &= np.isin(np.abs(table[:, 0]), types)
    size = np.abs(table[chosen, 0])
    table[chosen, 0] = size if "undo" in options else -size


@command("create_bonds", stored=True)
def create_bonds(sim: Any, args: list[str]) -> None:
    arguments(args, 2, None, CREATE)
    system = boxed(sim)
    style, words = args[0], args[1:]
    singles = {f"single/{name}": kind for name, kind in KINDS.items()}
    if style != "many" and style not in singles:
        raise unknown("create_bonds style", style, ("many", *singles))
    count = 5 if style == "many" else 1 + singles[style].size
    arguments(words, count, count + 2, CREATE)
    special = True
    if words[count:]:
        if words[count] != "special" or len(words) != count + 2:
            raise unknown("create_bonds keyword", words[count], ("special",), f"usage: {CREATE}")
        special = yes_no(words[count + 1], "create_bonds keyword 'special'")
    kind = singles.get(style, BOND)
    need_field(system.atoms, kind.atoms, f"create_bonds {style}")
    if not special:
        renew_special(system)
    new = _many(system, words[:count]) if style == "many" else _single(system, kind, words[:count])
    table = np.concatenate([links(system.atoms, kind), new])
    set_links(system.atoms, kind, table, system.topology.extra[kind.name])
    system.topology.stale = system.topology.stale or special
    sim.log.write(f"Added {len(new)} {kind.plural}, new total = {len(table)}")


def _single(system: System, kind: Kind, words: list[str]) -> np.ndarray:
    type, ids = system.topology.type_of(kind, words[0]), [integer(word, "an atom id") for word in words[1:]]
    if len(set(ids)) < kind.size:
        raise InputError(f"create_bonds: an atom is twice in this {kind.name}", "give different atoms")
    missing = [str(id) for id, row in zip(ids, rows_of(system.atoms, np.array(ids)), strict=True) if row < 0]
    if missing:
        raise InputError(f"create_bonds: there is no atom {', '.join(missing)}", "give ids of atoms that exist")
    return np.array([[type, *ids]])


def _many(system: System, words: list[str]) -> np.ndarray:
    """Bonds of all pairs in reach, the smaller id first."""
    atoms = system.atoms
    mask = atoms.read("mask")
    first, second = (system.groups.member(word, mask) for word in words[:2])
    type = system.topology.type_of(BOND, words[2])
    low, high = (number(word, "a distance") for word in words[3:5])
    if not 0.0 <= low <= high:
        raise InputError(f"create_bonds many: {words[3]} to {words[4]} is no range of distances", "give 0 <= RMIN <= RMAX")
    if system.pair is None:
        raise InputError("create_bonds many needs a pair style", "use pair_style first")
    silent = np.array(left_out(system, "gone"))
    if not silent[1]:
        raise InputError("create_bonds many: bonded atoms must have no pair forces, so that no bond is made twice",
                         "use special_bonds with 0 as the first factor")
    if system.kspace is not None:
        raise InputError("create_bonds many needs a simulation without kspace_style", "make bonds before it")
    i, j = near_pairs(system.need_box(), atoms.read("x"), low, high)
    keep = (first[i] & second[j]) | (first[j] & second[i])
    i, j = i[keep], j[keep]
    renew_special(system)
    ids = atoms.read("id")
    known = silent[bonds_apart(ids, atoms.read("special"), ids[i], ids[j])]
    a, b = ids[i[~known]], ids[j[~known]]
    return np.stack([np.full(len(a), type), np.minimum(a, b), np.maximum(a, b)], axis=1)
