"""The keywords of pair_modify."""

from __future__ import annotations

from everlet.errors import InputError, one_of

KEYWORDS = ("mix", "shift", "tail", "compute", "nofdotr", "neigh/trim", "table", "table/disp", "tabinner", "tabinner/disp")


def modifications(args: list[str]) -> list[list[str]]:
    """The keywords of pair_modify, each with its value if it has one."""
    words, found = list(args), []
    if not words:
        raise InputError("pair_modify without a keyword", "usage: pair_modify mix|shift|tail value ...")
    while words:
        key = words.pop(0)
        if key in ("pair", "special"):
            raise InputError(f"pair_modify {key} is for hybrid pair styles", "remove it")
        one_of("pair_modify keyword", key, KEYWORDS)
        if key == "nofdotr":
            found.append([key])
            continue
        if not words:
            raise InputError(f"pair_modify {key} needs a value", "usage: pair_modify mix|shift|tail value")
        found.append([key, words.pop(0)])
    return found
