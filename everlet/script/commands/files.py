"""read_data, write_data, write_restart, read_restart, restart: whole systems in files."""

from __future__ import annotations

import time
from typing import Any

from everlet.errors import InputError, arguments, integer, number, one_of, unknown
from everlet.forces.bonded.base import STYLES
from everlet.io import data, restart
from everlet.io.files import agreed, numbered
from everlet.script.registry import NOTHING, command
from everlet.state.topology import KINDS

READ_EXTRA = ("extra/atom/types", "extra/special/per/atom", *(f"extra/{name}/types" for name in KINDS),
              *(f"extra/{name}/per/atom" for name in KINDS))
READ_USAGE = "read_data FILE [add append|merge|N [M]] [offset T B A D I] [shift X Y Z] [extra/…/types N] [extra/…/per/atom N]" \
    " [group ID] [nocoeff] [fix ID WORD SECTION]"
# options with the number of words they take
READ_WORDS = {"nocoeff": 0, "add": 1, "offset": 5, "shift": 3, "group": 1, "fix": 3, **dict.fromkeys(READ_EXTRA, 1)}
WRITE_REFUSED = {"triclinic/general": "general triclinic boxes are not available"}


def _read_options(sim: Any, words: list[str]) -> dict[str, Any]:
    """The words of read_data as arguments of io/data.py."""
    found: dict[str, Any] = {"coeffs": True, "group": "", "fixes": []}
    extra, add, given = dict.fromkeys(READ_EXTRA, 0), None, data.Added()
    while words:
        option = words.pop(0)
        one_of("read_data option", option, READ_WORDS)
        values = [words.pop(0) for _ in range(min(READ_WORDS[option], len(words)))]
        if len(values) < READ_WORDS[option]:
            raise InputError(f"read_data option '{option}' lacks its value", f"usage: {READ_USAGE}")
        if option == "nocoeff":
            found["coeffs"] = False
        elif option == "group":
            found["group"] = values[0]
        elif option == "add":
            add = given
            _read_add(sim, given, values[0], words)
        elif option == "offset":
            given.types = {name: _count(word, "offset") for name, word in zip(("atom", *KINDS), values, strict=True)}
        elif option == "shift":
            x, y, z = (number(word, "a distance") for word in values)
            given.shift = (x, y, z)
        elif option == "fix":
            found["fixes"].append((_reading_fix(sim, values[0]), *values[1:]))
        else:
            extra[option] = _count(values[0], option)
    if add is None and (given.types or any(given.shift)):
        raise InputError("read_data offset and shift are for files that are added to others", "use them with: add append")
    if add is not None and any(extra.values()):
        raise InputError("read_data add: the first file says how much room there is", "use extra/… with the first read_data")
    if add is not None and found["fixes"]:
        raise InputError("read_data add: sections of fixes cannot be added to others", "have all of them in the first file")
    return {**found, "add": add, "extra_types": extra["extra/atom/types"],
            "extra_links": {name: extra[f"extra/{name}/per/atom"] for name in KINDS},
            "extra_link_types": {name: extra[f"extra/{name}/types"] for name in KINDS}}


def _count(word: str, option: str) -> int:
    value = integer(word, "a number")
    if value < 0:
        raise InputError(f"{option} cannot be negative: {value}", "give 0 or more")
    return value


def _read_add(sim: Any, given: data.Added, word: str, words: list[str]) -> None:
    """append, merge, or what is added to ids and, if atoms have molecules, to these."""
    if word == "append":
        given.ids = given.molecules = None
    elif word != "merge":
        given.ids = _count(word, "add")
        if "molecule" in sim.system.atoms.fields:
            given.molecules = _count(words.pop(0) if words else "", "add N M: an offset of molecules")


def _reading_fix(sim: Any, name: str) -> Any:
    one_of("fix", name, sim.system.fixes)
    fix = sim.system.fixes[name]
    if not fix.overrides("read_section"):
        raise InputError(f"fix {name} reads no sections of data files", "leave it out of read_data")
    return fix


@command("read_data", stored=True, makes_box=True)
def read_data(sim: Any, args: list[str]) -> None:
    arguments(args, 1, None, READ_USAGE)
    path, *words = args
    options = _read_options(sim, words)
    began = time.perf_counter()
    sim.log.write("Reading data file ...")
    report = data.read_data(sim.system, path, **options)
    for warning in report.warnings:
        sim.log.warning(warning)
    sim.log.write(f"  {report.box}\n  reading atoms ...\n  {report.atoms} atoms")
    for name, count in report.links.items():
        if count:
            sim.log.write(f"  reading {KINDS[name].plural} ...\n  {count} {KINDS[name].plural}")
    if report.velocities:
        sim.log.write(f"  reading velocities ...\n  {report.velocities} velocities")
    sim.log.write(f"  read_data CPU = {time.perf_counter() - began:.3f} seconds")


