"""Groups as index files of GROMACS: "[ name ]", then ids of atoms; group all is called System there.

    group2ndx FILE [ID ...]        without groups: all of them
    ndx2group FILE [ID ...]        groups have these atoms alone, as new ones would; without groups: all but System
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, unknown
from everlet.inputs import open_text
from everlet.io.files import agreed, whole_file
from everlet.script.registry import NOTHING, boxed, command

SYSTEM, LINE = "System", 80


@command("group2ndx", changes=NOTHING, stored=True, unplanned=True)
def group2ndx(sim: Any, args: list[str]) -> None:
    arguments(args, 1, None, "group2ndx FILE [ID ...]")
    system = boxed(sim)
    groups, ids, text = system.groups, system.atoms.read("id"), []
    masks = system.atoms.read("mask")
    width = len(str(int(ids.max(initial=1)))) + 1
    for name in args[1:] or groups.names():
        groups.index(name)
        members = [f"{id:{width}d}" for id in sorted(ids[groups.member(name, masks)].tolist())]
        rows = [members[k : k + LINE // width] for k in range(0, len(members), LINE // width)]
        text += [f"[ {SYSTEM if name == 'all' else name} ]\n", *("".join(row) + "\n" for row in rows)]
    with agreed(system.world), whole_file(args[0]) as stream:
        stream.writelines(text)
    sim.log.write(f"{len(args[1:] or groups.names())} groups in index file {args[0]}")


@command("ndx2group")
def ndx2group(sim: Any, args: list[str]) -> None:
    arguments(args, 1, None, "ndx2group FILE [ID ...]")
    system = boxed(sim)
    found, mask = _sections(args[0]), system.atoms.edit("mask")
    for name in args[1:]:
        if name not in found:
            raise unknown("group of the index file", name, found)
    for name in args[1:] or [name for name in found if name != SYSTEM]:
        if not name.isidentifier():
            raise InputError(f"'{name}' in {args[0]} is no name of a group", "rename it, or name the groups that are wanted")
        if name in system.groups.dynamic:
            raise InputError(f"group {name} is dynamic", f"first: group {name} static")
        if name != "all":
            if name in system.groups:
                system.groups.clear(name, mask)
            system.groups.assign(name, mask, np.isin(system.atoms.read("id"), found[name]))
        sim.log.write(f"{system.groups.count(name, mask)} atoms in group {name}")


def _sections(path: str) -> dict[str, list[int]]:
    """Ids of each group of the file; words behind a ; are a remark."""
    found: dict[str, list[int]] = {}
    name = ""
    try:
        with open_text(path) as stream:
            lines = stream.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read index file '{path}': {error}", "give the path of an index file") from None
    for count, line in enumerate(lines, 1):
        words = line.partition(";")[0].strip()
        if words.startswith("[") and words.endswith("]"):
            name = words[1:-1].strip()
            found.setdefault(name, [])
        elif words and not name:
            raise InputError(f"{path}, line {count}: ids before the first [ name ]", "is it an index file?")
        elif words:
            found[name].extend(integer(word, f"an id in line {count} of {path}") for word in words.split())
    return found
