"""Stamps: what `everlet verify` has found of a script, kept beside it, and named in the logs of its runs.

A stamp is good for the script, plugins and files that were read, as they were, for one device, precision and version.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from everlet.version import __version__

ENDING = ".verified.json"


def fingerprint(path: str | Path) -> str:
    """Of the bytes of a file; empty if it cannot be read."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def keep(script: str, files: Iterable[str], device: str, precision: str, lines: list[str], good: bool) -> Path:
    """Write the stamp of a script; of each device and precision the last one is kept."""
    path = Path(script + ENDING)
    stamps = [one for one in _stamps(script) if (one["device"], one["precision"]) != (device, precision)]
    stamps.append({"version": __version__, "device": device, "precision": precision, "agrees": good,
                   "when": time.strftime("%Y-%m-%d %H:%M"), "ways": lines,
                   "files": {name: fingerprint(name) for name in sorted({str(Path(script).resolve()), *files})}})
    path.write_text(json.dumps(stamps, indent=1) + "\n")
    return path


def _stamps(script: str) -> list[dict[str, Any]]:
    try:
        found = json.loads(Path(script + ENDING).read_text())
        return [one for one in found if {"version", "device", "precision", "agrees", "when", "files"} <= one.keys()]
    except (OSError, ValueError, AttributeError, TypeError):
        return []


def line(script: str, device: str, precision: str) -> str:
    """What a log says of a script: empty if it was never verified."""
    stamps = _stamps(script)
    if not stamps:
        return ""
    for one in stamps:
        if (one["device"], one["precision"]) == (device, precision):
            changed = [Path(name).name for name, known in one["files"].items() if fingerprint(name) != known]
            if one["version"] != __version__:
                changed.append(f"everlet (now {__version__}, then {one['version']})")
            if changed:
                return f"Verified on {one['when']}, but since then {', '.join(changed)} changed: everlet verify {script}"
            return (f"Verified on {one['when']}: all ways agree" if one["agrees"] else
                    f"WARNING: everlet verify found on {one['when']} that ways differ")
    return f"Verified, but not on {device} in {precision} precision: everlet verify {script}"
