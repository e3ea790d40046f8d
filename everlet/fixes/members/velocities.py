"""Random velocities of each of many systems."""

from __future__ import annotations

import numpy as np

from everlet.fixes.members.langevin import STREAMS
from everlet.portable import Kernel, View, f64, i32, i64, parallel_for, portable, put_row, sqrt
from everlet.portable.random import normals
from everlet.state.system import System


@portable
def draw_members(i, member: i32[:], kind: i32[:], id: i64[:], first: i64[:], number: i64[:], seed: i64, step: i64, mass: f64[:],
                 v: f64[:, 3]):
    """Numbers of the normal distribution over sqrt(m), of the seed, the system, the atom's place in it and the step."""
    s = i64(member[i])
    a, b, c, d = normals(seed, id[i] - first[s], step, STREAMS * number[s] + 1)
    scale = 1.0 / sqrt(mass[kind[i]])
    put_row(v, i, a * scale, b * scale, c * scale)


DRAW = Kernel(draw_members)


def draw_velocities(system: System, temperatures: np.ndarray, seed: int) -> None:
    """New velocities, without momentum and of these temperatures exactly, (systems,)."""
    atoms, members, space = system.atoms, system.members, system.space
    assert members is not None
    first, number = (View(members.count, np.int64, space) for _ in range(2))
    first.put(members.first[:-1])
    number.put(members.numbers)
    parallel_for(space, atoms.n, DRAW, atoms.view("member"), atoms.view("type"), atoms.view("id"), first, number, seed,
                 system.step, system.masses_view(), atoms.view("v", modify=True))
    v, mass = atoms.edit("v"), system.masses_of()[:, None]
    begins = members.first[:-1]
    v -= np.repeat(np.add.reduceat(mass * v, begins) / np.add.reduceat(mass, begins), members.sizes, axis=0)
    energy = np.add.reduceat((mass * v * v).sum(axis=1), begins) * system.units.mvv2e
    wanted = 3.0 * np.maximum(members.sizes - 1, 0) * system.units.boltz * temperatures
    v *= np.repeat(np.sqrt(np.divide(wanted, energy, out=np.zeros(members.count), where=energy > 0.0)), members.sizes)[:, None]
