"""docs/support.md, made from the registries of styles and the names of LAMMPS: python -m everlet.tools.support_page FILE."""

from __future__ import annotations

import sys
from pathlib import Path

from everlet.script.support import Row, count, kinds, rows

HEAD = """# What of LAMMPS is here

Made by `python -m everlet.tools.support_page docs/support.md` from the styles that register themselves and the names
that LAMMPS knows; `everlet info support [KIND] [NAME]` says the same, and `everlet check SCRIPT` says it of each line
of a script. Kernels are written once, so what is here runs on cores, threads, GPUs and several ranks. Accelerated
variants (`/kk`, `/omp`, …) mean the style itself. Options are on the page [scripts.md](scripts.md); those that are not
there are refused by name.

| kind | here | of LAMMPS |
| --- | --- | --- |
"""


def _listed(table: list[Row]) -> str:
    return " ".join(f"`{row.name}`" for row in table) or "none"


def page() -> str:
    tables = {kind: rows(kind) for kind in kinds()}
    text, sums = HEAD, [0, 0]
    for kind, table in tables.items():
        here, of = count(table)
        sums = [sums[0] + here, sums[1] + of]
        text += f"| [{kind}](#{kind}) | {here} | {of} |\n"
    text += f"| together | {sums[0]} | {sums[1]} |\n"
    for kind, table in tables.items():
        text += f"\n## {kind}\n\n| here | page of LAMMPS's manual | file of Everlet |\n| --- | --- | --- |\n"
        text += "".join(f"| `{row.name}` | {row.page or '-'} | {row.file or '-'} |\n" for row in table if row.here)
        text += f"\nNot here: {_listed([row for row in table if not row.here])}.\n"
    return text


def main(words: list[str]) -> int:
    Path(words[0]).write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
