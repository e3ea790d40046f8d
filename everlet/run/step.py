"""The timestep, on one screen.

initial_integrate -> (moved too far? exchange, sort, ghosts, lists : ghost positions) -> pre_force -> forces -> ghost forces
home -> post_force -> final_integrate -> end_of_step -> output. Energy and virial are tallied only on steps that ask.
The order stands in phases.py, for all that makes steps: this loop, and those who go through a part of it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext, suppress

from everlet.computes.peratom.of_terms import OfTerms
from everlet.errors import AsksHost
from everlet.fixes.base import HOOKS, Fix
from everlet.forces.pair.driver import PairTerm
from everlet.neighbor.again import STAY_NEAR, Within
from everlet.portable import Kernel, warm
from everlet.portable.batch import fused, join
from everlet.run.collecting import Collection, collecting
from everlet.run.evaluator import Evaluator
from everlet.run.graphs import Replay
from everlet.run.outputs import Outputs
from everlet.run.phases import FORCES, REST, TO_FORCES, Now, Phases, integrate
from everlet.run.repeats import Repeats
from everlet.state.clock import ADVANCE, set_step
from everlet.state.system import ASKED, SETTING_UP, STEPPING

Hook = Callable[[], None]
MINIMISING = {"setup": "min_setup", "post_force": "min_post_force"}  # hooks that stand for others


class Timestep:
    """Advances a system. `outputs` says what each step needs, which one is the last, and writes what is due."""

    def __init__(self, evaluator: Evaluator, fixes: list[Fix], outputs: Outputs, minimises: bool = False, asks: bool = False,
                 trial: bool = False, *, twin: Callable[[], Timestep]):
        self.evaluator, self.fixes, self.outputs = evaluator, fixes, outputs
        self.acting = fixes = [fix for fix in fixes if fix.minimizes or not minimises]  # in minimisations only some do
        self.system, self.comm, self.neighbor = evaluator.system, evaluator.comm, evaluator.neighbor
        self.timers = evaluator.timers
        self.replay: Replay | None = None  # replays steps without events on a GPU
        self.repeats: Repeats | None = None  # repeats them on cores
        self.collection: Collection | None = None  # watches over hooks while their launches are collected
        space = self.system.space
        here = [fix.system.space is space for fix in fixes] + [self.neighbor.system.space is space]
        self.here = all(here)  # nothing runs on the host beside a GPU
        self.asks, self.trial = asks, trial  # it makes no steps; nothing of it is used
        self.twin = twin  # makes a loop like it, for trial
        self.steady = self.here and all(fix.steady for fix in fixes) and not asks
        meant = MINIMISING if minimises else {}
        self.hooks = {hook: [(fix, getattr(fix, meant.get(hook, hook))) for fix in fixes
                             if fix.overrides(hook) or fix.overrides(meant.get(hook, hook))] for hook in HOOKS}
        if trial:  # only lists and forces are measured: no hook is called
            self.hooks, self.comm.hooks = {hook: [] for hook in HOOKS}, []
        followed = [fix.system.space for fix in fixes if fix.follows_clock]
        followed += [self.neighbor.system.space for term in evaluator.terms if term.follows_clock]
        self.clocks = list({id(space): space for space in followed}.values())
        self.moving = [fix for fix in fixes if fix.changes_box]
        self.moved_last = any(fix.moves_last for fix in fixes)
        self.changes_box = self.neighbor.corners.followed = bool(self.moving)
        self.neighbor.corners.on_device = self.here and bool(self.moving) and all(fix.steady for fix in self.moving)
        self.tallies = any(fix.needs_tally for fix in fixes)
        evaluator.before_reverse = lambda: self.call("pre_reverse")
        self.entries = [(fix, evaluator.sums.tally(fix.id, ("energy",), fix=True)) for fix in self.fixes if fix.tallies]
        self.take()

    def take(self) -> None:
        """Operations meet this loop: another one may have come in between."""
        self.system.evaluator = self.evaluator
        for fix, tally in self.entries:
            fix.tally = tally

    @property
    def pair(self) -> PairTerm | None:
        """The term of the pair style."""
        return next((term for term in self.evaluator.terms if isinstance(term, PairTerm)), None)

    def call(self, hook: str) -> None:
        """Steps at which something happens at the end of the step, or for which lists are asked, are never replayed
        (Outputs.next_event)."""
        waiting = self.system.space.queue is not None
        for fix, function in self.hooks[hook]:
            if waiting and hook == "pre_exchange" and fix.by_request:
                continue
            if hook != "end_of_step" or fix.every == 1 or (fix.every and not waiting and self.system.step % fix.every == 0):
                if self.collection is None:
                    function()
                else:
                    self.collection.call(fix, hook, function)
                if hook == "end_of_step" and fix.every > 1 and "v" in fix.writes:
                    for other in self.fixes:
                        other.new_velocities()

    # ---- what a run compiles
    def kernels(self) -> list[Kernel]:
        """All of lists and forces, found by a dry run of a twin: what it believes to have made is not there. Of operations what
        they say. All ranks ask together."""
        twin = self.twin().evaluator
        found = twin.dry(self.tallies)
        found += [ADVANCE] if self.clocks else []
        found += [STAY_NEAR] if self.asks else []
        if not self.trial:
            for operation in (*self.acting, *(() if self.asks else self.system.computes.values())):
                found += operation.kernels()
        self.take()
        twin.drop()
        return found

    def first_half(self) -> list[Kernel]:
        """What moves atoms, and the test whether they have gone too far: fused, unless hooks ask the host, which is found out
        here. Of fixes that say so before, their own list has it."""
        check = self.neighbor.settings.check
        self.system.mass_kind()  # where it is an array of its own it is filled now: inside a collection that is refused
        if self.steady:
            try:
                with collecting(self, kept=False) as launches:
                    self.go((integrate,), Now(check=check))
                return [launch[0] for launch in join(launches)]
            except AsksHost:
                self.steady = False
        with collecting(self, kept=False) as launches:
            for hook in ("initial_integrate", "post_integrate"):
                for fix, function in self.hooks[hook]:
                    if fix.steady and self.here and self.collection is not None:
                        with suppress(AsksHost):
                            self.collection.call(fix, hook, function)
            if check and not self.asks:
                self.neighbor.mark_moved()
        return [launch[0] for launch in launches]

    def compile(self, kernels: list[Kernel]) -> None:
        """Compile what is missing, several kernels at a time. What runs on the host beside a GPU is compiled when used."""
        if self.here or not self.system.space.many_threads:
            warm(self.system.space, kernels)

    def on_host(self) -> list[str]:
        """What is said about styles that run on the host beside a GPU."""
        used = [(f"fix {fix.id}", fix.system, fix.reads, fix.writes) for fix in self.fixes]
        used += [("the pair style", self.neighbor.system, ("x", "type"), ("f",))] if self.pair is not None else []
        back = f" back to the {self.system.space.kind}"
        return [f"{name} runs on the host and copies {' '.join((*reads, *(w for w in writes if w not in reads)))} to the host "
                f"if they have changed{', ' + ' '.join(writes) + back if writes else ''} at every step"
                for name, where, reads, writes in used if where.space is not self.system.space]

    def steady_between(self) -> bool:
        """Between events all is done by kernels, the host knows the box, and nothing is summed up."""
        evaluator, space = self.evaluator, self.system.space
        fixes = all(fix.steady and fix.system.space is space or fix.idle_between for fix in self.fixes)
        terms = bool(evaluator.terms) and evaluator.steady and not any(term.outside for term in evaluator.terms)
        return self.here and fixes and terms and not self.moving and not self.tallies

    # ---- the phases of a step
    def go(self, phases: Phases, now: Now) -> None:
        """Through some of the phases."""
        for phase in phases:
            phase(self, now)

    def rebuild(self, count: bool = True) -> None:
        """New ghosts and lists."""
        self.evaluator.rebuild(count)
        self.call("post_neighbor")

    def lists_as_set_up(self) -> None:
        """A run that goes on from the file just written begins with lists of the present box: so does this one."""
        hooks, self.comm.hooks = self.comm.hooks, []
        self.rebuild(count=False)
        self.comm.hooks = hooks

    def forces(self, tally: bool, energy: bool = True) -> None:
        """Forces of the present lists, and what else fixes want of this step."""
        self.go(FORCES, Now(tally=tally, energy=energy, asked=self.outputs.asked(self.system.step)))

    # ---- running
    def setup(self, reuse: bool = False) -> None:
        """Lists and forces for the present positions, before the first step; reuse: lists of an earlier run will do, where
        no fix wants to know of new ones."""
        self.take()
        self.set_clocks()
        self.comm.hooks, self.neighbor.hooks = [lambda: self.call("pre_exchange")], [lambda: self.call("pre_neighbor")]
        asked = any(self.hooks[hook] for hook in ("pre_exchange", "pre_neighbor", "post_neighbor"))
        if not (reuse and not asked and self.neighbor.reuse(self.comm)):
            self.rebuild(count=False)
        self.system.passing = ASKED if self.system.continues else SETTING_UP
        self.forces(True)
        self.evaluator.settle()
        for compute in self.system.computes.values():  # before fixes: thermostats use degrees of freedom
            compute.setup()
        continues = self.system.continues
        for fix, setup in self.hooks["setup"]:
            (fix.resume if continues else setup)()
        self.system.passing = ASKED
        if continues and self.system.mid_run is not None:
            self.system.mid_run.put_back(self.system)
        self.evaluator.settle()

    def look(self, reuse: bool, head: Within = nullcontext, rest: Within = nullcontext) -> bool:
        """Forces of the present positions, between runs: as `setup` makes them, on copies of atoms. No compute begins anew.
        Whether lists were good enough: inside of something this was found out, and the rest was made."""
        self.take()
        self.set_clocks()
        reused = reuse and not self.hooks["post_neighbor"] and self.neighbor.reuse(self.comm, True, head, rest)
        if not reused:
            self.rebuild(count=False)
        with rest():
            self.forces(True)
        self.evaluator.settle()
        for _, setup in self.hooks["setup"]:
            setup()
        self.evaluator.settle()
        return reused

    def set_clocks(self) -> None:
        """Kernels of a step read its number where they run: in the space of the system, or on the host beside it."""
        for clock in self.clocks:
            set_step(clock, self.system.step)

    def integrate(self) -> bool:
        """The first half of a step; whether lists may be rebuilt now."""
        due = self.neighbor.due()
        with fused(self.system.space) if self.steady else nullcontext():
            self.go((integrate,), Now(check=due and self.neighbor.settings.check))
        self.take_box()
        return due

    def take_box(self) -> None:
        """The host follows the box, if fixes change it, and kernels follow what the host has changed."""
        for fix in self.moving:
            fix.take_box()
        if self.moving:
            self.neighbor.system.put_box()

    def run(self) -> None:
        """Advance up to the last step."""
        system, outputs = self.system, self.outputs
        self.set_clocks()
        self.call("begin")
        if (ahead := self.replay or self.repeats) is not None:
            ahead.begins = True
        system.continues = False
        if system.step < outputs.last:
            system.mid_run = None
        system.passing = STEPPING
        while system.step < outputs.until(system.step):
            quiet = outputs.next_event(system.step) - system.step - 1
            ahead = self.replay or self.repeats
            if ahead is not None and quiet > 0:
                ahead.advance(quiet)
            self.step()
        system.passing = ASKED

    def step(self, head: Within = nullcontext, rest: Within = nullcontext) -> tuple[Now, bool]:
        """One step, with the output that is due; its two halves inside of something."""
        self.system.step += 1
        with self.timers("Modify"), head():
            due = self.integrate()
        return self.go_on(due, rest), due and self.neighbor.settings.check

    def go_on(self, due: bool, rest: Within = nullcontext) -> Now:
        """The second half of a step, with lists that may be rebuilt now if it is due."""
        system, timers, outputs = self.system, self.timers, self.outputs
        with timers("Neigh"):
            rebuild = due and self.neighbor.moved() if self.neighbor.settings.check else due
            rebuild = rebuild or outputs.rebuild_on(system.step)
        now = Now(False, 0, rebuild, *outputs.tally(system.step), outputs.asked(system.step))
        with rest():
            self.go(TO_FORCES, now)
        self.evaluator.current = not self.moved_last
        if self.moved_last and outputs.looks(system.step):
            for compute in system.computes.values():
                if isinstance(compute, OfTerms):
                    compute.hold()
        with timers("Modify"), rest():
            self.go(REST, now)
        with timers("Output"):
            outputs.step_done()
        self.evaluator.current = False
        if self.moved_last and outputs.restarts(system.step) and system.step < outputs.last:
            with timers("Neigh"):
                self.lists_as_set_up()
        return now
