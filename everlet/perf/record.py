"""Result files: JSON with the machine, the version and the commit that the numbers belong to."""

from __future__ import annotations

import datetime
import json
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from everlet.errors import DeviceError, InputError
from everlet.io.files import whole_file
from everlet.perf import about
from everlet.portable import Space
from everlet.version import __version__


def commit() -> str:
    """The commit of the source this runs from; '+' if files were changed since; '' for an installed package."""
    source = Path(__file__).parents[2]
    if not (source / ".git").exists():
        return ""
    try:
        return _git(source, "rev-parse", "--short", "HEAD") + ("+" if _git(source, "status", "--porcelain", "-uno") else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


def _git(source: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(source), *words], capture_output=True, text=True, check=True).stdout.strip()


def measurable(space: Space) -> None:
    """Refuse what has no clock here."""
    if not space.timed:
        raise DeviceError(f"nothing here takes times of work on {space} yet", "use --device cpu; everlet run prints times")


def stamp(space: Space) -> dict[str, Any]:
    """Where and with what something was measured. `load` is the number of busy processes when it began."""
    measurable(space)
    return {"machine": space.machine(), "device": about.device(space), "versions": about.versions(),
            "system": f"{platform.system()} {platform.machine()}",
            "everlet": __version__, "commit": commit(), "python": platform.python_version(),
            "date": datetime.date.today().isoformat(), "load": round(os.getloadavg()[0], 2)}


def write(path: str, content: dict[str, Any]) -> None:
    """Write a result file, whole or not at all."""
    write_text(path, json.dumps(content, indent=1) + "\n")


def write_text(path: str, text: str) -> None:
    """The same for text; the folder is made."""
    folder = os.path.dirname(path)
    try:
        if folder:
            os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder '{folder}': {error.strerror}", "choose another place") from None
    with whole_file(path) as stream:
        stream.write(text)


def table(head: list[str], rows: list[list[str]]) -> str:
    """Columns of text: the first to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = []
    for row in (head, *rows):
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join([row[0].ljust(widths[0]), *cells]).rstrip())
    return "\n".join(lines)
