"""Dissipative particles by splitting: friction and noise of pairs, one after the other, before a step of the forces alone."""

from __future__ import annotations

import math

import numpy as np

from everlet.errors import InputError, no_arguments
from everlet.fixes.base import Fix, fix_style
from everlet.fixes.thermostats.shardlow_loops import ADD_HEAT, ADD_KICKS, push_pairs
from everlet.forces.pair.styles.dpd_fdt import ByNoise
from everlet.neighbor.turns import Turns
from everlet.portable import Kernel, View, parallel_for
from everlet.state.system import System


@fix_style("shardlow")
class Shardlow(Fix):
    """fix ID all shardlow

    Of each pair of pair_style dpd/fdt or dpd/fdt/energy, n from j to i, u = v_i - v_j, M = 1/m_i + 1/m_j, w = 1 - r/r_c,
    g = sigma^2 w^2 dt / (4 k_B theta), s = sigma w sqrt(dt) xi / 2, momentum goes over twice: p = s - g u.n, then
    p = (s - g u.n) / (1 + g M). Inner energies (dpd/fdt/energy) take what motion loses, each half, and
    u_cond += kappa w^2 (1/theta_i - 1/theta_j) dt + sqrt(2 k_B kappa dt) w xi'. (Lisal, Brennan, Bonet Avalos 2011.)

    It acts before the fix that moves atoms, and is defined before it. The order of pairs is that of ids and rows on one core,
    elsewhere also that of cells, colour by colour: noise is the same everywhere, trajectories differ by the error of the step.
    """

    steady = False
    follows_clock = True
    reads, writes = ("x", "v", "id", "type"), ("v",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        no_arguments(args, "fix", "shardlow")
        if group != "all":
            raise InputError("fix shardlow is for group all", "use fix ID all shardlow")
        self.turns = Turns(system, "fix shardlow", 3)
        self.add_field("home", np.int32)
        self.kicks, self.heat = View((1, 3), np.float64, system.space), View((1, 2), np.float64, system.space)

    def init(self) -> None:
        system = self.system
        pair = system.pair
        styles = [one for one in ((pair, *pair.sub_styles) if pair is not None else ()) if isinstance(one, ByNoise)]
        if len(styles) != 1:
            raise InputError(f"fix {self.id} shardlow: there are {len(styles)} pair styles whose noise it could be",
                             "use one of dpd/fdt and dpd/fdt/energy")
        self.pair = styles[0]
        fixes = list(system.fixes.values())
        if any(fix.style == "dpd/energy" for fix in fixes):
            raise InputError("fix shardlow and fix dpd/energy would both add up energies", "leave fix dpd/energy out")
        if self.pair.heats and not any(fix.style.startswith("eos/") for fix in fixes):
            raise InputError(f"fix {self.id} shardlow needs temperatures of energies", "add fix eos/cv or eos/table")
        if early := [fix.id for fix in fixes[: fixes.index(self)] if fix.integrates]:
            raise InputError(f"fix {self.id} shardlow acts before atoms are moved, and fix {early[0]} comes first",
                             f"define fix {self.id} before fix {early[0]}")

    def post_neighbor(self) -> None:
        """Cells of atoms, and one row for all images of an atom of another rank."""
        system, atoms = self.system, self.system.atoms
        comm, near = system.evaluator.comm, system.evaluator.neighbor
        home = atoms.view(self.field("home"), modify=True)
        comm.own_rows(system, home)
        if system.ranks.size > 1:
            rows, ids = (system.space.to_host(view.data[: atoms.total]) for view in (home, atoms.view("id")))
            others = np.flatnonzero(rows >= atoms.n)
            _, first, place = np.unique(ids[others], return_index=True, return_inverse=True)
            rows[others] = others[first][place]
            home.data[: atoms.total] = system.space.from_host(rows)
        if self.kicks.shape[0] < atoms.total:
            room = atoms.total + atoms.total // 4
            self.kicks, self.heat = View((room, 3), np.float64, system.space), View((room, 2), np.float64, system.space)
        self.turns.update(float(self.pair.cutoffs.max()) + near.skin)

    def initial_integrate(self) -> None:
        system, atoms, pair = self.system, self.system.atoms, self.pair
        near, comm, space = system.evaluator.neighbor, system.evaluator.comm, system.space
        several, heats = system.ranks.size > 1, pair.heats
        found = [getattr(getattr(term, "scheme", None), "parameters", None) for term in system.evaluator.terms]
        table = next(one.table for one in found if one is not None and getattr(one, "style", None) is pair)
        fields = (*pair.fields, "cut2", "offset")
        kernel = Kernel(push_pairs, fields=fields, statics=(("HEAT", heats), ("AWAY", several), ("DENSE", near.dense),
                                                            ("NP", len(fields))))
        home, v = atoms.view(self.field("home")), atoms.view("v", modify=True)
        theta = atoms.view("theta") if heats else View(1, np.float64, space)
        for begin, end in zip(self.turns.begins, self.turns.begins[1:], strict=False):
            if several:
                comm.forward(system, "v")
            parallel_for(space, end - begin, kernel, begin, self.turns.edge, self.turns.member, home, atoms.view("x"), v,
                         atoms.view("id"), atoms.view("type"), near.neigh, near.count, near.first, near.si, near.sk, table,
                         system.ntypes + 1, space.control, pair.seed, system.dt, math.sqrt(system.dt), system.units.boltz,
                         1.0 / pair.temperature, theta, system.masses_view(), system.mass_kind(), system.units.ftm2v, atoms.n,
                         self.kicks, self.heat)
            if several:
                comm.reverse_values(system, "kicks", self.kicks)
                parallel_for(space, atoms.total, ADD_KICKS, atoms.n, v, self.kicks)
        if heats:
            if several:
                comm.reverse_values(system, "heat", self.heat)
            cond, mech = (atoms.view(name, modify=True) for name in ("cond", "mech"))
            parallel_for(space, atoms.total, ADD_HEAT, atoms.n, cond, mech, self.heat)
