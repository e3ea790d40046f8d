"""delete_atoms: remove atoms.

    delete_atoms group ID | region ID | variable NAME            in a group, in a region, where an atom-style variable is not 0
    delete_atoms overlap CUTOFF GROUP1 GROUP2                    atoms of group 1 nearer than that to one of group 2 that stays
    delete_atoms porosity GROUP REGION|NULL FRACTION SEED        each with this chance
    delete_atoms random fraction F yes|no GROUP REGION|NULL SEED   the same, with yes exactly this part
    delete_atoms random count N yes|no GROUP REGION|NULL SEED      exactly so many; yes: it is an error if there are fewer
    all: [compress yes|no] [bond yes|no] [mol yes|no]

With `compress yes` (the default) the rest get ids 1 to N in storage order; atoms with molecules keep theirs. `mol`: whole
molecules go. `bond`: links of the atoms go with them; pairs that were special stay so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of, yes_no
from everlet.neighbor.exclusions import left_out
from everlet.script.registry import boxed, command
from everlet.script.values import members
from everlet.state.atom_styles import need_field
from everlet.state.near_pairs import near_pairs
from everlet.state.random import Marsaglia
from everlet.state.special_lists import bonds_apart, renew_special
from everlet.state.system import System
from everlet.state.topology import BOND, KINDS, count_links, has, links, relabel, set_links

USAGE = "delete_atoms group|region|variable|overlap|porosity|random ... [compress yes|no] [bond yes|no] [mol yes|no]"


@command("delete_atoms", stored=True)
def delete_atoms(sim: Any, args: list[str]) -> None:
    arguments(args, 1, None, USAGE)
    system = boxed(sim)
    style = args[0]
    one_of("delete_atoms style", style, STYLES, "" if style != "partial" else USAGE)
    choose, count = STYLES[style]
    words = args[1 : 1 + count]
    arguments(words, count, count, USAGE)
    options = delete_options(args[1 + count :])
    gone = choose(sim, words)
    atoms = system.atoms
    if options["mol"]:
        need_field(atoms, "molecule", "delete_atoms mol yes")
        molecules = atoms.read("molecule")
        gone = gone | ((molecules > 0) & np.isin(molecules, molecules[gone]))
    counts = {kind: count_links(atoms, kind) for kind in KINDS.values()}
    if options["bond"]:
        remove_links(system, gone)
    atoms.select(survivors(gone))
    if options["compress"] and "molecule" not in atoms.fields:
        relabel(atoms, np.arange(1, atoms.n + 1))
    sim.log.write(f"Deleted {np.count_nonzero(gone)} atoms, new total = {system.natoms}")
    for kind, before in counts.items():
        if options["bond"] and before:
            left = count_links(atoms, kind)
            sim.log.write(f"Deleted {before - left} {kind.plural}, new total = {left}")


def by_name(style: str) -> Callable[[Any, list[str]], np.ndarray]:
    return lambda sim, words: members(sim.system, style, words[0], "delete_atoms style")


def by_variable(sim: Any, words: list[str]) -> np.ndarray:
    return np.asarray(sim.variables.peratom(words[0].removeprefix("v_"))) != 0.0


def eligible(system: System, group: str, region: str) -> np.ndarray:
    """Atoms of a group and a region (NULL: anywhere)."""
    chosen = members(system, "group", group, "delete_atoms")
    return chosen if region == "NULL" else chosen & members(system, "region", region, "delete_atoms")


def part(word: str) -> float:
    value = number(word, "a fraction")
    if not 0.0 <= value <= 1.0:
        raise InputError(f"fraction {word} is not within 0 and 1", "give a number from 0 to 1")
    return value


def porosity(sim: Any, words: list[str]) -> np.ndarray:
    group, region, fraction, seed = words
    return by_chance(eligible(sim.system, group, region), part(fraction), seed)


def by_chance(chosen: np.ndarray, fraction: float, seed: str) -> np.ndarray:
    """Each of the chosen atoms with a chance, in their order."""
    rows = np.flatnonzero(chosen)
    gone = np.zeros(len(chosen), bool)
    gone[rows[Marsaglia(integer(seed, "a seed")).uniforms(len(rows)) <= fraction]] = True
    return gone


def at_random(sim: Any, words: list[str]) -> np.ndarray:
    style, amount, exact, group, region, seed = words
    one_of("delete_atoms random", style, ("fraction", "count"))
    chosen, strict = eligible(sim.system, group, region), yes_no(exact, "delete_atoms random")
    if style == "fraction" and not strict:
        return by_chance(chosen, part(amount), seed)
    rows = np.flatnonzero(chosen)
    wanted = int(part(amount) * len(rows)) if style == "fraction" else integer(amount, "a number of atoms")
    if wanted < 0:
        raise InputError(f"delete_atoms random count {wanted}", "give 0 or more")
    if wanted > len(rows):
        if strict:
            raise InputError(f"delete_atoms random wants {wanted} atoms of {len(rows)}", "give a smaller number")
        sim.log.warning(f"delete_atoms random wants {wanted} atoms of {len(rows)}: all of them go")
        wanted = len(rows)
    gone = np.zeros(len(chosen), bool)
    gone[rows[Marsaglia(integer(seed, "a seed")).subset(wanted, len(rows))]] = True
    return gone


def overlap(sim: Any, words: list[str]) -> np.ndarray:
    """Atoms are looked at in their order: one goes if a near one, that has not gone already, stays. Of a pair that is near
    through a face of the box, and whose atoms could both go, the one with the lower id goes. Pairs whose special factors are 0
    do not count.
    """
    system: System = sim.system
    box, atoms, cutoff = system.need_box(), system.atoms, number(words[0], "a distance")
    one, two = (members(system, "group", name, "delete_atoms") for name in words[1:])
    box.wrap(atoms.edit("x"), atoms.edit("image"))
    x, ids = atoms.read("x"), atoms.read("id")
    i, j = near_pairs(box, x, 0.0, cutoff)
    keep = ~unseen(system, i, j)
    i, j = np.concatenate([i[keep], j[keep]]), np.concatenate([j[keep], i[keep]])
    d = x[i] - x[j]
    direct = (d * d).sum(axis=1) <= cutoff * cutoff
    loses = direct | ~(two[i] & one[j]) | (ids[i] < ids[j])  # through a face: the lower id, if both could go
    keep = one[i] & two[j] & loses
    i, j, direct = i[keep], j[keep], direct[keep]
    order = np.argsort(i, kind="stable")
    gone = np.zeros(atoms.n, bool)
    for a, b, here in zip(i[order].tolist(), j[order].tolist(), direct[order].tolist(), strict=True):
        if not gone[a] and not (here and gone[b]):
            gone[a] = True
    return gone


def unseen(system: System, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """Pairs of linked atoms that have no pair forces."""
    if not has(system.atoms, BOND):
        return np.zeros(len(i), bool)
    renew_special(system)
    ids = system.atoms.read("id")
    return np.array(left_out(system, "gone"))[bonds_apart(ids, system.atoms.read("special"), ids[i], ids[j])]


STYLES: dict[str, tuple[Callable[[Any, list[str]], np.ndarray], int]] = {  # function, number of words
    "group": (by_name("group"), 1),
    "region": (by_name("region"), 1),
    "variable": (by_variable, 1),
    "overlap": (overlap, 3),
    "porosity": (porosity, 4),
    "random": (at_random, 6),
}


def delete_options(words: list[str]) -> dict[str, bool]:
    """The keywords of delete_atoms."""
    options = {"compress": True, "bond": False, "mol": False}
    if len(words) % 2:
        raise InputError(f"delete_atoms keyword '{words[-1]}' has no value", "usage: compress yes|no")
    for key, word in zip(words[::2], words[1::2], strict=True):
        one_of("delete_atoms keyword", key, options)
        options[key] = yes_no(word, f"delete_atoms keyword '{key}'")
    return options


def remove_links(system: System, gone: np.ndarray) -> None:
    """Remove links of these atoms. Special lists are not made from the links that are left."""
    atoms, ids = system.atoms, system.atoms.read("id")[gone]
    if not has(atoms, BOND):
        raise InputError("delete_atoms bond yes: atoms have no bonds", "remove the keyword")
    renew_special(system)
    for name, kind in KINDS.items():
        if has(atoms, kind):
            table = links(atoms, kind)
            set_links(atoms, kind, table[~np.isin(table[:, 1:], ids).any(axis=1)], system.topology.extra[name])
    special = atoms.edit("special")
    special[np.isin(special // 4, ids)] = 0


def survivors(gone: np.ndarray) -> np.ndarray:
    """Rows that stay, in their new order: holes are filled, first to last, with the last atoms that stay.

    The reference does it this way, and new ids (compress yes) depend on the order.
    """
    left = int(np.count_nonzero(~gone))
    rows = np.arange(left)
    holes = np.flatnonzero(gone[:left])
    tail = np.flatnonzero(~gone[left:]) + left
    rows[holes] = tail[::-1]
    return rows
