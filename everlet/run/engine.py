"""Engine: owns a System and the operations on it; sets up and runs simulations. Scripts and the Python API drive it."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.comm.division import Division
from everlet.comm.serial import SerialComm
from everlet.comm.universe import here
from everlet.errors import InputError, a_text, whole_number
from everlet.io.files import agreed
from everlet.io.log import Log
from everlet.io.progress import Progress, announce_compiling
from everlet.io.restart import write_restart
from everlet.io.thermo import Thermo
from everlet.neighbor.decide import NeighborSettings
from everlet.neighbor.lists import Neighbor
from everlet.portable import Space, View
from everlet.portable.held import bytes_held
from everlet.portable.language.dtypes import PRECISION
from everlet.run.beside import Beside
from everlet.run.checks import check_numbers
from everlet.run.minimisers.settings import Settings as MinSettings
from everlet.run.operations import Operations
from everlet.run.outputs import Outputs
from everlet.run.planning import Planner
from everlet.run.plugins import load_plugin
from everlet.run.running import run_steps
from everlet.run.setting_up import set_up
from everlet.run.step import Timestep
from everlet.run.stopping import Stopping
from everlet.run.tuning.tuner import Tuner
from everlet.run.turns import Turns, acts
from everlet.state.ranks import SingleRank
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.system import System

MOST_STEPS = 2**62


class Engine(Operations):
    """One simulation: its state (`system`), settings and output."""

    def __init__(self, space: Space, precision: str = "double", log: Log | None = None,
                 world: SingleRank | None = None):
        if precision not in PRECISION:
            raise InputError(f"unknown precision '{precision}'", f"use {', '.join(PRECISION)}")
        self.space, self.precision = space, precision
        self.world, self.universe = world or SingleRank(), here()
        self.log = log or Log("none")
        if self.universe.worlds > 1:
            self.log.write(f"Processor partition = {self.universe.number}")
        self.options: dict[str, Any] = {}
        self.script: Any = None
        self.show_progress = False  # a program wants a bar, whatever the screen is
        self.face: Any = self  # what functions of users are given: the Simulation that has this engine
        self.stopping = Stopping(self.world)
        self.turns, self.weight, self._views = Turns(), 0, -1
        announce_compiling(self.log)
        self._begin()

    def _begin(self) -> None:
        self.system = System(self.space, self.precision)
        self.system.universe = self.universe
        self.system.world, self.system.check_code = self.world, lambda *said: self.script and self.script.check_code(*said)
        self.system.division = self.division = Division(self.system)
        self.neighbor = NeighborSettings()
        self.thermo = Thermo(self.system)
        self.thermo.remaining = self.stopping.remaining
        self.stopping.no_limit()
        self.outputs = Outputs(self)
        self.min_settings = MinSettings()  # min_style, min_modify
        self.progress = Progress(self.log, 0, 0)
        self.restart: Any = None  # periodic restart files: has due(step) and write(engine)
        self.comm: SerialComm | None = None
        self.lists: Neighbor | None = None
        self.loop: Timestep | None = None
        self.tuner = Tuner()
        self.planner = Planner(self)
        self.ids = RowsOfIds(self.system)
        self.pair_side: Any = self.system  # where pair forces and neighbour lists are: the System, or its host side
        self.timer = "normal"  # how much a run measures and says about its time: off, loop, normal, full
        self.sync = False  # ranks wait for each other after each part of a step, so that waiting is not counted to the next
        self._prepared: tuple[Any, ...] = ()  # what the present lists and forces were made for
        self.made_at = 0  # changes of the state by then
        self.beside = Beside(self)
        self.system.fresh.renew, self.system.fresh.followed = self.beside.renew, self.beside.followed
        self.add_compute("thermo_temp", "all", "temp", [])
        self.add_compute("thermo_press", "all", "pressure", ["thermo_temp"])
        self.add_compute("thermo_pe", "all", "pe", [])

    @property
    def variables(self) -> Any:
        return self.system.variables

    @variables.setter
    def variables(self, value: Any) -> None:
        self.system.variables = value

    @acts
    def clear(self) -> None:
        """Forget atoms, box, styles and settings; variables and the log stay."""
        variables = self.system.variables
        for output in (*self.system.dumps.values(), *self.system.fixes.values()):
            output.close()
        self._begin()
        self.system.variables = variables

    @acts
    def load_plugin(self, path: Any) -> dict[str, list[str]]:
        """Run a user's Python file that registers styles; their names by kind."""
        return load_plugin(a_text(path, "the plugin", path=True), self.log.write, self.log.warning)

    # ---- running
    def setup(self, minimiser: str = "") -> None:
        """Check that the system is complete, compile what is missing, make lists and forces: of a run, or of a minimiser."""
        set_up(self, minimiser)

    def weigh(self) -> None:
        """Memory in use, counted anew if an array can be another one."""
        if self._views != View.made:
            self.weight, self._views = self.bytes(), View.made

    # ---- what depends on what: state/freshness.py
    def changed(self, *what: str) -> None:
        """Something is not as it was: these fields of atoms, "box", or without a word anything; then a run needs a set-up."""
        self._old(*what)
        if not what:
            self._prepared = ()

    def did(self, what: tuple[str, ...] | None) -> None:
        """A script command was run, which changes this; None: it may be anything."""
        if what != ():
            self._old(*(what or ()))

    def _old(self, *what: str) -> None:
        self.system.fresh.changed(*what)
        for operation in (*self.system.computes.values(), *self.system.fixes.values()):
            operation.forget()
        if not what:
            for compute in self.system.computes.values():
                compute.unset()

    def set_up_again(self) -> None:
        """Forces of many systems in one, between runs: by a set-up without output."""
        self.outputs.begin(self.system.step)
        try:
            with self.system.fresh.making(), self.log.silent():
                self.setup()
        except BaseException:
            self.loop = None
            self.system.ledger.forget()
            raise

    def current(self, name: str = "f") -> None:
        """Every rank has all atoms, and this field of them is that of the present state."""
        self.division.gather()
        if name == "f":
            self.system.fresh.need()

    def tell(self) -> None:
        """Lines that fixes and terms of forces have for the log."""
        terms = self.system.evaluator.terms if self.system.evaluator is not None else ()
        for part in (*self.system.fixes.values(), *terms):
            while part.notes:
                line = part.notes.pop(0)
                if line.startswith("WARNING: "):
                    self.log.warning(line.removeprefix("WARNING: "))
                else:
                    self.log.write(line)

    def put_tail(self) -> None:
        pair, box = self.system.pair, self.system.need_box()
        self.system.energies["tail"] = pair.etail / box.volume if pair is not None else 0.0

    def _present(self) -> tuple[Any, ...]:
        """What a run without a new set-up depends on."""
        system = self.system
        atoms = system.atoms
        return atoms.n, atoms.nghost, system.pair, tuple(system.fixes.values()), system.newton, system.box

    def bytes(self) -> int:
        """Memory of all arrays that a run works with."""
        system, evaluator = self.system, self.loop.evaluator if self.loop is not None else None
        return bytes_held((system.atoms, evaluator, *system.fixes.values(), *system.computes.values()), (System, Engine))

    def before(self, looks: bool) -> None:
        """A line of a script is about to run: files that others read are complete, and atoms where it may look at them."""
        self.universe.check()
        if self.stopping.between():
            self._leave()
        if looks and self.world.size > 1:
            self.division.gather()

    def _leave(self) -> None:
        """A signal has come between runs: end, with a restart file if there is something to go on from."""
        system, written = self.system, ""
        if self.stopping.wants_file() and self.loop is not None:
            self.division.gather()
            with agreed(self.world):
                written = write_restart(system, self.stopping.file)
        self.stopping.leave(system.step, written)

    def measure(self) -> None:
        """What a row of thermo output is made of, checked."""
        assert self.lists is not None
        self.thermo.builds, self.thermo.dangerous = self.lists.decision.builds, self.lists.decision.dangerous
        check_numbers(self.system)
        self.put_tail()

    @acts
    @np.errstate(all="ignore")
    def run(self, steps: int, pre: bool = True, post: bool = True, start: int | None = None, stop: int | None = None
            ) -> None:
        """Advance by `steps`. pre=False continues without a set-up, post=False leaves out the summary.

        start and stop are the steps between which ramped settings go from their first to their last value; without
        them, this run's own first and last step.
        """
        system = self.system
        system.need_box()
        steps = whole_number(steps, "the number of steps")
        if not 0 <= steps <= MOST_STEPS - system.step:
            raise InputError(f"cannot run {steps} steps", f"give a number of steps from 0 to {MOST_STEPS - system.step}")
        start = system.step if start is None else whole_number(start, "start")
        stop = system.step + steps if stop is None else whole_number(stop, "stop")
        if not 0 <= start <= system.step:
            raise InputError(f"run start {start} must be from 0 to the present step {system.step}",
                             "leave it out, or give an earlier step")
        if stop < system.step + steps:
            raise InputError(f"run stop {stop} is before the last step {system.step + steps}", "give a later step")
        if not isinstance(pre, bool) or not isinstance(post, bool):
            raise InputError(f"pre and post must be True or False, found {pre!r} and {post!r}", "give one of them")
        self.neighbor.check_together()
        if self.stopping.over():
            self.log.warning("run skipped: the time limit has passed (timer timeout sets a new one)")
            return
        if system.halted == "soft":
            self.log.warning("run skipped: fix halt has ended all runs (error continue ends one)")
            return
        system.halted = ""
        if not pre:
            self.division.resume()
            self._check_prepared()
        system.run_start, system.run_stop = start, stop
        try:
            with system.fresh.making():
                run_steps(self, steps, pre, post)
            self._prepared, self.made_at = self._present(), system.fresh.count
        except BaseException:
            self.loop = None  # lists and forces may be half made: the next run sets up anew
            system.ledger.forget()
            raise
        finally:
            system.run_stop = system.run_start  # between runs ramps stand at their first value

    def _check_prepared(self) -> None:
        if self.loop is None:
            raise InputError("run … pre no without a run before it", "leave out 'pre no'")
        if self._prepared != self._present():
            raise InputError("run … pre no, but atoms, box, pair style or fixes have changed since the last run",
                             "leave out 'pre no'")
