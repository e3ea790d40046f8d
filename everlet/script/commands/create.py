"""lattice, region, create_box: the space to put atoms in.

    lattice STYLE SCALE [options]                   see everlet.state.lattice
    region ID STYLE args [options]                  see everlet.state.regions
    region ID delete
    create_box N REGION                             N atom types; a prism gives a triclinic box
    create_box N NULL alo ahi blo bhi clo chi       cells of a lattice with triclinic/general, along its vectors a1 a2 a3
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.comm.cuts import choose_grid
from everlet.errors import InputError, arguments, integer, number, one_of
from everlet.script.registry import command
from everlet.state.atom_styles import styles_with
from everlet.state.box import Box
from everlet.state.lattice import Lattice
from everlet.state.regions import Prism, Region, make_region
from everlet.state.system import System
from everlet.state.topology import KINDS, has

USAGE = "create_box N REGION|NULL ALO AHI BLO BHI CLO CHI [bond/types N] [extra/bond/per/atom N] ... [extra/special/per/atom N]"


@command("lattice")
def lattice(sim: Any, args: list[str]) -> None:
    sim.system.lattice = Lattice.parse(args, sim.system.units, sim.system.dimension)
    if sim.system.lattice.style != "none":
        sim.log.write(str(sim.system.lattice))


@command("region", changes=("words",))
def region(sim: Any, args: list[str]) -> None:
    arguments(args, 2, None, "region ID STYLE args, or region ID delete")
    system: System = sim.system
    name, style = args[:2]
    if style == "delete":
        arguments(args, 2, 2, "region ID delete")
        find_region(system, name)
        del system.regions[name]
        return
    if name in system.regions:
        raise InputError(f"region {name} exists already", f"use another name, or first: region {name} delete")
    system.regions[name] = make_region(system, name, style, args[2:])


def find_region(system: System, name: str) -> Region:
    """A region by name, or an error with the nearest names."""
    one_of("region", name, system.regions)
    return system.regions[name]


@command("create_box", stored=True, makes_box=True)
def create_box(sim: Any, args: list[str]) -> None:
    arguments(args, 2, None, USAGE)
    system: System = sim.system
    if system.box is not None:
        raise InputError("a box exists already", "leave out create_box, or use clear first")
    words = [f"{name}/types" for name in KINDS] + [f"extra/{name}/per/atom" for name in (*KINDS, "special")]
    extra = dict.fromkeys(words, 0)
    options = args[8:] if args[1] == "NULL" else args[2:]
    for option, value in zip(options[::2], [*options[1::2], ""][: len(options[::2])], strict=True):
        one_of("create_box option", option, extra)
        extra[option] = integer(value, f"a number after {option}")
        if extra[option] < 0:
            raise InputError(f"{option} cannot be negative: {value}", "give 0 or more")
    for name, kind in KINDS.items():
        if (extra[f"{name}/types"] or extra[f"extra/{name}/per/atom"]) and not has(system.atoms, kind):
            raise InputError(f"atom style {system.atom_style.name} has no {kind.plural}",
                             f"use atom_style {' or '.join(styles_with(kind.atoms))} before the box is made")
    ntypes = integer(args[0], "a number of atom types")
    if ntypes < 1:
        raise InputError(f"create_box needs 1 or more atom types, found {ntypes}", "usage: create_box N REGION")
    box = box_of_cells(system, args[2:8]) if args[1] == "NULL" else box_of(system, find_region(system, args[1]))
    sim.log.write(f"Created {box}")
    if box.skew():
        sim.log.warning(f"the tilt {box.skew()} is more than half the box edge: the run will be slow")
    box.expand()
    grid = choose_grid(system.world.size, box, system.processors)
    sim.log.write(f"  {' by '.join(map(str, grid))} MPI processor grid")
    system.topology.types = {name: extra[f"{name}/types"] for name in KINDS}
    system.topology.extra = {name: extra[f"extra/{name}/per/atom"] for name in KINDS}
    system.box = box
    system.masses = np.zeros(ntypes + 1)


def box_of_cells(system: System, words: list[str]) -> Box:
    """The box of create_box N NULL, turned so that its first edge lies along x and its second in the xy plane."""
    arguments(words, 6, 6, "create_box N NULL ALO AHI BLO BHI CLO CHI")
    if system.lattice is None or not system.lattice.general:
        raise InputError("create_box N NULL needs a lattice that says where the box points",
                         "for example: lattice custom 1.0 a1 … a2 … a3 … basis 0 0 0 triclinic/general")
    limits = [number(word, "a number of cells") for word in words]
    lo, hi = limits[::2], limits[1::2]
    if any(low >= high for low, high in zip(lo, hi, strict=True)):
        raise InputError(f"a box of no cells: {' '.join(words)}", "give a lower and a higher number for each vector")
    if system.dimension == 2 and (lo[2], hi[2]) != (-0.5, 0.5):
        raise InputError("a 2-d box of cells goes from -0.5 to 0.5 along the third vector", "give -0.5 0.5")
    corner, (a, b, c) = system.lattice.block(lo, hi)
    return Box(corner, corner + (a[0], b[1], c[2]), b[0], c[0], c[1], boundary=system.boundary, dimension=system.dimension,
               triclinic=True)


def box_of(system: System, region: Region) -> Box:
    """The box that a region describes: itself for a prism, else its bounding box."""
    if region.extent is None:
        raise InputError(f"region {region.name} has no bounding box to make a simulation box of",
                         "use a finite region with side in")
    low, high = region.extent
    tilt = (0.0, 0.0, 0.0)
    if isinstance(region, Prism):
        low, high, tilt = region.lo, region.hi, (region.xy, region.xz, region.yz)
    if system.dimension == 2:
        if not low[2] < 0.0 < high[2]:
            raise InputError("the box of a 2-d simulation must reach below and above z = 0",
                             "for example: region ID block 0 10 0 10 -0.5 0.5")
        if system.boundary.split()[2] not in ("p", "pp"):
            raise InputError("a 2-d simulation must be periodic in z", "for example: boundary f f p")
    return Box(low, high, *tilt, boundary=system.boundary, dimension=system.dimension,
               triclinic=isinstance(region, Prism))
