"""Atoms or molecules that come into a region, one at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of, unknown
from everlet.fixes.base import fix_style
from everlet.fixes.constraints.base import Constraints
from everlet.fixes.population.base import WARMUP, Population
from everlet.fixes.rigid.base import RigidBodies
from everlet.fixes.walls.faces import spacing
from everlet.forces.pair.single import nearest
from everlet.state.continuing import STEP
from everlet.state.molecule import Template, at_random, check_template, known_template, link_fields, placed, turned
from everlet.state.random import ParkMiller
from everlet.state.regions import Region
from everlet.state.system import System

USAGE = ("fix ID group deposit M TYPE N SEED region ID [id max|next] [global LO HI] [local LO HI DELTA] [near R] "
         "[gaussian X Y Z SIGMA] [attempt Q] [rate V] [vx LO HI] [vy LO HI] [vz LO HI] [target X Y Z] [units lattice|box] "
         "[mol ID] [molfrac 1] [orient X Y Z] [rigid FIX-ID|shake FIX-ID]")
WORDS = {"region": 1, "id": 1, "global": 2, "local": 3, "near": 1, "gaussian": 4, "attempt": 1, "rate": 1, "vx": 2, "vy": 2,
         "vz": 2, "target": 3, "units": 1, "mol": 1, "molfrac": 1, "orient": 3, "rigid": 1,
         "shake": 1}
REFUSED = {"var": "places are chosen without formulas", "set": "places are chosen without formulas"}


@fix_style("deposit")
class Deposit(Population):
    """fix ID group deposit M TYPE N SEED region ID [keyword …]: every N steps, first in the next one, an atom of TYPE comes,
    or a copy of the molecule template `mol`, whose types TYPE is added to (most often 0), turned at random, or about `orient`.

    There are M in all. Each is put anywhere in the region, or by a normal distribution (gaussian); `rate` V moves places up
    with time, `global` and `local` put it LO to HI above the highest atom, or the highest within DELTA. A place with an atom
    nearer than R is given up; there are Q (10) attempts. Velocities are between LO and HI, or so fast towards the target. Up:
    z, in 2-d y. rigid: molecules are bodies of this fix rigid/small, which has `mol` too, shake: held by this fix shake or
    rattle. id max: one more than the largest id there is, next: than any there was. f_ID: how many have come.
    """

    must_match = (STEP,)  # as in LAMMPS: how many have come counts also if there may be more now
    keeps = ("due", "count", "first", "largest")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, USAGE)
        self.most = integer(args[0], "a number of atoms")
        self.freq, self.seed = integer(args[2], "a number of steps"), integer(args[3], "a seed")
        if self.most < 1 or self.freq < 1:
            raise InputError(f"fix deposit: {args[0]} atoms, one every {args[2]} steps", "both must be 1 or more")
        self.words = self._keywords(list(args[4:]))
        self.template: Template | None = None
        self.axis: np.ndarray | None = None
        self._kind(args[1])
        self._scale(spacing(system, ["units", *self.words.get("units", ["lattice"])], f"fix {id}"))
        if "region" not in self.words:
            raise InputError("fix deposit needs a region", f"usage: {USAGE}")
        self.region = self.region_named(self.words["region"][0]).name
        self._check_region()
        self.stream = ParkMiller(self.seed)
        self.stream.skip(WARMUP)
        self.due = self.first = system.step + 1
        self.largest = 0  # id that there was

    def _keywords(self, words: list[str]) -> dict[str, list[str]]:
        found = {}
        while words:
            word = words.pop(0)
            if word in REFUSED:
                raise InputError(f"fix deposit: the keyword '{word}' is not available: {REFUSED[word]}", "leave it out")
            one_of("keyword of fix deposit", word, WORDS, f"usage: {USAGE}")
            arguments(words, WORDS[word], None, USAGE)
            found[word], words = words[: WORDS[word]], words[WORDS[word]:]
        if found.get("id", ["max"])[0] not in ("max", "next"):
            raise unknown("id of fix deposit", found["id"][0], ("max", "next"))
        self.next_id = found.get("id") == ["next"]
        return found

    def _kind(self, type: str) -> None:
        """What comes."""
        system, words = self.system, self.words
        if "mol" not in words:
            self.type = system.type_of(type)
            if words.keys() & {"molfrac", "orient", "rigid", "shake"}:
                raise InputError("fix deposit: molfrac, orient, rigid and shake are for molecules", "use mol ID too, or leave "
                                 "them out")
            return
        self.type, self.template = integer(type, "a number that is added to types"), known_template(system, words["mol"][0])
        check_template(system, self.template, np.array([self.type]), "fix deposit")
        self.adds_links = any(map(len, self.template.links.values()))
        if number(words.get("molfrac", ["1"])[0], "a share") != 1.0:
            raise InputError("fix deposit: the shares of molfrac must add up to 1", "there is one template: molfrac 1")
        if "rigid" in words and "shake" in words:
            raise InputError("fix deposit: rigid and shake exclude each other", "leave one of them out")
        if "orient" in words:
            self.axis = np.array([number(word, "an axis") for word in words["orient"]])
            if not self.axis.any() or system.dimension == 2 and self.axis[:2].any():
                raise InputError(f"fix deposit orient {' '.join(words['orient'])} is no axis here", "use 0 0 1 in 2-d")

    def init(self) -> None:
        super().init()
        rigid, shake = self._holder("rigid"), self._holder("shake")
        self.bodies = rigid if isinstance(rigid, RigidBodies) and rigid.words.mol is self.template else None
        self.clusters = shake if isinstance(shake, Constraints) and shake.chosen.mol is self.template else None
        for word, found, kind in (("rigid", self.bodies, "rigid/small"), ("shake", self.clusters, "shake or rattle")):
            if word in self.words and found is None:
                raise InputError(f"fix {self.id} deposit: fix {self.words[word][0]} is no fix {kind} with this template",
                                 f"define fix {self.words[word][0]} GROUP {kind} … mol {self.words['mol'][0]}")

    def _holder(self, word: str) -> Any:
        """The fix that a keyword names."""
        return self.system.fixes.get(self.words[word][0]) if word in self.words else None

    def _scale(self, scales: np.ndarray) -> None:
        """Lengths of all keywords; up is the last axis."""
        x, y, z = (float(scale) for scale in scales)
        self.up = 1 if self.system.dimension == 2 else 2
        height = y if self.up == 1 else z
        by = {"global": (height,) * 2, "local": (height, height, x), "near": (x,), "gaussian": (x, y, z, x), "rate": (height,),
              "vx": (x, x), "vy": (y, y), "vz": (z, z), "target": (x, y, z)}
        given = {word: [number(value) * scale for value, scale in zip(self.words[word], scale_of, strict=True)]
                 for word, scale_of in by.items() if word in self.words}
        self.above = given.get("global") or given.get("local", [])[:2]
        self.beside = given["local"][2] if "local" in given else 0.0
        self.near, self.rate = given.get("near", [0.0])[0], given.get("rate", [0.0])[0]
        self.gaussian, self.target = given.get("gaussian"), given.get("target")
        self.speeds = [given.get(word, [0.0, 0.0]) for word in ("vx", "vy", "vz")]
        self.attempts = integer(self.words.get("attempt", ["10"])[0], "a number of attempts")
        if self.attempts < 1 or self.near < 0.0 or "global" in given and "local" in given:
            raise InputError("fix deposit: attempt must be 1 or more, near not negative, and one of global and local be given",
                             f"usage: {USAGE}")

    def _check_region(self) -> None:
        region, (low, high) = self.region_named(self.region), self.system.need_box().bounds()
        begin, end = self._extent(region)
        if (begin < low).any() or (end > high).any():
            raise InputError(f"fix deposit: region {region.name} extends outside of the box", "make it smaller")

    def _extent(self, region: Region) -> tuple[np.ndarray, np.ndarray]:
        """Its bounds; the region may have become another one meanwhile."""
        if region.extent is None:
            raise InputError(f"fix deposit: region {region.name} has no bounds or moves", "use a finite region with side in")
        return region.extent

    # ---- an atom or a molecule comes
    def act(self) -> None:
        self.largest = max(self.largest if self.next_id else 0, self.largest_of("id"))
        for _ in range(self.attempts):
            place = self._place()
            turn = np.eye(3) if self.template is None else self._turn()
            places = place[None] if self.template is None else placed(self.template, place[None], [turn])
            if not self._taken(places):
                self._insert(place, places, turn)
                break
        else:
            what = "an atom" if self.template is None else "a molecule"
            self.notes.append(f"WARNING: fix {self.id} found no place for {what} at step {self.system.step}")
        self.due = self.due + self.freq if self.count < self.most else 0

    def _turn(self) -> np.ndarray:
        """The first number chooses among templates in the reference, also if there is one."""
        self.stream.uniform()
        if self.axis is None:
            return at_random(self.stream, self.system.dimension)
        return turned(self.stream.uniform() * 2.0 * np.pi, self.axis)

    def _place(self) -> np.ndarray:
        """A place in the region, lifted above the atoms that are there."""
        region, uniform = self.region_named(self.region), self.stream.uniform
        low, high = self._extent(region)
        while True:
            if self.gaussian:
                place = np.array([middle + self.stream.gaussian() * self.gaussian[3] for middle in self.gaussian[:3]])
            else:
                place = np.array([a + uniform() * (b - a) for a, b in zip(low.tolist(), high.tolist(), strict=True)])
            if region.inside(place[None])[0]:
                break
        place[self.up] += (self.system.step - self.first + self.freq) * self.system.dt * self.rate
        if self.above:
            box, x = self.system.need_box(), self.system.atoms.read("x")[:, :3]
            if self.beside:
                apart = place - x
                apart[:, self.up:] = 0.0
                apart = nearest(box, apart)[:, : self.up]
                x = x[(apart**2).sum(axis=1) <= self.beside**2]
            top = float(self.system.ranks.max(np.array([x[:, self.up].max(initial=box.lo[self.up])]))[0])
            place[self.up] = top + self.above[0] + uniform() * (self.above[1] - self.above[0])
        return place

    def _taken(self, places: np.ndarray) -> bool:
        box, x = self.system.need_box(), self.system.atoms.read("x")[:, :3]
        return self.system.ranks.any(any(bool(((nearest(box, place - x)**2).sum(axis=1) < self.near**2).any())
                                         for place in places))

    def _insert(self, place: np.ndarray, places: np.ndarray, turn: np.ndarray) -> None:
        system = self.system
        v = np.array([low + self.stream.uniform() * (high - low) for low, high in self.speeds])
        if self.target:
            way = np.array(self.target) - place
            length = np.sqrt((way**2).sum())
            v = way / length * np.sqrt((v**2).sum()) if length > 0.0 else v
        count = len(places)
        columns: dict[str, Any] = {"x": places, "v": np.tile(v, (count, 1)), "id": self.largest + np.arange(1, count + 1),
                                   "type": np.array([self.type]), "mask": int(system.groups.bit("all")) | int(self.bit)}
        if self.template is not None:
            columns |= self._molecule(places)
            if self.bodies is not None:
                columns |= self.bodies.take(self.template, self.type, place, turn, v, columns["id"])
            if self.clusters is not None:
                self.clusters.take(self.template, self.type, columns)
        self.largest += count
        self.count += 1
        self.arrive(columns)

    def _molecule(self, places: np.ndarray) -> dict[str, Any]:
        """What atoms of a molecule have besides; positions are wrapped into the box."""
        system, template, image = self.system, self.template, np.zeros((len(places), 3), np.int32)
        assert template is not None and template.type is not None
        system.need_box().wrap(places, image)
        found: dict[str, Any] = {"type": self.type + template.type, "image": image}
        found |= link_fields(system, template, self.largest)
        if template.q is not None:
            found["q"] = template.q
        if template.mass is not None and "rmass" in system.atoms.fields:
            found["rmass"] = template.mass
        if "molecule" in system.atoms.fields:
            found["molecule"] = self.largest_of("molecule") + (1 if template.molecule is None else template.molecule)
        return found
