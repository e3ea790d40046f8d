"""Performance portability by numbers.

    PP = |H| / Σ 1/e_i                      the harmonic mean of efficiencies over platforms; 0 if one of them fails
    CD = mean over pairs of 1 - |c_i ∩ c_j| / |c_i ∪ c_j|          c_i: source lines that run on platform i; convergence 1 - CD
    DP = 1 - lines for one platform alone / lines that run there   the degree of portability
"""

from __future__ import annotations

import inspect
import itertools
import statistics
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import everlet

PACKAGE = Path(everlet.__file__).parent
Lines = dict[str, set[int]]  # by file of the package


def harmonic(efficiencies: list[float]) -> float:
    """PP.

    >>> [round(harmonic(one), 3) for one in ([0.76, 0.92, 0.94], [0.53, 0.49, 0.68], [0.27, 0.26], [0.9, 0.0])]
    [0.865, 0.556, 0.265, 0.0]
    """
    if not efficiencies or min(efficiencies) <= 0.0:
        return 0.0
    return len(efficiencies) / sum(1.0 / one for one in efficiencies)


def cascade(efficiencies: Mapping[str, float]) -> list[tuple[str, float, float]]:
    """Platforms from best to worst: name, efficiency, PP of all up to it.

    >>> [(name, round(all_of, 3)) for name, _, all_of in cascade({"a": 0.5, "b": 1.0})]
    [('b', 1.0), ('a', 0.667)]
    """
    order = sorted(efficiencies.items(), key=lambda one: -one[1])
    return [(name, one, harmonic([value for _, value in order[: k + 1]])) for k, (name, one) in enumerate(order)]


def _all(lines: Lines) -> set[tuple[str, int]]:
    return {(file, number) for file, numbers in lines.items() for number in numbers}


def divergence(platforms: Mapping[str, Lines]) -> float:
    """CD; 0 of one platform alone.

    >>> divergence({"a": {"f": {1, 2, 3}}, "b": {"f": {2, 3, 4}}})
    0.5
    """
    sets = [_all(one) for one in platforms.values()]
    pairs = [1.0 - len(a & b) / len(a | b) for a, b in itertools.combinations(sets, 2) if a | b]
    return statistics.fmean(pairs) if pairs else 0.0


def degree(platforms: Mapping[str, Lines]) -> dict[str, float]:
    """DP of each platform: the part of its lines that run on another one, too.

    >>> degree({"a": {"f": {1, 2}}, "b": {"f": {2, 3, 4, 5}}})
    {'a': 0.5, 'b': 0.25}
    """
    sets = {name: _all(one) for name, one in platforms.items()}
    found = {}
    for name, mine in sets.items():
        others: set[tuple[str, int]] = set().union(*(one for other, one in sets.items() if other != name))
        found[name] = len(mine & others) / len(mine) if mine else 0.0
    return found


def lines_of(action: Callable[[], Any], space: Any) -> Lines:
    """Lines of the package that run in an action: those of Python functions, and the texts of kernels that a space launches.
    What only defines something (bodies of modules and classes) is not counted."""
    found: Lines = {}
    folder = str(PACKAGE)

    def inside(frame: Any, event: str, _: Any) -> Any:
        if event == "line":
            found.setdefault(frame.f_code.co_filename, set()).add(frame.f_lineno)
        return inside

    def entered(frame: Any, event: str, _: Any) -> Any:
        code = frame.f_code
        return inside if code.co_flags & inspect.CO_OPTIMIZED and code.co_filename.startswith(folder) else None

    def watch(kernel: Any, items: Any, args: Any, launch: Callable[[], None]) -> None:
        for function in functions_of(kernel):
            code = function.__code__
            if code.co_filename.startswith(folder):
                numbers = {line for _, _, line in code.co_lines() if line}
                found.setdefault(code.co_filename, set()).update(numbers)
        launch()

    before, space.watch = sys.gettrace(), watch
    sys.settrace(entered)
    try:
        action()
    finally:
        sys.settrace(before)
        space.watch = None
    return {str(Path(file).relative_to(PACKAGE)): numbers for file, numbers in found.items()}


def functions_of(kernel: Any) -> list[Any]:
    """The Python functions that a kernel's text comes from: its body, and those that are compiled into it."""
    parts = [kernel.body, *(value for _, value in getattr(kernel, "statics", ()) or ())]
    return [one.body for one in parts if hasattr(one, "body") and hasattr(one.body, "__code__")]


def packed(lines: Lines) -> dict[str, list[list[int]]]:
    """Lines as ranges, for JSON.

    >>> packed({"f": {1, 2, 3, 7}})
    {'f': [[1, 3], [7, 7]]}
    """
    found = {}
    for file, numbers in sorted(lines.items()):
        ranges: list[list[int]] = []
        for number in sorted(numbers):
            if ranges and ranges[-1][1] == number - 1:
                ranges[-1][1] = number
            else:
                ranges.append([number, number])
        found[file] = ranges
    return found


def unpacked(ranges: Mapping[str, list[list[int]]]) -> Lines:
    """The other way round."""
    return {file: {n for first, last in many for n in range(first, last + 1)} for file, many in ranges.items()}
