"""Batch: many small systems at once, one launch for all of them. docs/batch.md has all of it, with examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from everlet.api.batch_fixes import Fixes
from everlet.api.batch_member import Member, to_ase
from everlet.api.create import known_masses, numbers
from everlet.api.described import Described, described, kinds_of, masses_of
from everlet.api.exchange import Exchange
from everlet.api.spread import FIELDS, spread
from everlet.api.styles import Style
from everlet.computes.of_members import OfMembers
from everlet.errors import InputError, a_number, a_text, whole_number
from everlet.fixes.members.base import of_each
from everlet.fixes.members.fire import Fire
from everlet.fixes.members.record import COLUMNS, Record
from everlet.fixes.members.velocities import draw_velocities
from everlet.io.log import Log
from everlet.portable import choose
from everlet.run.batching import REFUSED, fill, refuse
from everlet.run.engine import Engine
from everlet.run.replicas.batch_band import ElasticBand
from everlet.run.replicas.neb_forces import Springs
from everlet.script.parser import Script
from everlet.script.registry import command
from everlet.state.cells import edges_of, tensor
from everlet.state.topology import KINDS
from everlet.state.units import Units

CHUNKS = 8  # that systems are divided into for workers, if nobody says how many are in one
CHUNK = 25  # steps of a minimisation between looks at who has arrived


class Batch:
    """Many systems, each with its own box and number of atoms, that share a potential.

    systems        ASE Atoms, or dictionaries or objects with positions, species or types, cell, pbc, masses, velocities,
                   charges, bonds, angles
    units          of all numbers: metal, real, lj, …
    commands       the potential, as script commands: pair_style, pair_coeff, bond_style, …
    pair           instead: everlet.pair.NAME(…), or several styles of pairs, bonds, …
    device, precision, threads   as for a Simulation
    seed           of velocities and noise, unless others are given
    deterministic  results are, bit by bit, those of each system alone under `package everlet deterministic on`
    numbers        of the systems, which tell their noise apart; 0, 1, … if not given
    executor       of concurrent.futures, or one like it: workers run and minimise chunks of so many systems (spread.py)
    """

    def __init__(self, systems: Sequence[Any], units: str = "metal", commands: str = "", pair: Style | Sequence[Style] = (),
                 device: str = "auto", precision: str = "double", seed: int = 1, threads: int = 0, deterministic: bool = False,
                 numbers: Sequence[int] | None = None, executor: Executor | None = None, chunk: int = 0):
        given = [described(one, k) for k, one in enumerate(systems)]
        if not given:
            raise InputError("a batch of no systems", "give one or more")
        self.seed = whole_number(seed, "the seed")
        self.engine = engine = Engine(choose(a_text(device, "device"), threads), a_text(precision, "precision"), Log("none"))
        engine.script = Script(engine)
        engine.options.update({"tune": False} | ({"deterministic": True} if deterministic else {}))
        system = engine.system
        system.units = Units.named(a_text(units, "units"))
        system.dt = system.units.dt
        self._fill(given, range(len(given)) if numbers is None else numbers)
        self._of = OfMembers(system)
        self.fix = Fixes(self)
        self.thermo_every = 0
        self._rows: list[np.ndarray] = []
        self._swapping: Exchange | None = None
        self._executor, self._chunk = executor, whole_number(chunk, "chunk") or max(len(given) // CHUNKS, 1)
        self.settings = {"units": units, "device": device, "precision": precision, "seed": seed, "threads": threads,
                         "deterministic": deterministic}
        self.said: list[str] = []
        self.commands(commands)
        for style in [pair] if isinstance(pair, Style) else pair:
            self.commands("\n".join(style.lines(self.species)))

    def _fill(self, given: list[Described], numbers: Sequence[int]) -> None:
        system = self.engine.system
        if len(numbers) != len(given) or len(set(numbers)) < len(given) or min(numbers) < 0:
            raise InputError("numbers of systems must differ, one for each", "leave them out: 0, 1, …")
        names, types = kinds_of(given)
        ntypes = len(names) or int(max(one.max() for one in types))
        charged = any(one.charges is not None for one in given)
        links = {kind.name: [one.links.get(kind.name, np.zeros((0, kind.size + 1), np.int64)) for one in given]
                 for kind in KINDS.values() if any(kind.name in one.links for one in given)}
        system.set_atom_style("full" if links else "charge" if charged else "atomic")
        self.cells_given = [one.box_cell() for one in given]
        x = [cell.into_box(one.positions) for cell, one in zip(self.cells_given, given, strict=True)]
        # edges that are not periodic are open: faces there count for volumes alone
        boxes = [cell.box(at, boundary=cell.boundary().replace("s", "f"))
                 for cell, at in zip(self.cells_given, x, strict=True)]
        columns: dict[str, Sequence[np.ndarray]] = {"x": x}
        if any(one.velocities is not None for one in given):
            columns["v"] = [cell.into_box(one.velocities) if one.velocities is not None else np.zeros((one.n, 3))
                            for cell, one in zip(self.cells_given, given, strict=True)]
        if charged:
            columns["q"] = [one.charges if one.charges is not None else np.zeros(one.n) for one in given]
        if names:
            system.type_labels = {name: k + 1 for k, name in enumerate(names)}
        self.species, self.described = names, given
        self._members = fill(self.engine, boxes, types, columns, links, list(numbers),
                             masses_of(given, types, names, known_masses(names, ntypes, system.units.name), ntypes))

    def commands(self, text: str) -> None:
        """Script commands that set the potential and lists."""
        for line in a_text(text, "commands").splitlines():
            word = line.split("#")[0].split()
            if word and not command.says(word[0]).in_batch:
                usable = ", ".join(name for name in command if command.says(name).in_batch)
                raise InputError(f"the command '{word[0]}' cannot be used in a batch", REFUSED.get(word[0], f"use {usable}"))
        self.engine.script.text(text, "commands")
        self.said.append(text)

    # ---- forces
    def _current(self) -> None:
        """Forces and energies are those of the present positions."""
        refuse(self.engine)
        self.engine.system.fresh.need()

    def run(self, steps: int, every: int | None = None) -> None:
        """Advance all systems. every: rows of `thermo` at multiples of so many steps, 0: none; if not given, `thermo_every`."""
        refuse(self.engine)
        self._record(whole_number(self.thermo_every if every is None else every, "every"))
        steps, swapping = whole_number(steps, "the number of steps"), self._swapping
        if swapping is None:
            self._advance(steps, True)
            return
        last, first = self.step + steps, True
        while self.step < last or first:
            self._advance(min(last, (self.step // swapping.every + 1) * swapping.every) - self.step, first)
            first = False
            if self.step % swapping.every == 0 and self.step:
                swapping.swap()

    def _advance(self, steps: int, first: bool) -> None:
        """Here, or by workers."""
        if self._executor is None:
            self.engine.run(steps, pre=first, post=False)
            return
        kept = self.engine.system.fixes.pop("record", None)
        spread(self, self._executor, self._chunk, "run", {"steps": steps, "every": kept.every if kept is not None else 0})
        self.engine.system.step += steps
        if kept is not None:
            self.engine.system.fixes["record"] = kept

    def get_state(self) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """Fields of atoms in rows, and boxes: all that moves."""
        atoms = self.engine.system.atoms
        return {name: atoms.read(name).copy() for name in FIELDS}, np.array(self._members.view.get()).reshape(len(self), -1)

    def put_state(self, state: dict[str, np.ndarray], boxes: np.ndarray) -> None:
        for name, values in state.items():
            self.engine.system.atoms.edit(name)[:] = values
        self._members.view.put(boxes.ravel())
        self._members.take()
        self.engine.changed("atoms", "box")

    def recorded(self) -> list[np.ndarray]:
        """Rows of `thermo`, one array for each step."""
        kept = self.engine.system.fixes.get("record")
        return [*self._rows, *(kept.rows if kept is not None else [])]

    def temperatures_swapped(self, temperatures: np.ndarray) -> None:
        """What workers are told of thermostats."""
        for handle in self.fix:
            if "temp" in handle.arguments:
                handle.arguments["temp"] = temperatures.tolist()

    def exchange(self, every: int, seed: int | None = None) -> Exchange:
        """From now on systems swap the temperatures of their thermostats every so many steps of runs (replica exchange)."""
        self._swapping = Exchange(self, whole_number(every, "every"),
                                  self.seed if seed is None else whole_number(seed, "the seed"))
        return self._swapping

    def neb(self, spring: float = 0.1, climb: bool = True, fmax: float = 0.05, steps: int = 1000,
            longest: float = 0.2) -> np.ndarray:
        """Bring systems, which are images of a path from the first to the last, to the path of least energy: a nudged elastic
        band, of which the highest image climbs to the saddle. Ends when the force of the band on each atom is below fmax.
        Gives the energies of the images."""
        refuse(self.engine)
        system = self.engine.system
        fmax, longest = a_number(fmax, "fmax"), a_number(longest, "longest")
        band = ElasticBand(system, "band", Springs(a_number(spring, "spring")), False)
        for climbs, limit in ((False, (10.0 if climb else 1.0) * fmax), (climb, fmax)):
            band.climb = climbs
            steps -= self._downhill({"band": band, "fire": Fire(system, "fire", 0.0, longest, together=True)}, steps, 1,
                                    lambda limit=limit: band.largest <= limit)  # type: ignore[misc]
        return np.asarray(band.energies)

    def _downhill(self, fixes: dict[str, Any], steps: int, chunk: int, arrived: Callable[[], bool]) -> int:
        """Run with these fixes alone until it has arrived; the steps that were made."""
        system, kept, made = self.engine.system, self.engine.system.fixes, 0
        system.fixes = dict(fixes)
        self.engine.changed()
        try:
            while made < steps:
                some = min(steps - made, chunk)
                self.engine.run(some, pre=made == 0, post=False)
                made += some
                if arrived():
                    break
            return made
        finally:
            for fix in fixes.values():
                fix.remove()
            system.fixes = kept
            self.engine.changed()

    def _record(self, every: int) -> None:
        fixes, system = self.engine.system.fixes, self.engine.system
        before = fixes.get("record")
        if before is not None and before.every != every:
            self._rows += before.rows
            del fixes["record"]
            self.engine.changed()
        if every > 0 and "record" not in fixes:
            fixes["record"] = Record(system, "record", every)
            self.engine.changed()

    @property
    def thermo(self) -> dict[str, np.ndarray]:
        """Columns step, system, temp, pe, ke, etotal, press, volume: a row for each system at each step that was recorded.
        pandas.DataFrame(runs.thermo) is a table."""
        rows = self.recorded()
        table = np.concatenate(rows) if rows else np.zeros((0, len(COLUMNS)))
        return {name: table[:, k].astype(np.int64) if name in ("step", "system") else table[:, k]
                for k, name in enumerate(COLUMNS)}

    def set_temperature(self, temp: Any, seed: int | None = None) -> None:
        """New velocities of each system, of this temperature exactly and without momentum. They depend on the seed, the number
        of a system and an atom's place in it."""
        self.engine.system.check_masses()
        draw_velocities(self.engine.system, of_each(temp, len(self), "temp"),
                        self.seed if seed is None else whole_number(seed, "the seed"))

    def minimize(self, ftol: float = 1e-4, steps: int = 10000, longest: float = 0.2) -> np.ndarray:
        """Bring each system downhill by FIRE until the length of the vector of its forces is below ftol, or so many steps are
        done; in one step all atoms of a system go no farther than `longest`. Systems that are there rest. Gives the lengths."""
        refuse(self.engine)
        if self._executor is not None:
            given = {"ftol": ftol, "steps": steps, "longest": longest}
            return np.concatenate(spread(self, self._executor, self._chunk, "minimize", given))
        fire = Fire(self.engine.system, "fire", a_number(ftol, "ftol"), a_number(longest, "longest"))
        self._downhill({"fire": fire}, whole_number(steps, "the number of steps"), CHUNK, lambda: bool(fire.rests()[0].all()))
        return np.asarray(fire.rests()[1])

    # ---- numbers of all systems
    def __len__(self) -> int:
        return self._members.count

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    @property
    def n(self) -> list[int]:
        """Atoms of each system."""
        return [int(size) for size in self._members.sizes]

    @property
    def step(self) -> int:
        return self.engine.system.step

    def _turned(self, name: str) -> list[np.ndarray]:
        rows = self._members.of_each(self.engine.system.atoms.read(name))
        return [cell.out_of_box(one) for cell, one in zip(self.cells_given, rows, strict=True)]

    @property
    def positions(self) -> list[np.ndarray]:
        """(n, 3) of each system; continuous, as those of a Simulation: atoms that leave their cell are not put back."""
        atoms, of_each = self.engine.system.atoms, self._members.of_each
        return [cell.out_of_box(x + images @ edges_of(box)) for cell, x, images, box in
                zip(self.cells_given, of_each(atoms.read("x")), of_each(atoms.read("image")), self._members.boxes, strict=True)]

    @positions.setter
    def positions(self, values: Sequence[ArrayLike]) -> None:
        self._put("positions", self._given("positions", values), slice(None))

    @property
    def velocities(self) -> list[np.ndarray]:
        """(n, 3) of each system."""
        return self._turned("v")

    @velocities.setter
    def velocities(self, values: Sequence[ArrayLike]) -> None:
        self._put("velocities", self._given("velocities", values), slice(None))

    def _put_one(self, k: int, what: str, values: ArrayLike) -> None:
        """Positions or velocities of one system."""
        self._put(what, self._given_of(k, what, values), slice(*self._members.first[k : k + 2]))

    def _given(self, what: str, values: Sequence[ArrayLike]) -> np.ndarray:
        """Rows of all systems, in the axes of their boxes."""
        if len(values) != len(self):
            raise InputError(f"{what} of {len(values)} systems, and the batch has {len(self)}", "give an array for each")
        return np.concatenate([self._given_of(k, what, rows) for k, rows in enumerate(values)])

    def _given_of(self, k: int, what: str, values: ArrayLike) -> np.ndarray:
        shape = (int(self._members.sizes[k]), 3)
        return self.cells_given[k].into_box(numbers(values, f"{what} of system {k}", shape))

    def _put(self, what: str, found: np.ndarray, rows: slice) -> None:
        atoms, fields = self.engine.system.atoms, {"positions": ("x", "image"), "velocities": ("v",)}[what]
        for name in fields[1:]:  # positions are given as they are: in no image
            atoms.edit(name)[rows] = 0
        atoms.edit(fields[0])[rows] = found
        self.engine.changed(*fields)

    @property
    def forces(self) -> list[np.ndarray]:
        self._current()
        return self._turned("f")

    @property
    def energies(self) -> np.ndarray:
        """Potential energy of each system."""
        self._current()
        energies, _ = self._of.potential()
        return energies

    @property
    def stress(self) -> np.ndarray:
        """(systems, 3, 3): of forces alone, tension is positive."""
        self._current()
        _, virials = self._of.potential()
        found = -tensor(virials) * self.engine.system.units.nktv2p / self._members.volumes[:, None, None]
        return np.array([cell.tensor_out_of_box(one) for cell, one in zip(self.cells_given, found, strict=True)])

    @property
    def kinetic(self) -> np.ndarray:
        """Kinetic energy of each system."""
        return 0.5 * self._of.kinetic()[:, :3].sum(axis=1)

    @property
    def temperature(self) -> np.ndarray:
        dof = np.maximum(3 * self._members.sizes - 3, 1)
        return 2.0 * self.kinetic / (dof * self.engine.system.units.boltz)

    @property
    def cells(self) -> list[np.ndarray]:
        return [cell.now(box) for cell, box in zip(self.cells_given, self._members.boxes, strict=True)]

    @property
    def masses(self) -> list[np.ndarray]:
        system = self.engine.system
        return self._members.of_each(system.masses_of())

    @property
    def charges(self) -> list[np.ndarray]:
        atoms = self.engine.system.atoms
        return self._members.of_each(atoms.read("q") if "q" in atoms.fields else np.zeros(atoms.n))

    # ---- one of them
    def __getitem__(self, k: int) -> Member:
        count = len(self)
        if not -count <= k < count:
            raise IndexError(f"there is no system {k}: there are 0 to {count - 1}")
        return Member(self, k % count)

    def to_ase(self) -> list[Any]:
        """ASE Atoms of each system, with momenta, energy, forces and stress if units are metal."""
        return [to_ase(self, k) for k in range(len(self))]

    def __repr__(self) -> str:
        system = self.engine.system
        pair = system.pair.name if system.pair is not None else "no potential"
        return f"<Batch of {len(self)} systems, {system.atoms.n} atoms, {pair}, on {self.engine.space}, step {self.step}>"
