"""Simulation: the public Python API.

    import everlet as ev

    with ev.Simulation(units="metal", device="auto") as sim:
        sim.create(positions=x, species="Cu", cell=cell)        # or sim.from_ase(atoms), sim.read("cu.data"), sim.file("in.cu")
        sim.pair = ev.pair.eam_alloy("Cu.eam.alloy")
        sim.set_temperature(300.0, seed=1)
        sim.fix.nvt(temp=300.0, damp=0.1)
        sim.run(1000)
        sim.energy, sim.forces, sim.stress, sim.thermo["temp"]

Everything that scripts can do, programs can: sim.commands("…"). docs/api.md has all of it, with examples.
"""

from __future__ import annotations

import html
import importlib
import inspect
import os
from collections.abc import Callable, Collection, Sequence
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from everlet.api.callbacks import OnStep
from everlet.api.create import create
from everlet.api.fields import Fields
from everlet.api.forces import Forces
from everlet.api.reading import data_style, file_kind, of_ase, warn
from everlet.api.record import Record, quoted
from everlet.api.snapshots import Snapshot
from everlet.api.state import State
from everlet.api.styles import words
from everlet.api.table import Table
from everlet.api.writing import dump_lines
from everlet.errors import InputError, a_number, a_text, unknown, whole_number
from everlet.fixes.forces.setforce import SetForce
from everlet.io.ase_atoms import InASE, Taken, from_ase, to_ase
from everlet.script.registry import command
from everlet.session import Session
from everlet.state.cells import voigt

MOST_SHOWN = 20_000  # atoms of a simulation that a notebook shows without being asked
HELD, TAG = "held_atoms", "tag"  # the group and fix of FixAtoms, the fix and field of tags
Watch = TypeVar("Watch", bound=Callable[[Any], None])


