"""Words that name one quantity of each atom, for `dump custom`, fixes and computes: system -> one value per owned atom.

id type element typelabel mass       what an atom is
proc procp1   the rank that has it, counted from 0 or 1
x y z         position               xs ys zs     as a fraction of the box edges
xu yu zu      with box crossings     xsu ysu zsu  both
ix iy iz      box crossings
vx vy vz fx fy fz
mux muy muz mu          of dipoles: mu is the length
spx spy spz sp fmx fmy fmz     of spins: direction, moment, field
shapex shapey shapez quatw quati quatj quatk angmomx angmomy angmomz     of ellipsoids: diameters, frames
radius diameter omegax omegay omegaz tqx tqy tqz     of spheres
q mol         charge, molecule, and what else atoms have by their style (state/atom_styles.py)
i_NAME d_NAME i2_NAME[k] d2_NAME[k]  values of fix property/atom: state/custom.py
c_ID c_ID[i] f_ID f_ID[i] v_NAME     computes, fixes and variables: peratom.py
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from everlet.computes.words.peratom import reference
from everlet.errors import InputError
from everlet.registry import Registry
from everlet.state.atom_styles import known_parts, known_words, need_field
from everlet.state.atoms import Atoms
from everlet.state.custom import column_of, custom, custom_values
from everlet.state.system import System

Values = Callable[[System], np.ndarray]


@dataclass(frozen=True)
class Column:
    word: str
    kind: str  # int, float or text
    values: Values
    field: str = ""  # of atoms, which not all atom styles have


columns: Registry[Column] = Registry("dump column")


def column(word: str, kind: str) -> Callable[[Values], Values]:
    def register(values: Values) -> Values:
        columns(word)(Column(word, kind, values))
        return values

    return register


column("id", "int")(lambda system: system.atoms.read("id"))
column("type", "int")(lambda system: system.atoms.read("type"))
column("proc", "int")(lambda system: owners(system))
column("procp1", "int")(lambda system: owners(system) + 1)
column("mass", "float")(lambda system: system.masses_of())


def owners(system: System) -> np.ndarray:
    """The rank that has each atom. One that has gathered all atoms asks where they would be."""
    if system.ranks.size < system.world.size and system.division is not None:
        return np.asarray(system.division.owners(system.division.present()))
    return np.full(system.atoms.n, system.world.rank)


@column("typelabel", "text")
def type_label(system: System) -> np.ndarray:
    names = {kind: label for label, kind in system.type_labels.items()}
    missing = [str(kind) for kind in range(1, system.ntypes + 1) if kind not in names]
    if missing:
        raise InputError(
            f"column typelabel: there is no label for type {', '.join(missing)}", "use the labelmap command"
        )
    return np.array(["", *(names[kind] for kind in range(1, system.ntypes + 1))], dtype=object)[
        system.atoms.read("type")
    ]


@column("element", "text")
def element(system: System) -> np.ndarray:
    """Carbon, for want of better knowledge; the dump puts its own names in place (dump_modify element)."""
    return np.full(system.atoms.n, "C", dtype=object)


def unwrapped(system: System, atoms: Atoms | None = None) -> np.ndarray:
    """Positions with the box crossings undone, (n, 3): of this rank's atoms, or of others."""
    atoms = atoms or system.atoms
    box, images = system.need_box(), atoms.read("image")
    lx, ly, lz = box.lengths
    shift = np.empty((len(images), 3))
    shift[:, 0] = images[:, 0] * lx + images[:, 1] * box.xy + images[:, 2] * box.xz
    shift[:, 1] = images[:, 1] * ly + images[:, 2] * box.yz
    shift[:, 2] = images[:, 2] * lz
    return atoms.read("x") + shift


def _forces(system: System) -> np.ndarray:
    system.fresh.need()
    return system.atoms.read("f")


def _axis(axis: int) -> None:
    letter = "xyz"[axis]
    column(letter, "float")(lambda system: system.atoms.read("x")[:, axis])
    column(f"{letter}s", "float")(lambda system: system.need_box().to_fraction(system.atoms.read("x"))[:, axis])
    column(f"{letter}u", "float")(lambda system: unwrapped(system)[:, axis])
    column(f"{letter}su", "float")(
        lambda system: (
            system.need_box().to_fraction(system.atoms.read("x"))[:, axis] + system.atoms.read("image")[:, axis]
        )
    )
    column(f"i{letter}", "int")(lambda system: system.atoms.read("image")[:, axis])
    column(f"v{letter}", "float")(lambda system: system.atoms.read("v")[:, axis])
    column(f"f{letter}", "float")(lambda system: _forces(system)[:, axis])


for _number in range(3):
    _axis(_number)


def _field(word: str, name: str, dtype: type) -> None:
    kind = "int" if np.issubdtype(dtype, np.integer) else "float"
    columns(word)(Column(word, kind, lambda system: system.atoms.read(name), field=name))


for _word, _known in known_words().items():
    _field(_word, _known.name, _known.dtype)


def _part(word: str, name: str, place: int) -> None:
    def values(system: System) -> np.ndarray:
        if name in ("torque", "fm"):
            system.fresh.need()
        return system.atoms.read(name)[:, place]

    columns(word)(Column(word, "float", values, field=name))


for _word, (_known, _place) in known_parts().items():
    _part(_word, _known.name, _place)
columns("diameter")(Column("diameter", "float", lambda system: 2.0 * system.atoms.read("radius"), field="radius"))


def _diameter(word: str, place: int) -> None:
    columns(word)(Column(word, "float", lambda system: 2.0 * system.atoms.read("shape")[:, place], field="shape"))


for _place, _word in enumerate(("shapex", "shapey", "shapez")):
    _diameter(_word, _place)
columns("mu")(Column("mu", "float", lambda system: np.sqrt((system.atoms.read("mu") ** 2).sum(axis=1)), field="mu"))


def find(system: System, word: str, user: str = "") -> Column:
    """The column a word names; c_, f_ and v_ words are checked against what exists now."""
    found = reference(system, word, "a dump")
    if found is None:
        named = custom(word)
        if named is not None:
            field, place = named
            column_of(system, field, place, f"the word {word}")
            return Column(word, "int" if field.startswith("i") else "float",
                          lambda system: custom_values(system, field, place, f"the word {word}"))
        if columns[word].field:
            need_field(system.atoms, columns[word].field, user or f"dump column {word}")
        return columns[word]
    return Column(word, "float", lambda system: found.column(found.all_columns(system)))
