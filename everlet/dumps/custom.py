"""dump ID GROUP custom N FILE COLUMN ...: a table of chosen columns per frame.

    ITEM: TIMESTEP / NUMBER OF ATOMS / BOX BOUNDS / ATOMS column names, then one line per atom

Own options of dump_modify: format line|int|float|N|none, colname N|COLUMN NAME, header yes|no,
thresh COLUMN OP VALUE|LAST | none, region ID|none, sort by column number (negative: downwards).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.computes.words.columns import Column, find
from everlet.computes.words.peratom import spelled_out
from everlet.dumps.base import Dump, dump_style
from everlet.errors import InputError, integer, number, one_of, unknown
from everlet.io.formats import check_format, lines
from everlet.state.system import System

FORMATS = {"int": "%d", "float": "%g", "text": "%s"}
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "|^": lambda a, b: (a != 0) ^ (b != 0),
}


@dump_style("custom")
class Custom(Dump):
    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        super().__init__(system, id, group, every, path, args)
        self.need_columns("custom", args, "id type x y z")
        self.columns = [self._find(word) for word in spelled_out(system, args)]
        self.formats: dict[int | str, str] = {}  # by place, or "int", "float"
        self.headings: dict[int, str] = {}
        self.thresholds: list[tuple[Column, str, float | None]] = []  # None: the value of the last frame
        self.before: dict[int, tuple[np.ndarray, np.ndarray]] = {}  # ids and values of the last frame, by threshold
        self.region = ""
        self.header = True
        self.options |= {"colname": self._colname, "header": self._flag("header"), "region": self._region,
                         "thresh": self._thresh}

    def one_table(self, kind: str, args: list[str], example: str) -> None:
        """For dumps whose rows are no atoms: words, and what dump_modify can say."""
        self.need_columns(kind, args, example)
        if self.parted:
            raise InputError(f"dump {self.id}: dump {kind} has no file for each rank", "remove the %")
        self.formats, self.headings, self.thresholds, self.header, self.region = {}, {}, [], True, ""
        self.options |= {"colname": self._colname, "header": self._flag("header")}

    def _find(self, word: str) -> Column:
        if self.parted and word.startswith("v_"):
            raise InputError(f"dump {self.id}: '{word}' in a dump with one file per rank: formulas need all atoms",
                             "remove the % or the column")
        return find(self.system, word)

    def shown(self) -> list[Column]:
        """The columns of the next frame."""
        return self.columns

    def words(self) -> list[str]:
        return [column.word for column in [*self.shown(), *(rule[0] for rule in self.thresholds)]]

    def _values(self, column: Column) -> np.ndarray:
        if column.word == "element" and self.elements:
            return self.names(str)[self.system.atoms.read("type")]
        return column.values(self.system)

    def taken(self) -> Callable[[], str]:
        shown = self.shown()
        rows = self._chosen()
        values = [self._values(column)[rows] for column in shown]
        if isinstance(self.sort, int):
            keys = values[abs(self.sort) - 1]
            order = np.argsort(keys if self.sort > 0 else -keys, kind="stable")
            values = [item[order] for item in values]
        head, forms = self._head(len(rows)) if self.header else "", self._forms(shown)
        return lambda: head + self.body(forms, values)

    def body(self, forms: list[str], values: list[np.ndarray]) -> str:
        """The rows of a frame."""
        return lines(forms, values)

    def _chosen(self) -> np.ndarray:
        """Atoms of the group that are in the region and pass all thresholds."""
        rows, ids = self.rows(), self.system.atoms.read("id")
        if self.region:
            if self.region not in self.system.regions:
                raise InputError(f"region {self.region} was removed while dump {self.id} uses it", "define it again")
            rows = rows[self.system.regions[self.region].inside(self.system.atoms.read("x"))[rows]]
        for place, (column, sign, limit) in enumerate(self.thresholds):
            values = self._values(column)
            compared = limit if limit is not None else self._of_last_frame(place, ids, values)[rows]
            rows = rows[COMPARE[sign](values[rows], compared)]
        return rows

    def _of_last_frame(self, place: int, ids: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Values of the last frame in the present order of atoms; those that were not there have their present ones."""
        order = np.argsort(ids, kind="stable")
        known, old = self.before.get(place, (ids[order], values[order]))
        found = np.minimum(np.searchsorted(known, ids), len(known) - 1) if len(known) else np.zeros(len(ids), int)
        last = np.where(known[found] == ids, old[found], values) if len(known) else values
        self.before[place] = (ids[order], values[order].copy())
        return last

    def _region(self, words: list[str]) -> None:
        name = self.take(words, "region")
        if name != "none" and name not in self.system.regions:
            raise unknown("region", name, self.system.regions)
        self.region = "" if name == "none" else name

    def _forms(self, shown: list[Column]) -> list[str]:
        return [
            self.formats.get(place) or self.formats.get(column.kind) or FORMATS[column.kind]
            for place, column in enumerate(shown)
        ]

    def _head(self, count: int) -> str:
        box = self.system.need_box()
        first = self.alone or self.begins  # units are said once in a file
        head = f"ITEM: UNITS\n{self.system.units.name}\n" if self.with_units and first else ""
        if self.with_time:
            head += f"ITEM: TIME\n{self.system.time:.16g}\n"
        head += f"ITEM: TIMESTEP\n{self.system.step}\nITEM: NUMBER OF ATOMS\n{count}\n"
        low, high = box.bounds()
        tilts = (box.xy, box.xz, box.yz)
        head += f"ITEM: BOX BOUNDS {'xy xz yz ' if box.triclinic else ''}{' '.join(box.boundary)}\n"
        for k in range(3):
            head += f"{low[k]:.16e} {high[k]:.16e}" + (f" {tilts[k]:.16e}\n" if box.triclinic else "\n")
        names = [self.headings.get(place, column.word) for place, column in enumerate(self.shown())]
        return head + f"ITEM: ATOMS {' '.join(names)}\n"

    def warning(self) -> str:
        names = [word for word, there in (("UNITS", self.with_units), ("TIME", self.with_time)) if there]
        if not names or not self.header:
            return ""
        return (f"MDAnalysis and mdtraj cannot read dumps with ITEM: {' and '.join(names)} (dump_modify units, time); "
                "OVITO and ASE can")

    # dump_modify

    def set_format(self, which: str, words: list[str]) -> None:
        if which == "none":
            self.formats.clear()
            return
        text = self.take(words, f"format {which}")
        shown = self.shown()
        if which == "line":
            parts = text.split()
            if len(parts) != len(shown):
                raise InputError(
                    f"format line has {len(parts)} words for {len(shown)} columns", "give one format per column"
                )
            self.formats = {place: check_format(part, shown[place].kind) for place, part in enumerate(parts)}
        elif which in ("int", "float"):
            self.formats[which] = check_format(text, which)
        else:
            place = self._place(which, "format")
            self.formats[place] = check_format(text, shown[place].kind)

    def check_sort(self, column: int) -> None:
        shown = self.shown()
        if not 1 <= abs(column) <= len(shown):
            raise InputError(f"dump {self.id}: there is no column {column} to sort by", f"it has {len(shown)} columns")
        if shown[abs(column) - 1].kind == "text":
            raise InputError(
                f"dump {self.id}: cannot sort by the names in column {column}", "sort by a column of numbers"
            )

    def _place(self, word: str, option: str) -> int:
        names = [column.word for column in self.shown()]
        if word in names:
            return names.index(word)
        place = integer(word, f"a column for dump_modify {option}")
        if not 1 <= abs(place) <= len(names):
            raise InputError(f"dump_modify {option} {place} is out of range: there are {len(names)} columns",
                             "use the number of a column")
        return place - 1 if place > 0 else len(names) + place

    def _colname(self, words: list[str]) -> None:
        which = self.take(words, "colname")
        if which == "default":
            self.headings.clear()
        else:
            self.headings[self._place(which, "colname")] = self.take(words, "colname")

    def _thresh(self, words: list[str]) -> None:
        word = self.take(words, "thresh")
        if word == "none":
            self.thresholds.clear()
            self.before.clear()
            return
        column, sign, limit = self._find(word), self.take(words, "thresh"), self.take(words, "thresh")
        if column.kind == "text":
            raise InputError(f"dump_modify thresh compares numbers, and {word} is a name", "use the column type")
        one_of("comparison", sign, COMPARE)
        if limit == "LAST" and self.parted:
            raise InputError("dump_modify thresh ... LAST in a dump with one file per rank", "remove the % or give a number")
        self.thresholds.append((column, sign, None if limit == "LAST" else number(limit, "a number to compare with")))
