"""Thermodynamic output: which columns, how they are printed, and the rows printed so far.

    thermo.set_style("custom", ["step", "temp", "c_mine[2]", "v_ratio"])
    thermo.begin(first=0, last=100)
    with thermo.printing(log):          # writes the header
        thermo.output(log)              # on every step where thermo.due(step)

Three layouts: `one` (a table), `multi` (a block per row) and `yaml`. Rows are also kept in `history`, as dicts from the
words of the style to values, for programs.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.computes.words.references import Global, global_word, written_out
from everlet.errors import InputError, RunError, a_text, one_of, unknown
from everlet.io.keywords import QUANTITIES, keywords
from everlet.state.system import System

STYLES: dict[str, tuple[str, ...]] = {
    "one": ("step", "temp", "epair", "emol", "etotal", "press"),
    "multi": ("etotal", "ke", "temp", "pe", "ebond", "eangle", "edihed", "eimp", "evdwl", "ecoul", "elong", "press"),
    "yaml": ("step", "temp", "ke", "pe", "ebond", "eangle", "edihed", "eimp", "evdwl", "ecoul", "elong", "press"),
}
FORMATS = {"one": ("%10d ", "% -14.8g"), "multi": ("%14d", "%14.4f"), "yaml": ("%d", "%.15g")}  # whole, float


@dataclass
class Column:
    word: str
    heading: str
    value: Callable[[], float]
    whole: bool
    form: str = ""  # how it is printed in place of what the layout says


class Thermo:
    """The thermo output of one simulation. Settings are plain attributes; io/thermo_modify.py reads the command."""

    def __init__(self, system: System):
        self.system = system
        self.every = 0  # rows at multiples of this step; 0: only at the first and last step of a run
        self.variable = ""  # an equal-style variable that says the next step of a row, instead
        self.next = -1  # what it said last
        self.history: list[dict[str, float]] = []
        # facts about the present run, written by the engine
        self.first = self.last = self.start = system.step
        self.builds = self.dangerous = self.expected = 0
        self.remaining: Callable[[], float] = lambda: 0.0  # seconds left of a time limit
        self._begun: float | None = None
        self._previous = (0.0, 0, 0.0)  # seconds, step, simulated time of the previous row
        self._asked: dict[tuple[int, str], np.ndarray] | None = None  # vectors and tables of the row in the making
        self.set_style("one", [])

    def set_style(self, style: str, words: list[str]) -> None:
        """Choose the columns; all thermo_modify settings go back to their defaults."""
        if style != "custom":
            if style not in STYLES:
                raise unknown("thermo style", style, [*STYLES, "custom"])
            if words:
                raise InputError(
                    f"thermo_style {style} takes no further words", "use thermo_style custom to choose columns"
                )
        elif not words:
            raise InputError(
                "thermo_style custom needs at least one word", "for example: thermo_style custom step temp pe"
            )
        chosen = written_out(self.system, words, False, "thermo_style custom") if style == "custom" else STYLES[style]
        self.style = style
        self.columns = [self._column(word) for word in chosen]
        self.layout = style if style in FORMATS else "one"
        self.norm: bool | None = None  # None: as the units say (yes in lj)
        self.lost = "error"
        self.flush = False
        self.hash = False  # a last column that tells states apart
        self.formats: dict[int | str, str] = {}  # by column number, or "int", "float"
        self.headings: dict[int, str] = {}
        self.computes = {"temp": "thermo_temp", "press": "thermo_press", "pe": "thermo_pe"}
        self.modified = False

    # values

    def _column(self, word: str) -> Column:
        found = global_word(word)
        if found is None:
            one_of("thermo keyword", word, keywords)
            known = keywords[word]
            return Column(
                word, known.heading, lambda: self._normalised(known.value(self), known.extensive), known.whole
            )
        found.check(self.system)
        known = self.system.variables
        if found.letter == "v" and (known is None or found.name not in known):
            raise InputError(f"thermo output needs variable '{found.name}', which does not exist",
                             f"define it first: variable {found.name} equal ...")
        return Column(word, word, lambda: self._referred(found), False)

    def _referred(self, word: Global) -> float:
        """The value of c_ID, c_ID[i], c_ID[i][j], the same of a fix, or v_name."""
        return self._normalised(word.value(self.system, self._several), word.extensive(self.system))

    def _normalised(self, value: float, extensive: bool) -> float:
        return value / self.system.natoms if extensive and self.normalises and self.system.natoms else value

    @property
    def normalises(self) -> bool:
        """Extensive values are printed per atom."""
        return self.norm if self.norm is not None else self.system.units.name == "lj"

    def compute(self, kind: str) -> Any:
        """The compute behind temp, press or pe."""
        name = self.computes[kind]
        if name not in self.system.computes:
            raise InputError(
                f"thermo output needs compute '{name}', which does not exist",
                f"choose another one with: thermo_modify {kind} ID",
            )
        return self.system.computes[name]

    def value(self, word: str) -> float:
        """One thermo keyword, as it would be printed now."""
        known = keywords.get(a_text(word, "a thermo keyword"))
        if known is not None:
            return self._normalised(known.value(self), known.extensive)
        return self._column(word).value()

    def unit(self, word: str) -> str:
        """The unit of a column; empty if it has none, or nobody knows it (c_ID, v_NAME)."""
        if word not in QUANTITIES:
            return ""
        label = self.system.units.label(QUANTITIES[word])
        return f"{label}/atom" if keywords[word].extensive and self.normalises else label

    def row(self) -> dict[str, float]:
        """The values of all columns now."""
        self._asked = {}
        try:
            with self.system.still:
                return {column.word: int(column.value()) if column.whole else float(column.value())
                        for column in self._shown()}
        finally:
            self._asked = None

    def headed_row(self) -> tuple[list[str], list[float]]:
        """Headings and values of all columns now."""
        names = [self.headings.get(place, column.heading) for place, column in enumerate(self._shown())]
        return names, list(self.row().values())

    def _several(self, item: Any, method: str) -> np.ndarray:
        """The vector or table of a compute or fix. Columns of one row that name the same one have it made once."""
        if self._asked is None:
            return item.now(method)
        key = id(item), method
        if key not in self._asked:
            self._asked[key] = item.now(method)
        return self._asked[key]

    def table(self) -> dict[str, np.ndarray]:
        """All rows that were printed, as one array per column; NaN where a row has no such column (another thermo_style)."""
        rows = list(self.history)  # others may look while a run adds to it
        words = dict.fromkeys(word for row in rows for word in row) or [column.word for column in self._shown()]
        return {word: np.array([row.get(word, np.nan) for row in rows]) for word in words}

    # the clock

    def seconds(self) -> float:
        """Wall-clock seconds since the first row of this run."""
        seconds = 0.0 if self._begun is None else time.perf_counter() - self._begun
        return self.system.world.from_first(seconds)  # ranks must not differ in what a script decides by

    def since_last(self) -> tuple[float, float]:
        """Steps and simulated time per second since the previous row; 0 in the first row."""
        seconds, step, simulated = self._previous
        spent = self.seconds() - seconds
        if self._begun is None or spent <= 0:
            return 0.0, 0.0
        return (self.system.step - step) / spent, (self.system.time - simulated) / spent

    # output

    def begin(self, first: int, last: int, start: int | None = None) -> None:
        """A run of steps first … last begins; `start` is the first step of a series of runs."""
        self.first, self.last, self.start = first, last, first if start is None else start
        self.expected = self.system.natoms
        self._begun = None

    def due(self, step: int) -> bool:
        """A row is wanted on this step."""
        if self.variable:
            return step in (self.first, self.last, self.next)
        return step in (self.first, self.last) or (self.every > 0 and step % self.every == 0)

    def next_row(self, step: int) -> int:
        """The next step of a row after this one, if it is known; -1: none."""
        return self.next if self.variable else step + self.every - step % self.every if self.every > 0 else -1

    def _plan(self) -> None:
        """Ask the variable for the next step of a row."""
        if not self.variable:
            return
        self.next = int(self.system.variables.evaluate(self.variable))
        if self.next <= self.system.step:
            raise InputError(f"thermo v_{self.variable} gives step {self.next} at step {self.system.step}",
                             "the variable must give a later step: for example stride() or logfreq()")

    def _shown(self) -> list[Column]:
        """The columns; the fixed styles show the volume too when the box, or its division among ranks, can change."""
        if self.style == "custom" and not self.hash:
            return self.columns
        box = self.system.box
        changes = box is not None and box.shrinks
        changes = changes or any(fix.changes_box or fix.divides for fix in self.system.fixes.values())
        volume = [self._column("vol")] if changes and self.style != "custom" else []
        form = "'%015x'" if self.layout == "yaml" else "%015x"
        hashed = [Column("hash", "Hash", self._state, True, form)] if self.hash else []
        return [*self.columns, *volume, *hashed]

    def _state(self) -> int:
        """60 bits that depend on every bit of ids, positions and velocities, and on nothing else: not on the order of atoms in
        memory, threads or ranks."""
        atoms, ranks = self.system.atoms, self.system.ranks
        id = ranks.collect(np.ascontiguousarray(atoms.read("id")), everywhere=True)
        order, found = np.argsort(id), hashlib.blake2b(digest_size=8)
        found.update(id[order].tobytes())
        for name in ("x", "v"):
            rows = np.ascontiguousarray(atoms.read(name)[:, :3])
            found.update(ranks.collect(rows, everywhere=True)[order].tobytes())
        return int.from_bytes(found.digest(), "little") >> 4

    def header(self) -> str:
        """What precedes the rows of a run; nothing for the layout multi."""
        shown = self._shown()
        names = [self.headings.get(place, column.heading) for place, column in enumerate(shown)]
        if self.layout == "yaml":
            return "---\nkeywords: [" + "".join(f"'{name}', " for name in names) + "]\ndata:\n"
        if self.layout == "multi":
            return ""
        return (
            " ".join(f"{name:^{11 if column.whole else 14}}" for name, column in zip(names, shown, strict=True)) + "\n"
        )

    def line(self, row: dict[str, float]) -> str:
        """A row as text, ending in a newline."""
        texts = []
        for place, column in enumerate(self._shown()):
            kind = "int" if column.whole else "float"
            form = column.form or self.formats.get(place) or self.formats.get(kind) or self.formats.get(f"line {place}")
            form = form or FORMATS[self.layout][not column.whole]
            text = form % row[column.word]
            texts.append(text if self.layout != "multi" else f"{self.headings.get(place, column.heading):<8} = {text}")
        if self.layout == "yaml":
            return "  - [" + "".join(f"{text}, " for text in texts) + "]\n"
        if self.layout == "one":
            return " ".join(texts) + "\n"
        rows = [" ".join(texts[at : at + 3]) for at in range(0, len(texts), 3)]
        return (
            f"------------ Step {self.system.step:14d} ----- CPU = {self.seconds():12.7g} (sec) -------------\n"
            + " \n".join(rows)
            + "\n"
        )

    def footer(self) -> str:
        """What follows the last row of a run."""
        return "...\n" if self.layout == "yaml" else ""

    @contextlib.contextmanager
    def printing(self, log: Any) -> Iterator[None]:
        """While a run writes its rows and its summary."""
        system = self.system
        log.event("begin", units=system.units.name, dimension=system.dimension, step=self.first, steps=self.last - self.first,
                  timestep=system.dt, atoms=self.expected, types=system.ntypes, at=round(time.time(), 3))
        with log.table():
            header = self.header()
            if header:
                log.write(header)
            yield

    def output(self, log: Any) -> dict[str, float]:
        """Check for lost atoms, print one row and keep it."""
        self._check_lost(log)
        row = self.row()
        log.write(self.line(row))
        log.event("thermo", **({"step": self.system.step} | row))  # whoever draws it wants to know, whatever is printed
        if self.flush:
            log.flush()
        self.history.append(row)
        if self._begun is None:
            self._begun = time.perf_counter()
        self._previous = (self.seconds(), self.system.step, self.system.time)
        self._plan()
        return row

    def _check_lost(self, log: Any) -> None:
        count = self.system.natoms
        self.expected, self.system.added = self.expected + self.system.added, 0
        if count == self.expected or self.lost == "ignore":
            return
        error = lost_atoms(self.system, self.expected, count)
        if self.lost == "error":
            raise error
        log.warning(error.cause)
        self.expected = count


def lost_atoms(system: System, before: int, now: int) -> RunError:
    first = f"; first {system.lost[0]}" if system.lost else ""
    return RunError(f"lost atoms: {before} before, {now} at step {system.step}{first}",
                    "atoms left a non-periodic box or moved too far in one step: a smaller timestep, or "
                    "thermo_modify lost warn|ignore if they may leave")
