"""Chemical potentials by atoms that are put in for a try."""

from __future__ import annotations

import math

import numpy as np

from everlet.errors import InputError, arguments, integer, number, unknown
from everlet.fixes.base import fix_style
from everlet.fixes.population.base import Population
from everlet.fixes.population.monte_carlo import AT_ONCE, Gathered, atoms_alone, check_particle, of_single_pairs
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.random import ParkMiller
from everlet.state.system import System

USAGE = "fix ID group widom N M TYPE SEED T [charge Q] [region ID]"
SAMPLES = 10_000_000


@fix_style("widom")
class Widom(Population):
    """fix ID group widom N M TYPE SEED T [charge Q] [region ID]: every N steps, first in the next one, M places are
    chosen at random in the box, or the region, and the energy U is found that an atom of TYPE would have there.

    f_ID[1]: -k T ln <exp(-U / kT)>, f_ID[2]: that mean, f_ID[3]: the volume, of a region as SAMPLES places find it. Places
    are those of the reference. Of pair styles of distances, without a tail, links and long-range charges; works on the host.
    """

    gives = Gives(vector=INTENSIVE, length=3)
    keeps = ("due", "values", "part")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 5, None, USAGE)
        atoms_alone("widom", args[5:], ("mol", "full_energy", "intra_energy"), USAGE)
        self.freq, self.trials = (integer(word, "a number of steps or places") for word in args[:2])
        self.type, self.stream = system.type_of(args[2]), ParkMiller(integer(args[3], "a seed"))
        self.kt = system.units.boltz * number(args[4], "a temperature")
        if self.freq < 1 or self.trials < 1 or self.kt <= 0.0:
            raise InputError(f"fix widom {' '.join(args[:2])} … {args[4]}", "N and M must be 1 or more, and T above 0")
        self.charge, self.region = 0.0, ""
        for word, value in zip(args[5::2], [*args[6::2], ""], strict=False):
            if word == "charge":
                self.charge = number(value, "a charge")
            elif word == "region":
                self.region = self.region_named(value).name
            else:
                raise unknown("keyword of fix widom", word, ("charge", "region"), f"usage: {USAGE}")
        check_particle(system, "widom", "charge" in args[5::2])
        self.due = system.step + 1
        self.values, self.part = np.zeros(2), self._part() if self.region else 0.0

    def _part(self) -> float:
        """The volume of the region: of SAMPLES places in what it lies in, so many are in it."""
        region, inside = self.region_named(self.region), 0
        box = self.system.need_box()
        (low, high), (box_low, box_high) = region.extent or (box.lo, box.hi), box.bounds()
        if (low < box_low).any() or (high > box_high).any():
            raise InputError(f"fix widom: region {region.name} extends outside of the box", "make it smaller")
        for first in range(0, SAMPLES, AT_ONCE):
            places = low + self.stream.uniforms(3 * min(AT_ONCE, SAMPLES - first)).reshape(-1, 3) * (high - low)
            inside += int(region.inside(places).sum())
        if not inside:
            raise InputError(f"fix widom: region {region.name} has no volume", "use one that has some")
        return float(np.prod(high - low)) * inside / SAMPLES

    def init(self) -> None:
        if self.system.pair is not None and self.system.evaluator is not None and not of_single_pairs(self.system):
            raise InputError(f"fix {self.id}: energies of single atoms are not sums of pairs here",
                             "use a pair style of distances, without tail, links and kspace_style")

    def act(self) -> None:
        system = self.system
        self.init()
        atoms, box = Gathered(system, f"fix {self.id}"), system.need_box()
        region = self.region_named(self.region) if self.region else None
        low, high = (box.lo, box.hi) if region is None else region.extent or (box.lo, box.hi)
        total, missing = 0.0, self.trials
        while missing:
            places = low + self.stream.uniforms(3 * min(missing, AT_ONCE)).reshape(-1, 3) * (high - low)
            if region is not None:
                places = places[region.inside(places)]
            missing -= len(places)
            if len(places):
                total += float(np.exp(-atoms.energies(places, self.type, self.charge) / self.kt).sum())
        mean = total / self.trials
        self.values = np.array([-self.kt * math.log(mean) if mean > 0.0 else math.inf, mean])
        self.due = system.step + self.freq

    def vector(self) -> np.ndarray:
        return np.append(self.values, self.part or self.system.need_box().volume)
