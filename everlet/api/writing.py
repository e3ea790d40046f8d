"""Trajectories: which dump a file name asks for."""

from __future__ import annotations

import os
from collections.abc import Sequence

from everlet.api.record import quoted
from everlet.errors import InputError, one_of

STYLES = {".h5md": "h5md", ".h5": "h5md", ".gsd": "gsd", ".xtc": "xtc", ".trr": "trr", ".dcd": "dcd", ".nc": "netcdf",
          ".xyz": "extxyz", ".extxyz": "extxyz", ".yaml": "yaml"}  # any other one: custom, which all tools read
PACKED = (".gz", ".zst", ".bz2", ".xz")
COLUMNS = {"positions": "x y z", "velocities": "vx vy vz", "forces": "fx fy fz", "charges": "q", "images": "ix iy iz"}
WORDS = {  # of fields that a style has room for
    "custom": COLUMNS, "yaml": COLUMNS, "netcdf": COLUMNS, "xtc": {"positions": ""}, "dcd": {"positions": ""},
    "h5md": {"positions": "position", "velocities": "velocity", "forces": "force", "images": "image"},
    "trr": {"positions": "position", "velocities": "velocity", "forces": "force"},
    "gsd": {"positions": "", "velocities": "velocity", "forces": "force"},
    "extxyz": {"positions": "", "velocities": "", "forces": ""},
}


def style_of(path: str) -> str:
    """The dump style of a file name.

    >>> style_of("run.h5md"), style_of("run.lammpstrj.gz"), style_of("a.*.xyz")
    ('h5md', 'custom', 'extxyz')
    """
    stem, ending = os.path.splitext(path)
    return STYLES.get(os.path.splitext(stem)[1] if ending in PACKED else ending, "custom")


def dump_lines(id: str, group: str, path: str, every: int, fields: Sequence[str], names: Sequence[str]) -> list[str]:
    """Commands that begin a trajectory; names of types, if they have some."""
    style = style_of(path)
    for field in fields:
        one_of("field of a trajectory", field, COLUMNS)
        if field not in WORDS[style]:
            raise InputError(f"files of {style} have no {field}",
                             f"they have {', '.join(WORDS[style])}; others: .lammpstrj, .h5md")
    wanted = ("positions", *fields)
    words = [word for field, text in WORDS[style].items() if field in wanted for word in text.split()]
    columns = WORDS[style] is COLUMNS
    named = columns and bool(names) and all(names) and style != "netcdf"
    first = ["id", "type", *(["element"] if named else [])] if columns else []
    lines = [" ".join(map(quoted, ["dump", id, group, style, str(every), path, *first, *words]))]
    if style == "extxyz":
        chosen = {word: "yes" if field in wanted else "no" for word, field in (("vel", "velocities"), ("forces", "forces"))}
        lines.append(f"dump_modify {id} vel {chosen['vel']} forces {chosen['forces']}")
    if named:
        lines.append(" ".join(map(quoted, ["dump_modify", id, "element", *names])))
    return [*lines, *([f"dump_modify {id} sort id"] if columns or style == "extxyz" else [])]
