"""create_atoms: atoms on lattice sites, at one place or at random places.

    create_atoms TYPE box [basis M TYPE]*                        all lattice sites in the box
    create_atoms TYPE region ID [basis M TYPE]*                  all lattice sites in the region and the box
    create_atoms TYPE single x y z [remap yes|no]                one atom; remap: wrap it into a periodic box
    create_atoms TYPE random N SEED REGION|NULL [maxtry M]       N atoms in region and box, uniform, M tries for each
    all: [units lattice|box]                                     what x y z of single are measured in
         [mol ID SEED [rotate ANGLE X Y Z]]                      molecules instead of atoms (commands/create_molecules.py)

Ids continue after the largest one, in the order of creation; new atoms are at rest and in group all.
Sites run over cells along a3 slowest, then a2, then a1, then over the basis. A site is in the box if lo <= x < hi,
where both faces of periodic dimensions are first moved down by 1 and 2 millionths of the edge, so that round-off
neither loses a site on a face nor makes it twice.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, number, unknown, yes_no
from everlet.io.molecule_file import known_template
from everlet.script.commands.create import find_region
from everlet.script.commands.create_molecules import create_molecules
from everlet.script.registry import command
from everlet.state.box import Box
from everlet.state.lattice import Lattice
from everlet.state.random import ParkMiller
from everlet.state.regions import Region
from everlet.state.system import System

USAGE = "create_atoms TYPE box | region ID | single x y z | random N SEED REGION"
WORDS = {"box": 0, "region": 1, "single": 3, "random": 3}  # arguments of each style
FACE = 1e-6  # how far periodic faces move, as a part of the edge
WARM = 30  # draws thrown away before random positions
TRIES = 1000
BLOCK = 1 << 14  # random trials made at once
# options and the styles that take them
OPTIONS = {"basis": ("box", "region"), "remap": ("single",), "maxtry": ("random",), "units": tuple(WORDS), "mol": tuple(WORDS),
           "rotate": tuple(WORDS)}
VALUES = {"basis": "M TYPE", "mol": "ID SEED", "rotate": "ANGLE X Y Z"}  # of options that take more than one
NOT_YET = ("var", "set", "ratio", "subset", "overlap", "group", "radscale", "meshmode")


@dataclass
class Options:
    basis: dict[int, int] = field(default_factory=dict)  # basis site (from 0) -> type
    remap: bool = False
    box_units: bool = False
    maxtry: int = TRIES
    mol: tuple[str, int] | None = None  # a template and a seed of rotations
    rotate: list[float] = field(default_factory=list)  # angle in degrees, and axis


def read_options(system: System, style: str, words: list[str]) -> Options:
    options = Options()
    while words:
        word, values = words[0], words[1:]
        if word in NOT_YET:
            raise InputError(f"create_atoms option {word} is not supported yet",
                             f"supported: {', '.join(OPTIONS)}")
        if word not in OPTIONS:
            raise unknown("create_atoms option", word, OPTIONS)
        if style not in OPTIONS[word]:
            raise InputError(f"create_atoms {style} has no use for the option {word}",
                             f"it is for create_atoms {' and '.join(OPTIONS[word])}")
        usage = VALUES.get(word, "VALUE")
        count = len(usage.split())
        arguments(values[:count], count, count, f"create_atoms ... {word} {usage}")
        if word == "basis":
            sites = 0 if system.lattice is None else len(system.lattice.basis)
            site = integer(values[0], "a basis site")
            if not 1 <= site <= sites:
                raise InputError(f"basis site {site} is out of range: the lattice has {sites} sites",
                                 "sites are counted from 1")
            options.basis[site - 1] = system.type_of(values[1])
        elif word == "remap":
            options.remap = yes_no(values[0], "create_atoms remap")
        elif word == "mol":
            options.mol = (values[0], integer(values[1], "a random seed"))
        elif word == "rotate":
            options.rotate = [number(value, "an angle or an axis") for value in values[:4]]
        elif word == "maxtry":
            options.maxtry = integer(values[0], "a number of tries")
            if options.maxtry < 1:
                raise InputError("create_atoms maxtry must be 1 or more", "for example: maxtry 1000")
        elif values[0] in ("lattice", "box"):
            options.box_units = values[0] == "box"
        else:
            raise unknown("create_atoms units", values[0], ("lattice", "box"))
        words = words[1 + count :]
    if options.rotate and options.mol is None:
        raise InputError("create_atoms rotate turns molecules, and none is named", "use it with: mol ID SEED")
    return options


@command("create_atoms")
def create_atoms(sim: Any, args: list[str]) -> None:
    arguments(args, 2, None, USAGE)
    begin = time.perf_counter()
    system: System = sim.system
    box = system.need_box()
    style = args[1]
    if style == "mesh":
        raise InputError("create_atoms mesh is not supported", f"usage: {USAGE}")
    if style not in WORDS:
        raise unknown("create_atoms style", style, WORDS)
    words = args[2 : 2 + WORDS[style]]
    arguments(words, WORDS[style], WORDS[style], USAGE)
    options = read_options(system, style, args[2 + WORDS[style] :])
    kind = integer(args[0], "an atom type, or 0") if options.mol is not None else system.type_of(args[0])
    if style == "single":
        x = single(system, box, words, options)
        if len(x) == 0:
            sim.log.warning(f"no atom was created: {' '.join(words)} is outside the box")
        types = np.full(len(x), kind)
    elif style == "random":
        wanted, seed = integer(words[0], "a number of atoms"), integer(words[1], "a random seed")
        x = scatter(box, wanted, seed, None if words[2] == "NULL" else find_region(system, words[2]), options.maxtry)
        if len(x) < wanted:
            sim.log.warning(f"only {len(x)} of {wanted} atoms were created: the others found no place "
                            f"in {options.maxtry} tries")
        types = np.full(len(x), kind)
    else:
        if system.lattice is None or system.lattice.style == "none":
            raise InputError(f"create_atoms {style} needs a lattice", "use the lattice command first")
        x, site = fill(system.lattice, box, find_region(system, words[0]) if words else None)
        by_site = np.array([options.basis.get(m, kind) for m in range(len(system.lattice.basis))])
        types = by_site[site]
    before = system.atoms.n
    if options.mol is not None:
        create_molecules(system, known_template(system, options.mol[0]), x, types, options.mol[1], options.rotate)
    else:
        ids = system.atoms.read("id")
        first = int(ids.max()) + 1 if len(ids) else 1
        system.atoms.append(x=x, type=types, id=np.arange(first, first + len(x)))
        system.topology.stale = True
    sim.log.write(f"Created {system.atoms.n - before} atoms")
    sim.log.write(f"  using {'box' if options.box_units else 'lattice'} units in {box}")
    sim.log.write(f"  create_atoms CPU = {time.perf_counter() - begin:.3f} seconds")


def single(system: System, box: Box, words: list[str], options: Options) -> np.ndarray:
    """The position as (1, 3), or (0, 3) if it is outside the box."""
    x = np.array([[number(word, "a coordinate") for word in words]])
    if system.lattice is not None and not options.box_units:
        x *= system.lattice.spacing
    if options.remap:
        box.wrap(x, np.zeros((1, 3), np.int64))
    at, lo, hi = place(box, x)
    return x[((at >= lo) & (at < hi)).all(axis=1)]


def place(box: Box, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What to compare with which limits: positions with the box faces, or fractions with 0 and 1 in a tilted box."""
    if box.triclinic:
        return box.to_fraction(x), np.zeros(3), np.ones(3)
    return x, box.lo, box.hi


