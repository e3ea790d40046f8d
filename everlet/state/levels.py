"""Steps of several lengths: which forces are computed how often (run_style respa).

    level 1     the shortest step, h_1 = dt / (n_1 n_2 ... n_(N-1))
    level k     h_k = n_(k-1) h_(k-1): so many steps of the level below make one of this level
    level N     the timestep dt of the script

Forces of a level kick velocities by h_k/2 at the beginning and at the end of each of its steps (M. Tuckerman, B. J. Berne and
G. J. Martyna, J. Chem. Phys. 97, 1990 (1992)); positions move in the steps of level 1 alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from everlet.errors import InputError, arguments, integer, number, unknown

if TYPE_CHECKING:
    from everlet.state.system import System

LINKS = ("bond", "angle", "dihedral", "improper")
ZONED = ("inner", "middle")  # parts of pair forces that end in a zone between two distances
ORDER = (*LINKS, "pair", "inner", "middle", "outer", "kspace")
RUN_STYLES = ("verlet", "respa")
USAGE = ("run_style respa N n1 n2 ... [bond M] [angle M] [dihedral M] [improper M] [pair M] [inner M CUT1 CUT2] "
         "[middle M CUT1 CUT2] [outer M] [hybrid M1 M2 ...] [kspace M]")
FIELD = "respa."  # forces of a level: fields of atoms, from 1


@dataclass(frozen=True)
class Levels:
    """Levels count from 0 here.

    loops    steps of each level within one of the level above; of the last one 1
    of       the level of each part of the forces: bond, angle, dihedral, improper, kspace, and pair or inner middle outer
    zones    where inner and middle pair forces are switched off: from, to
    hybrid   levels of the sub-styles of a hybrid pair style
    """

    loops: tuple[int, ...]
    of: dict[str, int]
    zones: tuple[tuple[float, float], ...] = ()
    hybrid: tuple[int, ...] = ()
    words: tuple[str, ...] = field(default=(), compare=False)

    @property
    def top(self) -> int:
        return len(self.loops) - 1

    @property
    def divides(self) -> bool:
        """Pair forces are divided by distance."""
        return bool(self.zones)

    def steps(self, dt: float) -> list[float]:
        """The length of a step of each level."""
        return [dt / math.prod(self.loops[k:]) for k in range(len(self.loops))]

    def text(self) -> str:
        """For the log."""
        names = [part for part in ORDER if part in self.of]
        rows = [[part for part in names if self.of[part] == k] for k in range(len(self.loops))]
        for k, level in enumerate(self.hybrid):
            rows[level].append(f"hybrid-{k + 1}")
        return "\n".join(["Respa levels:", *(f"  {k + 1} = {' '.join(row)}" for k, row in enumerate(rows))])

    def fields(self, system: System) -> None:
        """Atoms have forces of each level, and no others."""
        wanted = [f"{FIELD}{k + 1}" for k in range(len(self.loops))]
        drop_levels(system, wanted)
        for name in wanted:
            if name not in system.atoms.fields:
                system.atoms.add_field(name, "float64", 3)

    @classmethod
    def parse(cls, words: list[str]) -> Levels:
        """The words behind run_style respa."""
        arguments(words, 1, None, USAGE)
        count = integer(words[0], "a number of levels")
        if count < 1:
            raise InputError(f"run_style respa {count}: there is at least one level", f"usage: {USAGE}")
        arguments(words[1:count], count - 1, count - 1, USAGE)
        loops = [integer(word, "a number of steps") for word in words[1:count]]
        if any(loop < 1 for loop in loops):
            raise InputError(f"run_style respa {' '.join(words[:count])}: a level has 1 or more steps within one of the next",
                             f"usage: {USAGE}")
        given, zones, hybrid = _parts(words[count:], count)
        _check(given, zones, hybrid, count)
        return cls((*loops, 1), _filled(given, hybrid, count), zones, hybrid, tuple(words))


def _level(words: list[str], part: str, count: int) -> int:
    if not words:
        raise InputError(f"run_style respa {part} needs a level", f"usage: {USAGE}")
    level = integer(words.pop(0), f"the level of {part} forces")
    if not 1 <= level <= count:
        raise InputError(f"run_style respa {part} {level}: there are levels 1 to {count}", "give one of them")
    return level - 1


def _parts(words: list[str], count: int) -> tuple[dict[str, int], tuple[tuple[float, float], ...], tuple[int, ...]]:
    """Levels that are given, zones of inner and middle forces, levels of sub-styles."""
    given: dict[str, int] = {}
    zones: dict[str, tuple[float, float]] = {}
    hybrid: list[int] = []
    words = list(words)
    while words:
        part = words.pop(0)
        if part == "hybrid":
            while words and words[0].isdecimal():
                hybrid.append(_level(words, part, count))
            if not hybrid:
                raise InputError("run_style respa hybrid needs a level for each sub-style", f"usage: {USAGE}")
        elif part not in ORDER:
            raise unknown("keyword of run_style respa", part, (*ORDER, "hybrid"), f"usage: {USAGE}")
        else:
            given[part] = _level(words, part, count)
            if part in ZONED:
                arguments(words[:2], 2, 2, f"run_style respa ... {part} M CUT1 CUT2")
                zones[part] = number(words.pop(0), "a distance"), number(words.pop(0), "a distance")
    return given, tuple(zones[part] for part in ZONED if part in zones), tuple(hybrid)


def _check(given: dict[str, int], zones: tuple[tuple[float, float], ...], hybrid: tuple[int, ...], count: int) -> None:
    """Pair forces are divided in one way, and nearer ones end where farther ones begin."""
    said = [part for part in ("pair", "inner", "hybrid") if part in given or part == "hybrid" and hybrid]
    if len(said) > 1:
        raise InputError(f"run_style respa has levels for {' and '.join(said)}", "use one of pair, inner … outer, and hybrid")
    if ("inner" in given) != ("outer" in given):
        raise InputError("run_style respa: inner and outer pair forces belong together", "give both, or pair")
    if "middle" in given and "inner" not in given:
        raise InputError("run_style respa: middle pair forces are between inner and outer ones", "give these, too")
    edges = [edge for zone in zones for edge in zone]
    if any(low >= high for low, high in zones) or edges != sorted(edges) or edges and edges[0] < 0.0:
        raise InputError(f"run_style respa: pair forces are divided at {' '.join(f'{edge:g}' for edge in edges)}",
                         "give distances that grow: inner M R1 R2, and middle M R3 R4 with R3 not below R2")


def _filled(given: dict[str, int], hybrid: tuple[int, ...], count: int) -> dict[str, int]:
    """Levels of what is not given: bonds are at the first, each kind of links at that of the kind before, pair forces at the
    last, and the long-range solver with the farthest of them."""
    found, level = {}, 0
    for part in LINKS:
        level = found[part] = given.get(part, level)
    far = [part for part in ("pair", "inner", "middle", "outer") if part in given]
    if not far and not hybrid:
        found["pair"] = count - 1
    found |= {part: given[part] for part in far}
    pairs = [found[part] for part in ("pair", "inner", "middle", "outer") if part in found] or [max(hybrid)]
    found["kspace"] = given.get("kspace", pairs[-1])
    levels = [*(found[part] for part in LINKS), *pairs, found["kspace"]]
    if not hybrid and levels != sorted(levels):
        names = [part for part in ORDER if part in found]
        raise InputError("run_style respa: levels must not fall from one part of the forces to the next, found "
                         + ", ".join(f"{name} {found[name] + 1}" for name in names), f"the order is {', '.join(names)}")
    return found


def drop_levels(system: System, keep: list[str] | tuple[()] = ()) -> None:
    """Atoms have no forces of levels, but for these."""
    for name in [name for name in system.atoms.fields if name.startswith(FIELD) and name not in keep]:
        system.atoms.remove_field(name)
