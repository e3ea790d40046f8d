"""Formulas of potentials: called with the numbers they ask for, differentiated, and brought to one form for loops."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from everlet.errors import EverletError, InputError
from everlet.portable import Portable
from everlet.portable.language.autodiff import differentiate
from everlet.portable.language.functions import written

Values = dict[str, float]


def ask(function: Callable[..., Any], values: Values) -> Any:
    """Call `function` with those of the values that its parameters name."""
    wanted = _parameters(getattr(function, "__func__", function), hasattr(function, "__self__"))
    absent = [name for name in wanted if name not in values]
    if absent:
        raise InputError(f"{function.__qualname__} asks for '{absent[0]}', which is not a coefficient",
                         f"known: {', '.join(values)}")
    try:
        return function(**{name: values[name] for name in wanted})
    except EverletError:
        raise
    except Exception as error:  # a formula of the user's own
        given = ", ".join(f"{name} = {values[name]:g}" for name in wanted)
        raise InputError(f"{function.__qualname__} fails for {given}: {type(error).__name__}: {error}",
                         "correct the function, or the coefficients") from error


@functools.cache
def _parameters(function: Callable[..., Any], bound: bool) -> list[str]:
    """Names of parameters, remembered: a style of many types asks thousands of times."""
    return list(inspect.signature(function).parameters)[bound:]


@functools.cache
def with_data(formula: Portable, parameters: str = "r2, p") -> Portable:
    """The formula with one more parameter, the numbers of tabulated styles, which others need not name."""
    if formula.body.__code__.co_argcount > parameters.count(",") + 1:
        return formula
    # `formula` is not the name of a static that stands for it in loops
    return written(f"def without_data({parameters}, data):\n    return formula({parameters})\n",
                   f"{formula.body.__qualname__} with data", formula=formula)


@functools.cache
def differentiated(energy: Portable, fields: tuple[str, ...]) -> Portable:
    """A portable pair(r2, p) from a portable energy(r2, p); one object per formula, so that kernels are made once."""
    return written(differentiate(energy.body, fields), f"force of {energy.body.__qualname__}")