def fill(lattice: Lattice, box: Box, region: Region | None) -> tuple[np.ndarray, np.ndarray]:
    """Positions (n, 3) of all lattice sites in box and region, and their basis sites (n,)."""
    low, high = box.bounds()
    corners = np.array([[(low, high)[i][0], (low, high)[j][1], (low, high)[k][2]]
                        for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    cells = lattice.to_lattice(corners)
    first = [math.floor(c) - 1 for c in cells.min(axis=0)]  # one more cell: basis sites reach into the next
    last = [math.ceil(c) + 1 for c in cells.max(axis=0)]
    if box.dimension == 2:
        first[2] = last[2] = 0
    shift = FACE * (np.ones(3) if box.triclinic else box.lengths) * np.array(box.periodic)
    nb = len(lattice.basis)
    i, j, m = np.arange(first[0], last[0] + 1), np.arange(first[1], last[1] + 1), np.arange(nb)
    jj, ii, mm = (a.reshape(-1) for a in np.meshgrid(j, i, m, indexing="ij"))
    positions, sites = [], []
    layer = np.stack([ii, jj, np.zeros_like(ii)], axis=1) + lattice.basis[mm]
    for k in range(first[2], last[2] + 1):
        layer[:, 2] = k + lattice.basis[mm, 2]
        x = lattice.to_box(layer)
        at, lo, hi = place(box, x)
        keep = ((at >= lo - shift) & (at < hi - 2.0 * shift)).all(axis=1)
        if region is not None:
            keep[keep] = region.inside(x[keep])
        positions.append(x[keep])
        sites.append(mm[keep])
    return np.concatenate(positions), np.concatenate(sites)


def scatter(box: Box, wanted: int, seed: int, region: Region | None, maxtry: int) -> np.ndarray:
    """Up to `wanted` random positions in box and region; an atom with no success in `maxtry` tries is left out."""
    if wanted < 0:
        raise InputError(f"cannot create {wanted} random atoms", "give a number of 0 or more")
    low, high = box.bounds()
    if region is not None and region.extent is not None:
        low, high = np.maximum(low, region.extent[0]), np.minimum(high, region.extent[1])
        if (low > high).any():
            raise InputError(f"region {region.name} and the box have no place in common", "choose another region")
    middle = low[2] + 0.5 * (high[2] - low[2])
    stream = ParkMiller(seed)
    stream.skip(WARM)
    parts, left, failed = [], wanted, 0  # `failed`: tries without success for the atom at hand
    while left > 0:
        x = low + stream.uniforms(3 * BLOCK).reshape(-1, 3) * (high - low)
        if box.dimension == 2:
            x[:, 2] = middle
        good = np.ones(len(x), bool) if region is None else region.inside(x)
        if box.triclinic:
            s = box.to_fraction(x)
            good &= ((s >= 0.0) & (s < 1.0)).all(axis=1)
        hits = np.flatnonzero(good)
        gaps = np.diff(hits, prepend=-1) - 1  # failures before each success
        gaps[:1] += failed
        failed = len(x) - 1 - hits[-1] if len(hits) else failed + len(x)
        used = np.cumsum(gaps // maxtry + 1)  # atoms done with at each success, given up or made
        parts.append(x[hits[used <= left]])
        left -= int(used[-1]) if len(used) else 0
        left -= failed // maxtry
        failed %= maxtry
    return np.concatenate(parts) if parts else np.empty((0, 3))
