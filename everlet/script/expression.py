"""Formulas of the script language: text -> tree.

    formula := numbers, words, references, functions and parentheses, joined by (tightest first)

        - !              sign and logical not
        ^                power; 2^3^2 is (2^3)^2, and -2^2 is (-2)^2
        * / %            % is the remainder with the sign of the left side
        + -
        < <= > >=        1 if true, else 0
        == !=
        &&
        || |^            or, exclusive or

    references: v_name v_name[i]   c_ID c_ID[i] c_ID[i][j]   f_ID f_ID[i] f_ID[i][j]   and one atom's x[i], vx[i], ...

`parse` makes a tree once per text; closures.py makes a function of it, which computes its value with a Scope, which knows
what the words mean.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from everlet.errors import InputError
from everlet.script.functions import MATH, check_count

Value = Any  # float, or a numpy array with one number per atom


class Scope(Protocol):
    """What a formula may ask for besides arithmetic."""

    def word(self, name: str) -> Value: ...

    def element(self, name: str, index: int) -> float: ...

    def reference(self, kind: str, name: str, indices: tuple[int, ...]) -> Value: ...

    def function(self, name: str, args: list[str]) -> Value: ...

    def timed(self, name: str, args: list[Value]) -> Value: ...

    def python(self, name: str, numbers: list[Value]) -> Value: ...


@dataclass(frozen=True)
class Place:
    """A position in a formula, for messages."""

    formula: str
    start: int

    def error(self, cause: str, remedy: str = "correct the formula") -> InputError:
        rest = self.formula[self.start :].strip()
        where = f"at '{rest}'" if rest else "at the end"
        return InputError(f"{cause} in formula '{self.formula.strip()}', {where}", remedy)


@dataclass(frozen=True)
class Number:
    number: float


@dataclass(frozen=True)
class Word:
    """A constant, a thermo keyword or a per-atom quantity; `index` picks one atom."""

    name: str
    index: Any
    place: Place


@dataclass(frozen=True)
class Reference:
    """v_name, c_ID or f_ID with up to two indices, which are formulas themselves."""

    kind: str
    name: str
    indices: tuple[Any, ...]
    place: Place


@dataclass(frozen=True)
class Unary:
    sign: str
    operand: Any


@dataclass(frozen=True)
class Binary:
    sign: str
    left: Any
    right: Any
    place: Place


@dataclass(frozen=True)
class Call:
    """A function. `args` are trees for mathematical functions; `texts` is what stands between the commas."""

    name: str
    args: tuple[Any, ...]
    texts: tuple[str, ...]
    place: Place


LEVELS = (("||", "|^"), ("&&",), ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%"), ("^",))
TOKEN = re.compile(r"""\s*(?: (?P<number> (?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)
                         | (?P<word> [A-Za-z_]\w*)
                         | (?P<sign> \|\||\|\^|&&|==|!=|<=|>=|[-+*/%^<>!()\[\],]))""", re.VERBOSE)


class Parser:
    """Recursive descent over one formula: one method per grammar rule."""

    def __init__(self, formula: str, offset: int = 0, whole: str = ""):
        self.formula, self.offset, self.whole = formula, offset, whole or formula
        self.position = 0
        self.kind = self.text = ""
        self.start = 0
        self.advance()

    def advance(self) -> None:
        """Read the next token into kind, text and start."""
        match = TOKEN.match(self.formula, self.position)
        if match:
            self.kind = match.lastgroup or ""
            self.text = match.group(self.kind)
            self.start, self.position = match.start(self.kind), match.end()
            return
        self.start = self.position + len(self.formula[self.position :]) - len(self.formula[self.position :].lstrip())
        if self.start < len(self.formula):
            raise self.place().error(f"unexpected character '{self.formula[self.start]}'")
        self.kind = self.text = ""

    def place(self) -> Place:
        return Place(self.whole, self.start + self.offset)

    def expect(self, sign: str) -> None:
        if self.text != sign or self.kind != "sign":
            raise self.place().error(f"expected '{sign}'")
        self.advance()

    def parse(self) -> Any:
        tree = self.level(0)
        if self.kind:
            raise self.place().error(f"unexpected '{self.text}'")
        return tree

    def level(self, depth: int) -> Any:
        """A chain of operators of one precedence, from left to right."""
        if depth == len(LEVELS):
            return self.unary()
        left = self.level(depth + 1)
        while self.kind == "sign" and self.text in LEVELS[depth]:
            sign, place = self.text, self.place()
            self.advance()
            left = Binary(sign, left, self.level(depth + 1), place)
        return left

    def unary(self) -> Any:
        if self.kind == "sign" and self.text in ("-", "!"):
            sign = self.text
            self.advance()
            return Unary(sign, self.unary())
        return self.operand()

    def operand(self) -> Any:
        kind, text, place = self.kind, self.text, self.place()
        if kind == "number":
            self.advance()
            return Number(float(text))
        if kind == "word":
            if self.formula[self.position :].lstrip().startswith("("):
                return self.call()
            self.advance()
            if text[:2] in ("v_", "c_", "f_") and len(text) > 2:
                return Reference(text[0], text[2:], self.indices(), place)
            indices = self.indices()
            if len(indices) > 1:
                raise place.error(f"'{text}' takes one index")
            return Word(text, indices[0] if indices else None, place)
        if text == "(":
            self.advance()
            inner = self.level(0)
            self.expect(")")
            return inner
        raise place.error(f"expected a number, a name or '(' instead of '{text}'" if text else "unexpected end")

    def indices(self) -> tuple[Any, ...]:
        found = []
        while self.kind == "sign" and self.text == "[":
            self.advance()
            found.append(self.level(0))
            self.expect("]")
        return tuple(found)

    def call(self) -> Call:
        """name(text, text, ...): the texts are formulas only if the function is a mathematical one."""
        name, place = self.text, self.place()
        begin = self.formula.index("(", self.position) + 1
        pieces, first, depth, end = [], begin, 1, begin
        while depth:
            if end == len(self.formula):
                raise place.error("missing ')'")
            letter = self.formula[end]
            depth += (letter in "([") - (letter in ")]")
            if depth == 0 or (depth == 1 and letter == ","):
                pieces.append((first, self.formula[first:end]))
                first = end + 1
            end += 1
        self.position = end
        self.advance()
        texts = tuple(text.strip() for _, text in pieces)
        args: tuple[Any, ...] = ()
        if name in MATH or name.startswith("py_"):
            if name in MATH:
                check_count(name, len(pieces), place.error)
            pieces = [] if texts == ("",) else pieces
            args = tuple(Parser(text, self.offset + start, self.whole).parse() for start, text in pieces)
        return Call(name, args, texts, place)


@lru_cache(maxsize=1000)
def parse(formula: str) -> Any:
    """The tree of a formula.

    >>> parse("-2")
    Unary(sign='-', operand=Number(number=2.0))
    """
    return Parser(formula).parse()


def names(tree: Any) -> list[str]:
    """Words and references of a formula, without their indices; also those that functions of vectors take.

    >>> names(parse("v_a + sqrt(c_b[2]) * step"))
    ['v_a', 'c_b', 'step']
    """
    match tree:
        case Unary(_, operand):
            return names(operand)
        case Binary(_, left, right, _):
            return names(left) + names(right)
        case Word(name, index, _):
            return [name, *(names(index) if index is not None else [])]
        case Reference(kind, name, indices, _):
            return [f"{kind}_{name}", *(word for index in indices for word in names(index))]
        case Call():
            told = [text for text in tree.texts if not tree.args and text[:2] in ("c_", "f_", "v_")]
            return [word for arg in (*tree.args, *map(parse, told)) for word in names(arg)]
    return []
