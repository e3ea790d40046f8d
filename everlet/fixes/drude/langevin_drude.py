"""Langevin's thermostat for polarisable atoms: of centres of mass, and of Drude particles about their cores."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, one_of, yes_no
from everlet.fixes.base import fix_style
from everlet.fixes.drude.drude import SHELL, drude_of
from everlet.fixes.ramp import Ramp
from everlet.fixes.thermostats.base import Noisy, damping_time
from everlet.portable import Constants, Kernel, f64, i32, i64, parallel_for, portable, sqrt
from everlet.portable.random import uniforms
from everlet.state.clock import ramped
from everlet.state.control import STEP
from everlet.state.masses import OWN
from everlet.state.random import Marsaglia
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.system import System

USAGE = "fix ID group langevin/drude T_COM DAMP_COM SEED_COM T_DRUDE DAMP_DRUDE SEED_DRUDE [zero no]"


@portable
def heat_pairs(i, v: f64[:, 3], f: f64[:, 3], type: i32[:], mask: i32[:], bit: i32, id: i64[:], partner: i64[:], rows: i32[:],
               mass: f64[:], flags: i64[:], seeds: i64[:], stream: i64, control: i64[:], start: f64, stop: f64, begin: i64,
               end: i64, start2: f64, stop2: f64, begin2: i64, end2: i64, rates: f64[:]):
    """Drag and noise of one atom. rates: of the drag and the noise of centres, the same of Drude particles."""
    if mask[i] & bit:
        m = mass[type[i]]
        whole = m
        x = v[i, 0]
        y = v[i, 1]
        z = v[i, 2]
        who = id[i]
        if partner[i] > 0:
            j = rows[partner[i]]
            other = mass[type[j]]
            whole = m + other
            x = (m * x + other * v[j, 0]) / whole
            y = (m * y + other * v[j, 1]) / whole
            z = (m * z + other * v[j, 2]) / whole
            if flags[type[i]] == SHELL:
                who = partner[i]
        heat = sqrt(ramped(control[STEP], start, stop, begin, end))
        a, b, c, d = uniforms(seeds[0], who, control[STEP], stream)
        part = m / whole
        drag = rates[0] * whole
        kick = rates[1] * heat * sqrt(whole)
        fx = part * (kick * (a - 0.5) - drag * x)
        fy = part * (kick * (b - 0.5) - drag * y)
        fz = part * (kick * (c - 0.5) - drag * z)
        if partner[i] > 0:
            j = rows[partner[i]]
            other = mass[type[j]]
            reduced = m * other / whole
            sign = 1.0 if flags[type[i]] == SHELL else -1.0
            cold = sqrt(ramped(control[STEP], start2, stop2, begin2, end2))
            a, b, c, d = uniforms(seeds[1], who, control[STEP], stream)
            drag = rates[2] * reduced
            kick = sign * rates[3] * cold * sqrt(reduced)
            fx += kick * (a - 0.5) - drag * (v[i, 0] - v[j, 0])
            fy += kick * (b - 0.5) - drag * (v[i, 1] - v[j, 1])
            fz += kick * (c - 0.5) - drag * (v[i, 2] - v[j, 2])
        f[i, 0] += fx
        f[i, 1] += fy
        f[i, 2] += fz


HEAT = Kernel(heat_pairs, statics=(("SHELL", SHELL),))


@fix_style("langevin/drude")
class LangevinDrude(Noisy):
    """fix ID group langevin/drude T_COM DAMP_COM SEED_COM T_DRUDE DAMP_DRUDE SEED_DRUDE [zero no]

    With core and Drude particle of masses m_c and m_d, M = m_c + m_d, mu = m_c m_d / M, V of their centre and u of the Drude
    particle about the core (Jiang et al., J. Phys. Chem. Lett. 2, 87, 2011):

        F = -M V / DAMP_COM + sqrt(24 k T_COM M / (DAMP_COM dt)) (r - 1/2)         m_c/M of it to the core, m_d/M to the other
        G = -mu u / DAMP_DRUDE + sqrt(24 k T_DRUDE mu / (DAMP_DRUDE dt)) (r - 1/2)      on the Drude particle, -G on the core

    Atoms that are neither have F alone. Numbers r follow from the seed, the id of the core and the step. A pair must be in the
    group as a whole, and an integrator such as fix nve moves the atoms. The first half step of a run has neither drag nor
    noise, as in the reference.
    """

    steady = follows_clock = True
    levels = "outer"
    reads, writes = ("v", "f", "type", "mask", "id"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 6, None, USAGE)
        self.target, self.cold = (Ramp(system, word, "0" if word.startswith("v_") else word, "a temperature")
                                  for word in (args[0], args[3]))
        self.damps = np.array([damping_time(args[k], "langevin/drude") for k in (1, 4)])
        self.seeds = [integer(args[k], "a seed") for k in (2, 5)]
        for seed in self.seeds:
            Marsaglia(seed)  # refuses those that are too small or large
        words = list(args[6:])
        while words:
            word = one_of("keyword of fix langevin/drude", words.pop(0), ("zero",), f"usage: {USAGE}")
            arguments(words, 1, None, USAGE)
            if yes_no(words.pop(0), f"langevin/drude {word}"):
                raise InputError("fix langevin/drude: zero yes is not available: the sum of all noise is not taken off",
                                 "leave it out")
        if OWN in system.atoms.fields:
            raise InputError("fix langevin/drude: atoms have masses of their own", "use an atom_style with masses of types")
        space = system.space
        self.rows, self.rates = RowsOfIds(system), Constants(4, space)
        self.seeds_view, self.flags = Constants(2, space, np.int64), Constants(system.ntypes + 1, space, np.int64)
        self.seeds_view.set(self.seeds)
        self.add_field("partner", np.int64)

    def kernels(self) -> list[Kernel]:
        return [HEAT]

    def needs(self, step: int) -> tuple[str, ...]:
        return (*self.target.needs(step), *self.cold.needs(step))

    def init(self) -> None:
        system, atoms = self.system, self.system.atoms
        drude = drude_of(system, f"fix {self.id}")
        core, shell = drude.pairs()
        whole = system.whole
        ids, mask = whole.read("id"), whole.read("mask")
        split = ((mask[core] ^ mask[shell]) & self.bit) != 0
        if split.any():
            raise InputError(f"fix {self.id}: atom {ids[core][split][0]} or its Drude particle is not in its group",
                             "name a group that has both")
        partner = dict(zip(ids[core].tolist(), ids[shell].tolist(), strict=True))
        partner |= {other: one for one, other in partner.items()}
        atoms.edit(self.field("partner"))[:] = [partner.get(id, 0) for id in atoms.read("id").tolist()]
        self.flags.set(drude.flags)
        self.choose_numbers(listed=False)
        self.cold.init()
        self.new_timestep()

    def new_timestep(self) -> None:
        units = self.system.units
        drag = 1.0 / (self.damps * units.ftm2v)
        kick = np.sqrt(24.0 * units.boltz / (self.damps * self.system.dt * units.mvv2e)) / units.ftm2v
        self.rates.set(np.stack([drag, kick], axis=1).ravel())

    def post_neighbor(self) -> None:
        self.rows.update()

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        if system.space.queue is None and system.space.tape is None:
            self.replayed()
        system.evaluator.comm.forward(system, "v")
        parallel_for(system.space, atoms.n, HEAT, atoms.view("v"), atoms.view("f", modify=True), atoms.view("type"),
                     atoms.view("mask"), self.bit, atoms.view("id"), atoms.view(self.field("partner")), self.rows.view,
                     system.masses_view(), self.flags.view, self.seeds_view.view, self.stream, system.space.control,
                     *self.target.arguments(), *self.cold.arguments(), self.rates.view)

    def state(self) -> dict[str, Any]:
        return {"stream": self.stream, "reached": self.reached}

    def restore(self, state: dict[str, Any]) -> None:
        self.stream, self.reached = state["stream"], state["reached"]
