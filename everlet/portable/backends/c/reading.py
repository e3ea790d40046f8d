"""What the emitter asks about parts of a text."""

from __future__ import annotations

import ast
from pathlib import Path


def known(test: ast.expr) -> bool | None:
    """What a condition without names is; None if it has names.

    >>> known(ast.parse("2 < 2", mode="eval").body), known(ast.parse("k < 2", mode="eval").body)
    (False, None)
    """
    if any(isinstance(node, (ast.Name, ast.Call)) for node in ast.walk(test)):
        return None
    return bool(eval(compile(ast.fix_missing_locations(ast.Expression(test)), "", "eval")))


def within(place: str) -> str:
    """A path of this package as it stands in the repository."""
    root = f"{Path(__file__).parents[4]}/"
    return place.removeprefix(root)


def bare(text: str) -> str:
    """Without brackets around all of it.

    >>> bare("(a + b)"), bare("(a) + (b)")
    ('a + b', '(a) + (b)')
    """
    if not text.startswith("(") or not text.endswith(")"):
        return text
    depth = 0
    for k, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return text[1:-1] if k == len(text) - 1 else text
    return text


def apart(target: ast.Tuple, value: ast.Tuple) -> bool:
    """Whether a, b = c, d is the same as a = c and then b = d."""
    written: set[str] = set()
    for one, given in zip(target.elts, value.elts, strict=True):
        if not isinstance(one, ast.Name) or written & {node.id for node in ast.walk(given) if isinstance(node, ast.Name)}:
            return False
        written.add(one.id)
    return True
