"""replicate: copy the whole system nx by ny by nz times.

    replicate nx ny nz [bbox] [bond/periodic]

The box grows by the same factors. Copy (i, j, k) of atom `id` gets id + N (i + j nx + k nx ny), N the largest id, and its
molecule likewise; it keeps type, velocity and groups. Links join atoms of the same copy; with image flags that fit, those
through a face go on doing so. `bond/periodic` is for molecules that have no end because they go through the box: links join the
nearest copies, and image flags become 0. `bbox` asks for a method, not for another result: there is one method here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, one_of
from everlet.script.registry import command
from everlet.state import moments
from everlet.state.atoms import Atoms
from everlet.state.box import Box
from everlet.state.room import check_room
from everlet.state.system import System
from everlet.state.topology import KINDS, Kind, count_links, has, rows_of


@command("replicate", stored=True)
def replicate(sim: Any, args: list[str]) -> None:
    arguments(args, 3, 5, "replicate nx ny nz [bbox] [bond/periodic]")
    for word in args[3:]:
        one_of("replicate keyword", word, ("bbox", "bond/periodic"))
    nx, ny, nz = (integer(word, "a number of copies") for word in args[:3])
    if min(nx, ny, nz) < 1:
        raise InputError(f"cannot make {' x '.join(args[:3])} copies", "each number must be 1 or more")
    system: System = sim.system
    old = system.need_box()
    if system.dimension == 2 and nz != 1:
        raise InputError("a 2-d system cannot be copied along z", "use 1 as the third number")
    check_room(float(nx) * ny * nz * system.natoms)
    sim.log.write(f"Replication is creating a {nx}x{ny}x{nz} = {nx * ny * nz} times larger system...")
    if any(n > 1 and not periodic for n, periodic in zip((nx, ny, nz), old.periodic, strict=True)):
        sim.log.warning("replicating along a dimension that is not periodic")
    system.box = larger(old, nx, ny, nz)
    copy_atoms(system.atoms, old, nx, ny, nz, "bond/periodic" in args[3:])
    system.topology.stale = True
    system.box.wrap(system.atoms.edit("x"), system.atoms.edit("image"))
    check_inside(system.box, system.atoms)
    sim.log.write(f"  {system.box}")
    sim.log.write(f"  {system.natoms} atoms")
    for kind in KINDS.values():
        if count := count_links(system.atoms, kind):
            sim.log.write(f"  {count} {kind.plural}")


def check_inside(box: Box, atoms: Atoms) -> None:
    """Copies of an atom outside a face that is not periodic would be lost."""
    x = atoms.read("x")
    place, lo, hi = (box.to_fraction(x), 0.0, 1.0) if box.triclinic else (x, box.lo, box.hi)
    outside = np.flatnonzero((((place < lo) | (place >= hi)) & ~np.asarray(box.periodic)).any(axis=1))
    if len(outside):
        first = atoms.read("id")[outside[0]]
        raise InputError(f"{len(outside)} atoms are outside the replicated box, the first is atom {first}",
                         "delete atoms outside faces that are not periodic before replicate")


def larger(old: Box, nx: int, ny: int, nz: int) -> Box:
    """The box of all copies, with the lower corner of the old one."""
    box = Box(old.lo, old.lo + np.array([nx, ny, nz]) * old.lengths, old.xy * ny, old.xz * nz, old.yz * nz,
              " ".join(old.boundary), old.dimension, old.triclinic)
    box.expand()
    return box


def copy_atoms(atoms: Atoms, old: Box, nx: int, ny: int, nz: int, loops: bool = False) -> None:
    """Fill `atoms` with all copies, k fastest, without image flags: copies are placed by their unwrapped positions, or if
    `loops` as they are, with links to the nearest copies."""
    xx, yy, zz, yz, xz, xy = old.h
    cells = [(i, j, k) for i in range(nx) for j in range(ny) for k in range(nz)]
    columns = {name: atoms.read(name) for name in atoms.fields}
    cell_of = {kind: nearest_cells(atoms, old, kind) for kind in KINDS.values() if loops and has(atoms, kind)}
    if not loops:
        columns["x"] = moments.unwrapped(old, columns["x"], columns["image"], at_once=True)
    columns["image"] = np.zeros_like(columns["image"])
    count = int(columns["id"].max(initial=0))
    offsets = np.array([count * (i + j * nx + k * nx * ny) for i, j, k in cells])
    many = {name: np.concatenate([column] * len(cells)) for name, column in columns.items()}
    rows = np.repeat(np.arange(len(cells)), atoms.n)
    i, j, k = np.array(cells)[rows].T
    x = many["x"]
    for column, edge in enumerate(((i * xx, j * xy, k * xz), (j * yy, k * yz), (k * zz,))):
        for part in edge:  # one after the other, as in the reference: bits of positions seed streams
            x[:, column] += part
    many["id"] += offsets[rows]
    if "molecule" in many:
        most = int(columns["molecule"].max(initial=0))
        many["molecule"] += np.where(many["molecule"] > 0, most * (offsets // max(count, 1))[rows], 0)
    for name in atoms.partners():
        many[name] += np.where(many[name] > 0, offsets[rows][:, None], 0)
    for kind in KINDS.values():
        if has(atoms, kind):
            ids, where = many[kind.atoms], np.stack([i, j, k], axis=1)[:, None, :]
            if loops:
                where = (where + np.concatenate([cell_of[kind]] * len(cells))) % np.array([nx, ny, nz])
            ids += np.where(ids > 0, count * (where @ np.array([1, nx, nx * ny])), 0)
    atoms.select(np.empty(0, np.int64))
    atoms.append(**many)


def nearest_cells(atoms: Atoms, box: Box, kind: Kind) -> np.ndarray:
    """For each atom and each atom of its links the image (n, W * size, 3) nearest to it, counted in boxes."""
    ids, x = atoms.read(kind.atoms), atoms.read("x")
    rows = rows_of(atoms, ids)
    apart = box.to_fraction(x)[rows] - box.to_fraction(x)[:, None, :]
    return np.where((rows >= 0)[:, :, None] & np.asarray(box.periodic), -np.rint(apart), 0).astype(np.int64)
