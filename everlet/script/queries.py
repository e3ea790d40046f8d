"""Functions of formulas that ask about files, names, settings and the program.

    is_file(NAME) is_os(REGEX) is_timeout()              1 or 0
    is_defined(CATEGORY,ID)                              compute dump fix group region variable
    is_active(CATEGORY,FEATURE)                          package, newton, pair, comm, min, run, atom, … settings of now
    is_available(CATEGORY,FEATURE)                       command, compute, fix, dump, region, pair, … styles; feature
    is_typelabel(KIND,LABEL) label2type(KIND,LABEL)      KIND: atom bond angle dihedral improper
    extract_setting(WORD)                                dimension nlocal ntypes world_size ...
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable
from typing import Any

from everlet.computes.base import compute_style
from everlet.dumps.base import dump_style
from everlet.errors import InputError, one_of
from everlet.fixes.base import fix_style
from everlet.forces.bonded.base import STYLES
from everlet.forces.kspace.base import kspace_style
from everlet.forces.pair.base import pair_style
from everlet.registry import Registry
from everlet.run.minimisers.base import min_style
from everlet.script.registry import command
from everlet.state.atom_styles import atom_style, style_of
from everlet.state.levels import RUN_STYLES
from everlet.state.regions import region_style
from everlet.state.topology import KINDS, count_links

queries: Registry[Callable[[Any, list[str]], float]] = Registry("question")
AVAILABLE: dict[str, Any] = {"command": command, "compute": compute_style, "fix": fix_style, "dump": dump_style,
                             "region": region_style, "pair": pair_style, "atom": atom_style, "kspace": kspace_style,
                             **STYLES, "minimize": min_style, "run": RUN_STYLES, "integrate": RUN_STYLES}
MADE_OF_OTHERS: dict[str, dict[str, Any]] = {"atom": {"hybrid": style_of}}  # names that no style registers
FEATURES = {"gzip": True, "png": False, "jpeg": False, "ffmpeg": False, "fft_single": False, "exceptions": True}


def _count(args: list[str], wanted: int, usage: str) -> None:
    if len(args) != wanted or not all(args):
        raise InputError(f"wrong arguments of {usage.partition('(')[0]}()", f"usage: {usage}")


@queries("is_file")
def is_file(sim: Any, args: list[str]) -> float:
    _count(args, 1, "is_file(NAME)")
    return float(os.path.isfile(args[0]))


@queries("is_os")
def is_os(sim: Any, args: list[str]) -> float:
    """The name of the operating system matches."""
    _count(args, 1, "is_os(REGEX)")
    return float(re.search(args[0], f"{platform.system()} {platform.release()}") is not None)


@queries("is_timeout")
def is_timeout(sim: Any, args: list[str]) -> float:
    if any(args):
        raise InputError("is_timeout() takes no argument", "usage: is_timeout()")
    return float(sim.stopping.over())


@queries("is_defined")
def is_defined(sim: Any, args: list[str]) -> float:
    system = sim.system
    known = {"compute": system.computes, "dump": system.dumps, "fix": system.fixes, "group": system.groups,
             "region": system.regions, "variable": sim.variables}
    if len(args) != 2 or args[0] not in known:
        raise InputError("is_defined() has wrong arguments", f"usage: is_defined({'|'.join(known)},name)")
    return float(args[1] in known[args[0]])


@queries("is_active")
def is_active(sim: Any, args: list[str]) -> float:
    """A setting or a style is in use now."""
    usage = "is_active(package|newton|pair|pair_style|bond_style|…|kspace_style|atom_style|comm_style|run_style,FEATURE)"
    _count(args, 2, usage)
    category, feature = args
    system = sim.system
    if category == "package":
        return float(feature == "everlet")
    if category == "newton":
        one_of("feature of is_active(newton,…)", feature, ("pair", "bond", "any"))
        return float(system.newton)
    if category == "pair":
        one_of("feature of is_active(pair,…)", feature, ("single", "respa", "tail", "shift"))
        return float(system.pair is not None and _of_pair(system.pair, feature))
    styles = {"pair": system.pair, "kspace": system.kspace, "atom": system.atom_style, **system.bonded}
    names = {f"{kind}_style": "none" if style is None else style.name for kind, style in styles.items()}
    names |= {"comm_style": system.comm_style, "run_style": "verlet" if system.levels is None else "respa"}
    if category not in names:
        raise InputError(f"unknown category '{category}' of is_active()", f"usage: {usage}")
    return float(names[category] == feature)


def _of_pair(style: Any, feature: str) -> bool:
    return {"single": True, "respa": False, "tail": style.with_tail, "shift": style.shift}[feature]


@queries("is_available")
def is_available(sim: Any, args: list[str]) -> float:
    """A style or a feature exists in this program."""
    usage = f"is_available({'|'.join((*AVAILABLE, 'feature', 'package'))},NAME)"
    _count(args, 2, usage)
    category, name = args[0].removesuffix("_style"), args[1]
    if category == "feature":
        return float(FEATURES.get(name, False))
    if category == "package":
        return float(name == "everlet")
    if category not in AVAILABLE:
        raise InputError(f"unknown category '{category}' of is_available()", f"usage: {usage}")
    return float(name in AVAILABLE[category] or name in MADE_OF_OTHERS.get(category, ()))


def _labels(sim: Any, kind: str, usage: str) -> dict[str, int]:
    if kind not in ("atom", *KINDS):
        raise InputError(f"unknown kind of types '{kind}'", f"usage: {usage}")
    return sim.system.type_labels if kind == "atom" else sim.system.topology.labels[kind]


@queries("is_typelabel")
def is_typelabel(sim: Any, args: list[str]) -> float:
    _count(args, 2, "is_typelabel(atom|bond|angle|dihedral|improper,LABEL)")
    return float(args[1] in _labels(sim, args[0], "is_typelabel(atom|bond|angle|dihedral|improper,LABEL)"))


@queries("label2type")
def label2type(sim: Any, args: list[str]) -> float:
    _count(args, 2, "label2type(atom|bond|angle|dihedral|improper,LABEL)")
    labels = _labels(sim, args[0], "label2type(atom|bond|angle|dihedral|improper,LABEL)")
    one_of(f"label of {args[0]} types", args[1], labels)
    return float(labels[args[1]])


SETTINGS: dict[str, Callable[[Any], float]] = {  # of the System
    "bigint": lambda s: 8, "tagint": lambda s: 4, "imageint": lambda s: 4,
    "box_exist": lambda s: s.box is not None,
    "dimension": lambda s: s.dimension,
    "kokkos_active": lambda s: 0, "kokkos_nthreads": lambda s: 0, "kokkos_ngpus": lambda s: 0,
    "newton_bond": lambda s: s.newton, "newton_pair": lambda s: s.newton,
    "triclinic": lambda s: s.box is not None and s.box.triclinic,
    "universe_rank": lambda s: s.world.job_rank if s.world.job_size > 1 else s.universe.rank,
    "universe_size": lambda s: max(s.world.job_size, s.universe.size),
    "world_rank": lambda s: s.world.rank, "world_size": lambda s: s.world.size,
    "nthreads": lambda s: s.space.threads,
    "nlocal": lambda s: s.atoms.n, "nghost": lambda s: s.atoms.nghost, "nall": lambda s: s.atoms.n + s.atoms.nghost,
    "natoms": lambda s: s.natoms, "nmax": lambda s: s.atoms.capacity,
    "ntypes": lambda s: s.ntypes,
    "molecule_flag": lambda s: "molecule" in s.atoms.fields, "q_flag": lambda s: "q" in s.atoms.fields,
    **{f"{name}_flag": lambda s, name=name: name in s.atoms.fields  # type: ignore[misc]
       for name in ("mu", "radius", "rmass", "omega", "torque", "angmom")},
    "sphere_flag": lambda s: "radius" in s.atoms.fields, "ellipsoid_flag": lambda s: "angmom" in s.atoms.fields,
    **{f"n{name}types": lambda s, name=name: s.topology.types.get(name, 0) for name in KINDS},  # type: ignore[misc]
    **{f"n{kind.plural}": lambda s, kind=kind: count_links(s.whole, kind) for kind in KINDS.values()},  # type: ignore[misc]
}


@queries("extract_setting")
def extract_setting(sim: Any, args: list[str]) -> float:
    _count(args, 1, "extract_setting(WORD)")
    one_of("setting", args[0], SETTINGS)
    return float(SETTINGS[args[0]](sim.system))
