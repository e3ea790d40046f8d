"""Random choices of create_atoms: positions, sites, and where a variable wants atoms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.errors import InputError, integer
from everlet.script.commands.create import find_region
from everlet.state.box import Box
from everlet.state.molecule import at_random as random_rotation
from everlet.state.molecule import known_template, placed, turned
from everlet.state.random import Marsaglia, ParkMiller
from everlet.state.room import check_room

WARM = 30  # draws thrown away before random positions
BLOCK = 1 << 14  # random trials made at once
Test = Callable[[np.ndarray], np.ndarray]  # positions (n, 3) -> bool (n,)


def chosen_by(sim: Any, options: Any) -> Test:
    """Where the variable of the option var is not 0. Internal variables have the coordinates then."""
    if not options.var:
        return lambda x: np.ones(len(x), bool)
    known = sim.variables
    if known.style(options.var) != "equal":
        raise InputError(f"create_atoms var {options.var}: the variable is of style {known.style(options.var)}",
                         "use an equal-style variable")
    for name in options.internal.values():
        if known.style(name) != "internal":
            raise InputError(f"create_atoms set: variable '{name}' is of style {known.style(name)}",
                             f"define it with: variable {name} internal 0.0")

    def test(x: np.ndarray) -> np.ndarray:
        given = {name: x[:, "xyz".index(axis)] for axis, name in options.internal.items()}
        return np.broadcast_to(np.asarray(known.for_many(options.var, given)) != 0.0, (len(x),))

    return test


def some(subset: tuple[str, float, int], count: int) -> np.ndarray:
    """Which of so many sites the options subset and ratio choose: bool (count,)."""
    word, amount, seed = subset
    wanted = int(amount * count) if word == "ratio" else int(amount)
    if not 0 <= wanted <= count or word == "ratio" and amount > 1.0:
        raise InputError(f"create_atoms {word} {amount:g}: there are {count} sites", "give a smaller number")
    return Marsaglia(seed).subset(wanted, count)


class Crowd:
    """Places of atoms that new ones must not be near to."""

    def __init__(self, box: Box, x: np.ndarray, distance: float, room: int):
        self.box, self.square, self.count = box, distance * distance, len(x)
        self.x = np.concatenate([x, np.empty((room, 3))])

    def free(self, new: np.ndarray) -> bool:
        """No atom is nearer to one of the positions (n, 3) than the distance."""
        for one in new:
            d = self.box.to_fraction(self.x[: self.count]) - self.box.to_fraction(one[None])
            d[:, np.asarray(self.box.periodic)] -= np.rint(d[:, np.asarray(self.box.periodic)])
            r = self.box.from_fraction(d) - self.box.lo
            if ((r * r).sum(axis=1) < self.square).any():
                return False
        return True

    def add(self, new: np.ndarray) -> None:
        self.x[self.count : self.count + len(new)] = new
        self.count += len(new)


def at_random(sim: Any, words: list[str], options: Any, wanted_here: Test) -> tuple[np.ndarray, list[np.ndarray] | None]:
    """Positions (n, 3) of create_atoms random; with overlap also the rotations of molecules for which there is room."""
    system = sim.system
    box, wanted, seed = system.need_box(), integer(words[0], "a number of atoms"), integer(words[1], "a random seed")
    region = None if words[2] == "NULL" else find_region(system, words[2])
    if wanted < 0:
        raise InputError(f"cannot create {wanted} random atoms", "give a number of 0 or more")
    check_room(wanted)
    low, high = box.bounds()
    if region is not None and region.extent is not None:
        low, high = np.maximum(low, region.extent[0]), np.minimum(high, region.extent[1])
        if (low > high).any():
            raise InputError(f"region {region.name} and the box have no place in common", "choose another region")
    middle = low[2] + 0.5 * (high[2] - low[2])
    stream = ParkMiller(seed)
    stream.skip(WARM)

    def trials() -> tuple[np.ndarray, np.ndarray]:
        """The next positions, and which of them are in box and region."""
        x = low + stream.uniforms(3 * BLOCK).reshape(-1, 3) * (high - low)
        if box.dimension == 2:
            x[:, 2] = middle
        good = wanted_here(x) & (True if region is None else region.inside(x))
        if box.triclinic:
            s = box.to_fraction(x)
            good = good & ((s >= 0.0) & (s < 1.0)).all(axis=1)
        return x, good

    rotations: list[np.ndarray] | None = None
    if options.overlap:
        x, rotations = with_room(sim, trials, wanted, options)
    else:
        x = anywhere(trials, wanted, options.maxtry)
    if len(x) < wanted:
        what = "molecules" if options.mol else "atoms"
        sim.log.warning(f"only {len(x)} of {wanted} {what} were created: the others found no place in {options.maxtry} tries")
    return x, rotations


def anywhere(trials: Callable[[], tuple[np.ndarray, np.ndarray]], wanted: int, maxtry: int) -> np.ndarray:
    """Up to `wanted` good positions; an atom with no success in `maxtry` tries is left out."""
    parts, left, failed = [np.empty((0, 3))], wanted, 0  # `failed`: tries without success for the atom at hand
    while left > 0:
        x, good = trials()
        hits = np.flatnonzero(good)
        gaps = np.diff(hits, prepend=-1) - 1  # failures before each success
        gaps[:1] += failed
        failed = len(x) - 1 - hits[-1] if len(hits) else failed + len(x)
        used = np.cumsum(gaps // maxtry + 1)  # atoms done with at each success, given up or made
        parts.append(x[hits[used <= left]])
        left -= int(used[-1]) if len(used) else 0
        left -= failed // maxtry
        failed %= maxtry
    return np.concatenate(parts)


def with_room(sim: Any, trials: Callable[[], tuple[np.ndarray, np.ndarray]], wanted: int, options: Any
              ) -> tuple[np.ndarray, list[np.ndarray] | None]:
    """The same, and no atom nearer to others than the option overlap says, those made before it too."""
    system, template = sim.system, None if options.mol is None else known_template(sim.system, options.mol[0])
    size = 1 if template is None else template.atoms
    per = 1.0 if options.box_units or system.lattice is None else float(system.lattice.spacing[0])
    crowd = Crowd(system.need_box(), system.atoms.read("x"), options.overlap * per, wanted * size)
    spin = None if options.mol is None else Marsaglia(options.mol[1])
    fixed = turned(np.radians(options.rotate[0]), np.array(options.rotate[1:])) if options.rotate else None
    found: list[np.ndarray] = []
    rotations: list[np.ndarray] = []
    failed = given_up = 0
    while len(found) + given_up < wanted:
        x, good = trials()
        for place, fits in zip(x, good.tolist(), strict=True):
            if len(found) + given_up == wanted:
                break
            new, rotation = place[None], np.eye(3)
            if fits and template is not None and spin is not None:
                rotation = fixed if fixed is not None else random_rotation(spin, system.dimension)
                new = placed(template, place[None], [rotation])
            if fits and crowd.free(new):
                crowd.add(new)
                found.append(place)
                rotations.append(rotation)
                failed = 0
                continue
            failed += 1
            if failed == options.maxtry:
                given_up, failed = given_up + 1, 0
    return np.array(found).reshape(-1, 3), rotations if template is not None else None
