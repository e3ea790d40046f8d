"""Systems from arrays: the box, types and atoms of a simulation that has none yet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from everlet.api.record import Arrays
from everlet.errors import InputError
from everlet.session import Session
from everlet.state.box import parse_boundary
from everlet.state.cells import Cell
from everlet.state.elements import MASSES
from everlet.state.topology import KINDS, set_links

GRAMS = ("metal", "real", "electron")  # units whose masses are g/mol
BOX = "everlet_box"  # the region that a box is made of, for a moment


def numbers(given: ArrayLike, what: str, shape: tuple[int, ...]) -> np.ndarray:
    """`given` as finite numbers of a shape; -1 is any size."""
    try:
        values = np.array(given, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{what} must be numbers, found {type(given).__name__}", "give an array") from None
    if values.ndim != len(shape) or any(want not in (-1, have) for want, have in zip(shape, values.shape, strict=True)):
        wanted = ", ".join("n" if want == -1 else str(want) for want in shape) + ("," if len(shape) == 1 else "")
        raise InputError(f"{what} have the shape {values.shape}", f"give numbers of shape ({wanted})")
    if not np.isfinite(values).all():
        raise InputError(f"{what} are not all finite numbers", "look for NaN and infinite ones")
    return values


def whole(values: np.ndarray, what: str) -> np.ndarray:
    if (values != np.rint(values)).any():
        raise InputError(f"{what} must be whole numbers, found {values[values != np.rint(values)][0]:g}", "correct them")
    return values


def one_each(given: ArrayLike, what: str, count: int) -> np.ndarray:
    """`given` as finite numbers, one of each of so many; a single one is for all."""
    return np.full(count, numbers(given, what, ())) if np.ndim(given) == 0 else numbers(given, what, (count,))


def typed(species: Sequence[str] | None, types: ArrayLike | None, count: int) -> tuple[np.ndarray, list[str]]:
    """The type of each atom, and names of types 1, 2, …: species in the order of their first atoms."""
    if species is None and types is None:
        return np.ones(count, np.int32), []
    if species is not None and types is not None:
        raise InputError("both species and types are given", "give one of them")
    if species is not None:
        names = [species] * count if isinstance(species, str) else [str(one) for one in species]
        if len(names) != count:
            raise InputError(f"there are {len(names)} species and {count} positions", "give one for each atom")
        known = list(dict.fromkeys(names))
        return np.array([known.index(name) + 1 for name in names], np.int32), known
    if np.asarray(types).dtype.kind in "US":
        raise InputError("types are numbers, found names", "give names as species=[…]")
    found = numbers(np.asarray(types), "types", (-1,))
    if len(found) != count or (found != np.rint(found)).any() or (len(found) and found.min() < 1):
        raise InputError(f"types must be {count} whole numbers from 1 on", "count types from 1, as scripts do")
    return found.astype(np.int32), []


def link_table(kind: Any, given: ArrayLike, types: ArrayLike | int, count: int) -> np.ndarray:
    """Types and ids of links, from rows of atoms that are counted from 0."""
    rows = numbers(given, kind.plural, (-1, kind.size))
    if (rows != np.rint(rows)).any() or (len(rows) and (rows.min() < 0 or rows.max() >= count)):
        raise InputError(f"{kind.plural} name atoms from 0 to {count - 1}", "give rows of positions, counted from 0")
    if twice := [k for k, row in enumerate(rows.tolist()) if len(set(row)) < kind.size]:
        raise InputError(f"row {twice[0]} of {kind.plural} has an atom twice: {rows[twice[0]].astype(int).tolist()}",
                         "give different atoms")
    named = one_each(types, f"types of {kind.plural}", len(rows))
    if len(named) and (named.min() < 1 or (named != np.rint(named)).any()):
        raise InputError(f"types of {kind.plural} are counted from 1", "give 1, 2, …")
    return np.column_stack([named, rows + 1]).astype(np.int64)


def links_of_an_atom(table: np.ndarray) -> int:
    """The most links that one atom is in."""
    return int(np.bincount(table[:, 1:].ravel()).max(initial=0))


def style_for(charges: Any, tables: dict[str, np.ndarray]) -> str:
    """The smallest atom style that has all of it."""
    if not tables:
        return "atomic" if charges is None else "charge"
    if charges is not None:
        return "full"
    return "bond" if set(tables) <= {"bond"} else "angle" if set(tables) <= {"bond", "angle"} else "molecular"


def corner(dimension: int, cell: Cell, low: Sequence[float] = (0.0, 0.0, 0.0)) -> tuple[float, float, float]:
    """Where a box begins; in two dimensions z = 0 is its middle."""
    return low[0], low[1], low[2] if dimension == 3 else -0.5 * float(cell.edges[2, 2])


def create(session: Session, positions: ArrayLike, species: Sequence[str] | None, types: ArrayLike | None,
           cell: ArrayLike | None, pbc: bool | Sequence[bool], charges: ArrayLike | None, masses: ArrayLike | None,
           velocities: ArrayLike | None, molecules: ArrayLike | None, links: dict[str, tuple[ArrayLike, ArrayLike | int]],
           ntypes: int, atom_style: str, boundary: str) -> Cell:
    """Make box and atoms; gives the cell that says how they are turned."""
    system = session.system
    if system.box is not None:
        raise InputError("this simulation has a box already", "use another Simulation, or sim.commands('clear') first")
    x = numbers(positions, "positions", (-1, 3))
    count = len(x)
    kind, names = typed(species, types, count)
    turned = Cell.of(cell, pbc if cell is not None else False)
    tables = {name: link_table(KINDS[name], *given, count) for name, given in links.items()}
    most = max(int(kind.max(initial=1)), len(names), ntypes)
    given = known_masses(names, most, system.units.name) if masses is None else \
        masses_of_types(one_each(masses, "masses of atoms", count), kind, names)
    fields: dict[str, Any] = {}
    if charges is not None:
        fields["q"] = numbers(charges, "charges", (count,))
    if velocities is not None:
        fields["v"] = turned.into_box(numbers(velocities, "velocities", (count, 3)))
    style = atom_style or style_for(charges, tables)
    if molecules is not None and style in ("atomic", "charge"):
        style = "bond" if style == "atomic" else "full"
    if molecules is not None or tables:
        fields["molecule"] = np.zeros(count, np.int64) if molecules is None else \
            whole(numbers(molecules, "molecules", (count,)), "molecules").astype(np.int64)
    inside = turned.into_box(x)
    box = turned.box(inside, corner(system.dimension, turned), _boundary(boundary, turned))
    shape = " ".join(f"{low!r} {high!r}" for low, high in zip(box.lo.tolist(), box.hi.tolist(), strict=True))
    tilt = f" {box.xy!r} {box.xz!r} {box.yz!r}" if box.triclinic else ""
    room = "".join(f" {name}/types {int(table[:, 0].max(initial=1))} extra/{name}/per/atom {links_of_an_atom(table)}"
                   for name, table in tables.items())
    lines = [f"boundary {box_words(box.boundary)}", f"atom_style {style}",
             f"region {BOX} {'prism' if tilt else 'block'} {shape}{tilt} units box", f"create_box {most} {BOX}{room}",
             f"region {BOX} delete", *(f"mass {k} {mass!r}" for k, mass in given.items()),
             *([f"labelmap atom {' '.join(f'{k} {name}' for k, name in enumerate(names, 1))}"] if names else [])]
    session.commands("\n".join(lines), "create()")
    _put(session, inside, kind, fields, tables)
    return turned


def _boundary(letters: str, cell: Cell) -> str:
    """Letters that say the same of periodic edges as the cell does."""
    if letters and tuple(codes == "pp" for codes in parse_boundary(letters)) != cell.periodic:
        raise InputError(f"boundary '{letters}' and pbc={cell.periodic} differ in what is periodic", "leave one of them out")
    return letters


def box_words(boundary: Iterable[str]) -> str:
    return " ".join(code[0] if code[0] == code[1] else code for code in boundary)


def masses_of_types(each: np.ndarray, kind: np.ndarray, names: list[str]) -> dict[int, float]:
    """By type, from those of atoms, which must be the same for all of a type."""
    found = {}
    for k in np.unique(kind).tolist():
        own = np.unique(each[kind == k])
        if len(own) > 1:
            whose = names[k - 1] if names else f"type {k}"
            raise InputError(f"atoms of {whose} have different masses: {own[:3].tolist()} …",
                             "give atoms with different masses different types: types=[…]")
        found[k] = float(own[0])
    return found


def known_masses(names: list[str], most: int, units: str) -> dict[int, float]:
    """Of types that nobody has said a mass of: those of elements; 1 in units lj."""
    if units == "lj":
        return dict.fromkeys(range(1, most + 1), 1.0)
    return {k: MASSES[name] for k, name in enumerate(names, 1) if units in GRAMS and name in MASSES}


def _put(session: Session, x: np.ndarray, kind: np.ndarray, fields: dict[str, Any], tables: dict[str, np.ndarray]) -> None:
    """Atoms with ids 1, 2, … into the box, and what a script would say for it."""
    system = session.system
    box, place, image = system.need_box(), x.copy(), np.zeros((len(x), 3), np.int32)
    box.settle(place, image)
    system.atoms.append(x=place, type=kind, id=np.arange(1, len(x) + 1), image=image, **fields)
    for name, table in tables.items():
        set_links(system.atoms, KINDS[name], table, system.topology.extra[name])
    system.topology.stale = True
    session.changed()

    def lines() -> Iterable[str]:
        for type, row in zip(kind.tolist(), place.tolist(), strict=True):
            yield f"create_atoms {type} single {' '.join(map(repr, row))} units box"
        for word, rows in set_words({"image": image} | fields):
            for id, values in enumerate(rows.tolist(), 1):
                yield f"set atom {id} {set_line(word, values)}"
        for name, table in tables.items():
            for row in table.tolist():
                yield f"create_bonds single/{name} {' '.join(map(str, row))}"

    sizes = place.nbytes + sum(np.asarray(values).nbytes for values in (*fields.values(), *tables.values()))
    session.note(Arrays("create", lines, sizes))


def set_words(fields: dict[str, np.ndarray]) -> Iterable[tuple[str, np.ndarray]]:
    """Fields that the command `set` must be told of."""
    return ((name, values) for name, values in fields.items() if np.any(values))


def set_line(name: str, values: Any) -> str:
    """One atom's value in the words of `set`."""
    if name == "v":
        return " ".join(f"v{axis} {value!r}" for axis, value in zip("xyz", values, strict=True))
    if name == "x":
        return " ".join(f"{axis} {value!r}" for axis, value in zip("xyz", values, strict=True))
    if name == "image":
        return f"image {' '.join(map(str, values))}"
    return f"{ {'q': 'charge', 'molecule': 'mol'}.get(name, name)} {values!r}"
