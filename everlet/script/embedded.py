"""Python functions that a script defines and calls: the python command (script/commands/python.py).

A Function knows where its arguments come from: words that are taken as they are, variables `v_NAME` that are evaluated at each
call, internal variables `iv_NAME` that py_NAME(a, b, …) in a formula gives values to, and SELF, a Caller that runs commands.
Functions of all python commands share one namespace, that of a module called `everlet_script`.
"""

from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from everlet.errors import EverletError, InputError, number
from everlet.usercode import blaming

KINDS = {"i": int, "f": float, "s": str}  # letters of the keyword format


class Caller:
    """What a Python function gets for SELF: the running simulation, by commands and values."""

    def __init__(self, sim: Any):
        self._sim = sim

    def command(self, line: str) -> None:
        """Run one line of a script."""
        self._sim.script.one(line)

    def commands_string(self, text: str) -> None:
        """Run several lines."""
        self._sim.script.text(text, "python")

    def get_natoms(self) -> int:
        return int(self._sim.system.natoms)

    def get_thermo(self, word: str) -> float:
        """A word of thermo_style custom, now."""
        return float(self._sim.thermo.value(word))

    def variable(self, name: str) -> Any:
        """The value of a variable: a number if it is one, else its text."""
        text = self._sim.variables.text(name)
        try:
            return float(text)
        except ValueError:
            return text


@dataclass
class Function:
    """A Python function with its inputs. `letters` say how words become values; the last may be that of what it returns."""

    sim: Any
    name: str
    function: Any
    inputs: list[str] = field(default_factory=list)
    letters: str = ""
    returns: str = ""  # the name of a python-style variable
    longest: int = 64  # letters of a text that it returns

    def call(self, numbers: Sequence[float] = ()) -> Any:
        """The value it returns; `numbers` are for its inputs iv_NAME."""
        internal = [word for word in self.inputs if word.startswith("iv_")]
        if numbers and len(numbers) != len(internal):
            raise InputError(f"py_{self.returns}() takes {len(internal)} numbers, found {len(numbers)}",
                             f"the inputs iv_… of python {self.name} are these numbers")
        for word, value in zip(internal, numbers, strict=False):
            self.sim.variables.set_internal(word[3:], float(value))
        given = [self._value(word, letter) for word, letter in zip(self.inputs, self.letters, strict=False)]
        with blaming(f"the Python function '{self.name}'", "correct its code or its inputs"):
            return self.function(*given)

    def _value(self, word: str, letter: str) -> Any:
        if word == "SELF":
            return Caller(self.sim)
        name = word[3:] if word.startswith("iv_") else word[2:] if word.startswith("v_") else ""
        if not name:
            text = word
        elif letter == "s":
            text = self.sim.variables.text(name)
        else:
            value = self.sim.variables.evaluate(name)
            return KINDS[letter](value)
        return text if letter == "s" else KINDS[letter](number(text, f"a number for python {self.name}"))

    def number(self, numbers: Sequence[float] = ()) -> float:
        """What it returns, as a number."""
        value = self.call(numbers)
        try:
            return float(value)
        except (TypeError, ValueError):
            raise InputError(f"the Python function '{self.name}' has returned {value!r}, which is not a number",
                             "return a number, with format i or f") from None

    def text(self) -> str:
        """What it returns, as the text of a variable."""
        value, letter = self.call(), self.letters[-1:]
        if letter == "s":
            if len(str(value)) > self.longest:
                raise InputError(f"the Python function '{self.name}' has returned {len(str(value))} letters",
                                 f"raise the limit: python {self.name} ... length {len(str(value))}")
            return str(value)
        try:
            return str(int(value)) if letter == "i" else f"{float(value):.15g}"
        except (TypeError, ValueError):
            raise InputError(f"the Python function '{self.name}' has returned {value!r}, which is not a number",
                             "return a number, or use format s") from None


def module(sim: Any) -> types.ModuleType:
    """Where the functions of this simulation's python commands live."""
    found: types.ModuleType = sim.variables.module
    return found


def run_code(sim: Any, code: str, name: str) -> None:
    """Run code in the module; `name` stands for its file in messages."""
    try:
        exec(compile(code, name, "exec"), module(sim).__dict__)  # a user's own code, as with plugins
    except (EverletError, KeyboardInterrupt, SystemExit):
        raise
    except SyntaxError as error:
        raise InputError(f"{name}, line {error.lineno}: {error.msg}", "correct the Python code") from None
    except Exception as error:
        raise InputError(f"{name}: {type(error).__name__}: {error}", "correct the Python code") from error
