"""Names that LAMMPS knows: an error can say "not available yet" instead of "unknown", and tables say what is here of them.

The names are in lammps.txt beside this file, by kind, with the pages of LAMMPS's manual.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def lammps_names() -> dict[str, dict[str, str]]:
    """Of each kind (command, pair, fix, …): names, and the manual's page of each."""
    kinds: dict[str, dict[str, str]] = {}
    kind = ""
    for line in files("everlet.script").joinpath("lammps.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
            kinds[kind] = {}
        elif line and not line.startswith("#"):
            page, _, shared = line.rpartition(":")
            for name in shared.split():
                kinds[kind][name] = page or own_page(kind, name)
    return kinds


def lammps_has(kind: str) -> dict[str, str]:
    """Names of a kind, and the manual's page of each."""
    return lammps_names().get(kind, {})


def own_page(kind: str, name: str) -> str:
    """The page of a name that shares none."""
    return name.replace("/", "_") if kind == "command" else f"{kind}_{name.replace('/', '_')}"
