"""read_data, write_data, write_restart, read_restart, restart: whole systems in files."""

from __future__ import annotations

import time
from typing import Any

from everlet.errors import InputError, arguments, integer, unknown
from everlet.forces.bonded.base import STYLES
from everlet.io import data, restart
from everlet.io.files import agreed, numbered
from everlet.script.registry import command
from everlet.state.topology import KINDS

READ_REFUSED = {
    "add": "a second file cannot be added",
    "offset": "types cannot be offset",
    "shift": "atoms cannot be shifted",
    "fix": "no fix reads data files",
}
READ_EXTRA = ("extra/atom/types", "extra/special/per/atom", *(f"extra/{name}/types" for name in KINDS),
              *(f"extra/{name}/per/atom" for name in KINDS))
WRITE_REFUSED = {
    "types": "types are written as numbers",
    "triclinic/general": "general triclinic boxes are not available",
}


@command("read_data")
def read_data(sim: Any, args: list[str]) -> None:
    """read_data FILE [extra/atom/types N] [group ID] [nocoeff]"""
    arguments(args, 1, None, "read_data FILE [extra/atom/types N] [group ID] [nocoeff]")
    path, *words = args
    coeffs, group, extra = True, "", dict.fromkeys(READ_EXTRA, 0)
    while words:
        option = words.pop(0)
        if option == "nocoeff":
            coeffs = False
        elif option in (*READ_EXTRA, "group") and words:
            if option == "group":
                group = words.pop(0)
            else:
                extra[option] = integer(words.pop(0), "a number")
                if extra[option] < 0:
                    raise InputError(f"{option} cannot be negative: {extra[option]}", "give 0 or more")
        elif option in READ_REFUSED:
            raise InputError(f"read_data option '{option}' is not available: {READ_REFUSED[option]}", "remove it")
        elif option in (*READ_EXTRA, "group"):
            raise InputError(f"read_data option '{option}' lacks its value",
                             "usage: read_data FILE [extra/atom/types N] [group ID]")
        else:
            raise unknown("read_data option", option, [*READ_EXTRA, "group", "nocoeff"])
    began = time.perf_counter()
    sim.log.write("Reading data file ...")
    report = data.read_data(sim.system, path, extra["extra/atom/types"], coeffs, group,
                            {name: extra[f"extra/{name}/per/atom"] for name in KINDS},
                            {name: extra[f"extra/{name}/types"] for name in KINDS})
    for warning in report.warnings:
        sim.log.warning(warning)
    sim.log.write(f"  {report.box}\n  reading atoms ...\n  {report.atoms} atoms")
    for name, count in report.links.items():
        if count:
            sim.log.write(f"  reading {KINDS[name].plural} ...\n  {count} {KINDS[name].plural}")
    if report.velocities:
        sim.log.write(f"  reading velocities ...\n  {report.velocities} velocities")
    sim.log.write(f"  read_data CPU = {time.perf_counter() - began:.3f} seconds")


@command("write_data")
def write_data(sim: Any, args: list[str]) -> None:
    """write_data FILE [pair ii|ij] [nocoeff] [nofix] [nolabelmap] [noinit]: a * in FILE is the step.

    No fix keeps data of its own in these files and nothing needs to be set up before: nofix and noinit always hold.
    """
    arguments(args, 1, None, "write_data FILE [pair ii|ij] [nocoeff] [nofix] [nolabelmap]")
    path, *words = args
    pair, coeffs, labels = "ii", True, True
    while words:
        option = words.pop(0)
        if option == "pair":
            pair = words.pop(0) if words else ""
            if pair not in ("ii", "ij"):
                raise InputError(f"write_data pair takes ii or ij, found '{pair}'", "usage: write_data FILE pair ii|ij")
        elif option == "nocoeff":
            coeffs = False
        elif option == "nolabelmap":
            labels = False
        elif option in WRITE_REFUSED:
            raise InputError(f"write_data option '{option}' is not available: {WRITE_REFUSED[option]}", "remove it")
        elif option not in ("nofix", "noinit"):
            raise unknown("write_data option", option, ["pair", "nocoeff", "nofix", "nolabelmap", "noinit"])
    with agreed(sim.system.world):
        warnings = data.write_data(sim.system, numbered(path, sim.system.step), pair, coeffs, labels)
    for warning in warnings:
        sim.log.warning(warning)


@command("write_restart")
def write_restart(sim: Any, args: list[str]) -> None:
    """write_restart FILE [noinit]: a * in FILE is the step; noinit always holds, nothing needs to be set up."""
    arguments(args, 1, None, "write_restart FILE")
    _refuse_parallel("write_restart", [word for word in args[1:] if word != "noinit"])
    with agreed(sim.system.world):
        restart.write_restart(sim.system, args[0])


@command("read_restart")
def read_restart(sim: Any, args: list[str]) -> None:
    """read_restart FILE: a * in FILE stands for the largest step there is."""
    arguments(args, 1, None, "read_restart FILE")
    _refuse_parallel("read_restart", args[1:])
    sim.log.write("Reading restart file ...")
    pair, warnings = restart.read_restart(sim.system, args[0])
    for warning in warnings:
        sim.log.warning(warning)
    if pair is not None:
        sim.set_pair(pair["style"], pair["args"])
        sim.system.pair.restore(pair)
        sim.log.write(f"  restoring pair style {pair['style']} from restart")
    for name, kept in sim.system.kept_bonded.items():
        style = sim.system.bonded[name] = STYLES[name][kept["style"]](sim.system, kept["args"])
        style.restore(kept)
        sim.log.write(f"  restoring {name} style {kept['style']} from restart")
    sim.log.write(f"  {sim.system.box}\n  {sim.system.natoms} atoms")


@command("restart")
def restart_command(sim: Any, args: list[str]) -> None:
    """restart 0 | restart N FILE | restart N FILE1 FILE2: one file per step, or two in turns; both kinds can be on."""
    usage = "restart 0 | restart N FILE [FILE2]"
    arguments(args, 1, None, usage)
    if args[0].startswith("v_"):
        raise InputError("restart with a variable is not available", "give a number of steps")
    every = integer(args[0], "a number of steps")
    _refuse_parallel("restart", args[3:])
    if every == 0:
        arguments(args, 1, 1, usage)
        sim.restart = None
        return
    if every < 0:
        raise InputError(f"a number of steps cannot be negative: {every}", "restart 0 switches it off")
    arguments(args, 2, 3, usage)
    for path in args[1:]:
        numbered(path, 0)
    if sim.restart is None:
        sim.restart = restart.RestartPlans()
    sim.restart.add(every, args[1:])


def _refuse_parallel(name: str, words: list[str]) -> None:
    if words:
        why = "one process writes one file" if words[0] in ("fileper", "nfile") else "it is unknown"
        raise InputError(f"{name} option '{words[0]}' is not available: {why}", "remove it")
