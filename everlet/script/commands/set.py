"""set: change properties of chosen atoms.

    set atom|type|mol|group|region ID  keyword values ...

    type T                      atom type, a number or a label
    type/fraction T f seed      each atom becomes type T with probability f; depends on its position, not on its order
    type/ratio T f seed         exactly the part f of the atoms, chosen at random
    type/subset T n seed        exactly n atoms, chosen at random
    x|y|z value                 position, distance units
    vx|vy|vz value              velocity, distance/time units
    image nx ny nz              box crossings; NULL leaves one alone
    charge value                charge units, of atom styles that have it
    dpd/theta value             inner temperature, the same
    temperature value           of grains, after fix property/atom temperature
    i_NAME|d_NAME|i2_NAME[k]|d2_NAME[k] value     values of fix property/atom
    mol N                       the molecule, of atom styles that have it
    diameter density density/disc mass omega      of spheres: set_spheres.py
    dipole dipole/random shape quat quat/random angmom spin …   of atoms with directions: set_directions.py
    bond|angle|dihedral|improper T     types of links whose atoms are all chosen

T of `type`, positions, velocities, image flags, charges and molecules may be variables v_name, of style equal or atom.
ID of `atom`, `mol` and `type` may be a range: 5, *, 5*, *9, 5*9. All keywords of one command act on the same atoms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, number, unknown
from everlet.script.commands import set_directions, set_spheres
from everlet.script.registry import command
from everlet.script.values import axis, members, values
from everlet.state.atom_styles import SET_WORDS, need_field
from everlet.state.custom import column_of, custom
from everlet.state.random import Marsaglia, PositionStreams
from everlet.state.system import System
from everlet.state.topology import KINDS, links, set_links

USAGE = "set atom|type|mol|group|region ID keyword values ..."
MOVING = ("x", "y", "z", "vx", "vy", "vz", "image")  # what a run is made of does not depend on them
Action = Callable[[Any, np.ndarray, str, list[str]], int]

# keywords and selections that the reference has, for atom styles that do not exist here
REFUSED = frozenset(
    "apip/lambda cc "
    "edpd/cv edpd/temp epsilon length radius/electron "
    "smd/contact/radius smd/mass/density sph/cv sph/e sph/rho spin/electron "
    "theta theta/random tri volume".split()
)


@command("set", changes=("x", "v", "image"), stored=True)
def set_atoms(sim: Any, args: list[str]) -> None:
    arguments(args, 4, None, USAGE)
    system: System = sim.system
    system.need_atoms("set")
    rows = rows_of(system, args[0], args[1])
    sim.log.write("Setting atom values ...")
    words = args[2:]
    while words:
        key = words[0]
        if key in REFUSED:
            raise InputError(f"set keyword '{key}' is not supported", f"supported: {', '.join(ACTIONS)}")
        if key not in ACTIONS and not custom(key):
            raise unknown("set keyword", key, ACTIONS)
        action, count = ACTIONS.get(key, (custom_value, 1))
        arguments(words[1 : 1 + count], count, count, f"set ... {key} with {count} value(s)")
        if key not in MOVING:
            sim.changed()
        changed = action(sim, rows, key, words[1 : 1 + count])
        sim.log.write(f"  {changed} settings made for {key}")
        words = words[1 + count :]


def rows_of(system: System, style: str, name: str) -> np.ndarray:
    """Rows of the owned atoms that the command acts on."""
    if style == "atom" and name.isdecimal() and name.isascii() and len(name) < 10:  # one atom, most often where its id says
        place, ids = int(name) - 1, system.atoms.read("id")
        if 0 <= place < len(ids) and ids[place] == place + 1:
            return np.array([place])
    return np.flatnonzero(selected(system, style, name))


def selected(system: System, style: str, name: str) -> np.ndarray:
    """True for the owned atoms that the command acts on."""
    if style == "atom":
        low, high = id_range(name)
        ids = system.atoms.read("id")
        return (ids >= low) & (ids <= high)
    if style == "type":
        types = system.type_range(name)
        kinds = system.atoms.read("type")
        return (kinds >= types.start) & (kinds < types.stop)
    if style == "mol":
        need_field(system.atoms, "molecule", "set mol")
        low, high = id_range(name)
        molecules = system.atoms.read("molecule")
        return (molecules >= low) & (molecules <= high)
    if style not in ("group", "region"):
        raise unknown("set style", style, ("atom", "type", "mol", "group", "region"))
    return members(system, style, name, "set style")


def id_range(word: str) -> tuple[int, float]:
    """First and last id of 5, *, 5*, *9 or 5*9; of molecules too."""
    first, star, last = word.partition("*")
    low = integer(first, "an atom id or range") if first or not star else 1
    high: float = (integer(last, "an atom id or range") if last else np.inf) if star else low
    if not 1 <= low <= high:
        raise InputError(f"'{word}' is not a range of atom ids", "write 5, *, 5*, *9 or 5*9")
    return low, high


def set_type(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    if not words[0].startswith("v_"):
        return change_type(sim.system, rows, words[0])
    kinds = np.trunc(values(sim, words[0], "a type", rows))
    if not ((kinds >= 1) & (kinds <= sim.system.ntypes)).all():
        raise InputError(f"variable '{words[0][2:]}' gives types out of range 1 to {sim.system.ntypes}",
                         "correct the formula of the variable")
    sim.system.atoms.edit("type")[rows] = kinds
    return len(rows)


def change_type(system: System, rows: np.ndarray, word: str) -> int:
    system.atoms.edit("type")[rows] = system.type_of(word)
    return len(rows)


def fraction(word: str) -> float:
    value = number(word, "a fraction")
    if not 0.0 <= value <= 1.0:
        raise InputError(f"fraction {word} is not within 0 and 1", "give a number from 0 to 1")
    return value


def type_fraction(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    limit, seed = fraction(words[1]), integer(words[2], "a seed")
    streams = PositionStreams(seed, sim.system.atoms.read("x")[rows])
    return change_type(sim.system, rows[streams.uniform() <= limit], words[0])


def type_ratio(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    return choose(sim.system, rows, words[0], int(fraction(words[1]) * len(rows)), words[2])


def type_subset(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    count = integer(words[1], "a number of atoms")
    if not 0 <= count <= len(rows):
        raise InputError(f"set type/subset wants {count} atoms of {len(rows)}", "give a smaller number")
    return choose(sim.system, rows, words[0], count, words[2])


def choose(system: System, rows: np.ndarray, word: str, count: int, seed: str) -> int:
    """Change the type of exactly `count` of the atoms."""
    in_order = rows[np.argsort(system.atoms.read("id")[rows])]  # so that sorting atoms does not change the choice
    stream = Marsaglia(integer(seed, "a seed"))
    return change_type(system, in_order[stream.subset(count, len(rows))], word)


def coordinate(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    sim.system.atoms.edit("x")[rows, axis(key)] = values(sim, words[0], "a position", rows)
    return len(rows)


def component(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    sim.system.atoms.edit("v")[rows, axis(key[1:])] = values(sim, words[0], "a velocity", rows)
    return len(rows)


def style_value(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    """A number that atoms have by their style."""
    need_field(sim.system.atoms, SET_WORDS[key], f"set {key}")
    given = np.asarray(values(sim, words[0], f"a {key}", rows))
    if not np.isfinite(given).all():
        raise InputError(f"set {key} {words[0]}: not a finite number", "correct the value or the formula")
    sim.system.atoms.edit(SET_WORDS[key])[rows] = given
    return len(rows)


def custom_value(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    """i_NAME d_NAME i2_NAME[k] d2_NAME[k] of fix property/atom."""
    field, place = custom(key) or ("", 0)
    column = column_of(sim.system, field, place, f"set {key}")
    given = np.asarray(values(sim, words[0], f"a value of {key}", rows))
    table = sim.system.atoms.edit(field)
    table[rows if column is None else (rows, column)] = np.trunc(given) if field.startswith("i") else given
    return len(rows)


def molecule(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    need_field(sim.system.atoms, "molecule", "set mol")
    given = np.trunc(np.asarray(values(sim, words[0], "a molecule", rows)))
    if not (given >= 0).all():
        raise InputError(f"set mol {words[0]}: molecules are counted from 1, and 0 is none", "give 0 or more")
    sim.system.atoms.edit("molecule")[rows] = given
    return len(rows)


def link_type(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    """Types of links whose atoms are all among the rows."""
    system, kind = sim.system, KINDS[key]
    need_field(system.atoms, kind.atoms, f"set {key}")
    type, table = system.topology.type_of(kind, words[0]), links(system.atoms, kind)
    chosen = np.isin(table[:, 1:], system.atoms.read("id")[rows]).all(axis=1)
    table[chosen, 0] = type
    set_links(system.atoms, kind, table, system.topology.extra[key])
    return int(np.count_nonzero(chosen))


def image(sim: Any, rows: np.ndarray, key: str, words: list[str]) -> int:
    flags = sim.system.atoms.edit("image")
    for k, word in enumerate(words):
        if word == "NULL":
            continue
        value = np.trunc(values(sim, word, "", rows)) if word.startswith("v_") else integer(word, "an image flag or NULL")
        if not np.all(np.abs(value) < 2**31):
            raise InputError(f"image flag {word} is too large", "image flags have 32 bits")
        if np.any(value != 0) and not sim.system.need_box().periodic[k]:
            raise InputError(f"image flag {word} along {'xyz'[k]}, where the box is not periodic", "use 0 or NULL")
        flags[rows, k] = value
    return len(rows)


ACTIONS: dict[str, tuple[Action, int]] = {  # function and number of values
    "type": (set_type, 1),
    "type/fraction": (type_fraction, 3),
    "type/ratio": (type_ratio, 3),
    "type/subset": (type_subset, 3),
    **dict.fromkeys("xyz", (coordinate, 1)),
    **dict.fromkeys(("vx", "vy", "vz"), (component, 1)),
    "image": (image, 3),
    "mol": (molecule, 1),
    **dict.fromkeys(KINDS, (link_type, 1)),
    **dict.fromkeys(SET_WORDS, (style_value, 1)),
    **set_spheres.ACTIONS,
    **set_directions.ACTIONS,
}
