"""Formulas of potentials: called with the numbers they ask for, differentiated, and brought to one form for loops."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from everlet.errors import EverletError, InputError
from everlet.portable import Portable, portable
from everlet.portable.language.autodiff import differentiate
from everlet.portable.language.words import VOCABULARY

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
def with_data(formula: Portable) -> Portable:
    """The formula with a third parameter, the numbers of tabulated styles, which others need not name."""
    if formula.body.__code__.co_argcount == 3:
        return formula

    @portable
    def without_data(r2, p, data):
        return formula(r2, p)  # not named as the static that stands for it in loops

    return without_data


@functools.cache
def arm_with_data(formula: Portable) -> Portable:
    """The same for the function of one distance of three-body styles."""
    if formula.body.__code__.co_argcount == 3:
        return formula

    @portable
    def without_data(r, p, data):
        return formula(r, p)

    return without_data


@functools.cache
def angle_with_data(formula: Portable) -> Portable:
    """For that of angles."""
    if formula.body.__code__.co_argcount == 9:
        return formula

    @portable
    def without_data(r, u, du, s, v, dv, c, p, data):
        return formula(r, u, du, s, v, dv, c, p)

    return without_data


@functools.cache
def bond_with_data(formula: Portable) -> Portable:
    """And for that of bonds."""
    if formula.body.__code__.co_argcount == 6:
        return formula

    @portable
    def without_data(r, u, du, zeta, p, data):
        return formula(r, u, du, zeta, p)

    return without_data


@functools.cache
def differentiated(energy: Portable, fields: tuple[str, ...]) -> Portable:
    """A portable pair(r2, p) from a portable energy(r2, p); one object per formula, so that kernels are made once."""
    source = differentiate(energy.body, fields)
    scope: dict[str, Any] = dict(VOCABULARY)
    exec(compile(source, f"<force of {energy.body.__qualname__}>", "exec"), scope)
    return Portable(scope["pair"], source)
