"""python: functions in Python that scripts call.

    python NAME [input N A1 … AN] [return v_X] [format LETTERS] [length N] [file FILE | here "code" | exists]
    python NAME invoke [logreturn]
    python source FILE | python source here "code"

Inputs are words, variables v_NAME, internal variables iv_NAME (set by py_X(a, b, …) in a formula) or SELF, an object with
command(line), commands_string(text), get_thermo(word), get_natoms(), variable(name). format has a letter for each input
and one for what is returned: i f s, and p for SELF.
"""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError, arguments, integer, one_of, unknown
from everlet.inputs import SCRIPT, open_text
from everlet.script.embedded import KINDS, Function, module, run_code
from everlet.script.registry import command

USAGE = ('python NAME [input N A1 …] [return v_X] [format LETTERS] [length N] [file FILE | here "code" | exists], '
         'python NAME invoke, python source FILE | here "code"')
WORDS = ("input", "return", "format", "length", "file", "here", "exists")


@command("python", unplanned=True)
def python(sim: Any, args: list[str]) -> None:
    arguments(args, 2, None, USAGE)
    sim.script.check_code(f"python {args[0]}")
    name, words = args[0], args[1:]
    sim.log.flush()  # before what the code may write
    if name == "source":
        source(sim, words)
    elif words[0] == "invoke":
        invoke(sim, name, words[1:])
    else:
        define(sim, name, words)


def source(sim: Any, words: list[str]) -> None:
    """Run code now."""
    if words[0] == "here":
        arguments(words, 2, 2, 'python source here "code"')
        run_code(sim, words[1], "python source here")
    else:
        arguments(words, 1, 1, "python source FILE")
        run_code(sim, read(words[0]), words[0])


def invoke(sim: Any, name: str, words: list[str]) -> None:
    """Call a function; with logreturn its value goes into the log."""
    if words not in ([], ["logreturn"]):
        raise unknown("option of python invoke", words[0], ("logreturn",))
    functions = sim.variables.functions
    one_of("Python function", name, functions)
    value = functions[name].call()
    if words:
        sim.log.write(f"Invoked python function {name} returned {value}")


def define(sim: Any, name: str, words: list[str]) -> None:
    """A function of the script."""
    made = Function(sim, name, None)
    while words:
        word, words = words[0], words[1:]
        one_of("option of python", word, WORDS, f"usage: {USAGE}")
        if word == "exists":
            continue
        if not words:
            raise InputError(f"python {name} {word} needs a value", f"usage: {USAGE}")
        given, words = words[0], words[1:]
        if word == "input":
            count = integer(given, "a number of inputs")
            arguments(words[:count], count, count, f"python {name} input {count} with {count} values")
            made.inputs, words = words[:count], words[count:]
        elif word == "return":
            if not given.startswith("v_"):
                raise InputError(f"python {name} return takes v_NAME, found '{given}'",
                                 "name a python-style variable: return v_x")
            made.returns = given[2:]
        elif word == "format":
            made.letters = given
        elif word == "length":
            made.longest = integer(given, "a number of letters")
        elif word == "file":
            run_code(sim, read(given), given)
        else:
            run_code(sim, given, f"python {name} here")
    check(made)
    made.function = module(sim).__dict__.get(name)
    if not callable(made.function):
        raise InputError(f"there is no Python function '{name}'", f"define it with here or file: def {name}(...):")
    sim.variables.functions[name] = made


def check(made: Function) -> None:
    """The format has a letter for each input and for what is returned."""
    wanted = len(made.inputs) + bool(made.returns)
    if len(made.letters) != wanted:
        what = f"{len(made.inputs)} inputs{' and a value that is returned' if made.returns else ''}"
        raise InputError(f"python {made.name}: format '{made.letters}' has {len(made.letters)} letters for {what}",
                         f"give {wanted} letters of i f s p")
    for word, letter in zip([*made.inputs, "value"], made.letters, strict=False):
        if letter not in KINDS and letter != "p" or (word == "SELF") != (letter == "p"):
            raise InputError(f"python {made.name}: format letter '{letter}' does not fit {word}", "use i f s, and p for SELF")


def read(path: str) -> str:
    try:
        with open_text(path, SCRIPT) as file:
            return file.read()
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror}", "check the path and its permissions") from None
