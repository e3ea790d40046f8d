"""Everlet as a calculator of ASE.

    from everlet.ase import Everlet

    atoms.calc = Everlet(pair_style="eam/alloy", pair_coeff="* * Cu.eam.alloy Cu")
    atoms.calc = Everlet("pair_style sw\\npair_coeff * * Si.sw Si", device="cuda")

One engine is kept between calls: new positions are copied into it, another cell changes its box, other numbers or periodic
directions make a new one. docs/ase.md has all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

try:
    from ase.calculators.calculator import Calculator, all_changes
    from ase.data import atomic_masses, atomic_numbers
except ImportError as error:
    raise ImportError("everlet.ase needs ASE: pip install 'everlet[ase]'") from error

from everlet.api.simulation import Simulation
from everlet.ase.words import Setting, read
from everlet.computes.pe import PE
from everlet.computes.pe_atom import PEAtom
from everlet.computes.pressure import Pressure
from everlet.computes.stress_atom import StressAtom
from everlet.errors import InputError
from everlet.io.ase_atoms import InASE
from everlet.state.box import parse_boundary
from everlet.state.cells import Cell, tensor, voigt

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
        self._cell = Cell.of(None, False)
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
        """The Simulation below. Positions in it are turned and shifted into its box."""
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

    def __enter__(self) -> Everlet:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_sim": None}

    # ---- what it gives
    def calculate(self, atoms: Any = None, properties: Sequence[str] | None = None,
                  system_changes: Sequence[str] = all_changes) -> None:
        properties = self.implemented_properties if properties is None else properties
        super().calculate(atoms, properties, system_changes)
        try:
            if system_changes or self._sim is None:
                self._follow(frozenset(system_changes))
                self._measure()
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
        units = InASE.of(self._setting.units, self._setting.scale)
        cell = Cell.of(self.atoms.cell[:] / units.length, self.atoms.pbc, self._setting.reduce)
        x = cell.into_box(self.atoms.positions / units.length)
        charges = self.atoms.get_initial_charges() / units.charge if self.atoms.has("initial_charges") else None
        kept = self._sim is not None and not AGAIN & changes and cell.missing == self._cell.missing
        if "initial_charges" in changes and kept and "q" not in self.sim.engine.system.atoms.fields:
            kept = False
        self._units, self._cell = units, cell
        if not kept:
            self.close()
            self._make(x, charges)
        else:
            self.sim.set_array("x", x)
            if "cell" in changes:
                self._change_box(x)
            if "initial_charges" in changes:
                self._set_charges(charges)
        if self._setting.velocities:
            self.sim.set_array("v", cell.into_box(self.atoms.get_velocities() / units.velocity))
        self._run(self._setting.each)

    def _run(self, lines: Sequence[str]) -> None:
        if lines:
            self.sim.commands("\n".join(lines), "Everlet")

    def _boundary(self) -> str:
        """Letters for the faces; those that are not periodic follow atoms."""
        if not self._setting.boundary:
            return self._cell.boundary("m")
        found = parse_boundary(self._setting.boundary)
        for axis, codes, along in zip("xyz", found, self._cell.periodic, strict=True):
            if (codes == "pp") != along:
                raise InputError(f"boundary '{self._setting.boundary}' and atoms.pbc differ along {axis}",
                                 "leave boundary out, or set atoms.pbc")
        return self._setting.boundary

    def _make(self, x: np.ndarray, charges: np.ndarray | None) -> None:
        """A new engine."""
        said, cell = self._setting, self._cell
        symbols = self.atoms.get_chemical_symbols()
        types = said.numbers(symbols)
        self._sim = sim = Simulation(**{"tune": False, **said.engine}, log=said.log)
        if said.start is not None:
            said.start(sim)
        style = said.atom_style or ("charge" if charges is not None else "atomic")
        boundary = [f"boundary {self._boundary()}"] if said.own_boundary else []
        self._run([f"units {said.units}", f"atom_style {style}", *boundary, *said.header])
        if said.create_box:
            lo, hi = cell.faces(x)
            faces = " ".join(f"{low!r} {high!r}" for low, high in zip(lo.tolist(), hi.tolist(), strict=True))
            tilts = [float(cell.edges[place]) for place in ((1, 0), (2, 0), (2, 1))]
            shape = f"prism {faces} {' '.join(map(repr, tilts))}" if any(tilts) or said.triclinic else f"block {faces}"
            self._run([f"region cell {shape} units box", f"create_box {max(types.values())} cell",
                       f"create_atoms 1 random {len(x)} 1 NULL"])
            sim.set_array("type", np.array([types[symbol] for symbol in symbols]))
            self._run([f"mass {k} {self._mass(symbol)!r}" for symbol, k in types.items()])
        sim.set_array("x", x) if said.create_atoms else None
        self._set_charges(charges)
        self._run(said.commands)
        if not said.create_atoms:
            self._adopt(x)
        self._run([f"mass {types[symbol]} {self._mass(symbol)!r}" for symbol in said.masses if symbol in types])

    def _adopt(self, x: np.ndarray) -> None:
        """Atoms and box are those that commands have made."""
        have = self.sim.engine.system.natoms
        if have != len(x):
            raise InputError(f"the commands have made {have} atoms, and ASE has {len(x)}",
                             "both must be the same, in this order")
        self.sim.set_array("x", x)
        self._change_box(x)

    def _mass(self, symbol: str) -> float:
        """Of an element, in our units."""
        if symbol in self._setting.masses:
            return float(self._setting.masses[symbol]) / self._units.mass
        symbols = self.atoms.get_chemical_symbols()
        found = self.atoms.get_masses()[symbols.index(symbol)] if symbol in symbols else atomic_masses[atomic_numbers[symbol]]
        return float(found) / self._units.mass

    def _set_charges(self, charges: np.ndarray | None) -> None:
        if charges is not None and "q" in self.sim.engine.system.atoms.fields:
            self.sim.set_array("q", charges)

    def _change_box(self, x: np.ndarray) -> None:
        """The box of the present cell; atoms have their new places already."""
        cell, box = self._cell, self.sim.engine.system.need_box()
        lo, hi = cell.faces(x)
        faces = " ".join(f"{axis} final {float(low)!r} {float(high)!r}" for axis, low, high in zip("xyz", lo, hi, strict=True))
        tilts = {name: float(cell.edges[place]) for name, place in (("xy", (1, 0)), ("xz", (2, 0)), ("yz", (2, 1)))}
        tilted = " ".join(f"{name} final {value!r}" for name, value in tilts.items())
        wanted = any(tilts.values()) or box.triclinic
        self._run([f"change_box all {'triclinic ' if wanted else ''}{faces} {tilted if wanted else ''} units box",
                   *self._setting.boxed])

    def _measure(self) -> None:
        self.sim.engine.renew()
        system, units, cell = self.sim.engine.system, self._units, self._cell
        energy = PE(system, "ase", "all", []).scalar() * units.energy
        self.results = {"energy": energy, "free_energy": energy,
                        "forces": cell.out_of_box(self.sim.gather("f")) * units.force}
        if cell.volume:
            pressure = Pressure(system, "ase", "all", ["NULL", "virial"]).vector()
            part = system.need_box().volume / cell.volume / system.units.nktv2p
            self.results["stress"] = -voigt(cell.tensor_out_of_box(tensor(pressure))) * part * units.stress

    def _measure_atoms(self) -> None:
        system, units, cell = self.sim.engine.system, self._units, self._cell
        order = np.argsort(system.atoms.read("id"), kind="stable")
        self.results["energies"] = PEAtom(system, "ase", "all", []).peratom()[order] * units.energy
        if cell.volume:
            values = StressAtom(system, "ase", "all", ["NULL", "virial"]).peratom()[order] / system.units.nktv2p
            self.results["stresses"] = voigt(cell.tensor_out_of_box(tensor(values))) / cell.volume * units.stress
