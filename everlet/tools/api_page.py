"""docs/reference.md, made from the signatures and docstrings of the Python API: python -m everlet.tools.api_page FILE."""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

from everlet.api.batch import Batch
from everlet.api.batch_fixes import Fixes as BatchFixes
from everlet.api.batch_member import Member
from everlet.api.exchange import Exchange
from everlet.api.local import Local
from everlet.api.operations import Computes, Fixes, Handle, Room
from everlet.api.simulation import Simulation
from everlet.api.snapshots import Snapshot
from everlet.api.styles import Linked, Pair, Style
from everlet.api.table import Table
from everlet.view.picture import View

WIDTH = 116
TITLE = """# Reference of the Python API

Made from docstrings by `python -m everlet.tools.api_page docs/reference.md`; [api.md](api.md) teaches the same by examples.
Units are those of the simulation; arrays of atoms are in the order of ids.
"""
# what users call an object, its class, and whether words of its base classes are listed with it
SHOWN: list[tuple[str, str, type, bool]] = [
    ("Simulation", "sim", Simulation, True),
    ("sim.thermo", "sim.thermo", Table, False),
    ("sim.fix", "sim.fix", Fixes, False),
    ("sim.compute", "sim.compute", Computes, False),
    ("What both have", "sim.fix", Room, False),
    ("A fix or a compute", "fix", Handle, False),
    ("A style: everlet.kspace.NAME(…)", "style", Style, False),
    ("A pair style: everlet.pair.NAME(…)", "pair", Pair, True),
    ("A style of links: everlet.bond.NAME(…), angle, dihedral, improper", "bond", Linked, True),
    ("sim.snapshot()", "state", Snapshot, False),
    ("with sim.local() as d", "d", Local, False),
    ("sim.view()", "view", View, False),
    ("Batch", "runs", Batch, False),
    ("runs.fix", "runs.fix", BatchFixes, False),
    ("runs.exchange(every)", "swaps", Exchange, False),
    ("runs[k]", "one", Member, False),
]
HIDDEN = ("engine", "operation", "lines", "written", "pieces", "all_coeffs", "put", "get_state", "put_state", "recorded",
          "temperatures_swapped", "swap")  # between our own parts
WORDS = {"__getitem__": "{0}[{1}]", "__len__": "len({0})", "__add__": "{0} + {1}"}  # special names, as programs write them


def members(shown: type, bases: bool) -> Iterator[tuple[str, Any]]:
    """Public names of a class with their objects, as they were written, those of its bases last."""
    seen: dict[str, Any] = {}
    for one in shown.__mro__ if bases else (shown,):
        if one.__module__.startswith("everlet."):
            seen = seen | {name: value for name, value in vars(one).items() if name not in (*seen, *HIDDEN)
                           and (not name.startswith("_") or name in WORDS)}
    return ((name, value) for name, value in seen.items() if isinstance(value, property)
            or inspect.isfunction(value) and (value.__doc__ or name not in WORDS))


def arguments(function: Any) -> str:
    """Its parameters, as they were written."""
    found, star = [], False
    for one in list(inspect.signature(function).parameters.values())[1:]:
        mark = "*" if one.kind == one.VAR_POSITIONAL else "**" if one.kind == one.VAR_KEYWORD else ""
        if one.kind == one.KEYWORD_ONLY and not star:
            found.append("*")
        star = star or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        kind = "" if one.annotation is one.empty else f": {one.annotation}"
        default = "" if one.default is one.empty else f" = {one.default!r}"
        found.append(f"{mark}{one.name}{kind}{default}")
    return ", ".join(found)


def returned(function: Any) -> str:
    found = inspect.signature(function).return_annotation
    return "" if found in (inspect.Signature.empty, "None", None) else f" -> {found}"


def call(name: str, form: str, function: Any) -> str:
    """A function as it is called."""
    names = list(inspect.signature(function).parameters)[1:]
    text = WORDS[name].format(form, *names) if name in WORDS else f"{form}.{name}({arguments(function)})"
    return textwrap.fill(text + returned(function), WIDTH, subsequent_indent="    ", break_long_words=False,
                         break_on_hyphens=False)


def prose(text: str) -> str:
    """A docstring as Markdown: what is in columns, or indented, stays as it is."""
    parts = []
    for part in text.split("\n\n"):
        columns = any("   " in line.rstrip() for line in part.splitlines())
        parts.append("```text\n" + textwrap.dedent(part) + "\n```" if columns else part)
    return "\n\n".join(parts).replace("\n```\n\n```text\n", "\n\n")


def section(title: str, form: str, shown: type, bases: bool) -> str:
    lines = [f"## {title}", "", prose(inspect.getdoc(shown) or ""), ""]
    if shown in (Simulation, Batch):
        made = f"{title}({arguments(vars(shown)['__init__'])})"
        lines[2:2] = ["```text", textwrap.fill(made, WIDTH, subsequent_indent="    "), "```", ""]
    listed = list(members(shown, bases))
    properties = [(name, value) for name, value in listed if isinstance(value, property)]
    for one in reversed(shown.__mro__):  # those of the state first, of whoever uses it last
        lines += [of_property(f"{form}.{name}", value) for name, value in properties if vars(one).get(name) is value]
    lines += [""] if lines[-1] else []
    for name, value in listed:
        if inspect.isfunction(value):
            lines += ["```text", call(name, form, value), "```", "", prose(inspect.getdoc(value) or ""), ""]
    return "\n".join(lines)


def of_property(name: str, value: property) -> str:
    kind = inspect.signature(value.fget).return_annotation if value.fget else ""
    return f"- `{name}`, `{kind}`{', can be set' if value.fset else ''}. {' '.join((value.__doc__ or '').split())}".rstrip()


def page() -> str:
    """All of it."""
    return "\n".join([TITLE, *(section(*one) for one in SHOWN)]).rstrip() + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(page())
