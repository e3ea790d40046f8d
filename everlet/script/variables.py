"""Variables of the script language.

    variable NAME index  a b c            the values in turn; `next NAME` moves on. Kept if NAME exists (so -var wins)
    variable NAME loop   [N1] N2 [pad]    the same for whole numbers 1 … N2 or N1 … N2, padded with zeros
    variable NAME world  a b c            one value for each partition
    variable NAME universe a b c          partitions begin with the first ones; `next` gives the next one to whoever comes first
    variable NAME uloop  N [pad]          the same for whole numbers 1 … N; with one partition both are as index and loop
    variable NAME file   FILE             the lines of a file in turn
    variable NAME string TEXT             a text; can be set again
    variable NAME getenv ENV              an environment variable, empty if not set
    variable NAME equal  FORMULA          a number, computed when it is used; can be set again
    variable NAME atom   FORMULA          one number per atom, computed when it is used
    variable NAME vector FORMULA|[a,b,…]  several numbers, computed when they are used, or given once
    variable NAME atomfile FILE           one number per atom from the sets of a file in turn: N, then N lines ID value
    variable NAME python FUNCTION         what a function of the python command returns, called when it is used
    variable NAME timer                   seconds since the start of the program, when it was defined last
    variable NAME internal NUMBER         a number that commands may change
    variable NAME format OTHER %fmt       the value of another variable as text
    variable NAME delete
"""

from __future__ import annotations

import re
import time
import types
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet import settings
from everlet.comm.universe import here
from everlet.computes.words.references import needs
from everlet.errors import InputError, arguments, integer, number, one_of, unknown
from everlet.io.formats import check_format
from everlet.io.keywords import keywords
from everlet.script.closures import compiled, plain_number
from everlet.script.expression import names, parse
from everlet.script.scope import Scope
from everlet.script.value_lists import lines_of, literal, loop_values, sets_of

STYLES = ("index", "loop", "world", "universe", "uloop", "file", "atomfile", "string", "getenv", "equal", "atom", "vector",
          "internal", "format", "python", "timer", "delete")
SHARED = ("universe", "uloop")  # partitions take values in turns
STEPPED = ("index", "loop", *SHARED, "file", "atomfile")  # several values
KEPT = (*STEPPED, "world")  # a second definition of these is passed over
FORMULAS = ("equal", "atom", "vector")
PER_ATOM = ("atom", "atomfile")
NAME = re.compile(r"\w+", re.ASCII)

BEGUN = time.perf_counter()


@dataclass
class Variable:
    style: str
    values: Sequence[str] = field(default_factory=list)  # texts; the formula for equal, atom and vector
    which: int = 0  # the present one of several values
    constant: float | None = None  # what an equal-style formula that is a number gives, and
    rounded: float = 0.0  # as other formulas see it
    turn: int = 0  # how often it was defined, if partitions share it


def formatted(number: float, form: str) -> str:
    """`number` by a C-style float format."""
    return check_format(form, "float") % number


