"""Lines that are printed in a run."""

from __future__ import annotations

from everlet.computes.words.references import needs
from everlet.errors import InputError, arguments, integer, one_of, yes_no
from everlet.fixes.base import Fix, fix_style
from everlet.io.files import Pieces, agreed, cannot_write
from everlet.state.operation import TALLY
from everlet.state.system import System

USAGE = "fix ID group print N|v_NAME 'TEXT' [file FILE | append FILE] [screen yes|no] [title TEXT]"
WORDS = ("file", "append", "screen", "title")


@fix_style("print")
class Print(Fix):
    """fix ID group print N|v_NAME 'TEXT' [file FILE | append FILE] [screen yes|no] [title TEXT]

    Every N steps, or at the steps that an equal-style variable names one after the other, TEXT with ${NAME} and $(formula) as
    they are then. screen: also on the screen and in the log. title: the first line of the file.
    """

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, USAGE)
        self.variable = args[0][2:] if args[0].startswith("v_") else ""
        self.interval = 0 if self.variable else integer(args[0], "a number of steps")
        if not self.variable and self.interval < 1:
            raise InputError(f"fix print every {args[0]} steps", "give a number of 1 or more")
        self.every = self.interval or 1
        self.text, self.shown, self.next = args[1], True, -1
        title, path, append = f"# Fix print output for fix {id}", "", False
        for k, word in enumerate(args[2::2]):
            one_of("keyword of fix print", word, WORDS, f"usage: {USAGE}")
            if 3 + 2 * k == len(args):
                raise InputError(f"fix print: nothing follows {word}", f"usage: {USAGE}")
            value = args[3 + 2 * k]
            if word in ("file", "append"):
                path, append = value, word == "append"
            elif word == "screen":
                self.shown = yes_no(value, "fix print screen")
            else:
                title = value
        self._file: Pieces | None = None
        if path:
            with agreed(system.world):
                try:
                    self._file = Pieces(path, append)
                    if title != "none":
                        self._file.add(title + "\n", True)
                except OSError as error:
                    raise cannot_write(path, error, f"fix {id}: ") from None

    def needs(self, step: int) -> tuple[str, ...]:
        if self.variable:
            return (*needs(self.system, f"v_{self.variable}", step), *(TALLY if step == self.next else ()))
        return TALLY if "$" in self.text and step % self.interval == 0 else ()

    def init(self) -> None:
        if self.variable:
            self.next = self._following()

    def _following(self) -> int:
        found = int(self.system.variables.evaluate(self.variable))
        if found <= self.system.step:
            raise InputError(f"fix {self.id}: variable '{self.variable}' names step {found} at step {self.system.step}",
                             "it must name a later step: use stride(), logfreq() and the like")
        return found

    def setup(self) -> None:
        if not self.variable and self.system.step % self.interval == 0:
            self.end_of_step()

    def end_of_step(self) -> None:
        if self.variable:
            if self.system.step != self.next:
                return
            self.next = self._following()
        line = self.system.variables.sim.script.substituted(self.text)
        if self.shown:
            self.notes.append(line)
        if self._file is not None:
            try:
                self._file.add(line + "\n", True)
            except OSError as error:
                raise cannot_write(self._file.path, error, f"fix {self.id}: ") from None

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file = None