class Simulation(Forces, Fields):
    """A simulation on one device per rank: in a program started by mpiexec, on all ranks together, each of which must
    then make the same calls (docs/scaling.md).

    device      auto, cpu, cuda, cuda:N, hip, hip:N, opencl, opencl:N, serial, reference or reference:bounds
                (indices are checked)
    threads     CPU threads; 0 means all cores this process may use, divided by the ranks that share them
    precision   double, mixed or single
    log         file for the log, none for no file
    screen      stdout, none or a file
    tune        let long runs measure which pair scheme, skin and so on are fastest (see docs/bench.md)
    allow       what script files may do besides: "shell" other programs, "python" Python code and plugins (docs/security.md)
    trust       files with code that script files may use: models, plugins
    units       lj, metal, real, …: as the command units
    """

    def __init__(self, device: str = "auto", threads: int = 0, precision: str = "double", log: str = "none",
                 screen: str = "none", tune: bool = True, allow: Collection[str] = (), trust: Collection[str] = (),
                 units: str = ""):
        self._settings: dict[str, Any] = {"device": device, "threads": threads, "precision": precision, "tune": tune,
                                          "allow": allow, "trust": trust}
        self._session = Session(device, threads, precision, log, screen, tune, allow, trust)
        self._session.face = self
        self._cell, self._record = None, Record()
        self._session.script.record = self._record
        self._session.log.listener = warn
        self._styles = {}
        self._info: dict[str, Any] = {}  # of atoms of ASE
        if units:
            self.commands(f"units {a_text(units, 'units')}")

    # ---- systems
    def create(self, positions: ArrayLike, species: str | Sequence[str] | None = None, types: ArrayLike | None = None,
               cell: ArrayLike | None = None, pbc: bool | Sequence[bool] = True, charges: ArrayLike | None = None,
               masses: ArrayLike | None = None, velocities: ArrayLike | None = None, molecules: ArrayLike | None = None,
               bonds: ArrayLike | None = None, bond_types: ArrayLike | int = 1, angles: ArrayLike | None = None,
               angle_types: ArrayLike | int = 1, dihedrals: ArrayLike | None = None, dihedral_types: ArrayLike | int = 1,
               impropers: ArrayLike | None = None, improper_types: ArrayLike | int = 1, ntypes: int = 0,
               atom_style: str = "", boundary: str = "") -> Simulation:
        """Make box and atoms from arrays.

        positions    (n, 3)
        species      a name for each atom, or one for all; names become types in the order of their first atoms
        types        instead: numbers from 1 on; ntypes: how many there are, if more than these atoms have
        cell         (3, 3) edges in rows, turned in any way, left-handed too; (3,): lengths of a box; None: empty space
        pbc          periodic along all edges, or along each of three
        charges, masses, velocities, molecules    of each atom; masses of elements are known
        bonds …      (m, 2) rows of atoms, counted from 0, with bond_types; angles (m, 3), dihedrals and impropers (m, 4)
        atom_style   chosen by what is given; "full", say, if charges or links come later
        boundary     letters as of the command: faces that are not periodic stay (f, the default), follow atoms outwards (m)
                     or everywhere (s, the default along edges of length 0)
        """
        given = {"bond": (bonds, bond_types), "angle": (angles, angle_types), "dihedral": (dihedrals, dihedral_types),
                 "improper": (impropers, improper_types)}
        links = {name: (rows, kinds) for name, (rows, kinds) in given.items() if rows is not None}
        session = self.engine
        with session.turns.taken("create"):
            self._cell = create(session, positions, species, types, cell, pbc, charges, masses, velocities, molecules, links,
                                ntypes, atom_style, boundary)
        return self

    def read(self, path: str | os.PathLike[str], **options: Any) -> Simulation:
        """Make the system of a file: a data file of LAMMPS, a restart file of Everlet, or whatever ase.io reads (cif, POSCAR,
        xyz, pdb …; options are those of ase.io.read).

        The atom style is the one that the data file names; its coefficients are taken if a pair style is there already."""
        name = a_text(path, "the file", path=True)
        kind = file_kind(name)
        if kind == "ase":
            return self.from_ase(of_ase(name, options))
        session, more = self.engine, words(options)
        if kind == "data":
            style = data_style(name)
            if style and session.system.atom_style.name == "atomic" != style:
                session.commands(f"atom_style {style}", "read()")
            more += ["nocoeff"] if session.system.pair is None and "nocoeff" not in more else []
        session.commands(" ".join(map(quoted, [f"read_{kind}", name, *more])), "read()")
        return self

    def from_ase(self, atoms: Any, scale: dict[str, float] | None = None) -> Simulation:
        """Make the system of an ase.Atoms: cell, pbc, species, masses, momenta, charges; FixAtoms becomes a fix
        setforce, tags a fix property/atom i_tag; info is kept for to_ase().

        scale: what energy, length and mass of units lj are in eV, Å and u."""
        taken = from_ase(atoms, InASE.of(self.units.name, scale))
        self.create(taken.positions, taken.species, cell=taken.cell, pbc=taken.pbc.tolist(), charges=taken.charges,
                    masses=taken.masses, velocities=taken.velocities)
        self._info = taken.info
        if taken.tags is not None:
            self.commands(f"fix {TAG} all property/atom i_{TAG}", "from_ase()")
            self._set(f"i_{TAG}", taken.tags)
        if len(taken.fixed):
            held = " ".join(map(str, taken.fixed + 1))
            self.commands(f"group {HELD} id {held}\nfix {HELD} {HELD} setforce 0 0 0", "from_ase()")
        return self

    def to_ase(self, scale: dict[str, float] | None = None, species: Sequence[str] | None = None) -> Any:
        """The present atoms as an ase.Atoms, with energy, forces and stress if there is a pair style. Groups of fixes `setforce
        0 0 0` are held by FixAtoms; info["ids"] are the ids. species: elements of types 1, 2, …, instead of their names."""
        units, system = InASE.of(self.units.name, scale), self.engine.system
        ids, mask, held = self.ids, self.gather("mask"), np.zeros(self.n, bool)
        for fix in system.fixes.values():
            if isinstance(fix, SetForce) and fix.holds:
                held |= system.groups.member(fix.group, mask)
        if species is not None and len(species) != system.ntypes:
            raise InputError(f"there are {system.ntypes} types, and {len(species)} species are given", "name each of them")
        names = self.species if species is None else [species[kind - 1] for kind in self.types.tolist()]
        tags = self.gather(f"i_{TAG}") if f"i_{TAG}" in system.atoms.fields else None
        known = {}
        if system.pair is not None:
            known = {"energy": self.energy * units.energy, "forces": self.forces * units.force}
            known |= {"stress": voigt(self.stress) / self.units.nktv2p * units.stress} if self.volume else {}
        taken = Taken(self.positions, names, self.cell, np.array(self.pbc), self.masses,
                      self.charges if "q" in system.atoms.fields else None, self.velocities, tags,
                      np.flatnonzero(held), {**self._info, "ids": ids})
        return to_ase(taken, units, known)

    # ---- scripts
    def commands(self, text: str, name: str = "commands") -> Simulation:
        """Run script commands given as text."""
        self.engine.commands(text, name)
        return self

    def file(self, path: str | os.PathLike[str]) -> Simulation:
        """Run a script file."""
        self.engine.file(path)
        return self

    def script(self) -> str:
        """All that was done so far as a script of LAMMPS, which does it again. What functions of on_step did is not in it."""
        return "\n".join([*self._record.lines(), ""])

    def load_plugin(self, path: str | os.PathLike[str]) -> dict[str, list[str]]:
        """Run a user's Python file that registers styles; gives their names by kind."""
        return self.engine.load_plugin(path)

    # ---- running
    def set_temperature(self, temp: float, seed: int, group: str = "all", **options: Any) -> None:
        """Draw velocities at random, as `velocity GROUP create` does."""
        self.commands(" ".join(["velocity", group, "create", *words([a_number(temp, "a temperature"), seed]), *words(options)]))

    def run(self, steps: int, pre: bool = True, post: bool = True, start: int | None = None, stop: int | None = None,
            progress: bool = False) -> None:
        """Advance by `steps`. pre=False continues without a set-up, post=False leaves out the summary.

        start and stop are the steps between which ramped settings go from their first to their last value; without
        them, this run's own first and last step. progress: show a bar, also where the screen is off.
        """
        session = self.engine
        session.show_progress = progress
        options = [*(["pre", "no"] if not pre else []), *(["post", "no"] if not post else [])]
        options += words({key: value for key, value in (("start", start), ("stop", stop)) if value is not None})
        first = self.step
        self._record.run("run", [str(steps), *options], lambda: session.run(steps, pre, post, start, stop))
        self._record.ran(self.step - first)

    def plan(self, steps: int, machine: str = "here") -> Any:
        """What a run of so many steps would take: memory, time, simulated time per day, where the time goes; for this machine,
        measured when first asked for, or for another (everlet plan --help). Nothing is run."""
        whole_number(steps, "steps")
        return importlib.import_module("everlet.lab.plan").forecast(self.engine, steps, machine)  # it stands above the API

    def minimize(self, etol: float = 0.0, ftol: float = 1e-6, steps: int = 10_000, evaluations: int = 100_000) -> None:
        """Go downhill until the energy changes by less than etol (a part of it) or the force is below ftol."""
        self.commands(f"minimize {a_number(etol, 'etol')!r} {a_number(ftol, 'ftol')!r} {whole_number(steps, 'steps')} "
                      f"{whole_number(evaluations, 'evaluations')}")

    def on_step(self, every: int, id: str = "") -> Callable[[Watch], Watch]:
        """Call a function with this Simulation after steps that are multiples of `every`:

            @sim.on_step(every=50)
            def watch(sim): ...

        It may read everything, set velocities, and end the run by sim.stop(). It is among the fixes, by its id or as on_step_1,
        on_step_2, …: sim.fix["on_step_1"].remove(); another function with the same id takes its place.
        """
        every = whole_number(every, "every")
        if every < 1:
            raise InputError(f"a function every {every} steps", "give a number of 1 or more")
        session = self.engine
        if session.world.size > 1:
            raise InputError("on_step on several ranks: a function would see a part of the atoms", "use one rank")

        def add(function: Watch) -> Watch:
            system = session.system
            if id in system.fixes and not isinstance(system.fixes[id], OnStep):
                raise InputError(f"there is a fix '{id}' already", "give another id")
            name = id or next(name for k in range(1, len(system.fixes) + 2) if (name := f"on_step_{k}") not in system.fixes)
            system.fixes[name] = OnStep(system, name, every, function, self)
            session.changed()
            return function

        return add

    def dump(self, path: str | os.PathLike[str], every: int, fields: Sequence[str] = (), group: str = "all",
             id: str = "") -> str:
        """Write a trajectory: a frame at steps that are multiples of `every`, with positions and these fields (velocities,
        forces, charges, images). The ending says how: .h5md .gsd .xtc .trr .dcd .nc .xyz; .lammpstrj, or any other one, is
        text; .gz packs it.

        Gives the id: sim.commands(f"undump {id}") ends it. docs/scripts.md says who reads what."""
        system = self.engine.system
        id = id or next(name for k in range(1, len(system.dumps) + 2) if (name := f"dump_{k}") not in system.dumps)
        lines = dump_lines(id, group, a_text(path, "the file", path=True), whole_number(every, "every"), fields,
                           self.type_names)
        self.commands("\n".join(lines), "dump()")
        return id

    def stop(self, reason: str = "") -> None:
        """End the run after this step; for functions of on_step."""
        session = self.engine
        session.system.halted = "continue"
        session.log.write(f"Run stopped at step {self.step}{': ' + reason if reason else ''}")

    @property
    def thermo(self) -> Table:
        """Rows of thermo output as a table with units, and its words now."""
        self.engine  # noqa: B018  refused when closed
        return Table(lambda: self.engine)

    def __getitem__(self, word: str) -> Any:
        """A value by its word in scripts, now: thermo words, c_ID, f_ID, v_NAME, with indices if they have some. One number, or
        an array: of a whole compute or fix that gives several, or of atoms in the order of ids."""
        return self.engine.word(word)

    # ---- states
    def snapshot(self) -> Snapshot:
        """The present state, in memory; restore(it) goes back to it exactly."""
        return Snapshot.of(self.engine, self._record, self._cell)

    def restore(self, state: Snapshot) -> None:
        """Go back to a state: atoms, box, step, styles, fixes, computes, thermo rows. Dumps go on in the same files."""
        session = self.engine
        if not isinstance(state, Snapshot):
            raise InputError(f"a state is a Snapshot, found {type(state).__name__}", "give what sim.snapshot() has given")
        self._record.refuse("restore")
        dumps = self._record.dump_lines(session.system.dumps)
        watching = {id: fix for id, fix in session.system.fixes.items() if isinstance(fix, OnStep)}
        state.put(session, self._record)
        self._cell = state.cell
        for id, fix in watching.items():
            session.system.fixes[id] = OnStep(session.system, id, fix.every, fix.function, self)
        if dumps:
            with self._record.asleep():
                self.commands("\n".join(dumps), "restore()")

    def copy(self) -> Simulation:
        """Another Simulation in the same state. It writes no dumps and calls no functions of on_step."""
        made = Simulation(**self._settings)
        made.restore(self.snapshot())
        made._styles, made._info = dict(self._styles), dict(self._info)
        return made

    def __getstate__(self) -> dict[str, Any]:
        return {"settings": self._settings, "state": self.snapshot(), "styles": self._styles, "info": self._info}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Simulation.__init__(self, **state["settings"])
        self.restore(state["state"])
        self._styles, self._info = state["styles"], state["info"]

    def save(self, path: str | os.PathLike[str]) -> str:
        """Write a restart file, or a data file if its name ends with .data or begins with data.; gives its name."""
        name = a_text(path, "the file", path=True)
        last = os.path.basename(name)
        kind = "data" if last.endswith(".data") or last.startswith("data.") else "restart"
        self.engine.commands(f"write_{kind} {quoted(name)}", "save()")
        return name.replace("*", str(self.step))

    # ---- the end
    def close(self, done: bool = True) -> None:
        """Finish all output: dumps, files of fixes and the log file, and let go of the device's memory. Whatever is asked
        for afterwards is refused.

        done=False: after an error; then the log does not end with the wall time."""
        if self._session is not None:
            self._session.close(done)
            self._session = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *rest: object) -> None:
        self.close(done=kind is None)

    # ---- looks
    def __dir__(self) -> list[str]:
        return sorted({name for one in type(self).__mro__ for name in vars(one) if not name.startswith("_")} - {"engine"})

    def __setattr__(self, name: str, value: Any) -> None:
        """Attributes that do not exist are refused: what a script sets is set by its command."""
        known = getattr(type(self), name, None)
        if isinstance(known, property) and known.fset is None:
            raise InputError(f"sim.{name} cannot be set: it follows from the rest", "dir(sim) and docs/api.md show what can")
        if name.startswith("_") or isinstance(known, property):
            object.__setattr__(self, name, value)
            return
        remedy = f"use sim.commands('{name} ...')" if name in command else ""
        raise unknown("attribute of a Simulation", name, dir(self), remedy)

    def _facts(self) -> dict[str, str]:
        session = self.engine
        system = session.system
        counts = np.bincount(system.whole.read("type"), minlength=system.ntypes + 1)[1:].tolist()
        names = self.type_names or [f"type {k + 1}" for k in range(len(counts))]
        return {"atoms": f"{system.natoms}" + (f" ({', '.join(f'{n} {name}' for n, name in zip(counts, names, strict=False))})"
                                              if system.natoms else ""),
                "box": "none" if system.box is None else str(system.box).partition(" = ")[2],
                "pair style": "none" if system.pair is None else system.pair.name,
                "fixes": ", ".join(f"{id} ({fix.style})" for id, fix in system.fixes.items()) or "none",
                "step": f"{system.step}", "units": system.units.name, "device": f"{session.space}, {session.precision}"}

    def __repr__(self) -> str:
        if self._session is None:
            return "<Simulation: closed>"
        facts = self._facts()
        return f"<Simulation: {facts['atoms']} atoms, {facts['pair style']}, step {facts['step']}, {facts['device']}>"

    def _repr_html_(self) -> str:
        if self._session is None:
            return "<p>Simulation: closed</p>"
        rows = "".join(f"<tr><th>{name}</th><td>{html.escape(text)}</td></tr>" for name, text in self._facts().items())
        shown = 0 < self.engine.system.natoms <= MOST_SHOWN and self.engine.world.size == 1
        return f"<table><caption>Everlet simulation</caption>{rows}</table>" + (self.view()._repr_html_() if shown else "")


for _part in (State, Forces, Fields):  # let Python name them as users call them when arguments are wrong
    for _name, _method in vars(_part).items():
        if inspect.isfunction(_method) and not _name.startswith("_"):
            _method.__qualname__ = f"Simulation.{_name}"
