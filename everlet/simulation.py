"""Simulation: the public Python API.

    from everlet import Simulation

    sim = Simulation(device="cpu", screen="none")
    sim.file("in.melt")            # or sim.commands("units lj\\n…")
    sim.run(100)
    sim.thermo.table()["temp"]     # columns of the thermo output
    sim.array("x")                 # owned atoms, in the order of storage; sim.array("id") tells who is who
"""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from everlet.engine import Engine
from everlet.errors import EverletError, InputError
from everlet.io.log import Log
from everlet.portable import choose
from everlet.script.parser import Script


class Simulation(Engine):
    """A simulation on one device.

    device      auto, cpu, cuda, cuda:N, serial or reference
    threads     CPU threads; 0 means all cores this process may use
    precision   double, mixed or single
    log         file for the log, none for no file
    screen      stdout, none or a file
    tune        let long runs measure which pair scheme, skin and so on are fastest (see docs/bench.md)
    """

    def __init__(self, device: str = "auto", threads: int = 0, precision: str = "double", log: str = "none",
                 screen: str = "none", tune: bool = True):
        output = Log(screen)
        output.open(log)
        super().__init__(choose(device, threads), precision, output)
        self.options["tune"] = tune
        from everlet import __version__

        self.log.event("start", version=__version__, device=str(self.space), precision=precision, threads=self.space.threads)
        self.script = Script(self)

    def commands(self, text: str, name: str = "commands") -> Simulation:
        """Run script commands given as text."""
        self.script.text(text, name)
        return self

    def file(self, path: str) -> Simulation:
        """Run a script file."""
        self.script.file(path)
        return self

    def close(self) -> None:
        """Finish all output: dumps and the log file. Whatever is run later goes to the screen only."""
        for dump in self.system.dumps.values():
            dump.close()
        with contextlib.suppress(EverletError):  # a log that cannot be written has been reported already
            self.log.flush()
        self.log.close()

    def array(self, name: str, device: bool = False) -> Any:
        """A per-atom field by name, owned atoms only: a NumPy array (read only), or with device=True the array in the
        device's memory (CuPy on a GPU: it offers __cuda_array_interface__ and DLPack)."""
        atoms = self.system.atoms
        if not device:
            values = atoms.read(name).view()
            values.flags.writeable = False
            return values
        values = atoms.view(name).array[: atoms.n]
        return values[:, : atoms.fields[name].shown] if values.ndim == 2 else values

    def set_array(self, name: str, values: Any) -> None:
        """Overwrite a per-atom field from host values, in the order of storage."""
        target, given = self.system.atoms.edit(name), np.asarray(values)
        if given.shape != target.shape:
            raise InputError(f"set_array('{name}') needs an array of shape {target.shape}, found {given.shape}",
                             "give one row for each atom, in the order of array('id')")
        target[:] = given

    def gather(self, name: str) -> np.ndarray:
        """A per-atom field sorted by atom id (a copy)."""
        order = np.argsort(self.system.atoms.read("id"))
        return self.system.atoms.read(name)[order].copy()
