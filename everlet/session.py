"""Session: an engine with a script reader, the ranks of its job, a log and arrays by name, from the first line to the last.

The command line, tools and studies work with it. Programs of users have a Simulation (everlet/api), which keeps one.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import time
from collections.abc import Collection
from typing import Any, Self

import numpy as np

from everlet.comm.world import join
from everlet.computes.base import compute_style
from everlet.errors import EverletError, InputError, a_text, unknown, whole_number
from everlet.fixes.forces.external import External
from everlet.io.arrays import checked
from everlet.io.log import Log
from everlet.portable import Space, choose
from everlet.portable.devices import of_rank
from everlet.portable.libraries import versions
from everlet.portable.spaces import cores
from everlet.run import headings
from everlet.run.crowd import CROWD
from everlet.run.engine import Engine
from everlet.run.turns import acts, looks
from everlet.script.parser import Script
from everlet.state.box import Box
from everlet.state.operation import Operation
from everlet.state.ranks import SingleRank
from everlet.usercode import trusted

ALLOWED = ("shell", "python")


class Session(Engine):
    """On one device per rank: in a program started by mpiexec, on all ranks together, each of which must then make the same
    calls (docs/scaling.md). What it is made with, api/simulation.py says."""

    def __init__(self, device: str = "auto", threads: int = 0, precision: str = "double", log: str = "none",
                 screen: str = "none", tune: bool = True, allow: Collection[str] = (), trust: Collection[str] = ()):
        device, precision = a_text(device, "device"), a_text(precision, "precision")
        threads = whole_number(threads, "the number of threads")
        if not isinstance(tune, bool):
            raise InputError(f"tune must be True or False, found {tune!r}", "leave it out, or give one of them")
        for word in allow:
            if word not in ALLOWED:
                raise unknown("word of allow", str(word), ALLOWED)
        if isinstance(trust, str):
            raise InputError(f"trust must be a list of files, found {trust!r}", f"give trust=[{trust!r}]")
        prints = trusted([a_text(path, "a file to trust", path=True) for path in trust])
        world = join()
        output = Log(a_text(screen, "screen", path=True))
        output.open(a_text(log, "log", path=True))
        from everlet.version import __version__

        output.write(headings.banner(__version__))
        super().__init__(self._space(world, device, threads), precision, output, world)
        if world.size > 1:
            self._say_ranks()
        self.options["tune"] = tune
        self.options.update(dict.fromkeys(allow, True))
        self.options["trust"] = prints
        self.log.fact("start", version=__version__, versions={**versions(), "python": platform.python_version()},
                      device=str(self.space), precision=precision, threads=self.space.threads, ranks=world.size)
        self.script = Script(self)
        self._begun = time.monotonic()
        self._asked: dict[tuple[str, ...], Any] = {}  # computes that programs have asked without naming one
        CROWD.enter(self)

    @staticmethod
    def _space(world: SingleRank, device: str, threads: int) -> Space:
        """Ranks of one machine share its cores, and take its devices in turns."""
        if world.alone:
            return choose(device, threads)
        return choose(of_rank(device, world.node_rank), threads or world.threads())

    def _say_ranks(self) -> None:
        world = self.world
        here = sum(self.world.all_of(self.space.threads)) if world.node_ranks == world.size else 0
        self.log.write(f"{world.size} MPI ranks, {world.node_ranks} on this machine, each on {self.space}")
        if self.space.many_threads:
            direct = world.reads_device_memory(self.space)
            self.log.write(f"Messages go from {self.space.kind} to {self.space.kind}" if direct else
                           f"Messages go through host memory: the MPI library does not read that of {self.space.kind}s")
        if self.space.simd and here > cores() * world.node_ranks / world.sharing:
            fewer = ", or use --threads 1" if self.space.threads > 1 else ""
            self.log.warning(f"{here} threads share {cores()} cores: start fewer ranks{fewer}")

    @acts
    def commands(self, text: str, name: str = "commands") -> Session:
        """Run script commands given as text."""
        self.script.text(a_text(text, "commands"), a_text(name, "their name"))
        return self

    @acts
    def file(self, path: str | os.PathLike[str]) -> Session:
        """Run a script file."""
        self.script.file(a_text(path, "the script", path=True))
        return self

    @looks
    def close(self, done: bool = True) -> None:
        """Finish all output: dumps, files of fixes and the log file. Results can still be read; all that runs or changes
        something is refused.

        done=False: after an error; then the log does not end with the wall time."""
        with contextlib.ExitStack() as rest:  # all of them, also if one cannot be finished; the log is the last one
            rest.callback(self._close_log, done and not self.turns.closed)
            for output in (*self.system.dumps.values(), *self.system.fixes.values()):
                rest.callback(output.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *rest: object) -> None:
        self.close(done=kind is None)

    def _close_log(self, done: bool) -> None:
        self.turns.closed = True
        with contextlib.suppress(EverletError):  # a log that cannot be written has been reported already
            if done:
                spent = time.monotonic() - self._begun
                self.log.write(headings.wall_time(spent))
                self.log.event("end", seconds=spent)
            self.log.flush()
        self.log.close()

    @looks
    def array(self, name: str, device: bool = False) -> Any:
        """A per-atom field by name, owned atoms only, in the order of storage (array("id") tells who is who): a NumPy array
        (read only), or with device=True the array in the device's memory (CuPy on a GPU: it offers __cuda_array_interface__
        and DLPack)."""
        self.settle(name)
        atoms = self.system.atoms
        if not device:
            values = atoms.read(name).view()
            values.flags.writeable = False
            return values
        values = atoms.view(name).array[: atoms.n]
        return values[:, : atoms.fields[name].shown] if values.ndim == 2 else values

    @looks
    def gather(self, name: str, order: str = "id") -> np.ndarray:
        """A copy of a per-atom field, sorted by atom id, or in the order of storage."""
        self.settle(name)
        return self.system.atoms.read(name)[self._rows(order)].copy()

    @acts
    def set_array(self, name: str, values: Any, order: str = "id") -> None:
        """Overwrite a per-atom field from host values, in the order of atom ids, or of storage.

        Values are checked as those of scripts are. Forces and energies follow when they are asked for, or with the next run.
        """
        a_text(name, "the name of a field")
        self.division.gather()
        system, rows = self.system, self._rows(order)
        ids = system.atoms.read("id")[rows]
        given = checked(system, name, values, ids)
        if name == "f":
            self.current()
        system.atoms.edit(name)[rows] = given
        if name != "f":
            self.changed(*((name,) if name in ("x", "v", "image") else ()))

    # ---- numbers, as they are now
    @looks
    def thermo_value(self, word: str) -> float:
        """A thermo word now; also c_ID, f_ID, v_NAME."""
        a_text(word, "a thermo word")
        self.division.gather()
        return self.thermo.value(word)

    @looks
    def value_of(self, operation: Operation, form: str) -> Any:
        """What a fix or compute gives now: scalar, vector, array, local, or peratom in the order of ids."""
        self.division.gather()
        values = operation.now(form)
        return values[self._rows("id")] if form == "peratom" else values

    @looks
    def fresh(self, style: str, *args: str) -> Any:
        """What a compute of this style, of all atoms, would give now."""
        made = self._asked.get((style, *args))
        if made is None or made.system is not self.system:
            made = self._asked[style, *args] = compute_style[style](self.system, "now", "all", list(args))
        gives = made.gives
        form = "peratom" if gives.columns is not None else "vector" if gives.vector and style == "pressure" else "scalar"
        return self.value_of(made, form)

    @looks
    def word(self, word: str) -> Any:
        """A word of scripts, now: one number, or an array of what a compute or fix gives, or of atoms in the order of ids; of
        what has columns and no vector, an index chooses a column."""
        a_text(word, "a word")
        letter, _, name = word.partition("_")
        if letter == "v" and name in self.variables and self.variables.style(name) in ("atom", "vector", "string", "index"):
            style = self.variables.style(name)
            if style == "atom":
                self.division.gather()
                return np.asarray(self.variables.peratom(name))[self._rows("id")]
            return np.asarray(self.variables.vector(name)) if style == "vector" else self.variables.text(name)
        known = {"c": self.system.computes, "f": self.system.fixes}.get(letter, {})
        asked = re.fullmatch(r"(\w+)(?:\[(\d+)\])?", name)
        name, place = asked.groups() if asked is not None else ("", "")
        if name not in known or place and known[name].gives.vector:
            return self.thermo_value(word)
        gives = known[name].gives
        forms = {"scalar": gives.scalar, "vector": gives.vector, "array": gives.array, "peratom": gives.columns is not None,
                 "local": gives.local is not None}
        if not place:
            return self.value_of(known[name], next((form for form, there in forms.items() if there), "scalar"))
        form = next((form for form in ("array", "peratom", "local") if forms[form]), "")
        table = np.asarray(self.value_of(known[name], form) if form else 0.0)
        if table.ndim < 2:
            return self.thermo_value(word)
        if not 1 <= int(place) <= table.shape[1]:
            raise InputError(f"'{word}' is out of range: it has {table.shape[1]} columns", "use a smaller index")
        return table[:, int(place) - 1]

    def note(self, entry: Any) -> None:
        """A program has set something by arrays: for whoever notes what is done."""
        if self.script.record is not None:
            self.script.record.arrays(entry)

    @acts
    def change_box(self, box: Box) -> None:
        """Another box of the same boundaries; atoms stay where they are."""
        self.division.gather()
        old = self.system.need_box()
        lines = [f"change_box all {'triclinic ' if box.triclinic and not old.triclinic else ''}"]
        tilts = [("xy", box.xy), ("xz", box.xz), ("yz", box.yz)] if box.triclinic or old.triclinic else []
        faces = zip("xyz", box.lo.tolist(), box.hi.tolist(), strict=True)
        edges = [f"{axis} final {low!r} {high!r}" for axis, low, high in faces]
        lines += [*edges, *(f"{name} final {tilt!r}" for name, tilt in tilts), "units box"]
        self.commands(" ".join(lines), "the cell")

    @acts
    def wrote(self, names: Collection[str]) -> None:
        """A program has written to these fields where they are."""
        self.system.atoms.mark(set(names))
        moving = set(names) & {"x", "v", "image"}
        if set(names) - moving - {"f"}:
            self.changed()
        elif moving:
            self.changed(*moving)

    # ---- fix external
    @looks
    def bond_orders(self) -> tuple[np.ndarray, np.ndarray]:
        """Of pair_style reaxff: ids of the two atoms of each bond (m, 2), sorted, and its order (m,)."""
        if self.world.size > 1:
            raise InputError("bond orders are not gathered from several ranks", "use fix reaxff/bonds, which writes them")
        self.settle("f")
        from everlet.forces.manybody.reaxff.orders import bond_orders  # late: few have bonds of that kind

        found = bond_orders(self.system, "bond_orders()")
        first = self.system.atoms.read("id")[found.row]
        once = first < found.partner
        pairs, orders = np.column_stack([first, found.partner])[once], found.order[once]
        place = np.lexsort((orders, pairs[:, 1], pairs[:, 0]))
        return pairs[place], orders[place]

    def _external(self, id: str) -> External:
        found = self.system.fixes.get(id)
        if not isinstance(found, External):
            raise InputError(f"there is no fix '{id}' of style external", "define it with: fix ID all external pf/callback 1 1")
        return found

    @acts
    def set_fix_external_callback(self, id: str, function: Any, caller: Any = None) -> None:
        """Let a fix external ask function(caller, step, n, ids, x, f) for forces: it fills f, (n, 3), for the atoms here."""
        self._external(id).set_callback(function, caller)

    @looks
    def fix_external_get_force(self, id: str) -> np.ndarray:
        """The forces that a fix external adds, to be filled in; rows in the order of storage. Ask again for others."""
        self.changed()
        return self._external(id).array_of_forces()

    @acts
    def fix_external_set_energy_global(self, id: str, energy: float) -> None:
        """The energy of a fix external, of all atoms."""
        if isinstance(energy, bool) or not isinstance(energy, (int, float, np.number)) or not np.isfinite(energy):
            raise InputError(f"the energy of fix {id} must be a finite number, found {energy!r}", "give a number")
        self._external(id).energy = float(energy)

    @acts
    def fix_external_set_virial_global(self, id: str, virial: Any) -> None:
        """The virial of a fix external, xx yy zz xy xz yz, of all atoms."""
        self._external(id).set_virial(virial)

    def _rows(self, order: str) -> Any:
        """Rows of the atoms in this order."""
        if a_text(order, "order") not in ("id", "storage"):
            raise unknown("order of atoms", order, ("id", "storage"))
        return np.argsort(self.system.atoms.read("id"), kind="stable") if order == "id" else slice(None)

    def settle(self, name: str) -> None:
        """All atoms are here, and forces those of the present positions, if they are wanted."""
        a_text(name, "the name of a field")
        self.current(name)
