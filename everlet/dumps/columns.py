"""The columns of `dump custom`, one function each: system -> one value per owned atom.

id type element typelabel mass       what an atom is
x y z         position               xs ys zs     as a fraction of the box edges
xu yu zu      with box crossings     xsu ysu zsu  both
ix iy iz      box crossings
vx vy vz fx fy fz
c_ID c_ID[i]  per-atom computes      f_ID f_ID[i] per-atom fixes      v_NAME  atom-style variables
c_ID[*] c_ID[2*] c_ID[*5] c_ID[2*5]  several columns of a compute
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from everlet.computes.base import Compute
from everlet.errors import InputError, unknown
from everlet.registry import Registry
from everlet.state.system import System

Values = Callable[[System], np.ndarray]
_REFERENCE = re.compile(r"^([cfv])_(\w+)((?:\[\d+\])?)$")
_SEVERAL = re.compile(r"^c_(\w+)\[(\d*)\*(\d*)\]$")


@dataclass(frozen=True)
class Column:
    word: str
    kind: str  # int, float or text
    values: Values
    compute: str = ""  # ID of the compute it evaluates


columns: Registry[Column] = Registry("dump column")


def column(word: str, kind: str) -> Callable[[Values], Values]:
    def register(values: Values) -> Values:
        columns(word)(Column(word, kind, values))
        return values

    return register


column("id", "int")(lambda system: system.atoms.read("id"))
column("type", "int")(lambda system: system.atoms.read("type"))
column("mass", "float")(lambda system: system.masses[system.atoms.read("type")])


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


def unwrapped(system: System) -> np.ndarray:
    """Positions with the box crossings undone, (n, 3)."""
    box, images = system.need_box(), system.atoms.read("image")
    lx, ly, lz = box.lengths
    shift = np.empty((len(images), 3))
    shift[:, 0] = images[:, 0] * lx + images[:, 1] * box.xy + images[:, 2] * box.xz
    shift[:, 1] = images[:, 1] * ly + images[:, 2] * box.yz
    shift[:, 2] = images[:, 2] * lz
    return system.atoms.read("x") + shift


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
    column(f"f{letter}", "float")(lambda system: system.atoms.read("f")[:, axis])


for _number in range(3):
    _axis(_number)


def spelled_out(system: System, words: list[str]) -> list[str]:
    """Words with those of several columns of a compute, such as c_ID[2*5], written one by one."""
    found = []
    for word in words:
        match = _SEVERAL.match(word)
        if not match:
            found.append(word)
            continue
        name, low, high = match.groups()
        if name not in system.computes:
            raise unknown("compute", name, system.computes)
        count = getattr(system.computes[name], "columns", 0)
        first, last = int(low or 1), int(high or count)
        if not 1 <= first <= last <= count:
            raise InputError(f"'{word}' is out of range: compute {name} has {count or 'no'} columns of values per atom",
                             "use indices that exist")
        found += [f"c_{name}[{k}]" for k in range(first, last + 1)]
    return found


def find(system: System, word: str) -> Column:
    """The column a word names; c_, f_ and v_ words are checked against what exists now."""
    match = _REFERENCE.match(word)
    if not match:
        if word not in columns:
            raise unknown("dump column", word, columns)
        return columns[word]
    kind, name = match.group(1), match.group(2)
    place = int(match.group(3)[1:-1]) if match.group(3) else 0
    if kind == "v":
        if place:
            raise InputError(f"'{word}' has an index, and an atom-style variable gives one value per atom",
                             "leave out the index")
        return Column(word, "float", lambda system: _variable(system, name))
    known = system.computes if kind == "c" else system.fixes
    if name not in known:
        raise unknown("compute" if kind == "c" else "fix", name, known)
    give = getattr(type(known[name]), "peratom", None)
    if give is None or give is Compute.peratom:
        raise InputError(f"'{kind}_{name}' gives no values per atom", "use a per-atom style")
    return Column(word, "float", lambda system: _referred(system, kind, name, place), name if kind == "c" else "")


def _referred(system: System, kind: str, name: str, place: int) -> np.ndarray:
    known = system.computes if kind == "c" else system.fixes
    if name not in known:
        raise InputError(f"'{kind}_{name}' was removed while a dump uses it", "remove the dump first")
    values = np.asarray(known[name].peratom())
    if (values.ndim == 2) != (place > 0):
        raise InputError(
            f"'{kind}_{name}' has {values.shape[1] if values.ndim == 2 else 1} values per atom",
            "give an index" if values.ndim == 2 else "remove the index",
        )
    if place == 0:
        return values
    if not 1 <= place <= values.shape[1]:
        raise InputError(f"'{kind}_{name}[{place}]' is out of range: it has {values.shape[1]} values per atom",
                         "use a smaller index")
    return values[:, place - 1]


def _variable(system: System, name: str) -> np.ndarray:
    if system.variables is None:
        raise InputError(f"there is no variable '{name}'", "define it with the variable command")
    return np.asarray(system.variables.peratom(name))
