"""Atoms that move with spins that turn: velocity Verlet, with spins one after the other."""
# ruff: noqa: F821

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, one_of
from everlet.fixes.base import fix_style
from everlet.fixes.forces.precession_spin import NUMBERS, PrecessionSpin, field_of
from everlet.fixes.integrators.nve import NVE, kick
from everlet.fixes.integrators.nve_noforce import DRIFT
from everlet.fixes.thermostats.langevin_spin import LangevinSpin
from everlet.forces.pair.rows import between, row_start
from everlet.forces.pair.styles.spin import Spins
from everlet.forces.pair.tally import no_force
from everlet.neighbor.turns import Turns
from everlet.portable import Kernel, View, f64, i32, i64, parallel_for, portable, real, sqrt
from everlet.portable.random import normals
from everlet.state.atom_styles import need_field
from everlet.state.control import STEP
from everlet.state.system import System

STYLES = 3  # pair styles of spins at a time


@portable
def turn_spins(t, begin: i64, edge: i32[:], member: i32[:], home: i32[:], x: f64[:, 4], kind: i32[:], neigh: i32[:],
               count: i32[:], first: i32[:], si: i64, sk: i64, table: real[:], other: real[:], third: real[:], kinds: i64,
               spin: f64[:, 4], mask: i32[:], bit: i32, rate: f64, tau: f64, outers: i64, outer: f64[:], bits: i32[:],
               warm: i32, alpha: f64, noise: f64, divisor: f64, seed: i64, visit: i64, id: i64[:], control: i64[:]):
    """Spins of cell begin + t turn one after the other (BACK: the last one first) about the fields that others make now:
    s = [s + tau w x s + tau^2/2 (w (s.w) - s w^2/2)] / (1 + tau^2 w^2/4)."""
    low = i64(edge[begin + t])
    high = i64(edge[begin + t + 1])
    for k in range(low, high):
        i = i64(member[k])
        if BACK:
            i = i64(member[high - 1 - (k - low)])
        if mask[i] & bit:
            sx, sy, sz = spin[i, 0], spin[i, 1], spin[i, 2]
            wx, wy, wz = no_force(0.0)
            base = i64(0)
            row = i64(kind[i]) * kinds
            m = i64(0)
            if HAS_A:
                base = row_start(i, first, si)
                m = i64(count[i])
            for q in range(m):
                j = i64(neigh[base + q * sk])
                h = i64(home[j])
                bx, by, bz = spin[h, 0], spin[h, 1], spin[h, 2]
                dx, dy, dz, r2 = between(j, i, x)
                r = sqrt(r2)
                ex, ey, ez = dx / r, dy / r, dz / r
                place = (row + i64(kind[j])) * NP
                if HAS_A:
                    p = record(table, place)
                    if r2 < p.cut2:
                        ax, ay, az, _, _, _, _ = PAIR_A(r, ex, ey, ez, sx, sy, sz, bx, by, bz, p)
                        wx, wy, wz = wx + ax, wy + ay, wz + az
                if HAS_B:
                    p = record(other, place)
                    if r2 < p.cut2:
                        ax, ay, az, _, _, _, _ = PAIR_B(r, ex, ey, ez, sx, sy, sz, bx, by, bz, p)
                        wx, wy, wz = wx + ax, wy + ay, wz + az
                if HAS_C:
                    p = record(third, place)
                    if r2 < p.cut2:
                        ax, ay, az, _, _, _, _ = PAIR_C(r, ex, ey, ez, sx, sy, sz, bx, by, bz, p)
                        wx, wy, wz = wx + ax, wy + ay, wz + az
            for b in range(outers):
                if mask[i] & bits[b]:
                    ax, ay, az, _ = field_of(OUTER * b, sx, sy, sz, spin[i, 3], outer)
                    wx, wy, wz = wx + ax, wy + ay, wz + az
            wx *= rate
            wy *= rate
            wz *= rate
            if mask[i] & warm:
                ax = wy * sz - wz * sy
                ay = wz * sx - wx * sz
                az = wx * sy - wy * sx
                wx -= alpha * ax
                wy -= alpha * ay
                wz -= alpha * az
                if noise > 0.0:
                    a, b, c, d = normals(seed, id[i], control[STEP], visit)
                    wx += noise * a
                    wy += noise * b
                    wz += noise * c
                wx *= divisor
                wy *= divisor
                wz *= divisor
            w2 = wx * wx + wy * wy + wz * wz
            sw = 0.5 * tau * tau * (sx * wx + sy * wy + sz * wz)
            back = 1.0 - 0.25 * tau * tau * w2
            gx = back * sx + tau * (wy * sz - wz * sy) + sw * wx
            gy = back * sy + tau * (wz * sx - wx * sz) + sw * wy
            gz = back * sz + tau * (wx * sy - wy * sx) + sw * wz
            size = 1.0 / sqrt(gx * gx + gy * gy + gz * gz)
            spin[i, 0] = size * gx
            spin[i, 1] = size * gy
            spin[i, 2] = size * gz


