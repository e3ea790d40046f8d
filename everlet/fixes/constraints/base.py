"""What fix shake and fix rattle share: clusters, where their atoms are, and the solvers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.comm import send_kernels
from everlet.errors import InputError, RunError
from everlet.fixes.base import Fix
from everlet.fixes.constraints import observed
from everlet.fixes.constraints.cluster_loops import ANGLE, FOUR, GATHER, LEAD, PAIR, SPRINGS, THREE, VIRIAL
from everlet.fixes.constraints.clusters import Chosen, Clusters, find, find_in, held, switch
from everlet.fixes.constraints.solver_loops import FREE, MEND, solvers
from everlet.portable import Kernel, View, parallel_for, parallel_reduce, scan
from everlet.portable.scan import Scan
from everlet.portable.sums import ADD_UP
from everlet.state.molecule import Template, template_masses
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.rows_of_ids import KERNELS as FIND_ROWS
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.system import System
from everlet.state.topology import ANGLE as ANGLE_LINK
from everlet.state.topology import BOND

REMOVED = {PAIR: 1, THREE: 2, FOUR: 3, ANGLE: 3}  # degrees of freedom
STIFF = 1e9  # k_B T of temperature 1: springs in minimisations
STRAIGHT = 1e-8  # of the cosine: an angle of 180 degrees cannot be held by its ends


class Constraints(Fix):
    """Atoms of a cluster have the field `cluster`: a shape and the ids of all of them; a rank that has one of them must have
    the others as ghosts, and computes the whole cluster for its own atoms."""

    reads = ("x", "v", "f", "type", "mask")
    writes: tuple[str, ...] = ("x", "v", "f")
    gives = Gives(scalar=EXTENSIVE)
    has_virial = virial_on = has_energy = energy_on = minimizes = True
    name = ""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if "bond_type" not in system.atoms.fields:
            raise InputError(f"fix {self.name}: atom style {system.atom_style.name} has no bonds", "use atom_style bond, "
                             "angle, molecular or full")
        for fix in system.fixes.values():
            if isinstance(fix, Constraints) and fix.id != id:
                raise InputError(f"fix {self.name}: there is fix {fix.id} {fix.style} already", "one fix holds all constraints")
        self.chosen = Chosen.of(system, self.name, args)
        self.every = self.chosen.every
        self.found = find(system, self.chosen, int(self.bit), self.name)
        self._keep_clusters()
        switch(system, self.found, on=False)
        self._say()
        space = system.space
        self.forms, self.lengths = View(1, np.int32, space), View((1, 3), np.float64, space)
        self.count = 0  # clusters that have atoms here
        self.leads = self.start = self.shape = View(0, np.int32, space)
        self.member, self.multiplier = View((0, 4), np.int32, space), View((0, 3), np.float64, space)
        self.scan, self.rows = Scan(space), RowsOfIds(system)
        self.stiffness = STIFF * system.units.boltz if self.chosen.kbond is None else self.chosen.kbond
        self.energy = View(1, np.float64, space)

    def _keep_clusters(self) -> None:
        """The field `cluster` of all atoms, made anew: a restart file may have brought that of other types."""
        atoms, table = self.system.atoms, self.found.table
        self.add_field("cluster", np.int64, 5)
        self.add_field("free", width=3)
        field = atoms.edit(self.field("cluster"))
        field[:] = 0
        order = np.argsort(atoms.read("id"), kind="stable")
        for k in range(1, 5):
            there = table[:, k] > 0
            field[order[np.searchsorted(atoms.read("id"), table[there, k], sorter=order)]] = table[there]

    def _say(self) -> None:
        count = self.found.count
        lines = [f"Finding {self.name.upper()} clusters ..."]
        lines += [f"{count(form):8d} = # of size {size} clusters" for form, size in ((PAIR, 2), (THREE, 3), (FOUR, 4))]
        self.notes += [*lines, f"{count(ANGLE):8d} = # of frozen angles"]
        if not len(self.found.table) and self.chosen.mol is None:
            self.notes.append(f"WARNING: fix {self.id} {self.name} has found no cluster: nothing is constrained")
        unused = sorted(set(self.chosen.a) - set(self.found.angles[:, 0].tolist()))
        if unused and len(self.found.table):
            self.notes.append(f"WARNING: fix {self.id} {self.name}: no angle of type {', '.join(map(str, unused))} has two "
                              "constrained bonds and no third one: none is frozen")

    def remove(self) -> None:
        switch(self.system, self.found, on=True)
        super().remove()

    # ---- before a run
    def init(self) -> None:
        system = self.system
        names = list(system.fixes)
        for fix in system.fixes.values():
            if fix.changes_box and names.index(fix.id) < names.index(self.id):
                raise InputError(f"fix {self.id} {self.name} comes after fix {fix.id}, which changes the box",
                                 f"define fix {self.id} before it")
        self._use_shapes()
        self.steady = system.world.size == 1 and self.every != 1

    def _use_shapes(self) -> None:
        """Forms and lengths of the clusters, where kernels read them."""
        shapes, space = self.found.shapes, self.system.space
        if self.forms.shape[0] != len(shapes) + 1:
            self.forms, self.lengths = View(len(shapes) + 1, np.int32, space), View((len(shapes) + 1, 3), np.float64, space)
        self.forms.put(np.array([0, *(shape[0] for shape in shapes)], np.int32))
        self.lengths.put(np.array([[0.0] * 3, *(self._squares(*shape) for shape in shapes)]))

    def take(self, template: Template, offset: int, columns: dict[str, Any]) -> None:
        """A molecule comes, with these fields: they get its clusters, on all ranks."""
        count, last = template.atoms, int(columns["id"][0]) - 1
        mass = template_masses(self.system, template, offset, f"fix {self.id} {self.name}")
        new, old = find_in(template, mass, offset, self.chosen, self.name), self.found
        if not len(new.table):
            raise InputError(f"fix {self.id} {self.name}: no bond of template {template.name} is constrained", "name types of "
                             f"its bonds or atoms, or leave the word {self.name} of the other fix out")
        shapes = old.shapes + [shape for shape in new.shapes if shape not in old.shapes]
        new.table[:, 0] = [1 + shapes.index(new.shapes[k - 1]) for k in new.table[:, 0]]
        cluster = np.zeros((count, 5), np.int64)
        for row in new.table:
            cluster[row[1:][row[1:] > 0] - 1] = np.where(row > 0, row + [0, *[last] * 4], 0)
        columns[self.field("cluster")] = cluster
        for table, kind in ((new.table, None), (new.bonds, BOND), (new.angles, ANGLE_LINK)):
            table[:, 1:] += last * (table[:, 1:] > 0)
            if kind is not None and len(table):
                types, meant = columns[kind.type], held(kind, columns[kind.atoms], table)
                types[meant] = -types[meant]
        self.found = Clusters(np.concatenate([old.table, new.table]), shapes, np.concatenate([old.bonds, new.bonds]),
                              np.concatenate([old.angles, new.angles]))
        self._use_shapes()

    def _squares(self, form: int, first: int, second: int, third: int) -> list[float]:
        """Squares of the lengths of a shape."""
        bonds, angles = self.system.bonded["bond"], self.system.bonded["angle"]
        if bonds is None:
            raise InputError(f"fix {self.name}: there is no bond style, whose lengths it needs", "use bond_style first")
        sizes = [bonds.rest(type) if type else 0.0 for type in (first, second, third if form == FOUR else 0)]
        if form == ANGLE:
            if angles is None:
                raise InputError(f"fix {self.name}: there is no angle style, whose angles it needs", "use angle_style first")
            cosine = math.cos(math.radians(angles.rest(third)))
            if cosine < STRAIGHT - 1.0:
                raise InputError(f"fix {self.name}: an angle of 180 degrees (type {third}) cannot be constrained",
                                 "leave the angle type out, and use fix rigid/small for straight molecules")
            sizes[2] = math.sqrt(sizes[0] ** 2 + sizes[1] ** 2 - 2.0 * sizes[0] * sizes[1] * cosine)
        if min(size for size, needed in zip(sizes, (True, form > PAIR, form > THREE), strict=True) if needed) <= 0.0:
            raise InputError(f"fix {self.name}: a constrained bond has the length 0 (bond types {first} {second} {third})",
                             "give its length with bond_coeff, and a pair of bonds another angle than 0")
        return [size**2 for size in sizes]

    def kernels(self) -> list[Kernel]:
        several = self.system.world.size > 1
        more = [FREE, Kernel(send_kernels.pack_words)] if several else []
        scans = scan.KERNELS if self.system.space.many_threads else []
        return [LEAD, GATHER, MEND, *solvers(several), VIRIAL, ADD_UP, *more, *scans,
                *FIND_ROWS]

    # ---- where the atoms are
    def post_neighbor(self) -> None:
        """Rows of the atoms of all clusters that have one here."""
        atoms, space = self.system.atoms, self.system.space
        self.rows.update()
        n, cluster = atoms.n, atoms.view(self.field("cluster"))
        if self.leads.shape[0] < n:
            self.leads, self.start = View(atoms.capacity, np.int32, space), View(atoms.capacity + 1, np.int32, space)
        parallel_for(space, n, LEAD, cluster, self.rows.view, space.control, self.leads)
        if n:
            self.scan(n, self.leads, self.start)
        if space.queue is None:
            self._refuse_missing()
            self._reserve(int(self.start.data[n]) if n else 0)
        parallel_for(space, n, GATHER, cluster, self.rows.view, self.start, self.shape.shape[0], self.shape,
                     self.member)

    def _reserve(self, count: int) -> None:
        space, self.count = self.system.space, count
        if self.shape.shape[0] < count:
            room = count if not self.shape.shape[0] else int(1.2 * count)
            self.shape, self.member = View(room, np.int32, space), View((room, 4), np.int32, space)
            self.multiplier = View((room, 3), np.float64, space)

    def _refuse_missing(self) -> None:
        if not self.system.troubled():
            return
        here = self.system.atoms.read(self.field("cluster"))[:, 1:].ravel()
        here = here[here > 0]
        missing = here[self.rows.view.get()[here] < 0]
        mine = f"atom {missing[0]} of a constrained cluster is not to be found" if len(missing) else ""
        cause = next(filter(None, self.system.ranks.all_of(mine)), "an atom of a constrained cluster is not to be found")
        raise RunError(f"fix {self.id} {self.name}: {cause} at step {self.system.step}", "atoms of a cluster are farther apart "
                       "than ghosts reach (comm_modify cutoff makes that longer), or one was lost or deleted")

    # ---- solving
    @property
    def box(self) -> View:
        return self.system.box_view()

    def _solve(self, kernel: Kernel, square: float, several: bool) -> None:
        """Forces of constraints for the present velocities and forces; square: what a force does to a position."""
        system, atoms = self.system, self.system.atoms
        if several:
            self._send_free(system.dt, square)
        parallel_for(system.space, self.count, kernel, atoms.n, self.shape, self.member, self.forms, self.lengths,
                     atoms.view("x", modify=kernel is MEND), atoms.view("v"), atoms.view("f", modify=True),
                     atoms.view(self.field("free")), system.mass_kind(), system.masses_view(), self.box, system.dt, square,
                     self.chosen.tolerance, self.chosen.turns, self.multiplier)

    def constrain(self, square: float) -> None:
        several = self.system.ranks.size > 1
        self._solve(solvers(several)[0], square, several)
        self._tally()

    def constrain_again(self) -> None:
        """Velocities or places have changed at the end of a step: forces of constraints for the next one follow. The pressure
        is that of the step itself."""
        system, kept = self.system, self.multiplier.get()
        several = system.ranks.size > 1
        if several:
            system.evaluator.comm.forward(system, "x")
        self._solve(solvers(several)[0], 0.5 * self.square, several)
        self.multiplier.put(kept)

    def _tally(self) -> None:
        if self.tallies and self.tally.wanted:
            self.tally.reduce(self.system.space, self.count, VIRIAL, *self._held(), at=1)

    def mend(self) -> None:
        """Put atoms where the lengths are right."""
        system = self.system
        self._solve(MEND, 1.0, False)
        if system.ranks.size > 1:
            system.evaluator.comm.forward(system, "x")

    def project(self, half: float) -> None:
        """Take away velocities along constraints, as they will be after a kick of `half` F/m."""
        system, atoms = self.system, self.system.atoms
        several = system.ranks.size > 1
        if several:
            self._send_free(1.0, half)
        parallel_for(system.space, self.count, solvers(several)[1], atoms.n, self.shape, self.member, self.forms,
                     atoms.view("x"), atoms.view("v", modify=True), atoms.view("f"), atoms.view(self.field("free")),
                     system.mass_kind(), system.masses_view(), self.box, half)

    def _send_free(self, dt: float, square: float) -> None:
        system, atoms = self.system, self.system.atoms
        parallel_for(system.space, atoms.n, FREE, atoms.view("v"), atoms.view("f"), system.mass_kind(),
                     system.masses_view(), dt, square, atoms.view(self.field("free"), modify=True))
        system.evaluator.comm.forward(system, self.field("free"))

    @property
    def square(self) -> float:
        """What a force does to a position in a whole step of velocity Verlet, if velocities are those of its middle."""
        return self.system.dt**2 * self.system.units.ftm2v

    def setup(self) -> None:
        """Repair the geometry, then constrain the first step: velocities are whole ones there, so that forces count half."""
        self.energy.put(np.zeros(1))
        if self.every:
            self.notes += observed.lines(self)
        self.mend()
        self.clean_velocities()
        self.constrain(0.5 * self.square)

    def before_file(self) -> None:
        """Multipliers go with the atoms of their clusters, where nothing is kept between two steps."""
        n, held = self.system.atoms.n, self.system.atoms.edit(self.field("free"))
        held[:] = 0.0
        for rows in self.member.get()[: self.count].T:
            here = rows < n
            held[rows[here]] = self.multiplier.get()[: self.count][here]

    def resume(self) -> None:
        """Forces of constraints are those of the file, and so are multipliers, which virials are made of."""
        self.energy.put(np.zeros(1))
        multiplier, leads = self.multiplier.get(), self.member.get()[: self.count].min(axis=1, initial=self.system.atoms.n)
        multiplier[: self.count] = self.system.atoms.read(self.field("free"))[leads]
        self.multiplier.put(multiplier)
        self._tally()

    def min_setup(self) -> None:
        self.notes.append(f"fix {self.id} {self.name}: springs of kbond = {self.stiffness:g} take the places of constraints")
        self.min_post_force()

    def min_post_force(self) -> None:
        """Minimisations have stiff springs in place of constraints."""
        system, atoms = self.system, self.system.atoms
        self.energy.put(np.zeros(1))
        parallel_reduce(system.space, self.count, SPRINGS, atoms.n, self.shape, self.member, self.forms, self.lengths,
                        atoms.view("x"), atoms.view("f", modify=True), self.box, self.stiffness, self.multiplier,
                        into=self.energy)
        self._tally()

    def scalar(self) -> float:
        """Energy of the springs; 0 in runs."""
        return float(self.over_ranks(self.energy.get()[0]))

    def clean_velocities(self) -> None:
        """Before the first step."""

    def end_of_step(self) -> None:
        self.notes += observed.lines(self)

    # ---- what others ask
    def removed_dof(self, bit: int) -> float:
        """By the group of the centre."""
        atoms = self.system.atoms
        cluster = atoms.read(self.field("cluster"))
        removed = np.array([0, *(REMOVED[shape[0]] for shape in self.found.shapes)])
        centre = (cluster[:, 1] == atoms.read("id")) & ((atoms.read("mask") & bit) != 0)
        return float(self.system.ranks.sum(int(removed[cluster[centre, 0]].sum())))

    def atom_virials(self) -> Any:
        return observed.atom_virials(self)

    def centroid_virials(self) -> Any:
        return observed.bond_virials(self)

    def virial_now(self) -> Any:
        if self.tallies:
            return super().virial_now()
        return self.system.ranks.sum(parallel_reduce(self.system.space, self.count, VIRIAL, *self._held()))

    def _held(self) -> tuple[Any, ...]:
        """What the kernel of the virial needs."""
        atoms = self.system.atoms
        return atoms.n, self.shape, self.member, self.forms, atoms.view("x"), self.box, self.multiplier
