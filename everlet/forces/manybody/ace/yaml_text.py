"""The part of YAML that potential files are written in: mappings and sequences, in blocks or in brackets, of words and numbers.

Lists of numbers, which are most of such a file, become arrays at once. Keys may be lists themselves, as in `[0, 1]: {…}`;
these become tuples.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from everlet.errors import InputError, plain_value

TOKEN = re.compile(r"""\s*(?:(?P<numbers>\[[-+.\deE,\s]*\])|(?P<sign>[\[\]{},:])|"(?P<double>[^"]*)"|'(?P<single>[^']*)'"""
                   r"""|(?P<word>[^\s\[\]{},:"'](?:[^\[\]{},:"']*[^\s\[\]{},:"'])?))""")
KEY = re.compile(r"""(\[[^\]]*\]|"[^"]*"|'[^']*'|[^\s\[\]{},:"'#][^\[\]{},:"'#]*?)\s*:(?:\s+|$)""")


def scalar(word: str) -> Any:
    """A number if it is one."""
    return {"true": True, "false": False, "null": None, "~": None}.get(word.lower(), plain_value(word))


class Reader:
    """Lines with something in them: number, indent and text."""

    def __init__(self, path: str, text: str):
        self.path, self.lines, self.at = path, list[tuple[int, int, str]](), 0
        for number, line in enumerate(text.splitlines(), 1):
            if "#" in line:
                line = re.sub(r"(^|\s)#.*", "", line)
            words = line.strip()
            if words and words not in ("---", "...") and not words.startswith("%"):
                self.lines.append((number, len(line) - len(line.lstrip()), words))

    def fail(self, cause: str, line: int = 0) -> InputError:
        number = line or self.lines[min(self.at, len(self.lines) - 1)][0] if self.lines else 1
        return InputError(f"{self.path}, line {number}: {cause}", "is the file complete, and of the right format?")

    def document(self) -> Any:
        value = self.block(0) if self.lines else None
        if self.at < len(self.lines):
            raise self.fail(f"'{self.lines[self.at][2][:40]}' does not belong to what comes before")
        return value

    # ---- blocks
    def block(self, least: int) -> Any:
        """What begins in this line and is indented as far."""
        indent = self.lines[self.at][1]
        if indent < least:
            return None
        text = self.lines[self.at][2]
        if text.startswith("- ") or text == "-":
            return self.sequence(indent)
        if text.startswith("? ") or KEY.match(text):
            return self.mapping(indent)
        return self.value(text)

    def mapping(self, indent: int) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        while self.at < len(self.lines) and self.lines[self.at][1] == indent:
            number, _, text = self.lines[self.at]
            if text.startswith("? "):
                key = self.key(text[2:].strip())
                self.at += 1
                text = self.lines[self.at][2] if self.at < len(self.lines) else ""
                if not text.startswith(":"):
                    raise self.fail("a value with ':' should follow the key", number)
                rest = text[1:].strip()
            else:
                match = KEY.match(text)
                if not match:
                    raise self.fail(f"expected a key and ':', found '{text[:40]}'")
                key, rest = self.key(match[1]), text[match.end() :]
            if key in found:
                raise self.fail(f"{key} comes twice")
            found[key] = self.rest(rest, indent)
        return found

    def sequence(self, indent: int) -> list[Any]:
        found = []
        while self.at < len(self.lines) and self.lines[self.at][1] == indent and self.lines[self.at][2][:2] in ("- ", "-"):
            number, _, text = self.lines[self.at]
            inside = text[1:].lstrip()
            if inside and KEY.match(inside) and inside[0] != "{":  # a mapping that begins behind the dash
                self.lines[self.at] = number, indent + len(text) - len(inside), inside
                found.append(self.mapping(indent + len(text) - len(inside)))
            else:
                found.append(self.rest(inside, indent))
        return found

    def rest(self, text: str, indent: int) -> Any:
        """What stands behind a key or a dash, or below it."""
        if text:
            return self.value(text)
        self.at += 1
        if self.at < len(self.lines) and (self.lines[self.at][1] > indent or
                                          self.lines[self.at][1] == indent and self.lines[self.at][2].startswith("- ")):
            return self.block(indent)
        return None

    def key(self, text: str) -> Any:
        if text.startswith("["):
            return tuple(int(n) if n == int(n) else n for n in self.brackets(text))
        return text[1:-1] if text[0] in "\"'" else scalar(text)

    # ---- values
    def value(self, text: str) -> Any:
        """A word, or all up to the last bracket; the lines that it takes are done."""
        if text[0] not in "[{":
            self.at += 1
            return text[1:-1] if text[0] in "\"'" and text[-1] == text[0] else scalar(text)
        begin, parts = self.at, [text]
        depth = sum(map(text.count, "[{")) - sum(map(text.count, "]}"))
        while depth > 0:
            self.at += 1
            if self.at == len(self.lines):
                raise self.fail("the file ends before the bracket that begins here", self.lines[begin][0])
            more = self.lines[self.at][2]
            depth += sum(map(more.count, "[{")) - sum(map(more.count, "]}"))
            parts.append(more)
        value = self.brackets(" ".join(parts), self.lines[begin][0])
        self.at += 1
        return value

    def brackets(self, text: str, line: int = 0) -> Any:
        tokens, end = [], 0
        while end < len(text):
            match = TOKEN.match(text, end)
            if not match:
                if text[end:].strip():
                    raise self.fail(f"'{text[end : end + 20]}' cannot be read", line)
                break
            tokens.append((match.lastgroup, match[match.lastgroup or 0]))
            end = match.end()
        value, used = self.item(tokens, 0, line)
        if used != len(tokens):
            raise self.fail(f"'{tokens[used][1]}' after the last bracket", line)
        return value

    def item(self, tokens: list[Any], at: int, line: int) -> tuple[Any, int]:
        """The value that begins with a token, and where the next one is."""
        if at >= len(tokens):
            raise self.fail("a bracket has no end", line)
        kind, text = tokens[at]
        if kind == "numbers":
            inside = text[1:-1].strip().rstrip(",")
            try:
                return np.array(inside.split(",") if inside else [], float), at + 1
            except ValueError:
                raise self.fail(f"'{text[:40]}' is not a list of numbers", line) from None
        if kind != "sign":
            return (scalar(text) if kind == "word" else text), at + 1
        if text not in "[{":
            raise self.fail(f"unexpected '{text}'", line)
        end, whole, at = "]" if text == "[" else "}", (list[Any]() if text == "[" else dict[Any, Any]()), at + 1
        while True:
            if at < len(tokens) and tokens[at] == ("sign", end):
                return whole, at + 1
            one, at = self.item(tokens, at, line)
            if isinstance(whole, dict):
                if at >= len(tokens) or tokens[at] != ("sign", ":"):
                    raise self.fail(f"expected ':' after '{one}'", line)
                whole[tuple(one.astype(int).tolist()) if isinstance(one, np.ndarray) else one], at = self.item(tokens, at + 1,
                                                                                                             line)
            else:
                whole.append(one)
            if at < len(tokens) and tokens[at] == ("sign", ","):
                at += 1
            elif at >= len(tokens) or tokens[at] != ("sign", end):
                raise self.fail(f"expected ',' or '{end}'", line)
