"""Tests of the `if` command: numbers and words with comparisons and logic, no arithmetic.

    "${a} < 3 && (${name} == argon || !${flag})"

Precedence, tightest first: !, then < <= > >=, then == !=, then &&, then || |^. Numbers are true if they are not zero.
Words can only be compared with words, by == and !=.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

from everlet.errors import InputError

TOKEN = re.compile(r"\s*(?:(?P<sign>\|\||\|\^|&&|==|!=|<=|>=|[<>!()])|(?P<word>[\w./:+-]+))")
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
LEVELS: tuple[dict[str, Callable[[float, float], bool]], ...] = (
    {"||": lambda a, b: bool(a or b), "|^": lambda a, b: bool(a) != bool(b)},
    {"&&": lambda a, b: bool(a and b)},
    {"==": operator.eq, "!=": operator.ne},
    {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge},
)
EQUALITY = 2  # the level where words are allowed


class Test:
    """Recursive descent over one test."""

    __test__ = False  # not for pytest

    def __init__(self, text: str):
        self.text, self.position = text, 0
        self.advance()

    def error(self, cause: str) -> InputError:
        return InputError(f'{cause} in the test "{self.text.strip()}"',
                          "compare numbers or words with == != < <= > >=, join with && || |^ ! ( )")

    def advance(self) -> None:
        rest = self.text[self.position :]
        match = TOKEN.match(rest)
        if not match and rest.strip():
            raise self.error(f"unexpected '{rest.strip()}'")
        self.kind = (match.lastgroup or "") if match else ""
        self.token = match.group(self.kind) if match else ""
        self.position += match.end() if match else 0

    def level(self, depth: int) -> float | str:
        if depth == len(LEVELS):
            return self.single()
        left = self.level(depth + 1)
        while self.kind == "sign" and self.token in LEVELS[depth]:
            sign = self.token
            self.advance()
            left = self.apply(depth, sign, left, self.level(depth + 1))
        return left

    def apply(self, depth: int, sign: str, left: float | str, right: float | str) -> float:
        if isinstance(left, float) and isinstance(right, float):
            return float(LEVELS[depth][sign](left, right))
        if depth != EQUALITY:
            word = left if isinstance(left, str) else right
            raise self.error(f"'{sign}' works on numbers only, and '{word}' is a word")
        if isinstance(left, float) or isinstance(right, float):
            raise self.error("a number is compared with a word")
        return float((left == right) == (sign == "=="))

    def single(self) -> float | str:
        kind, token = self.kind, self.token
        self.advance()
        if kind == "word":
            if NUMBER.fullmatch(token):
                return float(token)
            if token[0].isdecimal():
                raise self.error(f"'{token}' is neither a number nor a word")
            return token
        if token == "!":
            inner = self.single()
            if isinstance(inner, str):
                raise self.error(f"'!' works on numbers only, and '{inner}' is a word")
            return float(not inner)
        if token == "(":
            inner = self.level(0)
            if self.token != ")":
                raise self.error("missing ')'")
            self.advance()
            return inner
        raise self.error(f"unexpected '{token}'" if token else "something is missing at the end")


_PLAIN = re.compile(rf"\s*(?P<left>{NUMBER.pattern})\s*(?P<sign><=|>=|==|!=|<|>)\s*(?P<right>{NUMBER.pattern})\s*")
_COMPARE = LEVELS[2] | LEVELS[3]


def is_true(text: str) -> bool:
    """The value of a test.

    >>> is_true("1 < 2 && argon == argon"), is_true("!(a != b)")
    (True, False)
    """
    plain = _PLAIN.fullmatch(text)
    if plain:  # as most tests of loops are
        return bool(_COMPARE[plain["sign"]](float(plain["left"]), float(plain["right"])))
    test = Test(text)
    result = test.level(0)
    if test.kind:
        raise test.error(f"unexpected '{test.token}'")
    if isinstance(result, str):
        raise test.error(f"'{result}' is a word, not a test,")
    return result != 0.0
