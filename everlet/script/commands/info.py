"""info: what is defined and set now, for people.

    info CATEGORY ... [out screen | log | append FILE | overwrite FILE]
    CATEGORY: config system communication coeffs groups regions computes fixes dumps variables time memory accelerator fft
              plugins,
              styles [all|atom|pair|bond|angle|dihedral|improper|kspace|fix|compute|region|dump|minimize|command], all
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import numpy as np

from everlet.comm.world import writes
from everlet.errors import InputError, arguments, unknown
from everlet.io.files import agreed
from everlet.portable.code_places import check_output
from everlet.run.installed import INSTALLED
from everlet.script.queries import AVAILABLE
from everlet.script.registry import NOTHING, command
from everlet.state.topology import KINDS, count_links
from everlet.version import __version__

USAGE = "info CATEGORY ... [out screen|log|append FILE|overwrite FILE]"
BEGUN = time.perf_counter()


@command("info", changes=NOTHING, stored=True, unplanned=True)
def info(sim: Any, args: list[str]) -> None:
    arguments(args, 1, None, USAGE)
    words, write = _output(sim, list(args))
    categories = []
    while words:
        word = words.pop(0)
        if word == "styles":
            kind = words.pop(0) if words and (words[0] in AVAILABLE or words[0] == "all") else "all"
            categories.append(styles_of(kind))
        elif word == "all":
            categories += [about(sim) for about in ABOUT.values()]
        elif word in ABOUT:
            categories.append(ABOUT[word](sim))
        else:
            raise unknown("info category", word, (*ABOUT, "styles", "all"))
    write("\n".join(categories))


def _output(sim: Any, words: list[str]) -> tuple[list[str], Callable[[str], None]]:
    """Words without `out …`, and where lines go."""
    if "out" not in words:
        return words, sim.log.write
    place = words.index("out")
    way = words[place + 1 : place + 2]
    ways = {"screen": sim.log.screen_only, "log": sim.log.file_only}
    if way and way[0] in ways:
        return words[:place] + words[place + 2 :], ways[way[0]]
    if way not in (["append"], ["overwrite"]) or len(words) < place + 3:
        raise InputError("info out takes screen, log, append FILE or overwrite FILE", f"usage: {USAGE}")
    path, mode = words[place + 2], "a" if way == ["append"] else "w"

    def to_file(text: str) -> None:
        with agreed(sim.system.world):
            if writes():
                try:
                    check_output(path)
                    with open(path, mode, encoding="utf-8") as file:
                        file.write(text + "\n")
                except OSError as error:
                    raise InputError(f"cannot write '{path}': {error.strerror}", "choose a writable place for it") from None

    return words[:place] + words[place + 3 :], to_file


def _config(sim: Any) -> str:
    return (f"Everlet {__version__}, Python {platform.python_version()}, numpy {np.__version__}, numba {version('numba')}, "
            f"space {sim.space}, precision {sim.system.precision}")


def _system(sim: Any) -> str:
    system = sim.system
    box = "no box" if system.box is None else f"box {system.box}, boundary {' '.join(system.box.boundary)}"
    found = (f"units {system.units.name}, atom style {system.atom_style.name}, dimension {system.dimension}, "
             f"{system.natoms} atoms, {system.ntypes} types, {box}")
    links = [f"{count_links(system.atoms, kind)} {kind.plural}" for kind in KINDS.values() if count_links(system.atoms, kind)]
    pair = "no pair style" if system.pair is None else f"pair style {system.pair.name}"
    return ", ".join([found, *links, pair, f"step {system.step}", f"timestep {system.dt:g}"])


def _communication(sim: Any) -> str:
    system = sim.system
    return f"communication: {system.comm_style}, {system.world.size} ranks, {sim.space.threads} threads of each"


def _coeffs(sim: Any) -> str:
    """Which types of pairs and links have coefficients."""
    system, lines = sim.system, []
    if system.pair is not None:
        given = sorted({(i, j) for i, j, *_ in system.pair.state().get("coeffs", [])})
        lines.append(f"pair {system.pair.name}: " + (" ".join(f"{i}-{j}" for i, j in given) or "none"))
    for name, style in system.bonded.items():
        if style is not None:
            given_types = " ".join(str(row[0]) for row in style.state().get("coeffs", []))
            lines.append(f"{name} {style.name}: {given_types or 'none'}")
    return "coefficients are given for:\n" + "\n".join(f"  {line}" for line in lines or ["no style"])


def _named(word: str, of: Callable[[Any], Any]) -> Callable[[Any], str]:
    return lambda sim: f"{word}: {' '.join(of(sim.system)) or 'none'}"


def _operations(word: str, of: Callable[[Any], dict[str, Any]]) -> Callable[[Any], str]:
    """Ids and their groups."""
    return lambda sim: f"{word}: " + (", ".join(f"{id} of group {item.group}" for id, item in of(sim.system).items()) or "none")


def _variables(sim: Any) -> str:
    lines = [f"{name} {item.style} {' '.join(map(str, item.values))}" for name, item in sim.script.variables.known.items()]
    return "variables:\n" + "\n".join(f"  {line}" for line in lines)


def _time(sim: Any) -> str:
    return f"time: {time.perf_counter() - BEGUN:.1f} seconds since the start"


def _memory(sim: Any) -> str:
    return f"memory: {sim.bytes() / 1024**2:.4g} Mbytes of arrays on this rank"


def _accelerator(sim: Any) -> str:
    return f"accelerator: {sim.space}, {sim.space.threads} threads, {sim.system.precision} precision"


def _fft(sim: Any) -> str:
    return f"fft: in {sim.system.precision} precision, on {sim.space}"


def styles_of(kind: str) -> str:
    """All names of a kind, or of all kinds."""
    kinds = AVAILABLE if kind == "all" else {kind: AVAILABLE[kind]}
    return "\n".join(f"{name} styles: {' '.join(sorted(styles))}" for name, styles in kinds.items())


ABOUT: dict[str, Callable[[Any], str]] = {
    "config": _config, "system": _system, "communication": _communication, "coeffs": _coeffs,
    "groups": _named("groups", lambda system: system.groups.names()),
    "regions": _named("regions", lambda system: [f"{name}({region.style})" for name, region in system.regions.items()]),
    "computes": _operations("computes", lambda system: system.computes),
    "fixes": _operations("fixes", lambda system: system.fixes),
    "dumps": _operations("dumps", lambda system: system.dumps),
    "variables": _variables, "time": _time, "memory": _memory, "accelerator": _accelerator, "fft": _fft,
    "plugins": lambda sim: INSTALLED.report(),
}
