"""Which lines of a script have seeds of random numbers."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.script.registry import command


def seeded(script: str) -> list[str]:
    """Command and seed, of lines as they are written.

    >>> seeded("velocity all create 1.44 87287 loop geom\\nfix 2 all langevin 1.0 1.0 0.1 48279")
    ['velocity: 87287', 'langevin: 48279']
    """
    found = []
    for line in script.splitlines():
        words = line.split("#")[0].split()
        name = words[0] if words else ""
        place, drawing, seed = command.says(name).seed
        if place and words[place : place + 1] == [drawing] and len(words) > seed:
            found.append(f"{name}: {words[seed]}")
        elif name == "fix" and len(words) > 4 and (at := _place(words[3])) and len(words) > at:
            found.append(f"{words[3]}: {words[at]}")
    return found


def _place(style: str) -> int:
    """Where the seed stands, by the text of a fix: `fix ID group langevin T_START T_STOP DAMP SEED`; 0: nowhere."""
    known = fix_style.get(style)
    usage = (known.__doc__ or "").split() if known is not None else []
    plain = [word.rstrip(":") for word in usage]
    return plain.index("SEED") - plain.index("fix") if "SEED" in plain and "fix" in plain else 0
