"""Commands about the machine and the program: suffix, package, plugin, partition, timer, info."""

from __future__ import annotations

import platform
from typing import Any

import numba
import numpy as np

from everlet import __version__
from everlet.errors import InputError, arguments, unknown
from everlet.script.lammps_names import SUFFIXES
from everlet.script.registry import command

PACKAGES = {
    "omp": "threads are chosen when Everlet starts (--threads N)",
    "intel": "CPU kernels are always vectorised; precision is chosen by --precision",
    "gpu": "the device is chosen when Everlet starts (--device cuda)",
    "kokkos": "device, threads and neighbour lists are chosen by --device, --threads and: package everlet",
}
TIMERS = ("off", "loop", "normal", "full")


@command("suffix")
def suffix(sim: Any, args: list[str]) -> None:
    """suffix off|on|gpu|intel|kk|omp|opt|hybrid A B: every style has one implementation here, so nothing changes."""
    arguments(args, 1, 3, "suffix on|off|STYLE|hybrid STYLE STYLE")
    known = ("on", "off", "hybrid", *SUFFIXES)
    for word in args:
        if word not in known:
            raise unknown("suffix", word, known)
    sim.options["suffix"] = " ".join(args)
    sim.log.write(f"suffix {' '.join(args)}: every style has one implementation, which runs on {sim.space}")


@command("package")
def package(sim: Any, args: list[str]) -> None:
    """package everlet [scheme NAME] [neigh half|full]: how pair forces are computed.

    package omp|gpu|intel|kokkos ...: recorded; of kokkos, `neigh half|full` is obeyed.
    """
    arguments(args, 1, None, "package STYLE arguments ...")
    name = args[0]
    if name == "everlet":
        arguments(args, 3, None, "package everlet [scheme NAME] [neigh half|full]")
        _options(sim, args[1:])
        return
    if name not in PACKAGES:
        raise unknown("package", name, [*PACKAGES, "everlet"])
    if name == "kokkos" and "neigh" in args[:-1]:
        place = args.index("neigh")
        _options(sim, args[place : place + 2])
    sim.options[f"package {name}"] = " ".join(args[1:])
    sim.log.write(f"package {' '.join(args)}: recorded only; {PACKAGES[name]}")


def _options(sim: Any, words: list[str]) -> None:
    if len(words) % 2:
        raise InputError(f"package option '{words[-1]}' has no value")
    for option, given in zip(words[::2], words[1::2], strict=True):
        if option not in ("scheme", "neigh"):
            raise unknown("option of package everlet", option, ("scheme", "neigh"))
        if option == "neigh" and given not in ("half", "full"):
            raise unknown("kind of neighbour list", given, ("half", "full"))
        sim.options[option] = given


@command("plugin")
def plugin(sim: Any, args: list[str]) -> None:
    """plugin load FILE ...: Python files with styles of your own."""
    arguments(args, 2, None, "plugin load FILE ...")
    if args[0] != "load":
        raise InputError(f"plugin {args[0]} is not available", "usage: plugin load FILE ...")
    for path in args[1:]:
        sim.load_plugin(path)


@command("partition")
def partition(sim: Any, args: list[str]) -> None:
    """partition yes|no N command ...: refused, a run has one partition."""
    raise InputError("the partition command is not available: a run has one partition",
                     "start Everlet once for each partition")


@command("timer")
def timer(sim: Any, args: list[str]) -> None:
    """timer off|loop|normal|full [sync|nosync]: how much of the time breakdown is printed after a run."""
    arguments(args, 1, None, "timer off|loop|normal|full [sync|nosync]")
    for word in args:
        if word in TIMERS:
            sim.options["timer"] = word
        elif word in ("timeout", "every"):
            raise InputError(f"timer {word} is not available: runs have no time limit")
        elif word not in ("sync", "nosync"):  # one rank has nobody to wait for
            raise unknown("option of timer", word, (*TIMERS, "sync", "nosync"))


@command("info")
def info(sim: Any, args: list[str]) -> None:
    """info config|system|groups|regions|computes|fixes|dumps|variables|all ... [out screen|log]"""
    arguments(args, 1, None, "info config|system|groups|regions|computes|fixes|dumps|variables|all")
    known = ("config", "system", "groups", "regions", "computes", "fixes", "dumps", "variables")
    words, write = list(args), sim.log.write
    if "out" in words:
        place = words.index("out")
        target = words[place + 1 : place + 2]
        if target not in (["screen"], ["log"]):
            raise InputError("info out takes screen or log")
        write = sim.log.screen_only if target == ["screen"] else sim.log.file_only
        del words[place : place + 2]
    for word in known if "all" in words else words:
        if word not in known:
            raise unknown("info category", word, (*known, "all"))
        write(_about(sim, word))


def _about(sim: Any, word: str) -> str:
    system = sim.system
    if word == "config":
        return (f"Everlet {__version__}, Python {platform.python_version()}, numpy {np.__version__}, "
                f"numba {numba.__version__}, space {sim.space}, precision {system.precision}")
    if word == "system":
        box = "no box" if system.box is None else f"box {system.box}"
        counts = f"{system.natoms} atoms, {system.ntypes} types"
        return f"units {system.units.name}, dimension {system.dimension}, {counts}, {box}"
    if word == "variables":
        lines = [f"{name} {item.style} {' '.join(item.values)}" for name, item in sim.script.variables.known.items()]
        return "variables:\n" + "\n".join(f"  {line}" for line in lines)
    names = {"groups": system.groups.names(), "regions": system.regions, "computes": system.computes,
             "fixes": system.fixes, "dumps": system.dumps}
    return f"{word}: {' '.join(names[word]) or 'none'}"