@command("write_data", changes=NOTHING, stored=True, unplanned=True)
def write_data(sim: Any, args: list[str]) -> None:
    """write_data FILE [pair ii|ij] [nocoeff] [nofix] [nolabelmap] [types numeric|labels] [noinit]: a * in FILE is the step.

    Nothing needs to be set up before: noinit always holds.
    """
    usage = "write_data FILE [pair ii|ij] [nocoeff] [nofix] [nolabelmap] [types numeric|labels]"
    arguments(args, 1, None, usage)
    path, *words = args
    pair, coeffs, labels, names, fixes = "ii", True, True, False, True
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
        elif option == "nofix":
            fixes = False
        elif option == "types":
            word = words.pop(0) if words else ""
            if word not in ("numeric", "labels"):
                raise InputError(f"write_data types takes numeric or labels, found '{word}'", f"usage: {usage}")
            names = word == "labels"
        elif option in WRITE_REFUSED:
            raise InputError(f"write_data option '{option}' is not available: {WRITE_REFUSED[option]}", "remove it")
        elif option != "noinit":
            raise unknown("write_data option", option, ["pair", "nocoeff", "nofix", "nolabelmap", "types", "noinit"])
    if names and not labels:
        raise InputError("write_data: types as labels need the sections of labels", "leave out nolabelmap, or types labels")
    with agreed(sim.system.world):
        warnings = data.write_data(sim.system, numbered(path, sim.system.step), pair, coeffs, labels, names, fixes)
    for warning in warnings:
        sim.log.warning(warning)


@command("write_restart", changes=NOTHING, stored=True, unplanned=True)
def write_restart(sim: Any, args: list[str]) -> None:
    """write_restart FILE [noinit]: a * in FILE is the step; noinit always holds, nothing needs to be set up."""
    arguments(args, 1, None, "write_restart FILE")
    _refuse_parallel("write_restart", [word for word in args[1:] if word != "noinit"])
    with agreed(sim.system.world):
        restart.write_restart(sim.system, args[0])


@command("read_restart", stored=True, makes_box=True)
def read_restart(sim: Any, args: list[str]) -> None:
    """read_restart FILE [remap]: a * in FILE stands for the largest step there is; remap: atoms are put into the box."""
    arguments(args, 1, None, "read_restart FILE [remap]")
    _refuse_parallel("read_restart", [word for word in args[1:] if word != "remap"])
    sim.log.write("Reading restart file ...")
    pair, warnings = restart.read_restart(sim.system, args[0])
    for warning in warnings:
        sim.log.warning(warning)
    if "remap" in args[1:]:
        sim.system.need_box().wrap(sim.system.atoms.edit("x"), sim.system.atoms.edit("image"))
    take_styles(sim, pair)
    sim.log.write(f"  {sim.system.box}\n  {sim.system.natoms} atoms")


def take_styles(sim: Any, pair: dict[str, Any] | None) -> None:
    """Styles of forces as a restart file has them."""
    if pair is not None:
        sim.set_pair(pair["style"], pair["args"])
        sim.system.pair.restore(pair)
        sim.log.write(f"  restoring pair style {pair['style']} from restart")
    for name, kept in sim.system.kept_bonded.items():
        style = sim.system.bonded[name] = STYLES[name][kept["style"]](sim.system, kept["args"])
        style.restore(kept)
        sim.log.write(f"  restoring {name} style {kept['style']} from restart")


@command("restart", changes=NOTHING, light=True, stored=True, unplanned=True)
def restart_command(sim: Any, args: list[str]) -> None:
    """restart 0 | restart N|v_NAME FILE | restart N|v_NAME FILE1 FILE2: a file per step, or two in turns; both can be on."""
    usage = "restart 0 | restart N|v_NAME FILE [FILE2]"
    arguments(args, 1, None, usage)
    variable = args[0][2:] if args[0].startswith("v_") else ""
    if variable and sim.variables.style(variable) not in ("equal", "internal"):
        raise InputError(f"restart: variable '{variable}' is not of style equal", "use one that is")
    every = 1 if variable else integer(args[0], "a number of steps")
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
    sim.restart.add(every, args[1:], variable)


def _refuse_parallel(name: str, words: list[str]) -> None:
    if words:
        why = "one process writes one file" if words[0] in ("fileper", "nfile") else "it is unknown"
        raise InputError(f"{name} option '{words[0]}' is not available: {why}", "remove it")
