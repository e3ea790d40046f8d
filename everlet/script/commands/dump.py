"""dump, dump_modify, undump, write_dump: atoms to files."""

from __future__ import annotations

from typing import Any

from everlet.dumps.base import dump_style, make, plain_style
from everlet.errors import InputError, arguments, one_of
from everlet.io.files import agreed
from everlet.script.parser import missing_style
from everlet.script.registry import NOTHING, command

USAGE = "dump ID GROUP STYLE N FILE [COLUMN ...]"
INSTEAD = {  # styles that are not here, and what is
    "movie": "write pictures with dump image (FILE.*.png) and join them, for example: ffmpeg -i FILE.%d.png FILE.mp4",
    "molfile": "use dump dcd, netcdf, xyz or cfg",
    "vtk": "use dump custom or extxyz, which ParaView reads by way of OVITO",
    "grid": "use fix ave/chunk with bins, which writes a file",
}
FORCES = ("fx", "fy", "fz")
WRITE_USAGE = "write_dump GROUP STYLE FILE [COLUMN ...] [modify OPTION VALUE ...]"


@command("dump", changes=NOTHING, stored=True, shows=True)
def dump(sim: Any, args: list[str]) -> None:
    """dump ID GROUP STYLE N FILE [COLUMN ...]: a frame every N steps."""
    arguments(args, 5, None, USAGE)
    if args[0] in sim.system.dumps:
        raise InputError(f"there is a dump '{args[0]}' already", f"choose another ID, or use: undump {args[0]}")
    _check_style(args[2])
    sim.system.dumps[args[0]] = make(sim.system, args, USAGE)


@command("dump_modify", changes=NOTHING, stored=True, shows=True)
def dump_modify(sim: Any, args: list[str]) -> None:
    """dump_modify ID OPTION VALUE ..."""
    arguments(args, 2, None, "dump_modify ID OPTION VALUE ...")
    one, known = _find(sim, args[0]), any(dump.warning() for dump in sim.system.dumps.values())
    one.modify(args[1:])
    if one.warning() and not known:  # once is enough
        sim.log.warning(one.warning())


@command("undump", changes=NOTHING, stored=True, shows=True)
def undump(sim: Any, args: list[str]) -> None:
    """undump ID: end a dump and close its file."""
    arguments(args, 1, 1, "undump ID")
    with agreed(sim.system.world):
        _find(sim, args[0]).close()
    del sim.system.dumps[args[0]]


@command("write_dump", changes=NOTHING, stored=True, unplanned=True)
def write_dump(sim: Any, args: list[str]) -> None:
    """write_dump GROUP STYLE FILE [COLUMN ...] [modify OPTION VALUE ...]: one frame now."""
    arguments(args, 3, None, WRITE_USAGE)
    words, options = (
        (args[: args.index("modify")], args[args.index("modify") + 1 :]) if "modify" in args else (args, [])
    )
    if len(words) < 3:
        raise InputError("write_dump needs a group, a style and a file before modify", f"usage: {WRITE_USAGE}")
    group, style, path, *columns = words
    _check_style(style)
    one = make(sim.system, ["write_dump", group, style, "1", path, *columns], WRITE_USAGE)
    one.alone = True
    if options:
        one.modify(options)
        if one.warning():
            sim.log.warning(one.warning())
    if any(word in FORCES or word[1:2] == "_" for word in one.words()):
        sim.system.fresh.need()  # all ranks ask, one of them writes
    with agreed(sim.system.world):
        one.write()
        one.close()


def _check_style(style: str) -> None:
    if plain_style(style)[0] not in dump_style:
        error = missing_style("dump", style, dump_style)
        error.remedy = INSTEAD.get(style, "use dump custom" if style.endswith(("/mpiio", "/adios")) else error.remedy)
        raise error


def _find(sim: Any, name: str) -> Any:
    one_of("dump", name, sim.system.dumps)
    return sim.system.dumps[name]
