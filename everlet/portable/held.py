"""How much memory an object holds: found by following its attributes to the views, so that nobody has to say it."""

from __future__ import annotations

import functools
import gc
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from everlet.portable.programs import Kernel
from everlet.portable.spaces import Space
from everlet.portable.views import DualView, View

# what leads to no view, or to views that are not its own
LEAVES = (str, bytes, int, float, complex, np.ndarray, np.generic, np.dtype, type, types.ModuleType, types.FunctionType,
          types.MethodType, types.BuiltinFunctionType, functools.partial, Kernel, Space)
PLAIN = (list, tuple, set, frozenset)


def bytes_held(roots: Iterable[Any], beyond: tuple[type, ...] = ()) -> int:
    """Bytes of all arrays in views that these objects lead to, each array once; not through objects of the types `beyond`.

    >>> bytes_held([{"a": View(8, np.float64), "b": [View((2, 2), np.int32)]}])
    80
    """
    sizes: dict[int, int] = {}
    waiting, leaves = list(roots), (*LEAVES, *beyond)
    seen: dict[int, Any] = {}  # objects stay while their ids are compared
    known: dict[type, bool] = {type(None): True}  # whether objects of a type are leaves
    while waiting:
        one = waiting.pop()
        kind = type(one)
        leaf = known.get(kind)
        if leaf is None:
            leaf = known[kind] = issubclass(kind, leaves)
        if leaf or id(one) in seen:
            continue
        seen[id(one)] = one
        if isinstance(one, View):
            owner = one.data if one.data.base is None else one.data.base  # parts of an array share its memory
            sizes[id(owner)] = max(one.data.nbytes, sizes.get(id(owner), 0))
        elif isinstance(one, DualView):  # its other side is a copy on the host
            waiting.append(one.device)
        elif kind is dict:
            waiting += one.values()
        elif kind in PLAIN:  # classes made from them may refuse to say what they hold
            waiting += one
        else:
            waiting += gc.get_referents(one)  # asking for __dict__ would make Python slower at its attributes from then on
    return sum(sizes.values())
