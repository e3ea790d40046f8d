"""What a kernel is made of besides its own text: the modules of this package that the text imports, and those they import."""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
# also those inside of functions; `from a import (b, c)` may go over several lines
_IMPORT = re.compile(r"^[ \t]*(?:from (everlet[\w.]*) import (\([^)]*\)|[^\n]*)|import (everlet[\w.]*))", re.MULTILINE)


def imported(text: str) -> frozenset[Path]:
    """Files of the modules that a text imports from this package."""
    return _files(tuple(_IMPORT.findall(text)))


@functools.cache
def _files(imports: tuple[tuple[str, str, str], ...]) -> frozenset[Path]:
    found = set()
    for package, names, module in imports:
        place = ROOT.joinpath(*(package or module).split("."))
        found.add(place.with_suffix(".py"))
        found.update(place / f"{name}.py" for name in re.findall(r"\w+", names))  # from package import module
    return frozenset(path for path in found if path.exists())


@functools.cache
def _content(path: Path) -> tuple[str, frozenset[Path]]:
    text = path.read_text()
    return text, imported(text)


def behind(text: str) -> str:
    """The source of every module of this package that the text imports, directly or through others."""
    return _behind(imported(text))


@functools.cache
def _behind(waiting: frozenset[Path]) -> str:
    found: set[Path] = set()
    while waiting:
        found |= waiting
        waiting = frozenset().union(*[_content(path)[1] for path in waiting]) - found
    return "\0".join(_content(path)[0] for path in sorted(found))


def digest_behind(text: str) -> str:
    return _digest(behind(text))


@functools.cache
def _digest(sources: str) -> str:
    return hashlib.sha256(sources.encode()).hexdigest()
