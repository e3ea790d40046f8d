"""everlet check SCRIPT: what of a script Everlet has, line by line.

    everlet check SCRIPT [--var NAME=VALUE,…] [--plugin FILE.py,…] [--partition 4x1]

The script is read as by `everlet plan`: atoms are made, nothing runs and nothing is written. Before each line stands

    ok    it was carried out, or noted if it is a run
    NO    it is refused; why stands below. Lines after it may be refused because of it
    -     it was not tried: it writes files, talks, reads frames that a run before it writes, or is not reached

Restart files that the script writes have what was set up, without runs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from everlet.comm.universe import sizes_of
from everlet.errors import EverletError
from everlet.lab.plan import variable
from everlet.lab.reading import Dry, Found, read
from everlet.perf import options
from everlet.script.parser import Script
from everlet.script.words import without_comment

USAGE = "everlet check SCRIPT [--var NAME=VALUE,…] [--plugin FILE.py,…] [--partition 4x1]"
KNOWN: dict[str, tuple[options.Reader, Any]] = {"var": (options.many(options.word), []),
                                                "plugin": (options.many(options.word), []),
                                                "partition": (options.many(options.word), [])}
Place = tuple[str, int]  # a script and a line of it


@dataclass
class Read(Found):
    """What was found, and what became of each line: '' if all is well."""

    lines: dict[Place, str] = field(default_factory=dict)
    texts: dict[Place, str] = field(default_factory=dict)


class LineByLine(Dry):
    """A reader that keeps what became of each line."""

    found: Read

    def one(self, line: str) -> None:
        self.found.texts.setdefault(self._here(), line)
        super().one(line)

    def execute(self, name: str, args: list[str]) -> None:
        noted = len(self.found.notes)
        if not self.passed(name, args):
            self.found.lines.setdefault(self._here(), "")
        super().execute(name, args)
        for note in self.found.notes[noted:]:  # about what a run would do
            self._why(note.partition(": ")[2])

    def unplanned(self, what: str) -> None:
        """It is carried out all the same."""

    def _note(self, error: EverletError) -> None:
        self._why(error.cause.splitlines()[0])

    def _why(self, cause: str) -> None:
        self.found.lines[self._here()] = self.found.lines.get(self._here(), "") or cause

    def _here(self) -> Place:
        frame = self.frames[-1]
        return frame.name, frame.lines[max(frame.position - 1, 0)][0]


def check_script(path: str, words: list[str]) -> bool:
    """Print what became of each line; true if nothing is refused."""
    given = options.parse(words, KNOWN, USAGE)
    found = Read()
    partitions = len(sizes_of(given["partition"])) if given["partition"] else 1
    read(path, [variable(one) for one in given["var"]], given["plugin"], found, LineByLine, partitions)
    for count, text in Script.lines_of(path):
        found.texts.setdefault((path, count), text)
    refused = 0
    for place, text in sorted(found.texts.items(), key=lambda one: (one[0][0] != path, *one[0])):
        if not without_comment(text).strip():
            continue
        why = found.lines.get(place)
        print(f"{'-' if why is None else 'NO' if why else 'ok':3} {place[0]}:{place[1]}: {text.strip()}")
        if why:
            print(f"      {why}")
            refused += 1
    ends = [note for note in found.notes if "reading ends here" in note]
    print("\n".join(["", *ends, f"{path}: " + (f"{refused} line{'s' if refused > 1 else ''} refused; everlet info styles "
                                                "lists what there is" if refused else "nothing is refused")]))
    return not refused and not ends
