"""create_atoms: atoms on lattice sites, at one place or at random places.

    create_atoms TYPE box [basis M TYPE]*                        all lattice sites in the box
    create_atoms TYPE region ID [basis M TYPE]*                  all lattice sites in the region and the box
    create_atoms TYPE single x y z [remap yes|no]                one atom; remap: wrap it into a periodic box
         [subset N SEED] [ratio F SEED]                          of the sites: N of them, or this part, at random
    create_atoms TYPE random N SEED REGION|NULL [maxtry M]       N atoms in region and box, uniform, M tries for each
         [overlap D]                                             none nearer to another atom than D
    all: [units lattice|box]                                     what x y z of single and D are measured in
         [var NAME] [set x XNAME] [set y YNAME] [set z ZNAME]    only where a variable is not 0; internal variables have
                                                                 the position
         [mol ID SEED [rotate ANGLE X Y Z]]                      molecules instead of atoms (commands/create_molecules.py)

Ids continue after the largest one, in the order of creation; new atoms are at rest and in group all.
Sites run over cells along a3 slowest, then a2, then a1, then over the basis. A site is in the box if lo <= x < hi,
where both faces of periodic dimensions are first moved down by 1 and 2 millionths of the edge, so that round-off
neither loses a site on a face nor makes it twice. Faces of regions belong to them. In a lattice that is turned or has
skew vectors, sites come to lie beside such faces, and those of other dimensions, by their last bits: there, who is
nearer than a millionth of a millionth of the box is on the face.
"""

from __future__ import annotations

import itertools
import math
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of, unknown, yes_no
from everlet.script.commands.create import find_region
from everlet.script.commands.create_molecules import create_molecules
from everlet.script.commands.create_random import at_random, chosen_by, some
from everlet.script.registry import command
from everlet.state.box import Box
from everlet.state.lattice import Lattice
from everlet.state.molecule import known_template
from everlet.state.regions import Region
from everlet.state.room import check_room
from everlet.state.system import System

USAGE = "create_atoms TYPE box | region ID | single x y z | random N SEED REGION"
WORDS = {"box": 0, "region": 1, "single": 3, "random": 3}  # arguments of each style
FACE = 1e-6  # how far periodic faces move, as a part of the edge
ROUNDING = 1e-12  # of coordinates that are sums of products, as a part of the largest
TRIES = 1000
# options and the styles that take them
OPTIONS = {"basis": ("box", "region"), "remap": ("single",), "maxtry": ("random",), "units": tuple(WORDS), "mol": tuple(WORDS),
           "rotate": tuple(WORDS), "subset": ("box", "region"), "ratio": ("box", "region"), "overlap": ("random",),
           "var": ("box", "region", "random"), "set": ("box", "region", "random")}
# of options that take more than one
VALUES = {"basis": "M TYPE", "mol": "ID SEED", "rotate": "ANGLE X Y Z", "subset": "N SEED", "ratio": "F SEED",
          "set": "x|y|z NAME"}
NOT_YET = ("group", "radscale", "meshmode", "radthresh")


@dataclass
class Options:
    basis: dict[int, int] = field(default_factory=dict)  # basis site (from 0) -> type
    remap: bool = False
    box_units: bool = False
    maxtry: int = TRIES
    mol: tuple[str, int] | None = None  # a template and a seed of rotations
    rotate: list[float] = field(default_factory=list)  # angle in degrees, and axis
    subset: tuple[str, float, int] | None = None  # subset or ratio, how many, a seed
    overlap: float = 0.0
    var: str = ""
    internal: dict[str, str] = field(default_factory=dict)  # axis -> internal variable that holds the coordinate


def read_options(system: System, style: str, words: list[str]) -> Options:
    options = Options()
    while words:
        word, values = words[0], words[1:]
        if word in NOT_YET:
            raise InputError(f"create_atoms option {word} is not supported yet",
                             f"supported: {', '.join(OPTIONS)}")
        one_of("create_atoms option", word, OPTIONS)
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
        elif word in ("subset", "ratio"):
            options.subset = (word, number(values[0], "a number of sites"), integer(values[1], "a random seed"))
        elif word == "overlap":
            options.overlap = number(values[0], "a distance")
            if options.overlap <= 0.0:
                raise InputError("create_atoms overlap must be above 0", "leave it out, or give a distance")
        elif word == "var":
            options.var = values[0]
        elif word == "set":
            one_of("create_atoms set", values[0], ("x", "y", "z"))
            options.internal[values[0]] = values[1]
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
    if bool(options.var) != bool(options.internal):
        raise InputError("create_atoms var and set belong together", "for example: var v set x xx set y yy")
    return options


