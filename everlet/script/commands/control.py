"""Commands that steer the script: variable, include, print, if, jump, label, next, echo, log, clear, quit."""

from __future__ import annotations

import os
from typing import Any

from everlet.comm.world import writes
from everlet.errors import InputError, arguments, integer, one_of, unknown, yes_no
from everlet.portable.code_places import check_output
from everlet.script.boolean import is_true
from everlet.script.parser import Quit
from everlet.script.registry import NOTHING, command


@command("variable", changes=("words",), idle=True, in_batch=True)
def variable(sim: Any, args: list[str]) -> None:
    """variable NAME STYLE values ... (see script/variables.py)"""
    if args[1:2] == ["string"]:
        args = [*args[:2], *(sim.script.substituted(word) for word in args[2:])]
    sim.script.variables.define(args)


@command("next", changes=("words",), light=True)
def next_value(sim: Any, args: list[str]) -> None:
    """next NAME ...: the next value of loop variables; after the last one the next jump is passed over."""
    sim.script.next(args)


@command("include", changes=NOTHING, steers=True)
def include(sim: Any, args: list[str]) -> None:
    """include FILE: run the commands of another file, then go on here."""
    arguments(args, 1, 1, "include FILE")
    sim.script.file(args[0])


@command("jump", changes=NOTHING, light=True, idle=True, steers=True)
def jump(sim: Any, args: list[str]) -> None:
    """jump FILE|SELF [LABEL]: go on in a file, at its beginning or at a label."""
    arguments(args, 1, 2, "jump FILE|SELF [LABEL]")
    sim.script.jump(*args)


@command("label", changes=NOTHING, light=True, idle=True, steers=True)
def label(sim: Any, args: list[str]) -> None:
    """label NAME: a place that jump can go to (script/parser.py)."""
    arguments(args, 1, 1, "label NAME")


@command("if", changes=NOTHING, idle=True, steers=True)
def if_then(sim: Any, args: list[str]) -> None:
    """if TEST then COMMAND ... [elif TEST COMMAND ...] ... [else COMMAND ...]; each command is one quoted word."""
    usage = 'if TEST then "command" ... [elif TEST "command" ...] [else "command" ...]'
    arguments(args, 3, None, usage)
    if args[1] != "then":
        raise InputError(f"expected 'then', found '{args[1]}'", f"usage: {usage}")
    test, rest = args[0], args[2:]
    while True:
        end = next((i for i, word in enumerate(rest) if word in ("elif", "else")), len(rest))
        ready = sim.script.substituted(test)
        sim.script.seen(test, ready)
        if is_true(ready):
            chosen = rest[:end]
            if not chosen:
                raise InputError("no command after 'then' or 'elif TEST'", f"usage: {usage}")
            break
        if end == len(rest):
            return
        if rest[end] == "else":
            chosen = rest[end + 1 :]
            if not chosen or "elif" in chosen or "else" in chosen:
                raise InputError("'else' must be followed by commands only", f"usage: {usage}")
            break
        if len(rest) < end + 3:
            raise InputError("'elif' needs a test and a command", f"usage: {usage}")
        test, rest = rest[end + 1], rest[end + 2 :]
    for line in chosen:
        sim.script.one(line)


@command("print", changes=NOTHING, light=True, idle=True, stored=True, in_batch=True, unplanned=True)
def print_text(sim: Any, args: list[str]) -> None:
    """print TEXT [file FILE | append FILE] [screen yes|no] [universe yes|no]"""
    usage = "print TEXT [file|append FILE] [screen yes|no] [universe yes|no]"
    arguments(args, 1, None, usage)
    if len(args) % 2 == 0:
        raise InputError(f"print takes one text and pairs of options, but '{args[-1]}' stands alone",
                         "put a text with blanks in quotes")
    text = sim.script.substituted(args[0]) + "\n"
    show, everywhere = True, False
    for option, word in zip(args[1::2], args[2::2], strict=True):
        if option in ("file", "append"):
            try:
                check_output(word)
                with open(word if writes() else os.devnull, "w" if option == "file" else "a", encoding="utf-8") as file:
                    file.write(text)
            except OSError as error:
                raise InputError(f"cannot write '{word}': {error.strerror}", "choose a writable place for it") from None
        elif option == "screen":
            show = yes_no(word, "print screen")
        elif option == "universe":
            everywhere = yes_no(word, "print universe") and sim.system.universe.worlds > 1
        else:
            raise unknown("option of print", option, ("file", "append", "screen", "universe"))
    if everywhere:
        sim.system.universe.write(text)
    if show:
        sim.log.write(text)
    else:
        sim.log.file_only(text)


@command("echo", changes=NOTHING, light=True, idle=True, stored=True, in_batch=True, unplanned=True)
def echo(sim: Any, args: list[str]) -> None:
    """echo none|screen|log|both: where each script line is shown."""
    arguments(args, 1, 1, "echo none|screen|log|both")
    sim.script.echo = one_of("echo style", args[0], ("none", "screen", "log", "both"))


@command("log", changes=NOTHING, light=True, stored=True, unplanned=True)
def log(sim: Any, args: list[str]) -> None:
    """log FILE [append] or log none: go on in another log file."""
    arguments(args, 1, 2, "log FILE [append]")
    if len(args) == 2 and args[1] != "append":
        raise unknown("option of log", args[1], ("append",))
    sim.log.open(args[0], len(args) == 2)


@command("clear", stored=True)
def clear(sim: Any, args: list[str]) -> None:
    """clear: forget the system and all operations; variables stay."""
    arguments(args, 0, 0, "clear")
    sim.clear()


@command("quit", changes=NOTHING, light=True, steers=True)
def leave(sim: Any, args: list[str]) -> None:
    """quit [STATUS]: stop the script."""
    arguments(args, 0, 1, "quit [STATUS]")
    raise Quit(integer(args[0], "an exit status") if args else 0)
