"""Files that are compressed as their names end: .gz, .bz2, .xz, and .zst where a library for it is installed.

What is not .gz grows by members: each piece of text is compressed by itself, and programs read them as one file.
"""

from __future__ import annotations

import bz2
import gzip
import importlib
import lzma
import zlib
from collections.abc import Callable
from typing import IO, Any, cast

from everlet.errors import InputError
from everlet.inputs import open_text

GZIP = ".gz"
UNSUPPORTED = (".lz4", ".lzma", ".Z")
ZSTD = ("compression.zstd", "zstandard")  # of Python from 3.14 on, or a package


def zstd(path: str) -> Any:
    """A module with open(), and compress() of bytes."""
    for name in ZSTD:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise InputError(f"cannot compress or read '{path}': there is no library for .zst here",
                     "install the Python package zstandard, or use .gz")


def ending(path: str) -> str:
    """.gz, .bz2, .xz or .zst; empty: a plain file."""
    if path.endswith(UNSUPPORTED):
        raise InputError(f"cannot compress '{path}'", "use .gz, .bz2, .xz or .zst")
    return next((end for end in (GZIP, ".bz2", ".xz", ".zst") if path.endswith(end)), "")


def member(path: str) -> Callable[[bytes], bytes]:
    """What makes a whole member of a file of this name out of some bytes."""
    known: dict[str, Callable[[], Callable[[bytes], bytes]]] = {
        GZIP: lambda: gzip.compress, ".bz2": lambda: bz2.compress, ".xz": lambda: lzma.compress,
        ".zst": lambda: cast("Callable[[bytes], bytes]", zstd(path).compress)}
    return known[ending(path)]()


def open_compressed(path: str, mode: str, name: str = "") -> IO[Any]:
    """As open(), by the ending of `name`; text is UTF-8. What is read is bounded (inputs.py)."""
    name = name or path
    known: dict[str, Callable[..., Any]] = {
        "": open, GZIP: gzip.open, ".bz2": bz2.open, ".xz": lzma.open, ".zst": lambda *a, **k: zstd(name).open(*a, **k)}
    opener = known[ending(name)]
    if mode == "rt":
        return open_text(path, opener=opener)
    return cast("IO[Any]", opener(path, mode, encoding=None if "b" in mode else "utf-8"))


BROKEN = (EOFError, OSError, lzma.LZMAError, zlib.error)  # what reading a damaged file may end with
