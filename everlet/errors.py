"""Errors a user can act on: cause, remedy and, when a script is running, the place."""

from __future__ import annotations

import difflib
import math
import operator
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol, SupportsFloat

LONGEST = 60  # characters of a word that a message shows
MOST_NAMES = 24  # that a message lists


class EverletError(Exception):
    """Base of all errors that are reported without a traceback.

    `remedy` says what to do about it. `where` is filled in by the script reader ("in.melt:12: pair_style lj/cut").
    """

    def __init__(self, cause: str, remedy: str = "", where: str = ""):
        super().__init__(cause)
        self.cause, self.remedy, self.where = cause, remedy, where

    def __str__(self) -> str:
        text = f"{self.where}\n  {self.cause}" if self.where else self.cause
        return f"{text}\n  -> {self.remedy}" if self.remedy else text


class EverletWarning(UserWarning):
    """What the log warns of, for programs: warnings.filterwarnings knows it by this name."""


class InputError(EverletError):
    """Something in the script, a file or an API call is wrong."""


class RunError(EverletError):
    """The simulation itself failed: lost atoms, NaN, overflow, out of memory."""


class OutputError(RunError):
    """A file cannot be written while a simulation runs."""


class AsksHost(EverletError):
    """A hook has asked the host for something that a replayed step would not ask for again: its steps are not replayed."""


class DeviceError(EverletError):
    """A device was asked for that is absent or unusable."""


def unknown(kind: str, name: str, known: Iterable[str], remedy: str = "") -> InputError:
    """Error for a name that is not registered, with the nearest known ones."""
    known = sorted(known)
    name = name if len(name) <= LONGEST else name[:LONGEST] + "..."
    if not known and not remedy:
        return InputError(f"unknown {kind} '{name}'", f"there is no {kind} yet: define it first")
    near = [one for one in known if one.lower() == name.lower()] or difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    few = ", ".join(known[:MOST_NAMES]) + (f" and {len(known) - MOST_NAMES} more" if len(known) > MOST_NAMES else "")
    hint = f"did you mean {' or '.join(near)}?" if near else f"known: {few}"
    return InputError(f"unknown {kind} '{name}'", remedy or hint)


class Names(Protocol):
    """What can be asked for a name, and lists them."""

    def __contains__(self, name: str, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...


def one_of(kind: str, name: str, known: Names, remedy: str = "") -> str:
    """The name, if it is one of those that are known; else the error that names the nearest."""
    if name not in known:
        raise unknown(kind, name, known, remedy)
    return name


def available(what: str, word: str, known: Names, refused: Mapping[str, str]) -> str:
    """The keyword, unless it is one of those that are refused, for these reasons, or not known at all."""
    if word in refused:
        raise InputError(f"{what} {word} is not available: {refused[word]}", "leave it out")
    return one_of(what, word, [*known, *refused])


def arguments(args: list[str], least: int, most: int | None, usage: str) -> None:
    """Check an argument count; `usage` is the syntax shown to the user."""
    if len(args) < least or (most is not None and len(args) > most):
        count = f"{least}" if most == least else f"{least} or more" if most is None else f"{least} to {most}"
        raise InputError(f"expected {count} arguments, found {len(args)}", f"usage: {usage}")


def no_arguments(args: list[str], what: str, style: str) -> None:
    if args:
        raise InputError(f"{what} {style} takes no arguments, found '{args[0]}'", f"usage: {what} ID group {style}")


def number(word: str, what: str = "a number") -> float:
    """`word` as a float, or an error that quotes it."""
    try:
        value = float(word) if "_" not in word else math.nan  # Python reads 1_000, scripts do not
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"expected {what}, found '{word}'", "write a finite number, for example 2.5 or 1e-3")
    return value


def above_zero(word: str, what: str, who: str, example: str) -> float:
    """`word` as a float above zero, or an error of `who`."""
    value = number(word, f"a {what}")
    if value <= 0.0:
        raise InputError(f"{who}: the {what} must be above zero, found {word}", f"for example {example}")
    return value


def integer(word: str, what: str = "an integer") -> int:
    """`word` as an int, or an error that quotes it."""
    if not re.fullmatch(r"[+-]?[0-9]+", word):
        raise InputError(f"expected {what}, found '{word}'", "write a whole number, for example 100")
    if len(word) > 20 or abs(int(word)) >= 2**63:
        raise InputError(f"expected {what}, found '{word[:LONGEST]}', which is too large", "numbers have 63 bits")
    return int(word)


def plain_value(word: str) -> int | float | str:
    """A whole number, a number, or the word itself."""
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


def whole_number(value: Any, what: str) -> int:
    """A number of a program as an int: 10 and 10.0 are, 10.5, "10" and True are not."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise InputError(f"{what} must be a whole number, found {value!r}", "give an integer, for example 100")


def a_number(value: Any, what: str) -> float:
    """A finite number of a program: 10 and 0.5 are, "10", NaN and True are not."""
    if isinstance(value, SupportsFloat) and not isinstance(value, bool) and math.isfinite(float(value)):
        return float(value)
    raise InputError(f"{what} must be a finite number, found {str(value)[:LONGEST]!r}", "give one, for example 0.5")


def a_text(value: Any, what: str, path: bool = False) -> str:
    """A text of a program, or a path too; anything else is refused."""
    if path and isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        return value
    raise InputError(f"{what} must be a text{' or a path' if path else ''}, found {str(value)[:LONGEST]!r} of type "
                     f"{type(value).__name__}", "give a str")


def as_words(args: Any, what: str) -> list[str]:
    """Arguments of a program as the words of a script: a list of texts and numbers."""
    if not isinstance(args, (list, tuple)) or not all(isinstance(one, (str, int, float)) for one in args):
        raise InputError(f"{what} must be a list of texts and numbers, found {str(args)[:LONGEST]!r} of type "
                         f"{type(args).__name__}", 'for example ["temp", 1.0, 1.0, 0.5]')
    return [one if isinstance(one, str) else repr(one) for one in args]


def yes_no(word: str, what: str) -> bool:
    """`yes/on/true` or `no/off/false`, or an error that quotes the word."""
    if word in ("yes", "on", "true"):
        return True
    if word in ("no", "off", "false"):
        return False
    raise InputError(f"{what} takes yes or no, found '{word}'", "write yes or no")
