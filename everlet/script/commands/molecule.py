"""molecule: a template of a molecule, from a file (io/molecule_file.py).

    molecule ID FILE [offset T B A D I] [toff|boff|aoff|doff|ioff N] [scale S]
"""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError, arguments, integer, number
from everlet.io.molecule_file import read_template
from everlet.script.registry import command
from everlet.state.topology import KINDS

USAGE = "molecule ID FILE [offset T B A D I] [toff|boff|aoff|doff|ioff N] [scale S]"
ORDER = ("atom", *KINDS)
ONE = dict(zip(("toff", "boff", "aoff", "doff", "ioff"), ORDER, strict=True))


@command("molecule")
def molecule(sim: Any, args: list[str]) -> None:
    arguments(args, 2, None, USAGE)
    system = sim.system
    name, path, *words = args
    if name in system.molecules:
        raise InputError(f"molecule template {name} exists already", "use another name")
    offsets, scale = dict.fromkeys(ORDER, 0), 1.0
    while words:
        word, count = words[0], 5 if words[0] == "offset" else 1
        values, words = words[1 : 1 + count], words[1 + count :]
        arguments(values, count, count, USAGE)
        if word == "offset":
            offsets = {kind: integer(value, "an offset of types") for kind, value in zip(ORDER, values, strict=True)}
        elif word in ONE:
            offsets[ONE[word]] = integer(values[0], "an offset of types")
        elif word == "scale":
            scale = number(values[0], "a scale factor")
            if scale <= 0.0:
                raise InputError(f"molecule scale must be above zero, found {values[0]}", "for example: scale 1.0")
        else:
            raise InputError(f"molecule takes no word '{word}' here, and templates of several files are not available",
                             f"usage: {USAGE}")
        if min(offsets.values()) < 0:
            raise InputError(f"molecule {word}: offsets of types cannot be negative", "give 0 or more")
    made = system.molecules[name] = read_template(system, name, path, offsets, scale)
    links = "".join(f"\n  {len(made.links[kind])} {KINDS[kind].plural}" for kind in KINDS if len(made.links[kind]))
    sim.log.write(f"Read molecule template {name}:\n  {made.atoms} atoms{links}")
