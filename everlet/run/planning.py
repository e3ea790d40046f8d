"""How a run does its work: its plan, and the loop with lists and terms that follow from it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from everlet.errors import InputError
from everlet.forces.bonded.terms import link_terms
from everlet.forces.pair.driver import PairTerm, default_scheme
from everlet.forces.pair.schemes.base import SchemeOptions, scheme_on
from everlet.forces.pair.special import SpecialTerm
from everlet.forces.terms import Term
from everlet.neighbor.lists import Neighbor
from everlet.run.evaluator import Evaluator
from everlet.run.step import Timestep
from everlet.run.timers import Timers
from everlet.state.plan import SORT_EVERY, Plan

if TYPE_CHECKING:  # it knows this file
    from everlet.run.engine import Engine


class Planner:
    """Chooses the plan of an engine's next run and makes what it says."""

    def __init__(self, engine: Engine):
        self.engine = engine
        self.minimiser = ""  # plans are for a minimisation of this style

    def choose(self) -> Plan:
        """How the run does its work: as the user says, as the restart file says, as measured, or the default."""
        engine = self.engine
        system = engine.system
        given = engine.options.get("scheme") or engine.options.get("neigh")
        if given:
            return Plan(str(given), engine.options.get("shape", ""))
        if system.plan_kept and system.pair is not None and system.scheme in system.pair.schemes:
            return system.plan
        self.apply(Plan())  # nothing is left of an earlier choice
        usual = default_scheme(engine.pair_side.space, system.pair is not None and system.pair.costly)
        known = list(system.pair.schemes) if system.pair is not None else [usual]
        default = Plan(engine.world.from_first(usual if usual in known else known[0]))
        if not engine.options.get("tune", True) or {"team", "ahead", "carveout", "deterministic"} & set(engine.options):
            return default  # what is remembered is measured without such settings, and measuring is never the same twice
        steps = 0 if self.minimiser else engine.outputs.last - system.step
        choice = engine.tuner.choose(system, engine.neighbor, default, steps, self.make)
        if choice is None:
            return default
        if choice.times:
            engine.log.write(choice.line())
            engine.log.event("tune", **asdict(choice.plan), ns_per_atom=choice.times, remembered=choice.remembered)
        return choice.plan

    def apply(self, plan: Plan) -> None:
        """Set what a plan says; what the user gave stays as it is."""
        engine = self.engine
        system, settings = engine.system, engine.neighbor
        engine.space.use(plan.threads)
        settings.tuned_skin, settings.bins = plan.skin, plan.bins
        if not system.sort_given:
            system.sort_every = plan.sort or SORT_EVERY

    def make(self, plan: Plan) -> Timestep:
        """The loop with the lists and forces of a plan; nothing is computed yet."""
        engine = self.engine
        self.apply(plan)
        scheme = plan.scheme
        system, where = engine.system, engine.pair_side
        kind = scheme_on(scheme, where.space, system.pair)
        assert engine.comm is not None
        settings = replace(engine.neighbor, every=1, delay=0, check=True, once=False) if self.minimiser else engine.neighbor
        lists, terms = Neighbor(where, settings, kind.pairs, kind.needs_list, kind.dense), list[Term]()
        if system.pair is not None:
            said = {name: engine.options.get(name) for name in SchemeOptions.names()} | {"shape": plan.shape or None}
            if engine.options.get("deterministic"):
                said = kind.repeatable(where.space, said)
            pair = PairTerm(where, system.pair, lists, scheme, SchemeOptions(**said))
            team, ahead, carveout = map(engine.options.get, ("team", "ahead", "carveout"))
            pair.on_gpu(team, ahead, carveout, (plan.team, plan.ahead))
            lists.cutoff = system.pair.max_cutoff
            terms.append(pair)
            lists.partners = engine.ids.wanted and engine.world.size > 1
            if lists.partners and lists.upper and (not kind.needs_list or where.space.many_threads):
                raise InputError(f"scheme {scheme} with newton on has half of the ghosts, and bonds need all of them on "
                                 "several ranks", "use scheme full, or half on CPUs")
            if not kind.needs_list and lists.exclusions.needed:
                raise InputError(f"scheme {scheme} has no neighbour list that pairs could be left out of, as special_bonds or "
                                 "neigh_modify exclude want it", "use scheme full or half")
            if engine.ids.wanted:
                special = SpecialTerm(where, pair.name, pair.scheme.plain_styles(pair.name), engine.ids)
                terms += [special] if special.needed else []
        terms += link_terms(system, engine.ids, bool(engine.options.get("deterministic")), engine.log.warning)
        if system.kspace is not None:
            terms.append(system.kspace.term(exact=bool(engine.options.get("deterministic"))))
        timers = Timers(engine.timer, engine.world.barrier if engine.sync and engine.world.size > 1 else None)
        system.evaluator = evaluator = Evaluator(system, engine.comm, lists, terms, timers)  # barostats read its sums
        return Timestep(evaluator, list(system.fixes.values()), engine.outputs, bool(self.minimiser))
