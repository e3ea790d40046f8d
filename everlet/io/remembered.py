"""Measurements kept for the next run: small JSON files in the cache directory, by machine and question.

    remembered.put("tune", "aarch64 neoverse-n1 | lj/cut | ...", {"half": 398.0})
    remembered.get("tune", "aarch64 neoverse-n1 | lj/cut | ...")

They are a convenience: a file that is missing, damaged or cannot be written means that things are measured again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from everlet.errors import EverletError
from everlet.portable import cache


def _path(topic: str) -> Path:
    return cache.directory() / f"{topic}.json"


def _all(topic: str) -> dict[str, Any]:
    try:
        found = json.loads(_path(topic).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def get(topic: str, key: str) -> dict[str, Any]:
    """What is known; empty if nothing is."""
    found = _all(topic).get(key)
    return found if isinstance(found, dict) else {}


def put(topic: str, key: str, value: dict[str, Any]) -> None:
    """Keep a value. The file is replaced whole; of two processes at the same moment one may lose its entry."""
    try:
        cache.write(_path(topic), json.dumps({**_all(topic), key: value}, indent=1, sort_keys=True) + "\n")
    except EverletError:
        return  # no room for it: the next run measures again