class Variables:
    """All variables of a script.

    >>> from everlet.session import Session
    >>> variables = Session(device="serial").variables
    >>> variables.define(["x", "index", "3", "4"])
    >>> variables.define(["y", "equal", "v_x^2"])
    >>> variables.text("y"), variables.evaluate("y")
    ('9', 9.0)
    """

    def __init__(self, sim: Any):
        self.sim = sim
        self.known: dict[str, Variable] = {}
        self.streams: dict[str, Any] = {}  # random streams of equal- and atom-style formulas
        self.functions: dict[str, Any] = {}  # of the python command (script/embedded.py), by name
        self.module = types.ModuleType("everlet_script")  # where they live
        self.universe = here()
        self._made: dict[str, int] = {}  # how often variables that partitions share were defined
        self._active: list[str] = []  # names under evaluation, to find circles
        self._scopes = {form: Scope(sim, self, form) for form in FORMULAS}
        self.given: dict[str, np.ndarray] = {}  # many values at once of internal variables (for_many)

    # definitions

    def define(self, args: list[str]) -> None:
        """The `variable` command."""
        arguments(args, 2, None, "variable NAME STYLE values ...")
        name, style, rest = args[0], args[1], args[2:]
        one_of("variable style", style, STYLES)
        if not NAME.fullmatch(name):
            raise InputError(f"variable name '{name}' may have only letters, digits and underscores",
                             "choose another name")
        if style == "delete":
            arguments(rest, 0, 0, "variable NAME delete")
            self.known.pop(name, None)  # as in the reference: one that a loop has used up is gone already
            return
        if name in self.known and style in KEPT:
            return
        if name in self.known and self.known[name].style != style:
            raise InputError(f"variable '{name}' exists with style {self.known[name].style}",
                             f"choose another name, or delete it first: variable {name} delete")
        made = self.known[name] = Variable(style, self._values(name, style, rest))
        if style in ("world", *SHARED):
            self._share(name, made)
        if style == "equal":
            made.constant = plain_number(made.values[0])
            made.rounded = float(f"{made.constant:.15g}") if made.constant is not None else 0.0

    def _values(self, name: str, style: str, rest: list[str]) -> Sequence[str]:
        if style in ("index", "world", "universe"):
            arguments(rest, 1, None, f"variable {name} {style} value ...")
            return list(rest)
        if style in ("loop", "uloop"):
            return loop_values(name, style, list(rest))
        if style in FORMULAS:
            arguments(rest, 1, None, f"variable {name} {style} formula")
            text = " ".join(rest)
            if style == "vector" and text.strip().startswith("["):
                literal(text)
            return [text]
        if style == "timer":
            arguments(rest, 0, 0, f"variable {name} timer")
            return [f"{self._seconds():.15g}"]
        if style == "format":
            arguments(rest, 2, 2, f"variable {name} format OTHER %fmt")
            if self.style(rest[0]) not in ("equal", "internal"):
                raise InputError(f"variable '{rest[0]}' is not of style equal, so it cannot be formatted",
                                 "format an equal-style variable")
            return [rest[0], check_format(rest[1], "float")]
        arguments(rest, 1, 1, f"variable {name} {style} value")
        if style == "internal":
            return [f"{number(rest[0]):.15g}"]
        if style == "atomfile":
            return sets_of(rest[0])
        return lines_of(rest[0]) if style == "file" else list(rest)

    def _share(self, name: str, made: Variable) -> None:
        """Partitions begin with values of their own."""
        universe, count = self.universe, len(made.values)
        if count != universe.worlds and (made.style == "world" or count < universe.worlds):
            least = "" if made.style == "world" else "at least "
            del self.known[name]
            raise InputError(f"variable {name} {made.style} has {count} values for {universe.worlds} partitions",
                             f"give {least}one value for each partition: {least}{universe.worlds}")
        made.which = universe.number
        self._made[name] = made.turn = self._made.get(name, 0) + 1

    def _seconds(self) -> float:
        """Since the program began; the same on all ranks."""
        return float(self.sim.system.world.from_first(time.perf_counter() - BEGUN))

    def set_index(self, name: str, values: list[str]) -> None:
        """A variable from the command line (-var name value ...): the script's own definition is passed over then."""
        self.known.pop(name, None)
        self.define([name, "index", *values])

    def set_internal(self, name: str, number: float) -> None:
        """Change an internal-style variable, as commands such as create_atoms do."""
        if name in self.known and self.known[name].style != "internal":
            raise InputError(f"variable '{name}' is not of internal style",
                             "define it with: variable NAME internal VALUE")
        self.known[name] = Variable("internal", [f"{number:.15g}"])

    def next(self, names: list[str]) -> bool:
        """Move the variables on. False if one had no value left: such a variable is deleted."""
        arguments(names, 1, None, "next NAME ...")
        items = [self.find(name) for name in names]
        if len({item.style for item in items}) > 1 and not all(item.style in SHARED for item in items):
            raise InputError("all variables of one next command must have the same style",
                             "use one next command for each style")
        if items[0].style not in STEPPED:
            raise InputError(f"variable '{names[0]}' of style {items[0].style} has no next value",
                             f"use a variable of style {', '.join(STEPPED)}")
        universe = self.universe
        shared = items[0].style in SHARED and universe.worlds > 1
        claimed = universe.claim(f"{names[0]}.{items[0].turn}", universe.worlds) if shared else 0
        for item in items:
            item.which = claimed if shared else item.which + 1
        spent = [name for name, item in zip(names, items, strict=True) if item.which >= len(item.values)]
        for name in spent:
            self.known.pop(name, None)
        return not spent

    # values

    def __contains__(self, name: str) -> bool:
        return name in self.known

    def find(self, name: str) -> Variable:
        found = self.known.get(name)
        if found is None:
            raise unknown("variable", name, self.known)
        return found

    def style(self, name: str) -> str:
        return self.find(name).style

    def evaluate(self, name: str) -> float:
        """The number a variable stands for now."""
        self.sim.system.space.ask(f"variable '{name}'")
        item = self.find(name)
        if item.style == "equal":
            return float(self._formula(name, item.values[0], "equal")) if item.constant is None else item.constant
        if item.style in PER_ATOM:
            raise InputError(f"variable '{name}' has one value per atom, but a single number is needed here",
                             "use it where values per atom are wanted, or reduce it to a number")
        if item.style == "vector":
            raise InputError(f"variable '{name}' is a vector, but a single number is needed here",
                             f"use one of its numbers, v_{name}[1], or a function such as sum(v_{name})")
        if item.style == "python":
            return self.python(name).number()
        text = self.text(name)
        try:
            return float(text)
        except ValueError:
            raise InputError(f"variable '{name}' is '{text}', which is not a number", "correct its value") from None

    def rounded(self, name: str) -> float:
        """The number as a formula sees it through v_name: rounded to the 15 digits of its text."""
        item = self.find(name)
        if item.constant is not None:
            return item.rounded
        number = self.evaluate(name)
        return float(f"{number:.15g}") if item.style == "equal" else number

    def text(self, name: str) -> str:
        """The text that ${name} stands for now."""
        item = self.find(name)
        if item.style == "equal":
            return f"{self.evaluate(name):.15g}"
        if item.style == "getenv":
            return settings.shown(item.values[0])
        if item.style == "format":
            return formatted(self.evaluate(item.values[0]), item.values[1])
        if item.style in PER_ATOM:
            raise InputError(f"variable '{name}' has one value per atom and no text",
                             "print an equal-style variable instead")
        if item.style == "vector":
            return "[" + ",".join(repr(float(x)).removesuffix(".0") for x in self.vector(name)) + "]"
        if item.style == "python":
            return self.python(name).text()
        return item.values[item.which]

    def python(self, name: str) -> Any:
        """The function of a python-style variable."""
        if self.style(name) != "python":
            raise InputError(f"py_{name}(): variable '{name}' is of style {self.style(name)}",
                             f"define it with: variable {name} python FUNCTION")
        key = self.find(name).values[0]
        if key not in self.functions:
            raise InputError(f"variable '{name}' needs the Python function '{key}', which is not defined",
                             f"define it with: python {key} return v_{name} ...")
        if self.functions[key].returns != name:
            raise InputError(f"the Python function '{key}' does not return v_{name}", f"define it with: return v_{name}")
        return self.functions[key]

    def for_many(self, name: str, given: dict[str, np.ndarray]) -> Any:
        """An equal-style variable for many values of internal ones: an array, or a number if it does not depend on them."""
        before, self.given = self.given, given
        try:
            return self._formula(name, self.find(name).values[0], "equal")
        finally:
            self.given = before

    def vector(self, name: str) -> np.ndarray:
        """The numbers of a vector-style variable now."""
        self.sim.system.space.ask(f"variable '{name}'")
        item = self.find(name)
        if item.style != "vector":
            raise InputError(f"variable '{name}' of style {item.style} is not a vector", "use a vector-style variable")
        if item.values[0].strip().startswith("["):
            return literal(item.values[0])
        try:
            result = self._formula(name, item.values[0], "vector")
        except ValueError as error:
            raise InputError(f"variable '{name}' joins vectors of different lengths: {error}",
                             "use vectors of one length") from None
        if not isinstance(result, np.ndarray):
            raise InputError(f"the formula of vector-style variable '{name}' has no vector in it",
                             f"use an equal-style variable, or: variable {name} vector [1,2,3]")
        return result

    def peratom(self, name: str) -> np.ndarray:
        """One number per atom, of an atom-style or atomfile-style variable."""
        self.sim.system.space.ask(f"variable '{name}'")
        item = self.find(name)
        if item.style not in PER_ATOM:
            raise InputError(f"variable '{name}' of style {item.style} has no values per atom",
                             "use an atom-style variable")
        if item.style == "atomfile":
            return self._from_file(name, item.values[item.which])
        result = self._formula(name, item.values[0], "atom")
        return np.broadcast_to(np.asarray(result, float), (self.sim.system.natoms,))

    def _from_file(self, name: str, lines: str) -> np.ndarray:
        """The values of one set, 0 for atoms that it does not name."""
        words = lines.split()
        ids = self.sim.system.whole.read("id")
        given = np.array([integer(word, f"an atom id in the file of variable {name}") for word in words[::2]])
        numbers = np.array([number(word) for word in words[1::2]])
        found = dict(zip(given.tolist(), numbers.tolist(), strict=True))
        return np.array([found.get(int(id), 0.0) for id in ids])

    def needs(self, name: str, step: int) -> tuple[str, ...]:
        """What forces must be computed with at a step for its value to be there."""
        item = self.known.get(name)
        if item is None or item.style not in FORMULAS or name in self._active:
            return ()
        self._active.append(name)
        try:
            found = [keywords[word].needs if word in keywords else needs(self.sim.system, word, step)
                     for word in self._names(item)]
        finally:
            self._active.pop()
        return tuple(need for some in found for need in some)

    @staticmethod
    def _names(item: Variable) -> list[str]:
        literal = item.style == "vector" and item.values[0].strip().startswith("[")
        return [] if literal else names(parse(item.values[0]))

    def formula(self, text: str) -> float:
        """The value of a formula that belongs to no variable, as in $(...)."""
        return float(compiled(text)(self._scopes["equal"]))

    def _formula(self, name: str, text: str, form: str) -> Any:
        if name in self._active:
            raise InputError(f"variable '{name}' depends on itself: {' -> '.join([*self._active, name])}",
                             "remove the circle")
        self._active.append(name)
        try:
            return compiled(text)(self._scopes[form])
        finally:
            self._active.pop()
