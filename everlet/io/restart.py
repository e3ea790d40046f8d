"""Restart files: the whole state of a simulation in one binary file, for exact continuation.

A restart file is a zip container with `header.json` and one .npy array per member. The header carries a format version
and a SHA-256 sum of all arrays, so that a truncated, damaged or foreign file is refused by name. It is written under
another name, brought to disk and renamed: a crash leaves the previous file.

Kept: step, time, units, dimension, box, boundary, newton, atom style, all per-atom fields in their order, masses, labels,
groups, the pair style with its coefficients, the timestep, when atoms are sorted next, and how the run does its work (pair
scheme, skin and the like), and of each fix and compute its style, group, arguments, state and fields of atoms. Fixes, computes
and dumps are given again by the script; which of them go on where those in the file were, `state/continuing.py` says.
"""

from __future__ import annotations

import glob
import hashlib
import io
import json
import re
import struct
import zipfile
import zlib
from typing import Any

import numpy as np

from everlet.comm.world import writes
from everlet.errors import InputError
from everlet.inputs import check
from everlet.io import restart_checks
from everlet.io.files import numbered, whole_file
from everlet.state import continuing, topology
from everlet.state.box import Box
from everlet.state.levels import FIELD
from everlet.state.mid_run import MidRun
from everlet.state.plan import Plan
from everlet.state.system import System
from everlet.state.units import Units
from everlet.version import __version__

FORMAT = 4
MAGIC = "everlet restart"
PASSING = "minimise.", FIELD  # fields that are there while a minimisation lasts, or made by a set-up


def write_restart(system: System, path: str, inside: dict[str, Any] | None = None) -> str:
    """Write the state to `path` (a * becomes the step) and give the name used. Of several ranks the first one writes.

    inside: what a run needs to go on from the middle of this one (state/mid_run.py).
    """
    if not writes():
        system.plan_kept = bool(system.scheme)
        return numbered(path, system.step)
    header, arrays = contents(system, inside)
    path = numbered(path, system.step)
    with whole_file(path, binary=True) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as container:
        container.writestr("header.json", json.dumps(header))
        for name, array in arrays.items():
            with container.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asanyarray(array), allow_pickle=False)
    return path


