"""System: everything that a run is made of, in one place that all parts share.

Low-level parts (forces, neighbours, fixes, computes, dumps) receive the System and nothing else. It holds state, no
behaviour: who may change what is written at each attribute.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.errors import InputError, RunError
from everlet.portable.spaces import Space
from everlet.portable.views import Constants, View
from everlet.state.atom_styles import AtomStyle, atom_style, change_style, style_of
from everlet.state.atoms import Atoms
from everlet.state.box import BOX, Box
from everlet.state.continuing import Kept
from everlet.state.control import TROUBLE
from everlet.state.flow import Flow
from everlet.state.freshness import Freshness
from everlet.state.groups import Groups
from everlet.state.lattice import Lattice
from everlet.state.ledger import Ledger
from everlet.state.levels import Levels
from everlet.state.masses import OWN, Rows
from everlet.state.members import Members
from everlet.state.mid_run import MidRun
from everlet.state.packing import gathered
from everlet.state.plan import SORT_EVERY, Plan
from everlet.state.ranks import SingleRank, Universe
from everlet.state.regions import Region
from everlet.state.topology import KINDS, Topology
from everlet.state.units import Units

FEWEST_SORTED = 1000  # atoms
ASKED, SETTING_UP, STEPPING = range(3)  # forces are a question, those that a run begins with, those of a step


class Still:
    """Values that several ask for, made once in a block in which nothing moves; blocks may stand in each other."""

    def __init__(self) -> None:
        self.depth = 0
        self.made: dict[Any, Any] = {}

    def __enter__(self) -> None:
        self.depth += 1

    def __exit__(self, *error: object) -> None:
        self.depth -= 1
        if not self.depth:
            self.made = {}

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        if not self.depth:
            return make()
        if key not in self.made:
            self.made[key] = make()
        return self.made[key]


class System:
    def __init__(self, space: Space, precision: str = "double"):
        self.space = space  # where kernels run
        self.precision = precision  # double, mixed or single: what `real` and `accum` mean in kernels
        self.units = Units.named("lj")
        self.dimension = 3
        self.boundary = "p p p"  # as given by the boundary command, until a box exists
        self.newton = True  # pairwise newton flag; None of the styles may change it
        self.newton_given = False  # the script chose it
        self.box: Box | None = None
        self._kernel_box = Constants(BOX, space)  # the same in memory of the space
        self.members: Members | None = None  # of a batch: the systems whose atoms these are, each with a box of its own
        self.flow: Flow | None = None  # how fast the box deforms, while fix deform changes it
        self.lattice: Lattice | None = None
        self.regions: dict[str, Region] = {}
        self.groups = Groups()
        self.atoms = Atoms(space)
        self.atom_style: AtomStyle = atom_style["atomic"]  # what they carry; see set_atom_style
        self._masses: Constants | None = None
        self.masses = np.zeros(1)  # by type, entry 0 unused; 0 means not set
        self._rows = Rows(space)
        self.type_labels: dict[str, int] = {}
        self.sort_every = SORT_EVERY  # steps; 0: never
        self.sort_given = False  # the script chose it: atom_modify sort
        self.sort_bin = 0.0  # size of the bins that atoms are sorted by where they are `ordered`; 0: half of the list radius
        self.stored: np.ndarray | None = None  # ids in the order in which LAMMPS would have them now; None: in that of storage
        self.stored_until = 0  # step from which LAMMPS sorts them again
        self.next_sort = 0  # step from which the next neighbour build sorts the atoms
        self._step = 0
        self.dt = self.units.dt
        self.time_base = (0, 0.0)  # a step and its simulated time; renewed when dt or the step counter is set
        self.paused: float | None = None  # the simulated time before a minimisation, which goes on afterwards
        self.halted = ""  # fix halt ends the run after this step: soft, later ones too; continue: later ones go on
        self.run_start = self.run_stop = 0  # steps between which ramped settings go from their first to their last value
        # operations, in the order they were defined
        self.fixes: dict[str, Any] = {}
        self.kept_bonded: dict[str, dict[str, Any]] = {}  # styles of links by kind, from a restart file
        self.kept_operations: dict[str, Kept] = {}  # by word (f_ID, c_ID), from a restart file, not taken yet
        self.mid_run: MidRun | None = None  # of a restart file that was written inside of a run
        self.passing = ASKED  # what forces are made for: contacts of grains change as time passes
        self.continues = False  # that run goes on from it, and has made no step yet
        self.computes: dict[str, Any] = {}
        self.dumps: dict[str, Any] = {}
        self.variables: Any = None
        self.pair: Any = None
        self.check_code: Callable[..., None] = lambda what, *files: None  # refuses code that a script may not run
        self.bonded: dict[str, Any] = dict.fromkeys(KINDS)  # the bond style, angle style, …, by kind
        self.molecules: dict[str, Any] = {}  # templates (state/molecule.py) by name
        self.levels: Levels | None = None  # of steps of several lengths
        self.kspace: Any = None  # the long-range solver (forces/kspace); its g is known from the set-up of a run on
        self.topology = Topology()  # links between atoms, and what follows from them for pairs
        self.dielectric = 1.0  # Coulomb energies are divided by it
        self.plan = Plan()  # how the last run did its work
        self.plan_kept = False  # it stays: a restart file names it, and a continued run must repeat this one exactly
        self.fresh = Freshness()  # whether forces, energies and virials are those of the present state
        self.ledger = Ledger(self.fresh)  # energies and virials of the last forces that were tallied
        self.evaluator: Any = None  # the terms of forces and their lists (run/evaluator.py), from the set-up of a run on
        self.surroundings: dict[Any, Any] = {}  # neighbours beside those of a run (neighbor/surroundings.py)
        self.still = Still()  # `with system.still:` nothing moves: what `once` makes is made once
        self.added = 0  # atoms that fixes have added in this run, less those they have removed
        self.lost: list[str] = []  # what is known of each atom that left the box
        # the job, and who has a part of the atoms: all of its ranks inside a run; between runs every rank has all atoms
        self.world = self.ranks = SingleRank()
        self.force_ranks = self.ranks  # who had a part of them when forces were computed last
        self.universe = Universe()  # worlds that were started together with this one
        self.subdomain = np.array([[0.0] * 3, [1.0] * 3])  # the corners of this rank's part of the box, in fractions
        self.processors = (0, 0, 0)  # the processors command; 0: to be chosen
        self.rank_order = "zyx"  # its option map: the axis along which ranks are counted first, ...
        self.comm_style = "brick"  # or tiled
        self.ghost_velocity = False  # comm_modify vel: ghosts have the velocities of their atoms too
        self.division: Any = None  # who has which atoms (comm/division.py)

    @property
    def step(self) -> int:
        """The number of the present step. Kernels of a step that is replayed read it where they run (state/clock.py)."""
        if self.space.asker:
            self.space.ask("the number of the step", steps=True)
        return self._step

    @step.setter
    def step(self, number: int) -> None:
        self._step = number

    def set_atom_style(self, name: str) -> None:
        """Other fields for atoms, before there are any."""
        made = style_of(name)
        change_style(self.atoms, self.atom_style, made)
        self.atom_style = made

    @property
    def sorts(self) -> bool:
        """Atoms are put into the order of their bins now and then. Few of them are near each other in memory in any order."""
        chosen = self.sort_given or self.sort_every != SORT_EVERY  # by the script, or as measured
        return self.sort_every > 0 and (chosen or self.ordered or self.natoms >= FEWEST_SORTED)

    @property
    def ordered(self) -> bool:
        """Atoms are stored in the order of LAMMPS on one rank: a fix takes them, or random numbers for them, in that order."""
        alone = self.world.size == 1 and not self.space.separate_memory and self.members is None
        return alone and any(fix.ordered for fix in self.fixes.values())

    @property
    def carries_velocity(self) -> bool:
        """Ghosts have the velocities of their atoms: the script says so, or forces depend on them."""
        return self.ghost_velocity or (self.pair is not None and self.pair.moving)

    @property
    def ntypes(self) -> int:
        return len(self.masses) - 1

    @property
    def scheme(self) -> str:
        """How the last run visited pairs."""
        return self.plan.scheme

    @property
    def natoms(self) -> int:
        """Atoms in the whole simulation."""
        return self.atoms.n if self.ranks.size == 1 else int(self.ranks.sum(self.atoms.n))

    @property
    def whole(self) -> Atoms:
        """All atoms of the simulation: those here, or gathered from all ranks. All ranks must ask."""
        return self.atoms if self.ranks.size == 1 else gathered(self.atoms, self.ranks)

    @property
    def pair_cutoff(self) -> float:
        """The largest one of the pair style and its present coefficients; 0 without a style."""
        if self.pair is None:
            return 0.0
        self.fresh.need()
        return float(self.pair.max_cutoff)

    @property
    def own_volume(self) -> float:
        """Volume of this rank's part of the box."""
        return self.need_box().volume * float(np.prod(self.subdomain[1] - self.subdomain[0]))

    def region(self, margin: float) -> tuple[np.ndarray, np.ndarray]:
        """Corners of the orthogonal region that holds this rank's part of the box and its ghosts within `margin`."""
        return self.need_box().extended(margin, self.subdomain)

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """A value that several ask for, kept while all is `still`. Do not write to it."""
        return self.still.once(key, make)

    @property
    def time(self) -> float:
        """Simulated time in the units' time."""
        step, time = self.time_base
        return time + (self.step - step) * self.dt

    def set_time(self, time: float) -> None:
        """The simulated time of the present step, also if a minimisation has stopped the clock."""
        self.time_base, self.paused = (self.step, time), None

    @property
    def energies(self) -> dict[str, float]:
        """Sums over all terms; valid for step `energies_tallied`."""
        return self.ledger.energies

    @property
    def virial(self) -> np.ndarray:
        """xx yy zz xy xz yz, summed over all terms; valid for step `tallied`."""
        return self.ledger.virial

    @property
    def tallied(self) -> int:
        """The last step whose virial is known."""
        return self.ledger.step

    @property
    def energies_tallied(self) -> int:
        """The last step whose energies are known, unless virials alone were tallied since."""
        return self.ledger.energy_step

    @property
    def qqr2e(self) -> float:
        """Energy of two charges 1 at distance 1 in vacuum: the force field's value, if it has one, or that of the units."""
        own = self.pair.qqr2e if self.pair is not None else None
        return float(self.units.qqr2e if own is None else own)

    @property
    def coulomb(self) -> float:
        """Energy of two charges 1 at distance 1."""
        return self.qqr2e / self.dielectric

    def pressure_tail(self) -> float:
        """Long-range correction of the pressure."""
        if self.pair is None or self.box is None:
            return 0.0
        return self.pair.ptail / self.box.volume**2 * self.units.nktv2p

    def need_box(self) -> Box:
        """The box, or an error that says how to get one."""
        if self.box is None:
            raise InputError("there is no simulation box yet",
                             "use create_box, read_data or read_restart first; in programs sim.create(…)")
        return self.box

    def need_atoms(self, what: str) -> None:
        """Refuse a command that has nothing to work on."""
        self.need_box()
        if self.natoms == 0:
            raise InputError(f"there are no atoms to {what}", "use create_atoms or read_data first")

    def troubled(self) -> bool:
        """Whether a kernel, of any rank, has set the control word TROUBLE since this was asked; it is 0 again."""
        trouble = bool(self.space.read_control()[TROUBLE])
        if trouble:
            self.space.reset_control()
        return bool(self.ranks.any(trouble))

    def need_found(self, what: str, remedy: str) -> None:
        """Kernels have looked for atoms, of which none may be missing."""
        if self.troubled():
            raise RunError(f"{what} is not to be found at step {self.step}", remedy)

    # ---- the box, in two memories: the host has `box`, kernels have these numbers; whoever changes one of them says so
    def box_view(self) -> View:
        """The box where kernels run, 21 numbers (Box.params), to read and to write; of a batch those of all its boxes."""
        return self.members.view if self.members is not None else self._kernel_box.view

    def put_box(self) -> None:
        """The host has changed the box, or may have: so do kernels. Boxes of a batch are changed by kernels."""
        if self.members is None:
            self._kernel_box.set(self.need_box().params())

    def take_box(self) -> None:
        """Kernels have changed the box: so does the host."""
        box, now = self.need_box(), self._kernel_box.view.get()
        box.lo[:], box.hi[:] = now[:3], now[18:21]
        box.yz, box.xz, box.xy = now[6:9].tolist()
        self._kernel_box.known(box.params())

    def type_of(self, word: str) -> int:
        """A type from a number or a label."""
        kind = self.type_labels.get(word)
        if kind is None:
            try:
                kind = int(word)
            except ValueError:
                raise InputError(f"'{word}' is neither a type number nor a type label",
                                 "labels come from labelmap or from the data file") from None
        if not 1 <= kind <= self.ntypes:
            raise InputError(f"atom type {kind} is out of range 1 to {self.ntypes}",
                             "types are counted from 1; create_box or read_data says how many there are")
        return kind

    def type_range(self, word: str) -> range:
        """Types named by a number, a label or a wildcard: 2, *, 2*, *3, 1*4."""
        if "*" not in word or word in self.type_labels:
            kind = self.type_of(word)
            return range(kind, kind + 1)
        low, _, high = word.partition("*")
        first = self.type_of(low) if low else 1
        last = self.type_of(high) if high else self.ntypes
        if first > last:
            raise InputError(f"type range '{word}' is empty", "write the smaller type first: 1*4")
        return range(first, last + 1)

    def masses_of(self, atoms: Any = None) -> np.ndarray:
        """The mass of each of these atoms, or of this rank's: on the host."""
        atoms = self.atoms if atoms is None else atoms
        return np.asarray(atoms.read(OWN) if OWN in atoms.fields else self.masses[atoms.read("type")])

    def mass_kind(self) -> View:
        """By what kernels find the mass of an atom in `masses_view`: its type, or its row (state/masses.py)."""
        return self._rows.of(self.atoms) if OWN in self.atoms.fields else self.atoms.view("type")

    def masses_view(self) -> View:
        """Masses for kernels: mass[kind[i]], kinds are those of `mass_kind`."""
        if OWN in self.atoms.fields:
            return self.atoms.view(OWN)
        if self._masses is None or len(self._masses.now) != len(self.masses):
            self._masses = Constants(len(self.masses), self.space)
        self._masses.set(self.masses)
        return self._masses.view

    def check_masses(self) -> None:
        """Every type needs a mass before velocities or a run, or every atom that has one of its own."""
        if OWN in self.atoms.fields:
            light = self.atoms.read("id")[self.atoms.read(OWN) <= 0.0]
            if len(light):
                raise InputError(f"atom {light[0]} has no mass", "use set … mass or set … density")
            return
        missing = [str(t) for t in range(1, self.ntypes + 1) if self.masses[t] <= 0]
        if missing:
            raise InputError(f"no mass is set for atom type {', '.join(missing)}", "use the mass command for each type")
