"""What of LAMMPS is here, and what else: a table made from the registries and from lammps.txt.

    everlet info support [KIND] [NAME]      as text; docs/support.md is the same as a page (everlet/tools/support_page.py)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from everlet.errors import one_of
from everlet.registry import Registry
from everlet.script.lammps_names import lammps_names
from everlet.script.queries import AVAILABLE, MADE_OF_OTHERS


@dataclass(frozen=True)
class Row:
    """One name. page: of LAMMPS's manual, empty if LAMMPS has no such name; file: of Everlet, empty if it is not here."""

    name: str
    page: str
    here: bool
    file: str

    @property
    def known(self) -> bool:
        return bool(self.page)


def rows(kind: str) -> list[Row]:
    """All names of a kind, of LAMMPS and of Everlet, in their order; styles of installed packages are not among them."""
    styles, lammps = AVAILABLE[kind], lammps_names().get(kind, {})
    own: dict[str, Any] = styles.own() if isinstance(styles, Registry) else dict.fromkeys(styles)
    own = {name: item for name, item in own.items() if item is None or _file(item)} | MADE_OF_OTHERS.get(kind, {})
    return [Row(name, lammps.get(name, ""), name in own, _file(own[name]) if own.get(name) else "")
            for name in sorted({*own, *lammps})]


def kinds() -> list[str]:
    """Kinds of names that LAMMPS has."""
    return [kind for kind in AVAILABLE if kind in lammps_names()]


def _file(item: Any) -> str:
    """The file that an item is written in, from the package; empty if it is not a part of it."""
    module = getattr(item, "__module__", "") or type(item).__module__
    return module.removeprefix("everlet.").replace(".", "/") + ".py" if module.startswith("everlet.") else ""


def count(table: list[Row]) -> tuple[int, int]:
    """How many names of LAMMPS are here, and how many there are."""
    lammps = [row for row in table if row.known]
    return sum(row.here for row in lammps), len(lammps)


def support(words: list[str]) -> str:
    """The table as text: of one kind, or numbers of each kind."""
    if not words:
        counts = {kind: count(rows(kind)) for kind in kinds()}
        lines = [f"{kind:10} {here:4} of {all}" for kind, (here, all) in counts.items()]
        here, all = (sum(pair[k] for pair in counts.values()) for k in (0, 1))
        return "\n".join(["names of LAMMPS that are here", *lines, f"{'together':10} {here:4} of {all}",
                          "everlet info support KIND lists them; everlet check SCRIPT says it of each line of a script"])
    kind = one_of("kind of styles", words[0].removesuffix("_style"), kinds())
    table = rows(kind)
    if words[1:]:
        one_of(f"{kind} style" if kind != "command" else "command", words[1], {row.name for row in table})
        table = [row for row in table if row.name == words[1]]
    width, wide = (max(len(text) for text in column) for column in zip(*((row.name, row.file) for row in table), strict=True))
    return "\n".join(f"{'yes' if row.here else 'no':4}{row.name:{width}}  {row.file or '-':{wide}}  "
                     f"{f'LAMMPS: {row.page}' if row.known else 'not in LAMMPS'}" for row in table)