def contents(system: System, inside: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and arrays of a restart file of this state; arrays may be those of the system itself."""
    box, atoms = system.need_box(), system.atoms
    kept = {name: field for name, field in atoms.fields.items() if not name.startswith(PASSING)}
    arrays = {f"atoms/{name}": np.ascontiguousarray(atoms.read(name)) for name in kept}
    arrays |= {
        "masses": system.masses,
        "box/lo": box.lo,
        "box/hi": box.hi,
        "box/margin": box.margin,
        "box/minimum": box.minimum,
    }
    header = {
        "magic": MAGIC,
        "format": FORMAT,
        "version": __version__,
        "step": system.step,
        "dt": system.dt,
        "time_base": list(system.time_base),
        "units": system.units.name,
        "dimension": system.dimension,
        "newton": system.newton,
        "sort_every": system.sort_every,
        "sort_given": system.sort_given,
        "next_sort": system.next_sort,
        "box": {"tilt": [box.xy, box.xz, box.yz], "triclinic": box.triclinic, "boundary": " ".join(box.boundary)},
        "labels": system.type_labels,
        "atom_style": system.atom_style.name,
        "dielectric": system.dielectric,
        "groups": system.groups.bits,
        "fields": {
            name: {
                "dtype": field.view.device.dtype.str,
                "width": field.view.device.width,
                "ghost": field.ghost,
                "fill": field.fill,
                "shown": field.shown,
            }
            for name, field in kept.items()
        },
        "pair": system.pair.state() if system.pair is not None and system.pair.stored else None,
        "bonded": {name: style.state() for name, style in system.bonded.items() if style is not None},
        "topology": topology.state(system.topology),
        "operations": {word: one | {"state": _without_arrays(one["state"], f"operations/{word}", arrays)}
                       for word, one in continuing.kept(system).items()},
        "plan": [system.plan.content(), _place(system)],
        "cuts": None if system.division is None else system.division.state(),
        "inside": inside,
        "sum": _sum(arrays),
    }
    system.plan_kept = bool(system.scheme)  # from now on this run and one continued from the file go the same way
    return header, arrays


def _without_arrays(state: dict[str, Any], name: str, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """A state of an operation as JSON can have it; its arrays go to the others of the file."""
    apart = {key: value for key, value in state.items() if isinstance(value, np.ndarray)}
    arrays |= {f"{name}/{key}": value for key, value in apart.items()}
    return {key: value for key, value in state.items() if key not in apart}


def _with_arrays(state: dict[str, Any], name: str, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    first = f"{name}/"
    return state | {key.removeprefix(first): array for key, array in arrays.items() if key.startswith(first)}


def _place(system: System) -> str:
    """Where exact continuation is possible at all; elsewhere sums have another order anyway."""
    ranks = f" x {system.world.size}" if system.world.size > 1 else ""
    return f"{system.space.target} {system.space.most}{ranks}"


# what reading a damaged container may end with; a damaged directory may ask for encryption or for ways to compress it
BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, OSError, EOFError, LookupError,
          ValueError, TypeError, AttributeError, OverflowError)


def _sum(arrays: dict[str, np.ndarray]) -> str:
    total = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        total.update(f"{name} {array.dtype.str} {array.shape}".encode())
        total.update(array.tobytes())
    return total.hexdigest()


def _load(path: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and arrays of a restart file, checked."""
    try:
        check(path)
        with open(path, "rb") as stream:
            content = stream.read()
    except OSError as error:
        raise InputError(f"cannot read restart file '{path}': {error.strerror}",
                         "check the path and its permissions") from None
    if content.startswith(b"LammpS"):
        raise InputError(
            f"'{path}' is a restart file of LAMMPS", "write a data file there (write_data) and use read_data"
        )
    if not content.startswith(b"PK"):
        raise InputError(f"'{path}' is not a restart file", "restart files are written by write_restart")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as container:
            members = container.infolist()
            if sum(one.file_size for one in members) > len(content) or any(one.compress_type for one in members):
                raise zipfile.BadZipFile("it holds more than it has bytes")
            header = json.loads(container.read("header.json"))
            if header.get("magic") != MAGIC:
                raise InputError(f"'{path}' is not a restart file", "restart files are written by write_restart")
            if header["format"] != FORMAT:
                raise InputError(
                    f"'{path}' has restart format {header['format']}, and this version reads {FORMAT}",
                    f"it was written by Everlet {header['version']}",
                )
            names = [name for name in container.namelist() if name.endswith(".npy")]
            arrays = {
                name[:-4]: np.lib.format.read_array(io.BytesIO(container.read(name)), allow_pickle=False)
                for name in names
            }
    except BROKEN as error:
        raise InputError(f"restart file '{path}' is truncated or damaged ({error})", "use an earlier one") from None
    if _sum(arrays) != header["sum"]:
        raise InputError(f"restart file '{path}' is damaged: its checksum is wrong", "use an earlier one")
    return header, arrays


def newest(path: str) -> str:
    """`path`, or, if it has a *, the existing file with the largest number in its place."""
    if "*" not in path:
        return path
    before, after = path.split("*", 1)
    pattern = re.compile(re.escape(before) + r"(\d+)" + re.escape(after) + "$")
    found = [
        (int(match.group(1)), name)
        for name in glob.glob(f"{glob.escape(before)}*{glob.escape(after)}")
        if (match := pattern.match(name))
    ]
    if not found:
        raise InputError(f"there is no restart file '{path}'", "the * stands for a step")
    return max(found)[1]


def read_restart(system: System, path: str) -> tuple[dict[str, Any] | None, list[str]]:
    """Fill an empty system from a restart file.

    Gives the state of the pair style (None if there was none), and warnings for the log.
    """
    if system.box is not None:
        raise InputError(
            "a box exists already, and read_restart needs an empty system", "use read_restart first, or clear"
        )
    path = newest(path)
    header, arrays = _load(path)
    try:
        restart_checks.check(header, arrays)
        return fill(system, header, arrays)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"restart file '{path}' has contents that no run has written: {error}", "use another one") from error


