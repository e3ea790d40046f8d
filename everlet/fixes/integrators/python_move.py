"""fix python/move: atoms are moved by a Python class, as LAMMPS calls it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments
from everlet.fixes.base import Fix, fix_style
from everlet.state.system import System
from everlet.usercode import blaming, run_file

USAGE = "fix ID group python/move MODULE.CLASS"


class Handle:
    """What such a class asks as `lammps(ptr=ptr)`: numbers of the run, and NumPy arrays of atoms to read and write."""

    def __init__(self, name: str = "", cmdargs: Any = None, ptr: Any = None, comm: Any = None):
        self.system, self.numpy = ptr, self

    def extract_global(self, name: str) -> Any:
        system = self.system
        known = {"dt": system.dt, "ftm2v": system.units.ftm2v, "mvv2e": system.units.mvv2e, "boltz": system.units.boltz,
                 "ntypes": system.ntypes, "natoms": system.natoms, "nlocal": system.atoms.n, "ntimestep": system.step,
                 "units": system.units.name, "dimension": system.dimension}
        if name not in known:
            raise InputError(f"fix python/move: extract_global('{name}') is not available", f"known: {', '.join(known)}")
        return known[name]

    def extract_atom(self, name: str) -> np.ndarray:
        atoms = self.system.atoms
        if name == "mass":
            return np.asarray(self.system.masses)
        if name in ("x", "v"):
            return np.asarray(atoms.edit(name))[:, :3]
        if name in atoms.fields:
            rows = np.asarray(atoms.read(name))
            return rows[:, :3] if rows.ndim == 2 else rows
        raise InputError(f"fix python/move: extract_atom('{name}') is not available", "x, v, f, mass, type, id, …")


def loaded(path: str) -> ModuleType:
    """The file; what it imports as the module lammps has the handle, whether or not LAMMPS is installed."""
    stand_in, before = ModuleType("lammps"), sys.modules.get("lammps")
    stand_in.lammps = Handle  # type: ignore[attr-defined]
    sys.modules["lammps"] = stand_in
    try:
        return run_file(path, "file of integrators")
    finally:
        sys.modules.pop("lammps")
        if before is not None:
            sys.modules["lammps"] = before


@fix_style("python/move")
class PythonMove(Fix):
    """fix ID all python/move MODULE.CLASS: CLASS(ptr, group) has init(), initial_integrate(vflag), final_integrate() and
    reset_dt(). lammps(ptr=ptr) gives it extract_global and numpy.extract_atom; of these x and v may be written. One rank only.
    """

    integrates = True
    reads, writes = ("x", "v", "f", "type"), ("x", "v")
    forgets = "what its Python class remembers"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, 1, USAGE)
        if system.world.size > 1:
            raise InputError("fix python/move on several ranks: a class would see a part of the atoms", "use one rank")
        module, _, name = args[0].rpartition(".")
        path = module.replace(".", os.sep) + ".py"
        if not module or not Path(path).is_file():
            raise InputError(f"there is no Python file '{path}' with a class {name}", USAGE)
        system.check_code(f"fix python/move {args[0]}", path)
        kind = getattr(loaded(path), name, None)
        if not isinstance(kind, type):
            raise InputError(f"'{path}' has no class {name}", USAGE)
        self.of = args[0]
        self.made: Any = self._call(kind, system, group)

    def _call(self, function: Any, *args: Any) -> Any:
        with blaming(f"fix python/move {self.of}"):
            return function(*args)

    def init(self) -> None:
        self._call(self.made.init)

    def initial_integrate(self) -> None:
        self._call(self.made.initial_integrate, 0)

    def final_integrate(self) -> None:
        self._call(self.made.final_integrate)

    def new_timestep(self) -> None:
        self._call(self.made.reset_dt)
