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
import platform
from typing import Any

import numpy as np

from everlet.errors import EverletError, InputError
from everlet.io.log import Log
from everlet.portable import Space, choose
from everlet.portable.backends.cuda import found as gpu
from everlet.portable.spaces import cores
from everlet.run.engine import Engine
from everlet.script.parser import Script
from everlet.world import SingleRank, join


class Simulation(Engine):
    """A simulation on one device per rank: in a program started by mpiexec, on all ranks together, each of which must
    then make the same calls (docs/scaling.md).

    device      auto, cpu, cuda, cuda:N, serial or reference
    threads     CPU threads; 0 means all cores this process may use, divided by the ranks that share them
    precision   double, mixed or single
    log         file for the log, none for no file
    screen      stdout, none or a file
    tune        let long runs measure which pair scheme, skin and so on are fastest (see docs/bench.md)
    """

    def __init__(self, device: str = "auto", threads: int = 0, precision: str = "double", log: str = "none",
                 screen: str = "none", tune: bool = True):
        world = join()
        output = Log(screen)
        output.open(log)
        super().__init__(self._space(world, device, threads), precision, output, world)
        if world.size > 1:
            self._say_ranks()
        self.options["tune"] = tune
        from everlet import __version__

        versions = {name: gpu.installed(name) for name in ("numpy", "numba", "llvmlite")}
        versions["python"] = platform.python_version()
        self.log.event("start", version=__version__, versions=versions, device=str(self.space), precision=precision,
                       threads=self.space.threads, ranks=world.size)
        self.script = Script(self)

    @staticmethod
    def _space(world: SingleRank, device: str, threads: int) -> Space:
        """Ranks of one machine share its cores, and take its GPUs in turns."""
        if world.size == 1:
            return choose(device, threads)
        if device in ("auto", "cuda", "gpu") and gpu.why_not() == "":
            device = f"cuda:{world.node_rank % gpu.count()}"
        return choose(device, threads or world.threads())

    def _say_ranks(self) -> None:
        world = self.world
        here = sum(self.world.all_of(self.space.threads)) if world.node_ranks == world.size else 0
        self.log.write(f"{world.size} MPI ranks, {world.node_ranks} on this machine, each on {self.space}")
        if self.space.many_threads:
            direct = world.reads_device_memory()
            self.log.write("Messages go from GPU to GPU" if direct else
                           "Messages go through host memory: the MPI library does not read that of GPUs")
        if self.space.target == "cpu" and here > cores() * world.node_ranks / world.sharing:
            self.log.warning(f"{here} threads share {cores()} cores: start fewer ranks, or use --threads 1")

    def commands(self, text: str, name: str = "commands") -> Simulation:
        """Run script commands given as text."""
        self.script.text(text, name)
        return self

    def file(self, path: str) -> Simulation:
        """Run a script file."""
        self.script.file(path)
        return self

    def close(self) -> None:
        """Finish all output: dumps, files of fixes and the log file. Whatever is run later goes to the screen only."""
        with contextlib.ExitStack() as rest:  # all of them, also if one cannot be finished; the log is the last one
            rest.callback(self._close_log)
            for output in (*self.system.dumps.values(), *self.system.fixes.values()):
                rest.callback(output.close)

    def _close_log(self) -> None:
        with contextlib.suppress(EverletError):  # a log that cannot be written has been reported already
            self.log.flush()
        self.log.close()

    def array(self, name: str, device: bool = False) -> Any:
        """A per-atom field by name, owned atoms only: a NumPy array (read only), or with device=True the array in the
        device's memory (CuPy on a GPU: it offers __cuda_array_interface__ and DLPack)."""
        self.division.gather()
        atoms = self.system.atoms
        if not device:
            values = atoms.read(name).view()
            values.flags.writeable = False
            return values
        values = atoms.view(name).array[: atoms.n]
        return values[:, : atoms.fields[name].shown] if values.ndim == 2 else values

    def set_array(self, name: str, values: Any) -> None:
        """Overwrite a per-atom field from host values, in the order of storage."""
        self.division.gather()
        target, given = self.system.atoms.edit(name), np.asarray(values)
        if given.shape != target.shape:
            raise InputError(f"set_array('{name}') needs an array of shape {target.shape}, found {given.shape}",
                             "give one row for each atom, in the order of array('id')")
        target[:] = given

    def gather(self, name: str) -> np.ndarray:
        """A per-atom field sorted by atom id (a copy)."""
        self.division.gather()
        order = np.argsort(self.system.atoms.read("id"))
        return self.system.atoms.read(name)[order].copy()
