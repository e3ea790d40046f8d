"""Flat walls of a fix, as its words say: `xlo EDGE …  zhi v_NAME …  units box`."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from everlet.errors import InputError, arguments, one_of, unknown, yes_no
from everlet.fixes.given_number import GivenNumber
from everlet.state.system import System

FACES = ("xlo", "xhi", "ylo", "yhi", "zlo", "zhi")


@dataclass
class Face:
    """One wall: atoms are on its side +1 (a low face) or -1 along an axis."""

    name: str
    axis: int
    side: float
    place: GivenNumber
    numbers: list[GivenNumber] = field(default_factory=list)

    @property
    def given(self) -> list[GivenNumber]:
        return [self.place, *self.numbers]


def spacing(system: System, words: list[str], user: str) -> np.ndarray:
    """Lengths along x, y, z that `units lattice|box` in these keywords asks for; lattice if nothing is said."""
    units = next((words[k + 1] for k in range(0, len(words) - 1, 2) if words[k] == "units"), "lattice")
    one_of(f"units of {user}", units, ("lattice", "box"))
    return system.lattice.spacing if units == "lattice" and system.lattice is not None else np.ones(3)


def faces(system: System, args: list[str], user: str, names: tuple[str, ...], keywords: tuple[str, ...],
          usage: str) -> list[Face]:
    """The walls; each has a place and a number for each of `names`."""
    box, width, count = system.need_box(), 2 + len(names), 0
    while count < len(args) and args[count] in FACES:
        arguments(args[count:], width, None, usage)
        count += width
    words = args[count:]
    for k in range(0, len(words), 2):
        if words[k] not in keywords:
            raise unknown(f"wall or keyword of {user}", words[k], (*FACES, *keywords), f"usage: {usage}")
        arguments(words[k + 1 : k + 2], 1, 1, usage)
    if not count:
        raise InputError(f"{user} has no walls", f"usage: {usage}")
    scales = spacing(system, words, user)
    options = dict(zip(words[::2], words[1::2], strict=True))
    across = yes_no(options.get("pbc", "no"), f"{user} pbc")
    if yes_no(options.get("fld", "no"), f"{user} fld"):
        raise InputError(f"{user}: fld yes is not available", "leave it out: it is for pair styles of implicit fluids")
    found: list[Face] = []
    for at in range(0, count, width):
        name, place, *values = args[at : at + width]
        axis, low = "xyz".index(name[0]), name.endswith("lo")
        if any(face.name == name for face in found):
            raise InputError(f"{user} has wall {name} twice", "use a second fix")
        if box.periodic[axis] and not across:
            raise InputError(f"{user}: the box is periodic along {name[0]}",
                             "use boundary f" + (", or pbc yes" if "pbc" in keywords else ""))
        if axis == 2 and system.dimension == 2:
            raise InputError(f"{user}: there is no wall {name} in 2d", "use x and y walls")
        if place == "EDGE":
            given = GivenNumber(system, repr(float((box.lo if low else box.hi)[axis])), "a place", user)
        else:
            given = GivenNumber(system, place, "a place", user, float(scales[axis]))
        found.append(Face(name, axis, 1.0 if low else -1.0, given,
                          [GivenNumber(system, word, what, user) for word, what in zip(values, names, strict=True)]))
    return found
