"""displace_atoms: move atoms by hand.

    displace_atoms group move dx dy dz                          [units lattice|box]
    displace_atoms group ramp x|y|z dlo dhi x|y|z clo chi       [units lattice|box]
    displace_atoms group random dx dy dz seed                   [units lattice|box]
    displace_atoms group rotate Px Py Pz Rx Ry Rz angle         [units lattice|box]

Displacements and coordinates are in lattice spacings (units lattice, the default) or distance units (units box), the
angle in degrees, counter-clockwise about the axis R through the point P. The displacements of `move` may be variables
v_name, of style equal or atom. Atoms that leave a periodic box come back in on the other side at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.errors import EverletError, InputError, arguments, integer, number, one_of, unknown
from everlet.script.registry import command
from everlet.script.values import axis, spacing, values
from everlet.state import moments
from everlet.state.random import PositionStreams
from everlet.state.system import System

USAGE = "displace_atoms group-ID move|ramp|random|rotate values [units lattice|box]"
Spacing = tuple[float, float, float]


@command("displace_atoms", changes=("x", "image"), stored=True, seed=(2, "random", 6))
def displace_atoms(sim: Any, args: list[str]) -> None:
    arguments(args, 3, None, USAGE)
    system: System = sim.system
    box = system.need_box()
    group, style = args[:2]
    one_of("displace_atoms style", style, STYLES)
    move, count = STYLES[style]
    arguments(args[2:], count, count + 2, f"displace_atoms group-ID {style} with {count} values [units lattice|box]")
    given, words = args[2 : 2 + count], args[2 + count :]
    if words and words[0] != "units":
        raise unknown("displace_atoms keyword", words[0], ("units",))
    arguments(words, 0 if not words else 2, 2, "units lattice|box")
    per = spacing(system, words[1] if words else "lattice")
    rows = np.flatnonzero(system.groups.member(group, system.atoms.read("mask")))
    sim.log.write("Displacing atoms ...")
    atoms = system.atoms
    before = {name: atoms.read(name).copy() for name in ("x", "image")}
    try:
        move(sim, rows, given, per)
        box.settle(atoms.edit("x"), atoms.edit("image"))
    except EverletError:
        for name, values_before in before.items():
            atoms.edit(name)[:] = values_before
        raise


def shift(sim: Any, rows: np.ndarray, words: list[str], per: Spacing) -> None:
    """x, then y, then z: a variable sees atoms that have moved along the axes before."""
    if sim.system.dimension == 2:
        check_z(sim.system, per[2] * values(sim, words[2], "a displacement", rows))
    for k, word in enumerate(words):
        length = per[k] * values(sim, word, "a displacement", rows)
        sim.system.atoms.edit("x")[rows, k] += length


def ramp(sim: Any, rows: np.ndarray, words: list[str], per: Spacing) -> None:
    """d = dlo + f (dhi - dlo), f = (c - clo) / (chi - clo) held within 0 and 1, c the coordinate."""
    k, along = axis(words[0]), axis(words[3])
    dlo, dhi = (per[k] * number(word, "a displacement") for word in words[1:3])
    clo, chi = (per[along] * number(word, "a coordinate") for word in words[4:6])
    if k == 2:
        check_z(sim.system, dlo, dhi)
    if clo == chi:
        raise InputError("displace_atoms ramp needs two different coordinates", "change clo or chi")
    x = sim.system.atoms.edit("x")
    fraction = np.clip((x[rows, along] - clo) / (chi - clo), 0.0, 1.0)
    x[rows, k] += dlo + fraction * (dhi - dlo)


def random(sim: Any, rows: np.ndarray, words: list[str], per: Spacing) -> None:
    """Each coordinate moves by d (2 u - 1), u from a stream seeded by the position."""
    lengths = [per[k] * number(word, "a displacement") for k, word in enumerate(words[:3])]
    check_z(sim.system, lengths[2])
    x = sim.system.atoms.edit("x")
    streams = PositionStreams(integer(words[3], "a seed"), x[rows])
    for k in range(sim.system.dimension):
        x[rows, k] += lengths[k] * 2.0 * (streams.uniform() - 0.5)


def rotate(sim: Any, rows: np.ndarray, words: list[str], per: Spacing) -> None:
    """x' = P + c + a cos(t) + (R x a) sin(t), with d = x - P split into c along R and a across it.

    Image flags are undone first: atoms turn where they are without periodic boundaries.
    """
    system: System = sim.system
    point = np.array([per[k] * number(word, "a coordinate") for k, word in enumerate(words[:3])])
    direction = np.array([number(word, "an axis component") for word in words[3:6]])
    angle = math.radians(number(words[6], "an angle"))
    length = math.sqrt(float(direction @ direction))
    if length == 0.0:
        raise InputError("the rotation axis has zero length", "for example, about z: 0 0 1")
    if system.dimension == 2 and direction[:2].any():
        raise InputError("in two dimensions atoms can only be rotated about z", "use the axis 0 0 1")
    unit = direction / length
    x, image = system.atoms.edit("x"), system.atoms.edit("image")
    d = moments.unwrapped(system.need_box(), x[rows], image[rows], at_once=True) - point
    image[rows] = 0
    along = (d[:, 0] * unit[0] + d[:, 1] * unit[1] + d[:, 2] * unit[2])[:, None] * unit
    across = d - along
    turned = (point + along) + (across * math.cos(angle) + np.cross(unit, across) * math.sin(angle))
    x[rows, : system.dimension] = turned[:, : system.dimension]


STYLES: dict[str, tuple[Callable[[Any, np.ndarray, list[str], Spacing], None], int]] = {  # function, number of values
    "move": (shift, 3),
    "ramp": (ramp, 6),
    "random": (random, 4),
    "rotate": (rotate, 7),
}


def check_z(system: System, *lengths: float | np.ndarray) -> None:
    if system.dimension == 2 and any(np.any(length) for length in lengths):
        raise InputError("atoms cannot move along z in two dimensions", "use 0")
