"""The script reader: runs files and texts, line by line, command by command."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.errors import EverletError, InputError, RunError, unknown
from everlet.inputs import SCRIPT, open_bytes
from everlet.run.plugins import blamed
from everlet.script.lammps_names import lammps_has
from everlet.script.registry import command
from everlet.script.variables import Variables
from everlet.script.words import logical_lines, read_line, substitute, without_comment
from everlet.state.host_side import base_name
from everlet.usercode import check_trust

LONGEST = 160  # characters of a line that a message shows
NOTED = 200_000  # characters of a script that the events of the log have
DEEPEST = 16  # files that include each other: more is a circle
ALL_LINES = "everlet check SCRIPT says which lines of a script are refused"
# How often a script may jump while all that it runs is idle. A second or two: one that waits for a file is told to wait in
# another way.
MOST_JUMPS = 100_000


class Quit(Exception):
    """The script said `quit`: leave all files and texts that are being run."""

    def __init__(self, status: int = 0):
        super().__init__(f"quit {status}")
        self.status = status


@dataclass
class Frame:
    """A file or text being run."""

    name: str
    lines: list[tuple[int, str]] = field(default_factory=list)
    own: bool = False  # the text of a Python program, not of a file
    position: int = 0  # the next line
    label: str = ""  # a label that a jump has not found
    jumped: str = ""  # where that jump was, for messages
    _labels: dict[str, int] | None = None  # lines behind labels

    def behind(self, label: str) -> int | None:
        """The line behind the first label of this name; None if there is no such label."""
        if self._labels is None:
            words = [without_comment(line, check=False).split() for _, line in self.lines]
            found = [(word[1], place + 1) for place, word in enumerate(words) if len(word) == 2 and word[0] == "label"]
            self._labels = dict(reversed(found))
        return self._labels.get(label)

    def go_on_in(self, other: Frame) -> None:
        self.name, self.lines, self.own, self._labels = other.name, other.lines, other.own, None


class Script:
    """Runs scripts on `sim` (the Engine); commands find it again as `sim.script`, its variables as `sim.variables`.

    `echo` is none, screen, log or both: where each line is shown before it runs.
    """

    def __init__(self, sim: Any):
        self.sim = sim
        self.variables = sim.variables = Variables(sim)
        sim.script = self
        self.frames: list[Frame] = []
        self.echo = "log"
        self.status = 0  # what the quit command said last
        self.skip_jump = False  # the next jump is passed over: a loop variable has no value left
        self.jumps = 0  # since something has changed
        self.record: Any = None  # whoever notes what is run: has run(name, args, act)
        self._said: dict[tuple[str, str], str] = {}  # of each idle line, what it was when variables were in their places

    # sources

    def file(self, path: str) -> None:
        """Run a script file."""
        frame = self._frame(path)
        self._tell(frame)
        self._run_whole(frame)

    def text(self, text: str, name: str = "text", own: bool = True) -> None:
        """Run the lines of a string; `name` stands for the file in messages. own: a program has made it, so that it may run
        code as that program does."""
        frame = self._lines(name, text)
        frame.own = own
        if not own:
            self._tell(frame)
        self._run_whole(frame)

    def _tell(self, frame: Frame) -> None:
        """The text of a file that a user runs, for readers of the log."""
        if not self.frames:
            text = "\n".join(line for _, line in frame.lines)
            self.sim.log.fact("script", name=frame.name, text=text[:NOTED], whole=len(text) <= NOTED)

    def check_code(self, what: str, *files: str) -> None:
        """Refuse to run code that a script file asks for, unless the user has allowed all of it, or trusts these files."""
        if self.frames and not self.frames[-1].own and not self.sim.options.get("python"):
            check_trust(what, files, self.sim.options.get("trust", {}))

    @staticmethod
    def _frame(path: str) -> Frame:
        try:
            with open_bytes(path, SCRIPT) as file:
                content = file.read()
        except OSError as error:
            raise InputError(f"cannot read script '{path}': {error.strerror}",
                             "check the path and its permissions") from None
        return Script._lines(path, decoded(content, f"script '{path}'"))

    @staticmethod
    def lines_of(path: str) -> list[tuple[int, str]]:
        """The numbers and texts of the lines of a script file."""
        return Script._frame(path).lines

    @staticmethod
    def _lines(path: str, text: str) -> Frame:
        try:
            return Frame(path, list(logical_lines(text)))
        except InputError as error:
            error.where = path
            raise

    def _run_whole(self, frame: Frame) -> None:
        """Run it; after the outermost one all lines of the log can be read."""
        try:
            self._run(frame)
        except BaseException:
            with contextlib.suppress(EverletError):
                self._show_all()
            raise
        self._show_all()

    def _show_all(self) -> None:
        if not self.frames:
            self.sim.log.flush()

    @np.errstate(all="ignore")  # what is no number is found and named where it matters
    def _run(self, frame: Frame) -> None:
        if len(self.frames) == DEEPEST:
            raise InputError(f"scripts include each other {DEEPEST} deep", "remove the circle")
        self.frames.append(frame)
        try:
            while frame.position < len(frame.lines):
                count, line = frame.lines[frame.position]
                frame.position += 1
                here = f"{frame.name}:{count}: {_first(line)}"  # now: a jump may change the name
                try:
                    self.one(line)
                except EverletError as error:
                    _placed(error, here)
                    raise
                except MemoryError as error:
                    raise RunError(f"out of memory: {error}", "use fewer atoms, a shorter cutoff, or a larger machine",
                                   here) from None
                except RecursionError as error:
                    raise _placed(blamed(error) or InputError("a formula, or what it depends on, is nested too deeply",
                                                              "divide it into several variables"), here) from None
                except (OverflowError, np.linalg.LinAlgError) as error:
                    raise _placed(blamed(error) or RunError(
                        f"a number has become too large, or none at all: {error}",
                        "check masses, positions, velocities and coefficients"), here) from error
                except (Quit, KeyboardInterrupt, SystemExit):
                    raise
                except BaseException as error:
                    error.add_note(here)
                    plugin = blamed(error)
                    if plugin is None:
                        raise
                    raise _placed(plugin, here) from error
            if frame.label:
                raise InputError(f"label '{frame.label}' was not found in {frame.name}",
                                 f"add the line: label {frame.label}", frame.jumped)
        except Quit as quit:
            self.status = quit.status
            if len(self.frames) > 1:
                raise
        finally:
            self.frames.pop()

    # one line

    def one(self, text: str) -> None:
        """Run one line; it may be a comment or blank."""
        self.show(text)
        line = read_line(text)
        ready = line.bare
        self.sim.before("$" in line.bare or bool(line.name) and not command.says(line.name).light)
        if not line.fixed:
            ready = substitute(line.bare, self.variables)
            self.show(ready)
        words = line.words(ready)
        if words:
            self.seen(text, ready, words[0])
            self.execute(words[0], words[1:])

    def seen(self, line: str, ready: str, name: str = "if") -> None:
        """A line is run, or the test of an `if` is made. While idle lines say the same again, jumps are counted."""
        frame = self.frames[-1].name if self.frames else ""
        if not self.jumps:
            self._said.clear()
        if not command.says(name).idle or self._said.get((frame, line), ready) != ready:
            self.jumps = 0
        elif self.jumps:
            self._said[frame, line] = ready

    def execute(self, name: str, args: list[str]) -> None:
        """Run a command by name."""
        known = command.get(name)
        if known is None:
            if name in lammps_has("command"):
                raise InputError(f"LAMMPS command '{name}' is not available in Everlet yet",
                                 f"leave it out, or run this script with LAMMPS; {ALL_LINES}")
            near = unknown("command", name, command)
            raise near if "did you mean" in near.remedy else InputError(
                near.cause, "docs/scripts.md has all commands; their names: everlet info styles command")
        try:
            if self.record is None:
                known(self.sim, args)
            else:
                self.record.run(name, args, lambda: known(self.sim, args))
        finally:
            self.sim.did(command.says(name).changes)

    def show(self, line: str) -> None:
        """Echo a line."""
        if self.echo in ("screen", "both"):
            self.sim.log.screen_only(line)
        if self.echo in ("log", "both"):
            self.sim.log.file_only(line)

    def substituted(self, text: str) -> str:
        """A quoted word with its variables replaced, for commands that do so (print, if, variable)."""
        return substitute(text, self.variables)

    # moving about

    def jump(self, path: str, label: str = "") -> None:
        """Continue in another file (SELF: the same one) at its beginning or at a label."""
        if self.skip_jump:
            self.skip_jump = False
            return
        if not self.frames:
            raise InputError("jump works only inside a script file or text", "use it in a file")
        self.jumps += 1
        if self.jumps > MOST_JUMPS:
            raise InputError(f"the script has jumped {MOST_JUMPS} times and changed nothing: it would do so for ever",
                             "end the loop by next, or by an if whose test changes; wait for files before Everlet is started")
        frame = self.frames[-1]
        count, line = frame.lines[frame.position - 1]
        frame.jumped = f"{frame.name}:{count}: {_first(line)}"
        if path != "SELF":
            frame.go_on_in(self._frame(path))
        place = frame.behind(label) if label else 0
        frame.position, frame.label = (len(frame.lines), label) if place is None else (place, "")

    def next(self, names: list[str]) -> None:
        """Move variables on; when one is exhausted the next jump is passed over."""
        if not self.variables.next(names):
            self.skip_jump = True


def decoded(content: bytes, what: str) -> str:
    """The text of a script: UTF-8, or else Latin-1, as old scripts have it in their comments."""
    if b"\0" in content:
        raise InputError(f"{what} is not a text", "give a plain text file with LAMMPS commands")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def missing_style(kind: str, name: str, known: Any) -> InputError:
    """The error for a style that is not registered: unknown, or one that only LAMMPS has."""
    every = f"everlet info styles {kind}"
    if base_name(name) in lammps_has(kind):
        return InputError(f"LAMMPS {kind} style '{name}' is not available in Everlet yet",
                          f"use another style ({every}), or run this script with LAMMPS; {ALL_LINES}")
    error = unknown(f"{kind} style", name, known)
    error.remedy += f"; all of them: {every}"
    return error


def _placed(error: EverletError, here: str) -> EverletError:
    """The error with a line of a script added to where it is."""
    error.where = f"{error.where}\n  from {here}" if error.where else here
    return error


def _first(line: str) -> str:
    """A line for messages: the first of several."""
    head, more, _ = line.strip().partition("\n")
    return f"{head[:LONGEST]} ..." if more or len(head) > LONGEST else head
