"""Dump: the base of all styles that write atoms to files.

A style implements `snapshot()`, the text of one frame, and may add options. The base owns when and where to write:

    path with *         one file per frame, * is the step (dump_modify pad N gives it N digits)
    path with %         one file per rank, % is its number; each rank writes its own atoms and none has all of them
    path ending in .gz  compressed, one stream in each file; .bz2, .xz, .zst: one for each frame
    otherwise           frames follow each other in one file, each of them whole: one that does not fit is cut off again

Options of dump_modify that all styles share: append, buffer, delay, every, every/time, first, flush, maxfiles, pad, pbc,
refresh, skip, sort, time, units, format, element, nfile and fileper.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from everlet.comm.world import writes
from everlet.computes.words.references import variables
from everlet.dumps.timing import Timing
from everlet.errors import InputError, integer, unknown, yes_no
from everlet.io.behind import Behind
from everlet.io.compressed import ending
from everlet.io.files import Pieces, cannot_write, numbered, whole_file
from everlet.registry import Registry
from everlet.state.system import System

DIGITS = 20  # of the largest step, and one more
REFUSED = {
    "at": "frames are appended",
    "bitrate": "movies are not available: make one of the images of dump image",
    "framerate": "movies are not available: make one of the images of dump image",
    "gmap": "grids are not available",
    "precision": "it belongs to dump xtc",
    "region": "it belongs to custom, cfg, yaml and image: use a group for a part of the atoms",
    "sfactor": "it belongs to dump xtc and trr",
    "tfactor": "it belongs to dump xtc and trr",
    "thermo": "it belongs to dump yaml",
    "triclinic/general": "general triclinic boxes are not available",
    "unwrap": "it belongs to dcd, netcdf, xtc, trr and h5md: use the columns xu yu zu of dump custom; gsd has box crossings",
}
PACKED = {"gz": ".gz", "zstd": ".zst"}
COMPRESSED = ("atom", "custom", "cfg", "local", "xyz")  # styles that have further names, such as custom/gz
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
        self.system, self.id, self.group, self.path = system, id, group, path
        system.groups.index(group)
        self.timing = Timing(system, f"dump {id}", every)
        self.alone = "*" in path  # every frame is a file of its own
        self.parted = "%" in path  # every rank has a file of its own
        self.append = self.with_time = self.with_units = self.pbc = False
        self.flush = True
        self.pad = self.maxfiles = 0
        self.skip, self.refresh = "", ""  # a variable, a compute
        self.skipped = False  # this frame is left out
        self.none_yet = False  # all frames so far were left out
        self.paths: list[str] = []  # of the last frames, if there may be only some
        self.row: tuple[list[str], list[float]] | None = None  # headings and values of thermo output of this step
        self.sort: int | str = "id" if self.sorted_by_default else "off"
        self.elements: list[str] = []
        self._stream: Pieces | None = None
        self._behind = Behind()
        self.options: dict[str, Option] = {
            "append": self._flag("append"),
            "compression_level": self._level,
            "checksum": self._flag("checked"),  # of .zst; the library decides
            "balance": self._flag("balanced"),  # who writes changes nothing
            "buffer": self._flag("buffered"),
            "first": self._first,
            "pbc": self._flag("pbc"),
            "skip": self._skip,
            "refresh": self._refresh,
            "maxfiles": self._maxfiles,
            "nfile": self._files,
            "fileper": self._files_per,
            "every/time": lambda words: self.timing.set_interval(self.take(words, "every/time")),
            "flush": self._flag("flush"),
            "time": self._flag("with_time"),
            "units": self._flag("with_units"),
            "delay": self._delay,
            "pad": self._count("pad", DIGITS),
            "every": lambda words: self.timing.set_every(self.take(words, "every")),
            "sort": self._sort,
            "format": self._format,
            "element": self._element,
        }

    def need_columns(self, style: str, args: list[str], example: str) -> None:
        if not args:
            raise InputError(f"dump {self.id}: dump {style} needs at least one column", f"for example: {example}")

    # what a style provides

    def snapshot(self) -> str:
        """The text of one frame."""
        raise NotImplementedError

    def taken(self) -> Callable[[], str]:
        """Take what the next frame shows; its text is made when the result is called, maybe while the run goes on."""
        text = self.snapshot()
        return lambda: text

    def set_format(self, which: str, words: list[str]) -> None:
        """dump_modify format WHICH WORDS...; a style takes the words it uses from the front of the list."""
        raise InputError(f"dump {self.id}: format {which} is not available in this style", "remove it")

    def words(self) -> list[str]:
        """Names of computes, fixes and variables that a frame evaluates (computes/words/references.py)."""
        return []

    def warning(self) -> str:
        """What a user should know about the options given so far; empty: nothing."""
        return ""

    # when and where

    @property
    def last(self) -> int:
        """The step of the last frame."""
        return self.timing.last

    @property
    def begins(self) -> bool:
        """The next frame is the first one in its file."""
        return self.last < 0 or self.none_yet

    def due(self, step: int) -> bool:
        """A frame is wanted on this step and not yet written."""
        return self.timing.due(step)

    @property
    def wants_row(self) -> bool:
        """Frames have numbers of thermo output."""
        return False

    def write(self) -> None:
        """Write one frame. Of several ranks the first one has all atoms and does, or each writes its own."""
        step = self.system.step
        if not self.skipped and (self.parted or writes()):
            path = numbered(self.path, step, self.pad, self.system.world.rank)
            with self._wrapped() if self.pbc else contextlib.nullcontext():
                self.put(path)
            self._forget_old(path)
        self.none_yet = self.skipped and self.begins
        self.timing.last = step

    def prepare(self) -> None:
        """All ranks are about to write a frame: what they must find out together."""
        self.skipped = bool(self.skip) and variables(self.system, self.skip).evaluate(self.skip) != 0.0

    def settle(self) -> None:
        """A frame was written."""
        if self.refresh and not self.skipped:
            self.system.computes[self.refresh].refresh()
        self.timing.begin(self.system.step)

    @contextlib.contextmanager
    def _wrapped(self) -> Iterator[None]:
        """Inside of this all atoms are in the box."""
        atoms = self.system.atoms
        x, image = atoms.edit("x"), atoms.edit("image")
        before = x.copy(), image.copy()
        self.system.need_box().wrap(x, image)
        try:
            yield
        finally:
            x[:], image[:] = before

    def _forget_old(self, path: str) -> None:
        if self.maxfiles and self.alone:
            self.paths.append(path)
            for old in self.paths[: -self.maxfiles]:
                with contextlib.suppress(OSError):
                    os.remove(old)
            self.paths = self.paths[-self.maxfiles :]

    def put(self, path: str) -> None:
        """Write a frame to a file of this name, or to the end of it; behind the run if the space works by itself meanwhile. The
        first frame is always written at once: what is wrong with the file shows at the beginning."""
        make, append = self.taken(), self.append or not self.begins
        if self.system.space.asynchronous and self.system.world.size == 1 and not self.begins:
            self._behind.do(lambda: self._store(path, make(), append))
        else:
            self._store(path, make(), append)

    def _store(self, path: str, text: str, append: bool) -> None:
        try:
            if self.alone and not self.append:
                with whole_file(path, all_ranks=self.parted) as stream:
                    stream.write(text)
            elif self.alone:
                with contextlib.closing(Pieces(path, append=True, all_ranks=self.parted)) as pieces:
                    pieces.add(text)
            else:
                self._stream = self._stream or Pieces(path, append, self.parted)
                self._stream.add(text, self.flush)
        except OSError as error:
            raise cannot_write(path, error, f"dump {self.id}: ") from None

    def finish(self) -> None:
        """Frames that are written behind the run are in their files."""
        self._behind.wait()

    def close(self) -> None:
        self._behind.close()
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

    def _count(self, name: str, most: int = 0) -> Option:
        def set_count(words: list[str]) -> None:
            value = integer(self.take(words, name), f"a number for dump_modify {name}")
            if value < 0:
                raise InputError(f"dump_modify {name} cannot be negative: {value}", "give 0 or more")
            if most and value > most:
                raise InputError(f"dump_modify {name} {value}: a step has at most {most} digits", f"give 0 to {most}")
            setattr(self, name, value)

        return set_count

    def _first(self, words: list[str]) -> None:
        self.timing.first = yes_no(self.take(words, "first"), "dump_modify first")

    def _level(self, words: list[str]) -> None:
        """How much work is put into small files; here it is always the usual one."""
        integer(self.take(words, "compression_level"), "a level for dump_modify compression_level")
        if not ending(self.path):
            raise InputError(f"dump {self.id}: dump_modify compression_level is for compressed files",
                             "let the name end in .gz")

    def _delay(self, words: list[str]) -> None:
        self.timing.delay = integer(self.take(words, "delay"), "a step for dump_modify delay")
        if self.timing.delay < 0:
            raise InputError(f"dump_modify delay cannot be negative: {self.timing.delay}", "give 0 or more")

    def _skip(self, words: list[str]) -> None:
        word = self.take(words, "skip")
        if not word.startswith("v_"):
            raise InputError(f"dump_modify skip takes a variable, found '{word}'", "use skip v_NAME")
        self.skip = word[2:]

    def _refresh(self, words: list[str]) -> None:
        word = self.take(words, "refresh")
        if not word.startswith("c_") or word[2:] not in self.system.computes:
            raise unknown("compute for dump_modify refresh", word, [f"c_{name}" for name in self.system.computes])
        if not self.system.computes[word[2:]].refreshes:
            raise InputError(f"dump_modify refresh {word}: this compute has no reference that could be renewed", "leave it out")
        self.refresh = word[2:]

    def _maxfiles(self, words: list[str]) -> None:
        count = integer(self.take(words, "maxfiles"), "a number of files")
        if not self.alone:
            raise InputError("dump_modify maxfiles is for dumps with one file per frame", "put a * into the file name")
        if count == 0 or count < -1:
            raise InputError(f"dump_modify maxfiles {count}: how many files may there be?", "give 1 or more, or -1 for all")
        self.maxfiles = max(count, 0)

    def _files(self, words: list[str]) -> None:
        count, ranks = integer(self.take(words, "nfile"), "a number of files"), self.system.world.size
        self._need_parts("nfile")
        if count < 1 or count < ranks:
            raise InputError(f"dump_modify nfile {count}: each of the {ranks} ranks writes a file of its own",
                             "leave it out, or remove the % to have one file")

    def _files_per(self, words: list[str]) -> None:
        count = integer(self.take(words, "fileper"), "a number of ranks")
        self._need_parts("fileper")
        if count < 1 or (count > 1 and self.system.world.size > 1):
            raise InputError(f"dump_modify fileper {count}: each rank writes a file of its own", "use fileper 1")

    def _need_parts(self, option: str) -> None:
        if not self.parted:
            raise InputError(f"dump_modify {option} is for dumps with one file per rank", "put a % into the file name")

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


def plain_style(style: str) -> tuple[str, str]:
    """A style without the part of its name that says how files are compressed, and how their names then end.

    >>> plain_style("custom/gz"), plain_style("xyz")
    (('custom', '.gz'), ('xyz', ''))
    """
    plain, _, packed = style.partition("/")
    return (plain, PACKED[packed]) if packed in PACKED and plain in COMPRESSED else (style, "")


dump_style: Registry[type[Dump]] = Registry("dump style", "everlet.dumps")


def make(system: System, args: list[str], usage: str) -> Any:
    """A dump from the words ID GROUP STYLE EVERY PATH ARGS."""
    if len(args) < 5:
        raise InputError(f"expected 5 or more arguments, found {len(args)}", f"usage: {usage}")
    id, group, style, every, path = args[:5]
    plain, compression = plain_style(style)
    if compression and not path.endswith(compression):
        raise InputError(f"dump {id}: files of dump {style} end in {compression}, found '{path}'",
                         f"use dump {plain}, or {path}{compression}")
    return dump_style[plain](system, id, group, integer(every, "a number of steps"), path, args[5:])
