"""Fields of atoms by their names in the engine, and forces of fix external."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from everlet.api.create import numbers
from everlet.api.local import Local
from everlet.api.state import State
from everlet.errors import InputError, a_text
from everlet.io.trajectories import read_frames
from everlet.view.picture import View, now, scene_of


class Fields(State):
    """Arrays of a Simulation: as the engine has them, in the axes of its box."""

    def local(self) -> Local:
        """Fields of atoms on the device, in the order of storage, without a copy: `with sim.local() as d: d.v[:] *= 0.5`."""
        return Local(self.engine)

    def view(self, trajectory: str | os.PathLike[str] = "", values: Mapping[str, ArrayLike] | None = None,
             megabytes: float = 20.0) -> View:
        """Atoms in three dimensions, as notebooks show them: those of now, with bonds, or the frames of a trajectory. Turn,
        cut, colour and measure them; `.save("page.html")` makes a page for any browser.

        values      of each atom, in the order of ids, by a name: colours of atoms of now, beside type, speed and others
        megabytes   that frames of a trajectory may take; of more every second, fourth … is shown
        """
        if not 0.01 <= megabytes <= 1000.0:
            raise InputError(f"megabytes must be 0.01 to 1000, found {megabytes}", "20 is usual")
        session, path = self.engine, a_text(trajectory, "the trajectory", path=True)
        if path and values:
            raise InputError("values are of the atoms of now, not of a trajectory", "write them into the dump, as columns")
        session.division.gather()
        given = {name: numbers(one, f"values of {name}", (self.n,)) for name, one in (values or {}).items()}
        frames = read_frames(path) if path else [now(session, given)]
        return View(scene_of(session, int(megabytes * 1e6)), frames)

    def array(self, name: str, device: bool = False) -> Any:
        """A per-atom field by name, owned atoms only, in the order of storage (array("id") tells who is who): a NumPy array
        (read only), or with device=True the array in the device's memory (CuPy on a GPU: it offers __cuda_array_interface__
        and DLPack). Positions are those in the box, in its axes."""
        return self.engine.array(name, device)

    def gather(self, name: str, order: str = "id") -> np.ndarray:
        """A copy of a per-atom field, sorted by atom id, or in the order of storage."""
        return self.engine.gather(name, order)

    def set_array(self, name: str, values: Any, order: str = "id") -> None:
        """Overwrite a per-atom field from host values, in the order of atom ids, or of storage.

        Values are checked as those of scripts are. Forces and energies follow when they are asked for, or with the next run.
        """
        self.engine.set_array(name, values, order)

    def bond_orders(self) -> tuple[np.ndarray, np.ndarray]:
        """Of pair_style reaxff: ids of the two atoms of each bond (m, 2), sorted, and its order (m,)."""
        return self.engine.bond_orders()

    # ---- fix external
    def set_fix_external_callback(self, id: str, function: Any, caller: Any = None) -> None:
        """Let a fix external ask function(caller, step, n, ids, x, f) for forces: it fills f, (n, 3), for the atoms here."""
        self.engine.set_fix_external_callback(id, function, caller)

    def fix_external_get_force(self, id: str) -> np.ndarray:
        """The forces that a fix external adds, to be filled in; rows in the order of storage."""
        return self.engine.fix_external_get_force(id)

    def fix_external_set_energy_global(self, id: str, energy: float) -> None:
        """The energy of a fix external, of all atoms."""
        self.engine.fix_external_set_energy_global(id, energy)

    def fix_external_set_virial_global(self, id: str, virial: Any) -> None:
        """The virial of a fix external, xx yy zz xy xz yz, of all atoms."""
        self.engine.fix_external_set_virial_global(id, virial)
