"""What was done to a simulation, as lines of a script that does it again.

Lines are noted when their command is run, with variables in their places: of a loop each turn, of an `if` what it chose. What
programs have set by arrays is noted as the arrays, and becomes lines when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from everlet.errors import InputError
from everlet.script.registry import command

MOST_LINES = 200_000
MOST_BYTES = 2**28  # of arrays
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+*/.:,;=<>()[]{}@%^~|!?\\")


@dataclass(frozen=True)
class Arrays:
    """Values that a program has set: `lines` says them in the words of scripts."""

    what: str
    lines: Callable[[], Iterable[str]]
    bytes: int


class Record:
    def __init__(self) -> None:
        self.entries: list[str | Arrays] = []
        self.too_much = ""  # why there are no more
        self._busy = False  # a command runs others, which are a part of it
        self._held = 0
        self.watching = ""  # the function of on_step that is at work

    def run(self, name: str, args: list[str], act: Callable[[], Any]) -> None:
        """A command is run; commands that it runs by itself (run … every) are a part of it."""
        self.refuse(name)
        if self._busy or command.says(name).steers or name in ("unfix", "uncompute") and not self._has(name[2:], args):
            act()
            return
        place = self._note(" ".join(map(quoted, [name, *args])))
        self._busy = True
        try:
            act()
        except BaseException:
            del self.entries[place:]
            raise
        finally:
            self._busy = False

    def refuse(self, name: str) -> None:
        """What would begin or end a run, asked for in the middle of one."""
        if self.watching and (name in ("clear", "restore") or command.says(name).runs):
            raise InputError(f"{name} inside of {self.watching}, a function of on_step",
                             "end the run by sim.stop(), and do it after sim.run()")

    def _has(self, what: str, args: list[str]) -> bool:
        """A line that defines this fix or compute was noted; there is none of functions of on_step."""
        begin = " ".join([what, *args[:1], ""])
        return any(isinstance(entry, str) and entry.startswith(begin) for entry in self.entries)

    def about(self, kind: str) -> tuple[str, ...]:
        """All lines about styles of a kind, pair_style, pair_coeff, pair_modify, since styles went or came all together."""
        begin = tuple(f"{kind}_{word} " for word in ("style", "coeff", "modify"))
        lines = [entry for entry in self.entries if isinstance(entry, str)]
        first = max((k for k, line in enumerate(lines) if line == "clear" or line.startswith("read_restart ")), default=0)
        return tuple(line for line in lines[first:] if line.startswith(begin))

    @contextmanager
    def asleep(self) -> Iterator[None]:
        """Nothing is noted inside."""
        before, self._busy = self._busy, True
        try:
            yield
        finally:
            self._busy = before

    def ran(self, steps: int) -> None:
        """The last line was a run, of so many steps: it may have been stopped before its end."""
        last = self.entries[-1] if self.entries else ""
        if isinstance(last, str) and last.startswith("run ") and last.split()[1] != str(steps):
            self.entries[-1] = " ".join(["run", str(steps), *last.split()[2:]]) + f"  # of {last.split()[1]}, stopped"

    def arrays(self, entry: Arrays) -> None:
        """A program has set something by arrays; what the same call has set right before is of no use any more. What functions
        of on_step set belongs to no place between two lines."""
        if self.watching:
            return
        last = self.entries[-1] if self.entries else ""
        if isinstance(last, Arrays) and last.what == entry.what:
            self._held -= last.bytes
            self.entries.pop()
        self._held += entry.bytes
        if self._held > MOST_BYTES:
            self._stop(f"programs have set more than {MOST_BYTES >> 20} MB of values by arrays")
        self._note(entry)

    def _note(self, entry: str | Arrays) -> int:
        if len(self.entries) >= MOST_LINES:
            self._stop(f"more than {MOST_LINES} commands were run")
        if not self.too_much:
            self.entries.append(entry)
        return len(self.entries) - (not self.too_much)

    def _stop(self, why: str) -> None:
        self.too_much, self.entries, self._held = self.too_much or why, [], 0

    def lines(self) -> list[str]:
        if self.too_much:
            raise InputError(f"there is no script of this simulation: {self.too_much}",
                             "write a data or restart file: sim.save(FILE)")
        return [line for entry in self.entries for line in ([entry] if isinstance(entry, str) else entry.lines())]

    def dump_lines(self, dumps: Iterable[str]) -> list[str]:
        """Lines that make these dumps again, to go on in their files."""
        found = []
        for line in (entry for entry in self.entries if isinstance(entry, str)):
            words = line.split()
            if words[0] in ("dump", "dump_modify") and words[1] in set(dumps):
                found.append(line)
                found += [f"dump_modify {words[1]} append yes"] if words[0] == "dump" else []
        return found


def quoted(word: str) -> str:
    """A word as a script has it."""
    if word and set(word) <= PLAIN:
        return word
    if "\n" in word or ('"' in word and "'" in word) or '"""' in word:
        return f'"""{word}"""'
    return f"'{word}'" if '"' in word else f'"{word}"'