@fix_style("nve/spin")
class NVESpin(NVE):
    """fix ID group nve/spin lattice moving|frozen

    v += dt/2 F/m; spins turn; x += dt v; spins turn; forces; v += dt/2 F/m. Where spins turn, each does so twice for dt/4, by
    the field of the spins as they are then: in one order, and back. On one core that is the order of storage, as in
    the reference on one rank; elsewhere atoms of cells that do not touch turn at once. frozen: atoms stay.
    """

    steady, ordered = False, True
    reads, writes = ("x", "v", "f", "spin", "type", "mask", "id"), ("x", "v", "spin")
    follows_clock = True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, [])
        self.args = tuple(args)
        arguments(args, 0, 2, "fix ID group nve/spin [lattice moving|frozen]")
        self.lattice = "moving"
        if args:
            one_of("keyword of fix nve/spin", args[0], ("lattice",))
            arguments(args, 2, 2, "lattice moving|frozen")
            one_of("lattice", args[1], ("moving", "frozen", "yes", "no"))
            self.lattice = {"yes": "moving", "no": "frozen"}.get(args[1], args[1])
        need_field(system.atoms, "spin", "fix nve/spin")
        self.add_field("home", np.int32)
        self.turns = Turns(system, "fix nve/spin", 2, stored=True)
        self.outer, self.bits = View(1, np.float64, system.space), View(1, np.int32, system.space)

    def kernels(self) -> list[Kernel]:
        return [Kernel(kick), DRIFT]

    # ---- what acts
    def init(self) -> None:
        system = self.system
        if sum(fix.style == "nve/spin" for fix in system.fixes.values()) > 1:
            raise InputError("there are several fixes nve/spin", "use one, for a group with all spins")
        pair = system.pair
        parts = (pair, *pair.sub_styles) if pair is not None else ()
        self.styles: list[Any] = [one for one in parts if isinstance(one, Spins)]
        if len(self.styles) > STYLES:
            raise InputError(f"fix nve/spin knows {STYLES} pair styles of spins at a time, and there are {len(self.styles)}",
                             "leave one out")
        outer = [fix for fix in system.fixes.values() if isinstance(fix, PrecessionSpin)]
        self.outers = len(outer)
        self.outer, self.bits = View(NUMBERS * max(len(outer), 1), np.float64, system.space), View(max(len(outer), 1), np.int32,
                                                                                                   system.space)
        if outer:
            self.outer.put(np.concatenate([fix.numbers for fix in outer]))
            self.bits.put(np.array([int(fix.bit) for fix in outer], np.int32))
        warm = [fix for fix in system.fixes.values() if isinstance(fix, LangevinSpin)]
        if len(warm) > 1:
            raise InputError("there are several fixes langevin/spin", "use one")
        self.warm = warm[0] if warm else None

    def post_neighbor(self) -> None:
        """Cells of atoms, by colour."""
        evaluator = self.system.evaluator
        evaluator.comm.own_rows(self.system, self.system.atoms.view(self.field("home"), modify=True))
        self.turns.update(max((float(one.cutoffs.max()) for one in self.styles), default=0.0) + evaluator.neighbor.skin)

    # ---- the step
    def _kernel(self, back: bool) -> Kernel:
        statics: dict[str, Any] = {"BACK": back, "DENSE": self.system.evaluator.neighbor.dense, "OUTER": NUMBERS}
        for k, name in enumerate("ABC"):
            has = k < len(self.styles)
            statics[f"HAS_{name}"] = has
            statics[f"PAIR_{name}"] = self.styles[k].interaction if has else 0
        fields = (*self.styles[0].fields, "cut2", "offset") if self.styles else ("cut2",)
        return Kernel(turn_spins, fields=fields, statics=(*statics.items(), ("NP", len(fields))))

    def _turn(self, half: int) -> None:
        """All spins, there and back."""
        system, atoms, near = self.system, self.system.atoms, self.system.evaluator.neighbor
        comm, several = system.evaluator.comm, system.ranks.size > 1
        terms = {term.scheme.parameters.style: term.scheme.parameters for term in system.evaluator.terms
                 if hasattr(getattr(getattr(term, "scheme", None), "parameters", None), "style")}
        tables = [terms[style].table for style in self.styles]
        none = View(1, np.float64, system.space)
        tables += [none] * (STYLES - len(tables))
        tau, heat = 0.25 * system.dt, self.warm
        alpha = heat.alpha if heat else 0.0
        hbar = system.units.hplanck / (2.0 * math.pi)
        energy = system.units.boltz * heat.temperature if heat else 0.0
        noise = math.sqrt(2.0 * alpha * (1.0 + alpha**2) * energy / (hbar * tau))
        divisor = 1.0 / (1.0 + alpha**2) if heat and heat.temperature > 0.0 else 1.0
        comm.forward(system, "x")
        for back in (False, True):
            kernel, colours = self._kernel(back), range(len(self.turns.begins) - 1)
            for colour in reversed(colours) if back else colours:
                begin, end = self.turns.begins[colour : colour + 2]
                if several:
                    comm.forward(system, "spin")
                parallel_for(system.space, end - begin, kernel, begin, self.turns.edge, self.turns.member,
                             atoms.view(self.field("home")), atoms.view("x"), atoms.view("type"), near.neigh, near.count,
                             near.first, near.si, near.sk, *tables, system.ntypes + 1,
                             atoms.view("spin", modify=True), atoms.view("mask"), self.bit, 1.0 / hbar, tau, self.outers,
                             self.outer, self.bits, heat.bit if heat else 0, alpha, noise, divisor, heat.seed if heat else 0,
                             2 * half + back, atoms.view("id"), system.space.control)

    def initial_integrate(self) -> None:
        system, atoms = self.system, self.system.atoms
        if self.lattice == "moving":
            self._kick()
        self._turn(0)
        if self.lattice == "moving":
            parallel_for(system.space, atoms.n, DRIFT, atoms.view("x", modify=True), atoms.view("v"), atoms.view("mask"),
                         self.bit, system.dt)
        self._turn(1)

    def _kick(self) -> None:
        NVE.final_integrate(self)

    def final_integrate(self) -> None:
        if self.lattice == "moving":
            self._kick()

