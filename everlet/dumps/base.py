"""Dump: the base of all styles that write atoms to files.

A style implements `snapshot()`, the text of one frame, and may add options. The base owns when and where to write:

    path with *         one file per frame, * is the step (dump_modify pad N gives it N digits)
    path with %         one file per rank, % is its number; each rank writes its own atoms and none has all of them
    path ending in .gz  compressed, one stream in each file
    otherwise           frames follow each other in one file, each of them whole: one that does not fit is cut off again

Options of dump_modify that all styles share: append, delay, every, first, flush, pad, sort, time, units,
format, element.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.errors import InputError, integer, unknown, yes_no
from everlet.io.files import Pieces, cannot_write, numbered, whole_file
from everlet.registry import Registry
from everlet.state.system import System
from everlet.world import writes

REFUSED = {
    "at": "binary formats are not available",
    "balance": "one process writes",
    "buffer": "one process writes",
    "every/time": "frames are written by step: use every",
    "fileper": "one rank writes, or all of them: a % in the file name",
    "nfile": "one rank writes, or all of them: a % in the file name",
    "maxfiles": "old frames are never deleted",
    "pbc": "it belongs to styles that are not available",
    "precision": "it belongs to styles that are not available",
    "refresh": "it needs computes that are not available",
    "region": "use a group for a part of the atoms",
    "sfactor": "it belongs to styles that are not available",
    "skip": "skipping by a variable is not available",
    "tfactor": "it belongs to styles that are not available",
    "triclinic/general": "general triclinic boxes are not available",
    "unwrap": "use the columns xu yu zu of dump custom",
}
Option = Callable[[list[str]], None]


class Dump:
    """One dump: `dump ID GROUP STYLE EVERY PATH ARGS`."""

    sorted_by_default = False

    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        if every <= 0:
            raise InputError(f"dump {id}: the number of steps between frames must be positive, found {every}",
                             "give a number of 1 or more")
        numbered(path, 0, rank=0)  # refuses names that cannot be used
        if path.endswith(".bin"):
            raise InputError(f"dump {id}: binary files ('{path}') are not available", "choose another ending")
        self.system, self.id, self.group, self.every, self.path = system, id, group, every, path
        system.groups.index(group)
        self.last = -1  # step of the last frame
        self.alone = "*" in path  # every frame is a file of its own
        self.parted = "%" in path  # every rank has a file of its own
        self.append = self.first = self.with_time = self.with_units = False
        self.flush = True
        self.pad = self.delay = 0
        self.sort: int | str = "id" if self.sorted_by_default else "off"
        self.elements: list[str] = []
        self._stream: Pieces | None = None
        self.options: dict[str, Option] = {
            "append": self._flag("append"),
            "first": self._flag("first"),
            "flush": self._flag("flush"),
            "time": self._flag("with_time"),
            "units": self._flag("with_units"),
            "delay": self._count("delay"),
            "pad": self._count("pad"),
            "every": self._every,
            "sort": self._sort,
            "format": self._format,
            "element": self._element,
        }

    # what a style provides

    def snapshot(self) -> str:
        """The text of one frame."""
        raise NotImplementedError

    def set_format(self, which: str, words: list[str]) -> None:
        """dump_modify format WHICH WORDS...; a style takes the words it uses from the front of the list."""
        raise InputError(f"dump {self.id}: format {which} is not available in this style", "remove it")

    def words(self) -> list[str]:
        """Names of computes, fixes and variables that a frame evaluates (computes/references.py)."""
        return []

    def warning(self) -> str:
        """What a user should know about the options given so far; empty: nothing."""
        return ""

    # when and where

    def due(self, step: int) -> bool:
        """A frame is wanted on this step and not yet written."""
        if step == self.last or step < self.delay:
            return False
        return step % self.every == 0 or (self.first and self.last < 0)

    def write(self) -> None:
        """Write one frame. Of several ranks the first one has all atoms and does, or each writes its own."""
        step = self.system.step
        if not (self.parted or writes()):
            self.last = step
            return
        text = self.snapshot()
        path = numbered(self.path, step, self.pad, self.system.world.rank)
        try:
            if self.alone and not self.append:
                with whole_file(path, all_ranks=self.parted) as stream:
                    stream.write(text)
            elif self.alone:
                with contextlib.closing(Pieces(path, append=True, all_ranks=self.parted)) as pieces:
                    pieces.add(text)
            else:
                self._stream = self._stream or Pieces(path, self.append or self.last >= 0, self.parted)
                self._stream.add(text, self.flush)
        except OSError as error:
            raise cannot_write(path, error, f"dump {self.id}: ") from None
        self.last = step

    def close(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            try:
                stream.close()
            except OSError as error:
                raise cannot_write(self.path, error, f"dump {self.id}: ") from None

    # which atoms

    def rows(self) -> np.ndarray:
        """Indices of the atoms to write, in the order to write them."""
        atoms = self.system.atoms
        rows = np.flatnonzero(self.system.groups.member(self.group, atoms.read("mask")))
        if self.parted and self.system.ranks.size == 1:  # between runs every rank has all atoms: each takes a share
            rows = np.array_split(rows, self.system.world.size)[self.system.world.rank]
        return rows[np.argsort(atoms.read("id")[rows], kind="stable")] if self.sort == "id" else rows

    def names(self, default: Callable[[int], str]) -> np.ndarray:
        """Name of each type: the element names given, or `default(type)`; entry 0 is unused."""
        count = self.system.ntypes
        return np.array(["", *(self.elements or [default(kind) for kind in range(1, count + 1)])], dtype=object)

    # dump_modify

    def modify(self, args: list[str]) -> None:
        """Apply options; unknown or unavailable ones are refused by name."""
        words = list(args)
        if not words:
            raise InputError("dump_modify needs an option", f"options: {', '.join(sorted(self.options))}")
        while words:
            option = words.pop(0)
            if option not in self.options:
                if option in REFUSED:
                    raise InputError(f"dump_modify {option} is not available: {REFUSED[option]}", "remove it")
                raise unknown("dump_modify option", option, self.options)
            self.options[option](words)

    def take(self, words: list[str], option: str) -> str:
        if not words:
            raise InputError(f"dump_modify {option} lacks a value", "usage: dump_modify ID OPTION VALUE")
        return words.pop(0)

    def _flag(self, name: str) -> Option:
        def set_flag(words: list[str]) -> None:
            setattr(self, name, yes_no(self.take(words, name), f"dump_modify {name.removeprefix('with_')}"))

        return set_flag

    def _count(self, name: str) -> Option:
        def set_count(words: list[str]) -> None:
            value = integer(self.take(words, name), f"a number for dump_modify {name}")
            if value < 0:
                raise InputError(f"dump_modify {name} cannot be negative: {value}", "give 0 or more")
            setattr(self, name, value)

        return set_count

    def _every(self, words: list[str]) -> None:
        word = self.take(words, "every")
        if word.startswith("v_"):
            raise InputError("dump_modify every with a variable is not available", "give a number of steps")
        every = integer(word, "a number of steps")
        if every <= 0:
            raise InputError(f"dump_modify every must be positive, found {every}", "give a number of 1 or more")
        self.every = every

    def _sort(self, words: list[str]) -> None:
        word = self.take(words, "sort")
        if word not in ("off", "id"):
            self.check_sort(integer(word, "off, id or a column number for dump_modify sort"))
        self.sort = word if word in ("off", "id") else int(word)

    def check_sort(self, column: int) -> None:
        """Refuse sorting by a column that is not there; styles without columns have none."""
        raise InputError(f"dump {self.id}: this style cannot sort by column {column}", "use sort id")

    def _format(self, words: list[str]) -> None:
        self.set_format(self.take(words, "format"), words)

    def _element(self, words: list[str]) -> None:
        count = self.system.ntypes
        if len(words) < count:
            raise InputError(f"dump_modify element needs one name per type: {count} names, found {len(words)}",
                             "for example, for two types: element Cu Zn")
        self.elements = [words.pop(0) for _ in range(count)]


dump_style: Registry[type[Dump]] = Registry("dump style", "everlet.dumps")


def make(system: System, args: list[str], usage: str) -> Any:
    """A dump from the words ID GROUP STYLE EVERY PATH ARGS."""
    if len(args) < 5:
        raise InputError(f"expected 5 or more arguments, found {len(args)}", f"usage: {usage}")
    id, group, style, every, path = args[:5]
    system.need_box()
    return dump_style[style](system, id, group, integer(every, "a number of steps"), path, args[5:])
