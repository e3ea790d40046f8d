"""A wall of the Morse form."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.walls.energy import Wall
from everlet.portable import exp, portable


@portable
def morse(r, depth, alpha, r0, cutoff):
    """E = D (e^(-2 alpha (r - r0)) - 2 e^(-alpha (r - r0))); and -dE/dr."""
    e = exp(-alpha * (r - r0))
    return depth * (e * e - 2.0 * e), 2.0 * depth * alpha * (e * e - e)


@fix_style("wall/morse")
class WallMorse(Wall):
    """fix ID group wall/morse xlo|… PLACE D ALPHA R0 CUTOFF …: E = D (e^(-2 ALPHA (r - R0)) - 2 e^(-ALPHA (r - R0)))."""

    law = morse
    coefficients = ("D", "ALPHA", "R0")
    variables = ("D", "ALPHA", "R0")
