"""Views as arguments of helpers: which ones a call may pass."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from everlet.portable.language.dtypes import Array
from everlet.portable.language.functions import Portable


def wrong_view(arrays: dict[str, tuple[int, str]], scatters: Iterable[str], helper: Portable, args: list[ast.expr]) -> str:
    """What is wrong with the two-dimensional views of a call; nothing, if they are what the helper takes.

    `arrays` has the caller's ones, their width and layout; helpers are compiled once, for rows.
    """
    annotations = helper.annotations()
    for parameter, arg in zip(helper.parameters(), args, strict=False):
        array, name = annotations.get(parameter), getattr(arg, "id", "")
        wanted = (array.width, "row", array.scatter) if isinstance(array, Array) and array.width else None
        given = (*arrays[name], name in scatters) if name in arrays else None
        if wanted != given:
            what = f"a view [:, {wanted[0]}] of row layout" if wanted else "no two-dimensional view"
            return f"'{parameter}' of '{helper.__name__}' is {what}{' to scatter to' if wanted and wanted[2] else ''}"
    return ""
