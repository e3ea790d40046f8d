"""Lines and words of a script: continuation, comments, quotes, substitution.

    &               at the end of a line: the next line is appended
    # ...           a comment, outside quotes
    "..." '...'     one word, taken as it is; what reads the word may substitute variables in it (print, if, variable)
    triple quotes   the same over several lines; quotes inside are kept
    $x ${name}      the value of a variable
    $(formula)      the value of a formula with 20 digits, $(formula:%8.3f) by a format
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from everlet.errors import InputError
from everlet.script.variables import formatted

LONGEST = 1 << 20  # letters of a line
TRIPLE = '"""'
QUOTES = frozenset("\"'")
PLAIN = re.compile("[^\"'$]*")  # what stays as it is


def logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines joined over & and triple quotes, each with the number of its first line (from 1)."""
    joined, first = "", 0
    lines = re.split(r"\r\n|\n|\r", text)  # not splitlines(): a form feed or an odd letter in a comment ends no line
    if lines[-1] == "":
        lines.pop()
    for count, line in enumerate(lines, 1):
        first = first or count
        joined += line
        if joined.rstrip().endswith("&"):
            joined = joined.rstrip()[:-1]
        elif _open_triple(joined):
            joined += "\n"
        else:
            yield first, joined
            joined, first = "", 0
    if first:
        raise InputError("the script ends inside a continued line" if not _open_triple(joined) else
                         "the script ends inside triple quotes", f"the line begins at line {first}")


def _open_triple(text: str) -> bool:
    """Triple quotes are open at the end of the text; those in a comment do not count."""
    return text.count(TRIPLE) % 2 == 1 and without_comment(text, check=False).count(TRIPLE) % 2 == 1


def quote_end(text: str, start: int) -> int:
    """The index just past the quoted text that begins at `start`."""
    mark = TRIPLE if text.startswith(TRIPLE, start) else text[start]
    end = text.find(mark, start + len(mark))
    if end < 0:
        kind = {TRIPLE: "triple", '"': "double", "'": "single"}[mark]
        raise InputError(f"{kind} quotes are opened at {text[start:].split(chr(10), maxsplit=1)[0]} and never closed",
                         "close the quotes")
    return end + len(mark)


def without_comment(text: str, check: bool = True) -> str:
    """The text up to a # outside quotes. With `check` unclosed quotes are an error."""
    i = 0 if QUOTES.intersection(text) else max(text.find("#"), 0) if "#" in text else len(text)
    while i < len(text):
        if text[i] == "#":
            return text[:i]
        if text[i] in "\"'":
            try:
                i = quote_end(text, i)
            except InputError:
                if check:
                    raise
                return text
        else:
            i += 1
    return text


def split(text: str) -> list[str]:
    """Words at blanks; a quoted text is one word without its quotes.

    >>> split('print "a b" file x')
    ['print', 'a b', 'file', 'x']
    """
    if not QUOTES.intersection(text):
        return text.split()
    words: list[str] = []
    i = 0
    while True:
        while i < len(text) and text[i].isspace():
            i += 1
        if i == len(text):
            return words
        if text[i] in "\"'":
            end = quote_end(text, i)
            width = 3 if text.startswith(TRIPLE, i) else 1
            if end < len(text) and not text[end].isspace():
                raise InputError(f"a closing quote must be followed by a blank: {text[i : end + 10]}",
                                 "put a blank after the quote")
            words.append(text[i + width : end - width])
        else:
            end = i
            while end < len(text) and not text[end].isspace():
                end += 1
            words.append(text[i:end])
        i = end


Fill = Callable[[Any], str]  # what a $ stands for: a function of the Variables


@lru_cache(maxsize=5000)
def template(text: str) -> tuple[str | Fill, ...]:
    """A text cut at each $ outside quotes, read once: pieces that stay as they are, and functions for the others."""
    found: list[str | Fill] = []
    i = 0
    while i < len(text):
        if text[i] in "\"'":
            end = quote_end(text, i)
            found.append(text[i:end])
        elif text[i] == "$":
            new, end = _replacement(text, i)
            found.append(new)
        else:
            end = PLAIN.match(text, i).end()  # type: ignore[union-attr]
            found.append(text[i:end])
        i = end
    return tuple(found)


def substitute(text: str, variables: Any) -> str:
    """Replace $x, ${name} and $(formula) outside quotes; values are not looked at again."""
    if "$" not in text:
        return text
    ready = "".join([piece if type(piece) is str else piece(variables) for piece in template(text)])  # type: ignore[operator]
    if len(ready) > LONGEST:
        raise InputError(f"with its variables in place, the line has more than {LONGEST} letters: {text[:60]}",
                         "does a variable hold itself twice?")
    return ready


def _replacement(text: str, start: int) -> tuple[Fill, int]:
    """What gives the value for the $ at `start`, and the index past it."""
    opening = text[start + 1 : start + 2]
    if opening == "(":
        end = _closing(text, start + 1)
        formula, colon, form = text[start + 2 : end - 1].partition(":%")
        return lambda variables: immediate(formula, "%" + form if colon else "%.20g", variables), end
    if opening == "{":
        end = text.find("}", start)
        if end < 0:
            raise InputError(f"missing }} after {text[start:]}", "close the name: ${name}")
        name, end = text[start + 2 : end], end + 1
    else:
        name, end = opening, start + 2

    def fill(variables: Any) -> str:
        if name in variables:
            return variables.text(name)
        if not name.isidentifier():
            raise InputError(f"$ is not followed by a variable name: {text[start : start + 12]}",
                             "write $x for a name of one letter, ${name} for others")
        longer = opening != "{" and text[end : end + 1].isalnum()
        hint = "a longer name needs braces: ${name}" if longer else f"define it first: variable {name} ..."
        raise InputError(f"variable '{name}' is not defined", hint)

    return fill, end


def _closing(text: str, start: int) -> int:
    """The index past the parenthesis that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i + 1
    raise InputError(f"missing ) after ${text[start:]}", "close the formula: $(...)")


def immediate(formula: str, form: str, variables: Any) -> str:
    """The value of a formula as text."""
    return formatted(variables.formula(formula), form)


class Line:
    """A line of a script, read once: loops come to it many times.

    bare    without its comment
    name    its first word, as it stands there
    fixed   it has no $ outside quotes
    """

    def __init__(self, text: str):
        self.bare = without_comment(text)
        self.name = next(iter(self.bare.split(None, 1)), "")
        self.fixed = all(isinstance(piece, str) for piece in template(self.bare))
        self._words = split(self.bare) if self.fixed else []

    def words(self, ready: str) -> list[str]:
        """Its words, when variables are in their places."""
        return self._words.copy() if self.fixed else split(ready)


@lru_cache(maxsize=5000)
def read_line(text: str) -> Line:
    return Line(text)


def without_files(args: list[str]) -> list[str]:
    """The words of a fix without the files that it would write.

    >>> without_files(["1", "all", "ave/time", "1", "1", "10", "c_1", "file", "out.txt", "mode", "scalar"])
    ['1', 'all', 'ave/time', '1', '1', '10', 'c_1', 'mode', 'scalar']
    """
    found, rest = list(args[:3]), list(args[3:])
    while rest:
        word = rest.pop(0)
        if word in ("file", "append") and rest and args[2].startswith(("ave/", "print", "vector")):
            rest.pop(0)
        else:
            found.append(word)
    return found
