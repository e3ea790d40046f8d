"""What the fixes of rigid bodies share: bodies made of atoms before a run, and the step."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from everlet.errors import InputError, one_of
from everlet.fixes.base import Fix
from everlet.fixes.rigid import kernels
from everlet.fixes.rigid.arrivals import new_body
from everlet.fixes.rigid.axes import frames, quaternions
from everlet.fixes.rigid.kernels import FF, TF, WIDTH, E, F, J, L, M, Q, T, V, W, X
from everlet.fixes.rigid.noise import Noise
from everlet.fixes.rigid.words import parse
from everlet.portable import Kernel, View, parallel_for, parallel_reduce
from everlet.portable.sums import ADD_UP
from everlet.state.molecule import Template, template_masses
from everlet.state.operation import INTENSIVE, PERATOM_VIRIAL, Gives
from everlet.state.rows_of_ids import KERNELS as FIND_ROWS
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.system import System

PAIRS = ((1, 2), (0, 2), (0, 1))


class RigidBodies(Fix):
    """All ranks have all bodies; forces and torques are summed over them. Each run makes bodies of where its atoms are, but
    with reinit no those of the first run go on.

    f_ID: temperature of the bodies; f_ID[i][k]: centre, its velocity, force, torque (three each), turns of the box of body i
    """

    integrates = has_virial = virial_on = True
    reads, writes = ("x", "v", "f", "type", "mask", "image"), ("x", "v")
    symplectic = small = False
    name: str  # of the style
    put_back = ("new", "begun", "again", "shape", "moments", "shares", "fields", "extra", "body", "turns")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.words = parse(system, self.name, self.small, self.bit, args)
        for fix in system.fixes.values():
            if isinstance(fix, RigidBodies) and fix.id != id:
                both = np.flatnonzero((self.words.numbers > 0) & (system.atoms.read(fix.field("number")) > 0))
                if len(both):
                    raise InputError(f"fix {id} {self.name}: atom {system.atoms.read('id')[both[0]]} belongs to a body of fix "
                                     f"{fix.id} already", "use groups without atoms in common")
        self.count = len(self.words.names)
        if not self.count and self.words.mol is None:
            self.notes.append(f"WARNING: fix {id} {self.name} has no bodies: no atom is in its group")
        self.gives = Gives(scalar=INTENSIVE) if self.small else Gives(scalar=INTENSIVE, array=INTENSIVE)
        atoms, space = system.atoms, system.space
        self.add_field("number", np.int32)
        self.add_field("place", width=3)
        atoms.edit(self.field("number"))[:] = self.words.numbers
        order = np.lexsort((atoms.read("id"), self.words.numbers))
        numbers = self.words.numbers[order]
        self.ids, self.first = View(max(atoms.n, 1), np.int64, space), View(self.count + 1, np.int64, space)
        self.ids.data[: atoms.n] = space.from_host(atoms.read("id")[order].astype(np.int64))
        self.first.put(np.searchsorted(numbers, np.arange(1, self.count + 2)).astype(np.int64))
        self.sizes = np.bincount(self.words.numbers, minlength=self.count + 1)[1:]
        self.body = View((max(self.count, 1), WIDTH), np.float64, space)
        self.turns = View((max(self.count, 1), 3), np.int32, space)
        self.virials = View(12, np.float64, space)  # of the first and of the second half of the step
        self.noise = Noise(system, self.words.langevin) if self.words.langevin else None
        self.moments = np.zeros((self.count, 3))
        self.extra = np.zeros((self.count, 6))  # forces and torques on bodies, beside those of atoms
        self.shares = 0  # 1: atoms keep their parts of the virial
        self.rows, self.new, self.begun, self.again, self.kept_again = RowsOfIds(system), True, False, False, False
        self.kept_virials = np.zeros(12)  # of all ranks, for restart files
        self.early = False  # forces on bodies are those of the moment when post_force comes to this fix
        self.notes.append(f"  {self.count} rigid bodies with {int(self.sizes.sum())} atoms")

    def option(self, word: str, rest: list[str]) -> list[str]:
        if word != "bodyforces":
            return super().option(word, rest)
        self.early = one_of("fix_modify bodyforces", rest[0] if rest else "", ("early", "late")) == "early"
        return rest[1:]

    # ---- before a run
    @property
    def resumes(self) -> bool:
        """A run goes on from a restart file, with its bodies."""
        return self.system.continues and self.begun

    @property
    def makes(self) -> bool:
        """The set-up of this run makes bodies."""
        return not (self.resumes or self.begun and not self.words.reinit)

    def init(self) -> None:
        self.new, self.again = True, self.kept_again if self.resumes else self.begun
        names = list(self.system.fixes)
        others = [fix.id for fix in self.system.fixes.values() if fix.changes_box]
        early = [name for name in others if names.index(name) < names.index(self.id)]
        if early:
            raise InputError(f"fix {self.id} {self.name} comes after fix {early[0]}, which changes the box",
                             f"define fix {self.id} before it")
        self.steady = self.system.world.size == 1 and self.noise is None and not others
        if self.makes:
            self.shape = copy.deepcopy(self.system.need_box())
        if not self.shares and any(PERATOM_VIRIAL in compute.uses for compute in self.system.computes.values()):
            self.shares = 1
            self.add_field("shares", width=12)
        if self.noise is not None:
            self.noise.target.init()

    def kernels(self) -> list[Kernel]:
        return [*self._common(), *kernels.steps(self.symplectic)]

    def _common(self) -> list[Kernel]:
        return [kernels.BEGIN, kernels.WRAP, kernels.FORCES, kernels.MOVE[self.shares], kernels.TURN[self.shares], ADD_UP,
                *FIND_ROWS]

    def post_neighbor(self) -> None:
        self.rows.update()
        if self.new and self.makes:
            self._make()
        self.new, self.begun = False, True
        self.follow_box()
        parallel_for(self.system.space, self.count, kernels.WRAP, self.body, self.turns, self.box)

    def _make(self) -> None:
        """Bodies of the present positions and velocities."""
        system, atoms = self.system, self.system.atoms
        number = atoms.read(self.field("number"))
        rows = np.flatnonzero(number)
        of, box = number[rows] - 1, system.need_box()
        x = atoms.read("x")[rows] + box.from_fraction(atoms.read("image")[rows].astype(float)) - box.lo
        v, mass = atoms.read("v")[rows], system.masses_of()[rows]
        body = np.zeros((max(self.count, 1), WIDTH))

        def total(values: np.ndarray) -> np.ndarray:
            return system.ranks.sum(np.stack([np.bincount(of, column, self.count) for column in values.T], axis=1))

        if not self.count:
            return
        sums = total(np.concatenate([mass[:, None], mass[:, None] * x, mass[:, None] * v], axis=1))
        body[:, M], body[:, X : X + 3], body[:, V : V + 3] = sums[:, 0], sums[:, 1:4] / sums[:, :1], sums[:, 4:] / sums[:, :1]
        given = self.words.given
        if given is not None:
            body[given.bodies, M] = given.mass
            body[given.bodies, X : X + 3] = given.centre + box.from_fraction(given.turns) - box.lo
            body[given.bodies, V : V + 3] = given.velocity
        d = x - body[of, X : X + 3]
        squares = np.stack([mass * (d[:, a] ** 2 + d[:, b] ** 2) for a, b in PAIRS], axis=1)
        products = np.stack([-mass * d[:, a] * d[:, b] for a, b in PAIRS], axis=1)
        sums = total(np.concatenate([squares, products, mass[:, None] * np.cross(d, v)], axis=1))
        tensor = np.zeros((self.count, 3, 3))
        for k, (a, b) in enumerate(PAIRS):
            tensor[:, k, k], tensor[:, a, b], tensor[:, b, a] = sums[:, k], sums[:, 3 + k], sums[:, 3 + k]
        spin = sums[:, 6:]
        if given is not None:
            tensor[given.bodies], spin[given.bodies] = given.tensor, given.momentum
        moments, axes = frames(tensor)
        body[:, J : J + 3], body[:, L : L + 3] = moments, spin
        body[:, E : E + 9], body[:, Q : Q + 4] = axes.transpose(0, 2, 1).reshape(-1, 9), quaternions(axes)
        body[:, FF : FF + 3], body[:, TF : TF + 3] = self.words.forces, self.words.torques
        place = atoms.edit(self.field("place"))
        place[:] = 0.0
        place[rows] = np.einsum("nk,nkj->nj", d, axes[of])
        self.body.put(body)
        self.turns.put(np.zeros_like(self.turns.get()))
        self.moments = moments

    def take(self, template: Template, offset: int, site: np.ndarray, turn: np.ndarray, v: np.ndarray,
             ids: np.ndarray) -> dict[str, Any]:
        """A molecule comes, and is the last body from now on, on all ranks; gives fields of its atoms."""
        system, space, count = self.system, self.system.space, self.count
        mass = template_masses(system, template, offset, f"fix {self.id} {self.name}")
        row, places = new_body(template, mass, site - system.need_box().lo, turn, v, system.dimension == 2)
        body, turns = self.body.get()[:count], self.turns.get()[:count]
        known, first = self.ids.get(), self.first.get()[:count]
        self.body, self.turns = View((count + 1, WIDTH), np.float64, space), View((count + 1, 3), np.int32, space)
        self.ids, self.first = View(len(known) + len(ids), np.int64, space), View(count + 2, np.int64, space)
        self.body.put(np.concatenate([body, row[None]]))
        self.turns.put(np.concatenate([turns, np.zeros((1, 3), np.int32)]))
        self.ids.put(np.concatenate([known, ids]))
        self.first.put(np.concatenate([first, [len(known), len(known) + len(ids)]]))
        self.sizes, self.extra = np.append(self.sizes, len(ids)), np.concatenate([self.extra, np.zeros((1, 6))])
        self.moments = np.concatenate([self.moments, row[None, J : J + 3]])
        words = self.words
        words.forces = np.concatenate([words.forces, row[None, FF : FF + 3]])
        words.torques = np.concatenate([words.torques, row[None, TF : TF + 3]])
        self.count += 1
        return {self.field("number"): np.full(len(ids), self.count, np.int32), self.field("place"): places}

    def setup(self) -> None:
        """Velocities become those of rigid bodies. The virial of the first step is twice that of this change, as the reference
        has it: there is no other half."""
        self._add_up()
        parallel_for(self.system.space, self.count, kernels.BEGIN, self.body)
        self._place(kernels.TURN, 6)
        half = self.virials.get()[6:]
        self.virials.put(np.concatenate([half, half]))
        if self.shares:
            shares = self.system.atoms.edit(self.field("shares"))
            shares[:, :6] = shares[:, 6:]

    def resume(self) -> None:
        """Bodies and their atoms are those of the file."""
        self.virials.put(self.kept_virials * (self.system.ranks.rank == 0))

    # ---- the step
    @property
    def box(self) -> View:
        return self.system.box_view()

    @property
    def half(self) -> float:
        return 0.5 * self.system.dt * self.system.units.ftm2v

    def follow_box(self) -> None:
        """Centres of bodies go with a box that other fixes have changed."""
        box = self.system.need_box()
        if self.steady or np.array_equal(box.params(), self.shape.params()):
            return
        body = self.body.get()
        body[:, X : X + 3] = box.from_fraction(self.shape.to_fraction(body[:, X : X + 3]))
        self.body.put(body)
        self.shape = copy.deepcopy(box)
        self.system.put_box()

    def initial_integrate(self) -> None:
        self.follow_box()
        system = self.system
        parallel_for(system.space, self.count, kernels.steps(self.symplectic)[0], system.dt, self.half, self.body)
        self._place(kernels.MOVE, 0)

    def post_force(self) -> None:
        if self.noise is not None:
            self.extra = self.noise.draw(self.body.get()[: self.count])
        if self.early:
            self._add_up()

    def final_integrate(self) -> None:
        self._late()
        parallel_for(self.system.space, self.count, kernels.steps(self.symplectic)[1], self.half, self.body)
        self._place(kernels.TURN, 6)

    def _late(self) -> None:
        """Forces that fixes after this one have changed count, too, but with `bodyforces early`."""
        if not self.early:
            self._add_up()

    def _add_up(self) -> None:
        self.follow_box()
        system, atoms = self.system, self.system.atoms
        parallel_for(system.space, self.count, kernels.FORCES, atoms.n, self.first, self.ids, self.rows.view, atoms.view("x"),
                     atoms.view("f"), atoms.view("image"), self.turns, self.box, self.body)
        if system.ranks.size > 1 or self.noise is not None:
            body = self.body.get()
            body[: self.count, F : T + 3] = system.ranks.sum(body[: self.count, F : T + 3]) + self.extra
            self.body.put(body)

    def _place(self, kernel: Sequence[Kernel], at: int) -> None:
        if at == 0 and not self.steady:  # barostats that look in the middle of a step see its first half
            self.virials.put(np.zeros(12))
        system, atoms = self.system, self.system.atoms
        own = atoms.view(self.field("shares"), modify=True).data if self.shares else self.virials
        parallel_reduce(system.space, atoms.n, kernel[self.shares], atoms.view(self.field("number")),
                        atoms.view(self.field("place")), self.body, self.turns, self.box, system.mass_kind(),
                        system.masses_view(), self.half,
                        atoms.view("x", modify=kernel is kernels.MOVE), atoms.view("v", modify=True), atoms.view("f"),
                        atoms.view("image"), own, into=self.virials, at=at)

    # ---- what others ask
    def needs(self, step: int) -> tuple[str, ...]:
        return self.noise.target.needs(step) if self.noise is not None else ()

    def removed_dof(self, bit: int) -> float:
        """3 n - 6 of each body that is in the group, 3 n - 5 of straight ones; in two dimensions 2 n - 3."""
        if self.new or not self.count:
            return 0.0
        atoms = self.system.atoms
        number = atoms.read(self.field("number"))
        here = np.bincount(number[(atoms.read("mask") & bit) != 0], minlength=self.count + 1)[1:]
        whole = self.system.ranks.sum(here) == self.sizes
        if self.system.dimension == 2:
            return float((2 * self.sizes - 3)[whole].sum())
        return float((3 * self.sizes - 6 + (self.moments == 0.0).any(axis=1))[whole].sum())

    def virial_now(self) -> Any:
        values = self.over_ranks(self.virials.get())
        return values[:6] + values[6:]

    def atom_virials(self) -> Any:
        if not self.shares:
            raise InputError(f"fix {self.id} {self.name} has no virials of atoms yet", "ask for them in a run")
        shares = self.system.atoms.read(self.field("shares"))
        return shares[:, :6] + shares[:, 6:]

    def centroid_virials(self) -> Any:
        raise InputError(f"fix {self.id}: virials about centres are not available of rigid bodies",
                         "use compute stress/atom, or name parts without fix")

    def body_energies(self) -> tuple[float, float] | None:
        body = self.body.get()[: self.count]
        motion = float((body[:, M, None] * body[:, V : V + 3] ** 2).sum())
        turning = float((body[:, L : L + 3] * body[:, W : W + 3]).sum())
        return 0.5 * self.system.units.mvv2e * motion, 0.5 * self.system.units.mvv2e * turning

    def scalar(self) -> float:
        """Temperature of the bodies: of what is not switched off. As in the reference straight bodies of fix rigid count as
        others do in the first run, those of its small forms do not turn about themselves; these count six directions in two
        dimensions."""
        body, units = self.body.get()[: self.count], self.system.units
        axes = body[:, E : E + 9].reshape(-1, 3, 3)
        moments, turning = body[:, J : J + 3], np.einsum("nkj,nj->nk", axes, body[:, L : L + 3])
        forces, torques = body[:, FF : FF + 3], body[:, TF : TF + 3]
        energy = float((forces * body[:, M, None] * body[:, V : V + 3] ** 2).sum())
        held = moments > 0.0
        energy += float((torques * np.divide(turning**2, moments, out=np.zeros_like(moments), where=held)).sum())
        count = float(forces.sum() + (torques * held if self.again and self.system.dimension == 3 else torques).sum())
        if self.small:
            count = 6.0 * self.count if self.system.dimension == 2 else float(forces.sum() + (torques * held).sum())
        return energy * units.mvv2e / (count * units.boltz) if count else 0.0

    def _members(self) -> np.ndarray:
        """Ids of the atoms of each body, and where those of each begin."""
        return np.concatenate([self.ids.get()[-int(self.sizes.sum()) :], self.first.get()])

    def before_file(self) -> None:
        self.kept_virials = self.system.ranks.sum(self.virials.get())

    def state(self) -> dict[str, Any]:
        found = {} if self.noise is None else {"noise": self.noise.stream.mark(), "extra": self.extra.tolist()}
        if self.begun:
            found |= {"bodies": self.body.get(), "turns": self.turns.get(), "virials": self.kept_virials, "again": self.again,
                      "members": self._members()}
            found["shape"] = [*self.shape.lo, *self.shape.hi, self.shape.yz, self.shape.xz, self.shape.xy]
        return found

    def restore(self, state: dict[str, Any]) -> None:
        if "bodies" in state and np.array_equal(state["members"], self._members()):
            self.body.put(state["bodies"])
            self.turns.put(state["turns"])
            self.moments, self.shape = state["bodies"][: self.count, J : J + 3], copy.deepcopy(self.system.need_box())
            self.shape.lo[:], self.shape.hi[:] = state["shape"][:3], state["shape"][3:6]
            self.shape.yz, self.shape.xz, self.shape.xy = state["shape"][6:]
            self.begun, self.kept_virials, self.kept_again = True, state["virials"], state["again"]
        if self.noise is not None and "noise" in state:
            self.noise.stream.back(state["noise"], 0)
            if len(state["extra"]) == self.count:
                self.extra = np.array(state["extra"]).reshape(-1, 6)

    def array(self) -> np.ndarray:
        body = self.body.get()[: self.count]
        return np.concatenate([body[:, X : T + 3], self.turns.get()[: self.count]], axis=1)
