"""Steps that need nothing from the host, replayed on a GPU as graphs.

A plan is a string with one letter per step, up to the next output or rebuild:

    s   integrate, ghost positions, forces, integrate
    c   the same, with the test whether an atom has moved too far
    r   integrate, new ghosts and lists, forces, integrate
    n   first letter only: an integrated step goes on with new ghosts and lists

The loops of a plan are collected by calling the same methods as in an ordinary step, fused where they touch one atom at
a time, and captured as one graph, which is kept for the next time. A kernel that finds an atom moved too far stops the
sequence at its step, and one that finds that something does not fit, or is not a number, calls off all that follows
(portable/spaces.py: control words). The host looks at those words once per replay, rebuilds, and resumes at that very
step; ordinary code then finds the same trouble again and raises the same errors as on a CPU.
"""

from __future__ import annotations

from typing import Any

from everlet.errors import AsksHost
from everlet.portable import View, warm
from everlet.portable.backends import kinds
from everlet.portable.batch import Launch, join
from everlet.portable.graphs import Graph
from everlet.portable.spaces import LATER, NEVER
from everlet.run.collecting import alike, collecting, own_numbers
from everlet.run.phases import Now, Phase, before_forces, forces, integrate, lists, part
from everlet.state.clock import ready
from everlet.state.control import PLACE, READY, STOP, TOTAL, TROUBLE

LONGEST = 64  # steps of a plan
SHORT = 4  # of one, even if lists may have to be rebuilt before
LOOPS = 512  # of a plan: a graph of many takes long to make
KEPT = 24  # graphs that are kept