@command("create_atoms", stored=True, seed=(2, "random", 4))
def create_atoms(sim: Any, args: list[str]) -> None:
    arguments(args, 2, None, USAGE)
    begin = time.perf_counter()
    system: System = sim.system
    box = system.need_box()
    style = args[1]
    if style == "mesh":
        raise InputError("create_atoms mesh is not supported", f"usage: {USAGE}")
    one_of("create_atoms style", style, WORDS)
    words = args[2 : 2 + WORDS[style]]
    arguments(words, WORDS[style], WORDS[style], USAGE)
    options = read_options(system, style, args[2 + WORDS[style] :])
    wanted_here = chosen_by(sim, options)
    kind = integer(args[0], "an atom type, or 0") if options.mol is not None else system.type_of(args[0])
    rotations = None
    if style == "single":
        x = single(system, box, words, options)
        if len(x) == 0:
            sim.log.warning(f"no atom was created: {' '.join(words)} is outside the box")
        types = np.full(len(x), kind)
    elif style == "random":
        x, rotations = at_random(sim, words, options, wanted_here)
        types = np.full(len(x), kind)
    else:
        if system.lattice is None or system.lattice.style == "none":
            raise InputError(f"create_atoms {style} needs a lattice", "use the lattice command first")
        if system.lattice.general and not box.triclinic:
            raise InputError("a lattice with triclinic/general is for boxes along its vectors",
                             "use create_box N NULL ALO AHI BLO BHI CLO CHI, or leave triclinic/general out")
        x, site = fill(system.lattice, box, find_region(system, words[0]) if words else None)
        kept = np.flatnonzero(wanted_here(x))
        kept = kept[some(options.subset, len(kept))] if options.subset else kept
        x, site = x[kept], site[kept]
        by_site = np.array([options.basis.get(m, kind) for m in range(len(system.lattice.basis))])
        types = by_site[site]
    before = system.atoms.n
    if options.mol is not None:
        create_molecules(system, known_template(system, options.mol[0]), x, types, options.mol[1], options.rotate, rotations)
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
    unit, periodic = np.ones(3) if box.triclinic else box.lengths, np.array(box.periodic)
    near = ROUNDING * max(np.abs(low).max(), np.abs(high).max()) if lattice.rounds else 0.0
    down = np.where(periodic, FACE * unit, near * unit / box.lengths)
    end = np.where(periodic, 2.0 * down, down)
    nb = len(lattice.basis)
    layers = 1 if region is not None else last[2] - first[2] + 1  # of a region nobody knows how many sites are in it
    check_room(float(last[0] - first[0] + 1) * (last[1] - first[1] + 1) * nb * layers)
    i, j, m = np.arange(first[0], last[0] + 1), np.arange(first[1], last[1] + 1), np.arange(nb)
    jj, ii, mm = (a.reshape(-1) for a in np.meshgrid(j, i, m, indexing="ij"))
    positions, sites = [], []
    layer = np.stack([ii, jj, np.zeros_like(ii)], axis=1) + lattice.basis[mm]
    for k in range(first[2], last[2] + 1):
        layer[:, 2] = k + lattice.basis[mm, 2]
        x = lattice.to_box(layer)
        at, lo, hi = place(box, x)
        keep = np.asarray(((at >= lo - down) & (at < hi - end)).all(axis=1))
        if region is not None:
            keep[keep] = inside(region, x[keep], near)
        if near and not box.triclinic:
            x = np.where(periodic, x, np.maximum(x, box.lo))  # a site on a face that ends the box is in it
        positions.append(x[keep])
        sites.append(mm[keep])
    return np.concatenate(positions), np.concatenate(sites)


def inside(region: Region, x: np.ndarray, near: float) -> np.ndarray:
    """True for positions (n, 3) in the region or so near to it."""
    found = region.inside(x)
    for way in itertools.product((-near, near), repeat=3) if near else ():
        found[~found] = region.inside(x[~found] + np.array(way))
    return found
