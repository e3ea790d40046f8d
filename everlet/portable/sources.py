"""What a kernel is made of besides its own text: the modules of this package that the text imports, and those they import."""

from __future__ import annotations

import functools
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
# also those inside of functions; `from a import (b, c)` may go over several lines
_IMPORT = re.compile(r"^[ \t]*(?:from (everlet[\w.]*) import (\([^)]*\)|[^\n]*)|import (everlet[\w.]*))", re.MULTILINE)


def imported(text: str) -> set[Path]:
    """Files of the modules that a text imports from this package."""
    found = set()
    for package, names, module in _IMPORT.findall(text):
        place = ROOT.joinpath(*(package or module).split("."))
        found.add(place.with_suffix(".py"))
        found.update(place / f"{name}.py" for name in re.findall(r"\w+", names))  # from package import module
    return {path for path in found if path.exists()}


@functools.cache
def _content(path: Path) -> tuple[str, frozenset[Path]]:
    text = path.read_text()
    return text, frozenset(imported(text))


def behind(text: str) -> str:
    """The source of every module of this package that the text imports, directly or through others."""
    found: set[Path] = set()
    waiting = imported(text)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting |= _content(path)[1]
    return "\0".join(_content(path)[0] for path in sorted(found))