class Replay:
    """Replays the steps of a Timestep."""

    def __init__(self, loop: Any):
        self.loop, self.system = loop, loop.system
        self.graphs: dict[tuple[str, tuple[int, ...]], Graph] = {}
        self.stamp: tuple[Any, ...] = ()
        self.looked = False  # it is the present one: the host has done nothing since
        self.compiled: tuple[Any, ...] = ()  # the stamp of the last set-up
        self.plans: dict[tuple[Any, ...], str] = {}
        self.written: set[str] = set()  # fields that plans write
        self.interval = 16  # steps between the last two rebuilds
        self.reads_box = False  # hooks have given their kernels numbers of the box
        acting = [fix for fix in loop.fixes if not fix.idle_between]
        self.ending = [fix for fix in acting if fix.every > 1 and fix.overrides("end_of_step")]
        self.beginning = [*(fix for fix in acting if fix.overrides("begin")), *self.ending]
        self.begins = True  # hooks of the begin of a run were called
        self.numbers: dict[str, Any] = {}  # of fixes that the host calls between replays
        self.sample: list[Launch] = []  # steps as they were when graphs were made
        self.longest = 1  # until it is known how many loops a step has

    @staticmethod
    def why_not(loop: Any) -> str:
        """Why steps of this loop cannot be replayed; empty if they can."""
        system = loop.system
        if not system.space.replays:
            return f"only {kinds('replays')} replay steps"
        if system.levels is not None:
            return "run_style respa has steps of several lengths"
        if system.ranks.size > 1:
            return "there are several MPI ranks, which talk at every step"
        if not loop.evaluator.terms:
            return "there are no forces"
        if not loop.evaluator.steady:
            return f"scheme {system.scheme} asks the host at every step"
        if loop.neighbor.system.space is not system.space:
            return "pair forces are computed on the host"
        others = [fix.id for fix in loop.fixes
                  if not (fix.steady and fix.system.space is system.space or fix.idle_between)]
        return f"fix {', '.join(others)} asks the host at every step" if others else ""

    # ---- plans
    def plan(self, most: int, resume: bool) -> str:
        """What the next steps do, at most so many."""
        near = self.loop.neighbor
        settings, ago = near.settings, 0 if resume else near.decision.ago
        room = max(SHORT, self.interval - ago) if settings.check else LONGEST
        key = (resume, ago, min(most, room, self.longest), settings.check, settings.every, settings.delay, settings.once)
        if key not in self.plans:
            if len(self.plans) >= 1000:
                self.plans.clear()
            self.plans[key] = self._planned(*key[:4])
        return self.plans[key]

    def _planned(self, resume: bool, ago: int, steps: int, check: bool) -> str:
        letters, head = "", "n" if resume else ""
        for k in range(ago + 1, ago + 1 + steps):
            due = self.loop.neighbor.decision.allowed(k)
            if due and not check:
                return head + letters + "r"
            letters += "c" if due else "s"
        return head + letters[: 1 << (len(letters).bit_length() - 1)] if letters else head

    def launches(self, plan: str) -> list[Launch]:
        """All loops of a plan, in order."""
        system, space = self.system, self.system.space
        first = 0 if plan[0] != "n" else 1  # the position of the first whole step
        box, asked = system.need_box(), system.need_box().asked
        system.atoms.touched = set()
        while True:
            with collecting(self.loop, kept=True) as found:
                try:
                    if self.loop.hooks["pre_force"]:
                        ready(space, 0)
                    for k, letter in enumerate(plan):
                        self._collect(letter, k, k >= first)
                finally:
                    space.limit, space.place = NEVER, 0
                self.reads_box |= self.loop.collection.reads_box or box.shrinks and box.asked != asked
            if not self.loop.evaluator.sums.collected.enlarged():
                break
        self.written |= system.atoms.touched
        return join(found)

    def _collect(self, letter: str, place: int, whole: bool) -> None:
        """The loops of one step; not whole: from the lists on."""
        loop, space = self.loop, self.system.space
        now = Now(letter == "c", place, letter in "rn", loop.tallies, energy=False)
        space.limit = space.place = place
        loop.go(part(integrate if whole else lists, lists), now)
        space.limit = place + 1 if letter == "c" else place
        loop.go(part(before_forces), now)

    def _stamp(self) -> tuple[Any, ...]:
        """What graphs were captured with that the host may change between them."""
        system = self.system
        span = (system.run_start, system.run_stop) if self.loop.clocks else ()  # fixes that follow the clock may have ramps
        box = system.need_box().params().tobytes() if self.reads_box else b""
        sizes = self.loop.neighbor.sizes(bins=not self._host_lists)
        return View.made, system.dt, system.masses.tobytes(), system.atoms.n, *sizes, *span, box

    def graph(self, plan: str) -> Graph:
        """The graph of a plan, made anew if arrays have been replaced since it was captured; it finds what the host wrote."""
        if not self.looked or self.stamp[:2] != (View.made, self.system.dt):
            stamp, self.looked = self._stamp(), True
            self.system.atoms.bring()
            if stamp != self.stamp:
                self.forget()
                self.stamp = stamp
        key = plan, tuple(fix.variant for fix in self.loop.fixes)
        if key not in self.graphs:
            if len(self.graphs) >= KEPT:
                self.forget()
            launches = self.launches(plan)
            if not self.graphs:
                self.sample = self._sampled()
            self.graphs[key] = Graph(self.system.space, launches)
            loops = -(-len(launches) // len(plan))
            self.longest = min(LONGEST, max(1, LOOPS // loops))
        return self.graphs[key]

    def compile(self) -> str:
        """Compile the kernels of all plans; arrays must have been made. Why steps cannot be replayed: what hooks ask the host
        for shows when their launches are collected. A run like the last one has them."""
        if self.compiled == (stamp := self._stamp()):
            return ""
        plans = ["n", "ss", "sr", "cc"] if self.loop.neighbor.settings.check else ["ss", "srs"]
        if self._host_lists:
            plans = ["ss", "cc"] if self.loop.neighbor.settings.check else ["ss"]
        try:
            warm(self.system.space, [launch[0] for plan in plans for launch in self.launches(plan)])
        except AsksHost as found:
            return found.cause
        self.compiled = stamp
        return ""

    def forget(self) -> None:
        for graph in self.graphs.values():
            graph.close()
        self.graphs.clear()

    def _graph(self, plan: str) -> Graph | None:
        """`graph`, or none any more: a hook may ask the host now, which it did not when its launches were collected first."""
        try:
            self._look()
            return self.graph(plan)
        except AsksHost as found:
            self.loop.replay = None
            self.loop.fixes[0].notes.append(f"Steps are launched one by one: {found.cause}")
            return None

    def _sampled(self) -> list[Launch]:
        """Steps in which there is all that plans are made of."""
        check = self.loop.neighbor.settings.check
        return self.launches(("sc" if check else "s") if self._host_lists else "nc" if check else "sr")

    def _look(self) -> None:
        """Anything may have happened since the last run, and hooks that the host calls now and then at the end of a step may
        have given it other numbers: graphs are made anew if steps launch something else now."""
        now = {fix.id: own_numbers(fix) for fix in (self.beginning if self.begins else self.ending)}
        changed = self.begins or any(self.numbers.get(id) != numbers for id, numbers in now.items())
        self.begins = False
        self.numbers |= now
        if changed and self.graphs and not alike(self.system.space, self.sample, self._sampled()):
            self.forget()

    # ---- running
    def advance(self, most: int) -> None:
        """Make so many steps, or fewer: between two graphs there is a look at signals and the clock."""
        with self.loop.timers("Graph"):
            self._advance(most)

    def _advance(self, most: int) -> None:
        system, near = self.system, self.loop.neighbor
        space, decision = system.space, near.decision
        last, resume, self.looked = system.step + most, False, False
        while resume or system.step < min(last, self.loop.outputs.until(system.step) - 1):
            plan = self.plan(min(last, self.loop.outputs.last - 1) - system.step, resume)  # a look may shorten the run
            if plan.endswith("r") and self._by_host(system.step + len(plan.lstrip("n"))):
                plan = plan[:-1]
            if not plan:
                system.step += 1
                self.loop.integrate()
                self._rebuild_step()
                continue
            graph = self._graph(plan)
            if graph is None:
                return self._rebuild_step() if resume else None
            graph.replay()
            words = space.read_control()
            system.atoms.mark(self.written)
            stopped, trouble, place = words[STOP] != LATER, words[TROUBLE] != 0, words[PLACE]
            done = words[STOP] if stopped else len(plan)
            if trouble and not stopped:  # in the middle of a step, or when lists were rebuilt
                done = place - 1 if place else plan.index(plan.strip("cs"))
            if stopped or trouble:
                space.reset_control()
            self._count(plan[:done])
            known = plan[: done + bool(place)]
            if "n" in known or "r" in known:
                self.loop.comm.remade(system, words[TOTAL] - system.atoms.n)
            self.loop.take_box()
            for fix in self.loop.fixes:
                fix.replayed()
            if self.loop.tallies:
                self.loop.evaluator.replayed()
            resume = stopped
            if stopped:  # this step is integrated and goes on with new lists
                system.step += 1
                decision.ago += 1
                decision.checked()
                self.interval = decision.ago
                if self._by_host(system.step):
                    self._rebuild_step()
                    resume = False
            elif place:  # what did not fit is made larger, and the forces of this step are computed again
                self._count(plan[done])
                # what comes before forces may not be done twice: charges are remembered
                self._finish(forces if words[READY] == place else before_forces)
            elif trouble:
                if plan[done] == "r":
                    system.step += 1
                    decision.ago += 1
                self._rebuild_step()

    def _by_host(self, step: int) -> bool:
        """A rebuild at this step is for the host: as all are, or since it puts atoms into the order of their bins."""
        return self._host_lists or self.system.sorts and step >= self.system.next_sort

    @property
    def _host_lists(self) -> bool:
        """Lists are made by the host: the box shrinks around the atoms, or the grid of bins no longer suits it."""
        loop = self.loop
        return loop.changes_box and not loop.neighbor.follower.follows() or self.system.need_box().shrinks

    def _rebuild_step(self) -> None:
        """The rest of an integrated step, with new lists, by the host."""
        self._finish(lists)

    def _finish(self, first: Phase) -> None:
        """The rest of a step from a phase on, by the host."""
        self.looked = False
        self.loop.go(part(first), Now(rebuild=True, tally=self.loop.tallies, energy=False))

    def _count(self, letters: str) -> None:
        """The book-keeping of whole steps: only the first letter is an n, only the last an r."""
        decision, whole = self.loop.neighbor.decision, len(letters) - letters.startswith("n")
        if letters.startswith("n"):
            decision.built()
        self.system.step += whole
        decision.ago += whole
        if letters.endswith("r"):
            decision.built()
