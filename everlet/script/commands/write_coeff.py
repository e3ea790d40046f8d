"""write_coeff FILE: coefficients of pairs and links as commands, to be included by another script. A * in FILE is the step.

Of hybrid pair styles there are none, as in data files; those that come from files cannot be written.
"""

from __future__ import annotations

from typing import Any

from everlet.errors import arguments
from everlet.io.files import agreed, numbered, whole_file
from everlet.script.registry import NOTHING, boxed, command
from everlet.state.topology import KINDS
from everlet.version import __version__


@command("write_coeff", changes=NOTHING, stored=True, unplanned=True)
def write_coeff(sim: Any, args: list[str]) -> None:
    arguments(args, 1, 1, "write_coeff FILE")
    system = boxed(sim)
    text = [f"# LAMMPS coeff file via Everlet write_coeff, version {__version__}\n"]
    if system.pair is not None:
        rows = sorted(system.pair.data_coeffs(unlike=True), key=lambda row: [int(word) for word in row.split()[:2]])
        text += block("pair", system.pair.name, rows)
    for name, kind in KINDS.items():
        style = system.bonded[name]
        if style is not None:
            rows = []
            for part in kind.sections().values():
                for row in style.data_coeffs(part):
                    type, _, rest = row.partition(" ")
                    rows.append(f"{type} {part} {rest}" if part else row)
            text += block(name, style.name, rows)
    with agreed(system.world), whole_file(numbered(args[0], system.step)) as stream:
        stream.writelines(text)


def block(kind: str, style: str, rows: list[str]) -> list[str]:
    return [f"# {kind}_style {style}\n", *(f"{kind}_coeff {row}\n" for row in rows), "\n"] if rows else []
