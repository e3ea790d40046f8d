"""Options of `everlet bench` and `everlet study`: `--name VALUE` or `--name=VALUE`, lists with commas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from everlet.errors import InputError, integer, number, unknown
from everlet.flags import Flags

Reader = Callable[[str, str], Any]  # (value, flag) -> what is meant


def word(text: str, flag: str) -> str:
    if not text:
        raise InputError(f"{flag} needs a value", "for example: --json out.json")
    return text


def positive(text: str, flag: str) -> int:
    found = integer(text, f"a whole number for {flag}")
    if found < 1:
        raise InputError(f"{flag} needs a positive number, found {text}", f"for example: {flag} 4")
    return found


def natural(text: str, flag: str) -> int:
    found = integer(text, f"a whole number for {flag}")
    if found < 0:
        raise InputError(f"{flag} cannot be negative, found {text}", f"for example: {flag} 20")
    return found


def percent(text: str, flag: str) -> int:
    found = integer(text, f"a percentage for {flag}")
    if not 0 <= found <= 100:
        raise InputError(f"{flag} needs percentages, found {text}", f"for example: {flag} 0,50,100")
    return found


def length(text: str, flag: str) -> float:
    found = number(text, f"a length for {flag}")
    if found <= 0:
        raise InputError(f"{flag} needs a positive number, found {text}", f"for example: {flag} 2.5")
    return found


def one_of(*known: str) -> Reader:
    def read(text: str, flag: str) -> str:
        if text not in known:
            raise unknown(f"value of {flag}", text, known)
        return text

    return read


def many(read: Reader) -> Reader:
    """A list with commas, without empty places and repetitions."""
    return lambda text, flag: list(dict.fromkeys(read(part, flag) for part in text.split(",")))


def helped(words: list[str], page: str | None) -> bool:
    """Whether help is asked for, which is then shown."""
    asked = not words or words[0] in ("-h", "--help", "help") or bool({"-h", "--help"} & set(words[1:]))
    if asked:
        print(str(page).strip())
    return asked


def parse(words: list[str], known: dict[str, tuple[Reader, Any]], usage: str) -> dict[str, Any]:
    """Values by name (without dashes), the defaults of `known` where nothing is given."""
    flags = Flags(usage)
    for name in known:
        flags.add(name)
    given, others = flags.read(words)
    if others:
        raise InputError(f"unexpected word '{others[0]}'", f"usage: {usage}")
    return {name: default for name, (_, default) in known.items()} | {
        name: known[name][0](value, flag) for name, flag, (value,) in given}
