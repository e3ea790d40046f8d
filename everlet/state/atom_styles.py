"""Atom styles: what atoms carry besides position, velocity, force, type and id. One declaration for each.

    name        columns of a line of the section Atoms (image flags may follow)    fields
    atomic      id type x y z
    charge      id type q x y z                                                    q (charge)
    bond        id molecule type x y z                                             molecule, bonds (state/topology.py)
    angle       the same                                                           and angles
    molecular   the same                                                           and dihedrals, impropers
    full        id molecule type q x y z                                           and charge
    sphere      id type diameter density x y z                                     radius, rmass, omega, torque
    dipole      id type q x y z mux muy muz                                        q, mu
    ellipsoid   id type ellipsoidflag density x y z; section Ellipsoids            shape, quat, angmom, rmass, torque
    spin        id type x y z spx spy spz sp                                       spin (direction and moment), fm
    dpd         id type theta x y z                                                theta, cond, mech and their rates
    hybrid A B  id type x y z, then what A and B add, each once                    those of A and B

Columns that are no fields, such as diameters, are made from fields and made into them (`Shown`). Lines of the section
Velocities are id, v and what the style adds: of spheres omega. Atoms whose flag is 1 have a line in a section of their own
(`Listed`).
A field's name, or its `word`, is what dumps and atom-style formulas call it; `set` has SET_WORDS. Data files, restart files,
create_atoms (which gives the default), replicate, ghosts and other ranks know fields from here alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.errors import InputError, one_of
from everlet.registry import Registry
from everlet.state.atoms import Atoms
from everlet.state.topology import ANGLE, BOND, DIHEDRAL, IMPROPER, Kind

PLAIN = {"id": np.int64, "type": np.int32, "x": np.float64, "y": np.float64, "z": np.float64}  # columns of all styles
SET_WORDS = {"charge": "q", "dpd/theta": "theta", "temperature": "temperature"}  # keywords of `set`, and the fields they change
Columns = dict[str, np.ndarray]
BALL = 4.0 / 3.0 * math.pi  # volume of a sphere of radius 1


@dataclass(frozen=True)
class AtomField:
    """One quantity that atoms of a style have; arguments as in Atoms.add_field. `meaning` is for messages, `word` what scripts
    call it, if not by its name; `parts` what they call its numbers, if there are several."""

    name: str
    meaning: str
    dtype: Any = np.float64
    width: int = 1
    ghost: str = "borders"
    default: float = 0
    word: str = ""
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shown:
    """Columns of data files that stand for fields: `read` makes fields of columns, `write` columns of fields."""

    columns: tuple[str, ...]
    read: Callable[[Columns], Columns]
    write: Callable[[Columns], Columns]


@dataclass(frozen=True)
class Listed:
    """A section of data files for those atoms whose column `flag` is 1: id and columns, which are 0 for the others. `word` is
    what the header calls them."""

    title: str
    word: str
    flag: str
    columns: tuple[str, ...]


ELLIPSOIDS = Listed("Ellipsoids", "ellipsoids", "ellipsoidflag",
                    ("shapex", "shapey", "shapez", "quatw", "quati", "quatj", "quatk"))


@dataclass(frozen=True)
class AtomStyle:
    name: str
    columns: tuple[str, ...]  # of the section Atoms: names of PLAIN and of fields
    fields: tuple[AtomField, ...] = ()
    shown: tuple[Shown, ...] = ()
    moving: tuple[str, ...] = ()  # fields in the section Velocities, behind v
    listed: tuple[Listed, ...] = ()

    def dtypes(self) -> list[Any]:
        """Of the columns."""
        own = {field.name: field.dtype for field in self.fields}
        flags = dict.fromkeys((one.flag for one in self.listed), np.int32)
        return [PLAIN.get(name, flags.get(name, own.get(name, np.float64))) for name in self.columns]

    def from_columns(self, found: Columns) -> Columns:
        """Fields of what a data file says."""
        left = {name: values for name, values in found.items() if not any(name in one.columns for one in self.shown)}
        return left | {name: values for one in self.shown for name, values in one.read(found).items()}

    def to_columns(self, atoms: Atoms) -> Columns:
        """What a data file says of atoms, but for positions."""
        fields = {name: atoms.read(name) for name in ("id", "type", *(field.name for field in self.fields))}
        made = fields | {name: values for one in self.shown for name, values in one.write(fields).items()}
        return {name: made[name] for name in (*self.columns, *(name for one in self.listed for name in one.columns))
                if name not in "xyz"}


atom_style: Registry[AtomStyle] = Registry("atom style")

CHARGE = AtomField("q", "charges")
MOLECULE = AtomField("molecule", "molecules", np.int64, word="mol")
MOLECULAR = ("id", "molecule", "type", "x", "y", "z")


def _linked(*kinds: Kind) -> tuple[AtomField, ...]:
    """Fields of molecules with these kinds of links."""
    links = [(AtomField(kind.type, kind.plural, np.int32, 2, "never"),
              AtomField(kind.atoms, kind.plural, np.int64, 2 * kind.size, "never")) for kind in kinds]
    return (MOLECULE, *(field for pair in links for field in pair))


def _volume(known: Columns) -> np.ndarray:
    """That a density is multiplied by, of columns or of fields: of a ball, of an ellipsoid, of one that is both their product
    as in the reference, and 1 of a point."""
    sizes = []
    if "diameter" in known or "radius" in known:
        sizes.append((known["radius"] if "radius" in known else 0.5 * known["diameter"]) ** 3)
    if "shape" in known or "shapex" in known:
        sizes.append(known["shape"].prod(axis=1) if "shape" in known else
                     0.125 * known["shapex"] * known["shapey"] * known["shapez"])
    return np.prod([np.where(size > 0.0, BALL * size, 1.0) for size in sizes], axis=0)


def _together(name: str, *words: str) -> Shown:
    """Columns for the numbers of a field."""
    return Shown(words, lambda columns: {name: np.stack([columns[word] for word in words], axis=1)},
                 lambda fields: dict(zip(words, fields[name].T, strict=True)))


OWN_MASS = AtomField("rmass", "masses of their own", default=BALL * 0.5**3, word="mass")
OMEGA = AtomField("omega", "angular velocities", width=3, ghost="velocity", parts=("omegax", "omegay", "omegaz"))
TORQUE = AtomField("torque", "torques", width=3, ghost="home", parts=("tqx", "tqy", "tqz"))
def _ellipsoid(columns: Columns) -> Columns:
    shape = 0.5 * np.stack([columns[name] for name in ELLIPSOIDS.columns[:3]], axis=1)
    quat = np.stack([columns[name] for name in ELLIPSOIDS.columns[3:]], axis=1)
    size = np.sqrt((quat**2).sum(axis=1))[:, None]
    return {"shape": shape, "quat": quat / np.where(size > 0.0, size, 1.0)}


def _flagged(fields: Columns) -> Columns:
    return {"ellipsoidflag": (fields["shape"].prod(axis=1) > 0.0).astype(int),
            **dict(zip(ELLIPSOIDS.columns, [*2.0 * fields["shape"].T, *fields["quat"].T], strict=True))}


def _unit(columns: Columns) -> Columns:
    """Directions have length 1."""
    way = np.stack([columns[name] for name in SPIN.parts[:3]], axis=1)
    size = np.sqrt((way**2).sum(axis=1))[:, None]
    return {"spin": np.concatenate([way / np.where(size > 0.0, size, 1.0), columns["sp"][:, None]], axis=1)}


HEATED = (AtomField("theta", "inner energies", ghost="step"),  # temperature; energies of conduction and of motion, their rates
          *(AtomField(name, "inner energies", ghost="never") for name in ("cond", "mech", "cond_rate", "mech_rate")))
GRAIN_HEAT = (AtomField("temperature", "temperatures"), AtomField("heatflow", "heat flows", ghost="never"))  # of no style
SPIN = AtomField("spin", "spins", width=4, ghost="step", parts=("spx", "spy", "spz", "sp"))
FIELD = AtomField("fm", "spins", width=3, ghost="home", parts=("fmx", "fmy", "fmz"))  # on spins, 1/time
DIPOLE = AtomField("mu", "dipoles", width=3, ghost="step", parts=("mux", "muy", "muz"))
RADIUS = AtomField("radius", "radii", default=0.5)
SHAPE = AtomField("shape", "shapes", width=3)  # half axes
QUAT = AtomField("quat", "shapes", width=4, ghost="step", parts=ELLIPSOIDS.columns[3:])
ANGMOM = AtomField("angmom", "angular momenta", width=3, parts=("angmomx", "angmomy", "angmomz"))
POINT_MASS = AtomField("rmass", "masses of their own", default=1.0, word="mass")
ELLIPSOID = Shown(("ellipsoidflag", *ELLIPSOIDS.columns), _ellipsoid, _flagged)
SPHERE = Shown(("diameter",), lambda columns: {"radius": 0.5 * columns["diameter"]},
               lambda fields: {"diameter": 2.0 * fields["radius"]})
DENSITY = Shown(("density",), lambda columns: {"rmass": _volume(columns) * columns["density"]},
                lambda fields: {"density": fields["rmass"] / _volume(fields)})

for _style in (AtomStyle("atomic", ("id", "type", "x", "y", "z")),
               AtomStyle("charge", ("id", "type", "q", "x", "y", "z"), (CHARGE,)),
               AtomStyle("bond", MOLECULAR, _linked(BOND)),
               AtomStyle("angle", MOLECULAR, _linked(BOND, ANGLE)),
               AtomStyle("molecular", MOLECULAR, _linked(BOND, ANGLE, DIHEDRAL, IMPROPER)),
               AtomStyle("full", ("id", "molecule", "type", "q", "x", "y", "z"),
                         (*_linked(BOND, ANGLE, DIHEDRAL, IMPROPER), CHARGE)),
               AtomStyle("sphere", ("id", "type", "diameter", "density", "x", "y", "z"), (RADIUS, OWN_MASS, OMEGA, TORQUE),
                         (SPHERE, DENSITY), ("omega",)),
               AtomStyle("dipole", ("id", "type", "q", "x", "y", "z", *DIPOLE.parts), (CHARGE, DIPOLE),
                         (_together("mu", *DIPOLE.parts),)),
               AtomStyle("ellipsoid", ("id", "type", "ellipsoidflag", "density", "x", "y", "z"),
                         (SHAPE, QUAT, ANGMOM, POINT_MASS, TORQUE), (ELLIPSOID, DENSITY), ("angmom",), (ELLIPSOIDS,)),
               AtomStyle("dpd", ("id", "type", "theta", "x", "y", "z"), HEATED),
               AtomStyle("spin", ("id", "type", "x", "y", "z", *SPIN.parts), (SPIN, FIELD),
                         (Shown(SPIN.parts, _unit, lambda fields: dict(zip(SPIN.parts, fields["spin"].T, strict=True))),))):
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
                     tuple({field.name: field for style in styles for field in style.fields}.values()),  # the last default
                     tuple(dict.fromkeys(shown for style in styles for shown in style.shown)),
                     tuple(dict.fromkeys(name for style in styles for name in style.moving)),
                     tuple(dict.fromkeys(one for style in styles for one in style.listed)))


def known_fields() -> dict[str, AtomField]:
    """All fields that some atom style has, or fix property/atom gives by these names."""
    return {field.name: field for fields in (*(atom_style[name].fields for name in atom_style), GRAIN_HEAT) for field in fields}


def known_words() -> dict[str, AtomField]:
    """Fields of one number by their words in dumps and formulas."""
    return {field.word or field.name: field for field in known_fields().values() if field.width == 1 and field.word != "mass"}


def known_parts() -> dict[str, tuple[AtomField, int]]:
    """Numbers of fields that have several by their words in dumps."""
    return {word: (field, k) for field in known_fields().values() for k, word in enumerate(field.parts)}


def styles_with(name: str) -> list[str]:
    """Atom styles that have a field."""
    return [style for style in atom_style if any(field.name == name for field in atom_style[style].fields)]


def need_field(atoms: Atoms, name: str, user: str) -> None:
    """Refuse to go on if atoms do not have this field; `user` says who asks for it."""
    if name not in atoms.fields:
        what = known_fields()[name].meaning if name in known_fields() else f"values '{name}'"
        styles = styles_with(name)
        raise InputError(f"{user} needs atoms with {what}", f"use atom_style {' or '.join(styles)}" if styles else
                         f"define them with: fix ID all property/atom {name}")


def change_style(atoms: Atoms, before: AtomStyle, after: AtomStyle) -> None:
    """Give atoms (there are none yet) the fields of another style."""
    for field in before.fields:
        atoms.remove_field(field.name)
    for field in after.fields:
        atoms.add_field(field.name, field.dtype, field.width, field.ghost, field.default)
