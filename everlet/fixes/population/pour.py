"""Grains that are poured into a region and fall, many at a time."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of
from everlet.fixes.base import fix_style
from everlet.fixes.forces.gravity import Gravity
from everlet.fixes.population.base import WARMUP, Population
from everlet.forces.pair.single import nearest
from everlet.state.atom_styles import need_field
from everlet.state.continuing import STEP
from everlet.state.random import ParkMiller
from everlet.state.regions import Block, Cylinder
from everlet.state.system import System

USAGE = ("fix ID group pour N TYPE SEED region ID [diam one D|range LO HI|poly N D1 P1 …] [dens LO HI] [vol FRACTION TRIES] "
         "[rate V] [vel VXLO VXHI VYLO VYHI VZ, in 2-d VXLO VXHI VY] [id max|next] [ignore]")
COUNTS = {"region": 1, "dens": 2, "vol": 2, "rate": 1, "id": 1}
REFUSED = ("mol", "molfrac", "rigid", "shake")


@fix_style("pour")
class Pour(Population):
    """fix ID group pour N TYPE SEED region ID [keyword …]: N grains of TYPE, as many at a time as fill FRACTION (0.25) of the
    region (of a range the largest ones), a block or a cylinder along z; the next ones come when these have fallen through it.

    The time is that of a fall by fix gravity over the height, from VZ (in 2-d VY) minus the `rate` at which the region rises.
    Sizes: `diam` (1), one, between LO and HI, or from a list with shares P; densities: `dens` (1 1). Each grain gets a height,
    with more of them near the top, then places across until no other grain is there, TRIES (50) for each at most; its speed
    down is that of having fallen so far. Each run begins with such a pouring. f_ID: how many have come. It works on the host.
    """

    reads = writes = ("x", "v", "type", "mask", "id", "image", "radius", "rmass")
    must_match = (STEP,)
    keeps = ("due", "count", "first", "largest")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, None, USAGE)
        need_field(system.atoms, "radius", f"fix {id} pour")
        self.most, self.type = integer(args[0], "a number of grains"), system.type_of(args[1])
        if self.most < 1:
            raise InputError(f"fix pour: {args[0]} grains", "give a number of 1 or more")
        self.up = 1 if system.dimension == 2 else 2
        self.sizes, self.shares = np.array([1.0, 1.0]), np.zeros(0)  # least and largest, or those of a list
        self.words = self._keywords(list(args[3:]))
        if "region" not in self.words:
            raise InputError("fix pour needs a region", f"usage: {USAGE}")
        self.region = self.words["region"][0]
        self.density = self._numbers("dens", (1.0, 1.0))
        self.rate = self._numbers("rate", (0.0,))[0]
        *across, self.fall = self._numbers("vel", (0.0,) * (3 if self.up == 1 else 5))
        self.across = [(across[k], across[k + 1]) for k in range(0, len(across), 2)]
        self.fraction = self._numbers("vol", (0.25, 50.0))[0]
        self.tries = integer(self.words.get("vol", ["", "50"])[1], "a number of tries")
        if not 0.0 < self.fraction <= 1.0 or self.tries < 1:
            raise InputError(f"fix pour vol {' '.join(self.words.get('vol', []))}", "give a share of 0 to 1, and 1 try or more")
        if self.sizes.min() <= 0.0 or self.density.min() <= 0.0:
            raise InputError("fix pour: diameters and densities must be above zero", "correct them")
        self._place_of_region()
        self.stream = ParkMiller(integer(args[2], "a seed"))
        self.stream.skip(WARMUP)
        self.due = self.first = system.step + 1
        self.largest = 0  # id that there was
        self.often, self.each, self.g = 0, 0, 0.0

    def _keywords(self, words: list[str]) -> dict[str, list[str]]:
        found = {}
        counts = COUNTS | {"vel": 3 if self.up == 1 else 5}
        while words:
            word = words.pop(0)
            if word in REFUSED:
                raise InputError(f"fix pour: the keyword '{word}' is not available", "leave it out")
            if word == "ignore":  # overlaps with lines, triangles and bodies, of which there are none
                continue
            if word == "diam":
                words = words[self._diameters(words):]
                continue
            one_of("keyword of fix pour", word, counts, f"usage: {USAGE}")
            arguments(words, counts[word], None, USAGE)
            found[word], words = words[: counts[word]], words[counts[word]:]
        one_of("id of fix pour", found.get("id", ["max"])[0], ("max", "next"))
        return found

    def _diameters(self, words: list[str]) -> int:
        """Read them; how many words they are."""
        arguments(words, 2, None, USAGE)
        kind = one_of("choice of fix pour diam", words[0], ("one", "range", "poly"), f"usage: {USAGE}")
        count = {"one": 1, "range": 2}.get(kind) or 1 + 2 * integer(words[1], "a number of sizes")
        arguments(words[1:], count, None, USAGE)
        values = np.array([number(word, "a diameter") for word in words[1 : 1 + count]])
        if kind == "poly":
            self.sizes, self.shares = values[1::2], values[2::2]
            if not len(self.sizes) or abs(self.shares.sum() - 1.0) > 1e-6:
                raise InputError("fix pour: the shares of diam poly must add up to 1", f"usage: {USAGE}")
        else:
            self.sizes = np.array([values[0], values[-1]])
        return 1 + count

    def _numbers(self, word: str, usual: tuple[float, ...]) -> np.ndarray:
        return np.array([number(value, f"a number of {word}") for value in self.words[word]] if word in self.words else usual)

    def _place_of_region(self) -> None:
        """Bounds of the region, and its area."""
        region = self.region_named(self.region)
        round_one = isinstance(region, Cylinder) and region.axis == 2 and self.up == 2
        if not (isinstance(region, Block) or round_one) or not region.interior or region.moves:
            raise InputError(f"fix pour: region {region.name} is no block and no cylinder along z that stands still",
                             "use such a region")
        assert region.extent is not None
        self.low, self.high = region.extent
        box_low, box_high = self.system.need_box().bounds()
        if (self.low < box_low).any() or (self.high > box_high).any():
            raise InputError(f"fix pour: region {region.name} extends outside of the box", "make it smaller")
        self.round = float(region.r_hi) if isinstance(region, Cylinder) else 0.0
        width = self.high - self.low
        self.area = np.pi * self.round**2 if self.round else float(width[0] * (max(width[1], 1.0) if self.up == 2 else 1.0))
        self.height = float(width[self.up])

    def inserted_radii(self) -> dict[int, float]:
        return {self.type: 0.5 * float(self.sizes.max())}

    def init(self) -> None:
        """How many grains come, and how often."""
        system = self.system
        found = [fix for fix in system.fixes.values() if isinstance(fix, Gravity)]
        if len(found) != 1:
            raise InputError(f"fix {self.id} pour needs one fix gravity, and there are {len(found)}",
                             "grains fall: use fix ID all gravity 1.0 vector 0 0 -1")
        pull = found[0].acceleration() * system.units.ftm2v
        self.g = -float(pull[self.up])
        if self.g <= 0.0 or np.abs(np.delete(pull, self.up)).max() > 1e-6 * self.g:
            raise InputError(f"fix {self.id} pour: gravity does not point straight down", "use vector 0 0 -1, in 2-d 0 -1 0")
        slow = self.fall - self.rate
        time = (slow + np.sqrt(slow * slow + 2.0 * self.g * self.height)) / self.g
        self.often = int(time / system.dt + 0.5)
        r = 0.5 * self.sizes
        volumes = 4.0 / 3.0 * np.pi * r**3 if self.up == 2 else np.pi * r**2
        one = float(volumes @ self.shares) if len(self.shares) else float(volumes.max())
        self.each = int(self.fraction * self.area * self.height / one)
        if self.often < 1 or self.each < 1:
            raise InputError(f"fix {self.id} pour: {self.each} grains every {self.often} steps",
                             "use a larger region, or `vol`")

    def setup(self) -> None:
        self.due = self.system.step + 1 if self.count < self.most else 0

    def resume(self) -> None:
        """The next pouring is that of the file."""

    # ---- a pouring
    def act(self) -> None:
        system, uniform = self.system, self.stream.uniform
        ids = self.largest_of("id")
        self.largest = max(self.largest, ids) if self.words.get("id") == ["next"] else ids
        risen = (system.step - self.first) * system.dt * self.rate
        low, high = float(self.low[self.up]) + risen, float(self.high[self.up]) + risen
        new = min(self.each, self.most - self.count)
        near = self._there(low, high)
        left = new * self.tries
        came: list[list[float]] = []
        while len(came) < new:
            height = high - uniform() ** 2 * (high - low)
            radius = self._radius()
            while left:
                left -= 1
                place = self._across(height)
                apart = nearest(system.need_box(), place - near[:, :3])
                if not ((apart**2).sum(axis=1) <= (radius + near[:, 3]) ** 2).any():
                    break
            else:
                break
            v = [a + uniform() * (b - a) for a, b in self.across]
            v.append(-float(np.sqrt(self.fall**2 + 2.0 * self.g * (high - height))))
            density = float(self.density[0]) + uniform() * float(self.density[1] - self.density[0])
            came.append([*place, radius, *v, *[0.0] * (2 - self.up), density])
            near = np.vstack([near, [*place, radius]])
        if len(came) < new:
            self.notes.append(f"WARNING: fix {self.id} found places for {len(came)} of {new} grains at step {system.step}")
        if came:
            self._append(np.array(came))
        self.due = self.due + self.often if self.count < self.most else 0

    def _there(self, low: float, high: float) -> np.ndarray:
        """x, y, z and radii of all grains that a new one could touch, of all ranks."""
        x, radius = self.system.atoms.read("x")[:, :3], self.system.atoms.read("radius")
        reach = radius + 0.5 * float(self.sizes.max())
        box = self.system.need_box()
        rows = (x[:, self.up] >= low - reach) & (x[:, self.up] <= high + reach) | box.periodic[self.up]
        mine = np.column_stack([x, radius])[rows]
        return np.array([row for part in self.system.ranks.all_of(mine.tolist()) for row in part]).reshape(-1, 4)

    def _radius(self) -> float:
        if len(self.shares):
            drawn = self.stream.uniform()
            return 0.5 * float(self.sizes[min(int(np.searchsorted(np.cumsum(self.shares), drawn)), len(self.sizes) - 1)])
        least, largest = self.sizes.tolist()
        return 0.5 * (least + (self.stream.uniform() * (largest - least) if largest > least else 0.0))

    def _across(self, height: float) -> np.ndarray:
        """A place at this height."""
        uniform = self.stream.uniform
        if not self.round:
            place = [a + uniform() * (b - a) for a, b in zip(self.low[: self.up], self.high[: self.up], strict=True)]
            return np.array([*place, height, *[0.0] * (2 - self.up)])
        while True:
            a, b = uniform() - 0.5, uniform() - 0.5
            if a * a + b * b < 0.25:
                centre = 0.5 * (self.low + self.high)
                return np.array([centre[0] + 2.0 * a * self.round, centre[1] + 2.0 * b * self.round, height])

    def _append(self, came: np.ndarray) -> None:
        """Rows of x y z, radius, v, density."""
        count, radius = len(came), came[:, 3]
        columns = {"x": came[:, :3], "v": came[:, 4:7], "id": self.largest + np.arange(1, count + 1), "type": self.type,
                   "mask": int(self.system.groups.bit("all")) | int(self.bit), "radius": radius,
                   "rmass": 4.0 / 3.0 * np.pi * radius**3 * came[:, 7]}
        self.largest += count
        self.count += count
        self.arrive(columns)
