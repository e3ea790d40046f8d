"""Derivatives of forces by moving atoms a little, for phonons and their lifetimes.

    dynamical_matrix GROUP regular|eskm DELTA [file NAME] [binary yes|no] [fold yes|no]
    third_order GROUP regular|eskm DELTA [file NAME] [binary yes|no] [fold yes|no]

dynamical_matrix: D = -(F_jb(x_ia + DELTA) - F_jb(x_ia - DELTA)) / (2 DELTA sqrt(m_i m_j)). Lines of three numbers, b = x y z,
for every atom j, then every axis a, then every atom i of the group by id. third_order: lines `i a j b k` and the three numbers
of atom k, (F++ - F+- - F-+ + F--) / (4 DELTA^2), the signs those of the shifts of i along a and j along b; lines of zeros are
left out. Of atoms j and k those of the group count, with fold yes all. eskm: in 10 J / (mol A^2 g) for units real and metal.
binary: the numbers alone, eight bytes each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, number, one_of, yes_no
from everlet.io.files import agreed, whole_file
from everlet.script.registry import NOTHING, boxed, command
from everlet.state.system import System

UNIT = {"real": 418.4, "metal": 9648.5, "lj": 1.0}  # of eskm
ZERO = 1e-16  # square of a line that is left out


@dataclass
class Words:
    """What a command was told: shifts, rows of atoms that are moved, rows whose forces are written, factor, file."""

    delta: float
    moved: np.ndarray
    seen: np.ndarray
    factor: float
    name: str
    binary: bool


def told(sim: Any, args: list[str], which: str, default: str) -> Words:
    usage = f"{which} GROUP regular|eskm DELTA [file NAME] [binary yes|no] [fold yes|no]"
    arguments(args, 3, None, usage)
    system = boxed(sim)
    one_of(f"style of {which}", args[1], ("regular", "eskm"), f"usage: {usage}")
    options = {"file": default, "binary": "no", "fold": "no"}
    for word, value in zip(args[3::2], [*args[4::2], ""], strict=False):
        one_of(f"keyword of {which}", word, options, f"usage: {usage}")
        if not value:
            raise InputError(f"{which} {word} lacks a value", f"usage: {usage}")
        options[word] = value
    units = system.units.name
    if args[1] == "eskm" and units not in UNIT:
        raise InputError(f"{which} eskm in units {units}", f"use one of the units {', '.join(UNIT)}, or style regular")
    delta = number(args[2], "a displacement")
    if delta <= 0.0:
        raise InputError(f"{which}: a displacement of {args[2]}", "give more than 0")
    order = np.argsort(system.atoms.read("id"), kind="stable")
    inside = order[system.groups.member(args[0], system.atoms.read("mask"))[order]]
    return Words(delta, inside, order if yes_no(options["fold"], f"{which} fold") else inside,
                 UNIT[units] if args[1] == "eskm" else 1.0, options["file"], yes_no(options["binary"], f"{which} binary"))


class Shifted:
    """Forces on some atoms with others moved; positions are as before in the end."""

    def __init__(self, sim: Any, system: System, rows: np.ndarray):
        self.sim, self.system, self.rows = sim, system, rows

    def forces(self, *moves: tuple[int, int, float]) -> np.ndarray:
        """With these rows moved along axes: (atoms, 3)."""
        atoms = self.system.atoms
        before = atoms.read("x").copy()
        x = atoms.edit("x")
        for row, axis, way in moves:
            x[row, axis] += way
        self.sim.changed("x")
        self.sim.current("f")
        found = atoms.read("f")[self.rows].copy()
        atoms.edit("x")[:] = before
        self.sim.changed("x")
        return found


def write(sim: Any, words: Words, lines: list[str], numbers: list[np.ndarray]) -> None:
    with agreed(sim.system.world), whole_file(words.name, words.binary) as stream:
        if words.binary:
            stream.write(np.concatenate([one.ravel() for one in numbers] or [np.zeros(0)]).tobytes())
        else:
            stream.writelines(lines)


@command("dynamical_matrix", changes=NOTHING, stored=True, unplanned=True)
def dynamical_matrix(sim: Any, args: list[str]) -> None:
    words, system = told(sim, args, "dynamical_matrix", "dynmat.dyn"), sim.system
    mass = system.masses[system.atoms.read("type")]
    shifted, lines, numbers = Shifted(sim, system, words.seen), [], []
    for row in words.moved.tolist():
        for axis in range(3):
            change = shifted.forces((row, axis, words.delta)) - shifted.forces((row, axis, -words.delta))
            scale = words.factor / (2.0 * words.delta * np.sqrt(mass[row] * mass[words.seen]))
            numbers.append(-change * scale[:, None])
            lines += ["{:.8f} {:.8f} {:.8f}\n".format(*values) for values in numbers[-1].tolist()]
    write(sim, words, lines, numbers)
    sim.log.write(f"Dynamical matrix of {len(words.moved)} atoms: {6 * len(words.moved)} evaluations of forces")


@command("third_order", changes=NOTHING, stored=True, unplanned=True)
def third_order(sim: Any, args: list[str]) -> None:
    words, system = told(sim, args, "third_order", "third_order.dat"), sim.system
    shifted, lines, numbers, d = Shifted(sim, system, words.seen), [], [], words.delta
    first, second = ([(i, row, axis) for i, row in enumerate(rows.tolist()) for axis in range(3)]
                     for rows in (words.moved, words.seen))
    for i, row, axis in first:
        for j, other, along in second:
            total = np.zeros((len(words.seen), 3))
            for one, two in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                total += one * two * shifted.forces((row, axis, one * d), (other, along, two * d))
            values = words.factor * total / (4.0 * d * d)
            there = np.flatnonzero((values**2).sum(axis=1) > ZERO)
            numbers.append(values[there])
            lines += ["{} {} {} {} {} {:17.8f} {:17.8f} {:17.8f}\n".format(i + 1, axis + 1, j + 1, along + 1, k + 1, *values[k])
                      for k in there.tolist()]
    write(sim, words, lines, numbers)
    sim.log.write(f"Third derivatives of {len(words.moved)} atoms: {4 * len(first) * len(second)} evaluations of forces")
