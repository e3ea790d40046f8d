"""What a simulation is now, as properties: in the units of the simulation, in the order of ids, in the axes of the cell that
was given. Those that can be set are; energies and forces follow by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from everlet.api.create import corner, masses_of_types, numbers, set_line, typed
from everlet.api.record import Arrays, Record
from everlet.errors import InputError, a_number
from everlet.session import Session
from everlet.state.atom_styles import need_field
from everlet.state.cells import Cell, edges_of, tensor
from everlet.state.masses import OWN
from everlet.state.units import Units


class State:
    """Properties of a Simulation."""

    _session: Session | None
    _cell: Cell | None  # how the cell that was given lies in the box; None: not turned at all
    _record: Record

    @property
    def engine(self) -> Session:
        """What is below the API: for tools and tests. Its parts may change from one version to the next."""
        if self._session is None:
            raise InputError("this Simulation is closed", "use it inside of its with block, before close()")
        return self._session

    def _into(self, vectors: np.ndarray) -> np.ndarray:
        return vectors if self._cell is None else self._cell.into_box(vectors)

    def _out(self, vectors: np.ndarray) -> np.ndarray:
        return vectors if self._cell is None else self._cell.out_of_box(vectors)

    def _tensors_out(self, six: np.ndarray) -> np.ndarray:
        found = tensor(six)
        return found if self._cell is None else self._cell.tensor_out_of_box(found)

    def _set(self, name: str, values: Any) -> None:
        """A field of atoms, in the order of ids."""
        session = self.engine
        if self._record.watching and name != "v":
            raise InputError(f"{self._record.watching}, a function of on_step, sets '{name}', and a step is made of it",
                             "set velocities there; end the run by sim.stop(), and set the rest then")
        session.set_array(name, values)
        kept, ids = np.array(values), session.array("id").copy()

        def lines() -> Iterable[str]:
            rows = zip(np.sort(ids).tolist(), kept.tolist(), strict=True)
            return (f"set atom {id} {set_line(name, row)}" for id, row in rows)

        self._record.arrays(Arrays(name, lines, kept.nbytes))

    # ---- atoms
    @property
    def n(self) -> int:
        """Number of atoms."""
        return self.engine.system.natoms

    @property
    def ids(self) -> np.ndarray:
        """Ids of atoms, (n,), in the order of all others."""
        return self.engine.gather("id")

    @property
    def positions(self) -> np.ndarray:
        """Positions, (n, 3), length units; continuous: atoms that leave the box through a face are not put back."""
        session = self.engine
        box, images = session.system.need_box(), session.gather("image")
        return self._out(session.gather("x") + images @ edges_of(box))

    @positions.setter
    def positions(self, values: ArrayLike) -> None:
        session = self.engine
        given = self._into(numbers(values, "positions", (self.n, 3)))
        if session.array("image").any():
            self._set("image", np.zeros((self.n, 3), np.int32))
        self._set("x", given)

    @property
    def velocities(self) -> np.ndarray:
        """Velocities, (n, 3), length / time units."""
        return self._out(self.engine.gather("v"))

    @velocities.setter
    def velocities(self, values: ArrayLike) -> None:
        self._set("v", self._into(numbers(values, "velocities", (self.n, 3))))

    @property
    def forces(self) -> np.ndarray:
        """Forces of the present positions, (n, 3), energy / length units."""
        return self._out(self.engine.gather("f"))

    @property
    def charges(self) -> np.ndarray:
        """Charges, (n,), charge units."""
        need_field(self.engine.system.atoms, "q", "sim.charges")
        return self.engine.gather("q")

    @charges.setter
    def charges(self, values: ArrayLike) -> None:
        need_field(self.engine.system.atoms, "q", "sim.charges")
        self._set("q", numbers(values, "charges", (self.n,)))

    @property
    def types(self) -> np.ndarray:
        """Types, (n,), counted from 1."""
        return self.engine.gather("type")

    @types.setter
    def types(self, values: ArrayLike) -> None:
        self._set("type", typed(None, values, self.n)[0])

    @property
    def masses(self) -> np.ndarray:
        """Masses, (n,), mass units."""
        session = self.engine
        return session.gather(OWN) if OWN in session.system.atoms.fields else session.system.masses[session.gather("type")]

    @masses.setter
    def masses(self, values: ArrayLike) -> None:
        found = masses_of_types(numbers(values, "masses", (self.n,)), self.types, self.type_names)
        self.engine.commands("\n".join(f"mass {kind} {mass!r}" for kind, mass in found.items()), "sim.masses")

    @property
    def type_names(self) -> list[str]:
        """Names of types 1, 2, …; empty if they have none."""
        system = self.engine.system
        names = {number: name for name, number in system.type_labels.items()}
        return [names.get(number, "") for number in range(1, system.ntypes + 1)] if names else []

    @property
    def species(self) -> list[str]:
        """The name of each atom's type."""
        names = self.type_names
        if not names:
            raise InputError("types have no names", "give species=[…] to create(), or: labelmap atom 1 Cu 2 Zr")
        return [names[number - 1] for number in self.types.tolist()]

    @species.setter
    def species(self, values: Sequence[str]) -> None:
        names = self.type_names
        missing = [name for name in dict.fromkeys(values) if name not in names]
        if missing:
            raise InputError(f"there is no type named {', '.join(missing)}", f"known: {', '.join(names) or 'none'}; types are "
                             "made with the box")
        self.types = np.array([names.index(name) + 1 for name in values])

    # ---- the box
    @property
    def cell(self) -> np.ndarray:
        """Edges of the cell in rows, (3, 3), length units."""
        box = self.engine.system.need_box()
        return edges_of(box) if self._cell is None else self._cell.now(box)

    @cell.setter
    def cell(self, edges: ArrayLike) -> None:
        self.set_cell(edges)

    def set_cell(self, edges: ArrayLike, scale: bool = False) -> None:
        """Another cell. Atoms stay where they are, or with scale=True keep their fractions of its edges."""
        session = self.engine
        before, x = self.cell, self.positions
        new = Cell.of(edges, self.pbc)
        place = x @ np.linalg.pinv(before) @ new.given if scale else x
        v = self.velocities
        low = session.system.need_box().lo if scale else np.zeros(3)
        session.change_box(new.box(new.into_box(place), corner(session.system.dimension, new, low.tolist())))
        self._cell = new
        self.positions, self.velocities = place, v

    @property
    def pbc(self) -> tuple[bool, bool, bool]:
        """Along which edges the cell is periodic."""
        return self.engine.system.need_box().periodic

    @property
    def volume(self) -> float:
        """Volume of the cell, length units cubed; the area in two dimensions; 0 if an edge is missing."""
        box = self.engine.system.need_box()
        return 0.0 if self._open() else box.volume

    def _open(self) -> bool:
        """An edge of the cell is missing: there is empty space around the atoms, and no volume."""
        return self._cell is not None and any(self._cell.missing)

    def _need_volume(self, what: str) -> None:
        if self._open():
            raise InputError(f"sim.{what}: the cell has no volume", "give a cell with three edges; pbc=False leaves them open")

    # ---- energies
    @property
    def energy(self) -> float:
        """Potential energy, energy units."""
        return float(self.engine.fresh("pe"))

    @property
    def energies(self) -> np.ndarray:
        """Potential energies of atoms, (n,), energy units."""
        return np.asarray(self.engine.fresh("pe/atom"))

    @property
    def stress(self) -> np.ndarray:
        """Stress without motion, (3, 3), pressure units, positive where the cell is pulled: dE/d(strain) / volume."""
        self._need_volume("stress")
        return self._tensors_out(-np.asarray(self.engine.fresh("pressure", "NULL", "virial")))

    @property
    def stresses(self) -> np.ndarray:
        """Shares of atoms in the stress, (n, 3, 3), pressure units: their sum is `stress`."""
        self._need_volume("stresses")
        return self._tensors_out(np.asarray(self.engine.fresh("stress/atom", "NULL", "virial")) / self.volume)

    @property
    def pressure(self) -> float:
        """Pressure with motion, pressure units."""
        self._need_volume("pressure")
        return self.engine.thermo_value("press")

    @property
    def temperature(self) -> float:
        """Temperature, temperature units."""
        return self.engine.thermo_value("temp")

    @property
    def kinetic_energy(self) -> float:
        """Kinetic energy, energy units."""
        return float(self.engine.fresh("ke"))

    # ---- the clock
    @property
    def step(self) -> int:
        """Number of the step."""
        return self.engine.system.step

    @step.setter
    def step(self, value: int) -> None:
        self.engine.commands(f"reset_timestep {value}")

    @property
    def time(self) -> float:
        """Simulated time, time units."""
        return self.engine.system.time

    @property
    def timestep(self) -> float:
        """Length of a step, time units."""
        return self.engine.system.dt

    @timestep.setter
    def timestep(self, value: float) -> None:
        self.engine.commands(f"timestep {a_number(value, 'the time step')!r}")

    # ---- ranks
    @property
    def rank(self) -> int:
        """Number of this process among those that share the atoms, from 0; started by mpiexec there are several."""
        return self.engine.world.rank

    @property
    def ranks(self) -> int:
        """How many processes share the atoms."""
        return self.engine.world.size

    # ---- units
    @property
    def units(self) -> Units:
        """The unit system: its name, constants and names of units."""
        return self.engine.system.units
