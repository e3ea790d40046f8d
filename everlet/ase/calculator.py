"""Everlet as a calculator of ASE.

    from everlet.ase import Everlet

    atoms.calc = Everlet(pair_style="eam/alloy", pair_coeff="* * Cu.eam.alloy Cu")
    atoms.calc = Everlet("pair_style sw\\npair_coeff * * Si.sw Si", device="cuda")

One engine is kept between calls: new positions are copied into it, another cell changes its box, other numbers or periodic
directions make a new one. docs/ase.md has all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

try:
    from ase.calculators.calculator import Calculator, all_changes
    from ase.data import atomic_masses, atomic_numbers
except ImportError as error:
    raise ImportError("everlet.ase needs ASE: pip install 'everlet[ase]'") from error

from everlet.api.simulation import Simulation
from everlet.ase.words import Setting, read
from everlet.errors import InputError
from everlet.io.ase_atoms import InASE
from everlet.state.cells import voigt

AGAIN = {"numbers", "pbc"}  # changes that need another engine


class Everlet(Calculator):
    """A calculator of ASE.

    commands     the potential as script commands, a text or a list of lines; or
    pair_style   and pair_coeff: its words, pair_coeff a text or a list
    units        of the potential: metal, real, …; lj with scale=dict(energy=, length=, mass=) in eV, Å, u
    species      elements of types 1, 2, …; without it those of the atoms by alphabet
    masses       by element, in u; without it those of ASE
    atom_style   without it `charge` if atoms have initial charges, else `atomic`
    device, threads, precision, log, tune, allow, trust     as of a Simulation

    and the words of LAMMPSlib and lammpsrun: docs/ase.md. Results are in eV and Å; stress is dE/dε/V, without motion, xx yy zz
    yz xz xy, positive under tension; energies and stresses of atoms add up to energy and stress.
    """

    name = "everlet"
    implemented_properties = ["energy", "free_energy", "forces", "stress", "energies", "stresses"]
    ignored_changes = {"initial_magmoms"}

    def __init__(self, commands: str | Sequence[str] | None = None, *, label: str | None = None, atoms: Any = None,
                 directory: str = ".", **words: Any):
        self._sim: Simulation | None = None
        self._setting = Setting()
        self._faces = ""  # letters of the boundary
        super().__init__(label=label, atoms=atoms, directory=directory, commands=commands, **words)

    # ---- what it is made of
    def set(self, **words: Any) -> dict[str, Any]:
        """Other words; the next question makes a new engine."""
        together = {**self.parameters, **words}
        self._setting = read(together)
        changed: dict[str, Any] = super().set(**{name: value for name, value in words.items() if value is not None})
        if changed:
            self.reset()
            self.close()
        return changed

    def todict(self, skip_default: bool = True) -> dict[str, Any]:
        return dict(self.parameters)

    @property
    def sim(self) -> Simulation:
        """The Simulation below."""
        if self._sim is None:
            raise InputError("the calculator has no Simulation yet",
                             "ask for an energy first; with keep_alive=False there is none")
        return self._sim

    def close(self) -> None:
        """Let the engine go; the next question makes a new one."""
        if self._sim is not None:
            self._sim.close()
        self._sim = None

    clean = close

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_sim": None}

    # ---- what it gives
    def check_state(self, atoms: Any, tol: float = 1e-15) -> list[str]:
        """What has changed since the last question. To the bit where ASE would ask for 1e-15: that is quicker, and it is asked
        at every question."""
        if self.atoms is None or tol != 1e-15:
            found: list[str] = super().check_state(atoms, tol)
            return found
        known, kept, now = self.atoms, self.atoms.arrays, atoms.arrays
        pairs = {"positions": (kept["positions"], now["positions"]), "numbers": (kept["numbers"], now["numbers"]),
                 "cell": (known.cell[:], atoms.cell[:]), "pbc": (known.pbc, atoms.pbc),
                 "initial_charges": (kept.get("initial_charges"), now.get("initial_charges"))}
        return [name for name, (one, other) in pairs.items() if not np.array_equal(one, other)]

    def calculate(self, atoms: Any = None, properties: Sequence[str] | None = None,
                  system_changes: Sequence[str] = all_changes) -> None:
        properties = self.implemented_properties if properties is None else properties
        super().calculate(atoms, properties, system_changes)
        try:
            if system_changes or self._sim is None:
                self._follow(frozenset(system_changes))
                self._measure()
            if ("stress" in properties or not self._setting.keep_alive) and self.atoms.cell.rank == 3:
                self.results["stress"] = voigt(self.sim.stress) * self._stress_unit()
            if {"energies", "stresses"} & frozenset(properties):
                self._measure_atoms()
        except BaseException:  # what was done in part is not used again
            self.results: dict[str, Any] = {}
            self.close()
            raise
        if not self._setting.keep_alive:
            self.close()

    def _follow(self, changes: frozenset[str]) -> None:
        """The engine has the present atoms."""
        said, atoms = self._setting, self.atoms
        self._units = units = InASE.of(said.units, said.scale)
        cell, boundary = atoms.cell[:] / units.length, self._boundary()
        charges = atoms.get_initial_charges() / units.charge if atoms.has("initial_charges") else None
        if self._sim is None or AGAIN & changes or boundary != self._faces or (
                "initial_charges" in changes and charges is not None and not self._charged()):
            self.close()
            self._faces = boundary
            self._make(cell, charges)
        else:
            self.sim.positions = atoms.positions / units.length
            if "cell" in changes:
                self.sim.set_cell(cell)
                self._run(said.boxed)
            if "initial_charges" in changes and charges is not None:
                self.sim.charges = charges
        if said.velocities:
            self.sim.velocities = atoms.get_velocities() / units.velocity
        self._run(said.each)

    def _run(self, lines: Sequence[str]) -> None:
        if lines:
            self.sim.commands("\n".join(lines), "Everlet")

    def _charged(self) -> bool:
        return "q" in self.sim.engine.system.atoms.fields

    def _boundary(self) -> str:
        """Letters for the faces; those that are not periodic follow atoms."""
        if self._setting.boundary:
            return self._setting.boundary
        edges = zip(self.atoms.pbc, self.atoms.cell[:].any(axis=1), strict=True)
        return " ".join("p" if along else "m" if there else "s" for along, there in edges)

    def _make(self, cell: np.ndarray, charges: np.ndarray | None) -> None:
        """A new engine."""
        said, symbols = self._setting, self.atoms.get_chemical_symbols()
        types, x = said.numbers(symbols) or {"X": 1}, self.atoms.positions / self._units.length
        self._sim = sim = Simulation(**{"tune": False, **said.engine}, log=said.log, units=said.units)
        if said.start is not None:
            said.start(sim)
        if said.create_atoms:
            self._run(said.header)
            sim.create(x, types=[types[symbol] for symbol in symbols], cell=cell, pbc=self.atoms.pbc, charges=charges,
                       ntypes=max(types.values()), atom_style=said.atom_style,
                       boundary=self._faces if said.own_boundary else sim.engine.system.boundary)
            self._run([f"labelmap atom {' '.join(f'{k} {symbol}' for symbol, k in types.items())}",
                       *(f"mass {k} {self._mass(symbol)!r}" for symbol, k in types.items())])
            if said.triclinic:
                self._run(["change_box all triclinic"])
            self._run(said.commands)
        else:
            style = [f"atom_style {said.atom_style}"] if said.atom_style else []
            self._run([*style, *([f"boundary {self._faces}"] if said.own_boundary else []), *said.header, *said.commands])
            self._adopt(x, cell)
        self._run([f"mass {types[symbol]} {self._mass(symbol)!r}" for symbol in said.masses if symbol in types])

    def _adopt(self, x: np.ndarray, cell: np.ndarray) -> None:
        """Atoms and box are those that commands have made."""
        sim = self.sim
        if sim.n != len(x) or sim.pbc != tuple(self.atoms.pbc):
            raise InputError(f"the commands have made {sim.n} atoms, periodic along {sim.pbc}, and ASE has {len(x)}, along "
                             f"{tuple(map(bool, self.atoms.pbc))}", "both must be the same, in this order")
        sim.positions = x
        sim.set_cell(cell)

    def _mass(self, symbol: str) -> float:
        """Of an element, in our units."""
        if symbol in self._setting.masses:
            return float(self._setting.masses[symbol]) / self._units.mass
        symbols = self.atoms.get_chemical_symbols()
        found = self.atoms.get_masses()[symbols.index(symbol)] if symbol in symbols else atomic_masses[atomic_numbers[symbol]]
        return float(found) / self._units.mass

    def _measure(self) -> None:
        sim, units = self.sim, self._units
        energy = sim.energy * units.energy
        self.results = {"energy": energy, "free_energy": energy, "forces": sim.forces * units.force}

    def _measure_atoms(self) -> None:
        self.results["energies"] = self.sim.energies * self._units.energy
        if self.atoms.cell.rank == 3:
            self.results["stresses"] = voigt(self.sim.stresses) * self._stress_unit()

    def _stress_unit(self) -> float:
        """Virials per volume of the cell, which is not that of a box that has grown with its atoms."""
        sim, units = self.sim, self._units
        return float(units.energy / sim.units.nktv2p * sim.volume / self.atoms.cell.volume)
