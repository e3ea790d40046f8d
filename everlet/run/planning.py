"""How a run, or a question for forces between runs, does its work: its plan, and the loop with lists and terms that follow."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.errors import InputError
from everlet.forces.bonded.breaking import HeldPairs
from everlet.forces.bonded.terms import link_terms
from everlet.forces.pair.driver import PairTerm, default_scheme, pair_terms, set_knobs
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import SchemeOptions, pair_scheme, scheme_on
from everlet.forces.pair.special import SpecialTerm
from everlet.forces.terms import Term
from everlet.neighbor.lists import Neighbor
from everlet.run.evaluator import Evaluator
from everlet.run.levels import LevelEvaluator, Multistep
from everlet.run.step import Timestep
from everlet.run.timers import Timers
from everlet.run.tuning.tuner import compile_in_turns
from everlet.state.levels import Levels
from everlet.state.plan import SORT_EVERY, Plan

PLAIN = (bool, int, float, str, tuple)
FEW_ATOMS = 400
MOVING = frozenset(("x", "v", "image", "box", "words", "atoms"))  # what loops are not made from

Apart = list[tuple[str, Parameters, float]]

if TYPE_CHECKING:  # they know this file
    from everlet.run.beside import Beside
    from everlet.run.engine import Engine


def apart_terms(name: str, pair: list[PairTerm], levels: Levels | None) -> dict[int, tuple[str, Apart]]:
    """Of each level: a name, and what linked atoms have of pair styles (SpecialTerm)."""
    found: dict[int, tuple[str, Apart]] = {}
    for term in pair:
        _, styles = found.setdefault(term.level, (name if levels is None else f"{name} of level {term.level + 1}", []))
        if term.scheme.special_apart:
            styles.append((term.name, term.scheme.parameters, term.factor))
    return found


class Planner:
    """Chooses the plan of an engine's next run and makes what it says.

    The loop of the last run, with its lists and terms, is used again if nothing that it was made from can have changed: nothing
    but MOVING since then (state/freshness.py), and all that `_parts` names is the same. Ghosts, rows and forces are made anew.
    """

    def __init__(self, engine: Engine, beside: Beside | None = None):
        self.engine, self.asks = engine, beside is not None  # asks: not for runs, but for forces between them
        self.bench: Engine | Beside = beside or engine  # has the loop, and what that is made with
        self.minimiser = ""  # plans are for a minimisation of this style
        self._made: tuple[Any, ...] = ()  # what the present loop was made from
        self.made_at = 0  # changes of the state by then
        self._plan: Plan | None = None  # that of the present loop
        self._compiled: set[tuple[Any, ...]] = set()  # what loops had whose kernels are there

    def forget(self) -> None:
        """The loop is not to be used again."""
        self._made = ()

    def keeps(self) -> bool:
        """The loop of the last run can be used again, if its plan can."""
        changed = self.engine.system.fresh.since(self.made_at)
        if not self._made or self.bench.loop is None or changed is None or not changed <= MOVING:
            return False
        parts = self._parts()
        if not 0 < len(parts) == len(self._made):
            return False
        for one, other in zip(parts, self._made, strict=True):  # a question asks this: generators take longer
            if one is not other and not (isinstance(one, PLAIN) and one == other):
                return False
        return True

    def _parts(self) -> tuple[Any, ...]:
        """Objects and numbers that a loop is made from; empty where it always is anew: several ranks divide atoms at each
        set-up."""
        engine = self.engine
        system = engine.system
        if engine.world.size > 1:
            return ()
        box, solver = system.need_box(), system.kspace
        found = [self.bench.loop, system.pair, system.atoms, system.atoms.n, tuple(system.atoms.fields), system.ntypes,
                 tuple(box.boundary), box.triclinic, system.newton, system.carries_velocity, system.sort_given, engine.timer,
                 engine.sync, engine.pair_side, self.minimiser, tuple(engine.options.items()),
                 *vars(engine.neighbor).values(), *system.bonded.values()]
        if solver is not None:  # it has chosen for this run
            found += [solver, *solver.made_with()]
        if system.pair is not None and (system.pair.etail or system.pair.ptail):  # which depend on how many there are of a type
            found.append(tuple(np.bincount(system.atoms.read("type")).tolist()))
        for fix in system.fixes.values():
            found += [fix, fix.steady, fix.changes_box, fix.tallies, fix.needs_tally, fix.follows_clock]
        return (*found, *system.computes.values())

    def loop(self, kept: bool) -> Timestep:
        """The loop of the next run: that of the last one if it is `kept` and the plan is the same, or a new one. Questions stay
        with the plan that they have."""
        bench, before = self.bench, self._plan
        self._plan = plan = before if kept and self.asks and before is not None else self.choose()
        if plan is before and kept:
            self.apply(plan)
        elif not (kept and plan == before and self.keeps()):
            bench.loop = self.make(plan)
        self.engine.system.plan = plan
        if not kept or not self.asks:
            self._made = self._parts()
        self.made_at = self.engine.system.fresh.count
        assert bench.loop is not None
        return bench.loop

    def compile(self, loop: Timestep) -> None:
        """All kernels of a loop, unless one with the same parts came before: the rest is compiled when it is used."""
        moving = loop.first_half()
        system, near = self.engine.system, loop.neighbor
        box = system.need_box()
        parts = (self._plan, self.minimiser, system.newton, system.carries_velocity, tuple(system.atoms.fields), system.ntypes,
                 tuple(box.boundary), box.triclinic, near.settings.check, near.exclusions.needed, system.sorts, loop.tallies,
                 *[(term.name, type(term)) for term in loop.evaluator.terms],
                 *[(type(one), one.args) for one in (*loop.acting, *system.computes.values())])
        if parts not in self._compiled:
            compile_in_turns(system, loop, moving)
            self._compiled.add(parts)

    def choose(self) -> Plan:
        """How the run does its work: as the user says, as the restart file says, as measured, or the default."""
        engine = self.engine
        system = engine.system
        given = engine.options.get("scheme") or engine.options.get("neigh")
        if given:
            knobs = scheme_on(str(given), engine.pair_side.space, system.pair).to_try(system)
            return Plan(str(given), tuple((name, engine.options[name]) for name in knobs if name in engine.options))
        if system.plan_kept and system.pair is not None and system.scheme in system.pair.schemes:
            return system.plan
        threads = self._few_threads()
        self.apply(Plan(threads=threads))  # nothing is left of an earlier choice
        usual = default_scheme(engine.pair_side.space, system.pair is not None and system.pair.costly,
                               bool(engine.options.get("deterministic")))
        reads_rows = any(fix.full_rows for fix in system.fixes.values())
        usual = "full" if reads_rows else usual
        known = system.pair.schemes if system.pair is not None else [usual]
        default = Plan(engine.world.from_first(usual if usual in known else next(iter(known))), threads=threads)
        settled = reads_rows or self.levels is not None or not engine.options.get("tune", True)
        if settled or {"knobs", "deterministic"} & set(engine.options):
            return default  # what is remembered is measured without such settings, and measuring is never the same twice
        steps = 0 if self.minimiser or self.asks else engine.outputs.last - system.step
        choice = engine.tuner.choose(system, engine.neighbor, default, steps, partial(self.make, trial=True))
        if choice is None:
            return default
        if choice.times:
            engine.log.write(choice.line())
            engine.log.event("tune", **choice.plan.content(), ns_per_atom=choice.times, remembered=choice.remembered)
        return choice.plan

    @property
    def levels(self) -> Levels | None:
        """Of steps of several lengths; minimisers and questions know of none."""
        return None if self.minimiser or self.asks else self.engine.system.levels

    def _few_threads(self) -> int:
        """One thread for few atoms, if the user did not say how many: a launch of several takes longer than their work, unless
        that is more than pairs of atoms. 0: all of them."""
        engine, pair = self.engine, self.engine.system.pair
        light = pair is None or pair.schemes is pair_scheme and engine.system.kspace is None
        return 1 if light and not engine.space.given and engine.system.natoms < FEW_ATOMS else 0

    def apply(self, plan: Plan) -> None:
        """Set what a plan says; what the user gave stays as it is."""
        engine = self.engine
        system, settings = engine.system, engine.neighbor
        engine.space.use(plan.threads)
        settings.tuned_skin, settings.bins = plan.skin, plan.bins
        if not system.sort_given:
            system.sort_every = SORT_EVERY if system.ordered else plan.sort or SORT_EVERY

    def make(self, plan: Plan, trial: bool = False) -> Timestep:
        """The loop with the lists and forces of a plan; nothing is computed yet. That of a trial calls no hook."""
        engine, bench = self.engine, self.bench
        self.apply(plan)
        scheme = plan.scheme
        system, where = engine.system, engine.pair_side
        kind = scheme_on(scheme, where.space, system.pair)
        assert bench.comm is not None
        settings = replace(engine.neighbor, every=1, delay=0, check=True, once=False) if self.minimiser else engine.neighbor
        reach = max((fix.full_rows for fix in system.fixes.values()), default=0.0)
        if reach and not (kind.pairs == "full" and kind.needs_list):
            raise InputError(f"scheme {scheme} has no full neighbour lists, which fixes that equilibrate charges read",
                             "use scheme full")
        basis = "kept" if where.members is not None and where.members.keeps else "x"
        lists, terms = Neighbor(where, settings, kind.pairs, kind.needs_list, kind.dense, basis), list[Term]()
        levels = self.levels
        if system.pair is not None:
            knobs: dict[str, Any] = dict(plan.knobs)
            said = {name: knobs.get(name, engine.options.get(name)) for name in SchemeOptions.names()}
            if engine.options.get("deterministic"):
                said = kind.repeatable(where.space, said)
            pair = pair_terms(where, system.pair, lists, scheme, SchemeOptions(**said),
                              exact=bool(engine.options.get("deterministic")), levels=levels)
            set_knobs(pair, kind, scheme, engine.options.get("knobs", {}), knobs)
            lists.cutoff = max(system.pair.max_cutoff, reach)
            far = max(piece.ghosts for _, piece in system.pair.pieces())
            if far:
                lists.settings = replace(settings, comm_cutoff=max(settings.comm_cutoff, far + lists.skin))
            terms += pair
            lists.partners = bench.ids.wanted and engine.world.size > 1
            if lists.partners and lists.upper and (not kind.needs_list or where.space.many_threads):
                raise InputError(f"scheme {scheme} with newton on has half of the ghosts, and bonds need all of them on "
                                 "several ranks", "use scheme full, or half on CPUs")
            if not kind.needs_list and lists.exclusions.needed:
                raise InputError(f"scheme {scheme} has no neighbour list that pairs could be left out of, as special_bonds or "
                                 "neigh_modify exclude want it", "use scheme full or half")
            if bench.ids.wanted:
                for level, (name, apart) in apart_terms(system.pair.name, pair, levels).items():
                    special = SpecialTerm(where, name, apart, bench.ids, lists.exclusions.rules)
                    special.level = level
                    terms += [special] if special.needed else []
        by_atom = bool(engine.options.get("deterministic")) or system.members is not None
        terms += link_terms(system, bench.ids, by_atom, engine.log.warning, levels)
        if system.pair is not None and bench.ids.wanted:  # behind the terms of bonds, which may break there
            for level, (name, apart) in apart_terms(system.pair.name, pair, levels).items():
                for held in HeldPairs.of(where, name, apart, bench.ids):
                    held.level = level
                    terms.append(held)
        if system.kspace is not None:
            far = system.kspace.term(exact=bool(engine.options.get("deterministic")))
            far.level = levels.of["kspace"] if levels is not None else 0
            terms.append(far)
        timers = Timers(engine.timer, engine.world.barrier if engine.sync and engine.world.size > 1 else None)
        parts = (system, bench.comm, lists, terms, timers)
        fixes = [fix for fix in system.fixes.values() if fix.acts or not self.asks]
        if levels is not None:
            system.evaluator = by_level = LevelEvaluator(*parts, levels)
            if not trial and (empty := [str(k + 1) for k, group in enumerate(by_level.groups) if not group]):
                engine.log.warning(f"level {', '.join(empty)} of run_style respa has no forces: fewer levels cost less")
            return Multistep(by_level, fixes, bench.outputs, levels, trial, twin=partial(self.make, plan, True))
        system.evaluator = evaluator = Evaluator(*parts)  # barostats read its sums
        return Timestep(evaluator, fixes, bench.outputs, bool(self.minimiser), self.asks, trial,
                        twin=partial(self.make, plan, True))
