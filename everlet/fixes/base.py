"""Fixes: operations that take part in the timestep. One style per file, registered with `@fix_style("name")`.

A fix overrides the hooks it needs; only those are called, in the order in which fixes were defined:

    init()                before every run, before forces: look up what it refers to, check that all is there
    setup()               before the first step of a run, forces are known
    resume()              in its place where a run goes on from a restart file that was written inside of it
                          (state/mid_run.py): atoms and state are those of the file, and stay so
    begin()               right before the first step, also of a run without a set-up (pre no): ramps know their ends
    initial_integrate()   first half of the step: moves atoms
    post_integrate()      atoms have moved
    pre_exchange()        lists are to be rebuilt: before atoms go to other ranks; not while a GPU replays steps
    pre_neighbor()        new ghosts are there, lists are not
    post_neighbor()       new lists are there
    pre_force()           before forces
    pre_reverse()         forces are there, those on ghosts not yet sent home
    post_force()          after forces, before the second half
    final_integrate()     second half of the step
    end_of_step()         after the step is complete, at multiples of `every` steps

In minimisations min_setup() and min_post_force() take the places of setup() and post_force(), which they call by themselves.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from everlet.errors import InputError, integer
from everlet.portable import Constants, View
from everlet.registry import Registry
from everlet.state.ledger import Tally
from everlet.state.operation import Operation
from everlet.state.system import System

HOOKS = ("setup", "begin", "initial_integrate", "post_integrate", "pre_exchange", "pre_neighbor", "post_neighbor",
         "pre_force", "pre_reverse", "post_force", "final_integrate", "end_of_step")
fix_style: Registry[type[Fix]] = Registry("fix style", "everlet.fixes")
NEVER = 2**62  # a step that does not come
ON_OFF = {"yes": True, "on": True, "no": False, "off": False}


def every_steps(word: str, user: str, least: int = 1) -> int:
    """A number of steps after which something is done again."""
    found = integer(word, "a number of steps")
    if found < least:
        raise InputError(f"{user} every {word} steps", f"give a number of {least} or more")
    return found


def _held(value: Any) -> tuple[Any, np.ndarray | None]:
    """What an attribute is put back to: an array of a space stays where it is and gets its numbers again."""
    if isinstance(value, (View, Constants)):
        return value, np.array(value.get() if isinstance(value, View) else value.now)
    return copy.deepcopy(value), None


class Fix(Operation):
    """Base of all fixes. What a fix is and does, as others must know it:

    steady         the hooks of a step act by kernels alone: their loops may be fused with others, and on a GPU replayed without
                   asking Python again. If they ask the host for something that is another one at the next step, this is found,
                   and steps are launched one by one (run/collecting.py)
    variant        if steady: a number that tells launches apart, so that graphs of each are kept
    every          end_of_step is called at multiples of it; 0: never
    rebuild_every  lists are rebuilt at multiples of it; 0: it asks for none
    by_request     pre_exchange does something at the steps alone that next_rebuild names
    adds_links     there may be more links in a run than when it began
    integrates     it moves atoms in time
    changes_box    the box changes in a run
    moves_last     it moves atoms or the box at the end of a step, after forces were computed
    full_rows      it reads rows of the run's list, which must be full and reach so far; 0: it reads none
    ordered        what it does depends on the order of storage: on one rank of a CPU that shall be the order of LAMMPS
    divides        the division of the box among ranks changes in a run
    follows_steps  it counts steps from one that it remembers: reset_timestep is refused
    minimizes      it acts in minimisations too: hooks around lists and forces are called, setup and begin as in a run
    relaxes_box    minimisations change the box as it says (fixes/barostats/box_relax.py)
    has_energy     its scalar is an energy of the atoms: `fix_modify energy yes` adds it to pe (energy_on: it does now)
    has_virial     the same for its virial and the pressure (virial_on)
    needs_tally    forces must be computed with virials at every step; kernels read them (state/ledger.py)
    tallies        it leaves its virial in `tally` (state/ledger.py) in post_force and setup, at steps that `tally.wanted`
    follows_clock  its kernels read the number of the step from the control words (state/clock.py)
    potential      the field of potentials that it makes beside charges, for pair_style reaxff; empty: none
    forgets        in words, what of it no restart file has, so that a run that goes on from one may go another way
    couples        its scalar is the energy that atoms have lost to it: the thermo word ecouple
    levels         in steps of several lengths (run_style respa) its post_force acts on forces of the "outer" level, or of
                   "every" one (post_force_of); empty: it cannot
    put_back       attributes that stay as they are when forces are made between runs (`aside`)
    """

    what, letter = "fix", "f"
    steady: bool = False
    every: int = 1
    rebuild_every: int = 0
    full_rows: float = 0.0
    ordered: bool = False
    potential: str = ""
    forgets: str = ""
    integrates = changes_box = divides = follows_steps = follows_clock = minimizes = relaxes_box = moves_last = False
    has_energy = has_virial = couples = False
    tallies = needs_tally = adds_links = by_request = False
    energy_on = virial_on = False
    levels: str = ""
    put_back: tuple[str, ...] = ()
    tally: Tally  # given before the first step of a run, if `tallies`

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.style = ""  # the name it was asked for by

    @classmethod
    def overrides(cls, hook: str) -> bool:
        return getattr(cls, hook) is not getattr(Fix, hook)

    @property
    def acts(self) -> bool:
        """It has a part in forces, energies or virials."""
        return self.has_virial or self.tallies or any(map(self.overrides, ("pre_force", "pre_reverse", "post_force")))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Inside, forces are made between runs, on copies of atoms: init, post_neighbor, pre_force and setup are called as for
        a run, and what a later run would notice is as before in the end: what `state` gives, and `put_back`."""
        there = [name for name in self.put_back if name in self.__dict__]
        said, state, held = len(self.notes), self.state(), {name: _held(self.__dict__[name]) for name in there}
        try:
            yield
        finally:
            del self.notes[said:]
            if state:
                self.restore(state)
            for name in self.put_back:
                self.__dict__.pop(name, None)
            for name, (value, numbers) in held.items():
                setattr(self, name, value)
                if numbers is not None:
                    (value.put if isinstance(value, View) else value.set)(numbers)

    @property
    def idle_between(self) -> bool:
        """It does nothing at steps that are not multiples of `every`."""
        between = (hook for hook in HOOKS if hook not in ("setup", "begin", "end_of_step"))
        return self.every != 1 and not any(map(self.overrides, between))

    @property
    def variant(self) -> int:
        return 0

    # ---- what others ask
    def up_to_date(self) -> None:
        """Sums that it has made beside forces are those of the present state."""
        if self.acts:
            self.system.fresh.need()

    def over_ranks(self, mine: Any) -> Any:
        """The sum of what was found beside forces, over all ranks that had atoms then. All ranks must ask."""
        return self.system.force_ranks.sum(mine)

    def removed_dof(self, bit: int) -> float:
        """Degrees of freedom that it takes from the atoms of a group."""
        return 0.0

    def virial_now(self) -> Any:
        """Its virial, xx yy zz xy xz yz, of this step and all ranks, if `has_virial`."""
        if self.tallies:
            return self.system.ledger.fixes[self.id].virial
        raise InputError(f"fix {self.id} has no virial", "leave out fix_modify virial yes")

    def atom_virials(self) -> Any:
        """The same of each atom of this rank, (n, 6)."""
        raise InputError(f"per-atom virials of fix {self.id} are not available", "use fix_modify virial no, or name "
                         "contributions of compute stress/atom: pair ke")

    def centroid_virials(self) -> Any:
        """(n, 6), where forces of several atoms are shared out by the distance from their centre; the same of one or two."""
        return self.atom_virials()

    def atom_energies(self) -> Any:
        """Shares of atoms of this rank in its energy, (n,), if it counts to pe; 0 where it belongs to no atoms."""
        return 0.0

    def body_energies(self) -> tuple[float, float] | None:
        """Kinetic energies of motion and of turning, of a fix that moves rigid bodies."""
        return None

    def next_rebuild(self, step: int) -> int:
        """The first step after this one at which lists must be rebuilt for it."""
        every = self.rebuild_every
        return (step // every + 1) * every if every else NEVER

    def take_box(self) -> None:
        """Kernels of a fix that `changes_box` have moved it: give the host's box the same shape."""

    def inserted_radii(self) -> dict[int, float]:
        """The largest radii of atoms that it will insert, by type."""
        return {}

    def replayed(self) -> None:
        """A GPU has replayed steps: what kernels of a steady fix have left may be looked at."""

    def before_file(self) -> None:
        """A restart file is written inside of a run: all ranks bring what is theirs alone into fields of atoms or into what
        `state` gives."""

    def end_of_run(self) -> None:
        """The last step of a run is done, with its output."""

    def new_velocities(self) -> None:
        """A fix that acts now and then has changed velocities at the end of this step."""

    def new_count(self) -> None:
        """There are more or fewer atoms than before, in the middle of a run."""

    def set_target(self, temperature: float) -> None:
        """A thermostat holds this temperature from now on, also in the middle of a run."""
        raise InputError(f"fix {self.id} ({self.style}) has no temperature that could be set",
                         "use nvt, langevin, gjf, temp/berendsen, temp/rescale, temp/csvr or temp/csld")

    def target_now(self) -> float:
        """The temperature that a thermostat holds at this step."""
        raise InputError(f"fix {self.id} ({self.style}) holds no temperature", "name a thermostat, such as nvt or langevin")

    def new_timestep(self) -> None:
        """The timestep has changed in the middle of a run (fix dt/reset): renew what was made with it."""

    def close(self) -> None:
        """Finish its files: it is removed, or all is at an end."""

    def remove(self) -> None:
        self.close()
        super().remove()

    def read_section(self, title: str, rows: list[tuple[int, list[str]]], error: Callable[[int, str, str], InputError]) -> None:
        """A section of a data file, as `read_data FILE fix ID WORD SECTION` says: line numbers and words. Bad lines are refused
        with error(line, cause, remedy)."""
        raise InputError(f"fix {self.id} reads no sections of data files", "leave it out of read_data")

    def data_section(self) -> tuple[str, str, list[str]] | None:
        """What write_data keeps of it: a line of the header, a title and the lines of its section."""
        return None

    def modify(self, args: list[str]) -> None:
        """fix_modify ID energy yes|no virial yes|no dynamic/dof yes|no (of no effect), and what `option` understands."""
        words = list(args)
        while words:
            word = words.pop(0)
            if word in ("energy", "virial"):
                if not words or words[0] not in ON_OFF:
                    raise InputError(f"fix_modify {word} needs yes or no", f"usage: fix_modify ID {word} yes")
                if not (self.has_energy if word == "energy" else self.has_virial):
                    raise InputError(f"fix {self.id} has no {word} that could be added", f"leave out fix_modify {word}")
                setattr(self, f"{word}_on", ON_OFF[words.pop(0)])
            elif word == "dynamic/dof":
                if not words or words.pop(0) not in ON_OFF:
                    raise InputError("fix_modify dynamic/dof needs yes or no", "usage: fix_modify ID dynamic/dof yes")
                self.notes.append(f"fix_modify {self.id} dynamic/dof changes nothing, as in LAMMPS: compute_modify of the "
                                  "temperature, such as ID_temp, lets degrees of freedom be counted again")
            else:
                words = self.option(word, words)

    def option(self, word: str, rest: list[str]) -> list[str]:
        """An option of fix_modify of its own; gives the words that are left."""
        raise InputError(f"fix '{self.id}' has no option '{word}'", "see docs/scripts.md for what this fix style can modify")

    # ---- hooks
    def init(self) -> None: ...

    def setup(self) -> None: ...

    def resume(self) -> None:
        """As setup, unless that changes more than forces and what is put together from the state."""
        self.setup()

    def begin(self) -> None: ...

    def initial_integrate(self) -> None: ...

    def post_integrate(self) -> None: ...

    def pre_exchange(self) -> None: ...

    def pre_neighbor(self) -> None: ...

    def post_neighbor(self) -> None: ...

    def pre_force(self) -> None: ...

    def pre_reverse(self) -> None: ...

    def post_force(self) -> None: ...

    def min_setup(self) -> None:
        self.setup()

    def min_post_force(self) -> None:
        self.post_force()

    def final_integrate(self) -> None: ...

    def level_kick(self, dt: float, moves: bool, begins: bool) -> None:
        """In steps of several lengths, with the forces of one level: v += dt/2 F/m, and with `moves` then x += dt v. `begins`:
        it is the first of a step. The last one is final_integrate. Defined beside initial_integrate, for which it stands."""
        raise NotImplementedError

    def post_force_of(self, level: int) -> None:
        """post_force for a level below the last, of a fix that acts on every one."""
        self.post_force()

    def end_of_step(self) -> None: ...


class ForceFix(Fix):
    """Base of fixes that change forces, those of the setup as those of every step."""

    levels = "outer"

    def setup(self) -> None:
        self.post_force()
