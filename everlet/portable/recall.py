"""Texts of kernels that were made before: rewriting a function takes milliseconds, and reading what came of it does not.

A kernel is described by all that its text depends on: what was asked for (programs.Kernel), the text of its functions and of
all that they call, the values of names that these texts have, this room's own sources, and Python. The description names a
small file in the cache, which says where the text is:

    t_<name>_<hash>.txt        k_<name>_<hash>.py, and the digest of what is in it, sealed by the user (trust.py)

The text is taken if it still has this digest; then it is what would be made. A kernel that cannot be described, since an
annotation calls something or asks for an attribute, is made anew each time.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import sys
import time
import unicodedata
from pathlib import Path
from typing import Any

from everlet.portable import cache, trust
from everlet.portable.language.dtypes import Array, Dtype, Scatter
from everlet.portable.language.functions import Portable
from everlet.portable.language.words import VOCABULARY

NAMES = re.compile(r"[^\W\d]\w*")
PLAIN = re.compile(r"[\w\s\[\]:,+*-]*")  # annotations without calls and attributes
NUMBERS = (int, float, bool)


class NotDescribed(Exception):
    """Something in a kernel has no description that is as exact as itself."""


def _stamps() -> list[tuple[str, int, int, int]]:
    """This room's sources, with times of their last changes and their sizes."""
    found = []
    for folder, _, names in os.walk(os.path.dirname(__file__)):
        for name in names:
            if name.endswith(".py"):
                place = os.path.join(folder, name)
                stat = os.stat(place)
                found.append((place, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size))
    return sorted(found)


IMPORTED, NOW = _stamps(), time.time_ns()
JUST = 2_000_000_000  # ns: a file that is younger than this may have changed while others were imported


@functools.cache
def rules() -> str:
    """The digest of this room's sources, which make texts of functions, and of Python, which writes them. Empty if a source may
    be another than the one that was imported, or is no file: what this process makes then is remembered under no name."""
    found = hashlib.sha256(sys.version.encode())
    for place, *_ in IMPORTED:
        with open(place, "rb", buffering=0) as file:
            found.update(f"\0{place}\0".encode() + file.read())
    late = any(max(changed, moved) > NOW - JUST for _, changed, moved, _ in IMPORTED)
    return "" if not IMPORTED or late or _stamps() != IMPORTED else found.hexdigest()


class Description:
    """All that the text of a kernel (programs.Kernel) depends on. Functions have numbers in the order in which they are met:
    one that is used twice is in a text once."""

    def __init__(self, kernel: Any):
        self.numbers: dict[int, int] = {}
        self.facts: list[Any] = []
        for part in (kernel, *kernel.parts):
            statics = [(name, self.value(value)) for name, value in part.statics]
            self.facts.append((part.name, self.function(part.body), part.sums, part.precision, part.fields, part.team, statics,
                               part.layouts, part.league, part.same, part.width, part.fast, part.ranged, len(part.parts)))

    def value(self, value: Any) -> str:
        """Of what is compiled in: a number or a function."""
        if isinstance(value, Portable):
            return f"function {self.function(value)}"
        if type(value) not in NUMBERS:
            raise NotDescribed
        return repr(value)

    def function(self, function: Portable) -> int:
        number = self.numbers.get(id(function))
        if number is None:
            number = self.numbers[id(function)] = len(self.numbers)
            text, scope = function.text(), function.scope()
            written = NAMES.findall(text if text.isascii() else unicodedata.normalize("NFKC", text))
            seen = [(name, self.seen(name, scope[name])) for name in sorted(set(written)) if name in scope]
            self.facts.append((number, function.__name__, text, seen, self.annotations(function, scope)))
        return number

    def seen(self, name: str, value: Any) -> str:
        """What the value of a name means to the compiler (language/compiler.py)."""
        if isinstance(value, Portable) or type(value) in NUMBERS:
            return self.value(value)
        if isinstance(value, (Dtype, Array)) or value is None:
            return repr(value)
        if value is VOCABULARY.get(name):
            return "word"
        return f"{type(value).__name__} of {getattr(value, '__module__', '')}"  # it has no meaning there, or its name has

    def annotations(self, function: Portable, scope: dict[str, Any]) -> list[tuple[str, str]]:
        """Those of parameters, which are evaluated: as they are written, where every name is known."""
        found = []
        for name, given in function.body.__annotations__.items():
            if name == "return":
                continue
            if isinstance(given, str):
                named = [scope[one] for one in NAMES.findall(given) if one in scope]
                if not PLAIN.fullmatch(given) or not all(isinstance(one, (Dtype, Array, Scatter, *NUMBERS)) for one in named):
                    raise NotDescribed
            elif not isinstance(given, (Dtype, Array)):
                raise NotDescribed
            found.append((name, repr(given)))
        return found


def key(kernel: Any, target: str, widest: int, width: int) -> str:
    """The name of a text for so many threads that share an item, and so many lanes; empty if what it depends on cannot be
    told."""
    try:
        facts, known = Description(kernel).facts, rules()
    except (NotDescribed, ValueError, OSError):  # or a name of an outer function that has no value yet; a source is gone
        return ""
    if not known:
        return ""
    said = (known, target, widest, width, facts)
    return f"t_{kernel.name}_{hashlib.sha256(repr(said).encode()).hexdigest()[:20]}.txt"


def text(key: str, target: str) -> str:
    """The text with this key, if it was made before and nobody has touched it since; else empty."""
    for place in (cache.shared(), cache.directory()):
        if key and place is not None:
            try:
                file, _, said = trust.read(place / key).decode().partition(" ")
                found = trust.read(place / Path(file).name)
                if trust.genuine(place / key, hashlib.sha256(found).hexdigest(), said):
                    return found.decode().removeprefix(f"{cache.HEAD}{target}\n")
            except (OSError, ValueError):  # missing, or not this user's
                continue
    return ""


def keep(key: str, path: Path) -> None:
    """Remember where a text is."""
    if key and path.parent != cache.shared():
        place = path.with_name(key)
        cache.write(place, f"{path.name} {trust.seal(place, hashlib.sha256(trust.read(path)).hexdigest())}")