def fill(system: System, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> tuple[dict[str, Any] | None, list[str]]:
    """An empty system gets this state; gives that of the pair style, and warnings."""
    warnings = []
    shape = header["box"]
    xy, xz, yz = shape["tilt"]
    box = Box(
        arrays["box/lo"],
        arrays["box/hi"],
        xy,
        xz,
        yz,
        boundary=shape["boundary"],
        dimension=header["dimension"],
        triclinic=shape["triclinic"],
    )
    box.margin, box.minimum = arrays["box/margin"], arrays["box/minimum"]
    system.box, system.boundary, system.dimension = box, shape["boundary"], header["dimension"]
    system.units = Units.named(header["units"])
    system.step, system.dt, system.sort_every = header["step"], header["dt"], header["sort_every"]
    system.next_sort, system.sort_given = header["next_sort"], header.get("sort_given", True)
    system.time_base = (header["time_base"][0], header["time_base"][1])
    if system.newton_given and system.newton != header["newton"]:
        warnings.append(
            f"newton was {'on' if header['newton'] else 'off'} in the restart file; the script's choice is kept"
        )
    else:
        system.newton = header["newton"]
    system.masses, system.type_labels = arrays["masses"], dict(header["labels"])
    system.groups.bits = dict(header["groups"])
    plan, place = header.get("plan", ({}, ""))
    same = place == _place(system)
    if plan.get("scheme") and same:
        system.plan, system.plan_kept = Plan.read(plan), True
    cuts = header.get("cuts") if same else None
    if cuts is not None and cuts["uneven"]:
        system.division.restore(cuts)
    if inside := header.get("inside"):
        fields = {name: arrays[f"atoms/{name}"] for name in header["fields"]}
        system.mid_run = MidRun(system.step, cuts=cuts, atoms=fields, **inside)
    system.set_atom_style(header.get("atom_style", "atomic"))
    system.dielectric = header.get("dielectric", 1.0)
    for name, field in header["fields"].items():
        known = system.atoms.fields.get(name)
        if known is not None and known.view.device.width != field["width"]:  # room for more links than styles begin with
            system.atoms.remove_field(name)
        if name not in system.atoms.fields:
            system.atoms.add_field(
                name, np.dtype(field["dtype"]), field["width"], field["ghost"], field["fill"], field["shown"]
            )
    system.atoms.append(**{name: arrays[f"atoms/{name}"] for name in header["fields"]})
    for kind in topology.KINDS.values():  # links that a fix had switched off: the one that takes its place finds them again
        if topology.has(system.atoms, kind):
            types = system.atoms.edit(kind.type)
            types[:] = np.abs(types)
    system.topology, system.kept_bonded = topology.restored(header["topology"]), header["bonded"]
    for word, one in header["operations"].items():
        state = _with_arrays(one["state"], f"operations/{word}", arrays)
        system.kept_operations[word] = continuing.Kept(**one | {"state": state})
    return header["pair"], warnings


class RestartPlan:
    """`restart N FILE` (one file per step, named FILE.step or by a *) or `restart N FILE1 FILE2` (in turns). `restart v_NAME`:
    the variable is asked when a run begins and after each file, it names the next step."""

    def __init__(self, every: int, paths: list[str], variable: str = ""):
        self.every, self.variable, self.named = every, variable, -1
        self.paths = [path if len(paths) == 2 or "*" in path else f"{path}.*" for path in paths]
        self.turn = 0

    def due(self, step: int) -> bool:
        return step == self.named if self.variable else step % self.every == 0

    def next(self, step: int) -> int:
        """The first step after this one that has a file; this one if none is known."""
        return max(self.named, step) if self.variable else (step // self.every + 1) * self.every

    def ask(self, system: System) -> None:
        if self.variable:
            value = system.variables.evaluate(self.variable)
            self.named = int(value)
            if self.named <= system.step:
                raise InputError(f"restart: variable {self.variable} gives step {value:g} at step {system.step}",
                                 "it must name a later step")

    def write(self, system: System, inside: dict[str, Any] | None) -> str:
        """Write the next file and give its name."""
        path = write_restart(system, self.paths[self.turn], inside)
        self.turn = (self.turn + 1) % len(self.paths)
        return path


class RestartPlans:
    """The plans in force: at most one of each kind (one file per step, two files in turns)."""

    def __init__(self) -> None:
        self.plans: dict[int, RestartPlan] = {}

    def add(self, every: int, paths: list[str], variable: str = "") -> None:
        """Replace the plan of this kind."""
        self.plans[len(paths)] = RestartPlan(every, paths, variable)

    def ask(self, system: System, step: int) -> None:
        """Plans that are due at this step, or have no step yet, look for the next one; all ranks ask."""
        for plan in self.plans.values():
            if plan.named <= step:
                plan.ask(system)

    def due(self, step: int) -> bool:
        return any(plan.due(step) for plan in self.plans.values())

    def write(self, engine: Any, inside: dict[str, Any] | None = None) -> None:
        """Write what is due at the present step."""
        for plan in self.plans.values():
            if plan.due(engine.system.step):
                plan.write(engine.system, inside)
